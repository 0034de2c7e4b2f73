// Package generate makes whole rule books by chance, for tests of the engine: a board, a rule file, now and then changes
// on top, all as text and well typed. The same seed makes the same book.
//
// What comes out is a game that is no fun to play, but one in which things happen: it has moves that are offered,
// reactions, questions and, in most books, an end. Every construct of the language comes up with every other.
package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Book is a generated rule book: files as they would lie in one folder.
type Book struct {
	Files   map[string]string // by name: "ring.yaml", "game.rules"
	Main    string            // the name of the file to load
	Changes []string          // the changes to apply to it
}

// New makes the book of a seed.
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

// plain are the kinds that variables and parameters have.
var plain = []kind{number, flag, piece, place, colour, player, team}

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
	words  []string // the types of the parameters, as written
	needs  context  // where it makes sense
	text   string
}

// variable is a variable of the book.
type variable struct {
	named
	scope     string
	low, high int
	counter   bool // it says how long the game lasts, and nothing else changes it
}

// owner is the kind of value the variable is a field of, "" where it stands alone.
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
	low    int
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

// context says what may stand where something is written.
type context struct {
	step   bool // in a step or end clause: remaining
	before bool // before a move: offered
	moving bool // while a number is counted: steps, thrown, earned, heading
}

// gen makes one book.
type gen struct {
	r     *rand.Rand
	board board
	names map[string]int
	likes map[string]int // how much more often than usual something comes up in this book

	options []option
	lets    []let
	vars    []*variable
	dice    []die
	moves   []move
	acts    []act
	rules   []string
	colours []string // that play in every setting
	owners  []string // scopes of variables that are worth more, as several share them
	pieces  int      // of a colour
	seats   int      // how many play where those are all the colours

	ordinary bool // no forks, moves of one piece each, numbers played one by one: much of it can be told from sets
	most     bool // the turn plays most of, so that nothing else may throw
	deeds    []string
	locals   []named
	elems    []typ
	where    context
	solid    bool // nothing that may be nil, as far as can be seen
	care     int  // how often, of a hundred times, that is seen to where nil would be a fault
}

func (g *gen) n(n int) int             { return g.r.IntN(n) }
func (g *gen) chance(percent int) bool { return g.r.IntN(100) < percent }
func (g *gen) between(a, b int) int    { return a + g.r.IntN(b-a+1) }

func pick[T any](g *gen, list []T) T { return list[g.r.IntN(len(list))] }

// fresh is a name that nothing else has.
func (g *gen) fresh(stem string) string {
	g.names[stem]++
	return fmt.Sprintf("%s%d", stem, g.names[stem])
}

// way is one of several ways to go on, as likely as its weight says and as the book likes what it is.
type way struct {
	what   string
	weight int
	do     func()
}

// one takes one of the ways.
func (g *gen) one(ways ...way) {
	total := 0
	for _, w := range ways {
		total += w.weight * g.liking(w.what)
	}
	at := g.r.IntN(total)
	for _, w := range ways {
		if at -= w.weight * g.liking(w.what); at < 0 {
			w.do()
			return
		}
	}
}

// liking is how much a book likes something. A book that has much of a few things shows more of how they go together than one that
// has a little of everything.
func (g *gen) liking(what string) int {
	if g.likes[what] == 0 {
		g.likes[what] = pick(g, []int{1, 4, 4, 4, 12, 30})
	}
	return g.likes[what]
}

// bind declares a local for as long as f runs.
func (g *gen) bind(locals []named, f func()) {
	n := len(g.locals)
	g.locals = append(g.locals, locals...)
	f()
	g.locals = g.locals[:n]
}

// local is a name for a local of a kind that is free here.
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
