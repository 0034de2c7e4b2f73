package compile

import (
	"slices"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// listTable locates lists in the tables: for each owner the start of its list and the length.
type listTable struct {
	start, length int // offsets of the two tables, indexed by owner
	// run says that each list is a range of consecutive numbers: start then holds the first element itself, not its address.
	run bool
	// each is the length of all lists if list o begins with element o·each, otherwise 0.
	each int
	// least is the length of the shortest list.
	least int
}

// tables are the offsets of the constant tables.
type tables struct {
	pieceColour, piecePlayer, pieceTeam    int
	colourPlayer, colourTeam, playerTeam   int
	piecesOfColour, piecesOfPlayer         listTable
	piecesOfTeam, coloursOfPlayer          listTable
	coloursOfTeam, playersOfTeam, trackOf  listTable
	tags, families, attributes, marks      []int
	nodePlace, nodeNext, nodePrev, nodeIdx int
	nodeForks, nodeBacks                   int // -1 if no track forks
	nodeAt                                 int
	nextPlayer, nextColour                 int // the successor of each, negative until first used
	firstSquare                            int
	scratch                                int
	joint                                  []int       // merged flags of places
	byPiece                                map[int]int // table over pieces, by table over colours
}

func (c *compiler) table(values ...int) int {
	at := len(c.prog.Tables)
	for _, v := range values {
		c.prog.Tables = append(c.prog.Tables, int16(v))
	}
	return at
}

// tableOf is the table of what f makes of each number from 0 to n-1.
func (c *compiler) tableOf(n int, f func(i int) int) int { return c.table(seq.Of(n, f)...) }

// lists stores one list per owner. If every list is a range of consecutive numbers, it stores only the first element and the
// length.
func (c *compiler) lists(all [][]int) listTable {
	t := listTable{run: true}
	var starts []int
	lengths := seq.Map(all, func(l []int) int { return len(l) })
	for _, l := range all {
		for i := range l {
			t.run = t.run && l[i] == l[0]+i
		}
	}
	t.each, t.least = len(all[0]), slices.Min(lengths)
	for o, l := range all {
		if !t.run || len(l) != t.each || len(l) == 0 || l[0] != o*t.each {
			t.each = 0
			break
		}
	}
	for _, l := range all {
		switch {
		case t.run && len(l) > 0:
			starts = append(starts, l[0])
		case t.run:
			starts = append(starts, 0)
		default:
			starts = append(starts, c.table(l...))
		}
	}
	t.start, t.length = c.table(starts...), c.table(lengths...)
	return t
}

func (c *compiler) makeTables() {
	r, t, l := c.rules, &c.tables, c.layout
	t.nextPlayer, t.nextColour = -1, -1
	l.Players, l.Teams, l.Colours, l.PerColour = len(r.Seats), len(r.Teams), len(r.Colours), r.PieceCount
	l.Pieces, l.Places = l.Colours*l.PerColour, len(r.Board.Places)
	piecesOfColour := make([][]int, l.Colours)
	piecesOfPlayer, piecesOfTeam := make([][]int, l.Players), make([][]int, l.Teams)
	coloursOfPlayer, coloursOfTeam := make([][]int, l.Players), make([][]int, l.Teams)
	colourOf := seq.Of(l.Pieces, func(p int) int { return p / l.PerColour })
	for p, colour := range colourOf {
		piecesOfColour[colour] = append(piecesOfColour[colour], p)
	}
	playerOfColour := seq.Map(r.Colours, func(x model.ColourInUse) int { return x.Seat })
	teamOfPlayer := seq.Map(r.Seats, func(s model.Seat) int { return s.Team })
	teamOf := func(player int) int { return teamOfPlayer[player] }
	playerOf := seq.Map(colourOf, func(colour int) int { return playerOfColour[colour] })
	for seat, s := range r.Seats {
		for _, colour := range s.Colours {
			piecesOfPlayer[seat] = append(piecesOfPlayer[seat], piecesOfColour[colour]...)
			coloursOfPlayer[seat] = append(coloursOfPlayer[seat], colour)
		}
	}
	for team, seats := range r.Teams {
		for _, seat := range seats {
			piecesOfTeam[team] = append(piecesOfTeam[team], piecesOfPlayer[seat]...)
			coloursOfTeam[team] = append(coloursOfTeam[team], coloursOfPlayer[seat]...)
		}
	}
	t.pieceColour, t.piecePlayer, t.pieceTeam = c.table(colourOf...), c.table(playerOf...), c.table(seq.Map(playerOf, teamOf)...)
	t.colourPlayer, t.colourTeam, t.playerTeam = c.table(playerOfColour...), c.table(seq.Map(playerOfColour, teamOf)...), c.table(teamOfPlayer...)
	t.piecesOfColour, t.piecesOfPlayer, t.piecesOfTeam = c.lists(piecesOfColour), c.lists(piecesOfPlayer), c.lists(piecesOfTeam)
	t.coloursOfPlayer, t.coloursOfTeam, t.playersOfTeam = c.lists(coloursOfPlayer), c.lists(coloursOfTeam), c.lists(r.Teams)
	c.ordered = !slices.ContainsFunc(slices.Concat(piecesOfPlayer, piecesOfTeam), func(list []int) bool { return !slices.IsSorted(list) })
	c.makeMasks(piecesOfColour, piecesOfPlayer, piecesOfTeam)
	c.placeTables()
	c.trackTables()
	l.ColourPlayer, l.NodeNext, l.NodePrev = t.colourPlayer, t.nodeNext, t.nodePrev
	l.NodePlace, l.NodeAt = t.nodePlace, t.nodeAt
}

func (c *compiler) placeTables() {
	b, t := c.rules.Board, &c.tables
	flags := func(n int, f func(i int, p *boards.Place) bool) []int {
		return seq.Of(n, func(i int) int {
			return c.tableOf(len(b.Places), func(p int) int { return code.Truth(f(i, &b.Places[p])) })
		})
	}
	t.tags = flags(len(b.Tags), func(i int, p *boards.Place) bool { return i < len(p.Tags) && p.Tags[i] })
	t.families = flags(len(b.Families), func(i int, p *boards.Place) bool { return !p.Zone && p.Family == i })
	t.attributes = seq.Map(b.Attributes, func(a boards.Attribute) int { return c.table(a.Values...) })
	for _, m := range b.Landmarks {
		values := seq.Map(c.rules.Colours, func(x model.ColourInUse) int { return m.Values[x.Board] })
		at := c.table(values...)
		t.marks = append(t.marks, at)
		if slices.Min(values) >= 0 {
			c.sureMarks = append(c.sureMarks, at)
		}
	}
	for t.firstSquare < len(b.Places) && b.Places[t.firstSquare].Zone {
		t.firstSquare++
	}
}

// trackTables numbers the nodes of all tracks consecutively, see code.NodeGap.
func (c *compiler) trackTables() {
	t := &c.tables
	var place, next, prev, index, at []int
	var ways, backs [][]int
	forks := false
	gap := func(n int) { // numbers without a node
		for range n {
			place, next, prev, index = append(place, -1), append(next, -1), append(prev, -1), append(index, -1)
			ways, backs = append(ways, nil), append(backs, nil)
		}
	}
	gap(code.NodeFirst)
	tracks := make([][]int, len(c.rules.Colours))
	for colour, x := range c.rules.Colours {
		run := &c.rules.Track.Runs[x.Board]
		base := len(place)
		c.prog.Nodes = append(c.prog.Nodes, base)
		first := slices.Repeat([]int{-1}, len(c.rules.Board.Places))
		shift := func(list []int) []int {
			return seq.Map(list, func(n int) int { return n + base })
		}
		for i, n := range run.Nodes {
			place = append(place, n.Place)
			index = append(index, n.Index)
			if first[n.Place] < 0 {
				first[n.Place] = base + i
			}
			next = append(next, onlyOne(shift(n.Next)))
			prev = append(prev, onlyOne(shift(n.Prev)))
			ways, backs = append(ways, shift(n.Next)), append(backs, shift(n.Prev))
			forks = forks || len(n.Next) > 1 || len(n.Prev) > 1
		}
		for i, n := 0, 0; n < len(run.Nodes); n++ { // the main way, once around
			tracks[colour] = append(tracks[colour], run.Nodes[i].Place)
			if len(run.Nodes[i].Next) == 0 || run.Nodes[i].Next[0] == 0 {
				break
			}
			i = run.Nodes[i].Next[0]
		}
		at = append(at, first...)
		gap(code.NodeGap)
	}
	t.nodePlace, t.nodeIdx = c.table(place...), c.table(index...)
	t.nodeNext, t.nodePrev = c.table(next...), c.table(prev...) // adjacent, so that a walk can switch between them by an offset
	t.nodeAt = c.table(at...)
	t.trackOf = c.lists(tracks)
	t.nodeForks, t.nodeBacks = -1, -1
	if forks {
		t.nodeForks, t.nodeBacks = c.forkTable(ways), c.forkTable(backs)
	}
}

// maxWays bounds the successors of a node.
const maxWays = code.MaxWays

// forkTable holds a row per node: the number of its successors, then the successors.
func (c *compiler) forkTable(ways [][]int) int {
	at := len(c.prog.Tables)
	for _, w := range ways {
		row := make([]int, maxWays+1)
		row[0] = min(len(w), maxWays)
		copy(row[1:], w[:row[0]])
		c.table(row...)
	}
	return at
}

// divides marks a node with several successors.
const divides = -2

// onlyOne is the single element of a list, -1 for an empty list, divides for a longer one.
func onlyOne(list []int) int {
	switch len(list) {
	case 0:
		return -1
	case 1:
		return list[0]
	}
	return divides
}

// makeLayout assigns cells to the state, except for the frame.
func (c *compiler) makeLayout() {
	l := c.layout
	at := code.HeaderCells
	take := func(n int) int {
		at += n
		return at - n
	}
	l.Queue = take(2 * code.MaxQueue)
	l.Dice = take(len(c.rules.Dice))
	l.Status, l.Rank = take(l.Players), take(l.Players)
	// Variables with the shortest lifetime come first: one write clears them together.
	c.slots = make([]Slot, len(c.rules.Vars))
	for _, scope := range []model.Scope{model.ScopeGo, model.ScopeTurn, model.ScopeGame} {
		for i, v := range c.rules.Vars {
			if v.Scope == scope && !v.Type.List {
				c.slots[i] = Slot{Each: 1, Cell: take(1)}
			}
		}
	}
	l.Count, l.Head, l.Tail = take(l.Places), take(l.Places), take(l.Places)
	l.Next, l.Prev, l.At, l.Node = take(l.Pieces), take(l.Pieces), take(l.Pieces), take(l.Pieces)
	l.Path = -1
	if c.needPath {
		l.Path = take(code.MaxPath / 4)
	}
	c.playCells(take)
	for i, v := range c.rules.Vars {
		if !v.Type.List && !v.Scope.Owned() {
			continue
		}
		s := Slot{Each: 1}
		if s.Queue = v.Queue; s.Queue {
			s.Words = 1 + code.MaxQueue
			s.Each = s.Words
		} else if v.Type.List {
			low, high := c.bounds(v)
			s.Low, s.Words = low, (high-low)/16+1
			if s.Bag = v.Bag; s.Bag {
				s.Words = high - low + 1
			}
			s.Each = s.Words
		}
		s.Cell = take(s.Each * c.owners(v.Scope))
		c.slots[i] = s
		if v.Scope == model.ScopePiece {
			for w := range s.Each {
				c.prog.PieceVars = append(c.prog.PieceVars, s.Cell+w*l.Pieces)
			}
		}
	}
	c.naming()
	if l.Owner = -1; c.rules.Owner != nil {
		l.Owner = c.slots[c.rules.Owner.Index].Cell
	}
	c.unit.Vars = c.slots
	c.prog.Vars = seq.Map(c.rules.Vars, func(v *model.Var) code.NamedCell { return code.NamedCell{Name: v.Name, Cell: c.slots[v.Index].Cell} })
	l.Size = at
	l.Keeps = seq.Any(c.rules.Stmts(), func(s *model.Stmt) bool { return s.Kind == model.StmtUndo })
}

// naming lists the cells of variables that outlast a turn and name pieces.
func (c *compiler) naming() {
	for i, v := range c.rules.Vars {
		if v.Type.Kind != model.Piece || v.Scope == model.ScopeTurn || v.Scope == model.ScopeGo {
			continue
		}
		owners := c.owners(v.Scope)
		for o := range owners {
			if cell := c.slots[i].Cell + o; v.Type.List {
				c.prog.Members = append(c.prog.Members, code.Members{Cell: cell, Stride: owners})
			} else {
				c.prog.Named = append(c.prog.Named, cell)
			}
		}
	}
}

// playCells assigns the cells for a play of several numbers.
func (c *compiler) playCells(take func(n int) int) {
	l := c.layout
	numbers, several := code.MaxNumbers, false
	for s := range c.rules.Turn.All() {
		if s.Kind != model.StmtPlay {
			continue
		}
		several = several || len(s.Args) > 0
		if s.Target != nil {
			if x := s.Target.Var; !slices.Contains(c.bags, x) {
				c.bags = append(c.bags, x)
			}
			numbers = max(numbers, s.Target.Var.High-s.Target.Var.Low+1)
		}
	}
	l.Lists, l.Longest, l.Shortest, l.Bag = -1, code.CellNumbers, code.CellNumbers, -1
	if several {
		numbers = max(numbers, code.MaxUnion)
	}
	l.Numbers = take(numbers)
	if several {
		l.Lists, l.Longest, l.Shortest = take(numbers), take(1), take(1)
	}
	if len(c.bags) > 0 {
		l.Bag = take(2)
	}
	l.NumbersEnd = take(0)
}

// owners is the number of owners in a scope.
func (c *compiler) owners(s model.Scope) int {
	switch s {
	case model.ScopeTeam:
		return c.layout.Teams
	case model.ScopePlayer:
		return c.layout.Players
	case model.ScopeColour:
		return c.layout.Colours
	case model.ScopePiece:
		return c.layout.Pieces
	}
	return 1
}

// initial fills the state before the first turn.
func (c *compiler) initial() {
	l, p := c.layout, c.prog
	st := make([]int16, l.Size)
	fill := func(at, n int, v int16) {
		for i := range n {
			st[at+i] = v
		}
	}
	st[code.CellWinner], st[code.CellWith] = -1, -1
	st[code.CellHeading] = 1
	fill(l.Head, l.Places, -1)
	fill(l.Tail, l.Places, -1)
	for q := range l.Pieces {
		home := c.rules.PiecesAt[q/l.PerColour]
		last := st[l.Tail+home]
		st[l.Prev+q], st[l.Next+q] = last, -1
		if st[l.Tail+home] = int16(q); last < 0 {
			st[l.Head+home] = int16(q)
		} else {
			st[l.Next+int(last)] = int16(q)
		}
		st[l.Count+home]++
		st[l.At+q] = int16(home)
		st[l.Node+q] = p.Tables[l.NodeAt+q/l.PerColour*l.Places+home]
	}
	for i, v := range c.rules.Vars {
		c.initialVar(st, v, c.slots[i])
	}
	for _, d := range p.Dice {
		if d.Deck >= 0 {
			for i, w := range d.Weights {
				st[d.Deck+i] = int16(w)
			}
		}
	}
	p.Initial = st
	l.FirstSquare = c.tables.firstSquare
	if !c.masked() {
		return
	}
	p.Derived = make([]uint64, code.DerivedPlaces+l.Places)
	for q := range l.Pieces {
		home := c.rules.PiecesAt[q/l.PerColour]
		p.Derived[code.DerivedPlaces+home] |= 1 << q
		if home >= l.FirstSquare {
			p.Derived[code.DerivedSquares] |= 1 << q
		}
		if l.PerColour > 1 {
			p.Derived[code.DerivedCrowd] |= 1 << q
		}
	}
}

func (c *compiler) initialVar(st []int16, v *model.Var, s Slot) {
	owners := c.owners(v.Scope)
	for o := range owners {
		if s.Words == 0 {
			if st[s.Cell+o] = int16(v.Initial[0]); v == c.rules.Owner {
				st[s.Cell+o] = int16(o / c.layout.PerColour)
			}
			continue
		}
		for _, n := range v.Initial {
			s.Put(st[s.Cell+o:], owners, n)
		}
	}
}
