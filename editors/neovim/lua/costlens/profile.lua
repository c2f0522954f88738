-- Profiles of goals: the server runs them and marks what used what; here is what asks for them and what shows the rest.

local M = {}

---@class costlens.Profile
---@field goal string
---@field summary string
---@field exception string|nil
---@field outdated boolean
---@field list table[]
---@field page string
M.last = nil

local function tell(text, level)
  vim.notify('costlens: ' .. text, level or vim.log.levels.INFO)
end

-- The rows of a profile as entries of a quickfix list: each predicate below the one that calls it.
local function entries(list, encoding)
  return vim.tbl_map(function(row)
    local has = type(row.location) == 'table'
    local item = has and vim.lsp.util.locations_to_items({ row.location }, encoding)[1] or { valid = 0 }
    local shares = {}
    if type(row.own) == 'string' then
      shares[#shares + 1] = 'itself ' .. row.own
    end
    if type(row.withCalls) == 'string' then
      shares[#shares + 1] = 'with calls ' .. row.withCalls
    end
    item.text = ('  '):rep(row.depth) .. row.name .. '  ' .. table.concat(shares, ', ')
    item.user_data = nil
    return item
  end, list)
end

local function shown(profile, encoding)
  M.last = profile
  vim.fn.setqflist({}, ' ', { title = 'Costlens: ' .. profile.goal, items = entries(profile.list, encoding) })
  local more = type(profile.exception) == 'string' and ': ' .. profile.exception or ''
  if profile.outdated then
    more = more .. '; the text has changed meanwhile, so that nothing is marked in it'
  end
  for _, warning in ipairs(profile.warnings) do
    more = more .. '; ' .. warning
  end
  tell(('%s: %s%s (:copen, :CostlensProfileShow)'):format(profile.goal, profile.summary, more))
end

--- Runs a goal with the program of a buffer. The server shows how far it is (`vim.lsp.status()`), and `M.cancel` ends it.
---@param wish { uri: string|nil, goal: string, search: boolean|nil }
function M.profile(wish)
  local costlens = require('costlens')
  local client = costlens.client()
  if not client then
    return
  end
  local argument = {
    uri = wish.uri or vim.uri_from_bufnr(0),
    goal = wish.goal,
    search = wish.search or false,
    engine = costlens.options.profile.engine,
    -- Somebody has typed the command, or chosen the lens.
    trusted = true,
  }
  local params = { command = 'costlens.server.profile', arguments = { argument } }
  costlens.call(client, 'request', 'workspace/executeCommand', params, function(failed, profile)
    if failed then
      tell('nothing was profiled: ' .. failed.message, vim.log.levels.ERROR)
    else
      shown(profile, client.offset_encoding)
    end
  end)
end

--- Ends the profile that is being taken.
function M.cancel()
  for client, token in pairs(M.running) do
    require('costlens').call(client, 'notify', 'window/workDoneProgress/cancel', { token = token })
  end
end

-- The tokens of profiles that are being taken.
M.running = {}

--- Notes which progress is that of a profile.
function M.progress(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  local token, value = event.data.params and event.data.params.token, event.data.params and event.data.params.value
  if client and type(token) == 'string' and token:find('^costlens/profile/') then
    M.running[client] = value.kind ~= 'end' and token or nil
  end
end

-- The goal of the test around the cursor, as its lens has it.
local function test_here()
  local costlens = require('costlens')
  local client = costlens.clients(0)[1]
  local params = { textDocument = { uri = vim.uri_from_bufnr(0) } }
  local answer = client and costlens.call(client, 'request_sync', 'textDocument/codeLens', params, 2000, 0)
  local here, found = vim.api.nvim_win_get_cursor(0)[1] - 1, nil
  for _, lens in ipairs(type(answer and answer.result) == 'table' and answer.result or {}) do
    if lens.range.start.line <= here then
      found = lens.command.arguments[1].goal
    end
  end
  return found
end

--- Profiles a goal; without one asks for it, and proposes the test at the cursor.
---@param goal string
---@param search boolean|nil
function M.ask(goal, search)
  if goal ~= '' then
    return M.profile({ goal = goal, search = search })
  end
  local uri = vim.uri_from_bufnr(0)
  vim.ui.input({ prompt = 'Goal to profile: ', default = test_here() or '' }, function(given)
    if given and vim.trim(given) ~= '' then
      M.profile({ uri = uri, goal = given, search = search })
    end
  end)
end

--- Opens the page of the last profile: flame graph, tables, the graph of calls. It loads nothing.
function M.show()
  if not M.last then
    tell('nothing was profiled yet', vim.log.levels.WARN)
    return
  end
  local path = vim.fn.tempname() .. '.html'
  local file = assert(io.open(path, 'w'))
  file:write(M.last.page)
  file:close()
  vim.ui.open(path)
end

--- Shows the lenses of a buffer, which `vim.lsp.codelens.run()` takes.
---@param buffer integer
function M.lenses(buffer)
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
    return
  end
  local function refresh()
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
  refresh()
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = vim.api.nvim_create_augroup('costlens.lenses.' .. buffer, {}),
    buffer = buffer,
    callback = refresh,
  })
end

return M
