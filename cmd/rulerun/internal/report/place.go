package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
)

// path is the name of a file for machines: with forward slashes, and relative to the root where it lies in it.
func (r *Run) path(name string) string {
	if r.Root != "" && filepath.IsAbs(name) {
		if rel, err := filepath.Rel(r.Root, name); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
	}
	return strings.TrimPrefix(filepath.ToSlash(name), "./")
}

// prints makes fingerprints of findings. A fingerprint says which finding of one run is which of the next: it depends on
// the code, the file, the words of the line and the part of it that is meant, not on where the line stands or on how
// it is spaced. Findings alike in all this are numbered in their order.
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

// words is a finding in one text: its message, and the remedy below it.
func words(d diag.Diagnostic) string {
	if d.Hint == "" {
		return d.Message
	}
	return d.Message + "\nhelp: " + d.Hint
}
