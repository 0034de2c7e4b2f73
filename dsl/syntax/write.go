package syntax

import (
	"reflect"
	"strings"

	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
)

// grammarItem is a token of a field's grammar: a captured or plain literal, a captured choice, a captured node, a
// bracket.
var grammarItem = pattern.Of(`@?'[^']*'|@\([^)]*\)|@@\+?|[()]`)

// repeated matches the repetition in the grammar of a list.
var repeated = pattern.Of(`\('([^']*)' @@\)\*`)

// Written prints a node by its grammar. write prints a node below it; if ok is false, the grammar of that node is
// used. It works for nodes on one line, whose grammar has literals, captures and lists: statements without blocks.
func Written(node any, write func(parent, node any) (text string, ok bool)) string {
	var b strings.Builder
	add := func(text string) {
		before := b.String()
		if text == "" {
			return
		}
		if before != "" && !strings.HasSuffix(before, "(") && text != "(" && text != ")" && text != "," {
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	v := reflect.ValueOf(node).Elem()
	depth := 0 // depth of brackets in the grammar: literals outside all brackets are always printed
	for i := range v.NumField() {
		grammar, field := v.Type().Field(i).Tag.Get("parser"), v.Field(i)
		separator := ""
		if m := repeated().FindStringSubmatch(grammar); m != nil {
			separator, grammar = m[1], repeated().ReplaceAllString(grammar, "")
		}
		for _, item := range grammarItem().FindAllString(grammar, -1) {
			switch {
			case item == "(":
				depth++
			case item == ")":
				depth--
			case item[0] == '\'' && (depth == 0 || !field.IsZero()):
				add(strings.Trim(item, "'"))
			case item[0] == '\'' || field.IsZero():
			case strings.HasPrefix(item, "@@"):
				for k, child := range nodesOf(field) {
					if k > 0 {
						add(separator)
					}
					text, ok := write(node, child)
					if !ok {
						text = Written(child, write)
					}
					add(text)
				}
			case field.Kind() == reflect.String:
				add(field.String())
			default: // a flag: its words
				add(strings.Join(strings.FieldsFunc(item, func(r rune) bool { return strings.ContainsRune("@()' ", r) }), " "))
			}
		}
	}
	return b.String()
}

// nodesOf lists the nodes in a field.
func nodesOf(field reflect.Value) []any {
	if field.Kind() != reflect.Slice {
		return []any{field.Interface()}
	}
	return seq.Of(field.Len(), func(i int) any { return field.Index(i).Interface() })
}
