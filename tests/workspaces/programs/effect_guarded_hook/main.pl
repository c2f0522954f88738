% The hook expands the terms of files with `:- rules` only.
:- use_module(rules).
:- use_module(plain).
:- use_module(marked).
r(_) :- plain(_), marked(_).
