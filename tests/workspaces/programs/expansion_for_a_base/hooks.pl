:- module(hooks, []).
:- multifile below:goal_expansion/2.
:- dynamic below:goal_expansion/2.
below:goal_expansion(s, (v, v)).
