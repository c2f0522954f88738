-- A Neovim running in the terminal emulator of another one: keys go in, and what is read is what is drawn.

-- How long a step waits for what it wants to see, in milliseconds, unless it says otherwise.
local patience = 1000 * tonumber(vim.env.COSTLENS_TEST_WAIT or 20)

local Screen = {}
Screen.__index = Screen

--- Starts a command in a terminal of this size.
---@param command string[]
---@param environment table<string, string>
function Screen.open(command, environment, columns, rows)
  vim.o.columns, vim.o.lines = columns, rows + 2
  vim.o.laststatus, vim.o.showtabline, vim.o.cmdheight = 0, 0, 1
  vim.cmd.enew()
  local self = setmetatable({ buffer = vim.api.nvim_get_current_buf() }, Screen)
  self.job = vim.fn.jobstart(command, {
    term = true,
    clear_env = true,
    env = environment,
    on_exit = function(_, code)
      self.exit_code = code
    end,
  })
  assert(self.job > 0, 'cannot start ' .. command[1])
  return self
end

--- Sends keys in Neovim's notation: `gg`, `<Esc>`, `K`.
function Screen:keys(keys)
  vim.api.nvim_chan_send(self.job, vim.keycode(keys))
end

--- Runs an Ex command.
function Screen:command(text)
  self:keys('<Esc>')
  vim.wait(60) -- a lone Esc, not the begin of an Alt key
  self:keys(':' .. text .. '<CR>')
end

--- What is drawn, line by line; blanks at the ends removed, every blank a plain one.
function Screen:lines()
  return vim.tbl_map(function(line)
    return (line:gsub('\194\160', ' '):gsub('%s+$', ''))
  end, vim.api.nvim_buf_get_lines(self.buffer, 0, -1, false))
end

function Screen:text()
  return table.concat(self:lines(), '\n')
end

--- Asks again and again until the answer is truthy, and returns it; the error shows the screen.
function Screen:eventually(what, ask, milliseconds)
  milliseconds = milliseconds or patience
  local answer
  local function try()
    answer = ask()
    return answer and true or false
  end
  if not vim.wait(milliseconds, try, 50) then
    error(('waited %g s for %s; the screen shows:\n%s'):format(milliseconds / 1000, what, self:text()), 0)
  end
  return answer
end

--- Waits for a drawn line that matches a Vim pattern (very magic); returns its number on the screen and its text.
function Screen:line(pattern, milliseconds)
  local regex = vim.regex('\\v\\C' .. pattern)
  local found = self:eventually('a line like ' .. pattern, function()
    for number, line in ipairs(self:lines()) do
      if regex:match_str(line) then
        return { number, line }
      end
    end
  end, milliseconds)
  return found[1], found[2]
end

--- Waits until no drawn line matches.
function Screen:no_line(pattern, milliseconds)
  local regex = vim.regex('\\v\\C' .. pattern)
  self:eventually('no line like ' .. pattern, function()
    return not vim.iter(self:lines()):any(function(line)
      return regex:match_str(line) ~= nil
    end)
  end, milliseconds)
end

--- Ends the Neovim inside and waits for it.
function Screen:close()
  if not self.exit_code then
    self:keys('<C-\\><C-n>')
    self:command('qall!')
    if not vim.wait(5000, function()
      return self.exit_code ~= nil
    end, 50) then
      vim.fn.jobstop(self.job)
    end
  end
end

return Screen
