-- Costlens for Neovim: starts the server for Prolog, shows its hints, and the user commands. Those about profiles are in profile.lua.

local M = {}

---@class costlens.Options
---@field cmd string[] the server and its arguments
---@field hints boolean show hints when the server attaches
---@field lenses boolean show lenses at tests, which profile them
---@field profile { engine: string } where goals are profiled: `embedded`, or `swi`, your SWI-Prolog
---@field sniff boolean decide by its text whether a `.pl` file is Prolog
---@field settings table the object under `costlens` that the server gets: `hints`, `hover`, `diagnostics`, `codeActions`, `features`

---@type costlens.Options
local defaults = {
  cmd = { 'costlens', 'lsp', '--stdio' },
  hints = true,
  lenses = true,
  profile = { engine = 'embedded' },
  sniff = true,
  settings = {
    hints = { enable = true, steps = true, time = false, unknown = true, data = false, observed = false, position = 'line', threshold = '1' },
    hover = { enable = true, plot = true, runs = true, documentation = true },
    diagnostics = { enable = true, disabled = {} },
    codeActions = { enable = true },
    features = {
      navigation = true,
      symbols = true,
      callHierarchy = true,
      folding = true,
      semanticTokens = true,
      completion = true,
    },
    platform = 'auto',
    library = 'installed',
    expansions = true,
  },
}

-- Neovim 0.10 knows neither vim.lsp.config nor vim.lsp.enable: there the plugin starts the server itself.
local configures = vim.lsp.config ~= nil and vim.lsp.enable ~= nil

-- There a client's functions do not take the client as their first argument.
function M.call(client, name, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[name](client, ...)
  end
  return client[name](...)
end

---@type costlens.Options
M.options = vim.deepcopy(defaults)

--- Changes options; everything has a default, so calling this is not needed. May be called at any time: a server that is
--- running already gets changed settings at once and a changed command with :CostlensRestart.
---@param options table|nil
function M.setup(options)
  M.options = vim.tbl_deep_extend('force', vim.deepcopy(defaults), options or {})
  if configures then
    vim.lsp.config('costlens', M.client_config())
  end
  for _, client in ipairs(M.clients()) do
    client.settings = { costlens = M.options.settings }
    M.call(client, 'notify', 'workspace/didChangeConfiguration', { settings = client.settings })
  end
end

--- The client configuration, for lsp/costlens.lua.
---@return vim.lsp.Config
function M.client_config()
  return {
    cmd = M.options.cmd,
    filetypes = { 'prolog' },
    root_markers = { 'costlens.toml', 'pack.pl', '.git' },
    init_options = vim.tbl_extend('force', M.options.settings, { libraryDocuments = true, profileLenses = true, profileHeat = true }),
    settings = { costlens = M.options.settings },
    handlers = { ['workspace/inlayHint/refresh'] = M.refresh_hints, ['costlens/heat'] = require('costlens.heat').take },
  }
end

--- Fills a buffer whose name begins with `costlens-library:` with the text that the server has of it.
---@param buffer integer
function M.read_library(buffer)
  local bo = vim.bo[buffer]
  bo.buftype, bo.swapfile = 'nofile', false
  local client = M.clients()[1]
  local params = { uri = vim.api.nvim_buf_get_name(buffer) }
  local answer = client and M.call(client, 'request_sync', 'costlens/libraryText', params, 2000, buffer)
  local text = answer and answer.result
  if type(text) == 'string' then
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, '\n'))
    bo.filetype = 'prolog'
  end
  bo.modifiable, bo.modified = false, false
end

--- Answers the server's request to fetch the hints again. Neovim's own handler (0.12.4) loses the new hints if the screen is
--- redrawn before they arrive: it then takes the lines for up to date. Enabling the hints again forgets the old ones.
function M.refresh_hints(_, _, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  for buffer in pairs(client and client.attached_buffers or {}) do
    if vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }) then
      vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
    end
  end
  return vim.NIL
end

--- Whether the server is started for Prolog files. See M.enable.
M.enabled = false

--- Starts the server for Prolog files, those that are open already included, or starts it for no more.
---@param on boolean
function M.enable(on)
  M.enabled = on
  if configures then
    vim.lsp.enable('costlens', on)
    return
  end
  local group = vim.api.nvim_create_augroup('costlens.start', {})
  if not on then
    return
  end
  local function start(buffer)
    if vim.bo[buffer].buftype ~= '' then
      return
    end
    local config = M.client_config()
    config.name = 'costlens'
    config.root_dir = vim.fs.root(buffer, config.root_markers)
    vim.lsp.start(config, { bufnr = buffer })
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = M.client_config().filetypes,
    callback = function(event)
      start(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'prolog' then
      start(buffer)
    end
  end
end

--- The running clients, of all buffers or of one.
---@param buffer integer|nil
function M.clients(buffer)
  return vim.lsp.get_clients({ name = 'costlens', bufnr = buffer })
end

--- Turns the hints of a buffer on, off, or to the other of the two.
---@param on boolean|nil
---@param buffer integer|nil default the current one
function M.toggle(on, buffer)
  local where = { bufnr = buffer or vim.api.nvim_get_current_buf() }
  if on == nil then
    on = not vim.lsp.inlay_hint.is_enabled(where)
  end
  vim.lsp.inlay_hint.enable(on, where)
  require('costlens.heat').show(where.bufnr)
end

--- Stops the server and starts it again for the buffers of Prolog.
function M.restart()
  M.enable(false)
  for _, client in ipairs(M.clients()) do
    M.call(client, 'stop')
  end
  -- A stopping client must be gone, else it would be handed out again.
  local tries = 0
  local function when_gone()
    tries = tries + 1
    if #M.clients() == 0 then
      M.enable(true)
    elseif tries == 100 then
      vim.notify('costlens: the server does not stop', vim.log.levels.ERROR)
    else
      if tries == 40 then
        for _, client in ipairs(M.clients()) do
          M.call(client, 'stop', true)
        end
      end
      vim.defer_fn(when_gone, 50)
    end
  end
  when_gone()
end

--- The server of the current buffer, else any that runs; nil, with a message, where there is none.
---@return vim.lsp.Client|nil
function M.client()
  local client = M.clients(0)[1] or M.clients()[1]
  if not client then
    vim.notify('costlens: open a Prolog file first', vim.log.levels.WARN)
  end
  return client
end

--- Measures a Prolog system of this machine. The server does the work, beside everything else; how far it is stands in the
--- message line, and `vim.lsp.status()` has it.
---@param engine string `swi`, `swi-O`, `gnu`, `scryer` or `embedded`
---@param thorough boolean|nil a minute instead of some seconds
function M.calibrate(engine, thorough)
  local client = M.client()
  if not client then
    return
  end
  local wish = { engine = engine, quick = not thorough }
  local shown = vim.api.nvim_create_autocmd('LspProgress', {
    callback = function(event)
      local value = event.data.params and event.data.params.value or {}
      if event.data.client_id == client.id and value.kind == 'report' and value.message then
        vim.api.nvim_echo({ { ('costlens: %s'):format(value.message) } }, false, {})
      end
    end,
  })
  local params = { command = 'costlens.server.calibrate', arguments = { wish } }
  M.call(client, 'request', 'workspace/executeCommand', params, function(failed, found)
    vim.api.nvim_del_autocmd(shown)
    if failed then
      vim.notify(('costlens: nothing was calibrated: %s'):format(failed.message), vim.log.levels.ERROR)
    else
      vim.notify(('costlens: %s is calibrated'):format(found.engine))
    end
  end)
end

--- Opens Neovim's log of language servers, where what the server writes to standard error goes.
function M.log()
  vim.cmd.tabnew(vim.fn.fnameescape(vim.lsp.log.get_filename and vim.lsp.log.get_filename() or vim.lsp.get_log_path()))
  vim.cmd.normal({ 'G', bang = true })
end

return M
