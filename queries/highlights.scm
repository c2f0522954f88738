; Colours by the flat tree alone. Where two patterns take one node, the later one counts. The language server adds what the tree
; does not know: which atoms are goals, what is built in, which variables occur once.

[
  (line_comment)
  (block_comment)
] @comment

((line_comment) @comment.documentation
  (#match? @comment.documentation "^%[!%]\\s"))

((block_comment) @comment.documentation
  (#match? @comment.documentation "^/\\*\\*\\s"))

(shebang) @keyword.directive

(number) @number

[
  (string)
  (back_quoted)
] @string

(quasi_quotation) @string.special

(variable) @variable

((variable) @variable.builtin
  (#eq? @variable.builtin "_"))

(atom) @constant

(quoted_atom) @string.special.symbol

(symbol) @operator

; `p(X)` anywhere: a goal or a term, which only operators tell apart.
(compound
  name: [(atom) (quoted_atom) (symbol)] @function.call)

(dict
  tag: (atom) @type)

; The first item of a clause is its head, unless an operator follows that makes it an argument.
(clause
  . (compound
    name: [(atom) (quoted_atom)] @function))

(clause
  . [(atom) (quoted_atom)] @function)

; `:- dynamic p/1.`
(clause
  . (symbol) @keyword.directive
  (#any-of? @keyword.directive ":-" "?-"))

(clause
  . (symbol) @_neck
  . (atom) @keyword.directive
  (#any-of? @_neck ":-" "?-"))

(clause
  . (symbol) @_neck
  . (compound
    name: (atom) @keyword.directive)
  (#any-of? @_neck ":-" "?-"))

((symbol) @keyword.operator
  (#any-of? @keyword.operator ":-" "-->" "=>" "->" "*->" "\\+"))

(solo) @keyword.operator

[
  (comma)
  (bar)
  (end)
] @punctuation.delimiter

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket
