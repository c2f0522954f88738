:- module(m, []).
