package bot

import (
	"fmt"

	"github.com/rulerun/rulerun/interpreter"
)

// leastPlayouts is the size of the smallest tree search.
const leastPlayouts = 20

// Strong names the largest tree search that needs about so many throws for one side in a game, and at least twenty
// playouts. The result is deterministic.
func Strong(g *interpreter.Game, throws int) string {
	var j judge
	p := g.Start(0)
	j.learn(p)
	decisions := 0
	const games = 4
	for k := range games {
		r := j.restart(p, k)
		for choices := 0; choices < interpreter.MaxChoices && p.Throws() < learnThrows && (p.Kind() == interpreter.Throw || p.Kind() == interpreter.Choice); {
			if p.Kind() == interpreter.Choice || p.ChosenNumber() {
				decisions++
			}
			if p.Kind() == interpreter.Choice {
				p.ChooseRandom(&r)
				choices++
			} else {
				p.ThrowRandom(&r)
				choices = 0
			}
		}
	}
	p.Restart(0)
	each := max(1, decisions/(games*len(j.far))) * j.horizon(p, usualDepth)
	n := leastPlayouts
	for _, more := range []int{50, 100, 200, 400} {
		if more*each <= throws {
			n = more
		}
	}
	return fmt.Sprintf("mcts:%d", n)
}
