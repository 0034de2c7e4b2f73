package interpreter_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
)

func TestSpeedX(t *testing.T) {
	name := os.Getenv("RB")
	if name == "" {
		name = "parchis4a"
	}
	g := shipped(t, name, dsl.Setting{})
	mk := func(i, l bool) *interpreter.Runner {
		r, err := interpreter.NewRunner(g, interpreter.RunOptions{Leads: l, Interpret: i})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	fast, lean, slow := mk(false, true), mk(false, false), mk(true, true)
	k := uint64(0)
	n := 0
	for n < 300000 {
		p, err := fast.Play(1, k)
		if err != nil {
			t.Fatal(err)
		}
		n += p.Throws
		k++
	}
	run := func(r *interpreter.Runner) float64 {
		n := 0
		t0 := cpu()
		for n < 80000 {
			p, _ := r.Play(1, k)
			k++
			n += p.Throws
		}
		return float64(cpu()-t0) / float64(n)
	}
	r := rand.New(rand.NewPCG(1, 0))
	og := newOrdinary(4)
	ord := func() float64 {
		t0 := cpu()
		for range 40000 {
			if og.over() {
				og = newOrdinary(4)
			}
			og.throw(1 + r.IntN(6))
			for len(og.options) > 0 {
				i := 0
				if len(og.options) > 1 {
					i = r.IntN(len(og.options))
				}
				og.choose(i)
			}
		}
		return float64(cpu()-t0) / 40000
	}
	rnd := interpreter.NewRandom(1, 0)
	pos := g.Start(0)
	node := func() float64 {
		t0 := cpu()
		for range 60000 {
			throws := pos.Throws()
			for pos.Throws() == throws {
				switch pos.Kind() {
				case interpreter.Throw:
					pos.ThrowRandom(&rnd)
				case interpreter.Choice:
					pos.ChooseRandom(&rnd)
				default:
					pos.Restart(0)
					throws = -1
				}
			}
		}
		return float64(cpu()-t0) / 60000
	}
	a, b, c, d, e := 0., 0., 0., 0., 0.
	rounds := 12
	if os.Getenv("LONG") != "" {
		rounds = 100000
	}
	if os.Getenv("ONLY") != "" {
		for range 10 * rounds {
			run(fast)
		}
		return
	}
	for range rounds {
		a, b, c, d, e = a+run(fast), b+run(lean), c+run(slow), d+ord(), e+node()
	}
	x := float64(rounds)
	a, b, c, d, e = a/x, b/x, c/x, d/x, e/x
	fmt.Printf("%s fast %.1f lean %.1f interpreter %.1f node %.1f ordinary %.1f: %.2f %.2f %.2f %.2f\n", name, a, b, c, e, d, d/a, d/b, d/c, d/e)
}

func cpu() int64 {
	var ts syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 2, uintptr(unsafe.Pointer(&ts)), 0)
	return ts.Nano()
}
