package syntax

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/rulerun/rulerun/dsl/pattern"
)

// Hints for mistakes by users of other languages, and for correct lines in the wrong place.

// headAlone reports whether the first line of a declaration lacks its brace: the token at is the last of that line.
func (p *fileParser) headAlone(tokens []lexer.Token, at int) bool {
	breaks := func(t lexer.Token) bool { return t.Type == tokenNewline }
	w, _ := FindWord(DeclarationWord, declared(tokens))
	return strings.HasSuffix(w.Form, "}") && (tokens[at].Type == tokenString || at == 0 || tokens[at].Type == tokenCite) &&
		!slices.ContainsFunc(tokens[:at], func(t lexer.Token) bool { return breaks(t) || t.Value == "{" }) &&
		!slices.ContainsFunc(tokens[at+1:], func(t lexer.Token) bool { return !breaks(t) })
}

// inside reports whether a word begins lines inside braces, and is not a keyword of a declaration.
func inside(word string) bool {
	return !slices.Contains(starters, word) && insideToo(word)
}

// belongs says where a line that begins with word is allowed, "" for any other word.
func belongs(word string) string {
	switch {
	case slices.Contains(clauseWords, word) && !slices.Contains(statementWords, word):
		return "this is a clause: it stands in the braces of a rule"
	case slices.Contains(statementWords, word) && !slices.Contains(clauseWords, word) && !slices.Contains(testWords, word):
		return "this is a statement: it stands in the braces of the turn, an act, or an on or before clause"
	case slices.Contains(testWords, word) && !slices.Contains(statementWords, word) && !slices.Contains(starters, word):
		return "this is a line of a test: it stands in the braces of a test"
	}
	return ""
}

// misplaced is the hint for a line that does not begin like a declaration.
func misplaced(text string, first lexer.Token) string {
	line, _, _ := strings.Cut(text, "\n")
	words := strings.Fields(strings.ReplaceAll(line, "{", " { "))
	switch {
	case first.Value == "step" && len(words) > 1:
		return "a step stands in the braces of the turn; a change writes: replace step NAME { … }, before step NAME { … } or after step NAME { … }"
	case (first.Value == "before" || first.Value == "after") && len(words) > 2 && words[2] == "{":
		return "to extend a step of the turn write: " + first.Value + " step " + words[1] + " { … }"
	case strings.HasPrefix(text, "#"), strings.HasPrefix(text, "--"), strings.HasPrefix(text, "/*"), strings.HasPrefix(text, ";"), strings.HasPrefix(text, "%"):
		return "a remark begins with //"
	case strings.HasPrefix(text, "}"):
		return "there is one } too many before here, or this one"
	case belongs(first.Value) != "":
		return belongs(first.Value)
	case inside(first.Value):
		return "this line stands in the braces of a declaration"
	}
	return "declarations begin with one of: " + strings.Join(starters, ", ")
}

// computed is what is computed left of an assignment, its field, and the rest of the statement.
var computed = pattern.Of(`^([^;{}\n]*[)\]])\.([\pL_][\pL\pN_.]*)(\s*[-+]?=[^=;}\n][^;}\n]*)`)

// nameFirst is the hint for an assignment, at the beginning of text, to a field of what an index or a call gives.
func nameFirst(text string) string {
	of, field, rest := "mine[0]", "NAME", " = …"
	if m := computed().FindStringSubmatch(text); m != nil && m[2] != "at" {
		of, field, rest = m[1], m[2], strings.TrimRight(m[3], " \t\r")
	}
	hint := "what gets a value is written with names and dots alone; name the rest first: let q = " + of + "; q." + field + rest
	if field == "NAME" {
		hint += "; a piece is moved with put p on PLACE"
	}
	return hint
}

// habit is the hint for a token at which a common mistake begins, "" if there is none.
func (p *fileParser) habit(tokens []lexer.Token, at int) string {
	if at >= len(tokens) {
		return ""
	}
	value := func(i int) string {
		if i < 0 || i >= len(tokens) {
			return ""
		}
		return tokens[i].Value
	}
	touches := func(i int) bool { // no blank between the token and the next
		return i >= 0 && i+1 < len(tokens) && tokens[i].Pos.Offset+len(tokens[i].Value) == tokens[i+1].Pos.Offset
	}
	start := at
	for start > 0 && !endsLine(tokens[start-1]) {
		start--
	}
	word, next := value(start), value(at+1)
	_, function := FindWord(FunctionWord, tokens[at].Value)
	named := at > start && !insideToo(word) && !slices.Contains(starters, word) &&
		!slices.ContainsFunc(tokens[start:at], func(t lexer.Token) bool { return t.Type != tokenName && t.Value != "." })
	switch t := tokens[at]; {
	case t.Value == "else" && value(at-1) == "}":
		return elseless(tokens[:at])
	case t.Value == "=" && next == "<" && touches(at):
		return "write <="
	case t.Value == "=" && next == ">" && touches(at) && value(at-2) != "," && value(at-2) != "(":
		return "write >="
	case t.Value == "=" && next == ">" && touches(at) && (value(at-2) == "," || value(at-2) == "("):
		return "the element looked at needs no name: write .at for its field at, or # for itself"
	case t.Value == "=" && slices.ContainsFunc(tokens[start:at], func(t lexer.Token) bool {
		return t.Value == "when" || t.Value == "if" || t.Value == "that" || t.Value == "always"
	}):
		return "to compare write =="
	case value(at-1) == "{" && value(at-2) == "in":
		return "a list is written [1, 2]"
	case word == "must" && value(at-1) == "not":
		return "what is forbidden is written: never " + t.Value + "(…)"
	case word == "without" && at == start+2 && slices.Contains(starters, value(at-1)):
		return "without takes names alone: without " + t.Value
	case word == "replace" && at == start+1 && next == "{":
		return "what is replaced is named with its kind: replace step " + t.Value + " { … }, replace rule " + t.Value + " \"words\" { … }"
	case word == "replace" && at == start+1:
		return "after replace stands the whole declaration: replace rule NAME \"words\" { … }"
	case word == "throw" && slices.ContainsFunc(tokens[start:at], func(t lexer.Token) bool { return t.Value == "when" }):
		return "what is thrown is named: throw DIE; if it is thrown only sometimes: if CONDITION { throw DIE }"
	case word == "var" && at == start+3 && t.Type == tokenName:
		line, _, _ := strings.Cut(p.file.Text()[t.Pos.Offset:], "\n")
		return "a colon stands before the type: var " + value(start+1) + " " + value(start+2) + ": " + strings.TrimSpace(line)
	case word == "let" && at == start+2 && start > 0 && t.Value == "(":
		return "a let with parameters stands outside the braces"
	case at == start && t.Value == "after":
		return "what follows a move or an act is written: on NAME(…) { … }"
	case at == start && slices.Contains(statementWords, strings.SplitN(t.Value, "_", 2)[0]) && strings.Contains(t.Value, "_"):
		return "write " + strings.ReplaceAll(t.Value, "_", " ")
	case t.Value == "-" && t.Type == tokenPunct && touches(at-1) && touches(at) && tokens[at-1].Type == tokenName:
		return "names are joined with _: " + value(at-1) + "_" + next
	case word == "may" && t.Value == "if" && (next == "nothing" || next == "no"):
		return "what is offered only where nothing else is: may … otherwise"
	case word == "on" && at == start+2 && value(at-1) == "game":
		return "the event is called: on game ends"
	case word == "on" && at == start+2 && value(at-1) == "turn":
		return "the events are called: on turn begins, on turn ends"
	case t.Value == "," && (word == "may" || word == "must") && value(at-2) == "by":
		return "several numbers are a list: by [" + value(at-1) + ", " + next + "]"
	case value(at-1) == "}" && slices.Contains(starters, t.Value):
		return "a declaration begins a line of its own"
	case t.Value == "if" && slices.Contains(clauseWords, word) && (!slices.Contains(statementWords, word) || slices.Contains([]string{"on", "into", "beyond"}, value(start+1))):
		return "a clause asks with when: " + word + " … when CONDITION"
	case t.Value == "elseif", t.Value == "elsif", t.Value == "elif":
		return "write else if"
	case t.Value == "," && slices.Contains(statementWords, word) && !slices.Contains(testWords, word):
		return "statements on one line are parted by ;"
	case word == "expect" && at <= start+2 && (t.Value == "." || t.Value == "==") && tokens[start+1].Type == tokenName:
		line, _, _ := strings.Cut(p.file.Text()[tokens[start+1].Pos.Offset:], "\n")
		return "a condition is expected with that: expect that " + strings.TrimSpace(line)
	case named && t.Value == "[", at == start && t.Type == tokenName && (next == "[" || next == "(" && function):
		return nameFirst(p.file.Text()[tokens[start].Pos.Offset:])
	case at == start && t.Type == tokenName && next == "(":
		return "an act is done with do: do " + t.Value + "(…)"
	case at == start && t.Type == tokenName && (next == "+" || next == "-") && value(at+2) == next:
		return "write " + t.Value + " " + next + "= 1"
	case named && (t.Value == "+" || t.Value == "-") && next == t.Value && touches(at):
		return "write " + p.file.Text()[tokens[start].Pos.Offset:t.Pos.Offset] + " " + next + "= 1"
	case at == start && otherWords[t.Value] != "":
		return otherWords[t.Value]
	case at == start && t.Type == tokenName && next == "==":
		return "a variable gets a value with one =: " + t.Value + " = …"
	case t.Value == "." && touches(at-1) && touches(at) && digits(value(at-1)) && digits(next):
		return "numbers are whole; a weight says how often beside the others: {1: 1, 2: 2}"
	case t.Value == "[" && next != "" && t.Type == tokenPunct && word == "rule":
		return "clause ids are capitals, digits and one hyphen: [P4A-08]"
	case t.Value == "extends" && (next == "." || next == ".." || next == "/"):
		return "a file is named without its folder, and stands beside this one"
	case at == start && t.Type == tokenName && (next == "." || next == "["):
		return "a variable gets a value with NAME = VALUE or p.NAME = VALUE; a piece is moved with put p on PLACE or send p to PLACE"
	case t.Value == "{" && word == "rule" && !slices.ContainsFunc(tokens[start:at], func(t lexer.Token) bool { return t.Type == tokenString }):
		return "a rule says in quotes what it is about: rule NAME \"words\" {"
	case t.Value == ":" && slices.Contains([]string{"board", "players", "pieces", "first", "option", "dice", "rule", "test", "given", "turn", "throw"}, word):
		return "no colon stands here"
	case start > 0 && at > start && startsLine(tokens, at):
		return betweenLines
	case t.Value == "when" && slices.ContainsFunc(tokens[start:at], func(t lexer.Token) bool { return t.Value == "when" }):
		return "a line has one when: && joins conditions, and " + betweenLines
	}
	return ""
}

// betweenLines is the hint for two clauses, statements or lines of a test that are not parted.
const betweenLines = "; or a new line parts two lines"

// startsLine reports whether a token is a word with which a line begins where it stands, behind what a line can end with.
func startsLine(tokens []lexer.Token, at int) bool {
	_, words := place(tokens, at)
	last := tokens[at-1]
	ends := last.Value == "}" || last.Value == ")" || last.Type == tokenString || digits(last.Value)
	return ends && tokens[at].Type == tokenName && slices.Contains(words, tokens[at].Value)
}

// otherWords are hints for words that begin statements in other languages and games.
var otherWords = map[string]string{
	"repeat": "what is done several times is written: for i in 1..3 { … }",
	"while":  "what is done several times is written: for i in 1..3 { … }",
	"random": "chance is a throw: declare a die, and write throw DIE",
	"roll":   "dice are thrown: throw DIE",
	"skip":   "a turn is skipped when it begins: on turn begins when CONDITION { end turn }",
	"let":    "a let stands outside braces; a name for one value here: for q in [VALUE] { … }",
}

// elseless is the hint for an else after a block that has none.
func elseless(before []lexer.Token) string {
	depth, at := 0, len(before)-1
	for ; at >= 0; at-- {
		switch before[at].Value {
		case "}":
			depth++
		case "{":
			depth--
		}
		if depth == 0 {
			break
		}
	}
	for at > 0 && !endsLine(before[at-1]) {
		at--
	}
	if at < 0 {
		return ""
	}
	switch before[at].Value {
	case "on", "before":
		return "a clause has no else; its block can ask: " + before[at].Value + " EVENT { if CONDITION { … } else { … } }"
	case "if", "else":
		return ""
	}
	return "else goes with if: if CONDITION { … } else { … }"
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
