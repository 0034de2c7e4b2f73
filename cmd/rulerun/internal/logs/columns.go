package logs

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// feature begins the names of the columns of features; the others begin the names of what the rules count.
const (
	feature = "f_"
	move    = "move_"
	act     = "act_"
	rule    = "rule_"
	count   = "count_"
)

// describe is what both files say of themselves, as JSON.
func (s *study) describe() (string, error) {
	data, err := json.Marshal(struct {
		Version  int      `json:"version"`
		Subject  any      `json:"subject"`
		Judge    string   `json:"judge"`
		Features []string `json:"features"`
	}{1, s.subject, s.judge, s.features.Names()})
	return string(data), err
}

// decisionColumns are the columns of decisions. README.md describes them.
func (s *study) decisionColumns() []column[decision] {
	out := []column[decision]{
		{"game", parquet.Int(64), func(b *builder, d *decision) { b.int64(d.game.number) }},
		{"seed", parquet.Uint(64), func(b *builder, d *decision) { b.value(parquet.Int64Value(int64(s.subject.Seed))) }},
		{"throw", parquet.Int(32), func(b *builder, d *decision) { b.int32(d.throw) }},
		{"turn", parquet.Int(32), func(b *builder, d *decision) { b.int32(d.turn) }},
		{"seat", text(), func(b *builder, d *decision) { b.text(s.seats[d.seat]) }},
		{"player", text(), func(b *builder, d *decision) { b.text(s.players(d.game.played)[d.seat]) }},
		{"kind", text(), func(b *builder, d *decision) {
			kind := "play"
			if d.pick {
				kind = "pick"
			}
			b.text(kind)
		}},
		{"dice", parquet.List(parquet.Int(32)), func(b *builder, d *decision) {
			b.list(len(d.dice), func(i int) parquet.Value { return parquet.Int32Value(int32(d.dice[i])) })
		}},
		{"options", parquet.List(text()), func(b *builder, d *decision) { b.texts(d.options) }},
		{"chosen", parquet.Int(32), func(b *builder, d *decision) { b.int32(d.chosen) }},
		{"chances", parquet.Optional(parquet.List(parquet.Leaf(parquet.FloatType))), func(b *builder, d *decision) {
			b.known(d.chances != nil, func() {
				b.list(len(d.chances), func(i int) parquet.Value { return parquet.FloatValue(float32(d.chances[i])) })
			})
		}},
		{"won", parquet.Leaf(parquet.BooleanType), func(b *builder, d *decision) { b.bool(d.game.played.Won[d.seat]) }},
		{"place", parquet.Optional(parquet.Int(32)), func(b *builder, d *decision) {
			place := d.game.played.Places[d.seat]
			b.known(place >= 0, func() { b.int32(place + 1) })
		}},
	}
	for i, name := range s.features.Names() {
		out = append(out, column[decision]{
			feature + strings.ReplaceAll(name, " ", "_"), coded(parquet.Leaf(parquet.FloatType)),
			func(b *builder, d *decision) { b.value(parquet.FloatValue(d.features[i])) },
		})
	}
	return out
}

func (s *study) gameColumns() []column[game] {
	seats := func(b *builder, list []int) {
		b.list(len(list), func(i int) parquet.Value { return parquet.ValueOf(s.seats[list[i]]) })
	}
	out := []column[game]{
		{"game", parquet.Int(64), func(b *builder, x *game) { b.int64(x.number) }},
		{"seed", parquet.Uint(64), func(b *builder, x *game) { b.value(parquet.Int64Value(int64(s.subject.Seed))) }},
		{"seats", parquet.List(text()), func(b *builder, x *game) { b.texts(s.seats) }},
		{"players", parquet.List(text()), func(b *builder, x *game) { b.texts(s.players(x.played)) }},
		{"first", parquet.Optional(text()), func(b *builder, x *game) {
			b.known(x.played.First >= 0, func() { b.text(s.seats[x.played.First]) })
		}},
		{"throws", parquet.Int(32), func(b *builder, x *game) { b.int32(x.played.Throws) }},
		{"first_winner", parquet.Int(32), func(b *builder, x *game) { b.int32(x.played.FirstWinner()) }},
		{"turns", parquet.Int(32), func(b *builder, x *game) { b.int32(x.played.Turns) }},
		{"decisions", parquet.Int(32), func(b *builder, x *game) { b.int32(x.played.Decisions) }},
		{"forced", parquet.Int(32), func(b *builder, x *game) { b.int32(x.played.Forced) }},
		{"lead_changes", parquet.Int(32), func(b *builder, x *game) { b.int32(x.played.LeadChanges) }},
		{"settled", parquet.Optional(parquet.Int(32)), func(b *builder, x *game) {
			b.known(len(x.winners()) > 0, func() { b.int32(x.played.Settled) })
		}},
		{"minutes", parquet.Leaf(parquet.DoubleType), func(b *builder, x *game) {
			seconds, _ := s.subject.Pace.Seconds(x.played)
			b.value(parquet.DoubleValue(float64(seconds) / 60))
		}},
		{"winners", parquet.List(text()), func(b *builder, x *game) { seats(b, x.winners()) }},
		{"ranking", parquet.List(text()), func(b *builder, x *game) {
			list := x.played.Ranking
			if !slices.ContainsFunc(x.played.Places, func(place int) bool { return place >= 0 }) {
				list = nil // some dropped out, which is no rank
			}
			seats(b, list)
		}},
		{"unfinished", parquet.Leaf(parquet.BooleanType), func(b *builder, x *game) { b.bool(x.played.Unfinished) }},
	}
	for _, group := range []struct {
		begins string
		names  []string
		of     func(x *interpreter.Played, i int) int
	}{
		{move, s.names.Moves, func(x *interpreter.Played, i int) int { return int(x.Moves[i]) }},
		{act, s.names.Acts, func(x *interpreter.Played, i int) int { return int(x.Acts[i]) }},
		{rule, s.names.Rules, func(x *interpreter.Played, i int) int { return int(x.Rules[i]) }},
		{count, s.names.Counts, func(x *interpreter.Played, i int) int { return x.Counts[i] }},
	} {
		for i, name := range group.names {
			out = append(out, column[game]{group.begins + name, parquet.Int(64), func(b *builder, x *game) { b.int64(group.of(x.played, i)) }})
		}
	}
	return out
}

func (x *game) winners() []int {
	return seq.Indexes(x.played.Won, func(won bool) bool { return won })
}
