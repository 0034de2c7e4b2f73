package solve

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

const pond = `ruleset pond "Once round the pond"

board   pond
players 2
pieces  2 at nest
dice    a, b = {1, 2}

move advance(p in mine) from squares walk steps
move back(p in mine)    from squares walk -steps
move push(p in mine)    from squares walk steps carrying p.at.pieces
move mark(p in mine)    from squares
move pass()

setup { for c in game.colours { put c.pieces[0] on c.start } }
`

// apart are rules under which positions differ that look alike: merging them gives other results.
var apart = map[string]string{
	"an ending that holds for two at once": `
var player points = 0
turn { throw a }
rule points "Both get a point" { on throw(a) when a == 2 { me.points += 1; for x in after(me) { x.points += 1 } } }
rule finish "Who has three wins" { win player x when x.points >= 3 }`,
	"a reaction to an act reads the number counted before": `
turn { throw a; play a; throw b; do call() }
act call() "a call" {}
rule counting "A piece goes on" { may advance(p); step beyond: turn }
rule calling "Two and two wins" { on call() when steps == 2 && b == 2 { win me } }
rule finish "The shore wins" { win player x when any(x.pieces, .at == shore) }`,
	"a piece that leaves outside a count reads the number counted before": `
turn { throw a; play a; throw b; put mine[0] on mine[0].start }
rule counting "A piece goes on" { may advance(p); step beyond: turn }
rule leaving "Two and two wins" { on leave(p, s) when steps == 2 && b == 2 { win me } }
rule finish "The shore wins" { win player x when any(x.pieces, .at == shore) }`,
	"the direction of the move before": `
turn { throw a; play a; throw b; play b }
rule counting "A piece goes on, or back" { may advance(p); may back(p) when heading == 1; step beyond: turn }
rule finish "The shore wins" { win player x when any(x.pieces, .at == shore) }`,
	"how many numbers could be used before": `
turn { throw a; play most of [a, 3]; throw b; play b }
rule counting "A piece goes on" { may advance(p); may pass() when steps < 3; must advance(p) when usable == 1; step beyond: bar }
rule finish "The shore wins" { win player x when any(x.pieces, .at == shore) }
rule late "On and on is a draw" { draw when none(game.pieces, .at.square) }`,
	"a number that could not be counted": `
turn { throw a; play a; throw b; play any of [b + 5] }
rule counting "A piece goes on" { may advance(p); step beyond: bar }
rule waiting "Who is stuck after a 2 has lost" { on stuck when steps == 2 { win next(me) } }
rule finish "The shore wins" { win player x when any(x.pieces, .at == shore) }`,
	"what was chosen before the throw": `
turn { choose k "How far?" from [0, 1, 2]; throw a; play a + k }
rule counting "A piece goes on" { may advance(p); step beyond: turn }
rule finish "The shore wins" { win player x when any(x.pieces, .at == shore) }`,
	"a dropped walk sets down in the order of numbers": `
var game n = 0
replace setup { for p in game.pieces { put p on square("1") } }
turn { throw a; play a; n += 1; if n >= 4 { draw } }
rule pushing "The first throw pushes" { may push(p) when n == 0; may pass() otherwise; step beyond: bar }
rule dropped "Over a square the walk is dropped" { on pass(p, s) { n += 1; end turn } }
rule below "Who is below wins" { on pass() when n == 2 && any(mine, .at.pieces[0].colour == .colour) { win me } }`,
	"a named piece beside another": `
var player hunter: piece
var game   n = 0
replace setup { for p in game.pieces { put p on p.start } }
turn { throw a; play a; n += 1; if n == 9 { draw } }
rule counting "A piece goes on, or is marked" {
  may advance(p)
  may mark(p) when steps == 1
  step beyond: turn
  on mark(p) { me.hunter = p }
  on advance(p) when p == me.hunter && steps == 2 { win me }
  on advance(p) when p.index >= 3 && me.hunter == nil { me.hunter = p }
}`,
	"two pieces with another between": `
var game n = 0
replace setup { for p in game.pieces { put p on p.start } }
move fetch(p in mine) from squares to square("6")
turn { throw a; play a; n += 1; if n == 7 { draw } }
rule counting "A piece goes on, or is fetched" {
  may advance(p)
  may fetch(p)
  step beyond: turn
  on advance(p) when any(board.squares, len(.pieces) == 2 && .pieces[0].colour != p.colour && .pieces[1].colour == p.colour) { win me }
}`,
}

// TestApart solves games in which positions that look alike are not: they are kept apart.
func TestApart(t *testing.T) {
	for name, text := range apart {
		t.Run(name, func(t *testing.T) {
			head := pond
			if i := strings.Index(text, "replace setup"); i >= 0 {
				head, text = pond[:strings.Index(pond, "setup {")], strings.Replace(text, "replace setup", "setup", 1)
			}
			g, err := interpreter.Compile(testbook.Rules(t, "pond.rules", head+text, os.DirFS("testdata"), dsl.Setting{}))
			if err == nil {
				g, err = g.Counted()
			}
			if err != nil {
				t.Fatal(err)
			}
			var all [2]*Result
			for i, apart := range []bool{false, true} {
				if all[i], err = Solve(t.Context(), g.Start(1), Options{Play: []Play{Random, Random}, apart: apart}); err != nil {
					t.Fatal(err)
				}
			}
			for seat, want := range all[1].Wins {
				if math.Abs(all[0].Wins[seat]-want) > 1e-9 {
					t.Fatalf("got %v, want %v", all[0].Wins, all[1].Wins)
				}
			}
		})
	}
}
