package leaflet

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// begins says how pieces stand when the game begins, where they do not all stand in their zones.
func (m *maker) begins() ([]string, error) {
	if m.rules.Setup == nil {
		return nil, nil
	}
	g, err := interpreter.Compile(m.rules)
	if err != nil {
		return nil, err
	}
	return []string{m.Say("leaflet.begins", "pieces", phrase.Capital(m.pieces(m.rules, m.see(g.Start(0)))))}, nil
}

// turn says what a turn is, a sentence for each statement.
func (m *maker) turn() []string { return append(m.block(m.rules.Turn, 0), m.Say("leaflet.turn.next")) }

// maxDepth is how deep blocks are put in words.
const maxDepth = 4

// block puts statements in words. Those that only keep count are left out.
func (m *maker) block(b *model.Block, depth int) []string {
	if b == nil || depth > maxDepth {
		return nil
	}
	return seq.Flat(b.Stmts, func(s *model.Stmt) []string { return m.stmt(s, depth) })
}

func (m *maker) stmt(s *model.Stmt, depth int) []string {
	switch s.Kind {
	case model.StmtThrow:
		if s.Dice[0].Kind == model.DieChoice {
			return []string{m.Say("leaflet.turn.choose", "die", m.named("die", s.Dice[0].Name))}
		}
		if len(m.rules.Dice) == 1 {
			return []string{m.Say("leaflet.turn.throw_only")}
		}
		names := seq.Map(s.Dice, func(d *model.Die) string { return m.named("die", d.Name) })
		return []string{m.Say("leaflet.turn.throw", "dice", m.List(names))}
	case model.StmtPlay:
		return []string{m.play(s)}
	case model.StmtEarn:
		return []string{m.Say("leaflet.turn.earn", "value", m.expr(s.Value))}
	case model.StmtAgain:
		return []string{m.Say("leaflet.turn.again")}
	case model.StmtEndTurn:
		return []string{m.Say("leaflet.turn.end")}
	case model.StmtUndo:
		return []string{m.Say("leaflet.turn.undo")}
	case model.StmtPut:
		return []string{m.Say("leaflet.turn.put", "what", m.expr(s.Value), "where", m.expr(s.Other))}
	case model.StmtDo:
		if s.Act.Words != "" {
			return []string{phrase.Capital(s.Act.Any(m.Say("any.piece"), m.Say("any.player"))) + "."}
		}
	case model.StmtChoose:
		if s.Words != "" {
			return append([]string{s.Words}, m.block(s.Then, depth+1)...)
		}
		return m.block(s.Then, depth+1)
	case model.StmtFor:
		if s.Once() {
			m.values[s.Local] = s.Value.Args[0]
		}
		return m.block(s.Then, depth+1)
	case model.StmtIf:
		return m.condition(s, depth)
	}
	return nil
}

// condition puts an if in words.
func (m *maker) condition(s *model.Stmt, depth int) []string {
	if s.Value.Op == model.OpConst {
		if s.Value.Int != 0 {
			return m.block(s.Then, depth)
		}
		return m.block(s.Else, depth)
	}
	var out []string
	if then := m.block(s.Then, depth+1); len(then) > 0 {
		out = append(out, m.Say("leaflet.turn.if", "if", m.expr(s.Value), "then", m.inner(then)))
	}
	if other := m.block(s.Else, depth+1); len(other) > 0 {
		out = append(out, m.Say("leaflet.turn.else", "then", m.inner(other)))
	}
	return out
}

// inner joins sentences to a part of another one.
func (m *maker) inner(list []string) string {
	out := ""
	for i, s := range list {
		s = strings.TrimSuffix(s, ".")
		switch {
		case i == 0:
			out = lowerFirst(s)
		case strings.HasSuffix(out, "?"):
			out += " " + s
		default:
			out += "; " + lowerFirst(s)
		}
	}
	return out
}

func lowerFirst(s string) string {
	r := []rune(s)
	if len(r) > 1 && !('A' <= r[1] && r[1] <= 'Z') {
		r[0] = unicode.ToLower(r[0])
	}
	return string(r)
}

func (m *maker) play(s *model.Stmt) string {
	value := ""
	if s.Value != nil {
		value = m.expr(s.Value)
	}
	if len(s.Args) > 0 {
		value = m.Either(seq.Map(s.Args, m.expr))
	} else if s.Target != nil && s.Value == nil {
		value = m.expr(s.Target)
	}
	return m.Say("leaflet.play."+[...]string{
		model.PlayNumber: "number", model.PlayAny: "any", model.PlayEach: "each", model.PlayMost: "most", model.PlayAll: "all", model.PlayEarned: "earned",
	}[s.Play], "value", value)
}

// expr puts an expression in words as far as they are plain, and else quotes it.
func (m *maker) expr(e *model.Expr) string {
	if text, ok := m.worded(e, 0); ok {
		return text
	}
	return "`" + strings.Join(strings.Fields(e.Span.Text()), " ") + "`"
}

var comparisons = map[model.Op]string{
	model.OpEq: "eq", model.OpNe: "ne", model.OpLt: "lt", model.OpLe: "le", model.OpGt: "gt", model.OpGe: "ge", model.OpAnd: "and", model.OpOr: "or",
	model.OpAdd: "add", model.OpSub: "sub",
}

func (m *maker) worded(e *model.Expr, depth int) (string, bool) {
	if depth > 8 {
		return "", false
	}
	args := func() (out []string, ok bool) {
		for _, a := range e.Args {
			text, ok := m.worded(a, depth+1)
			if !ok {
				return nil, false
			}
			out = append(out, text)
		}
		return out, true
	}
	switch e.Op {
	case model.OpConst:
		if e.Type.Kind == model.Number {
			return number(e.Int), true
		}
	case model.OpDie:
		return m.named("die", e.Die.Name), true
	case model.OpLocal:
		if value := m.values[e.Local]; value != nil {
			return m.worded(value, depth+1)
		}
		if e.Type.Kind == model.Flag {
			return m.Say("leaflet.expr.answered"), true
		}
		return m.Say("leaflet.expr.chosen"), true
	case model.OpCell, model.OpVar, model.OpSet:
		switch {
		case e.Var == nil:
		case e.Var == m.rules.Throws:
			return m.Say("leaflet.expr.throws"), true
		default:
			return cmp.Or(e.Var.Words, plain(e.Var.Name)), true
		}
	case model.OpCall:
		if text, ok := m.worded(e.Let.Body, depth+1); ok {
			return text, true
		}
		return m.named("let", e.Let.Name), len(e.Args) == 0
	case model.OpList:
		list, ok := args()
		return m.List(list), ok
	case model.OpNot:
		if list, ok := args(); ok {
			key := "leaflet.expr.not"
			if op := e.Args[0].Op; op == model.OpAnd || op == model.OpOr {
				key = "leaflet.expr.not_all"
			}
			return m.Say(key, "a", list[0]), true
		}
	case model.OpIf:
		if list, ok := args(); ok {
			return m.Say("leaflet.expr.if", "if", list[0], "a", list[1], "b", list[2]), true
		}
	case model.OpCount:
		if list, ok := args(); ok && len(list) == 1 {
			return m.Say("leaflet.expr.count", "a", list[0]), true
		}
	case model.OpAll, model.OpAny, model.OpNone:
		if text, ok := m.standing(e); ok {
			return text, true
		}
	default:
		if text, ok := m.any(e, depth); ok {
			return text, true
		}
		if key := comparisons[e.Op]; key != "" {
			if list, ok := args(); ok && len(list) == 2 {
				if e.Op == model.OpEq && e.Args[0].Op == model.OpDie && e.Args[1].Op == model.OpDie {
					key = "same"
				}
				return m.Say("leaflet.expr."+key, "a", list[0], "b", list[1]), true
			}
		}
	}
	if text := e.Span.Text(); len(text) > 1 && name().FindString(text) == text {
		return plain(text), true
	}
	return "", false
}

// standing puts in words whether pieces of the player are at a place: all(mine, .at == home).
func (m *maker) standing(e *model.Expr) (string, bool) {
	over, is := e.Args[0], e.Args[1]
	if over.Op != model.OpMine || is.Op != model.OpEq || is.Args[0].Op != model.OpField || is.Args[0].Field != model.FieldAt ||
		is.Args[0].Args[0].Op != model.OpElem || is.Args[1].Op != model.OpConst || is.Args[1].Int < 0 {
		return "", false
	}
	key := map[model.Op]string{model.OpAll: "all", model.OpAny: "any", model.OpNone: "none"}[e.Op]
	return m.Say("leaflet.expr.own."+key, "place", m.place(is.Args[1].Int)), true
}

// any puts in words whether a list has elements.
func (m *maker) any(e *model.Expr, depth int) (string, bool) {
	if len(e.Args) != 2 || e.Args[0].Op != model.OpCount || len(e.Args[0].Args) != 1 || !e.Args[1].IsConst(0) {
		return "", false
	}
	list, ok := m.worded(e.Args[0].Args[0], depth+1)
	switch {
	case !ok:
	case e.Op == model.OpGt || e.Op == model.OpNe:
		return m.Say("leaflet.expr.some", "a", list), true
	case e.Op == model.OpEq:
		return m.Say("leaflet.expr.none", "a", list), true
	}
	return "", false
}

// name is the name of something in a rule file.
var name = pattern.Of(`^[\p{Ll}][\p{Ll}\p{Nd}_]*$`)
