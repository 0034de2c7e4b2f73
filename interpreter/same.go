package interpreter

// Same reports whether two games have equal instructions, tables and dice, and so play the same. The reverse does not
// hold: different programs can be equivalent.
func (g *Game) Same(o *Game) bool { return g.prog.Same(o.prog) }
