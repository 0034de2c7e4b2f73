package interpreter

import (
	"fmt"

	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// RuleError is a fault of the rules found while playing.
type RuleError struct {
	// Span is the place in the rules, zero if it is unknown.
	Span    source.Span
	Message string
	// Limit means that the rules exceed a limit of the engine; otherwise they do something without a meaning.
	Limit bool
}

// Error is the fault on one line, with its place.
func (e *RuleError) Error() string { return e.Span.Say(e.Message) }

var faultWords = map[code.Fault]string{
	code.FaultNil:     "got nil, want a piece, place, colour or player",
	code.FaultIndex:   "the list has no such element",
	code.FaultRange:   "this number does not fit here",
	code.FaultZero:    "this divides by zero",
	code.FaultPlays:   fmt.Sprintf("a turn has more than %d throws and counts", 3*code.MaxPlays),
	code.FaultQueue:   fmt.Sprintf("more than %d earned counts wait", code.MaxQueue),
	code.FaultSteps:   "the rules do too much between two decisions",
	code.FaultOptions: "there are too many options or elements here",
	code.FaultPath:    fmt.Sprintf("a walk has more than %d steps or ways", code.MaxPath),
	code.FaultEmpty:   "there is no number to choose from",
}

func (g *Game) ruleError(m *vm.Machine) *RuleError {
	e := &RuleError{Message: faultWords[m.Fault.Kind]}
	switch m.Fault.Kind {
	case code.FaultPlays, code.FaultQueue, code.FaultSteps, code.FaultOptions, code.FaultPath:
		e.Limit = true
	}
	if m.Fault.Site > 0 && m.Fault.Site < len(g.unit.Sites) {
		e.Span = g.unit.Sites[m.Fault.Site]
	}
	return e
}
