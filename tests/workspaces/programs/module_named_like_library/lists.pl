:- module(lists, [foo/1]).
foo(_).
