package cli

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// TestStart: what every command does before its verb begins reads no catalogue, which takes many times as many allocations. It counts in a
// process of its own, in which nothing has been read.
func TestStart(t *testing.T) {
	const child, most = "RULERUN_TEST_START", 4_000
	if os.Getenv(child) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestStart$")
		cmd.Env = append(os.Environ(), child+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	s := &session{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.root()
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > most {
		t.Errorf("the start of a command takes %d allocations, more than %d", n, most)
	}
}
