- fd_prop( ).
q :- fd_domain(X, 1, 2), f().
