package door

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// Replay is how far a recorded game is shown.
type Replay struct {
	At     int    `json:"at"`
	Events int    `json:"events"`           // of the whole record
	Misfit string `json:"misfit,omitempty"` // why the next event does not fit the rules
}

// replay is a recorded game that is shown.
type replay struct {
	game   *interpreter.Game
	rec    *record.Record
	live   []record.Event
	open   bool // the game is complete: secret choices are shown
	misfit string
}

// replay opens a record to be shown.
func (h *Host) replay(books Books, r *Request) *Answer {
	rec, g, a := h.recorded(books, r)
	if a != nil {
		return a
	}
	id, err := h.AddReplay(g, rec, r.Files)
	if err != nil {
		return r.refused(err)
	}
	s := h.game(id)
	s.Lock()
	defer s.Unlock()
	out := s.shown(0)
	out.Game = id
	return out
}

// AddReplay gives a recorded game to the host, which names it. files are texts of a client that its rule book is made of.
func (h *Host) AddReplay(g *interpreter.Game, rec *record.Record, files map[string]string) (string, error) {
	s := &hosted{replay: &replay{game: g, rec: rec, live: rec.Live(), open: Complete(g, rec)}, files: files}
	if err := s.rewind(); err != nil {
		return "", err
	}
	return h.add(s), nil
}

// Complete reports whether a record leads to the end of its game.
func Complete(g *interpreter.Game, rec *record.Record) bool {
	pos, err := rec.Begin(g)
	if err != nil {
		return false
	}
	again := rec.Replay(pos)
	return !slices.ContainsFunc(rec.Live(), func(e record.Event) bool { return again.Next(e) != nil }) && pos.Kind() == interpreter.Over
}

// fewThrows are too few to say that a seed did not give them.
const fewThrows = 8

// OtherSeed reports whether the seed of a record, which has one and takes nothing back, does not give most of its throws.
func OtherSeed(g *interpreter.Game, rec *record.Record) bool {
	pos, err := rec.Begin(g)
	live := rec.Live()
	if err != nil || rec.Header.Seed == 0 || len(live) != len(rec.Events) {
		return false
	}
	again := rec.Replay(pos)
	throws, given := 0, 0
	for i, e := range live {
		if e.Kind == record.Throw && pos.Kind() == interpreter.Throw {
			throws++
			dice, by, r := pos.Dice(), pos.Copy(), interpreter.NewRandom(rec.Header.Seed, uint64(i))
			by.ThrowRandom(&r)
			differ := func(j int) bool { return j >= len(e.Numbers) || by.Numbers()[dice[j]] != e.Numbers[j].Value }
			if len(seq.Which(len(dice), differ)) == 0 {
				given++
			}
		}
		if again.Next(e) != nil {
			break
		}
	}
	return throws >= fewThrows && 2*given < throws
}

func (s *hosted) rewind() error {
	again, err := Again(s.replay.game, s.replay.rec, s.replay.open)
	if err != nil {
		return err
	}
	s.Session, s.replay.misfit = again, ""
	return nil
}

// step shows the recorded game after some events.
func (s *hosted) step(r *Request) *Answer {
	to, from := 0, s.At()
	if r.At != nil {
		to = min(max(0, *r.At), len(s.replay.live))
	}
	if to < from {
		if err := s.rewind(); err != nil {
			return r.refused(err)
		}
		from = to
	}
	s.forward(to)
	out := s.shown(min(from, s.At()))
	out.Game = r.Game
	return out
}

// forward goes on to an event of the recorded game.
func (s *hosted) forward(to int) {
	for s.replay.misfit == "" && s.At() < to {
		if err := s.Next(s.replay.live[s.At()]); err != nil {
			s.replay.misfit = s.words.said(err)
		}
	}
}

// shown is the replay as it stands, with the events after the first from ones.
func (s *hosted) shown(from int) *Answer {
	return &Answer{
		State: s.State(interpreter.None), Events: s.Happened(from), Log: s.Entries(from),
		Replay: &Replay{s.At(), len(s.replay.live), s.replay.misfit},
	}
}
