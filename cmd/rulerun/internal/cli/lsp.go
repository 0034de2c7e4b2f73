package cli

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/lsp"
	"github.com/rulerun/rulerun/examples"
)

func (s *session) lspVerb() *cobra.Command {
	cmd := verb("lsp", nil, mode{low: 0, high: 0, what: "no arguments", run: func(cmd *cobra.Command, _ []string) error {
		o := lsp.Options{Shipped: examples.Shipped(), Path: s.searchPath(), Disk: files.Disk, Version: version(), Delay: lsp.Delay}
		if dir, err := s.store(); err == nil {
			o.Copies = files.NewCopies(filepath.Join(dir, "shipped"))
		}
		err := lsp.Serve(cmd.Context(), s.in, s.out, o)
		if errors.Is(err, lsp.ErrNoShutdown) {
			return errFailed
		}
		return err
	}})
	cmd.Flags().Bool("stdio", false, "speak over the standard streams, as it does without it")
	return cmd
}
