-- The language server, by Neovim's own client (0.8 or later): require('rulerun').setup() in init.lua.
local M = {}

-- setup starts `rulerun lsp` for rule files, lists of clauses and YAML files; of these it heeds the boards alone.
function M.setup(options)
  options = vim.tbl_extend('force', { cmd = { 'rulerun', 'lsp' } }, options or {})
  vim.api.nvim_create_autocmd('FileType', {
    pattern = { 'rulerun', 'rulerunclauses', 'yaml' },
    callback = function(event)
      local file = vim.api.nvim_buf_get_name(event.buf)
      local git = vim.fn.finddir('.git', vim.fn.fnamemodify(file, ':p:h') .. ';')
      local root = git ~= '' and vim.fn.fnamemodify(git, ':p:h:h') or vim.fn.fnamemodify(file, ':p:h')
      vim.lsp.start({ name = 'rulerun', cmd = options.cmd, root_dir = root })
    end,
  })
end

return M
