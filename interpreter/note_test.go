package interpreter_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/rulesets"
)

// TestNotingPlaysTheSame plays every rule book by chance with and without notes: the same game comes of it.
func TestNotingPlaysTheSame(t *testing.T) {
	files, err := fs.Glob(rulesets.FS, "*.rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		rules := testbook.In(t, rulesets.FS, name, dsl.Setting{})
		plain, err := interpreter.Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		noting, err := interpreter.CompileNoting(rules)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(plain.Notes()); n >= len(noting.Notes()) {
			t.Errorf("%s: %d notes with, %d without", name, len(noting.Notes()), n)
		}
		for seed := range uint64(3) {
			if p, q := played(t, plain, seed), played(t, noting, seed); p != q {
				t.Fatalf("%s, seed %d: noting plays\n%s\nplain\n%s", name, seed, q, p)
			}
		}
	}
}

// played is a game by chance as a text, up to 600 decisions long.
func played(t *testing.T, g *interpreter.Game, seed uint64) string {
	t.Helper()
	r := interpreter.NewRandom(seed, 0)
	var out strings.Builder
	p := g.Start(0)
	for range 600 {
		switch p.Kind() {
		case interpreter.Throw:
			p.ThrowRandom(&r)
		case interpreter.Choice:
			i := r.IntN(len(p.Options()))
			for _, o := range p.Options() {
				out.WriteString(g.OptionText(o) + ",")
			}
			out.WriteString("\n")
			if err := p.Choose(i); err != nil {
				t.Fatal(err)
			}
		default:
			out.WriteString("end")
			return out.String()
		}
	}
	return out.String()
}

const notedRules = `ruleset noted "What a scenario comes to"
option rich = false
board cross68
players 2..4
pieces 2 at home
dice die = d6
turn { throw die; play die }
let rivals(piece p, place s) = filter(s.pieces, .colour != p.colour)
move advance(p in mine) from home to p.start
act catch(piece p, piece q) { send q to home }
rule moving "A piece comes out" {
  may advance(p) when die == 5 || rich
  never advance(p) when len(p.start.pieces) > 1
}
rule catching "Whoever stands there goes home" {
  on land(p, s) { for q in rivals(p, s) { do catch(p, q) } }
}
rule finish "Nobody wins" { win player x when all(x.pieces, .at == goal) }
rule crowd "Three never stand together" { always all(board.squares, len(.pieces) < 3) }
`

// TestNotes says what single scenarios come to, each a piece of text with what happened to it.
func TestNotes(t *testing.T) {
	tests := []struct {
		name, lines string
		yes, no     []string // notes there must be, and must not be
	}{
		{"a five", "given yellow home home | red home home\n  throw 5\n  expect yellow 5 home",
			[]string{"asked may", "said may", "fired may", "yes die == 5", "asked never", "no len(p.start.pieces) > 1", "done for q", "let rivals", "move advance", "asked win", "no all(x.pieces"},
			[]string{"no die == 5", "fired never", "act catch", "yes .colour != p.colour", "done send"}},
		{"another number", "given yellow home home | red home home\n  throw 4\n  expect turn blue",
			[]string{"asked may", "no die == 5"}, []string{"said may", "asked never", "move advance", "fired may"}},
		{"a catch", "given yellow home home | red 5 home\n  throw 5\n  expect red home home",
			[]string{"act catch", "done send", "yes .colour != p.colour", "fired on land"}, []string{"fired never"}},
		{"a position that cannot be", "given yellow 5 5 | red 5 home\n  expect refused position by crowd",
			[]string{"asked always", "no all(board.squares", "no len(.pieces) < 3"}, []string{"yes all(board.squares", "asked may"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := notedRules + "test \"it\" {\n  " + tt.lines + "\n}\n"
			rules := testbook.Tested(t, "noted.rules", text, nil)
			game, err := interpreter.CompileNoting(rules)
			if err != nil {
				t.Fatal(err)
			}
			notes := game.Notes()
			noted := make([]bool, len(notes))
			if failures := game.RunTestNoting(rules.Tests[0], noted); len(failures) > 0 {
				t.Fatal(failures)
			}
			words := map[interpreter.NoteKind]string{
				interpreter.ClauseAsked: "asked", interpreter.ClauseSaid: "said", interpreter.ClauseFired: "fired", interpreter.ConditionYes: "yes",
				interpreter.ConditionNo: "no", interpreter.StmtDone: "done", interpreter.LetUsed: "let", interpreter.MoveMade: "move", interpreter.ActDone: "act",
			}
			var got []string
			for i, n := range notes {
				if noted[i] {
					got = append(got, words[n.Kind]+" "+n.Span.Text())
				}
			}
			has := func(want string) bool {
				return slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, want) })
			}
			for _, want := range tt.yes {
				if !has(want) {
					t.Errorf("%q is missing", want)
				}
			}
			for _, want := range tt.no {
				if has(want) {
					t.Errorf("%q should not be there", want)
				}
			}
			if t.Failed() {
				t.Log(strings.Join(got, "\n"))
			}
		})
	}
}
