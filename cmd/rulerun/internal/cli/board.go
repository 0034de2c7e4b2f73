package cli

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

type boardOptions struct {
	arg      string
	set      []string
	svg, png string
	position string
}

func (s *session) boardVerb() *cobra.Command {
	o := &boardOptions{}
	cmd := verb("board", completeBoard, mode{low: 1, high: 1, what: "a board's NAME or FILE", run: func(_ *cobra.Command, args []string) error {
		o.arg = args[0]
		return s.board(o)
	}})
	bindLang(cmd, new(string))
	cmd.Flags().StringArrayVar(&o.set, "set", nil, "")
	stringFlag(cmd, &o.svg, "svg", "", "", completeExt("svg"))
	stringFlag(cmd, &o.png, "png", "", "", completeExt("png"))
	stringFlag(cmd, &o.position, "position", "", "", completeExt("json"))
	return cmd
}

// boardFile finds a board by its name or path.
func (s *session) boardFile(arg string) (*source.File, boards.Opener, error) {
	if slices.Contains(boards.Endings, filepath.Ext(arg)) || strings.ContainsAny(arg, `/\`) {
		if err := wantFile(arg); err != nil {
			return nil, nil, err
		}
		file, err := readSource(arg, boards.MaxBytes)
		return file, s.boardsBeside(arg, nil), err
	}
	if file, ok := s.library().Board(arg, nil); ok {
		return file, func(name string) (*source.File, bool) { return s.library().Board(name, nil) }, nil
	}
	e := told("usage.no_board", "name", strconv.Quote(arg)).nearest(arg, boards.Names())
	if _, err := os.Stat(arg + ".yaml"); err == nil {
		e.hinted("usage.write_file", "file", arg+".yaml")
	}
	return nil, nil, e
}

func (s *session) board(o *boardOptions) error {
	if o.svg == "-" && o.png == "-" {
		return told("usage.one_output", "flags", []string{"--svg", "--png"})
	}
	file, open, err := s.boardFile(o.arg)
	if err != nil {
		return err
	}
	params, err := s.boardParameters(o, file, open)
	if err != nil {
		return err
	}
	b, faults := boards.Read(file, params, open)
	if err := s.report(faults); err != nil {
		return err
	}
	b = s.boardIn(b, strings.TrimSuffix(filepath.Base(o.arg), filepath.Ext(o.arg)))
	var pieces []boards.Standing
	if o.position != "" {
		if pieces, err = standings(b, o.position); err != nil {
			return err
		}
	}
	if o.svg != "" || o.png != "" {
		return s.drawFiles(
			drawing{o.svg, func(w io.Writer) error { return boards.SVG(w, b, pieces) }},
			drawing{o.png, func(w io.Writer) error { return picture.ScenePNG(w, b.Scene(pieces)) }},
		)
	}
	columns, _ := size(s.out)
	if err := boards.Text(s.out, b, pieces, boards.TextOptions{Color: s.color(s.out), Width: columns}); err != nil {
		return err
	}
	fmt.Fprintln(s.out)
	return s.describeBoard(b)
}

func (s *session) boardParameters(o *boardOptions, file *source.File, open boards.Opener) (map[string]int, error) {
	texts, err := (&gameFlags{set: o.set}).options()
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	known, faults := boards.Parameters(file, open)
	if err := s.report(faults); err != nil {
		return nil, err
	}
	params := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		i := slices.IndexFunc(known, func(p boards.Parameter) bool { return p.Name == name })
		if i < 0 {
			names := seq.Map(known, func(p boards.Parameter) string { return p.Name })
			e := told("usage.no_parameter", "board", o.arg, "name", strconv.Quote(name)).nearest(name, names)
			if len(known) == 0 {
				e.hinted("usage.no_parameters")
			}
			return nil, e
		}
		n, err := strconv.Atoi(texts[name])
		if err != nil || n < known[i].From || n > known[i].To {
			return nil, told("usage.parameter", "name", name, "low", known[i].From, "high", known[i].To, "got", strconv.Quote(texts[name]))
		}
		params[name] = n
	}
	return params, nil
}

// standings puts the pieces of a position on a board; no rules are asked.
func standings(b *boards.Board, path string) ([]boards.Standing, error) {
	setup, err := onePosition(path)
	if err != nil {
		return nil, err
	}
	var out []boards.Standing
	for _, name := range slices.Sorted(maps.Keys(setup.Pieces)) {
		colour := b.Colour(name)
		if colour == boards.None {
			return nil, recordFault(path, "board.no_colour", "name", strconv.Quote(name))
		}
		for _, square := range setup.Pieces[name] {
			place, ok := b.Place(square)
			if !ok {
				return nil, recordFault(path, "board.no_place", "name", strconv.Quote(square))
			}
			out = append(out, boards.Standing{Place: place, Colour: colour})
		}
	}
	return out, nil
}

func (s *session) describeBoard(b *boards.Board) error {
	var text strings.Builder
	line := func(key, format string, args ...any) {
		fmt.Fprintf(&text, "%-11s %s\n", s.say("board."+key), fmt.Sprintf(format, args...))
	}
	called := func(name, words string) string { // the name is what rule files say
		if s.lang == "" || words == "" || words == name {
			return name
		}
		return name + " (" + words + ")"
	}
	line("board", "%s", strings.TrimSuffix(b.Name+": "+b.Title, ": "))
	for _, p := range b.Parameters {
		line("parameter", "%s = %d (%d..%d)", p.Name, p.Value, p.From, p.To)
	}
	line("colours", "%s", strings.Join(seq.Map(b.Colours, func(c boards.Colour) string { return called(c.Name, c.Words) }), ", "))
	if zones := seq.Filter(b.Places, func(p boards.Place) bool { return p.Zone }); len(zones) > 0 {
		line("zones", "%s", strings.Join(seq.Map(zones, func(p boards.Place) string { return called(p.Name, p.Words) }), ", "))
	}
	for i, f := range b.Families {
		line("squares", "%s: %s", f, placeList(b, b.SquaresOf(func(p boards.Place) bool { return p.Family == i })))
	}
	for i, tag := range b.Tags {
		line("tag", "%s: %s", called(tag, b.Sign(tag)), placeList(b, b.SquaresOf(func(p boards.Place) bool { return p.Tags[i] })))
	}
	for _, a := range b.Attributes {
		line("attribute", "%s: %s", called(a.Name, b.Sign(a.Name)), strings.Join(b.Pairs(a), ", "))
	}
	for _, l := range b.Landmarks {
		at := seq.Of(len(l.Values), func(c int) string { return b.Colours[c].Name + " " + b.Places[l.Values[c]].Name })
		line("landmark", "%s: %s", called(l.Name, b.Sign(l.Name)), strings.Join(at, ", "))
	}
	for _, t := range b.Tracks {
		for c, run := range t.Runs {
			line("track", "%s, %s: %s", t.Name, b.Colours[c].Name, s.runText(b, run))
		}
	}
	_, err := io.WriteString(s.out, text.String())
	return err
}

// boardIn is a board in the language of players; of is the name of its file without the ending.
func (s *session) boardIn(b *boards.Board, of string) *boards.Board {
	if s.lang == "" {
		return b
	}
	return b.In(s.library().Words(append(append([]string{of}, b.Bases...), boards.Drawing), s.lang))
}

// placeList names places, with the number of them; long lists are cut.
func placeList(b *boards.Board, places []int) string {
	const most = 16
	names := seq.Map(places, func(p int) string { return b.Places[p].Name })
	if len(names) > most {
		names = append(append(slices.Clone(names[:most-4]), "…"), names[len(names)-1])
	}
	return fmt.Sprintf("%s (%d)", strings.Join(names, " "), len(places))
}

// runText is a track in short: its first and last places, its length, forks and where it leads back to.
func (s *session) runText(b *boards.Board, run boards.Run) string {
	name := func(n int) string { return b.Places[run.Nodes[n].Place].Name }
	main := []int{0}
	seen := map[int]bool{0: true}
	back := ""
	for n := 0; len(run.Nodes[n].Next) > 0; {
		next := run.Nodes[n].Next[0]
		if seen[next] {
			back = name(next)
			break
		}
		seen[next] = true
		main = append(main, next)
		n = next
	}
	forks := seq.Count(run.Nodes, func(n boards.Node) bool { return len(n.Next) > 1 })
	text := s.say("board.run", "from", name(0), "to", name(main[len(main)-1]), "n", len(main))
	if forks > 0 {
		text = s.say("board.forks", "run", text, "n", forks)
	}
	if back != "" {
		text = s.say("board.back", "run", text, "to", back)
	}
	return text
}
