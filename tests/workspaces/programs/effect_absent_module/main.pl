% An ordinary program has no module swish.
:- if(current_predicate(swish:trace/0)).
:- multifile user:goal_expansion/2.
user:goal_expansion(p(_), true).
:- endif.
t(_) :- p(_), p(_).
p(_) :- w(_).
w(_).
