package study

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/interpreter/stats"
)

// SweepPage writes a sweep as a page for a browser.
func SweepPage(w io.Writer, s *Sweep, again string) error {
	f := SweepFigure(s, again)
	d := &pageData{Title: f.Title, Lead: f.Words[:1], Again: again}
	if len(s.Rows) > 0 {
		d.Lists = []pageList{{"What it comes to", sentences(s.findings())}}
		first := s.Rows[0].Tally
		d.Played = append(s.facts(), pageFact{"games", fmt.Sprintf("%s a row, the seats take turns in beginning", Thousands(float64(first.Games())))},
			pageFact{"seed", strconv.FormatUint(first.Subject.Seed, 10)})
		head, rows := s.table()
		d.Tables = []pageTable{{
			Title: "Numbers", Head: head, Rows: rows,
			Note: "Means of a game. Settled: from which part of a game on the winner leads. Edge: how often the starter wins. " + capital(s.together()) + ".",
		}}
	}
	return d.write(w, f)
}

// facts are the parameters that all rows of a sweep have in common.
func (s *Sweep) facts() []pageFact {
	x := s.Rows[0].Tally.Subject
	x.Options = slices.DeleteFunc(slices.Clone(x.Options), func(o stats.Option) bool { return slices.Contains(s.Over, o.Name) })
	facts := factsOf(&x, "")
	if !s.alike() {
		return playersAs(facts, byWhom(x.Seats))
	}
	return facts
}

// playersAs says something else of the players.
func playersAs(facts []pageFact, words string) []pageFact {
	for i := range facts {
		if facts[i].Name == "players" {
			facts[i].Value = words
		}
	}
	return facts
}

// page is what a ladder has in common with a study of skill, as a page.
func (l *Ladder) page(title string, lead []string, again string) *pageData {
	facts := playersAs(factsOf(&l.Subject, ""), strconv.Itoa(l.Subject.Players))
	return &pageData{Title: title, Lead: lead, Again: again, Played: append(facts,
		pageFact{"games", fmt.Sprintf("%s, every pair from all seats with the same dice", Thousands(float64(l.games())))},
		pageFact{"seed", strconv.FormatUint(l.Subject.Seed, 10)},
	)}
}

// LadderPage writes a ladder as a page for a browser.
func LadderPage(w io.Writer, l *Ladder, again string) error {
	f := LadderFigure(l, again)
	d := l.page(f.Title, f.Words, again)
	if len(f.Parts) > 0 {
		strengths, wins := l.strengthTable(), l.winTable()
		d.Tables = []pageTable{
			{Title: "Strength", Head: strengths.rows[0], Rows: strengths.rows[1:], Note: capital(eloWords) + "."},
			{Title: "Wins", Head: wins.rows[0], Rows: wins.rows[1:], Note: fmt.Sprintf("Equals win %s.", percent(1/float64(l.sides())))},
		}
	}
	return d.write(w, f)
}

// SkillPage writes how much skill matters as a page for a browser.
func SkillPage(w io.Writer, l *Ladder, again string) error {
	f := SkillFigure(l, again)
	d := l.page(f.Title, f.Words, again)
	if len(f.Parts) > 0 {
		t := l.skillTable()
		d.Lists = []pageList{{"What it comes to", sentences(l.verdicts())}}
		d.Tables = []pageTable{{Title: "Numbers", Head: t.rows[0], Rows: t.rows[1:], Note: capital(skillWords) + "."}}
	}
	return d.write(w, f)
}

// Page writes the board with the numbers as colours, and the places with the most, as a page for a browser.
func (m *HeatMap) Page(w io.Writer) error {
	f := m.Figure()
	d := &pageData{Title: f.Title, Lead: f.Words, Again: m.Again, Played: factsOf(m.Subject, "")}
	d.Played = append(d.Played, pageFact{"games", Thousands(float64(m.Map.Games))}, pageFact{"seed", strconv.FormatUint(m.Subject.Seed, 10)},
		pageFact{"beginning", beginning(m.Subject)})
	order := m.order()
	if len(order) == 0 {
		d.Lead = append(d.Lead, "It never happened.")
		return d.write(w, f)
	}
	t := pageTable{Title: capital(m.unit()), Head: []string{"place", "all"}}
	for colour := range m.Game.Rules().Colours {
		t.Head = append(t.Head, m.Game.ColourName(colour))
	}
	for i, place := range order {
		if i == listed {
			t.Note = fmt.Sprintf("%s more have less; --csv has them all.", plural(len(order)-i, "place"))
			break
		}
		row := []string{m.Game.PlaceName(place), m.number(m.Map.At(place))}
		for _, n := range m.Map.Counts[place] {
			row = append(row, m.number(n))
		}
		t.Rows = append(t.Rows, row)
	}
	d.Tables = []pageTable{t}
	return d.write(w, f)
}
