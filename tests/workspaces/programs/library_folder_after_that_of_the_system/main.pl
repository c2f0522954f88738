% A clause of file_search_path/2 comes after those of the system, which has these libraries.
:- multifile user:file_search_path/2.
user:file_search_path(library, lib).
:- use_module(library(pairs)).
t(_) :- pairs_keys([1-2], _).
