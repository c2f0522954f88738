% The operators that SWI-Prolog's libraries export, for server/syntax/src/libraries/swi.tsv.
%
%     swipl tests/reader/library_operators.pl > server/syntax/src/libraries/swi.tsv
%
% A line for each operator: NAME<tab>PRIORITY<tab>TYPE<tab>OPERATOR, where library(NAME) is the library. A library has several names
% if a search path leads to it (clpfd, clp/clpfd). What it re-exports is its own. Files are read, never loaded.
:- initialization(main, main).
:- use_module(library(filesex)).
:- use_module(exports).

main :-
    set_stream(user_output, encoding(utf8)),
    absolute_file_name(swi(library), Root, [file_type(directory)]),
    findall(File, ( directory_member(Root, File, [recursive(true), extensions([pl])]) ), Files),
    findall(Line, ( member(File, Files), line(Root, File, Line) ), Lines),
    sort(Lines, Sorted),
    forall(member(line(Name, P, T, N), Sorted), format("~w\t~d\t~w\t~w~n", [Name, P, T, N])).

line(Root, File, line(Name, P, T, N)) :-
    exported_operators(File, Operators),
    Operators \== [],
    name(Root, File, Name),
    member(op(P, T, N), Operators).

% The path below the folder, and the bare name where that is found by itself.
name(Root, File, Name) :-
    directory_file_path(Root, Relative, File),
    file_name_extension(Path, pl, Relative),
    (   Name = Path
    ;   file_base_name(Path, Name),
        Name \== Path,
        absolute_file_name(library(Name), Found,
                           [file_type(prolog), access(read), file_errors(fail)]),
        same_file(Found, File)
    ).
