package assist

import (
	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/source"
)

func sourceOf(text string) *source.File { return source.New("x.rules", text) }

// noFiles finds the shipped boards only.
type noFiles struct{}

func (noFiles) Rules(string, *source.File) (*source.File, bool) { return nil, false }

func (noFiles) Board(name string, _ *source.File) (*source.File, bool) { return boards.Shipped(name) }

func (noFiles) RulesNames() []string { return nil }
func (noFiles) SkipsTests() bool     { return false }

func (noFiles) BoardNames() []string { return boards.Names() }

func (noFiles) Remember(_ any, work func() any) any { return work() }
