package reference_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter/internal/reference"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

const head = `ruleset odd "Odd"
board   loop12 track line
players 2
pieces  2 at home
dice    die = d6
move enter(p in mine)   from home    to square("1")
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" {
  may enter(p) when die == 1
  may advance(p)
}
`

const turn = `turn {
  throw die
  play  die
}
`

// TestCorners plays what the pages say in passing. The first of the options is always taken. Piece 0 and 1 are the first player's;
// square n of the board has the name n.
func TestCorners(t *testing.T) {
	for _, c := range []struct {
		name, text string
		throws     []int
		kind       reference.Kind
		pieces     map[string][]int // by place
		result     reference.Result
	}{
		{"a walk that the turn's end breaks off goes back", turn + `rule a "A" { on step(p) from x to s when die == 3 { end turn } }`,
			[]int{1, 1, 3}, reference.Throw, map[string][]int{"home": {1, 3}, "1": {2, 0}}, reference.Result{}},
		{"what is carried goes back where the walker is sent away", turn + `move both(p in mine) from squares walk steps carrying [mine[1]]
rule c "C" {
  must both(p)
  may both(p) when die == 3
  on step(p) from x to s { send p to home }
}`, []int{1, 1, 1, 1, 3}, reference.Throw, map[string][]int{"home": {0}, "1": {2, 3, 1}}, reference.Result{}},
		{"an ending that holds from the beginning", turn + `rule f "F" { win player x when all(x.pieces, .at == home) }`,
			nil, reference.Over, nil, reference.Result{Winners: []int{0}}},
		{"the only side that is left has won", turn + `rule f "F" {
  drop player x when any(x.pieces, .at == square("4"))
  over when len(after(blue.player)) == 0
}`, []int{1, 1, 3}, reference.Over, map[string][]int{"4": {0}}, reference.Result{Winners: []int{1}, Ranking: []int{1, 0}}},
		{"a draw", turn + `rule f "F" { on throw when die == 5 { drop me; drop next(me) } }`,
			[]int{5}, reference.Over, nil, reference.Result{Ranking: []int{0, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			book := testbook.Book(t, "odd.rules", head+c.text, os.DirFS("../../testdata/rules"))
			if faults := dsl.Check(book); faults.HasErrors() {
				t.Fatal(faults)
			}
			rules, faults := book.Rules(dsl.Setting{})
			if rules == nil {
				t.Fatal(faults)
			}
			p := reference.New(rules).Start(-1)
			throws := c.throws
			for {
				var err error
				switch {
				case p.Kind() == reference.Throw && len(throws) > 0:
					err = p.Throw(throws[0])
					throws = throws[1:]
				case p.Kind() == reference.Choice:
					err = p.Choose(0)
				default:
					if p.Kind() != c.kind || len(throws) > 0 {
						t.Fatalf("got kind %d (%v) with %d throws left, want %d", p.Kind(), p.Err(), len(throws), c.kind)
					}
					for name, want := range c.pieces {
						place, _ := rules.Board.Place(name)
						if diff := cmp.Diff(want, p.PiecesOn(place)); diff != "" {
							t.Errorf("on %s:\n%s", name, diff)
						}
					}
					c.result.Worth = min(len(c.result.Winners), 1)
					if diff := cmp.Diff(c.result, p.Result()); diff != "" {
						t.Error(diff)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
