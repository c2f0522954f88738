p(a b).
q([1, 2).
r('s.
t(u).
"v
w. x
/* y