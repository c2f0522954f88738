-- Predictions of calls: what is proved of them and what past runs say, in a window of its own. Nothing is run.

local M = {}

local function tell(text, level)
  vim.notify('costlens: ' .. text, level or vim.log.levels.INFO)
end

local NAME = 'costlens://prediction'

-- The buffer of the last prediction, or a new one.
local function buffer()
  local known = vim.fn.bufnr('^' .. NAME .. '$')
  if known ~= -1 then
    return known
  end
  local new = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(new, NAME)
  vim.bo[new].bufhidden = 'wipe'
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = new, desc = 'Close the prediction' })
  return new
end

local function shown(prediction)
  local lines = { '?- ' .. prediction.goal .. '.', '' }
  vim.list_extend(lines, vim.split(vim.trim(prediction.text), '\n'))
  for _, warning in ipairs(prediction.warnings) do
    lines[#lines + 1] = 'warning: ' .. warning
  end
  local report = buffer()
  vim.bo[report].modifiable = true
  vim.api.nvim_buf_set_lines(report, 0, -1, false, lines)
  vim.bo[report].modifiable = false
  local window = vim.fn.bufwinid(report)
  if window == -1 then
    local before = vim.api.nvim_get_current_win()
    vim.cmd('botright sbuffer ' .. report)
    window = vim.api.nvim_get_current_win()
    vim.wo[window].wrap = false
    vim.api.nvim_set_current_win(before)
  end
  vim.api.nvim_win_set_height(window, math.min(#lines, 15))
end

--- Says what a call of a predicate of a buffer's program is likely to cost.
---@param wish { uri: string|nil, goal: string, all: boolean|nil }
function M.predict(wish)
  local costlens = require('costlens')
  local client = costlens.client()
  if not client then
    return
  end
  local argument = { uri = wish.uri or vim.uri_from_bufnr(0), goal = wish.goal, all = wish.all or false }
  local params = { command = 'costlens.server.predict', arguments = { argument } }
  costlens.call(client, 'request', 'workspace/executeCommand', params, function(failed, prediction)
    if failed then
      tell('nothing is predicted: ' .. failed.message, vim.log.levels.ERROR)
    else
      shown(prediction)
    end
  end)
end

--- Predicts a goal; without one asks for it.
---@param goal string
---@param all boolean|nil
function M.ask(goal, all)
  if goal ~= '' then
    return M.predict({ goal = goal, all = all })
  end
  local uri = vim.uri_from_bufnr(0)
  vim.ui.input({ prompt = 'Goal to predict: ' }, function(given)
    if given and vim.trim(given) ~= '' then
      M.predict({ uri = uri, goal = given, all = all })
    end
  end)
end

return M
