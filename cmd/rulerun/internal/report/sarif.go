package report

import (
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pages"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	home        = "https://github.com/rulerun/rulerun"
	reference   = home + "/blob/main/dsl/"
	root        = "%SRCROOT%" // the folder the command was run in, by the name that readers know
)

// sarifText is a text as the standard has it.
func sarifText(text string) object.Fields { return object.Fields{{"text", text}} }

// writeSARIF prints the subset of SARIF 2.1.0 that rulerun uses.
func writeSARIF(w io.Writer, r *Run) error {
	exit := 0
	if r.Failed() {
		exit = 1
	}
	rules, results := []object.Fields{}, []object.Fields{}
	marks := r.prints()
	known := map[string]int{}
	add := func(d diag.Diagnostic, suppressions []object.Fields) {
		if _, ok := known[d.Code]; !ok {
			known[d.Code] = len(rules)
			rules = append(rules, ruleOf(d))
		}
		x := r.sarifResult(d, known[d.Code], marks)
		if suppressions != nil {
			x = append(x, object.Field{"suppressions", suppressions})
		}
		results = append(results, x)
	}
	// The standard requires suppressions in all results or in none: if some have them, the others have an empty list.
	var open []object.Fields
	if len(r.Silenced) > 0 {
		open = []object.Fields{}
	}
	for _, d := range r.all() {
		add(d, open)
	}
	for _, s := range r.Silenced {
		add(s.Diagnostic, []object.Fields{{{"kind", "inSource"}, {"justification", s.By.Reason}}})
	}
	driver := append(object.Fields{{"name", "rulerun"}}.Some("version", numeric(r.Version)), object.Fields{{"informationUri", home}, {"rules", rules}}...)
	return object.Indented(w, object.Fields{{"$schema", sarifSchema}, {"version", "2.1.0"}, {"runs", []object.Fields{{
		{"tool", object.Fields{{"driver", driver}}},
		{"invocations", []object.Fields{{{"executionSuccessful", true}, {"exitCode", exit}}}},
		{"originalUriBaseIds", object.Fields{{root, object.Fields{{"description", sarifText("The folder rulerun was run in.")}}}}},
		{"columnKind", "utf16CodeUnits"},
		{"results", results},
	}}}})
}

// numeric is a version that begins with its number, so that readers can compare versions; "" for one without.
func numeric(version string) string {
	version = strings.TrimPrefix(version, "v")
	if version == "" || version[0] < '0' || version[0] > '9' {
		return ""
	}
	return version
}

// ruleOf describes the code of a finding, from its page in the reference if it has one.
func ruleOf(d diag.Diagnostic) object.Fields {
	short, uri := strings.ReplaceAll(d.Code, "-", " ")+".", reference+"pages/README.md"
	full := short
	var help object.Fields
	if p, ok := pages.Find(d.Code); ok {
		short, uri = p.Title+".", reference+"pages/"+p.Code+".md"
		full, help = short, object.Fields{{"text", p.Text}, {"markdown", p.Text}}
		if _, meaning, ok := strings.Cut(p.Text, "\n## What it means\n\n"); ok {
			paragraph, _, _ := strings.Cut(meaning, "\n\n")
			full = squeeze(paragraph)
		}
	}
	x := object.Fields{{"id", d.Code}, {"shortDescription", sarifText(short)}, {"fullDescription", sarifText(full)}}.Some("help", help)
	return append(x, object.Fields{{"helpUri", uri}, {"defaultConfiguration", object.Fields{{"level", d.Severity.String()}}}}...)
}

// sarifResult is a finding; rule is the index of its rule.
func (r *Run) sarifResult(d diag.Diagnostic, rule int, marks *prints) object.Fields {
	message := words(d)
	var at, related []object.Fields
	if !d.Span.IsZero() {
		at = []object.Fields{{r.sarifLocation(d.Span)}}
	}
	for _, n := range d.Notes {
		if n.Span.IsZero() {
			message += "\nnote: " + n.Message
			continue
		}
		related = append(related, object.Fields{{"id", len(related)}, r.sarifLocation(n.Span), {"message", sarifText(n.Message)}})
	}
	x := object.Fields{{"ruleId", d.Code}, {"ruleIndex", rule}, {"level", d.Severity.String()}, {"message", sarifText(message)}}
	x = x.Some("locations", at).Some("relatedLocations", related)
	return append(x, object.Field{"partialFingerprints", object.Fields{{"rulerun/v1", marks.of(d)}}}).Some("fixes", seq.Map(d.Fixes, r.sarifFix))
}

// sarifFix groups the edits of a fix by file.
func (r *Run) sarifFix(f diag.Fix) object.Fields {
	file := func(e diag.Edit) string { return e.Span.Name() }
	edits := seq.Group(f.Edits, file)
	changes := seq.Map(seq.Distinct(seq.Map(f.Edits, file)), func(name string) object.Fields {
		replacements := seq.Map(edits[name], func(e diag.Edit) object.Fields {
			return object.Fields{{"deletedRegion", regionOf(e.Span)}, {"insertedContent", sarifText(e.New)}}
		})
		return object.Fields{{"artifactLocation", r.artifact(name)}, {"replacements", replacements}}
	})
	return object.Fields{{"description", sarifText(f.Title)}, {"artifactChanges", changes}}
}

func (r *Run) sarifLocation(s source.Span) object.Field {
	return object.Field{"physicalLocation", object.Fields{{"artifactLocation", r.artifact(s.Name())}, {"region", regionOf(s)}}}
}

// artifact names a file by a URI, relative if the file is below the folder the command was run in.
func (r *Run) artifact(name string) object.Fields {
	name = r.path(name)
	if filepath.IsAbs(filepath.FromSlash(name)) {
		return object.Fields{{"uri", (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(name, "/")}).String()}}
	}
	uri := (&url.URL{Path: path.Clean(name)}).String()
	if slices.Contains(strings.Split(uri, "/"), "..") {
		return object.Fields{{"uri", uri}}
	}
	return object.Fields{{"uri", uri}, {"uriBaseId", root}}
}

// regionOf is a range of a file with columns counted in UTF-16 code units, from 1.
func regionOf(s source.Span) object.Fields {
	from, to := s.File.Position(s.Start), s.File.Position(s.End)
	return object.Fields{
		{"startLine", from.Line}, {"startColumn", column16(s.File, from.Line, s.Start)},
		{"endLine", to.Line}, {"endColumn", column16(s.File, to.Line, s.End)},
	}
}

func column16(f *source.File, line, offset int) int {
	return 1 + seq.Sum([]rune(f.Text()[min(f.LineStart(line), offset):offset]), utf16.RuneLen)
}
