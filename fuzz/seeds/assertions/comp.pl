:- check comp p(A) : (int(A), A >= 0) + (not_fails, is_det, cost(lb, call, steps, int(A))).
:- calls q(A) : list(A, int).
:- success q(A) => list(A).
