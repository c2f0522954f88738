:- module(other, []).
user:term_expansion(extra, [(:- multifile user:p/1), user:p(7)]).
extra.
