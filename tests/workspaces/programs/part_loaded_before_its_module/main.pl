:- m2:load_files(part, [if(not_loaded)]).
:- use_module(m2).

r(_) :- t(_).
