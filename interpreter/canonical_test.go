package interpreter_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/generate"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// TestCanonical plays games by chance and compares, at throws, what can follow with what can follow from the position
// that its key restores: the same trees of decisions to the same keys, with the players renamed.
func TestCanonical(t *testing.T) {
	paths, _ := filepath.Glob("../rulesets/*.rules")
	for _, dir := range []string{"../examples/games", "../examples/house", "testdata/rules"} {
		more, _ := filepath.Glob(dir + "/*.rules")
		paths = append(paths, more...)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			rules := testbook.Rules(t, filepath.Base(path), string(text), os.DirFS(filepath.Dir(path)), dsl.Setting{})
			canonical(t, rules, 1, 5)
		})
	}
}

// TestCanonicalGenerated does the same with generated rule books.
func TestCanonicalGenerated(t *testing.T) {
	merged, renamed := 0, 0
	for seed := range uint64(20) {
		book, faults := generate.New(seed).Load()
		if faults.HasErrors() {
			continue
		}
		rules, faults := book.Rules(dsl.Setting{})
		if faults.HasErrors() {
			continue
		}
		c := canonical(t, rules, seed, 6)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		if c == nil {
			continue
		}
		if c.Merged() {
			merged++
		}
		if c.Symmetries() > 1 {
			renamed++
		}
	}
	t.Logf("%d books with interchangeable pieces, %d with interchangeable players", merged, renamed)
}

func canonical(t *testing.T, rules *model.Rules, seed uint64, positions int) *interpreter.Canonical {
	t.Helper()
	g, err := interpreter.Compile(rules)
	if err != nil {
		return nil
	}
	if g, err = g.Counted(); err != nil {
		return nil
	}
	c := g.Canonical(nil)
	k := c.Coder()
	r := interpreter.NewRandom(seed, 0)
	p, q := g.Start(interpreter.ByTheRules), g.Start(interpreter.ByTheRules)
	for n, looked := 0, 0; n < 40*positions && looked < positions; n++ {
		switch p.Kind() {
		case interpreter.Over, interpreter.Broken:
			p.Restart(interpreter.ByTheRules)
			continue
		case interpreter.Choice:
			p.ChooseRandom(&r)
			continue
		}
		if !p.ChosenNumber() && !p.Opening() && r.IntN(3) == 0 {
			looked++
			key, s, ok := k.Key(nil, p)
			if !ok {
				p.ThrowRandom(&r)
				continue
			}
			k.Restore(q, key)
			again, identity, ok := k.Key(nil, q)
			if !ok || !slices.Equal(key, again) {
				t.Fatalf("%x, restored %x", key, again)
			}
			if identity != 0 {
				t.Fatal("a canonical position is renamed")
			}
			seats := make([]int, g.Players())
			for i := range seats {
				seats[i] = c.Seat(s, i)
			}
			same := make([]int, g.Players())
			for i := range same {
				same[i] = i
			}
			a, b := newTree(k, c, seats), newTree(k, c, same)
			if x, y := a.of(p, 0), b.of(q, 0); x != y && a.size < treeLimit && b.size < treeLimit && !strings.Contains(x+y, "whole") {
				t.Fatalf("what follows differs\n%s\nrestored\n%s\nat %v", x, y, p.Setup())
			}
		}
		p.ThrowRandom(&r)
	}
	return c
}

const treeLimit = 3000

// tree writes what can follow as text, with the seats renamed.
type tree struct {
	k     *interpreter.Coder
	c     *interpreter.Canonical
	seats []int
	size  int
}

func newTree(k *interpreter.Coder, c *interpreter.Canonical, seats []int) *tree {
	return &tree{k: k, c: c, seats: seats}
}

func (t *tree) of(p *interpreter.Position, depth int) string {
	if t.size++; t.size > treeLimit {
		return "…"
	}
	switch {
	case p.Kind() == interpreter.Over:
		var won []int
		for _, w := range p.Result().Winners {
			won = append(won, t.seats[w])
		}
		slices.Sort(won)
		return fmt.Sprint("won", won)
	case p.Kind() == interpreter.Broken:
		if fault, ok := p.Err().(*interpreter.RuleError); ok && fault.Limit {
			return "whole" // a turn without end: how much of it has been played is not part of a key
		}
		return "broken"
	case p.Kind() == interpreter.Throw && depth > 0 && !p.ChosenNumber():
		key, s, ok := t.k.Key(nil, p)
		if !ok {
			return "whole"
		}
		from := make([]int, len(t.seats))
		for seat, named := range t.seats {
			from[named] = t.c.Seat(s, seat)
		}
		return fmt.Sprintf("%x%v", key, from)
	}
	var parts []string
	if p.Kind() == interpreter.Throw {
		for _, o := range p.Outcomes(nil, 0) {
			q := p.Copy()
			numbers := []int{o.Value}
			for i := 1; i < len(p.Dice()); i++ {
				numbers = append(numbers, p.Outcomes(nil, i)[0].Value)
			}
			if err := q.Throw(numbers...); err != nil {
				return err.Error()
			}
			parts = append(parts, fmt.Sprint(o.Weight, t.of(q, depth+1)))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	for i := range p.OptionCount() {
		q := p.Copy()
		if err := q.Choose(i); err != nil {
			return err.Error()
		}
		parts = append(parts, t.of(q, depth+1))
	}
	slices.Sort(parts)
	return fmt.Sprint(t.seats[p.Player()], parts)
}

// TestCanonicalSets keeps pieces apart where the rules remember some by their numbers.
func TestCanonicalSets(t *testing.T) {
	text, err := os.ReadFile("testdata/rules/naming.rules")
	if err != nil {
		t.Fatal(err)
	}
	more := string(text) + "\nvar game taken: 0..20 = 0\nrule taking \"What is carried is counted\" { on land(p, s) { taken = len(carried) } }\n"
	rules := testbook.Rules(t, "naming.rules", more, os.DirFS("testdata/rules"), dsl.Setting{})
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	if rules.Carried == nil || g.Canonical(nil).Merged() {
		t.Errorf("carried is %v; pieces are interchangeable: %v", rules.Carried, g.Canonical(nil).Merged())
	}
}
