package bot

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/learn"
	"github.com/rulerun/rulerun/interpreter/solve"
)

// kind is a kind of bot.
type kind struct {
	name, words string
	options     []option
	make        func(values) Bot
}

// option is a numeric option of a kind of bot. The first one can be given without its name.
type option struct {
	name             string
	low, high, usual float64
	whole            bool
	each             bool // one for each act is possible: NAME.act
	words            string
}

// values are the options of a bot.
type values struct {
	of   map[string]float64
	acts map[string]float64
}

func (v values) whole(name string) int { return int(v.of[name]) }

// usualDepth is the default length of playouts in throws. If leads predict the winner, an early evaluation beats a
// longer playout.
const usualDepth = 8

// usualNodes is the default number of positions of a search: it takes a tenth of a second, about.
const usualNodes = 20_000

// strongNodes is the number for people, who do not wait for a third of a second, with rules that take long, too.
const strongNodes = 5_000

// kinds lists the kinds of bots, the three strengths first.
func kinds() []kind {
	weight := func(name string, usual float64, words string) option {
		return option{name: name, low: -1e6, high: 1e6, usual: usual, words: words}
	}
	playouts := func(usual, most float64) option {
		return option{name: "playouts", low: 1, high: most, usual: usual, whole: true, words: "random games per decision"}
	}
	depth := option{name: "depth", low: 1, high: 100_000, usual: usualDepth, whole: true, words: "throws after which such a game is stopped and judged"}
	each := weight("acts", 100, "an act on another side's piece, less theirs on its own pieces")
	each.each = true
	search := func(throws float64) []option {
		return []option{
			{name: "depth", low: 0, high: 20, usual: throws, whole: true, words: "throws it looks ahead, fewer if the nodes run out"},
			{name: "nodes", low: 100, high: 1e8, usual: usualNodes, whole: true, words: "positions it looks at, at most"},
		}
	}
	return []kind{
		{"easy", "takes what is best at once, as greedy", nil, func(values) Bot { return usual("greedy") }},
		{"medium", "looks at the next throw, as expectimax", nil, func(values) Bot { return usual("expectimax") }},
		{"strong", "as learned; where nothing is learned of the game as expectimax:2", nil,
			func(values) Bot {
				return player{&expectimax{Depth: 2, Nodes: strongNodes, look: look{judge: judge{expert: true}}}}
			}},
		{"greedy", "takes the option that is best at once, by these weights", []option{
			weight("progress", 1, "a step of its own pieces, or a point of the declared lead"),
			weight("others", 1, "a step or point that the other sides lose, on average"),
			each,
			weight("home", 10, "a piece that reaches the end of its track"),
			weight("earned", 1, "an earned step that waits to be counted"),
			weight("again", 3, "another throw"),
		}, func(v values) Bot { return player{newGreedy(v)} }},
		{"random", "takes any option with the same probability", nil, func(values) Bot { return Random{} }},
		{"flat", "plays random games from each option, takes the best one", []option{playouts(50, 1e6), depth},
			func(v values) Bot { return player{&flat{Playouts: v.whole("playouts"), Depth: v.whole("depth")}} }},
		{"expectimax", "averages over the next throws; each side takes what is best for it", search(1),
			func(v values) Bot { return player{&expectimax{Depth: v.whole("depth"), Nodes: v.whole("nodes")}} }},
		{"learned", "the same, with what it has learned of the game", search(2), func(v values) Bot {
			return player{&expectimax{Depth: v.whole("depth"), Nodes: v.whole("nodes"), needs: true, look: look{judge: judge{expert: true}}}}
		}},
		{"exact", "plays best by the table of the game, as strong where the table ends", nil, func(values) Bot { return byTable{usual("strong")} }},
		{"mcts", "Monte Carlo tree search with random games", []option{playouts(200, 1e6), depth,
			{name: "explore", low: 0, high: 100, usual: 2, words: "how much it tries options it knows little about"},
		}, func(v values) Bot {
			return player{&mcts{Playouts: v.whole("playouts"), Depth: v.whole("depth"), Explore: v.of["explore"]}}
		}},
	}
}

// Default is the bot of studies that name no other: the fastest that thinks.
const Default = "greedy"

// Usual names the bot that people play against: strong if something is learned of rules of this name, otherwise medium.
func Usual(rules *model.Rules) string {
	if learn.Found(rules.Name) {
		return "strong"
	}
	return "medium"
}

// Prepare finds out what a bot needs to know of a game, which its first decision would otherwise wait for. It may run on
// another goroutine than the bot.
func Prepare(b Bot, g *interpreter.Game) {
	search, _ := b.(player)
	if x, ok := search.searcher.(*expectimax); ok && x.expert {
		if e, _ := learn.For(g); e != nil {
			e.Judge()
		}
	}
}

// usual is a bot with its usual options.
func usual(name string) Bot {
	b, _ := New(name)
	return b
}

// Names lists the kinds of bots, the three strengths first.
func Names() []string {
	return seq.Map(kinds(), func(k kind) string { return k.name })
}

// Describe describes a kind of bot in a line, "" for an unknown kind.
func Describe(name string) string {
	if k := kindOf(name); k != nil {
		return k.words
	}
	return ""
}

// Options lists the options of a kind of bot, a line each: name, default and description. The first can be given
// without its name.
func Options(name string) []string {
	var out []string
	if k := kindOf(name); k != nil {
		for _, o := range k.options {
			out = append(out, fmt.Sprintf("%s=%s  %s", o.name, number(o.usual), o.words))
			if o.each {
				out = append(out, fmt.Sprintf("%s.NAME=%s  the act NAME of the rules alone", o.name, number(o.usual)))
			}
		}
	}
	return out
}

func kindOf(name string) *kind {
	all := kinds()
	if i := slices.IndexFunc(all, func(k kind) bool { return k.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Error says why a bot cannot be made. Hint says how to correct it, if it has a text.
type Error struct {
	Message, Hint catalogue.Sentence
}

// Error is the message.
func (e *Error) Error() string { return e.Message.Error() }

// hint says what was meant by a name, if one of those known is like it, otherwise what there is.
func hint(name string, known []string, all catalogue.Sentence) catalogue.Sentence {
	if like := diag.Nearest(name, known); like != "" {
		return catalogue.Sentence{Key: "usage.near", Text: "did you mean {{.name}}?", Args: []any{"name", strconv.Quote(like)}}
	}
	all.Args = []any{"names", strings.Join(known, ", ")}
	return all
}

var thereAre = catalogue.Sentence{Key: "usage.there_are", Text: "there are: {{.names}}"}

// New makes a bot from its name, with options after a colon: "random", "flat:50", "mcts:200,depth=40",
// "greedy:progress=2,acts.NAME=50". The error is an *Error.
func New(spec string) (Bot, error) {
	name, text, given := strings.Cut(spec, ":")
	k := kindOf(name)
	if k == nil {
		none := catalogue.Sentence{Key: "usage.bot_none", Text: "there is no bot {{.bot}}", Args: []any{"bot", strconv.Quote(name)}}
		return nil, &Error{none, hint(name, Names(), thereAre)}
	}
	v := values{of: map[string]float64{}, acts: map[string]float64{}}
	for _, o := range k.options {
		v.of[o.name] = o.usual
	}
	if !given {
		return k.make(v), nil
	}
	if len(k.options) == 0 {
		return nil, &Error{
			catalogue.Sentence{Key: "usage.bot_plain", Text: "bot {{.bot}}: it has no options", Args: []any{"bot", strconv.Quote(spec)}},
			catalogue.Sentence{Key: "usage.bot_write", Text: "write {{.name}}", Args: []any{"name", strconv.Quote(name)}},
		}
	}
	seen := map[string]bool{}
	for i, part := range strings.Split(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		if !ok && i == 0 {
			key, value = k.options[0].name, part
		}
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		o, act, err := k.option(key, spec)
		if err != nil {
			return nil, err
		}
		if seen[key] {
			return nil, &Error{Message: catalogue.Sentence{Key: "usage.bot_twice", Text: "bot {{.bot}}: {{.option}} is given twice", Args: []any{"bot", strconv.Quote(spec), "option", key}}}
		}
		seen[key] = true
		n, fault := strconv.ParseFloat(value, 64)
		if fault != nil || math.IsNaN(n) || n < o.low || n > o.high || o.whole && n != math.Trunc(n) {
			args := []any{"bot", strconv.Quote(spec), "option", key, "got", strconv.Quote(value), "low", number(o.low), "high", number(o.high)}
			says := catalogue.Sentence{Key: "usage.bot_number", Text: "bot {{.bot}}: {{.option}}: got {{.got}}, want a number from {{.low}} to {{.high}}", Args: args}
			if o.whole {
				says = catalogue.Sentence{Key: "usage.bot_whole", Text: "bot {{.bot}}: {{.option}}: got {{.got}}, want a whole number from {{.low}} to {{.high}}", Args: args}
			}
			return nil, &Error{Message: says}
		}
		if act != "" {
			v.acts[act] = n
		} else {
			v.of[o.name] = n
		}
	}
	return k.make(v), nil
}

// option finds the option called key, and the act it is for.
func (k *kind) option(key, spec string) (*option, string, error) {
	var known []string
	for i := range k.options {
		o := &k.options[i]
		if o.name == key {
			return o, "", nil
		}
		if act, ok := strings.CutPrefix(key, o.name+"."); ok && o.each && act != "" {
			return o, act, nil
		}
		known = append(known, o.name)
	}
	none := catalogue.Sentence{Key: "usage.bot_option", Text: "bot {{.bot}}: {{.name}} has no option {{.option}}", Args: []any{"bot", strconv.Quote(spec), "name", k.name, "option", strconv.Quote(key)}}
	return nil, "", &Error{none, hint(key, known, catalogue.Sentence{Key: "usage.bot_has", Text: "it has: {{.names}}"})}
}

// Split splits a list of bots and other names at its commas, but keeps options with their bot, as in
// "greedy:progress=1,home=5,random".
func Split(list string) []string {
	var out []string
	for _, part := range strings.Split(list, ",") {
		key, _, valued := strings.Cut(part, "=")
		if valued && !strings.Contains(key, ":") && len(out) > 0 && strings.Contains(out[len(out)-1], ":") {
			out[len(out)-1] += "," + strings.TrimSpace(part)
			continue
		}
		out = append(out, strings.TrimSpace(part))
	}
	return out
}

// Offered returns an error if a bot cannot play by rules, because its options name an act that they do not have, or
// because there is no file of what is learned of them. The error is an *Error.
func Offered(b Bot, rules *model.Rules) error {
	if _, ok := b.(byTable); ok {
		return &Error{
			catalogue.Sentence{Key: "usage.bot_table", Text: "bot exact: there is no table of the game"},
			catalogue.Sentence{Key: "usage.bot_keep", Text: "play --table DIR names what solve --keep DIR has worked out"},
		}
	}
	search, _ := b.(player)
	switch x := search.searcher.(type) {
	case *greedy:
		known := seq.Map(rules.Acts, func(a *model.Act) string { return a.Name })
		return x.weights.fit(known)
	case *expectimax:
		if x.needs && !learn.Found(rules.Name) {
			return unlearned()
		}
	}
	return nil
}

func unlearned() error {
	return &Error{
		catalogue.Sentence{Key: "usage.bot_unlearned", Text: "bot learned: nothing is learned of these rules"},
		catalogue.Sentence{Key: "usage.bot_learn", Text: `"rulerun train RULESET" learns them; strong plays without`},
	}
}

// Fits returns the error of Offered, or one if what is learned does not fit the game.
func Fits(b Bot, g *interpreter.Game) error {
	if _, ok := b.(byTable); ok && solve.TableOf(g) != nil {
		return nil
	}
	if err := Offered(b, g.Rules()); err != nil {
		return err
	}
	search, _ := b.(player)
	if x, ok := search.searcher.(*expectimax); ok && x.needs {
		e, err := learn.For(g)
		switch {
		case err != nil:
			return &Error{
				catalogue.Sentence{Key: "usage.bot_learned", Text: "bot learned: {{.fault}}", Args: []any{"fault", err}},
				catalogue.Sentence{Key: "usage.bot_train", Text: `"rulerun train RULESET" makes it anew`},
			}
		case e == nil:
			return unlearned()
		}
	}
	return nil
}
