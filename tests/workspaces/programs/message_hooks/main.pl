% Hooks run for the messages that their heads match.
:- multifile user:message_hook/3, prolog:message//1.
:- use_module(other).
user:message_hook(make(done(_)), _, _) :- w, w, fail.
t(_) :- print_message(silent, started(x)).
u(_) :- print_message(silent, make(done(x))).
v(_) :- print_message(silent, make(begun)).
x(M) :- print_message(silent, M).
y(_) :- print_message(silent, error(type_error(a, b), _)).
z(_) :- print_message(silent, told(a)).
w.
