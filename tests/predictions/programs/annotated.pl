% The annotations of hybrid prediction §V for filter.pl.
:- cost_inputs(filter(P, T, K, _), [P, T, K]).
:- cost_depends(particles/3, [P]).
:- cost_depends(intervals/5, [T]).
:- cost_depends((moved/3, best/3, kept/3, spread/3, spread/4), [P, T]).
:- cost_depends(next/2, [P]).
:- cost_depends(report/3, [T, K]).
:- cost_independent(filter/4).
