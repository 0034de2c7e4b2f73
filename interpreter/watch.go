package interpreter

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Watcher gets what happens in a position while it goes on. Calls come from the goroutine that drives it. Until the
// position has come to its next node, what it says of a node is about the one before.
type Watcher interface {
	// Fired says that a clause took effect: a reaction ran, a duty narrowed the options, an option it offers was taken.
	Fired(x *model.Clause)
	// Acted says that an act is done, with its arguments as numbers of pieces, places, players or plain numbers.
	Acted(a *model.Act, args []int)
	// Put says that a piece was set down.
	Put(piece, from, to int)
}

// DutyWatcher is a Watcher that wants to know too which duties are not met because others come first.
type DutyWatcher interface {
	Watcher
	// Ignored says that options were like the duty x, and that by, which stands before it, has taken them all away.
	Ignored(x, by *model.Clause)
}

// watchLog passes the machine's events on.
type watchLog struct {
	game    *Game
	p       *Position
	watcher Watcher
	decided func(play int)
}

// Watch tells w what happens from now on; nil ends that.
func (p *Position) Watch(w Watcher) {
	if w == nil {
		p.m.Watch = nil
		return
	}
	p.m.Watch = &watchLog{game: p.game, p: p, watcher: w}
}

// Event implements the machine's watcher.
func (l *watchLog) Event(e vm.Event) {
	switch e.Kind {
	case vm.EventFire:
		if x := l.game.unit.Clauses[e.ID]; l.watcher != nil && x.Rule.Index != model.NoRule {
			l.watcher.Fired(x)
		}
	case vm.EventIgnored:
		if d, ok := l.watcher.(DutyWatcher); ok {
			d.Ignored(l.game.unit.Clauses[e.ID], l.game.unit.Clauses[e.Args[0]])
		}
	case vm.EventAct:
		if l.watcher != nil {
			a := l.game.rules.Acts[e.ID]
			args := make([]int, len(a.Params))
			for i := range args {
				args[i] = int(e.Args[i])
			}
			l.watcher.Acted(a, args)
		}
	case vm.EventPut:
		if l.watcher != nil {
			l.watcher.Put(e.ID, int(e.Args[0]), int(e.Args[1]))
		}
	case vm.EventDecided:
		if l.decided != nil {
			l.decided(e.ID)
		}
	}
}
