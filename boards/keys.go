package boards

import "slices"

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
