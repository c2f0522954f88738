//! Programs with their expected bounds. The tests that compare generated inputs with an oracle are whole-program tests.

mod runs;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::text::{Names, to_text};
use costlens_events::{Event, Vocabulary};
use costlens_program::Clause;
use costlens_recurrences::Value;
use costlens_syntax::read_text;

use crate::component::DEFAULT_FUEL;
use crate::lattice::types::{Pattern, Type};
use crate::program::Program;
use crate::report::{Bound, Functor, Origin, PatternReport};
use crate::summary::Summary;
use crate::summary::event_bounds::EventSelection;
use crate::summary::names::region_text;
use crate::{infer, infer_events, infer_together};

/// A single-file program without a database, whose components are computed from reachability.
pub(crate) struct Plain {
    clauses: BTreeMap<Functor, Arc<[Clause]>>,
    reach: BTreeMap<Functor, Vec<Functor>>,
    memo: RefCell<BTreeMap<(Functor, Pattern), Arc<Summary>>>,
}

impl Plain {
    pub(crate) fn new(text: &str) -> Self {
        let mut all: BTreeMap<Functor, Vec<Clause>> = BTreeMap::new();
        for read in read_text(text).clauses {
            if let Some((name, clause)) = Clause::from_term(&read.terms, read.root) {
                all.entry(name).or_default().push(clause);
            }
        }
        let mut reach: BTreeMap<Functor, Vec<Functor>> = BTreeMap::new();
        for (name, clauses) in &all {
            let called = clauses
                .iter()
                .filter_map(|c| Some((c, c.body?)))
                .flat_map(|(c, b)| costlens_program::language::calls(&c.terms, b))
                .map(|call| call.callee)
                .collect();
            reach.insert(name.clone(), called);
        }
        Plain {
            clauses: all.into_iter().map(|(k, v)| (k, v.into())).collect(),
            reach,
            memo: RefCell::default(),
        }
    }

    fn reaches(&self, a: &Functor, b: &Functor) -> bool {
        let (mut seen, mut stack) = (Vec::new(), vec![a.clone()]);
        while let Some(top) = stack.pop() {
            for next in self.reach.get(&top).into_iter().flatten() {
                if next == b {
                    return true;
                }
                if !seen.contains(next) {
                    seen.push(next.clone());
                    stack.push(next.clone());
                }
            }
        }
        false
    }
}

impl Program for Plain {
    fn clauses(&self, predicate: &Functor) -> Option<Arc<[Clause]>> {
        self.clauses.get(predicate).cloned()
    }
    fn same_component(&self, a: &Functor, b: &Functor) -> bool {
        a == b || (self.reaches(a, b) && self.reaches(b, a))
    }
    fn is_at_home(&self, predicate: &Functor) -> bool {
        self.clauses.contains_key(predicate)
    }
    fn is_dynamic(&self, _: &Functor) -> bool {
        false
    }
    fn summary(&self, predicate: &Functor, pattern: &Pattern) -> Arc<Summary> {
        let key = (predicate.clone(), pattern.clone());
        if let Some(found) = self.memo.borrow().get(&key) {
            return Arc::clone(found);
        }
        let summary = Arc::new(infer(predicate, pattern, self, DEFAULT_FUEL));
        self.memo.borrow_mut().insert(key, Arc::clone(&summary));
        summary
    }
}

fn bound(b: &Bound, names: &Names<'_>) -> String {
    match b {
        Bound::Finite(e) => to_text(e, names),
        Bound::Infinite => "inf".to_owned(),
        Bound::Unknown => "?".to_owned(),
    }
}

/// Returns `lower..upper for region` for each piece, the main piece first.
pub(crate) fn envelope(report: &PatternReport) -> String {
    let names = |v| {
        report
            .sizes
            .iter()
            .find(|s| s.var == v)
            .map_or_else(|| format!("{v:?}"), |s| s.name.clone())
    };
    let names = Names::new(names);
    let mut order: Vec<usize> = (0..report.steps.len()).collect();
    order.sort_by_key(|&i| i != report.main);
    let parts: Vec<String> = order
        .into_iter()
        .map(|i| {
            let p = &report.steps[i];
            let (lower, upper) = p.envelope();
            let (l, u) = (bound(lower, &names), bound(upper, &names));
            let at = region_text(&p.when, &names);
            let both = if l == u { l } else { format!("{l}..{u}") };
            if bound(&p.first.upper, &names) == u {
                format!("{both} for {at}")
            } else {
                format!(
                    "{both} (first <= {}) for {at}",
                    bound(&p.first.upper, &names)
                )
            }
        })
        .collect();
    parts.join("; ")
}

fn check(text: &str, name: &str, pattern: &[Type], expected: &str) {
    let program = Plain::new(text);
    let name = Functor::new(name, pattern.len());
    let summary = infer(&name, &Pattern(pattern.to_vec()), &program, DEFAULT_FUEL);
    let report = summary.report(Origin::Declared);
    let found = envelope(&report);
    assert_eq!(found, expected, "\n{name}\n{:#?}", report.unknown);
}

fn ints() -> Type {
    Type::list(Type::Int)
}

const APP: &str = "app([],Y,Y). app([H|X],Y,[H|Z]) :- app(X,Y,Z).\n";

#[test]
fn append_is_linear_in_its_first_list() {
    check(APP, "app", &[ints(), ints(), Type::Free], "n+1 for n >= 0");
}

#[test]
fn naive_reverse_is_quadratic_and_exact() {
    let text = format!("{APP}nrev([],[]). nrev([H|T],R) :- nrev(T,R1), app(R1,[H],R).");
    check(
        &text,
        "nrev",
        &[ints(), Type::Free],
        "1/2*n^2+3/2*n+1 for n >= 0",
    );
}

const MEMBER: &str = "member(X,[Y|Ys]) :- member_(Ys,X,Y). member_(_,X,X). member_([Y|Ys],X,_) :- member_(Ys,X,Y).\n";
const LIN: &str = "lin(0). lin(N) :- N > 0, M is N-1, lin(M).\n";

#[test]
fn a_guard_makes_negative_numbers_fail_and_its_absence_makes_them_run_for_ever() {
    check(LIN, "lin", &[Type::Int], "n+1 for n >= 0; 0 for n <= -1");
    let text = "p(0) :- !. p(N) :- M is N-1, p(M).";
    check(text, "p", &[Type::Int], "n+1 for n >= 0; inf for n <= -1");
}

#[test]
fn without_guard_or_cut_only_the_first_solution_is_bounded() {
    let text = "fact(0,1). fact(N,F) :- M is N-1, fact(M,G), F is N*G.";
    let expected = "n+1..inf (first <= n+1) for n >= 0; inf for n <= -1";
    check(text, "fact", &[Type::Int, Type::Free], expected);
}

#[test]
fn a_cut_counts_only_where_it_is_reached_for_certain() {
    // The output may be bound to a different value; then the cut is not reached and the second clause runs.
    let text = "p(0, 0) :- !. p(N, R) :- M is N-1, p(M, R).";
    check(
        text,
        "p",
        &[Type::Int, Type::Free],
        "n+1 for n >= 0; inf for n <= -1",
    );
    check(
        text,
        "p",
        &[Type::Int, Type::Any],
        "n+1..? for n >= 0; inf for n <= -1",
    );
}

#[test]
fn guards_on_parts_of_arguments_exclude_each_other_in_all_clauses() {
    let text = "insert([],X,[X]). insert([Y|Ys],X,[X,Y|Ys]) :- X =< Y. insert([Y|Ys],X,[Y|Zs]) :- X > Y, insert(Ys,X,Zs).";
    check(
        text,
        "insert",
        &[ints(), Type::Int, Type::Free],
        "1..n+1 for n >= 0",
    );
}

#[test]
fn all_solutions_of_a_generator_multiply_what_follows() {
    let text = format!("{MEMBER}pairs(L,M) :- member(_,L), member(_,M).");
    let expected = "5..2*n*m+2*n+1 (first <= 5) for n >= 1, m >= 1; 1 for n = 0, m >= 0; 3..2*n+1 for n >= 1, m = 0";
    check(&text, "pairs", &[ints(), ints()], expected);
}

#[test]
fn negation_and_conditions_run_to_the_first_solution_only() {
    let text = format!("{MEMBER}p(X, L) :- \\+ member(X, L).");
    check(
        &text,
        "p",
        &[Type::Int, ints()],
        "3..n+2 for n >= 2; 1 for n = 0; 2..3 for n = 1",
    );
}

#[test]
fn findall_explores_everything_and_its_list_has_the_size_of_the_solutions() {
    let text = format!("{MEMBER}{LIN}p(L) :- findall(X, member(X, L), Xs), length(Xs, N), lin(N).");
    check(&text, "p", &[ints()], "3*n+2 for n >= 0");
}

#[test]
fn exceptions_end_runs_early_so_that_divergence_is_not_claimed() {
    let text = "p(X) :- Y is X+1, p(Y).";
    check(text, "p", &[Type::Any], "0..? for always");
}

#[test]
fn elements_that_may_be_unbound_can_enter_both_clauses() {
    let text = "p([]). p([a|T]) :- p(T). p([b|T]) :- p(T).";
    check(text, "p", &[ints()], "0 for n >= 1; 1 for n = 0");
    check(
        text,
        "p",
        &[Type::list(Type::Any)],
        "0..3*2^n-2 (first <= 2*2^n-2) for n >= 1; 1 for n = 0",
    );
}

#[test]
fn two_arguments_walk_together_only_as_far_as_both_reach() {
    let text = "zip([],[],[]). zip([X|Xs],[Y|Ys],[X-Y|Zs]) :- zip(Xs,Ys,Zs).";
    let program = Plain::new(text);
    let name = Functor::new("zip", 3);
    let pattern = Pattern(vec![ints(), ints(), Type::Free]);
    let report = infer(&name, &pattern, &program, DEFAULT_FUEL).report(Origin::Declared);
    // Lists of different lengths fail, so the calls are not claimed to succeed.
    assert_eq!(report.determinism, crate::report::Determinism::Semidet);
}

#[test]
fn the_value_of_an_integer_output_may_be_negative() {
    // The base case yields -3, not 0, and the product of two negative values is positive.
    let text = format!(
        "{LIN}p(0, R) :- R is -3. p(N, R) :- N > 0, M is N-1, p(M, S), R is S+1.
         q(N) :- p(N, R), K is -R, lin(K).
         s(0, -10). s(N, R) :- N > 0, M is N-1, s(M, A), s(M, B), R is A*B.
         t(N) :- s(N, R), lin(R)."
    );
    // R = N - 3 on every success: the equality holds in both clauses.
    let expected = "n+2 for n >= 4; 1 for n <= -1; 6 for n <= 3, n >= 0";
    check(&text, "q", &[Type::Int], expected);
    let program = Plain::new(&text);
    let name = Functor::new("t", 1);
    let report =
        infer(&name, &Pattern(vec![Type::Int]), &program, DEFAULT_FUEL).report(Origin::Declared);
    assert!(
        report.steps.iter().any(|p| p.all.upper == Bound::Unknown),
        "{}",
        envelope(&report)
    );
}

#[test]
fn a_cut_in_a_branch_prunes_other_branches_and_earlier_solutions() {
    let text = "p(X) :- ( X > 0, !, fail ; true ). q(X) :- p(X), r. r :- s, s, s. s.";
    // p(1) fails, so q(1) takes 2 steps and r is not reached.
    check(text, "q", &[Type::Int], "2..6 for n <= 0; 2 for n >= 1");
    let text = "a(1). a(2). a(3). p(X) :- a(X), \\+ X = 1, !. p(X) :- a(X).";
    let program = Plain::new(text);
    let name = Functor::new("p", 1);
    let report =
        infer(&name, &Pattern(vec![Type::Free]), &program, DEFAULT_FUEL).report(Origin::Declared);
    // The counted entries: p, a(1), a(2), the cut.
    assert_eq!(
        report.steps[0].all.lower,
        Bound::Finite(costlens_algebra::Expr::int(2))
    );
}

#[test]
fn floats_overflow_so_that_endless_doubling_is_not_proved() {
    check(
        "p(X) :- Y is X*2, p(Y).",
        "p",
        &[Type::Number],
        "0..? for always",
    );
    check(
        "p(X) :- Y is X*2, p(Y).",
        "p",
        &[Type::Int],
        "inf for always",
    );
}

#[test]
fn between_is_a_generator_unless_its_value_is_bound() {
    let text = "a(1). a(2). a(3). p(X) :- between(1, 3, X), a(_).";
    check(text, "p", &[Type::Any], "1..10 (first <= 2) for always");
    check(
        text,
        "p",
        &[Type::Int],
        "1 for n >= 4; 1 for n <= 0; 2..4 (first <= 2) for n <= 3, n >= 1",
    );
}

#[test]
fn clauses_that_a_system_refuses_are_not_run() {
    let text = format!("length(_, 3). {LIN}p(L) :- length(L, N), lin(N).");
    check(&text, "p", &[ints()], "n+2 for n >= 0");
}

/// Checks that a node has the same summary, including variables, whether it is solved together with another node or requested separately.
#[test]
fn nodes_that_are_solved_together_are_solved_alike() {
    let cases = [
        (
            "ev([], 0). ev([X|Xs], S) :- od(Xs, T), S is T+X. od([_|Xs], S) :- ev(Xs, S).",
            Functor::new("ev", 2),
            vec![ints(), Type::Free],
        ),
        (
            "take([], [], []). take([X|Xs], [X|As], Bs) :- give(Xs, As, Bs).
             give([], [], []). give([X|Xs], As, [X|Bs]) :- take(Xs, As, Bs).",
            Functor::new("take", 3),
            vec![ints(), Type::Free, Type::Free],
        ),
        (
            "a(N) :- N > 0, M is N-1, b(M, N). a(0). b(N, K) :- N > K, c(N). b(N, _) :- a(N). c(N) :- b(N, 7).",
            Functor::new("a", 1),
            vec![Type::Int],
        ),
    ];
    for (text, name, pattern) in cases {
        let program = Plain::new(text);
        let all = infer_together(&name, &Pattern(pattern), &program, DEFAULT_FUEL);
        assert!(all.len() > 1, "{name}");
        for solved in all {
            assert!(
                !solved.is_alone,
                "{} is called by what it calls",
                solved.summary.predicate
            );
            let found = Summary::clone(&solved.summary);
            let alone = infer(&found.predicate, &found.pattern, &program, DEFAULT_FUEL);
            assert_eq!(found.params, alone.params);
            assert_eq!(found.domain, alone.domain);
            assert_eq!(found.relation.outputs, alone.relation.outputs);
            assert_eq!(found.success, alone.success);
            let texts = [found, alone].map(|s| envelope(&s.report(Origin::Declared)));
            assert_eq!(texts[0], texts[1]);
        }
    }
}

#[test]
fn between_looks_at_its_value_where_nothing_lies_between_too() {
    let program = Plain::new("none(X) :- between(1, 0, X).");
    let raises = |ty: Type| {
        let name = Functor::new("none", 1);
        infer(&name, &Pattern(vec![ty]), &program, DEFAULT_FUEL).errors_possible
    };
    assert!(raises(Type::Any), "none(a) raises");
    assert!(raises(Type::Atom));
    assert!(!raises(Type::Free) && !raises(Type::Int));
}

#[test]
fn a_called_built_in_builds_the_same_cells_as_a_written_one() {
    let text = "written(X) :- X is 1.5*2, nonvar(X).
                called(X) :- G = (X is 1.5*2), call(G), nonvar(X).
                text(L) :- G = atom_codes(abc, L), call(G), nonvar(L).";
    let program = Plain::new(text);
    let cells = |name: &str| {
        let name = Functor::new(name, 1);
        let steps = infer(&name, &Pattern(vec![Type::Free]), &program, DEFAULT_FUEL);
        let heap = Vocabulary::Heap;
        let events = infer_events(&steps, heap, &EventSelection::Every, &program, DEFAULT_FUEL);
        let bounds = events.column(&Event::GlobalCells { optimised: false });
        match bounds.all.upper.as_slice() {
            [piece] => match &piece.value {
                Value::Known(cells) => cells.as_constant(),
                _ => None,
            },
            _ => None,
        }
    };
    let number = |n: i64| Some(costlens_algebra::rat(n));
    // The expression, its float and the result; and, for the called goals, the cells of the goal.
    assert_eq!(cells("written"), number(9));
    assert_eq!(cells("called"), number(12));
    assert_eq!(cells("text"), number(12));
}
