//! Tests of the sentences about attained bounds, on small programs.

use costlens_analysis::report::Functor;
use costlens_machine::generate::{Type, Vocabulary};
use costlens_machine::{Limits, Machine};

use super::{Attained, Effort, Trial, lines, search, sentence};
use crate::host::Host;
use crate::samples;
use crate::settings::Settings;

const QUICKSORT: &str = "
qs([], []).
qs([X|Xs], S) :- part(Xs, X, L, G), qs(L, SL), qs(G, SG), app(SL, [X|SG], S).
part([], _, [], []).
part([Y|Ys], X, [Y|L], G) :- Y =< X, part(Ys, X, L, G).
part([Y|Ys], X, L, [Y|G]) :- Y > X, part(Ys, X, L, G).
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
";

/// Returns the sentences about the first pattern of a predicate.
fn told(program: &str, name: &str, arity: usize) -> Vec<String> {
    let mut host = Host::new();
    let file = host.open("program.pl", program);
    let predicate = Functor {
        name: name.into(),
        arity,
    };
    let found = host.snapshot().explain(file, &predicate).unwrap().unwrap();
    lines(&found.attained[0], &found.bounds.report.patterns[0])
}

fn hover(program: &str, at: &str, settings: &Settings) -> String {
    let mut host = Host::new();
    let file = host.open("program.pl", program);
    let offset = program.find(at).unwrap();
    let hover = host.snapshot().hover(file, offset, settings).unwrap();
    hover.unwrap().markdown
}

#[test]
fn exact_bounds_are_reached_by_one_run() {
    assert_eq!(
        told(QUICKSORT, "app", 3),
        [
            "lower and upper bound reached: app([1,2,3],[1,2,3],A) runs 4 steps, the bound at n = 3 (and at all sizes tried)"
        ]
    );
    let told = told("p :- q, q. q.", "p", 0);
    assert_eq!(
        told,
        ["lower and upper bound reached: p runs 3 steps, the bound"]
    );
}

#[test]
fn the_upper_bound_of_quicksort_is_reached_by_a_reversed_list() {
    let told = told(QUICKSORT, "qs", 2);
    assert!(
        told.contains(&"upper bound reached: qs([3,2,1],A) runs 19 steps, the bound at n = 3 (and at all sizes tried)".to_owned()),
        "{told:?}"
    );
}

#[test]
fn what_is_not_reached_says_how_near_it_came() {
    // The bound ignores that only one of the lists can be the shorter list.
    let program = "
        %! odd(+Xs:list(int), -N) is det.
        odd([], 0).
        odd([X|Xs], N) :- X > 0, odd(Xs, M), skip(M, N).
        odd([X|Xs], N) :- X =< 0, odd(Xs, N).
        skip(N, M) :- N < 2, M is N+1.
        skip(N, N) :- N >= 2, N =< 2, twice(N).
        skip(N, N) :- N > 2, twice(N), twice(N).
        twice(_).
    ";
    let told = told(program, "odd", 2);
    assert!(
        told.iter()
            .any(|l| l.starts_with("upper bound") && l.contains("largest seen")),
        "{told:?}"
    );
}

#[test]
fn a_hover_has_one_short_line() {
    let mut settings = Settings::default();
    let text = hover(QUICKSORT, "qs([], [])", &settings);
    assert!(
        text.contains("\n`qs([3,2,1],_)` takes 19 steps, the upper bound for n = 3.\n"),
        "{text}"
    );
    settings.hover_runs = false;
    let text = hover(QUICKSORT, "qs([], [])", &settings);
    assert!(!text.contains("takes 19 steps"), "{text}");
    // Hints do not run inputs.
    let mut host = Host::new();
    let file = host.open("program.pl", QUICKSORT);
    let predicate = Functor {
        name: "qs".into(),
        arity: 2,
    };
    let tooltip = host
        .snapshot()
        .tooltip(file, &predicate, &Settings::default());
    assert!(!tooltip.unwrap().unwrap().contains("takes 19 steps"));
}

#[test]
fn nothing_but_the_goal_runs() {
    let program = "
        :- initialization(loop).
        :- loop.
        loop :- loop.
        len([], 0).
        len([_|Xs], N) :- len(Xs, M), N is M+1.
    ";
    assert_eq!(
        told(program, "len", 2),
        [
            "lower and upper bound reached: len([1,3,5],A) runs 4 steps, the bound at n = 3 (and at all sizes tried)"
        ]
    );
    // A nonterminating call is cut off at the limit, which does not contradict a bound.
    let told = told(program, "loop", 0);
    assert!(told.iter().all(|l| !l.contains("report")), "{told:?}");
}

#[test]
fn effects_end_with_the_run() {
    let program = "
        :- dynamic seen/1.
        note([]).
        note([X|Xs]) :- assertz(seen(X)), write(X), nl, note(Xs).
    ";
    let told = told(program, "note", 1);
    assert!(
        told[0].starts_with("lower and upper bound reached: note([1,3,5]) runs 4 steps"),
        "{told:?}"
    );
    // Hovers do not run such goals.
    let text = hover(program, "note([])", &Settings::default());
    assert!(
        text.contains("### `note(") && !text.contains("` takes "),
        "{text}"
    );
}

#[test]
fn programs_that_count_otherwise_are_not_tried() {
    for (program, why) in [
        (
            "p(N, Xs) :- aggregate_all(count, member(_, Xs), N).",
            "the machine does not count `aggregate_all/3` as bounds do",
        ),
        (
            ":- if(true).\np(1, _).\n:- endif.\np(2, _).",
            "which clauses there are depends on `:- if`",
        ),
    ] {
        let told = told(program, "p", 2);
        assert!(told[0].starts_with("not tried: "), "{told:?}");
        assert!(
            told[0].contains(why) || told[0].contains("no bound says"),
            "{told:?}"
        );
    }
}

/// Compares runs of a program with a report of `nrev/2`.
fn trial_of(program: &str) -> Trial {
    let mut machine = Machine::counting(Limits::default());
    assert_eq!(machine.load_clauses(program), []);
    let report = samples::nrev();
    let loaded = super::program::MachineProgram {
        machine,
        vocabulary: Vocabulary::default(),
        changes: false,
    };
    search::trial(&search::TrialTask {
        predicate: &Functor {
            name: "nrev".into(),
            arity: 2,
        },
        report: &report,
        types: &[Type::list(Type::Any), Type::Free],
        program: &loaded,
        effort: Effort::Thorough,
        wanted: &|| (),
    })
}

#[test]
fn a_run_that_contradicts_a_bound_is_told() {
    // The first program takes one step more than n²/2+3n/2+1, and the second one step less.
    for (program, what) in [
        (
            "nrev(Xs, Ys) :- r(Xs, Ys). r([], []). r([X|Xs], Ys) :- r(Xs, Zs), a(Zs, [X], Ys). a([], Y, Y). a([X|Y], Z, [X|W]) :- a(Y, Z, W).",
            "runs 11 steps over all solutions at n = 3, more than the upper bound 10",
        ),
        (
            "nrev(_, _).",
            "runs 1 step over all solutions at n = 3, less than the lower bound 10",
        ),
    ] {
        let trial = trial_of(program);
        assert!(!trial.violations.is_empty());
        let attained = Attained::Tried(trial);
        let told = lines(&attained, &samples::nrev());
        assert!(
            told.iter()
                .any(|l| l.contains(what) && l.contains("please report")),
            "{told:?}"
        );
        let hover = sentence(&attained, &samples::nrev()).unwrap();
        assert!(hover.contains("please report"), "{hover}");
    }
    assert!(trial_of("nrev([], []). nrev([X|Xs], Ys) :- nrev(Xs, Zs), a(Zs, [X], Ys). a([], Y, Y). a([X|Y], Z, [X|W]) :- a(Y, Z, W).").violations.is_empty());
}
