package scaffold

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/suite"
)

// ErrNothing means that no house rule could be generated for a rule book.
var ErrNothing = errors.New("no house rule could be begun that checks without a finding")

// House generates a house rule for a rule book: it changes the default of an option or replaces a rule, shows a rule
// in a comment, and has tests that pass. lib finds the files that a file beside the house rule would find. The second
// result describes the change. The book must have no faults.
func House(name string, base *dsl.Book, baseName string, lib dsl.Library) (File, string, error) {
	rules, faults := base.Rules(dsl.Setting{})
	if rules == nil {
		return File{}, "", errors.New(faults.Error())
	}
	known := seq.Set(dsl.Check(base), func(d diag.Diagnostic) string { return d.Code + d.Message })
	h := &house{name: name, base: baseName, book: base, rules: rules, lib: lib, known: known}
	for _, start := range h.starts() {
		text, rules, found := h.try(start, "")
		if more := unused(found); rules == nil && start.without != "" && len(more) > 0 {
			start.without += ", " + strings.Join(more, ", ") // also remove the names that only this rule used
			text, rules, _ = h.try(start, "")
		}
		if rules == nil {
			continue
		}
		for _, shown := range scenes(rules) {
			if with, rules, _ := h.try(start, shown); rules != nil {
				text = with
				break
			}
		}
		return File{Name: name + ".rules", Text: text}, start.what, nil
	}
	return File{}, "", ErrNothing
}

type house struct {
	name, base string
	book       *dsl.Book
	rules      *model.Rules
	lib        dsl.Library
	known      map[string]bool // findings in the base itself
}

// start is a candidate: the text of the file, and a test of it.
type start struct {
	what string // its description for the user
	body string
	// without lists names to remove, after the body; "" for none.
	without string
	test    string
}

// unused lists the names that findings report as unused.
func unused(found diag.List) []string {
	named := seq.Filter(found, func(d diag.Diagnostic) bool { return d.Code == "unused" })
	return seq.Distinct(seq.Map(named, func(d diag.Diagnostic) string { return d.Span.Text() }))
}

// starts lists candidates, the best first.
func (h *house) starts() []start {
	options := h.book.Options()
	slices.SortStableFunc(options, func(a, b model.Option) int { return rank(&a) - rank(&b) })
	var out []start
	turn := "  turn " + h.rules.Colours[0].Name + "\n"
	for _, o := range options {
		for _, v := range others(&o) {
			value := v
			if o.Kind == model.Word {
				value = strconv.Quote(v)
			}
			words := ""
			if o.Words != "" {
				words = ": " + o.Words
			}
			body := fmt.Sprintf("// The option %s of %s%s. There it is %s, and it can be %s.\nset %s = %s\n\n%s",
				o.Name, h.base, words, o.Default, o.Wants(), o.Name, value, h.shownRule(o.Name))
			holds := fmt.Sprintf("%s == %s", o.Name, value)
			if o.Kind == model.Flag {
				holds = map[string]string{"true": o.Name, "false": "!" + o.Name}[v]
			}
			test := fmt.Sprintf("test \"%s is %s at our table\" {\n%s  expect that %s\n}\n", o.Name, v, turn, holds)
			out = append(out, start{
				what: fmt.Sprintf("it sets %s to %s, which is %s there", o.Name, v, o.Default), body: body, test: test,
			})
		}
	}
	for _, r := range slices.Backward(h.rules.Rules) {
		body := h.shownRule(r.Name) + fmt.Sprintf("// %s says there %q. Here it is not played.\n", r.Name, r.Words)
		test := fmt.Sprintf("test \"%s begins\" {\n%s  expect that me == %s.player\n}\n", h.rules.Colours[0].Name, turn, h.rules.Colours[0].Name)
		out = append(out, start{what: "it takes away the rule " + r.Name, body: body, without: r.Name, test: test})
	}
	return out
}

// rank is the order of options for candidates: plain numbers first, then flags, ranges and words.
func rank(o *model.Option) int {
	switch {
	case o.Kind == model.Number && o.Values == nil && !o.Bounded():
		return 0
	case o.Kind == model.Flag:
		return 1
	case o.Kind == model.Number:
		return 2
	}
	return 3
}

// others lists candidate values of an option other than its default.
func others(o *model.Option) []string {
	n, err := strconv.Atoi(o.Default)
	if list := o.List(); list != nil {
		list = slices.DeleteFunc(slices.Clone(list), func(v string) bool { return v == o.Default })
		if err == nil { // the nearest first
			slices.SortStableFunc(list, func(a, b string) int { return distance(a, n) - distance(b, n) })
		}
		return list
	}
	switch {
	case err != nil:
		return nil // a word without a list of values has no sensible candidate
	case n >= 10:
		return []string{strconv.Itoa(n / 2)}
	}
	return []string{strconv.Itoa(n + 1)}
}

func distance(text string, from int) int {
	n, _ := strconv.Atoi(text)
	return max(n-from, from-n)
}

var cited = pattern.Of(`[ \t]*\[[A-Z][A-Z0-9]*-[0-9A-Z][^\]"]*\]`)

var word = pattern.Of(`[\p{L}\p{N}_]+`)

var placed = pattern.Of(`^(rule\s+\S+)\s+(?:before|after)\s+\S+`)

// anew is the text of a rule that replaces another, with its own text; "" if there is none.
func anew(text string, r *model.Rule) string {
	text = cited().ReplaceAllString(placed().ReplaceAllString(text, "$1"), "")
	words := strconv.Quote(r.Words)
	if !strings.HasPrefix(text, "rule ") || !strings.Contains(text, words) {
		return ""
	}
	return "replace " + strings.Replace(text, words, strconv.Quote(r.Words+", as we play it"), 1)
}

// maxShown limits the lines of a rule that is shown in a comment.
const maxShown = 12

// shownRule shows a rule in a comment, preferably one that uses the option.
func (h *house) shownRule(option string) string {
	speaks := func(text string) bool { return slices.Contains(word().FindAllString(text, -1), option) }
	best := ""
	var of *model.Rule
	for _, r := range h.rules.Rules {
		text := anew(h.book.RuleText(r.Name), r)
		if text == "" || strings.Count(text, "\n") >= maxShown {
			continue
		}
		if best == "" || speaks(text) {
			best, of = text, r
		}
		if speaks(text) {
			break
		}
	}
	if of == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// A rule can be said anew. In %s the rule %s says %q.\n", h.base, of.Name, of.Words)
	b.WriteString("// To play it otherwise take away the slashes here and change what stands between the braces.\n//\n")
	for line := range strings.Lines(best) {
		b.WriteString("// " + strings.TrimRight(line, "\n") + "\n")
	}
	if option != of.Name {
		fmt.Fprintf(&b, "//\n// Or it is taken away: without %s\n", of.Name)
	}
	return b.String() + "\n"
}

// try returns the formatted file of a candidate, optionally with one more test, and its rules; the rules are nil if
// it is not valid.
func (h *house) try(s start, scene string) (string, *model.Rules, diag.List) {
	if s.without != "" {
		s.body += "without " + s.without + "\n\n"
	}
	text := fmt.Sprintf("// %s: a house rule for %s. Say here what is played otherwise at your table, and why.\nchange %s %s for %s\n\n%s%s",
		h.name, h.base, h.name, strconv.Quote(Title(h.name)), h.base, s.body, s.test)
	if scene != "" {
		text += "\n// A position, a throw and what comes of it. Change it into one that shows your rule.\n" + scene
	}
	if s.without != "" { // the test is of any position, and need not come to what is taken away
		head := strings.LastIndex(text, " {\n")
		text = text[:head] + " {  // allow unnoticed-change: as long as no test shows your rule" + text[head+len(" {"):]
	}
	text, faults := dsl.Format(source.New(h.name+".rules", text))
	if len(faults) > 0 {
		return "", nil, faults
	}
	book, found := dsl.Load(source.New(h.name+".rules", text), h.lib)
	if book == nil {
		return "", nil, found
	}
	found = slices.DeleteFunc(dsl.Check(book), func(d diag.Diagnostic) bool { return h.known[d.Code+d.Message] })
	if len(found) > 0 {
		return "", nil, found
	}
	for _, r := range suite.Run(context.Background(), suite.Of(book), suite.Options{}, nil) {
		if r.Outcome != suite.Passed {
			return "", nil, r.Findings()
		}
	}
	rules, found := book.Rules(dsl.Setting{})
	return text, rules, found
}

// Limits of the search for a position to show.
const (
	maxGames  = 4
	maxNodes  = 300
	maxScenes = 12
)

// scenes generates tests of a position, a throw and its effect, by playing: first those in which a player may choose.
func scenes(rules *model.Rules) []string {
	game, err := interpreter.Compile(rules)
	if err != nil {
		return nil
	}
	var choices, forced []string
	add := func(list *[]string, scene string) {
		if scene != "" && len(*list) < maxScenes && !slices.Contains(*list, scene) {
			*list = append(*list, scene)
		}
	}
	for g := range maxGames {
		random := interpreter.NewRandom(1, uint64(g))
		pos := game.Start(interpreter.ByTheRules)
		for range maxNodes {
			if pos.AtTurn() && pos.Kind() == interpreter.Throw {
				choice, result := scene(rules, pos)
				add(&choices, choice)
				add(&forced, result)
			}
			switch pos.Kind() {
			case interpreter.Throw:
				pos.ThrowRandom(&random)
			case interpreter.Choice:
				pos.ChooseRandom(&random)
			}
			if pos.Kind() == interpreter.Over || pos.Err() != nil {
				break
			}
		}
	}
	return append(choices, forced...)
}

// throws are the numbers that scenes try, for one device and for two.
var throws = [][]int{{1}, {2}, {3}, {4}, {5}, {6}, {1, 2}, {3, 4}, {6, 2}}

// scene is a test of a position at the beginning of a turn in which a throw leaves a choice, and one in which it
// leaves none; "" if there is none.
func scene(rules *model.Rules, pos *interpreter.Position) (choice, forced string) {
	setup := pos.Setup()
	given := seq.Map(rules.Colours, func(c model.ColourInUse) string { return c.Name + " " + strings.Join(setup.Pieces[c.Name], " ") })
	for _, numbers := range throws {
		after := pos.Copy()
		if after.Throw(numbers...) != nil || after.Err() != nil {
			continue
		}
		n := strings.Trim(fmt.Sprint(numbers), "[]")
		head := fmt.Sprintf("{\n  given %s\n  turn %s\n  throw %s\n", strings.Join(given, " | "), setup.Turn, n)
		switch {
		case after.Kind() == interpreter.Choice:
			if all := after.OptionNames(); (len(all) == 2 || len(all) == 3) && after.Options()[0].Move != interpreter.None {
				choice = fmt.Sprintf("test \"what %s may do with %s\" %s  expect moves %s\n}\n", setup.Turn, n, head, strings.Join(all, ", "))
			}
		case after.AtTurn():
			at := after.Setup().Pieces[setup.Turn]
			if !slices.Equal(at, setup.Pieces[setup.Turn]) {
				forced = fmt.Sprintf("test \"where %s takes %s\" %s  expect %s %s\n}\n", n, setup.Turn, head, setup.Turn, strings.Join(at, " "))
			}
		}
	}
	return choice, forced
}
