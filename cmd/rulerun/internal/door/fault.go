package door

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// Say is a text of the catalogue. Errors among its values are said in the same language.
func (w wording) Say(key string, args ...any) string {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args = slices.Clone(args)
			args[i] = w.said(err)
		}
	}
	return w.Locale.Say(key, args...)
}

// Said is an error in a language, or as it is where it has no sentence there. What does not fit a game is said in the language of
// that game.
func Said(lang string, err error) string { return wording{nil, locale.For(lang)}.said(err) }

func (w wording) said(err error) string {
	switch x := err.(type) {
	case *record.MisfitError:
		return x.Worded(in(x.Position.Game()).said)
	case interface{ Said(*locale.Locale) string }:
		return x.Said(w.Locale)
	case interface {
		Worded(func(error) string) string
	}:
		return x.Worded(w.said)
	case *catalogue.Sentence:
		return w.said(*x)
	case catalogue.Sentence:
		args := slices.Clone(x.Args)
		for i, arg := range args {
			switch arg := arg.(type) {
			case record.Seat:
				args[i] = w.called(string(arg))
			case record.Offer:
				args[i] = w.offer(arg)
			}
		}
		return w.Say(x.Key, args...)
	}
	return err.Error()
}

// offer lists options: in English in the words of a record, which are what people type.
func (w wording) offer(o record.Offer) string {
	if w.Lang == "" {
		return o.String()
	}
	return strings.Join(seq.Map(o.Options, func(x interpreter.Option) string { return w.Refused(w, x) }), ", ")
}

// Grounds says which rules cause a misfit, a line each.
func Grounds(m *record.MisfitError) []string {
	w := in(m.Position.Game())
	return seq.Distinct(seq.Map(m.Grounds(), func(x record.Ground) string {
		if x.Refused != nil {
			return w.refusal(x.Refused, false)
		}
		return w.said(x.Says)
	}))
}
