package check

import (
	"fmt"
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
	eachExpr(r, func(e *model.Expr) {
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
		never := seq.Filter(o.inOrder(), func(v string) bool {
			n, err := strconv.Atoi(v)
			return err == nil && n > 0 && !slices.Contains(comes[e.Key.Name], n)
		})
		switch {
		case !mine:
		case !thrown[e.Key.Name]:
			diags.Warnf("never-thrown", at, "no throw is ever %s, the default of %q", o.fallback, e.Key.Name)
		case len(never) > 0 && uses[e.Key.Name] == 0:
			diags.Add(diag.Diagnostic{Severity: diag.Info, Code: "never-thrown", Span: at, Message: fmt.Sprintf("option %q can be %s, and no throw ever is", e.Key.Name, joinAnd(never))})
		}
	}
}

// facesOf lists what a die, or a sum of dice, can come to; ok is false for anything else.
func facesOf(e *model.Expr) (faces []int, ok bool) {
	switch e.Op {
	case model.OpDie:
		for _, f := range e.Die.Faces {
			faces = append(faces, f.Value)
		}
		return faces, e.Die.Kind != model.DieChoice
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

// eachExpr calls f for every expression of the clauses, statements and moves, and in the lets they use.
func eachExpr(r *model.Rules, f func(*model.Expr)) {
	seen := map[*model.Let]bool{}
	var look func(e *model.Expr) bool
	look = func(e *model.Expr) bool {
		f(e)
		if e.Op == model.OpCall && !seen[e.Let] {
			seen[e.Let] = true
			e.Let.Body.Walk(look)
		}
		return true
	}
	r.Walk(func(s *model.Stmt) {
		for _, e := range s.Reads() {
			e.Walk(look)
		}
	})
	clause := func(c *model.Clause) {
		for _, x := range c.Likes() {
			x.When.Walk(look)
			x.By.Walk(look)
		}
	}
	for _, rule := range r.Rules {
		for _, c := range rule.Clauses {
			clause(c)
		}
	}
	for _, n := range r.Counts {
		n.Value.Walk(look)
		if n.Clause != nil {
			clause(n.Clause)
		}
	}
	for _, m := range r.Moves {
		for _, e := range []*model.Expr{m.From, m.Where, m.Carrying} {
			e.Walk(look)
		}
	}
}
