//! Tests verdicts on the assertions of whole files against inferred bounds.

use costlens_analysis::queries::Database;
use costlens_analysis::verdict::{AssertionVerdict, Verdict, file_verdicts};
use costlens_program::{Role, SourceFile};
use costlens_syntax::Parsed;

const NREV: &str = "\
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).
fact(0, 1).
fact(N, F) :- N > 0, M is N-1, fact(M, G), F is N*G.
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
mem(X, [X|_]).
mem(X, [_|T]) :- mem(X, T).
twice(a).
twice(b).
";

fn verdicts(assertions: &str) -> Vec<AssertionVerdict> {
    let db = Database::new();
    let text = format!("{assertions}\n{NREV}");
    let file = SourceFile::new(&db, "test.pl".into(), Parsed::new(text), Role::User);
    file_verdicts(&db, file).to_vec()
}

fn one(assertion: &str) -> AssertionVerdict {
    let found = verdicts(assertion);
    assert_eq!(found.len(), 1, "{assertion}: {found:#?}");
    found.into_iter().next().unwrap()
}

fn intervals(verdict: &AssertionVerdict) -> Vec<(String, Verdict)> {
    verdict
        .intervals
        .iter()
        .map(|i| {
            let end = |n: &Option<num_bigint::BigInt>| {
                n.as_ref().map_or("…".to_owned(), ToString::to_string)
            };
            (
                format!("{} {}..{}", i.size, end(&i.from), end(&i.to)),
                i.verdict,
            )
        })
        .collect()
}

#[test]
fn the_example_of_the_manual_comes_out_as_printed() {
    let v = one(":- pred nrev(A,B) : (list(A), var(B)) + cost(ub, steps, 10*length(A)+5).");
    assert_eq!(v.verdict, Verdict::False);
    assert_eq!(
        intervals(&v),
        [
            ("n 0..17".to_owned(), Verdict::Checked),
            ("n 18..…".to_owned(), Verdict::False)
        ]
    );
    assert_eq!(v.asserted.as_deref(), Some("10*n+5"));
    assert_eq!(
        (v.lower.as_deref(), v.upper.as_deref()),
        (Some("1/2*n^2+3/2*n+1"), Some("1/2*n^2+3/2*n+1"))
    );
    let witness = v.witness.unwrap();
    assert_eq!(witness.sizes, [("n".to_owned(), 18.into())]);
    assert_eq!(witness.inferred.unwrap().to_string(), "190");
    assert_eq!(witness.asserted.unwrap().to_string(), "185");
    assert_eq!(v.text, "cost(ub,steps,10*length(A)+5)");
    assert_eq!(
        v.message,
        "false for length(A) >= 18, checked for length(A) <= 17: inferred n²/2 + 3n/2 + 1, asserted at most 10n + 5, where n = length(A)"
    );
}

#[test]
fn every_approximation_is_judged() {
    use Verdict::{Check, Checked, False};
    for (property, verdict) in [
        ("steps_ub(length(A)^2+length(A)+1)", Checked),
        ("steps_ub(length(A))", False),
        ("steps_lb(length(A)+1)", Checked),
        ("steps_lb(length(A)^2+2)", False),
        ("steps(length(A)**2/2 + 3*length(A)/2 + 1)", Checked),
        ("steps(length(A)+1)", False),
        ("steps_o(length(A)^2)", Checked),
        ("steps_o(length(A))", False),
        ("cost(olb, steps, length(A)^2)", Checked),
        ("cost(olb, steps, length(A)^3)", False),
        (
            "cost(ub, allsols, steps, 2**length(A)+length(A)^2)",
            Checked,
        ),
        ("cost(ub, sol(1), steps, length(A)^2+length(A)+1)", Checked),
        ("cost(lb, redo, steps, 1)", Check),
        ("cost(ub, time, 3*ms)", Check),
        ("cost(ub, steps, length(A)*log2(length(A)))", False),
        ("cost(ub, steps, sqrt(length(A)))", Check),
        ("cost(ub, steps, size(A)^2)", Check),
        ("cost(ub, steps, int(A)^2)", Check),
        ("cost(ub, steps, length(B)^2)", Check),
        ("cost(ub, steps, inf)", Checked),
        ("is_det", Checked),
        ("not_fails", Checked),
        ("fails", False),
        ("rel_cost(ub, steps, 10)", Check),
    ] {
        let v = one(&format!(
            ":- pred nrev(A,B) : (list(A), var(B)) + {property}."
        ));
        assert_eq!(v.verdict, verdict, "{property}: {}", v.message);
        assert_eq!(
            v.reason.is_some(),
            verdict == Check,
            "{property}: {:?}",
            v.reason
        );
    }
}

#[test]
fn the_precondition_limits_the_sizes() {
    let v =
        one(":- pred nrev(A,B) : (list(A), var(B), length(A) =< 17) + steps_ub(10*length(A)+5).");
    assert_eq!(v.verdict, Verdict::Checked, "{}", v.message);
    let v = one(":- pred fact(N,F) : (int(N), var(F)) + steps_ub(N+1).");
    assert_eq!(
        v.verdict,
        Verdict::False,
        "below 0 a step or none may be made, but never a negative number: {}",
        v.message
    );
    let v = one(":- pred fact(N,F) : (nat(N), var(F)) + steps_ub(N+1).");
    assert_eq!(v.verdict, Verdict::Checked, "{}", v.message);
    // The unknown part of the precondition may exclude the sizes that refute the assertion.
    let v = one(":- pred nrev(A,B) : (list(A), var(B), sorted(A)) + steps_ub(length(A)).");
    assert_eq!(v.verdict, Verdict::Check);
    assert!(v.reason.is_some() && v.witness.is_none());
    let v = one(
        ":- pred nrev(A,B) : (list(A), var(B), sorted(A)) + steps_ub(length(A)^2+length(A)+1).",
    );
    assert_eq!(v.verdict, Verdict::Checked);
}

#[test]
fn comments_are_judged_like_directives() {
    let found = verdicts(
        "%! nrev(+Xs:list, -Ys) is det.\n%  @cost steps =< length(Xs)^2 + 2*length(Xs) + 1\n%  @cost steps in O(length(Xs))\n",
    );
    let short: Vec<_> = found.iter().map(|v| (v.text.as_str(), v.verdict)).collect();
    assert_eq!(
        short,
        [
            ("steps=<length(Xs)^2+2*length(Xs)+1", Verdict::Checked),
            ("steps in O(length(Xs))", Verdict::False)
        ]
    );
    // Two solutions contradict `det`.
    let found = verdicts("%! twice(-X) is det.\n");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].verdict, Verdict::False, "{}", found[0].message);
}

#[test]
fn modes_without_types_are_enough_for_a_cost() {
    let found =
        verdicts("%! nrev(+Xs, -Ys)\n%  @cost steps = length(Xs)^2/2 + 3*length(Xs)/2 + 1\n");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].verdict, Verdict::Checked, "{}", found[0].message);
}

#[test]
fn first_and_all_solutions_are_different_costs() {
    let first = one(":- pred mem(X,L) : (var(X), list(L)) + cost(ub, call, steps, 1).");
    assert_eq!(first.verdict, Verdict::Checked, "{}", first.message);
    let all = one(":- pred mem(X,L) : (var(X), list(L)) + cost(ub, allsols, steps, 1).");
    assert_eq!(all.verdict, Verdict::False, "{}", all.message);
}

#[test]
fn an_assertion_without_modes_is_judged_for_the_calls_that_one_would_expect() {
    let v = one(":- pred app(A,B,C) + steps_ub(length(A)+1).");
    assert_eq!(v.verdict, Verdict::Checked, "{}", v.message);
    assert!(
        v.message.contains("(list(any), list(any), var)"),
        "{}",
        v.message
    );
}

#[test]
fn trusted_and_foreign_assertions_are_not_judged_or_say_why() {
    let trusted = |cost: &str| {
        verdicts(&format!(
            ":- trust pred nrev(A,B) : (list(A), var(B)) + {cost}."
        ))
    };
    assert_eq!(trusted("steps_ub(length(A)**2+5*length(A)+1)").len(), 0);
    // Refutations by the clauses are reported.
    let refuted = trusted("steps_ub(0)");
    assert_eq!(refuted.len(), 1);
    assert_eq!(refuted[0].verdict, Verdict::False);
    let v = one(":- pred nowhere(A) + steps_ub(1).");
    assert_eq!(v.verdict, Verdict::Check);
    assert_eq!(
        v.reason.as_deref(),
        Some("nowhere/1 has no clauses in this file")
    );
}

#[test]
fn hostile_expressions_are_refused_quickly() {
    for expression in [
        format!(
            "({})^60",
            (1..9)
                .map(|i| format!("length(A)^{i}*7"))
                .collect::<Vec<_>>()
                .join("+")
        ),
        "2**(2**length(A))".to_owned(),
        "length(A)**length(A)".to_owned(),
        "10**1000000000".to_owned(),
        "1/0".to_owned(),
        "fact(100000)".to_owned(),
        format!("{}1", "2*".repeat(5_000)),
        format!("length(A){}", "+length(A)".repeat(20_000)),
    ] {
        let found = verdicts(&format!(
            ":- pred nrev(A,B) : (list(A), var(B)) + cost(ub, steps, {expression})."
        ));
        assert_eq!(
            found.len(),
            1,
            "{}",
            &expression[..20.min(expression.len())]
        );
    }
}
