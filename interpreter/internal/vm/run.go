package vm

import (
	"math/bits"

	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// fault stops the program at an instruction.
func (m *Machine) fault(kind code.Fault, in *code.Word) { m.faultAt(kind, int(m.prog.Sites[in.At])) }

func (m *Machine) faultAt(kind code.Fault, site int) { m.Fault = Fault{Kind: kind, Site: site} }

// at is a point at an address.
func (m *Machine) at(pc int32) code.Point { return code.Point{PC: pc, To: &m.prog.Words[pc]} }

// exec executes from a point to the next node, or to the end of an entry. It reports false after a fault.
//
// The registers are an array indexed by bytes, so that no access needs a bounds check; the state is a slice, whose
// checks are the price of sizes that differ from game to game. The switch has a case for every value there is, so that the
// jump needs no check either. Nothing lives across a call: what calls is given the instruction, and gives the next one.
//
// It is given a point, not an instruction: that would stay in the register in which it comes, and be moved there each time.
func (m *Machine) exec(p *code.Point) bool {
	r, in := &m.r, p.To
	m.fuel, m.sp = code.MaxFuel, 0
	for {
		switch in.Op {
		case code.LoadK:
			r[in.A] = int(in.K)
			in = in.Next
			continue
		case code.Move:
			r[in.A] = r[in.B]
		case code.Load:
			r[in.A] = int(m.st[in.K])
			in = in.Next
			continue
		case code.LoadX:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			r[in.A] = int(m.st[int(in.K)+x])
		case code.LoadT:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			r[in.A] = int(m.prog.Tables[int(in.K)+x])
			in = in.Next
			continue
		case code.LoadS:
			r[in.A] = int(m.sc[int(in.K)+r[in.B]])
		case code.LoadD:
			r[in.A] = int(m.dv[int(in.K)+r[in.B]])
		case code.LoadW:
			r[in.A] = int(m.dv[in.K])
		case code.LoadM:
			r[in.A] = int(m.prog.Masks[int(in.K)+r[in.B]])
		case code.Store:
			v := r[in.A]
			if v != int(int16(v)) {
				m.fault(code.FaultRange, in)
				goto failed
			}
			m.st[in.K] = int16(v)
		case code.StoreX:
			v, x := r[in.A], r[in.B]
			if v != int(int16(v)) {
				m.fault(code.FaultRange, in)
				goto failed
			}
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			m.st[int(in.K)+x] = int16(v)
			in = in.Next
			continue
		case code.StoreC:
			m.st[in.K] = in.BC()
		case code.StoreS:
			m.sc[int(in.K)+r[in.B]] = int16(r[in.A])
		case code.Add:
			r[in.A] = r[in.B] + r[in.C]
		case code.Sub:
			r[in.A] = r[in.B] - r[in.C]
		case code.And:
			r[in.A] = r[in.B] & r[in.C]
		case code.Or:
			r[in.A] = r[in.B] | r[in.C]
		case code.AndNot:
			r[in.A] = r[in.B] &^ r[in.C]
		case code.AddK:
			r[in.A] = r[in.B] + int(in.K)
		case code.MulK:
			r[in.A] = int(int32(r[in.B])) * int(in.K)
		case code.AndK:
			r[in.A] = r[in.B] & int(in.K)
		case code.ShrK:
			r[in.A] = r[in.B] >> (uint(int(in.K)) & 63)
		case code.EqK:
			r[in.A] = truth(r[in.B] == int(in.K))
		case code.Bits:
			r[in.A] = ones(uint64(r[in.B]))
		case code.Lowest:
			r[in.A] = -1
			if w := uint64(r[in.B]); w != 0 {
				r[in.A] = bits.TrailingZeros64(w)
			}
		case code.Jump:
			goto jump
		case code.JumpZ:
			if r[in.A] != 0 {
				break
			}
			goto jump
		case code.JumpNZ:
			if r[in.A] == 0 {
				break
			}
			goto jump
		case code.JumpEq:
			if r[in.A] != r[in.B] {
				break
			}
			goto jump
		case code.JumpNe:
			if r[in.A] == r[in.B] {
				break
			}
			goto jump
		case code.JumpLt:
			if r[in.A] >= r[in.B] {
				break
			}
			goto jump
		case code.JumpLe:
			if r[in.A] > r[in.B] {
				break
			}
			goto jump
		case code.JumpEqK:
			if r[in.A] != in.Small() {
				in = in.Next
				continue
			}
			in = in.To
			continue
		case code.JumpLtK:
			if r[in.A] >= in.Small() {
				break
			}
			goto jump
		case code.JumpLeK:
			if r[in.A] > in.Small() {
				break
			}
			goto jump
		case code.JumpGtK:
			if r[in.A] <= in.Small() {
				break
			}
			goto jump
		case code.JumpGeK:
			if r[in.A] < in.Small() {
				break
			}
			goto jump
		case code.Present:
			if r[in.A] < 0 {
				m.fault(code.Fault(int(in.K)), in)
				goto failed
			}
		case code.Call:
			m.calls[m.sp&63] = in.At + 1
			m.sp++
			in = in.To
			continue
		case code.Return:
			m.sp--
			in = &m.prog.Words[m.calls[m.sp&63]]
			continue
		case code.ReturnIn:
			in = m.prog.Points[m.st[in.K]].To
			continue
		case code.End:
			m.result = r[in.A]
			return true
		case code.Goto:
			if m.fuel--; m.fuel < 0 {
				m.fault(code.FaultSteps, in)
				goto failed
			}
			m.sp = 0
			in = in.To
			continue
		case code.Suspend:
			m.st[code.CellPoint] = int16(int(in.K))
			m.Node, m.Site = code.NodeKind(in.A), int(in.BC())
			return true
		case code.TryOp:
			m.hard, m.pending, m.tryPC = false, 0, int(in.K)
		case code.LoadEq:
			v := int(m.st[in.K])
			r[in.A] = v
			if v != in.Small() {
				break
			}
			goto jump
		case code.LoadLt:
			v := int(m.st[in.K])
			r[in.A] = v
			if v >= in.Small() {
				break
			}
			goto jump
		case code.LoadGe:
			v := int(m.st[in.K])
			r[in.A] = v
			if v < in.Small() {
				break
			}
			goto jump
		case code.LoadXEq:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			v := int(m.st[int(in.K)+x])
			r[in.A] = v
			if v != in.Small() {
				break
			}
			goto jump
		case code.LoadXNe:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			v := int(m.st[int(in.K)+x])
			r[in.A] = v
			if v == in.Small() {
				in = in.Next
				continue
			}
			in = in.To
			continue
		case code.LoadXLt:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			v := int(m.st[int(in.K)+x])
			r[in.A] = v
			if v >= in.Small() {
				break
			}
			goto jump
		case code.LoadXGe:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			v := int(m.st[int(in.K)+x])
			r[in.A] = v
			if v < in.Small() {
				break
			}
			goto jump
		case code.LoadTEq:
			x := r[in.B]
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			v := int(m.prog.Tables[int(in.K)+x])
			r[in.A] = v
			if v != in.Small() {
				break
			}
			goto jump
		case code.AddLt:
			v := r[in.B] + int(in.K)
			r[in.A] = v
			if v >= in.Small() {
				break
			}
			goto jump
		case code.AddLess:
			v := r[in.B] + int(in.K)
			r[in.A] = v
			if v >= r[in.C] {
				break
			}
			goto jump
		case code.AndZ:
			v := r[in.B] & r[in.C]
			r[in.A] = v
			if !(v == 0) {
				break
			}
			goto jump
		case code.AndNZ:
			v := r[in.B] & r[in.C]
			r[in.A] = v
			if !(v != 0) {
				break
			}
			goto jump
		case code.AndNotZ:
			v := r[in.B] &^ r[in.C]
			r[in.A] = v
			if !(v == 0) {
				break
			}
			goto jump
		case code.AndNotNZ:
			v := r[in.B] &^ r[in.C]
			r[in.A] = v
			if !(v != 0) {
				break
			}
			goto jump
		case code.AndWZ:
			w := int(m.dv[in.K])
			v := r[in.B] & w
			r[in.C] = w
			r[in.A] = v
			if !(v == 0) {
				break
			}
			goto jump
		case code.AndWNZ:
			w := int(m.dv[in.K])
			v := r[in.B] & w
			r[in.C] = w
			r[in.A] = v
			if !(v != 0) {
				break
			}
			goto jump
		case code.AndNotWZ:
			w := int(m.dv[in.K])
			v := r[in.B] &^ w
			r[in.C] = w
			r[in.A] = v
			if !(v == 0) {
				break
			}
			goto jump
		case code.AndNotWNZ:
			w := int(m.dv[in.K])
			v := r[in.B] &^ w
			r[in.C] = w
			r[in.A] = v
			if !(v != 0) {
				break
			}
			goto jump
		case code.AndW:
			w := int(m.dv[in.K])
			v := r[in.B] & w
			r[in.C] = w
			r[in.A] = v
		case code.AndNotW:
			w := int(m.dv[in.K])
			v := r[in.B] &^ w
			r[in.C] = w
			r[in.A] = v
		case code.LoadLoadM:
			x := int(m.st[in.T])
			r[in.B] = x
			r[in.A] = int(m.prog.Masks[int(in.K)+x])
			in = in.Next
			continue
		case code.LoadLoad:
			r[in.A] = int(m.st[in.K])
			r[in.B] = int(m.st[in.T])
		case code.LoadKK:
			r[in.A] = int(in.K)
			r[in.B] = int(in.T)
		case code.Copy:
			v := m.st[in.K]
			r[in.A] = int(v)
			m.st[in.T] = v
		case code.StoreCC:
			m.st[in.K] = int16(int8(in.B))
			m.st[in.T] = int16(int8(in.C))
		case code.AddCell:
			v := int(m.st[in.K])
			r[in.B] = v
			if v += in.Small(); v != int(int16(v)) {
				m.fault(code.FaultRange, in)
				goto failed
			}
			r[in.A] = v
			m.st[in.K] = int16(v)
		case code.StoreXC:
			x := int(m.st[in.T])
			r[in.A], r[in.B] = in.Small(), x
			if x < 0 {
				m.fault(code.FaultNil, in)
				goto failed
			}
			m.st[int(in.K)+x] = int16(in.Small())
		case code.TryZero:
			m.hard, m.pending, m.tryPC = false, 0, int(in.K)
			r[in.A] = 0
		case code.WalkersIn:
			in = m.walkersIn(in)
			continue
		case code.TakeOp:
			in = m.takeOne(in)
			continue
		case code.NextJump:
			in = m.turnOver(in)
			continue
		case code.RowsOp:
			if in = m.decide(in); in == nil {
				return true
			}
			continue
		case code.FireOp:
			if m.Watch != nil {
				goto call
			}
			m.Counters[in.K]++
		case code.FireStoreC:
			if m.Watch != nil {
				goto call
			}
			m.Counters[in.K]++
			m.st[in.T] = in.BC()
		case code.MuchStore:
			if m.Watch != nil {
				goto call
			}
			e := in.Many
			if e.Fire >= 0 {
				m.Counters[e.Fire]++
			}
			near := m.on.near
			if e.Four.All {
				four((*[4]int16)(near[e.Four.At&(code.Near-4):]), e.Four.Value)
			}
			two(near, e.Pairs[0])
			two(near, e.Pairs[1])
			in = in.To
			continue
		case code.MuchOp:
			if m.Watch != nil {
				goto call
			}
			e := in.Many
			if e.Fire >= 0 {
				m.Counters[e.Fire]++
			}
			if e.Count > 0 {
				if e.Four.All {
					four((*[4]int16)(m.on.near[e.Four.At&(code.Near-4):]), e.Four.Value)
				}
				s0, s1, s2, s3 := &e.Stores[0], &e.Stores[1], &e.Stores[2], &e.Stores[3]
				m.st[s0.At] = s0.Value
				m.st[s1.At] = s1.Value
				m.st[s2.At] = s2.Value
				m.st[s3.At] = s3.Value
			}
			if e.Copies {
				m.st[e.To] = m.st[e.From]
			}
			if e.Consts {
				r[e.Reg] = int(e.Value)
			}
			if !m.tick(e) {
				goto failed
			}
			if e.Try != 0 {
				m.hard, m.pending, m.tryPC = false, 0, int(e.Try)
			}
			if e.Node == nil {
				in = in.To
				continue
			}
			m.stands(e.Node)
			return true
		case code.TestsFar:
			e := in.Many
			if t := &e.Tests[0]; uint16(m.st[t.At])-t.Low <= t.Span {
				in = t.To
				continue
			}
			if t := &e.Tests[1]; uint16(m.st[t.At])-t.Low <= t.Span {
				in = t.To
				continue
			}
			if t := &e.Tests[2]; uint16(m.st[t.At])-t.Low <= t.Span {
				in = t.To
				continue
			}
			in = in.To
			continue
		case code.JumpTold, code.JumpNotTold:
			if in = m.jumpTold(in); in == nil {
				goto failed
			}
			continue
		case code.ToldOp:
			if in = m.toldOf(in); in == nil {
				goto failed
			}
			continue
		case code.SwitchOp:
			e := in.Many
			if x := uint(int(m.on.near[uint8(in.K)]) - int(e.Low)); x < uint(len(e.Begin)) {
				in = e.Begin[x]
			} else {
				in = in.To
			}
			continue
		case code.RoundOp:
			if m.fuel--; m.fuel < 0 {
				m.fault(code.FaultSteps, in)
				goto failed
			}
			in = in.To
			continue
		// What mostly follows a throw, in this order: so it is first looked whether what comes next is the next case. Each time the loop
		// begins anew, the processor has to foresee where it goes on; there it foresees a yes or no.
		case code.LoadNe:
			v := int(m.st[in.K])
			r[in.A] = v
			if v == in.Small() {
				in = in.Next
				continue
			}
			if in = in.To; in.Op != code.MuchTry {
				continue
			}
			fallthrough
		case code.MuchTry:
			if m.Watch != nil {
				goto call
			}
			e, near := in.Many, m.on.near
			m.Counters[e.Fire]++
			if e.Four.All {
				four((*[4]int16)(near[e.Four.At&(code.Near-4):]), e.Four.Value)
			}
			two(near, e.Pairs[0])
			two(near, e.Pairs[1])
			near[uint8(e.To)] = near[uint8(e.From)]
			if !m.tick(e) {
				goto failed
			}
			m.hard, m.pending, m.tryPC = false, 0, int(e.Try)
			if in = in.To; in.Op != code.MineWalkOp {
				continue
			}
			fallthrough
		case code.MineWalkOp:
			if in = m.mineWalk(in); in.Op != code.RowOp {
				continue
			}
			fallthrough
		case code.RowOp:
			if in = m.decideOne(in); in == nil {
				return true
			}
			if in.Op != code.PutInNe {
				continue
			}
			fallthrough
		case code.PutIn, code.PutInNe:
			if in = m.putIn(in); in.Op != code.JumpNeK {
				continue
			}
			fallthrough
		case code.JumpNeK:
			if r[in.A] == in.Small() {
				in = in.Next
				continue
			}
			if in = in.To; in.Op != code.FireStore {
				continue
			}
			fallthrough
		case code.FireStore:
			v := r[in.A]
			if m.Watch != nil || v != int(int16(v)) {
				goto call
			}
			m.Counters[in.K]++
			m.st[in.T] = int16(v)
			if in = in.Next; in.Op != code.TestsOp {
				continue
			}
			fallthrough
		case code.TestsOp:
			e, near := in.Many, m.on.near
			if t := &e.Tests[0]; uint16(near[uint8(t.Packed)])-uint16(t.Packed>>16) <= uint16(t.Packed>>32) {
				in = t.To
				continue
			}
			if t := &e.Tests[1]; uint16(near[uint8(t.Packed)])-uint16(t.Packed>>16) <= uint16(t.Packed>>32) {
				in = t.To
				continue
			}
			if t := &e.Tests[2]; uint16(near[uint8(t.Packed)])-uint16(t.Packed>>16) <= uint16(t.Packed>>32) {
				in = t.To
				continue
			}
			if in = in.To; in.Op != code.ClearNext {
				continue
			}
			fallthrough
		case code.ClearNext:
			if in = m.clearNext(in); in.Op != code.MuchNode {
				continue
			}
			fallthrough
		case code.MuchNode:
			e, near := in.Many, m.on.near
			if e.Fire >= 0 {
				if m.Watch != nil {
					goto call
				}
				m.Counters[e.Fire]++
			}
			if e.Four.All {
				four((*[4]int16)(near[e.Four.At&(code.Near-4):]), e.Four.Value)
			}
			two(near, e.Pairs[0])
			two(near, e.Pairs[1])
			if e.Ticks > 0 && !m.tick(e) {
				goto failed
			}
			if m.chance != nil && e.Cast != nil {
				if in = m.cast(e); in != nil {
					continue
				}
				return true
			}
			m.stands(e.Node)
			return true

		case code.Nop:
		case code.Mul, code.Div, code.Mod, code.Shl, code.Shr, code.ShlK, code.Eq, code.Ne, code.Lt, code.Le, code.Not, code.Check, code.Offers, code.Offer, code.Result, code.TickOp, code.LoadTNe, code.LoadTLt, code.LoadTGe, code.AddEq, code.AddNe, code.BitsEq, code.BitsNe, code.Fail:
			goto call
		case code.PutOp, code.NextOp, code.ClearOp, code.WalkersOp, code.HavingOp, code.LiftOp, code.RelinkOp, code.EmitOp, code.Native:
			goto call
		case 132, 133, 134, 135, 136, 137, 138, 139, 140,
			141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162,
			163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184,
			185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206,
			207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228,
			229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250,
			251, 252, 253, 254, 255: // no operations
			goto call
		}
		in = in.Next
		continue
	jump:
		in = in.To
		continue
	call:
		if in = m.do(in); in == nil {
			if m.Fault.Kind == code.NoFault {
				return true
			}
			goto failed
		}
		continue
	failed: // While options are worked out as sets it is done once more in its plain form.
		if m.tryPC == 0 {
			return false
		}
		in, m.tryPC, m.Fault = &m.prog.Words[m.tryPC], 0, Fault{}
		m.fuel, m.sp = code.MaxFuel, 0
	}
}
