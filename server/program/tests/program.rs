#![cfg(test)]
//! Tests the results of this crate's queries, and the recomputation after an edit.

use std::sync::{Arc, Mutex};

use costlens_program::positions::positions;
use costlens_program::*;
use costlens_syntax::Parsed;
use salsa::Setter as _;

#[salsa::db]
#[derive(Clone)]
struct TestDb {
    storage: salsa::Storage<Self>,
    executed: Arc<Mutex<Vec<String>>>,
}

#[salsa::db]
impl salsa::Database for TestDb {}
#[salsa::db]
impl Db for TestDb {}

impl TestDb {
    fn new() -> Self {
        let executed: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&executed);
        Self {
            storage: salsa::Storage::new(Some(Box::new(move |event| {
                if let salsa::EventKind::WillExecute { database_key } = event.kind {
                    log.lock().unwrap().push(format!("{database_key:?}"));
                }
            }))),
            executed,
        }
    }

    fn executed(&self, query: &str) -> usize {
        let log = std::mem::take(&mut *self.executed.lock().unwrap());
        log.iter()
            .filter(|l| l.starts_with(&format!("{query}(")))
            .count()
    }

    fn file(&self, text: &str) -> SourceFile {
        SourceFile::new(self, "test.pl".into(), Parsed::new(text), Role::User)
    }
}

fn names(db: &TestDb, file: SourceFile) -> Vec<String> {
    predicates(db, file)
        .iter()
        .map(|p| format!("{} {}", p.functor(db), p.clauses(db).len()))
        .collect()
}

fn called(db: &TestDb, text: &str) -> Vec<String> {
    let file = db.file(text);
    let first = predicates(db, file)[0];
    callees(db, first).iter().map(ToString::to_string).collect()
}

fn order(db: &TestDb, file: SourceFile) -> Vec<Vec<String>> {
    components(db, file)
        .order
        .iter()
        .map(|c| c.members(db).iter().map(ToString::to_string).collect())
        .collect()
}

#[test]
fn discontiguous_clauses_are_gathered() {
    let db = TestDb::new();
    let file = db.file("p(1). q. p(2). p(X) :- q. r --> p. :- dynamic s/1.");
    assert_eq!(names(&db, file), ["p/1 3", "q/0 1", "r/2 1"]);
}

#[test]
fn clauses_of_other_modules_and_unreadable_ones_belong_to_no_predicate() {
    let db = TestDb::new();
    let file = db.file("user:portray(X) :- q. p(. q. 17. X :- q. \"s\" :- q. [a].");
    // The clauses of a file without a module are also in `user`.
    assert_eq!(names(&db, file), ["portray/1 1", "q/0 1"]);
    let file = db.file(":- module(m, []). user:portray(X) :- q. m:r. q.");
    assert_eq!(names(&db, file), ["r/0 1", "q/0 1"]);
}

#[test]
fn guards_and_kinds_are_told_apart() {
    let db = TestDb::new();
    let file = db.file("p(X), X > 1 => q. p(_) => true. a, [b] --> [c]. f(x). g :- f(_).");
    let kinds: Vec<_> = predicates(&db, file)
        .iter()
        .flat_map(|p| {
            p.clauses(&db)
                .iter()
                .map(|c| (p.functor(&db).to_string(), c.kind, c.guard.is_some()))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(
        kinds,
        [
            ("p/1".to_owned(), ClauseKind::SingleSided, true),
            ("p/1".to_owned(), ClauseKind::SingleSided, false),
            ("a/2".to_owned(), ClauseKind::Rule, false),
            ("f/1".to_owned(), ClauseKind::Fact, false),
            ("g/0".to_owned(), ClauseKind::Rule, false),
        ]
    );
}

#[test]
fn calls_are_found_through_control_and_visible_closures() {
    let db = TestDb::new();
    assert_eq!(
        called(
            &db,
            "p(Xs) :- ( a -> b ; \\+ c ), maplist(d(1), Xs), findall(X, e(X), _), call(f, 1, 2), foldl([X,Y,Z]>>g(X,Y,Z), Xs, 0, _), m:h, bagof(X, Y^i(X,Y), _), call(G)."
        ),
        [
            ",/2",
            "->/2",
            ":/2",
            ";/2",
            "\\+/1",
            "a/0",
            "b/0",
            "bagof/3",
            "c/0",
            "call/1",
            "call/3",
            "d/2",
            "e/1",
            "f/2",
            "findall/3",
            "foldl/4",
            "g/3",
            "i/2",
            "m:h/0",
            "maplist/2"
        ]
    );
}

#[test]
fn components_come_bottom_up() {
    let db = TestDb::new();
    let file = db.file("main :- even(4), nrev. even(0). even(N) :- odd(N). odd(N) :- even(N). nrev :- nrev, app. app.");
    let order = order(&db, file);
    let place = |name: &str| {
        order
            .iter()
            .position(|c| c.iter().any(|m| m == name))
            .unwrap()
    };
    assert_eq!(order[place("even/1")], ["even/1", "odd/1"]);
    assert!(
        place("app/0") < place("nrev/0")
            && place("nrev/0") < place("main/0")
            && place("even/1") < place("main/0")
    );
}

#[test]
fn directives_become_facts() {
    let db = TestDb::new();
    let file = db.file(
        ":- module(m, [p/1, q//2]). :- dynamic a/1, b/2. :- dynamic([c/3]). :- table t(_,min). :- multifile m:h/1. \
         :- use_module(library(lists)). :- use_module(other, [x/1]). :- initialization(main). :- det(d/1).",
    );
    let facts = facts(&db, file);
    assert_eq!(facts.module.as_deref(), Some("m"));
    assert!(facts.exports.contains(&Functor::new("q", 4)));
    for (name, arity) in [("a", 1), ("b", 2), ("c", 3), ("h", 1)] {
        assert!(facts.is_open(&Functor::new(name, arity)), "{name}/{arity}");
    }
    assert!(facts.tabled.contains(&Functor::new("t", 2)));
    assert!(facts.started.contains(&Functor::new("main", 0)));
    assert!(facts.det.contains(&Functor::new("d", 1)));
    assert_eq!(
        facts.uses.iter().map(AsRef::as_ref).collect::<Vec<&str>>(),
        ["lists", "other"]
    );
}

#[test]
fn a_comment_a_blank_line_and_another_variable_name_change_no_clause() {
    let mut db = TestDb::new();
    let file = db.file("app([], L, L).\napp([H|T], L, [H|R]) :- app(T, L, R).\n");
    assert_eq!(order(&db, file).len(), 1);
    db.executed("");
    for text in [
        "% why\napp([], L, L).\napp([H|T], L, [H|R]) :- app(T, L, R).\n",
        "app([], L, L).\n\n\napp([H|T], L, [H|R]) :-\n  app(T, L, R).\n",
        "app([], Ys, Ys).\napp([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).\n",
    ] {
        file.set_parsed(&mut db).to(Parsed::new(text));
        order(&db, file);
        let log = db.executed.lock().unwrap().clone();
        assert!(
            log.iter().all(|l| [
                "terms(",
                "predicates(",
                "loads(",
                "facts(",
                "questions_of(",
                "generated(",
                "expanded_terms("
            ]
            .iter()
            .any(|query| l.starts_with(query))),
            "{log:?}"
        );
        db.executed("");
    }
    file.set_parsed(&mut db).to(Parsed::new(
        "app([], L, L).\napp([H|T], L, [H|R]) :- app(T, L, R), true.\n",
    ));
    order(&db, file);
    assert_eq!(db.executed("callees"), 1);
}

#[test]
fn own_predicates_come_before_those_of_the_library() {
    let mut db = TestDb::new();
    install_library(
        &mut db,
        &[
            ("a.pl", "app(a). low."),
            ("b.pl", "app(b). rev :- app(_), low."),
        ],
    );
    let file = db.file("app(c).");
    let from = |file, name: &str, arity| {
        resolve(&db, file, &Functor::new(name, arity))
            .map(|r| r.predicate().file(&db).path(&db).to_owned())
    };
    assert_eq!(from(file, "app", 1).as_deref(), Some("test.pl"));
    assert_eq!(from(file, "rev", 0).as_deref(), Some("b.pl"));
    assert_eq!(from(file, "none", 0), None);
    let library = Library::get(&db).files(&db).to_vec();
    assert_eq!(from(library[1], "app", 1).as_deref(), Some("b.pl"));
    assert_eq!(from(library[1], "low", 0).as_deref(), Some("a.pl"));
    // Each library file sees the others.
    assert_eq!(from(library[0], "rev", 0).as_deref(), Some("b.pl"));
}

#[test]
fn names_heads_and_variables_have_places() {
    let db = TestDb::new();
    let text =
        "% c\nnrev([], []).\nnrev([X|Xs], Ys) :-\n  nrev(Xs, Zs).\nX @> Y :- X = Y.\n'a b'(1).\n";
    let file = db.file(text);
    let found = positions(&db, file);
    let names: Vec<&str> = found
        .iter()
        .flat_map(|p| &p.clauses)
        .map(|c| &text[c.name.0..c.name.1])
        .collect();
    assert_eq!(names, ["nrev", "nrev", "X @> Y", "'a b'"]);
    let second = &found[0].clauses[1];
    assert_eq!(&text[second.head.0..second.head.1], "nrev([X|Xs], Ys)");
    assert_eq!(second.spans.variables, ["X", "Xs", "Ys", "Zs"]);
}

#[test]
fn conditional_clauses_are_marked() {
    let db = TestDb::new();
    let file =
        db.file(":- if(current_prolog_flag(xpce, true)).\np(1).\n:- else.\np(2).\n:- endif.\nq.\n");
    let marks: Vec<_> = predicates(&db, file)
        .iter()
        .map(|p| p.conditional(&db))
        .collect();
    assert_eq!(marks, [true, false]);
}

/// Returns a term as text in which variables are numbered by first occurrence in the text.
fn written(terms: &costlens_syntax::Terms, id: costlens_syntax::TermId) -> String {
    let mut order: Vec<u32> = Vec::new();
    for part in terms.subterms(id) {
        if let costlens_syntax::Term::Var(v) = terms.get(part)
            && !order.contains(v)
        {
            order.push(*v);
        }
    }
    let names: Vec<_> = (0..terms.variables())
        .map(|v| match order.iter().position(|&o| o == v) {
            Some(place) => format!("V{place}").into(),
            None => "_".into(),
        })
        .collect();
    costlens_syntax::write_term(terms, id, Some(&names))
}

#[test]
fn grammar_rules_are_translated_as_swi_prolog_does() {
    for (rule, clause) in [
        ("a --> [x], b.", "a(A,B) :- A=[x|C], b(C,B)."),
        (
            "a --> \"xy\", !, {p}, \\+c, (d ; e -> f), [].",
            "a(A,B) :- A=[120,121|C], (!,D=C), (p,E=D), (\\+c(E,F),G=E), (d(G,H) ; e(G,I) -> f(I,H)), H=B.",
        ),
        ("a --> [x].", "a(A,B) :- A=[x|B]."),
        ("a, [q] --> b.", "a(A,B) :- b(A,C), B=[q|C]."),
        ("a, {q} --> b.", "a(A,B) :- b(A,C), q, C=B."),
        (
            "a --> X, call(g,1).",
            "a(A,B) :- phrase(X,A,C), call(g,1,C,B).",
        ),
        ("a(Z) --> !, [Z].", "a(Z,A,B) :- (!,C=A), C=[Z|B]."),
        ("a --> [].", "a(A,B) :- A=B."),
        ("a --> {p}.", "a(A,B) :- p, B=A."),
        ("a --> (d | []).", "a(A,B) :- d(A,B) ; A=B."),
        ("a --> m:b.", "a(A,B) :- m:b(A,B)."),
        ("a --> b, !.", "a(A,B) :- b(A,C), !, B=C."),
        ("a, \"q\" --> [].", "a(A,B) :- A=C, B=[113|C]."),
        (
            "a --> (b *-> c ; d).",
            "a(A,B) :- b(A,C) *-> c(C,B) ; d(A,B).",
        ),
        ("a --> {p}, !.", "a(A,B) :- (p,C=A), !, B=C."),
    ] {
        let clause_of = |text: &str| {
            let read = &costlens_syntax::read_text(text).clauses[0];
            assert_eq!(read.error, None, "{text}");
            Clause::from_term(&read.terms, read.root).unwrap()
        };
        let ((functor, translated), (expected_functor, expected)) =
            (clause_of(rule), clause_of(clause));
        assert_eq!(functor, expected_functor);
        assert!(translated.grammar_rule && translated.kind == ClauseKind::Rule);
        let whole = |c: &Clause| {
            let mut terms = (*c.terms).clone();
            let root = terms.compound(":-", &[c.head, c.body.unwrap()]);
            written(&terms, root)
        };
        assert_eq!(whole(&translated), whole(&expected), "{rule}");
    }
}

#[test]
fn a_grammar_rule_keeps_its_places() {
    let db = TestDb::new();
    let text = "% c\ndigits([D|T]) --> [D], \"ab\", digits(T).\n";
    let file = db.file(text);
    let predicate = predicates(&db, file)[0];
    let clause = &predicate.clauses(&db)[0];
    let place = &positions(&db, file)[0].clauses[0];
    assert_eq!(&text[place.name.0..place.name.1], "digits");
    assert_eq!(&text[place.head.0..place.head.1], "digits([D|T])");
    let calls = language::calls(&clause.terms, clause.body.unwrap());
    let written: Vec<&str> = calls
        .iter()
        .filter_map(|c| place.range(c.goal).map(|(from, to)| &text[from..to]))
        .collect();
    assert_eq!(written, ["[D]", "\"ab\"", "digits(T)"]);
    assert!(callees(&db, predicate).contains(&Functor::new("digits", 3)));
}

#[test]
fn long_and_deep_grammar_rules_do_not_overflow() {
    let run = || {
        for body in [
            vec!["a"; 50_000].join(", "),
            format!("{}a{}", "(".repeat(20_000), ")".repeat(20_000)),
            format!("{}a{}", "\\+ (".repeat(20_000), ")".repeat(20_000)),
            format!("\"{}\"", "x".repeat(100_000)),
        ] {
            let read = costlens_syntax::read_text(&format!("p --> {body}."))
                .clauses
                .remove(0);
            assert!(
                Clause::from_term(&read.terms, read.root).is_some(),
                "{}",
                &body[..20]
            );
        }
    };
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

/// Returns the copies in the components of a text.
fn made(db: &TestDb, text: &str) -> Vec<String> {
    let file = db.file(text);
    let mut names: Vec<String> = components(db, file)
        .order
        .iter()
        .flat_map(|c| c.members(db).iter().cloned().collect::<Vec<_>>())
        .filter(|functor| find(db, file, functor).is_some_and(|p| is_made(db, p)))
        .map(|functor| functor.to_string())
        .collect();
    names.sort();
    names
}

const MAP: &str = "map(_, [], []).\nmap(F, [X|Xs], [Y|Ys]) :- call(F, X, Y), map(F, Xs, Ys).\n";

#[test]
fn closures_that_a_call_shows_are_put_into_the_predicates_that_are_called() {
    let db = TestDb::new();
    let make = |clause: &str| made(&db, &format!("{MAP}{clause}"));
    assert_eq!(make("p(X, Y) :- map(add(3), X, Y)."), ["map(add(_1))/3"]);
    assert_eq!(make("p(X, Y) :- F = d, map(F, X, Y)."), ["map(d)/2"]);
    assert_eq!(
        make("p(X, Y) :- map(map(d), X, Y)."),
        ["map(d)/2", "map(map(d))/2"]
    );
    // The called value is unknown.
    assert!(make("p(F, X, Y) :- map(F, X, Y).").is_empty());
    assert!(make("p(X, Y) :- F = [], map(F, X, Y).").is_empty());
    // Clauses may be added to a dynamic predicate.
    assert!(make(":- dynamic map/3.\np(X, Y) :- map(d, X, Y).").is_empty());
}

#[test]
fn a_closure_that_grows_at_each_call_ends_somewhere() {
    let db = TestDb::new();
    let grows = made(&db, "p(F, X) :- call(F, X), p(g(F), X).\nq(X) :- p(f, X).");
    assert!(!grows.is_empty() && grows.len() <= 400, "{}", grows.len());
}

#[test]
fn a_rewritten_literal_keeps_its_id() {
    let db = TestDb::new();
    let file = db.file(&format!("{MAP}p(X, Y) :- q(X), map(d, X, Y)."));
    let p = predicates(&db, file)[1];
    let (before, after) = (p.clauses(&db)[0].clone(), first_order(&db, p)[0].clone());
    let goal = |clause: &Clause| clause.terms.chain(clause.body.unwrap(), ",")[1];
    assert_eq!(goal(&before), goal(&after));
    let name = |clause: &Clause| clause.terms.functor(goal(clause)).unwrap().0.to_string();
    assert_eq!(
        (name(&before), name(&after)),
        ("map".into(), "map(d)".into())
    );
}
