package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

type movesOptions struct {
	gameFlags
	file, throw, ruleset string
}

func (s *session) movesVerb() *cobra.Command {
	o := &movesOptions{}
	cmd := verb("moves", completeExt("json"), mode{low: 1, high: 1, what: "a FILE with a position", run: func(_ *cobra.Command, args []string) error {
		o.file = args[0]
		if o.throw == "" {
			return usagef("moves needs --throw N, or --throw N,N for several dice")
		}
		return s.moves(o)
	}})
	cmd.Flags().StringVar(&o.throw, "throw", "", "the `numbers` thrown, with commas between them")
	stringFlag(cmd, &o.ruleset, "ruleset", "", "", s.completeRuleset)
	o.bind(s, cmd)
	return cmd
}

func (s *session) moves(o *movesOptions) error {
	numbers, err := seq.Try(seq.Map(strings.Split(o.throw, ","), strings.TrimSpace), strconv.Atoi)
	if err != nil {
		return usagef("flag --throw: got %q, want numbers with commas between them", o.throw)
	}
	setup, err := onePosition(o.file)
	if err != nil {
		return err
	}
	pos, err := s.finderFor(o.file, o.ruleset, o.gameFlags).position(setup)
	if err != nil {
		return fmt.Errorf("%s: %w", o.file, err)
	}
	if pos.Kind() == interpreter.Over {
		return fmt.Errorf("%s: the game is over", o.file)
	}
	list, err := listMoves(pos, numbers)
	if err != nil {
		return err
	}
	var throw any = numbers
	if len(numbers) == 1 {
		throw = numbers[0]
	}
	return object.Line(s.out, object.Fields{{"throw", throw}, {"moves", list}})
}

// listMoves describes the options of the first count after a throw.
func listMoves(pos *interpreter.Position, numbers []int) ([]object.Fields, error) {
	offered, err := pos.Offered(numbers...)
	if err != nil {
		return nil, usagef("%v", err)
	}
	offered = slices.Clone(offered)
	acts := actsBetweenPieces(pos.Game())
	list := make([]object.Fields, 0, len(offered))
	for i, o := range offered {
		done, err := carryOut(pos, numbers, len(offered), i, acts)
		if err != nil {
			return nil, err
		}
		f := describe(pos.Game(), &o)
		if slices.ContainsFunc(offered, func(x interpreter.Option) bool {
			return x.Steps != o.Steps && x.Colour == o.Colour && x.From == o.From && x.To == o.To
		}) {
			f = append(f, object.Field{"steps", o.Steps})
		}
		for j, a := range acts {
			f = append(f, object.Field{a.Name + "s", done[j]})
		}
		list = append(list, f)
	}
	return list, nil
}

func describe(g *interpreter.Game, o *interpreter.Option) object.Fields {
	place := func(p int) any {
		if p == interpreter.None {
			return nil
		}
		return g.PlaceName(p)
	}
	if o.Piece == interpreter.None {
		return object.Fields{{"move", g.Rules().Moves[o.Move].Name}}
	}
	return object.Fields{{"colour", g.ColourName(o.Colour)}, {"from", place(o.From)}, {"to", place(o.To)}}
}

func actsBetweenPieces(g *interpreter.Game) []*model.Act {
	piece := model.Of(model.Piece)
	return seq.Filter(g.Rules().Acts, func(a *model.Act) bool {
		return len(a.Params) == 2 && a.Params[0].Type == piece && a.Params[1].Type == piece
	})
}

// carryOut throws and takes option i of count, and lists for each act the second pieces of those done meanwhile.
func carryOut(pos *interpreter.Position, numbers []int, count, i int, acts []*model.Act) ([][]string, error) {
	p := pos.Copy()
	w := &actWatcher{pos: p, acts: acts, done: seq.Of(len(acts), func(int) []string { return []string{} })}
	w.places = p.Places(nil)
	if count == 1 { // it decides itself, within the throw
		p.Watch(w)
	}
	if err := p.Throw(numbers...); err != nil {
		return nil, err
	}
	if count > 1 {
		if len(p.Options()) != count || p.Options()[i].Move == interpreter.None {
			return w.done, nil // something else is to be chosen first
		}
		w.places = p.Places(w.places[:0])
		p.Watch(w)
		if err := p.Choose(i); err != nil {
			return nil, err
		}
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	return w.done, nil
}

// actWatcher notes acts between two pieces.
type actWatcher struct {
	interpreter.Unwatched
	pos    *interpreter.Position
	acts   []*model.Act
	done   [][]string
	places []int
}

func (w *actWatcher) Put(piece, _, to int) { w.places[piece] = to }

func (w *actWatcher) Acted(a *model.Act, args []int) {
	if j := slices.Index(w.acts, a); j >= 0 && args[1] >= 0 {
		g := w.pos.Game()
		name := g.ColourName(w.pos.ColourOf(args[1])) + "@" + g.PlaceName(w.places[args[1]])
		w.done[j] = append(w.done[j], name)
	}
}
