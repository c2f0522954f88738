% The reader does not know whether the directive runs.
:- ( current_prolog_flag(bounded, false) -> set_prolog_flag(double_quotes, codes) ; true ).
t(_) :- p(_), p(_).
k(_) :- w("ab").
w([_|_]) :- p(_).
w(ab).
p(_).
