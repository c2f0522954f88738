#!/usr/bin/env swipl
/*  Counts words:  swipl words.pl [-n 20] FILE...  */

:- initialization(main, main).

:- use_module(library(readutil)).
:- use_module(library(pairs)).

main(Argv) :-
    options(Argv, Top, Files),
    (   Files == []
    ->  count_stream(user_input, Words)
    ;   maplist(count_file, Files, Lists),
        append(Lists, Words)
    ),
    frequencies(Words, Freqs),
    report(Top, Freqs).

options(['-n', Atom|Files], Top, Files) :-
    !,
    atom_number(Atom, Top).
options(Files, 10, Files).

count_file(File, Words) :-
    setup_call_cleanup(
        open(File, read, In),
        count_stream(In, Words),
        close(In)).

count_stream(In, Words) :-
    read_line_to_string(In, Line),
    (   Line == end_of_file
    ->  Words = []
    ;   line_words(Line, Ws),
        append(Ws, Rest, Words),
        count_stream(In, Rest)
    ).

line_words(Line, Words) :-
    string_lower(Line, Lower),
    split_string(Lower, " \t", ".,;:!?()\"'", Parts),
    exclude(==(""), Parts, Words).

% frequencies(Words, Pairs): Pairs are Count-Word, most frequent first
frequencies(Words, Freqs) :-
    msort(Words, Sorted),
    runs(Sorted, Runs),
    sort(1, @>=, Runs, Freqs).

runs([], []).
runs([W|Ws], [N-W|Rs]) :-
    run(Ws, W, 1, N, Rest),
    runs(Rest, Rs).

run([W|Ws], W, N0, N, Rest) :-
    !,
    N1 is N0 + 1,
    run(Ws, W, N1, N, Rest).
run(Rest, _, N, N, Rest).

report(Top, Freqs) :-
    length(Freqs, Different),
    pairs_keys(Freqs, Counts),
    sum_list(Counts, All),
    format("~D words, ~D different~n", [All, Different]),
    print_top(Top, Freqs).

print_top(0, _) :- !.
print_top(_, []) :- !.
print_top(N, [Count-Word|Rest]) :-
    format("~t~d~8|  ~s~n", [Count, Word]),
    N1 is N - 1,
    print_top(N1, Rest).

% stop words are Prolog terms in a file, one atom after the other
read_stop_words(File, Words) :-
    open(File, read, In),
    read_terms(In, Words),
    close(In).

read_terms(In, Terms) :-
    read_term(In, T, []),
    (   T == end_of_file
    ->  Terms = []
    ;   Terms = [T|Ts],
        read_terms(In, Ts)
    ).

without_stop_words(Words, Stop, Kept) :-
    exclude([W]>>memberchk(W, Stop), Words, Kept).
