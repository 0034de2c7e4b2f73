package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/dsl/seq"
)

// resultFlags say in which form the result of a study is printed, and where its pictures go.
type resultFlags struct {
	formFlags
	svg, png, page string
	dark           bool
	cmd            *cobra.Command
}

func (o *resultFlags) bind(cmd *cobra.Command) {
	o.cmd = cmd
	o.formFlags.bind(cmd, "text", "json", "csv")
	stringFlag(cmd, &o.svg, "svg", "", "", completeExt("svg"))
	stringFlag(cmd, &o.png, "png", "", "", completeExt("png"))
	cmd.Flags().BoolVar(&o.dark, "dark", false, "")
	stringFlag(cmd, &o.page, "page", "", "", completeExt("html"))
}

func (o *resultFlags) check() error {
	if err := o.formFlags.check(); err != nil {
		return err
	}
	out := seq.Count([]string{o.svg, o.png, o.page}, func(path string) bool { return path == "-" })
	switch {
	case out > 1:
		return told("usage.one_output", "flags", []string{"--svg", "--png", "--page"})
	case o.dark && o.svg == "" && o.png == "":
		return told("usage.dark").hinted("usage.dark_file")
	}
	return nil
}

// printStudy writes the result of a study: drawings and a page to the files of the flags ("-" is the standard output), and the
// result in the form of the flags to the standard output, where no drawing goes there.
func (s *session) printStudy(r *study.Result, o *resultFlags) error {
	r.Again = o.again()
	theme := picture.Light()
	if o.dark {
		theme = picture.Dark()
	}
	err := s.drawFiles(
		drawing{o.svg, func(w io.Writer) error { return picture.SVG(w, r.Figure(), theme) }},
		drawing{o.png, func(w io.Writer) error { return picture.PNG(w, r.Figure(), theme) }},
		drawing{o.page, r.Page},
	)
	switch {
	case err != nil || slices.Contains([]string{o.svg, o.png, o.page}, "-"): // nothing else then goes to the standard output
		return err
	case o.json:
		return r.JSON(s.out)
	case o.csv:
		return r.CSV(s.out)
	}
	columns, _ := size(s.out)
	return r.Text(s.out, columns)
}

// drawing is what goes to a file: "-" is the standard output, "" is nowhere.
type drawing struct {
	path string
	draw func(io.Writer) error
}

func (s *session) drawFiles(drawings ...drawing) error {
	for _, d := range drawings {
		var err error
		switch d.path {
		case "":
		case "-":
			err = d.draw(s.out)
		default:
			err = writeFile(d.path, d.draw)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// whereTo are flags that say how results are shown, or how fast they come, not what they are.
var whereTo = []string{"svg", "png", "page", "dark", "format", "json", "csv", "out", "log", "threads", "help"}

// again is the command line that gives the same results: the verb, its arguments, and the flags that were given but
// those that say where the results go.
func (o *resultFlags) again() string {
	words := append([]string{o.cmd.Root().Name(), o.cmd.CalledAs()}, o.cmd.Flags().Args()...)
	o.cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(whereTo, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			words = append(words, "--"+f.Name)
			if f.Value.Type() != "bool" || v != "true" {
				words = append(words, v)
			}
		}
	})
	return strings.Join(seq.Map(words, shellWord), " ")
}
