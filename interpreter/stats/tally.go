package stats

import (
	"cmp"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// Subject says what was played, and by which players. Tallies of different subjects cannot be joined.
type Subject struct {
	Ruleset   string              `json:"ruleset"`
	Title     string              `json:"title"`
	Changes   []string            `json:"changes"`         // names of the changes applied, in order
	Options   []model.OptionValue `json:"options"`         // all options, in the order of the files
	Players   int                 `json:"players"`         //
	Rules     string              `json:"rules"`           // a hash of the texts of all files
	Seed      uint64              `json:"seed"`            //
	Starter   string              `json:"starter"`         // the name of the seat that begins, or "thrown"
	Rotate    bool                `json:"rotate"`          // whether game k begins k seats later
	MaxThrows int                 `json:"max_throws"`      //
	Seats     []string            `json:"seats"`           // the players, in turn order, of the first game
	Dealt     []string            `json:"dealt,omitempty"` // the players that change seats
	Pace      Pace                `json:"pace"`            // of the minutes
}

// SubjectOf describes what a run plays.
func SubjectOf(g *interpreter.Game, o Options) Subject {
	r := g.Rules()
	s := Subject{
		Ruleset: r.Name, Title: r.Title, Changes: append([]string{}, r.Changes...), Options: append([]model.OptionValue{}, r.Options...), Players: g.Players(),
		Rules: record.Fingerprint(g), Seed: o.Seed, Starter: "thrown", Rotate: o.Rotate && o.First >= 0, MaxThrows: o.MaxThrows,
		Seats: append([]string{}, o.Seats...), Pace: o.Pace.orDefault(),
	}
	if o.First >= 0 {
		s.Starter = g.SeatName(o.First)
	}
	if s.MaxThrows <= 0 {
		s.MaxThrows = interpreter.DefaultMaxThrows
	}
	if o.Deal {
		s.Dealt = s.Seats
	}
	for seat := len(s.Seats); seat < s.Players; seat++ {
		who := Chance
		if o.Deal {
			who = s.Dealt[seat%len(s.Dealt)]
		}
		s.Seats = append(s.Seats, who)
	}
	return s
}

// Chance is the name of the random player.
const Chance = "random"

// Tally counts what happened in some games, in whole numbers. It depends on the games only, not on how they were
// played. It belongs to one goroutine while it is added to.
type Tally struct {
	Subject    Subject `json:"subject"`
	Range      `json:"games"`
	Unfinished int   `json:"unfinished"` // games ended by the limit of throws
	Names      Names `json:"names"`
	Wins       []int `json:"wins"` // by seat; all seats of a winning side count
	// Began is how often each seat began, and WinsFrom has the wins of each seat by the seat that began.
	Began    []int   `json:"began"`
	WinsFrom [][]int `json:"wins_from"`
	// Ranks is by seat how often it took each rank, the first rank first; all 0 if no player is ranked. Ranks can be
	// shared.
	Ranks  [][]int `json:"ranks"`
	Moves  []Sum   `json:"moves"`  // how often each move was made in a game
	Acts   []Sum   `json:"acts"`   // how often each act was done
	Rules  []Sum   `json:"rules"`  // how often clauses of each rule took effect
	Counts []Count `json:"counts"` // the values of each count of the rules
	// Dealt has the players that change seats; those of one name are one.
	Dealt       []Dealt   `json:"dealt,omitempty"`
	Throws      Histogram `json:"throws"`
	Turns       Histogram `json:"turns"`
	Decisions   Histogram `json:"decisions"` // decisions with two options or more
	Forced      Histogram `json:"forced"`    // decisions with one option
	LeadChanges Histogram `json:"lead_changes"`
	// FirstWinner has the throws until the first winner is known; if players are ranked, Throws includes the rest of
	// the ranking.
	FirstWinner Histogram `json:"first_winner"`
	// Seconds has how long people take for a game, and FirstSeconds until the first winner is known; see Pace.
	Seconds      Histogram `json:"seconds"`
	FirstSeconds Histogram `json:"first_seconds"`
	// Settled has, for each game with a winner, the part of its throws after which the lead did not change any more,
	// in thousandths.
	Settled Histogram `json:"settled"`
}

// Range has the numbers of the first game and of the one after the last, and the number of games of the whole run.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
	Of   int `json:"of"`
}

// Names are the names of the things counted, in the order of the rules.
type Names struct {
	Seats  []string `json:"seats"`
	Moves  []string `json:"moves"`
	Acts   []string `json:"acts"`
	Rules  []string `json:"rules"`
	Counts []string `json:"counts"`
	// CountWords describes each count.
	CountWords []string `json:"count_words"`
}

func names[T any](list []T, name func(T) string) []string {
	return seq.Of(len(list), func(i int) string { return name(list[i]) })
}

func matrix(n int) [][]int { return seq.Of(n, func(int) []int { return make([]int, n) }) }

// NewTally returns a tally without games.
func NewTally(g *interpreter.Game, o Options) *Tally {
	r := g.Rules()
	t := &Tally{Subject: SubjectOf(g, o), Range: Range{o.From, o.From, cmp.Or(o.Of, o.To)}}
	t.Names.Seats = seq.Of(g.Players(), g.SeatName)
	t.Dealt = dealt(g, t.Subject.Dealt)
	t.Names.Moves = names(r.Moves, func(m *model.Move) string { return m.Name })
	t.Names.Acts = actNames(g)
	t.Names.Rules = names(r.Rules, func(x *model.Rule) string { return x.Name })
	t.Names.Counts = countNames(g)
	t.Names.CountWords = names(r.Counts, func(c *model.Count) string { return c.Words })
	return t.empty()
}

// Games is the number of games.
func (t *Tally) Games() int { return t.To - t.From }

// Whole reports whether the tally has all games of the run.
func (t *Tally) Whole() bool { return t.From == 0 && t.To == t.Of }

// Add counts a game. The caller must add games in order. It allocates only for numbers larger than all before.
func (t *Tally) Add(x *interpreter.Played) {
	t.To++
	t.Throws.Add(x.Throws)
	t.Turns.Add(x.Turns)
	t.Decisions.Add(x.Decisions)
	t.Forced.Add(x.Forced)
	t.LeadChanges.Add(x.LeadChanges)
	t.FirstWinner.Add(x.FirstWinner())
	all, first := t.Subject.Pace.Seconds(x)
	t.Seconds.Add(all)
	t.FirstSeconds.Add(first)
	t.Unfinished += yes(x.Unfinished)
	if x.First >= 0 {
		t.Began[x.First]++
	}
	for seat, won := range x.Won {
		t.Wins[seat] += yes(won)
		if x.First >= 0 {
			t.WinsFrom[x.First][seat] += yes(won)
		}
	}
	for i := range t.Dealt {
		t.Dealt[i].count(x, t.Subject.Dealt)
	}
	if slices.Contains(x.Won, true) {
		t.Settled.Add(thousandths(x.Settled, x.Throws))
	}
	for seat, place := range x.Places {
		if place >= 0 {
			t.Ranks[seat][place]++
		}
	}
	addAll(t.Moves, x.Moves)
	addAll(t.Acts, x.Acts)
	addAll(t.Rules, x.Rules)
	for i, v := range x.Counts {
		t.Counts[i].Add(v)
	}
}

func addAll(to []Sum, from []uint64) {
	for i, v := range from {
		to[i].Add(int(v))
	}
}

// thousandths is k/n in thousandths, rounded to the nearest; 1000 for n = 0.
func thousandths(k, n int) int {
	if n == 0 {
		return 1000
	}
	return (2000*k + n) / (2 * n)
}

// add adds the numbers of another tally of the same subject.
func (t *Tally) add(o *Tally) {
	t.To += o.Games()
	for i, h := range o.histograms() {
		t.histograms()[i].join(h)
	}
	t.Unfinished += o.Unfinished
	addInts(t.Wins, o.Wins)
	addInts(t.Began, o.Began)
	for seat := range t.Wins {
		addInts(t.WinsFrom[seat], o.WinsFrom[seat])
		addInts(t.Ranks[seat], o.Ranks[seat])
	}
	for i, list := range o.sums() {
		for j, s := range list {
			t.sums()[i][j].join(s)
		}
	}
	for i := range o.Counts {
		t.Counts[i].join(&o.Counts[i])
	}
	for i := range t.Dealt {
		t.Dealt[i].join(&o.Dealt[i])
	}
}

// empty is a tally of the same subject without any game.
func (t *Tally) empty() *Tally {
	n, names := t.Subject.Players, &t.Names
	out := &Tally{
		Subject: t.Subject, Names: t.Names, Range: Range{t.From, t.From, t.Of},
		Wins: make([]int, n), Began: make([]int, n), WinsFrom: matrix(n), Ranks: matrix(n),
		Moves: make([]Sum, len(names.Moves)), Acts: make([]Sum, len(names.Acts)), Rules: make([]Sum, len(names.Rules)), Counts: make([]Count, len(names.Counts)),
	}
	out.Dealt = seq.Map(t.Dealt, func(d Dealt) Dealt { return newDealt(d.Name, d.Fair, n) })
	return out
}

// clear removes all games from a tally, and keeps its memory.
func (t *Tally) clear() {
	t.To, t.Unfinished = t.From, 0
	for _, h := range t.histograms() {
		h.clear()
	}
	for _, list := range slices.Concat([][]int{t.Wins, t.Began}, t.WinsFrom, t.Ranks) {
		clear(list)
	}
	for _, list := range t.sums() {
		clear(list)
	}
	for i := range t.Counts {
		t.Counts[i].clear()
	}
	for i, d := range t.Dealt {
		t.Dealt[i] = newDealt(d.Name, d.Fair, t.Subject.Players)
	}
}

func (t *Tally) histograms() [9]*Histogram {
	return [9]*Histogram{&t.Throws, &t.Turns, &t.Decisions, &t.Forced, &t.LeadChanges, &t.FirstWinner, &t.Seconds, &t.FirstSeconds, &t.Settled}
}

func (t *Tally) sums() [3][]Sum { return [3][]Sum{t.Moves, t.Acts, t.Rules} }

func addInts(to, from []int) {
	for i, n := range from {
		to[i] += n
	}
}

// Won is the share of games won by a seat's side.
func (t *Tally) Won(seat int) Share { return Share{t.Wins[seat], t.Games()} }

// Drawn is the share of games that ended without a winner.
func (t *Tally) Drawn() Share { return Share{t.Games() - t.Unfinished - t.Settled.N(), t.Games()} }

// StarterWon is the share of games won by the side that began, among games with a known starter.
func (t *Tally) StarterWon() Share {
	var s Share
	for seat, n := range t.Began {
		s.K += t.WinsFrom[seat][seat]
		s.N += n
	}
	return s
}

// Limited is the share of games that reached the limit of throws.
func (t *Tally) Limited() Share { return Share{t.Unfinished, t.Games()} }

// Ranked reports whether any player was ranked.
func (t *Tally) Ranked() bool {
	return slices.ContainsFunc(t.Ranks, func(places []int) bool { return seq.Total(places) > 0 })
}
