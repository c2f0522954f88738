% The expansion of `inline` makes a hook of `user`, which also expands the goals of m1.
term_expansion(inline, [goal_expansion(v(_), true)]).
inline.
:- use_module(m1).
t_main(_) :- q(_).
