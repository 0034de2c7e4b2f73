package leaflet

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
)

var update = flag.Bool("update", false, "write the expected leaflets")

const race = `ruleset race "A short race"

option catch_count = 10 of 5..20 "squares counted for a catch"

board   cross68
players 2
pieces  2 at home
dice    die = d6
first   highest die

let rivals(piece p, place s) = filter(s.pieces, .colour != p.colour)

turn {
  step throwing { throw die }             [RAC-01]
  step counting { play die }
  step earning { play earned }
  step another { if die == 6 { again } }
}

move enter(p in mine)   from home    to p.start
move advance(p in mine) from squares walk steps

act catch(piece p, piece q) "p sends q back" { send q to home }

rule counting "One piece counts the throw; a 5 brings one out" {
  may advance(p) when steps != 5
  may enter(p) when thrown && die == 5
}

rule closed "Nothing ends on a piece of its own" [RAC-02] {
  end on s: bar when any(s.pieces, .colour == p.colour)
}

rule catching "Ending on a rival sends it back" {
  on land(p, s) when len(rivals(p, s)) > 0 { do catch(p, rivals(p, s)[0]) }
  on catch(p, q) { earn catch_count }
}

rule finish "Who has both in the goal wins" {
  win player x when all(x.pieces, .at == goal)
}

test "a rival is sent back" {
  given yellow 10 home | blue 13 home
  turn  yellow
  throw 3
  expect blue home home
}

test "not on one of its own" [RAC-02] {
  given yellow 10 13 | blue 30 home
  turn  yellow
  throw 3
  expect refused 10 -> 13 by closed
}
`

const gentle = `change gentle "No piece is caught" for race

without catching, catch
set catch_count = 5

replace rule closed "Nothing ends on another piece" {
  end on s: bar when len(s.pieces) > 0
}

test "not on a rival" {
  given yellow 10 20 | blue 13 home
  turn  yellow
  throw 3
  expect refused 10 -> 13 by closed
}
`

const clauses = "RAC-01 One throw a turn.\nRAC-02 No piece ends on one of its own.\n  settled: Home holds any number.\nRAC-03 A catch counts 10 squares.\n"

const spanish = `{"test.not on one of its own": {"hash": "sha1-1e9abacf3f1aca978cafd73f65806d1bd021f66b", "other": "no sobre una propia"},
  "title": {"hash": "sha1-a9e4ceb6506bdc0d47374ba67987e9c319e35ee5", "other": "Una carrera corta"},
  "rule.finish": {"hash": "sha1-e1ce27ec7143bd94491fd3132f2a6aedf23ceae4", "other": "Gana quien tiene las dos en la meta"},
  "clause.RAC-02.settled": {"hash": "sha1-9d1ffeaa5cb899bc213657e44ef1c072d71bfa75", "other": "En casa caben todas."}}`

func load(t *testing.T, name, text string) *dsl.Book {
	t.Helper()
	beside := fstest.MapFS{"race.rules": {Data: []byte(race)}, "race.clauses": {Data: []byte(clauses)}, "race.es.json": {Data: []byte(spanish)}}
	book, faults := dsl.Load(source.New(name, text), dsl.Library{Beside: beside})
	if book == nil {
		t.Fatal(faults)
	}
	return book
}

func make1(t *testing.T, book *dsl.Book, o Options) *Sheet {
	t.Helper()
	s, err := Make(book, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestMarkdown compares the leaflets of a small rule book and of a house rule with those expected.
func TestMarkdown(t *testing.T) {
	book := load(t, "race.rules", race)
	for name, s := range map[string]*Sheet{
		"race.md":   make1(t, book, Options{}),
		"gentle.md": make1(t, load(t, "gentle.rules", gentle), Options{Base: book}),
	} {
		path := filepath.Join("testdata", name)
		got := written(t, s.Markdown)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-update writes it): %s", name, d)
		}
	}
}

// TestHTML holds pages to their structure: well formed, ids that occur once, nothing from elsewhere, pictures that use the board.
func TestHTML(t *testing.T) {
	book := load(t, "race.rules", race)
	for _, o := range []Options{{}, {Lang: "es"}, {Base: book}} {
		of := book
		if o.Base != nil {
			of = load(t, "gentle.rules", gentle)
		}
		text := written(t, make1(t, of, o).HTML)
		d := xml.NewDecoder(strings.NewReader(text))
		d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
		ids, uses, examples := map[string]bool{}, 0, 0
		for {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%+v: %v", o, err)
			}
			e, ok := tok.(xml.StartElement)
			if !ok {
				continue
			}
			for _, a := range e.Attr {
				switch {
				case a.Name.Local == "id" && ids[a.Value] && !strings.HasPrefix(a.Value, "ball-"):
					t.Errorf("%+v: two elements have the id %q", o, a.Value)
				case a.Name.Local == "id":
					ids[a.Value] = true
				case a.Name.Local == "src", a.Name.Local == "href" && e.Name.Local != "use":
					t.Errorf("%+v: %s loads %s", o, e.Name.Local, a.Value)
				case a.Name.Local == "class" && a.Value == "example":
					examples++
				}
			}
			if e.Name.Local == "use" {
				uses++
			}
		}
		if !ids[boardID] || examples == 0 || uses < examples {
			t.Errorf("%+v: %d examples, %d pictures, board %v", o, examples, uses, ids[boardID])
		}
	}
}

// TestFollowsTheRules changes a number, a word and an option, and wants the leaflet to change with each.
func TestFollowsTheRules(t *testing.T) {
	usual := written(t, make1(t, load(t, "race.rules", race), Options{}).Markdown)
	for _, x := range []struct{ old, new, want string }{
		{"Who has both in the goal wins", "Both in the goal, and it is won", "**Both in the goal, and it is won**"},
		{"catch_count = 10", "catch_count = 12", "squares counted for a catch: 12"},
		{"earn catch_count", "earn 7", "earned, to be counted by a move of its own: 7"},
		{"if die == 6 { again }", "if die == 5 { again }", "If the throw is 5: have another go."},
		{"if die == 6 { again }", "let five = die - 1; if five == 5 { again }", "If the throw − 1 is 5: have another go."},
		{"pieces  2 at home", "pieces  2 at goal", "begin here: goal"},
		{"throw 3\n  expect blue", "throw 3\n  expect turn blue\n  expect blue", "To play then: blue."},
		{"turn {", "setup { for c in game.colours { put c.pieces[0] on c.start } }\n\nturn {", "So the game begins. Yellow: 5, home; blue: 22, home."},
		{"  step earning", "  step more { for p in mine { do catch(p, p) } }\n  step earning", "3. Piece A sends piece B back."},
		{"d6", "{1, 2, 3, 5}", "the throw: 1, 2, 3 or 5"},
		{"die = d6", "die = {-1, 1, 2}", "the throw: −1, 1 or 2"},
		{"play die }", "play die == 6 && none(mine, .at == home) ? 7 : die }", "7 if the throw is 6 and no piece of one's own is at home"},
	} {
		text := strings.Replace(race, x.old, x.new, 1)
		if strings.Contains(usual, x.want) || text == race {
			t.Errorf("%q is there anyway", x.want)
		}
		if got := written(t, make1(t, load(t, "race.rules", text), Options{}).Markdown); !strings.Contains(got, x.want) {
			t.Errorf("%s: no %q in\n%s", x.new, x.want, got)
		}
	}
	keeps := "change keeps \"Rivals are kept\" for race\n\nreplace act catch(piece p, piece q) \"p keeps q\" { give q to p.colour; send q to home }\n"
	if got := written(t, make1(t, load(t, "keeps.rules", keeps), Options{Base: load(t, "race.rules", race)}).Markdown); !strings.Contains(got, "- Now: **piece A keeps piece B**") {
		t.Error(got)
	}
	const move = "replace move advance(p in mine) from squares walk steps + 1\n"
	for with, code := range map[string]bool{"": true, "\nreplace rule finish \"One in the goal wins\" { win player x when any(x.pieces, .at == goal) }\n": false} {
		change := load(t, "longer.rules", "change longer \"A step more\" for race\n\n"+move+with)
		if got := written(t, make1(t, change, Options{Base: load(t, "race.rules", race)}).Markdown); strings.Contains(got, "`move advance") != code {
			t.Errorf("rule text is for a sheet that says nothing else:\n%s", got)
		}
	}
	set := make1(t, load(t, "race.rules", race), Options{Setting: dsl.Setting{Options: map[string]string{"catch_count": "20"}}})
	if got := written(t, set.Markdown); !strings.Contains(got, "squares counted for a catch: **20 (usually 10)**") {
		t.Error(got)
	}
	cited := load(t, "race.rules", strings.Replace(race, "sends it back\" {", "sends it back\" [RAC-01 RAC-03] {", 1))
	for count, marked := range map[string]int{"10": 0, "20": 1} {
		got := written(t, make1(t, cited, Options{Setting: dsl.Setting{Options: map[string]string{"catch_count": count}}}).Markdown)
		if strings.Count(got, "*On this sheet otherwise:* squares counted for a catch: **20**") != marked {
			t.Errorf("a clause of the usual number, with %s:\n%s", count, got)
		}
	}
	own := load(t, "own.rules", `ruleset own extends race "Own"

set catch_count = 20

replace rule catching "Ending on a rival sends it back" [RAC-03] {
  on land(p, s) when len(rivals(p, s)) > 0 { do catch(p, rivals(p, s)[0]) }
  on catch(p, q) { earn catch_count }
}
`)
	if got := written(t, make1(t, own, Options{}).Markdown); !strings.Contains(got, "A catch counts 10 squares. <sub>RAC-03</sub>\n  *On this sheet otherwise:* squares counted for a catch: **20**") {
		t.Errorf("a clause of a number that is set:\n%s", got)
	}
	variant := load(t, "race.rules", strings.Replace(race, "board ", "option alone = false \"nothing joins a piece\" [RAC-02]\n\nboard ", 1))
	for value, there := range map[string]bool{"false": false, "true": true} {
		got := written(t, make1(t, variant, Options{Setting: dsl.Setting{Options: map[string]string{"alone": value}}}).Markdown)
		if strings.Contains(got, "No piece ends on one of its own. ") != there {
			t.Errorf("a clause of an option that is %s:\n%s", value, got)
		}
	}
	if _, err := Make(load(t, "race.rules", race), Options{Setting: dsl.Setting{Players: 9}}); err == nil {
		t.Error("nine may play")
	}
}

// TestShipped wants of leaflets that come with the program what a reader who does not know the game looks for.
func TestShipped(t *testing.T) {
	_, load := library(t)
	for _, x := range []struct{ name, lang, want string }{
		{"yut", "en", "bench, 1 … 20, home; or from 5: a1, a2, c, a3, a4, 15 … 20; or from 10: b1, b2, c, b3, b4, 20;"},
		{"yut", "en", "The aim: Who has four mal home first wins"},
		{"ludo", "en", "Example: the third 6 is not played and ends the turn; the moves of the others stand"},
		{"ludo", "es", "Ejemplo: quien primero tiene cuatro en la meta gana, y no tira más"},
		{"senet", "es", "Si la respuesta es sí: la ficha sale del agua; acaba el turno."},
		{"parcheesi", "en", "Throw: die a and die b."},
		{"parcheesi", "es", "Se tira: el primer dado y el segundo dado."},
	} {
		if got := strings.Join(strings.Fields(written(t, make1(t, load(x.name), Options{Lang: x.lang}).Markdown)), " "); !strings.Contains(got, x.want) {
			t.Errorf("%s in %s: no %q in\n%s", x.name, x.lang, x.want, got)
		}
	}
}

// TestLanguages wants a leaflet in the language of its options.
func TestLanguages(t *testing.T) {
	text := written(t, make1(t, load(t, "race.rules", race), Options{Lang: "es-MX"}).Markdown)
	for _, want := range []string{"# Una carrera corta", "**Gana quien tiene las dos en la meta**", "*Así se juega aquí:* En casa caben todas.", "Tirada de", "No se puede: 10 → 13.", "Ejemplo: no sobre una propia*"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestWrap(t *testing.T) {
	long := strings.Repeat("a word ", 20)
	for head, hang := range map[string]string{"": "", "- ": "  ", "12. ": "    ", "> - ": ">   ", "  *x* ": "  "} {
		for i, l := range strings.Split(wrap(head+long), "\n") {
			if len(l) > columns || i > 0 && (!strings.HasPrefix(l, hang) || strings.TrimLeft(l[len(hang):], " ") != l[len(hang):]) {
				t.Errorf("%q: %q", head, l)
			}
		}
	}
	if got := wrap(strings.Repeat("x", columns) + " - y"); !strings.HasSuffix(got, "x -\ny") {
		t.Errorf("%q", got)
	}
}
