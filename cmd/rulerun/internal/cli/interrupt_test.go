package cli

import (
	"io"
	"os"
	"runtime"
	"testing"
	"time"
)

// TestInterruptedTwice sends an interrupt twice in a row, as timeout(1) does: it counts as one, which lets the work end.
func TestInterruptedTwice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a program cannot interrupt itself")
	}
	ctx, stop := interruptible(t.Context(), io.Discard)
	defer stop()
	done := ctx.Done()
	self, err := os.FindProcess(os.Getpid())
	for range 2 {
		if err == nil {
			err = self.Signal(os.Interrupt)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	<-done
	if err = self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	time.Sleep(once / 2) // the test goes on
}

// TestKeeping: while a file with results so far is written, an interrupt cannot end the program.
func TestKeeping(t *testing.T) {
	err := folderStore(t.TempDir()).Save("values", func(io.Writer) error {
		if keeping.TryLock() {
			keeping.Unlock()
			t.Error("the program could end in the middle of the file")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !keeping.TryLock() {
		t.Fatal("the program cannot end after the file is written")
	}
	keeping.Unlock()
}
