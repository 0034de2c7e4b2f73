package books

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/examples"
)

// TestShelf: every book of the list has a title, can be played with what its details say, and is the one that its file declares.
func TestShelf(t *testing.T) {
	const ours = "change ours \"Ours\" for parchis\n\nset capture_count = 7\n"
	given := []Given{
		{Name: "table/ours.rules", File: source.New("table/ours.rules", ours), Library: dsl.Library{Shipped: examples.Shipped()}},
		{Name: "wrong.rules", File: source.New("wrong.rules", "change wrong \"Wrong\" for nothing\n"), Library: dsl.Library{Shipped: examples.Shipped()}},
	}
	s := New(examples.Shipped(), given)
	list := s.List()
	if len(list) < 30 || list[0] != (door.Book{Name: "table/ours.rules", Title: "Ours", For: "parchis", Group: door.GroupGiven}) {
		t.Fatalf("%d books, the first is %+v", len(list), list[0])
	}
	for _, b := range list {
		d, err := s.Details(door.Pick{Rules: b.Name}, nil)
		if b.Name == "wrong.rules" {
			if err == nil || !strings.Contains(err.Error(), "wrong.rules:1:") {
				t.Errorf("got %v, want the place of the fault", err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", b.Name, err)
			continue
		}
		if b.Title == b.Name || b.Group == "" {
			t.Errorf("%+v", b)
		}
		for _, n := range d.Players {
			rules, err := s.Rules(door.Pick{Rules: b.Name}, nil, n)
			if err != nil || len(rules.Seats) != n {
				t.Errorf("%s for %d: %v", b.Name, n, err)
			}
		}
	}
	if names, _ := fs.Glob(examples.Shipped(), "*.rules"); len(names) != len(list)-len(given)+1 { // a file of tests cannot be played
		t.Errorf("%d of %d files are listed", len(list)-len(given), len(names))
	}
	for name, ok := range map[string]bool{"table/ours.rules": true, "ours.rules": true, `C:\games\ours.rules`: true, "parchis": true, "parchis.rules": false, "": false} {
		if _, err := s.Rules(door.Pick{Rules: name}, map[string]string{"capture_count": "9"}, 2); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := s.Rules(door.Pick{Rules: "parchis"}, map[string]string{"colour_of_the_table": "red"}, 0); err == nil {
		t.Error("an unknown option is accepted")
	}
}
