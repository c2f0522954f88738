% Reports the properties of SWI-Prolog's predicates. Reads `row(Home, Name, Arity).` for each line of the catalogue and writes
% `Name TAB Arity TAB Word Word … TAB Meta`, then the same for public built-ins without a row.
:- module(properties, []).
% This file must not see the clauses that are loaded into `user`.
:- set_module(base(system)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- initialization((main, halt)).

:- dynamic row/3, refused/2, loading/0.

main :-
    repeat, read_term(user_input, T, []), ( T == end_of_file -> ! ; assertz(T), fail ),
    load_clauses,
    forall(row(Home, N, A), line(Home, N, A)),
    forall(( public(N, A), \+ row(_, N, A) ), line(system, N, A)).

% Built-ins without `$` that a program sees.
public(N, A) :-
    setof(N/A, M^P^( current_module(M), predicate_property(M:P, built_in), functor(P, N, A) ), All),
    member(N/A, All), \+ sub_atom(N, 0, _, _, $),
    functor(P, N, A), predicate_property(clean:P, built_in), \+ predicate_property(clean:P, (dynamic)).

% A goal `M:G` asks about G.
line(_, :, 2) :- !, format(":\t2\tdefined\t\n").
line(Home, N, A) :-
    functor(P, N, A),
    module_of(Home, N/A, M, Exported),
    findall(W, ( member(W, Exported) ; word(M:P, N, A, W) ), Words),
    (   predicate_property(M:P, meta_predicate(Declared)) -> Declared =.. [_|Specs] ; Specs = [] ),
    maplist(short, Specs, Short),
    atomic_list_concat(Words, ' ', All), atomic_list_concat(Short, Meta),
    format("~w\t~d\t~w\t~w\n", [N, A, All, Meta]).

short(//, /) :- !.
short(S, S).

% The module in which a predicate is looked up. The clauses below are in `user`, so a built-in is looked up in another module.
module_of(system, _, clean, []) :- !.
module_of(user, _, clean, []) :- !.
module_of(Library, PI, M, Exported) :-
    term_to_atom(Spec, Library),
    absolute_file_name(library(Spec), File, [file_type(prolog), access(read)]),
    use_module(File, []), module_property(M, file(File)),
    (   module_property(M, exports(All)), memberchk(PI, All) -> Exported = [exported] ; Exported = [] ).

word(MP, _, _, W) :-
    member(W, [defined, built_in, foreign, iso, transparent]),
    once(predicate_property(MP, W)).
word(_, N, A, refused) :- refused(N, A).
word(_, N, A, own) :- runs_own(N, A).

% One clause for each row is loaded into `user`; messages report which of them are refused.
:- multifile user:message_hook/3.
user:message_hook(error(permission_error(modify, static_procedure, PI), _), error, _) :-
    ( PI = _:N/A -> true ; PI = N/A ),
    assertz(properties:refused(N, A)).
user:message_hook(_, Kind, _) :- properties:loading, memberchk(Kind, [error, warning]).

load_clauses :-
    set_module(clean:base(system)),
    findall(Text,
            ( row(Home, N, A), Home \== user, functor(H, N, A), format(string(Text), "~k.~n", [(H :- throw(own))]) ),
            Texts),
    atomic_list_concat(Texts, All),
    assertz(loading),
    setup_call_cleanup(open_string(All, S), load_files(user:clauses, [stream(S)]), close(S)),
    retract(loading).

% True if a goal in a clause that is loaded later runs the program's own clause.
runs_own(N, A) :-
    memberchk(N/A, ['|'/2, (*->)/2]),
    functor(H, N, A), H =.. [_|Args], maplist(=(true), Args),
    gensym(calls, Name), assertz(user:(Name :- H)),
    catch(( user:Name, fail ), own, true).
