package ir

import (
	"fmt"
	"io"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

// Names describes the numbers in a program, for a reader.
type Names struct {
	Cell   func(k int) string
	Native func(k int) string
	Where  func(site int) string // "" for no description
}

// Print writes procedures as text, one statement per line.
func Print(w io.Writer, procs []*Proc, n Names) error {
	p := &printer{w: w, names: n}
	for i, proc := range procs {
		if i > 0 {
			p.put("\n")
		}
		p.locals, p.used, p.labels = map[*Local]string{}, map[string]int{}, map[*Label]string{}
		params := seq.Map(proc.Params, p.local)
		p.line(0, "proc %s(%s) {", proc.Name, strings.Join(params, ", "))
		p.body(1, proc.Body)
		p.line(0, "}")
	}
	return p.err
}

type printer struct {
	w      io.Writer
	names  Names
	err    error
	locals map[*Local]string
	used   map[string]int
	labels map[*Label]string
	site   int
}

func (p *printer) put(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, s)
	}
}

// line writes a line, followed by its place in the rules if that differs from the line before.
func (p *printer) line(depth int, format string, args ...any) {
	s := strings.Repeat("  ", depth) + fmt.Sprintf(format, args...)
	if where := p.names.Where(p.site); where != "" {
		s = fmt.Sprintf("%-72s ; %s", s, where)
	}
	p.site = 0
	p.put(s + "\n")
}

// local is the name of a local, unique in its procedure.
func (p *printer) local(l *Local) string {
	if name, ok := p.locals[l]; ok {
		return name
	}
	name := strings.ReplaceAll(l.Name, " ", "-")
	if name == "" {
		name = "local"
	}
	if p.used[name]++; p.used[name] > 1 {
		name = fmt.Sprintf("%s.%d", name, p.used[name])
	}
	p.locals[l] = name
	return name
}

func (p *printer) label(l *Label) string {
	if p.labels[l] == "" {
		p.labels[l] = fmt.Sprintf("L%d", len(p.labels)+1)
	}
	return p.labels[l]
}

func (p *printer) body(depth int, stmts Body) {
	for _, s := range stmts {
		p.stmt(depth, s)
	}
}

func (p *printer) block(depth int, head string, body Body) {
	p.line(depth, "%s {", head)
	p.body(depth+1, body)
	p.line(depth, "}")
}

func (p *printer) stmt(depth int, s *Stmt) {
	if s.Site != 0 {
		p.site = s.Site
	}
	e := p.expr
	switch s.Op {
	case Set:
		p.line(depth, "%s = %s", p.local(s.Local), e(s.A))
	case Declare:
		p.line(depth, "var %s%s", p.local(s.Local), map[bool]string{true: " sure"}[s.Sure])
	case Store:
		p.line(depth, "%s = %s", p.cell(s.K, s.B), e(s.A))
	case StoreScr:
		p.line(depth, "scratch[%d + %s] = %s", s.K, e(s.B), e(s.A))
	case If:
		if len(s.Else) == 0 {
			p.block(depth, "if "+e(s.A), s.Body)
			return
		}
		p.line(depth, "if %s {", e(s.A))
		p.body(depth+1, s.Body)
		p.block(depth, "} else", s.Else)
	case Block:
		head := "block " + p.label(s.Label)
		if s.Asks != nil {
			head += fmt.Sprintf(" keeping %s by predicate %d", p.local(s.Asks.Set), s.Asks.K)
		}
		p.block(depth, head, s.Body)
	case Loop:
		p.block(depth, "loop "+p.label(s.Label), s.Body)
	case Break:
		p.line(depth, "break %s", p.label(s.Label))
	case Continue:
		p.line(depth, "continue %s", p.label(s.Label))
	case Call:
		p.line(depth, "call %s(%s)", s.Proc.Name, p.list(s.Args))
	case Return:
		if s.A == nil {
			p.line(depth, "return")
			return
		}
		p.line(depth, "return %s", e(s.A))
	case Jump:
		p.line(depth, "goto %q", s.Mark.Name)
	case Place:
		p.line(depth, "mark %q", s.Mark.Name)
	case Native:
		out := fmt.Sprintf("%s(%s)", p.names.Native(s.K), p.list(s.Args))
		if s.Low != 0 {
			out += fmt.Sprintf(" #%d", s.Low)
		}
		if s.Local != nil {
			out = p.local(s.Local) + " = " + out
		}
		p.line(depth, "%s", out)
	case Suspend:
		p.line(depth, "suspend %s %d", [...]string{"throw", "choice", "pick", "over"}[s.K], s.Low)
	case Check:
		p.line(depth, "check %s in %d..%d", e(s.A), s.Low, s.High)
	case Fail:
		p.line(depth, "fail %d", s.K)
	case Try:
		p.line(depth, "try")
	case Decide:
		p.line(depth, "decide play %d", s.K)
		p.line(depth, "rows {")
		rows := s.A
		if rows.Op == Do {
			p.body(depth+1, rows.Body)
			rows = rows.A
		}
		p.line(depth+1, "%s", e(rows))
		p.line(depth, "}")
		p.block(depth, "none", s.Body)
		p.block(depth, "listed", s.Else)
	}
}

func (p *printer) list(args []*Expr) string {
	return strings.Join(seq.Map(args, p.expr), ", ")
}

// cell is cell k of the state, or the cell at an index from k.
func (p *printer) cell(k int, index *Expr) string {
	name := p.names.Cell(k)
	if index == nil {
		return name
	}
	return fmt.Sprintf("%s[%s]", name, p.expr(index))
}

var infix = map[Op]string{
	Add: "+", Sub: "-", Mul: "*", Div: "/", Mod: "%", And: "&", Or: "|", AndNot: "&^", Shl: "<<", Shr: ">>", Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Both: "and", Either: "or",
}

func (p *printer) expr(e *Expr) string {
	x := p.expr
	out := ""
	switch e.Op {
	case Const:
		return fmt.Sprint(e.K)
	case Use:
		return p.local(e.Local)
	case Cell:
		return p.cell(e.K, nil)
	case CellAt:
		return p.cell(e.K, e.A)
	case Table:
		return fmt.Sprintf("table%d[%s]", e.K, x(e.A))
	case Scratch:
		return fmt.Sprintf("scratch%d[%s]", e.K, x(e.A))
	case Derived:
		return fmt.Sprintf("word%d[%s]", e.K, x(e.A))
	case Masks:
		return fmt.Sprintf("mask%d[%s]", e.K, x(e.A))
	case Not:
		out = "not " + x(e.A)
	case Bits:
		return fmt.Sprintf("bits(%s)", x(e.A))
	case Lowest:
		return fmt.Sprintf("lowest(%s)", x(e.A))
	case Pick:
		out = fmt.Sprintf("(if %s then %s else %s)", x(e.A), x(e.B), x(e.C))
	case Do:
		out = fmt.Sprintf("{ %s; %s }", p.inline(e.Body), x(e.A))
	case Search:
		out = fmt.Sprintf("search yes=%s no=%s { %s; %d }", p.label(e.Yes), p.label(e.No), p.inline(e.Body), e.K)
	case Present:
		return fmt.Sprintf("present(%s)", x(e.A))
	case Offers:
		return "offers"
	case Offer:
		return fmt.Sprintf("offer(%s).%d", x(e.A), e.K)
	case Result:
		return "result"
	case NextTurn:
		return "next-turn"
	case Having:
		return fmt.Sprintf("having(%s, %s == %s)", x(e.A), p.names.Cell(e.K), x(e.B))
	case Walkers:
		return fmt.Sprintf("walkers(%s, %s)", x(e.A), x(e.B))
	case Rows:
		return fmt.Sprintf("rows%d(%s)", e.K, p.list(e.Args))
	default:
		out = fmt.Sprintf("(%s %s %s)", x(e.A), infix[e.Op], x(e.B))
	}
	if e.Asks != nil {
		out = fmt.Sprintf("predicate%d(%s, %s)", e.Asks.K, x(e.Asks.Piece), x(e.Asks.Place))
	}
	return out
}

// inline prints statements on one line.
func (p *printer) inline(stmts Body) string {
	var b strings.Builder
	q := *p
	q.w, q.names.Where = &b, func(int) string { return "" }
	q.body(0, stmts)
	out := ""
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSpace(line)
		switch {
		case out == "":
		case strings.HasSuffix(out, "{"), strings.HasPrefix(line, "}"):
			out += " "
		default:
			out += "; "
		}
		out += line
	}
	return out
}
