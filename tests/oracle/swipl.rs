//! The interpreter compared with SWI-Prolog: a counting meta-interpreter in Prolog runs the same goals.

use std::io::Write;
use std::process::{Command, Stdio};
use std::rc::Rc;

use libtest_mimic::{Failed, Trial};

use crate::machine::{Limits, Machine, Outcome};
use crate::program::Program;
use crate::selfcheck::{LISTS, parse_goal};
use crate::write;

/// Counts clause entries by interpreting clauses; built-ins run in SWI-Prolog itself.
pub(crate) const META: &str = r#"
:- module(costlens_meta, [go/1]).

count(Goal, Limit) :-
    nb_setval(steps, 0), nb_setval(limit, Limit), nb_setval(first, none), nb_setval(solutions, 0), nb_setval(id, 0),
    catch(( local(Goal), found, fail ; End = complete ), Ball, End = thrown(Ball)),
    nb_getval(steps, All), nb_getval(solutions, Solutions), nb_getval(first, First),
    ending(End, Solutions, All, First, FirstEnd, FirstSteps, AllEnd),
    write_term([FirstEnd, FirstSteps, AllEnd, All, Solutions], [quoted(true), ignore_ops(true), numbervars(true)]), nl.

found :-
    nb_getval(solutions, N), M is N+1, nb_setval(solutions, M),
    ( N =:= 0 -> nb_getval(steps, S), nb_setval(first, S) ; true ).

ending(complete, 0, S, _, failure, S, failure) :- !.
ending(complete, _, _, F, success, F, success) :- !.
ending(thrown(Ball), 0, S, _, E, S, E) :- !, kind(Ball, E).
ending(thrown(Ball), _, _, F, success, F, E) :- kind(Ball, E).

kind(Ball, limit) :- Ball == '$limit', !.
kind(error(F, _), exception(error(G))) :- !, copy_term(F, G), numbervars(G, 0, _).
kind(Ball, exception(Ball)).

% A cut is a choice point that throws when it is failed back to: everything up to the goal that the cut is local to goes.
local(G) :- new_id(Id), catch(solve(G, Id), '$cut'(Id), fail).

once_local(G) :- local(G), !.

new_id(Id) :- nb_getval(id, I), Id is I+1, nb_setval(id, Id).

solve(G, _) :- var(G), !, throw(error(instantiation_error, _)).
solve(G, Id) :- control(G), !, control(G, Id).
solve(G, _) :- predicate_property(user:G, file(F)), nb_getval(program_file, F), !, entry(G).
solve(G, _) :- call(user:G).

entry(G) :-
    new_id(Id),
    catch(( clause(user:G, B), leading(B, Rest), step, solve(Rest, Id) ), '$cut'(Id), fail).

leading((T, R), Rest) :- test(T), !, call(T), leading(R, Rest).
leading(T, true) :- test(T), !, call(T).
leading(B, B).

test(T) :- nonvar(T), functor(T, N, A), memberchk(N/A,
    [(<)/2, (>)/2, (=<)/2, (>=)/2, (=:=)/2, (=\=)/2, (==)/2, (\==)/2, (@<)/2, (@>)/2, (@=<)/2, (@>=)/2,
     var/1, nonvar/1, integer/1, float/1, number/1, atom/1, atomic/1, compound/1, callable/1, string/1, is_list/1, ground/1]).

step :-
    nb_getval(steps, S), T is S+1, nb_setval(steps, T),
    nb_getval(limit, L), ( T > L -> throw('$limit') ; true ).

control(true). control(fail). control(false). control(!). control((_, _)). control((_ ; _)). control((_ -> _)).
control((_ *-> _)). control(\+ _). control(not(_)). control(once(_)). control(ignore(_)). control(forall(_, _)).
control(findall(_, _, _)). control(catch(_, _, _)).
control(G) :- compound(G), compound_name_arity(G, call, _).

control(true, _).
control(!, Id) :- true ; throw('$cut'(Id)).
control((A, B), Id) :- solve(A, Id), solve(B, Id).
control((C -> T ; E), Id) :- !, ( once_local(C) -> solve(T, Id) ; solve(E, Id) ).
control((C *-> T ; E), Id) :- !, ( local(C) *-> solve(T, Id) ; solve(E, Id) ).
control((A ; B), Id) :- solve(A, Id) ; solve(B, Id).
control((C -> T), Id) :- ( once_local(C) -> solve(T, Id) ).
control((C *-> T), Id) :- local(C), solve(T, Id).
control(\+ G, _) :- \+ local(G).
control(not(G), _) :- \+ local(G).
control(once(G), _) :- once_local(G).
control(ignore(G), _) :- ( once_local(G) -> true ; true ).
control(forall(C, A), _) :- \+ ( local(C), \+ local(A) ).
control(findall(T, G, L), _) :- findall(T, local(G), L).
control(catch(G, C, R), _) :-
    catch(local(G), Ball, ( own(Ball) -> throw(Ball) ; Ball = C -> local(R) ; throw(Ball) )).
control(G, _) :-
    compound(G), G =.. [call, F | As], ( var(F) -> throw(error(instantiation_error, _)) ; true ),
    ( As == [] -> H = F ; F =.. L0, append(L0, As, L), H =.. L ), local(H).

own(Ball) :- nonvar(Ball), ( Ball == '$limit' ; Ball = '$cut'(_) ), !.

go(File) :-
    absolute_file_name(File, Path), nb_setval(program_file, Path), load_files(user:File, [silent(true)]),
    read_goals.

read_goals :-
    read_term(user_input, G, [module(user)]),
    ( G = goal(Goal, Limit) -> count(Goal, Limit), read_goals ; true ).
"#;

const CONTROL: &str = "
:- dynamic fact/1.
a(1). a(2). a(3).
c1(X) :- a(X), !.
c1(9).
c2(X) :- ( a(X), ! ; X = 8 ).
c2(9).
c3(X) :- ( a(X), X > 1 -> true ; X = 8 ).
c3(9).
c4(X) :- ( a(X), ! -> true ; X = 8 ).
c4(9).
c5(X) :- ( true -> a(X), ! ; true ).
c5(9).
c6(X) :- call((a(X), !)).
c6(9).
c7(X) :- a(X), \\+ (X > 1, !).
c7(9).
c8(L) :- findall(Y, (a(Y), Y > 1, !), L).
c8(9).
c9(X) :- catch((a(X), !), _, true).
c9(9).
c10(X) :- ( a(X), X > 1 *-> true ; X = 8 ).
c11(X) :- ( fail *-> true ; a(X), ! ; X = 7 ).
c11(10).
t(X) :- throw(X).
e1(X) :- catch(t(X), a, true).
e2 :- catch(a(_), _, fail), throw(late).
e3(X) :- catch(Y is X+1, error(type_error(_, _), _), Y = none), a(Y).
e4(X) :- X > 1, a(_).
e4(_) :- throw(end).
s([]).
s([X|Xs]) :- X > 0, !, s(Xs).
s([_|Xs]) :- s(Xs), a(_).
g(X) :- var(X), !, X = 1.
g(X) :- integer(X), X < 3, Y is X+1, g(Y).
d(0).
d(N) :- M is N-1, d(M).
up(X, X).
up(X, Z) :- up(X, Y), Z = s(Y).
m([], _, []).
m([X|Xs], F, [Y|Ys]) :- call(F, X, Y), m(Xs, F, Ys).
inc(X, Y) :- Y is X+1.
p(L) :- m(L, inc, K), m(K, inc, M), s(M).
q(X, Y) :- once(a(X)), ignore((a(Y), Y > 1)), forall(a(Z), Z < 4).
undefined_is_called :- a(X), X > 1, nowhere(X).
n(X) :- not(a(X)).
l(X, Y) :- a(X), ( X =:= 1 -> Y = one ; X =:= 2 -> Y = two ; fail ).
zip([], [], []).
zip([X|Xs], [Y|Ys], [X-Y|Zs]) :- zip(Xs, Ys, Zs).
";

const GOALS: &[(&str, &[&str])] = &[
    (
        LISTS,
        &[
            "nrev([], _)",
            "nrev([a,B,c,d], [D|_])",
            "nrev(a, _)",
            "app(_, _, [a,b,c])",
            "app(X, [c], [a,b|X])",
            "app([a|T], T, _)",
            "mem(b, [a,b,c,b])",
            "mem(X, [a,Y,X|T])",
            "mem(X, [a|b])",
            "sub([a,b,c,d], _)",
            "sub([a,b,c,d], [b,d])",
            "perm([1,2,3,4], _)",
            "perm([1,2,3], [3,X,2])",
            "fib(12, _)",
            "fib(-1, _)",
            "fib(foo, _)",
            "fib(0, 2)",
            "hanoi(5, a, b, c)",
            "upto(1, 8, _)",
            "upto(3, 1, _)",
            "upto(X, 4, _)",
            "sel(X, [1,2,3], [1,3])",
        ],
    ),
    (
        CONTROL,
        &[
            "c1(_)",
            "c2(_)",
            "c3(_)",
            "c4(_)",
            "c5(_)",
            "c6(_)",
            "c7(_)",
            "c8(_)",
            "c9(_)",
            "c10(_)",
            "c11(_)",
            "c1(9)",
            "e1(a)",
            "e1(b)",
            "e2",
            "e3(1)",
            "e3(foo)",
            "e3(_)",
            "e4(1)",
            "e4(2)",
            "e4(a)",
            "s([1,2,0,3])",
            "s([1,-1,0])",
            "s([1,foo])",
            "g(_)",
            "g(0)",
            "g(a)",
            "d(5)",
            "d(-1)",
            "up(a, s(s(a)))",
            "p([1,2,3])",
            "p([1,-4])",
            "q(_, _)",
            "undefined_is_called",
            "n(4)",
            "n(1)",
            "l(_, _)",
            "fact(_)",
            "zip([1,2],[3,4],_)",
            "zip([1,2],[3],_)",
            "(a(X), a(Y), X < Y)",
            "(a(X), \\+ X = 2, !)",
            "(msort([c,1,b,\"a\",f(x),Z,2.0], L), length(L, N), a(N))",
            "(X = point(1,2), X =.. L, functor(X, F, A), arg(A, X, V), a(V))",
            "(between(1, 4, X), X mod 2 =:= 0, a(X))",
            "(length(L, N), N >= 2, !, a(N))",
            "(copy_term(f(X,Y,X), f(1,2,Z)), a(Z))",
        ],
    ),
];

const LIMIT: u64 = 3000;

/// Returns the differential test.
pub(crate) fn trial() -> Trial {
    trial_with_swipl(
        "the_interpreter_counts_as_a_meta_interpreter_in_swi_prolog_does",
        agree,
    )
}

/// Returns a test that needs SWI-Prolog: ignored if that is missing, except in CI.
pub(crate) fn trial_with_swipl(
    name: &str,
    test: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    let missing = Command::new("swipl")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_err();
    let must = std::env::var("CI").is_ok_and(|v| v == "true");
    Trial::test(name, test).with_ignored_flag(missing && !must)
}

fn agree() -> Result<(), Failed> {
    for (program, goals) in GOALS {
        compare(program, goals, META, |goal| ours(program, goal))?;
    }
    Ok(())
}

/// Compares the output of a meta-interpreter in SWI-Prolog about goals of a program with our own lines.
pub(crate) fn compare(
    program: &str,
    goals: &[&str],
    meta: &str,
    ours: impl Fn(&str) -> String,
) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("program.pl"), program)?;
    std::fs::write(folder.path().join("meta.pl"), meta)?;
    let mut child = Command::new("swipl")
        .args(["-q", "-g", "go('program.pl')", "-t", "halt", "meta.pl"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let input: String = (goals.iter())
        .map(|goal| format!("goal(({goal}), {LIMIT}).\n"))
        .collect();
    child.stdin.take().unwrap().write_all(input.as_bytes())?;
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    if lines.len() != goals.len() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let count = goals.len();
        return Err(format!("{count} goals, but swipl answered:\n{said}\n{errors}").into());
    }
    let differences: String = (goals.iter().zip(lines))
        .map(|(goal, theirs)| (goal, theirs, ours(goal)))
        .filter(|(_, theirs, ours)| ours != theirs)
        .map(|(goal, theirs, ours)| format!("\n{goal}: oracle {ours}, swipl {theirs}"))
        .collect();
    if differences.is_empty() {
        Ok(())
    } else {
        Err(differences.into())
    }
}

/// Returns the line that the meta-interpreter prints, computed by the oracle.
fn ours(program: &str, goal: &str) -> String {
    ours_with(program, &Rc::default(), goal)
}

/// Returns the same with a library.
pub(crate) fn ours_with(program: &str, library: &Rc<Program>, goal: &str) -> String {
    let limits = Limits {
        steps: LIMIT,
        ..Limits::default()
    };
    let mut machine = Machine::new(&Rc::new(Program::read(program)), library, limits);
    let goal = parse_goal(&mut machine.heap, goal);
    let count = machine.count(goal, |_| {});
    let steps = |n: u64| n.min(LIMIT + 1);
    format!(
        "[{},{},{},{},{}]",
        end(&count.first),
        steps(count.first_steps),
        end(&count.all),
        steps(count.all_steps),
        count.solutions
    )
}

fn end(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Success => "success".into(),
        Outcome::Failure => "failure".into(),
        Outcome::Limit => "limit".into(),
        Outcome::Unsupported(what) => format!("unsupported({what})"),
        Outcome::Exception(ball) => {
            // The context of an `error/2` differs; the rest must agree, variables named as `numbervars/3` does.
            let mut heap = crate::heap::Heap {
                work: 1_000_000,
                ..Default::default()
            };
            let at = parse_goal(&mut heap, ball);
            match heap.matches::<2>(at, "error") {
                Some([formal, _]) => {
                    for (i, variable) in heap
                        .variables(formal)
                        .unwrap_or_default()
                        .into_iter()
                        .enumerate()
                    {
                        let name =
                            heap.atom(&char::from(b'A' + u8::try_from(i).unwrap()).to_string());
                        heap.bind(variable, name);
                    }
                    format!("exception(error({}))", write::text(&mut heap, formal))
                }
                None => format!("exception({})", write::text(&mut heap, at)),
            }
        }
    }
}
