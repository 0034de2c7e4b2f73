package expr

import (
	"fmt"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/builtin"
)

// Eval evaluates the text of an expression with expr's own virtual machine. It is the reference the compiled form of
// expressions is compared with, and serves for an expression a person types; it is far too slow to play by. env gives
// the names; values are ints, bools, strings, nil, lists ([]any), functions and pointers to structs whose fields have
// expr tags. The error is expr's own.
func Eval(text string, env map[string]any) (value any, err error) {
	options := []expr.Option{expr.DisableIfOperator()}
	for _, name := range builtin.Names {
		if !builtins[name] {
			options = append(options, expr.DisableBuiltin(name))
		}
	}
	program, err := expr.Compile(text, options...)
	if err != nil {
		return nil, fmt.Errorf("expression cannot be compiled: %w", err)
	}
	return expr.Run(program, env)
}
