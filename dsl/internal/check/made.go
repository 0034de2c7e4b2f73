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
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// made is a book checked for one setting.
type made struct {
	c     *checker
	diags diag.List
	rules *model.Rules // nil after an error
}

// makeSetting checks a book for a setting.
func makeSetting(b *book.Book, s Setting) *made {
	m := &made{}
	m.c = newChecker(b, s, &m.diags, NewUsage())
	m.c.run()
	if !m.diags.HasErrors() {
		m.rules = m.c.rules
		m.c.use.gather(m.rules)
	}
	return m
}

// settingKey is what a book remembers of the settings its tests are played in: they are few, and the tests many.
type settingKey struct{ setting string }

// shared is a book checked for the setting of a test, made once for all its tests.
func shared(b *book.Book, s Setting) *made {
	return remembered(b, settingKey{keyOf(b, s)}, func() func() *made {
		return sync.OnceValue(func() *made { return makeSetting(b, Setting{Options: s.Options, Players: s.Players}) })
	})()
}

// optionsMemoKey is under what a book remembers its options with their defaults.
type optionsMemoKey struct{}

// optionsOf reads the options of a book; nil after an error.
func optionsOf(b *book.Book) map[string]*option {
	return remembered(b, optionsMemoKey{}, func() map[string]*option {
		c := newChecker(b, Setting{}, &diag.List{}, NewUsage())
		if !c.readOptions() {
			return nil
		}
		return c.options
	})
}

// keyOf says the same of settings that are the same.
func keyOf(b *book.Book, s Setting) string {
	players := s.Players
	if all := numbersOf(b, s.Options); players == 0 && len(all) > 0 {
		players = all[0]
	}
	return strconv.Itoa(players) + optionsKey(b, s.Options)
}

// optionsKey lists the options that do not have their default.
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

// numbersKey is under what a book remembers how many may play in a setting of its options.
type numbersKey struct{ options string }

// numbersOf lists how many may play, the usual number first; nil where that cannot be read.
func numbersOf(b *book.Book, options map[string]string) []int {
	return remembered(b, numbersKey{optionsKey(b, options)}, func() []int { return Numbers(b, options, &diag.List{}) })
}

// MakeTest checks b for the setting of a scenario and resolves the scenario, which is the one test of the rules. They
// are nil when diags gained an error. The rules of tests that play in the same setting are made once and shared.
func MakeTest(b *book.Book, t *syntax.Test, file *source.File, diags *diag.List) *model.Rules {
	rules, _ := makeTest(b, t, file, diags)
	return rules
}

func makeTest(b *book.Book, t *syntax.Test, file *source.File, diags *diag.List) (*model.Rules, *Usage) {
	s := ScenarioSetting(b, t, file)
	if shared(b, s).rules == nil { // its faults may be the test's own
		use := NewUsage()
		return makeRules(b, s, diags, use), use
	}
	return resolve(b, s, []*syntax.Test{t}, diags)
}

// MakeTests is MakeTest for tests of one setting, see SettingKey. The rules have all of them; they are nil when one of them,
// or the setting, has a fault.
func MakeTests(b *book.Book, tests []*syntax.Test, file *source.File, diags *diag.List) *model.Rules {
	s := ScenarioSetting(b, tests[0], file)
	if m := shared(b, s); m.rules == nil {
		*diags = append(*diags, m.diags...)
		return nil
	}
	rules, _ := resolve(b, s, tests, diags)
	return rules
}

// SettingKey is the same for the tests of a book that are played in the same setting.
func SettingKey(b *book.Book, t *syntax.Test, file *source.File) string {
	return keyOf(b, ScenarioSetting(b, t, file))
}

// resolve resolves tests of a setting without faults.
func resolve(b *book.Book, s Setting, tests []*syntax.Test, diags *diag.List) (*model.Rules, *Usage) {
	m := shared(b, s)
	c, own := *m.c, diag.List{}
	rules := *m.rules
	rules.Decided = slices.Clip(rules.Decided) // the scenario adds to it, and others are made beside it
	c.setting, c.diags, c.use, c.rules, c.left = s, &own, NewUsage(), &rules, map[*book.Removal][]source.Span{}
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

// inOrder does n pieces of work on all processors and hands over the results in their order, until take says that
// it is enough. Which results are handed over does not depend on the machine.
func inOrder[T any](n int, work func(i int) T, take func(i int, v T) bool) {
	const batch = 16
	for from := 0; from < n; from += batch {
		size := min(batch, n-from)
		results := make([]T, size)
		var wg sync.WaitGroup
		next := make(chan int, size)
		for i := range size {
			next <- i
		}
		close(next)
		for range min(runtime.GOMAXPROCS(0), size) {
			wg.Go(func() {
				for i := range next {
					results[i] = work(from + i)
				}
			})
		}
		wg.Wait()
		for i, v := range results {
			if !take(from+i, v) {
				return
			}
		}
	}
}
