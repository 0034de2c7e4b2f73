package syntax

// Test is a scenario.
type Test struct {
	At
	Name  *Text       `parser:"'test' @@"`
	Cites *Cites      `parser:"@@?"`
	Lines []*TestLine `parser:"'{' Newline? ( @@ ( (Newline | ';')+ @@ )* )? (Newline | ';')* '}'"`
}

// TestLine is one line of a scenario.
type TestLine struct {
	At
	Given   []*Given     `parser:"  'given' @@ ('|' @@)*"`
	Turn    *Name        `parser:"| 'turn' @@"`
	Players *Number      `parser:"| 'players' @@"`
	Arrived *Arrived     `parser:"| @@"`
	Set     *TestSet     `parser:"| @@"`
	Throw   *TestThrow   `parser:"| @@"`
	Play    *TestPlay    `parser:"| @@"`
	Expect  *Expectation `parser:"| 'expect' @@"`
}

// Given places one colour's pieces.
type Given struct {
	At
	Refs []*Ref `parser:"@@+"`
}

// Arrived is the order of arrival on a square.
type Arrived struct {
	At
	Square  *Ref    `parser:"'arrived' @@ ':'"`
	Colours []*Name `parser:"@@+"`
}

// TestSet gives an option or a variable a value: NAME, OWNER.NAME or COLOUR@SQUARE.NAME.
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
	Number *Number   `parser:"  @@"`
	Text   *Text     `parser:"| @@"`
	Open   bool      `parser:"| @'['"`
	Items  []*Number `parser:"  ( @@ (',' @@)* )? ']'"`
	Ref    *Ref      `parser:"| @@"`
}

// TestThrow feeds throws.
type TestThrow struct {
	At
	Device  *Name     `parser:"'throw' @@?"`
	Numbers []*Number `parser:"@@+"`
}

// MoveRef is a move by its squares.
type MoveRef struct {
	At
	From     []*Ref  `parser:"@@+"` // [colour] place
	To       *Ref    `parser:"'->' @@"`
	Counting *Number `parser:"('counting' @@)?"`
}

// TestPlay makes a decision.
type TestPlay struct {
	At
	Move *MoveRef `parser:"'play' ( (?= (Name | Int | '-')+ '->') @@"`
	Refs []*Ref   `parser:"| @@+ )"`
}

// Expectation is what must hold.
type Expectation struct {
	At
	Moves   []*MoveRef `parser:"  'moves' @@ (',' @@)*"`
	NoMoves bool       `parser:"| @('no' 'moves')"`
	Never   bool       `parser:"| 'refused' ( @'position'"`
	Throw   []*Number  `parser:"  | 'throw' @@+"`
	Refused *MoveRef   `parser:"  | @@ )"`
	By      *Name      `parser:"  ('by' @@)?"`
	Asks    *Name      `parser:"| 'asks' @@"`
	Earned  *Number    `parser:"| 'earned' @@"`
	Turn    *Name      `parser:"| 'turn' @@"`
	Winner  []*Name    `parser:"| 'winner' @@+"`
	Ranking []*Name    `parser:"| 'ranking' @@+"`
	That    *Expr      `parser:"| 'that' @@"`
	Over    bool       `parser:"| @'over'"`
	Given   *Given     `parser:"| @@"`
}
