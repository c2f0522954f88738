:- use_module(library(semweb/rdf_prefixes)).
:- rdf_register_prefix(ex, 'http://example.org/').
:- rdf_meta named(r).
r(_) :- q.
q :- w, w.
w.
s(_) :- named(ex:a).
named(ex:a) :- w.
named('http://example.org/a') :- q.
