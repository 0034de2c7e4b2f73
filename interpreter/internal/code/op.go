package code

import "fmt"

// Op is an operation.
type Op uint8

// The operations. The comment says what an operation does, the table below describes its operands. r is the registers, st the state, tb the
// tables, sc the scratch memory, dv the derived words.
const (
	Nop    Op = iota
	Assume    // marks r[A] as written: its reads are guarded. Removed by the pass drop
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
	Eq // r[A] = 1 if r[B] op r[C], otherwise 0
	Ne
	Lt
	Le
	EqK    // r[A] = 1 if r[B] is K, otherwise 0
	Not    // r[A] = 1 - r[B]
	Bits   // r[A] = number of set bits of r[B]
	Lowest // r[A] = number of the lowest bit of r[B], or -1
	Jump
	JumpZ  // if r[A] is 0
	JumpNZ // if r[A] is not 0
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
	JumpPredicate    // if predicate C is true for piece r[A] and place r[B]
	JumpNotPredicate // if it is false
	Present          // fault K if r[A] is nil
	Check            // fault if r[A] lies outside Ranges[K]
	Call             // procedure at T; registers are shared
	Return           // from a procedure
	ReturnIn         // from a procedure, to the point in cell K
	End              // of an entry; r[A] is its value
	Offers           // r[A] = number of options
	Offer            // r[A] = field K of option r[B]
	Result           // r[A] = result of the last node
	NativeCall       // native C on B arguments from r[A] on; the result, if any, in r[A]; K is the native's immediate
	Suspend          // node of kind A and site T; continues at point K
	Goto             // T, leaving all procedures
	Fail             // fault K
	LiftOp           // take piece r[A] off its place, until RelinkOp
	RelinkOp         // put piece r[A] back
	EmitOp           // add an option described by Templates[K]
	TakeOp           // write an option to the state: the result of the last node, or option 0 if C is 1
	PutOp            // move piece r[A] to place r[B], node in cell K, from the hand or from its place
	ClearOp          // clear the frame and the count state at the end of a turn
	NextOp           // pass the turn to the next player, or colour if C is 1; r[A] = 1 if there is one
	TryOp            // a fault before the next RowsOp continues at T
	WalkersOp        // r[A] = the pieces of set r[B] that can walk r[C] steps
	WalkersIn        // the same with st[K] steps
	HavingOp         // r[A] = the pieces p of set r[B] whose st[K+p] is r[C]
	PredicateOp      // r[A] = the pieces of set r[B] for which predicate C is true where they stand
	RowsOp           // the options are Rows[K]; continues at a node or a target of the rows, or at the next instruction if the sets are not exact
	TickOp           // C more counts or throws of the turn
	CountOp          // start counting r[A] steps with piece r[B] or nil; C is 1 if the number was thrown, 0 if it was earned
	FireOp           // increment counter K
	// Superinstructions combine two instructions. These load r[A] and compare it with C.
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
	AddLess // r[A] = r[B] + K; jump if it is less than r[C]
	AndZ    // r[A] = r[B] & r[C]; jump if it is 0
	AndNZ
	AndNotZ
	AndNotNZ
	AndW // r[C] = dv[K], r[A] = r[B] & r[C]
	AndNotW
	AndWZ      // AndW; jump if r[A] is 0
	LoadLoad   // r[A] = st[K], r[B] = st[T]
	LoadMasks  // r[B] = st[T], r[A] = masks[K+r[B]]
	Copy       // r[A] = st[K], st[T] = r[A]
	FireStore  // counter K, st[T] = r[A]
	FireStoreC // counter K, st[T] = C
	StoreCC    // st[K] = B, st[T] = C
	PutFrom    // r[A] = st[K], r[B] = st[T]; move piece r[A] to place r[B], node in cell C
	NextJump   // NextOp; jump if r[A] is 1
	ClearNext  // ClearOp and NextJump

	Round // counts a backward jump, then jumps to T
	numberOps
)

// Operations is the number of operations.
const Operations = int(numberOps)

// Use is the role of a one-byte operand.
type Use uint8

// The uses.
const (
	Unused Use = iota
	Reads      // a register
	Writes     // a register
	Small      // a signed number
	Index      // an unsigned number
)

// Kind is the meaning of an immediate. The verifier checks the immediate against the sizes of the program.
type Kind uint8

// The kinds.
const (
	None        Kind = iota
	Number           // any number
	Cell             // a cell of the state
	TableAt          // an index of the tables
	ScratchAt        // an index of the scratch memory
	WordAt           // a derived word
	WordBase         // base of an index that may be -1, in the derived words
	MaskBase         // the same in the masks
	PieceCells       // first cell of a variable of pieces
	Target           // an address
	PointAt          // a point
	RangeAt          // bounds
	RowsAt           // rows of a decision
	TemplateAt       // a template
	CounterAt        // a counter
	FaultKind        // a fault
	ThrowOrPlay      // a throw, a play or a pick
	Sixteen          // a signed 16-bit number
	numberKinds
)

// Operation describes an operation for all passes: generating, fusing, verifying, printing and linking.
type Operation struct {
	Name    string
	A, B, C Use
	K, T    Kind
	Stops   bool // the next instruction is not a successor
	Asks    bool // C is the number of a predicate
	Tracks  bool // needs the track sets
}

// operations is the table of operations.
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
	NativeCall:       {Name: "native", A: Index, B: Index, C: Index, K: Number}, // its registers depend on the native
	Suspend:          {Name: "suspend", A: Index, K: PointAt, T: ThrowOrPlay, Stops: true},
	Goto:             {Name: "goto", T: Target, Stops: true},
	Fail:             {Name: "fail", K: FaultKind, Stops: true},
	LiftOp:           {Name: "lift", A: Reads},
	RelinkOp:         {Name: "relink", A: Reads},
	EmitOp:           {Name: "emit", K: TemplateAt}, // its registers depend on the template
	TakeOp:           {Name: "take", C: Index},
	PutOp:            {Name: "put", A: Reads, B: Reads, K: Cell},
	ClearOp:          {Name: "clear-turn"},
	NextOp:           {Name: "next-turn", A: Writes, C: Index},
	TryOp:            {Name: "try", T: Target},
	WalkersOp:        {Name: "walkers", A: Writes, B: Reads, C: Reads, Tracks: true},
	WalkersIn:        {Name: "walkers-in", A: Writes, B: Reads, K: Cell, Tracks: true},
	HavingOp:         {Name: "having", A: Writes, B: Reads, C: Reads, K: PieceCells},
	PredicateOp:      {Name: "keep-predicate", A: Writes, B: Reads, C: Index, Asks: true, Tracks: true},
	RowsOp:           {Name: "rows", K: RowsAt}, // its registers depend on the rows
	TickOp:           {Name: "tick", C: Index},
	CountOp:          {Name: "count", A: Reads, B: Reads, C: Index},
	FireOp:           {Name: "fire", K: CounterAt},

	LoadEq: loadIf("eq"), LoadNe: loadIf("ne"), LoadLt: loadIf("lt"), LoadGe: loadIf("ge"),
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
func loadIf(how string) Operation {
	return Operation{Name: "load-jump-" + how, A: Writes, C: Small, K: Cell, T: Target}
}
func loadAtIf(what, how string, k Kind) Operation {
	return Operation{Name: what + "-jump-" + how, A: Writes, B: Reads, C: Small, K: k, T: Target}
}
func setJump(name string) Operation {
	return Operation{Name: name, A: Writes, B: Reads, C: Reads, T: Target}
}

// Of returns the description of the operation.
func (o Op) Of() *Operation {
	if o < numberOps {
		return &operations[o]
	}
	return &operations[Nop]
}

// String returns the name of the operation.
func (o Op) String() string {
	if o < numberOps {
		return operations[o].Name
	}
	return fmt.Sprintf("op %d", uint8(o))
}

// Instr is an instruction. Next and To are links to its successors, set by Link: the machine follows pointers, which need no bounds check.
type Instr struct {
	Next, To *Instr
	Rows     *RowSet // of RowsOp
	Op       Op
	A, B, C  uint8
	K, T     int32 // immediates
	Site     int32 // the place in the rules, 0 for none
}

// Small is operand C as a signed number.
func (in *Instr) Small() int64 { return int64(int8(in.C)) }

// Registers calls f for each register that an instruction reads, and then for each that it writes.
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
	case RowsOp: // the other fields of a row are read only if its set is not empty
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

// eachTarget calls f for each jump target of an instruction.
func (in *Instr) eachTarget(p *Program, f func(at *int32)) {
	if in.Op.Of().T == Target {
		f(&in.T)
	}
	if in.Op == RowsOp {
		f(&p.Rows[in.K].None)
		f(&p.Rows[in.K].One)
	}
}
