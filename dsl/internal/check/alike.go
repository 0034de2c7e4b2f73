package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// games are the distinct games of a rule book, keyed by setting: options as written, then the number of players.
type games struct {
	digests  *model.Digests
	of       map[string]map[string]model.Digest // by number of players, then options
	options  map[string]map[string]string       // the options of a key
	some     bool                               // not all settings are looked at
	compared bool                               // see comparesGames
}

// DigestsOf are the digests that the books of one cache share.
func DigestsOf(b *book.Book) *model.Digests {
	return b.Finder.Remember(memoKey{what: ofDigests}, func() any { return &model.Digests{} }).(*model.Digests)
}

func newGames(b *book.Book, some bool) *games {
	return &games{some: some, compared: comparesGames(b), digests: DigestsOf(b), of: map[string]map[string]model.Digest{}, options: map[string]map[string]string{}}
}

func optionsText(options map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(options)) {
		b.WriteString(name + "=" + options[name] + " ")
	}
	return b.String()
}

// comparesGames reports whether the games of a book are compared: its last file has a part in the values of options, takes something
// away, or may change nothing.
func comparesGames(b *book.Book) bool {
	top := b.Top().File
	return takesAway(b) || top.Header.Change != nil && !adds(top) ||
		slices.ContainsFunc(top.Decls, func(d *syntax.Decl) bool { return d.Set != nil || d.Kind != nil && d.Kind.Option != nil })
}

// adds reports whether a change has more than what replaces, sets and takes away. Different words are a change too, and a lead is for figures.
func adds(f *syntax.File) bool {
	return slices.ContainsFunc(f.Decls, func(d *syntax.Decl) bool {
		return d.Rename != nil || d.Kind != nil && (d.Kind.Let == nil && !d.Replace || d.Kind.Let != nil && d.Kind.Let.Name.Text == "lead")
	})
}

// add records the game of a setting, if games are compared.
func (g *games) add(s Setting, digest func() model.Digest) {
	if !g.compared {
		return
	}
	key, n := optionsText(s.Options), strconv.Itoa(s.Players)
	if g.of[n] == nil {
		g.of[n] = map[string]model.Digest{}
	}
	g.of[n][key], g.options[key] = digest(), s.Options
}

// alike reports whether two values of an option give the same games for all values of the other options, as far as both games are known.
func (g *games) alike(name, v, w string) bool {
	compared := false
	for _, byOptions := range g.of {
		for key, d := range byOptions {
			options := g.options[key]
			if options[name] != v && options[name] != w {
				continue
			}
			other := w
			if options[name] == w {
				other = v
			}
			twin := maps.Clone(options)
			twin[name] = other
			text := optionsText(twin)
			e, known := byOptions[text]
			if known && d != e || !known && !g.some && g.options[text] != nil { // it has other numbers of players
				return false
			}
			compared = compared || known
		}
	}
	return compared
}

// warnEqualValues warns of values of an option that no rule distinguishes, where all combinations are known.
func warnEqualValues(b *book.Book, options map[string]*option, g *games, use *Usage, diags *diag.List) {
	all := combinations(tried(options, b)) <= maxSettings
	for _, e := range b.Entries {
		o := options[e.Key.Name]
		if e.Key.Kind != "option" || o == nil || !use.is(e.NameSpan(), used) {
			continue
		}
		values, at := o.ordered(append(o.candidates(), o.more(b)...)), e.NameSpan()
		mine, whole := e.Layer == b.Top(), false
		for _, s := range b.Sets { // findings about its values belong to the file that narrows the option
			switch set := s.Decl.Set; {
			case set.Name.Text != e.Key.Name:
			case set.Values != nil:
				mine, whole, at = s.Layer == b.Top(), false, set.Name.Span(s.Decl.File)
			case s.Layer == b.Top() && !mine:
				mine, whole, at = true, true, set.Name.Span(s.Decl.File) // this file has no part in the values, but sets one of them
			}
		}
		if d := e.Decl.Kind.Option; mine && len(values) == 1 && d.Values != nil && at == e.NameSpan() {
			diags.Warnf("same-values", at, "option %q can only be %s", e.Key.Name, values[0])
		}
		left := !mine && b.Top().Change && takesAway(b)
		if left {
			at = blamed(b)
		}
		if !all || !mine && !left || len(values) < 2 {
			continue
		}
		groups := [][]string{}
		for _, v := range values {
			i := slices.IndexFunc(groups, func(group []string) bool { return g.alike(e.Key.Name, group[0], v) })
			if i < 0 {
				groups = append(groups, []string{v})
			} else {
				groups[i] = append(groups[i], v)
			}
		}
		for _, group := range groups {
			switch {
			case len(group) == 1:
			case left && len(groups) == 1:
				diags.Warnf("same-values", at, "since this is changed option %q makes no difference any more", e.Key.Name)
			case left || (whole || o.wide()) && len(groups) > 1: // of a wide range few values are tried
			case len(groups) == 1:
				diags.Warnf("same-values", at, "option %q makes no difference: the rules are the same for %s", e.Key.Name, joinAnd(group))
			default:
				diags.Warnf("same-values", at, "no rule distinguishes %s: option %q gives the same game for them", joinAnd(group), e.Key.Name)
			}
		}
	}
}

// takesAway reports whether the last file takes away a declaration. One that replaces a rule may leave an option to what is combined
// with it.
func takesAway(b *book.Book) bool {
	return len(removals(b)) > 0
}

func joinAnd(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// warnEmptyChange warns of a file that changes nothing in what it builds on. g has its games.
func warnEmptyChange(b *book.Book, g *games, diags *diag.List) {
	top := b.Top()
	header := top.File.Header
	if header.Change == nil || adds(top.File) {
		return // a ruleset may rename another one and change nothing else; an addition has an effect, or is reported at its own place
	}
	on := header.Change.For.Text
	for _, d := range *diags { // lines without effect are reported already
		inTest := slices.ContainsFunc(top.File.Decls, func(x *syntax.Decl) bool {
			at := x.Span(top.File.Source)
			return x.Test != nil && at.Start <= d.Span.Start && d.Span.End <= at.End
		})
		if inTest {
			continue
		}
		switch d.Code {
		case "no-effect", "same-as-before", "unused", "never-there", "never-applies":
			return
		}
	}
	lines := seq.Filter(top.File.Decls, func(d *syntax.Decl) bool { return d.Test == nil })
	file, ok := b.Finder.Rules(on, top.File.Source)
	if !ok {
		return
	}
	base := book.Load(file, nil, b.Finder, &diag.List{})
	if base == nil || base.Name == b.Name && len(base.Layers)+1 != len(b.Layers) || !slices.Equal(OptionNames(base), OptionNames(b)) {
		return
	}
	was, is := optionsOf(base), optionsOf(b)
	for name, o := range was {
		if is[name] == nil || !slices.Equal(o.candidates(), is[name].candidates()) {
			return
		}
	}
	for _, options := range g.options {
		if !slices.Equal(Numbers(base, options, &diag.List{}), Numbers(b, options, &diag.List{})) {
			return
		}
	}
	for n, byOptions := range g.of {
		players, _ := strconv.Atoi(n)
		for _, key := range slices.Sorted(maps.Keys(byOptions)) {
			m := makeSetting(base, Setting{Options: g.options[key], Players: players})
			if m.rules == nil || g.digests.Of(m.rules) != byOptions[key] {
				return
			}
		}
	}
	switch {
	case len(lines) == 1:
		diags.Warnf("changes-nothing", lines[0].Span(top.File.Source), "this changes nothing in how %q is played", on)
	case len(lines) > 1 || len(top.File.Decls) == 0: // a file of tests alone is fine
		diags.Warnf("changes-nothing", header.Span(top.File.Source), "nothing here changes how %q is played", on)
	}
}

// warnEqualReplacements warns of declarations that are equal to what they replace.
func warnEqualReplacements(b *book.Book, diags *diag.List) {
	for _, e := range replacements(b) {
		old := e.Replaced()
		negated := slices.ContainsFunc(old.If, func(c *book.Cond) bool { return c.Not })
		if !negated && (sameWords(declSpan(old), declSpan(e)) || sameDice(b, old, e)) {
			diags.Warnf("same-as-before", e.NameSpan(), "this is equal to what it replaces").WithNote(old.NameSpan(), "it was said here")
		}
	}
}

// sameDice reports whether two entries declare the same dice, possibly in different words.
func sameDice(b *book.Book, old, e *book.Entry) bool {
	if old.Decl.Kind.Dice == nil {
		return false
	}
	device := func(e *book.Entry) *model.Die {
		c := newChecker(b, Setting{}, &diag.List{}, NewUsage())
		c.in(e)
		return c.deviceOf(e.Decl.Kind.Dice.Device)
	}
	was, is := device(old), device(e)
	return slices.Equal(old.Names(), e.Names()) && was != nil && is != nil && was.Kind == is.Kind && was.Kind != model.DieChoice &&
		slices.EqualFunc(was.Faces, is.Faces, func(a, b model.Face) bool {
			same := a.Weight == b.Weight || was.Kind == model.DieFaces && a.Weight*is.Faces[0].Weight == b.Weight*was.Faces[0].Weight
			return a.Value == b.Value && same
		})
}

var clauseIDs = pattern.Of(`\[[A-Z][A-Z0-9-]*(\s+[A-Z][A-Z0-9-]*)*\]`)

// sameWords reports whether two declarations have the same words, the word replace excepted, and the clause ids of a where b has none.
func sameWords(a, b source.Span) bool {
	named := clauseIDs().MatchString(b.Text())
	words := func(s source.Span) []string {
		text := s.Text()
		if !named {
			text = clauseIDs().ReplaceAllString(text, "")
		}
		list := strings.Fields(text)
		if len(list) > 0 && list[0] == "replace" {
			list = list[1:]
		}
		return list
	}
	return slices.Equal(words(a), words(b))
}
