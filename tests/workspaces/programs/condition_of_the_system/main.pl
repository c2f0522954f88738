:- if(current_prolog_flag(windows, true)).
sep(_) :- p(_).
:- elif(current_prolog_flag(unix, true)).
sep(_) :- p(_), p(_).
:- else.
sep(_).
:- endif.
:- if(exists_source(library(lists))).
:- use_module(library(lists)).
has(_).
:- else.
has(_) :- p(_).
:- endif.
:- if(current_predicate(nowhere_defined/7)).
no(_).
:- else.
no(_) :- p(_).
:- endif.
t(_) :- sep(_), has(_), no(_).
p(_).
