package table

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Screen is the output for people. On a terminal it draws the board again at every question, if it fits; elsewhere it
// only prints lines.
type Screen struct {
	Out   io.Writer
	Color bool
	// Size is the present size of the terminal in columns and rows; nil, or zeros, without a terminal.
	Size func() (columns, rows int)
}

// spare is the number of rows needed below the board.
const spare = 9

const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	plain = "\x1b[0m"
	clear = "\x1b[H\x1b[2J"
	wipe  = clear + "\x1b[3J" // with what has scrolled away
)

func (s *Screen) size() (int, int) {
	if s.Size == nil {
		return 0, 0
	}
	return s.Size()
}

// terminal reports whether the output is a terminal.
func (s *Screen) terminal() bool {
	columns, rows := s.size()
	return columns > 0 && rows > 0
}

func (s *Screen) paint(style, text string) string {
	if !s.Color {
		return text
	}
	return style + text + plain
}

// Board draws a position's board with its pieces: in so many rows, "" if that is not possible, or in as many as it takes for 0.
func (s *Screen) Board(p *interpreter.Position, highlight []int, rows int) string {
	columns, _ := s.size()
	var text strings.Builder
	options := boards.TextOptions{Color: s.Color, Width: columns, Rows: rows, Highlight: highlight}
	_ = boards.Text(&text, p.Game().Rules().Board, Standings(p), options) // a builder takes all
	if rows > 0 && strings.Count(text.String(), "\n") > rows {
		return ""
	}
	return text.String()
}

// Standings are the pieces of a position, as boards are drawn with.
func Standings(p *interpreter.Position) []boards.Standing {
	g := p.Game()
	var out []boards.Standing
	for place := range g.Rules().Board.Places {
		for _, piece := range p.PiecesOn(nil, place) {
			out = append(out, boards.Standing{Place: place, Colour: g.Rules().Colours[p.ColourOf(piece)].Board})
		}
	}
	return out
}

// Standing lists the places of every colour's pieces, a line each.
func (s *Screen) Standing(p *interpreter.Position) string {
	g := p.Game()
	width := 0
	for c := range g.Rules().Colours {
		width = max(width, utf8.RuneCountInString(g.ColourName(c)))
	}
	lists := make([][]string, len(g.Rules().Colours))
	for piece, place := range p.Places(nil) {
		c := p.ColourOf(piece)
		lists[c] = append(lists[c], g.PlaceName(place))
	}
	var b strings.Builder
	for c := range g.Rules().Colours {
		mark := " "
		if g.SeatOf(c) == p.Player() {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s %-*s  %s\n", mark, width, g.ColourName(c), strings.Join(lists[c], " "))
	}
	return b.String()
}

// figures are the values that the rules keep and all at the screen may see, each name with those of all owners.
func figures(x *door.Session) []string {
	return seq.Map(seq.Runs(x.Figures(), door.Figure.Alike), func(of []door.Figure) string {
		return of[0].Name + ": " + strings.Join(seq.Map(of, door.Figure.Text), ", ")
	})
}

// Counts prints values side by side, as wide as the terminal.
func (s *Screen) Counts(figures []string) string {
	if len(figures) == 0 {
		return ""
	}
	columns, _ := s.size()
	return phrase.Fold(strings.Join(figures, "; "), columns, "  ") + "\n"
}

// fitting draws the board and the counts of a game, "" if they leave no room for some lines below them.
func (s *Screen) fitting(x *door.Session, highlight []int, below int) string {
	_, rows := s.size()
	counts := s.Counts(figures(x))
	rows -= max(spare, below+3) + strings.Count(counts, "\n")
	if board := s.Board(x.Position(), highlight, max(1, rows)); board != "" {
		return board + counts
	}
	return ""
}

// Show prints a position: the board on a terminal, and the news.
func (s *Screen) Show(x *door.Session, news []string, highlight []int, below int) {
	p := x.Position()
	columns, rows := s.size()
	var b strings.Builder
	if s.terminal() {
		if board := s.fitting(x, highlight, below); board != "" {
			b.WriteString(clear + board + "\n")
			if room := max(1, rows-strings.Count(board, "\n")-below-2); len(news) > room {
				news = append([]string{"…"}, news[len(news)-room+1:]...)
			}
		} else {
			b.WriteString("\n" + s.Standing(p) + s.Counts(figures(x)) + "\n")
		}
	}
	for _, line := range news {
		b.WriteString(s.names(p.Game(), phrase.Fold(line, columns, "      ")) + "\n")
	}
	io.WriteString(s.Out, b.String())
}

func (s *Screen) names(g *interpreter.Game, line string) string {
	if !s.Color {
		return line
	}
	return door.Painted(g, line)
}

// away is the number of lines that scroll a screen of unknown size away.
const away = 100

// Hide clears the screen: it clears a terminal, elsewhere it scrolls.
func (s *Screen) Hide() {
	if s.terminal() {
		io.WriteString(s.Out, wipe)
		return
	}
	io.WriteString(s.Out, strings.Repeat("\n", away))
}

// Say prints lines.
func (s *Screen) Say(lines ...string) {
	for _, l := range lines {
		fmt.Fprintln(s.Out, l)
	}
}
