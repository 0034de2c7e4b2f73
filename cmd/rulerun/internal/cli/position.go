package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// entry is one position of a position file, with the counts it should have.
type entry struct {
	setup *interpreter.Setup
	perft []uint64
}

// readPositions reads a file that holds one position, an array of positions, or an array of objects with a
// position.
func readPositions(path string) ([]entry, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	data := bytes.TrimSpace([]byte(text))
	if len(data) == 0 {
		return nil, recordFault(path, "json.empty")
	}
	raw := []json.RawMessage{data}
	if data[0] == '[' {
		if err := json.Unmarshal(data, &raw); err != nil {
			return nil, jsonError(path, text, err)
		}
	}
	var out []entry
	for i, r := range raw {
		e, err := readEntry(r)
		if err != nil {
			if len(raw) > 1 {
				return nil, fmt.Errorf("%s: position %d: %w", path, i, jsonWords(err))
			}
			return nil, jsonError(path, text, err)
		}
		out = append(out, e)
	}
	return out, nil
}

func readEntry(data json.RawMessage) (entry, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return entry{}, err
	}
	e := entry{setup: &interpreter.Setup{}}
	if counts, ok := keys["perft"]; ok {
		if err := json.Unmarshal(counts, &e.perft); err != nil {
			return entry{}, err
		}
	}
	if inner, ok := keys["position"]; ok {
		data = inner
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return e, d.Decode(e.setup)
}

// jsonError adds the line of a fault in a JSON file.
func jsonError(path, text string, err error) error {
	out := &record.SyntaxError{Name: path, Fault: jsonWords(err)}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		out.Line = 1 + strings.Count(text[:min(int(syntax.Offset), len(text))], "\n")
	}
	return out
}

// jsonWords says in plain words what is wrong with JSON.
func jsonWords(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return sayable("json.syntax", "why", syntax.Error())
	case errors.As(err, &kind) && kind.Field != "":
		return sayable("json.kind", "name", strconv.Quote(kind.Field), "kind", kind.Value)
	case errors.As(err, &kind):
		return sayable("json.position", "kind", kind.Value)
	}
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return sayable("json.key", "name", field)
	}
	return err
}

// onePosition reads a file that holds one position.
func onePosition(path string) (*interpreter.Setup, error) {
	entries, err := readPositions(path)
	if err != nil {
		return nil, err
	}
	if len(entries) != 1 {
		return nil, told("usage.positions", "path", path, "n", len(entries))
	}
	return entries[0].setup, nil
}

// finder finds the games that positions are of. It compiles each once.
type finder struct {
	s       *session
	path    string // of the position file
	ruleset string // instead of what positions name
	flags   gameFlags
	books   map[string]*dsl.Book
	games   map[string]*interpreter.Game
}

func (s *session) finderFor(path, ruleset string, flags gameFlags) *finder {
	return &finder{s: s, path: path, ruleset: ruleset, flags: flags, books: map[string]*dsl.Book{}, games: map[string]*interpreter.Game{}}
}

// game is the game a position is of.
func (t *finder) game(setup *interpreter.Setup) (*interpreter.Game, error) {
	arg, err := t.argument(setup.Ruleset)
	if err != nil {
		return nil, err
	}
	flags := t.flags
	flags.settle(setup)
	flags.players = cmp.Or(flags.players, setup.Players)
	key := fmt.Sprint(arg, "\x00", flags)
	if g := t.games[key]; g != nil {
		return g, nil
	}
	if t.books[arg] == nil {
		if t.books[arg], err = t.s.load(arg, &flags); err != nil {
			return nil, err
		}
	}
	t.games[key], err = t.s.game(t.books[arg], &flags)
	return t.games[key], err
}

// argument turns the ruleset a position names into a RULESET argument: a file beside the position file or by its whole
// path, or a shipped rule book.
func (t *finder) argument(name string) (string, error) {
	switch {
	case t.ruleset != "":
		return t.ruleset, nil
	case name == "":
		return "", told("usage.position_rules")
	}
	for _, path := range []string{name, name + ".rules"} {
		if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(t.path), path)
		}
		if strings.HasSuffix(path, ".rules") && isFile(path) {
			return path, nil
		}
	}
	if isPath(name) {
		return "", told("usage.beside", "name", strconv.Quote(name), "path", t.path)
	}
	return name, nil
}

// position is a position of its game, with every reason if it cannot be.
func (t *finder) position(setup *interpreter.Setup) (*interpreter.Position, error) {
	g, err := t.game(setup)
	if usage, ok := errors.AsType[*usageError](err); ok && t.ruleset == "" && len(t.flags.set)+len(t.flags.with)+t.flags.players == 0 {
		// The file is at fault, not the command.
		text := usage.Error()
		if remedy := usage.remedy(locale.For("")); remedy != "" {
			text += "; " + remedy
		}
		return nil, errors.New(text)
	}
	if err != nil {
		return nil, err
	}
	return g.Setup(setup)
}
