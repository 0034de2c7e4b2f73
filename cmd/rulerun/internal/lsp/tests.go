package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// The commands of the lenses. Their arguments are the URI of a rule file and, for one test, its name.
const (
	commandRunTest  = "rulerun.runTest"
	commandRunTests = "rulerun.runTests"
)

// results are the failures of the tests of a document that were run.
type results struct {
	doc         *document
	diagnostics []protocol.Diagnostic
}

// outcome is the result of running tests.
type outcome struct {
	Passed int      `json:"passed"`
	Failed int      `json:"failed"`
	Names  []string `json:"failures"` // of the tests that failed
}

func argument(v any) protocol.LSPAny {
	data, _ := json.Marshal(v)
	return protocol.LSPAny(data)
}

// CodeLens implements protocol.Server: a lens over each test that runs it, and one at the header that runs all.
func (s *server) CodeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	v, d, _ := s.asked(ctx, p.TextDocument.URI, protocol.Position{})
	out := []protocol.CodeLens{}
	if d == nil || !isRules(d.name) {
		return out, nil
	}
	u := argument(string(p.TextDocument.URI))
	tests := 0
	for _, x := range v.symbols(d.name) {
		if x.Word == "test" {
			tests++
			out = append(out, protocol.CodeLens{Range: s.rangeOf(x.At), Command: protocol.Command{
				Title: "run", Command: commandRunTest, Arguments: []protocol.LSPAny{u, argument(x.Name)},
			}})
		}
	}
	if tests > 0 {
		title := fmt.Sprintf("run all %d tests", tests)
		if tests == 1 {
			title = "run the test"
		}
		out = append([]protocol.CodeLens{{Range: s.rangeOf(v.header(d)), Command: protocol.Command{
			Title: title, Command: commandRunTests, Arguments: []protocol.LSPAny{u},
		}}}, out...)
	}
	return out, nil
}

// ExecuteCommand implements protocol.Server.
func (s *server) ExecuteCommand(ctx context.Context, p *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	want := map[string]int{commandRunTest: 2, commandRunTests: 1}[p.Command]
	if want == 0 {
		return nil, refuse("there is no command %q", p.Command)
	}
	args := make([]string, want)
	for i := range args {
		if i >= len(p.Arguments) || json.Unmarshal(p.Arguments[i], &args[i]) != nil {
			return nil, refuse("%s takes the URI of a rule file, and of one test its name", p.Command)
		}
	}
	v, d, _ := s.asked(ctx, uri.URI(args[0]), protocol.Position{})
	if d == nil || !isRules(d.name) {
		return nil, refuse("%s is not open", args[0])
	}
	book, faults := dsl.Load(d.file, v.library(d.name, &reads{}))
	if book == nil {
		return nil, refuse("the tests cannot run: %s has %d mistakes", d.name, faults.Count(diag.Error))
	}
	out, failed := outcome{Names: []string{}}, []protocol.Diagnostic{}
	for _, t := range book.Scenarios() {
		if want == 2 && t.Name != args[1] && !strings.HasPrefix(t.Name, args[1]+" [") { // a row of its table
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if found := s.runTest(t); len(found) > 0 {
			out.Failed++
			out.Names = append(out.Names, t.Name)
			failed = append(failed, found...)
		} else {
			out.Passed++
		}
	}
	if out.Passed+out.Failed == 0 {
		return nil, refuse("there is no such test")
	}
	s.mu.Lock()
	s.tests[d.name] = &results{doc: d, diagnostics: failed}
	s.soilOne(d.name)
	s.mu.Unlock()
	s.rouse()
	message := protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: fmt.Sprintf("%d passed, %d failed", out.Passed, out.Failed)}
	if out.Failed > 0 {
		message.Type = protocol.MessageTypeError
	}
	_ = s.client.ShowMessage(s.ctx, &message)
	return argument(out), nil
}

// runTest plays one test; the result is empty if it passed.
func (s *server) runTest(t *dsl.Scenario) []protocol.Diagnostic {
	rules, faults := t.Rules()
	if rules == nil {
		return seq.Map(faults, s.diagnostic)
	}
	game, err := interpreter.Compile(rules)
	if err != nil {
		return []protocol.Diagnostic{s.diagnostic(diag.Diagnostic{Code: "test-failed", Span: t.Span, Message: err.Error()})}
	}
	var out []protocol.Diagnostic
	for _, f := range game.RunTest(rules.Tests[0]) {
		d := diag.Diagnostic{Code: "test-failed", Span: f.Span, Message: f.Message}
		for _, r := range f.Remarks {
			if r.Span.IsZero() {
				d.Message += "\n" + r.Message
			}
			d.WithNote(r.Span, "%s", r.Message)
		}
		out = append(out, s.diagnostic(d))
	}
	return out
}
