-- Assertions and budgets in Neovim: a false one, its fixes, a comment that silences it, and a budget of costlens.toml.

local function write(path, text)
  local file = assert(io.open(path, 'w'))
  file:write(text)
  file:close()
end

return function(screen, step, open, folder)
  local function errors()
    return vim.tbl_filter(function(drawn)
      return drawn:find('^E ?%s*%d') ~= nil
    end, screen:lines())
  end

  local function no_error()
    screen:eventually('no error in the sign column', function()
      return #errors() == 0
    end)
  end

  local function error_in(text)
    screen:eventually('one error, in the line of ' .. text, function()
      local found = errors()
      return #found == 1 and found[1]:find(text, 1, true) ~= nil
    end)
  end

  local function take(pattern, fix)
    screen:command(pattern)
    screen:keys('gra')
    local _, entry = screen:line('^ *\\d+: ' .. fix)
    screen:keys(entry:match('%d+') .. '<CR>')
  end

  step('a false assertion: both functions and the sizes', function()
    open(screen, folder, 'asserted.pl')
    error_in('@cost steps')
    screen:command('/@cost')
    screen:keys('<C-W>d')
    screen:line('inferred n \\+ 1, asserted at most n')
    screen:keys('<Esc>gg')
  end)

  step('a comment silences it, and undoing that brings it back', function()
    screen:keys('ggO<C-U>% costlens: ignore[assertion-false] known<Esc>')
    screen:line('costlens: ignore')
    no_error()
    screen:keys('u')
    error_in('@cost steps')
  end)

  step('the quick fix relaxes it to what was inferred, and it can be undone', function()
    take('/@cost', 'Relax the assertion to the inferred bound')
    screen:line('\\@cost steps \\=\\< length\\(Xs\\)\\+1')
    no_error()
    screen:keys('u')
    error_in('@cost steps')
    take('/@cost', 'Relax the assertion to the inferred bound')
    no_error()
  end)

  step('what was inferred is asserted on request', function()
    take('/^doubled', 'Assert the inferred bound')
    screen:eventually('two assertions', function()
      return #vim.tbl_filter(function(drawn)
        return drawn:find('@cost steps =<', 1, true) or drawn:find('@cost steps =', 1, true)
      end, screen:lines()) == 2
    end)
    no_error()
  end)

  step('a budget of costlens.toml is broken, and mended', function()
    write(folder .. '/costlens.toml', '[[budget]]\nfiles = ["asserted.pl"]\nsteps = "O(1)"\n')
    screen:eventually('an error at the head of copied', function()
      return vim.iter(errors()):any(function(line)
        return line:find('copied([], [])', 1, true) ~= nil
      end)
    end)
    screen:command('/^copied')
    screen:keys('<C-W>d')
    screen:line('takes at least n \\+ 1 steps: O\\(n\\)')
    screen:keys('<Esc>gg')
    write(folder .. '/costlens.toml', '[[budget]]\nfiles = ["asserted.pl"]\nsteps = "O(n)"\n')
    no_error()
    os.remove(folder .. '/costlens.toml')
    screen:command('edit!')
  end)
end
