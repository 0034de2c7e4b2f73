package cli

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/leaflet"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/web"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

type leafletOptions struct {
	gameFlags
	ruleset, out, format, lang string
	whole                      bool // the whole rule book, with its house rules in it
}

// leafletFormats are the ways to write a leaflet.
var leafletFormats = []string{"html", "md"}

func (s *session) leafletVerb() *cobra.Command {
	o := &leafletOptions{}
	cmd := verb("leaflet", s.completeRuleset, mode{low: 1, high: 1, what: "a RULESET", run: func(_ *cobra.Command, args []string) error {
		o.ruleset, o.lang = args[0], s.lang
		return s.leaflet(o)
	}})
	o.bind(s, cmd)
	cmd.Flags().StringVarP(&o.out, "output", "o", "-", "")
	stringFlag(cmd, &o.format, "format", "html", "", completeWords(leafletFormats...))
	bindLang(cmd, &o.lang)
	return cmd
}

func (s *session) leaflet(o *leafletOptions) error {
	if !slices.Contains(leafletFormats, o.format) {
		return told("usage.flag", "flag", "format", "got", strconv.Quote(o.format), "want", choice(leafletFormats))
	}
	sheet, err := s.makeLeaflet(o)
	if err != nil {
		return err
	}
	write := sheet.HTML
	if o.format == "md" {
		write = sheet.Markdown
	}
	return s.drawFiles(drawing{o.out, write})
}

// leafletOf makes leaflets of the games of a host. Rules that were written on the page are in no file: of these there is none.
func (s *session) leafletOf(host *door.Host) web.Leaflet {
	return func(game, languages string) ([]byte, error) {
		h := host.Header(game)
		if h == nil {
			return nil, usagef("there is no game %q", game)
		}
		o := &leafletOptions{
			gameFlags: gameFlags{players: h.Players, with: h.With, set: seq.Map(h.Options, model.OptionValue.String)},
			ruleset:   h.Rules, lang: locale.Choose(languages), whole: true,
		}
		sheet, err := s.makeLeaflet(o)
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		err = sheet.HTML(&out)
		return out.Bytes(), err
	}
}

func (s *session) makeLeaflet(o *leafletOptions) (*leaflet.Sheet, error) {
	l, _, err := s.loadGame(o.ruleset, &o.gameFlags)
	if err != nil {
		return nil, err
	}
	if l.TestsOnly() {
		return nil, told("usage.tests_only", "name", strconv.Quote(o.ruleset)).hinted("usage.tests_for", "book", l.Base())
	}
	options, err := o.options()
	if err != nil {
		return nil, err
	}
	choice := leaflet.Options{Setting: dsl.Setting{Options: options, Players: o.players}, Lang: o.lang}
	switch {
	case o.whole:
	case len(o.with) > 0:
		if choice.Base, err = s.load(o.ruleset, &gameFlags{}); err != nil {
			return nil, err
		}
	case l.IsChange():
		if choice.Base, err = s.baseOf(o.ruleset, l, ""); err != nil {
			return nil, err
		}
	}
	return leaflet.Make(l, choice)
}
