package assist_test

import (
	"os"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/rulesets"
)

// FuzzDraft asks everything at any place of any text.
func FuzzDraft(f *testing.F) {
	for _, path := range []string{"ur", "hunter", "two_dice", "ludoteka_teams", "snakes"} {
		text, err := os.ReadFile("../testdata/rules/" + path + ".rules")
		if err != nil {
			f.Fatal(err)
		}
		for at := 0; at < len(text); at += 97 {
			f.Add(string(text), at)
		}
	}
	lib := dsl.Library{Shipped: rulesets.FS}
	f.Fuzz(func(t *testing.T, text string, at int) {
		if len(text) > 5000 {
			return
		}
		file := source.New("fuzz.rules", text)
		d := assist.Read(file, lib)
		at = max(0, min(at, len(text)))
		found, part := d.Complete(at)
		if part.End != at {
			t.Errorf("the part before %d ends at %d", at, part.End)
		}
		for _, c := range found {
			if c.Label == "" {
				t.Error("something without a name is offered")
			}
		}
		d.Hover(file.Name(), at)
		laws(t, d)
		drafts := []*assist.Draft{d}
		assist.Definitions(drafts, file.Name(), at)
		if r, err := assist.PrepareRename(drafts, file.Name(), at, func(string) string { return "" }); err == nil {
			_, _ = r.To("another_name")
		}
	})
}
