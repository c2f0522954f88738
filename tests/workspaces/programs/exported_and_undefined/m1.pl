:- module(m1, [p/1]).
