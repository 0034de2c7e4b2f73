package solve

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"time"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Store saves the work of Solve, to resume it or to look up its results.
type Store interface {
	// Load returns the data saved under a name; the error is fs.ErrNotExist if there is none.
	Load(name string) ([]byte, error)
	// Save atomically replaces the data under a name by what write writes.
	Save(name string, write func(io.Writer) error) error
}

// index describes the other parts of a store.
type index struct {
	Version int
	Game    string // fingerprint of the rules
	Play    string // the policies of the seats, and the initial position
	Best    bool   // all seats play best
	Flat    bool
	Root    []byte
	Drawn   bool
	Labels  []storedLabel
	Dists   [][]float64
	Layers  []storedLayer

	States, Choices, Transitions, Ends int
	Found                              bool   // the enumeration is complete
	Form                               string // the form of the rows
	Sweeps, Hopeless                   int
	Avoidable                          bool
}

type storedLabel struct {
	Turns, Layer, Perm uint16
	End                bool
	Side               int8
}

type storedLayer struct {
	Home                                         []int
	Keys, Expanded                               int
	Solved                                       bool
	Error, LengthError, Residual, LengthResidual string // hexadecimal floats: JSON has no infinity
	Components, Largest                          int
	Hopeless, Lasting                            bool
}

const storeVersion = 2

// ErrStored reports that a store is of other rules, or of another version.
var ErrStored error = &catalogue.Sentence{Key: "solve.stored", Text: "what is stored here was worked out for other rules, other play or by another version"}

// ErrNoKeys reports that positions cannot be stored: the rules' variables do not fit a short key.
var ErrNoKeys error = &catalogue.Sentence{Key: "solve.keys", Text: "positions of these rules have no short keys, and cannot be stored"}

// keeper saves a graph and its values in a store. A nil keeper keeps everything in memory.
type keeper struct {
	Store
	game             string
	play             string // the policies of the seats; any if empty
	best             bool   // all seats play best
	g                *graph
	v                *values
	flat             bool
	all              bool   // the enumeration is complete
	form             string // the form of the stored rows
	sweeps, hopeless int
	avoidable        bool
	last             time.Time // time of the last write of the index
	rowsSaved        time.Time // time of the last write of values
}

func (k *keeper) name(n int, what string) string { return fmt.Sprintf("layer-%03d.%s", n, what) }

// save writes the index, and the positions of incomplete layers.
func (k *keeper) save() error {
	if k == nil {
		return nil
	}
	k.last = time.Now()
	g := k.g
	x := index{
		Version: storeVersion, Game: k.game, Play: k.play, Best: k.best, Flat: k.flat, Root: g.root, Drawn: g.drawn, Dists: g.dists, Found: k.all,
		States: g.states, Choices: g.choices, Transitions: g.transitions, Ends: g.ends,
	}
	if v := k.v; v != nil {
		x.Form, x.Sweeps, x.Hopeless, x.Avoidable = v.form(), v.sweeps, v.hopeless, v.avoidable
	}
	x.Labels = seq.Map(g.labels, func(by label) storedLabel { return storedLabel{by.turns, by.layer, by.perm, by.end, by.side} })
	for n, l := range g.layers {
		x.Layers = append(x.Layers, storedLayer{
			Home: l.home, Keys: l.count, Expanded: l.expanded, Solved: l.solved, Error: hex(l.error), LengthError: hex(l.lengthError), Residual: hex(l.residual),
			LengthResidual: hex(l.lengthResidual), Components: l.components, Largest: l.largest, Hopeless: l.hopeless != nil, Lasting: l.lasting != nil,
		})
		if l.stored {
			continue
		}
		if err := k.layer(n, l); err != nil {
			return err
		}
	}
	rests := seq.Map(g.canon.Rests(), func(s string) []byte { return []byte(s) }) // JSON encodes them as base64
	if err := k.Save("rests", func(w io.Writer) error { return json.NewEncoder(w).Encode(rests) }); err != nil {
		return err
	}
	return k.Save("index", func(w io.Writer) error { return json.NewEncoder(w).Encode(&x) })
}

func hex(v float64) string { return fmt.Sprintf("%x", v) }

// layer writes the positions of a layer, and their trees so far.
func (k *keeper) layer(n int, l *layer) error {
	if err := k.Save(k.name(n, "keys"), func(w io.Writer) error { return binary.Write(w, little, l.keys.all) }); err != nil {
		return err
	}
	return k.Save(k.name(n, "trees"), func(w io.Writer) error {
		for _, b := range l.blocks {
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
		return nil
	})
}

// expanded stores a fully expanded layer, and drops it from memory.
func (k *keeper) expanded(n int) error {
	if k == nil {
		return nil
	}
	l := k.g.layers[n]
	if err := k.layer(n, l); err != nil {
		return err
	}
	l.stored = true
	k.drop(l)
	if time.Since(k.last) < time.Minute {
		return nil
	}
	return k.save()
}

// compact reorders the trees of a layer by position. It goes through the store if there is one, which needs no extra memory.
func (k *keeper) compact(l *layer, g *graph) error {
	if k == nil {
		var moved trees
		for i := range l.at {
			t := l.of(uint32(i))
			moved.keep(t[:g.size(t)])
		}
		l.trees = moved
		return nil
	}
	err := k.Save("ordered", func(w io.Writer) error {
		for i := range l.at {
			t := l.of(uint32(i))
			if _, err := w.Write(t[:g.size(t)]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.trees = trees{}
	text, err := k.Load("ordered")
	if err != nil {
		return err
	}
	l.trees = g.split(text, l.count)
	return k.Save("ordered", func(io.Writer) error { return nil })
}

// drop frees what open can load again.
func (k *keeper) drop(l *layer) {
	if k != nil && l.stored {
		l.keys.all, l.trees = nil, trees{}
	}
}

// open loads the keys and trees of a layer.
func (k *keeper) open(n int) error {
	if k == nil {
		return nil
	}
	l := k.g.layers[n]
	if l.keys.all != nil || l.count == 0 {
		return nil
	}
	if err := k.keys(n); err != nil {
		return err
	}
	text, err := k.Load(k.name(n, "trees"))
	if err != nil {
		return err
	}
	l.trees = k.g.split(text, l.expanded)
	if len(l.at) != l.expanded {
		return fmt.Errorf("%s holds %d positions, not %d", k.name(n, "trees"), len(l.at), l.expanded)
	}
	return nil
}

// keys loads the keys of a layer.
func (k *keeper) keys(n int) error {
	l := k.g.layers[n]
	text, err := k.Load(k.name(n, "keys"))
	if err != nil {
		return err
	}
	if len(text) < 8*l.count*l.keys.each { // the file may have more: positions found after the index was written
		return fmt.Errorf("%s holds %d bytes, too few for %d positions", k.name(n, "keys"), len(text), l.count)
	}
	l.keys.all = seq.Of(l.count*l.keys.each, func(i int) uint64 { return little.Uint64(text[8*i:]) })
	return nil
}

// rowsEvery is how often values are stored while they are computed; a variable for tests.
var rowsEvery = 10 * time.Minute

// saveRows stores the values of a layer, which need not be final; with late only if they were not stored for a while.
func (k *keeper) saveRows(l *layer, late bool) error {
	if k == nil || late && time.Since(k.rowsSaved) < rowsEvery {
		return nil
	}
	k.rowsSaved = time.Now()
	return k.Save(k.name(l.n, "rows"), func(w io.Writer) error {
		row := len(l.rows) / max(1, l.count)
		var text []byte
		for i := range l.count {
			if l.places != nil {
				i = int(l.places[i])
			}
			text = text[:0]
			for _, f := range l.rows[i*row:][:row] {
				text = little.AppendUint64(text, math.Float64bits(f))
			}
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
		return nil
	})
}

// solved stores the values of a layer; half means that they are not final.
func (k *keeper) solved(n int, half bool) error {
	if k == nil {
		return nil
	}
	l := k.g.layers[n]
	err := k.saveRows(l, false)
	for _, f := range []struct {
		what string
		list []bool
	}{{"hopeless", l.hopeless}, {"lasting", l.lasting}} {
		if err == nil && f.list != nil && !half {
			err = k.Save(k.name(n, f.what), func(w io.Writer) error { return binary.Write(w, little, f.list) })
		}
	}
	if err != nil {
		return err
	}
	l.solved = !half
	return k.save()
}

// rows loads the values of a layer; ok is false if there are none.
func (k *keeper) rows(n, row int) (ok bool, err error) {
	if k == nil {
		return false, nil
	}
	l := k.g.layers[n]
	text, err := k.Load(k.name(n, "rows"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || len(text) != 8*l.count*row {
		return false, err
	}
	l.rows = seq.Of(l.count*row, func(i int) float64 { return math.Float64frombits(little.Uint64(text[8*i:])) })
	return true, nil
}

// flags loads a list of booleans of a layer.
func (k *keeper) flags(n int, what string) ([]bool, error) {
	text, err := k.Load(k.name(n, what))
	if err == nil && len(text) != k.g.layers[n].count {
		err = fmt.Errorf("%s holds %d positions, not %d", k.name(n, what), len(text), k.g.layers[n].count)
	}
	return seq.Map(text, func(b byte) bool { return b != 0 }), err
}

// load loads the index and the graph of a store; found is false if it is empty.
func (k *keeper) load() (found bool, err error) {
	text, err := k.Load("index")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var x index
	if err := json.Unmarshal(text, &x); err != nil || x.Version != storeVersion || x.Game != k.game || k.play != "" && x.Play != k.play {
		return false, ErrStored
	}
	g := k.g
	var rests [][]byte
	if text, err = k.Load("rests"); err == nil {
		err = json.Unmarshal(text, &rests)
	}
	if err != nil {
		return false, err
	}
	g.canon.SetRests(rests)
	g.root, g.drawn, g.dists, k.all, k.flat = x.Root, x.Drawn, x.Dists, x.Found, x.Flat
	k.best = x.Best
	k.form, k.sweeps, k.hopeless, k.avoidable = x.Form, x.Sweeps, x.Hopeless, x.Avoidable
	g.states, g.choices, g.transitions, g.ends = x.States, x.Choices, x.Transitions, x.Ends
	for _, by := range x.Labels {
		if int(by.Perm) >= len(g.perms) || int(by.Layer) >= len(x.Layers) {
			return false, ErrStored
		}
		if _, err := g.number(label{turns: by.Turns, layer: by.Layer, perm: by.Perm, end: by.End, side: by.Side}); err != nil {
			return false, err
		}
	}
	for n, s := range x.Layers {
		l := newLayer(n, s.Home, g.canon.Words())
		l.count, l.expanded, l.solved, l.components, l.largest = s.Keys, s.Expanded, s.Solved, s.Components, s.Largest
		l.stored = l.count > 0 && l.expanded == l.count
		for text, to := range map[string]*float64{s.Error: &l.error, s.LengthError: &l.lengthError, s.Residual: &l.residual, s.LengthResidual: &l.lengthResidual} {
			*to, _ = strconv.ParseFloat(text, 64)
		}
		g.layers = append(g.layers, l)
		if s.Solved && s.Hopeless {
			if l.hopeless, err = k.flags(n, "hopeless"); err != nil {
				return false, err
			}
		}
		if s.Solved && s.Lasting {
			if l.lasting, err = k.flags(n, "lasting"); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// begin adopts the stored values if they have the same form, and discards them otherwise.
func (k *keeper) begin(v *values) error {
	if k == nil {
		return nil
	}
	k.v = v
	if k.form == v.form() {
		v.sweeps, v.hopeless, v.avoidable = k.sweeps, k.hopeless, k.avoidable
		return nil
	}
	k.form = ""
	for _, l := range k.g.layers {
		l.solution = solution{}
		if err := k.Save(k.name(l.n, "rows"), func(io.Writer) error { return nil }); err != nil {
			return err
		}
	}
	k.rowsSaved = time.Now()
	return k.save() // with the form of the rows to come
}
