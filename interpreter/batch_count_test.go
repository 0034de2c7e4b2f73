package interpreter

import (
	"io/fs"
	"os"
	"strconv"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/wasm"
	"github.com/rulerun/rulerun/rulesets"
)

func TestCountX(t *testing.T) {
	name := os.Getenv("RB")
	if name == "" {
		name = "parchis4a"
	}
	data, _ := fs.ReadFile(rulesets.FS, name+".rules")
	book, _ := dsl.Load(source.New(name+".rules", string(data)), dsl.Library{Shipped: rulesets.FS})
	rules, _ := book.Rules(dsl.Setting{})
	g, _ := Compile(rules)
	x, _ := g.studied()
	b, err := x.newBatch()
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.NewPlayer()
	if err != nil {
		t.Fatal(err)
	}
	n, _ := strconv.Atoi(os.Getenv("GAMES"))
	throws := 0
	for k := range uint64(n) {
		ran := NewRandom(7, k)
		p.Play(wasm.Request{Random: ran.state, MaxThrows: 100000, Leads: os.Getenv("NOLEADS") == ""})
		throws += p.Throws()
	}
	os.WriteFile("/tmp/h/throws", []byte(strconv.Itoa(throws)), 0o644)
}
