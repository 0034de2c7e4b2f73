package dsl

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
)

// TestRename gives every kind of thing another name: the base goes on with its own words, the new text uses the new.
func TestRename(t *testing.T) {
	const text = `change in_spanish "Con palabras de casa" for parchis4a

rename capture         to comer "Se come"
rename capture_count   to por_comer "casillas por comer"
rename enter           to salir
rename five            to cinco
rename foreign         to ajenas
rename sixes           to seises
rename first_five_done to primer_cinco
rename die             to dado
rename mine            to mias
`
	const rest = `set por_comer = 10
rule otra after comer "Quien come repite" {
  on comer(p, q) when cinco && seises == 0 && me.primer_cinco && len(ajenas(p, p.at)) == 0 { again }
  never salir(p) when seises == 1
  on throw(dado) { me.primer_cinco = true }
}
test "names" {
  given yellow 10 home home home | red home home home home
  turn  yellow
  throw dado 3
  expect refused 10 -> 13 by comer
}
`
	lib := Library{Shipped: os.DirFS(filepath.Join("testdata", "rules"))}
	_, diags := Load(source.New("in_spanish.rules", text), lib)
	if len(diags) != 1 || diags[0].Code != "unknown-name" { // mine is the language's own
		t.Fatal(diags)
	}
	b, diags := Load(source.New("in_spanish.rules", text[:len(text)-len("rename mine            to mias\n")]+rest), lib)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for _, d := range Check(b) {
		t.Error(d)
	}
	rules, diags := b.Rules(Setting{Options: map[string]string{"por_comer": "15"}})
	if rules == nil {
		t.Fatal(diags)
	}
	var names []string
	for _, r := range rules.Rules {
		names = append(names, r.Name)
	}
	want := []string{
		"counting", "five_brings_out", "six_opens", "barriers_block", "full_squares", "goal_exact", "first_five_brings_two",
		"full_start", "comer", "otra", "capture_counts", "goal_counts", "counting_sixes", "third_six", "only_the_last_throw", "finish",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	i := slices.IndexFunc(rules.Rules, func(r *model.Rule) bool { return r.Name == "comer" })
	if got := rules.Rules[i].Words; got != "Se come" {
		t.Errorf("the rule says %q", got)
	}
	if o := rules.Options[0]; o.Name != "por_comer" || o.Value != "15" || b.Options()[0].Words != "casillas por comer" {
		t.Errorf("%+v, called %q", o, b.Options()[0].Words)
	}
	if rules.Acts[0].Name != "comer" || rules.Moves[0].Name != "salir" || rules.Dice[0].Name != "dado" || rules.Vars[0].Name != "primer_cinco" {
		t.Errorf("%s %s %s %s", rules.Acts[0].Name, rules.Moves[0].Name, rules.Dice[0].Name, rules.Vars[0].Name)
	}
	// The base itself is as it was.
	base, _ := lib.Rules("parchis4a", nil)
	if again, diags := Load(base, lib); len(diags) > 0 || again.OptionNames()[0] != "capture_count" {
		t.Error(diags)
	}
}
