package expr

import (
	"fmt"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/vm/runtime"
)

// Eval evaluates the text of an expression with expr's own virtual machine. Tests compare compiled expressions with
// it, and interactive tools use it; it is far too slow for playing. env has the names. Values are ints, bools,
// strings, nil, lists ([]any), functions and pointers to structs whose fields have expr tags. The error is expr's
// own.
func Eval(text string, env map[string]any) (value any, err error) {
	options := []expr.Option{
		expr.DisableIfOperator(), expr.Patch(membership{}),
		expr.Function(isAmong, func(args ...any) (any, error) {
			for _, x := range list(args[1]) {
				if runtime.Equal(x, args[0]) {
					return true, nil
				}
			}
			return false, nil
		}),
	}
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
