-- Tells Prolog from Perl by the text of a file. `.pl` belongs to both.

-- Lua patterns, matched against one line without comments and quoted text, with their weights.
local prolog_signs = {
  { '^%s*:%-%s*%l', 5 }, -- directive
  { '^%l[%w_]*%s*:%-', 4 }, -- clause head without arguments, and neck
  { '^%l[%w_]*%(.*%)%s*:%-', 4 }, -- clause head and neck
  { '^%l[%w_]*%s*%-%->', 4 }, -- DCG head and arrow
  { '^%l[%w_]*%(.*%)%s*%-%->', 4 },
  { '^%l[%w_]*%(.*%)%s*%.%s*$', 2 }, -- fact
  { '^%s+%l[%w_]*%(.*%)%s*[,.]%s*$', 1 }, -- goal of a body
  { '%[[%u_][%w_]*|[%u_][%w_]*%]', 2 }, -- [X|Xs]
}
local perl_signs = {
  { '^%s*use%s+[%w:]+.*;%s*$', 5 },
  { '^%s*package%s+[%w:]+%s*;', 4 },
  { '^%s*require%s+[%w:"]+.*;', 3 },
  { '^%s*sub%s+[%w_]+', 4 },
  { '^%s*my%s*[($@%%]', 4 },
  { '^%s*our%s*[($@%%]', 4 },
  { '%f[$@][$@]%a', 1 }, -- $scalar, @array
  { '=~', 2 },
  { ';%s*$', 1 },
}

--- Judges lines of text: 'prolog', 'perl', or nil where nothing speaks for either. A first line that names an interpreter
--- decides alone.
---@param lines string[]
---@return 'prolog'|'perl'|nil
local function sniff(lines)
  local first = lines[1] or ''
  if first:find('^#!') then
    for _, name in ipairs({ 'swipl', 'prolog', 'gprolog', 'yap', 'ciao' }) do
      if first:find(name, 1, true) then
        return 'prolog'
      end
    end
    if first:find('perl', 1, true) then
      return 'perl'
    end
  end
  local prolog, perl, block, pod = 0, 0, false, false
  local weigh = function(signs, line)
    local sum = 0
    for _, sign in ipairs(signs) do
      if line:find(sign[1]) then
        sum = sum + sign[2]
      end
    end
    return sum
  end
  for _, raw in ipairs(lines) do
    local line = raw:sub(1, 300)
    if pod then
      pod = not line:find('^=cut')
      line = ''
    elseif line:find('^=%l') then
      pod, line = true, ''
    end
    if block then
      local _, stop = line:find('*/', 1, true)
      block = stop == nil
      line = stop and line:sub(stop + 1) or ''
    end
    if line:find('^%s*%%+[!%s]') or line:find('^%s*%%+$') then
      prolog = prolog + 1
      line = ''
    elseif line:find('^%s*#[^!]') then
      perl = perl + 1
      line = ''
    end
    line = line:gsub('"[^"]*"', 'q'):gsub("'[^']*'", 'q'):gsub('/%*.-%*/', ' '):gsub('%s%%+%s.*$', '')
    local open = line:find('/*', 1, true)
    if open then
      block, line = true, line:sub(1, open - 1)
    end
    prolog = prolog + weigh(prolog_signs, line)
    perl = perl + weigh(perl_signs, line)
  end
  if prolog == perl then
    return nil
  end
  return prolog > perl and 'prolog' or 'perl'
end

return sniff
