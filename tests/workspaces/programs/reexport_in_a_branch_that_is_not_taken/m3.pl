:- module(m3, [p/1]).
p(_) :- ignore(true).
