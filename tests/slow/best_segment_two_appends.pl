% asks: The maximum sum of consecutive elements works for 50 numbers, but for 1000 it runs for minutes. Where is the problem?
% call: input_list(N, L), best_segment(L, _)
% predicate: best_segment/2
% sizes: 25 50 100 200 300
% class: n^3
% cause: append

best_segment(List, Best) :-
    findall(Sum, segment_sum(List, Sum), Sums),
    max_list(Sums, Best).

segment_sum(List, Sum) :-
    append(_, Rest, List),
    append(Segment, _, Rest),
    sum_list(Segment, Sum).

input_list(N, L) :-
    findall(X, (between(1, N, I), X is (I * 37) mod 101 - 50), L).
