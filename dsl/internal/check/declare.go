package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// declare enters all names into the symbol table, so that declarations may refer to later ones.
func (c *checker) declare(entries []*book.Entry) {
	for _, e := range entries {
		c.in(e)
		switch k := e.Decl.Kind; {
		case k.Option != nil:
			if o := c.options[k.Option.Name.Text]; o != nil {
				c.means(e.NameSpan(), index.Option, k.Option.Name.Text, e.NameSpan(), model.Of(o.kind))
			}
			c.goodName(k.Option.Name)
			c.bareName(k.Option.Name)
			c.notWalker(k.Option.Name)
		case k.Let != nil:
			if c.freshName(k.Let.Name) {
				c.lets[k.Let.Name.Text] = &letEntry{entry: e}
			} else {
				c.spoilt[k.Let.Name.Text] = true
			}
		case k.Dice != nil:
			for _, n := range k.Dice.Names {
				c.freshName(n)
				d := &model.Die{Name: n.Text, Index: len(c.rules.Dice), Span: n.Span(c.file)}
				c.rules.Dice = append(c.rules.Dice, d)
				c.dice[n.Text] = d
				c.means(d.Span, index.Die, n.Text, d.Span, model.Of(model.Number))
			}
		}
	}
	for _, e := range entries {
		c.in(e)
		switch k := e.Decl.Kind; {
		case k.Var != nil:
			c.variable(e)
		case k.Dice != nil:
			if die := c.deviceOf(k.Dice.Device); die != nil {
				for _, n := range k.Dice.Names {
					c.dice[n.Text].Kind, c.dice[n.Text].Faces = die.Kind, die.Faces
				}
			}
		}
	}
	for _, e := range of(entries, "secret", "*") {
		c.in(e)
		n := e.Decl.Kind.Secret.Name
		vs := c.fields[n.Text]
		if len(vs) == 0 || vs[0].Scope != model.ScopeTeam && vs[0].Scope != model.ScopePlayer {
			c.errorf("unknown-name", n.Span(c.file), "there is no team or player variable %q to keep secret", n.Text)
			continue
		}
		vs[0].Secret = true
		c.meansVar(n.Span(c.file), vs[0])
	}
	for _, e := range entries {
		c.in(e)
		switch k := e.Decl.Kind; {
		case k.Move != nil:
			c.goodName(k.Move.Name)
			m := &model.Move{Name: k.Move.Name.Text, Words: catalogue.Spaced(k.Move.Name.Text), Index: len(c.rules.Moves), Span: k.Move.Name.Span(c.file)}
			if m.Name == "move" {
				c.errorf("reserved", m.Span, "\"move\" stands for any move in patterns; give this one another name")
			}
			c.rules.Moves = append(c.rules.Moves, m)
			c.moves[m.Name] = m
			c.means(m.Span, index.Move, m.Name, m.Span, model.Type{})
		case k.Act != nil:
			c.goodName(k.Act.Name)
			a := &model.Act{Name: k.Act.Name.Text, Index: len(c.rules.Acts), Words: k.Act.Words.String(), Span: k.Act.Name.Span(c.file)}
			a.Cites = append(k.Act.Cites.IDs(), e.Decl.Cites.IDs()...)
			if c.moves[a.Name] != nil {
				c.errorf("declared-twice", a.Span, "%q is a move already", a.Name).WithNote(c.moves[a.Name].Span, "declared here")
			}
			c.rules.Acts = append(c.rules.Acts, a)
			c.acts[a.Name] = a
			c.means(a.Span, index.Act, a.Name, a.Span, model.Type{})
		}
	}
}

// walker is the name of the moving piece in step and end clauses.
const walker = "p"

// freshName reports a bare name that has a meaning already or is not a valid name. It returns true if the name can be
// declared.
func (c *checker) freshName(n *syntax.Name) bool {
	c.goodName(n)
	c.bareName(n)
	if !c.notWalker(n) {
		return false
	}
	if what := c.globalMeaning(n.Text); what != "" {
		c.spoilt[n.Text] = true // which of the two a line means is open
		return wrong(c.errorf("declared-twice", n.Span(c.file), "%q is %s; give this another name", n.Text, what))
	}
	return true
}

func (c *checker) notWalker(n *syntax.Name) bool {
	if n.Text == walker {
		c.errorf("reserved", n.Span(c.file), "%q is the piece that walks in step and end clauses; give this another name", walker)
	}
	return n.Text != walker
}

// bareName reports a word that ends an expression: as a name it could never be used.
func (c *checker) bareName(n *syntax.Name) {
	if syntax.Reserved(n.Text) {
		c.errorf("reserved", n.Span(c.file), "%q goes on with a statement; no value can be called so", n.Text)
	}
}

// goodName reports a name with capital letters.
func (c *checker) goodName(n *syntax.Name) {
	if strings.ToLower(n.Text) != n.Text {
		c.errorf("bad-name", n.Span(c.file), "names are written in small letters").WithHint("write %s", strings.ToLower(n.Text)).Instead(strings.ToLower(n.Text))
	}
}

// typeWords are the types that a parameter can have.
var typeWords = syntax.Texts(syntax.TypeWord)

// paramType resolves the type of a parameter.
func (c *checker) paramType(t *syntax.Type) (model.Type, bool) {
	if t.Bag != nil {
		c.errorf("wrong-type", t.Span(c.file), "only a variable is a bag").WithHint("a parameter that takes a list of numbers is a set: set of %s", t.Bag.Span(c.file).Text())
		return model.Type{}, false
	}
	if t.Set != nil {
		elem, ok := c.paramType(t.Set)
		elem.List = true
		return elem, ok
	}
	if t.From != nil {
		return model.Of(model.Number), true
	}
	c.means(t.Name.Span(c.file), index.Type, t.Name.Text, source.Span{}, model.Type{})
	if slices.Contains(typeWords, t.Name.Text) {
		return model.TypeNamed(t.Name.Text)
	}
	unknown := c.errorf("unknown-type", t.Span(c.file), "there is no type %q", t.Name.Text)
	if t.Name.Text == "bag" || t.Name.Text == "set" {
		unknown.WithHint("say of what: %s of 1..6", t.Name.Text)
		return model.Type{}, false
	}
	unknown.Suggest(t.Name.Text, typeWords, "types are: %s, LOW..HIGH, set of TYPE, bag of LOW..HIGH", strings.Join(typeWords, ", "))
	return model.Type{}, false
}

// variable declares a variable.
func (c *checker) variable(e *book.Entry) {
	d := e.Decl.Kind.Var
	c.goodName(d.Name)
	before := len(*c.diags)
	defer func() {
		if c.diags.HasErrors() && len(*c.diags) > before {
			c.spoilt[d.Name.Text] = true
		}
	}()
	scope := slices.Index(model.ScopeNames[:], d.Scope)
	if scope < 0 {
		at := c.span(d.At)
		from := at.Start + len("var") + strings.Index(at.Text()[len("var"):], d.Scope)
		known := model.ScopeNames[:]
		c.errorf("unknown-scope", c.file.Span(from, from+len(d.Scope)), "there is no scope %q", d.Scope).
			Suggest(d.Scope, known, "after var stands what it belongs to: %s", strings.Join(known, ", "))
		return
	}
	v := &model.Var{Name: d.Name.Text, Words: catalogue.Spaced(d.Name.Text), Index: len(c.rules.Vars), Scope: model.Scope(scope), Low: -1 << 15, High: 1<<15 - 1, Span: d.Name.Span(c.file)}
	v.Type = model.Of(model.Number)
	var initial *model.Expr
	if d.Value != nil {
		if initial = c.value(d.Value); initial == nil {
			return
		}
		if initial.Type.List && d.Type == nil {
			c.errorf("missing-type", v.Span, "a set needs its type").WithHint("write: var %s %s: set of 0..9 = …", d.Scope, v.Name)
			return
		}
		if d.Type == nil {
			v.Type = initial.Type
		}
	}
	if d.Type != nil {
		of := d.Type
		if of.Bag != nil {
			of, v.Bag = of.Bag, true
		}
		t, ok := c.paramType(of)
		if !ok {
			return
		}
		if v.Bag {
			if of.From == nil {
				c.errorf("wrong-type", d.Type.Span(c.file), "a bag holds numbers in a range").WithHint("write: bag of 1..6")
				return
			}
			t.List = true
		}
		v.Type = t
		bounds := of
		if bounds.Set != nil {
			bounds = bounds.Set
		}
		switch {
		case bounds.From != nil:
			v.Low, _ = bounds.From.Value()
			v.High, _ = bounds.To.Value()
			if v.Low > v.High {
				c.errorf("bad-range", bounds.Span(c.file), "the range %d..%d is empty", v.Low, v.High).WithHint("the lower number comes first").
					WithFix(bounds.Span(c.file), fmt.Sprintf("%d..%d", v.High, v.Low), "write %d..%d", v.High, v.Low)
				return
			}
			if t.List && v.High-v.Low >= MaxSetRange {
				c.errorf("bad-range", bounds.Span(c.file), "a set holds at most %d different numbers", MaxSetRange)
				return
			}
			if v.Bag && v.High-v.Low >= MaxBagRange {
				c.errorf("bad-range", bounds.Span(c.file), "a bag holds at most %d different numbers", MaxBagRange)
				return
			}
		case t.List && t.Kind == model.Number:
			c.errorf("missing-range", d.Type.Span(c.file), "a set of numbers needs a range").WithHint("write: set of 0..9").
				WithFix(d.Type.Span(c.file), "set of 0..9", "write: set of 0..9")
			return
		}
		if d.Type.Set != nil && d.Type.Set.Set != nil || t.List && t.Kind == model.Flag {
			c.errorf("wrong-type", d.Type.Span(c.file), "a set holds numbers in a range, pieces, places, colours or players")
			return
		}
	}
	if v.Type.Kind == model.Nothing || v.Type.Kind == model.Word {
		c.errorf("wrong-type", v.Span, "a variable cannot hold %s", v.Type.With()).WithHint("give its type: number, flag, piece, place, colour or player")
		return
	}
	if !c.initial(v, initial) {
		return
	}
	if v.Scope.Owned() {
		for _, other := range c.fields[v.Name] {
			if other.Scope == v.Scope {
				c.errorf("declared-twice", v.Span, "%s variable %q is there already", d.Scope, v.Name).WithNote(other.Span, "declared here")
				return
			}
		}
		for kind, scope := range scopeKinds {
			if f, ok := languageFields[fieldOf{kind, v.Name}]; scope == v.Scope && ok && !f.typed.List && !f.late {
				c.errorf("declared-twice", v.Span, "every %s has a field %q of its own", kind, v.Name)
				return
			}
		}
		c.fields[v.Name] = append(c.fields[v.Name], v)
	} else {
		if !c.freshName(d.Name) {
			return
		}
		c.vars[v.Name] = v
	}
	c.rules.Vars = append(c.rules.Vars, v)
	c.meansVar(v.Span, v)
}

// initial checks and stores the initial value of a variable.
func (c *checker) initial(v *model.Var, e *model.Expr) bool {
	if e == nil {
		if !v.Type.List {
			zero := 0
			if v.Type.Kind.Ref() {
				zero = -1
			}
			if v.Type.Kind == model.Number {
				zero = max(v.Low, min(0, v.High))
			}
			v.Initial = []int{zero}
		}
		return true
	}
	if c.want(e, v.Type) == nil {
		return false
	}
	list, ok := constList(e)
	if !ok {
		return wrong(c.errorf("not-constant", e.Span, "a variable begins with a fixed value").WithHint("give it another in setup"))
	}
	if v.Type.Kind == model.Number {
		for _, n := range list {
			if n < v.Low || n > v.High {
				return wrong(c.errorf("bad-number", e.Span, "%d does not lie in %d..%d", n, v.Low, v.High))
			}
		}
	}
	v.Initial = list
	return true
}

// deviceOf makes the die of a device, nil after a fault. The set of a choice is typed after all names are declared.
func (c *checker) deviceOf(d *syntax.Device) *model.Die {
	die := &model.Die{}
	switch {
	case d.Choice != nil:
		die.Kind = model.DieChoice
	case d.Sides != nil:
		n, err := strconv.Atoi(strings.TrimPrefix(d.Sides.Text, "d"))
		if err != nil || !strings.HasPrefix(d.Sides.Text, "d") || n < 1 || n > 1000 {
			c.errorf("bad-dice", d.Sides.Span(c.file), "%q is not a die", d.Sides.Text).
				WithHint("write d6, or the values themselves: {0, 1}, {1: 3, 2: 1}, 5 x {0, 1}")
			return nil
		}
		for i := 1; i <= n; i++ {
			die.Faces = append(die.Faces, model.Face{Value: i, Weight: 1})
		}
	default:
		faces := d.Faces
		if d.Deck != nil {
			faces, die.Kind = d.Deck, model.DieDeck
		}
		var fine bool
		if die.Faces, fine = c.faces(faces); fine {
			if d.Deck == nil {
				c.evenWeights(d, die.Faces)
			}
			c.twice(faces, die.Faces)
		}
		if d.Times != nil {
			n, _ := d.Times.Value()
			if n < 1 || n > 20 {
				c.errorf("bad-dice", d.Times.Span(c.file), "1 to 20 pieces are thrown together")
				return nil
			}
			if die.Faces = repeat(die.Faces, n); die.Faces == nil {
				c.errorf("bad-dice", c.span(d.At), "these throws have too many outcomes")
				return nil
			}
		}
	}
	return die
}

// evenWeights warns of weights or repeated faces that leave all numbers equally likely.
func (c *checker) evenWeights(d *syntax.Device, merged []model.Face) {
	weighted := slices.ContainsFunc(d.Faces, func(f *syntax.Face) bool { return f.Weight != nil })
	uneven := slices.ContainsFunc(merged, func(f model.Face) bool { return f.Weight != merged[0].Weight })
	if c.entry.Layer != c.book.Top() || len(merged) < 2 || uneven || !weighted && len(merged) == len(d.Faces) || merged[0].Weight == 1 && !weighted {
		return
	}
	simple := "{" + strings.Join(seq.Map(merged, func(f model.Face) string { return strconv.Itoa(f.Value) }), ", ") + "}"
	if merged[0].Value == 1 && merged[len(merged)-1].Value == len(merged) && d.Times == nil {
		simple = "d" + strconv.Itoa(len(merged))
	}
	c.diags.Warnf("even-weights", c.span(d.At), "every number comes up as often as the others: this die is not biased").
		WithHint("without weights it is %s; with weights the numbers differ, say {1: 2, 6: 1}", simple)
}

// twice notes a face with a weight that stands twice, or one in place of a number that is missing between the others.
func (c *checker) twice(faces []*syntax.Face, merged []model.Face) {
	last := len(merged) - 1
	if c.entry.Layer != c.book.Top() || len(faces) == len(merged) {
		return
	}
	missing := ""
	if merged[last].Value-merged[0].Value == last+1 {
		missing = fmt.Sprintf(", and %d is missing", merged[0].Value+slices.IndexFunc(merged, func(f model.Face) bool { return f.Value != merged[0].Value+slices.Index(merged, f) }))
	}
	seen := map[int]bool{}
	for _, f := range faces {
		v, _ := f.Value.Value()
		if !seen[v] {
			seen[v] = true
			continue
		}
		if missing == "" && f.Weight == nil {
			continue // a die with two such faces
		}
		weight := merged[slices.IndexFunc(merged, func(f model.Face) bool { return f.Value == v })].Weight
		c.diags.Infof("done-twice", f.Span(c.file), "%d stands twice here%s", v, missing).
			WithHint("if both are meant, they are one: %d: %d", v, weight)
	}
}

// faces reads the faces of a die; fine is false if one of them is invalid.
func (c *checker) faces(faces []*syntax.Face) (out []model.Face, fine bool) {
	fine = true
	for _, f := range faces {
		v, ok := f.Value.Value()
		w := 1
		if f.Weight != nil {
			var number bool
			w, number = f.Weight.Value()
			ok = ok && number
		}
		if !ok || w < 1 {
			c.errorf("bad-dice", f.Span(c.file), "a face is a number, and its weight is at least 1")
			fine = false
			continue
		}
		out = append(out, model.Face{Value: v, Weight: w})
	}
	return merge(out), fine
}

// merge sorts faces and adds up the weights of equal values.
func merge(faces []model.Face) []model.Face {
	slices.SortStableFunc(faces, func(a, b model.Face) int { return a.Value - b.Value })
	out := faces[:0:0]
	for _, f := range faces {
		if n := len(out); n > 0 && out[n-1].Value == f.Value {
			out[n-1].Weight += f.Weight
			continue
		}
		out = append(out, f)
	}
	return out
}

// repeat is the distribution of the sum of n throws. It is nil if a weight or the number of outcomes is too large, or
// if the total of the weights overflows an int, which happens on 32-bit platforms only.
func repeat(faces []model.Face, n int) []model.Face {
	sum := []model.Face{{Value: 0, Weight: 1}}
	for range n {
		var next []model.Face
		total := int64(0)
		for _, a := range sum {
			for _, b := range faces {
				if int64(a.Weight) > 1<<40/int64(b.Weight) {
					return nil
				}
				if total += int64(a.Weight) * int64(b.Weight); int64(int(total)) != total {
					return nil
				}
				next = append(next, model.Face{Value: a.Value + b.Value, Weight: a.Weight * b.Weight})
			}
		}
		if sum = merge(next); len(sum) > 1000 {
			return nil
		}
	}
	return sum
}

// declSpan is the span of an entry's declaration.
func declSpan(e *book.Entry) source.Span { return e.Decl.Span(e.Decl.File) }
