:- module(words, [edge/2, label/2]).
:- use_module(library(semweb/rdf_prefixes)).
:- rdf_register_prefix(ex, 'http://example.org/').
:- rdf_meta edge(r, r), label(r, o).
edge(ex:a, ex:b).
edge(ex:b, ex:c).
edge('http://example.org/a', ex:d).
label(ex:a, literal(type(xsd:string, a))) :- edge(ex:b, _).
label(ex:a, literal(type('http://www.w3.org/2001/XMLSchema#string', b))).
inner(ex:a).
inner('http://example.org/a') :- edge(ex:a, _).
