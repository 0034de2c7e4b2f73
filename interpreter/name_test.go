package interpreter

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/generate"
)

// TestNamesArePlayed plays every rule book, shipped and generated, by chance: what names an option in a menu names that option and
// no other one in a test.
func TestNamesArePlayed(t *testing.T) {
	for _, f := range ruleFiles(t) {
		t.Run(f.name, func(t *testing.T) { namesPlayed(t, f.source(), f.library) })
	}
	for seed := range uint64(40) {
		b := generate.New(seed)
		beside := fstest.MapFS{}
		for name, text := range b.Files {
			beside[name] = &fstest.MapFile{Data: []byte(text)}
		}
		t.Run(fmt.Sprint("generated/", seed), func(t *testing.T) { namesPlayed(t, source.New(b.Main, b.Files[b.Main]), dsl.Library{Beside: beside}) })
	}
}

// namesPlayed plays a game of a file.
func namesPlayed(t *testing.T, file *source.File, lib dsl.Library) {
	book, faults := dsl.Load(file, lib)
	if book == nil {
		t.Skip(faults)
	}
	rules, _ := book.Rules(dsl.Setting{})
	if rules == nil {
		t.Skip("it plays in other settings only")
	}
	g, err := Compile(rules)
	if err != nil {
		t.Skip(err)
	}
	var names []string
	alongNames(g, func(p *Position, i int, name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	if len(names) == 0 {
		return
	}
	lines := "\n\ntest \"the names of options\" {\n  players " + fmt.Sprint(g.Players()) + "\n"
	for _, n := range names {
		lines += "  play " + n + "\n"
	}
	book, faults = dsl.Load(source.New(file.Name(), file.Text()+lines+"}\n"), lib)
	if book == nil {
		t.Fatal(faults)
	}
	all := book.Scenarios()
	of, faults := all[len(all)-1].Rules()
	if of == nil {
		t.Fatal(faults)
	}
	called := map[string]*model.TestOption{}
	for i, l := range of.Tests[0].Lines {
		called[names[i]] = &l.Options[0]
	}
	alongNames(g, func(p *Position, i int, name string) {
		if option := called[name]; option == nil {
			t.Fatalf("%q is no name of one option", name)
		} else if got := p.meant(option); len(got) != 1 || got[0] != i {
			t.Fatalf("%q means %v of %q", name, got, p.OptionNames())
		}
	})
}

// alongNames plays by chance until a game ends and calls see with every option and its name.
func alongNames(g *Game, see func(p *Position, i int, name string)) {
	p, r := g.Start(0), NewRandom(5, 1)
	for range 400 {
		switch p.Kind() {
		case Throw:
			p.ThrowRandom(&r)
		case Choice:
			for i, n := range p.OptionNames() {
				see(p, i, n)
			}
			p.ChooseRandom(&r)
		default:
			return
		}
	}
}
