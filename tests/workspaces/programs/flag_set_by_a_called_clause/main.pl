quiet :- set_prolog_flag(double_quotes, atom).
:- quiet.
t("ab").
r :- t(ab).
s :- t(X), string(X).
