% `q/1` is dynamic by a directive of m1.pl, and the files of m2 and m3 both define it: the last one loaded wins, and its clause is no fact.
:- consult(m1).
:- consult(m2).
:- load_files(m3, [if(not_loaded)]).
v(_).
t_main(_) :- v(_), q(_).
