package bot_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/rulesets"
)

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(1, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func TestZZ(t *testing.T) {
	runtime.LockOSThread()
	names := append((dsl.Library{Shipped: rulesets.FS}).RulesNames(), "ludo", "parcheesi", "snakes", "ur", "senet", "yut", "sorry", "uckers", "nyout")
	who := os.Getenv("WHO")
	if who == "" { who = "strong" }
	for _, name := range names {
		if f := os.Getenv("ONLY"); f != "" && !strings.Contains(name, f) { continue }
		if _, err := os.Stat("../../rulesets/" + name + ".rules"); err != nil {
			if _, err := os.Stat(examples + "/" + name + ".rules"); err != nil {
				fmt.Println("no", name)
				continue
			}
		}
		g := game(t, name, dsl.Setting{})
		b := made(t, who)
		bot.Prepare(b, g)
		r := interpreter.NewRandom(3, 0)
		var all []time.Duration
		var total time.Duration
		most, at := 0, 0
		throws := 0
		p := g.Start(interpreter.ByTheRules)
		for total < 20*time.Second && throws < 3000 {
			if p.Kind() == interpreter.Over { p = g.Start(interpreter.ByTheRules) }
			c, n := p.Kind() == interpreter.Choice || p.ChosenNumber(), p.OptionCount()
			if p.Kind() == interpreter.Throw { throws++ }
			t0 := cpu()
			step(t, p, b, &r)
			if d := cpu() - t0; c && n > 1 {
				all = append(all, d)
				total += d
				if len(all) == 1 || d > slices.Max(all[:len(all)-1]) { most, at = n, len(all) }
			}
		}
		if len(all) == 0 { fmt.Println(name, "none"); continue }
		slices.Sort(all)
		fmt.Printf("%-20s %5d moves mean %8v p99 %8v longest %8v (options %d, at %d)\n", name, len(all), (total / time.Duration(len(all))).Round(10*time.Microsecond), all[len(all)*99/100].Round(10*time.Microsecond), all[len(all)-1].Round(10*time.Microsecond), most, at)
	}
}
