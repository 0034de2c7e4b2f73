package lsp

import (
	"cmp"
	"context"
	"path"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/rulerun/rulerun/dsl/assist"
)

// symbolKinds are the icons that editors show for declarations, by keyword.
var symbolKinds = map[string]protocol.SymbolKind{
	"ruleset": protocol.SymbolKindPackage, "change": protocol.SymbolKindPackage, "tests": protocol.SymbolKindPackage, "board": protocol.SymbolKindPackage,
	"rule": protocol.SymbolKindClass, "act": protocol.SymbolKindFunction, "move": protocol.SymbolKindFunction, "let": protocol.SymbolKindConstant,
	"var": protocol.SymbolKindVariable, "option": protocol.SymbolKindProperty, "dice": protocol.SymbolKindNumber, "test": protocol.SymbolKindMethod,
	"turn": protocol.SymbolKindEvent, "setup": protocol.SymbolKindEvent, "track": protocol.SymbolKindArray, "family": protocol.SymbolKindArray,
	"tag": protocol.SymbolKindBoolean, "zone": protocol.SymbolKindField, "colour": protocol.SymbolKindEnumMember, "landmark": protocol.SymbolKindField,
}

func kindOf(word string) protocol.SymbolKind {
	if k, ok := symbolKinds[word]; ok {
		return k
	}
	return protocol.SymbolKindProperty
}

func (v *view) symbols(name string) []assist.Symbol {
	if isRules(name) {
		if d := v.draft(name); d != nil {
			return assist.Outline(d.Tree)
		}
		return nil
	}
	if b := v.board(name); b != nil {
		return assist.BoardOutline(b)
	}
	return nil
}

// DocumentSymbol implements protocol.Server; so do the exported methods below.
func (s *server) DocumentSymbol(ctx context.Context, p *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	v, d, _ := s.asked(ctx, p.TextDocument.URI, protocol.Position{})
	if d == nil {
		return protocol.DocumentSymbolSlice{}, nil
	}
	return s.documentSymbols(v.symbols(d.name)), nil
}

func (s *server) documentSymbols(of []assist.Symbol) protocol.DocumentSymbolSlice {
	out := protocol.DocumentSymbolSlice{}
	for _, x := range of {
		symbol := protocol.DocumentSymbol{Name: cmp.Or(x.Name, x.Word), Kind: kindOf(x.Word), Range: s.rangeOf(x.Span), SelectionRange: s.rangeOf(x.At)}
		symbol.Detail, symbol.Children = new(strings.TrimSpace(x.Word+" "+x.Detail)), s.documentSymbols(x.Parts)
		out = append(out, symbol)
	}
	return out
}

// maxSymbols limits the results of a search in a workspace.
const maxSymbols = 200

// Symbols implements protocol.Server: declarations of the workspace whose names contain the query.
func (s *server) Symbols(ctx context.Context, p *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	v := viewOf(ctx)
	out := protocol.SymbolInformationSlice{}
	for i, name := range v.ruleFiles("") {
		if i >= maxFiles || ctx.Err() != nil {
			break
		}
		all := v.symbols(name)
		for _, x := range all {
			all = append(all, x.Parts...)
		}
		for _, x := range all {
			if x.Name == "" || !strings.Contains(strings.ToLower(x.Name), strings.ToLower(p.Query)) || len(out) >= maxSymbols {
				continue
			}
			info := protocol.SymbolInformation{Location: s.location(x.At)}
			info.Name, info.Kind = x.Name, kindOf(x.Word)
			info.ContainerName = new(path.Base(name))
			out = append(out, info)
		}
	}
	return out, nil
}

func (s *server) FoldingRanges(ctx context.Context, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	v, d, _ := s.asked(ctx, p.TextDocument.URI, protocol.Position{})
	out := []protocol.FoldingRange{}
	if d == nil || !isRules(d.name) {
		return out, nil
	}
	for _, f := range assist.Folds(v.draft(d.name).Tree) {
		r := protocol.FoldingRange{StartLine: uint32(f.From - 1), EndLine: uint32(f.To - 1)}
		if f.Comment {
			r.Kind = protocol.FoldingRangeKindComment
		} else {
			r.EndLine-- // the closing brace stays visible
		}
		if r.EndLine > r.StartLine {
			out = append(out, r)
		}
	}
	return out, nil
}

// tokenTypes are the classes of tokens for highlighting, in the order of assist.TokenKind.
var tokenTypes = []string{
	assist.KeywordToken: "keyword", assist.NumberToken: "number", assist.TextToken: "string", assist.CommentToken: "comment",
	assist.CiteToken: "decorator", assist.NameToken: "variable", assist.LocalToken: "parameter", assist.FunctionToken: "function",
	assist.RuleToken: "class", assist.OptionToken: "enumMember", assist.PropertyToken: "property", assist.TypeToken: "type", assist.BoardToken: "namespace",
}

var tokenModifiers = []string{"declaration"}

func (s *server) SemanticTokensFull(ctx context.Context, p *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	v, d, _ := s.asked(ctx, p.TextDocument.URI, protocol.Position{})
	out := &protocol.SemanticTokens{Data: []uint32{}}
	if d == nil || !isRules(d.name) {
		return out, nil
	}
	from, line := 0, 1 // of the token before
	for _, t := range v.draft(d.name).Tokens() {
		at := d.file.LineAt(t.Span.Start)
		if at > line {
			from = d.file.LineStart(at)
		}
		modifiers := uint32(0)
		if t.Decl {
			modifiers = 1
		}
		character := s.units(d.file.Text()[from:t.Span.Start])
		out.Data = append(out.Data, uint32(at-line), uint32(character), uint32(s.units(t.Span.Text())), uint32(t.Kind), modifiers)
		from, line = t.Span.Start, at
	}
	return out, nil
}
