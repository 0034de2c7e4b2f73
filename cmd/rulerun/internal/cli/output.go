package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
)

// outputFlags say how a verb prints what it found, and from what on it fails.
type outputFlags struct {
	verb           string
	format, failOn string
}

// bind adds --format to a verb.
func (o *outputFlags) bind(cmd *cobra.Command) {
	o.verb, o.failOn = cmd.Name(), report.Thresholds()[report.OnError]
	formats := report.Formats(o.verb)
	stringFlag(cmd, &o.format, "format", formats[0], "", completeWords(formats...))
}

// bindFailOn adds --fail-on to a verb whose findings are of several severities.
func (o *outputFlags) bindFailOn(cmd *cobra.Command) {
	levels := report.Thresholds()
	stringFlag(cmd, &o.failOn, "fail-on", levels[0], "fail from this `SEVERITY` on: "+either(levels), completeWords(levels...))
}

// run is an empty run of the verb, and the format to print it in.
func (o *outputFlags) run() (*report.Run, report.Format, error) {
	format, ok := report.FormatOf(o.verb, o.format)
	if !ok {
		return nil, "", usagef("flag --format: got %q, want %s", o.format, either(report.Formats(o.verb)))
	}
	level, ok := report.ThresholdOf(o.failOn)
	if !ok {
		return nil, "", usagef("flag --fail-on: got %q, want %s", o.failOn, either(report.Thresholds()))
	}
	root, _ := os.Getwd()
	return &report.Run{Verb: o.verb, Version: version(), Root: root, FailOn: level}, format, nil
}

// print writes a run down and says whether it failed.
func (s *session) print(format report.Format, r *report.Run) error {
	if err := report.Write(s.out, format, r, report.Style{Color: s.color(s.out)}); err != nil {
		return err
	}
	return failIf(r.Failed())
}

// either lists words to choose from in English: "a, b or c". Every command asks at its start, for its flags: a catalogue would have to be
// read for that.
func either(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
