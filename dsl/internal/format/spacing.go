package format

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/syntax"
)

// before lists the words before an operand. After them "-" is a sign, and "(" and "[" have a space before them.
var before = slices.DeleteFunc(
	slices.Concat([]string{"that"}, syntax.Texts(syntax.JointWord), syntax.Texts(syntax.OperatorWord)),
	func(word string) bool { return word == "stay" },
)

// openers are further such words, but only at the beginning of a statement or clause. Elsewhere they may be names.
var openers = []string{"play", "earn", "put", "send", "exchange", "win", "rank", "drop", "always", "players", "pieces"}

// spacer decides where spaces go. It reads the tokens of a file once, in order.
type spacer struct {
	declaration string // keyword of the current declaration
	begins      bool   // the next token begins a statement
	inTest      bool   // in a line of a test, outside expressions: names of places keep their hyphens
	afterAt     bool   // in the name of the place where a piece stands, after its @
	depth       int    // of braces
	previous    syntax.Token
	operand     bool  // the previous token ends an operand
	glue        bool  // no space before the next token
	questions   []int // how many ? wait for their : in each of the brackets around
}

// next reports whether a space precedes t.
func (s *spacer) next(t syntax.Token) (space bool) {
	begins := s.begins
	s.begins = false
	if begins {
		s.questions = append(s.questions[:0], 0)
		if s.depth == 0 && t.Text != "}" {
			s.declaration = t.Text
		}
		s.inTest = s.declaration == "test" && s.depth > 0
		s.operand = false
	} else if s.declaration == "replace" {
		s.declaration = t.Text // keyword of the replaced declaration
	}
	adjacent := s.previous.Start+len(s.previous.Text) == t.Start
	s.afterAt = s.previous.Text == "@" || s.afterAt && adjacent && (s.placePart() || slices.Contains(placeMarks, t.Text))
	inPlace := s.inTest || s.afterAt
	space = !s.glue
	s.glue = false
	wasOperand := s.operand
	s.operand = true
	switch t.Kind {
	case syntax.TokenWord:
		if s.inTest && s.previous.Text == "expect" && t.Text == "that" {
			s.inTest = false
		}
		afterDot := s.previous.Text == "." && s.previous.Kind == syntax.TokenMark
		s.operand = afterDot || !slices.Contains(before, t.Text) && !(begins && slices.Contains(openers, t.Text))
		if adjacent && (inPlace && s.placePart() || s.previous.Text == "#") { // #outer
			space = false
		}
	case syntax.TokenNumber:
		if inPlace && adjacent && s.placePart() {
			space = false
		}
	case syntax.TokenText, syntax.TokenIDs:
	case syntax.TokenMark:
		space = s.mark(t, space, wasOperand, adjacent)
	}
	s.previous = t
	return space
}

// placeMarks join the parts of a place's name.
var placeMarks = []string{"-", "/", "#"}

// placePart reports whether the previous token may be part of a place's name that continues.
func (s *spacer) placePart() bool {
	return s.previous.Kind == syntax.TokenWord || s.previous.Kind == syntax.TokenNumber || slices.Contains(placeMarks, s.previous.Text)
}

func (s *spacer) mark(t syntax.Token, space, wasOperand, adjacent bool) bool {
	top := &s.questions[len(s.questions)-1]
	s.operand = false
	switch t.Text {
	case "(", "[":
		s.questions = append(s.questions, 0)
		s.glue = true
		return space && !(wasOperand && (s.previous.Kind != syntax.TokenText && s.previous.Kind != syntax.TokenIDs))
	case ")", "]":
		if len(s.questions) > 1 {
			s.questions = s.questions[:len(s.questions)-1]
		}
		s.operand = true
		return false
	case "{":
		s.depth++
		s.begins = true
		s.glue = s.declaration == "dice"
		return space
	case "}":
		s.depth = max(0, s.depth-1)
		s.operand = true
		return s.previous.Text != "{" && s.declaration != "dice"
	case ",":
		return false
	case ";":
		s.begins = true
		return false
	case ":":
		if *top > 0 {
			*top--
			return space
		}
		return false
	case "?":
		*top++
	case "!":
		s.glue = true
	case "-", "/", "#":
		switch {
		case (s.inTest || s.afterAt) && adjacent && s.placePart():
			s.glue = true
			return false
		case t.Text == "#":
			s.operand = true
		case t.Text == "-" && (!wasOperand || s.inTest):
			s.glue = true
		}
	case ".":
		s.glue = true
		return space && !wasOperand
	case "..", "@":
		s.glue = true
		return false
	}
	return space
}

// tidy is the printed form of a token: clause ids are separated by one space.
func tidy(t syntax.Token) string {
	if t.Kind == syntax.TokenIDs {
		return "[" + strings.Join(strings.Fields(strings.Trim(t.Text, "[] \t")), " ") + "]"
	}
	return t.Text
}
