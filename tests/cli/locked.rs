//! Comparison with a lockfile and a revision: it uses the calls of the lockfile, in all regions of sizes.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::project::{folder, run};

fn json(out: &Output) -> Value {
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

/// The changes after an edit: predicate, calls, kind of change, part of a run; the exit code, and the messages.
type Changed = (Vec<(String, String, String)>, Option<i32>, String);

/// Locks a text, writes another one, and compares.
fn compared(before: &str, after: &str) -> Changed {
    let folder = folder(&[("a.pl", before)]);
    let here = folder.path();
    let out = run(here, &["snapshot", "--no-library", "a.pl"]);
    assert!(out.status.success(), "{out:?}");
    std::fs::write(here.join("a.pl"), after).unwrap();
    let against = [
        "check",
        "--no-library",
        "--no-cache",
        "a.pl",
        "--against",
        "costlens.lock",
    ];
    let out = run(here, &[&against[..], &["--format", "json"]].concat());
    let document = json(&out);
    let all = document["changes"].as_array().unwrap().iter();
    let text = |change: &Value, key: &str| change[key].as_str().unwrap_or("-").to_owned();
    let changes = all.clone().map(|change| {
        (
            text(change, "predicate"),
            text(change, "change"),
            text(change, "of"),
        )
    });
    let messages: Vec<String> = all.map(|change| text(change, "message")).collect();
    let code = out.status.code();
    // The text says the same.
    let out = run(here, &against);
    assert_eq!(out.status.code(), code, "{out:?}");
    let shown = String::from_utf8(out.stdout).unwrap();
    for message in &messages {
        assert!(shown.contains(message.as_str()), "{message}\n{shown}");
    }
    (changes.collect(), code, messages.join("\n"))
}

fn one(predicate: &str, change: &str, of: &str) -> Vec<(String, String, String)> {
    vec![(predicate.to_owned(), change.to_owned(), of.to_owned())]
}

const SEEK: &str = "\
%! seek(+K:int, +Xs:list(int), -I:int) is semidet.
seek(K, [K|_], 0) :- !.
seek(K, [_|T], I) :- seek(K, T, J), I is J+1.
";

#[test]
fn the_calls_of_the_lockfile_are_compared_whatever_is_declared_or_guessed_now() {
    let without = SEEK.split_once('\n').unwrap().1;
    assert_eq!(compared(SEEK, without).0, []);
    let twice = without.replace("seek(K, T, J),", "seek(K, T, _), seek(K, T, J),");
    let (changes, code, message) = compared(SEEK, &twice);
    assert_eq!((changes, code), (one("seek/3", "class", "all"), Some(1)));
    assert!(message.contains("became dearer: O(n) → O(2ⁿ)"), "{message}");
    // Its declaration has changed, and it is more expensive for the calls declared before.
    let other = format!("%! seek(-K, +Xs:list(int), -I:int) is nondet.\n{twice}");
    let (changes, code, _) = compared(SEEK, &other);
    assert_eq!((changes, code), (one("seek/3", "class", "all"), Some(1)));
}

#[test]
fn calls_that_have_no_meaning_now_are_incomparable() {
    let before = "\
:- regtype tree/1.
tree(leaf).
tree(node(L, R)) :- tree(L), tree(R).
%! depth(+T:tree, -N:int) is det.
depth(leaf, 0).
depth(node(L, R), N) :- depth(L, A), depth(R, B), N is max(A, B)+1.
";
    let (changes, code, _) = compared(before, before);
    assert_eq!((changes, code), (Vec::new(), Some(0)));
    let after = &before[before.find("depth(leaf").unwrap()..];
    let (changes, code, message) = compared(before, after);
    assert_eq!(code, Some(1), "{message}");
    assert!(
        changes.contains(&("depth/2".into(), "incomparable".into(), "all".into())),
        "{changes:?}"
    );
    assert!(
        message.contains(
            "`depth/2` cannot be compared: calls (+tree, -) have a type that is not defined now"
        ),
        "{message}"
    );
}

#[test]
fn a_region_that_was_cheap_and_became_dear_is_a_regression() {
    let before = "\
%! q(+N:int) is semidet.
q(0).
q(N) :- N < 0, M is N+1, q(M).
%! p(+N:int) is semidet.
p(0) :- !.
p(N) :- N > 0, M is N-1, p(M).
";
    let below = |body: &str| format!("{before}p(N) :- N < 0, M is N+1, p(M), {body}.\n");
    let (changes, code, message) = compared(before, &below("q(N)"));
    assert_eq!((changes, code), (one("p/1", "class", "all"), Some(1)));
    assert!(message.contains("n <= -1"), "{message}");
    // No formula is found for a cost that doubles with each step towards 0.
    let (changes, code, _) = compared(before, &below("p(M)"));
    assert_eq!((changes, code), (one("p/1", "bound-lost", "all"), Some(1)));
    // It never ends for sizes outside of those in which it grows.
    let (changes, code, _) = compared(before, &before.replace("N > 0,", "N =\\= 0,"));
    assert_eq!((changes, code), (one("p/1", "class", "all"), Some(1)));
}

#[test]
fn all_declared_calls_are_in_the_lockfile() {
    let before = "\
%! app(+A:list, +B:list, -C:list) is det.
%! app(-A:list, -B:list, +C:list) is multi.
app([], B, B).
app([X|A], B, [X|C]) :- app(A, B, C).
";
    // Only the second pattern becomes more expensive.
    let after = before.replace(
        "[X|C]) :- app(A, B, C).",
        "[X|C]) :- again(A, C), app(A, B, C).\nagain(A, C) :- var(A), !, walk(C).\nagain(_, _).\nwalk([]).\nwalk([_|T]) :- walk(T).",
    );
    let (changes, code, message) = compared(before, &after);
    assert_eq!(code, Some(1), "{message}");
    assert!(
        message.contains("`app/3` for calls (-, -, +list(any)) became dearer: O(n) → O(n²)"),
        "{message}"
    );
    assert!(changes.iter().any(|c| c.0 == "app/3" && c.1 == "class"));
}

#[test]
fn a_first_solution_that_became_dearer_is_a_regression() {
    // Finding all solutions takes as long as before, but the first one was found immediately.
    let before = "\
%! mem(-X, +Xs:list) is nondet.
mem(X, [X|_]).
mem(X, [_|T]) :- mem(X, T).
";
    let after = "\
%! mem(-X, +Xs:list) is nondet.
mem(X, [_|T]) :- mem(X, T).
mem(X, [X|_]).
";
    let (changes, code, message) = compared(before, after);
    assert_eq!((changes, code), (one("mem/2", "class", "first"), Some(1)));
    assert!(
        message.starts_with("the first solution of `mem/2` became dearer: O(1) → O(n)"),
        "{message}"
    );
}

#[test]
fn an_exception_that_became_possible_is_a_regression() {
    let before = "%! half(+A:int, +B:int, -C:int) is det.\nhalf(A, B, C) :- C is A+B.\n";
    let (changes, code, message) = compared(before, &before.replace("A+B", "A//B"));
    assert_eq!(
        (changes, code),
        (one("half/3", "exception", "all"), Some(1))
    );
    assert!(
        message.starts_with("`half/3` is no longer proved to raise no exception"),
        "{message}"
    );
    // The goals before it that may raise an exception are the same.
    let (changes, code, _) = compared(
        &before.replace("A+B", "A//B"),
        &before.replace("A+B", "A mod B"),
    );
    assert_eq!((changes, code), (Vec::new(), Some(0)));
}

#[test]
fn a_lockfile_of_version_1_is_read_and_what_it_has_not_is_said() {
    let lock = "# costlens.lock 1: bounds on resolution steps; `costlens snapshot` writes it\na.pl\tseek/3\t(+int, +list(int), -)\tn=length(2)\t0\tn\t-\n";
    let without = SEEK.split_once('\n').unwrap().1;
    let twice = without.replace("seek(K, T, J),", "seek(K, T, _), seek(K, T, J),");
    for (text, code) in [(without, 0), (&twice, 1)] {
        let folder = folder(&[("a.pl", text), ("costlens.lock", lock)]);
        let out = run(
            folder.path(),
            &[
                "check",
                "--no-library",
                "a.pl",
                "--against",
                "costlens.lock",
            ],
        );
        assert_eq!(out.status.code(), Some(code), "{out:?}");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(said.contains("`costlens.lock` is of version 1"), "{said}");
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = [
        "-c",
        "user.name=n",
        "-c",
        "user.email=n@example.org",
        "-c",
        "init.defaultBranch=main",
    ];
    let mut command = Command::new("git");
    command.current_dir(folder).args(identity).args(arguments);
    let out = command.output().unwrap();
    assert!(out.status.success(), "{arguments:?}: {out:?}");
}

#[test]
fn a_branch_is_compared_with_where_it_left() {
    let dear = "%! rev(+A:list, -B) is det.\nrev([], []).\nrev([X|A], B) :- rev(A, C), append(C, [X], B).\n";
    let cheap = "%! rev(+A:list, -B) is det.\nrev(A, B) :- reverse(A, B).\n";
    let folder = folder(&[("a.pl", dear)]);
    let here = folder.path();
    git(here, &["init", "--quiet"]);
    git(here, &["add", "."]);
    git(here, &["commit", "--quiet", "-m", "one"]);
    git(here, &["checkout", "--quiet", "-b", "side"]);
    std::fs::write(here.join("a.pl"), format!("% A comment.\n{dear}")).unwrap();
    git(here, &["commit", "--quiet", "-am", "comment"]);
    git(here, &["checkout", "--quiet", "main"]);
    std::fs::write(here.join("a.pl"), cheap).unwrap();
    git(here, &["commit", "--quiet", "-am", "cheaper"]);
    git(here, &["checkout", "--quiet", "side"]);
    let out = run(here, &["diff", "--no-library", "main"]);
    assert_eq!(
        (
            out.status.code(),
            String::from_utf8_lossy(&out.stdout).as_ref()
        ),
        (Some(0), "nothing changed\n")
    );
    // The histories have nothing in common.
    git(here, &["checkout", "--quiet", "--orphan", "other"]);
    git(here, &["commit", "--quiet", "-m", "other"]);
    let out = run(here, &["diff", "--no-library", "main"]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("no commit in common"), "{said}");
}

#[test]
fn a_tolerance_above_1_needs_its_percent_sign() {
    let folder = folder(&[("a.pl", "p.\n")]);
    run(folder.path(), &["snapshot", "--no-library", "a.pl"]);
    let check = |tolerance: &str| {
        let arguments = [
            "check",
            "--no-library",
            "a.pl",
            "--against",
            "costlens.lock",
        ];
        run(
            folder.path(),
            &[&arguments[..], &["--tolerance", tolerance]].concat(),
        )
    };
    let out = check("10");
    assert_eq!(out.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&out.stderr).contains("write `10%`"),
        "{out:?}"
    );
    for fine in ["10%", "0.1", "250%"] {
        assert_eq!(check(fine).status.code(), Some(0), "{fine}");
    }
}

/// Runs as a user subject to permissions.
fn run_as_anyone(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = PathBuf::from(env!("CARGO_BIN_EXE_costlens"));
    // Nothing can be hidden from root.
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    if is_root {
        // The program may be in a folder that this user cannot enter.
        let copy = folder.join("costlens");
        if !copy.exists() && std::fs::hard_link(&program, &copy).is_err() {
            std::fs::copy(&program, &copy).unwrap();
        }
        program = copy;
    }
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments).env_clear();
    if is_root {
        command.uid(65_534);
    }
    command.output().unwrap()
}

#[test]
fn a_folder_that_cannot_be_listed_leaves_the_rest() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let wrong = "%! p(+A:list) is det.\n%  @cost steps =< 0\np(_).\n";
    let folder = folder(&[("src/a.pl", wrong), ("src/hidden/b.pl", wrong)]);
    let here = folder.path();
    set_permissions(here, Permissions::from_mode(0o777)).unwrap();
    let out = run(here, &["snapshot", "--no-library", "src"]);
    assert!(out.status.success(), "{out:?}");
    set_permissions(here.join("src/hidden"), Permissions::from_mode(0o000)).unwrap();
    let all: [(&[&str], &str); 5] = [
        (
            &["check", "--no-cache", "--no-library", "src"],
            "an assertion about `p/1` is false",
        ),
        (
            &[
                "check",
                "--no-cache",
                "--no-library",
                "src",
                "--against",
                "costlens.lock",
            ],
            "an assertion about `p/1` is false",
        ),
        (&["bounds", "--no-library", "src"], "p(+A"),
        (&["fix", "--no-library", "src"], ""),
        (
            &[
                "report",
                "--no-cache",
                "--no-library",
                "src",
                "-o",
                "/dev/null",
            ],
            "",
        ),
    ];
    for (arguments, shown) in all {
        let out = run_as_anyone(here, arguments);
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(out.status.code(), Some(2), "{arguments:?}: {said}{text}");
        assert!(
            said.contains("cannot list `src/hidden`"),
            "{arguments:?}: {said}"
        );
        assert!(text.contains(shown), "{arguments:?}: {said}{text}");
        // Nothing is reported as gone.
        assert!(!text.contains("is gone"), "{text}");
    }
    let out = run_as_anyone(here, &["snapshot", "--no-library", "src", "-o", "new.lock"]);
    assert_eq!(out.status.code(), Some(2), "{out:?}");
    assert!(!here.join("new.lock").exists());
    set_permissions(here.join("src/hidden"), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_certificate_names_the_texts_that_it_is_of() {
    let text = "len([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n";
    let folder = folder(&[("a.pl", text), ("b.pl", "q(1).\n")]);
    let here = folder.path();
    let out = run(
        here,
        &["bounds", "--no-library", "a.pl", "--certificate", "c.json"],
    );
    assert!(out.status.success(), "{out:?}");
    let certificate: Value =
        serde_json::from_slice(&std::fs::read(here.join("c.json")).unwrap()).unwrap();
    let sum = Command::new("sha256sum")
        .arg(here.join("a.pl"))
        .output()
        .unwrap();
    let sum = String::from_utf8(sum.stdout).unwrap();
    assert_eq!(certificate["texts"][0]["file"], "a.pl");
    assert_eq!(
        certificate["texts"][0]["sha256"],
        sum.split(' ').next().unwrap()
    );
    assert_eq!(certificate["library"]["sha256"].as_str().unwrap().len(), 64);
    let verify = |source: &str| {
        let out = run(here, &["verify", "c.json", "--source", source]);
        let shown = String::from_utf8(out.stdout).unwrap();
        (out.status.code(), shown)
    };
    let (code, shown) = verify("a.pl");
    assert_eq!(code, Some(0), "{shown}");
    assert!(
        shown.contains("a.pl: is a text that the certificate is of"),
        "{shown}"
    );
    assert_eq!(verify("b.pl").0, Some(1));
    std::fs::write(here.join("a.pl"), text.replace("0).", "1).")).unwrap();
    let (code, shown) = verify("a.pl");
    assert_eq!(code, Some(1), "{shown}");
    assert!(
        shown.contains("a.pl: is not a text that the certificate is of"),
        "{shown}"
    );
}

#[test]
fn calls_that_always_fail_now_are_no_cheaper() {
    let lists = "p([]).\np([_|T]) :- p(T).\n";
    let trees = "p(leaf).\np(n(L, _, R)) :- p(L), p(R).\n";
    let (changes, code, message) = compared(lists, trees);
    let expected = one("p/1", "incomparable", "all");
    assert_eq!((changes, code), (expected, Some(1)), "{message}");
    assert!(message.ends_with("always fail now"), "{message}");
}

#[test]
fn a_size_of_another_argument_has_another_name() {
    let walk = "%! h(+Xs:list, +Ys:list) is det.\nh([], _).\nh([_|T], Ys) :- h(T, Ys).\n";
    let turned = "%! h(+Xs:list, +Ys:list) is det.\nh(_, []).\nh(Xs, [_|T]) :- h(Xs, T).\n";
    let (_, _, message) = compared(walk, turned);
    for argument in ["length(argument 1) + 1", "length(argument 2) + 1"] {
        assert!(message.contains(argument), "{message}");
    }
}

#[test]
fn a_cheaper_predicate_says_where_it_costs_more() {
    let before = "%! p(+N:nat) is det.\np(0) :- !.\np(N) :- M is N-1, w, p(M).\nw.\n";
    let after = "%! p(+N:nat) is det.\np(0) :- !, w, w, w, w.\np(N) :- M is N-1, p(M).\nw.\n";
    let (changes, code, message) = compared(before, after);
    let expected = one("p/1", "cheaper", "all");
    assert_eq!((changes, code), (expected, Some(0)), "{message}");
    assert!(
        message.contains("for n >= 5: it costs more for"),
        "{message}"
    );
}

#[test]
fn sizes_that_were_partly_compared_are_marked() {
    let before = "%! h(+N:nat) is det.\nh(0) :- !.\nh(N) :- M is N//3, h(M).\n";
    let (_, code, message) = compared(before, &before.replace("//3", "//2"));
    assert_eq!(code, Some(1), "{message}");
    assert!(message.ends_with("at least"), "{message}");
}

/// The message of a change of one predicate, and whether it is a regression.
fn told(before: &str, after: &str) -> (Vec<String>, Option<i32>, String) {
    let (changes, code, message) = compared(before, after);
    let kinds = changes.into_iter().map(|(_, kind, _)| kind);
    (kinds.collect(), code, message)
}

#[test]
fn bounds_that_no_formula_compares_are_compared_by_values() {
    const HALF: &str = "%! f(+Xs:list) is det.\nf([]).\nf([_]).\nf([_,_|T]) :- f(T).\nz.\n";
    let dearer = HALF.replace(":- f(T)", ":- z, z, z, f(T)");
    let (kinds, code, message) = told(HALF, &dearer);
    assert_eq!(
        (kinds, code),
        (vec!["dearer".to_owned()], Some(1)),
        "{message}"
    );
    assert!(
        message.contains(" for n = 2 at least") && message.ends_with(": 2 steps before, 5 now"),
        "{message}"
    );
    let (kinds, code, message) = told(&dearer, HALF);
    assert_eq!(
        (kinds, code),
        (vec!["cheaper".to_owned()], Some(0)),
        "{message}"
    );
    // From half to all of the elements.
    let (kinds, code, message) = told(HALF, &HALF.replace("f([_]).\nf([_,_|T])", "f([_|T])"));
    assert_eq!(
        (kinds, code),
        (vec!["dearer".to_owned()], Some(1)),
        "{message}"
    );
    const FIB: &str = "\
%! fib(+N:nat, -F) is det.
fib(0, 0) :- !.
fib(1, 1) :- !.
fib(N, F) :- A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
z.
";
    let dearer = FIB.replace(":- A is", ":- z, z, z, A is");
    let (kinds, code, message) = told(FIB, &dearer);
    assert_eq!(
        (kinds, code),
        (vec!["dearer".to_owned()], Some(1)),
        "{message}"
    );
    assert!(message.contains(" for n = 2 at least"), "{message}");
    let (kinds, code, message) = told(&dearer, FIB);
    assert_eq!(
        (kinds, code),
        (vec!["cheaper".to_owned()], Some(0)),
        "{message}"
    );
}

#[test]
fn bounds_are_compared_in_the_regions_that_they_hold_in() {
    let before = "\
%! p(+N:nat) is det.
p(N) :- N =< 10, !.
p(N) :- M is 2*N, w(M).
w(0) :- !.
w(N) :- N > 0, M is N-1, w(M).
";
    let after = before
        .replace("p(N) :- N =< 10, !.\n", "")
        .replace("2*N", "N+8");
    let (kinds, code, message) = told(before, &after);
    assert_eq!(
        (kinds, code),
        (vec!["cheaper".to_owned()], Some(0)),
        "{message}"
    );
    assert!(message.contains("it costs more for"), "{message}");
    assert!(
        !message.contains("7"),
        "9 took one step, and takes 19: {message}"
    );
}

#[test]
fn a_class_that_falls_says_where_it_costs_more() {
    let rest = "w(0) :- !.\nw(N) :- N > 0, M is N-1, w(M).\nz.\n";
    let before = format!("%! p(+N:nat) is det.\np(N) :- w(N).\n{rest}");
    let after = format!("%! p(+N:nat) is det.\np(_) :- z, z, z, z.\n{rest}");
    let (kinds, code, message) = told(&before, &after);
    assert_eq!(
        (kinds, code),
        (vec!["cheaper".to_owned()], Some(0)),
        "{message}"
    );
    assert!(message.contains("it costs more for"), "{message}");
}

#[test]
fn what_raised_an_exception_may_have_taken_less() {
    let lim = |most: &str| {
        format!(
            "%! lim(+N:int, -L) is det.\nlim(N, []) :- N =< 0, !.\nlim(N, _) :- N > {most}, throw(big).\nlim(N, [N|T]) :- M is N-1, lim(M, T).\n"
        )
    };
    let (kinds, _, message) = told(&lim("10"), &lim("1000"));
    assert_eq!(kinds, ["cheaper"], "{message}");
    assert!(
        message.ends_with("calls that raised an exception may have taken less before"),
        "{message}"
    );
}

#[test]
fn names_with_tabs_and_newlines_are_found_again() {
    let text = "'a\\tb'([]).\n'a\\tb'([_|T]) :- 'a\\tb'(T), 'c\\nd'.\n'c\\nd'.\n";
    let (kinds, code, message) = told(text, text);
    assert_eq!((kinds, code), (Vec::new(), Some(0)), "{message}");
}

#[test]
fn a_predicate_with_another_argument_is_named_beside_the_one_that_is_gone() {
    let before = "%! p(+Xs:list, -Ys) is det.\np([], []).\np([X|Xs], [X|Ys]) :- p(Xs, Ys).\n";
    let after = "%! p(+Xs:list, +K, -Ys) is det.\np([], _, []).\np([X|Xs], K, [X|Ys]) :- p(Xs, K, Ys), p(Xs, K, _).\n";
    let (_, code, message) = compared(before, after);
    assert_eq!(code, Some(0), "{message}");
    assert!(
        message.contains("`p/2` is gone, `p/3` is new: n + 1"),
        "{message}"
    );
}

#[test]
fn a_certificate_without_bounds_is_not_verified() {
    let folder = folder(&[("c.json", r#"{"certificate":1,"systems":[]}"#)]);
    let out = run(folder.path(), &["verify", "c.json"]);
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    let shown = String::from_utf8(out.stdout).unwrap();
    assert!(
        shown.starts_with("c.json: nothing to verify: it has no bounds"),
        "{shown}"
    );
}
