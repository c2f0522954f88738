:- dynamic mode/1.
mode(fast).
:- if(mode(fast)).
:- if(mode(slow)).
a(_).
:- else.
a(_) :- p(_).
:- endif.
a(_) :- p(_), p(_).
:- else.
a(_) :- p(_), p(_), p(_), p(_).
:- endif.
a(_).
t(_) :- a(_).
p(_).
