package bot

import (
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/solve"
)

// byTable plays best by the table of the game, and as another bot where the table ends.
type byTable struct{ otherwise Bot }

func (b byTable) Choose(p *interpreter.Position, r *interpreter.Random) int {
	if t := solve.TableOf(p.Game()); t != nil {
		if i, _, ok := t.Best(p); ok {
			return i
		}
	}
	return b.otherwise.Choose(p, r)
}

func (b byTable) Number(p *interpreter.Position, r *interpreter.Random) int {
	if t := solve.TableOf(p.Game()); t != nil {
		if i, _, ok := t.Best(p); ok {
			return p.Outcomes(nil, 0)[i].Value
		}
	}
	return b.otherwise.Number(p, r)
}
