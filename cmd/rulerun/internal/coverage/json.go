package coverage

import (
	"io"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/interpreter/cover"
)

// documentVersion is incremented when a key is removed or changes its meaning. New keys do not change it.
const documentVersion = 1

type document struct {
	Version     int        `json:"version"`
	Tool        string     `json:"tool"`
	ToolVersion string     `json:"tool_version"`
	Tests       []jsonTest `json:"tests"`
	Files       []jsonFile `json:"files"`
	jsonCount
}

type jsonCount struct {
	Covered int `json:"covered"`
	Total   int `json:"total"`
	Percent int `json:"percent"`
}

type jsonTest struct {
	Name   string   `json:"name"`
	File   string   `json:"file"`
	Line   int      `json:"line"`
	Cites  []string `json:"cites"`
	Passed bool     `json:"passed"`
}

type jsonFile struct {
	File  string `json:"file"`
	Title string `json:"title"`
	jsonCount
	Kinds  map[cover.Kind]jsonCount `json:"kinds"`
	Groups []jsonGroup              `json:"groups"`
}

type jsonGroup struct {
	Declaration string `json:"declaration"`
	Name        string `json:"name,omitempty"`
	Words       string `json:"words,omitempty"`
	Line        int    `json:"line"`
	jsonCount
	Points []jsonPoint `json:"points"`
}

type jsonPoint struct {
	Kind    cover.Kind `json:"kind"`
	What    string     `json:"what,omitempty"`
	Line    int        `json:"line"`
	Column  int        `json:"column"`
	Text    string     `json:"text,omitempty"`
	Covered bool       `json:"covered"`
	Tests   []int      `json:"tests"`
	Missing string     `json:"missing,omitempty"`
	Implied bool       `json:"implied,omitempty"`
	Advice  string     `json:"advice,omitempty"`
}

func countOf(n cover.Count) jsonCount { return jsonCount{n.Covered, n.Total, n.Percent()} }

// WriteJSON writes the coverage as schema/coverage.schema.json of package report describes it.
func (s *Sheet) WriteJSON(w io.Writer) error {
	d := document{Version: documentVersion, Tool: "rulerun", ToolVersion: s.Version, Tests: []jsonTest{}, Files: []jsonFile{}, jsonCount: countOf(s.Count())}
	for _, t := range s.Tests {
		d.Tests = append(d.Tests, jsonTest{t.Name, t.File, t.Line, append([]string{}, t.Cites...), t.Passed})
	}
	for _, f := range s.Files {
		d.Files = append(d.Files, fileOf(f))
	}
	return object.Indented(w, d)
}

func fileOf(f *cover.File) jsonFile {
	out := jsonFile{File: f.Source.Name(), Title: f.Title, jsonCount: countOf(f.All), Kinds: map[cover.Kind]jsonCount{}, Groups: []jsonGroup{}}
	for k, n := range f.ByKind {
		out.Kinds[k] = countOf(n)
	}
	for i := range f.Groups {
		g := &f.Groups[i]
		j := jsonGroup{Declaration: g.Word, Name: g.Name, Words: g.Words, Line: g.Head.Position().Line, jsonCount: countOf(g.Count()), Points: []jsonPoint{}}
		for k := range g.Points {
			p := &g.Points[k]
			at := p.Span.Position()
			j.Points = append(j.Points, jsonPoint{
				Kind: p.Kind, What: p.What, Line: at.Line, Column: at.Column, Text: short(p.Span.Text()), Covered: p.Missing == "",
				Tests: append([]int{}, p.Tests...), Missing: p.Missing, Implied: p.Implied, Advice: p.Advice,
			})
		}
		out.Groups = append(out.Groups, j)
	}
	return out
}
