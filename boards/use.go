package boards

import (
	"slices"
)

// use makes the board of another file with given parameters.
func (r *reader) use(n *node) *Board {
	if n.kind != mappingNode {
		r.wrongKind(n, "a map: {board: NAME, PARAMETER: VALUE}")
		return nil
	}
	r.distinct(n, "key")
	args := map[string]argument{}
	failed := false
	for _, e := range n.entries {
		if e.key.text == "board" {
			continue
		}
		v, ok := r.whole(r.expression(e.value, r.global), r.global)
		args[e.key.text] = argument{value: v, span: e.value.span, key: e.key.span}
		failed = failed || !ok
	}
	name := n.get("board")
	if name == nil {
		r.fault("missing-key", r.head(n), "use needs a key %q", "board")
		return nil
	}
	if name.kind != scalarNode || name.text == "" {
		r.wrongKind(name, "a board's name")
		return nil
	}
	chain := append(slices.Clone(r.chain), r.board.Name)
	if slices.Contains(chain, name.text) || len(chain) > maxUses {
		r.fault("use-loop", name.inner, "board %q ends up using itself", shorten(name.text))
		return nil
	}
	file, ok := r.open(name.text)
	if !ok || file == nil {
		suggest(r.fault("unknown-board", name.inner, "there is no board %q", shorten(name.text)), name.text, Names())
		return nil
	}
	if failed {
		return nil
	}
	base := read(file, args, r.open, chain, r.diags)
	if base == nil {
		return nil
	}
	out := *base
	out.Name, out.Span, out.Parameters, out.given = r.board.Name, r.board.Span, r.board.Parameters, r.board.given
	if r.board.Title != "" {
		out.Title = r.board.Title
	}
	return &out
}
