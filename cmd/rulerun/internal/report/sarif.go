package report

import (
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pages"
	"github.com/rulerun/rulerun/dsl/source"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	home        = "https://github.com/rulerun/rulerun"
	reference   = home + "/blob/main/dsl/"
	root        = "%SRCROOT%" // the folder the command was run in, by the name that readers know
)

// The subset of SARIF 2.1.0 that rulerun uses, by the names of the standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool               sarifTool                 `json:"tool"`
		Invocations        []sarifInvocation         `json:"invocations"`
		OriginalURIBaseIDs map[string]sarifReference `json:"originalUriBaseIds"`
		ColumnKind         string                    `json:"columnKind"`
		Results            []sarifResult             `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string             `json:"id"`
		ShortDescription     sarifText          `json:"shortDescription"`
		FullDescription      sarifText          `json:"fullDescription"`
		Help                 *sarifHelp         `json:"help,omitempty"`
		HelpURI              string             `json:"helpUri"`
		DefaultConfiguration sarifConfiguration `json:"defaultConfiguration"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool `json:"executionSuccessful"`
		ExitCode            int  `json:"exitCode"`
	}
	sarifReference struct {
		Description sarifText `json:"description"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID              string             `json:"ruleId"`
		RuleIndex           int                `json:"ruleIndex"`
		Level               string             `json:"level"`
		Message             sarifText          `json:"message"`
		Locations           []sarifLocation    `json:"locations,omitempty"`
		RelatedLocations    []sarifLocation    `json:"relatedLocations,omitempty"`
		PartialFingerprints map[string]string  `json:"partialFingerprints"`
		Fixes               []sarifFix         `json:"fixes,omitempty"`
		Suppressions        []sarifSuppression `json:"suppressions,omitzero"`
	}
	sarifLocation struct {
		ID               *int          `json:"id,omitempty"`
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
		Message          *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description     sarifText     `json:"description"`
		ArtifactChanges []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		ArtifactLocation sarifArtifact      `json:"artifactLocation"`
		Replacements     []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		DeletedRegion   sarifRegion `json:"deletedRegion"`
		InsertedContent sarifText   `json:"insertedContent"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
)

func writeSARIF(w io.Writer, r *Run) error {
	exit := 0
	if r.Failed() {
		exit = 1
	}
	out := sarifRun{
		Tool:               sarifTool{sarifDriver{Name: "rulerun", Version: numeric(r.Version), InformationURI: home, Rules: []sarifRule{}}},
		Invocations:        []sarifInvocation{{ExecutionSuccessful: true, ExitCode: exit}},
		OriginalURIBaseIDs: map[string]sarifReference{root: {sarifText{"The folder rulerun was run in."}}},
		ColumnKind:         "utf16CodeUnits",
		Results:            []sarifResult{},
	}
	marks := r.prints()
	rules := map[string]int{}
	add := func(d diag.Diagnostic, suppressions []sarifSuppression) {
		index, known := rules[d.Code]
		if !known {
			index = len(out.Tool.Driver.Rules)
			rules[d.Code] = index
			out.Tool.Driver.Rules = append(out.Tool.Driver.Rules, ruleOf(d))
		}
		x := r.sarifResult(d, marks)
		x.RuleIndex, x.Suppressions = index, suppressions
		out.Results = append(out.Results, x)
	}
	// The standard requires suppressions in all results or in none: if some have them, the others have an empty list.
	var open []sarifSuppression
	if len(r.Silenced) > 0 {
		open = []sarifSuppression{}
	}
	for _, d := range r.all() {
		add(d, open)
	}
	for _, s := range r.Silenced {
		add(s.Diagnostic, []sarifSuppression{{Kind: "inSource", Justification: s.By.Reason}})
	}
	return object.Indented(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{out}})
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
func ruleOf(d diag.Diagnostic) sarifRule {
	name := sarifText{strings.ReplaceAll(d.Code, "-", " ") + "."}
	x := sarifRule{
		ID: d.Code, ShortDescription: name, FullDescription: name, HelpURI: reference + "pages/README.md",
		DefaultConfiguration: sarifConfiguration{d.Severity.String()},
	}
	if p, ok := pages.Find(d.Code); ok {
		x.ShortDescription.Text, x.HelpURI = p.Title+".", reference+"pages/"+p.Code+".md"
		x.Help = &sarifHelp{Text: p.Text, Markdown: p.Text}
		x.FullDescription = x.ShortDescription
		if _, meaning, ok := strings.Cut(p.Text, "\n## What it means\n\n"); ok {
			paragraph, _, _ := strings.Cut(meaning, "\n\n")
			x.FullDescription.Text = squeeze(paragraph)
		}
	}
	return x
}

func (r *Run) sarifResult(d diag.Diagnostic, marks *prints) sarifResult {
	x := sarifResult{
		RuleID: d.Code, Level: d.Severity.String(), Message: sarifText{words(d)},
		PartialFingerprints: map[string]string{"rulerun/v1": marks.of(d)},
	}
	if !d.Span.IsZero() {
		x.Locations = []sarifLocation{r.sarifLocation(d.Span)}
	}
	for _, n := range d.Notes {
		if n.Span.IsZero() {
			x.Message.Text += "\nnote: " + n.Message
			continue
		}
		at, id := r.sarifLocation(n.Span), len(x.RelatedLocations)
		at.ID, at.Message = &id, &sarifText{n.Message}
		x.RelatedLocations = append(x.RelatedLocations, at)
	}
	for _, f := range d.Fixes {
		x.Fixes = append(x.Fixes, r.sarifFix(f))
	}
	return x
}

// sarifFix groups the edits of a fix by file.
func (r *Run) sarifFix(f diag.Fix) sarifFix {
	x := sarifFix{Description: sarifText{f.Title}}
	for _, e := range f.Edits {
		at := r.artifact(e.Span.Name())
		i := slices.IndexFunc(x.ArtifactChanges, func(c sarifChange) bool { return c.ArtifactLocation == at })
		if i < 0 {
			i = len(x.ArtifactChanges)
			x.ArtifactChanges = append(x.ArtifactChanges, sarifChange{ArtifactLocation: at})
		}
		c := &x.ArtifactChanges[i]
		c.Replacements = append(c.Replacements, sarifReplacement{regionOf(e.Span), sarifText{e.New}})
	}
	return x
}

func (r *Run) sarifLocation(s source.Span) sarifLocation {
	return sarifLocation{PhysicalLocation: sarifPhysical{r.artifact(s.Name()), regionOf(s)}}
}

// artifact names a file by a URI, relative if the file is below the folder the command was run in.
func (r *Run) artifact(name string) sarifArtifact {
	name = r.path(name)
	if filepath.IsAbs(filepath.FromSlash(name)) {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(name, "/")}).String()}
	}
	a := sarifArtifact{URI: (&url.URL{Path: path.Clean(name)}).String()}
	if !slices.Contains(strings.Split(a.URI, "/"), "..") {
		a.URIBaseID = root
	}
	return a
}

// regionOf is a range of a file with columns counted in UTF-16 code units, from 1.
func regionOf(s source.Span) sarifRegion {
	from, to := s.File.Position(s.Start), s.File.Position(s.End)
	return sarifRegion{
		StartLine: from.Line, StartColumn: column16(s.File, from.Line, s.Start),
		EndLine: to.Line, EndColumn: column16(s.File, to.Line, s.End),
	}
}

func column16(f *source.File, line, offset int) int {
	n := 1
	for _, c := range f.Text()[min(f.LineStart(line), offset):offset] {
		n++
		if c > 0xFFFF {
			n++
		}
	}
	return n
}
