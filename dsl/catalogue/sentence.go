package catalogue

import "fmt"

// Sentence is a sentence that a program can say in the language of its users: by its key and the values for its holes. As an error
// it is English.
type Sentence struct {
	Key  string
	Text string // in English, with holes
	Args []any  // names and values of the holes
}

// Error is the sentence in English.
func (s Sentence) Error() string {
	return Fill(s.Text, func(name, _ string) string {
		for i := 0; i+1 < len(s.Args); i += 2 {
			if s.Args[i] == name {
				return fmt.Sprint(s.Args[i+1])
			}
		}
		return name
	})
}
