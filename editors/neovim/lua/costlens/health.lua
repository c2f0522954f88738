-- :checkhealth costlens

local M = {}

function M.check()
  local health, costlens = vim.health, require('costlens')

  health.start('Neovim')
  if vim.fn.has('nvim-0.10') == 1 then
    health.ok('version ' .. tostring(vim.version()))
  else
    health.error('version ' .. tostring(vim.version()), 'inlay hints need 0.10 or newer')
    return
  end

  health.start('Server')
  local program = costlens.options.cmd[1]
  local path = vim.fn.exepath(program)
  if path == '' then
    health.error(
      ('`%s` is not executable'):format(program),
      "put it on the PATH, or name it: require('costlens').setup{ cmd = { '/path/to/costlens', 'lsp', '--stdio' } }"
    )
  else
    local ran, result = pcall(function()
      return vim.system({ path, '--version' }, { text = true, timeout = 5000 }):wait()
    end)
    if ran and result.code == 0 then
      health.ok(('%s: %s'):format(path, vim.trim(result.stdout)))
    else
      health.error(('%s --version does not answer'):format(path), ran and vim.trim(result.stderr or '') or tostring(result))
    end
  end

  health.start('Client')
  if not costlens.enabled and not (vim.lsp.is_enabled and vim.lsp.is_enabled('costlens')) then
    health.warn('not enabled', "call require('costlens').enable(true)")
  end
  local clients = costlens.clients()
  if #clients == 0 then
    health.info('no server is running: open a Prolog file first')
  end
  for _, client in ipairs(clients) do
    local info = client.server_info or {}
    local buffers = vim.tbl_keys(client.attached_buffers)
    health.ok(('%s %s attached to %d buffer(s), root %s'):format(info.name or 'server', info.version or '', #buffers, client.root_dir or 'none'))
    for _, buffer in ipairs(buffers) do
      local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':~:.')
      if vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }) then
        health.ok('hints on: ' .. name)
      else
        health.info('hints off: ' .. name .. ' (:CostlensToggle turns them on)')
      end
    end
  end
end

return M
