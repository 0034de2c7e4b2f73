package sense

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// reason says why a finding holds. Its numbers are those of all settings together.
type reason struct {
	text   string  // it says so by itself
	bounds []bound // or the values of what is compared do
}

// bound is a part of a comparison with the values it can have.
type bound struct {
	words string
	is    domain
}

func (r reason) none() bool { return r.text == "" && len(r.bounds) == 0 }

// join adds the reason in a further setting.
func (r reason) join(o reason) reason {
	switch {
	case r.none() || o.none():
		return reason{r.text + o.text, slices.Concat(r.bounds, o.bounds)}
	case len(r.bounds) != len(o.bounds):
		return r
	}
	out := reason{text: r.text}
	for i, b := range r.bounds {
		if b.words != o.bounds[i].words {
			return r
		}
		out.bounds = append(out.bounds, bound{b.words, b.is.join(o.bounds[i].is)})
	}
	return out
}

func (r reason) String() string {
	if len(r.bounds) == 0 {
		return r.text
	}
	return strings.Join(seq.Map(r.bounds, func(b bound) string { return b.words + " is " + b.is.words() }), " and ")
}

// inSetting names the setting that a finding holds in, with its number of players if that matters.
func (x *setting) inSetting(players bool) string {
	said := settingWords(x.r)
	if players {
		said = strings.Replace(" with "+strconv.Itoa(len(x.r.Seats))+" players", " 1 players", " 1 player", 1) + strings.Replace(said, " with ", " and ", 1)
	}
	if said == "" {
		return " in the usual setting"
	}
	return said
}

// settingWords names the options of a setting that are not as usual.
func settingWords(r *model.Rules) string {
	var said []string
	for _, o := range r.Options {
		if !o.Default {
			said = append(said, o.Name+" = "+o.Value)
		}
	}
	if len(said) == 0 {
		return ""
	}
	return " with " + strings.Join(said, ", ")
}
