% The quotes and operators of a unit end with it.
:- use_module(library(plunit)).
t(_) :- w("ab"), p(_).
:- begin_tests(u).
:- set_prolog_flag(double_quotes, atom).
:- op(700, xfx, ===>).
x("ab", _ ===> _).
:- end_tests(u).
k(_) :- w("ab"), w(ab), p(_).
w(ab).
w("ab") :- p(_).
p(_).
