:- dynamic mode/1.
mode(fast).
:- if(mode(fast)).
a(_) :- p(_).
:- endif.
:- if(mode(slow)).
last(_, _) :- p(_).
:- endif.
t(_) :- a(_).
u(_) :- last([a, b], _).
p(_).
