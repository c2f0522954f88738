:- module(m1, [s/1]).
:- use_module(main).
s(_) :- sum_list([1,2], _).
