// Package seq has what the standard library's slices lacks.
package seq

// Map returns what f makes of each element of a list, in order: nil of an empty list.
func Map[T, U any](list []T, f func(T) U) []U {
	var out []U
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}
