package learn

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Features measure positions for each team. Values are about 0 to 1, or up to the number of pieces. They are derived from
// the board and the rules, and mean the same for every team: the places of its own pieces and of the others, the risks of
// both, and the variables of the rules. Features are immutable; a Reader evaluates them.
type Features struct {
	*terrain
	names    []string
	ruleVars []*model.Var // the variables that are features, scaled to at most 1
	others   int          // the first class feature of the others' pieces; those of the own pieces start at 0
	sums     int          // the first measure of the own side; those of the others follow
	common   int          // the first feature that does not exist per side
}

// The measures of a side, summed over its pieces.
const (
	measureProgress    = iota // progress of the pieces
	measureRisk               // the probability that the throw captures them, if another side throws
	measureStake              // the same, times their progress
	measureLater              // the probability that a throw captures them, for sides that do not throw now
	measureLaterStake         // the same, times their progress
	measureChance             // the expected progress that others lose by the throw, if the side itself throws
	measureLaterChance        // the same if it does not throw now
	measureCalm               // pieces on squares where others pass but capture nothing
	measureBars               // places that block others
	measureHeld               // pieces of others within a throw of such a place
	measures
)

var measureNames = [measures]string{"way", "risk", "stake", "later risk", "later stake", "chance", "later chance", "calm", "bars", "held"}

// The features of a team that are not sums over its pieces.
const (
	measureTurn   = iota // 1 if it throws
	measureSoon          // how soon it throws
	measureInGame        // the fraction of its players still in the game
	turnMeasures
)

var turnNames = [turnMeasures]string{"turn", "soon", "in the game"}

// NewFeatures defines the features of a game.
func NewFeatures(g *interpreter.Game) *Features {
	f := &Features{terrain: newTerrain(g)}
	f.ruleVars = seq.Filter(f.rules.Vars, func(v *model.Var) bool {
		return !v.Type.List && !v.Bag && !v.Secret && (v.Type.Kind == model.Number || v.Type.Kind == model.Flag) && !f.rules.Own(v)
	})
	sides := []string{"own", "others"}
	for _, side := range sides {
		f.names = append(f.names, seq.Map(f.classes, func(c string) string { return side + " at " + c })...)
	}
	f.others, f.sums = len(f.classes), len(f.names)
	for _, side := range sides {
		for _, name := range measureNames {
			f.names = append(f.names, side+" "+name)
		}
		f.names = append(f.names, seq.Map(f.ruleVars, func(v *model.Var) string { return side + " var " + v.Name })...)
	}
	f.common = len(f.names)
	f.names = append(f.names, turnNames[:]...)
	return f
}

// Names are the names of the features, in order.
func (f *Features) Names() []string { return f.names }

// Term is a feature with its value. A feature of value 0 has no term; the values of several terms of one feature are summed.
type Term struct {
	Feature int32
	Value   float32
}

// Reader evaluates the features of positions of a game. It belongs to one goroutine.
type Reader struct {
	f      *Features
	pieces []piece
	places []int
	thrown int         // the team that throws, or None
	sums   [][]float32 // by team: the measures, then the variables
	views  [][]Term    // by team
}

// piece is a piece of the present position.
type piece struct {
	colour, team, node, place, class int
	progress                         float32
	goes                             bool // false for the second and later equal pieces in a zone
	open, hit, bars                  bool // the terrain's flags of its place
	many                             int  // pieces of its team there
	now, later                       float32
}

// NewReader makes a reader. The first one for features that are not from a file probes the engine, which takes a moment.
func (f *Features) NewReader() *Reader {
	f.explore()
	r := &Reader{f: f, views: make([][]Term, len(f.rules.Teams))}
	r.sums = seq.Of(len(f.rules.Teams), func(int) []float32 { return make([]float32, int(measures)+len(f.ruleVars)) })
	return r
}

// Read evaluates the features of a position before a throw, for each team. The result is valid until the next call.
func (r *Reader) Read(p *interpreter.Position) [][]Term {
	f := r.f
	player := p.Turn()
	if r.thrown = interpreter.None; player >= 0 {
		r.thrown = f.rules.Seats[player].Team
	}
	for _, sums := range r.sums {
		clear(sums)
	}
	r.locate(p)
	r.interact()
	r.accumulate()
	r.readVars(p)
	share := 1 / float32(max(1, len(r.views)-1))
	for team := range r.views {
		view := r.views[team][:0]
		for i := range r.pieces {
			if x := &r.pieces[i]; x.team == team {
				view = append(view, Term{int32(x.class), 1})
			} else {
				view = append(view, Term{int32(f.others + x.class), share})
			}
		}
		for m, own := range r.sums[team] {
			others := float32(0)
			for t := range r.sums {
				if t != team {
					others += r.sums[t][m]
				}
			}
			if own != 0 {
				view = append(view, Term{int32(f.sums + m), own})
			}
			if others != 0 {
				view = append(view, Term{int32(f.sums + len(r.sums[team]) + m), others * share})
			}
		}
		r.views[team] = r.turn(view, p, team, player)
	}
	return r.views
}

// locate finds the places of the pieces.
func (r *Reader) locate(p *interpreter.Position) {
	f := r.f
	r.places, r.pieces = p.Places(r.places[:0]), r.pieces[:0]
	for i, place := range r.places {
		x := piece{colour: p.ColourOf(i), node: p.Node(i), place: place, many: 1, goes: true}
		x.team, x.class = f.teamOf[x.colour], x.node
		if x.node < 0 {
			x.class = f.zone[place]
			x.goes = x.class == f.nodes // it can enter
		}
		x.progress = f.progress[x.colour][x.class]
		x.open = x.node >= 0 && f.open[x.colour][place]
		for j := range r.pieces {
			y := &r.pieces[j]
			if y.place != place || y.team != x.team {
				continue
			}
			x.many++
			y.many++
			if y.colour == x.colour && f.rules.Board.Places[place].Zone {
				x.goes = false
			}
		}
		r.pieces = append(r.pieces, x)
	}
	for i := range r.pieces {
		if x := &r.pieces[i]; x.open {
			x.hit = f.hits[x.colour][min(x.many, 2)-1][x.place]
			x.bars = f.bars[x.colour][min(x.many, 2)-1][x.place]
		}
	}
}

// interact computes the captures and blocks between pieces in one throw.
func (r *Reader) interact() {
	f := r.f
	for i := range r.pieces {
		x := &r.pieces[i] // the moving piece
		if !x.goes {
			continue
		}
		sums, held := r.sums[x.team], false
		for j := range r.pieces {
			y := &r.pieces[j] // the piece in its way
			if !y.open || y.team == x.team || !y.hit && !y.bars {
				continue
			}
			chance := float32(0)
			if x.node < 0 {
				chance = f.entry[x.colour][y.place]
			} else {
				d := f.steps[x.colour][x.node][y.place]
				chance = f.reach[d]
				if y.bars && d > 0 && int(d) <= f.maxReach && !held {
					held = true
					r.sums[y.team][measureHeld]++
				}
			}
			switch {
			case !y.hit || chance == 0:
			case x.team == r.thrown:
				y.now = 1 - (1-y.now)*(1-chance)
				sums[measureChance] += chance * y.progress
			default:
				y.later = 1 - (1-y.later)*(1-chance)
				sums[measureLaterChance] += chance * y.progress
			}
		}
	}
}

// accumulate adds the values of the pieces to the measures.
func (r *Reader) accumulate() {
	for i := range r.pieces {
		x := &r.pieces[i]
		sums := r.sums[x.team]
		sums[measureProgress] += x.progress
		sums[measureRisk] += x.now
		sums[measureStake] += x.now * x.progress
		sums[measureLater] += x.later
		sums[measureLaterStake] += x.later * x.progress
		if x.open && !x.hit {
			sums[measureCalm]++
		}
		if x.bars {
			sums[measureBars] += 1 / float32(x.many)
		}
	}
}

// readVars adds the variables. A variable of the turn counts for the team in turn, one of the game for all.
func (r *Reader) readVars(p *interpreter.Position) {
	f := r.f
	for i, v := range f.ruleVars {
		at, scale := int(measures)+i, 1/float32(max(1, f.maxAbs[v.Index]))
		switch v.Scope {
		case model.ScopeTeam:
			for team := range r.sums {
				r.sums[team][at] += scale * float32(p.Number(v, team))
			}
		case model.ScopePlayer:
			for seat, s := range f.rules.Seats {
				r.sums[s.Team][at] += scale * float32(p.Number(v, seat))
			}
		case model.ScopeColour:
			for colour, team := range f.teamOf {
				r.sums[team][at] += scale * float32(p.Number(v, colour))
			}
		case model.ScopePiece:
			for i := range r.pieces {
				r.sums[r.pieces[i].team][at] += scale * float32(p.Number(v, i))
			}
		case model.ScopeGame:
			for team := range r.sums {
				r.sums[team][at] = scale * float32(p.Number(v, 0))
			}
		default:
			if r.thrown >= 0 {
				r.sums[r.thrown][at] = scale * float32(p.Number(v, 0))
			}
		}
	}
}

// turn appends the features that do not exist per side.
func (r *Reader) turn(view []Term, p *interpreter.Position, team, player int) []Term {
	f := r.f
	common := int32(f.common)
	if team == r.thrown {
		view = append(view, Term{common + measureTurn, 1})
	}
	seats := len(f.rules.Seats)
	if seats == 2 {
		return view
	}
	playing, soon := 0, 0
	for _, seat := range f.rules.Teams[team] {
		if p.Playing(seat) {
			playing++
			soon = max(soon, seats-(seat-max(player, 0)+seats)%seats)
		}
	}
	if playing > 0 {
		view = append(view, Term{common + measureSoon, float32(soon) / float32(seats)}, Term{common + measureInGame, float32(playing) / float32(len(f.rules.Teams[team]))})
	}
	return view
}
