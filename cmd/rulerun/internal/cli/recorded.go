package cli

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/interpreter/suite"
)

// recordExtension ends the names of the records that test finds in folders.
const recordExtension = ".game.txt"

// testPaths lists the files of tests that arguments name: rule files and records. A record that is named itself may be
// called anything.
func (s *session) testPaths(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		if isRecord(arg) {
			out = append(out, arg)
			continue
		}
		paths, err := s.rulePaths([]string{arg}, ".rules", recordExtension)
		if err != nil {
			return nil, err
		}
		out = append(out, paths...)
	}
	return out, nil
}

// isRecord reports whether a file is a record, by its name or its first line.
func isRecord(path string) bool {
	if !isFile(path) {
		return false
	}
	if strings.HasSuffix(path, recordExtension) {
		return true
	}
	f, err := files.Open(path, files.Max)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, len(record.Mark))
	_, err = io.ReadFull(f, begin)
	return err == nil && string(begin) == record.Mark
}

// ownRules refuses a record that names rules elsewhere: a record that is tested may be a stranger's.
func ownRules(path string, rec *record.Record) error {
	for _, name := range append(slices.Clip(rec.Header.With), rec.Header.Rules) {
		if isPath(name) && !files.SameTree(besideRecord(path, name), path) {
			return usagef("%q is outside of the repository or folder of the record", name).hintf("put the rule file beside the record")
		}
	}
	return nil
}

// unknownSeat is the first player of a record that there is not, "" if there is none.
func unknownSeat(g *interpreter.Game, rec *record.Record) string {
	return seq.First(rec.Header.Seats, func(name string) bool { return name != "human" && fits(g, name) != nil })
}

// headLine is the line of a record's head that a fault is about: the one whose first word it names, otherwise the rules.
func headLine(file *source.File, fault error) int {
	rules := 1
	for n := 1; n <= file.LineCount() && file.Line(n) != ""; n++ {
		switch word, value, _ := strings.Cut(file.Line(n), " "); {
		case word == "players" && strings.Contains(fault.Error(), value+" player"),
			word == "seats" && strings.Contains(fault.Error(), "no player"):
			return n
		case word == "rules":
			rules = n
		}
	}
	return rules
}

// recordTest makes the test that plays a record again; nil, with a finding in the run, where it cannot be played at all.
// flags say who reads along.
func (s *session) recordTest(path string, run *report.Run, flags gameFlags) (*suite.Test, error) {
	file, err := readSource(path, files.Max)
	if err != nil {
		return nil, err
	}
	if why := file.Unreadable(); why != nil {
		run.Broken = append(run.Broken, path)
		run.Findings.Errorf(why.Code, file.Span(0, 0), "%s", why.Message).WithHint("%s", why.Hint)
		return nil, nil
	}
	text, line := file.Text(), 1
	rec, err := record.Read(strings.NewReader(text), path)
	if err == nil && rec.Cut {
		err = usagef("the last line is not whole: it does not end in a line break").hintf("take it away, or write what is missing and a line break")
		line = file.LineCount()
	}
	if err == nil {
		err = ownRules(path, rec)
	}
	if err == nil {
		var g *interpreter.Game
		if g, err = s.recordedGame(path, rec, "", &flags); err == nil {
			name := unknownSeat(g, rec)
			if name == "" {
				return suite.Recorded(file, rec, g), nil
			}
			err = usagef("%q is no player", name).hintf("write human or one of %s", door.Join(bot.Names()))
		}
		line = headLine(file, err)
	}
	run.Broken = append(run.Broken, path)
	if faults, ok := errors.AsType[diag.List](err); ok {
		run.Findings = append(run.Findings, faults...)
		return nil, nil
	}
	message, hint := err.Error(), ""
	if syntax, ok := errors.AsType[*record.SyntaxError](err); ok {
		line, message = max(1, syntax.Line), syntax.Fault.Error()
	} else if usage, ok := errors.AsType[*usageError](err); ok {
		message, hint = usage.Error(), usage.remedy(locale.For(""))
	}
	at := file.LineStart(line)
	run.Findings.Errorf("bad-record", file.Span(at, at+len(file.Line(line))), "%s", message).Get().Hint = hint
	return nil, nil
}
