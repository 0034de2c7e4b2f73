package interpreter

import (
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/rulesets"
)

// TestExpressionsAgreeWithExpr evaluates the lets and conditions of every shipped rule book on random states, compiled
// and with expr's virtual machine, and wants the same values: the same failures too.
func TestExpressionsAgreeWithExpr(t *testing.T) {
	files, err := fs.Glob(rulesets.FS, "*.rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(name, ".rules"), func(t *testing.T) {
			t.Parallel()
			agree(t, testbook.In(t, rulesets.FS, name, dsl.Setting{}))
		})
	}
}

// probe is an expression with the names it may use.
type probe struct {
	text   string
	params []*model.Local
	expr   *model.Expr
}

func agree(t *testing.T, rules *model.Rules) {
	probes := probesOf(rules)
	if len(probes) == 0 {
		t.Skip("no expressions")
	}
	questions := make([]compile.Question, len(probes))
	for i, p := range probes {
		questions[i] = compile.Question{Expr: p.expr, Params: p.params}
	}
	unit, entries, err := compile.WithQuestions(rules, questions)
	if err != nil {
		t.Fatal(err)
	}
	g := &Game{unit: unit, prog: unit.Program, rules: rules}
	p := g.Start(0)
	r := NewRandom(7, 1)
	compared := 0
	for round := range 60 {
		for range 5 + r.IntN(40) {
			switch p.Kind() {
			case Throw:
				p.ThrowRandom(&r)
			case Choice:
				p.ChooseRandom(&r)
			default:
				p.Restart(0)
			}
		}
		w := newWorld(p)
		for i, q := range probes {
			args := make([]int, len(q.params))
			for j, l := range q.params {
				args[j] = w.random(l.Type.Kind, &r)
			}
			want, wantErr := w.eval(q, args)
			m := p.Copy().m
			for j, a := range args {
				m.State()[code.CellP0+j] = int16(a)
			}
			got, ok := m.Eval(entries[i])
			if (wantErr == nil) != ok {
				t.Fatalf("round %d: %q with %v: expr says %v (%v), compiled %d (failed: %v)", round, q.text, args, want, wantErr, got, !ok)
			}
			if !ok {
				continue
			}
			if n := w.number(want, q.expr.Type.Kind); n != got {
				t.Fatalf("round %d: %q with %v: expr says %v (%d), compiled %d %v", round, q.text, args, want, n, got, g.getVar(p.m.State(), rules.Vars[len(rules.Vars)-1], 0))
			}
			compared++
		}
	}
	if compared < 100 {
		t.Errorf("only %d values compared", compared)
	}
}

// probesOf collects lets with plain values and parameters, and conditions of clauses.
func probesOf(rules *model.Rules) []probe {
	var out []probe
	seen := map[*model.Let]bool{}
	var walk func(e *model.Expr)
	walk = func(e *model.Expr) {
		e.Walk(func(x *model.Expr) bool {
			if x.Let != nil && !seen[x.Let] {
				seen[x.Let] = true
				walk(x.Let.Body)
				if !x.Let.Body.Type.List && plain(x.Let.Params) && !contextual(x.Let.Body) {
					out = append(out, probe{text: x.Let.Body.Span.Text(), params: x.Let.Params, expr: x.Let.Body})
				}
			}
			return true
		})
	}
	for _, r := range rules.Rules {
		for _, c := range r.Clauses {
			if c.When == nil {
				continue
			}
			walk(c.When)
			params := append([]*model.Local{}, c.Params...)
			if c.To != nil {
				params = append(params, c.To)
			}
			if plain(params) && len(params) <= 4 && !contextual(c.When) {
				out = append(out, probe{text: c.When.Span.Text(), params: params, expr: c.When})
			}
		}
	}
	return out
}

func plain(params []*model.Local) bool {
	for _, p := range params {
		if p == nil || p.Type.List || len(params) > 4 {
			return false
		}
	}
	return true
}

// contextual reports whether an expression asks for what only a walk or an option knows.
func contextual(e *model.Expr) bool {
	found := false
	e.Walk(func(x *model.Expr) bool {
		found = found || x.Op == model.OpCell && x.Cell == model.CellRemaining || x.Op == model.OpSet && x.Set == model.SetOffered ||
			x.Op == model.OpCall && contextual(x.Let.Body)
		return !found
	})
	return found
}

// world is a state as expr sees it: pointers to structs with a field for everything that can be asked.
type world struct {
	p       *Position
	env     map[string]any
	objects map[model.Kind][]reflect.Value // pointers
}

var kinds = []model.Kind{model.Place, model.Piece, model.Colour, model.Player, model.Team}

func newWorld(p *Position) *world {
	w := &world{p: p, env: map[string]any{}, objects: map[model.Kind][]reflect.Value{}}
	g, rules := p.game, p.game.rules
	l := &g.prog.Layout
	for _, k := range kinds {
		t := w.structOf(k)
		n := map[model.Kind]int{model.Place: l.Places, model.Piece: l.Pieces, model.Colour: l.Colours, model.Player: l.Players, model.Team: l.Teams}[k]
		for i := range n {
			o := reflect.New(t)
			o.Elem().Field(0).SetInt(int64(i))
			w.objects[k] = append(w.objects[k], o)
		}
	}
	for _, k := range kinds {
		for i, o := range w.objects[k] {
			w.fill(k, i, o.Elem())
		}
	}
	st := p.m.State()
	for _, v := range rules.Vars {
		if !v.Scope.Owned() {
			w.env[v.Name] = w.variable(v, 0)
		}
	}
	for i, d := range rules.Dice {
		w.env[d.Name] = int(st[l.Dice+i])
	}
	for _, o := range rules.Options {
		w.env[o.Name] = optionValue(o.Value)
	}
	for i, x := range rules.Board.Places {
		if x.Zone {
			w.env[x.Name] = w.get(model.Place, i)
		}
	}
	for i, x := range rules.Colours {
		w.env[x.Name] = w.get(model.Colour, i)
	}
	me := int(st[code.CellMe])
	w.env["me"] = w.get(model.Player, me)
	w.env["steps"], w.env["heading"] = int(st[code.CellSteps]), int(st[code.CellHeading])
	w.env["thrown"], w.env["earned"] = st[code.CellThrown] != 0, st[code.CellEarned] != 0
	w.env["players"] = l.Players
	hand := rules.Seats[me].Colours
	if rules.TurnsByColour {
		hand = []int{int(st[code.CellColour])}
	}
	w.env["hand"] = w.list(model.Colour, hand)
	var mine []int
	for _, c := range hand {
		for i := range l.PerColour {
			mine = append(mine, c*l.PerColour+i)
		}
	}
	w.env["mine"] = w.list(model.Piece, mine)
	w.env["game"] = map[string]any{
		"players": w.all(model.Player), "teams": w.all(model.Team), "colours": w.all(model.Colour), "pieces": w.all(model.Piece),
	}
	var squares []int
	for i, x := range rules.Board.Places {
		if !x.Zone {
			squares = append(squares, i)
		}
	}
	w.env["board"] = map[string]any{"squares": w.list(model.Place, squares)}
	w.env["square"] = func(name string) any {
		i, _ := rules.Board.Place(name)
		return w.get(model.Place, i)
	}
	w.env["after"] = func(x any) (any, error) { return w.after(x) }
	w.env["next"] = func(x any) (any, error) {
		list, err := w.after(x)
		if err != nil || len(list) == 0 {
			return nil, err
		}
		return list[0], nil
	}
	w.lets()
	return w
}

func optionValue(text string) any {
	var n int
	switch {
	case text == "true", text == "false":
		return text == "true"
	}
	if _, err := fmt.Sscanf(text, "%d", &n); err == nil {
		return n
	}
	return text
}

func (w *world) after(x any) ([]any, error) {
	g := w.p.game
	st, l := w.p.m.State(), &g.prog.Layout
	if x == nil {
		return nil, fmt.Errorf("after nil")
	}
	i := int(reflect.ValueOf(x).Elem().Field(0).Int())
	kind, n := model.Player, l.Players
	if reflect.TypeOf(x).Elem() == w.objects[model.Colour][0].Type().Elem() {
		kind, n = model.Colour, l.Colours
	}
	var out []int
	for k := 1; k < n; k++ {
		y := (i + k) % n
		seat := y
		if kind == model.Colour {
			seat = g.SeatOf(y)
		}
		if st[l.Status+seat] == code.Playing {
			out = append(out, y)
		}
	}
	return w.list(kind, out), nil
}

// lets makes every let a value or a function evaluated by expr itself.
func (w *world) lets() {
	seen := map[*model.Let]bool{}
	var walk func(e *model.Expr)
	add := func(l *model.Let) {
		if seen[l] {
			return
		}
		seen[l] = true
		walk(l.Body)
		if len(l.Params) == 0 {
			// A failing let fails where it is asked for, which may be nowhere.
			if v, err := evaluate(l.Body.Span.Text(), w.env); err == nil {
				w.env[l.Name] = v
			}
			return
		}
		w.env[l.Name] = func(args ...any) (any, error) {
			env := map[string]any{}
			for k, v := range w.env {
				env[k] = v
			}
			for i, p := range l.Params {
				env[p.Name] = args[i]
			}
			return evaluate(l.Body.Span.Text(), env)
		}
	}
	walk = func(e *model.Expr) {
		e.Walk(func(x *model.Expr) bool {
			if x.Let != nil {
				add(x.Let)
			}
			return true
		})
	}
	if m := w.p.game.rules.Mine; m != nil {
		add(m)
	}
	for _, r := range w.p.game.rules.Rules {
		for _, c := range r.Clauses {
			walk(c.When)
			walk(c.By)
		}
	}
}

func (w *world) get(k model.Kind, i int) any {
	if i < 0 {
		return nil
	}
	return w.objects[k][i].Interface()
}

func (w *world) list(k model.Kind, is []int) []any {
	out := []any{}
	for _, i := range is {
		out = append(out, w.get(k, i))
	}
	return out
}

func (w *world) all(k model.Kind) []any {
	out := []any{}
	for i := range w.objects[k] {
		out = append(out, w.get(k, i))
	}
	return out
}

// structOf is the type of a kind's objects: a number first, so that no two are equal, then a field for each name.
func (w *world) structOf(k model.Kind) reflect.Type {
	any := reflect.TypeOf((*any)(nil)).Elem()
	fields := []reflect.StructField{{Name: "ID", Type: reflect.TypeOf(0), Tag: reflect.StructTag(fmt.Sprintf(`kind:"%d"`, k))}}
	for _, name := range w.names(k) {
		fields = append(fields, reflect.StructField{Name: "F_" + name, Type: any, Tag: reflect.StructTag(fmt.Sprintf("expr:%q", name))})
	}
	return reflect.StructOf(fields)
}

func (w *world) names(k model.Kind) []string {
	rules := w.p.game.rules
	var out []string
	scope := map[model.Kind]model.Scope{model.Piece: model.ScopePiece, model.Colour: model.ScopeColour, model.Player: model.ScopePlayer, model.Team: model.ScopeTeam}
	switch k {
	case model.Place:
		out = append([]string{"pieces", "square"}, rules.Board.Tags...)
		out = append(out, rules.Board.Families...)
		for _, a := range rules.Board.Attributes {
			out = append(out, a.Name)
		}
		return out
	case model.Piece:
		out = []string{"at", "colour", "player", "team", "index"}
	case model.Colour:
		out = []string{"pieces", "player", "team", "seat", "track"}
	case model.Player:
		out = []string{"pieces", "colours", "team", "playing", "ranked"}
	case model.Team:
		out = []string{"players", "colours", "pieces"}
	}
	if k == model.Piece || k == model.Colour {
		for _, l := range rules.Board.Landmarks {
			out = append(out, l.Name)
		}
	}
	for _, v := range rules.Vars {
		if v.Scope == scope[k] && v.Scope.Owned() {
			out = append(out, v.Name)
		}
	}
	return out
}

func (w *world) variable(v *model.Var, owner int) any {
	values := w.p.game.getVar(w.p.m.State(), v, owner)
	if v.Type.List {
		if v.Type.Kind == model.Number {
			out := []any{}
			for _, n := range values {
				out = append(out, n)
			}
			return out
		}
		return w.list(v.Type.Kind, values)
	}
	switch v.Type.Kind {
	case model.Number:
		return values[0]
	case model.Flag:
		return values[0] != 0
	}
	return w.get(v.Type.Kind, values[0])
}

func (w *world) fill(k model.Kind, i int, o reflect.Value) {
	g, rules := w.p.game, w.p.game.rules
	l, st := &g.prog.Layout, w.p.m.State()
	set := func(name string, v any) {
		if v != nil {
			o.FieldByName("F_" + name).Set(reflect.ValueOf(v))
		}
	}
	pieces := func(colours []int) []any {
		var out []int
		for _, c := range colours {
			for n := range l.PerColour {
				out = append(out, c*l.PerColour+n)
			}
		}
		return w.list(model.Piece, out)
	}
	var coloursOfTeam []int
	switch k {
	case model.Place:
		place := rules.Board.Places[i]
		set("pieces", w.list(model.Piece, w.p.PiecesOn(nil, i)))
		set("square", !place.Zone)
		for n, tag := range rules.Board.Tags {
			set(tag, n < len(place.Tags) && place.Tags[n])
		}
		for n, family := range rules.Board.Families {
			set(family, !place.Zone && place.Family == n)
		}
		for _, a := range rules.Board.Attributes {
			set(a.Name, w.get(model.Place, a.Values[i]))
		}
		return
	case model.Piece:
		c := g.ColourOf(i)
		seat := g.SeatOf(c)
		set("at", w.get(model.Place, int(st[l.At+i])))
		set("colour", w.get(model.Colour, c))
		set("player", w.get(model.Player, seat))
		set("team", w.get(model.Team, rules.Seats[seat].Team))
		set("index", w.p.Index(i))
		for _, m := range rules.Board.Landmarks {
			set(m.Name, w.get(model.Place, m.Values[rules.Colours[c].Board]))
		}
	case model.Colour:
		seat := g.SeatOf(i)
		set("pieces", pieces([]int{i}))
		set("player", w.get(model.Player, seat))
		set("team", w.get(model.Team, rules.Seats[seat].Team))
		set("seat", i)
		var track []int
		run := rules.Track.Runs[rules.Colours[i].Board]
		for n, at := 0, 0; n < len(run.Nodes); n++ {
			track = append(track, run.Nodes[at].Place)
			if len(run.Nodes[at].Next) == 0 || run.Nodes[at].Next[0] == 0 {
				break
			}
			at = run.Nodes[at].Next[0]
		}
		set("track", w.list(model.Place, track))
		for _, m := range rules.Board.Landmarks {
			set(m.Name, w.get(model.Place, m.Values[rules.Colours[i].Board]))
		}
	case model.Player:
		set("pieces", pieces(rules.Seats[i].Colours))
		set("colours", w.list(model.Colour, rules.Seats[i].Colours))
		set("team", w.get(model.Team, rules.Seats[i].Team))
		set("playing", st[l.Status+i] == code.Playing)
		set("ranked", st[l.Status+i] == code.Ranked)
	case model.Team:
		for _, seat := range rules.Teams[i] {
			coloursOfTeam = append(coloursOfTeam, rules.Seats[seat].Colours...)
		}
		set("players", w.list(model.Player, rules.Teams[i]))
		set("colours", w.list(model.Colour, coloursOfTeam))
		set("pieces", pieces(coloursOfTeam))
	}
	scope := map[model.Kind]model.Scope{model.Piece: model.ScopePiece, model.Colour: model.ScopeColour, model.Player: model.ScopePlayer, model.Team: model.ScopeTeam}[k]
	for _, v := range rules.Vars {
		if v.Scope == scope {
			set(v.Name, w.variable(v, i))
		}
	}
}

// random is a value of a kind; seldom nil.
func (w *world) random(k model.Kind, r *Random) int {
	switch k {
	case model.Number:
		return r.IntN(9)
	case model.Flag:
		return r.IntN(2)
	}
	if r.IntN(25) == 0 {
		return None
	}
	return r.IntN(len(w.objects[k]))
}

// eval is what expr says.
func (w *world) eval(q probe, args []int) (any, error) {
	env := map[string]any{}
	for k, v := range w.env {
		env[k] = v
	}
	for i, l := range q.params {
		switch l.Type.Kind {
		case model.Number:
			env[l.Name] = args[i]
		case model.Flag:
			env[l.Name] = args[i] != 0
		default:
			env[l.Name] = w.get(l.Type.Kind, args[i])
		}
	}
	return evaluate(q.text, env)
}

// number is a value of expr's as the engine has it.
func (w *world) number(v any, k model.Kind) int {
	switch v := v.(type) {
	case nil:
		return None
	case bool:
		if v {
			return 1
		}
		return 0
	case int:
		return v
	}
	return int(reflect.ValueOf(v).Elem().Field(0).Int())
}
