% A file that is loaded into a module imports a predicate of that module under another name: SWI-Prolog defines nothing, so p/1 is that of
% user.
:- m2:load_files(m1, []).
:- use_module(m2).
p(_) :- two.
two :- one.
one.
