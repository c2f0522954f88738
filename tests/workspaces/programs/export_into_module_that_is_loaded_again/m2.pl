:- module(m2, []).
