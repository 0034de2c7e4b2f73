package interpreter

// Same reports whether two games are the same whatever happens in them: made of equal instructions, tables and dice. That
// they are not does not say that they can be told apart.
func (g *Game) Same(o *Game) bool { return g.prog.Same(o.prog) }
