package syntax

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/rulerun/rulerun/dsl/seq"
)

// Role is where a word of the language stands.
type Role uint8

// The roles.
const (
	DeclarationWord Role = iota // begins a declaration
	ClauseWord                  // begins a clause of a rule
	StatementWord               // begins a statement
	TestWord                    // begins a line of a test
	ValueWord                   // a value in expressions
	FunctionWord                // a function in expressions
	EventWord                   // what reactions wait for
	TypeWord                    // a type
	ScopeWord                   // what a variable belongs to
	VerdictWord                 // judges a step
	FieldWord                   // a field of a value
	JointWord                   // goes on with a statement, so that an expression ends before it
	OperatorWord                // an operator in expressions
)

// Word is a word of the language and what is known of it. A word with several roles has a line for each.
type Word struct {
	Text string // "" of a form that begins with no word
	Role Role
	Form string // how it is written, where that is more than the word
	Type string // of a value, field or function: its type, "" where that depends; of an event: the types of its parameters
	Doc  string // what the reference says of it
	Of   string // of a field: the kind of value that has it
	Late bool   // of a value or field: files may declare the name, which then means what they declare
}

// words is the table of the language's words. What parses, types, completes, explains, formats and colours rule files,
// and the tables of the reference, are made from it or checked against it. The order is that of messages. The statements stand beside
// their grammar.
var words = slices.Concat(statementTable, wordTable)

// Words lists the words of a role, in the order of the table. The list is a copy.
func Words(role Role) []Word {
	return seq.Filter(words, func(w Word) bool { return w.Role == role })
}

// FindWord finds a word by its role.
func FindWord(role Role, text string) (Word, bool) {
	i, ok := wordsByRole()[roleText{role, text}]
	if !ok {
		return Word{}, false
	}
	return words[i], true
}

type roleText struct {
	role Role
	text string
}

// wordsByRole has the index of each word, the first of those that are written alike.
var wordsByRole = sync.OnceValue(func() map[roleText]int {
	out := map[roleText]int{}
	for i, w := range slices.Backward(words) {
		out[roleText{w.Role, w.Text}] = i
	}
	return out
})

// Texts lists the words of a role as they are written.
func Texts(role Role) []string {
	written := seq.Filter(words, func(w Word) bool { return w.Role == role && w.Text != "" })
	return seq.Map(written, func(w Word) string { return w.Text })
}

// Joints lists the words that go on with a statement that begins with a word, in the order of its form.
func (w Word) Joints() []string {
	form, _, _ := strings.Cut(w.Form, "{")
	form, _, _ = strings.Cut(form, ", ")
	all := strings.FieldsFunc(form, func(r rune) bool { return r == ' ' || r == '[' || r == ']' })
	return seq.Filter(all, func(word string) bool { return word != w.Text && (slices.Contains(enders, word) || word == "in") })
}

// The words lines begin with, by where they stand, and those that go on with a statement.
var (
	starters       = Texts(DeclarationWord)
	clauseWords    = Texts(ClauseWord)
	statementWords = Texts(StatementWord)
	testWords      = Texts(TestWord)
	enders         = Texts(JointWord)
)

// Reserved reports whether a word goes on with a statement, so that no name can be written so.
func Reserved(word string) bool { return slices.Contains(enders, word) }

// insideToo reports whether a word that begins declarations begins lines inside braces as well.
func insideToo(word string) bool {
	return slices.Contains(clauseWords, word) || slices.Contains(statementWords, word) || slices.Contains(testWords, word)
}

// Form is how a line that begins with a word is written, "" for a word that begins none. inner says that the line stands in braces, test
// that it stands in those of a test.
func Form(word string, inner, test bool) string {
	of := func(role Role) string {
		w, _ := FindWord(role, word)
		return w.Form
	}
	clause, statement := of(ClauseWord), of(StatementWord)
	switch {
	case test && of(TestWord) != "":
		return of(TestWord)
	case inner && statement != "" && clause == "":
		return statement
	case of(DeclarationWord) != "" && clause != "":
		return clause + ", or the declaration: " + of(DeclarationWord)
	case of(DeclarationWord) != "":
		return of(DeclarationWord)
	case clause != "" && statement != "":
		return clause + ", or the statement: " + statement
	}
	return cmp.Or(clause, statement, of(TestWord))
}
