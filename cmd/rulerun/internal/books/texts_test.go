package books

import (
	"strings"
	"testing"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/examples"
)

const ours = "change ours \"Our table\" for parchis\n\nset capture_count = 200\n\nrule more \"A capture throws again\" {\n  on capture(p, victims) { again }\n}\n"

// host is a host with a file given, and a request that must not fail.
func host(t *testing.T) func(r door.Request) *door.Answer {
	t.Helper()
	n := uint64(0)
	h := door.NewHost(Listed(examples.Shipped(), Texts{"base_of_ours.rules": "change base_of_ours \"At home\" for parchis\n\nset goal_count = 5\n"},
		[]string{"base_of_ours.rules"}), 10, func() uint64 { n++; return n })
	return func(r door.Request) *door.Answer {
		t.Helper()
		a := h.Do(&r)
		if a.Error != nil {
			t.Fatalf("%s: %s", r.Do, a.Error.Message)
		}
		return a
	}
}

// TestTexts: a text of a client is played, from the position of a game too, and compared with what it changes.
func TestTexts(t *testing.T) {
	ask := host(t)
	a := ask(door.Request{Do: door.DoNew, Shared: true, Rules: "parchis", Players: 2, Seats: []string{"human", "human"}})
	for range 60 {
		r := door.Request{Do: door.DoAct, Game: a.Game, Shared: true, At: &a.State.At}
		switch a.State.Waits {
		case door.WaitsThrow:
			r.Throw = true
		case door.WaitsOption:
			r.Option = new(int)
		}
		id := a.Game
		a = ask(r)
		a.Game = id
	}
	files := map[string]string{"ours.rules": ours}
	b := ask(door.Request{Do: door.DoNew, Shared: true, Rules: "ours.rules", Files: files, From: a.Game})
	if len(b.State.Changes) != 1 || b.State.Changes[0] != "ours" {
		t.Errorf("the changes are %v", b.State.Changes)
	}
	if b.State.Asked != a.State.Asked || b.State.Waits != a.State.Waits || len(b.State.Pieces) != len(a.State.Pieces) {
		t.Fatalf("it goes on otherwise: %+v, before %+v", b.State, a.State)
	}
	for i, p := range a.State.Pieces {
		if q := b.State.Pieces[i]; q.At != p.At || q.Colour != p.Colour {
			t.Errorf("%+v is %+v now", p, q)
		}
	}
	// It can be loaded again with its texts, and only with them.
	record := ask(door.Request{Do: door.DoRecord, Game: b.Game}).Record
	again := ask(door.Request{Do: door.DoLoad, Shared: true, Text: record, Files: files})
	if len(again.State.Changes) != 1 {
		t.Error(again.State.Changes)
	}
	lines := ask(door.Request{Do: door.DoCompare, Rules: "ours.rules", Files: files}).Lines
	if text := strings.Join(lines, "\n"); !strings.Contains(text, "games of each, by chance, with 4 players. ") || !strings.Contains(text, "%") || !strings.Contains(text, "“piece A ") {
		t.Errorf("compare says %s", text)
	}
	lines = ask(door.Request{Do: door.DoCompare, Rules: "ours.rules", Files: files, Lang: "es"}).Lines
	if text := strings.Join(lines, " "); !strings.Contains(text, "partidas con cada una, al azar, con 4 jugadores. ") || !strings.Contains(text, "intervalo del 95 %: de ") {
		t.Errorf("in Spanish compare says %s", text)
	} else if !strings.Contains(text, "La ficha A se come a la ficha B") || strings.Contains(text, "capture") {
		t.Errorf("in Spanish an act is called by its name: %s", text)
	}
	// A file of the shelf can be built on, and its text can be had with what it needs.
	b = ask(door.Request{Do: door.DoNew, Shared: true, Rules: "more.rules", Files: map[string]string{
		"more.rules": "change more \"More\" for base_of_ours\n\nset capture_count = 7\n"}})
	if strings.Join(b.State.Changes, " ") != "base_of_ours more" {
		t.Error(b.State.Changes)
	}
	source := ask(door.Request{Do: door.DoSource, Rules: "more.rules", Files: map[string]string{
		"more.rules": "change more \"More\" for base_of_ours\n\nset capture_count = 7\n"}}).Source
	if source.Rules != "more.rules" || len(source.Files) != 2 || source.Files["base_of_ours.rules"] == "" {
		t.Errorf("%+v", source)
	}
	if source := ask(door.Request{Do: door.DoSource, Rules: "parchis"}).Source; !strings.Contains(source.Files["parchis.rules"], "ruleset parchis") || len(source.Files) != 1 {
		t.Errorf("%+v", source)
	}
}

// TestWith: changes are applied to a rule book, from texts, files and what comes with rulerun; a record names them, and their
// texts can be changed and played on.
func TestWith(t *testing.T) {
	ask := host(t)
	const quick = "change quick \"Quick\" for parchis\n\nset capture_count = 5\n"
	files := map[string]string{"table.rules": quick}
	a := ask(door.Request{Do: door.DoNew, Shared: true, Rules: "parchis", With: []string{"clean_win", "house/table.rules"}, Files: files})
	if got := strings.Join(a.State.Changes, " "); got != "clean_win quick" {
		t.Fatalf("the changes are %s", got)
	}
	record := ask(door.Request{Do: door.DoRecord, Game: a.Game}).Record
	b := ask(door.Request{Do: door.DoLoad, Shared: true, Text: record, Files: files})
	if got := strings.Join(b.State.Changes, " "); got != "clean_win quick" || strings.Join(b.State.With, " ") != strings.Join(a.State.With, " ") {
		t.Errorf("the record is loaded with %s", got)
	}
	if b := ask(door.Request{Do: door.DoReplay, Text: record, Files: files}); len(b.State.Changes) != 2 {
		t.Error(b.State.Changes)
	}
	source := ask(door.Request{Do: door.DoSource, Rules: a.State.Rules, With: a.State.With, Files: files}).Source
	if source.Rules != "parchis.rules" || strings.Join(source.With, " ") != "clean_win.rules table.rules" || len(source.Files) != 3 {
		t.Fatalf("%+v", source)
	}
	source.Files["table.rules"] = strings.Replace(quick, "5", "6", 1)
	b = ask(door.Request{Do: door.DoNew, Shared: true, Rules: source.Rules, With: source.With, Files: source.Files, From: a.Game})
	if got := strings.Join(b.State.Changes, " "); got != "clean_win quick" {
		t.Errorf("it goes on with %s", got)
	}
	if text := ask(door.Request{Do: door.DoRecord, Game: b.Game}).Record; !strings.Contains(text, "set capture_count 6") {
		t.Error(text)
	}
	if lines := ask(door.Request{Do: door.DoCompare, Rules: source.Rules, With: source.With, Files: source.Files}).Lines; len(lines) == 0 {
		t.Error("nothing is compared")
	}
}

// TestRefusedTexts: what a client sends is limited.
func TestRefusedTexts(t *testing.T) {
	shelf := New(examples.Shipped(), nil)
	for name, text := range map[string]string{
		"../x.rules": "", "a/b.rules": "", `a\b.rules`: "", "c:x.rules": "", ".rules": "", "x.txt": "", strings.Repeat("x", 200) + ".rules": "",
		"x.rules": strings.Repeat("x", maxBytes+1),
	} {
		if _, err := shelf.With(map[string]string{name: text}); err == nil {
			t.Errorf("%.20s is taken", name)
		}
	}
	h := door.NewHost(shelf, 10, func() uint64 { return 1 })
	for want, r := range map[string]door.Request{
		`this game is not here any more`:      {Do: door.DoNew, Rules: "parchis", From: "7"},
		`there is nothing to compare it with`: {Do: door.DoCompare, Rules: "snakes"},
		`ours.rules:3:5: `:                    {Do: door.DoNew, Rules: "ours.rules", Files: map[string]string{"ours.rules": "change ours \"O\" for parchis\n\nset nothing = 2\n"}},
	} {
		if a := h.Do(&r); a.Error == nil || !strings.Contains(a.Error.Message, want) {
			t.Errorf("got %+v, want %s", a.Error, want)
		}
	}
}
