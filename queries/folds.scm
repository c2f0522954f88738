[
  (clause)
  (block_comment)
  (list)
  (curly)
  (paren)
  (compound)
  (dict)
] @fold
