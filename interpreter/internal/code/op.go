package code

import "fmt"

// Op is an operation.
type Op uint8

// The operations. The table below says of each what its operands are; the comment here what it does. r is the registers, st the state,
// tb the tables, sc the scratch memory, dv the derived words.
const (
	Nop    Op = iota
	Assume    // nothing: from here on r[A] counts as written, since what guards its reads sees to it. Only before the pass that drops it
	LoadK     // r[A] = K
	Move      // r[A] = r[B]
	Load      // r[A] = st[K]
	LoadX     // r[A] = st[K+r[B]]
	LoadT     // r[A] = tb[K+r[B]]
	LoadS     // r[A] = sc[K+r[B]]
	LoadD     // r[A] = dv[K+r[B]]; r[B] may be -1
	LoadW     // r[A] = dv[K]
	LoadM     // r[A] = masks[K+r[B]]; r[B] may be -1
	Store     // st[K] = r[A], which must fit 16 bits
	StoreX    // st[K+r[B]] = r[A]
	StoreC    // st[K] = T
	StoreS    // sc[K+r[B]] = r[A]
	Add       // r[A] = r[B] op r[C]
	Sub
	Mul
	Div
	Mod
	And
	Or
	AndNot
	Shl
	Shr
	AddK // r[A] = r[B] op K
	MulK
	AndK
	ShlK
	ShrK
	Eq // r[A] = 1 if r[B] op r[C], else 0
	Ne
	Lt
	Le
	EqK    // r[A] = 1 if r[B] is K, else 0
	Not    // r[A] = 1 - r[B]
	Bits   // r[A] = how many bits of r[B] are set
	Lowest // r[A] = number of the lowest bit of r[B], or -1
	Jump
	JumpZ  // if r[A] is 0
	JumpNZ // if it is not
	JumpEq // if r[A] op r[B]
	JumpNe
	JumpLt
	JumpLe
	JumpEqK // if r[A] op C
	JumpNeK
	JumpLtK
	JumpLeK
	JumpGtK
	JumpGeK
	JumpPredicate    // if the answer to question C of piece r[A] and place r[B] is yes
	JumpNotPredicate // or no
	Present          // fault K if r[A] is nil
	Check            // fault if r[A] lies outside Ranges[K]
	Call             // procedure at T; registers stay
	Return           // from it
	ReturnIn         // from it, to the point in cell K
	End              // of an entry; r[A] is its value
	Offers           // r[A] = number of options
	Offer            // r[A] = field K of option r[B]
	Result           // r[A] = what the last node gave
	NativeCall       // native C on B arguments from r[A]; its result, if any, in r[A]; K is its own
	Suspend          // node of kind A and site T; goes on at point K
	Goto             // T, leaving all procedures
	Fail             // fault K
	LiftOp           // piece r[A] off its place, for Relink
	RelinkOp         // and back
	EmitOp           // an option, made by Templates[K]
	TakeOp           // the option to carry out goes to the cells: what the last node gave, or option 0 where C is 1
	PutOp            // piece r[A] to place r[B], its node in cell K, out of the hand or from where it stands
	ClearOp          // what lives only within a turn is 0 again
	NextOp           // the turn goes to the next player, or colour where C is 1; r[A] = whether there is one
	TryOp            // a fault before the next RowsOp goes on at T
	WalkersOp        // r[A] = the pieces of set r[B] that can walk r[C] steps
	WalkersIn        // likewise, st[K] steps
	HavingOp         // r[A] = the pieces p of set r[B] whose st[K+p] is r[C]
	PredicateOp      // r[A] = the pieces of set r[B] of which the answer to question C is yes where they stand
	RowsOp           // the options are Rows[K]; goes on to a node or where those lead, past it where they cannot tell
	TickOp           // C more counts or throws of the turn
	CountOp          // a number is counted: it is r[A] steps, with piece r[B] or nil; C is 1 where it was thrown, 0 where it was earned
	FireOp           // counter K
	// The fused operations do what two do that often follow one another. These load r[A] and compare it with C.
	LoadEq
	LoadNe
	LoadLt
	LoadGe
	LoadXEq
	LoadXNe
	LoadXLt
	LoadXGe
	LoadTEq
	LoadTNe
	AddLess // r[A] = r[B] + K, and if it is less than r[C]
	AndZ    // r[A] = r[B] & r[C], and if it is empty
	AndNZ
	AndNotZ
	AndNotNZ
	AndW // r[C] = dv[K], r[A] = r[B] & r[C]
	AndNotW
	AndWZ      // AndW, and if r[A] is empty
	LoadLoad   // r[A] = st[K], r[B] = st[T]
	LoadMasks  // r[B] = st[T], r[A] = masks[K+r[B]]
	Copy       // r[A] = st[K], st[T] = r[A]
	FireStore  // counter K, st[T] = r[A]
	FireStoreC // counter K, st[T] = C
	StoreCC    // st[K] = B, st[T] = C
	PutFrom    // r[A] = st[K], r[B] = st[T], piece r[A] to place r[B], its node in cell C
	NextJump   // NextOp, and if there is a next
	ClearNext  // ClearOp and NextJump

	Round // counts a jump backwards, then goes to T
	numberOps
)

// Operations is how many operations there are.
const Operations = int(numberOps)

// Use says what an operation does with an operand of one byte.
type Use uint8

// The uses.
const (
	Unused Use = iota
	Reads      // a register
	Writes     // a register
	Small      // no register: a number with a sign
	Index      // no register: a number without a sign
)

// Kind says what an immediate of an operation is. The verifier holds it to the program's sizes.
type Kind uint8

// The kinds.
const (
	None        Kind = iota
	Number           // any number
	Cell             // of the state
	TableAt          // a place in the tables
	ScratchAt        // in the scratch memory
	WordAt           // a derived word
	WordBase         // the first of those that an index from -1 on reaches
	MaskBase         // likewise, of the masks
	PieceCells       // the first cell of a variable of pieces
	Target           // an address
	PointAt          // a point
	RangeAt          // bounds
	RowsAt           // rows of a decision
	TemplateAt       // a template
	CounterAt        // a counter
	FaultKind        // a fault
	ThrowOrPlay      // a throw, a play or a pick
	Sixteen          // a number of 16 bits with a sign
	numberKinds
)

// Operation describes an operation once, for all that read instructions: generating, fusing, verifying, printing, linking.
type Operation struct {
	Name    string
	A, B, C Use
	K, T    Kind
	Stops   bool // execution does not go on with the next instruction
	Asks    bool // C is the number of a question
	Tracks  bool // needs the sets of squares
}

// operations is the table of the operations.
var operations = [numberOps]Operation{
	Nop: {Name: "nop"}, Assume: {Name: "assume", A: Writes},
	LoadK:  {Name: "const", A: Writes, K: Number},
	Move:   {Name: "move", A: Writes, B: Reads},
	Load:   {Name: "load", A: Writes, K: Cell},
	LoadX:  {Name: "load-at", A: Writes, B: Reads, K: Cell},
	LoadT:  {Name: "table", A: Writes, B: Reads, K: TableAt},
	LoadS:  {Name: "scratch", A: Writes, B: Reads, K: ScratchAt},
	LoadD:  {Name: "word-at", A: Writes, B: Reads, K: WordBase},
	LoadW:  {Name: "word", A: Writes, K: WordAt},
	LoadM:  {Name: "mask", A: Writes, B: Reads, K: MaskBase},
	Store:  {Name: "store", A: Reads, K: Cell},
	StoreX: {Name: "store-at", A: Reads, B: Reads, K: Cell},
	StoreC: {Name: "store-const", K: Cell, T: Sixteen},
	StoreS: {Name: "store-scratch", A: Reads, B: Reads, K: ScratchAt},
	Add:    binary("add"), Sub: binary("sub"), Mul: binary("mul"), Div: binary("div"), Mod: binary("mod"),
	And: binary("and"), Or: binary("or"), AndNot: binary("and-not"), Shl: binary("shl"), Shr: binary("shr"),
	Eq: binary("eq"), Ne: binary("ne"), Lt: binary("lt"), Le: binary("le"),
	AddK: immediate("add-const"), MulK: immediate("mul-const"), AndK: immediate("and-const"), ShlK: immediate("shl-const"), ShrK: immediate("shr-const"), EqK: immediate("eq-const"),
	Not: unary("not"), Bits: unary("bits"), Lowest: unary("lowest"),
	Jump:  {Name: "jump", T: Target, Stops: true},
	JumpZ: {Name: "jump-zero", A: Reads, T: Target}, JumpNZ: {Name: "jump-nonzero", A: Reads, T: Target},
	JumpEq: jumpIf("eq"), JumpNe: jumpIf("ne"), JumpLt: jumpIf("lt"), JumpLe: jumpIf("le"),
	JumpEqK: jumpConst("eq"), JumpNeK: jumpConst("ne"), JumpLtK: jumpConst("lt"), JumpLeK: jumpConst("le"), JumpGtK: jumpConst("gt"), JumpGeK: jumpConst("ge"),
	JumpPredicate:    {Name: "jump-predicate", A: Reads, B: Reads, C: Index, T: Target, Asks: true, Tracks: true},
	JumpNotPredicate: {Name: "jump-not-predicate", A: Reads, B: Reads, C: Index, T: Target, Asks: true, Tracks: true},
	Present:          {Name: "present", A: Reads, K: FaultKind},
	Check:            {Name: "check", A: Reads, K: RangeAt},
	Call:             {Name: "call", T: Target},
	Return:           {Name: "return", Stops: true},
	ReturnIn:         {Name: "return-in", K: Cell, Stops: true},
	End:              {Name: "end", A: Reads, Stops: true},
	Offers:           {Name: "offers", A: Writes},
	Offer:            {Name: "offer", A: Writes, B: Reads, K: Number},
	Result:           {Name: "result", A: Writes},
	NativeCall:       {Name: "native", A: Index, B: Index, C: Index, K: Number}, // its registers follow from the native
	Suspend:          {Name: "suspend", A: Index, K: PointAt, T: ThrowOrPlay, Stops: true},
	Goto:             {Name: "goto", T: Target, Stops: true},
	Fail:             {Name: "fail", K: FaultKind, Stops: true},
	LiftOp:           {Name: "lift", A: Reads},
	RelinkOp:         {Name: "relink", A: Reads},
	EmitOp:           {Name: "emit", K: TemplateAt}, // its registers follow from the template
	TakeOp:           {Name: "take", C: Index},
	PutOp:            {Name: "put", A: Reads, B: Reads, K: Cell},
	ClearOp:          {Name: "clear-turn"},
	NextOp:           {Name: "next-turn", A: Writes, C: Index},
	TryOp:            {Name: "try", T: Target},
	WalkersOp:        {Name: "walkers", A: Writes, B: Reads, C: Reads, Tracks: true},
	WalkersIn:        {Name: "walkers-in", A: Writes, B: Reads, K: Cell, Tracks: true},
	HavingOp:         {Name: "having", A: Writes, B: Reads, C: Reads, K: PieceCells},
	PredicateOp:      {Name: "keep-predicate", A: Writes, B: Reads, C: Index, Asks: true, Tracks: true},
	RowsOp:           {Name: "rows", K: RowsAt}, // its registers follow from the rows
	TickOp:           {Name: "tick", C: Index},
	CountOp:          {Name: "count", A: Reads, B: Reads, C: Index},
	FireOp:           {Name: "fire", K: CounterAt},

	LoadEq: loadIf("load", "eq", Cell), LoadNe: loadIf("load", "ne", Cell), LoadLt: loadIf("load", "lt", Cell), LoadGe: loadIf("load", "ge", Cell),
	LoadXEq: loadAtIf("load-at", "eq", Cell), LoadXNe: loadAtIf("load-at", "ne", Cell), LoadXLt: loadAtIf("load-at", "lt", Cell), LoadXGe: loadAtIf("load-at", "ge", Cell),
	LoadTEq: loadAtIf("table", "eq", TableAt), LoadTNe: loadAtIf("table", "ne", TableAt),
	AddLess: {Name: "add-jump-less", A: Writes, B: Reads, C: Reads, K: Number, T: Target},
	AndZ:    setJump("and-jump-zero"), AndNZ: setJump("and-jump-nonzero"), AndNotZ: setJump("and-not-jump-zero"), AndNotNZ: setJump("and-not-jump-nonzero"),
	AndW: {Name: "and-word", A: Writes, B: Reads, C: Writes, K: WordAt}, AndNotW: {Name: "and-not-word", A: Writes, B: Reads, C: Writes, K: WordAt},
	AndWZ:      {Name: "and-word-jump-zero", A: Writes, B: Reads, C: Writes, K: WordAt, T: Target},
	LoadLoad:   {Name: "load-load", A: Writes, B: Writes, K: Cell, T: Cell},
	LoadMasks:  {Name: "load-mask", A: Writes, B: Writes, K: MaskBase, T: Cell},
	Copy:       {Name: "copy", A: Writes, K: Cell, T: Cell},
	FireStore:  {Name: "fire-store", A: Reads, K: CounterAt, T: Cell},
	FireStoreC: {Name: "fire-store-const", C: Small, K: CounterAt, T: Cell},
	StoreCC:    {Name: "store-two-const", B: Small, C: Small, K: Cell, T: Cell},
	PutFrom:    {Name: "put-from", A: Writes, B: Writes, C: Index, K: Cell, T: Cell},
	NextJump:   {Name: "next-turn-jump", A: Writes, C: Index, T: Target},
	ClearNext:  {Name: "clear-next-turn-jump", A: Writes, C: Index, T: Target},

	Round: {Name: "round", T: Target, Stops: true},
}

func unary(name string) Operation     { return Operation{Name: name, A: Writes, B: Reads} }
func binary(name string) Operation    { return Operation{Name: name, A: Writes, B: Reads, C: Reads} }
func immediate(name string) Operation { return Operation{Name: name, A: Writes, B: Reads, K: Number} }
func jumpIf(how string) Operation {
	return Operation{Name: "jump-" + how, A: Reads, B: Reads, T: Target}
}
func jumpConst(how string) Operation {
	return Operation{Name: "jump-" + how + "-const", A: Reads, C: Small, T: Target}
}
func loadIf(what, how string, k Kind) Operation {
	return Operation{Name: what + "-jump-" + how, A: Writes, C: Small, K: k, T: Target}
}
func loadAtIf(what, how string, k Kind) Operation {
	return Operation{Name: what + "-jump-" + how, A: Writes, B: Reads, C: Small, K: k, T: Target}
}
func setJump(name string) Operation {
	return Operation{Name: name, A: Writes, B: Reads, C: Reads, T: Target}
}

// Of is the description of the operation.
func (o Op) Of() *Operation {
	if o < numberOps {
		return &operations[o]
	}
	return &operations[Nop]
}

// String is the name of the operation.
func (o Op) String() string {
	if o < numberOps {
		return operations[o].Name
	}
	return fmt.Sprintf("op %d", uint8(o))
}

// Instr is one instruction. Next and To follow from its place and its target, see link: the machine follows pointers, and keeps no address
// that must be checked.
type Instr struct {
	Next, To *Instr
	Rows     *RowSet // of RowsOp
	Op       Op
	A, B, C  uint8
	K, T     int32 // its immediates
	Site     int32 // where it comes from, 0 for nowhere
}

// Small is operand C as a number with a sign.
func (in *Instr) Small() int64 { return int64(int8(in.C)) }

// Registers calls f for each register that an instruction of a program touches: those it reads first.
func (in *Instr) Registers(p *Program, f func(r uint8, use Use)) {
	d := in.Op.Of()
	switch in.Op {
	case NativeCall:
		for i := range in.B {
			f(in.A+i, Reads)
		}
		if NativeOp(in.C).Of().Result {
			f(in.A, Writes)
		}
		return
	case EmitOp:
		for _, x := range p.Templates[in.K].Fields {
			if x.Reg >= 0 {
				f(uint8(x.Reg), Reads)
			}
		}
		return
	case RowsOp: // the other fields of a row are read only where its set has elements
		for _, r := range p.Rows[in.K].Rows {
			f(r.Set, Reads)
		}
		return
	}
	operands := [...]struct {
		r   uint8
		use Use
	}{{in.B, d.B}, {in.C, d.C}, {in.A, d.A}}
	for _, want := range []Use{Reads, Writes} {
		for _, o := range operands {
			if o.use == want {
				f(o.r, want)
			}
		}
	}
}

// leads calls f for each address that an instruction may lead to, other than the next.
func (in *Instr) leads(p *Program, f func(at *int32)) {
	if in.Op.Of().T == Target {
		f(&in.T)
	}
	if in.Op == RowsOp {
		f(&p.Rows[in.K].None)
		f(&p.Rows[in.K].One)
	}
}
