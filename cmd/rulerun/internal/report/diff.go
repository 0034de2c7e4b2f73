package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl/difference"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Markdown is a format for a comment on a pull request: a table, and all lines in a collapsed section below it.
const Markdown Format = "markdown"

// Diff is the difference between two rule books.
type Diff struct {
	Version    string // of the program
	Root       string // as in Run
	Old, New   Side
	Difference *difference.Difference
}

// Side is one of the rule books compared.
type Side struct {
	Name    string   `json:"name"`
	File    string   `json:"file,omitempty"`
	Title   string   `json:"title"`
	Changes []string `json:"changes,omitempty"` // the changes applied to it, by name
	Setting []string `json:"setting,omitempty"` // name=value
}

// called describes the side: its last change, or its name, with the setting.
func (s *Side) called() string {
	name := s.Name
	if len(s.Changes) > 0 {
		name += " with " + strings.Join(s.Changes, ", ")
	}
	if len(s.Setting) > 0 {
		name += " (" + strings.Join(s.Setting, ", ") + ")"
	}
	return name
}

// WriteDiff writes a difference as Text, Markdown or JSON.
func WriteDiff(w io.Writer, format Format, d *Diff, style Style) error {
	var b bytes.Buffer
	switch format {
	case Text:
		d.text(&b, style)
	case Markdown:
		d.markdown(&b)
	case JSON:
		return d.json(w)
	default:
		return fmt.Errorf("there is no format %q", format)
	}
	_, err := b.WriteTo(w)
	return err
}

// titles are the headings of the sections.
var titles = [...]string{
	difference.Options: "Options", difference.Players: "Who plays", difference.Board: "The board", difference.Dice: "Dice",
	difference.Variables: "Variables", difference.Lets: "Named values", difference.Moves: "Moves", difference.Acts: "Acts",
	difference.Turn: "The turn", difference.Rules: "Rules", difference.Counts: "Counts",
}

// thing is the subject of a change: "option bonus", "rule shelter", "the order of duties".
func thing(c *difference.Change, quote string) string {
	switch {
	case c.Kind == "order":
		return "the order of " + c.Name
	case c.Kind == "seats":
		return nouns[c.Kind] + " " + c.Name
	case nouns[c.Kind] != "":
		return nouns[c.Kind]
	case c.Name == "":
		return c.Kind
	}
	return c.Kind + " " + quote + c.Name + quote
}

// nouns are the names of things that occur once.
var nouns = map[string]string{
	"players": "the number of players", "pieces": "the number of pieces", "first": "who begins", "teams": "the division into teams",
	"turns": "whose turn it is", "seats": "the seating of", "turn": "the turn", "setup": "the setup", "board": "the board",
	"colours": "the list of colours", "zones": "the list of zones", "squares": "the list of squares", "track in use": "the track in use",
}

func became(c *difference.Change) string {
	var out string
	switch {
	case c.Kind == "order":
		out = "differs"
	case c.What == difference.Added:
		out = "is new"
	case c.What == difference.Gone:
		out = "is taken away"
	case len(c.Numbers) > 0:
		out = "has another number: " + numbers(c)
		if len(c.Numbers) > 1 {
			out = "has other numbers: " + numbers(c)
		}
		if c.OldWords != c.NewWords {
			out = "is replaced: " + numbers(c)
		}
	case c.OldWords != c.NewWords && len(c.Lines) > 0:
		out = "is replaced"
	case c.OldWords != c.NewWords:
		out = "has other words"
	case len(c.Lines) > 0:
		out = "changes"
	default:
		return c.Note
	}
	if c.Note != "" {
		out += "; " + c.Note
	}
	return out
}

func numbers(c *difference.Change) string {
	return strings.Join(seq.Map(c.Numbers, func(n difference.Number) string { return fmt.Sprintf("%d becomes %d", n.Old, n.New) }), ", ")
}

// marked are the lines of a change with their marks.
func marked(c *difference.Change) []difference.Line {
	var out []difference.Line
	if c.OldWords != c.NewWords {
		if c.OldWords != "" {
			out = append(out, difference.Line{Mark: '-', Text: "“" + oneLine(c.OldWords) + "”"})
		}
		if c.NewWords != "" {
			out = append(out, difference.Line{Mark: '+', Text: "“" + oneLine(c.NewWords) + "”"})
		}
	}
	return append(out, c.Lines...)
}

// outcome is the difference in one line.
func (d *Diff) outcome() string {
	if d.Difference.None() {
		return fmt.Sprintf("%s says the same as %s", d.New.called(), d.Old.called())
	}
	var parts []string
	for what, words := range []string{difference.Changed: "changed", difference.Gone: "taken away", difference.Added: "new"} {
		if n := seq.Count(d.Difference.Changes, func(c difference.Change) bool { return int(c.What) == what }); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words))
		}
	}
	return strings.Join(parts, ", ")
}

// sameNames lists the renamed declarations, without duplicates.
func (d *Diff) sameNames(quote string) []string {
	return seq.Distinct(seq.Map(d.Difference.Renamed, func(r difference.Renamed) string {
		return quote + r.Old + quote + " is called " + quote + r.New + quote
	}))
}

const (
	red   = "\x1b[31m"
	green = "\x1b[32m"
	bold  = "\x1b[1m"
	plain = "\x1b[0m"
)

func (d *Diff) text(b *bytes.Buffer, style Style) {
	paint := func(colour, s string) string {
		if !style.Color || colour == "" {
			return s
		}
		return colour + s + plain
	}
	fmt.Fprintf(b, "%s\n", paint(red, "--- "+d.Old.called()+": "+oneLine(d.Old.Title)))
	fmt.Fprintf(b, "%s\n\n", paint(green, "+++ "+d.New.called()+": "+oneLine(d.New.Title)))
	section := -1
	for i := range d.Difference.Changes {
		c := &d.Difference.Changes[i]
		if int(c.Section) != section {
			section = int(c.Section)
			fmt.Fprintf(b, "%s\n", paint(bold, titles[c.Section]))
		}
		fmt.Fprintf(b, "  %s %s\n", thing(c, ""), became(c))
		for _, l := range marked(c) {
			colour := map[byte]string{'-': red, '+': green}[l.Mark]
			fmt.Fprintf(b, "    %s\n", paint(colour, strings.TrimRight(string(l.Mark)+" "+l.Text, " ")))
		}
		if i+1 == len(d.Difference.Changes) || d.Difference.Changes[i+1].Section != c.Section {
			b.WriteByte('\n')
		}
	}
	if names := d.sameNames(""); len(names) > 0 {
		fmt.Fprintf(b, "The same under another name: %s\n\n", strings.Join(names, ", "))
	}
	b.WriteString(d.outcome() + "\n")
}

// maxMarkdown limits the collapsed section, in bytes: hosting services accept comments of 65,536 characters.
const maxMarkdown = 50_000

func (d *Diff) markdown(b *bytes.Buffer) {
	var details bytes.Buffer
	b.WriteString("### ")
	if name := (&Run{Root: d.Root}).path(d.New.File); name != "" {
		b.WriteString(escape(name) + ": ")
	}
	fmt.Fprintf(b, "%s → %s\n\n", escape(d.Old.called()), escape(d.New.called()))
	if d.New.Title != d.Old.Title {
		fmt.Fprintf(b, "%s\n\n", escape(oneLine(d.New.Title)))
	}
	left := 0
	if !d.Difference.None() {
		b.WriteString("| | | |\n|---|---|---|\n")
		for i := range d.Difference.Changes {
			c := &d.Difference.Changes[i]
			if b.Len() > maxMarkdown/4 {
				left = len(d.Difference.Changes) - i
				break
			}
			fmt.Fprintf(b, "| %s | %s | %s |\n", thing(c, "`"), became(c), escape(wordsOf(c)))
		}
		if left > 0 {
			fmt.Fprintf(b, "\nand %d more\n", left)
		}
		b.WriteByte('\n')
		for i := range d.Difference.Changes {
			c := &d.Difference.Changes[i]
			if len(marked(c)) == 0 {
				continue
			}
			var one bytes.Buffer
			fence := "```"
			for _, l := range marked(c) {
				for strings.Contains(l.Text, fence) {
					fence += "`"
				}
			}
			fmt.Fprintf(&one, "%s\n\n%sdiff\n", thing(c, "`"), fence)
			for _, l := range marked(c) {
				fmt.Fprintf(&one, "%c %s\n", l.Mark, l.Text)
			}
			fmt.Fprintf(&one, "%s\n\n", fence)
			if details.Len()+one.Len() > maxMarkdown {
				details.WriteString("The rest is too long for this page.\n\n")
				break
			}
			details.Write(one.Bytes())
		}
		fmt.Fprintf(b, "<details>\n<summary>Line by line</summary>\n\n%s</details>\n\n", details.String())
	}
	if names := d.sameNames("`"); len(names) > 0 {
		fmt.Fprintf(b, "The same under another name: %s\n\n", strings.Join(names, ", "))
	}
	fmt.Fprintf(b, "%s\n", escape(d.outcome()))
}

// wordsOf are the old and new texts of a change.
func wordsOf(c *difference.Change) string {
	switch {
	case c.OldWords == c.NewWords, c.OldWords == "":
		return c.NewWords
	case c.NewWords == "":
		return c.OldWords
	}
	return c.OldWords + " → " + c.NewWords
}

// oneLine removes line ends and control characters of terminals from a text.
func oneLine(s string) string {
	return squeeze(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s))
}

// escape escapes the special characters of Markdown.
func escape(s string) string {
	return markdownSigns.Replace(oneLine(s))
}

var markdownSigns = strings.NewReplacer("\\", "\\\\", "|", "\\|", "`", "\\`", "*", "\\*", "_", "\\_", "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"[", "\\[", "]", "\\]", "@", "&#64;", "#", "\\#", "~", "\\~")

// json prints a difference as schema/diff.schema.json describes it.
func (d *Diff) json(w io.Writer) error {
	run := &Run{Root: d.Root}
	d.Old.File, d.New.File = run.path(d.Old.File), run.path(d.New.File)
	changes := []object.Fields{}
	for _, c := range d.Difference.Changes {
		lines := seq.Map(c.Lines, func(l difference.Line) object.Fields {
			return object.Fields{{"mark", string(l.Mark)}, {"text", l.Text}}
		})
		numbers := seq.Map(c.Numbers, func(n difference.Number) object.Fields { return object.Fields{{"old", n.Old}, {"new", n.New}} })
		f := object.Fields{{"section", c.Section.String()}, {"what", c.What.String()}, {"kind", c.Kind}}
		f = f.Some("name", c.Name).Some("old_words", c.OldWords).Some("new_words", c.NewWords).Some("note", c.Note)
		f = f.Some("lines", lines).Some("numbers", numbers)
		changes = append(changes, f.Some("old_at", run.place(c.OldAt).fields()).Some("new_at", run.place(c.NewAt).fields()))
	}
	renamed := seq.Map(d.Difference.Renamed, func(r difference.Renamed) object.Fields {
		return object.Fields{{"kind", r.Kind}, {"old", r.Old}, {"new", r.New}}
	})
	doc := append(object.Head(1, d.Version), object.Fields{
		{"verb", "diff"}, {"old", d.Old}, {"new", d.New}, {"same", d.Difference.None()}, {"changes", changes},
	}...)
	return object.Indented(w, doc.Some("renamed", renamed))
}
