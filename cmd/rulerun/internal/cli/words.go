package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/seq"
)

func (s *session) wordsVerb() *cobra.Command {
	var lang string
	cmd := verb("words", completeExt("rules", "yaml", "clauses"), mode{low: 1, high: -1, what: "a FILE or folder", run: func(_ *cobra.Command, args []string) error {
		if !catalogue.IsLang(lang) || lang == "en" {
			return usagef("flag --lang: got %q, want a language such as es", lang)
		}
		paths, err := collect(args, ".rules", ".yaml", ".clauses")
		if err != nil {
			return err
		}
		return seq.Do(paths, func(path string) error { return s.words(path, lang, slices.Contains(args, path)) })
	}})
	cmd.Flags().StringVar(&lang, "lang", "", "")
	return cmd
}

// words brings the catalogue of a file up to date, which is also that of the other files of its name.
func (s *session) words(path, lang string, named bool) error {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	var texts []catalogue.Text
	for _, path := range []string{stem + ".rules", stem + ".yaml", stem + ".yml", stem + ".clauses"} {
		if !isFile(path) {
			continue
		}
		more, err := s.textsOf(path, named)
		if err != nil {
			return err
		}
		texts = append(texts, more...)
	}
	if len(texts) == 0 {
		return nil
	}
	name := stem + "." + lang + ".json"
	var was *catalogue.Catalogue
	old := ""
	if isFile(name) {
		file, err := readSource(name, catalogue.MaxBytes)
		if err != nil {
			return err
		}
		c, faults := catalogue.Read(file, lang)
		if faults.HasErrors() {
			return faults
		}
		was, old = c, file.Text()
	}
	text := was.Update(texts)
	if string(text) == old {
		return nil
	}
	if err := save(name, text); err != nil {
		return err
	}
	_, err := fmt.Fprintln(s.out, name)
	return err
}

// textsOf lists the texts of a rule file, a board or a list of clauses. A YAML file of a folder may be no board.
func (s *session) textsOf(path string, named bool) ([]catalogue.Text, error) {
	if filepath.Ext(path) == ".rules" {
		file, lib, err := s.rulesFile(path)
		if err != nil {
			return nil, err
		}
		book, faults := dsl.Load(file, lib)
		if book == nil {
			return nil, faults
		}
		return book.Texts(), nil
	}
	file, err := readSource(path, files.Limit(path))
	if err == nil && filepath.Ext(path) == ".clauses" {
		return dsl.ClauseTexts(file), nil
	}
	if err != nil || !named && !boards.Recognise(file) {
		return nil, err
	}
	board, faults := boards.Read(file, nil, s.boardsBeside(path, nil))
	if board == nil {
		return nil, faults
	}
	return board.Texts(file), nil
}
