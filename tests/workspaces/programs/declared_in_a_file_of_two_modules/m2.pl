:- dynamic v/1.
p(_) :- ignore(true).
