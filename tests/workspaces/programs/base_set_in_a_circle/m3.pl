:- module(m3, [plus/3]).

plus(_, _, _).
