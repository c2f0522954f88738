:- module(m3, []).
