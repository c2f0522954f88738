-- A cheaper variant in Neovim: offered with its bounds and times, left, taken, and taken back. Neovim itself has no preview of code actions.
local offer = '^ *\\d+: Carry the last two values along: .*→ n\\+1 steps'
-- The title fills more than one line.
local times = ' → .* at n \\= 30 on SWI-Prolog'
local exponential = 'fib\\(0, 0\\).*O\\(1.618ⁿ\\)'
local linear = 'fib\\(0, 0\\).*O\\(n\\)\\s+n\\+1'

return function(screen, step, open, folder)
  step('a variant is offered with its bounds and times, and may be left', function()
    open(screen, folder, 'sequence.pl')
    screen:line(exponential)
    screen:command('/^fib')
    screen:keys('gra')
    screen:line(offer)
    screen:line(times)
    screen:keys('q<CR>')
    -- The menu is gone before it is opened again.
    screen:command('redraw!')
    screen:no_line(offer)
    screen:no_line('fib\\(N, A, B, F\\)')
    screen:line(exponential)
  end)

  step('what a table would bring is a hint of its own', function()
    screen:command('3')
    screen:keys('<C-W>d')
    screen:line('with a table .*fib/2')
    screen:keys('<Esc>gg')
    screen:no_line('with a table')
  end)

  step('taken, it makes the predicate linear; undone, it is as it was', function()
    screen:command('3')
    screen:keys('gra')
    local _, entry = screen:line(offer)
    screen:keys(entry:match('%d+') .. '<CR>')
    screen:line(linear)
    screen:line('fib\\(N, A, B, F\\) :-')
    screen:keys('u')
    screen:line(exponential)
    screen:no_line('fib\\(N, A, B, F\\)')
    screen:command('edit!')
  end)
end
