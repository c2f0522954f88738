:- module(main, [t/1]).
:- multifile shape/1.
shape(_) :- w(_).
t(_) :- shape(_).
w(_).
