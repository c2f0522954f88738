:- set_prolog_flag(double_quotes, atom).
p("a", "\x41\\n\101\\z\
").
:- dynamic(q/1).
