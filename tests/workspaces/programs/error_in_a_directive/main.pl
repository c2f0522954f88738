a(_).
% Reported, and read on.
:- throw(error(type_error(integer, a), _)).
:- catch(throw(stop), _, true).
:- initialization(throw(stop)).
a(_) :- h1.
h1.
t(_) :- a(_).
