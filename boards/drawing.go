package boards

// Drawing says where a board's places are drawn, and how. Coordinates grow to the right and downwards, one
// unit is about the depth of a square.
type Drawing struct {
	Squares   []Shape         // for each place; the zero Shape for zones
	Zones     map[int][]Shape // by place: the shapes of a zone, each for its Owner; a zone without stands beside the board
	Palette   []string        // for each colour, "#rrggbb"
	Marks     []Mark
	Ground    Ground
	Arms      bool    // places are grouped in arms round a centre: Shape.Arm, Lane and Row are set
	Clockwise bool    // arms follow one another clockwise
	Turned    float64 // degrees, clockwise, by which the whole is turned
}

// Form says what a shape is.
type Form uint8

// The forms.
const (
	Box   Form = iota // a rectangle, turned about its centre; Outline, if any, is its true outline
	Disc              // a circle
	Wedge             // Outline, a piece of the middle
	Bay               // Outline, the room between two arms, with a disc in it
)

// Shape is where a place is drawn.
type Shape struct {
	Form          Form
	X, Y          float64 // centre
	Width, Height float64
	Angle         float64 // degrees, clockwise
	Outline       []Point
	Owner         int    // zones: the colour this shape is for, or None for all
	Fill          int    // colour it is filled with, or None
	Label         string // what is written on it

	Arm, Lane, Row float64
}

// Point is a point of a drawing.
type Point struct{ X, Y float64 }

// MarkForm is what a mark looks like.
type MarkForm uint8

// The forms of marks.
const (
	MarkCircle MarkForm = iota
	MarkDot
	MarkStar
	MarkCross
	MarkDiamond
	MarkTriangle
	MarkRound // the square's corners are rounded
	MarkFill  // the square is filled: a tag's in a shade, a landmark's in its colour
	MarkArrow // of an attribute: it leads from the square to the attribute's place
)

var markNames = [...]string{
	MarkCircle: "circle", MarkDot: "dot", MarkStar: "star", MarkCross: "cross", MarkDiamond: "diamond",
	MarkTriangle: "triangle", MarkRound: "round", MarkFill: "fill", MarkArrow: "arrow",
}

// String is the mark's name in board files.
func (m MarkForm) String() string { return markNames[m] }

// Mark is drawn on every square with a tag or an attribute, or on each colour's landmark. Those it is not for
// are None.
type Mark struct {
	Tag, Landmark, Attribute int
	Form                     MarkForm
}

// Ground is what lies under the squares.
type Ground uint8

// The grounds.
const (
	GroundHull Ground = iota // the smallest outline without dents round everything drawn
	GroundBox                // a rectangle
	GroundDisc
	GroundNone
)

var groundNames = [...]string{GroundHull: "hull", GroundBox: "box", GroundDisc: "disc", GroundNone: "none"}
