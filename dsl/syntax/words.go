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

// words is the table of the language's words. What parses, types, completes, explains, formats and colours rule files, and the tables of
// the reference, are made from it or checked against it. The order is that of messages. The statements stand beside their grammar.
var words = slices.Concat(statementTable, plain(JointWord, "when", "by", "to", "with", "if", "on", "from", "else", "carrying", "walk", "stay", "at", "of"), plain(OperatorWord, "and", "or", "not", "in"), []Word{
	{Text: "ruleset", Role: DeclarationWord, Form: `ruleset NAME [extends RULESET [with CHANGE, …]] "Title"`},
	{Text: "change", Role: DeclarationWord, Form: `change NAME "Title" for RULESET`},
	{Text: "replace", Role: DeclarationWord},
	{Text: "without", Role: DeclarationWord, Form: "without NAME, … [if CONDITION], or without step NAME, …"},
	{Text: "set", Role: DeclarationWord, Form: "set OPTION = VALUE [of VALUE, … | of LOW..HIGH]"},
	{Text: "rename", Role: DeclarationWord, Form: `rename NAME to NAME ["words"]`},
	{Text: "board", Role: DeclarationWord, Form: "board NAME [(PARAMETER = VALUE, …)] [track NAME]"},
	{Text: "players", Role: DeclarationWord, Form: "players 2..4, or players [2, 4], or players 3 of 2..4"},
	{Text: "seats", Role: DeclarationWord, Form: "seats NUMBER [if CONDITION] { COLOUR COLOUR | COLOUR COLOUR }"},
	{Text: "teams", Role: DeclarationWord, Form: "teams [if CONDITION] { COLOUR COLOUR | COLOUR COLOUR }"},
	{Text: "turns", Role: DeclarationWord, Form: "turns by colour [if CONDITION]"},
	{Text: "pieces", Role: DeclarationWord, Form: "pieces NUMBER at PLACE"},
	{Text: "first", Role: DeclarationWord, Form: "first highest DIE, or first lowest DIE, first lot, first loser, first winner, first COLOUR"},
	{Text: "dice", Role: DeclarationWord, Form: "dice NAME, … = d6, or = 5 x {0, 1}, {1: 3, 2: 1}, deck {1: 4, 2: 4}, choice of SET"},
	{Text: "option", Role: DeclarationWord, Form: `option NAME = DEFAULT [of VALUE, … | of LOW..HIGH] "words"`},
	{Text: "var", Role: DeclarationWord, Form: "var game|team|player|colour|piece|turn|go NAME [: TYPE] [= VALUE] [if CONDITION]"},
	{Text: "secret", Role: DeclarationWord, Form: "secret VARIABLE [if CONDITION]"},
	{Text: "let", Role: DeclarationWord, Form: "let NAME[(TYPE NAME, …)] = EXPRESSION"},
	{Text: "act", Role: DeclarationWord, Form: `act NAME(TYPE NAME, …) "words" { STATEMENTS }`},
	{Text: "turn", Role: DeclarationWord, Form: "turn { STATEMENTS }"},
	{Text: "before", Role: DeclarationWord, Form: "before step NAME { STATEMENTS }"},
	{Text: "after", Role: DeclarationWord, Form: "after step NAME { STATEMENTS }"},
	{Text: "setup", Role: DeclarationWord, Form: "setup [if CONDITION] { STATEMENTS }"},
	{Text: "move", Role: DeclarationWord, Form: "move NAME(PIECE in SET, …) [from WHERE] [to PLACE | walk STEPS | stay] [carrying SET]"},
	{Text: "rule", Role: DeclarationWord, Form: `rule NAME [before RULE | after RULE] "words" [CLAUSE-IDS] [if CONDITION] { CLAUSES }`},
	{Text: "count", Role: DeclarationWord, Form: `count NAME "words" on EVENT(NAME, …) [when CONDITION], or count NAME[(player NAME)] "words" = VALUE`},
	{Text: "test", Role: DeclarationWord, Form: `test "what it shows" [CLAUSE-IDS] { LINES }`},
	{Text: "tests", Role: DeclarationWord, Form: `tests NAME "Title" for RULESET [with CHANGE, …]`},

	{Text: "may", Role: ClauseWord, Form: "may MOVE(PIECE, …) [by NUMBERS] [to NAME] [despite duties | otherwise] [when CONDITION]"},
	{Text: "must", Role: ClauseWord, Form: "must MOVE(PIECE, …) [to NAME] [or MOVE(PIECE, …) …] [when CONDITION]"},
	{Text: "never", Role: ClauseWord, Form: "never MOVE(PIECE, …) [to NAME] [when CONDITION]"},
	{Text: "step", Role: ClauseWord, Form: "step into NAME: bar|turn|stop|go [or …] [when CONDITION], or step beyond: …"},
	{Text: "end", Role: ClauseWord, Form: "end on NAME: bar [when CONDITION]"},
	{Text: "on", Role: ClauseWord, Form: "on EVENT(NAME, …) [from NAME] [to NAME] [when CONDITION] { STATEMENTS }"},
	{Text: "before", Role: ClauseWord, Form: "before MOVE(PIECE, …) [to NAME] [when CONDITION] { STATEMENTS }"},
	{Text: "win", Role: ClauseWord, Form: "win player|team|colour NAME [counting NUMBER] when CONDITION"},
	{Text: "rank", Role: ClauseWord, Form: "rank player|team|colour NAME when CONDITION"},
	{Text: "drop", Role: ClauseWord, Form: "drop player|team|colour NAME when CONDITION"},
	{Text: "over", Role: ClauseWord, Form: "over when CONDITION"},
	{Text: "draw", Role: ClauseWord, Form: "draw when CONDITION"},
	{Text: "always", Role: ClauseWord, Form: "always CONDITION"},

	{Text: "cases", Role: TestWord, Form: "cases COLUMN COLUMN …, and below it a line for each case"},
	{Text: "given", Role: TestWord, Form: "given COLOUR PLACE PLACE … | COLOUR PLACE PLACE …"},
	{Text: "turn", Role: TestWord, Form: "turn COLOUR"},
	{Text: "players", Role: TestWord, Form: "players NUMBER"},
	{Text: "arrived", Role: TestWord, Form: "arrived SQUARE: COLOUR COLOUR …, and COLOUR#2 for the second of its pieces there"},
	{Text: "set", Role: TestWord, Form: "set OPTION = VALUE, set COLOUR.NAME = VALUE, or set COLOUR@SQUARE.NAME = VALUE"},
	{Text: "throw", Role: TestWord, Form: "throw [DIE] NUMBER …"},
	{Text: "play", Role: TestWord, Form: "play FROM -> TO [counting NUMBER] [via PLACE] [by MOVE], or play MOVE[(VALUE, …)], play CANDIDATE"},
	{Text: "expect", Role: TestWord, Form: "expect moves OPTION, … / no moves / choices CANDIDATE, … / refused OPTION by RULE / refused position by RULE / refused throw N / asks COLOUR / COLOUR PLACE … / earned N / turn COLOUR / winner COLOUR [counting NUMBER] / ranking COLOUR … / draw / over / chance DIE N == WEIGHT / that CONDITION"},

	{Text: "me", Role: ValueWord, Type: "player", Doc: "the player in turn"},
	{Text: "hand", Role: ValueWord, Type: "list of colours", Doc: "the colours in hand"},
	{Text: "mine", Role: ValueWord, Type: "list of pieces", Doc: "the pieces that may be moved"},
	{Text: "steps", Role: ValueWord, Type: "number", Doc: "the number being counted, or the option's own where `by` gave one; negative is backwards"},
	{Text: "thrown", Role: ValueWord, Type: "flag", Doc: "whether the turn plays that number"},
	{Text: "earned", Role: ValueWord, Type: "flag", Doc: "it comes from the queue"},
	{Text: "heading", Role: ValueWord, Type: "number", Doc: "1 or -1, the direction of this move's last step, which a turn leaves as it is"},
	{Text: "remaining", Role: ValueWord, Type: "number", Doc: "in step and end clauses: the steps left after this one"},
	{Text: "here", Role: ValueWord, Type: "place", Doc: "in step and end clauses: the place before this step on this walk", Late: true},
	{Text: "carried", Role: ValueWord, Type: "list of pieces", Doc: "in step and end clauses and reactions: the pieces that the move takes along", Late: true},
	{Text: "p", Role: ValueWord, Type: "piece", Doc: "in step and end clauses: the walker"},
	{Text: "throws", Role: ValueWord, Type: "number", Doc: "how many throws this turn has had", Late: true},
	{Text: "usable", Role: ValueWord, Type: "number", Doc: "in `play most of` and `all of`: how many numbers can be used"},
	{Text: "offered", Role: ValueWord, Type: "list of offered moves", Doc: "in `before` clauses of moves: the legal options of this decision"},
	{Text: "players", Role: ValueWord, Type: "number", Doc: "the number of players, a constant"},
	{Text: "nil", Role: ValueWord, Type: "nil", Doc: "no player, no piece or no place"},
	{Text: "true", Role: ValueWord, Type: "flag", Doc: "it holds"},
	{Text: "false", Role: ValueWord, Type: "flag", Doc: "it does not hold"},
	{Text: "game", Role: ValueWord, Doc: "followed by a dot and one of its fields"},
	{Text: "board", Role: ValueWord, Doc: "followed by a dot: `board.squares`"},

	{Text: "all", Role: FunctionWord, Form: "all(L, C)", Type: "flag", Doc: "whether the condition holds for all"},
	{Text: "any", Role: FunctionWord, Form: "any(L, C)", Type: "flag", Doc: "whether the condition holds for some"},
	{Text: "none", Role: FunctionWord, Form: "none(L, C)", Type: "flag", Doc: "whether the condition holds for none"},
	{Text: "count", Role: FunctionWord, Form: "count(L, C)", Type: "number", Doc: "for how many; `count(L)` counts a list of flags"},
	{Text: "filter", Role: FunctionWord, Form: "filter(L, C)", Doc: "those for which it holds"},
	{Text: "find", Role: FunctionWord, Form: "find(L, C)", Doc: "the first of them or nil"},
	{Text: "map", Role: FunctionWord, Form: "map(L, E)", Doc: "the value for each"},
	{Text: "sortBy", Role: FunctionWord, Form: "sortBy(L, E)", Doc: "the list by it, smallest first, equals as they were"},
	{Text: "sum", Role: FunctionWord, Form: "sum(L, E)", Type: "number", Doc: "the sum; `sum(L)` adds up a list of numbers"},
	{Text: "len", Role: FunctionWord, Form: "len(L)", Type: "number", Doc: "how many"},
	{Text: "first", Role: FunctionWord, Form: "first(L)", Doc: "the first, nil of an empty list"},
	{Text: "last", Role: FunctionWord, Form: "last(L)", Doc: "the last, nil of an empty list"},
	{Text: "min", Role: FunctionWord, Form: "min(…)", Type: "number", Doc: "the smallest of numbers, or of a list of numbers"},
	{Text: "max", Role: FunctionWord, Form: "max(…)", Type: "number", Doc: "the largest of numbers, or of a list of numbers"},
	{Text: "abs", Role: FunctionWord, Form: "abs(n)", Type: "number", Doc: "the number without its sign"},
	{Text: "int", Role: FunctionWord, Form: "int(n)", Type: "number", Doc: "the whole number, the rest cut off"},
	{Text: "square", Role: FunctionWord, Form: `square("NAME")`, Type: "place", Doc: "the place of that name"},
	{Text: "indexOf", Role: FunctionWord, Form: "indexOf(L, x)", Type: "number", Doc: "where x stands in the list, from 0; -1 if nowhere"},
	{Text: "after", Role: FunctionWord, Form: "after(x)", Doc: "the players (or colours) still in the game, in turn order from the one after x on, x left out"},
	{Text: "next", Role: FunctionWord, Form: "next(x)", Doc: "the first of the players (or colours) after x still in the game"},

	{Text: "throw", Role: EventWord, Form: "throw, or throw(DICE)", Doc: "dice have been thrown, or those dice"},
	{Text: "leave", Role: EventWord, Form: "leave(p, s)", Type: "piece, place", Doc: "a piece goes away from a square, in whatever way"},
	{Text: "depart", Role: EventWord, Form: "depart(p, s)", Type: "piece, place", Doc: "the same of any place, zones too"},
	{Text: "step", Role: EventWord, Form: "step(p) from a to b", Type: "piece", Doc: "a walk takes a step"},
	{Text: "pass", Role: EventWord, Form: "pass(p, s)", Type: "piece, place", Doc: "a walk goes over a square without ending there"},
	{Text: "turned", Role: EventWord, Form: "turned(p, s)", Type: "piece, place", Doc: "a walk turns round before s (nil at the end of the track)"},
	{Text: "land", Role: EventWord, Form: "land(p, s)", Type: "piece, place", Doc: "a move sets its piece down; not for `put` and `send`"},
	{Text: "move", Role: EventWord, Form: "move(p)", Type: "piece", Doc: "any move of a piece has been carried out"},
	{Text: "stuck", Role: EventWord, Doc: "a number cannot be counted"},
	{Text: "turn begins", Role: EventWord, Doc: "a turn begins"},
	{Text: "turn ends", Role: EventWord, Doc: "a turn ends"},
	{Text: "game ends", Role: EventWord, Doc: "the result stands; the block changes variables, nothing else"},
	{Text: "drop", Role: EventWord, Form: "drop(x)", Type: "player", Doc: "a player is out"},
	{Text: "rank", Role: EventWord, Form: "rank(x)", Type: "player", Doc: "a player takes a place"},

	{Text: "number", Role: TypeWord, Doc: "a whole number; a range such as `0..9` narrows it"},
	{Text: "flag", Role: TypeWord, Doc: "true or false"},
	{Text: "piece", Role: TypeWord, Doc: "a piece, or nil"},
	{Text: "place", Role: TypeWord, Doc: "a square or a zone, or nil"},
	{Text: "colour", Role: TypeWord, Doc: "a set of pieces, or nil"},
	{Text: "player", Role: TypeWord, Doc: "who decides, or nil"},
	{Text: "team", Role: TypeWord, Doc: "players who win together, or nil"},

	{Text: "game", Role: ScopeWord, Doc: "begins anew: never"},
	{Text: "team", Role: ScopeWord, Doc: "of each team"},
	{Text: "player", Role: ScopeWord, Doc: "of each player"},
	{Text: "colour", Role: ScopeWord, Doc: "of each colour"},
	{Text: "piece", Role: ScopeWord, Doc: "of each piece"},
	{Text: "turn", Role: ScopeWord, Doc: "begins anew when a turn begins (not by `again`)"},
	{Text: "go", Role: ScopeWord, Doc: "begins anew whenever the procedure of the turn begins"},

	{Text: "go", Role: VerdictWord, Doc: "walk on"},
	{Text: "bar", Role: VerdictWord, Doc: "no such walk"},
	{Text: "stop", Role: VerdictWord, Doc: "the walk ends before this step"},
	{Text: "turn", Role: VerdictWord, Doc: "turn round; the step is not spent"},
	{Text: "back", Role: VerdictWord, Doc: "in end clauses: the walk ends one step earlier, and the place there is judged anew"},

	{Text: "pieces", Role: FieldWord, Of: "place", Type: "list of pieces", Doc: "the pieces that stand there, oldest arrival first"},
	{Text: "square", Role: FieldWord, Of: "place", Type: "flag", Doc: "whether it is a square, not a zone"},
	{Text: "at", Role: FieldWord, Of: "piece", Type: "place", Doc: "where it stands; of the walker in the hand, where it came from"},
	{Text: "from", Role: FieldWord, Of: "piece", Type: "place", Doc: "of the piece that a move moves, while it is carried out: where the move began; else the same as `at`", Late: true},
	{Text: "colour", Role: FieldWord, Of: "piece", Type: "colour", Doc: "its colour"},
	{Text: "player", Role: FieldWord, Of: "piece", Type: "player", Doc: "whose it is"},
	{Text: "team", Role: FieldWord, Of: "piece", Type: "team", Doc: "its side"},
	{Text: "index", Role: FieldWord, Of: "piece", Type: "number", Doc: "on its track, -1 off it"},
	{Text: "pieces", Role: FieldWord, Of: "colour", Type: "list of pieces", Doc: "its pieces"},
	{Text: "player", Role: FieldWord, Of: "colour", Type: "player", Doc: "who holds it"},
	{Text: "team", Role: FieldWord, Of: "colour", Type: "team", Doc: "its side"},
	{Text: "seat", Role: FieldWord, Of: "colour", Type: "number", Doc: "the number of its player, from 0"},
	{Text: "track", Role: FieldWord, Of: "colour", Type: "list of places", Doc: "its places"},
	{Text: "won", Role: FieldWord, Of: "colour", Type: "flag", Doc: "whether its side has won", Late: true},
	{Text: "pieces", Role: FieldWord, Of: "player", Type: "list of pieces", Doc: "the pieces of the player's colours"},
	{Text: "colours", Role: FieldWord, Of: "player", Type: "list of colours", Doc: "the player's colours"},
	{Text: "team", Role: FieldWord, Of: "player", Type: "team", Doc: "the player's side"},
	{Text: "playing", Role: FieldWord, Of: "player", Type: "flag", Doc: "neither ranked nor dropped"},
	{Text: "ranked", Role: FieldWord, Of: "player", Type: "flag", Doc: "whether the player has a place"},
	{Text: "won", Role: FieldWord, Of: "player", Type: "flag", Doc: "whether the player's side has won", Late: true},
	{Text: "pieces", Role: FieldWord, Of: "team", Type: "list of pieces", Doc: "the pieces of the team's colours"},
	{Text: "colours", Role: FieldWord, Of: "team", Type: "list of colours", Doc: "the team's colours"},
	{Text: "players", Role: FieldWord, Of: "team", Type: "list of players", Doc: "the players of the team"},
	{Text: "won", Role: FieldWord, Of: "team", Type: "flag", Doc: "whether it has won", Late: true},
	{Text: "piece", Role: FieldWord, Of: "offered move", Type: "piece", Doc: "the piece it moves"},
	{Text: "to", Role: FieldWord, Of: "offered move", Type: "place", Doc: "the place it ends on"},
	{Text: "steps", Role: FieldWord, Of: "offered move", Type: "number", Doc: "the number it counts"},
	{Text: "players", Role: FieldWord, Of: "game", Type: "list of players", Doc: "every player"},
	{Text: "teams", Role: FieldWord, Of: "game", Type: "list of teams", Doc: "every team"},
	{Text: "colours", Role: FieldWord, Of: "game", Type: "list of colours", Doc: "every colour in the game"},
	{Text: "pieces", Role: FieldWord, Of: "game", Type: "list of pieces", Doc: "every piece"},
	{Text: "squares", Role: FieldWord, Of: "board", Type: "list of places", Doc: "every square of the board"},
})

// plain are words of which nothing more is said.
func plain(role Role, texts ...string) []Word {
	return seq.Map(texts, func(text string) Word { return Word{Text: text, Role: role} })
}

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
	for i, w := range words {
		if _, again := out[roleText{w.Role, w.Text}]; !again {
			out[roleText{w.Role, w.Text}] = i
		}
	}
	return out
})

// Texts lists the words of a role as they are written.
func Texts(role Role) []string {
	var out []string
	for _, w := range words {
		if w.Role == role && w.Text != "" {
			out = append(out, w.Text)
		}
	}
	return out
}

// Joints lists the words that go on with a statement that begins with a word, in the order of its form.
func (w Word) Joints() []string {
	form, _, _ := strings.Cut(w.Form, "{")
	form, _, _ = strings.Cut(form, ", ")
	var out []string
	for _, word := range strings.FieldsFunc(form, func(r rune) bool { return r == ' ' || r == '[' || r == ']' }) {
		if word != w.Text && (enders[word] || word == "in") {
			out = append(out, word)
		}
	}
	return out
}

// The words lines begin with, by where they stand, and those that go on with a statement.
var (
	starters       = Texts(DeclarationWord)
	clauseWords    = Texts(ClauseWord)
	statementWords = Texts(StatementWord)
	testWords      = Texts(TestWord)
	enders         = setOf(Texts(JointWord))
)

func setOf(list []string) map[string]bool {
	out := map[string]bool{}
	for _, x := range list {
		out[x] = true
	}
	return out
}

// Reserved reports whether a word goes on with a statement, so that no name can be written so.
func Reserved(word string) bool { return enders[word] }

// insideToo reports whether a word that begins declarations begins lines inside braces as well.
func insideToo(word string) bool {
	return slices.Contains(clauseWords, word) || slices.Contains(statementWords, word) || slices.Contains(testWords, word)
}

// braced reports whether the head of a declaration ends with a brace.
func braced(declaration string) bool {
	w, _ := FindWord(DeclarationWord, declaration)
	return strings.HasSuffix(w.Form, "}")
}

// Form is how a line that begins with a word is written, "" for a word that begins none. test says that the line stands
// in a test.
func Form(word string, test bool) string {
	of := func(role Role) string {
		w, _ := FindWord(role, word)
		return w.Form
	}
	clause, statement := of(ClauseWord), of(StatementWord)
	switch {
	case test && of(TestWord) != "":
		return of(TestWord)
	case of(DeclarationWord) != "" && clause != "":
		return clause + ", or the declaration: " + of(DeclarationWord)
	case of(DeclarationWord) != "":
		return of(DeclarationWord)
	case clause != "" && statement != "":
		return clause + ", or the statement: " + statement
	}
	return cmp.Or(clause, statement, of(TestWord))
}
