package check

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// checked is the result of checking a book for one setting.
type checked struct {
	c     *checker
	diags diag.List
	rules *model.Rules // nil after an error
}

// makeSetting checks a book for a setting.
func makeSetting(b *book.Book, s Setting) *checked {
	m := &checked{}
	m.c = newChecker(b, s, &m.diags, NewUsage())
	m.c.run()
	if !m.diags.HasErrors() {
		m.rules = m.c.rules
		m.c.use.gather(m.rules)
	}
	return m
}

// shared checks a book for the setting of a test, once for all tests with this setting.
func shared(b *book.Book, s Setting) *checked {
	return memoize(b, memoKey{ofSetting, KeyOf(b, s)}, func() func() *checked {
		return sync.OnceValue(func() *checked { return makeSetting(b, Setting{Options: s.Options, Players: s.Players}) })
	})()
}

// usual reports whether a setting is the one with all defaults, or that of a test: then several parts of a check ask for its rules.
func usual(b *book.Book, s Setting) bool {
	keys := memoize(b, memoKey{what: ofUsual}, func() map[string]bool {
		keys := map[string]bool{KeyOf(b, Setting{}): true}
		if b.Whole {
			for _, x := range b.Top().File.Tests() {
				keys[SettingKey(b, x, b.Top().File.Source)] = true
			}
		}
		return keys
	})
	return keys[KeyOf(b, s)]
}

// MakeUsual is Make, and shares what it makes of the usual setting and those of tests: a caller may change the rules, but nothing they
// lead to.
func MakeUsual(b *book.Book, s Setting, diags *diag.List) *model.Rules {
	if !usual(b, s) {
		return Make(b, s, diags)
	}
	m := shared(b, s)
	*diags = append(*diags, m.diags...)
	if m.rules == nil {
		return nil
	}
	rules := *m.rules
	return &rules
}

// optionsOf reads the options of a book; nil after an error.
func optionsOf(b *book.Book) map[string]*option {
	return memoize(b, memoKey{what: ofOptions}, func() map[string]*option {
		c := newChecker(b, Setting{}, &diag.List{}, NewUsage())
		if !c.readOptions() {
			return nil
		}
		return c.options
	})
}

// keyOf is a canonical cache key of a setting: equal for settings that mean the same.
func KeyOf(b *book.Book, s Setting) string {
	players := s.Players
	if all := numbersOf(b, s.Options); players == 0 && len(all) > 0 {
		players = all[0]
	}
	return strconv.Itoa(players) + optionsKey(b, s.Options)
}

// optionsKey is a canonical list of the options that differ from their defaults.
func optionsKey(b *book.Book, options map[string]string) string {
	var key strings.Builder
	defaults := optionsOf(b)
	for _, name := range OptionNames(b) {
		if v, given := options[name]; given && (defaults[name] == nil || defaults[name].fallback != v) {
			key.WriteString(" " + name + "=" + v)
		}
	}
	return key.String()
}

// numbersOf lists the allowed numbers of players, the usual number first; nil if they cannot be read.
func numbersOf(b *book.Book, options map[string]string) []int {
	return memoize(b, memoKey{ofNumbers, optionsKey(b, options)}, func() []int { return Numbers(b, options, &diag.List{}) })
}

// MakeTest checks b for the setting of a scenario and resolves the scenario, which is the only test of the rules.
// They are nil if diags gained an error. Tests with the same setting share one set of rules.
func MakeTest(b *book.Book, t *syntax.Test, file *source.File, diags *diag.List) *model.Rules {
	rules, _ := makeTest(b, t, file, diags)
	return rules
}

func makeTest(b *book.Book, t *syntax.Test, file *source.File, diags *diag.List) (*model.Rules, *Usage) {
	s := ScenarioSetting(b, t, file)
	if shared(b, s).rules == nil { // the fault may be in the test
		m := makeSetting(b, s)
		*diags = append(*diags, m.diags...)
		return m.rules, m.c.use
	}
	return resolve(b, s, []*syntax.Test{t}, diags)
}

// MakeTests is MakeTest for several tests of one setting, see SettingKey. The rules have all these tests. They are
// nil if the setting or one of the tests has a fault.
func MakeTests(b *book.Book, tests []*syntax.Test, file *source.File, diags *diag.List) *model.Rules {
	s := ScenarioSetting(b, tests[0], file)
	if m := shared(b, s); m.rules == nil {
		*diags = append(*diags, m.diags...)
		return nil
	}
	rules, _ := resolve(b, s, tests, diags)
	return rules
}

// SettingKey is a canonical key of the setting of a test.
func SettingKey(b *book.Book, t *syntax.Test, file *source.File) string {
	return KeyOf(b, ScenarioSetting(b, t, file))
}

// resolve resolves tests of a setting that has no faults.
func resolve(b *book.Book, s Setting, tests []*syntax.Test, diags *diag.List) (*model.Rules, *Usage) {
	m := shared(b, s)
	c, own := *m.c, diag.List{}
	rules := *m.rules
	rules.Decided = slices.Clip(rules.Decided) // each scenario appends to its own copy
	c.setting, c.diags, c.use, c.rules, c.left = s, &own, NewUsage(), &rules, map[*book.Removal][]source.Span{}
	c.happened = nil
	for _, t := range tests {
		c.scenario(t)
	}
	c.leftOver()
	*diags = append(*diags, own...)
	if own.HasErrors() {
		return nil, c.use
	}
	return &rules, c.use
}

// inOrder runs work for 0..n-1 in parallel and passes the results to take in order, until take returns false. The
// results that take sees do not depend on the number of processors.
func inOrder[T any](n int, work func(i int) T, take func(i int, v T) bool) {
	const batch = 16
	for from := 0; from < n; from += batch {
		results := make([]T, min(batch, n-from))
		seq.Each(runtime.GOMAXPROCS(0), len(results), func(i int) { results[i] = work(from + i) })
		for i, v := range results {
			if !take(from+i, v) {
				return
			}
		}
	}
}
