-- Profiles in Neovim: a test is profiled, its marks stand beside the code, the list leads to the predicates, the page is drawn, and an edit takes
-- the marks away.
local head = 'nrev\\(\\[\\], \\[\\]\\).*▁ 2\\% · 101 steps · bound 5,151, seen 5,151'
local literal = 'app\\(Zs, \\[X\\], Ys\\)\\..*█ 96\\% · 5,050 steps'
local any_mark = '[▁█] \\d+\\%'

-- The groups that names are highlighted by, with the lines, from the buffer inside.
local heat = "lua local found = {}; for _, m in ipairs(vim.api.nvim_buf_get_extmarks(0,"
  .. " vim.api.nvim_get_namespaces()['costlens.heat'], 0, -1, { details = true })) do"
  .. " found[#found + 1] = (m[2] + 1) .. '=' .. m[4].hl_group:gsub('CostlensHeat', '') .. ':' .. vim.fn.getline(m[2] + 1):sub(m[3] + 1, m[4].end_col) end"
  .. " print('heat: ' .. table.concat(found, ' '))"

return function(screen, step, open, folder)
  step('lenses stand at a unit of tests and at its tests', function()
    open(screen, folder, 'profiled.pl')
    screen:line('Profile.*Find bottleneck')
  end)

  step('the lens at a test profiles it: shares beside predicate and literal, bound beside what was seen', function()
    screen:command('/^test(reverses')
    screen:command('lua vim.lsp.codelens.run()')
    local _, entry = screen:line('^ *\\d+: .*Profile')
    screen:keys(entry:match('%d+') .. '<CR>')
    screen:line('run_tests\\(lists:reverses\\): .*success', 60000)
    screen:keys('<CR>gg')
    screen:line(head)
    screen:line(literal)
    screen:command(heat)
    screen:line('^ *heat: .*Low:nrev.*Highest:app.*Highest:app')
    screen:keys('<CR>gg')
  end)

  step('the bottleneck is searched for, and the list walks down its tree', function()
    screen:command('CostlensProfile! numlist(1, 100, Xs), nrev(Xs, _)')
    screen:line('nrev\\(Xs, _\\): .*success', 60000)
    screen:keys('<CR>')
    screen:command('botright copen')
    screen:line('the goal +itself 2\\%, with calls 100\\%')
    screen:line('nrev/2 +itself 2\\%')
    screen:line('app/3 +itself 96\\%')
    screen:command('clast')
    screen:command("lua print('at line: ' .. vim.fn.getline('.'))")
    screen:line('^ *at line: app\\(\\[\\], Ys, Ys\\)')
    screen:command('cclose')
    screen:keys('gg')
  end)

  step('the page has the drawn graph', function()
    screen:command(
      "lua vim.ui.open = function(path) local t = io.open(path):read('*a');"
        .. " print('drawn: ' .. tostring(t:find('<svg') ~= nil and t:find('app/3') ~= nil)) end"
    )
    screen:command('CostlensProfileShow')
    screen:line('^ *drawn: true')
    screen:keys('<CR>gg')
  end)

  step('an edit takes the marks away', function()
    screen:line('app\\(\\[\\], Ys, Ys\\)\\..*█ 96\\%')
    screen:keys('ggO% new<Esc>')
    screen:no_line(any_mark)
    screen:command(heat)
    screen:line('^ *heat:$')
    screen:keys('<CR>gg')
    screen:line('nrev\\(\\[\\], \\[\\]\\).*O\\(n²\\)')
    screen:command('edit!')
  end)
end
