package interpreter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
)

// leader is a player by chance that holds what Lead says against the variables the let reads.
type leader struct {
	t     *testing.T
	leads map[*interpreter.Game]*interpreter.Lead
	asked int
}

func (l *leader) Choose(p *interpreter.Position, r *interpreter.Random) int {
	lead, known := l.leads[p.Game()]
	if !known {
		lead = interpreter.NewLead(p.Game())
		l.leads[p.Game()] = lead
	}
	ticks, _ := p.Setup().Vars["ticks"].(map[string]any)
	before := p.Copy()
	for team := range 2 {
		want := "0"
		if n, ok := ticks[p.Game().SeatName(team)]; ok {
			want = fmt.Sprint(n)
		}
		if got := fmt.Sprint(lead.Of(p, team)); got != want {
			l.t.Fatalf("team %d is %s ahead, want %s", team, got, want)
		}
	}
	if !p.Equal(before) {
		l.t.Fatal("asking changes the position")
	}
	l.asked++
	return r.IntN(p.OptionCount())
}

func (*leader) Number(*interpreter.Position, *interpreter.Random) int { return 0 }

// TestLead asks who leads, in a game as it is and in the form a runner plays.
func TestLead(t *testing.T) {
	g := odd(t, strings.NewReplacer("rule race", "move wait(p in mine) stay\n\nrule race", "may tick(p)", "may tick(p)\n  may wait(p)").Replace(countedRace))
	l := &leader{t: t, leads: map[*interpreter.Game]*interpreter.Lead{}}
	p, random := g.Start(0), interpreter.NewRandom(1, 1)
	for p.Kind() != interpreter.Over {
		if p.Kind() == interpreter.Throw {
			p.ThrowRandom(&random)
			continue
		}
		if err := p.Choose(l.Choose(p, &random)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := interpreter.NewRunner(g, interpreter.RunOptions{Players: []interpreter.Chooser{l, l}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Play(1, 1); err != nil {
		t.Fatal(err)
	}
	if l.asked < 8 || len(l.leads) != 2 {
		t.Errorf("asked %d times in %d forms", l.asked, len(l.leads))
	}
	if lead := interpreter.NewLead(shipped(t, "parchis4a", dsl.Setting{})); lead != nil {
		t.Error("the rules do not say who leads")
	}
}

// TestLeadOfPlaces asks for leads and figures that count pieces by where they stand.
func TestLeadOfPlaces(t *testing.T) {
	g := odd(t, `ruleset out "Out of home"

board   cross68
players 2
pieces  3 at home
dice    die = d2

let lead(player x) = count(x.pieces, .at.square)

turn { throw die; play die }

move enter(p in mine) from home to p.start

rule race "A throw brings a piece out" {
  may enter(p)
  win player x when none(x.pieces, .at == home)
}

count left(player x) "left at home" = count(x.pieces, .at == home)
`)
	lead, p, random := interpreter.NewLead(g), g.Start(0), interpreter.NewRandom(1, 1)
	for out := [2]int{}; ; {
		for team, want := range out {
			if got := lead.Of(p, team); got != want {
				t.Fatalf("team %d is %d ahead, want %d", team, got, want)
			}
		}
		if p.Kind() == interpreter.Over {
			break
		}
		out[p.Turn()]++
		p.ThrowRandom(&random)
	}
	if got := p.Figures()[0].Values; got[0] != 0 || got[1] != 1 {
		t.Errorf("left at home: %v, want 0 and 1", got)
	}
}

// TestLeadChanges holds what a runner takes down of who leads, which it asks of those alone whose answer can have changed, against
// asking all of them before every throw.
func TestLeadChanges(t *testing.T) {
	for _, g := range []*interpreter.Game{
		shipped(t, "patolli", dsl.Setting{Players: 4}), shipped(t, "cicloparchis", dsl.Setting{}),
		shipped(t, "cicloparchis", dsl.Setting{Options: map[string]string{"mode": "teams"}}),
		shipped(t, "cicloparchis", dsl.Setting{Options: map[string]string{"mode": "secret"}}),
	} {
		var lead *interpreter.Lead
		leader, changes := interpreter.None, 0
		look := func(p *interpreter.Position) {
			if lead == nil {
				lead = interpreter.NewLead(p.Game())
			}
			best, first := 0, interpreter.None
			for team := range p.Game().Rules().Teams {
				switch far := lead.Of(p, team); {
				case team == 0 || far > best:
					best, first = far, team
				case far == best:
					first = interpreter.None
				}
			}
			if first == interpreter.None || first == leader {
				return
			}
			if leader != interpreter.None {
				changes++
			}
			leader = first
		}
		r, err := interpreter.NewRunner(g, interpreter.RunOptions{Leads: true, Look: look, MaxThrows: 90})
		if err != nil {
			t.Fatal(err)
		}
		unfinished, all := 0, 0
		for k := range uint64(30) {
			leader, changes = interpreter.None, 0
			x, err := r.Play(5, k)
			if err != nil {
				t.Fatal(err)
			}
			if !x.Unfinished { // looked at once more
				continue
			}
			unfinished, all = unfinished+1, all+changes
			if x.LeadChanges != changes {
				t.Errorf("%s, game %d: the lead changes %d times, want %d", g.Rules().Name, k, x.LeadChanges, changes)
			}
		}
		if unfinished < 10 || all < 30 {
			t.Errorf("%s: %d changes in %d games tell nothing", g.Rules().Name, all, unfinished)
		}
	}
}

// TestGuess draws what is hidden: each colour of the other team as often, nothing else changes, and who chose knows.
func TestGuess(t *testing.T) {
	g := shipped(t, "cicloparchis", dsl.Setting{Options: map[string]string{"mode": "secret"}})
	p := g.Start(0)
	q := p.Copy()
	if p.Hides(0) || p.Hides(interpreter.None) {
		t.Fatal("no player has chosen yet")
	}
	for _, i := range []int{0, 1} {
		if err := p.Choose(i); err != nil {
			t.Fatal(err)
		}
	}
	own := g.SeatName(g.Rules().Teams[0][0])
	other := g.SeatName(g.Rules().Teams[1][0])
	named := func(p *interpreter.Position, team string) string {
		return p.Setup().Vars["named"].(map[string]any)[team].(string)
	}
	r, counts := interpreter.NewRandom(1, 1), map[string]int{}
	seat := g.Rules().Teams[0][0]
	seen := asJSON(t, p.View(seat))
	for range 400 {
		q.CopyFrom(p)
		if !q.Hides(seat) {
			t.Fatal("nothing is hidden")
		}
		q.Guess(seat, &r)
		if named(q, own) != named(p, own) {
			t.Fatal("a team's own choice was guessed")
		}
		if got := asJSON(t, q.View(seat)); got != seen {
			t.Fatalf("a guess shows: %s, want %s", got, seen)
		}
		counts[named(q, other)]++
	}
	if len(counts) != 2 {
		t.Errorf("guessed: %v", counts)
	}
	for colour, n := range counts {
		if n < 160 || n > 240 { // four standard deviations
			t.Errorf("guessed: %s %d times of 400", colour, n)
		}
	}
	set, err := g.Setup(p.Setup()) // no player was asked: any colour can be
	if err != nil {
		t.Fatal(err)
	}
	clear(counts)
	for range 200 {
		q.CopyFrom(set)
		q.Guess(seat, &r)
		counts[named(q, other)]++
	}
	if len(counts) != 4 {
		t.Errorf("guessed of a position set up: %v", counts)
	}
	noting, err := interpreter.CompileNoting(g.Rules())
	if err != nil {
		t.Fatal(err)
	}
	if q, err = noting.Setup(p.Setup()); err != nil || !q.Hides(seat) {
		t.Errorf("nothing is hidden in a game that notes what it does: %v", err)
	}
}
