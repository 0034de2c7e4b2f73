package books

import (
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/examples"
)

// TestLanguages asks a host in two languages in turn: each answer is in the language of its request, and the game is the same.
func TestLanguages(t *testing.T) {
	texts := Texts{
		"ours.rules":   "change ours \"Our table\" for parchis4a\n\nrule more \"A capture throws again\" {\n  on capture(p, victims) { again }\n}\n",
		"ours.es.json": `{"title": "Nuestra mesa"}`,
	}
	h := door.NewHost(New(examples.Shipped(), nil), 10, func() uint64 { return 1 })
	ask := func(lang string, r door.Request) *door.Answer {
		t.Helper()
		r.Lang = lang
		a := h.Do(&r)
		if a.Error != nil {
			t.Fatalf("%+v: %v", r, a.Error)
		}
		return a
	}
	titles := map[string]string{}
	for _, b := range ask("es-MX", door.Request{Do: door.DoList}).Books {
		titles[b.Name] = b.Title
	}
	if got := titles["changing_hands"]; !strings.Contains(got, "dueño") {
		t.Errorf("a title in Spanish is %q", got)
	}
	book := ask("es", door.Request{Do: door.DoBook, Rules: "parchis4a"}).Book
	if book.Seats[0] != "yellow" || book.Called[0] != "amarillo" {
		t.Errorf("seats are %v, called %v", book.Seats, book.Called)
	}
	for _, o := range book.Options {
		if len(o.Said) > 0 && len(o.Said) != len(o.Values) || slices.Contains(o.Said, "true") || slices.Contains(o.Said, "yes") {
			t.Errorf("option %s: values %v are called %v", o.Name, o.Values, o.Said)
		}
	}

	seed := uint64(5)
	one := ask("en", door.Request{Do: door.DoNew, Rules: "ours.rules", Files: texts, Seats: []string{"human", "greedy", "greedy", "greedy"}, Seed: &seed, Shared: true})
	id, langs := one.Game, []string{"en", "es", "", "es"}
	for n := range 80 {
		s := ask(langs[n%4], door.Request{Do: door.DoState, Game: id, Shared: true}).State
		spanish := n%4 > 0
		if got := strings.Contains(s.Question, "yellow"); got == spanish && s.Waits != door.WaitsOther {
			t.Fatalf("question %d, in %q: %q", n, langs[n%4], s.Question)
		}
		r := door.Request{Do: door.DoAct, Game: id, Shared: true, At: &s.At, Throw: s.Waits == door.WaitsThrow}
		switch s.Waits {
		case door.WaitsOther:
			r.Do = door.DoGo
		case door.WaitsOption:
			r.Option = new(int)
		}
		ask(langs[(n+1)%4], r)
	}
	log := func(lang string) string {
		zero := 0
		var out []string
		for _, e := range ask(lang, door.Request{Do: door.DoState, Game: id, Shared: true, At: &zero}).Log {
			out = append(out, e.Lines...)
		}
		return strings.Join(out, "\n")
	}
	if text := log("es"); !strings.Contains(text, "El amarillo saca") || strings.Contains(text, "yellow") {
		t.Errorf("the log in Spanish:\n%s", text)
	}
	if text := log("en"); !strings.Contains(text, "yellow throws") || strings.Contains(text, "amarillo") {
		t.Errorf("the log in English:\n%s", text)
	}

	// A recorded game changes its language where it stands.
	text := ask("", door.Request{Do: door.DoRecord, Game: id}).Record
	again := ask("en", door.Request{Do: door.DoReplay, Text: text, Files: texts})
	at := again.Replay.Events / 2
	english := ask("", door.Request{Do: door.DoStep, Game: again.Game, At: &at})
	spanish := ask("es", door.Request{Do: door.DoStep, Game: again.Game, At: &at})
	if spanish.Replay.At != at || !slices.Equal(spanish.State.Pieces, english.State.Pieces) || !strings.Contains(spanish.State.Threw, "ha sacado") {
		t.Errorf("event %d in Spanish: %+v, %q", at, spanish.Replay, spanish.State.Threw)
	}
	if a := h.Do(&door.Request{Do: door.DoState, Game: "none", Lang: "es"}); a.Error == nil || !strings.Contains(a.Error.Message, "partida") {
		t.Errorf("a fault in Spanish: %v", a.Error)
	}
}
