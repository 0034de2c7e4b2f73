package syntax

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/source"
)

// At is the place of a node, as participle records it.
type At struct {
	Pos    lexer.Position
	EndPos lexer.Position
}

// Span is the range of the node in the file it was parsed from.
func (a At) Span(f *source.File) source.Span { return f.Span(a.Pos.Offset, a.EndPos.Offset) }

// AtSpan is the place of a node that was parsed elsewhere.
func AtSpan(s source.Span) (a At) {
	a.Pos.Offset, a.EndPos.Offset = s.Start, s.End
	return a
}

// end moves the end, where participle sees the next token, back to the end of the last token of the node.
func (a *At) end(tokens []lexer.Token) {
	n, _ := slices.BinarySearchFunc(tokens, a.EndPos.Offset, func(t lexer.Token, at int) int { return cmp.Compare(t.Pos.Offset, at) })
	for n > 0 && tokens[n-1].Type == tokenNewline {
		n--
	}
	if n > 0 {
		a.EndPos.Offset = max(a.Pos.Offset, tokens[n-1].Pos.Offset+len(tokens[n-1].Value))
	}
}

// Names, texts, numbers and clause ids are most nodes of a file: they take their tokens themselves, which is quicker.

// token takes the next token, if it is of a kind.
func (a *At) token(lex *lexer.PeekingLexer, kind lexer.TokenType) (text string, err error) {
	t := lex.Peek()
	if t.Type != kind {
		return "", participle.NextMatch
	}
	a.Pos, a.EndPos = t.Pos, t.Pos
	a.EndPos.Offset += len(t.Value)
	lex.Next()
	return t.Value, nil
}

// Name is a name of the file.
type Name struct {
	At
	Text string
}

// Parse takes a name.
func (n *Name) Parse(lex *lexer.PeekingLexer) (err error) {
	n.Text, err = n.token(lex, tokenName)
	return err
}

// Text is a quoted text, without its quotes.
type Text struct {
	At
	Quoted string
}

// Parse takes a text.
func (t *Text) Parse(lex *lexer.PeekingLexer) (err error) {
	t.Quoted, err = t.token(lex, tokenString)
	return err
}

// String is the text itself.
func (t *Text) String() string {
	if t == nil {
		return ""
	}
	if s, err := strconv.Unquote(t.Quoted); err == nil {
		return s
	}
	return strings.Trim(t.Quoted, `"`)
}

// Number is a whole number, perhaps negative.
type Number struct {
	At
	Minus  bool
	Digits string
}

// Parse takes a number with its sign.
func (n *Number) Parse(lex *lexer.PeekingLexer) (err error) {
	first := *lex.Peek()
	if n.Minus = first.Type == tokenPunct && first.Value == "-"; n.Minus {
		lex.Next()
	}
	if n.Digits, err = n.token(lex, tokenInt); n.Minus && err != nil {
		return &participle.UnexpectedTokenError{Unexpected: *lex.Peek()}
	}
	n.Pos = first.Pos
	return err
}

// Value is the number, and whether it fits into 16 bits, the range of the language.
func (n *Number) Value() (int, bool) {
	v, err := strconv.ParseInt(strings.ReplaceAll(n.Digits, "_", ""), 10, 17)
	if n.Minus {
		v = -v
	}
	return int(v), err == nil && v >= -1<<15 && v < 1<<15
}

// Cites are the ids of clauses in square brackets.
type Cites struct {
	At
	Brackets string
}

// Parse takes ids in brackets.
func (c *Cites) Parse(lex *lexer.PeekingLexer) (err error) {
	c.Brackets, err = c.token(lex, tokenCite)
	return err
}

// IDs lists the ids.
func (c *Cites) IDs() []string {
	if c == nil {
		return nil
	}
	return strings.Fields(strings.Trim(c.Brackets, "[] \t"))
}

// Expr is an expression; package expr parses its text.
type Expr struct {
	At
	Node *expr.Node // nil after a fault
}

// Parse consumes the tokens of an expression: up to a line end, a comma, a brace, a clause id or a word that
// continues the statement, outside brackets. A text and what goesOn knows end it after an operand.
func (e *Expr) Parse(lex *lexer.PeekingLexer) error {
	depth, first := 0, true
	afterDot := false
	for {
		t := lex.Peek()
		switch {
		case t.EOF(), t.Type == tokenNewline, t.Type == tokenCite,
			t.Type == tokenPunct && (t.Value == "{" || t.Value == "}" || t.Value == ";" || t.Value == "=" || t.Value == "|"),
			depth == 0 && t.Type == tokenPunct && (t.Value == "," || t.Value == ")" || t.Value == "]"),
			depth == 0 && t.Type == tokenName && slices.Contains(enders, t.Value) && !afterDot,
			depth == 0 && !first && t.Type == tokenName && !operatorBefore(lex) && goesOn(lex),
			depth == 0 && t.Type == tokenString && !first && !afterDot && !operatorBefore(lex):
			if first {
				return participle.NextMatch
			}
			return nil
		}
		switch t.Value {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		}
		afterDot = t.Type == tokenPunct && (t.Value == "." || t.Value == "@") // the columns of a test may be called so
		if first {
			e.Pos = t.Pos
			first = false
		}
		e.EndPos = t.Pos
		e.EndPos.Offset += len(t.Value)
		lex.Next()
	}
}

// goesOn reports whether the tokens behind an operand go on with the statement, though their words can be names.
func goesOn(lex *lexer.PeekingLexer) bool {
	at := lex.RawCursor()
	next := make([]string, 3)
	for i := range next {
		t := lex.Range(at+lexer.RawCursor(i), at+lexer.RawCursor(i+1))[0]
		if t.EOF() {
			break // nothing is behind it
		}
		next[i] = t.Value
	}
	return next[0] == "or" && next[1] == "none" && next[2] != "(" || next[0] == "despite" && next[1] == "duties" ||
		next[0] == "otherwise" || next[0] == "counting" || next[0] == "apart" || next[0] == "for"
}

// operatorBefore reports whether the previous token requires an operand.
func operatorBefore(lex *lexer.PeekingLexer) bool {
	at := lex.RawCursor() - 1
	before := lex.Range(at, at+1)
	return len(before) == 1 && before[0].Type == tokenPunct && before[0].Value != ")" && before[0].Value != "]" ||
		len(before) == 1 && before[0].Type == tokenName && (before[0].Value == "in" || before[0].Value == "and" || before[0].Value == "or" || before[0].Value == "not")
}

// Ref is a reference in a test, with a place of its own: a square ("yellow-5", "12"), a zone or a colour, optionally
// with a passage and an ordinal ("39/2", "39#2"), see model.Spot.
type Ref struct {
	At
	Text string
}

// Parse joins names and numbers separated by a hyphen, a slash or a number sign without blanks.
func (r *Ref) Parse(lex *lexer.PeekingLexer) error {
	t := lex.Peek()
	if t.Type != tokenName && t.Type != tokenInt {
		return participle.NextMatch
	}
	r.Pos = t.Pos
	end := t.Pos.Offset
	for {
		t = lex.Peek()
		if t.EOF() || t.Pos.Offset != end || t.Type != tokenName && t.Type != tokenInt && t.Value != "-" && t.Value != "/" && t.Value != "#" {
			break
		}
		r.Text += t.Value // of most the only one
		end += len(t.Value)
		lex.Next()
	}
	r.EndPos = r.Pos
	r.EndPos.Offset = end
	if last := r.Text[len(r.Text)-1:]; last == "-" || last == "/" || last == "#" {
		return fmt.Errorf("unexpected token %q", last)
	}
	return nil
}

// In the tags that follow, | ends an alternative: participle reads a tag that begins with | twice as often when it makes the grammar.

// Decl is one declaration.
type Decl struct {
	At
	File *source.File

	Ruleset *Ruleset `parser:"(   @@ |"`
	Change  *Change  `parser:"    @@ |"`
	Tests   *Tests   `parser:"    @@ |"`
	Without *Without `parser:"    @@ |"`
	Set     *Set     `parser:"    @@ |"`
	Rename  *Rename  `parser:"    @@ |"`
	Test    *Test    // see TestDecl
	Replace bool     `parser:"    @'replace'?"`
	Kind    *Kind    `parser:"    @@ )"`
	Cites   *Cites   `parser:"@@? Newline?"`
}

// TestDecl is a declaration of a test: the parser of tests is one of its own.
type TestDecl struct {
	At
	Test  *Test  `parser:"@@"`
	Cites *Cites `parser:"@@? Newline?"`
}

// Kind holds the declaration by its kind.
type Kind struct {
	At
	Board   *Board     `parser:"@@ |"`
	Players *Players   `parser:"@@ |"`
	Seats   *Seats     `parser:"@@ |"`
	Teams   *Teams     `parser:"@@ |"`
	Turns   *Turns     `parser:"@@ |"`
	Pieces  *Pieces    `parser:"@@ |"`
	First   *First     `parser:"@@ |"`
	Dice    *Dice      `parser:"@@ |"`
	Option  *Option    `parser:"@@ |"`
	Var     *Var       `parser:"@@ |"`
	Secret  *Secret    `parser:"@@ |"`
	Let     *Let       `parser:"@@ |"`
	Act     *Act       `parser:"@@ |"`
	Turn    *Turn      `parser:"@@ |"`
	Setup   *Setup     `parser:"@@ |"`
	Move    *Move      `parser:"@@ |"`
	Rule    *Rule      `parser:"@@ |"`
	Count   *Count     `parser:"@@ |"`
	Step    *NamedStep `parser:"@@"`
}

// Ruleset is the header of a rule book.
type Ruleset struct {
	At
	Name    *Name   `parser:"'ruleset' @@"`
	Extends *Name   `parser:"( 'extends' @@"`
	With    []*Name `parser:"  ( 'with' @@ (',' @@)* )? )?"`
	Title   *Text   `parser:"@@"`
}

// Change is the header of a change to a rule book.
type Change struct {
	At
	Name  *Name `parser:"'change' @@"`
	Title *Text `parser:"@@"`
	For   *Name `parser:"'for' @@"`
}

// Tests is the header of a file of tests.
type Tests struct {
	At
	Name  *Name   `parser:"'tests' @@"`
	Title *Text   `parser:"@@"`
	For   *Name   `parser:"'for' @@"`
	With  []*Name `parser:"( 'with' @@ (',' @@)* )?"`
}

// Without removes declarations.
type Without struct {
	At
	Step  bool    `parser:"'without' ( (?= 'step' Name ) @'step' )?"`
	Names []*Name `parser:"@@ (',' @@)*"`
	If    *Expr   `parser:"('if' @@)?"`
}

// Set gives an option another default and optionally fewer values.
type Set struct {
	At
	Name   *Name    `parser:"'set' @@ '='"`
	Value  *Literal `parser:"@@"`
	Values *Values  `parser:"('of' @@)?"`
}

// Rename gives a declaration another name.
type Rename struct {
	At
	From  *Name `parser:"'rename' @@"`
	To    *Name `parser:"'to' @@"`
	Words *Text `parser:"@@?"`
}

// Literal is a number, a flag or a word.
type Literal struct {
	At
	Number *Number `parser:"@@ |"`
	True   bool    `parser:"@'true' |"`
	False  bool    `parser:"@'false' |"`
	Text   *Text   `parser:"@@"`
}

// Values are the possible values of an option.
type Values struct {
	At
	First *Literal   `parser:"@@"`
	Last  *Literal   `parser:"( '..' @@ |"`
	More  []*Literal `parser:"(',' @@)+ )?"`
}

// Board names the board, its parameters and the track of the pieces.
type Board struct {
	At
	Name       *Name    `parser:"'board' @@"`
	Parameters []*Param `parser:"( '(' @@ (',' @@)* ')' )?"`
	Track      *Name    `parser:"( 'track' @@ )?"`
}

// Param gives a board's parameter a value.
type Param struct {
	At
	Name  *Name `parser:"@@ '='"`
	Value *Expr `parser:"@@"`
}

// Players gives the numbers of players.
type Players struct {
	At
	Count *Expr `parser:"'players' @@"` // or the usual number, where Of gives all
	Of    *Expr `parser:"( 'of' @@ )?"`
}

// Seats assigns colours to players.
type Seats struct {
	At
	Count *Number `parser:"'seats' @@"`
	If    *Expr   `parser:"('if' @@)?"`
	Sides []*Side `parser:"'{' Newline? @@ ('|' @@)* Newline? '}'"`
}

// Side is a list of colours.
type Side struct {
	At
	Colours []*Name `parser:"@@+"`
}

// Teams groups the players into teams.
type Teams struct {
	At
	If    *Expr   `parser:"'teams' ('if' @@)?"`
	Sides []*Side `parser:"'{' Newline? @@ ('|' @@)* Newline? '}'"`
}

// Turns says that turns belong to colours, and whose turn comes next.
type Turns struct {
	At
	By string `parser:"'turns' ( 'by' @'colour'"`
	To *Expr  `parser:"  ('to' @@)? | 'to' @@ )"`
	If *Expr  `parser:"('if' @@)?"`
}

// Pieces gives the number of pieces of a colour and where they begin.
type Pieces struct {
	At
	Count *Expr `parser:"'pieces' @@"`
	Place *Name `parser:"'at' @@"`
}

// First determines the first player.
type First struct {
	At
	How  string  `parser:"'first' ( @('highest' | 'lowest')"`
	Dice []*Name `parser:"@@ (',' @@)* |"`
	Lot  bool    `parser:"@'lot' |"`
	Last string  `parser:"@('loser' | 'winner') |"` // of the game before, in a series
	Name *Name   `parser:"@@ )"`
}

// Dice declares devices that give numbers.
type Dice struct {
	At
	Names  []*Name `parser:"'dice' @@ (',' @@)* '='"`
	Device *Device `parser:"@@"`
}

// Device is a die, a deck or a choice.
type Device struct {
	At
	Choice *Expr   `parser:"'choice' 'of' @@ |"`
	Deck   []*Face `parser:"'deck' '{' Newline? @@ (',' Newline? @@)* Newline? '}' |"`
	Sides  *Name   `parser:"@@ |"`
	Times  *Number `parser:"( @@ 'x' )?"`
	Faces  []*Face `parser:"  '{' Newline? @@ (',' Newline? @@)* Newline? '}'"`
}

// Face is a value with its weight.
type Face struct {
	At
	Value  *Number `parser:"@@"`
	Weight *Number `parser:"(':' @@)?"`
}

// Option declares an option.
type Option struct {
	At
	Name   *Name    `parser:"'option' @@ '='"`
	Value  *Literal `parser:"@@?"`
	Values *Values  `parser:"('of' @@)?"`
	Words  *Text    `parser:"@@?"`
}

// Var declares a variable.
type Var struct {
	At
	Scope string `parser:"'var' @Name"`
	Name  *Name  `parser:"@@"`
	Type  *Type  `parser:"(':' @@)?"`
	Value *Expr  `parser:"('=' @@)?"`
	If    *Expr  `parser:"('if' @@)?"`
}

// Type is the source form of a type.
type Type struct {
	At
	Set  *Type   `parser:"'set' 'of' @@ |"`
	Bag  *Type   `parser:"'bag' 'of' @@ |"`
	From *Number `parser:"@@"`
	To   *Number `parser:"'..' @@ |"`
	Name *Name   `parser:"@@"`
}

// Secret hides a variable.
type Secret struct {
	At
	Name *Name `parser:"'secret' @@"`
	If   *Expr `parser:"('if' @@)?"`
}

// Let names an expression.
type Let struct {
	At
	Name   *Name      `parser:"'let' @@"`
	Params []*ParamOf `parser:"( '(' ( @@ (',' @@)* )? ')' )?"`
	Value  *Expr      `parser:"'=' @@"`
}

// ParamOf is a parameter with its type.
type ParamOf struct {
	At
	Type *Type `parser:"@@"`
	Name *Name `parser:"@@"`
}

// Act is a named act.
type Act struct {
	At
	Name   *Name      `parser:"'act' @@"`
	Params []*ParamOf `parser:"'(' ( @@ (',' @@)* )? ')'"`
	Words  *Text      `parser:"@@?"`
	Cites  *Cites     `parser:"@@?"`
	Block  *Block     `parser:"@@"`
}

// Turn is the statements of a turn.
type Turn struct {
	At
	Cites *Cites `parser:"'turn' @@?"`
	Block *Block `parser:"@@"`
}

// Setup runs once before the first turn.
type Setup struct {
	At
	Cites *Cites `parser:"'setup' @@?"`
	If    *Expr  `parser:"('if' @@)?"`
	Block *Block `parser:"@@"`
}

// Move is a displacement of pieces.
type Move struct {
	At
	Name     *Name   `parser:"'move' @@"`
	Binds    []*Bind `parser:"'(' ( @@ (',' @@)* )? ')'"`
	From     *Expr   `parser:"('from' @@)?"`
	To       *Expr   `parser:"( 'to' @@ |"`
	Walk     *Expr   `parser:"'walk' @@ |"`
	Stay     bool    `parser:"@'stay' )?"`
	Carrying *Expr   `parser:"('carrying' @@)?"`
}

// Bind is a parameter with its domain.
type Bind struct {
	At
	Name *Name `parser:"@@ 'in'"`
	Set  *Expr `parser:"@@"`
}

// Rule is a named rule with its clauses.
type Rule struct {
	At
	Name    *Name     `parser:"'rule' @@"`
	Before  *Name     `parser:"( 'before' @@ |"`
	After   *Name     `parser:"'after' @@ )?"`
	Words   *Text     `parser:"@@"`
	Cites   *Cites    `parser:"@@?"`
	If      *Expr     `parser:"('if' @@)?"`
	Clauses []*Clause `parser:"'{' Newline? ( @@ ( (Newline | ';') @@ )* )? (Newline | ';')? '}'"`
}

// Clause is one line of a rule.
type Clause struct {
	At
	May    *May    `parser:"( @@ |"`
	Must   *Must   `parser:"@@ |"`
	Step   *Step   `parser:"@@ |"`
	React  *React  `parser:"@@ |"`
	Ending *Ending `parser:"@@ |"`
	Always *Expr   `parser:"'always' @@ )"`
	Cites  *Cites  `parser:"@@?"`
}

// Condition is the condition of the clause, nil if it always applies; for "always" it is the invariant.
func (c *Clause) Condition() *Expr {
	switch {
	case c.May != nil:
		return c.May.When
	case c.Must != nil:
		return c.Must.When
	case c.Step != nil:
		return c.Step.When
	case c.React != nil:
		return c.React.When
	case c.Ending != nil:
		return c.Ending.When
	}
	return c.Always
}

// May offers moves.
type May struct {
	At
	Pattern *Pattern `parser:"'may' @@"`
	By      *Expr    `parser:"('by' @@)?"`
	To      *Name    `parser:"('to' @@)?"`
	Against string   `parser:"( @'despite' 'duties' | @'otherwise' )?"` // what else keeps or replaces what it offers
	When    *Expr    `parser:"('when' @@)?"`
}

// Must is a duty or a prohibition.
type Must struct {
	At
	Word    string   `parser:"@('must' | 'never')"`
	Pattern *Pattern `parser:"@@"`
	To      *Name    `parser:"('to' @@)?"`
	Or      []*Like  `parser:"('or' @@)*"`
	When    *Expr    `parser:"('when' @@)?"`
}

// Like is one more kind of option that a duty is content with.
type Like struct {
	At
	Pattern *Pattern `parser:"@@"`
	To      *Name    `parser:"('to' @@)?"`
}

// Step gives a verdict on a step of a walk.
type Step struct {
	At
	Into   *Name  `parser:"( 'step' ( 'into' @@ |"`
	Beyond bool   `parser:"           @'beyond' ) |"`
	End    *Name  `parser:"'end' 'on' @@ ) ':'"`
	First  string `parser:"@('go' | 'bar' | 'turn' | 'stop' | 'back')"`
	Second string `parser:"( 'or' @('go' | 'bar' | 'turn' | 'stop') )?"`
	When   *Expr  `parser:"('when' @@)?"`
}

// Count is a counter for studies of the game: how often something happens, or a value at the end of the game.
type Count struct {
	At
	Name  *Name  `parser:"'count' @@"`
	Each  *Name  `parser:"( '(' 'player' @@ ')' )?"` // of each player
	Words *Text  `parser:"@@?"`
	Value *Expr  `parser:"( '=' @@ |"`
	Event *Event `parser:"'on' @@"`
	When  *Expr  `parser:"  ('when' @@)? )"`
	If    *Expr  `parser:"('if' @@)?"`
}

// React is a reaction before or after an event.
type React struct {
	At
	Word  string `parser:"@('on' | 'before')"`
	Event *Event `parser:"@@"`
	When  *Expr  `parser:"('when' @@)?"`
	Block *Block `parser:"@@"`
}

// Event is the event of a reaction.
type Event struct {
	At
	Turn string  `parser:"( 'turn' @('begins' | 'ends') |"`
	Game string  `parser:"'game' @'ends' |"`
	Name *Name   `parser:"@@"`
	Call bool    `parser:"  ( @'('"`
	Args []*Name `parser:"    ( @@ (',' @@)* )? ')' )? )"`
	From *Name   `parser:"('from' @@)?"`
	To   *Name   `parser:"('to' @@)?"`
}

// Pattern names moves by their parameters.
type Pattern struct {
	At
	Name *Name   `parser:"@@"`
	Args []*Name `parser:"'(' ( @@ (',' @@)* )? ')'"`
}

// Ending ends the game, or a player's part in it.
type Ending struct {
	At
	Word  string `parser:"( @('win' | 'rank' | 'drop')"`
	Scope string `parser:"  @('player' | 'team' | 'colour')"`
	Name  *Name  `parser:"  @@"`
	Worth *Expr  `parser:"  ('counting' @@)? |"` // what a win counts
	Over  bool   `parser:"@'over' |"`
	Draw  bool   `parser:"@'draw' )"`
	When  *Expr  `parser:"'when' @@"`
}
