% Every module that is loaded is noted; no term is changed.
:- module(log, [seen/1]).
:- dynamic seen/1.
:- multifile user:term_expansion/2.
:- dynamic user:term_expansion/2.
user:term_expansion((:- module(M, L)), (:- module(M, L))) :- assertz(seen(M)).
