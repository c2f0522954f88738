% item/2 of another module becomes dynamic; that of this file does not.
:- M = store, dynamic(M:item/2).
t(_) :- item(_, _), twice(_).
item(a, b).
twice(_) :- item(a, _), item(a, _).
