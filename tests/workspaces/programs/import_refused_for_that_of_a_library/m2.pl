:- module(m2, [sum_list/2]).
sum_list(_, _) :- a.
a :- b.
b.
