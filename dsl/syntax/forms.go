package syntax

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"
)

// forms gives, for the word a declaration, clause or statement begins with, how it is written.
var forms = map[string]string{
	"ruleset":  `ruleset NAME [extends RULESET [with CHANGE, …]] "Title"`,
	"change":   `change NAME "Title" for RULESET`,
	"tests":    `tests NAME "Title" for RULESET [with CHANGE, …]`,
	"without":  `without NAME, … [if CONDITION]`,
	"set":      `set OPTION = VALUE [of VALUE, … | of LOW..HIGH]`,
	"rename":   `rename NAME to NAME ["words"]`,
	"board":    `board NAME [(PARAMETER = VALUE, …)] [track NAME]`,
	"players":  `players 2..4, or players [2, 4], or players 3 of 2..4`,
	"seats":    `seats NUMBER [if CONDITION] { COLOUR COLOUR | COLOUR COLOUR }`,
	"teams":    `teams [if CONDITION] { COLOUR COLOUR | COLOUR COLOUR }`,
	"turns":    `turns by colour [if CONDITION]`,
	"pieces":   `pieces NUMBER at ZONE`,
	"first":    `first highest DIE, or first lowest DIE, first lot, first loser, first winner, first COLOUR`,
	"dice":     `dice NAME, … = d6, or = 5 x {0, 1}, {1: 3, 2: 1}, deck {1: 4, 2: 4}, choice of SET`,
	"option":   `option NAME = DEFAULT [of VALUE, … | of LOW..HIGH] "words"`,
	"var":      `var game|team|player|colour|piece|turn|go NAME [: TYPE] [= VALUE] [if CONDITION]`,
	"secret":   `secret VARIABLE [if CONDITION]`,
	"let":      `let NAME[(TYPE NAME, …)] = EXPRESSION`,
	"act":      `act NAME(TYPE NAME, …) "words" { STATEMENTS }`,
	"turn":     `turn { STATEMENTS }`,
	"setup":    `setup [if CONDITION] { STATEMENTS }`,
	"move":     `move NAME(PIECE in SET, …) [from WHERE] [to PLACE | walk STEPS | stay] [carrying SET]`,
	"rule":     `rule NAME [before RULE | after RULE] "words" [CLAUSE-IDS] [if CONDITION] { CLAUSES }`,
	"test":     `test "what it shows" [CLAUSE-IDS] { LINES }`,
	"may":      `may MOVE(PIECE, …) [by NUMBERS] [to NAME] [when CONDITION]`,
	"must":     `must MOVE(PIECE, …) [to NAME] [when CONDITION]`,
	"never":    `never MOVE(PIECE, …) [to NAME] [when CONDITION]`,
	"step":     `step into NAME: bar|turn|stop|go [or …] [when CONDITION], or step beyond: …`,
	"end":      `end on NAME: bar [when CONDITION], or the statement: end turn`,
	"on":       `on EVENT(NAME, …) [from NAME] [to NAME] [when CONDITION] { STATEMENTS }`,
	"before":   `before MOVE(PIECE, …) [to NAME] [when CONDITION] { STATEMENTS }`,
	"win":      `win player|team|colour NAME when CONDITION, or the statement: win WHO`,
	"rank":     `rank player|team|colour NAME when CONDITION, or the statement: rank WHO`,
	"drop":     `drop player|team|colour NAME when CONDITION, or the statement: drop WHO`,
	"over":     `over when CONDITION, or the statement: over`,
	"always":   `always CONDITION`,
	"if":       `if CONDITION { STATEMENTS } [else { STATEMENTS }]`,
	"for":      `for NAME in SET { STATEMENTS }`,
	"put":      `put PIECE on PLACE`,
	"send":     `send PIECE to PLACE`,
	"exchange": `exchange PIECE, PIECE`,
	"throw":    `throw DIE, …`,
	"play":     `play NUMBER, play any|each|most of NUMBERS, or play earned`,
	"earn":     `earn NUMBER [with PIECE]`,
	"choose":   `choose NAME "words" from SET [by PLAYER]`,
	"do":       `do ACT(VALUE, …)`,
	"again":    `again`,
	"undo":     `undo turn`,
	"cases":    `cases COLUMN COLUMN …, and below it a line for each case`,
	"given":    `given COLOUR PLACE PLACE … | COLOUR PLACE PLACE …`,
	"arrived":  `arrived SQUARE: COLOUR COLOUR …, and COLOUR#2 for the second of its pieces there`,
	"expect": `expect moves A -> B, … / no moves / refused A -> B by RULE / refused position by RULE / refused throw N / asks COLOUR / COLOUR PLACE … / earned N / turn COLOUR / ` +
		`winner COLOUR / ranking COLOUR … / over / that CONDITION`,
}

var testForms = map[string]string{
	"turn":    `turn COLOUR`,
	"players": `players NUMBER`,
	"set":     `set OPTION = VALUE, set COLOUR.NAME = VALUE, or set COLOUR@SQUARE.NAME = VALUE`,
	"throw":   `throw [DIE] NUMBER …`,
	"play":    `play FROM -> TO [counting NUMBER], or play NAME`,
}

// The words lines inside braces begin with.
var (
	clauseWords    = []string{"may", "must", "never", "step", "end", "on", "before", "win", "rank", "drop", "over", "always"}
	statementWords = []string{"if", "for", "put", "send", "exchange", "throw", "play", "earn", "choose", "do", "again", "end", "undo", "win", "rank", "drop", "over"}
	testWords      = []string{"cases", "given", "turn", "players", "arrived", "set", "throw", "play", "expect"}
)

// place says what stands at token at, inside the braces of a declaration, with the words it begins with.
func place(tokens []lexer.Token, at int) (what string, words []string) {
	depth := 0
	for _, t := range tokens[:at] {
		if t.Type == tokenPunct && t.Value == "{" {
			depth++
		} else if t.Type == tokenPunct && t.Value == "}" {
			depth--
		}
	}
	switch kind := declared(tokens); {
	case kind == "test":
		return "a line of a test", testWords
	case kind == "rule" && depth <= 1:
		return "a clause", clauseWords
	}
	return "a statement", statementWords
}

// declared is the word for what a declaration declares.
func declared(tokens []lexer.Token) string {
	if tokens[0].Value == "replace" && len(tokens) > 1 {
		return tokens[1].Value
	}
	return tokens[0].Value
}

// formOf is the form of the innermost line that holds token at; known says whether the line begins with a word
// that has a form.
func formOf(tokens []lexer.Token, at int) (form string, known bool) {
	at = max(0, min(at, len(tokens)-1))
	if at > 0 && tokens[at].Type == tokenNewline {
		at--
	}
	for at > 0 && !endsLine(tokens[at-1]) {
		at--
	}
	word, declaration := tokens[at].Value, declared(tokens)
	switch {
	case at == 0:
		return forms[declaration], true
	case declaration == "test":
		if !slices.Contains(testWords, word) {
			if slices.ContainsFunc(tokens[:at], func(t lexer.Token) bool { return t.Type == tokenName && t.Value == "cases" }) {
				return forms["cases"], false
			}
			return forms["test"], false
		}
		if form, ok := testForms[word]; ok {
			return form, true
		}
		return forms[word], true
	}
	if slices.Contains(clauseWords, word) || slices.Contains(statementWords, word) {
		return forms[word], true
	}
	return forms[declaration], false
}

// Form is how a line that begins with a word is written, "" for a word that begins none. test says that the line stands
// in a test.
func Form(word string, test bool) string {
	if form, ok := testForms[word]; ok && test {
		return form
	}
	return forms[word]
}

// Starters lists the words a line can begin with inside a declaration, by the word of the declaration; of "" those that
// begin declarations. inner says that the line stands in a block inside a rule.
func Starters(declaration string, inner bool) []string {
	switch {
	case declaration == "":
		return slices.Clone(starters)
	case declaration == "test":
		return slices.Clone(testWords)
	case declaration == "rule" && !inner:
		return slices.Clone(clauseWords)
	}
	return slices.Clone(statementWords)
}
