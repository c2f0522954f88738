-- Runs the scenario in Neovim:  nvim --headless --clean -l main.lua PROGRAM VERSION EXAMPLE OUT
-- PROGRAM is the costlens program under test, EXAMPLE the file to work on, OUT the folder for pictures of failed steps.
-- The Neovim that runs this file is only the terminal; the one under test is a process in it. Prints `ok`/`FAIL` lines.

local program, version, example, out = unpack(_G.arg)
local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(_G.arg[0], ':p')))
package.path = here .. '/?.lua;' .. package.path
local Screen = require('screen')

local function write(path, text)
  local file = assert(io.open(path, 'w'))
  file:write(text)
  file:close()
end

local function read(path)
  local file = assert(io.open(path))
  local text = file:read('*a')
  file:close()
  return text
end

-- A home of its own: nothing of the person's configuration is seen or touched.
local home = vim.fn.tempname()
local folder = home .. '/work'
vim.fn.mkdir(folder, 'p')
vim.fn.mkdir(home .. '/bin', 'p')
local text = read(example)
write(folder .. '/nrev.pl', text)
write(folder .. '/edited.pl', text)
for _, name in ipairs({ 'diagnosis', 'exercises', 'intervals', 'puzzle', 'queens', 'scores', 'words' }) do
  write(('%s/%s.pl'):format(folder, name), read(('%s/%s.pl'):format(vim.fs.dirname(example), name)))
end
write(folder .. '/sequence.pl', read(here .. '/../support/sequence.pl'))
write(folder .. '/profiled.pl', read(here .. '/../support/profiled.pl'))
write(folder .. '/predicted.pl', read(here .. '/../support/predicted.pl'))
write(folder .. '/asserted.pl', read(here .. '/../support/asserted.pl'))
write(folder .. '/bare.pl', text:match('\n(app%(.*)$'))
write(folder .. '/report.pl', 'use strict;\nuse warnings;\n\nsub area {\n    my ($w, $h) = @_;\n    return $w * $h;\n}\nprint area(2, 3), "\\n";\n')
-- The program is found on the PATH, as the plugin expects it.
assert(vim.uv.fs_symlink(program, home .. '/bin/costlens'))

local environment = {
  COSTLENS_PLUGIN = vim.fs.normalize(here .. '/../../../editors/neovim'),
  HOME = home,
  LANG = 'C.UTF-8',
  PATH = home .. '/bin:/usr/bin:/bin',
  TERM = 'xterm-256color',
  VIMRUNTIME = vim.env.VIMRUNTIME,
}
local neovim = { vim.v.progpath, '--clean', '-u', here .. '/init.lua' }
local screen = Screen.open(neovim, environment, 130, 44)

local failures = 0
local function step(name, body)
  local started = vim.uv.hrtime()
  local ok, message = pcall(body)
  if ok then
    io.stdout:write(('ok    neovim: %s (%.1f s)\n'):format(name, (vim.uv.hrtime() - started) / 1e9))
  else
    failures = failures + 1
    io.stdout:write(('FAIL  neovim: %s\n%s\n'):format(name, tostring(message):gsub('^', '      '):gsub('\n', '\n      ')))
    write(('%s/failed-%s.txt'):format(out, name:gsub('%W+', '-')), screen:text())
  end
  io.stdout:flush()
end

require('scenario')(screen, step, version, folder)
write(out .. '/end.txt', screen:text())
local log = home .. '/.local/state/nvim/lsp.log'
if vim.uv.fs_stat(log) then
  write(out .. '/lsp.log', read(log))
end
screen:close()

-- Neovim 0.10 has no vim.lsp.config and no vim.lsp.enable.
local before = { '--cmd', 'lua vim.lsp.config, vim.lsp.enable = nil, nil' }
local older = Screen.open(vim.list_extend(vim.list_slice(neovim), before), environment, 130, 44)
screen = older
step('without vim.lsp.config the plugin starts the server itself', function()
  older:command('edit! ' .. folder .. '/bare.pl')
  older:line('^ *\\d+ app\\(\\[\\], Ys, Ys\\).*O\\(n\\)\\s+n\\+1')
end)
step('and starts it again', function()
  older:command('CostlensRestart')
  vim.wait(1500)
  older:line('^ *\\d+ app\\(\\[\\], Ys, Ys\\).*O\\(n\\)\\s+n\\+1')
  older:command("lua print('servers: ' .. #vim.lsp.get_clients({ name = 'costlens' }))")
  older:line('^ *servers: 1')
end)
older:close()
vim.fn.delete(home, 'rf')
os.exit(failures == 0 and 0 or 1)
