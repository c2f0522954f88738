% asks: I need the median after each new value of a sensor, my version can not keep up with more than some thousand values.
% call: input_values(N, Vs), medians(Vs, _)
% predicate: medians/2
% sizes: 200 400 800 1600 3200
% class: n^2 log n
% cause: msort

medians(Values, Medians) :-
    medians(Values, [], Medians).

medians([], _, []).
medians([V|Vs], Seen, [M|Ms]) :-
    Seen1 = [V|Seen],
    median(Seen1, M),
    medians(Vs, Seen1, Ms).

median(List, Median) :-
    msort(List, Sorted),
    length(Sorted, Len),
    Middle is Len // 2,
    nth0(Middle, Sorted, Median).

% numbers in no order
input_values(N, Vs) :-
    findall(X, (between(1, N, I), X is (I * I * 7919 + I * 31) mod 100003), Vs).
