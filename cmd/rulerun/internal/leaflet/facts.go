package leaflet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// begin says what each player begins with of a variable, if that is a number.
func (m *maker) begin(name string) Fact {
	for _, v := range m.rules.Vars {
		if v.Name == name && v.Scope == model.ScopePlayer && v.Type.Kind == model.Number && !v.Type.List && !v.Secret && len(v.Initial) > 0 && v.Initial[0] > 0 {
			return Fact{Term: m.Say("leaflet.each_begins", "what", cmp.Or(v.Words, plain(name))), Text: strconv.Itoa(v.Initial[0])}
		}
	}
	return Fact{}
}

func (m *maker) colour(c int) string { return m.rules.Board.Colours[m.rules.Colours[c].Board].Words }

// seat is a player in words: the colours.
func (m *maker) seat(seat int) string {
	return m.List(seq.Map(m.rules.Seats[seat].Colours, m.colour))
}

func (m *maker) place(p int) string { return m.rules.Board.Places[p].Words }

func (m *maker) facts() []Fact {
	r := m.rules
	var out []Fact
	add := func(key, text string) { out = append(out, Fact{Term: m.Say("leaflet.declared." + key), Text: text}) }
	numbers := slices.Sorted(slices.Values(m.book.PlayerNumbers(m.options.Setting.Options)))
	seats := seq.Of(len(r.Seats), m.seat)
	key := "leaflet.players"
	if len(numbers) == 1 {
		key = "leaflet.players.only"
	}
	text := m.Say(key, "numbers", m.Either(seq.Map(numbers, strconv.Itoa)), "n", len(r.Seats), "seats", strings.Join(seats, " · "))
	if teams := seq.Filter(r.Teams, func(t []int) bool { return len(t) > 1 }); len(teams) > 0 {
		members := seq.Map(teams, func(t []int) string { return m.List(seq.Map(t, m.seat)) })
		text = m.Say("leaflet.players.partners", "players", text, "teams", strings.Join(members, " · "))
	}
	add("players", text)
	where := seq.Distinct(seq.Map(r.PiecesAt, m.place))
	if len(where) > 1 {
		where = seq.Map(where, func(p string) string {
			return p + " (" + m.List(seq.Map(seq.Indexes(r.PiecesAt, func(at int) bool { return m.place(at) == p }), m.colour)) + ")"
		})
	}
	add("pieces", m.Say("leaflet.pieces", "n", r.PieceCount, "where", m.List(where)))
	out = append(out, seq.Map(r.Dice, func(d *model.Die) Fact { return Fact{Term: m.named("die", d.Name), Text: m.die(d)} })...)
	add("first", m.first())
	for _, rule := range r.Rules {
		if slices.ContainsFunc(rule.Clauses, func(c *model.Clause) bool {
			return c.Kind == model.ClauseEnding && (c.Ending == model.EndWin || c.Ending == model.EndRank)
		}) {
			add("aim", rule.Words)
		}
	}
	for _, v := range r.Vars {
		if slices.ContainsFunc(r.Options, func(o model.OptionValue) bool { return o.Name == v.Name }) {
			continue
		}
		if f := m.begin(v.Name); f.Text != "" {
			out = append(out, f)
		}
	}
	for _, o := range r.Options {
		if f, ok := m.option(o.Name); ok {
			out = append(out, f)
		}
	}
	return out
}

// die says what a die gives.
func (m *maker) die(d *model.Die) string {
	if d.Kind == model.DieChoice {
		return m.Say("leaflet.die.choice")
	}
	faces := seq.Map(d.Faces, func(f model.Face) string { return number(f.Value) })
	all := seq.Sum(d.Faces, func(f model.Face) int { return f.Weight })
	first, last := d.Faces[0].Value, d.Faces[len(d.Faces)-1].Value
	text := m.Either(faces)
	if len(faces) > 2 && last-first == len(faces)-1 {
		text = m.Say("leaflet.range", "from", number(first), "to", number(last))
	}
	switch {
	case d.Kind == model.DieDeck:
		return m.Say("leaflet.die.deck", "faces", text, "n", all)
	case !slices.ContainsFunc(d.Faces, func(f model.Face) bool { return f.Weight != d.Faces[0].Weight }):
		return text
	}
	return m.Either(seq.Map(d.Faces, func(f model.Face) string {
		return m.Say("leaflet.die.weight", "face", number(f.Value), "weight", f.Weight, "all", all)
	}))
}

// first says who begins.
func (m *maker) first() string {
	f := m.rules.First
	if f.Kind == model.FirstSeat {
		return m.Say("leaflet.first.seat", "who", m.seat(f.Seat))
	}
	return m.Say("leaflet.first." + [...]string{
		model.FirstLot: "lot", model.FirstLoser: "loser", model.FirstWinner: "winner", model.FirstHighest: "highest", model.FirstLowest: "lowest",
	}[f.Kind])
}

// number is a number in a text: its minus is no hyphen.
func number(n int) string { return strings.Replace(strconv.Itoa(n), "-", "−", 1) }

// named is the name of something that has no words in the rules.
func (m *maker) named(kind, name string) string {
	said := m.book.Text(kind+"."+name, plain(name))
	if kind != "die" || said != plain(name) {
		return said
	}
	key := "leaflet.die.named"
	switch {
	case len(m.rules.Dice) == 1 && m.rules.Dice[0].Kind == model.DieChoice:
		key = "leaflet.die.number"
	case len(m.rules.Dice) == 1:
		key = "leaflet.die.only"
	case len(name) == 1:
		key = "leaflet.die.letter"
	}
	return m.Say(key, "name", said)
}

// names say what is on the board that is drawn.
func (m *maker) names() []Fact {
	b := m.rules.Board
	var out []Fact
	for _, l := range b.Landmarks {
		if b.Sign(l.Name) == "" {
			continue
		}
		at := seq.Map(m.rules.Colours, func(c model.ColourInUse) string { return b.Colours[c.Board].Words + " " + m.place(l.Values[c.Board]) })
		out = append(out, Fact{Term: b.Sign(l.Name), Text: strings.Join(at, ", ")})
	}
	for i, tag := range b.Tags {
		on := b.SquaresOf(func(p boards.Place) bool { return p.Tags[i] })
		if sign := b.Sign(tag); sign != "" && len(on) > 0 && len(on) < len(b.Places)/2 {
			out = append(out, Fact{Term: sign, Text: strings.Join(seq.Map(on, m.place), ", ")})
		}
	}
	for _, a := range b.Attributes {
		var pairs []string
		for from, to := range a.Values {
			if to != boards.None && to != from {
				pairs = append(pairs, m.place(from)+" → "+m.place(to))
			}
		}
		if sign := b.Sign(a.Name); sign != "" && 0 < len(pairs) && len(pairs) <= 24 {
			out = append(out, Fact{Term: sign, Text: strings.Join(pairs, ", ")})
		}
	}
	for c, col := range m.rules.Colours {
		out = append(out, Fact{Term: m.Say("leaflet.way", "who", m.colour(c)), Text: m.way(m.rules.Track.Runs[col.Board].Nodes)})
	}
	return out
}

// way says where a track leads, the main way first and then the others from where they leave it.
func (m *maker) way(nodes []boards.Node) string {
	seen, said := map[int]bool{}, map[string]bool{}
	follow := func(n int) string { // up to where it has been
		var way []string
		for {
			way = append(way, m.place(nodes[n].Place))
			if seen[n] || len(nodes[n].Next) == 0 {
				return strings.Join(boards.Ranges(way, " … "), ", ")
			}
			seen[n] = true
			n = nodes[n].Next[0]
		}
	}
	text := follow(0)
	for n := range nodes { // nodes are numbered along the ways
		for _, next := range nodes[n].Next[min(1, len(nodes[n].Next)):] {
			if branch := m.Say("leaflet.way.or", "from", m.place(nodes[n].Place), "way", follow(next)); !said[branch] {
				said[branch] = true
				text += "; " + branch
			}
		}
	}
	return text
}
