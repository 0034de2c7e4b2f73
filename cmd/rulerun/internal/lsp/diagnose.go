package lsp

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/source"
)

// maxElsewhere limits the faults of base files that are shown in a file.
const maxElsewhere = 5

// due is when to check a document: after a pause in typing, with a maximum delay.
type due struct {
	at, latest time.Time
}

// soil marks a document as dirty, and all that depend on it.
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

// soilOne marks a document as dirty; the caller holds the lock.
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

// diskChanged marks every document as dirty.
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

// checkAll checks dirty documents, one after the other, until the server ends.
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

// next takes the document that has been due longest, or returns the time until one is due.
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

// check publishes the findings of a document, unless it has been changed in between.
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

// plainName matches names of files that other files can refer to.
var plainName = pattern.Of(`^[\pL\pN_]+$`)

// maxFollowers limits the closed files that are checked because they depend on an edited one.
const maxFollowers = 50

// follow marks the closed files of a document's folder that depend on it, directly or indirectly.
func (s *server) follow(v *view, name string) {
	dir := path.Dir(name)
	if shipped(name) || !path.IsAbs(name) {
		return
	}
	texts := map[string]string{}
	for _, n := range v.ruleFiles(dir) {
		if path.Dir(n) == dir && v.docs[n] == nil && len(texts) < maxFiles {
			if text, err := fs.ReadFile(s.options.Disk, diskName(n)); err == nil {
				texts[n] = string(text)
			}
		}
	}
	marked := map[string]bool{}
	for queue := []string{name}; len(queue) > 0 && len(marked) < maxFollowers; queue = queue[1:] {
		base := strings.TrimSuffix(path.Base(queue[0]), path.Ext(queue[0]))
		if !plainName().MatchString(base) {
			continue // no file can refer to it
		}
		on := regexp.MustCompile(`(?m)^(?:(?:ruleset|change|tests)\b.*(?:\b(?:for|extends|with)|,)[ \t]*|(?:replace[ \t]+)?board[ \t]+)` + base + `(?:[^\pL\pN_]|$)`)
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

// checkUnopened publishes the findings of a file that is not open.
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

// published converts findings of a document. The first few faults of base files are shown at its header.
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

// header is the first line of a document that is not empty.
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
