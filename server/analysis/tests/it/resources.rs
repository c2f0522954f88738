//! Tests when events and times are computed, and the results for small programs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Rat, rat};
use costlens_analysis::queries::{Database, LIBRARY, file_report};
use costlens_analysis::report::{Bound, PatternReport, PredicateReport};
use costlens_analysis::resources::{Price, Prices, Resource, file_resource};
use costlens_analysis::verdict::{Verdict, verdicts_on};
use costlens_infer::infer;
use costlens_program::{Role, SourceFile};
use costlens_syntax::Parsed;
use salsa::Setter as _;

struct Bench {
    db: Database,
    file: SourceFile,
    executed: Arc<Mutex<Vec<salsa::DatabaseKeyIndex>>>,
}

impl Bench {
    fn new(text: &str) -> Self {
        let executed: Arc<Mutex<Vec<salsa::DatabaseKeyIndex>>> = Arc::default();
        let log = Arc::clone(&executed);
        let sink = Box::new(move |event: salsa::Event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                log.lock().unwrap().push(database_key);
            }
        });
        let db = Database::with_library(infer, LIBRARY, Some(sink));
        let file = SourceFile::new(&db, "test.pl".into(), Parsed::new(text), Role::User);
        Self { db, file, executed }
    }

    fn edit(&mut self, text: &str) {
        self.file.set_parsed(&mut self.db).to(Parsed::new(text));
    }

    /// Returns the number of computations of summaries, bounds on events and times since the previous call.
    fn work(&self) -> [usize; 3] {
        let log = std::mem::take(&mut *self.executed.lock().unwrap());
        salsa::attach(&self.db, || {
            ["summary(", "event_bounds(", "priced("].map(|query| {
                let of = |key: &&salsa::DatabaseKeyIndex| format!("{key:?}").starts_with(query);
                log.iter().filter(of).count()
            })
        })
    }

    fn ask(&self, resource: &Resource) -> Arc<[Arc<PredicateReport>]> {
        file_resource(&self.db, self.file, resource)
    }

    fn pattern(&self, predicate: &str, resource: &Resource) -> PatternReport {
        let all = self.ask(resource);
        let found = all.iter().find(|p| p.predicate.to_string() == predicate);
        found.unwrap().patterns[0].clone()
    }

    /// Returns `lower..upper`, or a single bound if both are equal.
    fn bounds(&self, predicate: &str, resource: &Resource) -> String {
        let report = self.pattern(predicate, resource);
        let names = Names::new(|v| {
            let size = report.sizes.iter().find(|s| s.var == v);
            size.map_or_else(|| format!("v{}", v.0), |s| s.name.clone())
        });
        let text = |bound: &Bound| match bound {
            Bound::Finite(e) => to_text(e, &names),
            Bound::Infinite => "inf".to_owned(),
            Bound::Unknown => "?".to_owned(),
        };
        let (lower, upper) = report.main_piece().unwrap().envelope();
        let (lower, upper) = (text(lower), text(upper));
        if lower == upper {
            upper
        } else {
            format!("{lower}..{upper}")
        }
    }
}

fn event(name: &str) -> Resource {
    Resource::Event(name.parse().unwrap())
}

/// Returns a resource for each name, all requested together.
fn together(names: &[&str]) -> Vec<Resource> {
    let events: BTreeSet<_> = names.iter().map(|name| name.parse().unwrap()).collect();
    let events = Arc::new(events);
    let one = |event: &_| Resource::OneOf(Clone::clone(event), Arc::clone(&events));
    events.iter().map(one).collect()
}

/// Returns a platform on which the named events cost the given nanoseconds, plus or minus one.
fn platform(name: &str, costs: &[(&str, i64)]) -> Resource {
    let price = |ns: i64| Price {
        estimate: rat(ns),
        least: Rat::from_integer((ns - 1).max(0).into()),
        most: rat(ns + 1),
    };
    let of: BTreeMap<_, _> = costs
        .iter()
        .map(|&(event, ns)| (event.parse().unwrap(), price(ns)))
        .collect();
    Resource::Time(Arc::new(Prices {
        platform: name.to_owned(),
        of,
    }))
}

const NREV: &str = "\
%! app(+Xs:list, +Ys:list, -Zs:list).
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
%! nrev(+Xs:list, -Ys:list).
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
";

#[test]
fn events_that_are_asked_for_together_are_computed_once_and_have_the_bounds_that_they_have_among_all()
 {
    const NAMES: [&str; 5] = ["giunif", "gounif", "nargs", "op(+/2)", "is/2"];
    for name in [
        "naive_reverse",
        "quick_sort",
        "list_length",
        "halving",
        "hanoi",
    ] {
        let path = format!(
            "{}/../../tests/fixtures/{name}.pl",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(path).unwrap();
        let b = Bench::new(&text);
        let all = NAMES.map(|name| b.ask(&event(name)));
        let all: BTreeMap<_, _> = NAMES.into_iter().zip(all).collect();
        b.work();
        for names in [&NAMES[..2], &NAMES[2..]] {
            for (at, resource) in together(names).iter().enumerate() {
                let Resource::OneOf(event, _) = resource else {
                    unreachable!()
                };
                let known = &all[&*event.to_string()];
                assert_eq!(b.ask(resource), *known, "{name}: {event}");
                assert_eq!(b.work()[1] > 0, at == 0, "{name}: {event}");
            }
        }
    }
}

#[test]
fn a_change_of_platform_repeats_the_last_step_only() {
    let mut b = Bench::new(NREV);
    file_report(&b.db, b.file);
    let [summaries, events, times] = b.work();
    assert!(summaries > 0, "{summaries}");
    assert_eq!((events, times), (0, 0), "steps need neither");

    b.ask(&event("giunif"));
    let [summaries, events, times] = b.work();
    assert_eq!((summaries, times), (0, 0));
    assert!(events >= 2, "{events}");
    b.ask(&event("viunif"));
    assert_eq!(b.work(), [0, 0, 0], "all events come together");

    assert_eq!(
        b.bounds("app/3", &platform("a", &[("steps", 10), ("giunif", 5)])),
        "15*n+15"
    );
    let [summaries, events, times] = b.work();
    assert_eq!((summaries, events), (0, 0), "times need no inference");
    assert_eq!(times, 2, "one for each predicate");
    assert_eq!(
        b.bounds("app/3", &platform("b", &[("steps", 3), ("giunif", 7)])),
        "10*n+10"
    );
    assert_eq!(b.work(), [0, 0, 2], "another platform");
    b.ask(&platform("a", &[("steps", 10), ("giunif", 5)]));
    assert_eq!(b.work(), [0, 0, 0], "the first one again");

    b.edit(&format!("% a comment\n{NREV}"));
    b.ask(&platform("b", &[("steps", 3), ("giunif", 7)]));
    assert_eq!(b.work(), [0, 0, 0], "a comment");
    b.edit(&NREV.replace("nrev([], []).", "nrev([], L) :- L = []."));
    b.ask(&platform("b", &[("steps", 3), ("giunif", 7)]));
    assert_eq!(b.work(), [1, 1, 1], "an edited clause");
}

#[test]
fn a_callee_with_other_events_and_the_same_steps_reaches_its_callers() {
    let mut b = Bench::new(NREV);
    assert_eq!(b.bounds("nrev/2", &event("=/2")), "0");
    b.edit(&NREV.replace("app([], L, L).", "app([], L, M) :- L = M."));
    assert_eq!(b.bounds("app/3", &event("=/2")), "1");
    assert_eq!(b.bounds("nrev/2", &event("=/2")), "n");
}

/// The steps of a clause may be known even if its instructions are not.
#[test]
fn instructions_of_a_clause_without_code_are_unknown() {
    let b = Bench::new(
        "\
%! q(+Xs:list(int), -Ys:list(int)) is det.
q(Xs, Ys) :- findall(X, r(Xs, X), Ys).
r([X|_], X).
r([_|Xs], X) :- r(Xs, X).
",
    );
    assert_eq!(b.bounds("q/2", &event("steps")), "2*n+1");
    for name in ["ppdp08:call", "ppdp08:get_list", "ppdp08:unify_variable"] {
        assert_eq!(b.bounds("q/2", &event(name)), "0..?", "{name}");
    }
}

#[test]
fn events_of_a_long_chain_are_computed_without_recursion() {
    // The stack is too small for recursion through the callees.
    let run = std::thread::Builder::new()
        .stack_size(1 << 19)
        .spawn(events_of_a_chain)
        .unwrap();
    run.join().unwrap();
}

fn events_of_a_chain() {
    let links = 500;
    let mut text = String::from("p0(a).\n");
    for i in 1..links {
        text.push_str(&format!("p{i}(X) :- p{}(X).\n", i - 1));
    }
    let mut b = Bench::new(&text);
    let last = format!("p{}/1", links - 1);
    assert_eq!(b.bounds(&last, &event("nargs")), links.to_string());
    // The result is re-validated and unchanged.
    b.edit(&text.replace("p0(a).", "p0(b)."));
    assert_eq!(b.bounds(&last, &event("nargs")), links.to_string());
}

#[test]
fn small_programs_have_the_events_that_a_run_counts() {
    let b = Bench::new(
        "\
%! len(+Xs:list, -N:int).
len([], 0).
len([_|T], N) :- len(T, M), N is M+1.
%! fact(+N:int, -F:int).
fact(0, 1) :- !.
fact(N, F) :- N > 0, M is N-1, fact(M, G), F is N*G.
%! either(+X:int).
either(X) :- ( X > 3 -> Y = f(a, b), use(Y) ; X < 0 ).
%! use(+X).
use(_).
%! all(+Xs:list(int), -Ys:list).
all(Xs, Ys) :- findall(s(X), member(X, Xs), Ys).
%! none(+X:int).
none(X) :- \\+ X =:= 1.
%! guess(?X).
guess(a).
%! hole(+X:int).
hole(X) :- outside(X), X < 2.
%! two(+X:int).
two(X) :- once(( X = 1 ; X = 2 )).
",
    );
    for (predicate, name, expected) in [
        ("len/2", "giunif", "3*n+1"), // one cell in each head, and `M+1` in each body
        ("len/2", "gounif", "1"),
        ("len/2", "is/2", "n"),
        ("len/2", "op(+/2)", "n"),
        ("len/2", "op(-/2)", "0"),
        ("fact/2", ">/2", "n"),
        ("fact/2", "op(*/2)", "n"),
        // The head of the first clause matches only 0; for 0, the second clause is not tried.
        ("fact/2", "head_unifications", "n+1"),
        // The condition always runs, followed by either the comparison or the unification.
        ("either/1", ">/2", "1"),
        ("either/1", "</2", "0"),
        ("either/1", "=/2", "1"),
        ("either/1", "giunif", "4"),
        ("all/2", "findall/3", "1"),
        // `s(X)` once, and a cell for each element that is decomposed.
        ("all/2", "giunif", "n+1"),
        ("none/1", "=:=/2", "1"),
        ("guess/1", "nargs", "0..1"),
        ("guess/1", "giunif", "0..1"),
        ("hole/1", "nargs", "1..?"),
        ("hole/1", "</2", "0..?"),
        ("hole/1", "op(+/2)", "0..?"),
        // All integers except 1, which the first unification accepts: the bound ignores this exception.
        ("two/1", "=/2", "2"),
    ] {
        let found = b.bounds(predicate, &event(name));
        assert_eq!(found, expected, "{predicate}, {name}");
    }
}

#[test]
fn leading_tests_count_where_they_fail_too() {
    let b = Bench::new(
        "\
%! sign(+X:int, -S).
sign(X, pos) :- X > 0.
sign(X, zero) :- X =:= 0.
sign(X, neg) :- X < 0.
",
    );
    // If all solutions are explored, every head matches and every test runs; up to the first solution, at least one does.
    let all = |name| {
        let report = b.pattern("sign/2", &event(name));
        let values: Vec<(Bound, Bound)> = (report.steps.iter())
            .map(|p| (p.first.lower.clone(), p.all.upper.clone()))
            .collect();
        values
    };
    for (lower, upper) in all("head_unifications") {
        let Bound::Finite(lower) = lower else {
            panic!("{lower:?}");
        };
        assert!(lower.as_constant().unwrap() >= rat(1));
        assert_eq!(upper, Bound::Finite(costlens_algebra::Expr::int(3)));
    }
    assert_eq!(b.bounds("sign/2", &event("steps")), "1");
    assert_eq!(b.bounds("sign/2", &event("nargs")), "2");
}

#[test]
fn one_price_is_none_for_a_built_in_whose_time_grows() {
    let b = Bench::new(
        "\
%! ordered(+Xs:list, -Ys).
ordered(Xs, Ys) :- msort(Xs, Ys).
%! named(+F:atm, -N).
named(F, N) :- functor(F, N, _), b_setval(f, N).
",
    );
    let prices = [
        ("steps", 10),
        ("msort/2", 100),
        ("functor/3", 1),
        ("b_setval/2", 5),
    ];
    let time = platform("p", &prices);
    assert_eq!(b.bounds("ordered/2", &time), "10..?");
    let report = b.pattern("ordered/2", &time);
    assert!(
        report.unknown[0]
            .reason
            .contains("O(length(A)*log2(length(A)))"),
        "{:?}",
        report.unknown
    );
    // The number of calls is known nevertheless.
    assert_eq!(b.bounds("ordered/2", &event("msort/2")), "1");
    let time = platform("q", &[("steps", 10), ("b_setval/2", 5), ("is/2", 0)]);
    let report = b.pattern("named/2", &time);
    assert!(
        report.unknown[0].reason.contains("`functor/3`"),
        "{report:?}"
    );
}

#[test]
fn what_has_no_price_makes_the_time_unknown_and_is_named() {
    let b = Bench::new(
        "\
%! len(+Xs:list, -N:int).
len([], 0).
len([_|T], N) :- len(T, M), N is M+1.
%! last(+Xs:list, -X).
last(Xs, X) :- append(_, [X], Xs).
%! loop(+X:int).
loop(X) :- loop(X).
",
    );
    let time = platform("p", &[("steps", 10), ("op(+/2)", 4)]);
    assert_eq!(b.bounds("len/2", &time), "14*n+10..?");
    let report = b.pattern("len/2", &time);
    let reasons: Vec<&str> = report.unknown.iter().map(|u| u.reason.as_str()).collect();
    assert_eq!(reasons, ["the platform `p` has no constant for `is/2`"]);

    let time = platform("q", &[("steps", 10), ("op(+/2)", 4), ("is/2", 0)]);
    assert_eq!(b.bounds("len/2", &time), "14*n+10");
    let Resource::Time(prices) = &time else {
        panic!();
    };
    let cautious = Resource::CautiousTime(Arc::clone(prices));
    assert_eq!(b.bounds("len/2", &cautious), "12*n+9..17*n+11");
    assert_eq!(b.bounds("loop/1", &time), "inf");
    assert_eq!(b.bounds("loop/1", &event("giunif")), "0");
    assert_eq!(b.bounds("loop/1", &event("viunif")), "inf");
}

#[test]
fn assertions_on_events_and_time_are_judged() {
    let b = Bench::new(
        "\
%! app(+Xs:list, +Ys:list, -Zs:list).
%  @cost giunif =< length(Xs)+1
%  @cost giunif =< length(Xs)
%  @cost time =< 20*length(Xs)+20
%  @cost time =< 16*length(Xs)+15
%  @cost time >= 20*length(Xs)+20
%  @cost heap_cells =< 3*length(Xs)
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
",
    );
    let verdicts = |prices: Option<&Arc<Prices>>| -> Vec<(Verdict, bool)> {
        verdicts_on(&b.db, b.file, prices)
            .iter()
            .map(|v| (v.verdict, v.observed))
            .collect()
    };
    use Verdict::{Check, Checked, False};
    let of_giunif = [(Checked, false), (False, false)];
    let without = verdicts(None);
    assert_eq!(without[..2], of_giunif);
    // Without a platform, nothing is known about time; cells belong to the machine.
    let undecided = (Check, false);
    let rest = [undecided, undecided, undecided, (Checked, false)];
    assert_eq!(without[2..], rest);

    // 15 ns per step according to the estimates, 13 to 17 within the precision of the constants.
    let Resource::Time(prices) = platform("p", &[("steps", 10), ("giunif", 5)]) else {
        panic!();
    };
    let with = verdicts(Some(&prices));
    assert_eq!(with[..2], of_giunif);
    assert_eq!(
        with[2..],
        [
            (Checked, false),
            (Checked, true),
            (False, false),
            (Checked, false)
        ]
    );
}

/// A stated time is the whole time of a call. A stated event has bounds even if there are no bounds on the steps.
#[test]
fn callers_take_the_times_and_events_that_are_stated() {
    let b = Bench::new(
        "\
:- trust pred fetch(X) : list(X) + (cost(exact, time, 1*us + 2*length(X)), is_det, not_fails, no_exception).
:- trust pred told(X) : list(X)
   + (cost(exact, time, 500), cost(exact, steps, 7), cost(exact, giunif, 5), is_det, not_fails, no_exception).
%! all(+Xs:list).
all([]).
all([X|Xs]) :- fetch([]), all(Xs).
%! both(+Xs:list).
both(Xs) :- told(Xs), fetch(Xs), one.
one.
",
    );
    let time = platform("p", &[("steps", 10)]);
    assert_eq!(b.bounds("all/1", &time), "1010*n+10");
    // The predicate takes two steps itself; the seven stated steps are part of the 500.
    assert_eq!(b.bounds("both/1", &time), "2*n+1520");
    // The steps of `fetch/1` are a parameter.
    assert_eq!(b.bounds("both/1", &event("steps")), "9..v671088640+9");
    assert_eq!(b.bounds("both/1", &event("giunif")), "5..?");
}
