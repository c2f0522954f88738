:- module(before, [b/1]).
b(_) :- w("ab").
w([_|_]) :- x, x.
w(_).
x.
