package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/dsl/index"
)

// itemKinds are the icons that editors show for names.
var itemKinds = map[index.Kind]protocol.CompletionItemKind{
	index.Word: protocol.CompletionItemKindKeyword, index.Function: protocol.CompletionItemKindFunction, index.Field: protocol.CompletionItemKindField,
	index.Event: protocol.CompletionItemKindEvent, index.Type: protocol.CompletionItemKindTypeParameter, index.Local: protocol.CompletionItemKindVariable,
	index.Option: protocol.CompletionItemKindProperty, index.Let: protocol.CompletionItemKindConstant, index.Var: protocol.CompletionItemKindVariable,
	index.Die: protocol.CompletionItemKindVariable, index.Move: protocol.CompletionItemKindMethod, index.Act: protocol.CompletionItemKindMethod,
	index.Rule: protocol.CompletionItemKindClass, index.Step: protocol.CompletionItemKindClass, index.Book: protocol.CompletionItemKindModule, index.Board: protocol.CompletionItemKindModule,
	index.Zone: protocol.CompletionItemKindValue, index.Square: protocol.CompletionItemKindValue, index.Colour: protocol.CompletionItemKindColor,
}

// Completion implements protocol.Server.
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
