package lsp

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// maxElsewhere bounds the faults of other files that are shown in one that builds on them.
const maxElsewhere = 5

// due is when a document is to be checked: after a pause in the typing, but not never.
type due struct {
	at, latest time.Time
}

// soil marks a document, and those that were made from it, as to be checked.
func (s *server) soil(name string) {
	s.mu.Lock()
	for doc, made := range s.made {
		if made[name] {
			s.soilOne(doc)
		}
	}
	if s.docs[name] != nil {
		s.soilOne(name)
	}
	s.mu.Unlock()
	s.rouse()
}

// soilOne marks a document; the lock is held.
func (s *server) soilOne(name string) {
	now := time.Now()
	d, ok := s.dirty[name]
	if !ok {
		d.latest = now.Add(5 * s.options.Delay)
	}
	d.at = now.Add(s.options.Delay)
	if d.at.After(d.latest) {
		d.at = d.latest
	}
	s.dirty[name] = d
}

// diskChanged marks every document.
func (s *server) diskChanged() {
	s.mu.Lock()
	s.disk++
	s.current = nil
	for name := range s.docs {
		s.soilOne(name)
	}
	s.mu.Unlock()
	s.rouse()
}

func (s *server) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// checkAll checks what is due, one document after the other, until the server ends.
func (s *server) checkAll() {
	for {
		name, wait := s.next()
		if name != "" {
			s.check(name)
			continue
		}
		var timer <-chan time.Time
		if wait > 0 {
			timer = time.After(wait)
		}
		select {
		case <-s.ctx.Done():
			return
		case <-s.wake:
		case <-timer:
		}
	}
}

// next takes the document that has been due longest, or says how long there is none.
func (s *server) next() (name string, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return "", 0
	}
	for _, n := range slices.Sorted(maps.Keys(s.dirty)) {
		if name == "" || s.dirty[n].at.Before(s.dirty[name].at) {
			name = n
		}
	}
	if name == "" {
		return "", 0
	}
	if wait = time.Until(s.dirty[name].at); wait > 0 {
		return "", wait
	}
	delete(s.dirty, name)
	return name, 0
}

// check publishes what is wrong with a document, unless it has been changed meanwhile.
func (s *server) check(name string) {
	v := s.view()
	d := v.docs[name]
	if d == nil {
		s.checkUnopened(v, name)
		return
	}
	l, made := v.findings(name)
	s.publishing.Lock()
	defer s.publishing.Unlock()
	s.mu.Lock()
	s.made[name] = made
	fresh := s.docs[name] == d
	tests := s.tests[name]
	s.mu.Unlock()
	if !fresh {
		return
	}
	out := s.published(v, d, l)
	if tests != nil && tests.doc == d {
		out = append(out, tests.diagnostics...)
	}
	_ = s.client.PublishDiagnostics(s.ctx, &protocol.PublishDiagnosticsParams{
		URI: d.uri, Version: protocol.NewOptional(d.version), Diagnostics: out,
	})
	if d.edited {
		s.follow(v, name)
	}
}

// plainName is what a file can be called that others name.
var plainName = regexp.MustCompile(`^[\pL\pN_]+$`)

// maxFollowers bounds the files not open that are checked because they build on one that was edited.
const maxFollowers = 50

// follow marks the files of a document's folder that are not open and build on it, at the first or a later remove.
func (s *server) follow(v *view, name string) {
	dir := path.Dir(name)
	if shipped(name) || !path.IsAbs(name) {
		return
	}
	texts := map[string]string{}
	for _, n := range v.ruleFiles(dir) {
		if path.Dir(n) == dir && v.docs[n] == nil && len(texts) < maxFiles {
			if text, err := files.Read(filepath.FromSlash(n), files.Limit(n)); err == nil {
				texts[n] = string(text)
			}
		}
	}
	marked := map[string]bool{}
	for queue := []string{name}; len(queue) > 0 && len(marked) < maxFollowers; queue = queue[1:] {
		base := strings.TrimSuffix(path.Base(queue[0]), path.Ext(queue[0]))
		if !plainName.MatchString(base) {
			continue // nothing can name it
		}
		on := regexp.MustCompile(`(?m)^(?:(?:ruleset|change|tests)\b.*\b(?:for|extends|with|,)[ \t]*` + base + `\b|(?:replace[ \t]+)?board[ \t]+` + base + `\b)`)
		for _, n := range slices.Sorted(maps.Keys(texts)) {
			if !marked[n] && on.MatchString(texts[n]) {
				marked[n] = true
				queue = append(queue, n)
			}
		}
	}
	s.mu.Lock()
	for n := range marked {
		s.soilOne(n)
	}
	s.mu.Unlock()
}

// checkUnopened publishes what is wrong with a file that is not open, or is no longer.
func (s *server) checkUnopened(v *view, name string) {
	l, _ := v.findings(name)
	file, ok := v.file(name, &reads{})
	if !ok {
		return
	}
	d := &document{uri: s.uriOf(name), name: name, file: file}
	out := s.published(v, d, l)
	s.publishing.Lock()
	defer s.publishing.Unlock()
	s.mu.Lock()
	open, told := s.docs[name] != nil, s.told[name]
	s.told[name] = len(out) > 0
	s.mu.Unlock()
	if !open && (told || len(out) > 0) {
		_ = s.client.PublishDiagnostics(s.ctx, &protocol.PublishDiagnosticsParams{URI: d.uri, Diagnostics: out})
	}
}

// published is what is said about a document. Faults of files it builds on stand at its header, the first few.
func (s *server) published(v *view, d *document, l diag.List) []protocol.Diagnostic {
	out := []protocol.Diagnostic{}
	elsewhere := 0
	for _, f := range l {
		if f.Span.IsZero() || f.Span.Name() == d.name {
			out = append(out, s.diagnostic(f))
			continue
		}
		if elsewhere++; f.Severity != diag.Error || elsewhere > maxElsewhere {
			continue
		}
		at := f.Span
		f.Notes = append([]diag.Note{{Span: at, Message: "it is here"}}, f.Notes...)
		f.Message = fmt.Sprintf("in %s, line %d: %s", at.Name(), at.Position().Line, f.Message)
		f.Span, f.Fixes = v.header(d), nil
		out = append(out, s.diagnostic(f))
	}
	return out
}

// header is the first line of a document that says something.
func (v *view) header(d *document) source.Span {
	for n := 1; n <= d.file.LineCount(); n++ {
		if line := d.file.Line(n); strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), "//") {
			at := d.file.LineStart(n)
			return d.file.Span(at, at+len(line))
		}
	}
	return d.file.Span(0, 0)
}

var severities = [...]protocol.DiagnosticSeverity{
	diag.Error: protocol.DiagnosticSeverityError, diag.Warning: protocol.DiagnosticSeverityWarning, diag.Info: protocol.DiagnosticSeverityInformation,
}

// diagnostic is a finding as editors show it.
func (s *server) diagnostic(f diag.Diagnostic) protocol.Diagnostic {
	message := f.Message
	if f.Hint != "" {
		message += "; " + f.Hint
	}
	out := protocol.Diagnostic{
		Range: s.rangeOf(f.Span), Severity: severities[f.Severity], Code: protocol.String(f.Code),
		Source: protocol.NewOptional("rulerun"), Message: protocol.String(message),
	}
	for _, n := range f.Notes {
		if !n.Span.IsZero() {
			out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{Location: s.location(n.Span), Message: n.Message})
		}
	}
	switch f.Code {
	case "unused", "unreachable", "never-there", "never-applies":
		out.Tags = protocol.NewDiagnosticTags(protocol.DiagnosticTagUnnecessary)
	}
	return out
}
