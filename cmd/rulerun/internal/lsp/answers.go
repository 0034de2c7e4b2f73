package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// asked returns the document of a request and the offset in it; nil if the editor has not opened it.
func (s *server) asked(ctx context.Context, u uri.URI, at protocol.Position) (*view, *document, int) {
	v := viewOf(ctx)
	d := v.docs[s.nameOf(u)]
	if d == nil {
		return v, nil, 0
	}
	return v, d, s.offset(d.file, at)
}

// drafts lists the rule files to search for a name in a document: the document itself, or for a board those that may
// use it.
func (v *view) drafts(d *document) []*assist.Draft {
	if !isRules(d.name) {
		return v.about(d.name)
	}
	if own := v.draft(d.name); own != nil && own.Names != nil {
		return []*assist.Draft{own}
	}
	return nil
}

// Hover implements protocol.Server; so do the exported methods below.
func (s *server) Hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	v, d, at := s.asked(ctx, p.TextDocument.URI, p.Position)
	if d == nil {
		return nil, nil
	}
	drafts := v.drafts(d)
	if isRules(d.name) {
		drafts = []*assist.Draft{v.draft(d.name)} // a draft with faults still knows the grammar
	}
	if c, at, ok := v.clause(d, at); ok {
		text := "**" + c.ID + "** " + c.Text
		if c.Settled != "" {
			text += "\n\nsettled: " + c.Settled
		}
		return s.hover(text, at), nil
	}
	for _, draft := range drafts {
		if text, span := draft.Hover(d.name, at); text != "" {
			return s.hover(text, span), nil
		}
	}
	return nil, nil
}

func (s *server) hover(markdown string, at source.Span) *protocol.Hover {
	return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: markdown}, Range: new(s.rangeOf(at))}
}

// clause finds the clause of a written rule book by the id at an offset of a rule file.
func (v *view) clause(d *document, offset int) (dsl.Clause, source.Span, bool) {
	if !isRules(d.name) {
		return dsl.Clause{}, source.Span{}, false
	}
	for _, t := range v.draft(d.name).Tokens() {
		if t.Kind != assist.CiteToken || offset < t.Span.Start || offset > t.Span.End {
			continue
		}
		text := d.file.Text()
		from := offset - len(text[t.Span.Start:offset]) + 1 + strings.LastIndexAny(text[t.Span.Start:offset], "[] \t")
		to := t.Span.End
		if i := strings.IndexAny(text[from:to], "] \t"); i >= 0 {
			to = from + i
		}
		for _, file := range v.library(d.name, &reads{}).ClauseLists() {
			clauses, _ := dsl.ReadClauses(file)
			for _, c := range clauses {
				if c.ID == text[from:to] {
					return c, d.file.Span(from, to), true
				}
			}
		}
	}
	return dsl.Clause{}, source.Span{}, false
}

func (s *server) Definition(ctx context.Context, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	v, d, at := s.asked(ctx, p.TextDocument.URI, p.Position)
	if d == nil {
		return protocol.LocationSlice{}, nil
	}
	out := protocol.LocationSlice{}
	if c, _, ok := v.clause(d, at); ok {
		return append(out, s.location(c.Span)), nil
	}
	return append(out, seq.Map(assist.Definitions(v.drafts(d), d.name, at), s.location)...), nil
}

func (s *server) References(ctx context.Context, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	v, d, at := s.asked(ctx, p.TextDocument.URI, p.Position)
	if d == nil {
		return []protocol.Location{}, nil
	}
	out := []protocol.Location{}
	for _, r := range assist.References(v.about(d.name), d.name, at) {
		if p.Context.IncludeDeclaration || !r.IsDecl() {
			out = append(out, s.location(r.Use))
		}
	}
	return out, nil
}

func (s *server) DocumentHighlight(ctx context.Context, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	v, d, at := s.asked(ctx, p.TextDocument.URI, p.Position)
	if d == nil {
		return []protocol.DocumentHighlight{}, nil
	}
	out := []protocol.DocumentHighlight{}
	for _, r := range assist.References(v.drafts(d), d.name, at) {
		if r.Use.Name() == d.name {
			out = append(out, protocol.DocumentHighlight{Range: s.rangeOf(r.Use), Kind: protocol.DocumentHighlightKindText})
		}
	}
	return out, nil
}

// renaming prepares a rename, and fails if the name cannot be changed.
func (s *server) renaming(ctx context.Context, u uri.URI, at protocol.Position) (*assist.Renaming, error) {
	v, d, offset := s.asked(ctx, u, at)
	if d == nil {
		return nil, refuse("%s is not open", u)
	}
	r, err := assist.PrepareRename(v.about(d.name), d.name, offset, func(file string) string {
		if shipped(file) {
			return "comes with rulerun"
		}
		return ""
	})
	if err != nil {
		return nil, refuse("%s", err)
	}
	return r, nil
}

func (s *server) PrepareRename(ctx context.Context, p *protocol.PrepareRenameParams) (protocol.PrepareRenameResult, error) {
	r, err := s.renaming(ctx, p.TextDocument.URI, p.Position)
	if err != nil {
		return nil, err
	}
	return &protocol.PrepareRenamePlaceholder{Range: s.rangeOf(r.At), Placeholder: r.At.Text()}, nil
}

func (s *server) Rename(ctx context.Context, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	r, err := s.renaming(ctx, p.TextDocument.URI, p.Position)
	if err != nil {
		return nil, err
	}
	edits, err := r.To(p.NewName)
	if err != nil {
		return nil, refuse("%s", err)
	}
	return s.edit(edits), nil
}

func (s *server) edit(edits []diag.Edit) *protocol.WorkspaceEdit {
	out := &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{}}
	for _, e := range edits {
		u := s.uriOf(e.Span.Name())
		out.Changes[u] = append(out.Changes[u], protocol.TextEdit{Range: s.rangeOf(e.Span), NewText: e.New})
	}
	return out
}

// CodeAction implements protocol.Server: the fixes of findings in the range.
func (s *server) CodeAction(ctx context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	v, d, from := s.asked(ctx, p.TextDocument.URI, p.Range.Start)
	out := []protocol.CommandOrCodeAction{}
	if d == nil || !wanted(p.Context.Only) {
		return out, nil
	}
	to := s.offset(d.file, p.Range.End)
	l, _ := v.findings(d.name)
	for _, f := range l {
		if f.Span.Name() != d.name || f.Span.Start > to || f.Span.End < from {
			continue
		}
		for i, fix := range f.Fixes {
			if slices.ContainsFunc(fix.Edits, func(e diag.Edit) bool { return shipped(e.Span.Name()) }) {
				continue
			}
			out = append(out, &protocol.CodeAction{
				Title: fix.Title, Kind: new(protocol.CodeActionKindQuickFix), Diagnostics: []protocol.Diagnostic{s.diagnostic(f)},
				IsPreferred: new(i == 0), Edit: s.edit(fix.Edits),
			})
		}
	}
	return out, nil
}

// wanted reports whether a request for some kinds of action includes fixes.
func wanted(only []protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return k == "" || k == protocol.CodeActionKindQuickFix
	})
}

// Formatting implements protocol.Server. It does not change a file with syntax errors.
func (s *server) Formatting(ctx context.Context, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	_, d, _ := s.asked(ctx, p.TextDocument.URI, protocol.Position{})
	out := []protocol.TextEdit{}
	if d == nil || !isRules(d.name) {
		return out, nil
	}
	text, faults := dsl.Format(d.file)
	if faults.HasErrors() || text == d.file.Text() {
		return out, nil
	}
	at, changed := difference(d.file, text)
	return append(out, protocol.TextEdit{Range: s.rangeOf(at), NewText: changed}), nil
}

// difference returns the range in which a file differs from a text, and its replacement.
func difference(f *source.File, text string) (source.Span, string) {
	old := f.Text()
	from := 0
	for from < len(old) && from < len(text) && old[from] == text[from] {
		from++
	}
	for from > 0 && (from < len(old) && !utf8.RuneStart(old[from]) || from < len(text) && !utf8.RuneStart(text[from])) {
		from--
	}
	tail := 0
	for tail < len(old)-from && tail < len(text)-from && old[len(old)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(old[len(old)-tail]) {
		tail--
	}
	return f.Span(from, len(old)-tail), strings.Clone(text[from : len(text)-tail])
}

// itemKinds are the icons that editors show for names.
var itemKinds = map[index.Kind]protocol.CompletionItemKind{
	index.Word: protocol.CompletionItemKindKeyword, index.Function: protocol.CompletionItemKindFunction, index.Field: protocol.CompletionItemKindField,
	index.Event: protocol.CompletionItemKindEvent, index.Type: protocol.CompletionItemKindTypeParameter, index.Local: protocol.CompletionItemKindVariable,
	index.Option: protocol.CompletionItemKindProperty, index.Let: protocol.CompletionItemKindConstant, index.Var: protocol.CompletionItemKindVariable,
	index.Die: protocol.CompletionItemKindVariable, index.Move: protocol.CompletionItemKindMethod, index.Act: protocol.CompletionItemKindMethod,
	index.Rule: protocol.CompletionItemKindClass, index.Step: protocol.CompletionItemKindClass, index.Book: protocol.CompletionItemKindModule, index.Board: protocol.CompletionItemKindModule,
	index.Zone: protocol.CompletionItemKindValue, index.Square: protocol.CompletionItemKindValue, index.Colour: protocol.CompletionItemKindColor,
}

func (s *server) Completion(ctx context.Context, p *protocol.CompletionParams) (protocol.CompletionResult, error) {
	v, d, at := s.asked(ctx, p.TextDocument.URI, p.Position)
	out := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	if d == nil || !isRules(d.name) {
		return out, nil
	}
	draft := v.draft(d.name)
	found, part := draft.Complete(at)
	place := s.rangeOf(part)
	for i, c := range found {
		item := protocol.CompletionItem{
			Label: c.Label, Kind: protocol.CompletionItemKindKeyword, SortText: protocol.NewOptional(fmt.Sprintf("%04d", i)),
			TextEdit: &protocol.TextEdit{Range: place, NewText: c.Label},
		}
		if c.Detail != "" {
			item.Detail = protocol.NewOptional(c.Detail)
		}
		if !c.Keyword {
			item.Kind = protocol.CompletionItemKindProperty
			if k, ok := itemKinds[c.Name.Kind]; ok {
				item.Kind = k
			}
			if text := describe(draft, c.Name); text != "" {
				item.Documentation = &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}
			}
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

// describe describes a name; not squares, because there are too many.
func describe(draft *assist.Draft, n index.Name) string {
	if draft == nil || draft.Names == nil || n.Kind == index.Square || n.Kind == index.Book {
		return ""
	}
	return draft.Describe(n)
}
