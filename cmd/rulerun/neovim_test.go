package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// neovimScript waits for the findings of the file that is open, then of a second one.
const neovimScript = `
local function show()
  vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20)
  for _, d in ipairs(vim.diagnostic.get(0)) do io.write(d.lnum, ' ', d.message, '\n') end
end
show()
vim.cmd('edit sub/second.rules')
show()
io.write(#(vim.lsp.get_clients or vim.lsp.get_active_clients)(), ' client\n')
vim.cmd('qa!')
`

// TestNeovim opens rule files in Neovim with the example set-up.
func TestNeovim(t *testing.T) {
	if _, err := exec.LookPath("nvim"); err != nil {
		t.Skip("there is no nvim")
	}
	w := newWorld(t)
	home := t.TempDir()
	plugin := filepath.Join(home, "data/nvim/site/pack/rules/start/rulerun")
	if err := os.CopyFS(plugin, os.DirFS(filepath.Join(top, "examples/editors/vim"))); err != nil {
		t.Fatal(err)
	}
	w.write(t, "first.rules", "change first \"First\" for parchis4a\n\nset capture_cuont = 10\n")
	w.write(t, "sub/second.rules", "change second \"Second\" for parchis4a\n\n\nset goal_cuont = 10\n")
	if err := os.CopyFS(filepath.Join(home, "config/nvim"), fstest.MapFS{"init.lua": {Data: []byte("require('rulerun').setup()\n")}}); err != nil {
		t.Fatal(err)
	}
	w.write(t, "show.lua", neovimScript)
	out := w.run(t, 0, "nvim --headless first.rules -c 'luafile show.lua' 2>&1",
		"HOME="+home, "XDG_DATA_HOME="+filepath.Join(home, "data"), "XDG_CONFIG_HOME="+filepath.Join(home, "config"))
	for _, want := range []string{`2 there is no option "capture_cuont"`, `3 there is no option "goal_cuont"`, "1 client"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
