package boards

import (
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// maxName is how long a name may be, in bytes.
const maxName = 40

// The letters of names.
const (
	smallLetters = "abcdefghijklmnopqrstuvwxyz"
	capitals     = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits       = "0123456789"
)

// isWord reports whether the rules language can write name as a plain word.
func isWord(name string) bool {
	return isSquareName(name) && 'a' <= name[0] && name[0] <= 'z' && strings.Trim(name, smallLetters+digits+"_") == ""
}

// isSquareName reports whether a square may be called name.
func isSquareName(name string) bool {
	return name != "" && len(name) <= maxName && strings.Trim(name, smallLetters+capitals+digits+"-_") == ""
}

// plainLetters replaces letters with accents, for hints. What browsers load has no tables of Unicode.
var plainLetters = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ä", "a", "ã", "a", "å", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "ë", "e",
	"í", "i", "ì", "i", "î", "i", "ï", "i", "ñ", "n", "ó", "o", "ò", "o", "ô", "o", "ö", "o", "õ", "o", "ø", "o", "ú", "u", "ù", "u", "û", "u",
	"ü", "u", "ý", "y", "ß", "ss")

// expressionWords have a meaning in every expression of a board, and so does the variable c.
const expressionWords = " true false nil not in and or let if else matches contains startsWith endsWith all none any " +
	"filter map count sum find len first last min max abs int string square colours c "

// ruleWords are reserved in rules, so a board cannot use them as names: fields of places, colours and pieces, and the
// names of the language.
const ruleWords = " pieces name colour player team seat track at index players playing ranked board game me mine " +
	"hand steps thrown earned heading offered remaining usable after next " +
	"when by to with on from carrying "

// word checks a name that rules write as a plain word; what is the kind of thing it names.
func (r *reader) word(n *node, what string) bool {
	if n.kind != scalarNode {
		r.wrongKind(n, "the name of a "+what)
		return false
	}
	switch {
	case n.text == "":
		r.fault("missing-name", n.span, "the name of a %s is missing", what)
	case !isWord(n.text):
		r.badWord(n, what)
		r.suppressed[n.text] = true
	case strings.Contains(expressionWords, " "+n.text+" "),
		what != "parameter" && what != "variable" && strings.Contains(ruleWords, " "+n.text+" "):
		r.fault("reserved-name", n.inner, "%q has a meaning of its own and cannot name a %s", n.text, what)
		r.suppressed[n.text] = true
	default:
		return true
	}
	return false
}

// badWord reports a name that rules cannot write as a plain word.
func (r *reader) badWord(n *node, what string) {
	d := r.fault("bad-name", n.inner, "rules cannot write the %s name %q", what, shorten(n.text))
	d.Get().Hint = "a name is made of small letters a to z, digits and _, begins with a letter and is at most 40 long"
	if w := strings.NewReplacer("-", "_", " ", "_").Replace(plainLetters.Replace(strings.ToLower(n.text))); isWord(w) {
		d.Get().Hint = "write it " + quote(w)
		d.Instead(w)
	}
}

// claim records that n names a thing of the given kind, and reports a name that is already taken.
func (r *reader) claim(n *node, what string) bool {
	if !r.word(n, what) {
		return false
	}
	old, taken := r.claims[n.text]
	switch {
	case !taken:
		r.claims[n.text] = claimed{what: what, span: n.inner}
		r.board.declared[n.text] = r.claims[n.text]
		return true
	case old.what == what:
		r.fault("duplicate-"+what, n.inner, "a second %s is called %q", what, n.text).
			WithNote(old.span, "the first one")
	default:
		r.suppressed[n.text] = true
		r.fault("name-clash", n.inner, "the %s %q has the name of a %s", what, n.text, old.what).
			WithNote(old.span, "the %s", old.what).WithHint("choose another name for one of them")
	}
	return false
}

// claimShared is claim for names that several families may give to the same thing.
func (r *reader) claimShared(n *node, what string) bool {
	if old, taken := r.claims[n.text]; taken && old.what == what && n.kind == scalarNode {
		return true
	}
	return r.claim(n, what)
}

type claimed struct {
	what string
	span source.Span
}

func (r *reader) wrongKind(n *node, want string) diag.Ref {
	got := nodeKindNames[n.kind]
	if n.null {
		got = "nothing"
	}
	return r.fault("wrong-kind", n.span, "got %s, want %s", got, want)
}

func quote(s string) string { return "\"" + s + "\"" }

// shorten keeps messages readable when a name is a page long.
func shorten(s string) string {
	if len(s) <= maxName+10 {
		return s
	}
	return strings.ToValidUTF8(s[:maxName], "") + "…"
}

// maxSuggested is the number of findings with suggestions: to compare a name with all others takes time.
const maxSuggested = 500

// suggestPlace adds to a fault which place was perhaps meant, or which there are.
func (r *reader) suggestPlace(d diag.Ref, name string) {
	if len(*r.diags) > maxSuggested {
		return
	}
	if n := diag.Nearest(name, r.board.PlaceNames()); strings.ContainsAny(n, name) {
		d.DidYouMean(n)
	} else if there := r.board.PlaceWords(); there != "" {
		d.WithHint("there is: %s", there)
	}
}

// suggest adds to a fault what was perhaps meant, or what there is.
func (r *reader) suggest(d diag.Ref, name string, known []string) {
	if len(*r.diags) > maxSuggested {
		return
	}
	if n := diag.Nearest(name, known); strings.ContainsAny(n, name) {
		d.DidYouMean(n)
	} else if len(known) > 0 && len(known) <= 12 {
		d.WithHint("known: %s", strings.Join(known, ", "))
	}
}
