package interpreter

import (
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// together reports whether an ending may begin to hold for two players at the same look. Only one player meets it then if
// everything its condition reads changes for the player in turn alone, or for the player of the piece that moves alone.
// Where the analysis is not sure, the answer is yes.
func together(r *model.Rules, ending *model.Clause) bool {
	t := &meeting{rules: r, vars: map[*model.Var]bool{}, places: map[int]bool{}, done: map[string]bool{}}
	t.condition(ending.When)
	if t.everywhere || len(t.places) > 0 {
		t.change(ofWalker)
		if slices.ContainsFunc(r.Moves, func(m *model.Move) bool { return m.Carrying != nil }) {
			t.change(ofAny)
		}
	}
	t.block(r.Turn, nil)
	for _, x := range clauses(r) {
		if x.Event != model.EventAct { // those follow from what is done
			t.block(x.Block, walker(x))
		}
	}
	return t.whose == ofAny
}

// meeting is the analysis of one ending.
type meeting struct {
	rules      *model.Rules
	vars       map[*model.Var]bool // the variables that the condition reads
	places     map[int]bool        // it can begin to hold only when a piece comes to one of these,
	everywhere bool                // or to any place
	whose      owner
	done       map[string]bool // the acts looked at, with whose their parameters are
}

// owner says whose pieces and variables change between two looks.
type owner uint8

const (
	ofNone   owner = iota
	ofMe           // those of the player in turn
	ofWalker       // those of the piece that moves
	ofAny
)

// change notes a change that the condition reads.
func (t *meeting) change(of owner) {
	if t.whose != ofNone && t.whose != of {
		of = ofAny
	}
	t.whose = of
}

// owners says whose value a name is; of others that is not known.
type owners map[*model.Local]owner

// walker names the piece that a reaction to a move is about.
func walker(x *model.Clause) owners {
	switch x.Event {
	case model.EventMove, model.EventLand, model.EventStep, model.EventPass, model.EventTurned:
		if x.Block != nil && len(x.Params) > 0 && x.Params[0] != nil && x.Params[0].Type == model.Of(model.Piece) {
			return owners{x.Params[0]: ofWalker}
		}
	}
	return nil
}

// condition finds what a condition reads.
func (t *meeting) condition(e *model.Expr) {
	switch {
	case e == nil:
		return
	case e.Op == model.OpCall:
		t.condition(e.Let.Body)
	case e.Op == model.OpVar:
		t.vars[e.Var] = true
	case e.Op == model.OpSet && e.Set == model.SetVar:
		t.vars[e.Var] = true
	case e.Op == model.OpEq && e.Args[0].Op == model.OpField && e.Args[0].Field == model.FieldAt && e.Args[0].Args[0].Op == model.OpElem:
		if to := t.placesOf(e.Args[1]); to != nil {
			for _, p := range to {
				t.places[p] = true
			}
			return
		}
		t.everywhere = true
	case e.Op == model.OpAll || e.Op == model.OpAny || e.Op == model.OpAnd || e.Op == model.OpOr:
	case e.Op == model.OpField && (e.Field == model.FieldPlaying || e.Field == model.FieldRanked || e.Field == model.FieldWon):
		t.change(ofAny)
	case e.Op == model.OpSet && e.Set == model.SetPiecesOf && e.Args[0].Type == model.Of(model.Place), e.Op == model.OpField && (e.Field == model.FieldAt || e.Field == model.FieldIndex):
		t.everywhere = true
	}
	for _, a := range e.Args {
		t.condition(a)
	}
}

// placesOf lists the values that a place can have, nil if that is not known.
func (t *meeting) placesOf(e *model.Expr) []int {
	switch e.Op {
	case model.OpConst:
		return []int{e.Int}
	case model.OpMark:
		return t.rules.Board.Landmarks[e.Int].Values
	}
	return nil
}

// block finds the changes that a block makes, the acts and reactions included that follow from it.
func (t *meeting) block(b *model.Block, of owners) {
	for s := range b.All() {
		switch s.Kind {
		case model.StmtAssign, model.StmtChoose, model.StmtPlay:
			if s.Target != nil && t.vars[s.Target.Var] {
				t.change(of.whose(s.Target))
			}
		case model.StmtPut:
			to := t.placesOf(s.Other)
			if t.everywhere || len(t.places) > 0 && (to == nil || slices.ContainsFunc(to, func(place int) bool { return t.places[place] })) {
				t.change(of.whose(s.Value))
			}
		case model.StmtExchange:
			if t.everywhere || len(t.places) > 0 {
				t.change(ofAny)
			}
		case model.StmtDo:
			t.act(s, of)
		}
	}
}

// act looks at an act with some arguments, once for each list of their owners.
func (t *meeting) act(s *model.Stmt, of owners) {
	args := seq.Map(s.Args, of.whose)
	if key := fmt.Sprint(s.Act.Index, args); !t.done[key] {
		t.done[key] = true
		t.block(s.Act.Block, named(s.Act.Params, args))
		for _, x := range clauses(t.rules) {
			if x.Event == model.EventAct && x.Act == s.Act {
				t.block(x.Block, named(x.Params, args))
			}
		}
	}
}

// named names parameters.
func named(params []*model.Local, args []owner) owners {
	out := owners{}
	for i, p := range params {
		if p != nil && i < len(args) {
			out[p] = args[i]
		}
	}
	return out
}

// whose says whose value an expression is part of.
func (n owners) whose(e *model.Expr) owner {
	for {
		switch {
		case e.Op == model.OpCell && e.Var == nil && e.Cell == model.CellMe:
			return ofMe
		case e.Op == model.OpLocal && n[e.Local] != ofNone:
			return n[e.Local]
		case len(e.Args) == 0: // a variable of the game, of all players
			return ofAny
		case e.Op == model.OpVar, e.Op == model.OpSet && len(e.Args) == 1 && e.Set == model.SetVar,
			e.Op == model.OpField && (e.Field == model.FieldColour || e.Field == model.FieldPlayer || e.Field == model.FieldTeam):
			e = e.Args[0]
		default:
			return ofAny
		}
	}
}
