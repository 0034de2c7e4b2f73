package boards

import "github.com/rulerun/rulerun/boards/scene"

// drawing says where a board's places are drawn, and how, as the file says it. Coordinates grow to the right and
// downwards, one unit is about the depth of a square. Scene makes shapes of it.
type drawing struct {
	squares   []area         // for each place; the zero area for zones
	zones     map[int][]area // by place, each for its Owner; a zone without areas is shown beside the board
	marks     []marking
	ground    ground
	arms      bool    // places are grouped in arms round a center: Arm, Lane and Row of the areas are set
	clockwise bool    // arms follow one another clockwise
	turned    float64 // degrees, clockwise, by which the whole is turned
}

// form is the shape of an area.
type form uint8

const (
	boxForm   form = iota // a rectangle, turned about its center, or cut to its Outline
	discForm              // a circle
	wedgeForm             // Outline, a piece of the middle
	bayForm               // Outline, the room between two arms, with a disc in it
)

var formNames = [...]string{boxForm: "box", discForm: "disc", wedgeForm: "wedge", bayForm: "bay"}

// area is where a place is drawn.
type area struct {
	Form          form
	X, Y          float64 // center
	Width, Height float64
	Angle         float64 // degrees, clockwise
	Outline       []scene.Point
	Owner         int    // of zones: the colour whose pieces stand here, None for all colours
	Fill          int    // colour it is filled with, or None
	Label         string // what is written on it

	Arm, Lane, Row float64
}

// marking puts a mark on every square with a tag or an attribute, or on each colour's landmark. The two that do not
// apply are None.
type marking struct {
	Tag, Landmark, Attribute int
	Form                     markForm
}

// ground is what lies under the squares.
type ground uint8

const (
	groundHull ground = iota // the smallest convex outline around everything drawn
	groundBox                // a rectangle
	groundDisc
	groundNone
)

var groundNames = [...]string{groundHull: "hull", groundBox: "box", groundDisc: "disc", groundNone: "none"}
