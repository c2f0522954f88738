% asks: My priority queue is just a sorted list, is sorting it after each insert the reason why it is slow?
% call: input_tasks(N, Ts), run_queue(Ts, _)
% predicate: run_queue/2
% sizes: 500 1000 2000 4000 8000
% class: n^2
% cause: sort

run_queue(Tasks, Order) :-
    fill(Tasks, [], Order).

fill([], Queue, Queue).
fill([T|Ts], Queue, Order) :-
    sort(0, @=<, [T|Queue], Queue1),
    fill(Ts, Queue1, Order).

input_tasks(N, Ts) :-
    numlist(1, N, L),
    input_mix(L, Ts).

input_mix([], []).
input_mix([I|Is], [P-I|Ts]) :-
    P is (I * 7919) mod 100003,
    input_mix(Is, Ts).
