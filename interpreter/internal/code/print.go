package code

import (
	"fmt"
	"io"
	"strings"
)

// Text prints the instruction at an address: its operation, then its operands.
func (p *Program) Text(at int) string {
	in := &p.Code[at]
	d := in.Op.Of()
	out := []string{in.Op.String()}
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if in.Op == NativeCall && in.C < uint8(numberNatives) {
		n := NativeOp(in.C)
		add("%s", n)
		for i := range in.B {
			add("r%d", in.A+i)
		}
		if n.Of().Result {
			add("-> r%d", in.A)
		}
		if in.K != 0 {
			add("#%d", in.K)
		}
		return strings.Join(out, " ")
	}
	for _, x := range []struct {
		value uint8
		use   Use
	}{{in.A, d.A}, {in.B, d.B}, {in.C, d.C}} {
		switch x.use {
		case Reads, Writes:
			add("r%d", x.value)
		case Small:
			add("%d", int8(x.value))
		case Index:
			add("%d", x.value)
		}
	}
	for _, x := range []struct {
		value int32
		kind  Kind
	}{{in.K, d.K}, {in.T, d.T}} {
		switch x.kind {
		case None:
		case Cell, PieceCells:
			add("%s", p.CellName(int(x.value)))
		case Target:
			add("-> %d", x.value)
		case Number, Sixteen:
			add("%d", x.value)
		default:
			add("%s %d", kindNames[x.kind], x.value)
		}
	}
	return strings.Join(out, " ")
}

var kindNames = [numberKinds]string{
	TableAt: "table", ScratchAt: "scratch", WordAt: "word", WordBase: "word", MaskBase: "mask", PointAt: "point", RangeAt: "range", RowsAt: "rows",
	TemplateAt: "template", CounterAt: "counter", FaultKind: "fault", ThrowOrPlay: "node",
}

// Print writes a program, one instruction per line. where describes a site, "" for no description.
func (p *Program) Print(w io.Writer, where func(site int) string) error {
	targets := p.targets()
	for at := range p.Code {
		mark := ' '
		if targets[at] {
			mark = ':'
		}
		line := fmt.Sprintf("%5d%c %s", at, mark, p.Text(at))
		if s := where(int(p.Code[at].Site)); s != "" {
			line = fmt.Sprintf("%-56s ; %s", line, s)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

var headerNames = [HeaderCells]string{
	CellPoint: "point", CellMe: "me", CellColour: "colour", CellAgain: "again", CellSteps: "steps", CellThrown: "thrown", CellEarned: "earned", CellWith: "with",
	CellUsable: "usable", CellPlays: "plays", CellOver: "over", CellWinner: "winner", CellRanked: "ranked", CellDecider: "decider", CellMove: "move", CellNumber: "number",
	CellP0: "p0", CellP1: "p1", CellP2: "p2", CellP3: "p3", CellTo: "to", CellNode: "node", CellWalk: "walk", CellHeading: "heading",
	CellPathLen: "path-length", CellPathLast: "path-last", CellQueue: "queued", CellNumbers: "numbers-left", CellAhead: "ahead",
}

// CellName is the name of a cell of the state, with its offset in the variable or array.
func (p *Program) CellName(k int) string {
	l := &p.Layout
	if k >= 0 && k < HeaderCells {
		return "@" + headerNames[k]
	}
	best, from := "", -1
	for _, part := range append([]NamedCell{
		{"queue", l.Queue}, {"die", l.Dice}, {"status", l.Status}, {"rank", l.Rank}, {"count", l.Count}, {"head", l.Head}, {"tail", l.Tail}, {"next", l.Next}, {"prev", l.Prev},
		{"at", l.At}, {"on-node", l.Node}, {"path", l.Path}, {"numbers", l.Numbers}, {"local", l.Frame},
	}, p.Vars...) {
		if part.Cell >= HeaderCells && part.Cell <= k && part.Cell > from {
			best, from = part.Name, part.Cell
		}
	}
	if from < 0 {
		return fmt.Sprintf("@%d", k)
	}
	return fmt.Sprintf("@%s+%d", best, k-from)
}
