:- regtype t/1.
t(a).
:- prop s/1 + regtype.
:- pred p(t) + trust_me.
