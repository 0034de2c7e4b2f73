package coverage

import (
	"io"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/cover"
)

func countFields(n cover.Count) object.Fields {
	return object.Fields{{"covered", n.Covered}, {"total", n.Total}, {"percent", n.Percent()}}
}

// WriteJSON writes the coverage as schema/coverage.schema.json of package report describes it.
func (s *Sheet) WriteJSON(w io.Writer) error {
	tests := []object.Fields{}
	for _, t := range s.Tests {
		tests = append(tests, object.Fields{{"name", t.Name}, {"file", t.File}, {"line", t.Line}, {"cites", append([]string{}, t.Cites...)}, {"passed", t.Passed}})
	}
	files := append([]object.Fields{}, seq.Map(s.Files, fileFields)...)
	f := append(object.Head(1, s.Version), object.Fields{{"tests", tests}, {"files", files}}...)
	return object.Indented(w, append(f, countFields(s.Count())...))
}

func fileFields(f *cover.File) object.Fields {
	kinds, groups := map[cover.Kind]object.Fields{}, []object.Fields{}
	for k, n := range f.ByKind {
		kinds[k] = countFields(n)
	}
	for _, g := range f.Groups {
		points := append([]object.Fields{}, seq.Map(g.Points, pointFields)...)
		j := object.Fields{{"declaration", g.Word}}.Some("name", g.Name).Some("words", g.Words)
		j = append(append(j, object.Field{"line", g.Head.Position().Line}), countFields(g.Count())...)
		groups = append(groups, append(j, object.Field{"points", points}))
	}
	out := append(object.Fields{{"file", f.Source.Name()}, {"title", f.Title}}, countFields(f.All)...)
	return append(out, object.Fields{{"kinds", kinds}, {"groups", groups}}...)
}

func pointFields(p cover.Point) object.Fields {
	at := p.Span.Position()
	f := object.Fields{{"kind", p.Kind}}.Some("what", p.What)
	f = append(f, object.Fields{{"line", at.Line}, {"column", at.Column}}...).Some("text", short(p.Span.Text()))
	f = append(f, object.Fields{{"covered", p.Missing == ""}, {"tests", append([]int{}, p.Tests...)}}...)
	return f.Some("missing", p.Missing).Some("implied", p.Implied).Some("advice", p.Advice)
}
