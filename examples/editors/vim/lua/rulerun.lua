-- The language server, by Neovim's own client (0.7 or later): require('rulerun').setup() in init.lua.
local M = {}

-- start starts a client for the current buffer, or attaches the one that runs in its folder.
local clients = {}
local start = vim.lsp.start or function(config) -- Neovim 0.7 has no such function
  local id = clients[config.root_dir]
  if not (id and vim.lsp.get_client_by_id(id)) then
    id = vim.lsp.start_client(config)
    clients[config.root_dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(0, id)
  end
end

-- setup starts `rulerun lsp` for rule files, lists of clauses and YAML files; of these it heeds the boards alone.
function M.setup(options)
  options = vim.tbl_extend('force', { cmd = { 'rulerun', 'lsp' } }, options or {})
  vim.api.nvim_create_autocmd('FileType', {
    pattern = { 'rulerun', 'rulerunclauses', 'yaml' },
    callback = function(event)
      local file = vim.api.nvim_buf_get_name(event.buf)
      local git = vim.fn.finddir('.git', vim.fn.fnamemodify(file, ':p:h') .. ';')
      local root = git ~= '' and vim.fn.fnamemodify(git, ':p:h:h') or vim.fn.fnamemodify(file, ':p:h')
      start({ name = 'rulerun', cmd = options.cmd, root_dir = root })
    end,
  })
end

return M
