package dsl

import (
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/rulesets"
)

// sprint is a small game; kind a change for it.
const (
	sprint = `ruleset sprint "Sprint to the goal"

option entry = "out" of "out", "home" "where a piece begins"

board   cross68
players 2
pieces  2 at home
dice    die = d6
var player catches_made = 0

turn {
  throw die
  choose again_now "Once more?"
  if again_now { throw die }
  play die
}

move enter(p in mine)   from home    to p.start
move advance(p in mine) from squares walk steps

act catch(piece p, piece q) "p sends q back" {
  send q to home
  p.player.catches_made += 1
}

rule moving "Pieces come out and walk" {
  may enter(p) when entry == "out"
  may advance(p)
  step beyond: bar
}

rule catching "Ending on rivals sends them back" {
  on land(p, s) when s.ring { for q in filter(s.pieces, .colour != p.colour) { do catch(p, q) } }
}

rule finish "Whose pieces are all in the goal wins" {
  win player x when all(x.pieces, .at == goal)
}

count catches_of(player x) = x.catches_made
`
	kind = `change kind "No piece is sent home" for sprint

replace rule catching "Rivals live together" {
  on land(p, s) when s.ring { }
}
`
	sprintEs = `{
  "title": {"hash": "HASH(Sprint to the goal)", "other": "Carrera a la meta"},
  "option.entry": {"hash": "HASH(where a piece begins)", "other": "dónde empieza una ficha"},
  "option.entry.out": {"hash": "HASH(out)", "other": "fuera"},
  "question.turn.1": {"hash": "HASH(Once more?)", "other": "¿Otra vez?"},
  "act.catch": {"hash": "HASH({{.p}} sends {{.q}} back)", "other": "{{.p.f}} se come a {{.q.f}}"},
  "rule.moving": {"hash": "HASH(Pieces come out and walk, as they like)", "other": "Vieja"},
  "rule.catching": {"hash": "HASH(Ending on rivals sends them back)", "other": "Quien cae sobre otra se la come"},
  "rule.gone": {"hash": "HASH(gone)", "other": "Ya no está"},
  "move.advance": {"hash": "HASH(advance)", "other": "avanzar"},
  "var.catches_made": {"hash": "HASH(catches made)", "other": "comidas"},
  "count.catches_of": {"hash": "HASH(catches of)", "other": "comidas de"}
}
`
	crossEs = `{
  "colour.yellow": {"hash": "HASH(yellow)", "other": "amarillo"},
  "colour.yellow.f": {"other": "amarilla"},
  "place.home": {"hash": "HASH(home)", "other": "casa"},
  "square.corridor": {"hash": "HASH({{.colour}}-{{.n}})", "other": "{{.n}} de {{.colour.f}}"}
}
`
)

// hashed replaces each HASH(…) by the hash of what it contains.
func hashed(text string) string {
	for {
		before, rest, ok := strings.Cut(text, "HASH(")
		if !ok {
			return text
		}
		english, after, _ := strings.Cut(rest, `)",`)
		text = before + catalogue.Hash(english) + `",` + after
	}
}

func wordsBook(t *testing.T, extra map[string]string, changes ...string) *Book {
	t.Helper()
	beside := fstest.MapFS{}
	for name, text := range map[string]string{
		"sprint.rules": sprint, "kind.rules": kind, "sprint.es.json": hashed(sprintEs), "cross68.es.json": hashed(crossEs),
		"kind.es.json": hashed(`{"rule.catching": {"hash": "HASH(Rivals live together)", "other": "Conviven"}}`),
	} {
		beside[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range extra {
		beside[name] = &fstest.MapFile{Data: []byte(text)}
	}
	b, faults := Load(source.New("sprint.rules", sprint), Library{Beside: beside}, changes...)
	if b == nil {
		t.Fatal(faults)
	}
	return b
}

func rulesIn(t *testing.T, b *Book, lang string) *model.Rules {
	t.Helper()
	r, faults := b.In(lang).Rules(Setting{})
	if r == nil {
		t.Fatal(faults)
	}
	return r
}

// said lists the texts of rules.
func said(r *model.Rules) map[string]string {
	out := map[string]string{"title": r.Title, "home": r.Board.Places[0].Words}
	for _, x := range r.Rules {
		out["rule "+x.Name] = x.Words
	}
	for _, a := range r.Acts {
		out["act "+a.Name] = a.Saying()
	}
	for _, m := range r.Moves {
		out["move "+m.Name] = m.Words
	}
	for _, n := range r.Counts {
		out["count "+n.Name] = n.Words
	}
	for _, v := range r.Vars {
		if v.Words != "" {
			out["var "+v.Name] = v.Words
		}
	}
	for s := range r.Stmts() {
		if s.Words != "" {
			out["question"] = s.Words
		}
	}
	if i, ok := r.Board.Place("yellow-3"); ok {
		out["yellow-3"] = r.Board.Places[i].Words
	}
	return out
}

func TestWords(t *testing.T) {
	b := wordsBook(t, nil)
	want := map[string]string{
		"title": "Carrera a la meta", "home": "casa", "yellow-3": "3 de amarilla", "question": "¿Otra vez?",
		"rule moving":   "Pieces come out and walk", // it has changed since: English
		"rule catching": "Quien cae sobre otra se la come", "rule finish": "Whose pieces are all in the goal wins",
		"act catch": "{{.p.f}} se come a {{.q.f}}", "move enter": "enter", "move advance": "avanzar", "var catches_made": "comidas",
		"count catches_of_yellow": "comidas de, amarillo", "count catches_of_red": "comidas de, rojo", "count catches_of_blue": "comidas de, azul",
	}
	for _, lang := range []string{"es", "es-MX"} {
		got := said(rulesIn(t, b, lang))
		for key := range want {
			if _, ok := got[key]; !ok && strings.HasPrefix(key, "count") {
				delete(want, key) // the second colour
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", lang, d)
		}
	}
	if o := b.In("es").Options()[0]; o.Words != "dónde empieza una ficha" || cmp.Diff([]string{"fuera", "home"}, o.Said) != "" || o.Values[0] != "out" {
		t.Errorf("option: %+v", o)
	}
	if got := b.In("es").Title(); got != "Carrera a la meta" {
		t.Error(got)
	}
	english := said(rulesIn(t, b, ""))
	for _, lang := range []string{"en", "en-GB", "fr", "../x", "C"} {
		if d := cmp.Diff(english, said(rulesIn(t, b, lang))); d != "" {
			t.Errorf("%s is not English: %s", lang, d)
		}
	}
	var digests model.Digests
	if digests.Of(rulesIn(t, b, "")) != digests.Of(rulesIn(t, b, "es")) {
		t.Error("the digests differ")
	}
	if got := rulesIn(t, b, "es"); got.Rules[1].Name != "catching" || got.Board.Places[0].Name != "home" || got.Board.Colours[0].Name != "yellow" {
		t.Error("names have changed")
	}
}

// TestWordsOfChanges: the words of a change are in its catalogue; a rule it says as the rule book does has those of the book.
func TestWordsOfChanges(t *testing.T) {
	b := wordsBook(t, nil, "kind")
	if got := said(rulesIn(t, b, "es"))["rule catching"]; got != "Conviven" {
		t.Error(got)
	}
	same := strings.Replace(kind, "Rivals live together", "Ending on rivals sends them back", 1)
	b = wordsBook(t, map[string]string{"kind.rules": same}, "kind")
	if got := said(rulesIn(t, b, "es"))["rule catching"]; got != "Quien cae sobre otra se la come" {
		t.Error(got)
	}
}

// TestRenamedNames: what is worded by its name, and what an act says in new words, can be translated where it gets a new name.
func TestRenamedNames(t *testing.T) {
	files := map[string]string{
		"kind.rules": "change kind \"K\" for sprint\n\nrename advance to walk_on\nrename catches_made to meals\nrename catch to eat \"p eats q\"\n",
		"kind.es.json": hashed(`{
  "title": {"hash": "HASH(K)", "other": "K"},
  "move.walk_on": {"hash": "HASH(walk on)", "other": "seguir"},
  "var.meals": {"hash": "HASH(meals)", "other": "comilonas"},
  "act.eat": {"hash": "HASH({{.p}} eats {{.q}})", "other": "{{.p}} devora a {{.q}}"}
}`),
	}
	got := said(rulesIn(t, wordsBook(t, files, "kind"), "es"))
	if got["act eat"] != "{{.p}} devora a {{.q}}" {
		t.Error(got["act eat"])
	}
	lib := wordsBook(t, files).lib
	own, faults := Load(source.New("kind.rules", files["kind.rules"]), lib)
	if own == nil {
		t.Fatal(faults)
	}
	for _, d := range own.CheckWords("es") {
		t.Error(d)
	}
}

// TestRenamedWords: a line that renames gives words too; without them the words stay.
func TestRenamedWords(t *testing.T) {
	renaming := func(words string) string {
		return "change kind \"K\" for sprint\n\nrename catching to eating" + words + "\n"
	}
	b := wordsBook(t, map[string]string{"kind.rules": renaming("")}, "kind")
	if got := said(rulesIn(t, b, "es"))["rule eating"]; got != "Quien cae sobre otra se la come" {
		t.Error(got)
	}
	words := map[string]string{
		"kind.rules": renaming(` "Rivals are eaten"`), "kind.es.json": hashed(`{"rule.eating": {"hash": "HASH(Rivals are eaten)", "other": "Se comen"}}`),
	}
	if got := said(rulesIn(t, wordsBook(t, words, "kind"), "es"))["rule eating"]; got != "Se comen" {
		t.Error(got)
	}
	own, faults := Load(source.New("kind.rules", words["kind.rules"]), wordsBook(t, words).lib)
	if own == nil {
		t.Fatal(faults)
	}
	if got := own.Texts(); len(got) != 2 || got[1].Key != "rule.eating" {
		t.Errorf("%+v", got)
	}
}

// TestPseudo: every text passes through the language for tests.
func TestPseudo(t *testing.T) {
	for key, text := range said(rulesIn(t, wordsBook(t, nil, "kind"), catalogue.PseudoLang)) {
		if !strings.Contains(text, "«") || strings.Contains(text, "««") && key != "yellow-3" {
			t.Errorf("%s: %s", key, text)
		}
	}
}

// TestPseudoShipped: no text of shipped rules escapes the language for tests: a text is what has a blank in it.
func TestPseudoShipped(t *testing.T) {
	lib := Library{Shipped: rulesets.FS}
	for _, name := range []string{"parchis4a", "cicloparchis", "patolli", "ludoteka_sin_dados"} {
		file, _ := lib.Rules(name, nil)
		book, faults := Load(file, lib)
		if book == nil {
			t.Fatal(faults)
		}
		seen, texts := map[any]bool{}, 0
		var look func(v reflect.Value, path string)
		look = func(v reflect.Value, path string) {
			switch v.Kind() {
			case reflect.String:
				if text := v.String(); strings.Contains(text, "«") {
					texts++
				} else if strings.Contains(text, " ") && !slices.Contains([]string{".Act.Words", ".Var.Name", ".Rules.Sources"}, path) {
					t.Errorf("%s: %s is %q", name, path, text)
				}
			case reflect.Pointer:
				if v.IsNil() || seen[v.Interface()] {
					return
				}
				seen[v.Interface()] = true
				look(v.Elem(), "."+v.Type().Elem().Name())
			case reflect.Struct:
				for i := range v.NumField() {
					if f := v.Type().Field(i); f.IsExported() && f.Type != reflect.TypeFor[source.Span]() {
						look(v.Field(i), path+"."+f.Name)
					}
				}
			case reflect.Slice, reflect.Array:
				for i := range v.Len() {
					look(v.Index(i), path)
				}
			}
		}
		look(reflect.ValueOf(rulesIn(t, book, catalogue.PseudoLang)), "")
		if texts < 20 {
			t.Errorf("%s: only %d texts", name, texts)
		}
	}
}

func TestCheckWords(t *testing.T) {
	b := wordsBook(t, nil)
	var got []string
	for _, d := range b.CheckWords("es") {
		got = append(got, d.Error())
	}
	want := []string{
		`sprint.es.json:7:3: warning: the English text has changed: "Pieces come out and walk"; rulerun words marks it; translate it again`,
		`sprint.es.json:9:3: warning: the file has no text "rule.gone"; take it out, or give it the key of the text it is for`,
		`sprint.rules:3:8: note: there are no words in es for option.entry.home; rulerun words adds the key to sprint.es.json`,
		`sprint.rules:8:9: note: there are no words in es for die.die; rulerun words adds the key to sprint.es.json`,
		`sprint.rules:18:6: note: there are no words in es for move.enter; rulerun words adds the key to sprint.es.json`,
		`sprint.rules:36:6: note: there are no words in es for rule.finish; rulerun words adds the key to sprint.es.json`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	// A file of one's own with the name of a shipped one has nothing to do with the catalogue of that one.
	own := strings.Replace(sprint, "ruleset sprint", "ruleset parchis", 1)
	copied, faults := Load(source.New("parchis.rules", own), Library{Shipped: rulesets.FS, Beside: fstest.MapFS{"parchis.rules": {Data: []byte(own)}}})
	if copied == nil {
		t.Fatal(faults)
	}
	if got := copied.CheckWords(""); len(got) > 0 {
		t.Error(got)
	}
	if got := b.CheckWords("fr"); len(got) != 1 || got[0].Message != "there is no catalogue in fr: 14 texts without translation" {
		t.Error(got)
	}
}

// TestUpdateWords: an update keeps what is translated, adds what is missing, keeps the translation of a former text in the
// description, and what belongs to nothing at the end. Updated again it stays as it is.
func TestUpdateWords(t *testing.T) {
	b := wordsBook(t, nil)
	read := func(text string) *catalogue.Catalogue {
		c, faults := catalogue.Read(source.New("sprint.es.json", text), "es")
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		return c
	}
	text := string(read(hashed(sprintEs)).Update(b.Texts()))
	c := read(text)
	byKey := map[string]catalogue.Message{}
	for _, m := range c.Messages {
		byKey[m.Key] = m
	}
	if m := byKey["rule.catching"]; m.Other != "Quien cae sobre otra se la come" || m.Description != "Ending on rivals sends them back" {
		t.Errorf("%+v", m)
	}
	if m := byKey["rule.moving"]; m.Other != "" || m.Hash != catalogue.Hash("Pieces come out and walk") || !strings.Contains(m.Description, "Vieja") {
		t.Errorf("%+v", m)
	}
	if m := byKey["rule.finish"]; m.Other != "" || m.Hash == "" {
		t.Errorf("%+v", m)
	}
	if last := c.Messages[len(c.Messages)-1]; last.Key != "rule.gone" || last.Other != "Ya no está" {
		t.Errorf("%+v", last)
	}
	if again := string(c.Update(b.Texts())); again != text {
		t.Error(cmp.Diff(text, again))
	}
	if filled := string(read(strings.Replace(text, `"other": ""`, `"other": "x"`, -1)).Update(b.Texts())); strings.Contains(filled, "Vieja") {
		t.Error("the former translation stays when there is a new one:", filled)
	}
}

// TestBadCatalogues: whatever a catalogue holds, the rules can be played, in English where it cannot be read.
func TestBadCatalogues(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "unexpected end",
		"[]":                              "a catalogue is a map of keys and texts, in {}",
		`{"title": `:                      "1:10: error: this is no JSON",
		"{\n  \"title\": tru}":            "2:15: error: this is no JSON",
		`{"title": 3}`:                    "this is no text",
		`{"title": {"few": "x"}}`:         "this is no text: unknown field",
		`{"title": "a", "title": "b"}`:    `a second text has the key "title"`,
		`{"title": "a"} x`:                "after top-level value",
		strings.Repeat(`{"a":`, 100_000):  "this is no JSON",
		strings.Repeat(" ", 1<<20) + "{}": "more than 1048576 bytes",
		"{\"act.catch\": {\"hash\": \"" + catalogue.Hash("{{.p}} sends {{.q}} back") + "\", \"other\": \"{{.x}}\"}}": "a hole that the English one has not",
	} {
		b := wordsBook(t, map[string]string{"sprint.es.json": text})
		rulesIn(t, b, "es")
		faults := b.CheckWords("es")
		found := false
		for _, d := range faults {
			found = found || d.Severity == 0 && strings.Contains(d.Error(), want)
		}
		if !found {
			t.Errorf("%.60q: %.300s", text, faults.Error())
		}
	}
}

func TestBoardTexts(t *testing.T) {
	file, _ := boards.Shipped("cross")
	b, _ := boards.Read(file, nil, nil)
	var keys []string
	for _, text := range b.Texts(file) {
		keys = append(keys, text.Key+"="+text.English)
	}
	want := []string{
		"board.title=The cross of Parchís, three to six arms", "colour.yellow=yellow", "colour.blue=blue", "colour.red=red", "colour.green=green",
		"colour.orange=orange", "colour.purple=purple", "place.home=home", "place.goal=goal", "place.out=out",
		"square.corridor={{.colour}}-{{.n}}", "mark.safe=safe", "mark.start=start",
	}
	if d := cmp.Diff(want, keys); d != "" {
		t.Error(d)
	}
}

// TestDrawingIn: what a drawing says is in the language of the rules; its ids and classes stay.
func TestDrawingIn(t *testing.T) {
	text, faults := catalogue.Read(source.New("drawing.es.json", mustRead(t, boards.Catalogues(), "drawing.es.json")), "es")
	if faults = append(faults, text.Check(boards.PhraseTexts(), nil, "es", source.Span{})...); len(faults) > 0 {
		t.Error(faults)
	}
	lib := Library{Shipped: rulesets.FS}
	file, _ := lib.Rules("patolli", nil)
	book, faults := Load(file, lib)
	if book == nil {
		t.Fatal(faults)
	}
	english, spanish := rulesIn(t, book, "").Board, rulesIn(t, book, "es").Board
	draw := func(b *boards.Board) string {
		var out strings.Builder
		home, _ := b.Place("home")
		if err := scene.SVG(&out, b.Scene([]boards.Standing{{Place: home, Colour: 1}}), scene.Options{Classes: true}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	was, is := draw(english), draw(spanish)
	for _, want := range []string{"El aspa del patolli", "ficha azul en reserva", "reserva de las azules", "reserva de las amarillas", "triángulo", `class="square family-ring tag-triangle`, `id="zone-home-`} {
		if !strings.Contains(is, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, title := range regexp.MustCompile(`<title>[^<]*</title>`).FindAllString(is, -1) {
		if regexp.MustCompile(`\b(home|goal|out|ring|start|of|on|to|red|yellow|triangle|near)\b`).MatchString(title) {
			t.Errorf("this is English: %s", title)
		}
	}
	ids := regexp.MustCompile(`(id|class)="[^"]*"`)
	if d := cmp.Diff(ids.FindAllString(was, -1), ids.FindAllString(is, -1)); d != "" {
		t.Error(d)
	}
}

func mustRead(t *testing.T, folder fs.FS, name string) string {
	t.Helper()
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestWordsOfTests: the rules of the tests of a book in one language say nothing in those of the same book in another.
func TestWordsOfTests(t *testing.T) {
	text := sprint + "\ntest \"one\" {\n  given yellow 10 home | blue home home\n  turn yellow\n  throw 3\n  expect yellow 13 home\n}\n"
	beside := fstest.MapFS{"sprint.rules": {Data: []byte(text)}, "sprint.es.json": {Data: []byte(hashed(sprintEs))}}
	b, faults := Load(source.New("sprint.rules", text), Library{Beside: beside})
	if b == nil {
		t.Fatal(faults)
	}
	for _, lang := range []string{"es", "", "es"} {
		want := "Quien cae sobre otra se la come"
		if lang == "" {
			want = rulesIn(t, wordsBook(t, nil), "").Rules[1].Words
		}
		for _, g := range b.In(lang).Groups() {
			rules, faults := g.Rules()
			if rules == nil {
				t.Fatal(faults)
			}
			own, _ := b.In(lang).Rules(Setting{Players: len(rules.Seats)})
			for _, r := range []*model.Rules{rules, own} {
				if got := r.Rules[1].Words; got != want {
					t.Errorf("in %q: %q, want %q", lang, got, want)
				}
			}
		}
	}
}
