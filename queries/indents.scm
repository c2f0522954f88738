; In the vocabulary of nvim-treesitter.

[
  (clause)
  (compound)
  (dict)
  (list)
  (curly)
  (paren)
] @indent.begin

[
  ")"
  "]"
  "}"
] @indent.branch

(clause
  (end) @indent.end)

[
  (block_comment)
  (quasi_quotation)
] @indent.ignore
