package boards

import (
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
)

// zoneShapes reads how zones are drawn: once for each colour where the draw uses c, otherwise once.
func (r *reader) zoneShapes(n *node) {
	r.board.drawing.zones = map[int][]area{}
	if n == nil || n.kind != mappingNode {
		return
	}
	for _, e := range n.entries {
		place, known := r.board.places[e.key.text]
		if e.value.null || !r.keys(e.value, &zoneKeys) || !known {
			continue
		}
		draw := e.value.get("draw")
		if draw == nil || len(r.board.Colours) == 0 {
			continue
		}
		what := r.draw.draft(r, draw, r.colour(0), zoneDrawKeys)
		if what == nil {
			continue
		}
		what.form = form(max(0, r.choice(draw.get("shape"), formNames[:])))
		r.zoneShape(place, what)
	}
}

func (r *reader) zoneShape(place int, what *draft) {
	drawing := &r.board.drawing
	needed := []string{"x", "y"}
	if r.draw.arms && what.keys["x"] == nil && what.keys["y"] == nil {
		needed = []string{"arm"}
		if what.form == boxForm || what.form == discForm {
			needed = []string{"arm", "row"}
		}
	} else if what.form == wedgeForm || what.form == bayForm {
		r.fault("missing-coordinates", r.head(what.node), "a %s needs %q, in a drawing in arms", formNames[what.form], "arm")
		return
	}
	for _, key := range needed {
		if _, said := what.keys[key]; !said {
			r.fault("missing-coordinates", r.head(what.node), "the drawing lacks %q", key)
			return
		}
	}
	perColour := seq.Any(maps.Values(what.keys), func(x *expression) bool { return x.uses("c") })
	for c := range r.board.Colours {
		s := r.colour(c)
		r.turn = turn{[]string{"c"}, s}
		shape, ok := r.draw.shape(r, what, s)
		r.turn = turn{}
		if !ok {
			return
		}
		switch shape.Form {
		case wedgeForm:
			r.draw.wedge(&shape)
		case bayForm:
			r.draw.bay(&shape)
		}
		if shape.Owner = c; !perColour {
			shape.Owner = None
		}
		if what.keys["label"] == nil {
			shape.Label = r.board.Places[place].Name
		}
		drawing.zones[place] = append(drawing.zones[place], shape)
		if !perColour {
			return
		}
	}
}

// marks reads the marks of tags, attributes and landmarks.
func (r *reader) marks(n *node) {
	if n = n.get("marks"); !r.mapping(n, "a map from tags, landmarks and attributes to marks") {
		return
	}
	r.distinct(n, "mark")
	for _, e := range n.entries {
		landmarks := seq.Map(r.board.Landmarks, func(l Landmark) string { return l.Name })
		attributes := seq.Map(r.board.Attributes, func(a Attribute) string { return a.Name })
		m := marking{
			Tag:       slices.Index(r.board.Tags, e.key.text),
			Landmark:  slices.Index(landmarks, e.key.text),
			Attribute: slices.Index(attributes, e.key.text),
		}
		if m.Tag < 0 && m.Landmark < 0 && m.Attribute < 0 && !r.brokenSquares {
			r.suggest(r.fault("unknown-tag", e.key.span, "there is no tag, landmark or attribute %q", shorten(e.key.text)), e.key.text, slices.Concat(r.board.Tags, landmarks, attributes))
		}
		r.listedTags.declared[e.key.text] = r.listedTags.declared[e.key.text] || m.Tag >= 0
		r.listedAttributes.declared[e.key.text] = r.listedAttributes.declared[e.key.text] || m.Attribute >= 0
		if i := r.choice(e.value, markNames()); i >= 0 {
			m.Form = markForm(i)
			if m.Form == markArrow && m.Attribute < 0 {
				r.fault("wrong-kind", e.value.span, "%q is no attribute: it has no place an arrow could lead to", e.key.text)
			}
			r.board.drawing.marks = append(r.board.drawing.marks, m)
		}
	}
}
