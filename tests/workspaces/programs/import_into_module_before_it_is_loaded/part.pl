:- use_module(library(lists), [last/2]).
:- autoload(library(lists), [reverse/2]).
