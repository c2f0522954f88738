a(_).
% No error(_, _): the file is not read on.
:- throw(stop).
a(_) :- h1.
h1.
t(_) :- a(_).
