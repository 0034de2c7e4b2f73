package check

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// sightings remembers in which settings a finding was made, so that one which some of them lack can say where it is.
type sightings struct {
	options map[string]*option
	seen    map[sighted]*sighting
	players map[int]int // settings that were looked at with each choice of options
}

// sighted is what makes two findings the same.
type sighted struct {
	span          source.Span
	code, message string
}

// sighting is the first choice of options with a finding, and the numbers of players that have it there.
type sighting struct {
	turn    int
	options map[string]string
	players []int
}

func newSightings(options map[string]*option) *sightings {
	return &sightings{options: options, seen: map[sighted]*sighting{}, players: map[int]int{}}
}

// first notes the findings of a setting and returns those that are new.
func (s *sightings) first(l diag.List, setting Setting) diag.List {
	var out diag.List
	s.players[setting.turn]++
	for _, d := range l {
		key := sighted{d.Span, d.Code, d.Message}
		x := s.seen[key]
		if x == nil {
			x = &sighting{turn: setting.turn, options: setting.Options}
			s.seen[key] = x
			out = append(out, d)
		}
		if x.turn == setting.turn && !slices.Contains(x.players, setting.Players) {
			x.players = append(x.players, setting.Players)
		}
	}
	return out
}

// note says of the findings that only some settings have in which.
func (s *sightings) note(l diag.List) {
	for i := range l {
		x := s.seen[sighted{l[i].Span, l[i].Code, l[i].Message}]
		if x == nil {
			continue
		}
		var words []string
		for name, value := range x.options {
			if o := s.options[name]; o != nil && value != o.fallback {
				words = append(words, name+" = "+value)
			}
		}
		slices.Sort(words)
		if len(x.players) < s.players[x.turn] && !saysPlayers(l[i]) {
			who := rangeWords(x.players) + " players"
			if who == "1 players" {
				who = "1 player"
			}
			words = append(words, who)
		}
		if len(words) > 0 {
			l[i].WithNote(source.Span{}, "with %s", joinWords(words))
		}
	}
}

// saysPlayers reports whether a finding tells the number of players already, or stands on a line that is for one.
func saysPlayers(d diag.Diagnostic) bool {
	line := ""
	if !d.Span.IsZero() {
		line = d.Span.File.Line(d.Span.Position().Line)
	}
	return strings.Contains(d.Message, "player") || strings.HasPrefix(line, "seats") || strings.HasPrefix(line, "replace seats")
}
