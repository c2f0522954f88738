% library(debug). How many topics there are is no size of an argument, so that only what happens up to the first solution is bounded. What
% assertion/1 takes depends on its goal.

:- trust pred debugging(?A) + cost(ub, steps, 2).
:- trust pred debugging(?A, ?B) + cost(ub, steps, 2).
:- trust pred debug(+A:atm) + det.
:- trust pred nodebug(+A:atm) + det.
