:- module(log, []).
:- multifile system:term_expansion/2.
:- dynamic system:term_expansion/2.
system:term_expansion(b(X), [b(X), b(X), c(X)]).
