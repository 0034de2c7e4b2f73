package stats

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Dealt has what a player came to that changes seats with others.
type Dealt struct {
	Name string `json:"name"`
	// Fair is the share of games that it wins among equals: so many of so many.
	Fair [2]int `json:"fair"`
	Wins int    `json:"wins"` // games won by the side of one of its seats
	// Sat and Won have the games that it played, and of these those it won, by its place in turn order: 0 is the seat
	// that began. Games without a known starter do not count.
	Sat []int `json:"sat"`
	Won []int `json:"won"`
}

func newDealt(name string, fair [2]int, players int) Dealt {
	return Dealt{Name: name, Fair: fair, Sat: make([]int, players), Won: make([]int, players)}
}

// dealt lists the players that change seats, each name once.
func dealt(g *interpreter.Game, list []string) []Dealt {
	var out []Dealt
	teams := g.Rules().Teams
	for _, name := range seq.Distinct(list) {
		fair := [2]int{0, len(list) * len(teams)}
		for change := range list {
			for _, seats := range teams {
				fair[0] += yes(slices.ContainsFunc(seats, func(seat int) bool { return list[(seat+change)%len(list)] == name }))
			}
		}
		out = append(out, newDealt(name, fair, g.Players()))
	}
	return out
}

// won reports whether the side of a player has won; list has the names of all players.
func (d *Dealt) won(x *interpreter.Played, list []string) bool {
	for seat, who := range x.Dealt {
		if x.Won[seat] && list[who] == d.Name {
			return true
		}
	}
	return false
}

// count counts a game.
func (d *Dealt) count(x *interpreter.Played, list []string) {
	d.Wins += yes(d.won(x, list))
	if x.First < 0 {
		return
	}
	for seat, who := range x.Dealt {
		if list[who] == d.Name {
			place := (seat - x.First + len(x.Dealt)) % len(x.Dealt)
			d.Sat[place]++
			d.Won[place] += yes(x.Won[seat])
		}
	}
}

func (d *Dealt) join(o *Dealt) {
	d.Wins += o.Wins
	addInts(d.Sat, o.Sat)
	addInts(d.Won, o.Won)
}

// possible reports whether a player can have these numbers.
func (d *Dealt) possible(players, games int) bool {
	if d.Fair[0] < 0 || d.Fair[0] > d.Fair[1] || d.Fair[1] < 1 || d.Wins < 0 || d.Wins > games || len(d.Sat) != players || len(d.Won) != players {
		return false
	}
	for place, n := range d.Won {
		if n < 0 || n > d.Sat[place] || d.Sat[place] > games {
			return false
		}
	}
	return true
}

// FairShare is the share of games that the player wins among equals.
func (d *Dealt) FairShare() float64 { return float64(d.Fair[0]) / float64(d.Fair[1]) }

// dealtMeasures are the shares of wins of the players that change seats in both games.
func dealtMeasures(a, b []Dealt, namesA, namesB []string) (out []measure) {
	for i := range a {
		k := slices.IndexFunc(b, func(d Dealt) bool { return d.Name == a[i].Name })
		if k < 0 {
			continue
		}
		m := measure{group: GroupDealt, name: a[i].Name, fair: [2]float64{a[i].FairShare(), b[k].FairShare()}}.asShare(1, i+1 < len(a)) // the last has the rest
		m.of[0] = func(x *interpreter.Played) int { return yes(a[i].won(x, namesA)) }
		m.of[1] = func(x *interpreter.Played) int { return yes(b[k].won(x, namesB)) }
		out = append(out, m)
	}
	return out
}
