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
	FormSets  Form = iota // as executed: decisions as sets of pieces where possible
	FormPlain             // every clause evaluated one by one
)

// Stages are the names of the stages of the compiler, in order: those of the tree, then those of the instructions.
func Stages() []string { return compile.Stages() }

// WriteProgram prints the program of the game after a stage of the compiler: procedures, or instructions, each with
// its source place, rule and line. A rule other than "" restricts the output to the lines of this rule. It fails if
// there is no such stage or rule, or if w fails.
func (g *Game) WriteProgram(w io.Writer, form Form, stage, rule string) error {
	if rule != "" && !slices.ContainsFunc(g.rules.Rules, func(r *model.Rule) bool { return r.Name == rule }) {
		return fmt.Errorf("there is no rule %q", rule)
	}
	ruleAt := func(s source.Span) string {
		for c := range g.rules.Clauses() {
			if c.Span.File == s.File && c.Span.Start <= s.Start && s.End <= c.Span.End {
				return c.Rule.Name
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
