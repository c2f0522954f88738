% Whichever branch is taken, its bounds hold.
:- dynamic mode/1.
mode(fast).
:- if(mode(fast)).
a(_) :- p(_).
:- else.
a(_) :- p(_), p(_), p(_).
:- endif.
:- if(mode(slow)).
b(_) :- p(_).
b(_).
:- elif(mode(fast)).
b(_) :- p(_), p(_).
:- else.
b(_).
:- endif.
t(_) :- a(_), b(_).
p(_).
