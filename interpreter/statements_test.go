package interpreter

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/reference"
)

// statementsBook is a rule book around a statement of the reference, which stands in an act that each turn does.
const statementsBook = `ruleset example "Example"

board   cross68
players 4
pieces  4 at home
dice    die = d6
turn { throw die; play die; play earned; do one(mine[0]) }
move advance(p in mine) from squares walk steps
var game   protected = true
var team   named: colour
var player purse: 0..99 = 20
var piece  tired: flag
var turn   sixes = 0
act catch(piece p, piece q) { send q to home }
rule counting "A piece counts the throw" { may advance(p) }
rule finish   "Whose pieces are all in the goal wins" { win player x when all(x.pieces, .at == goal) }
`

// TestEveryStatement: every kind of statement is made by an example of the reference, and is played the same by the engine and by the
// reference interpreter. A stage that forgets a kind panics with its name.
func TestEveryStatement(t *testing.T) {
	page, err := os.ReadFile("../dsl/README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)```rules statements\n(.*?)```").FindStringSubmatch(string(page))
	if examples == nil {
		t.Fatal("the reference has no examples of statements")
	}
	seen := map[model.StmtKind]bool{}
	for _, line := range strings.Split(strings.TrimSpace(examples[1]), "\n") {
		t.Run(line, func(t *testing.T) {
			name := "other"
			if strings.HasPrefix(line, "do ") {
				name = "q" // what the line before it chose
			}
			text := statementsBook + "act one(piece " + name + ") { " + line + " }\n"
			book, faults := dsl.Load(source.New("example.rules", text), dsl.Library{})
			if book == nil {
				t.Fatal(faults)
			}
			rules, faults := book.Rules(dsl.Setting{})
			if rules == nil {
				t.Fatal(faults)
			}
			for s := range rules.Stmts() {
				seen[s.Kind] = true
			}
			game, err := Compile(rules)
			if err != nil {
				t.Fatal(err)
			}
			d, r := &double{t: t, game: game, plain: reference.New(rules)}, NewRandom(7, 1)
			d.play(&r, 0, 60)
		})
	}
	for k := range model.StmtKinds {
		if strings.HasPrefix(k.String(), "StmtKind") {
			t.Errorf("%s has no line in the table of statements", k)
		}
		if !seen[k] {
			t.Errorf("no example makes the statement %q", k)
		}
	}
}
