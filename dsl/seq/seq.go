// Package seq has what the standard library's slices lacks.
package seq

import (
	"iter"
	"slices"
)

// Map returns what f makes of each element of a list, in order: nil of an empty list.
func Map[T, U any](list []T, f func(T) U) []U {
	var out []U
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

// Try is Map up to the first error, which it returns alone.
func Try[T, U any](list []T, f func(T) (U, error)) ([]U, error) {
	var out []U
	for _, x := range list {
		made, err := f(x)
		if err != nil {
			return nil, err
		}
		out = append(out, made)
	}
	return out, nil
}

// Of returns what f makes of each number from 0 to n-1, in order.
func Of[T any](n int, f func(i int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// Flat returns what f makes of each element of a list, one after the other: nil if there is nothing.
func Flat[T, U any, L ~[]U](list []T, f func(T) L) L {
	var out L
	for _, x := range list {
		out = append(out, f(x)...)
	}
	return out
}

// Count returns how many elements of a list f holds for.
func Count[T any](list []T, f func(T) bool) int {
	n := 0
	for _, x := range list {
		if f(x) {
			n++
		}
	}
	return n
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

// Indexes returns the indexes of the elements of a list that f holds for: nil if there are none.
func Indexes[T any](list []T, f func(T) bool) []int {
	var out []int
	for i, x := range list {
		if f(x) {
			out = append(out, i)
		}
	}
	return out
}

// Which returns the numbers from 0 to n-1 that f holds for, in order: nil if there are none.
func Which(n int, f func(i int) bool) []int {
	var out []int
	for i := range n {
		if f(i) {
			out = append(out, i)
		}
	}
	return out
}

// First returns the first element of a list that f holds for, the zero value if there is none.
func First[T any](list []T, f func(T) bool) (first T) {
	if i := slices.IndexFunc(list, f); i >= 0 {
		first = list[i]
	}
	return first
}

// Distinct returns the elements of a list in order, equal ones once.
func Distinct[T comparable](list []T) []T {
	var out []T
	for _, x := range list {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// Set returns the keys of the elements of a list.
func Set[T any, K comparable](list []T, key func(T) K) map[K]bool {
	out := map[K]bool{}
	for _, x := range list {
		out[key(x)] = true
	}
	return out
}

// Group returns the elements of a list by their keys, those of a key in order.
func Group[T any, K comparable](list []T, key func(T) K) map[K][]T {
	out := map[K][]T{}
	for _, x := range list {
		out[key(x)] = append(out[key(x)], x)
	}
	return out
}

// Runs cuts a list wherever an element does not go on from the one before it.
func Runs[T any](list []T, goesOn func(before, next T) bool) [][]T {
	var out [][]T
	for i, x := range list {
		if i == 0 || !goesOn(list[i-1], x) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], x)
	}
	return out
}

// Do calls work for the elements of a list in order, up to the first error, which it returns.
func Do[T any](list []T, work func(T) error) error {
	for _, x := range list {
		if err := work(x); err != nil {
			return err
		}
	}
	return nil
}

// Total returns the sum of a list.
func Total[N int | uint64 | float64](list []N) N { return Sum(list, func(n N) N { return n }) }

// Sum returns the sum of what f makes of each element of a list.
func Sum[T any, N int | uint64 | float64](list []T, f func(T) N) N {
	var sum N
	for _, x := range list {
		sum += f(x)
	}
	return sum
}

// Most returns the largest of what f makes of each element of a list, 0 at least.
func Most[T any, N int | uint64 | float64](list []T, f func(T) N) N {
	var most N
	for _, x := range list {
		most = max(most, f(x))
	}
	return most
}

// Any reports whether is holds for one of a sequence.
func Any[T any](all iter.Seq[T], is func(T) bool) bool {
	for x := range all {
		if is(x) {
			return true
		}
	}
	return false
}
