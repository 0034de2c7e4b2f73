package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
)

// pictureFlags say where the pictures of a study go.
type pictureFlags struct {
	svg, png string
	dark     bool
}

func (o *pictureFlags) bind(s *session, cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.svg, "svg", "", "draw what was found to a `file`, as SVG")
	f.StringVar(&o.png, "png", "", "draw what was found to a `file`, as PNG")
	f.BoolVar(&o.dark, "dark", false, "draw for a dark ground")
	s.completeFlag(cmd, "svg", completeExt("svg"))
	s.completeFlag(cmd, "png", completeExt("png"))
}

// wanted reports whether there is anything to draw.
func (o *pictureFlags) wanted() bool { return o.svg != "" || o.png != "" }

func (o *pictureFlags) check() error {
	if o.dark && !o.wanted() {
		return &usageError{"flag --dark: nothing is drawn", "give a file with --svg or --png"}
	}
	return nil
}

// drawTo draws a figure to the files of the flags; "-" is the standard output.
func (s *session) drawTo(o *pictureFlags, f *picture.Figure) error {
	theme := picture.Light()
	if o.dark {
		theme = picture.Dark()
	}
	for _, form := range []struct {
		path string
		draw func(io.Writer, *picture.Figure, *picture.Theme) error
	}{{o.svg, picture.SVG}, {o.png, picture.PNG}} {
		draw := func(w io.Writer) error { return form.draw(w, f, theme) }
		switch form.path {
		case "":
		case "-":
			if err := draw(s.out); err != nil {
				return err
			}
		default:
			if err := writeFile(form.path, draw); err != nil {
				return err
			}
		}
	}
	return nil
}

// whereTo are flags that say how results are shown, or how fast they come, not what they are.
var whereTo = []string{"svg", "png", "page", "dark", "json", "csv", "out", "threads", "help"}

// again is the command line that gives the same results: the verb, its arguments, and the flags that were given but
// those that say where the results go.
func again(cmd *cobra.Command, args []string) string {
	words := append(strings.Fields(cmd.CommandPath()), args...)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(whereTo, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			if f.Value.Type() == "bool" && v == "true" {
				words = append(words, "--"+f.Name)
				continue
			}
			words = append(words, "--"+f.Name, v)
		}
	})
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
