package syntax

// Block is a list of statements.
type Block struct {
	At
	Stmts []*Stmt `parser:"'{' Newline? ( @@ ( (Newline | ';')+ @@ )* )? (Newline | ';')* '}'"`
}

// Stmt is one statement.
type Stmt struct {
	At
	If       *If       `parser:"(  @@"`
	For      *For      `parser:"| @@"`
	Put      *Put      `parser:"| @@"`
	Exchange *Exchange `parser:"| @@"`
	Throw    *Throw    `parser:"| @@"`
	Play     *Play     `parser:"| @@"`
	Earn     *Earn     `parser:"| @@"`
	Choose   *Choose   `parser:"| @@"`
	Do       *Do       `parser:"| @@"`
	EndTurn  bool      `parser:"| @('end' 'turn')"`
	Undo     bool      `parser:"| @('undo' 'turn')"`
	Finish   *Finish   `parser:"| @@"`
	Assign   *Assign   `parser:"| @@"`
	Again    bool      `parser:"| @'again'"`
	Over     bool      `parser:"| @'over' )"`
	Cites    *Cites    `parser:"@@?"`
}

// If is a condition with its blocks.
type If struct {
	At
	Cond   *Expr  `parser:"'if' @@"`
	Then   *Block `parser:"@@"`
	Else   *Block `parser:"( Newline* 'else' ( @@"`
	ElseIf *If    `parser:"  | @@ ) )?"`
}

// For is a loop over a set.
type For struct {
	At
	Name *Name  `parser:"'for' @@ 'in'"`
	Set  *Expr  `parser:"@@"`
	Body *Block `parser:"@@"`
}

// Put sets a piece down somewhere.
type Put struct {
	At
	Word  string `parser:"( @'put'"`
	Piece *Expr  `parser:"  @@"`
	Place *Expr  `parser:"  'on' @@"`
	Send  bool   `parser:"| @'send'"`
	Who   *Expr  `parser:"  @@"`
	Where *Expr  `parser:"  'to' @@ )"`
}

// Exchange swaps two pieces.
type Exchange struct {
	At
	First  *Expr `parser:"'exchange' @@"`
	Second *Expr `parser:"',' @@"`
}

// Throw throws devices.
type Throw struct {
	At
	Names []*Name `parser:"'throw' @@ (',' @@)*"`
}

// Play counts numbers.
type Play struct {
	At
	Earned bool   `parser:"'play' ( @'earned'"`
	How    string `parser:"| ( @('any' | 'each' | 'most') 'of' )?"`
	Number *Expr  `parser:"  @@ )"`
}

// Earn puts a number into the queue.
type Earn struct {
	At
	Number *Expr `parser:"'earn' @@"`
	With   *Expr `parser:"('with' @@)?"`
}

// Choose lets a player pick.
type Choose struct {
	At
	Target *Target `parser:"'choose' @@"`
	Words  *Text   `parser:"@@?"`
	From   *Expr   `parser:"'from' @@"`
	By     *Expr   `parser:"('by' @@)?"`
}

// Do does an act.
type Do struct {
	At
	Name *Name   `parser:"'do' @@"`
	Args []*Expr `parser:"'(' ( @@ (',' @@)* )? ')'"`
}

// Finish is an ending as a statement.
type Finish struct {
	At
	Word string `parser:"@('win' | 'rank' | 'drop')"`
	Who  *Expr  `parser:"@@"`
}

// Assign changes a variable.
type Assign struct {
	At
	Target *Target `parser:"@@"`
	Op     string  `parser:"@('=' | '+=' | '-=')"`
	Value  *Expr   `parser:"@@"`
}

// Target is a variable, perhaps of something.
type Target struct {
	At
	Names []*Name `parser:"@@ ('.' @@)*"`
}
