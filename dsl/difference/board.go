package difference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// boardChanges lists the differences between the boards of two rule books; their drawing does not count.
func boardChanges(old, new *model.Rules) []Change {
	if old == nil || new == nil || old.Board == new.Board {
		return nil
	}
	b := &boardComparison{old: old.Board, new: new.Board}
	b.list("colours", colourNames(b.old), colourNames(b.new))
	if was, is := both(colourNames(b.old), colourNames(b.new)), both(colourNames(b.new), colourNames(b.old)); !slices.Equal(was, is) {
		b.add(Change{Section: Board, Kind: "order", Name: "colours", Lines: []Line{{'-', strings.Join(was, ", ")}, {'+', strings.Join(is, ", ")}}})
	}
	b.list("zones", placeNames(b.old, true), placeNames(b.new, true))
	b.list("squares", placeNames(b.old, false), placeNames(b.new, false))
	b.named("squares of", b.families)
	b.named("tag", tags)
	b.named("attribute", attributes)
	b.named("landmark", landmarks)
	b.named("track", tracks)
	b.list("track in use", []string{old.Track.Name}, []string{new.Track.Name})
	return b.changes
}

type boardComparison struct {
	old, new *boards.Board
	changes  []Change
}

// maxNamed limits how many places one line lists.
const maxNamed = 24

// list compares unnamed items of a board.
func (b *boardComparison) list(kind string, was, is []string) {
	b.add(Change{Section: Board, Kind: kind, Lines: b.lines(was, is)})
}

// named compares named items of a board: the squares with a tag, the places of a landmark.
func (b *boardComparison) named(kind string, items func(*boards.Board) table) {
	was, is := items(b.old), items(b.new)
	for _, name := range append(slices.Clone(was.names), without(is.names, was.names)...) {
		ch := Change{Section: Board, Kind: kind, Name: name, Lines: b.lines(was.of[name], is.of[name])}
		switch {
		case !slices.Contains(was.names, name):
			ch.What = Added
		case !slices.Contains(is.names, name):
			ch.What = Gone
		}
		b.add(ch)
	}
}

func (b *boardComparison) add(ch Change) {
	if len(ch.Lines) > 0 || ch.What != Changed {
		b.changes = append(b.changes, ch)
	}
}

// lines lists the elements that only one of two lists has.
func (b *boardComparison) lines(was, is []string) []Line {
	var out []Line
	for _, side := range []struct {
		mark       byte
		all, other []string
	}{{'-', was, is}, {'+', is, was}} {
		lone := without(side.all, side.other)
		if len(lone) == 0 {
			continue
		}
		more := ""
		if len(lone) > maxNamed {
			more = fmt.Sprintf(" … (%d in all)", len(lone))
			lone = lone[:maxNamed]
		}
		separator := " "
		if strings.Contains(strings.Join(lone, ""), " ") {
			separator = ", "
		}
		out = append(out, Line{side.mark, strings.Join(lone, separator) + more})
	}
	return out
}

func without(all, taken []string) []string {
	set := seq.Set(taken, func(x string) string { return x })
	return slices.DeleteFunc(slices.Clone(all), func(x string) bool { return set[x] })
}

func colourNames(b *boards.Board) []string {
	return seq.Map(b.Colours, func(c boards.Colour) string { return c.Name })
}

func placeNames(b *boards.Board, zone bool) []string {
	return seq.Map(seq.Filter(b.Places, func(p boards.Place) bool { return p.Zone == zone }), func(p boards.Place) string { return p.Name })
}

// families lists the squares of families that both boards have. Added and removed squares are reported separately.
func (b *boardComparison) families(of *boards.Board) table {
	return squares(of, of.Families, func(p boards.Place, family int) bool {
		_, inOld := b.old.Place(p.Name)
		_, inNew := b.new.Place(p.Name)
		return p.Family == family && inOld && inNew
	})
}

func tags(b *boards.Board) table {
	return squares(b, b.Tags, func(p boards.Place, tag int) bool { return p.Tags[tag] })
}

// squares lists the squares that belong to each of some names.
func squares(b *boards.Board, names []string, belongs func(p boards.Place, name int) bool) table {
	i := -1
	return tableOf(names, func(name string) (string, []string) {
		i++
		of := b.SquaresOf(func(p boards.Place) bool { return belongs(p, i) })
		return name, seq.Map(of, func(place int) string { return b.Places[place].Name })
	})
}

// table is a mapping of a board by name.
type table struct {
	names []string
	of    map[string][]string
}

func tableOf[T any](list []T, entry func(x T) (name string, what []string)) table {
	out := table{of: map[string][]string{}}
	for _, x := range list {
		name, what := entry(x)
		out.names, out.of[name] = append(out.names, name), what
	}
	return out
}

func attributes(b *boards.Board) table {
	return tableOf(b.Attributes, func(a boards.Attribute) (string, []string) { return a.Name, b.Pairs(a) })
}

func landmarks(b *boards.Board) table {
	return tableOf(b.Landmarks, func(l boards.Landmark) (name string, at []string) {
		for c, place := range l.Values {
			if place != boards.None {
				at = append(at, b.Colours[c].Name+" "+b.Places[place].Name)
			}
		}
		return l.Name, at
	})
}

// tracks prints the track of each colour. Different tracks have different texts.
func tracks(b *boards.Board) table {
	return tableOf(b.Tracks, func(t boards.Track) (name string, runs []string) {
		return t.Name, seq.Of(len(t.Runs), func(c int) string { return b.Colours[c].Name + ": " + way(b, t.Runs[c]) })
	})
}

// way prints a run; consecutive squares are abbreviated as from-to.
func way(b *boards.Board, run boards.Run) string {
	name := func(n int) string { return b.Places[run.Nodes[n].Place].Name }
	var parts []string
	for n := 0; n < len(run.Nodes); n++ {
		from := n
		for n+1 < len(run.Nodes) && len(run.Nodes[n].Next) == 1 && run.Nodes[n].Next[0] == n+1 && boards.Follows(name(n), name(n+1)) {
			n++
		}
		text := name(from)
		if n > from {
			text += " to " + name(n)
		}
		if next := run.Nodes[n].Next; len(next) > 1 || len(next) == 1 && next[0] != n+1 {
			text += " (then " + strings.Join(seq.Map(next, name), " or ") + ")"
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("%d places: %s", len(run.Nodes), strings.Join(parts, " "))
}
