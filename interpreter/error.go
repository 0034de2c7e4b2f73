package interpreter

import (
	"github.com/rulerun/rulerun/dsl/catalogue"
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

	fault catalogue.Sentence // the message
}

// Error is the fault on one line, with its place.
func (e *RuleError) Error() string { return e.Span.Say(e.Message) }

// Worded is the fault on one line as a function says it, with its place. What is said is a catalogue.Sentence.
func (e *RuleError) Worded(say func(error) string) string { return e.Span.Say(say(e.fault)) }

var faultWords = map[code.Fault]catalogue.Sentence{
	code.FaultNil:     {Key: "stop.nil", Text: "got nil, want a piece, place, colour or player"},
	code.FaultIndex:   {Key: "stop.index", Text: "the list has no such element"},
	code.FaultRange:   {Key: "stop.range", Text: "this number does not fit here"},
	code.FaultZero:    {Key: "stop.zero", Text: "this divides by zero"},
	code.FaultPlays:   {Key: "stop.plays", Text: "a turn has more than {{.most}} throws and counts", Args: []any{"most", 3 * code.MaxPlays}},
	code.FaultQueue:   {Key: "stop.queue", Text: "more than {{.most}} earned counts wait", Args: []any{"most", code.MaxQueue}},
	code.FaultSteps:   {Key: "stop.steps", Text: "the rules do too much between two decisions"},
	code.FaultOptions: {Key: "stop.options", Text: "there are too many options or elements here"},
	code.FaultPath:    {Key: "stop.path", Text: "a walk has more than {{.most}} steps or ways", Args: []any{"most", code.MaxPath}},
	code.FaultEmpty:   {Key: "stop.empty", Text: "there is no number to choose from"},
}

func (g *Game) ruleError(m *vm.Machine) *RuleError {
	fault := faultWords[m.Fault.Kind]
	if f := m.Fault; f.Low < f.High {
		fault = catalogue.Sentence{Key: "stop.outside", Text: "this number does not fit here: {{.value}} is not in {{.low}}..{{.high}}", Args: []any{"value", f.Value, "low", f.Low, "high", f.High}}
	}
	e := &RuleError{Message: fault.Error(), fault: fault}
	switch m.Fault.Kind {
	case code.FaultPlays, code.FaultQueue, code.FaultSteps, code.FaultOptions, code.FaultPath:
		e.Limit = true
	}
	if m.Fault.Site > 0 && m.Fault.Site < len(g.unit.Sites) {
		e.Span = g.unit.Sites[m.Fault.Site]
	}
	return e
}
