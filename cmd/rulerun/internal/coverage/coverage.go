// Package coverage prints the coverage of rule files by their tests: as a table for people, as JSON for programs, and
// as a page that shows the rules with a mark on every clause and condition.
//
// Package interpreter/cover computes the figures; nothing here counts. Note: the page is a
// single file. It opens from a disk, in a mail or beside the logs of a build.
package coverage

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/cover"
)

// Sheet is the coverage of rule files by tests. It belongs to one goroutine; writing does not change it.
type Sheet struct {
	Version string // of the program
	Tests   []cover.Test
	Files   []*cover.File
}

// Count is the number of points in all files.
func (s *Sheet) Count() cover.Count {
	return cover.Count{
		Covered: seq.Sum(s.Files, func(f *cover.File) int { return f.All.Covered }),
		Total:   seq.Sum(s.Files, func(f *cover.File) int { return f.All.Total }),
	}
}

// listing is a declaration with its missing points.
type listing struct {
	group *cover.Group
	gaps  []*cover.Point
}

// byGroup lists the declarations with gaps, the most important gap first.
func byGroup(f *cover.File) []listing {
	var out []listing
	for _, g := range f.Gaps() {
		i := slices.IndexFunc(out, func(l listing) bool { return l.group == g.Group })
		if i < 0 {
			i = len(out)
			out = append(out, listing{group: g.Group})
		}
		out[i].gaps = append(out[i].gaps, g.Point)
	}
	return out
}

// WriteText writes a table of the missing points of each file, then the totals.
func (s *Sheet) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, f := range s.Files {
		fmt.Fprintf(&b, "coverage of %s by %s\n\n", f.Source.Name(), diag.Plural(len(s.Tests), "test"))
		for _, l := range byGroup(f) {
			n := l.group.Count()
			fmt.Fprintf(&b, "%s  %d of %d\n", l.group.Title(), n.Covered, n.Total)
			for _, p := range l.gaps {
				fmt.Fprintf(&b, "  %7s  %s%s\n", placeIn(f, p), p.Missing, excerpt(p))
			}
			b.WriteString("\n")
		}
		table(&b, f)
	}
	if n := s.Count(); len(s.Files) > 1 && n.Total > 0 {
		fmt.Fprintf(&b, "all files: %d of %d, %d %%\n", n.Covered, n.Total, n.Percent())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// placeIn is the place of a point: line and column in the rule file, or file and line in another one.
func placeIn(f *cover.File, p *cover.Point) string {
	at := p.Span.Position()
	switch {
	case p.Span.Start == p.Span.End:
		return ""
	case p.Span.File != f.Source:
		return fmt.Sprintf("%s:%d", path.Base(filepath.ToSlash(p.Span.Name())), at.Line)
	}
	return fmt.Sprintf("%d:%d", at.Line, at.Column)
}

// table writes how many points of each kind are exercised.
func table(b *strings.Builder, f *cover.File) {
	line := func(name string, n cover.Count) {
		fmt.Fprintf(b, "  %-12s %4d of %-4d %3d %%\n", name, n.Covered, n.Total, n.Percent())
	}
	for _, k := range cover.Kinds() {
		if n := f.ByKind[k]; n.Total > 0 {
			line(kindWords[k], n)
		}
	}
	if f.All.Total == 0 {
		b.WriteString("  nothing to cover\n\n")
		return
	}
	line("all", f.All)
	b.WriteString("\n")
}

// kindWords are the names of the kinds of point in tables.
var kindWords = map[cover.Kind]string{
	cover.Clauses: "clauses", cover.Conditions: "conditions", cover.Statements: "statements", cover.Names: "names",
	cover.Values: "options", cover.Players: "players", cover.IDs: "clause ids",
}

// maxExcerpt is the maximum length in characters of an excerpt.
const maxExcerpt = 70

// excerpt is the source text of a point on one line, unless its name contains it already.
func excerpt(p *cover.Point) string {
	if p.Kind == cover.Values || p.Kind == cover.Players || p.Kind == cover.IDs {
		return ""
	}
	text := p.Span.Text()
	if i := strings.Index(text, "{"); p.Kind == cover.Clauses && i > 0 {
		text = text[:i]
	}
	return ": " + short(text)
}

func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > maxExcerpt {
		text = string([]rune(text)[:maxExcerpt-1]) + "…"
	}
	return text
}

// Below says by how much the coverage is below a minimum, and what to test first; "" if it is not below.
func (s *Sheet) Below(percent int) string {
	n := s.Count()
	if n.Covered*100 >= percent*n.Total {
		return ""
	}
	need := (percent*n.Total + 99) / 100
	var b strings.Builder
	fmt.Fprintf(&b, "coverage is %d %%, less than the %d %% asked for: %d of %d points, %d too few\n", n.Percent(), percent, n.Covered, n.Total, need-n.Covered)
	const most = 3
	left := most
	for _, f := range s.Files {
		for _, g := range f.Gaps() {
			if left == 0 {
				return b.String()
			}
			if left == most {
				b.WriteString("test first:\n")
			}
			left--
			at := g.Point.Span.Position()
			fmt.Fprintf(&b, "  %s:%d:%d: %s, %s%s\n", f.Source.Name(), at.Line, at.Column, g.Group.Title(), g.Point.Missing, excerpt(g.Point))
		}
	}
	return b.String()
}
