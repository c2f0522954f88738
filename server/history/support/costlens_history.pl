/*  Runs of your SWI-Prolog that `costlens predict` learns from.

    Load this file and call recorded(Goal) where you would call Goal:

        :- use_module(costlens_history).
        main :- ..., recorded(solve(Puzzle, Answer)), ...

    Each call adds a line to a file: the sizes of the arguments, processor time, wall time and inferences up to the first solution or the failure. Terms are not
    written, but for the names of atoms among the arguments. `costlens history import program.pl` takes the lines into the history of the workspace.

    The file is `runs.jsonl` in the nearest folder `.costlens` from the working folder upwards; the environment variable COSTLENS_RUNS names another one. Without
    either nothing is written. What goes wrong while a line is written is told once, and never changes what Goal does.
*/
:- module(costlens_history, [recorded/1]).

:- meta_predicate recorded(0).

:- dynamic header/2, overhead/1, told/0.

%!  recorded(:Goal) is nondet.
%
%   True where Goal is, with the same solutions in the same order; cuts in it are local, as in call/1. A line is written at its first solution or its failure,
%   and no line is written if it throws an exception.

recorded(Goal) :-
    (   quietly(begin(Goal, Call))
    ->  Once = first(true),
        statistics(process_cputime, Cpu0),
        get_time(Wall0),
        statistics(inferences, Inferences0),
        (   call(Goal),
            (   arg(1, Once, true)
            ->  statistics(inferences, Inferences1),
                nb_setarg(1, Once, false),
                end(Call, true, Cpu0, Wall0, Inferences0, Inferences1)
            ;   true
            )
        ;   arg(1, Once, true),
            statistics(inferences, Inferences1),
            end(Call, false, Cpu0, Wall0, Inferences0, Inferences1),
            fail
        )
    ;   call(Goal)
    ).

%!  begin(:Goal, -Call) is semidet.
%
%   Measures the arguments, before solutions bind them. Fails if nothing should be written.

begin(_:Goal, call(File, Name/Arity, Inputs)) :-
    runs_file(File),
    callable(Goal),
    functor(Goal, Name, Arity),
    findall(Input, input(Goal, Input), Inputs).

end(Call, Succeeded, Cpu0, Wall0, Inferences0, Inferences1) :-
    statistics(process_cputime, Cpu1),
    get_time(Wall1),
    Cpu is max(0, round((Cpu1-Cpu0)*1.0e9)),
    Wall is max(0, round((Wall1-Wall0)*1.0e9)),
    own(Own),
    Inferences is max(0, Inferences1-Inferences0-Own),
    (   quietly(write_run(Call, Succeeded, Cpu, Wall, Inferences))
    ->  true
    ;   true
    ).

%!  own(-Inferences) is det.
%
%   Inferences between the two readings of their number that are not the goal's.

own(Own) :-
    overhead(Own),
    !.
own(Own) :-
    Once = first(true),
    statistics(inferences, Before),
    (   call(user:true),
        arg(1, Once, true)
    ->  statistics(inferences, After)
    ;   After = Before
    ),
    % The inferences of `true` itself belong to the goal.
    Own is max(0, After-Before-1),
    assertz(overhead(Own)).

quietly(Goal) :-
    catch(Goal, Error, complain(Error)).

complain(_) :-
    told,
    !,
    fail.
complain(Error) :-
    assertz(told),
    print_message(warning, format("costlens_history: nothing is recorded: ~p", [Error])),
    fail.

%   --- Inputs ------------------------------------------------------------------------------------------------------

%!  input(+Goal, -Input) is nondet.
%
%   The measures of bound arguments: [Argument, Measure, Value], as `costlens run --history` stores them.

input(Goal, [At, Measure, Value]) :-
    compound(Goal),
    arg(At, Goal, Argument),
    nonvar(Argument),
    measure(Argument, Measure, Value).

measure(N, int, V) :- integer(N), !, V = N.
measure(N, value, V) :- number(N), !, V is float(N).
measure(T, chars, N) :- text(T), atom_length(T, N).
measure(T, name, string(T)) :- text(T), atom(T).
measure(T, Measure, V) :-
    compound_or_nil(T),
    (   walked(T, Size, Depth), ( Measure = size, V = Size ; Measure = depth, V = Depth )
    ;   is_list(T), ( Measure = length, length(T, V) ; element(T, Measure, V) )
    ).

text(T) :- atom(T), T \== [].
text(T) :- string(T).

compound_or_nil(T) :- T == [], !.
compound_or_nil(T) :- compound(T).

element(Es, Measure, V) :-
    all(integer, Es),
    (   Es = [_|_], Measure = 'e.int', max_list(Es, V)
    ;   Measure = sum, sum_list(Es, V)
    ).
element(Es, Measure, V) :-
    all(is_list, Es),
    lengths(Es, Ls),
    (   Es = [_|_], Measure = 'e.length', max_list(Ls, V)
    ;   Measure = total, sum_list(Ls, V)
    ).
element(Es, 'e.size', V) :-
    Es = [_|_],
    sizes(Es, 0, V).

all(_, []).
all(Test, [E|Es]) :- call(Test, E), !, all(Test, Es).

lengths([], []).
lengths([E|Es], [L|Ls]) :- length(E, L), lengths(Es, Ls).

sizes([], V, V).
sizes([E|Es], V0, V) :- walked(E, Size, _), V1 is max(V0, Size), sizes(Es, V1, V).

%!  walked(+Term, -Size, -Depth) is det.
%
%   The number of variables, constants and functors, and their depth. No recursion into the term, which may be as deep as memory allows.

walked(Term, Size, Depth) :-
    walked([Term-0], 0, Size, 0, Depth).

walked([], Size, Size, Depth, Depth).
walked([Term-At|Terms], Size0, Size, Depth0, Depth) :-
    Size1 is Size0+1,
    Depth1 is max(Depth0, At),
    (   compound(Term)
    ->  Below is At+1,
        compound_name_arguments(Term, _, Arguments),
        below(Arguments, Below, Terms, Next)
    ;   Next = Terms
    ),
    walked(Next, Size1, Size, Depth1, Depth).

below([], _, Terms, Terms).
below([A|As], At, Terms, [A-At|Next]) :- below(As, At, Terms, Next).

%   --- The file ----------------------------------------------------------------------------------------------------

runs_file(File) :-
    getenv('COSTLENS_RUNS', Named),
    Named \== '',
    !,
    File = Named.
runs_file(File) :-
    working_directory(Here, Here),
    % Without the trailing slash.
    (   atom_concat(Folder0, '/', Here), Folder0 \== ''
    ->  true
    ;   Folder0 = Here
    ),
    above(Folder0, Folder),
    atom_concat(Folder, '/.costlens', Ours),
    exists_directory(Ours),
    !,
    atom_concat(Ours, '/runs.jsonl', File).

above(Folder, Folder).
above(Folder, Above) :-
    file_directory_name(Folder, Parent),
    Parent \== Folder,
    above(Parent, Above).

write_run(call(File, Name/Arity, Inputs), Succeeded, Cpu, Wall, Inferences) :-
    process(Process, Files),
    get_time(Now),
    At is round(Now),
    (   header(File, Process)
    ->  Lines = [Run]
    ;   engine(Engine),
        Header = object([costlens-1, process-string(Process), engine-string(Engine), files-Files]),
        Lines = [Header, Run]
    ),
    Run = object([ process-string(Process), at-At, predicate-string(Name), arity-Arity, succeeded-Succeeded,
                   cpu-Cpu, wall-Wall, inferences-Inferences, inputs-Inputs
                 ]),
    with_output_to(string(Text), ( member(Line, Lines), json(Line), nl, fail ; true )),
    % One write at the end of the file: lines of several processes are not mixed.
    string_length(Text, Length),
    Size is 4*Length+4096,
    setup_call_cleanup(
        open(File, append, Stream, [encoding(utf8)]),
        ( set_stream(Stream, buffer_size(Size)), set_stream(Stream, buffer(full)), write(Stream, Text) ),
        close(Stream)),
    (   header(File, Process)
    ->  true
    ;   assertz(header(File, Process))
    ).

engine(Engine) :-
    current_prolog_flag(version, Version),
    Major is Version // 10000,
    Minor is Version // 100 mod 100,
    Patch is Version mod 100,
    (   current_prolog_flag(optimise, true)
    ->  Mode = ' -O'
    ;   Mode = ''
    ),
    format(string(Engine), "SWI-Prolog ~w.~w.~w~w", [Major, Minor, Patch, Mode]).

%!  process(-Name, -Files) is det.
%
%   A name for this process with the program that it has loaded, and the files of that program with their times: lines are usable as long as the files are unchanged.

process(Name, Files) :-
    current_prolog_flag(pid, Pid),
    findall([string(File), Modified],
            ( source_file(File),
              \+ source_file_property(File, module(costlens_history)),
              \+ system_file(File),
              source_file_property(File, modified(Time)),
              Modified is round(Time*1000)
            ),
            Files),
    term_hash(Files, Hash),
    format(string(Name), "~w-~w", [Pid, Hash]).

system_file(File) :-
    current_prolog_flag(home, Home),
    sub_atom(File, 0, _, _, Home).

%   --- JSON, as far as it is needed ----------------------------------------------------------------------------------

json(object(Pairs)) :- !, write('{'), pairs(Pairs), write('}').
json(string(Text)) :- !, quoted(Text).
json(List) :- is_list(List), !, write('['), elements(List), write(']').
json(Number) :- number(Number), !, write(Number).
json(true) :- !, write(true).
json(false) :- !, write(false).
json(Text) :- quoted(Text).

pairs([]).
pairs([Key-Value|Pairs]) :- quoted(Key), write(:), json(Value), ( Pairs == [] -> true ; write(',') ), pairs(Pairs).

elements([]).
elements([E|Es]) :- json(E), ( Es == [] -> true ; write(',') ), elements(Es).

quoted(Text) :-
    string_codes(Text, Codes),
    write('"'),
    escaped(Codes),
    write('"').

escaped([]).
escaped([C|Cs]) :-
    (   C =:= 0'" -> write('\\"')
    ;   C =:= 0'\\ -> write('\\\\')
    ;   C < 32 -> format("\\u~|~`0t~16r~4+", [C])
    ;   written(C)
    ),
    escaped(Cs).

written(C) :- char_code(Char, C), put_char(Char).
