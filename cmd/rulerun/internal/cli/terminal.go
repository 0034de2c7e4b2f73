package cli

import (
	"context"
	"os"

	"golang.org/x/term"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/fullscreen"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/table"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/watch"
	"github.com/rulerun/rulerun/dsl/seq"
)

// terminal is the file behind a stream if a person looks at it, nil otherwise.
func terminal(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// color reports whether to use colours on a stream: terminals get them unless NO_COLOR is set.
func (s *session) color(stream any) bool {
	return s.getenv("NO_COLOR") == "" && s.getenv("TERM") != "dumb" && terminal(stream) != nil
}

// size is how many columns and rows the terminal behind a stream has, zeros if it is none.
func size(stream any) (columns, rows int) {
	f := terminal(stream)
	if f == nil {
		return 0, 0
	}
	columns, rows, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, 0
	}
	return columns, rows
}

// wholeScreen reports whether a game is shown on the whole terminal: one that people look at and type on, and large enough.
func (s *session) wholeScreen() bool {
	columns, rows := size(s.out)
	return terminal(s.in) != nil && s.getenv("TERM") != "dumb" && columns >= fullscreen.MinColumns && rows >= fullscreen.MinRows
}

// changes brings the game of the flags anew whenever one of its files changes, until the context ends.
func (s *session) changes(ctx context.Context, o *playOptions) <-chan fullscreen.Change {
	out := make(chan fullscreen.Change)
	begin := watchSet(seq.Filter(append([]string{o.ruleset}, o.with...), isPath), append([]string{".rules"}, boards.Endings...)...)
	go func() {
		defer close(out)
		_ = watch.Loop(ctx, begin, func(first bool) ([]string, bool) { // without it the game goes on by the rules it has
			flags := o.gameFlags
			flags.trail = &trail{}
			_, g, err := s.loadGame(o.ruleset, &flags)
			if !first {
				select {
				case out <- fullscreen.Change{Game: g, Err: err}:
				case <-ctx.Done():
				}
			}
			return flags.trail.files(), false
		})
	}()
	return out
}

// lineScreen is the output of play by lines.
func (s *session) lineScreen() *table.Screen {
	return &table.Screen{Out: s.out, Color: s.color(s.out), Size: func() (int, int) { return size(s.out) }}
}

// screen is the terminal that games are shown on.
func (s *session) screen() fullscreen.Terminal {
	return fullscreen.Terminal{In: s.in, Out: s.out, Env: os.Environ(), Color: s.color(s.out)}
}

// playOnScreen plays a game on the whole terminal; more says that another one follows.
func (s *session) playOnScreen(ctx context.Context, game *door.Session, before []string, log *log, o *playOptions, more bool) (door.Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g := &fullscreen.Game{Session: game, Before: before, AutoThrow: o.autoThrow, Explain: o.why, Save: save, Kept: log.path, More: more}
	if o.watch {
		g.Changed = s.changes(ctx, o)
	}
	return fullscreen.Play(ctx, s.screen(), g)
}
