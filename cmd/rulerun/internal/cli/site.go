package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/site"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/web"
	"github.com/rulerun/rulerun/examples"
	"github.com/rulerun/rulerun/interpreter/learn"
)

func (s *session) siteVerb() *cobra.Command {
	address, lang := "", ""
	cmd := verb("site", nil,
		mode{low: 1, high: -1, what: "a DIR, and rule files", flags: []string{"lang"},
			run: func(cmd *cobra.Command, args []string) error { return s.site(cmd.Context(), args[0], args[1:], lang) }},
		mode{flag: "link", low: 1, high: 1, what: "a rule FILE", flags: []string{"address", "lang"},
			run: func(_ *cobra.Command, args []string) error { return s.link(args[0], address) }},
	)
	f := cmd.Flags()
	f.Bool("link", false, "")
	f.StringVar(&address, "address", "", "")
	bindLang(cmd, &lang)
	return cmd
}

func (s *session) site(ctx context.Context, dir string, args []string, lang string) error {
	if lang != "" {
		lang = cmp.Or(locale.Choose(lang), "en")
	}
	texts, clauses, listed, err := s.texts(args, true)
	if err != nil {
		return err
	}
	size, err := site.Make(ctx, dir, site.Options{
		Page: web.Page(), Policy: web.Policy, Files: texts, Clauses: clauses, Listed: listed, Lang: lang, Version: version(),
		Say: func(text string) { fmt.Fprintln(s.err, text) },
	})
	if err != nil {
		return err
	}
	mb := func(n int) string { return locale.For(s.lang).Decimal(float64(n)/1e6, 1) }
	_, err = fmt.Fprintln(s.out, s.say("site.ready", "dir", filepath.ToSlash(dir), "play", mb(size.Play), "editor", mb(size.Editor)))
	return err
}

// link prints the link that carries a rule file.
func (s *session) link(file, address string) error {
	texts, _, listed, err := s.texts([]string{file}, false)
	if err != nil {
		return err
	}
	if len(listed) != 1 {
		return told("site.link_rules", "file", strconv.Quote(file), "n", len(listed))
	}
	link, err := books.Link(listed[0], texts)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, address+link)
	return err
}

// texts are the rule files that arguments name and the files they build on, by name; listed are the names of the former, and clauses
// what is written beside them. With learned they include what bots have learned of them.
func (s *session) texts(args []string, learned bool) (all, clauses books.Texts, listed []string, err error) {
	if len(args) == 0 {
		return nil, nil, nil, nil
	}
	given, err := s.given(args)
	if err != nil {
		return nil, nil, nil, err
	}
	all, clauses = books.Texts{}, books.Texts{}
	add := func(to, texts books.Texts) error {
		for name, text := range texts {
			if was, ok := to[name]; ok && was != text {
				return sayable("site.same_name", "name", name)
			}
			to[name] = text
		}
		return nil
	}
	for _, g := range given {
		if err := errors.Join(add(all, books.Needs(g)), add(clauses, books.Clauses(g))); err != nil {
			return nil, nil, nil, err
		}
	}
	for _, b := range books.New(examples.Shipped(), given).List() { // without files of tests
		if slices.ContainsFunc(given, func(g books.Given) bool { return g.Name == b.Name }) {
			listed = append(listed, path.Base(b.Name))
		}
	}
	shelf := books.Listed(examples.Shipped(), all, listed)
	for _, g := range given {
		if !slices.Contains(listed, path.Base(g.Name)) {
			continue
		}
		rules, err := shelf.Rules(door.Pick{Rules: path.Base(g.Name)}, nil, 0)
		if err != nil {
			return nil, nil, nil, err
		}
		name := rules.Name + learn.Suffix
		if text, err := fs.ReadFile(g.Library.Beside, name); learned && err == nil {
			if err := add(all, books.Texts{name: string(text)}); err != nil {
				return nil, nil, nil, err
			}
		}
	}
	return all, clauses, listed, nil
}
