package check

import (
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// warnUnthrown warns of options whose default is compared with throws only, and comes up in none of them, and notes other values that come up
// in none. r are the rules with all defaults. A value of 0 or less may mean that no throw is meant.
func warnUnthrown(b *book.Book, options map[string]*option, r *model.Rules, diags *diag.List) {
	comes := map[string][]int{}
	thrown, missed, uses := map[string]bool{}, map[string]bool{}, map[string]int{}
	r.Exprs(func(e *model.Expr) {
		if e.Op == model.OpConst {
			uses[e.Span.Text()]++
		}
		if len(e.Args) != 2 || e.Op != model.OpEq && e.Op != model.OpNe && e.Op != model.OpIn {
			return
		}
		for i, a := range e.Args {
			values := []*model.Expr{a}
			if e.Op == model.OpIn && i == 1 && a.Op == model.OpList {
				values = a.Args
			}
			faces, ok := facesOf(e.Args[1-i])
			if y := e.Args[1-i]; y.Op == model.OpCell && y.Cell == model.CellSteps {
				faces, ok = numbersPlayed(r)
			}
			for _, v := range values {
				if o := options[v.Span.Text()]; o != nil && v.Op == model.OpConst && v.Int > 0 && ok {
					missed[v.Span.Text()] = true
					comes[v.Span.Text()] = append(comes[v.Span.Text()], faces...)
					uses[v.Span.Text()]--
					thrown[v.Span.Text()] = thrown[v.Span.Text()] || slices.Contains(faces, v.Int)
				}
			}
		}
	})
	for _, e := range b.Entries {
		o := options[e.Key.Name]
		if e.Key.Kind != "option" || o == nil || !missed[e.Key.Name] {
			continue
		}
		at, mine := e.NameSpan(), e.Layer == b.Top()
		for _, s := range b.Sets {
			if s.Decl.Set.Name.Text == e.Key.Name {
				at, mine = s.Decl.Set.Name.Span(s.Decl.File), s.Layer == b.Top()
			}
		}
		never := seq.Filter(o.ordered(o.candidates()), func(v string) bool {
			n, err := strconv.Atoi(v)
			return err == nil && n > 0 && !slices.Contains(comes[e.Key.Name], n)
		})
		switch {
		case !mine:
		case !thrown[e.Key.Name]:
			diags.Warnf("never-thrown", at, "no throw is ever %s, the default of %q", o.fallback, e.Key.Name)
		case len(never) > 0 && uses[e.Key.Name] == 0:
			diags.Infof("never-thrown", at, "option %q can be %s, and no throw ever is", e.Key.Name, joinAnd(never))
		}
	}
}

// numbersPlayed lists the numbers that moves count; ok is false if these are not the numbers of dice, sums of them and constants.
func numbersPlayed(r *model.Rules) (numbers []int, ok bool) {
	ok = true
	var count func(list ...*model.Expr)
	count = func(list ...*model.Expr) {
		for _, e := range list {
			switch {
			case e == nil:
			case e.Op == model.OpConst:
				numbers = append(numbers, e.Int)
			case e.Op == model.OpList:
				count(e.Args...)
			default:
				faces, fine := facesOf(e)
				numbers, ok = append(numbers, faces...), ok && fine
			}
		}
	}
	for s := range r.Stmts() {
		if s.Kind == model.StmtEarn || s.Kind == model.StmtPlay && s.Play != model.PlayEarned {
			count(append([]*model.Expr{s.Value}, s.Args...)...)
		}
	}
	for c := range r.Clauses() {
		if c.Kind == model.ClauseMay {
			count(c.By)
		}
	}
	return numbers, ok
}

// facesOf lists what a die, or a sum of dice, can come to; ok is false for anything else.
func facesOf(e *model.Expr) (faces []int, ok bool) {
	switch e.Op {
	case model.OpDie:
		return seq.Map(e.Die.Faces, func(f model.Face) int { return f.Value }), e.Die.Kind != model.DieChoice
	case model.OpAdd:
		a, fine := facesOf(e.Args[0])
		b, too := facesOf(e.Args[1])
		if !fine || !too || len(a)*len(b) > 10_000 {
			return nil, false
		}
		for _, x := range a {
			for _, y := range b {
				faces = append(faces, x+y)
			}
		}
		slices.Sort(faces)
		return slices.Compact(faces), true
	}
	return nil, false
}
