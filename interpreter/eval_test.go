package interpreter

import (
	"fmt"

	exprlang "github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/vm/runtime"

	"github.com/rulerun/rulerun/dsl/expr"
)

// evaluate evaluates the text of an expression with expr's own virtual machine, to compare compiled expressions with it.
// env has the names. Values are ints, bools,
// strings, nil, lists ([]any), functions and pointers to structs whose fields have expr tags. The error is expr's
// own.
func evaluate(text string, env map[string]any) (value any, err error) {
	options := []exprlang.Option{
		exprlang.DisableIfOperator(), exprlang.Patch(membership{}),
		exprlang.Function(isAmong, func(args ...any) (any, error) {
			for _, x := range list(args[1]) {
				if runtime.Equal(x, args[0]) {
					return true, nil
				}
			}
			return false, nil
		}),
	}
	for _, name := range builtin.Names {
		if !expr.IsBuiltin(name) {
			options = append(options, exprlang.DisableBuiltin(name))
		}
	}
	program, err := exprlang.Compile(text, options...)
	if err != nil {
		return nil, fmt.Errorf("expression cannot be compiled: %w", err)
	}
	return exprlang.Run(program, env)
}

// isAmong implements "in": expr's own operator dereferences a pointer on its left, and then does not find it in a
// list of pointers.
const isAmong = "isAmong"

// membership is a visitor that replaces "in" by isAmong.
type membership struct{}

// Visit implements expr's visitor.
func (membership) Visit(node *ast.Node) {
	if b, ok := (*node).(*ast.BinaryNode); ok && b.Operator == "in" {
		ast.Patch(node, &ast.CallNode{Callee: &ast.IdentifierNode{Value: isAmong}, Arguments: []ast.Node{b.Left, b.Right}})
	}
}

// list returns the elements of a list value.
func list(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case []int:
		out := make([]any, len(v))
		for i, n := range v {
			out[i] = n
		}
		return out
	}
	return nil
}
