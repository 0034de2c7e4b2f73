// Package cli is the command rulerun: its verbs, flags, streams and exit codes.
//
// It is the outermost package: it reads files, finds rule books, and passes both to the packages that interpret them.
// A verb is an options struct, a constructor that binds its flags, and a run method; (*session).verbs lists them all.
// What one verb does in several ways is a mode, with flags of its own. Note: nothing below this
// package prints, exits, reads the clock or the environment.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/interpreter"
)

// The exit codes.
const (
	exitFine   = 0
	exitFailed = 1 // the rules or a check failed
	exitUsage  = 2 // the command was not understood
)

// Main runs the command and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := interruptible(context.Background(), stderr)
	defer stop()
	s := &session{
		in: stdin, out: stdout, err: stderr,
		getenv: os.Getenv,
		now:    time.Now,
		store: func() (string, error) {
			dir, err := os.UserCacheDir()
			return filepath.Join(dir, "rulerun"), err
		},
	}
	return s.run(ctx, args)
}

// grace is how long a verb may go on after an interrupt, to say what it has so far.
const grace = 10 * time.Second

// keeping is held for reading while a file with results so far is written: an interrupt waits for it, however large it is.
var keeping sync.RWMutex

// once is how long further interrupts are the same one: timeout(1) sends its signal to a program and to its group.
const once = 200 * time.Millisecond

// interrupts is a context that ends at an interrupt. As long as nothing asks it an interrupt ends the program, as ever:
// what does not look for the end of the context would go on.
type interrupts struct {
	context.Context
	listen func()
}

func (i interrupts) Done() <-chan struct{} { i.listen(); return i.Context.Done() }
func (i interrupts) Err() error            { i.listen(); return i.Context.Err() }

// interruptible makes a context that ends at an interrupt, or when stop is called. A later interrupt ends the program,
// and so does the first when what looks at the context does not end in time.
func interruptible(parent context.Context, stderr io.Writer) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	listen := sync.OnceFunc(func() {
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		go func() {
			select {
			case <-ctx.Done():
				return
			case <-signals:
			}
			cancel()
			time.Sleep(once)
			signal.Stop(signals)
			select {
			case <-ended:
				return
			case <-time.After(grace - once):
				keeping.Lock()
			}
			fmt.Fprintf(stderr, "rulerun: stopped without a result, as the work did not come to one within %v; what is written to files stays\n", grace)
			os.Exit(exitFailed)
		}()
	})
	return interrupts{ctx, listen}, func() {
		signal.Stop(signals)
		cancel()
		close(ended)
	}
}

// session is one run of the command: its streams and what it asks of the machine it runs on.
type session struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	lang     string   // of what players read, "" for English
	path     []string // folders of the --path flags
	now      func() time.Time
	store    func() (string, error) // the folder for games without a name
	unhelped error                  // why there is no help
}

func (s *session) run(ctx context.Context, args []string) int {
	root := s.root()
	err := s.hear(root, args)
	root.SetArgs(args)
	if err == nil {
		err = root.ExecuteContext(ctx)
		err = cmp.Or(err, s.unhelped) // which the call sets
	}
	var usage *usageError
	var faults diag.List // of a rule file
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.As(err, &faults):
		_ = s.report(faults)
		return exitFailed
	case errors.As(err, &usage):
		l := locale.For(s.lang)
		fmt.Fprintf(s.err, "rulerun: %s\n", usage.Said(l))
		if remedy := usage.remedy(l); remedy != "" {
			fmt.Fprintln(s.err, remedy)
		}
		return exitUsage
	case errors.Is(err, syscall.EPIPE):
		return exitFailed
	}
	fmt.Fprintf(s.err, "rulerun: %s\n", door.Said(s.lang, err))
	if _, broken := errors.AsType[*interpreter.RuleError](err); broken {
		fmt.Fprintln(s.err, locale.For(s.lang).Say("stop.find"))
	}
	return exitFailed
}

// errFailed ends the command with exit code 1 when everything has been said already.
var errFailed = errors.New("failed")

// failIf is errFailed if something has failed.
func failIf(failed bool) error {
	if failed {
		return errFailed
	}
	return nil
}

// stoppedIf is the error of work that was stopped before its end.
func stoppedIf(stopped bool, format string, args ...any) error {
	if stopped {
		return fmt.Errorf("stopped after "+format, args...)
	}
	return nil
}

// usageError is a command that was not understood. A text that only authors meet is in English in every language.
type usageError struct {
	message, hint func(*locale.Locale) string // hint is nil for none
}

func (e *usageError) Error() string { return e.Said(locale.For("")) }

// Said is the message in a language.
func (e *usageError) Said(l *locale.Locale) string { return e.message(l) }

// remedy is the hint in a language, "" for none.
func (e *usageError) remedy(l *locale.Locale) string {
	if e.hint == nil {
		return ""
	}
	return e.hint(l)
}

func english(format string, args []any) func(*locale.Locale) string {
	return func(*locale.Locale) string { return fmt.Sprintf(format, args...) }
}

func usagef(format string, args ...any) *usageError {
	return &usageError{message: english(format, args)}
}

func (e *usageError) hintf(format string, args ...any) *usageError {
	e.hint = english(format, args)
	return e
}

// told is a command of players that was not understood. The text has a key, and names and values for its holes: a list of words is
// all of them, one of choice one of them.
func told(key string, args ...any) *usageError {
	return &usageError{message: saying(key, args)}
}

func (e *usageError) hinted(key string, args ...any) *usageError {
	e.hint = saying(key, args)
	return e
}

// sayable is an error with a text of the catalogue.
func sayable(key string, args ...any) error {
	return catalogue.Sentence{Key: key, Text: locale.For("").Say(key), Args: args}
}

// choice is words of which one can be chosen.
type choice []string

// thing is what an argument or the value of a flag is, in words of English. things are the texts of those that have one.
type thing string

var things = map[string]string{
	"a RULESET": "thing.ruleset", "a RECORD": "thing.record", "a board's NAME or FILE": "thing.board", "rule files": "thing.rules",
	"a whole number": "thing.number", "a whole number, 0 or more": "thing.positive", "true or false": "thing.flag",
	"no arguments": "thing.nothing", "a verb or a page": "thing.page", "a DIR, and rule files": "thing.site", "a rule FILE": "thing.rule_file",
	"--analyse of a RECORD": "thing.analysis",
}

func saying(key string, args []any) func(*locale.Locale) string {
	return func(l *locale.Locale) string {
		args := slices.Clone(args)
		for i, x := range args {
			switch x := x.(type) {
			case []string:
				args[i] = l.List(x)
			case choice:
				args[i] = l.Either(x)
			case thing:
				args[i] = string(x)
				if key := things[string(x)]; key != "" {
					args[i] = l.Say(key)
				}
			case catalogue.Sentence:
				args[i] = saying(x.Key, x.Args)(l)
			}
		}
		return l.Say(key, args...)
	}
}

// nearest adds the known name most like name as a hint, or all known names if there are few.
func (e *usageError) nearest(name string, known []string) *usageError {
	if near := diag.Nearest(name, known); near != "" {
		e.hinted("usage.near", "name", strconv.Quote(near))
	} else if len(known) > 0 && len(known) <= 12 {
		e.hinted("usage.there_are", "names", known)
	}
	return e
}

// report prints findings and says whether there were errors among them.
func (s *session) report(l diag.List) error {
	if _, err := io.WriteString(s.err, l.Text(diag.Style{Color: s.color(s.err)})); err != nil {
		return err
	}
	return failIf(l.HasErrors())
}
