package boards

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Read makes the board that file describes, with params for its parameters; missing ones have their default. open
// finds the board that "use" or "extends" names; nil means Shipped. The list has all independent faults; the board is nil if and
// only if the list has an error.
func Read(file *source.File, params map[string]int, open Opener) (*Board, diag.List) {
	return read(file, params, open, false)
}

// Make is Read without warnings, which takes half the time: for a file of which they are known.
func Make(file *source.File, params map[string]int, open Opener) (*Board, diag.List) {
	return read(file, params, open, true)
}

func read(file *source.File, params map[string]int, open Opener, brief bool) (*Board, diag.List) {
	args := map[string]argument{}
	for name, v := range params {
		args[name] = argument{value: v}
	}
	var diags diag.List
	r := newReader(file, open, &diags)
	r.trial = brief
	b := r.make(args)
	if len(args) == 0 && !brief && !diags.HasErrors() {
		r.trials()
	}
	diags.Sort()
	if diags.HasErrors() {
		return nil, diags
	}
	return b, diags
}

// OtherName is a finding where the file of a board is called otherwise than the board, empty where it is not.
func (b *Board) OtherName() (found diag.List) {
	name := path.Base(b.Span.File.Name())
	if base := strings.TrimSuffix(name, path.Ext(name)); base != b.Name {
		found.Add(diag.Diagnostic{Severity: diag.Info, Code: "other-name", Span: b.Span, Message: fmt.Sprintf("the file is called %q: rules find it by that name", base)})
	}
	return found
}

// Parameters lists the parameters of a board, each with its default in Value.
func Parameters(file *source.File, open Opener) ([]Parameter, diag.List) {
	var diags diag.List
	r := newReader(file, open, &diags)
	if root := r.document(file); root.get("extends") != nil {
		r.compose(root, nil, nil)
	} else if root != nil {
		r.parameters(root.get("parameters"), nil)
	}
	diags.Sort()
	return r.board.Parameters, diags
}

// argument is a value given for a parameter. Its span is zero if it does not come from a file.
type argument struct {
	value int
	span  source.Span
	key   source.Span // of its name, zero if it does not come from a file
}

// reader makes one board of one file. It adds faults to diags, once for each place and code, and none that only follow from
// another fault.
type reader struct {
	file    *source.File
	open    Opener
	extends source.Span            // where the file names the board that it extends
	removed map[string]source.Span // what the board is without, with the place that says so
	diags   *diag.List
	said    map[said]bool

	board      *Board
	colours    []string
	families   []*family
	landmarks  []landmark
	global     *scope
	claims     map[string]claimed
	suppressed map[string]bool // names in values that could not be parsed
	used       map[string]bool
	later      map[string]string // names declared further down
	draw       geometry
	turn       turn
	work       int
	loops      int
	bytes      int  // of all files read
	trial      bool // only whether the board can be made is asked

	exhausted     bool
	brokenSquares bool          // some squares are missing because of a fault
	brokenTracks  []bool        // for each colour
	spans         []source.Span // of each landmark
	named         []*node       // the names of lets and parameters

	listedTags, listedAttributes *listed

	arrows    map[string][]lead // of each attribute, those given by name
	computed  map[string]bool   // attributes with an expression for each square
	parsed    []*expression
	constants map[*expr.Node]value // lists of numbers and texts
	asked     []asked
	palette   map[string]*node // the hue of a colour
	results   []*expression    // of lets of a family, computed attributes and landmarks
	rounds    []string         // the landmarks from which tracks go round
}

type said struct {
	start, end int
	file       string
	code       string
	message    string
}

func newReader(file *source.File, open Opener, diags *diag.List) *reader {
	if open == nil {
		open = Shipped
	}
	return &reader{
		file: file, open: open, diags: diags, said: map[said]bool{}, removed: map[string]source.Span{},
		board:      &Board{places: map[string]int{}, declared: map[string]claimed{}, given: map[string]source.Span{}},
		global:     (*scope)(nil).inner(),
		listedTags: newListed("tag", "false"), listedAttributes: newListed("attribute", "nil"),
		palette: map[string]*node{}, arrows: map[string][]lead{}, computed: map[string]bool{},
		claims: map[string]claimed{}, suppressed: map[string]bool{}, used: map[string]bool{}, constants: map[*expr.Node]value{}, later: map[string]string{},
	}
}

func (r *reader) add(d diag.Diagnostic) diag.Ref {
	key := said{d.Span.Start, d.Span.End, d.Span.Name(), d.Code, d.Message}
	context := r.context()
	if context != "" {
		key.message = "" // the same in every iteration of a loop
	}
	if r.said[key] {
		return (&diag.List{d}).Last()
	}
	r.said[key] = true
	if context != "" {
		d.WithNote(source.Span{}, "with %s", context)
	}
	if r.inBase(d.Span) {
		d.WithNote(r.extends, "the board is extended here")
	}
	r.diags.Add(d)
	return r.diags.Last()
}

func (r *reader) fault(code string, span source.Span, format string, args ...any) diag.Ref {
	var one diag.List
	return r.add(*one.Errorf(code, span, format, args...).Get())
}

func (r *reader) warn(code string, span source.Span, format string, args ...any) diag.Ref {
	var one diag.List
	return r.add(*one.Warnf(code, span, format, args...).Get())
}

// make reads the file with values for its parameters. The board is nil if there is nothing to make it of.
func (r *reader) make(args map[string]argument) *Board {
	file := r.file
	root := r.document(file)
	if root == nil {
		return nil
	}
	b := r.board
	b.Span = file.Span(root.span.Start, root.span.Start+1)
	if n := root.get("board"); n != nil {
		b.Span = n.span
		b.Name = r.boardName(n)
	}
	if root = r.compose(root, args, nil); root == nil {
		return nil
	}
	if n := root.get("title"); n != nil {
		if n.kind != scalarNode {
			r.wrongKind(n, "a text")
		}
		b.Title, b.titled = n.text, n.span
	}
	for _, e := range root.get("squares").list() {
		r.later[e.key.text] = "family"
	}
	for _, e := range root.get("landmarks").list() {
		r.later[e.key.text] = "landmark"
	}
	r.eachLet(root.get("let"), r.global, func(_ *node, x *expression) value { return r.eval(x, r.global) })
	r.colourList(root.get("colours"))
	r.drawing(root.get("drawing"))
	r.zones(root.get("zones"))
	r.squares(root.get("squares"))
	r.attributes()
	r.allLandmarks(root.get("landmarks"))
	r.tracks(root.get("tracks"))
	r.zoneShapes(root.get("zones"))
	r.ask(seq.Of(len(b.Colours), r.colour), nil)
	r.marks(root.get("drawing"))
	r.unusedNames()
	r.lonely(r.listedTags)
	r.lonely(r.listedAttributes)
	r.checkBoard()
	return b
}

// atMost reports entries beyond the limit on names, and returns those up to it.
func (r *reader) atMost(entries []entry, owner, what string) []entry {
	if len(entries) <= maxNames {
		return entries
	}
	r.fault("too-large", entries[maxNames].key.span, "%s has at most %d %s", owner, maxNames, what)
	return entries[:maxNames]
}

func (n *node) list() []entry {
	if n == nil {
		return nil
	}
	return n.entries
}

func (r *reader) boardName(n *node) string {
	switch {
	case n.kind != scalarNode || n.text == "":
		r.wrongKind(n, "the board's name")
	case !isWord(n.text):
		r.badWord(n, "board")
	}
	return n.text
}

// keys checks which keys a mapping has. It reports false when n is no mapping or lacks one.
func (r *reader) keys(n *node, set *keySet) bool {
	if n.kind != mappingNode {
		r.wrongKind(n, "a map that describes "+set.what)
		return false
	}
	known := set.all()
	r.distinct(n, "key")
	for _, e := range n.entries {
		if slices.Contains(known, e.key.text) {
			continue
		}
		r.suggest(r.fault("unknown-key", e.key.span, "%s has no key %q", set.what, shorten(e.key.text)), e.key.text, known)
		if near := diag.Nearest(e.key.text, known); near != "" && n.get(near) == nil {
			e.key.text = near // continue with the correct name, so that nothing is missing
		}
	}
	ok := true
	for _, k := range set.required {
		if n.get(k) == nil {
			ok = false
			if d := r.fault("missing-key", r.head(n), "%s needs a key %q", set.what, k); usual[k] != "" && set == &boardKeys {
				d.WithHint("write, say, %s: %s", k, usual[k])
			}
		}
	}
	return ok
}

// usual is a hint for the keys that every board needs.
var usual = map[string]string{
	"board": "pond", "colours": "[red, blue]", "tracks": "{race: [{ring: all}]}",
	"squares": "{ring: {for: {i: 1..12}, name: string(i), draw: {x: i, y: 0}}}",
}

// head is the span of a fault about a whole mapping.
func (r *reader) head(n *node) source.Span {
	if len(n.entries) > 0 {
		return source.Span{File: n.span.File, Start: n.span.Start, End: n.span.Start}.To(n.entries[0].key.span)
	}
	return n.span
}

// distinct reports duplicate keys of a mapping.
func (r *reader) distinct(n *node, what string) {
	first := map[string]*node{}
	for _, e := range n.entries {
		if e.key.kind != scalarNode {
			r.wrongKind(e.key, "a name before \":\"")
		} else if old := first[e.key.text]; old != nil {
			r.fault("duplicate-"+what, e.key.span, "a second %s is called %q", what, shorten(e.key.text)).
				WithNote(old.span, "the first one")
		} else {
			first[e.key.text] = e.key
		}
	}
}

func (r *reader) mapping(n *node, want string) bool {
	if n != nil && n.kind != mappingNode {
		r.wrongKind(n, want)
	}
	return n != nil && n.kind == mappingNode
}

// eachLet reads named values into s, each seeing those above it.
func (r *reader) eachLet(n *node, s *scope, eval func(key *node, x *expression) value) {
	if !r.mapping(n, "a map of named values: name: expression") {
		return
	}
	for _, e := range n.entries {
		r.later[e.key.text] = "variable"
	}
	for _, e := range n.entries {
		ok := r.variable(e.key, s)
		x := r.expression(e.value, s)
		delete(r.later, e.key.text)
		if ok {
			s.set(e.key.text, eval(e.key, x))
			r.named = append(r.named, e.key)
		}
	}
}

// variable checks the name of a let or loop variable.
func (r *reader) variable(key *node, s *scope) bool {
	if !r.word(key, "variable") {
		return false
	}
	if _, taken := s.find(key.text); taken {
		r.fault("duplicate-variable", key.inner, "%q is declared twice", key.text).Get().Hint = "choose another name"
		return false
	}
	if old, taken := r.claims[key.text]; taken {
		r.fault("name-clash", key.inner, "the variable %q has the name of a %s", key.text, old.what).
			WithNote(old.span, "the %s", old.what)
		return false
	}
	return true
}

func (r *reader) unusedNames() {
	for _, k := range r.named {
		if !r.used[k.text] && !r.inBase(k.span) {
			r.warn("unused-let", k.inner, "%q is never used", k.text)
		}
	}
}

// colourList reads colours: [names], or {of: [names], take: number}.
func (r *reader) colourList(n *node) {
	if n == nil {
		return
	}
	names, take := n, (*expression)(nil)
	if n.kind == mappingNode {
		if !r.keys(n, &coloursKeys) {
			return
		}
		names = n.get("of")
		if t := n.get("take"); t != nil {
			take = r.expression(t, r.global)
		}
	}
	if names.kind != listNode {
		r.wrongKind(names, "a list of colours").WithHint("write [%s]", shorten(listText(names)))
		r.suppress(names)
		return
	}
	var all []string
	for i, item := range names.items {
		if i >= maxNames {
			r.fault("too-large", item.span, "a board has at most %d colours", maxNames)
			break
		}
		if r.claim(item, "colour") {
			all = append(all, item.text)
		}
	}
	if len(names.items) == 0 {
		r.fault("missing-colour", names.span, "a board needs a colour")
	}
	count := len(all)
	if take != nil {
		got, ok := r.whole(take, r.global)
		switch {
		case !ok:
		case got < 1 || got > len(names.items):
			r.fault("out-of-range", take.span(take.root), "cannot take %d of %d colours", got, len(names.items))
		default:
			count = min(got, len(all))
		}
	}
	r.colours = all // a board for few colours can still name the others
	list := value{kind: listValue}
	for i, name := range all {
		c := value{kind: colourValue, index: i}
		r.global.set(name, c)
		if i < count {
			r.board.Colours = append(r.board.Colours, Colour{Name: name, Words: catalogue.Spaced(name)})
			list.items = append(list.items, c)
		}
	}
	r.brokenTracks = make([]bool, count)
	r.global.set("colours", list)
}

// colour is the scope in which an expression is evaluated for one colour.
func (r *reader) colour(i int) *scope {
	s := r.global.inner()
	s.set("c", value{kind: colourValue, index: i})
	for _, l := range r.landmarks {
		v := value{}
		if i < len(l.values) {
			v = l.values[i]
		}
		s.set(l.name, v)
	}
	return s
}

// zones reads zones: [names], or a map from names to how they are drawn.
func (r *reader) zones(n *node) {
	if n == nil {
		return
	}
	var keys []*node
	switch n.kind {
	case listNode:
		keys = n.items
	case mappingNode:
		keys = seq.Map(n.entries, func(e entry) *node { return e.key })
	default:
		r.wrongKind(n, "a list of zones").WithHint("write [%s]", shorten(listText(n)))
		r.suppress(n)
	}
	for i, key := range keys {
		if i >= maxNames {
			r.fault("too-large", key.span, "a board has at most %d zones", maxNames)
			break
		}
		if r.claim(key, "zone") {
			r.global.set(key.text, value{kind: placeValue, index: len(r.board.Places)})
			r.board.places[key.text] = len(r.board.Places)
			r.board.Places = append(r.board.Places, Place{Name: key.text, Words: catalogue.Spaced(key.text), Zone: true, Family: None, Span: key.inner})
		}
	}
}

func sortedNames(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// listText is a scalar as it would stand in a list.
func listText(n *node) string {
	if n.kind != scalarNode || n.text == "" {
		return "a, b"
	}
	return n.text
}

// nodeText is a scalar's text, "" for anything else.
func nodeText(n *node) string {
	if n == nil || n.kind != scalarNode {
		return ""
	}
	return n.text
}

// keySet is the keys of a map of the format. A test compares every set with the JSON Schema.
type keySet struct {
	what               string // what the map describes, with its article
	required, optional []string
}

// all lists the keys, required ones first.
func (k *keySet) all() []string { return slices.Concat(k.required, k.optional) }

// of is the set for a more specific map, with further keys.
func (k *keySet) of(what string, more ...string) *keySet {
	return &keySet{what, k.required, slices.Concat(k.optional, more)}
}

// The maps of the format. A family made by loops needs and refuses other keys than one that lists its squares; the reader of
// families reports that, with a hint.
var (
	boardKeys = keySet{"a board", []string{"board", "colours", "squares", "tracks"},
		[]string{"title", "parameters", "let", "zones", "landmarks", "drawing", "use", "extends", "without"}}
	usingKeys     = keySet{"a board that uses another", []string{"board", "use"}, []string{"title", "parameters"}}
	extendingKeys = keySet{"a board that extends another", []string{"board", "extends"},
		[]string{"without", "title", "parameters", "let", "colours", "zones", "squares", "landmarks", "tracks", "drawing"}}
	parameterKeys = keySet{"a parameter", []string{"from", "to", "default"}, nil}
	coloursKeys   = keySet{"colours", []string{"of"}, []string{"take"}}
	zoneKeys      = keySet{"a zone", nil, []string{"draw"}}
	familyKeys    = keySet{"a family of squares", nil,
		[]string{"for", "let", "where", "name", "list", "tags", "attributes", "draw", "closed"}}
	runKeys     = keySet{"a run", nil, []string{"from", "to", "around", "backwards"}} // and the family's loop variables
	drawingKeys = keySet{"a drawing", nil,
		[]string{"kind", "count", "rows", "lanes", "width", "reach", "turned", "clockwise", "palette", "marks", "ground"}}
	squareDrawKeys = keySet{"the drawing of a square", nil,
		[]string{"x", "y", "arm", "lane", "row", "width", "height", "angle", "turned", "around", "fill", "label"}}
	zoneDrawKeys = squareDrawKeys.of("the drawing of a zone", "shape")
	listedKeys   = squareDrawKeys.of("a square", "tags", "attributes") // of a family's list
)

// The words that some keys accept.
var (
	kindNames   = []string{"plain", "arms"}
	aroundNames = []string{"true", "once"}
)
