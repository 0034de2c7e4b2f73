package boards

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// compiled is the schema as a library reads it, which holds it against the schema of schemas too.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(SchemaFile, document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(SchemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asJSON is a YAML node as JSON has it.
func asJSON(t *testing.T, n *yaml.Node) any {
	t.Helper()
	switch n.Kind {
	case yaml.DocumentNode:
		return asJSON(t, n.Content[0])
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			out[n.Content[i].Value] = asJSON(t, n.Content[i+1])
		}
		return out
	case yaml.SequenceNode:
		out := []any{}
		for _, c := range n.Content {
			out = append(out, asJSON(t, c))
		}
		return out
	}
	var v any
	if err := n.Decode(&v); err != nil {
		return n.Value
	}
	if at, ok := v.(time.Time); ok {
		return at.String()
	}
	return v
}

// parse reads YAML; it is nil where the text is none.
func parse(text string) *yaml.Node {
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text), &n); err != nil || len(n.Content) == 0 {
		return nil
	}
	return &n
}

// valid is every board that is right: by its path.
func valid(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*.yaml", "testdata/*.yaml", "../examples/games/*.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, p := range paths {
			text, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			out[p] = string(text)
		}
	}
	return out
}

func TestSchemaOfValidBoards(t *testing.T) {
	s := compiled(t)
	for path, text := range valid(t) {
		if err := s.Validate(asJSON(t, parse(text))); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ := strings.Cut(rest, "```")
	if err := s.Validate(asJSON(t, parse(text))); err != nil {
		t.Errorf("README.md: %v", err)
	}
}

// TestModelines wants every board that people will look at to name the schema, so that editors find it.
func TestModelines(t *testing.T) {
	for path, text := range valid(t) {
		if strings.HasPrefix(path, "testdata") {
			continue
		}
		line, _, _ := strings.Cut(text, "\n")
		to, ok := strings.CutPrefix(line, "# yaml-language-server: $schema=")
		if !ok {
			t.Errorf("%s begins with %q", path, line)
			continue
		}
		if got, err := os.ReadFile(filepath.Join(filepath.Dir(path), to)); err != nil || string(got) != Schema() {
			t.Errorf("%s names %q, which is not the schema (%v)", path, to, err)
		}
	}
}

// structural are the codes of what a schema can see: keys, kinds of values, names.
var structural = []string{"unknown-key", "missing-key", "wrong-kind", "bad-name", "reserved-name", "missing-name", "missing-expression"}

// semantic are the broken boards whose faults take more than a schema: what a name means, what an expression gives,
// how things lie, what stands twice.
var semantic = []string{
	"clash", "comment", "duplicates", "not-in-format-tag", "places-in-text", "start-off-track", "unknown-squares",
	"uneven-tracks", "unreachable-square", "lonely-name", "odd-one-out", "always-same", "same-again", "extends-clash", "extends-without", "use-broken", "use-loop", "use-loop-b", "use-parameter", "idle_sum", "longer_way",
	"all-on-one-spot", "assign-for-equals", "attribute-off-board", "attribute-to-unknown", "clash-zone-family",
	"closed-yes", "counted-from-zero", "curly-quotes", "decimal-in-expression", "duplicate-zone", "empty-range",
	"landmark-number", "lane-for-no-colour", "range-in-words", "range-with-dash", "run-past-end", "square-off-board",
	"start-beyond-ring", "take-too-many", "track-for-no-colour", "track-to-unknown-zone", "two-faults-a-line",
	"unknown-region", "yes-for-true", "always-holds", "empty-family", "odd-two-arrows", "one-round", "range-corner", "range-extends", "range-too-wide",
	"range-use", "same-hue", "same-squares", "same-hue-by-default", "same-hue-many", "control-escape", "shared-landmark", "uneven-round", "uneven-round-two", "same-ways-in-words",
	"one_side", "unused_parameter", "same_place_again", "odd_hole",
}

func TestSchemaOfBrokenBoards(t *testing.T) {
	s := compiled(t)
	paths, err := filepath.Glob(filepath.Join("testdata", "broken", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n := parse(string(text))
		if n == nil {
			continue // no YAML: an editor says so without a schema
		}
		refused := s.Validate(asJSON(t, n)) != nil
		if knows := slices.Contains(semantic, name); refused == knows {
			t.Errorf("%s: refused %v, among the semantic ones %v", name, refused, knows)
		}
		file, _ := openBroken(name)
		_, found := Read(file, nil, openBroken)
		for _, d := range found {
			if slices.Contains(structural, d.Code) && d.Severity == diag.Error && !refused && !beyond(d) && d.Span.Name() == file.Name() {
				t.Errorf("%s: the schema does not see %v", name, d)
			}
		}
	}
}

// star is a small board with what others do not have: parameters, colours to take, arms.
const star = `board: star
title: A star
parameters:
  arms: {from: 2, to: 3, default: 2}
let: {size: 2 * arms}
colours: {of: [red, blue, green], take: arms}
zones:
  nest: {draw: {shape: bay, arm: c.seat + 1/2, fill: c}}
  shore: {draw: {shape: disc, arm: 0, row: 9, width: 2, label: "'shore'"}}
  out:
squares:
  ring:
    for: {i: 1..size}
    let: {n: i - 1}
    where: i != 9
    name: string(i)
    closed: true
    tags: {reed: n == 0}
    attributes: {link: {1: 2}, beyond: "ring[i % size + 1]"}
    draw: {arm: int(n / 2), lane: 0, row: "n % 2 + 1", height: 1, angle: 0}
  lane:
    for: {c: colours, k: 1..2}
    name: c.name + "-" + string(k)
    draw: {arm: c.seat, lane: 1, row: k}
landmarks:
  start: ring[c.seat + 1]
tracks:
  race: [nest, {ring: {from: start, around: once}}, {lane: c}, shore]
drawing:
  kind: arms
  count: 3
  rows: 2
  lanes: 3
  width: 1
  reach: 0
  turned: 0
  clockwise: false
  ground: "arms == 2 ? 'box' : 'disc'"
  palette: {red: "#f5c21b"}
  marks: {reed: circle, link: arrow, start: fill}
`

// extending is a board that extends another one in every part.
const extending = `board: extended
extends: {board: cross, arms: 4}
without: [loop]
title: A longer way
parameters:
  laps: {from: 1, to: 2, default: 1}
let: {size: 17 * arms, edge: 17 * laps}
colours: {take: 3}
zones: {pond: {draw: {shape: disc, x: 20, y: 0, width: 1}}, goal: {draw: {fill: nil}}}
squares:
  ring: {tags: {deep: i == edge}}
landmarks:
  lap: ring[17 * c.seat + 6]
tracks:
  twice: [{ring: {from: start, around: once}}, {ring: {from: start, to: mouth}}, {corridor: c}, goal, pond]
drawing:
  palette: {blue: "#123456"}
  marks: {deep: star}
`

// TestSchemaAndReaderAgree changes good boards at every place, in every way a schema could see, and holds the two
// together: what the schema refuses the reader refuses, and what the reader calls a fault of structure the schema
// refuses. It cannot see what a board that extends another leaves to that one.
func TestSchemaAndReaderAgree(t *testing.T) {
	s := compiled(t)
	changes := []string{"[]", "[1]", "{}", "{zz: 1}", "zz", "Zz", "7", "true", "null"}
	tried := 0
	for name, text := range map[string]string{"star": star, "extended": extending} {
		if _, found := Read(source.New(name+".yaml", text), nil, nil); len(found) > 0 {
			t.Fatal(found)
		}
	}
	tangle, err := os.ReadFile("testdata/tangle.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		"tangle": string(tangle), "used": "board: used\nuse: {board: cross, arms: 4}\n", "star": star, "extended": extending,
	} {
		try := func(root *yaml.Node, what string) {
			tried++
			out, err := yaml.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			again := parse(string(out))
			if again == nil {
				t.Fatalf("%s", out)
			}
			refused := s.Validate(asJSON(t, again))
			_, found := Read(source.New(path, string(out)), nil, nil)
			seen := diag.List{}
			for _, d := range found {
				if slices.Contains(structural, d.Code) && d.Severity == diag.Error {
					seen = append(seen, d)
				}
			}
			switch {
			case refused != nil && !found.HasErrors():
				t.Errorf("%s, %s: the schema alone refuses it: %v\n%s", path, what, refused, out)
			case refused == nil && len(seen) > 0 && !beyond(seen[0]) && !(path == "extended" && seen[0].Code == "missing-key"):
				t.Errorf("%s, %s: the reader alone refuses it: %v\n%s", path, what, seen, out)
			}
		}
		var walk func(root, n *yaml.Node, at string, isKey bool)
		walk = func(root, n *yaml.Node, at string, isKey bool) {
			was := *n
			if n.Kind != yaml.DocumentNode {
				for _, c := range changes {
					if isKey && strings.ContainsAny(c, "[{") {
						continue // JSON has no such keys
					}
					*n = *parse(c).Content[0]
					try(root, at+" = "+c)
				}
				*n = was
			}
			if n.Kind == yaml.MappingNode {
				n.Content = append(slices.Clone(was.Content), parse("zz: 1").Content[0].Content...)
				try(root, at+" with zz")
				for i := 0; i < len(was.Content); i += 2 {
					n.Content = slices.Delete(slices.Clone(was.Content), i, i+2)
					if len(n.Content) > 0 {
						try(root, at+" without "+was.Content[i].Value)
					}
				}
				*n = was
			}
			for i, c := range n.Content {
				if n.Kind == yaml.MappingNode && i%2 == 1 {
					walk(root, c, at+"."+n.Content[i-1].Value, false)
				} else {
					walk(root, c, at+"["+strconv.Itoa(i)+"]", n.Kind == yaml.MappingNode)
				}
			}
		}
		root := parse(text)
		walk(root, root, "", false)
	}
	if tried < 1000 {
		t.Errorf("only %d boards tried", tried)
	}
}

// beyond reports whether a fault of structure is one no schema can see: the loop variables of a family are keys of
// the runs along it, and an arrow is for attributes alone.
func beyond(d diag.Diagnostic) bool {
	return strings.HasPrefix(d.Message, "a run of ") || strings.Contains(d.Message, "is no attribute")
}

// TestSchemaKeys holds the keys and words of the schema against those of the reader, which stand in tables.
func TestSchemaKeys(t *testing.T) {
	var root map[string]any
	if err := json.Unmarshal([]byte(Schema()), &root); err != nil {
		t.Fatal(err)
	}
	at := func(path string) map[string]any {
		n := root
		for _, p := range strings.Split(path, "/") {
			if p == "" {
				continue
			}
			next, ok := n[p].(map[string]any)
			if !ok {
				t.Fatalf("the schema has nothing at %s", path)
			}
			n = next
		}
		return n
	}
	sets := map[string]struct {
		at  string
		set *keySet
	}{
		"boardKeys": {"", &boardKeys}, "parameterKeys": {"$defs/parameter", &parameterKeys}, "coloursKeys": {"properties/colours", &coloursKeys},
		"zoneKeys": {"$defs/zone", &zoneKeys}, "familyKeys": {"$defs/family", &familyKeys}, "runKeys": {"$defs/run", &runKeys},
		"drawingKeys": {"$defs/drawing", &drawingKeys}, "squareDrawKeys": {"$defs/squareDraw", &squareDrawKeys},
		"zoneDrawKeys": {"$defs/zoneDraw", zoneDrawKeys}, "listedKeys": {"$defs/listed", listedKeys},
	}
	known := []string{"fork", "back", "board"} // of elements of a track and of use, which take names of the file too
	for name, s := range sets {
		n := at(s.at)
		keys := names(n["properties"])
		same(t, name, keys, slices.Sorted(slices.Values(s.set.all())))
		known = append(known, keys...)
		required := n["required"]
		if s.at == "" {
			required = at("else/else")["required"]
		}
		if name == "coloursKeys" { // of a board that extends another, colours may say only how many take part
			required = at("else/else/properties/colours")["required"]
		}
		same(t, name+" required", names(required), slices.Sorted(slices.Values(s.set.required)))
		for _, k := range keys {
			if d := at(s.at + "/properties/" + k); d["description"] == nil && d["$ref"] == nil {
				t.Errorf("%s: the key %q has no words", name, k)
			}
		}
	}
	same(t, "usingKeys", names(at("then/propertyNames")["enum"]), slices.Sorted(slices.Values(usingKeys.all())))
	same(t, "usingKeys required", names(at("then")["required"]), slices.Sorted(slices.Values(usingKeys.required)))
	same(t, "extendingKeys", slices.Sorted(slices.Values(append(extendingKeys.all(), "use"))), slices.Sorted(slices.Values(boardKeys.all())))
	same(t, "extendingKeys required", names(at("else/then")["required"]), slices.Sorted(slices.Values(extendingKeys.required)))
	for path, words := range map[string][]string{
		"$defs/zoneDraw/properties/shape": formNames[:], "$defs/drawing/properties/kind": kindNames, "$defs/drawing/properties/ground": groundNames[:],
		"$defs/drawing/properties/marks/additionalProperties": markNames(),
	} {
		choices := at(path)["anyOf"].([]any)[0].(map[string]any)["enum"]
		same(t, path, names(choices), slices.Sorted(slices.Values(words)))
	}
	around := []string{}
	for _, v := range at("$defs/run/properties/around")["enum"].([]any) {
		around = append(around, fmt.Sprint(v))
	}
	same(t, "around", slices.Compact(around), aroundNames)
	same(t, "reserved for values", names(at("$defs/variable/not")["enum"]), sortedNames(strings.Fields(expressionWords)))
	same(t, "reserved for names", names(at("$defs/name/not")["enum"]), sortedNames(strings.Fields(expressionWords+ruleWords)))

	// Every table of keys is compared above, and every key the reader asks for by name is in one.
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	tables, asked := 0, 0
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if name := n.Names[0].Name; strings.HasSuffix(name, "Keys") && name != "usingKeys" && name != "extendingKeys" {
					tables++
					if _, ok := sets[name]; !ok {
						t.Errorf("%s: the table %s is not compared with the schema", path, name)
					}
				}
			case *ast.CallExpr:
				f, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || f.Sel.Name != "get" || len(n.Args) != 1 {
					break
				}
				if lit, ok := n.Args[0].(*ast.BasicLit); ok {
					asked++
					if key, _ := strconv.Unquote(lit.Value); !slices.Contains(known, key) {
						t.Errorf("%s: the reader asks for %q, which the schema does not know", path, key)
					}
				}
			}
			return true
		})
	}
	if tables != len(sets) || asked < 30 {
		t.Errorf("found %d tables of %d and %d keys asked for", tables, len(sets), asked)
	}
}

// names are the keys of a map or the texts of a list, sorted.
func names(v any) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			out = append(out, k)
		}
	case []any:
		for _, x := range v {
			out = append(out, fmt.Sprint(x))
		}
	}
	slices.Sort(out)
	return out
}
