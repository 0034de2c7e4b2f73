package interpreter

import "reflect"

// Same reports whether two games are the same whatever happens in them: made of equal instructions, tables and dice. That
// they are not does not say that they can be told apart.
func (g *Game) Same(o *Game) bool {
	a, b := *g.prog, *o.prog
	a.Sites, b.Sites = nil, nil // where in the files the instructions come from
	return reflect.DeepEqual(a, b)
}
