package bot

import (
	"math"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/learn"
)

// judge evaluates a position for each team. It estimates its parameters by playing the game at random.
type judge struct {
	game   *interpreter.Game
	lead   *interpreter.Lead // nil: progress along the tracks
	teamOf []int             // of each colour
	ends   []int             // of each colour: the index of the end of its track
	home   [][]bool          // of each colour and place: whether its pieces have finished there
	scale  float64           // exp(lead/scale) are the odds; infinite if a lead predicts nothing
	length float64           // mean throws of a game
	arrive float64           // the winner's progress at the end
	ranked int               // seats ranked before the decision: the next rank counts as the win
	far    []float64         // progress of each team in the position measured last
	places []int
	expert bool         // it uses a learned evaluation, if there is one
	eval   *learn.Judge // nil: the lead
}

// Limits of the random games that a judge learns from.
const (
	learnSeed   = 20_260_101
	learnGames  = 24
	learnThrows = 2_000 // of one game, at most
	learnLooks  = 16    // positions of a game in which leads are sampled
)

// learn estimates the parameters for the game of a position.
func (j *judge) learn(p *interpreter.Position) {
	if j.game == p.Game() {
		return
	}
	g := p.Game()
	rules := g.Rules()
	*j = judge{game: g, expert: j.expert, far: make([]float64, len(rules.Teams)), scale: math.Inf(1), length: learnThrows}
	if j.expert {
		if e, _ := learn.For(g); e != nil {
			j.eval = e.Judge()
			return
		}
	}
	j.lead = interpreter.NewLead(g)
	for colour := range rules.Colours {
		home := make([]bool, len(rules.Board.Places))
		end := 0
		for _, n := range rules.Track.Runs[rules.Colours[colour].Board].Nodes {
			if len(n.Next) == 0 {
				home[n.Place], end = true, max(end, n.Index+1)
			}
		}
		if end == 0 { // the track is a cycle
			end = len(rules.Track.Runs[rules.Colours[colour].Board].Nodes)
		}
		j.teamOf = append(j.teamOf, rules.Seats[g.SeatOf(colour)].Team)
		j.ends = append(j.ends, end)
		j.home = append(j.home, home)
	}
	j.play()
}

// play plays the games to learn from. The zones off the tracks in which the winner has more pieces than the others at
// the end of a game are those where pieces finish. A second pass over the same games fits the scale: it samples leads
// at times spread over each game, and maximises the likelihood of the winners under a logistic model.
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
			if j.teamOf[q.ColourOf(piece)] == won[k] {
				stand[place][1]++
			} else {
				stand[place][0]++
			}
		}
	}
	j.length = max(1, float64(total)/learnGames)
	for place, n := range stand {
		if !rules.Board.Places[place].Zone || slices.Contains(rules.PiecesAt, place) || n[1]*(teams-1) <= n[0] {
			continue
		}
		for colour := range j.home {
			j.home[colour][place] = true
		}
	}
	var leads [][]float64 // the winner's lead first
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

// restart begins learning game k.
func (j *judge) restart(q *interpreter.Position, k int) interpreter.Random {
	q.Restart(0)
	return interpreter.NewRandom(learnSeed, uint64(k))
}

// fit returns the maximum likelihood scale of leads whose first element is the winner's; infinite if they predict
// almost nothing.
func (j *judge) fit(leads [][]float64) {
	spread := seq.Most(leads, func(far []float64) float64 { return max(slices.Max(far)-far[0], far[0]-slices.Min(far)) })
	equal := float64(len(leads)) * math.Log(float64(len(leads[0])))
	best := 0.97 * equal // the log loss without any information
	for scale := spread; scale > spread/200; scale /= 1.25 {
		surprise := 0.0
		for _, far := range leads {
			sum := seq.Sum(far, func(f float64) float64 { return math.Exp((f - far[0]) / scale) })
			surprise += math.Log(sum)
		}
		if surprise < best {
			best, j.scale = surprise, scale
		}
	}
}

// winner is the winning team, or in a game with ranks the first team ranked since the decision; interpreter.None if
// there is none.
func (j *judge) winner(p *interpreter.Position) int {
	seats := j.game.Rules().Seats
	if n := p.Ranked(); n > j.ranked {
		ranking := p.Result().Ranking
		for _, seat := range ranking[j.ranked:n] {
			if !slices.ContainsFunc(ranking[:j.ranked], func(before int) bool { return seats[before].Team == seats[seat].Team }) {
				return seats[seat].Team
			}
		}
	}
	if p.Kind() == interpreter.Over && j.ranked == 0 {
		if w := p.Result().Winners; len(w) > 0 {
			return seats[w[0]].Team
		}
	}
	return interpreter.None
}

// measure computes the progress of each team.
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
		n, colour := p.Index(piece)+1, p.ColourOf(piece)
		if n == 0 && j.home[colour][place] {
			n = j.ends[colour]
		}
		j.far[j.teamOf[colour]] += float64(n)
	}
}

// blind reports whether a lead predicts nothing.
func (j *judge) blind() bool { return math.IsInf(j.scale, 1) }

// horizon is the number of throws after which a playout is cut off: depth more than now, or twice the length of a
// game if positions cannot be evaluated.
func (j *judge) horizon(p *interpreter.Position, depth int) int {
	if j.blind() && len(j.far) > 1 {
		depth = max(depth, int(2*j.length))
	}
	return p.Throws() + depth
}

// ahead is the lead of a team over the mean of the others, as measured.
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

// shares estimates the probability of each team to win; they sum to 1. With one team it measures how soon the game
// ends.
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
	if p.Kind() == interpreter.Over || p.Kind() == interpreter.Broken {
		return
	}
	if j.eval != nil {
		j.eval.Shares(p, out)
		return
	}
	if j.blind() {
		return
	}
	j.measure(p)
	most, sum := slices.Max(j.far), 0.0
	for team, far := range j.far {
		out[team] = math.Exp((far - most) / j.scale)
		sum += out[team]
	}
	for team := range out {
		out[team] /= sum
	}
}

// atHome is the number of pieces of a team that have finished.
func (j *judge) atHome(p *interpreter.Position, team int) int {
	n := 0
	j.places = p.Places(j.places[:0])
	for piece, place := range j.places {
		if colour := p.ColourOf(piece); j.teamOf[colour] == team && j.home[colour][place] {
			n++
		}
	}
	return n
}

// playout plays at random until a team has won, the total number of throws is reached, or no further throw comes.
func (j *judge) playout(p *interpreter.Position, r *interpreter.Random, throws int) {
	p.Playout(r, interpreter.Until{Throws: max(1, throws), Ranked: j.ranked + 1})
}
