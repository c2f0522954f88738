-- Loaded by Neovim when this folder is on the runtimepath. To keep it from doing anything: vim.g.loaded_costlens = true.
if vim.g.loaded_costlens then
  return
end
vim.g.loaded_costlens = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify_once('costlens needs Neovim 0.10 or newer', vim.log.levels.WARN)
  return
end

local costlens = require('costlens')

-- `.pl` is Perl to Neovim unless its first line says otherwise. This looks at more of the text, and where that is
-- undecided, or a person has decided (g:filetype_pl), leaves the choice to Neovim.
vim.filetype.add({
  pattern = {
    ['.*%.pl'] = {
      function(_, buffer)
        if vim.g.filetype_pl or not costlens.options.sniff or not buffer then
          return nil
        end
        return require('costlens.sniff')(vim.api.nvim_buf_get_lines(buffer, 0, 400, false))
      end,
      { priority = 10 },
    },
  },
})

vim.api.nvim_create_user_command('CostlensToggle', function()
  costlens.toggle()
end, { desc = 'Costlens: hints of this buffer on or off' })
vim.api.nvim_create_user_command('CostlensRestart', costlens.restart, { desc = 'Costlens: restart the server' })
vim.api.nvim_create_user_command('CostlensLog', costlens.log, { desc = 'Costlens: show the log' })
vim.api.nvim_create_user_command('CostlensCalibrate', function(given)
  costlens.calibrate(given.args ~= '' and given.args or 'swi', given.bang)
end, {
  bang = true,
  nargs = '?',
  complete = function()
    return { 'swi', 'swi-O', 'gnu', 'scryer', 'embedded' }
  end,
  desc = 'Costlens: measure a Prolog system of this machine; with ! thoroughly',
})

vim.api.nvim_create_user_command('CostlensProfile', function(given)
  require('costlens.profile').ask(given.args, given.bang)
end, { bang = true, nargs = '*', desc = 'Costlens: profile a goal; with ! find its bottleneck' })
vim.api.nvim_create_user_command('CostlensProfileShow', function()
  require('costlens.profile').show()
end, { desc = 'Costlens: show the last profile as a page' })
vim.api.nvim_create_user_command('CostlensProfileCancel', function()
  require('costlens.profile').cancel()
end, { desc = 'Costlens: end the profile that is being taken' })

vim.api.nvim_create_user_command('CostlensPredict', function(given)
  require('costlens.predict').ask(given.args, given.bang)
end, { bang = true, nargs = '*', desc = 'Costlens: what a goal is likely to cost; with ! for all its solutions' })

-- What lenses at tests name.
vim.lsp.commands['costlens.profile'] = function(command)
  require('costlens.profile').profile(command.arguments[1])
end

vim.api.nvim_create_autocmd('LspAttach', {
  group = vim.api.nvim_create_augroup('costlens', {}),
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'costlens' and costlens.options.hints then
      costlens.toggle(true, event.buf)
    end
    if client and client.name == 'costlens' and costlens.options.lenses then
      require('costlens.profile').lenses(event.buf)
    end
  end,
})

require('costlens.heat').define()
vim.api.nvim_create_autocmd('ColorScheme', {
  group = 'costlens',
  callback = function()
    require('costlens.heat').define()
  end,
})

vim.api.nvim_create_autocmd('LspDetach', {
  group = 'costlens',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'costlens' then
      require('costlens.heat').forget(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('LspProgress', {
  group = 'costlens',
  callback = function(event)
    require('costlens.profile').progress(event)
  end,
})

-- Documents of the library that ships with the server.
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = 'costlens',
  pattern = 'costlens-library:*',
  callback = function(event)
    costlens.read_library(event.buf)
  end,
})

costlens.enable(true)
