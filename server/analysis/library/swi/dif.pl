% library(dif): for ground terms the result is decided at once, and no goal is delayed.

:- trust pred dif(+A:ground, +B:ground) + (is_det, no_exception, cost(exact, allsols, steps, 1)).
