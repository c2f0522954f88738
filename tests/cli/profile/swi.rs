//! Profiles on SWI-Prolog: the same counts as on the embedded machine.
//!
//! A choice point that indexing leaves or avoids is specific to an engine. It shows up where a redo fails, and in counts of cuts; everything
//! else depends only on the program.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::*;
use crate::centre_programs;

/// Returns true if SWI-Prolog is missing, which is reported, and is a failure in CI.
#[expect(clippy::print_stderr, reason = "reports a skipped test")]
pub(super) fn missing() -> bool {
    let found = Command::new("swipl")
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .is_ok();
    if found {
        return false;
    }
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "no swipl");
    eprintln!("skipped: there is no swipl");
    true
}

type Counts = BTreeMap<(String, String, String), u64>;

/// Returns the counts of edges by pairs of ports.
fn counts(profile: &Value, wanted: impl Fn(&str) -> bool) -> Counts {
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let mut counts = Counts::new();
    for edge in list(&profile["edges"]) {
        for pair in list(&edge["ports"]) {
            let ports = format!("{}-{}", text(&pair["enter"]), text(&pair["leave"]));
            if wanted(&ports) {
                let key = (text(&edge["from"]), text(&edge["to"]), ports);
                counts.insert(key, pair["count"].as_u64().unwrap());
            }
        }
    }
    counts
}

fn own(profile: &Value, resource: &str) -> BTreeMap<String, u64> {
    let of = |c: &Value| Some((c["name"].to_string(), c["own"].get(resource)?.as_u64()?));
    list(&profile["centres"]).iter().filter_map(of).collect()
}

/// Returns the goal of a program, as given in its comments.
pub(super) fn arguments(text: &str) -> Vec<&str> {
    let of = |word: &str| text.lines().find_map(|l| l.strip_prefix(word));
    match (of("% goal: "), of("% all: ")) {
        (Some(goal), _) => vec!["--goal", goal],
        (_, Some(goal)) => vec!["--goal", goal, "--all"],
        _ => panic!("no goal: {text}"),
    }
}

const SWI: &[&str] = &["--engine", "swi"];
const PLAIN: &[&str] = &["--engine", "swi", "--no-optimise"];

#[test]
fn annotated_programs_have_the_same_counts() {
    if missing() {
        return;
    }
    for entry in std::fs::read_dir(programs()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.extension().is_none_or(|e| e != "pl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut arguments = [vec![name], arguments(&text)].concat();
        if name == "runaway.pl" {
            arguments.extend(["--limit-time", "0.5"]);
        }
        let of = |engine: &[&str]| json_of(&programs(), &[&arguments, engine].concat());
        let embedded = of(&[]);
        for other in [of(SWI), of(PLAIN)] {
            assert_eq!(other["engine"], "swi");
            assert_eq!(embedded["result"], other["result"], "{name}");
            let (one, two) = (counts(&embedded, |_| true), counts(&other, |_| true));
            assert_eq!(one, two, "{name}");
            for resource in ["cuts", "useless_cuts", "skips"] {
                let (one, two) = (own(&embedded, resource), own(&other, resource));
                assert_eq!(one, two, "{name}: {resource}");
            }
            adds_up(&other);
        }
    }
}

/// The thirteen programs of Appendix A are covered.
#[test]
fn programs_of_the_appendix_have_the_same_counts() {
    if missing() {
        return;
    }
    let folder = programs().join("appendix");
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let limit = ["--no-hooks", "--limit-time", "60"];
        let arguments = [&[name][..], &arguments(&text), &limit].concat();
        let embedded = json_of(&folder, &arguments);
        let swi = json_of(&folder, &[&arguments, SWI].concat());
        assert_eq!(embedded["result"], swi["result"], "{name}");
        let (one, two) = (counts(&embedded, |_| true), counts(&swi, |_| true));
        assert_eq!(one, two, "{name}");
        adds_up(&swi);
    }
}

#[test]
fn programs_by_chance_have_the_same_counts() {
    if missing() {
        return;
    }
    let cases = std::env::var("SWI_PROFILES").ok();
    let cases = cases.and_then(|n| n.parse().ok());
    let mut runner = TestRunner::new(Config {
        cases: cases.unwrap_or(25),
        failure_persistence: None,
        ..Config::default()
    });
    let folder = TempDir::new().unwrap();
    let compare = |program: String| {
        std::fs::write(folder.path().join("p.pl"), &program).unwrap();
        let arguments = ["p.pl", "--goal", "p0(X)", "--all"];
        let limited = [&arguments[..], &["--limit-steps", "3000"]].concat();
        let embedded = json_of(folder.path(), &limited);
        prop_assume!(embedded["result"] != "limit");
        for engine in [SWI, PLAIN] {
            let swi = json_of(folder.path(), &[&arguments, engine].concat());
            prop_assert_eq!(&embedded["result"], &swi["result"], "{}", &program);
            prop_assert_eq!(&embedded["solutions"], &swi["solutions"], "{}", &program);
            let is_the_programs = |ports: &str| ports != "redo-fail";
            let (one, two) = (
                counts(&embedded, is_the_programs),
                counts(&swi, is_the_programs),
            );
            prop_assert_eq!(one, two, "{}", &program);
            adds_up(&swi);
        }
        Ok(())
    };
    runner.run(&centre_programs::programs(), compare).unwrap();
}

/// Returns the profile of a program on SWI-Prolog, and its standard error.
fn swi(program: &str, arguments: &[&str]) -> (Value, String) {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("p.pl"), program).unwrap();
    let arguments = [
        &["p.pl"][..],
        SWI,
        arguments,
        &["--format", "json", "--exit-zero"],
    ]
    .concat();
    let out = profile(folder.path(), &arguments);
    let said = String::from_utf8(out.stderr.clone()).unwrap();
    let found = serde_json::from_slice(&out.stdout);
    (found.unwrap_or_else(|e| panic!("{e}: {out:?}")), said)
}

/// SWI-Prolog ignores Ciao's assertions and directives; everything else runs, in its module.
#[test]
fn programs_are_loaded_as_they_are() {
    if missing() {
        return;
    }
    let program = ":- module(m, [p/1], [profiler, assertions]).
:- use_module(library(lists)).
:- initialization((write(hello), nl)).
:- check pred p(X) : int(X) => int(X) + (steps(3), not_fails) # \"text\".
:- cost_center p/1, q//1.
p(X) :- phrase(q(X), `a`), max_list([X], X).
q(X) --> \"a\", { X = 1 }.
";
    let (found, said) = swi(program, &["--goal", "p(X), write('50%\\t')"]);
    assert_eq!(said, "");
    assert_eq!(found["output"], "hello\n50%\t");
    assert_eq!(found["bindings"][0]["X"], "1");
    let names: Vec<&Value> = list(&found["centres"]).iter().map(|c| &c["name"]).collect();
    assert_eq!(names, ["remainder", "p/1", "q/3"]);
}

/// Threads and engines run; their work is not measured.
#[test]
fn threads_and_engines() {
    if missing() {
        return;
    }
    let program = "p(X) :- thread_create(q(X), T), thread_join(T), engine_create(Y, q(Y), E), engine_next(E, X), q(X).
q(1).
q(X) :- cost_center(one, X = 2).
";
    let (found, said) = swi(program, &["--goal", "p(X)", "--cost-center", "q/1"]);
    assert_eq!(
        (&*said, &found["bindings"][0]["X"]),
        ("", &"1".into()),
        "{found}"
    );
    assert_eq!(counts(&found, |p| p == "call-exit").len(), 2);
}

/// Measurements up to the limit are shown, whatever the program catches.
#[test]
fn limits_on_swi_prolog() {
    if missing() {
        return;
    }
    let program =
        "p :- catch(q(0), _, p).\nq(N) :- M is N + 1, q(M).\nr(L) :- r([a|L]).\ns :- q(0), s.\n";
    let limits = ["--limit-time", "0.5"];
    let of = |goal: &str| swi(program, &[&["--goal", goal], &limits[..]].concat()).0;
    let left =
        |found: &Value, ports: &str| counts(found, |p| p == ports).into_values().sum::<u64>();
    let endless = of("p");
    assert_eq!(endless["result"], "limit");
    assert_eq!(left(&endless, "call-open"), 3);
    let (large, _) = swi(program, &["--goal", "r([])", "--limit-memory", "32"]);
    assert_eq!(large["result"], "limit");
    assert_eq!(left(&large, "call-exception"), 2);
    let halted = of("s = s, halt");
    assert_eq!(halted["exception"], "halt");
    let (thrown, _) = swi(program, &["--goal", "throw('a\\tb\\n')"]);
    assert_eq!(thrown["exception"], "'a\\tb\\n'");
}

/// The transformations of Fig. 5 depend on stated facts; a false statement is detected.
#[test]
fn stated_facts_spare_instrumentation() {
    if missing() {
        return;
    }
    let fact = ":- true pred p(X) + (no_choicepoint, not_fails).\n";
    let goal = ["--goal", "p(1), p(2)"];
    let right = swi(&format!("{fact}p(_).\n"), &goal);
    assert_eq!(right.1, "");
    assert_eq!(counts(&right.0, |_| true).into_values().sum::<u64>(), 3);
    let wrong = format!("{fact}p(1).\n");
    assert!(swi(&wrong, &goal).1.contains("`p/1` is taken not to fail"));
    // Woken goals may leave choice points where no clause does.
    let woken = ":- true pred q(X) + not_fails.\nq(X) :- X = 1.\nw(Y) :- freeze(X, member(Y, [a,b])), q(X).\n";
    for more in [&[][..], &["--no-optimise"]] {
        let goal = ["--goal", "w(Y)", "--all", "--cost-center", "q/1"];
        let (found, _) = swi(woken, &[&goal[..], more].concat());
        assert_eq!(found["solutions"], 2, "{found}");
    }
    let unstated = woken.replace(":- true pred q(X) + not_fails.\n", "");
    let (found, _) = swi(
        &unstated,
        &["--goal", "w(Y)", "--all", "--cost-center", "q/1"],
    );
    assert_eq!(counts(&found, |p| p == "redo-exit").len(), 2, "{found}");
    let plain = [&goal[..], &["--no-optimise"]].concat();
    let (found, said) = swi(&wrong, &plain);
    assert_eq!(said, "");
    assert_eq!(counts(&found, |p| p == "call-fail").len(), 2);
}

/// Returns the part of its instrumentation that each centre has.
fn instrumented(found: &Value) -> BTreeMap<&str, &str> {
    { list(&found["centres"]).iter() }
        .filter_map(|c| Some((c["name"].as_str()?, c["instrumentation"].as_str()?)))
        .collect()
}

/// Fig. 5 with facts proved for all calls of a run. The counts are those of the full instrumentation.
#[test]
fn proved_facts_spare_instrumentation() {
    if missing() {
        return;
    }
    let program = "main(L, N) :- joined([1,2], [3], L), count(3, N), ( picked(L) -> true ; true ).
joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :- joined(Xs, Ys, Zs).
count(0, 0) :- !.
count(N, M) :- N1 is N - 1, count(N1, M0), M is M0 + 1.
picked([X|Xs]) :- is_large(X), !, \\+ member(X, Xs).
picked([_|Xs]) :- picked(Xs).
is_large(X) :- X > 2.
either(1).
either(2).
";
    let of = |goal: &str, more: &[&str]| swi(program, &[&["--goal", goal], more].concat());
    let check = |goal: &str| {
        let ((spared, said), (plain, _)) = (of(goal, &[]), of(goal, &["--no-optimise"]));
        assert_eq!(said, "", "{goal}");
        assert_eq!(
            counts(&spared, |_| true),
            counts(&plain, |_| true),
            "{goal}"
        );
        assert!(
            instrumented(&plain).values().all(|&parts| parts == "full"),
            "{goal}"
        );
        spared
    };
    let found = check("main(L, N)");
    let parts = instrumented(&found);
    assert_eq!(parts["joined/3"], "no_choicepoint_not_fails");
    assert_eq!(parts["is_large/1"], "no_choicepoint");
    // An unbound first argument leaves a choice point, and one such call of many is enough.
    let found = check("joined([1], [2], L), joined(_, [3], L)");
    assert_eq!(instrumented(&found)["joined/3"], "full");
    // A call that fails, though others do not.
    let found = check("is_large(3), \\+ is_large(1)");
    assert_eq!(instrumented(&found)["is_large/1"], "no_choicepoint");
    // Several solutions.
    assert_eq!(instrumented(&check("either(X), X > 1"))["either/1"], "full");
    // If some call cannot be followed, nothing is known of any.
    for goal in [
        "atom_to_term('is_large(3)', G, _), call(G), joined([1], [2], L)",
        "freeze(X, either(X)), joined([1], [2], L), X = 1",
        "catch(joined([1], [2], L), _, joined(_, _, _))",
        "assertz(joined(a, a, a)), joined([1], [2], L)",
    ] {
        let found = check(goal);
        assert!(
            instrumented(&found).values().all(|&parts| parts == "full"),
            "{goal}: {found}"
        );
    }
    // A known closure is followed.
    let found = check("maplist(is_large, [3,4,5])");
    assert_eq!(instrumented(&found)["is_large/1"], "no_choicepoint");
}

/// A table of facts whose calls analysis runs in place, a malformed goal at the end of the program, modules.
#[test]
fn facts_are_proved_of_all_calls() {
    if missing() {
        return;
    }
    let program = "edge(a, b). edge(b, c).
path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
";
    for goal in ["edge(a, X), path(a, c)", "path(a, X)", "\\+ path(c, a)"] {
        let spared = swi(program, &["--goal", goal, "--all"]);
        let plain = swi(program, &["--goal", goal, "--all", "--no-optimise"]);
        assert_eq!(spared.1, "", "{goal}");
        assert_eq!(
            counts(&spared.0, |_| true),
            counts(&plain.0, |_| true),
            "{goal}"
        );
    }
    let module = ":- module(m, [p/1]).\n:- op(700, xfx, ===>).\np(X) :- q(X ===> 1).\nq(_).\n";
    let (found, said) = swi(module, &["--goal", "p(X ===> 2)."]);
    assert_eq!(said, "");
    assert_eq!(instrumented(&found)["q/1"], "no_choicepoint_not_fails");
    // A goal that would become two clauses if it were simply appended to the program.
    let out = {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("p.pl"), program).unwrap();
        profile(
            folder.path(),
            &[&["p.pl", "--goal", "true). edge(c, d) :- (true"], SWI].concat(),
        )
    };
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn what_swi_prolog_cannot_do_is_told() {
    let code = |more: &[&str]| {
        let arguments = [&["facts.pl", "--goal", "p(X)"], SWI, more].concat();
        profile(&programs(), &arguments).status.code()
    };
    for wrong in [
        &["--limit-steps", "9"][..],
        &["--resource", "steps"],
        &["--program", "no-such-program"],
    ] {
        assert_eq!(code(wrong), Some(2), "{wrong:?}");
    }
    if !missing() {
        assert_eq!(code(&[]), Some(0));
        let malformed = [&["facts.pl", "--goal", "p(X"], SWI].concat();
        assert_eq!(profile(&programs(), &malformed).status.code(), Some(2));
    }
}

/// Lambda expressions and built-ins without a bound are followed, and goals in data are not. The counts are those of the full instrumentation.
#[test]
fn calls_through_lambdas_are_followed() {
    if missing() {
        return;
    }
    let program = "num(1). num(2).
pos(X) :- X > 0.
twice(X, Y) :- Y is 2 * X.
shared(Xs, E) :- A = a + b, foldl([_, E0, E0 * A]>>true, Xs, A, E).
outer(Xs, Z) :- maplist([X]>>(pos(X), Z = X), Xs).
global(Xs, Z) :- maplist({Z}/[X]>>(pos(X), Z = X), Xs).
given(Xs, K) :- maplist({K}/[X, K]>>pos(X), Xs, [K, K]).
fails(Xs) :- maplist([X]>>(pos(X), X > 1), Xs).
leaves(Xs, Ys) :- maplist([X, Y]>>(num(Y), pos(X)), Xs, Ys).
more(Xs, Ys) :- maplist([X]>>twice(X), Xs, Ys).
fewer(Xs) :- maplist([X, Y]>>twice(X, Y), Xs).
count(L, N) :- length(L, N), pos(N).
within(X, L) :- between(0, L, X), pos(X).
";
    let of =
        |goal: &str, more: &[&str]| swi(program, &[&["--goal", goal, "--all"], more].concat()).0;
    let followed = [
        ("shared([1,2], E), E = (a + b) * _ * _, pos(1)", "pos/1"),
        ("shared([1,2], (c * _) * _), pos(1) ; pos(2)", "pos/1"),
        ("outer([1,2], Z), pos(1)", "pos/1"),
        ("\\+ global([1,2], Z), pos(1)", "pos/1"),
        ("given([1,2], 7)", "pos/1"),
        ("( fails([2,1]) ; fails([2,3]) )", "pos/1"),
        ("leaves([1,2], Ys)", "pos/1"),
        ("more([1,2], Ys), pos(1)", "twice/2"),
        ("catch(fewer([1]), _, true), pos(1)", "pos/1"),
        ("count([a|T], 3), T = [_|_]", "pos/1"),
        ("X = 3, within(Y, X)", "pos/1"),
    ];
    for (goal, spared) in followed {
        let (found, plain) = (of(goal, &[]), of(goal, &["--no-optimise"]));
        assert_eq!(found["not_followed"], Value::Null, "{goal}");
        assert_eq!(found["result"], plain["result"], "{goal}");
        assert_eq!(found["solutions"], plain["solutions"], "{goal}");
        assert_eq!(counts(&found, |_| true), counts(&plain, |_| true), "{goal}");
        assert_ne!(instrumented(&found)[spared], "full", "{goal}: {found}");
    }
    // Closures from data.
    for goal in [
        "nb_setval(k, pos), nb_getval(k, G), maplist(G, [1,2]), pos(1)",
        "atom_to_term('[X]>>pos(X)', G, _), maplist(G, [1,2])",
        "member(G, [pos, num]), maplist(G, [1,2])",
    ] {
        let (found, plain) = (of(goal, &[]), of(goal, &["--no-optimise"]));
        assert!(found["not_followed"].is_string(), "{goal}: {found}");
        assert_eq!(plain["not_followed"], Value::Null, "{goal}");
        assert_eq!(counts(&found, |_| true), counts(&plain, |_| true), "{goal}");
        assert!(
            instrumented(&found).values().all(|&parts| parts == "full"),
            "{goal}: {found}"
        );
    }
}

/// If `library(yall)` compiles a lambda expression, variables shared with the clause are lost, so it is not followed.
#[test]
fn compiled_lambdas_are_not_followed() {
    if missing() {
        return;
    }
    let program = ":- use_module(library(yall)).
:- meta_predicate own(1, ?).
own(G, X) :- call(G, X).
bound(X) :- nonvar(X).
t(K) :- own([X]>>(X = K), Y), bound(Y).
u(K) :- call([X]>>(X = K), Y), bound(Y).
v(K) :- own({K}/[X]>>(X = K), Y), bound(Y).
";
    for (goal, is_followed) in [("t(5)", false), ("u(5)", false), ("v(5)", true)] {
        let of = |more: &[&str]| swi(program, &[&["--goal", goal], more].concat());
        let ((found, said), (plain, _)) = (of(&[]), of(&["--no-optimise"]));
        assert_eq!(said, "", "{goal}");
        assert_eq!(found["not_followed"].is_null(), is_followed, "{goal}");
        assert_eq!(counts(&found, |_| true), counts(&plain, |_| true), "{goal}");
    }
}

/// A `once/1` before a `;` is not its condition.
#[test]
fn once_in_a_disjunction() {
    if missing() {
        return;
    }
    let program = "p(X) :- ( once(X = a) ; q(X) ).\nq(b).\nq(c).\n";
    let (found, _) = swi(program, &["--goal", "p(X)", "--all"]);
    assert_eq!(found["solutions"], 3, "{found}");
}

/// A head with a variable matches whatever a later one matches, so that a choice point is left.
#[test]
fn a_variable_excludes_no_other_clause() {
    if missing() {
        return;
    }
    let program = "p(X) :- q(X), r(X).\nq(c).\nr(_).\nr(c).\n";
    let of = |more: &[&str]| swi(program, &[&["--goal", "p(X)", "--all"], more].concat()).0;
    let (found, plain) = (of(&[]), of(&["--no-optimise"]));
    let parts = instrumented(&found)["r/1"];
    assert!(!parts.starts_with("no_choicepoint"), "{found}");
    assert_eq!(counts(&found, |_| true), counts(&plain, |_| true));
}

/// The programs of the appendix in which Fig. 5 spares something.
#[test]
fn programs_of_the_appendix_are_followed() {
    if missing() {
        return;
    }
    let folder = programs().join("appendix");
    for name in ["flat.pl", "substitute.pl", "wumpus.pl"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let limit = ["--no-hooks", "--limit-time", "60"];
        let found = json_of(
            &folder,
            &[&[name][..], &arguments(&text), &limit, SWI].concat(),
        );
        assert_eq!(found["not_followed"], Value::Null, "{name}");
        let is_spared = |parts: &&str| **parts != *"full";
        assert!(instrumented(&found).values().any(is_spared), "{name}");
    }
}
