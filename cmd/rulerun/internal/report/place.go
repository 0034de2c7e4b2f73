package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
)

// path is the name of a file for machines: with forward slashes, and relative to the root if it is inside.
func (r *Run) path(name string) string {
	if r.Root != "" && filepath.IsAbs(name) {
		if rel, err := filepath.Rel(r.Root, name); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
	}
	return strings.TrimPrefix(filepath.ToSlash(name), "./")
}

// prints makes fingerprints of findings. A fingerprint identifies a finding across runs: it depends on the code, the
// file, the text of the line and the marked part of it, not on the line number or on spaces. Findings with equal
// values are numbered in order.
type prints struct {
	run  *Run
	seen map[string]int
}

func (r *Run) prints() *prints { return &prints{run: r, seen: map[string]int{}} }

func (p *prints) of(d diag.Diagnostic) string {
	key := d.Code + "\x00"
	if d.Span.IsZero() {
		key += d.Message
	} else {
		line := d.Span.File.Line(d.Span.Position().Line)
		key += p.run.path(d.Span.Name()) + "\x00" + squeeze(line) + "\x00" + squeeze(d.Span.Text())
	}
	p.seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, p.seen[key]))
	return hex.EncodeToString(sum[:16])
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// words is a finding as one text: its message, and the hint below it.
func words(d diag.Diagnostic) string {
	if d.Hint == "" {
		return d.Message
	}
	return d.Message + "\nhelp: " + d.Hint
}
