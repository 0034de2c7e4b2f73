package interpreter

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/interpreter/internal/generate"
)

var (
	netFor    = flag.Duration("net.time", 0, "play generated rule books for as long; 0 is a few")
	netSeed   = flag.Uint64("net.seed", 1, "of the generated rule books")
	netOut    = flag.String("net.out", "", "folder for the books that fail, made smaller; without it they are in the log")
	netShrink = flag.Duration("net.shrink", 30*time.Second, "how long one failure is made smaller; 0 leaves it as it is")
	netEach   = flag.Int("net.each", 1, "how many failures of one kind are made smaller")
	netFound  = flag.String("net.found", "", "a pattern of files that TestFound plays, in place of those that are kept")
	netLaw    = flag.String("net.law", "", "look at these laws alone, with commas between")
)

// netFiles is how many books are played by default.
const netFiles = 12

// netPatience is after how long a book that is being played counts as a hang.
const netPatience = 40 * time.Second

// netPlayer plays cases in a process of its own, since some faults end a process: a stack without end, memory without end.
type netPlayer struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	replies chan netVerdict
	errors  *bytes.Buffer

	patience time.Duration // after which a case is a hang; 0 is netPatience, and five times as long in a second try
}

const netEnv = "RULERUN_NET_PLAYER"

// TestNetPlayer is that process: it reads cases and writes verdicts.
func TestNetPlayer(t *testing.T) {
	if os.Getenv(netEnv) == "" {
		t.Skip("only for TestNet")
	}
	debug.SetMaxStack(64 << 20)
	go func() { // memory that grows on and on
		var m runtime.MemStats
		for {
			time.Sleep(200 * time.Millisecond)
			if runtime.ReadMemStats(&m); m.HeapInuse > 2<<30 {
				fmt.Fprintln(os.Stderr, "fatal error: more than 2 GiB of memory")
				os.Exit(3)
			}
		}
	}()
	in, out := bufio.NewReader(os.Stdin), os.NewFile(3, "verdicts")
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			os.Exit(0)
		}
		var c netCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(c.judge())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write(append(data, '\n')); err != nil {
			os.Exit(0)
		}
	}
}

func (n *netPlayer) start() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	n.cmd = exec.Command(self, "-test.run=^TestNetPlayer$", "-test.timeout=0")
	n.cmd.Env = append(os.Environ(), netEnv+"=1", "GOTRACEBACK=single")
	n.errors = &bytes.Buffer{}
	n.cmd.Stderr = n.errors
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	n.cmd.ExtraFiles = []*os.File{writer}
	if n.in, err = n.cmd.StdinPipe(); err != nil {
		return err
	}
	if err := n.cmd.Start(); err != nil {
		return err
	}
	writer.Close()
	replies := make(chan netVerdict)
	n.replies = replies
	go func() {
		defer close(replies)
		defer reader.Close()
		lines := bufio.NewReader(reader)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			var v netVerdict
			if json.Unmarshal(line, &v) != nil {
				return
			}
			replies <- v
		}
	}()
	return nil
}

func (n *netPlayer) stop() {
	if n.cmd != nil {
		n.cmd.Process.Kill()
		for range n.replies { // until the pipe is closed
		}
		n.cmd.Wait()
		n.cmd = nil
	}
}

// judge has a case played, a second time with more patience where nothing came: the machine may have had other work.
func (n *netPlayer) judge(c *netCase) (netVerdict, error) {
	v, err := n.within(c, cmp.Or(n.patience, netPatience))
	if n.patience == 0 && len(v.Failures) > 0 && v.Failures[0].Sign == hang {
		return n.within(c, 5*netPatience)
	}
	return v, err
}

const hang = "hang" // the sign of a case that gave no verdict in time

// within has a case played for a limited time.
func (n *netPlayer) within(c *netCase, patience time.Duration) (netVerdict, error) {
	if n.cmd == nil {
		if err := n.start(); err != nil {
			return netVerdict{}, err
		}
	}
	data, err := json.Marshal(c)
	if err != nil {
		return netVerdict{}, err
	}
	if _, err := n.in.Write(append(data, '\n')); err != nil && !errors.Is(err, os.ErrClosed) {
		n.stop()
		return netVerdict{}, err
	}
	select {
	case v, ok := <-n.replies:
		if ok {
			return v, nil
		}
		n.cmd.Wait()
		text := n.errors.String()
		n.cmd = nil
		return c.dead(deathSign(text), text[:min(len(text), 3000)]), nil
	case <-time.After(patience):
		n.stop()
		return c.dead(hang, fmt.Sprintf("nothing comes in %v", patience)), nil
	}
}

// dead is the verdict on a case that ended the process that played it.
func (c *netCase) dead(sign, detail string) netVerdict {
	return netVerdict{Failures: []netFailure{{"alive", sign, detail}}, Options: c.Options, Players: c.Players}
}

// deathSign is what ended a process, and in which function.
func deathSign(text string) string {
	sign := ""
	for _, line := range strings.Split(text, "\n") {
		if sign == "" && (strings.HasPrefix(line, "fatal error") || strings.HasPrefix(line, "panic")) {
			sign = line
		}
		if _, at, ok := strings.Cut(line, "github.com/rulerun/rulerun/"); ok && sign != "" && !strings.HasPrefix(line, "\t") {
			at, _, _ = strings.Cut(at, "(0x")
			at, _, _ = strings.Cut(at, "({")
			return sign + " in " + strings.TrimSuffix(at, "(...)")
		}
	}
	return sign
}

// TestNet plays generated rule books by every form of the engine, and looks at every law there is.
func TestNet(t *testing.T) {
	n := &netPlayer{}
	defer n.stop()
	found := map[string]int{}
	rejected := map[string]int{}
	pooled := map[int][]int{}
	began := time.Now()
	var files, passed, nodes, over, broken, batched int
	for seed := *netSeed * 1_000_000; files < netFiles || time.Since(began) < *netFor; seed++ {
		files++
		c := &netCase{Book: *generate.New(seed), Seed: seed, Law: *netLaw}
		v, err := n.judge(c)
		if err != nil {
			t.Fatal(err)
		}
		if v.Rejected != "" {
			code, _, _ := strings.Cut(v.Rejected, ":")
			rejected[code]++
			continue
		}
		passed++
		nodes, over, broken = nodes+v.Nodes, over+v.Over, broken+v.Broken
		if v.Batched {
			batched++
		}
		for k, counts := range v.Decisions {
			if pooled[k] == nil {
				pooled[k] = make([]int, k)
			}
			for i, n := range counts {
				pooled[k][i] += n
			}
		}
		for i, f := range v.Failures {
			key := f.Law + ": " + f.Sign
			if found[key]++; found[key] > *netEach {
				continue
			}
			t.Errorf("seed %d, file %d, after %.0f s: %s", seed, files, time.Since(began).Seconds(), key)
			text := n.shrunk(c, v, f, *netShrink)
			if *netOut == "" {
				t.Log("\n" + text)
				continue
			}
			name := filepath.Join(*netOut, fmt.Sprintf("%s-%d-%d.txtar", f.Law, seed, i))
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for k, counts := range pooled {
		total := 0
		for _, n := range counts {
			total += n
		}
		want, chi := float64(total)/float64(k), 0.0
		for _, n := range counts {
			chi += (float64(n) - want) * (float64(n) - want) / want
		}
		if limit := float64(k-1) + 8*float64(k); total > 0 && chi > limit { // far beyond one in a million
			t.Errorf("of %d options, taken %v: chi-square %.1f", k, counts, chi)
		}
	}
	t.Logf("%d files in %.0f s, %d pass check %v, %d nodes, %d games over, %d broken, %d as WebAssembly, chance %v", files, time.Since(began).Seconds(), passed, rejected, nodes, over, broken, batched, pooled)
	var keys []string
	for key, n := range found {
		keys = append(keys, fmt.Sprintf("%6d × %s", n, key))
	}
	slices.Sort(keys)
	for _, k := range slices.Backward(keys) {
		t.Log(k)
	}
}
