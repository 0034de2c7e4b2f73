package bot

import (
	"math"

	"github.com/rulerun/rulerun/interpreter"
)

// judge says how good a position is for each team. What it needs to know of a game it learns by playing it.
type judge struct {
	game   *interpreter.Game
	lead   *interpreter.Lead // nil: along the tracks
	teamOf []int             // of each piece
	ends   []int             // of each piece: how far it is where its track ends
	home   [][]bool          // of each piece and place: whether it has come home there
	scale  float64           // e to the lead divided by it are the odds; infinite where a lead says nothing
	length float64           // throws of a game
	arrive float64           // how far the winner is at the end
	ranked int               // seats that were ranked already when the decision came up: the next rank is played for
	far    []float64         // of each team, in the position judged last
	places []int
}

// The games by chance that a judge learns from.
const (
	learnSeed   = 20_260_101
	learnGames  = 24
	learnThrows = 2_000 // a game, at most
	learnLooks  = 16    // moments of a game at which leads are looked at
)

// learn makes the judge know the game of a position.
func (j *judge) learn(p *interpreter.Position) {
	if j.game == p.Game() {
		return
	}
	g := p.Game()
	rules := g.Rules()
	*j = judge{game: g, lead: interpreter.NewLead(g), far: make([]float64, len(rules.Teams)), scale: math.Inf(1), length: learnThrows}
	for piece := range len(rules.Colours) * rules.PieceCount {
		colour := g.ColourOf(piece)
		home := make([]bool, len(rules.Board.Places))
		end := 0
		for _, n := range rules.Track.Runs[rules.Colours[colour].Board].Nodes {
			if len(n.Next) == 0 {
				home[n.Place], end = true, max(end, n.Index+1)
			}
		}
		if end == 0 { // it goes round and round
			end = len(rules.Track.Runs[rules.Colours[colour].Board].Nodes)
		}
		j.teamOf = append(j.teamOf, rules.Seats[g.SeatOf(colour)].Team)
		j.ends = append(j.ends, end)
		j.home = append(j.home, home)
	}
	j.play()
}

// play plays the games to learn from. From where pieces stand when a team has won it learns which zones off the tracks
// they come home to: those where the winner's stand more than others'. From the same games again it learns what a lead
// is worth: at moments spread over each game it looks who leads, and takes the scale by which these leads foretell best
// who wins (the largest likelihood).
func (j *judge) play() {
	rules := j.game.Rules()
	teams := len(rules.Teams)
	q := j.game.Start(0)
	stand := make([][2]int, len(rules.Board.Places)) // pieces of losers and winners
	var won, throws [learnGames]int
	total := 0
	for k := range learnGames {
		r := j.restart(q, k)
		j.playout(q, &r, learnThrows)
		won[k], throws[k] = j.winner(q), q.Throws()
		total += q.Throws()
		if won[k] < 0 {
			continue
		}
		for piece, place := range q.Places(nil) {
			if j.teamOf[piece] == won[k] {
				stand[place][1]++
			} else {
				stand[place][0]++
			}
		}
	}
	j.length = max(1, float64(total)/learnGames)
	for place, n := range stand {
		if !rules.Board.Places[place].Zone || place == rules.PiecesAt || n[1]*(teams-1) <= n[0] {
			continue
		}
		for piece := range j.home {
			j.home[piece][place] = true
		}
	}
	var leads [][]float64 // the winner's first
	games := 0
	for k := range learnGames {
		if won[k] < 0 {
			continue
		}
		r := j.restart(q, k)
		for n := range learnLooks {
			j.playout(q, &r, throws[k]*(n+1)/(learnLooks+1))
			j.measure(q)
			far := append([]float64(nil), j.far...)
			far[0], far[won[k]] = far[won[k]], far[0]
			leads = append(leads, far)
		}
		j.playout(q, &r, learnThrows)
		j.measure(q)
		j.arrive += j.far[won[k]]
		games++
	}
	if games > 0 {
		j.arrive = max(1, j.arrive/float64(games))
		j.fit(leads)
	}
}

// restart begins game k of those to learn from.
func (j *judge) restart(q *interpreter.Position, k int) interpreter.Random {
	q.Restart(0)
	return interpreter.NewRandom(learnSeed, uint64(k))
}

// fit takes the scale by which leads foretell best that the first wins; none where they hardly do.
func (j *judge) fit(leads [][]float64) {
	spread := 0.0
	for _, far := range leads {
		for _, f := range far {
			spread = max(spread, math.Abs(f-far[0]))
		}
	}
	equal := float64(len(leads)) * math.Log(float64(len(leads[0])))
	best := 0.97 * equal // of the surprise there is without looking
	for scale := spread; scale > spread/200; scale /= 1.25 {
		surprise := 0.0
		for _, far := range leads {
			sum := 0.0
			for _, f := range far {
				sum += math.Exp((f - far[0]) / scale)
			}
			surprise += math.Log(sum)
		}
		if surprise < best {
			best, j.scale = surprise, scale
		}
	}
}

// winner is the team that has won, or in a game that ranks the one that has come next since the decision came up;
// interpreter.None where none has.
func (j *judge) winner(p *interpreter.Position) int {
	seats := j.game.Rules().Seats
	if n := p.Ranked(); n > j.ranked {
		ranking := p.Result().Ranking
	next:
		for _, seat := range ranking[j.ranked:n] {
			for _, before := range ranking[:j.ranked] {
				if seats[before].Team == seats[seat].Team {
					continue next
				}
			}
			return seats[seat].Team
		}
	}
	if p.Kind() == interpreter.Over && j.ranked == 0 {
		if w := p.Result().Winners; len(w) > 0 {
			return seats[w[0]].Team
		}
	}
	return interpreter.None
}

// measure takes down how far each team is.
func (j *judge) measure(p *interpreter.Position) {
	if j.lead != nil {
		for team := range j.far {
			j.far[team] = float64(j.lead.Of(p, team))
		}
		return
	}
	clear(j.far)
	j.places = p.Places(j.places[:0])
	for piece, place := range j.places {
		n := p.Index(piece) + 1
		if n == 0 && j.home[piece][place] {
			n = j.ends[piece]
		}
		j.far[j.teamOf[piece]] += float64(n)
	}
}

// blind reports whether a lead says nothing about who wins.
func (j *judge) blind() bool { return math.IsInf(j.scale, 1) }

// horizon is the number of throws to which a game by chance is played from a position: so many more, or, where it could
// not be judged there, twice a whole game.
func (j *judge) horizon(p *interpreter.Position, depth int) int {
	if j.blind() && len(j.far) > 1 {
		depth = max(depth, int(2*j.length))
	}
	return p.Throws() + depth
}

// ahead is how far a team is ahead of the others on average, as measured.
func (j *judge) ahead(team int) float64 {
	if len(j.far) == 1 {
		return j.far[0]
	}
	others := 0.0
	for t, far := range j.far {
		if t != team {
			others += far
		}
	}
	return j.far[team] - others/float64(len(j.far)-1)
}

// shares says how likely each team is to win, as far as the judge can tell: 1 together. Where one plays alone it is how
// soon.
func (j *judge) shares(p *interpreter.Position, out []float64) {
	if len(out) == 1 {
		left := 0.0
		if p.Kind() != interpreter.Over {
			j.measure(p)
			left = j.length * max(0, 1-j.far[0]/max(1, j.arrive))
		}
		out[0] = math.Exp(-(float64(p.Throws()) + left) / j.length)
		return
	}
	if team := j.winner(p); team >= 0 {
		clear(out)
		out[team] = 1
		return
	}
	for team := range out {
		out[team] = 1 / float64(len(out))
	}
	if p.Kind() == interpreter.Over || p.Kind() == interpreter.Broken || j.blind() {
		return
	}
	j.measure(p)
	most, sum := j.far[0], 0.0
	for _, far := range j.far {
		most = max(most, far)
	}
	for team, far := range j.far {
		out[team] = math.Exp((far - most) / j.scale)
		sum += out[team]
	}
	for team := range out {
		out[team] /= sum
	}
}

// atHome is how many pieces of a team have come home.
func (j *judge) atHome(p *interpreter.Position, team int) int {
	n := 0
	j.places = p.Places(j.places[:0])
	for piece, place := range j.places {
		if j.teamOf[piece] == team && j.home[piece][place] {
			n++
		}
	}
	return n
}

// playout plays on by chance until a team has won, that many throws have been made in all, or no throw comes any more.
func (j *judge) playout(p *interpreter.Position, r *interpreter.Random, throws int) {
	p.Playout(r, interpreter.Until{Throws: max(1, throws), Ranked: j.ranked + 1})
}
