package sense

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Open reports whether a further setting can take back a finding, other than of what goes wrong in some setting.
func (s *Study) Open() bool {
	never := func(f *clauseFact) bool { return !f.applies }
	return seq.Any(maps.Values(s.clauses), func(f *clauseFact) bool { return never(f) || f.duty && !f.met || len(f.coverers) > 0 }) ||
		seq.Any(maps.Values(s.others), never) ||
		seq.Any(maps.Values(s.flags), func(f *flagFact) bool { return f.yes != f.no }) ||
		seq.Any(maps.Values(s.paths), func(f *pathFact) bool { return !f.reached && !f.why.none() }) ||
		seq.Any(maps.Values(s.idles), func(f *idleFact) bool { return !f.live }) ||
		seq.Any(maps.Values(s.turns), func(f *turnFact) bool { return f.earns || f.said && !f.limited }) ||
		seq.Any(maps.Values(s.far), func(why string) bool { return why != "" })
}

// Report adds what makes no sense in any of the settings studied. It skips places with an earlier finding in the
// list.
func (s *Study) Report(diags *diag.List) {
	quiet := seq.Map(*diags, func(d diag.Diagnostic) source.Span { return d.Span }) // reported as a whole
	for _, at := range sorted(s.clauses) {
		if !slices.Contains(quiet, at) && s.reportClause(at, s.clauses[at], diags) {
			quiet = append(quiet, at)
		}
	}
	for _, f := range s.turns {
		if f.said && !f.limited && f.always {
			quiet = append(quiet, f.asked...) // that these hold with every throw is said of the again
		}
	}
	for _, at := range sorted(s.flags) {
		if f := s.flags[at]; f.yes != f.no && !within(at, quiet) {
			s.reportFlag(at, f, diags)
			quiet = append(quiet, at)
		}
	}
	if s.part {
		return
	}
	for _, at := range sorted(s.paths) {
		f := s.paths[at]
		if f.reached || f.why.none() || within(at, quiet) {
			continue
		}
		if slices.ContainsFunc(quiet, func(q source.Span) bool { return within(q, []source.Span{f.at}) }) {
			continue // the comparison is reported already
		}
		diags.Warnf("unreachable", at, "this is never reached: %s", f.why)
	}
	notes := func(i idle) int { return flagNumber(s.idles[i].info) } // after the warnings of a place
	for _, i := range slices.SortedFunc(maps.Keys(s.idles), func(a, b idle) int {
		return cmp.Or(earlier(a.at, b.at), cmp.Compare(notes(a), notes(b)), cmp.Compare(a.what, b.what))
	}) {
		f, at := s.idles[i], i.at
		around := func(q source.Span) bool { return within(q, []source.Span{at}) }
		if f.live || f.ever && f.seen < len(s.seen) || within(at, quiet) || slices.Contains([]string{"elements", "side", "none"}, i.what) && slices.ContainsFunc(quiet, around) {
			continue
		}
		d := diags.Warnf(f.code, at, "%s", f.why)
		if f.info {
			d.Get().Severity = diag.Info
		}
		if !f.note.IsZero() {
			words := cmp.Or(noteWords[f.code], "it is done here")
			if strings.HasPrefix(i.what, "spares") {
				words = "the duty is this one"
			}
			d.WithNote(f.note, "%s", words)
		}
		if i.what != "like before" { // which says nothing against what stands in it
			quiet = append(quiet, at)
		}
	}
	for _, at := range sorted(s.turns) {
		if !within(at, quiet) {
			s.reportTurn(at, s.turns[at], diags)
		}
	}
	for _, at := range sorted(s.harms) {
		if h := s.harms[at]; !within(at, quiet) && !within(at, s.askedLate) {
			diags.Warnf(h.code, at, "%s", h.text).WithHint("%s", h.hint)
		}
	}
}

// noteWords say what the note of a finding is about, by its code; most are about what does the same.
var noteWords = map[string]string{"covered": "it is this one", "asked-early": "it is counted here", "always-same": "it is set here"}

func (s *Study) reportClause(at source.Span, f *clauseFact, diags *diag.List) bool {
	switch {
	case !f.applies && f.x.Kind == model.ClauseMay && f.thrown:
		diags.Warnf("never-possible", at, "no throw makes this move possible: %s", f.why)
	case !f.applies && f.x.Kind == model.ClauseMay:
		diags.Warnf("never-possible", at, "this move is never possible: %s", f.why)
	case !f.applies:
		diags.Warnf("never-applies", at, "this can never apply: %s", f.why)
	case f.duty && !f.met && f.x.Kind == model.ClauseNever:
		diags.Warnf("never-applies", at, "this can never apply: no option that is offered is like this")
	case f.duty && !f.met:
		diags.Warnf("impossible-duty", at, "no option can ever be like this: the duty asks for nothing").
			WithHint("compare it with what the may clauses offer and the never clauses forbid")
		return true
	case len(f.coverers) > 0:
		by := f.coverers[0]
		says, rule, hint := "this says nothing new: rule %q says it already", by.Rule.Name, ""
		switch {
		case f.x.First != by.First && by.First == model.VerdictBar:
			says = "this never decides: rule %q bars every such step"
		case f.x.First != by.First:
			says = "this never decides: rule %q comes first wherever it holds"
		case f.x.Scope != by.Scope && by.Ending != model.EndWin && len(by.Params) > 0:
			says, hint = "this never decides: wherever it holds, %s has taken all its players out of the game before", "write this line before the other one"
			if rule = "rule " + quote(rule); by.Rule.Name == f.x.Rule.Name {
				rule = "another line of this rule"
			}
		case f.x.Ending != by.Ending:
			says = "this never decides: rule %q ends it first wherever it holds"
		case rule == f.x.Rule.Name:
			says, rule = "this says nothing new: %s of this rule says it already", "another line"
		}
		if d := diags.Warnf("covered", at, says, rule).WithNote(by.Span, "it is said here"); hint != "" {
			d.WithHint("%s", hint)
		}
		return true
	default:
		return false
	}
	if f.hint != "" {
		diags.Last().WithHint("%s", f.hint)
	}
	return true
}

func (s *Study) reportFlag(at source.Span, f *flagFact, diags *diag.List) {
	d := diags.Warnf("always-same", at, "%q is %s true", words(at), ever(f.yes))
	switch {
	case f.here:
		d.Get().Message += " here"
	case !f.why.none():
		d.Get().Message += ": " + f.why.String()
	}
}

// ever is the word for what is always so, or never.
func ever(always bool) string {
	if always {
		return "always"
	}
	return "never"
}

func (s *Study) reportTurn(at source.Span, f *turnFact, diags *diag.List) {
	switch {
	case f.earns:
		diags.Warnf("endless-turn", at, "every count earns another one: a turn goes on as long as a piece can move").
			WithHint("earn only for some counts, say when thrown")
	case f.limited, !f.said:
	case f.always && f.once != "":
		diags.Warnf("endless-turn", at, "once %q holds it holds for ever, and every throw gives another go: the turn never ends", f.once).
			WithHint("take it back when the go is given, or keep it in a variable of the go")
	case f.always:
		diags.Warnf("endless-turn", at, "every throw gives another go: the turn never ends").
			WithHint("say when: if die == 6 { again }")
	default:
		diags.Infof("unlimited-turn", at, "nothing limits how often a player throws again in one turn").
			WithHint("count the goes in a variable of the turn if there should be a limit")
	}
}

// sorted lists places in file order.
func sorted[V any](m map[source.Span]V) []source.Span {
	return slices.SortedFunc(maps.Keys(m), earlier)
}

func earlier(a, b source.Span) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
}

// within reports whether a span is inside one of others.
func within(at source.Span, others []source.Span) bool {
	return slices.ContainsFunc(others, func(o source.Span) bool { return o.File == at.File && o.Start <= at.Start && at.End <= o.End })
}

// reason says why a finding holds. Its numbers are those of all settings together.
type reason struct {
	text   string  // it says so by itself
	bounds []bound // or the values of what is compared do
}

// bound is a part of a comparison with the values it can have.
type bound struct {
	words string
	is    domain
}

func (r reason) none() bool { return r.text == "" && len(r.bounds) == 0 }

// join adds the reason in a further setting.
func (r reason) join(o reason) reason {
	switch {
	case r.none() || o.none():
		return reason{r.text + o.text, slices.Concat(r.bounds, o.bounds)}
	case len(r.bounds) != len(o.bounds):
		return r
	}
	out := reason{text: r.text}
	for i, b := range r.bounds {
		if b.words != o.bounds[i].words {
			return r
		}
		out.bounds = append(out.bounds, bound{b.words, b.is.join(o.bounds[i].is)})
	}
	return out
}

func (r reason) String() string {
	if len(r.bounds) == 0 {
		return r.text
	}
	return strings.Join(seq.Map(r.bounds, func(b bound) string { return b.words + " is " + b.is.words() }), " and ")
}

// inSetting names the setting that a finding holds in, with its number of players if that matters.
func (x *setting) inSetting(players bool) string {
	said := settingWords(x.r)
	if players {
		said = strings.Replace(" with "+strconv.Itoa(len(x.r.Seats))+" players", " 1 players", " 1 player", 1) + strings.Replace(said, " with ", " and ", 1)
	}
	return cmp.Or(said, " in the usual setting")
}

// settingWords names the options of a setting that are not as usual.
func settingWords(r *model.Rules) string {
	others := seq.Filter(r.Options, func(o model.OptionValue) bool { return !o.Default })
	if len(others) == 0 {
		return ""
	}
	return " with " + strings.Join(seq.Map(others, func(o model.OptionValue) string { return o.Name + " = " + o.Value }), ", ")
}
