// Package pattern holds regular expressions that are compiled when they are first used: a command that needs none of them begins sooner.
package pattern

import (
	"regexp"
	"sync"
)

// Of returns a function that gives the regular expression of a text, compiled at its first call, which panics if the text is none. It is
// safe for several goroutines.
func Of(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
