-- The heat of what a profile has marked: the names are highlighted until the server takes that back, which it does when a text of the program changes.

local M = {}

local namespace = vim.api.nvim_create_namespace('costlens.heat')

-- The highlight groups of the levels, and what they are linked to where nobody has set them.
local groups = {
  low = { 'CostlensHeatLow', 'DiagnosticOk' },
  medium = { 'CostlensHeatMedium', 'DiagnosticWarn' },
  high = { 'CostlensHeatHigh', 'WarningMsg' },
  highest = { 'CostlensHeatHighest', 'DiagnosticError' },
}

-- Above semantic tokens.
local PRIORITY = 200

-- The marks of documents by URI, and the encoding of their columns.
local marks, encoding = {}, 'utf-16'

--- Defines the highlight groups that a colour scheme has left undefined.
function M.define()
  for _, group in pairs(groups) do
    vim.api.nvim_set_hl(0, group[1], { default = true, link = group[2] })
  end
end

-- The byte of a position.
local function column(line, character)
  if encoding == 'utf-8' then
    return math.min(character, #line)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.str_byteindex(line, encoding, character, false)
  end
  local known, byte = pcall(vim.str_byteindex, line, character, encoding == 'utf-16')
  return known and byte or #line
end

--- Draws the marks of a buffer. The switch of hints is theirs, too.
---@param buffer integer
function M.show(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  if not vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }) then
    return
  end
  for _, mark in ipairs(marks[vim.uri_from_bufnr(buffer)] or {}) do
    local from, to = mark.range.start, mark.range['end']
    local line = vim.api.nvim_buf_get_lines(buffer, from.line, from.line + 1, false)[1]
    if line and from.line == to.line then
      vim.api.nvim_buf_set_extmark(buffer, namespace, from.line, column(line, from.character), {
        end_col = column(line, to.character),
        hl_group = groups[mark.level][1],
        priority = PRIORITY,
      })
    end
  end
end

--- Takes what the server says of all documents.
function M.take(_, heat, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  marks, encoding = {}, client and client.offset_encoding or 'utf-16'
  for _, file in ipairs(heat.files) do
    marks[file.uri] = file.marks
  end
  for buffer in pairs(client and client.attached_buffers or {}) do
    M.show(buffer)
  end
end

--- Forgets the marks of a buffer that the server is not told of any more.
---@param buffer integer
function M.forget(buffer)
  marks[vim.uri_from_bufnr(buffer)] = nil
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
end

return M
