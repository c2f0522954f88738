//! Tests the order and extent of recomputation after an edit. The inference in this file only counts clauses, so that the tests cover
//! queries rather than bounds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use costlens_algebra::Region;
use costlens_analysis::queries::{Database, Inference, file_report};
use costlens_analysis::report::{Functor, PatternReport, Side, Unknown};
use costlens_analysis::types::{Pattern, Type};
use costlens_infer::{Program, Relation, Sides, Summary, infer};
use costlens_program::language;
use costlens_program::{Role, SourceFile};
use costlens_syntax::Parsed;
use salsa::Setter as _;

/// Counts the clauses of the predicate and of all predicates that it calls outside its component.
fn count(predicate: &Functor, pattern: &Pattern, program: &dyn Program, _: u64) -> Summary {
    let mut total = 0_u64;
    let mut callees: BTreeSet<Functor> = BTreeSet::new();
    for clause in program.clauses(predicate).iter().flat_map(|c| c.iter()) {
        total += 1;
        callees.extend(
            clause
                .body
                .iter()
                .flat_map(|&b| language::calls(&clause.terms, b))
                .map(|c| c.callee),
        );
    }
    for callee in callees {
        let builtin = matches!(callee.name.as_str(), "," | "true" | "is" | ">" | ">=" | "=");
        if !builtin && !program.same_component(predicate, &callee) {
            let any = Pattern(vec![Type::Any; callee.arity]);
            total = total.wrapping_add(value(&program.summary(&callee, &any)));
        }
    }
    Summary {
        parameters: Vec::new(),
        assumes: Vec::new(),
        added: Default::default(),
        work: Default::default(),
        predicate: predicate.clone(),
        pattern: pattern.clone(),
        params: Vec::new(),
        domain: Region::everything(),
        success: None,
        outputs: BTreeMap::new(),
        elements: BTreeMap::new(),
        relation: Relation::default(),
        solutions: Sides::default(),
        first: Sides::default(),
        all: Sides::default(),
        amortised: None,
        errors_possible: false,
        raises_later: false,
        later: costlens_infer::RunsLater::No,
        // The reason contains the count.
        unknown: vec![Unknown {
            home: None,
            side: Side::Upper,
            fuel: false,
            reason: total.to_string(),
            cause: predicate.clone(),
            literal: None,
            help: String::new(),
            types_help: false,
            declare: None,
            missing: None,
        }],
        rests_on: Vec::new(),
    }
}

fn value(summary: &Summary) -> u64 {
    summary.unknown[0].reason.parse().unwrap()
}

/// Returns the count in a report, or `None` if the report comes from another inference.
fn number(report: &PatternReport) -> Option<String> {
    let reason = &report.unknown.first()?.reason;
    reason.parse::<u64>().ok().map(|n| n.to_string())
}

struct Bench {
    db: Database,
    file: SourceFile,
    executed: Arc<Mutex<Vec<salsa::DatabaseKeyIndex>>>,
}

impl Bench {
    fn new(text: &str) -> Self {
        Self::with_library(text, &[])
    }

    fn with_library(text: &str, library: &[(&str, &str)]) -> Self {
        Self::inferred_by(count, text, library)
    }

    fn inferred_by(inference: Inference, text: &str, library: &[(&str, &str)]) -> Self {
        let executed: Arc<Mutex<Vec<salsa::DatabaseKeyIndex>>> = Arc::default();
        let log = Arc::clone(&executed);
        let db = Database::with_library(
            inference,
            library,
            Some(Box::new(move |event| {
                if let salsa::EventKind::WillExecute { database_key } = event.kind {
                    log.lock().unwrap().push(database_key);
                }
            })),
        );
        let file = SourceFile::new(&db, "test.pl".into(), Parsed::new(text), Role::User);
        Self { db, file, executed }
    }

    fn edit(&mut self, text: &str) {
        self.file.set_parsed(&mut self.db).to(Parsed::new(text));
    }

    fn report(&self) -> Vec<String> {
        file_report(&self.db, self.file)
            .iter()
            .map(|p| {
                let values: Vec<String> = p
                    .patterns
                    .iter()
                    .map(|r| number(r).unwrap_or_default())
                    .collect();
                format!("{} {}", p.predicate, values.join("|"))
            })
            .collect()
    }

    /// Returns the number of executions of each of these queries since the previous call.
    fn executed<const N: usize>(&self, queries: [&str; N]) -> [usize; N] {
        let log = std::mem::take(&mut *self.executed.lock().unwrap());
        // A name is formatted once per query rather than once per execution, since there may be a million executions.
        let mut counts = std::collections::HashMap::new();
        for key in log {
            counts.entry(key.ingredient_index()).or_insert((key, 0)).1 += 1;
        }
        let count = |query: &str| {
            let of = |(key, count): &(salsa::DatabaseKeyIndex, usize)| {
                format!("{key:?}")
                    .starts_with(&format!("{query}("))
                    .then_some(*count)
            };
            counts.values().find_map(of).unwrap_or(0)
        };
        salsa::attach(&self.db, || queries.map(count))
    }

    /// Returns the number of executions of the queries for summaries, guesses and reports.
    fn work(&self) -> [usize; 3] {
        self.executed(["summary", "guesses", "report"])
    }
}

const PROGRAM: &str = "\
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
len([], 0).
len([_|T], N) :- len(T, M), N is M+1.
even(0).
even(N) :- N > 0, M is N-1, odd(M).
odd(N) :- N > 0, M is N-1, even(M).
main(L, N) :- nrev(L, R), len(R, N), even(N).
";

#[test]
fn a_summary_runs_again_only_when_its_clauses_or_a_callee_s_result_change() {
    let mut b = Bench::new(PROGRAM);
    assert_eq!(
        b.report(),
        [
            "app/3 2", "nrev/2 4", "len/2 2", "even/1 2", "odd/1 1", "main/2 9"
        ]
    );
    let [summaries, guesses, reports] = b.work();
    // The shown patterns, and those that callers request.
    assert!(
        summaries >= 6 && guesses == 5 && reports == 6,
        "{summaries} {guesses} {reports}"
    );

    b.edit(&format!("% a comment\n{PROGRAM}"));
    b.report();
    assert_eq!(b.work(), [0, 0, 0], "a comment on top");
    b.edit(&PROGRAM.replace("len([], 0)", "\n\nlen([], 0)"));
    b.report();
    assert_eq!(b.work(), [0, 0, 0], "a blank line");
    b.edit(&PROGRAM.replace(
        "[H|T], L, [H|R]) :- app(T, L, R)",
        "[X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs)",
    ));
    b.report();
    assert_eq!(b.work(), [0, 0, 0], "renamed variables");
    b.edit(PROGRAM);
    b.report();
    b.work();

    // Another body with the same count: only even/1 is recomputed, for its shown pattern and the one that main/2 requests.
    b.edit(&PROGRAM.replace("even(N) :- N > 0,", "even(N) :- N >= 1,"));
    b.report();
    assert_eq!(b.work(), [2, 1, 0], "an edited clause");
    // A new clause changes the predicate's result and that of its callers.
    b.edit(&PROGRAM.replace("len([], 0).", "len([], 0). len(x, 0)."));
    assert_eq!(b.report()[5], "main/2 10");
    let [summaries, _, reports] = b.work();
    assert!(summaries <= 6 && reports <= 4, "{summaries} {reports}");
    // The clause calls a new predicate.
    b.edit(&PROGRAM.replace("even(0).", "even(0) :- len([], _)."));
    assert_eq!(b.report()[3], "even/1 4");
}

#[test]
fn an_incremental_answer_equals_a_fresh_one() {
    let mut b = Bench::new(PROGRAM);
    b.report();
    for (from, to) in [
        ("main(L, N) :- nrev(L, R), ", "main(L, N) :- L = R, "),
        ("app([], L, L).\n", ""),
        ("odd(N) :-", "odder(N) :-"),
        ("nrev(Xs, Zs), app", "app"),
        ("len([], 0).", "len([], 0) :- main(_, _)."),
        ("len([], 0).", ":- dynamic len/2.\nlen([], 0)."),
        ("even(0).", "even(0) :- new. new :- newer. newer."),
        ("nrev([], []).", "nrev([], [])"),
    ] {
        let text = PROGRAM.replace(from, to);
        b.edit(&text);
        assert_eq!(b.report(), Bench::new(&text).report(), "{from} -> {to}");
        b.edit(PROGRAM);
        assert_eq!(b.report(), Bench::new(PROGRAM).report(), "back from {to}");
    }
}

#[test]
fn a_callee_is_visited_before_its_caller_wherever_it_stands() {
    let b = Bench::new("main :- a, b.\na :- b.\nb :- c, a2.\nc.\na2 :- c.\n");
    assert_eq!(
        b.report(),
        ["main/0 10", "a/0 5", "b/0 4", "c/0 1", "a2/0 2"]
    );
}

#[test]
fn library_predicates_are_found_and_an_edit_does_not_visit_them_again() {
    let library = [(
        "lists.pl",
        "append([], L, L).\nappend([H|T], L, [H|R]) :- append(T, L, R).\nrev(X, Y) :- append(X, Y, _).\n",
    )];
    let mut b = Bench::with_library("p(X) :- append(X, _, _), rev(X, _).\n", &library);
    assert_eq!(b.report(), ["p/1 6"]);
    b.work();
    b.edit("p(X) :- append(X, _, _).\n");
    assert_eq!(b.report(), ["p/1 3"]);
    assert_eq!(b.work(), [1, 1, 1]);
    // For the user's calls, the user's own definition takes precedence.
    b.edit("p(X) :- append(X, _, _), rev(X, _).\nappend(_, _, _).\n");
    assert_eq!(b.report(), ["p/1 5", "append/3 1"]);
}

#[test]
fn declared_patterns_are_shown_instead_of_a_guess() {
    let b = Bench::new(
        ":- entry p(A,B) : (int(A), var(B)).\n%! p(+Xs:list, -Y) is det.\np(X, Y) :- q(X, Y).\nq(1, 2).\n",
    );
    let report = file_report(&b.db, b.file);
    let patterns: Vec<String> = report[0]
        .patterns
        .iter()
        .map(|p| format!("{:?} {}", p.origin, p.pattern))
        .collect();
    assert_eq!(patterns, ["Declared (list(any), var)", "Entry (int, var)"]);
    // The declaration of a caller determines the pattern of its calls.
    let patterns: Vec<String> = report[1]
        .patterns
        .iter()
        .map(|p| format!("{:?} {}", p.origin, p.pattern))
        .collect();
    assert_eq!(patterns, ["Called (int, var)", "Called (list(any), var)"]);
}

#[test]
fn what_the_clauses_suggest_comes_after_modes_without_types() {
    let b =
        Bench::new("%! len(+Xs, -N) is det.\nlen([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n");
    let report = file_report(&b.db, b.file);
    let patterns: Vec<String> = report[0]
        .patterns
        .iter()
        .map(|r| format!("{:?} {}", r.origin, r.pattern))
        .collect();
    assert_eq!(
        patterns,
        ["Declared (nonvar, var)", "Inferred (list(any), var)"]
    );
}

#[test]
fn nothing_is_claimed_of_predicates_whose_clauses_are_not_all_there() {
    let b = Bench::new(
        ":- dynamic a/1.\na(1).\n:- multifile b/1.\nb(1).\n:- table c/1.\nc(1).\n:- if(x).\nlast(1, 2).\n:- endif.\ne(1).\n",
    );
    for report in file_report(&b.db, b.file).iter() {
        let pattern = &report.patterns[0];
        // That no other file adds clauses is assumed of a multifile predicate.
        let open = !["b", "e"].contains(&report.predicate.name.as_str());
        // A predicate has a count if inference was called for it.
        assert_eq!(number(pattern).is_none(), open, "{}", report.predicate);
        if open {
            let piece = pattern.main_piece().unwrap();
            let is_unknown = piece.all.upper == costlens_analysis::report::Bound::Unknown;
            // The facts of a dynamic predicate are counted.
            let is_counted = !pattern.parameters.is_empty() && !pattern.assumes.is_empty();
            assert_eq!(is_unknown, report.predicate.name != "a");
            assert_eq!(is_counted, report.predicate.name == "a");
        }
    }
}

#[test]
fn text_that_cannot_be_read_concerns_what_stands_beside_it_and_its_callers_alone() {
    let unread =
        |body: &str| PROGRAM.replace("even(0).", &format!("even(0).\nodd(N) :- {body}\neven(1)."));
    let mut b = Bench::new(PROGRAM);
    b.report();
    b.work();
    b.edit(&unread("a b."));
    let of = |name: &str, b: &Bench| {
        let all = file_report(&b.db, b.file);
        let report = all.iter().find(|r| r.predicate.name == name).unwrap();
        report.patterns[0].unknown[0].reason.clone()
    };
    assert_eq!(of("odd", &b), "incomplete: line 8 could not be read");
    // The neighbouring clause is readable; it calls a predicate with a syntax error.
    assert!(!of("even", &b).is_empty());
    let [summaries, ..] = b.work();
    assert!(
        summaries <= 3,
        "even/1 and main/2, and nothing that is far: {summaries}"
    );
    // While the user continues to type, the neighbouring clause remains unchanged, in the same line.
    for body in ["a bc.", "a bc d.", "f(a b)."] {
        b.edit(&unread(body));
        b.report();
        assert_eq!(b.work(), [0, 0, 0], "{body}");
    }
    b.edit(PROGRAM);
    assert_eq!(b.report(), Bench::new(PROGRAM).report());
}

/// Returns the text `p0 :- p1. p1 :- p2. …`, with each caller before its callee.
fn chain(length: usize, last: &str) -> String {
    let mut text: String = (0..length - 1)
        .map(|i| format!("p{i} :- p{}.\n", i + 1))
        .collect();
    text.push_str(&format!("p{} :- {last}.\n", length - 1));
    text
}

/// Runs a closure with a smaller stack than that of the language server's threads.
fn with_little_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

#[expect(clippy::print_stderr, reason = "this test is run to print times")]
fn timed(name: &str, b: &Bench, length: usize, expected: &str) {
    let clock = Instant::now();
    let report = file_report(&b.db, b.file);
    eprintln!("{name}: {:?}", clock.elapsed());
    assert_eq!(report.len(), length);
    assert_eq!(number(&report[0].patterns[0]).as_deref(), Some(expected));
}

#[test]
fn a_chain_of_100_000_predicates_needs_little_stack() {
    with_little_stack(|| {
        let length = 100_000;
        let mut b = Bench::new(&chain(length, "true"));
        timed("cold", &b, length, "100000");
        let [summaries, ..] = b.work();
        assert_eq!(summaries, length);
        // Edits the leaf without changing its result, so that all callers are only validated.
        b.edit(&chain(length, "true, true"));
        timed("leaf edited", &b, length, "100000");
        assert_eq!(b.work()[0], 1);
    });
}

#[test]
fn a_chain_may_be_changed_at_both_ends() {
    with_little_stack(|| {
        let length = 5_000;
        let text = chain(length, "true");
        let mut b = Bench::new(&text);
        timed("cold", &b, length, "5000");
        b.work();
        // Edits the leaf and changes its result: all callers are recomputed.
        b.edit(&format!("{text}p{}.\n", length - 1));
        timed("leaf edited, result changed", &b, length, "5001");
        assert_eq!(b.work()[0], length);
        b.edit(&text.replacen("p0 :- p1.", "p0.", 1));
        timed("root cut off", &b, length, "1");
        b.work();
        b.edit(&text);
        timed("root joined", &b, length, "5000");
        assert_eq!(b.work()[0], 1);
        // Adds a new leaf below the old one.
        b.edit(&(chain(length, "leaf") + "leaf.\n"));
        timed("leaf extended", &b, length + 1, "5001");
    });
}

#[test]
fn two_threads_may_ask_at_once() {
    let b = Bench::new(
        &(0..300)
            .map(|i| format!("p{i} :- p{}, p{}.\n", i + 1, i + 2))
            .collect::<String>(),
    );
    let expected = Bench::new(&b.file.parsed(&b.db).text).report();
    let reports: Vec<Vec<String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let b = Bench {
                    db: b.db.clone(),
                    file: b.file,
                    executed: Arc::default(),
                };
                scope.spawn(move || b.report())
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for report in reports {
        assert_eq!(report, expected);
    }
}

#[test]
fn predicates_that_call_each_other_are_solved_once() {
    let text = "\
%! a(+Xs:list(int)).
a([]).
a([_|Xs]) :- b(Xs).
%! b(+Xs:list(int)).
b([]).
b([_|Xs]) :- c(Xs).
%! c(+Xs:list(int)).
c([]).
c([_|Xs]) :- a(Xs).
";
    let bench = Bench::inferred_by(infer, text, &[]);
    let reports = bench.report();
    assert_eq!(reports.len(), 3);
    // Three calls are made in turn; the second and the third reuse the results of the first.
    assert_eq!(bench.executed(["summary", "solved_up_to"]), [3, 3]);
}

#[test]
fn a_table_is_counted_again_where_a_fact_of_it_changed_and_its_callers_are_not() {
    let text = |rule: &str, value: &str| {
        let mut text = format!("first(Y) :- {rule}edge(1, Y).\n");
        for i in 0..4_100 {
            text.push_str(&format!("edge({i}, v{}).\n", i % 9));
        }
        text + &format!("edge(4100, {value}).\nlast(Y) :- first(Y).\n")
    };
    let mut bench = Bench::inferred_by(infer, &text("", "w"), &[]);
    let before = bench.report();
    // Each of the three predicates is tested for being a table.
    assert_eq!(bench.executed(["table_of", "first_order"])[0], 3);
    // Edits only the rule.
    bench.edit(&text("true, ", "w"));
    assert_eq!(bench.report(), before);
    assert_eq!(bench.executed(["table_of", "report"])[0], 1);
    // Edits a fact without changing the counts.
    bench.edit(&text("true, ", "u"));
    assert_eq!(bench.report(), before);
    assert_eq!(bench.executed(["table_of", "summary", "report"]), [1, 0, 0]);
}
