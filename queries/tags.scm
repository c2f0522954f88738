; Clause heads define, compounds elsewhere may call. Atoms in bodies are no references here: most are data.

(clause
  . (compound
    name: [(atom) (quoted_atom)] @name)) @definition.function

(clause
  . [(atom) (quoted_atom)] @name) @definition.function

(arguments
  (compound
    name: [(atom) (quoted_atom)] @name) @reference.call)

(paren
  (compound
    name: [(atom) (quoted_atom)] @name) @reference.call)

(clause
  (_)
  (compound
    name: [(atom) (quoted_atom)] @name) @reference.call)
