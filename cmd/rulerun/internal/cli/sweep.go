package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// maxRows is how many settings a sweep has at most.
const maxRows = 1000

// axis is an option of a sweep with the values it takes.
type axis struct {
	name   string
	values []string
}

// numberOfPlayers is the name of the axis that is no option.
const numberOfPlayers = "players"

func (s *session) sweep(ctx context.Context, o *compareFlags) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.eachOne {
		return usagef("flags --sweep and --each do not go together")
	}
	pace, err := o.paceOf()
	if err != nil {
		return err
	}
	l, err := s.load(o.args[0], &o.gameFlags)
	if err != nil {
		return err
	}
	axes, err := axesOf(l, o.over, &o.gameFlags)
	if err != nil {
		return err
	}
	rows := 1
	for _, a := range axes {
		if rows *= len(a.values); rows > maxRows {
			return usagef("flag --sweep: these are more than %d settings", maxRows).hintf("name fewer values")
		}
	}
	o.seatSettings(axes)
	sweep := &study.Sweep{Of: rows}
	sweep.Over = seq.Map(axes, func(a axis) string { return a.name })
	games := make([]*interpreter.Game, rows)
	settings := make([][]model.OptionValue, rows)
	options := make([]stats.Options, rows)
	for i := range rows { // all before the first game: an impossible value is reported at once
		settings[i] = settingOf(axes, i)
		if games[i], err = s.gameOf(l, o, settings[i]); err != nil {
			return err
		}
		if options[i], err = o.settingOptions(games[i], pace); err != nil {
			return err
		}
		options[i].To = o.games
	}
	p := s.progress("games", rows*o.games, 0)
	for i, g := range games {
		options[i].Progress = func(done int) { p.at(i*o.games + done) }
		var t *stats.Tally
		if t, err = stats.Run(ctx, g, options[i]); err != nil || !t.Whole() {
			break
		}
		sweep.Rows = append(sweep.Rows, study.Row{Setting: settings[i], Tally: t, Sides: len(g.Rules().Teams)})
	}
	p.end()
	if err != nil {
		return err
	}
	return cmp.Or(s.printStudy(sweep.Result(), &o.resultFlags),
		stoppedIf(len(sweep.Rows) < rows, "%d of %s", len(sweep.Rows), diag.Plural(rows, "row")))
}

// seatSettings gives the number of players from --seats, unless it is an axis.
func (o *compareFlags) seatSettings(axes []axis) {
	if !slices.ContainsFunc(axes, func(a axis) bool { return a.name == numberOfPlayers }) {
		o.seatPlayers()
	}
}

// settingOptions are the options for the games of one setting.
func (o *compareFlags) settingOptions(g *interpreter.Game, pace stats.Pace) (so stats.Options, err error) {
	so = stats.Options{Seed: o.seed, Threads: o.threads, Rotate: true, MaxThrows: o.maxThrows, Pace: pace}
	so.Seats, so.Players, so.Deal, err = o.choosers(g)
	return so, err
}

func (s *session) gameOf(l *dsl.Book, o *compareFlags, setting []model.OptionValue) (*interpreter.Game, error) {
	flags := gameFlags{set: slices.Clone(o.set), players: o.players}
	for _, x := range setting {
		if x.Name != numberOfPlayers {
			flags.set = append(flags.set, x.String())
			continue
		}
		flags.players, _ = strconv.Atoi(x.Value) // axesOf has read it
	}
	return s.game(l, &flags)
}

// settingOf is the i-th combination of the values of some axes, the last axis going fastest.
func settingOf(axes []axis, i int) []model.OptionValue {
	out := make([]model.OptionValue, len(axes))
	for j, a := range slices.Backward(axes) {
		out[j] = model.OptionValue{Name: a.name, Value: a.values[i%len(a.values)]}
		i /= len(a.values)
	}
	return out
}

func axesOf(book *dsl.Book, over []string, flags *gameFlags) ([]axis, error) {
	var axes []axis
	for _, text := range over {
		for i, part := range strings.Split(text, ",") {
			part = strings.TrimSpace(part)
			name, value, given := strings.Cut(part, "=")
			name = strings.TrimSpace(name)
			begins := given || name == numberOfPlayers || slices.Contains(book.OptionNames(), name)
			switch {
			case part == "":
				return nil, usagef("flag --sweep: got %q, want option=1..5,10", text)
			case begins && name != numberOfPlayers && !slices.Contains(book.OptionNames(), name), !begins && i == 0:
				return nil, unknownOption(book, name)
			case begins:
				if slices.ContainsFunc(axes, func(a axis) bool { return a.name == name }) {
					return nil, usagef("flag --sweep names %q twice", name)
				}
				axes = append(axes, axis{name: name})
				if !given {
					continue
				}
				part = strings.TrimSpace(value)
			}
			a := &axes[len(axes)-1]
			values, err := valuesOf(part)
			if err != nil {
				return nil, err
			}
			for _, v := range values {
				if slices.Contains(a.values, v) {
					return nil, usagef("flag --sweep gives %s the value %s twice", a.name, v)
				}
				a.values = append(a.values, v)
			}
		}
	}
	if len(axes) == 0 {
		return nil, usagef("nothing says what to sweep over").hintf("give an option with --sweep: %s", door.Join(append(book.OptionNames(), numberOfPlayers)))
	}
	fixed, err := flags.options()
	if err != nil {
		return nil, err
	}
	for i := range axes {
		if err := axes[i].fill(book, fixed, flags.players); err != nil {
			return nil, err
		}
	}
	return axes, nil
}

// valuesOf are the values a part of the flag names: one, or a range of numbers.
func valuesOf(text string) ([]string, error) {
	left, right, ok := strings.Cut(text, "..")
	if !ok {
		if text == "" {
			return nil, usagef("flag --sweep: a value is missing")
		}
		return []string{text}, nil
	}
	low, err1 := strconv.Atoi(left)
	high, err2 := strconv.Atoi(right)
	switch {
	case err1 != nil || err2 != nil || low > high:
		return nil, usagef("flag --sweep: got %q, want a range of whole numbers, such as 1..5", text)
	case low < -40_000 || high > 40_000 || high-low >= maxRows:
		return nil, usagef("flag --sweep: %q are more than %d values", text, maxRows)
	}
	return seq.Of(high-low+1, func(i int) string { return strconv.Itoa(low + i) }), nil
}

// fill gives an axis without values all it may have, and refuses one that another flag gives.
func (a *axis) fill(book *dsl.Book, fixed map[string]string, players int) error {
	if _, set := fixed[a.name]; set || a.name == numberOfPlayers && players != 0 {
		return usagef("flag --sweep: %s is given by another flag", a.name)
	}
	if a.name == numberOfPlayers {
		for _, v := range a.values {
			if n, err := strconv.Atoi(v); err != nil || n < 1 {
				return usagef("flag --sweep: got %q players, want a whole number", v)
			}
		}
		if a.values == nil {
			a.values = seq.Map(slices.Sorted(slices.Values(book.PlayerNumbers(fixed))), strconv.Itoa)
		}
		return nil
	}
	if a.values != nil {
		return nil
	}
	for _, o := range book.Options() {
		if o.Name != a.name {
			continue
		}
		if a.values = o.Values; a.values == nil && o.Bounded() {
			var err error
			if a.values, err = valuesOf(fmt.Sprintf("%d..%d", o.Low, o.High)); err != nil {
				return err
			}
		}
	}
	if len(a.values) == 0 {
		return usagef("flag --sweep: nothing says what values %s may have", a.name).hintf("name them: --sweep %s=…", a.name)
	}
	return nil
}
