package syntax

// Test is a scenario, or a table of scenarios.
type Test struct {
	At
	Name  *Text       `parser:"'test' @@"`
	Cites *Cites      `parser:"@@?"`
	Cases *Cases      `parser:"'{' Newline? @@?"`
	Lines []*TestLine `parser:"( @@ ( (Newline | ';') @@ )* )? (Newline | ';')? '}'"`

	// Each are the scenarios of a table, one for each row, after substitution; empty without a table.
	Each []*Test
	// Case is the row from which the test is made, nil for a test that is not in Each of another.
	Case *Case
}

// TestLine is one line of a scenario.
type TestLine struct {
	At
	Expect  *Expectation `parser:"'expect' @@ |"`
	Throw   *TestThrow   `parser:"@@ |"`
	Turn    *Name        `parser:"'turn' @@ |"`
	Given   []*Given     `parser:"'given' @@ ('|' @@)* |"`
	Set     *TestSet     `parser:"@@ |"`
	Play    *TestPlay    `parser:"@@ |"`
	Players *Amount      `parser:"'players' @@ |"`
	Arrived *Arrived     `parser:"@@"`
}

// Given places one colour's pieces.
type Given struct {
	At
	Refs []*Ref `parser:"@@+"`
}

// Arrived is the order of arrival on a place: of colours, or of pieces ("red#2").
type Arrived struct {
	At
	Square  *Ref   `parser:"'arrived' @@ ':'"`
	Colours []*Ref `parser:"@@+"`
}

// TestSet sets an option, a variable or a die: NAME, OWNER.NAME or COLOUR@SQUARE.NAME.
type TestSet struct {
	At
	Name   *Ref         `parser:"'set' @@"` // the owner, where Field is there
	Square *Ref         `parser:"( '@' @@ )?"`
	Field  *Name        `parser:"( '.' @@ )?"`
	Value  *TestLiteral `parser:"'=' @@"`
}

// TestLiteral is a value in a test.
type TestLiteral struct {
	At
	Number *Number        `parser:"@@ |"`
	Text   *Text          `parser:"@@ |"`
	Open   bool           `parser:"@'['"`
	Items  []*TestLiteral `parser:"  ( @@ (',' @@)* )? ']' |"`
	Ref    *Ref           `parser:"@@"`
	Square *Ref           `parser:"  ( '@' @@ )?"` // of a piece of the colour Ref
}

// Amount is a number of a test, or the name of the column with the number.
type Amount struct {
	At
	Number *Number `parser:"@@ |"`
	Column *Name   `parser:"@@"`
}

// Value is the number; ok is false if it is not a number or is out of range.
func (a *Amount) Value() (int, bool) {
	if a.Number == nil {
		return 0, false
	}
	return a.Number.Value()
}

// TestThrow sets the next throws: optionally the name of a die, then numbers.
type TestThrow struct {
	At
	Parts []*Amount `parser:"'throw' @@+"`
}

// Device is the named die, nil without a name.
func (t *TestThrow) Device() *Name {
	if len(t.Parts) == 1 {
		return nil
	}
	return t.Parts[0].Column
}

// Numbers are the numbers thrown.
func (t *TestThrow) Numbers() []*Amount {
	if t.Device() != nil {
		return t.Parts[1:]
	}
	return t.Parts
}

// OptionRef names something a player may choose, as menus do: FROM -> TO, NAME(ARGUMENT, …), or the words of it.
type OptionRef struct {
	At
	Move     *Name        `parser:"( (?= Name '(') @@"`
	Args     []*OptionArg `parser:"'(' ( @@ (',' @@)* )? ')' |"`
	Number   *Number      `parser:"(?= '-') @@ |"`
	Words    []*Ref       `parser:"@@ ( (?! 'by' | ('counting' | 'via') (Name | Int | '-')) @@ )*"` // before an arrow: [colour] place
	To       *Ref         `parser:"  ('->' @@)? )"`
	Counting *Amount      `parser:"('counting' @@)?"`
	Via      *Ref         `parser:"('via' @@)?"`
	By       *Name        `parser:"('by' @@"` // its move; where it is refused, perhaps the rule
	Paren    bool         `parser:"  (@'('"`
	ByArgs   []*OptionArg `parser:"   ( @@ (',' @@)* )? ')')? )?"`
}

// OptionArg is a parameter of a move: a number, a word, or a piece: [colour] place.
type OptionArg struct {
	At
	Number *Number `parser:"  (?= '-') @@ |"`
	Words  []*Ref  `parser:"@@+"`
}

// TestPlay makes a decision.
type TestPlay struct {
	At
	Option *OptionRef `parser:"'play' @@"`
}

// Chance is how likely a number of a device is: its weight, or a fraction.
type Chance struct {
	At
	Die    *Name   `parser:"'chance' @@"`
	Number *Amount `parser:"@@ '=='"`
	Weight *Amount `parser:"@@"`
	Of     *Amount `parser:"('/' @@)?"`
}

// Expectation is an expect line.
type Expectation struct {
	At
	That      *Expr        `parser:"'that' @@ |"`
	Moves     []*OptionRef `parser:"'moves' @@ (',' @@)* |"`
	Turn      *Name        `parser:"'turn' @@ |"`
	NoMoves   bool         `parser:"@('no' 'moves') |"`
	NoChoices bool         `parser:"@('no' 'choices') |"`
	Choices   []*OptionRef `parser:"'choices' @@ (',' @@)* |"`
	Chance    *Chance      `parser:"(?= 'chance' Name '-'? (Name | Int) '==') @@ |"`
	Never     bool         `parser:"'refused' ( @'position' |"`
	Throw     []*Amount    `parser:"    'throw' @@+ |"`
	Refused   *OptionRef   `parser:"    @@ )"`
	By        *Name        `parser:"  ('by' @@)? |"`
	Asks      *Name        `parser:"'asks' @@ |"`
	Earned    *Amount      `parser:"'earned' @@ |"`
	Winner    []*Name      `parser:"'winner' @@ ((?! 'counting') @@)*"`
	Worth     *Amount      `parser:"  ('counting' @@)? |"` // what the win counts
	Ranking   []*Name      `parser:"'ranking' @@+ |"`
	Over      bool         `parser:"@'over' |"`
	NotOver   bool         `parser:"@('not' 'over') |"`
	Draw      bool         `parser:"@'draw' (?! Name | Int) |"`
	Given     *Given       `parser:"@@"`
}
