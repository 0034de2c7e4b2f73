package interpreter

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
)

// Form is one of the forms that rules are compiled to. All play the same game.
type Form int

// The forms.
const (
	FormSets  Form = iota // as it runs: decisions as sets of pieces where that can be had
	FormPlain             // every clause as it is written
)

// Stages are the names of the stages of the compiler, in their order: those of the tree, then those of the instructions.
func Stages() []string { return compile.Stages() }

// WriteProgram writes the program of the game as it is after a stage of the compiler: procedures, or instructions, each with the place it comes from, the
// rule and the line. rule, unless it is "", keeps nothing but the lines of the rule with this name. It fails where there is no such stage or rule, and
// where w does.
func (g *Game) WriteProgram(w io.Writer, form Form, stage, rule string) error {
	if rule != "" && !slices.ContainsFunc(g.rules.Rules, func(r *model.Rule) bool { return r.Name == rule }) {
		return fmt.Errorf("there is no rule %q", rule)
	}
	ruleAt := func(s source.Span) string {
		for _, r := range g.rules.Rules {
			for _, c := range r.Clauses {
				if c.Span.File == s.File && c.Span.Start <= s.Start && s.End <= c.Span.End {
					return r.Name
				}
			}
		}
		return ""
	}
	where := func(u *compile.Unit, site int) string {
		if site <= 0 || site >= len(u.Sites) || u.Sites[site].IsZero() {
			return ""
		}
		span := u.Sites[site]
		at := fmt.Sprintf("%s:%d", path.Base(span.Name()), span.Position().Line)
		if name := ruleAt(span); name != "" {
			at += " " + name
		}
		return at
	}
	var all bytes.Buffer
	if err := compile.Print(&all, g.rules, form == FormPlain, stage, where); err != nil {
		return err
	}
	for line := range bytes.Lines(all.Bytes()) {
		if rule == "" || bytes.HasSuffix(line, []byte(" "+rule+"\n")) {
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}
