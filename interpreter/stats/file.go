package stats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

// version is the version of the JSON format of a tally. It is incremented when a key is removed or changes its
// meaning.
const version = 3

// document is the JSON form of a tally.
type document struct {
	Version int    `json:"version"`
	Tool    string `json:"tool"`
	Kind    string `json:"kind"`
	*Tally
}

// kind distinguishes a tally from other documents of the tool.
const kind = "tally"

// Write writes a tally as one line of JSON. The form is canonical: equal tallies give equal bytes.
func (t *Tally) Write() ([]byte, error) {
	data, err := json.Marshal(document{version, "rulerun", kind, t})
	return append(data, '\n'), err
}

// Read reads what Write writes. It returns an error for numbers that no run can produce.
func Read(data []byte) (*Tally, error) {
	var head struct {
		Version int
		Tool    string
		Kind    string
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, errors.New("it is not a part of a run: it is no JSON")
	}
	if head.Tool != "rulerun" || head.Kind != kind {
		return nil, errors.New("it is not a part of a run, as sim writes it with --out")
	}
	if head.Version != version {
		return nil, fmt.Errorf("it has version %d, want %d: play it again with this rulerun", head.Version, version)
	}
	t := &Tally{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&document{Tally: t}); err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", readable(err))
	}
	if t.Seconds.N() == 0 && t.Games() > 0 {
		return nil, errors.New("it has no seconds, as an older rulerun writes it: play it again with this one")
	}
	if !t.sound() {
		return nil, errors.New("its numbers do not fit together")
	}
	return t, nil
}

// readable removes Go's own words from an error of the JSON library.
func readable(err error) error {
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s cannot be a JSON %s", strings.TrimPrefix(kind.Field, "Tally."), kind.Value)
	}
	if errors.Is(err, errHistogram) || errors.Is(err, errSum) {
		return err
	}
	return errors.New("a key is unknown, or it is cut off")
}

// sound reports whether the numbers of a tally are consistent.
func (t *Tally) sound() bool {
	n, games := t.Subject.Players, t.Games()
	if t.From < 0 || t.To < t.From || t.Of < t.To || t.Of > maxGames || n < 1 || n > 1000 || t.Unfinished < 0 || t.Unfinished > games {
		return false
	}
	for i, h := range t.histograms() {
		if got := h.N(); got > games || got < games && i < len(t.histograms())-1 {
			return false
		}
	}
	for i, list := range t.sums() {
		names := [3][]string{t.Names.Moves, t.Names.Acts, t.Names.Rules}[i]
		if len(list) != len(names) || slices.ContainsFunc(list, func(s Sum) bool { return !s.possible(games) }) {
			return false
		}
	}
	if len(t.Counts) != len(t.Names.Counts) || len(t.Counts) != len(t.Names.CountWords) ||
		slices.ContainsFunc(t.Counts, func(c Count) bool { return !c.possible(games) }) || len(t.Names.Seats) != n || len(t.Subject.Seats) != n ||
		slices.ContainsFunc(t.Dealt, func(d Dealt) bool { return !d.possible(n, games) }) {
		return false
	}
	for _, list := range slices.Concat([][]int{t.Wins, t.Began}, t.WinsFrom, t.Ranks) {
		if len(list) != n || slices.ContainsFunc(list, func(k int) bool { return k < 0 || k > games }) {
			return false
		}
	}
	return len(t.WinsFrom) == n && len(t.Ranks) == n
}

// JoinError says why parts cannot be joined. Part is the index of the part at fault in the list; Other is that of the
// part it conflicts with, or -1.
type JoinError struct {
	Part, Other int
	Reason      string
}

func (e *JoinError) Error() string { return e.Reason }

// Join joins parts of one run, in any order; the result equals that of the whole run. It returns a *JoinError for
// parts of different runs, overlaps and gaps. It does not modify the parts.
func Join(parts ...*Tally) (*Tally, error) {
	if len(parts) == 0 {
		return nil, &JoinError{-1, -1, "there are no parts"}
	}
	for i, p := range parts[1:] {
		if reason := parts[0].foreign(p); reason != "" {
			return nil, &JoinError{i + 1, 0, reason}
		}
	}
	order := seq.Of(len(parts), func(i int) int { return i })
	slices.SortStableFunc(order, func(a, b int) int { return parts[a].From - parts[b].From })
	next := 0
	for at, i := range order {
		p := parts[i]
		switch {
		case p.From < next:
			return nil, &JoinError{i, order[at-1], fmt.Sprintf("both have game %d", p.From+1)}
		case p.From > next:
			return nil, missing(parts[0].Of, next, p.From)
		}
		next = p.To
	}
	if of := parts[0].Of; next < of {
		return nil, missing(of, next, of)
	}
	all := parts[order[0]].empty()
	for _, i := range order {
		all.add(parts[i])
	}
	return all, nil
}

// missing is the error for missing games.
func missing(of, from, to int) *JoinError {
	if to-from == 1 {
		return &JoinError{-1, -1, fmt.Sprintf("game %d of the %d is missing", from+1, of)}
	}
	return &JoinError{-1, -1, fmt.Sprintf("games %d to %d of the %d are missing", from+1, to, of)}
}

// foreign says why another tally is not of the same run; "" if it is.
func (t *Tally) foreign(o *Tally) string {
	a, b := &t.Subject, &o.Subject
	type aspect struct {
		what  string
		same  bool
		these []any // the values of both, if there are some
	}
	options := aspect{"the options there are", slices.Equal(a.Options, b.Options), nil}
	for i := range min(len(a.Options), len(b.Options)) {
		if x, y := a.Options[i], b.Options[i]; x != y {
			options.what, options.these = "option "+x.Name, []any{x.Value, y.Value}
			break
		}
	}
	for _, x := range []aspect{
		{"the rule book", a.Ruleset == b.Ruleset, []any{a.Ruleset, b.Ruleset}},
		{"the house rules", slices.Equal(a.Changes, b.Changes), []any{a.Changes, b.Changes}},
		{"the number of players", a.Players == b.Players, []any{a.Players, b.Players}},
		options,
		{"the texts of the rules", a.Rules == b.Rules, []any{a.Rules, b.Rules}},
		{"the seed", a.Seed == b.Seed, []any{a.Seed, b.Seed}},
		{"how many games the run has", t.Of == o.Of, []any{t.Of, o.Of}},
		{"who begins", a.Starter == b.Starter, []any{a.Starter, b.Starter}},
		{"whether the seats take turns in beginning", a.Rotate == b.Rotate, nil},
		{"the limit of throws", a.MaxThrows == b.MaxThrows, []any{a.MaxThrows, b.MaxThrows}},
		{"the pace", a.Pace == b.Pace, []any{a.Pace, b.Pace}},
		{"who plays", slices.Equal(a.Seats, b.Seats), []any{a.Seats, b.Seats}},
		{"whether players change seats", slices.Equal(a.Dealt, b.Dealt) && len(t.Dealt) == len(o.Dealt), nil},
		{"the names of what is counted", a.Title == b.Title && t.Names.equal(&o.Names), nil},
	} {
		switch {
		case x.same:
		case x.these == nil:
			return "they differ in " + x.what
		default:
			return fmt.Sprintf("they differ in %s: %v and %v", x.what, x.these[0], x.these[1])
		}
	}
	return ""
}

func (n *Names) equal(o *Names) bool {
	return slices.Equal(n.Seats, o.Seats) && slices.Equal(n.Moves, o.Moves) && slices.Equal(n.Acts, o.Acts) && slices.Equal(n.Rules, o.Rules) &&
		slices.Equal(n.Counts, o.Counts) && slices.Equal(n.CountWords, o.CountWords)
}
