% A directive runs the clause of another file that changes how text is read.
:- use_module(settings).
:- use_module(before).
t(_) :- w("ab").
:- as_codes.
k(_) :- w("ab").
w([_|_]) :- x.
w(_).
x.
