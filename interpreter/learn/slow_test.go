package learn

import (
	"maps"
	"math"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

// Open, Hit, Bars and Reach give access to the terrain.
func (f *Features) Open(colour, place int) bool {
	return f.open[colour][place]
}
func (f *Features) Hit(colour, many, place int) bool  { return f.hits[colour][many-1][place] }
func (f *Features) Bars(colour, many, place int) bool { return f.bars[colour][many-1][place] }
func (f *Features) Reach(steps int) float32           { return f.reach[steps] }

// Found is what play and probes showed.
func (f *Features) Found() any {
	f.explore()
	return f.fields()
}

// Starts are the places where tracks begin.
func (f *Features) Starts() []int {
	var out []int
	for colour := range f.rules.Colours {
		out = append(out, f.run(colour)[0].Place)
	}
	return out
}

// Slow measures a position for a team, feature by feature, each by its definition.
func (f *Features) Slow(p *interpreter.Position, team int) map[string]float64 {
	out := map[string]float64{}
	teams := len(f.rules.Teams)
	thrower := f.rules.Seats[p.Turn()].Team
	places := p.Places(nil)
	teamOf := func(piece int) int { return f.teamOf[p.ColourOf(piece)] }
	class := func(piece int) int {
		if n := p.Node(piece); n >= 0 {
			return n
		}
		return f.zone[places[piece]]
	}
	progress := func(piece int) float64 { return float64(f.progress[p.ColourOf(piece)][class(piece)]) }
	many := func(piece int) int {
		n := 0
		for other, place := range places {
			if place == places[piece] && teamOf(other) == teamOf(piece) {
				n++
			}
		}
		return min(n, 2)
	}
	open := func(piece int) bool { return p.Node(piece) >= 0 && f.open[p.ColourOf(piece)][places[piece]] }
	hit := func(piece int) bool { return open(piece) && f.hits[p.ColourOf(piece)][many(piece)-1][places[piece]] }
	bars := func(piece int) bool { return open(piece) && f.bars[p.ColourOf(piece)][many(piece)-1][places[piece]] }
	// walk is the number of steps from a piece to a place, step by step; 0 if it does not come there.
	walk := func(piece, place int) int {
		run := f.run(p.ColourOf(piece))
		at := map[int]bool{p.Node(piece): true}
		for d := 1; d <= maxSteps; d++ {
			next := map[int]bool{}
			for n := range at {
				for _, m := range run[n].Next {
					next[m] = true
				}
			}
			for n := range next {
				if run[n].Place == place {
					return d
				}
			}
			at = next
		}
		return 0
	}
	chance := func(piece, victim int) float64 {
		for other := range piece { // the first of equals in a zone counts
			if places[other] == places[piece] && p.ColourOf(other) == p.ColourOf(piece) && f.rules.Board.Places[places[piece]].Zone {
				return 0
			}
		}
		switch {
		case p.Node(piece) >= 0:
			return float64(f.reach[walk(piece, places[victim])])
		case f.zone[places[piece]] == f.nodes:
			return float64(f.entry[p.ColourOf(piece)][places[victim]])
		}
		return 0
	}
	add := func(name string, t int, n float64) {
		if t == team {
			out["own "+name] += n
		} else {
			out["others "+name] += n / float64(teams-1)
		}
	}
	for x := range places {
		t := teamOf(x)
		add("at "+f.classes[class(x)], t, 1)
		add("way", t, progress(x))
		spared := [2]float64{1, 1} // now, later
		held := 0.0
		for y := range places {
			if teamOf(y) == t {
				continue
			}
			if hit(x) {
				when := 1
				if teamOf(y) == thrower {
					when = 0
				}
				c := chance(y, x)
				spared[when] *= 1 - c
				add([]string{"chance", "later chance"}[when], teamOf(y), c*progress(x))
			}
		}
		for y := range places { // the first that bars x
			if p.Node(x) < 0 || teamOf(y) == t || !bars(y) {
				continue
			}
			first := true
			for other := range x {
				if places[other] == places[x] && p.ColourOf(other) == p.ColourOf(x) && f.rules.Board.Places[places[x]].Zone {
					first = false
				}
			}
			if d := walk(x, places[y]); first && d > 0 && d <= f.maxReach && held == 0 {
				held = 1
				add("held", teamOf(y), 1)
			}
		}
		add("risk", t, 1-spared[0])
		add("stake", t, (1-spared[0])*progress(x))
		add("later risk", t, 1-spared[1])
		add("later stake", t, (1-spared[1])*progress(x))
		if open(x) && !hit(x) {
			add("calm", t, 1)
		}
		if bars(x) {
			n := 0
			for y := range places {
				if places[y] == places[x] && teamOf(y) == t {
					n++
				}
			}
			add("bars", t, 1/float64(n))
		}
	}
	for _, n := range f.ruleVars {
		for owner := range 64 {
			v, name := float64(p.Number(n, owner))/float64(max(1, f.maxAbs[n.Index])), "var "+n.Name
			switch n.Scope {
			case model.ScopeTeam:
				add(name, owner, v)
			case model.ScopePlayer:
				if owner < len(f.rules.Seats) {
					add(name, f.rules.Seats[owner].Team, v)
				}
			case model.ScopeColour:
				if owner < len(f.teamOf) {
					add(name, f.teamOf[owner], v)
				}
			case model.ScopePiece:
				if owner < len(places) {
					add(name, teamOf(owner), v)
				}
			case model.ScopeGame:
				for t := range teams {
					if owner == 0 {
						add(name, t, v)
					}
				}
			default:
				if owner == 0 {
					add(name, thrower, v)
				}
			}
		}
	}
	if team == thrower {
		out["turn"] = 1
	}
	if seats := len(f.rules.Seats); seats > 2 {
		playing := 0
		for after := range seats {
			if seat := (p.Turn() + after) % seats; f.rules.Seats[seat].Team == team && p.Playing(seat) {
				playing++
				out["soon"] = max(out["soon"], float64(seats-after)/float64(seats))
			}
		}
		out["in the game"] = float64(playing) / float64(len(f.rules.Teams[team]))
	}
	maps.DeleteFunc(out, func(_ string, v float64) bool { return math.Abs(v) < 1e-5 })
	return out
}
