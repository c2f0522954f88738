//! The class of all work: in hints, in the output of commands, and in budgets.

use crate::project;

use project::{folder, run};
use serde_json::Value;

/// Each program with the hint of its first predicate.
const HINTS: &[(&str, &str)] = &[
    // Steps hide what built-ins do.
    (
        "tables(N, Ts) :- findall(R, (between(1,N,I), findall(P, (between(1,N,J), P is I*J), R)), Ts).\n",
        "~O(n²) work  ≤ 5n²+4n+3",
    ),
    (
        "prime(N) :- \\+ ( M is N-1, between(2, M, D), N mod D =:= 0 ).\n",
        "~O(n) work  ≤ 3n-2, except n≤2",
    ),
    (
        "half(Xs, H) :- length(Xs, N), H is N // 2.\n",
        "~O(n) work  ≤ n+4",
    ),
    (
        "lengths([], []).\nlengths([X|Xs], [N|Ns]) :- length(X, N), lengths(Xs, Ns).\n",
        "~O(n·m) work  ≤ n·m+2n+1",
    ),
    // Sums of logarithms.
    (
        "sorted([], []).\nsorted([X|Xs], Ys) :- sorted(Xs, Zs), msort([X|Zs], Ys).\n",
        "~O(n²·log n) work",
    ),
    // Texts that grow.
    (
        "grow(N, A, S) :- N > 0, !, M is N-1, atom_concat(A, x, B), grow(M, B, S).\ngrow(0, S, S).\n",
        "~O(n²+n·m) work, except n≤-1",
    ),
    // Goals after a recursive call run once for each of its solutions.
    (
        "some([X|_], X).\nsome([_|Xs], X) :- some(Xs, X), X \\== a.\n",
        "~O(n²) work  ≤ n²/2+3n/2",
    ),
    // Work by what is consumed.
    (
        "line(Cs, Ns) :- phrase(numbers(Ns), Cs), !.\n\
         numbers([N|Ns]) --> digits(Ds), { Ds = [_|_], number_codes(N, Ds) }, more(Ns).\n\
         more(Ns) --> \",\", numbers(Ns).\n\
         more([]) --> [].\n\
         digits([D|Ds]) --> [D], { D >= 0'0, D =< 0'9 }, !, digits(Ds).\n\
         digits([]) --> [].\n",
        "~O(n)  ≤ 3n+4",
    ),
    // A sort of what is collected, in each round.
    (
        "seen(Xs, Ys) :- foldl(see, Xs, [], Ys).\nsee(X, Ys, Zs) :- list_to_set([X|Ys], Zs).\n",
        "~O(n²·log n) work",
    ),
    (
        "kept([], Ys, Ys).\nkept([X|Xs], Ys0, Ys) :- sort([X|Ys0], Ys1), kept(Xs, Ys1, Ys).\n",
        "~O(n^2·log(n+m)+n*m·log(n+m)) work",
    ),
    // Textbook programs have the steps that they always had.
    (
        "nrev([], []).\nnrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).\n",
        "~O(n²)  n²/2+3n/2+1",
    ),
    (
        "len([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n",
        "~O(n)  n+1",
    ),
    (
        "fib(0, 0).\nfib(1, 1).\nfib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.\n",
        "~O(1.618ⁿ)  ≈ 1.447·1.618ⁿ-1",
    ),
    // One built-in for each step.
    (
        "big([], []).\nbig([X|Xs], Ys) :- ( X > 5 -> Ys = [X|Zs] ; Ys = Zs ), big(Xs, Zs).\n",
        "~O(n)  n+1",
    ),
];

#[test]
fn hints_show_the_class_of_all_work() {
    for (text, expected) in HINTS {
        let folder = folder(&[("p.pl", text)]);
        let output = run(folder.path(), &["bounds", "p.pl", "--format", "json"]);
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let first = &json["predicates"][0];
        let hint = first["hint"].as_str().unwrap();
        assert!(
            hint.starts_with(expected),
            "{hint}, expected {expected}:\n{text}"
        );
        let headline = &first["patterns"][0]["headline"];
        let resource = if hint.contains("work") {
            "work"
        } else {
            "steps"
        };
        assert_eq!(headline["resource"], resource);
        assert_eq!(headline["of_all_work"], true);
    }
}

#[test]
fn a_row_names_the_steps_below_the_work() {
    let folder = folder(&[("p.pl", HINTS[0].0)]);
    let output = run(folder.path(), &["bounds", "p.pl"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("O(n²) work"), "{said}");
    assert!(said.contains("steps: O(1)  1"), "{said}");
}

#[test]
fn work_is_a_resource() {
    let text = "len([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n";
    let folder = folder(&[("p.pl", text)]);
    let arguments = ["bounds", "p.pl", "--resource", "work", "--format", "json"];
    let output = run(folder.path(), &arguments);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    // A step, `is/2`, and `+`.
    assert_eq!(
        json["predicates"][0]["patterns"][0]["bounds"]["work"]["upper"],
        "3*n+1"
    );
    assert_eq!(
        json["predicates"][0]["patterns"][0]["bounds"]["work"]["lower"],
        "3*n+1"
    );
}

#[test]
fn a_budget_of_cost_is_of_all_work() {
    let text = "sums(N, Ss) :- findall(S, (between(1, N, I), between(1, I, J), S is I+J), Ss).\n\
        read_all(Xs, N) :- length(Ys, N), Ys = Xs.\n";
    for (limit, is_kept) in [
        ("steps = \"O(n)\"", true),
        ("cost = \"O(n)\"\nunproved = \"deny\"", false),
        (
            "cost = \"O(n^2)\"\npredicates = [\"sums/2\"]\nunproved = \"deny\"",
            true,
        ),
        (
            "steps = \"O(n)\"\ncost = \"O(n)\"\npredicates = [\"sums/2\"]\nunproved = \"deny\"",
            false,
        ),
    ] {
        let budget = format!("[[budget]]\n{limit}\n");
        let folder = folder(&[("costlens.toml", budget.as_str()), ("p.pl", text)]);
        let output = run(folder.path(), &["check", "p.pl"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(!said.contains("budget"), is_kept, "{limit}:\n{said}");
    }
    let folder = folder(&[
        ("costlens.toml", "[[budget]]\nfiles = [\"*.pl\"]\n"),
        ("p.pl", text),
    ]);
    let output = run(folder.path(), &["check", "p.pl"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("this budget has no limit: add `steps"),
        "{said}"
    );
}

/// The programs of `tests/slow` with their true classes, and the hints that are shown for them. Run `node tests/slow/measure.mjs` to compare
/// the classes with times.
#[test]
fn programs_of_people_who_ask_why_they_are_slow() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/slow");
    let mut names: Vec<String> = std::fs::read_dir(&root)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter(|name| name.ends_with(".pl"))
        .collect();
    names.sort();
    let mut shown = String::new();
    for name in &names {
        let text = std::fs::read_to_string(root.join(name)).unwrap();
        let output = run(&root, &["bounds", name, "--format", "json"]);
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let line = |prefix: &str| {
            let found = text.lines().find_map(|line| line.strip_prefix(prefix));
            found.unwrap_or_else(|| panic!("{name} has no line {prefix}"))
        };
        let (predicate, arity) = line("% predicate: ").trim().rsplit_once('/').unwrap();
        let mut predicates = json["predicates"].as_array().unwrap().iter();
        let found = predicates
            .find(|p| p["name"] == predicate && p["arity"].as_u64() == arity.parse().ok());
        let found = found.unwrap_or_else(|| panic!("{name}: no report on {predicate}/{arity}"));
        let (class, hint) = (line("% class: ").trim(), found["hint"].as_str().unwrap());
        shown.push_str(&format!("{name:<32} {class:<10} {hint}\n"));
    }
    let path = root.join("shown.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &shown).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        shown == expected,
        "UPDATE_EXPECT=1 writes what is shown now:\n{shown}"
    );
}
