package ir

// Uses reports whether statements read a local.
func Uses(body []*Stmt, l *Local) bool {
	for _, s := range body {
		if uses(s.A, l) || uses(s.B, l) || Uses(s.Body, l) || Uses(s.Else, l) {
			return true
		}
		for _, a := range s.Args {
			if uses(a, l) {
				return true
			}
		}
	}
	return false
}

func uses(e *Expr, l *Local) bool {
	if e == nil {
		return false
	}
	if e.Op == Use && e.Local == l || uses(e.A, l) || uses(e.B, l) || uses(e.C, l) || Uses(e.Body, l) {
		return true
	}
	for _, a := range e.Args {
		if uses(a, l) {
			return true
		}
	}
	return false
}
