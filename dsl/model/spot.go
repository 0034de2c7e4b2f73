package model

import (
	"strconv"
	"strings"
)

// Spot is where a piece stands, as tests and positions write it: PLACE, PLACE/PASSAGE or PLACE#ORDINAL, or both.
//
// A track may come to a place several times, and a piece there may be on its second passage: "39/2". "39/1" and "39" are
// the first; "39/0" is a piece that has been put there off its own track. Of several pieces of a colour on a place
// "39#2" is the second, in the order in which the position lists them, whatever their passages.
type Spot struct {
	Place   int
	Passage int // AnyPassage where it is not said
	Ordinal int // 0 where it is not said
}

// AnyPassage is the passage of a spot that does not say which.
const AnyPassage = -1

// ReadSpot takes the text of a spot apart: the name of its place, the passage and the ordinal. It is false where these are
// no numbers.
func ReadSpot(text string) (place string, passage, ordinal int, ok bool) {
	passage, ok = AnyPassage, true
	place, after, said := strings.Cut(text, "#")
	if said {
		ordinal = spotNumber(after)
		ok = ordinal > 0
	}
	place, after, said = strings.Cut(place, "/")
	if said {
		passage = spotNumber(after)
		ok = ok && passage >= 0
	}
	return place, passage, ordinal, ok
}

// maxSpot bounds the numbers of a spot.
const maxSpot = 9999

// spotNumber is a number of a spot, -1 where the text is none.
func spotNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxSpot || s != strconv.Itoa(n) {
		return -1
	}
	return n
}
