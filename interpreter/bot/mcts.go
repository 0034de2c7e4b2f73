package bot

import (
	"math"

	"github.com/rulerun/rulerun/interpreter"
)

// mcts is Monte Carlo tree search. It grows a tree by UCT (Kocsis and Szepesvári, "Bandit Based Monte-Carlo
// Planning", 2006; Browne et al., "A Survey of Monte Carlo Tree Search Methods", 2012). Its exploration term is
// scaled by the standard deviation of the results, which is small in some games. A throw is a chance node with a
// child per outcome, visited as often as it occurs. A result is a share for every team; a decision maximises the
// share of the deciding team, so any number of sides can play. Hidden values are sampled anew for every game; all
// samples share one tree.
type mcts struct {
	Playouts int     // random games in a decision
	Depth    int     // throws after which a playout is cut off and evaluated by the lead
	Explore  float64 // exploration constant, in standard deviations of a result
	look
	nodes   []node
	totals  []float64 // of each node and team: the sum of its shares
	shares  []float64
	squares []float64 // of each team: the sum of the squares of its shares
	spread  []float64 // their standard deviation
	path    []int32
	numbers []int
	tried   []bool
}

// node is an option taken, or the outcome of a throw. Its children form a linked list.
type node struct {
	child, sibling int32 // 0 means none
	key            int32 // the option, or a hash of the numbers thrown
	visits         int32
}

// decide implements searcher.
func (b *mcts) decide(p *interpreter.Position, r *interpreter.Random, n int) int {
	b.shares = append(b.shares[:0], b.far...)
	b.nodes = append(b.nodes[:0], node{})
	b.totals = append(b.totals[:0], make([]float64, len(b.far))...)
	b.squares = append(b.squares[:0], b.totals...)
	b.spread = append(b.spread[:0], b.totals...)
	chance := interpreter.NewRandom(r.Uint64(), 0)
	for range max(b.Playouts, n) {
		b.guess(p, &chance)
		b.next.CopyFrom(b.root)
		b.descend(&chance)
		b.playout(b.next, &chance, b.horizon(p, b.Depth))
		b.judge.shares(b.next, b.shares)
		for _, at := range b.path {
			b.nodes[at].visits++
			for team, share := range b.shares {
				b.totals[int(at)*len(b.shares)+team] += share
			}
		}
		visits := float64(b.nodes[0].visits)
		for team, share := range b.shares {
			b.squares[team] += share * share
			mean := b.totals[team] / visits
			b.spread[team] = math.Sqrt(max(0, b.squares[team]/visits-mean*mean))
		}
	}
	return b.most(p, n, r)
}

// most is the most visited option; among equals the one with the better mean.
func (b *mcts) most(p *interpreter.Position, n int, r *interpreter.Random) int {
	b.clear(n)
	team := b.team(p)
	for c := b.nodes[0].child; c != 0; c = b.nodes[c].sibling {
		x := &b.nodes[c]
		if int(x.key) < n {
			b.worth[x.key] = float64(x.visits) + b.mean(c, team)/2
		}
	}
	return b.pick(r)
}

func (b *mcts) mean(at int32, team int) float64 {
	return b.totals[int(at)*len(b.shares)+team] / float64(b.nodes[at].visits)
}

// descend goes down the tree with the next position until it reaches a new option.
func (b *mcts) descend(r *interpreter.Random) {
	at := int32(0)
	b.path = append(b.path[:0], at)
	for steps := 0; steps < maxSteps && len(b.path) < maxPath && b.next.Ranked() <= b.ranked; steps++ {
		var grown bool
		q := b.next
		ways := b.decision(q)
		switch {
		case ways == 1:
			if !b.take(q, 0) {
				return
			}
			continue
		case ways > 1:
			key := int32(b.choose(at, ways, b.team(q), r))
			if at, grown = b.childOf(at, key); !b.take(q, int(key)) {
				grown = true
			}
		case q.Kind() == interpreter.Throw:
			key := b.throw(q, r)
			at, _ = b.childOf(at, key)
		default:
			return
		}
		b.path = append(b.path, at)
		if grown {
			return
		}
	}
}

// Limits of a way down the tree. Without decisions a path is an endless sequence of throws, and without throws it may be
// one of numbers that are chosen from one.
const (
	maxPath  = 128
	maxSteps = 1024
)

// choose selects the child to visit: an unvisited one, otherwise the best by UCT.
func (b *mcts) choose(at int32, ways, team int, r *interpreter.Random) int {
	b.tried = append(b.tried[:0], make([]bool, ways)...)
	left, visits := ways, 0
	for c := b.nodes[at].child; c != 0; c = b.nodes[c].sibling {
		if x := &b.nodes[c]; int(x.key) < ways {
			b.tried[x.key] = true
			visits += int(x.visits)
			left--
		}
	}
	if left > 0 {
		n := r.IntN(left)
		for i, t := range b.tried {
			if t {
				continue
			}
			if n == 0 {
				return i
			}
			n--
		}
	}
	best, most := 0, math.Inf(-1)
	for c := b.nodes[at].child; c != 0; c = b.nodes[c].sibling {
		x := &b.nodes[c]
		if int(x.key) >= ways {
			continue
		}
		if v := b.mean(c, team) + b.Explore*b.spread[team]*math.Sqrt(math.Log(float64(visits))/float64(x.visits)); v > most {
			best, most = int(x.key), v
		}
	}
	return best
}

// childOf is the child of a node with a key, and whether it is new.
func (b *mcts) childOf(at, key int32) (int32, bool) {
	for c := b.nodes[at].child; c != 0; c = b.nodes[c].sibling {
		if b.nodes[c].key == key {
			return c, false
		}
	}
	c := int32(len(b.nodes))
	b.nodes = append(b.nodes, node{sibling: b.nodes[at].child, key: key})
	b.totals = append(b.totals, b.shares...)
	clear(b.totals[int(c)*len(b.shares):])
	b.nodes[at].child = c
	return c, true
}

// throw throws the dice and returns a key of the outcome.
func (b *mcts) throw(q *interpreter.Position, r *interpreter.Random) int32 {
	devices := max(1, len(q.Dice()))
	b.numbers = b.numbers[:0]
	key := int32(0)
	for i := range devices {
		b.outcomes = q.Outcomes(b.outcomes[:0], i)
		total := 0
		for _, o := range b.outcomes {
			total += o.Weight
		}
		n := r.IntN(total)
		for j, o := range b.outcomes {
			if n -= o.Weight; n < 0 {
				b.numbers = append(b.numbers, o.Value)
				key = key*int32(len(b.outcomes)) + int32(j)
				break
			}
		}
	}
	if q.Throw(b.numbers...) != nil {
		q.ThrowRandom(r)
	}
	return key & math.MaxInt32
}
