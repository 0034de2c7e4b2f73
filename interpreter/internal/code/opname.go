package code

import "fmt"

var opNames = [...]string{
	Nop: "nop", LoadK: "loadk", Move: "move", Load: "load", LoadX: "loadx", LoadT: "loadt", LoadS: "loads", LoadD: "loadd", LoadW: "loadw", LoadM: "loadm", Store: "store",
	StoreX: "storex", StoreS: "stores", Add: "add", Sub: "sub", Mul: "mul", Div: "div", Mod: "mod", And: "and", Or: "or", AndNot: "andnot", Shl: "shl",
	Shr: "shr", AddK: "addk", MulK: "mulk", AndK: "andk", ShlK: "shlk", ShrK: "shrk", Eq: "eq", Ne: "ne", Lt: "lt", Le: "le",
	EqK: "eqk", Not: "not", Bits: "bits", Lowest: "lowest", Jump: "jump", JumpZ: "jumpz", JumpNZ: "jumpnz", JumpEq: "jumpeq", JumpNe: "jumpne", JumpLt: "jumplt",
	JumpLe: "jumple", JumpEqK: "jumpeqk", JumpNeK: "jumpnek", JumpLtK: "jumpltk", JumpLeK: "jumplek", JumpGtK: "jumpgtk",
	JumpGeK: "jumpgek", JumpTold: "jumptold", JumpNotTold: "jumpnottold", ToldOp: "told", Present: "present", Check: "check", Call: "call", Return: "return", ReturnIn: "returnin", End: "end",
	Offers: "offers", Offer: "offer", Result: "result", Native: "native", Suspend: "suspend", Goto: "goto", Fail: "fail", LiftOp: "lift", RelinkOp: "relink", EmitOp: "emit", TryOp: "try", ClearOp: "clear", NextOp: "next", TakeOp: "take", PutOp: "put", WalkersOp: "walkers", WalkersIn: "walkersin", HavingOp: "having", RowsOp: "rows", TickOp: "tick", FireOp: "fire",
	LoadEq: "loadeq", LoadNe: "loadne", LoadLt: "loadlt", LoadGe: "loadge", LoadXEq: "loadxeq", LoadXNe: "loadxne", LoadXLt: "loadxlt", LoadXGe: "loadxge", LoadTEq: "loadteq", LoadTNe: "loadtne", LoadTLt: "loadtlt", LoadTGe: "loadtge", AddEq: "addeq", AddNe: "addne", AddLt: "addlt", AddLess: "addless", StoreC: "storec",
	BitsEq: "bitseq", BitsNe: "bitsne", AndZ: "andz", AndNZ: "andnz", AndNotZ: "andnotz", AndNotNZ: "andnotnz", AndWZ: "andwz", AndWNZ: "andwnz", AndNotWZ: "andnotwz",
	AndNotWNZ: "andnotwnz", AndW: "andw", AndNotW: "andnotw", LoadLoadM: "loadloadm", LoadLoad: "loadload", LoadKK: "loadkk", Copy: "copy",
	StoreCC: "storecc", NextJump: "nextjump", ClearNext: "clearnext", PutIn: "putin", TryZero: "tryzero", FireStoreC: "firestorec", FireStore: "firestore", AddCell: "addcell", StoreXC: "storexc",
	MuchStore: "muchstore", MuchNode: "muchnode", MuchTry: "muchtry", MuchOp: "much", TestsOp: "tests", TestsFar: "testsfar", MineWalkOp: "minewalk", PutInNe: "putinne", SwitchOp: "switch", RoundOp: "round", RowOp: "row",
}

// String is the name of the operation.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return fmt.Sprintf("op %d", uint8(o))
}
