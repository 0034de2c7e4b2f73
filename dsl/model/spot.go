package model

import (
	"strconv"
	"strings"
)

// Spot is the location of a piece, as tests and positions write it: PLACE, PLACE/PASSAGE or PLACE#ORDINAL, or both.
//
// A track may visit a place several times, and a piece there may be on its second passage: "39/2". "39/1" and "39"
// are the first. "39/0" is a piece put there from outside its track. If a colour has several pieces on a place,
// "39#2" is the second, in the order in which the position lists them, regardless of passage.
type Spot struct {
	Place   int
	Passage int // AnyPassage if not given
	Ordinal int // 0 if not given
}

// AnyPassage is the passage of a spot without one.
const AnyPassage = -1

// ReadSpot parses a spot: the name of its place, the passage and the ordinal. ok is false if these are not numbers.
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

// maxSpot is the largest number in a spot.
const maxSpot = 9999

// spotNumber parses a number of a spot, -1 if it is invalid.
func spotNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxSpot || s != strconv.Itoa(n) {
		return -1
	}
	return n
}
