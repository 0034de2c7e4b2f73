// Package generate makes random rule books for tests of the engine: a board, a rule file, sometimes changes, all as
// text and correctly typed. The same seed makes the same book.
//
// The result is not a sensible game, but one in which things happen: moves are offered, reactions run, players are
// asked and, in most books, the game ends. Every construct of the language occurs in combination with every other.
package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

// Book is a generated rule book: the files of a folder.
type Book struct {
	Files   map[string]string // by name: "ring.yaml", "game.rules"
	Main    string            // the name of the file to load
	Changes []string          // the names of the changes to apply
}

// New makes the book for a seed.
func New(seed uint64) *Book {
	g := &gen{care: 100, r: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), names: map[string]int{}, likes: map[string]int{}}
	if g.chance(40) {
		g.care = 90
	}
	g.ordinary = g.chance(60)
	return g.book()
}

// kind is a kind of value.
type kind string

const (
	number kind = "number"
	flag   kind = "flag"
	piece  kind = "piece"
	place  kind = "place"
	colour kind = "colour"
	player kind = "player"
	team   kind = "team"
	offer  kind = "offer"
)

// varKinds are the kinds that variables and parameters have.
var varKinds = []kind{number, flag, piece, place, colour, player, team}

// ref reports whether values of the kind may be nil.
func (k kind) ref() bool { return k != number && k != flag && k != offer }

// typ is a type: a kind, or a list of it.
type typ struct {
	kind kind
	list bool
}

func (t typ) elem() typ { return typ{kind: t.kind} }

func one(k kind) typ    { return typ{kind: k} }
func listOf(k kind) typ { return typ{kind: k, list: true} }

// named is something with a name and a type.
type named struct {
	name string
	typ  typ
}

// let is a let of the book.
type let struct {
	named
	params []typ
	words  []string // the source text of the parameters' types
	needs  context  // the context it needs
	text   string
}

// head is the name of a let with its parameters.
func (l *let) head(params []string) string {
	if len(params) == 0 {
		return l.name
	}
	return l.name + "(" + strings.Join(params, ", ") + ")"
}

// variable is a variable of the book.
type variable struct {
	named
	scope     string
	low, high int
	bag       bool
	counter   bool // it counts the turns of a game, and no other statement assigns it
}

// owner is the kind of the variable's owner, "" for none.
func (v *variable) owner() kind {
	switch v.scope {
	case "piece", "colour", "player", "team":
		return kind(v.scope)
	}
	return ""
}

// option is an option of the book.
type option struct {
	name   string
	kind   string // number, flag or word
	values []string
}

// die is a device of the book.
type die struct {
	name   string
	high   int
	choice bool
}

// move is a move of the book.
type move struct {
	name   string
	params []kind
}

// act is an act of the book.
type act struct {
	name   string
	params []kind
}

// context says which words may be used.
type context struct {
	step    bool // in a step or end clause: remaining
	before  bool // before a move: offered
	carries bool // in reactions to a move: carried
	moving  bool // while a number is being counted: steps, thrown, earned, heading
}

// gen makes one book.
type gen struct {
	r     *rand.Rand
	board board
	names map[string]int
	likes map[string]int // weights of constructs in this book

	options []option
	lets    []let
	vars    []*variable
	dice    []die
	moves   []move
	acts    []act
	rules   []string
	steps   []string // of the turn
	colours []string // that play in every setting
	owners  []string // preferred scopes of variables, because several owners share them
	pieces  int      // of a colour
	seats   int      // number of players if those are all colours

	ordinary bool // no forks, moves of one piece each, numbers played one by one: the set form can compile most of it
	byColour bool // turns go by colour
	gives    bool // pieces may change hands
	most     bool // the turn uses play most of, so that nothing else may throw
	effects  []string
	locals   []named
	elems    []typ
	where    context
	solid    bool // nothing that may be nil, as far as is known
	care     int  // percentage of expressions for which nil is avoided if it would be a fault
}

func (g *gen) n(n int) int             { return g.r.IntN(n) }
func (g *gen) chance(percent int) bool { return g.r.IntN(100) < percent }
func (g *gen) between(a, b int) int    { return a + g.r.IntN(b-a+1) }

func pick[T any](g *gen, list []T) T { return list[g.r.IntN(len(list))] }

// fresh makes a unique name.
func (g *gen) fresh(stem string) string {
	g.names[stem]++
	return fmt.Sprintf("%s%d", stem, g.names[stem])
}

// way is one of several alternatives, with its weight. The likes of the book multiply the weight.
type way struct {
	what   string
	weight int
	do     func()
}

// one takes one of the alternatives at random.
func (g *gen) one(ways ...way) {
	weighted(g, ways, func(w way) int { return w.weight * g.liking(w.what) }).do()
}

// weighted picks one of a list at random, by weights.
func weighted[T any](g *gen, list []T, weight func(T) int) T {
	at := g.n(seq.Sum(list, weight))
	return list[slices.IndexFunc(list, func(x T) bool { at -= weight(x); return at < 0 })]
}

// liking is the weight of a construct in this book. A book with many of a few constructs shows more of their
// interaction than one with a few of all.
func (g *gen) liking(what string) int {
	if g.likes[what] == 0 {
		g.likes[what] = pick(g, []int{1, 4, 4, 4, 12, 30})
	}
	return g.likes[what]
}

// bind adds locals to the scope during f.
func (g *gen) bind(locals []named, f func()) {
	n := len(g.locals)
	g.locals = append(g.locals, locals...)
	f()
	g.locals = g.locals[:n]
}

// local makes a name for a local of a kind that is free in this scope.
func (g *gen) local(k kind) string {
	usual := map[kind]string{piece: "p", place: "s", player: "x", team: "t", colour: "c", number: "n", flag: "f"}[k]
	free := func(name string) bool {
		return !slices.ContainsFunc(g.locals, func(l named) bool { return l.name == name })
	}
	if k == piece && !free("p") {
		usual = "q"
	}
	if g.chance(70) && free(usual) && !g.where.step {
		return usual
	}
	return g.fresh("v")
}

// in runs f in a context.
func (g *gen) in(where context, f func()) {
	was := g.where
	g.where = where
	f()
	g.where = was
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(text, "\n", "\n  ")
}
