package interpreter

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Watcher gets the events of a position while it goes on. Calls come from the goroutine that drives it. During a
// call, the methods of the position about the node describe the previous node.
type Watcher interface {
	// Fired reports that a clause took effect: a reaction ran, a duty narrowed the options, an option of a may was
	// taken.
	Fired(x *model.Clause)
	// Acted reports that an act is done, with its arguments as numbers of pieces, places, players or plain numbers.
	Acted(a *model.Act, args []int)
	// Put reports that a piece was set down.
	Put(piece, from, to int)
}

// Unwatched is a Watcher that ignores all events. A watcher of some of them embeds it.
type Unwatched struct{}

// Fired implements Watcher.
func (Unwatched) Fired(*model.Clause) {}

// Acted implements Watcher.
func (Unwatched) Acted(*model.Act, []int) {}

// Put implements Watcher.
func (Unwatched) Put(_, _, _ int) {}

// DutyWatcher is a Watcher that also gets the duties that are overridden by others.
type DutyWatcher interface {
	Watcher
	// Ignored reports that some options met the duty x, and that by, which has priority, removed all of them.
	Ignored(x, by *model.Clause)
}

// GiveWatcher is a Watcher that also gets the pieces that change hands.
type GiveWatcher interface {
	Watcher
	// Given reports that a piece went from one colour to another.
	Given(piece, from, to int)
}

// TurnWatcher is a Watcher that also gets the end of each turn, and of the setup of the rules.
type TurnWatcher interface {
	Watcher
	// TurnEnded reports that a turn is over. What comes next is of the next one.
	TurnEnded()
}

// watchLog forwards the machine's events.
type watchLog struct {
	game    *Game
	watcher Watcher
	decided func(play int)
	asked   func(question int)
}

// Watch sends all further events to w; nil ends that.
func (p *Position) Watch(w Watcher) {
	if w == nil {
		p.m.Watch = nil
		return
	}
	p.m.Watch = &watchLog{game: p.game, watcher: w}
}

// Event implements the machine's watcher.
func (l *watchLog) Event(e vm.Event) {
	switch e.Kind {
	case vm.EventFire:
		if x := l.game.unit.Clauses[e.ID]; x.Rule.Index != model.NoRule {
			l.watcher.Fired(x)
		}
	case vm.EventIgnored:
		if d, ok := l.watcher.(DutyWatcher); ok {
			d.Ignored(l.game.unit.Clauses[e.ID], l.game.unit.Clauses[e.Args[0]])
		}
	case vm.EventAct:
		a := l.game.rules.Acts[e.ID]
		l.watcher.Acted(a, seq.Of(len(a.Params), func(i int) int { return int(e.Args[i]) }))
	case vm.EventPut:
		l.watcher.Put(e.ID, int(e.Args[0]), int(e.Args[1]))
	case vm.EventGiven:
		if w, ok := l.watcher.(GiveWatcher); ok {
			w.Given(e.ID, int(e.Args[0]), int(e.Args[1]))
		}
	case vm.EventTurnEnds:
		if w, ok := l.watcher.(TurnWatcher); ok {
			w.TurnEnded()
		}
	case vm.EventDecided:
		if l.decided != nil {
			l.decided(e.ID)
		}
	case vm.EventAsked:
		if l.asked != nil {
			l.asked(e.ID)
		}
	}
}
