-- What a person sees of Costlens in Neovim, step by step. `screen` is a Screen (screen.lua), `step(name, body)` runs a step,
-- `version` is what the program says of itself, `folder` holds nrev.pl, edited.pl and report.pl.

-- Lines as they are drawn: the line number, the text with its hints, diagnostics at the end. Vim patterns, very magic.
local nrev_hint = '^ *\\d+ nrev\\(\\[\\], \\[\\]\\).*O\\(n²\\)\\s+n²/2\\+3n/2\\+1'
local app_hint = '^ *\\d+ app\\(\\[\\], Ys, Ys\\).*O\\(n\\)\\s+n\\+1'
local any_hint = 'O\\(|cost \\?'

-- Programs as people write them: the head of a predicate and its hint, the head of one and what its hover says.
local examples = {
  { 'diagnosis.pl', '^forget', 'O\\(1\\)\\s+1', '^rule(flat_battery', 'learned \\= clauses of learned/2' },
  { 'exercises.pl', '^my_append', 'O\\(n\\)\\s+n\\+1', '^my_append', 'Exactly n \\+ 1 steps' },
  { 'intervals.pl', '^normalize', 'O\\(n·log n\\) work\\s+≤ n·', '^normalize', 'O\\(n·log n\\) work' },
  { 'puzzle.pl', '^connected', 'O\\(1\\)\\s+≤ 5', '^connected', 'At most 5 steps' },
  { 'queens.pl', '^safe', 'O\\(n²\\)\\s+≤ n²/2\\+3n/2\\+1', '^safe', 'At most n²/2 \\+ 3n/2 \\+ 1 steps' },
  { 'words.pl', '^frequencies', 'O\\(n·log n\\) work\\s+≤ 2n·', '^read_terms', 'At most n \\+ 1 steps' },
}

local function check(condition, message)
  if not condition then
    error(message, 0)
  end
end

-- A file drawn from its first line on.
local function open(screen, folder, name)
  screen:command('edit! ' .. folder .. '/' .. name)
  screen:keys('gg')
end

-- The number before the text of a drawn line.
local function line_number(line)
  return tonumber(line:match('^%s*[^%d]-(%d+) '))
end

return function(screen, step, version, folder)
  step('nrev.pl opens as Prolog', function()
    open(screen, folder, 'nrev.pl')
    screen:line('^ *\\d+ app\\(\\[X')
    screen:command('set filetype?')
    screen:line('^ *filetype\\=prolog')
  end)

  step('the hint beside the first clause of nrev', function()
    screen:line(nrev_hint)
  end)

  step('the hint beside the first clause of app', function()
    screen:line(app_hint)
  end)

  step('the false assertion is marked as an error, and says for which lists it is false', function()
    -- Hints may be there first.
    screen:eventually('no E in the sign column of the assertion', function()
      local _, line = screen:line('\\@cost steps')
      return line:find('^E') ~= nil
    end)
    local marked = vim.tbl_filter(function(drawn)
      return drawn:find('^E') ~= nil
    end, screen:lines())
    check(#marked == 1, 'errors are marked in ' .. vim.inspect(marked))
    -- The whole message, in the window that <C-W>d opens.
    screen:command('/@cost')
    screen:keys('<C-W>d')
    screen:line('false for length\\(Xs\\) \\>\\= 18')
    screen:keys('<Esc>gg')
  end)

  step('the hover over nrev has a table of bounds and names the sized argument', function()
    screen:command('/^nrev')
    screen:keys('K')
    screen:line('lower.*upper')
    screen:line('steps.*n²/2 \\+ 3n/2 \\+ 1')
    screen:line('length\\(Xs\\)')
    screen:keys('<Esc>ggj')
    screen:no_line('lower.*upper')
  end)

  -- What the hover over nrev says of time.
  local function timed(pattern)
    screen:command('/^nrev')
    screen:keys('K')
    screen:line(pattern)
    screen:keys('<Esc>ggj')
    screen:no_line('lower.*upper')
  end

  step("the hover over nrev has a time of the system that ships, marked as another machine's", function()
    timed('At n \\= 1000: .* ms on SWI-Prolog 9\\.0\\.4')
  end)

  step('CostlensCalibrate measures, and the platform that is chosen decides about times', function()
    screen:command('CostlensCalibrate embedded')
    screen:line("process \\d of \\d", 60000)
    screen:line("Costlens's machine .* is calibrated", 180000)
    local platform = ('embedded-%s-x86_64-instructions'):format(version:match('%d.*$'))
    local set = "lua require('costlens').setup{ settings = { platform = '%s' } }"
    screen:command(set:format(platform))
    timed("machine [0-9.]+ \\(this machine\\)")
    screen:command(set:format('auto'))
    timed('on SWI-Prolog 9\\.0\\.4')
  end)

  step('the hover over a call says what it costs there, and its share', function()
    screen:command('/^ *app(Zs')
    screen:keys('wK')
    screen:line('one call.*n.*n')
    screen:line('n²/2 \\+ n/2')
    screen:line('98\\% at n \\= 100')
    screen:keys('<Esc>gg')
    screen:no_line('one call')
  end)

  step('CTRL-] on a call leads to the first clause', function()
    screen:command('/^ *app(Zs')
    screen:keys('w<C-]>')
    screen:command("lua print('at line: ' .. vim.fn.getline('.'))")
    screen:line('^ *at line: app\\(\\[\\], Ys, Ys\\)')
    screen:keys('gg')
  end)

  step('the references of app are its heads and calls', function()
    screen:command('/^app(')
    screen:command('lua vim.lsp.buf.references()')
    screen:line('\\|.* app\\(Zs, \\[X\\], Ys\\)')
    screen:line('\\|.* app\\(Xs, Ys, Zs\\)')
    screen:command('cclose')
    screen:keys('gg')
  end)

  step('the call hierarchy shows who calls app, with the cost', function()
    screen:command('/^app(')
    screen:command('lua vim.lsp.buf.incoming_calls()')
    screen:line('nrev/2')
    screen:command('cclose')
    -- Neovim lists names alone; what the server says of them is asked for as Neovim does.
    screen:command(
      "lua local c = vim.lsp.get_clients({ name = 'costlens' })[1];"
        .. " local p = vim.lsp.util.make_position_params(0, 'utf-8');"
        .. " local i = c:request_sync('textDocument/prepareCallHierarchy', p, 5000).result[1];"
        .. " local r = c:request_sync('callHierarchy/incomingCalls', { item = i }, 5000).result[1].from;"
        .. " print('caller: ' .. r.name .. ' ' .. r.detail)"
    )
    screen:line('^ *caller: nrev/2 O\\(n²\\)\\s+n²/2\\+3n/2\\+1')
    screen:keys('<CR>gg')
  end)

  step('a head, a call and a comment have the tokens of the server', function()
    screen:command('/^nrev(\\[X')
    screen:command(
      "lua local n = {}; for _, t in ipairs(vim.lsp.semantic_tokens.get_at_pos() or {}) do"
        .. " n[#n + 1] = t.type .. (t.modifiers.definition and ' definition' or '') end; print('tokens: ' .. table.concat(n))"
    )
    screen:line('^ *tokens: function definition')
    screen:keys('<CR>gg')
  end)

  step('CostlensToggle hides every hint, and shows them again', function()
    screen:command('CostlensToggle')
    screen:no_line(any_hint)
    screen:command('CostlensToggle')
    screen:line(nrev_hint)
    screen:line(app_hint)
  end)

  step('a threshold of n^2 hides the linear hint alone', function()
    screen:command("lua require('costlens').setup{ settings = { hints = { threshold = 'n^2' } } }")
    local hidden, message = pcall(function()
      screen:no_line('app\\(.*O\\(')
      screen:line(nrev_hint)
    end)
    screen:command("lua require('costlens').setup()")
    check(hidden, message)
    screen:line(app_hint)
  end)

  step('a comment on top moves the hints and changes none', function()
    open(screen, folder, 'edited.pl')
    local _, line = screen:line(nrev_hint)
    local before = line_number(line)
    screen:keys('ggO% a line on top<Esc>')
    screen:line('a line on top')
    screen:eventually('the hint one line lower', function()
      local _, moved = screen:line(nrev_hint)
      return line_number(moved) == before + 1
    end)
    screen:line(app_hint)
  end)

  step('another literal in the body changes the hint', function()
    screen:command('/^ *nrev(Xs, Zs),')
    screen:keys('o')
    screen:keys('<C-U>    app(Zs, [X], _),<Esc>')
    screen:line('nrev\\(\\[\\], \\[\\]\\).*O\\(n²\\)\\s+n²\\+2n\\+1')
  end)

  step('completion writes a predicate with its arguments', function()
    screen:command('setlocal completeopt=menu,menuone,noinsert')
    screen:keys('Go<C-U>twice(Xs, Zs) :- ap')
    screen:keys('<C-x><C-o>')
    -- In the menu, which names the kind, not in the text.
    screen:line('app\\(Xs, Ys, Zs\\)\\s+Function')
    screen:line('append\\(List1, List2, Whole\\)')
    screen:keys('<C-e><Esc>dd')
    screen:no_line('twice\\(Xs')
  end)

  step('a clause that cannot be read takes no other hint away', function()
    screen:keys('Go<C-U>broken(X :- .<Esc>gg')
    screen:line('broken\\(X')
    vim.wait(1500)
    screen:line('nrev\\(\\[\\], \\[\\]\\).*O\\(n²\\)\\s+n²\\+2n\\+1')
    screen:line(app_hint)
  end)

  step('checkhealth finds nothing wrong', function()
    open(screen, folder, 'nrev.pl')
    screen:line(app_hint)
    screen:command('checkhealth costlens')
    screen:line('hints on: .*nrev\\.pl')
    local text = screen:text()
    check(text:find(version, 1, true), 'the version ' .. version .. ' is not in:\n' .. text)
    check(not text:find('ERROR') and not text:find('WARNING'), text)
    check(text:find('attached to', 1, true), text)
    screen:command('bwipeout')
  end)

  step('a Perl file stays Perl and gets no hints', function()
    open(screen, folder, 'report.pl')
    screen:line('sub area')
    screen:command('set filetype?')
    screen:line('^ *filetype\\=perl')
    vim.wait(1000)
    screen:no_line(any_hint, 1000)
  end)

  step('a Prolog file whose first line says nothing is Prolog', function()
    open(screen, folder, 'bare.pl')
    screen:command('set filetype?')
    screen:line('^ *filetype\\=prolog')
    screen:line(app_hint)
  end)

  for _, example in ipairs(examples) do
    local name, hinted, hint, hovered, said = unpack(example)
    step(name .. ': a hint, and a hover in plain words', function()
      open(screen, folder, name)
      screen:command('/' .. hinted)
      screen:line(hinted:sub(2) .. '.*' .. hint)
      screen:command('/' .. hovered)
      screen:keys('K')
      screen:line(said)
      check(not screen:text():find('\\_', 1, true), 'backslashes in the hover:\n' .. screen:text())
      screen:keys('<Esc>gg')
    end)
  end

  step('the quick fix of an unknown cost declares what the predicate is called with, and the hint gets better', function()
    open(screen, folder, 'scores.pl')
    screen:line('ranked\\(\\[\\], \\[\\]\\).*cost \\?')
    screen:command('/^ranked')
    screen:keys('gra')
    local _, fix = screen:line('^ *\\d+: Declare what it is called with: cost \\? → n\\+1 steps')
    screen:keys(fix:match('%d+') .. '<CR>')
    screen:line('\\%! ranked\\(\\+\\w+:list, -\\w+\\)')
    screen:line('ranked\\(\\[\\], \\[\\]\\).*O\\(n\\)\\s+n\\+1')
    screen:command('edit!')
  end)

  local title
  step('the quick fix on nrev names the bounds before and after', function()
    open(screen, folder, 'nrev.pl')
    screen:line(nrev_hint)
    screen:command('/^nrev')
    screen:keys('gra')
    _, title = screen:line('^ *\\d+: .*n².*→.*n')
  end)

  step('taking it makes nrev linear and the assertion true', function()
    screen:keys(title:match('%d+') .. '<CR>')
    screen:line('nrev\\(.*O\\(n\\)\\s+n\\+2')
    screen:line('\\(Xs, .*\\[X\\|\\w+\\].*\\)\\.')
    screen:no_line('app\\(Zs, \\[X\\], Ys\\)')
    screen:eventually('no error in the sign column', function()
      return not vim.iter(screen:lines()):any(function(line)
        return line:find('^E ?%s*%d') ~= nil
      end)
    end)
  end)

  require('variants')(screen, step, open, folder)

  require('assertions')(screen, step, open, folder)

  require('profiles')(screen, step, open, folder)

  require('predictions')(screen, step, open, folder)

  step('CostlensRestart brings the hints back', function()
    open(screen, folder, 'nrev.pl')
    screen:command('CostlensRestart')
    vim.wait(300)
    screen:line(app_hint)
    screen:command("lua print('servers: ' .. #vim.lsp.get_clients({ name = 'costlens' }))")
    screen:line('^ *servers: 1')
  end)

  step('checkhealth says so where the program is missing', function()
    screen:command("lua require('costlens').setup{ cmd = { '/nowhere/costlens', 'lsp', '--stdio' } }")
    screen:command('checkhealth costlens')
    screen:line('ERROR.*/nowhere/costlens.* is not executable')
  end)
end
