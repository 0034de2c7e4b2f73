package stats

import (
	"sync"

	"github.com/rulerun/rulerun/interpreter"
)

// maxKept is how many games are kept: some 100 MB at most.
const maxKept = 100_000

// Kept has the results of games. The zero value is empty; it is safe for several goroutines.
type Kept struct {
	mu    sync.RWMutex
	games map[uint64]*interpreter.Played
}

// keeper plays games that are not kept yet.
type keeper struct {
	player
	kept *Kept
}

// Play implements player.
func (p *keeper) Play(seed, k uint64) (*interpreter.Played, error) {
	p.kept.mu.RLock()
	x := p.kept.games[k]
	p.kept.mu.RUnlock()
	if x != nil {
		return x, nil
	}
	x, err := p.player.Play(seed, k)
	if err != nil {
		return nil, err
	}
	p.kept.mu.Lock()
	defer p.kept.mu.Unlock()
	if p.kept.games == nil {
		p.kept.games = map[uint64]*interpreter.Played{}
	}
	if len(p.kept.games) < maxKept {
		p.kept.games[k] = x.Copy()
	}
	return x, nil
}
