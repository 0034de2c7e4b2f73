package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/examples"
)

type listOptions struct {
	gameFlags
	ruleset string
}

func (s *session) listVerb() *cobra.Command {
	o := &listOptions{}
	cmd := verb("list", s.completeRuleset, mode{low: 0, high: 1, what: "a RULESET", run: func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			if len(o.set)+len(o.with)+o.players > 0 {
				return told("usage.list_flags")
			}
			return s.list()
		}
		o.ruleset = args[0]
		return s.listRuleset(o)
	}})
	o.bind(s, cmd)
	bindLang(cmd, new(string))
	return cmd
}

func (s *session) list() error {
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, s.say("list.books"))
	for _, name := range shippedNames() {
		l, err := s.load(name, &gameFlags{})
		if err != nil {
			return err
		}
		numbers := l.PlayerNumbers(nil)
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", name, l.In(s.lang).Title(),
			s.say("list.for_players", "numbers", numbersText(numbers), "n", slices.Max(append(numbers, 0))), strings.Join(l.OptionNames(), ", "))
	}
	var games, houses []door.Book
	for _, b := range books.New(examples.Shipped(), nil).In(s.lang).List() {
		switch {
		case b.For != "":
			houses = append(houses, b)
		case !slices.Contains(shippedNames(), b.Name):
			games = append(games, b)
		}
	}
	fmt.Fprintln(w, "\n"+s.say("list.examples"))
	for _, b := range games {
		fmt.Fprintf(w, "  %s\t%s\n", b.Name, b.Title)
	}
	fmt.Fprintln(w, "\n"+s.say("list.houses"))
	for _, b := range houses {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", b.Name, b.Title, s.say("list.for", "book", b.For))
	}
	fmt.Fprintln(w, "\n"+s.say("list.boards"))
	for _, name := range boards.Names() {
		file, _ := boards.Shipped(name)
		b, faults := boards.Read(file, nil, nil)
		if b == nil {
			return s.report(faults)
		}
		parameters := seq.Map(b.Parameters, func(p boards.Parameter) string { return fmt.Sprintf("%s %d..%d", p.Name, p.From, p.To) })
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", name, s.boardIn(b, name).Title, s.say("list.colours", "n", len(b.Colours)), strings.Join(parameters, ", "))
	}
	return w.Flush()
}

// numbersText is "2..4", or "2, 4 or 6".
func numbersText(numbers []int) string {
	numbers = slices.Sorted(slices.Values(numbers))
	if len(numbers) == 0 {
		return "?"
	}
	first, last := numbers[0], numbers[len(numbers)-1]
	if first < last && last-first == len(numbers)-1 {
		return fmt.Sprintf("%d..%d", first, last)
	}
	return listed(numbers)
}

// listed is "2, 4, 6".
func listed(numbers []int) string {
	return strings.Join(seq.Map(numbers, strconv.Itoa), ", ")
}

func (s *session) listRuleset(o *listOptions) error {
	l, g, err := s.loadGame(o.ruleset, &o.gameFlags)
	if err != nil {
		return err
	}
	options, err := o.options()
	if err != nil {
		return err
	}
	rules := g.Rules()
	fmt.Fprintf(s.out, "%s: %s\n\n", rules.Name, door.TitleOf(g))
	numbers := l.PlayerNumbers(options)
	players := s.say("list.players", "numbers", numbersText(numbers))
	if len(numbers) > 1 {
		players = s.say("list.players_usually", "numbers", numbersText(numbers), "usual", numbers[0])
	}
	fmt.Fprintf(s.out, "%s\n%s\n", players, s.say("list.board", "name", rules.Board.Name, "title", rules.Board.Title))
	seats := seq.Map(rules.Seats, func(seat model.Seat) string {
		return locale.For(s.lang).List(seq.Map(seat.Colours, func(c int) string { return door.ColourText(g, c) }))
	})
	fmt.Fprintln(s.out, s.say("list.seats", "seats", strings.Join(seats, ", "), "n", rules.PieceCount))
	dice := seq.Map(rules.Dice, func(d *model.Die) string { return s.dieText(l.In(s.lang), d) })
	fmt.Fprintln(s.out, s.say("list.dice", "dice", strings.Join(dice, "; ")))
	if err := s.listOptions(l.In(s.lang), rules); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "\n"+s.say("list.rules"))
	for _, r := range rules.Rules {
		from := ""
		if r.Origin != rules.Name {
			from = " " + s.say("list.from", "origin", r.Origin)
		}
		fmt.Fprintf(s.out, "  %s\n      %s%s\n", r.Words, r.Name, from)
		if len(r.Cites) > 0 {
			fmt.Fprintf(s.out, "      [%s]\n", strings.Join(r.Cites, " "))
		}
	}
	return nil
}

func (s *session) dieText(book *dsl.Book, d *model.Die) string {
	name := book.Text("die."+d.Name, d.Name)
	if d.Kind == model.DieChoice {
		return s.say("list.choice", "die", name)
	}
	uneven := slices.ContainsFunc(d.Faces, func(f model.Face) bool { return f.Weight != d.Faces[0].Weight })
	faces := seq.Map(d.Faces, func(f model.Face) string {
		if uneven {
			return fmt.Sprintf("%d (%d)", f.Value, f.Weight)
		}
		return fmt.Sprint(f.Value)
	})
	if d.Kind == model.DieDeck {
		return s.say("list.cards", "die", name, "faces", strings.Join(faces, ", "))
	}
	return s.say("colon", "text", name, "more", strings.Join(faces, ", "))
}

func (s *session) listOptions(book *dsl.Book, rules *model.Rules) error {
	if len(rules.Options) == 0 {
		return nil
	}
	fmt.Fprintln(s.out, "\n"+s.say("list.options"))
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for i, o := range book.Options() {
		given := ""
		if now := rules.Options[i]; !now.Default {
			given = s.say("list.now", "value", now.Value)
		}
		fmt.Fprintf(w, "  %s\t%s%s\t%s\t%s\n", o.Name, o.Default, given, door.Wants(locale.For(s.lang), &o), o.Words)
	}
	return w.Flush()
}
