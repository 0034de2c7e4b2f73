package syntax

// Block is a list of statements.
type Block struct {
	At
	Stmts []*Stmt `parser:"'{' Newline? ( @@ ( (Newline | ';') @@ )* )? (Newline | ';')? '}'"`
}

// statementTable has the keywords of the statements, in the order of messages and of the reference.
var statementTable = []Word{
	{Role: StatementWord, Form: "NAME = VALUE, or NAME += VALUE, or NAME -= VALUE", Doc: "changes a variable; of a set or bag, `+=` adds elements and `-=` takes them out"},
	{Text: "if", Role: StatementWord, Form: "if CONDITION { STATEMENTS } [else { STATEMENTS }]", Doc: "does one block or the other"},
	{Text: "for", Role: StatementWord, Form: "for NAME in SET { STATEMENTS }", Doc: "goes through a list"},
	{Text: "let", Role: StatementWord, Form: "let NAME = VALUE", Doc: "NAME is VALUE as it is here, to the end of the block; no list"},
	{Text: "put", Role: StatementWord, Form: "put PIECE on PLACE", Doc: "sets a piece down"},
	{Text: "send", Role: StatementWord, Form: "send PIECE to PLACE", Doc: "like `put`; tables use both words"},
	{Text: "exchange", Role: StatementWord, Form: "exchange PIECE, PIECE", Doc: "two pieces change places"},
	{Text: "give", Role: StatementWord, Form: "give PIECE to COLOUR", Doc: "the piece belongs to that colour from now on, and [stays where it stands](#pieces-that-change-hands)"},
	{Text: "throw", Role: StatementWord, Form: "throw DIE, …", Doc: "throws them together"},
	{Text: "play", Role: StatementWord, Form: "play NUMBER, play any|each|most|all of NUMBERS [or NUMBERS …] [apart], or play earned", Doc: "counts numbers; in the turn only"},
	{Text: "earn", Role: StatementWord, Form: "earn NUMBER [with PIECE], or earn NUMBER for PLAYER", Doc: "puts a number at the end of the queue, counted by moves of that piece only (nil: of any); or keeps it for that player's next turn"},
	{Text: "choose", Role: StatementWord, Form: `choose NAME "words" [from SET [or none]] [by PLAYER]`, Doc: "the player (or that one) picks; NAME is a new name, or a variable that gets the value. Without a set the answer is yes or no, a flag. A candidate that is nil is a fault. One candidate decides itself; with none the rest of the block is left out. `or none` lets the player decline, even a single candidate, which leaves it out too"},
	{Text: "do", Role: StatementWord, Form: "do ACT(VALUE, …)", Doc: "does an act"},
	{Text: "again", Role: StatementWord, Form: "again", Doc: "when this go is over there is another one; said twice it is still one"},
	{Text: "end", Role: StatementWord, Form: "end turn", Doc: "at once: the rest of the block, the queue, the walk and `again` are dropped"},
	{Text: "undo", Role: StatementWord, Form: "undo turn", Doc: "everything as it was when the turn began, and the turn is over"},
	{Text: "win", Role: StatementWord, Form: "win WHO [counting NUMBER]", Doc: "ends the game; WHO is a player, team or colour. The win counts 1, or that number"},
	{Text: "rank", Role: StatementWord, Form: "rank WHO", Doc: "gives WHO the next place"},
	{Text: "drop", Role: StatementWord, Form: "drop WHO", Doc: "puts WHO out of the game"},
	{Text: "over", Role: StatementWord, Form: "over", Doc: "ends the game"},
	{Text: "draw", Role: StatementWord, Form: "draw", Doc: "ends the game, and no side wins"},
	{Text: "step", Role: StatementWord, Form: "step NAME { STATEMENTS }", Doc: "a part of the turn with a name, by which a [change](#steps-of-the-turn) replaces or extends it"},
}

// Stmt is one statement.
type Stmt struct {
	At
	If       *If        `parser:"(  @@ |"`
	For      *For       `parser:"@@ |"`
	Let      *LetHere   `parser:"(?! 'let' ('=' | '+=' | '-=' | '.') ) @@ |"`
	Put      *Put       `parser:"@@ |"`
	Exchange *Exchange  `parser:"@@ |"`
	Give     *Give      `parser:"(?! 'give' ('=' | '+=' | '-=' | '.') ) @@ |"`
	Throw    *Throw     `parser:"@@ |"`
	Play     *Play      `parser:"@@ |"`
	Earn     *Earn      `parser:"@@ |"`
	Choose   *Choose    `parser:"@@ |"`
	Do       *Do        `parser:"@@ |"`
	EndTurn  bool       `parser:"@('end' 'turn') |"`
	Undo     bool       `parser:"@('undo' 'turn') |"`
	Finish   *Finish    `parser:"@@ |"`
	Step     *NamedStep `parser:"(?= 'step' Name ) @@ |"`
	Assign   *Assign    `parser:"@@ |"`
	Again    bool       `parser:"@'again' |"`
	Over     bool       `parser:"@'over' |"`
	Draw     bool       `parser:"@'draw' )"`
	Cites    *Cites     `parser:"@@?"`
}

// If is a condition with its blocks.
type If struct {
	At
	Cond   *Expr  `parser:"'if' @@"`
	Then   *Block `parser:"@@"`
	Else   *Block `parser:"( Newline? 'else' ( @@ |"`
	ElseIf *If    `parser:"    @@ ) )?"`
}

// For is a loop over a set.
type For struct {
	At
	Name *Name  `parser:"'for' @@ 'in'"`
	Set  *Expr  `parser:"@@"`
	Body *Block `parser:"@@"`
}

// LetHere gives a value a name for the rest of its block.
type LetHere struct {
	At
	Name  *Name `parser:"'let' @@ '='"`
	Value *Expr `parser:"@@"`
}

// Put sets a piece down somewhere.
type Put struct {
	At
	Word  string `parser:"( @'put'"`
	Piece *Expr  `parser:"  @@"`
	Place *Expr  `parser:"'on' @@ |"`
	Send  bool   `parser:"@'send'"`
	Who   *Expr  `parser:"  @@"`
	Where *Expr  `parser:"  'to' @@ )"`
}

// Exchange swaps two pieces.
type Exchange struct {
	At
	First  *Expr `parser:"'exchange' @@"`
	Second *Expr `parser:"',' @@"`
}

// Give gives a piece to another colour.
type Give struct {
	At
	Piece *Expr `parser:"'give' @@"`
	To    *Expr `parser:"'to' @@"`
}

// Throw throws dice or other devices.
type Throw struct {
	At
	Names []*Name `parser:"'throw' @@ (',' @@)*"`
}

// Play counts numbers: players move with them.
type Play struct {
	At
	Earned bool   `parser:"'play' ( @'earned' |"`
	How    string `parser:"( @('any' | 'each' | 'most' | 'all') 'of' )?"`
	Number *Expr  `parser:"  @@"`
	Apart  bool   `parser:"  @'apart'? )"`
}

// Earn puts a number into the queue.
type Earn struct {
	At
	Number *Expr `parser:"'earn' @@"`
	With   *Expr `parser:"('with' @@)?"`
	For    *Expr `parser:"('for' @@)?"`
}

// Choose lets a player choose.
type Choose struct {
	At
	Target *Target `parser:"'choose' @@"`
	Words  *Text   `parser:"@@?"`
	From   *Expr   `parser:"( 'from' @@"` // nil: a question answered by yes or no
	None   bool    `parser:"  ( 'or' @'none' )? )?"`
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
	Word  string `parser:"@('win' | 'rank' | 'drop')"`
	Who   *Expr  `parser:"@@"`
	Worth *Expr  `parser:"('counting' @@)?"` // what a win counts
}

// Assign changes a variable.
type Assign struct {
	At
	Target *Target `parser:"@@"`
	Op     string  `parser:"@('=' | '+=' | '-=')"`
	Value  *Expr   `parser:"@@"`
}

// NamedStep is a named part of the turn. As a declaration it stands before, after or instead of the step of that name.
type NamedStep struct {
	At
	Where string `parser:"@('before' | 'after')?"`
	Name  *Name  `parser:"'step' @@"`
	Cites *Cites `parser:"@@?"`
	Block *Block `parser:"@@"`
}

// Target is a variable, optionally a field of an owner.
type Target struct {
	At
	Names []*Name `parser:"@@ ('.' @@)*"`
}
