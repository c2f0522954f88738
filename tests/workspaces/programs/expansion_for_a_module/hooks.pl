:- module(hooks, []).
:- multifile m1:goal_expansion/2.
:- dynamic m1:goal_expansion/2.
m1:goal_expansion(s, (v, v)).
