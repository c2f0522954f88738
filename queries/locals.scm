; A variable means the same in all of its clause and nothing outside.

(clause) @local.scope

((variable) @local.reference
  (#not-eq? @local.reference "_"))
