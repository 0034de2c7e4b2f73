package suite

import (
	"errors"
	"fmt"

	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// recorded is a recorded game, and the game to replay it with.
type recorded struct {
	file *source.File
	rec  *record.Record
	game *interpreter.Game
}

// Recorded is a test that replays a recorded game by the rules of g. It passes if every event is possible and has the
// recorded effect. Otherwise it has one failure, at the first event that differs. file is the text of the record.
func Recorded(file *source.File, rec *record.Record, g *interpreter.Game) *Test {
	name := fmt.Sprintf("a recorded game of %s, seed %d", g.Rules().Name, rec.Header.Seed)
	return &Test{Name: name, Span: lineOf(file, 1), recorded: &recorded{file, rec, g}}
}

// lineOf is a line of a file, counted from 1.
func lineOf(file *source.File, n int) source.Span {
	at := file.LineStart(n)
	return file.Span(at, at+len(file.Line(n)))
}

// play replays the record up to the first difference, and returns where it ended; nil if it could not begin.
func (r *recorded) play() (*interpreter.Position, []interpreter.Failure) {
	p, err := r.rec.Begin(r.game)
	if err != nil {
		return nil, []interpreter.Failure{{Span: lineOf(r.file, 1), Message: fmt.Sprintf("the game cannot begin like this: %v", err)}}
	}
	again := r.rec.Replay(p)
	for _, e := range r.rec.Live() {
		err := again.Next(e)
		var misfit *record.MisfitError
		switch {
		case errors.As(err, &misfit):
			return p, []interpreter.Failure{{
				Span: lineOf(r.file, misfit.Event.Line), Message: fmt.Sprintf("%q does not fit the rules: %s", misfit.Event.String(), misfit.Reason),
				Position: misfit.Position.Copy(), Remarks: misfit.Remarks(),
			}}
		case err == nil:
			err = p.Err()
		}
		if err != nil {
			return p, []interpreter.Failure{{Span: lineOf(r.file, e.Line), Message: fmt.Sprintf("the rules fail: %v", err), Position: p}}
		}
	}
	return p, nil
}

// run runs the replay as a test.
func (r *recorded) run(result *Result, o *Options) {
	again := *r
	if o.Note {
		g, err := interpreter.CompileNoting(r.game.Rules())
		if err != nil {
			result.tooLarge(err)
			return
		}
		again.game = g
	}
	result.Game = again.game
	p, failures := again.play()
	if result.Failures = failures; len(failures) > 0 {
		result.Outcome = Failed
	}
	if p != nil && o.Note {
		result.Noted = make([]bool, len(again.game.Notes()))
		p.Noted(result.Noted)
	}
}
