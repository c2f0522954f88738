:- use_module(words).
:- use_module(library(semweb/rdf_prefixes)).
:- rdf_meta own(r, t), kept(r).
called :- edge(ex:a, X), edge(X, _), w.
collected :- findall(X, edge(ex:b, X), [_]), w.
data :- X = ex:a, edge(X, _), w.
atom :- edge('http://example.org/a', _), w, w.
typed :- label(ex:a, literal(type(xsd:string, _))), w, w, w.
forward :- own(rdf:type, _), w.
own(rdf:type, [ex:a|_]) :- w.
own('http://www.w3.org/1999/02/22-rdf-syntax-ns#type', _) :- w, w.
kept(X) :- plain(X), w.
plain(ex:a) :- w.
plain('http://example.org/a') :- w, w.
between_modules :- words:inner(ex:a), w.
w.
