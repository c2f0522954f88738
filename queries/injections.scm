([
  (line_comment)
  (block_comment)
] @injection.content
  (#set! injection.language "comment"))
