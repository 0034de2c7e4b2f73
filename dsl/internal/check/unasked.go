package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// warnUnasked warns of rules that are called like a word of an option, which nothing asks for, and that hold for another word of it. A word
// that nothing asks for, and no rule is called like, may stand for what is left: "none", or "as ever".
func warnUnasked(b *book.Book, diags *diag.List) {
	for _, e := range b.Entries {
		if e.Key.Kind != "rule" || e.Decl.Kind.Rule.If == nil || e.Layer != b.Top() {
			continue
		}
		for _, o := range b.Entries {
			if o.Key.Kind != "option" || !slices.Contains(wordsOf(o.Decl.Kind.Option), e.Key.Name) || asks(b, e.Key.Name) {
				continue
			}
			if word, at := compared(e.Decl.Kind.Rule.If.Node, o.Key.Name); word != "" {
				diags.Warnf("unused", at, "%s holds for %q, and nothing asks whether option %q is %q", e.Key, word, o.Key.Name, e.Key.Name).
					WithHint("write: %s == %q", o.Key.Name, e.Key.Name)
			}
		}
	}
}

// wordsOf lists the words that an option can be.
func wordsOf(o *syntax.Option) (words []string) {
	if o.Values == nil || o.Values.Last != nil {
		return nil
	}
	for _, l := range append([]*syntax.Literal{o.Values.First}, o.Values.More...) {
		if l.Text != nil {
			words = append(words, l.Text.String())
		}
	}
	return words
}

// asks reports whether some declaration other than an option has a word in quotes.
func asks(b *book.Book, word string) bool {
	return slices.ContainsFunc(b.Entries, func(e *book.Entry) bool {
		return e.Key.Kind != "option" && strings.Contains(e.Decl.Span(e.Decl.File).Text(), strconv.Quote(word))
	})
}

// compared is the first word that an expression compares an option with, and where; "" if there is none.
func compared(n *expr.Node, option string) (word string, at source.Span) {
	if n.Kind == expr.Binary && n.Name == "==" && n.Args[0].Kind == expr.Name && n.Args[0].Name == option && n.Args[1].Kind == expr.String {
		return n.Args[1].Name, n.Span
	}
	for _, a := range n.Args {
		if word, at = compared(a, option); word != "" {
			break
		}
	}
	return word, at
}
