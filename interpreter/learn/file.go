package learn

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

// File is a file of evaluations: one for each setting and number of players of a rule book.
type File struct {
	stored []stored
}

// document is the JSON form of a file.
type document struct {
	Version     int      `json:"rulerun_learned"`
	Evaluations []stored `json:"evaluations"`
}

// stored is the JSON form of an evaluation.
type stored struct {
	Rules    string            `json:"rules"`
	Players  int               `json:"players"`
	Options  map[string]string `json:"options,omitempty"` // those that differ from the default
	Digest   string            `json:"digest"`            // of the rules
	Games    int               `json:"games"`
	Seed     uint64            `json:"seed"`
	Units    int               `json:"units"`
	Features string            `json:"features"`          // their names
	Terrain  string            `json:"terrain,omitempty"` // what probing found, see pack
	Weights  string            `json:"weights"`           // base64 of little-endian 16-bit fixed point numbers, in units of 1/fixed
}

// between separates the names of features.
const between = ", "

func (k *stored) features() int { return strings.Count(k.Features, between) + 1 }

// version is the version of the format. MaxFile is the size limit of a file in bytes.
const (
	version = 1
	fixed   = 1 << 10
	MaxFile = 4 << 20
)

// Read decodes a file.
func Read(data []byte) (*File, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("too large for a file of evaluations: %d bytes, at most %d", len(data), MaxFile)
	}
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("not a file of evaluations: %w", err)
	}
	switch {
	case d.Version == 0:
		return nil, errors.New(`not a file of evaluations: "rulerun_learned" is missing`)
	case d.Version != version:
		return nil, fmt.Errorf("made by another version of rulerun: format %d, want %d", d.Version, version)
	}
	for i := range d.Evaluations {
		if err := d.Evaluations[i].check(); err != nil {
			return nil, fmt.Errorf("evaluation %d: %w", i+1, err)
		}
	}
	return &File{d.Evaluations}, nil
}

// check validates an evaluation.
func (k *stored) check() error {
	raw, err := base64.StdEncoding.DecodeString(k.Weights)
	switch {
	case k.Units < 1 || k.Units > maxUnits:
		return fmt.Errorf("it has %d hidden units, want 1 to %d", k.Units, maxUnits)
	case err != nil:
		return fmt.Errorf("its weights: %w", err)
	case len(raw) != 2*size(k.features(), k.Units):
		return fmt.Errorf("it has %d weights, want %d for its %d features", len(raw)/2, size(k.features(), k.Units), k.features())
	}
	return nil
}

// Write encodes a file.
func (f *File) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(document{version, f.stored})
}

// For is the evaluation for a game, nil if the file has none for its rules.
func (f *File) For(g *interpreter.Game) (*Eval, error) {
	digest := digestOf(g)
	i := slices.IndexFunc(f.stored, func(k stored) bool { return k.Digest == digest })
	if i < 0 {
		return nil, nil
	}
	k := &f.stored[i]
	e := &Eval{Features: NewFeatures(g), Games: k.Games, Seed: k.Seed}
	if strings.Join(e.names, between) != k.Features {
		return nil, fmt.Errorf("its features for %d players are not those of this version: learn again", k.Players)
	}
	if k.Terrain != "" {
		if err := e.unpack(k.Terrain); err != nil {
			return nil, fmt.Errorf("its terrain for %d players: %w", k.Players, err)
		}
	}
	raw, err := base64.StdEncoding.DecodeString(k.Weights)
	if err != nil {
		return nil, err
	}
	e.net = newNet(len(e.names), k.Units)
	for i := range e.net.all {
		e.net.all[i] = float32(int16(binary.LittleEndian.Uint16(raw[2*i:]))) / fixed
	}
	return e, nil
}

// Settings calls each for each evaluation, with its number of players and the options that differ from the default.
func (f *File) Settings(each func(players int, options map[string]string)) {
	for _, k := range f.stored {
		each(k.Players, k.Options)
	}
}

// Put adds an evaluation. It replaces one for the same rules, or for another version of them with the same options and
// players.
func (f *File) Put(e *Eval) {
	k := stored{
		Rules: e.rules.Name, Players: len(e.rules.Seats), Digest: digestOf(e.game), Games: e.Games, Seed: e.Seed,
		Units: e.net.units, Features: strings.Join(e.names, between),
	}
	for _, o := range e.rules.Options {
		if !o.Default {
			if k.Options == nil {
				k.Options = map[string]string{}
			}
			k.Options[o.Name] = o.Value
		}
	}
	var raw []byte
	for _, w := range e.net.all {
		n := math.Round(float64(w) * fixed)
		raw = binary.LittleEndian.AppendUint16(raw, uint16(int16(max(math.MinInt16, min(math.MaxInt16, n)))))
	}
	k.Terrain, k.Weights = e.pack(), base64.StdEncoding.EncodeToString(raw)
	same := func(o stored) bool {
		return o.Digest == k.Digest || o.Players == k.Players && fmt.Sprint(o.Options) == fmt.Sprint(k.Options)
	}
	f.stored = append(slices.DeleteFunc(f.stored, same), k)
	slices.SortStableFunc(f.stored, func(a, b stored) int { return a.Players - b.Players })
}

// digestOf identifies the rules of a game.
func digestOf(g *interpreter.Game) string {
	d := (&model.Digests{}).Of(g.Rules())
	return hex.EncodeToString(d[:16])
}
