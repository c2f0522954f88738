use costlens_analysis::call_modes::reached_modes;
use costlens_analysis::queries::Database;
use costlens_analysis::report::Determinism;
use costlens_analysis::types::Pattern;
use costlens_program::{Role, SourceFile, find};
use costlens_syntax::Parsed;

use super::*;
use crate::program::tests::program;

/// Returns the modes of the calls that a query reaches. Predicates named `d…` are known to succeed once.
fn modes(text: &str, functor: &Functor, bound: &[ArgumentBinding]) -> Modes {
    let db = Database::new();
    let file = SourceFile::new(&db, "test.pl".into(), Parsed::new(text), Role::User);
    let of_argument = |bound: &ArgumentBinding| match bound {
        ArgumentBinding::Free => Type::Free,
        ArgumentBinding::Partly => Type::Any,
        ArgumentBinding::Ground => Type::Ground,
    };
    let pattern = Pattern(bound.iter().map(of_argument).collect());
    let mut modes = reached_modes(&db, find(&db, file, functor).unwrap(), &pattern);
    for (functor, known) in &mut modes {
        for call in &mut known.modes {
            call.determinism = match functor.name.starts_with('d') {
                true => Determinism::Det,
                false => Determinism::Nondet,
            };
        }
    }
    modes
}

/// Longer programs are not analysed.
const LONG: usize = 2000;

/// Returns the arguments, from 1, on which the block of a clause before its first call of a predicate depends, and `w` for other
/// dependences.
fn inputs(text: &str, call: (&str, &[bool]), block: (&str, usize, usize, Option<&str>)) -> String {
    let (name, ground) = call;
    let program = program(text);
    let functor = Functor::new(name, ground.len());
    let bound: Vec<ArgumentBinding> = (ground.iter())
        .map(|ground| match ground {
            true => ArgumentBinding::Ground,
            false => ArgumentBinding::Free,
        })
        .collect();
    let modes = match text.len() < LONG {
        true => modes(text, &functor, &bound),
        false => Modes::default(),
    };
    let dependences = Dependences::infer(&program, &functor, &bound, &modes, &|_, _, _| false);
    let (name, arity, clause, literal) = block;
    let clauses = &program.clauses[&Functor::new(name, arity)];
    let goal = literal.map(|literal| {
        let terms = &clauses[clause - 1].terms;
        let is_it = |id: &TermId| terms.functor(*id).is_some_and(|(n, _)| n == literal);
        // The head may have the same name.
        terms.ids().filter(is_it).last().unwrap()
    });
    let place = BlockOrigin::Clause {
        name: name.into(),
        arity,
        clause,
        goal,
    };
    shown(dependences.arguments(&place, clauses.len()))
}

fn shown(set: ArgumentSet) -> String {
    if set == ArgumentSet::ALL {
        return "all".to_owned();
    }
    let own = (0..TOLD_APART)
        .filter(|&j| set.has(j))
        .map(|j| (j + 1).to_string());
    let world = (!set.is_closed()).then(|| "w".to_owned());
    own.chain(world).collect::<Vec<_>>().join(",")
}

/// Hybrid prediction §V: blocks 1 and 3 depend only on the particles, block 2 on both inputs.
const FILTER: &str = "
    filter(P, T, S) :- d_particles(P, Ps), d_steps(T, Ps, S).
    d_particles(0, []).
    d_particles(P, [P|Ps]) :- P > 0, Q is P-1, d_particles(Q, Ps).
    d_steps(0, _, 0).
    d_steps(T, Ps, S) :- T > 0, d_move(Ps, Qs), U is T-1, d_steps(U, Qs, S).
    d_move([], []).
    d_move([P|Ps], [Q|Qs]) :- Q is P*2, d_move(Ps, Qs).
";

#[test]
fn loops_depend_on_their_arguments() {
    let call = ("filter", &[true, true, false][..]);
    assert_eq!(inputs(FILTER, call, ("d_particles", 2, 2, None)), "1");
    assert_eq!(
        inputs(FILTER, call, ("d_particles", 2, 2, Some("d_particles"))),
        "1"
    );
    assert_eq!(
        inputs(FILTER, call, ("d_steps", 3, 2, Some("d_steps"))),
        "2"
    );
    assert_eq!(inputs(FILTER, call, ("d_move", 2, 2, Some("is"))), "1,2");
    assert_eq!(inputs(FILTER, call, ("filter", 3, 1, None)), "");
}

#[test]
fn a_goal_that_may_fail_decides_about_later_goals() {
    let text = "p(A, B) :- check(A), d_loop(B). check(A) :- A > 3. d_loop(0). d_loop(B) :- B > 0, C is B-1, d_loop(C).";
    let call = ("p", &[true, true][..]);
    assert_eq!(inputs(text, call, ("check", 1, 1, Some(">"))), "1");
    assert_eq!(inputs(text, call, ("d_loop", 1, 2, None)), "1,2");
    // The goal is known to succeed once, so it does not affect the goals after it.
    let text = text.replace("check", "d_check");
    assert_eq!(inputs(&text, call, ("d_loop", 1, 2, None)), "2");
}

#[test]
fn backtracking_depends_on_later_failures() {
    let text =
        "p(A, B) :- pick(A, X), X > B. pick(N, N). pick(N, X) :- N > 0, M is N-1, pick(M, X).";
    assert_eq!(
        inputs(text, ("p", &[true, true]), ("pick", 2, 2, None)),
        "1,2"
    );
    // A cut prevents backtracking into the goal.
    let cut = text.replace("pick(A, X), X", "pick(A, X), !, X");
    assert_eq!(
        inputs(&cut, ("p", &[true, true]), ("pick", 2, 2, None)),
        "1"
    );
    let condition = text.replace("pick(A, X), X > B", "( pick(A, X) -> X > B ; true )");
    assert_eq!(
        inputs(&condition, ("p", &[true, true]), ("pick", 2, 2, None)),
        "1"
    );
}

#[test]
fn a_value_depends_on_the_tests_before_it() {
    let text = "p(A, B) :- ( A > 0 -> N = 1 ; N = 5 ), d_loop(N), d_other(B). d_loop(0). d_loop(B) :- C is B-1, d_loop(C). d_other(_).";
    assert_eq!(
        inputs(text, ("p", &[true, true]), ("d_loop", 1, 2, None)),
        "1"
    );
}

#[test]
fn state_and_random_numbers_are_no_arguments() {
    let text =
        "p(A) :- random_between(1, A, X), d_loop(X). d_loop(0). d_loop(B) :- C is B-1, d_loop(C).";
    assert_eq!(inputs(text, ("p", &[true]), ("d_loop", 1, 2, None)), "1,w");
    let text = ":- dynamic seen/1. p(A) :- seen(X), d_loop(X, A). d_loop(0, _). d_loop(B, A) :- C is B-1, d_loop(C, A).";
    assert_eq!(inputs(text, ("p", &[true]), ("d_loop", 2, 2, None)), "w");
}

#[test]
fn closures_are_followed() {
    let text = "p(As, B, Cs) :- maplist(d_add(B), As, Cs), d_last(B). d_add(B, A, C) :- d_loop(A, B, C). d_loop(0, B, B).
        d_loop(A, B, C) :- A > 0, D is A-1, d_loop(D, B, C). d_last(0). d_last(B) :- C is B-1, d_last(C).";
    let call = ("p", &[true, true, false][..]);
    let found = inputs(text, call, ("d_loop", 3, 2, None));
    assert!(found.starts_with('1'), "{found}");
}

#[test]
fn an_unknown_goal_depends_on_everything() {
    let text = "p(A, G) :- call(G), d_loop(A). d_loop(0). d_loop(B) :- C is B-1, d_loop(C).";
    assert!(inputs(text, ("p", &[true, true]), ("d_loop", 1, 2, None)).contains('w'));
}

#[test]
fn long_and_deep_clauses_end() {
    let deep = format!("p(A) :- {}A > 1{}.", "(".repeat(50_000), ")".repeat(50_000));
    inputs(&deep, ("p", &[true]), ("p", 1, 1, None));
    let nested = format!("p(A) :- {}A > 1{}.", "\\+ (".repeat(1000), ")".repeat(1000));
    inputs(&nested, ("p", &[true]), ("p", 1, 1, None));
    let goals: Vec<String> = (0..3000).map(|n| format!("X{n} is A+{n}")).collect();
    let long = format!("p(A) :- {}.", goals.join(", "));
    inputs(&long, ("p", &[true]), ("p", 1, 1, None));
}

#[test]
fn unbound_arguments_decide_nothing() {
    // The result of a loop is a variable that the head unifies with an argument.
    let text = "
        filter(P, T, S) :- d_particles(P, Ps), d_steps(T, Ps, 0, S).
        d_particles(0, []).
        d_particles(P, [P|Ps]) :- P > 0, Q is P-1, d_particles(Q, Ps).
        d_steps(0, _, S, S).
        d_steps(T, Ps, S0, S) :- T > 0, d_sum(Ps, S0, S1), U is T-1, d_steps(U, Ps, S1, S).
        d_sum([], S, S).
        d_sum([P|Ps], S0, S) :- S1 is S0+P, d_sum(Ps, S1, S).
    ";
    let call = ("filter", &[true, true, false][..]);
    assert_eq!(inputs(text, call, ("d_steps", 4, 2, Some("d_steps"))), "2");
    // A sum that is an argument is compared.
    let call = ("filter", &[true, true, true][..]);
    assert_eq!(
        inputs(text, call, ("d_steps", 4, 2, Some("d_steps"))),
        "1,2,3"
    );
    // The variable occurs twice in the call: its first occurrence has a value when the second is unified.
    let twice = "p(A, B) :- d_pair(X, X, A), d_loop(B). d_pair(1, Y, A) :- Y > A. d_pair(2, _, _). d_loop(0). d_loop(B) :- C is B-1, d_loop(C).";
    assert_eq!(
        inputs(twice, ("p", &[true, true]), ("d_loop", 1, 2, None)),
        "2"
    );
    let text = twice.replace("d_pair", "pair");
    assert_eq!(
        inputs(&text, ("p", &[true, true]), ("d_loop", 1, 2, None)),
        "1,2"
    );
}

#[test]
fn a_list_is_ground_once_its_parts_are() {
    // The elements kept from a list are ground, although the list's tail is bound later. Values computed from these elements afterwards
    // therefore do not flow back into the list.
    let text = "
        rounds(0, _, _, S, S).
        rounds(T, Ps, K, S0, S) :- T > 0, d_kept(Ps, Rs), d_best(Rs, 0, B), d_times(K, B, C), S1 is S0+C, U is T-1, rounds(U, Rs, K, S1, S).
        d_kept([], []).
        d_kept([P|Ps], Rs) :- ( P > 3 -> Rs = [P|Qs] ; Rs = Qs ), d_kept(Ps, Qs).
        d_best([], B, B).
        d_best([P|Ps], B0, B) :- ( P > B0 -> B1 = P ; B1 = B0 ), d_best(Ps, B1, B).
        d_times(0, _, 0).
        d_times(K, B, C) :- K > 0, L is K-1, d_times(L, B, D), C is D+B.
    ";
    let call = ("rounds", &[true, true, true, true, false][..]);
    assert_eq!(inputs(text, call, ("d_kept", 2, 2, Some("d_kept"))), "1,2");
    assert_eq!(inputs(text, call, ("d_times", 3, 2, Some(">"))), "1,3");
}

#[test]
fn modes_are_those_of_analysis() {
    let text = "
        top(L, M) :- kept(L, Ks), ending(Ks, M).
        kept([], []).
        kept([X|Xs], Ks) :- ( X > 3 -> Ks = [X|Ys] ; Ks = Ys ), kept(Xs, Ys).
        ending([X], X).
        ending([_|Xs], X) :- ending(Xs, X).
    ";
    let call = [ArgumentBinding::Ground, ArgumentBinding::Free];
    let modes = modes(text, &Functor::new("top", 2), &call);
    let kept = Functor::new("kept", 2);
    assert_eq!(modes::on_entry(&modes, &kept), call);
    assert_eq!(modes::on_exit(&modes, &kept, &call).ground, [true, true]);
    // The query does not reach this predicate.
    let other = Functor::new("other", 1);
    assert_eq!(modes::on_entry(&modes, &other), [ArgumentBinding::Partly]);
    assert_eq!(
        modes::on_exit(&modes, &other, &[ArgumentBinding::Free]).ground,
        [false]
    );
}
