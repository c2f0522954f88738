//! Tests the GNU Prolog code produced by the model, and its counts. `tests/whole/gnu_code.rs` compares the code with GNU Prolog.
#![allow(clippy::unwrap_used, missing_docs)]

use costlens_compile::code::{ClauseText, Outcome};
use costlens_compile::gnu::{CountedClause, Instruction, Refusal, compile};
use costlens_syntax::{TermId, Terms, read_text};

fn clause(terms: &Terms, root: TermId) -> ClauseText<'_> {
    match terms.matches(root, ":-", 2) {
        Some(&[head, body]) => ClauseText::rule(terms, head, Some(body)),
        _ => ClauseText::rule(terms, root, None),
    }
}

fn written(code: &[Instruction]) -> String {
    let all: Vec<String> = code.iter().map(ToString::to_string).collect();
    all.join(" ")
}

/// Returns the code of a clause, and of each clause that implements one of its alternatives.
fn code(text: &str) -> Result<Vec<String>, Refusal> {
    let read = read_text(text);
    let read = &read.clauses[0];
    let code = compile(&clause(&read.terms, read.root))?;
    let others = code.others.iter().flat_map(|other| &other.clauses);
    Ok(std::iter::once(&code.own)
        .chain(others)
        .map(|c| written(c))
        .collect())
}

#[test]
fn registers_are_given_out_so_that_copies_vanish() {
    let app = code("app([H|T], L, [H|R]) :- app(T, L, R).").unwrap();
    assert_eq!(
        app,
        ["get_list unify_variable unify_variable get_list unify_value unify_variable execute"]
    );
    let rotated = code("w(A, B, C) :- w(C, A, B).").unwrap();
    assert_eq!(
        rotated,
        ["get_variable get_variable get_variable put_value execute"]
    );
}

#[test]
fn alternatives_are_clauses_of_a_predicate() {
    let found = code("p(X) :- ( X > 0 -> q ; fail ; r(X) ), \\+ s(X).").unwrap();
    assert_eq!(
        found,
        [
            "allocate get_variable put_value call put_structure unify_local_value deallocate execute",
            "call_c(Pl_Set_Bip_Name_Untagged_2) math_load_value put_integer call_c(Pl_Blt_Gt) cut execute",
            "execute",
        ]
    );
}

#[test]
fn what_gnu_prolog_has_not_is_refused() {
    for text in [
        "p :- 3.",
        "p :- X is foo(1), q(X).",
        "p(X) :- Y is X + Z, q(Y, Z).",
        "p(1r3).",
        "p(1152921504606846976).",
        "p(a()).",
        "p(M) :- M:(a, b).",
    ] {
        assert!(code(text).is_err(), "{text}: {:?}", code(text));
    }
    assert!(code("p(1152921504606846975, -1152921504606846976).").is_ok());
}

#[test]
fn no_nesting_overflows_the_stack() {
    let deep = |open: &str, close: &str| {
        format!(
            "p(X) :- q({}X{}).",
            open.repeat(100_000),
            close.repeat(100_000)
        )
    };
    assert!(code(&deep("f(", ")")).is_ok());
    assert!(code(&deep("f(", ",a)")).is_err());
    let list = format!("p([{}a]).", "a,".repeat(100_000));
    assert!(code(&list).is_ok());
    let body = |open: &str, close: &str| {
        format!(
            "p(X) :- {}q(X){}.",
            open.repeat(20_000),
            close.repeat(20_000)
        )
    };
    assert!(code(&body("(a, ", ")")).is_ok());
    assert!(code(&body("(", " ; a)")).is_err());
    assert!(code(&body("(a -> ", " ; b)")).is_err());
    assert!(
        code(&format!(
            "p(X) :- Y is {}X{}, q(Y).",
            "(1+".repeat(20_000),
            ")".repeat(20_000)
        ))
        .is_err()
    );
    let many = format!("p([{}a]).", "f(X),".repeat(20_000));
    assert!(matches!(code(&many), Err(Refusal::TooLarge(_))));
}

/// Returns the minimum and maximum counts of a tried head.
fn tried(text: &str, outcomes: &[Outcome]) -> String {
    let read = read_text(text);
    let read = &read.clauses[0];
    let counted = CountedClause::new(&clause(&read.terms, read.root)).unwrap();
    let counts = counted.tried(outcomes);
    let show = |event| {
        let count = counts.get(event);
        match count.least == count.most {
            true => format!("{event} {}", count.most),
            false => format!("{event} {}-{}", count.least, count.most),
        }
    };
    counts.events().map(show).collect::<Vec<_>>().join(", ")
}

#[test]
fn heads_count_up_to_the_argument_that_fails_in_the_order_of_the_code() {
    use Outcome::{Either, Fails, Succeeds};
    let head = "p([X|_], a) :- q(X).";
    assert_eq!(
        tried(head, &[Fails, Succeeds]),
        "gnu:get_atom 1, gnu:get_list 1"
    );
    assert_eq!(tried(head, &[Succeeds, Fails]), "gnu:get_atom 1");
    assert_eq!(tried(head, &[Fails, Fails]), "gnu:get_atom 1");
    assert_eq!(
        tried(head, &[Fails, Either]),
        "gnu:get_atom 1, gnu:get_list 0-1"
    );
    assert_eq!(
        tried(head, &[Succeeds, Succeeds]),
        "gnu:get_atom 1, gnu:get_list 1, gnu:unify_variable 1, gnu:unify_void 1"
    );
    // If a variable would receive two values, it is unknown which occurrence fails.
    assert_eq!(
        tried("p(X, f(X)).", &[Succeeds, Fails]),
        "gnu:get_structure 1, gnu:unify_local_value 1, gnu:proceed 0-1"
    );
    assert_eq!(tried("p(a).", &[Fails]), "gnu:get_atom 1");
    assert_eq!(tried("p(a).", &[Succeeds]), "gnu:get_atom 1, gnu:proceed 1");
}
