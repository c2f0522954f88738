//! Resources declared by programs, compared with resolution steps of programs that take a step for each unit: the same bounds.

use std::path::Path;

use crate::project::{folder, run};

/// A program with predicates of every kind. Each called goal is enclosed in `«…»`, and only `send/1` has a cost.
const PROGRAM: &str = "
%! all(+Xs:list) is det.
all([]).
all([X|Xs]) :- «send(X)», «all(Xs)».

%! pairs(+Xs:list, +Ys:list).
pairs([], _).
pairs([_|Xs], Ys) :- «all(Ys)», «pairs(Xs, Ys)».

%! down(+N:nat).
down(N) :- ( «N =:= 0» -> «send(N)» ; «M is N-1», «down(M)», «send(M)» ).

%! some(+Xs:list).
some(Xs) :- «Xs = [X|_]», \\+ «none(Xs)», «send(X)».

%! none(+Xs:list).
none([]).

%! every(+Xs:list).
every(Xs) :- forall(«in(X, Xs)», «send(X)»).

%! in(-X, +Xs:list).
in(X, [X|_]).
in(X, [_|Xs]) :- «in(X, Xs)».

%! even(+Xs:list).
even([]).
even([_|Xs]) :- «odd(Xs)».
odd([X|Xs]) :- «send(X)», «even(Xs)».

%! both(+Xs:list).
both(Xs) :- ( «all(Xs)» ; «send(Xs)» ).
";

/// Returns the program with a text before and after each goal.
fn with_goals(before: &str, behind: &str) -> String {
    PROGRAM.replace('«', before).replace('»', behind)
}

/// Returns the rows of `bounds`: each predicate with its bounds, without their justification.
fn rows(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let out = run(folder, &[&["bounds", "--no-library"], arguments].concat());
    assert!(out.status.success(), "{out:?}");
    let text = String::from_utf8(out.stdout).unwrap();
    let rows = text
        .lines()
        .filter(|line| line.starts_with("  ") && !line.contains("rests on trust"));
    // The columns are as wide as their contents.
    let words = |row: &str| {
        let row = row.split_whitespace().collect::<Vec<_>>().join(" ");
        // A call that counts nothing need not fail.
        row.replace("fails without a step", "0")
    };
    rows.map(words)
        .filter(|row| !row.starts_with("send(") && !row.starts_with("lit"))
        .collect()
}

#[test]
fn what_is_stated_counts_as_if_it_were_run() {
    let send = "
%! send(?X) is det.
send(_) :- one.
one :- two.
two.
";
    let stated = "
:- resource units.
:- head_cost(exact, units, 1).
:- trust pred send(X) + (cost(exact, steps, 1), cost(exact, units, 3), is_det, not_fails, no_exception).
";
    let program = with_goals("", "");
    let files = folder(&[
        ("run.pl", &format!("{program}{send}")),
        ("stated.pl", &format!("{stated}{program}")),
        // The clauses of stated predicates do not count.
        ("both.pl", &format!("{stated}{program}{send}")),
    ]);
    let expected: Vec<String> = (rows(files.path(), &["run.pl"]).into_iter())
        .filter(|row| !row.starts_with("one ") && !row.starts_with("two "))
        .collect();
    assert!(expected.len() > 8, "{expected:#?}");
    assert!(
        expected.iter().any(|row| row.contains("n·m")),
        "{expected:#?}"
    );
    let units = ["--resource", "units"];
    assert_eq!(
        rows(files.path(), &[&units[..], &["stated.pl"]].concat()),
        expected
    );
    let both: Vec<String> = (rows(files.path(), &[&units[..], &["both.pl"]].concat()).into_iter())
        .filter(|row| !row.starts_with("one ") && !row.starts_with("two "))
        .collect();
    assert_eq!(both, expected);
}

#[test]
fn a_literal_counts_where_it_is_called() {
    let counted = format!(
        "{}
%! send(?X) is det.
send(_).
lit.
",
        with_goals("(lit, ", ")")
    );
    let declared = format!(
        ":- resource units.
:- head_cost(exact, units, 1).
:- literal_cost(exact, units, 1).
:- compound_resource(sum, [steps, 1*literals]).
{}
%! send(?X) is det.
send(_).
",
        with_goals("", "")
    );
    let files = folder(&[("run.pl", &counted), ("declared.pl", &declared)]);
    let expected = rows(files.path(), &["run.pl"]);
    for resource in ["units", "sum"] {
        let found = rows(files.path(), &["--resource", resource, "declared.pl"]);
        assert_eq!(found, expected, "{resource}");
    }
}

#[test]
fn a_resource_is_declared_where_the_file_sees_it() {
    let main = "
:- use_module(net).
%! two(+X) is det.
%  @cost bits =< 8
two(X) :- send(X), send(X).
";
    let net = "
:- module(net, [send/1]).
:- resource bits.
:- trust pred send(X) + (cost(exact, bits, 8), is_det).
send(_).
";
    let files = folder(&[("main.pl", main), ("net.pl", net), ("alone.pl", "p.\n")]);
    let out = run(files.path(), &["check", "--no-library", "main.pl"]);
    let text =
        String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{text}");
    assert!(
        text.contains("inferred 16, asserted at most 8; on trust: net.pl:4"),
        "{text}"
    );
    let alone = run(files.path(), &["bounds", "--resource", "bits", "alone.pl"]);
    let text = String::from_utf8_lossy(&alone.stderr).into_owned();
    assert!(
        text.contains("no file that is read declares a resource `bits`"),
        "{text}"
    );
    let slip = run(files.path(), &["bounds", "--resource", "stpes", "alone.pl"]);
    let text = String::from_utf8_lossy(&slip.stderr).into_owned();
    assert!(text.contains("did you mean `steps`?"), "{text}");
}

#[test]
fn what_is_malformed_is_told_at_its_place() {
    let text = "
:- resource bits.
:- head_cost(up, bits, 1).
:- head_cost(ub, bits, length(X)).
:- literal_cost(ub, bits, -1).
:- literal_cost(ub, bits).
:- compound_resource(all, bits).
:- compound_resource(all, [f(bits)]).
p.
";
    let files = folder(&[("a.pl", text)]);
    let out = run(files.path(), &["check", "--format", "json", "a.pl"]);
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let told = json["diagnostics"].as_array().unwrap().iter();
    let told: Vec<String> = told
        .map(|d| {
            format!(
                "{}: {}",
                d["line"],
                d["message"].as_str().unwrap_or_default()
            )
        })
        .collect();
    let expected = [
        "3: the side is one of ub, lb, eq, exact",
        "4: a number is expected: clauses and literals of any predicate count it",
        "5: a resource never shrinks: a number below 0 is no cost",
        "6: literal_cost takes three arguments: literal_cost(ub, bits, 2)",
        "7: the parts are a list of resources with their weights: [bits*1, requests*64]",
        "8: a part is a resource and its weight, such as bits*8",
    ];
    assert_eq!(told, expected);
}
