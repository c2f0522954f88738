plus(_, _, _) :- h1.
h1 :- h2.
h2.

:- load_files(m3, [if(not_loaded)]).
:- set_module(m2:base(m3)).
