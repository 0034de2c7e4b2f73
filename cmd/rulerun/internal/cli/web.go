package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/lsp"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/watch"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/web"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/examples"
)

// pageFlags say how games are shown in a browser.
type pageFlags struct {
	port   int
	noOpen bool
	lang   string // "" if the browser chooses
}

func (p *pageFlags) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&p.port, "port", 0, "")
	f.BoolVar(&p.noOpen, "no-open", false, "")
}

func (s *session) serveVerb() *cobra.Command {
	p := &pageFlags{}
	cmd := verb("serve", s.completeRules, mode{high: -1, what: "rule files", run: func(cmd *cobra.Command, args []string) error {
		given, err := s.given(args)
		if err != nil {
			return err
		}
		return s.serve(cmd.Context(), &onPage{pageFlags: p, args: args, given: given, host: s.host(given)})
	}})
	p.bind(cmd)
	bindLang(cmd, &p.lang)
	return cmd
}

// given reads the rule files that arguments name.
func (s *session) given(args []string) ([]books.Given, error) {
	paths, err := s.rulePaths(args, ".rules")
	if err != nil {
		return nil, err
	}
	return seq.Try(paths, func(path string) (books.Given, error) {
		file, lib, err := s.rulesFile(path)
		return books.Given{Name: filepath.ToSlash(path), File: file, Library: lib}, err
	})
}

// host makes a host of the games that come with rulerun, and of files given.
func (s *session) host(given []books.Given) *door.Host {
	return door.NewHost(books.New(examples.Shipped(), given), web.MaxGames, chance)
}

// onPage is what serve shows.
type onPage struct {
	*pageFlags
	args    []string // name the rule files given
	given   []books.Given
	host    *door.Host
	at      string // what follows the address: "#game=1"
	changes web.Changes
}

// serve shows games in a browser until the context ends.
func (s *session) serve(ctx context.Context, p *onPage) error {
	if err := numberIn("port", p.port, 0, 65535); err != nil {
		return err
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(p.port)))
	if err != nil {
		return sayable("server.no_port", "port", p.port, "why", err)
	}
	secret := web.NewSecret()
	address := fmt.Sprintf("http://%s/%s/%s", l.Addr(), secret, p.at)
	fmt.Fprintf(s.out, "%s\n%s\n", address, s.say("server.stop"))
	if !p.noOpen && terminal(s.out) != nil {
		openPage(address)
	}
	language := lsp.Options{Shipped: examples.Shipped(), Disk: books.Folders(p.given), Version: version(), Delay: lsp.Delay}
	if len(p.args) > 0 {
		go s.follow(ctx, p)
	}
	return web.Serve(ctx, l, web.Handler(p.host, secret, p.lang, language, &p.changes, s.leafletOf(p.host)))
}

// follow reads the rule files given again when they change, for new games and the language servers of pages.
func (s *session) follow(ctx context.Context, p *onPage) {
	_ = watch.Loop(ctx, watchSet(p.args, ".rules", ".yaml", ".yml"), func(first bool) ([]string, bool) { // without it the page goes on with what it has
		if given, err := s.given(p.args); err == nil {
			p.given = given
			if !first {
				p.host.Restock(books.New(examples.Shipped(), given))
			}
		}
		if !first {
			p.changes.Tell(web.News{})
		}
		t := &trail{}
		for _, g := range p.given {
			g.Library = t.library(g.Library)
			books.Needs(g)
		}
		return t.files(), false
	})
}

// openPage asks the system to show a page. Where that is not possible, the address has been printed.
func openPage(address string) {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", address)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	default:
		cmd = exec.Command("xdg-open", address)
	}
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}

// againInBrowser shows a recorded game in a browser.
func (s *session) againInBrowser(ctx context.Context, o *playOptions, file string) error {
	rec, g, err := s.readRecord(file, o.replay.ruleset)
	if err != nil {
		return err
	}
	given, err := s.given(ownFiles(append(slices.Clip(rec.Header.With), rec.Header.Rules, o.replay.ruleset)))
	if err != nil { // the record was kept elsewhere: then its texts stay in the language of the flags
		given = nil
	}
	host := s.host(given)
	id, err := host.AddReplay(g, rec, nil)
	if err != nil {
		return s.misfit(err)
	}
	return s.serve(ctx, &onPage{pageFlags: &o.page, host: host, at: "#replay=" + id})
}

// ownFiles are the rule files among arguments that name rule books and changes.
func ownFiles(args []string) []string {
	return slices.DeleteFunc(args, func(arg string) bool { return !strings.HasSuffix(arg, ".rules") })
}

// playInBrowser shows a game of the command line in a browser.
func (s *session) playInBrowser(ctx context.Context, o *playOptions) error {
	game, log, err := s.prepare(o)
	if err != nil {
		return s.misfit(err)
	}
	own := ownFiles(append(slices.Clip(o.with), o.ruleset))
	given, err := s.given(own)
	if err != nil {
		return err
	}
	host := s.host(given)
	id := host.Add(game)
	p := &onPage{pageFlags: &o.page, args: own, given: given, host: host, at: "#game=" + id}
	if o.autoThrow {
		p.at += "&throw=auto"
	}
	if o.watch {
		p.at += "&watch=yes"
		go func() {
			for c := range s.changes(ctx, o) {
				news := web.News{Game: id}
				if c.Err == nil {
					c.Err = host.Change(id, c.Game)
				}
				if c.Err != nil {
					news.Fault = c.Err.Error()
				}
				p.changes.Tell(news)
			}
		}()
	}
	err = s.serve(ctx, p)
	return errors.Join(err, log.close(game.Outcome(door.Quit, game.At() > 0)))
}
