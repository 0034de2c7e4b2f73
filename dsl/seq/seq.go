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

// Filter returns the elements of a list that f holds for, in order: nil if there are none.
func Filter[T any](list []T, f func(T) bool) []T {
	var out []T
	for _, x := range list {
		if f(x) {
			out = append(out, x)
		}
	}
	return out
}

// Sum returns the sum of what f makes of each element of a list.
func Sum[T any, N int | uint64 | float64](list []T, f func(T) N) N {
	var sum N
	for _, x := range list {
		sum += f(x)
	}
	return sum
}
