-- Predictions in Neovim: past runs say what a call is likely to cost, and stand beside a predicate without a bound where somebody wants that.
local function keep(folder, n)
  local command = { folder .. '/../bin/costlens', 'run', 'predicted.pl', '--history=.costlens/history.db', '--goal', ('collatz(%d, S)'):format(n) }
  local ran = vim.system(command, { cwd = folder, text = true }):wait(20000)
  assert(ran.code == 0, ran.stderr)
end

return function(screen, step, open, folder)
  step('a call is predicted from past runs, in a window of its own', function()
    for n = 2, 13 do
      keep(folder, 7 * n)
    end
    open(screen, folder, 'predicted.pl')
    screen:command('CostlensPredict collatz(50, S)')
    screen:line('\\?- collatz\\(50, S\\)\\.')
    screen:line('predicted: from 12 past runs')
    screen:line('no upper bound is proved of collatz')
    screen:command('wincmd b')
    screen:keys('q')
    screen:no_line('predicted: from 12 past runs')
  end)

  step('past runs stand beside a predicate without a bound where that is asked for, and new ones join them', function()
    open(screen, folder, 'predicted.pl')
    screen:line('collatz\\(1, 0\\).*cost \\?')
    screen:no_line('obs, \\d+ runs')
    screen:command("lua require('costlens').setup{ settings = { hints = { observed = true } } }")
    screen:line('collatz\\(1, 0\\).*cost \\?\\s+≈ .*\\(obs, 12 runs\\)')
    keep(folder, 27)
    screen:line('collatz\\(1, 0\\).*\\(obs, 13 runs\\)')
    screen:command("lua require('costlens').setup()")
    screen:no_line('obs, \\d+ runs')
    vim.fn.delete(folder .. '/.costlens', 'rf')
  end)
end
