package check

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// occurrences records in which settings a finding occurs. A finding that occurs only in some of them says in which.
type occurrences struct {
	options map[string]*option
	seen    map[findingKey]*occurrence
	players map[int]int // settings that were looked at with each choice of options
}

// findingKey is the key of a finding: equal for the same finding in two settings.
type findingKey struct {
	span          source.Span
	code, message string
}

// occurrence is the first choice of options with a finding, and the numbers of players it occurs with.
type occurrence struct {
	turn    int
	options map[string]string
	players []int
}

// first records the findings of a setting and returns the new ones.
func (s *occurrences) first(l diag.List, setting Setting) diag.List {
	var out diag.List
	s.players[setting.turn]++
	for _, d := range l {
		key := findingKey{d.Span, d.Code, d.Message}
		x := s.seen[key]
		if x == nil {
			x = &occurrence{turn: setting.turn, options: setting.Options}
			s.seen[key] = x
			out = append(out, d)
		}
		if x.turn == setting.turn && !slices.Contains(x.players, setting.Players) {
			x.players = append(x.players, setting.Players)
		}
	}
	return out
}

// note adds the settings to findings that occur only in some.
func (s *occurrences) note(l diag.List) {
	for i := range l {
		x := s.seen[findingKey{l[i].Span, l[i].Code, l[i].Message}]
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
			l[i].WithNote(source.Span{}, "with %s", strings.Join(words, ", "))
		}
	}
}

// saysPlayers reports whether a finding already mentions the number of players, or is on a line for one number of
// players.
func saysPlayers(d diag.Diagnostic) bool {
	line := ""
	if !d.Span.IsZero() {
		line = d.Span.File.Line(d.Span.Position().Line)
	}
	return strings.Contains(d.Message, "player") || strings.HasPrefix(line, "seats") || strings.HasPrefix(line, "replace seats")
}
