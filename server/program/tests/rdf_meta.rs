#![cfg(test)]
//! Tests which clauses `library(semweb/rdf_prefixes)` expands, and the expanded clauses.

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_program::workspace::Workspace;
use costlens_program::*;
use costlens_syntax::{Parsed, Term, Terms, write_term};
use salsa::Setter as _;
use smol_str::SmolStr;

#[salsa::db]
#[derive(Clone, Default)]
struct TestDb {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for TestDb {}
#[salsa::db]
impl Db for TestDb {}

/// The files of the library folder.
const LIBRARIES: [(&str, &str); 2] = [
    (
        "lib/semweb/rdf_prefixes.pl",
        ":- module(rdf_prefixes, [rdf_register_prefix/2, rdf_meta/1, op(1150, fx, rdf_meta)]).\n",
    ),
    (
        "lib/lists.pl",
        ":- module(lists, [subset/2]).\nsubset(_, _).\n",
    ),
];

/// The beginning of a program.
const START: &str = "
:- use_module(library(semweb/rdf_prefixes)).
:- rdf_register_prefix(ex, 'e#').
";

/// A program of several files.
struct Program {
    db: TestDb,
    files: BTreeMap<SmolStr, SourceFile>,
}

impl Program {
    fn new(texts: &[(&str, &str)]) -> Self {
        let mut db = TestDb::default();
        let mut files: BTreeMap<SmolStr, SourceFile> = BTreeMap::new();
        for &(name, text) in texts.iter().chain(&LIBRARIES) {
            let file = SourceFile::new(&db, name.into(), Parsed::new(text), Role::User);
            files.insert(name.into(), file);
        }
        let workspace = Workspace::get_or_create(&mut db);
        workspace.set_files(&mut db).to(Arc::new(files.clone()));
        workspace
            .set_libraries(&mut db)
            .to(Arc::from([SmolStr::new("lib")]));
        let listed = (Functor::new("subset", 2), SmolStr::new("lib/lists.pl"));
        workspace
            .set_autoload(&mut db)
            .to(Arc::new([listed].into_iter().collect()));
        Program { db, files }
    }

    fn file(&self, name: &str) -> SourceFile {
        self.files[name]
    }

    /// Returns the analysed clauses of a predicate, or `?` if an expansion may have changed the written ones.
    fn clauses(&self, file: &str, predicate: &str) -> String {
        let db = &self.db;
        let (name, arity) = predicate.rsplit_once('/').unwrap();
        let functor = Functor::new(name, arity.parse().unwrap());
        let found = find(db, self.file(file), &functor).expect(predicate);
        match expanded_by(db, found) {
            Some(hook) => {
                assert!(hook.contains("rdf_prefixes"), "{hook}");
                "?".into()
            }
            None => texts_of(&first_order(db, found)).join(" "),
        }
    }

    /// Asserts the clauses of predicates in a file; those of `?` may be expanded.
    #[track_caller]
    fn check(&self, file: &str, expected: &[(&str, &str)]) {
        for (predicate, clauses) in expected {
            assert_eq!(self.clauses(file, predicate), *clauses, "{predicate}");
        }
    }
}

/// Asserts the clauses of predicates in a file that follows [`START`].
#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let text = format!("{START}{text}");
    Program::new(&[("main.pl", &text)]).check("main.pl", expected);
}

/// Returns the texts of clauses, with the variables in the order of their first occurrences.
fn texts_of(clauses: &[Clause]) -> Vec<String> {
    let text = |clause: &Clause| {
        let mut terms = Terms::clone(&clause.terms);
        let head = match clause.guard {
            Some(guard) => terms.compound(",", &[clause.head, guard]),
            None => clause.head,
        };
        let neck = match clause.kind {
            ClauseKind::SingleSided => "=>",
            _ => ":-",
        };
        let root = match clause.body {
            Some(body) => terms.compound(neck, &[head, body]),
            None => head,
        };
        let mut order: Vec<u32> = Vec::new();
        for part in terms.subterms(root) {
            if let Term::Var(v) = terms.get(part)
                && !order.contains(v)
            {
                order.push(*v);
            }
        }
        let names: Vec<SmolStr> = (0..terms.variables())
            .map(|v| match order.iter().position(|&o| o == v) {
                Some(place) => format!("V{place}").into(),
                None => "_".into(),
            })
            .collect();
        format!("{}.", write_term(&terms, root, Some(&names)))
    };
    clauses.iter().map(text).collect()
}

#[test]
fn only_prefixed_names_in_declared_arguments_matter() {
    check(
        "
:- rdf_meta p(r, -), o(o), t(t), g(g).
p(X, ex:a) :- q(ex:b), p(X, ex:c).
p(\"a\", _). p(f(ex:a), 1). p(_, X) :- X = ex:a.
o(X:ex). o(ex:_). o(f(ex:a)). o(literal(ex:a)). o(literal(lang(en, ex:a))). o(ex:[]).
t(X:ex) :- q(X). t(\"a\":b). t([ex|1.0]).
g(ex:_). g(f(ex:a)).
q(ex:a).
none(_) :- p(_, ex:a), p(x, y).
",
        &[
            (
                "p/2",
                "p(V0,ex:a) :- q(ex:b),p(V0,ex:c). p(\"a\",V0). p(f(ex:a),1). p(V0,V1) :- V1 = ex:a.",
            ),
            (
                "o/1",
                "o(V0:ex). o(ex:V0). o(f(ex:a)). o(literal(ex:a)). o(literal(lang(en,ex:a))). o(ex:[]).",
            ),
            ("t/1", "t(V0:ex) :- q(V0). t(\"a\":b). t([ex|1.0])."),
            ("g/1", "g(ex:V0). g(f(ex:a))."),
            ("q/1", "q(ex:a)."),
            ("none/1", "none(V0) :- p(V1,ex:a),p(x,y)."),
        ],
    );
}

#[test]
fn arguments_are_translated_by_their_types() {
    check(
        "
:- rdf_meta p(r), o(o), t(t), g(g).
p(ex:a). p(rdf:type). p(ex:'b c'). p('e#d').
o(ex:a). o(literal(type(ex:t, ex:v))). o(^^(ex:v, ex:t)).
o(literal(f(ex:q), type(ex:t, ex:v))). o(literal(f(ex:q), ex:v)).
t(f([ex:a, X:b|ex:c], \"d\")) :- p(X). t(_{k: ex:a}).
g(ex:a).
",
        &[
            (
                "p/1",
                "p('e#a'). p('http://www.w3.org/1999/02/22-rdf-syntax-ns#type'). p('e#b c'). p('e#d').",
            ),
            (
                "o/1",
                "o('e#a'). o(literal(type('e#t',ex:v))). o(^^(ex:v,'e#t')). o(literal(f('e#q'),type('e#t',ex:v))). o(literal(f('e#q'),ex:v)).",
            ),
            (
                "t/1",
                "t(f(['e#a',V0:b|'e#c'],\"d\")) :- p(V0). t(dict(V0,k,'e#a')).",
            ),
            ("g/1", "g('e#a')."),
        ],
    );
}

/// A resource must have two atoms, and a prefix must be registered; a result that contains a prefixed name is translated again in goals.
#[test]
fn terms_that_raise_errors_are_not_followed() {
    check(
        "
:- rdf_register_prefix(a, 'a#').
:- rdf_meta p(r), t(t), c(:).
:- rdf_meta e(x), f(r).
:- rdf_meta (g(r), h(r)), i(r).
p(unknown:a). q :- p(unknown:a). q1(X) :- p(ex:X). q2 :- p(ex:[]). q3 :- p(ex:(a:b)).
t(unknown:a). t1 :- t(a:(ex:b)). t2 :- t(a:[ex:b]).
c(_). c1 :- c((c(x), true)). c2(X) :- c(X), c(p(x)). c3 :- c(p(ex:a)). c4 :- c(user:p(ex:a)).
e(ex:a). e1 :- e(a). f(ex:a). i(ex:a).
",
        &[
            ("p/1", "?"),
            ("q/0", "?"),
            ("q1/1", "?"),
            ("q2/0", "?"),
            ("q3/0", "?"),
            ("t/1", "?"),
            ("t1/0", "?"),
            ("t2/0", "?"),
            ("c/1", "c(V0)."),
            ("c1/0", "?"),
            ("c2/1", "c2(V0) :- c(V0),c(p(x))."),
            ("c3/0", "c3 :- c(p('e#a'))."),
            ("c4/0", "?"),
            // The declaration raises an error.
            ("e/1", "?"),
            ("e1/0", "e1 :- e(a)."),
            ("f/1", "?"),
            ("i/1", "?"),
        ],
    );
}

#[test]
fn declarations_and_prefixes_precede_the_clause() {
    check(
        "
early(ex:a).
late_prefix(_) :- early(ex:b).
:- rdf_meta early(r), p(r), q(r), s(r), u(r), v(r).
after(_) :- early(ex:c).
p(late:a).
:- rdf_register_prefix(late, 'l#').
q(late:a).
:- rdf_prefix(own, 'o#').
s(own:a).
:- if(current_prolog_flag(unknown_flag, _)).
:- rdf_meta w(r).
:- rdf_register_prefix(perhaps, 'x#').
:- endif.
u(perhaps:a).
w(ex:a).
:- initialization(rdf_register_prefix(at_end, 'y#')).
v(at_end:a).
",
        &[
            ("early/1", "?"),
            ("late_prefix/1", "?"),
            ("after/1", "after(V0) :- early('e#c')."),
            ("p/1", "?"),
            ("q/1", "q('l#a')."),
            ("s/1", "s('o#a')."),
            ("u/1", "?"),
            ("w/1", "?"),
            ("v/1", "?"),
        ],
    );
}

#[test]
fn prefixes_with_several_values_are_unknown() {
    let with = |goal: &str| {
        let text = format!(
            "{START}{goal}\n:- rdf_meta p(r), q(r), s(r).\np(ex:a).\nq(rdf:a).\ns(other:a).\n"
        );
        let program = Program::new(&[("main.pl", &text)]);
        ["p/1", "q/1", "s/1"].map(|p| program.clauses("main.pl", p) != "?")
    };
    for (goal, known) in [
        ("", [true, true, false]),
        (":- rdf_register_prefix(ex, 'e#').", [true, true, false]),
        (
            ":- rdf_register_ns(ex, 'f#', [force(true)]).",
            [false, true, false],
        ),
        (":- rdf_prefix(ex, 'f#').", [false, true, false]),
        (
            ":- rdf_register_prefix(other, 'o#'), q.",
            [true, true, true],
        ),
        (
            ":- q, rdf_register_prefix(other, 'o#').",
            [true, true, false],
        ),
        (":- rdf_register_prefix(other, X).", [true, true, false]),
        (
            ":- ( q -> rdf_register_prefix(other, 'o#') ; true ).",
            [true, true, false],
        ),
        // Another goal may register any prefix before its directive, but not replace those of the library.
        (
            ":- q(P), rdf_register_prefix(P, 'u#').",
            [false, true, false],
        ),
        (":- rdf_load(file).", [false, true, false]),
        (
            ":- maplist(rdf_register_prefix, [a], [b]).",
            [false, false, false],
        ),
        (":- rdf_unregister_prefix(ex).", [false, false, false]),
        ("rdf_db:ns(other, 'o#').", [false, false, false]),
        // A clause matters if a directive may call it.
        ("r(P, U) :- rdf_register_prefix(P, U).", [true, true, false]),
        (
            "r(P, U) :- rdf_register_prefix(P, U).\n:- start.\nstart :- findall(P, r(P, u), _).",
            [false, true, false],
        ),
        (
            "r(P, U, O) :- rdf_register_prefix(P, U, O).\n:- initialization(r(a, b, [])).",
            [false, false, false],
        ),
        ("r :- retractall(rdf_db:ns(_, _)).", [true, true, false]),
        (
            "r :- retractall(rdf_db:ns(_, _)).\n:- start(r).\nstart(G) :- call(G).",
            [false, false, false],
        ),
        (
            "r :- rdf_unregister_prefix(rdf).\nuser:term_expansion(x, y) :- r.",
            [false, false, false],
        ),
        ("rdf_unregister_prefix(_).\n", [true, true, false]),
        ("r(P, U) :- rdf_db:ns(P, U).", [true, true, false]),
        (
            ":- use_module(library(semweb/rdf_prefixes), [rdf_unregister_prefix/1]).",
            [true, true, false],
        ),
    ] {
        assert_eq!(with(goal), known, "{goal}");
    }
}

#[test]
fn goals_are_translated_where_the_system_expands_them() {
    check(
        "
:- rdf_meta p(r), p(r, -).
p(ex:a). p(ex:a, _).
control :- ( p(ex:a) -> \\+ p(ex:b) ; p(ex:c) *-> p(ex:d) ; p(ex:e), ! ).
meta(L) :- findall(X, p(ex:a, X), L), forall(p(ex:b), p(ex:c)), catch(p(ex:d), _, p(ex:e)).
grouped(L) :- setof(X, Y^p(ex:a, X-Y), L).
quantified(L) :- findall(X, Y^p(ex:a, X-Y), L).
closure(L) :- maplist(p(ex:a), L).
added(X) :- call(p(ex:a), X).
library(N) :- aggregate_all(count, p(ex:a), N).
bar :- ( p(ex:a) | p(ex:b) ).
data(G) :- G = p(ex:a), assertz(p(ex:b)).
own :- user:p(ex:a).
other :- m:p(ex:a).
variable(M) :- M:p(ex:a).
lambda(L) :- maplist([X]>>p(ex:a, X), L).
",
        &[
            (
                "control/0",
                "control :- p('e#a') -> \\+p('e#b') ; p('e#c') *-> p('e#d') ; p('e#e'),!.",
            ),
            (
                "meta/1",
                "meta(V0) :- findall(V1,p('e#a',V1),V0),forall(p('e#b'),p('e#c')),catch(p('e#d'),V2,p('e#e')).",
            ),
            (
                "grouped/1",
                "grouped(V0) :- setof(V1,V2^p('e#a',V1-V2),V0).",
            ),
            ("quantified/1", "?"),
            ("closure/1", "?"),
            ("added/1", "?"),
            ("library/1", "?"),
            ("bar/0", "?"),
            ("data/1", "data(V0) :- V0 = p(ex:a),assertz(p(ex:b))."),
            ("own/0", "own :- p('e#a')."),
            ("other/0", "?"),
            ("variable/1", "?"),
            ("lambda/1", "?"),
        ],
    );
}

/// Neither the heads of grammar rules nor clauses in a module are expanded.
#[test]
fn heads_are_translated_in_clauses_as_written() {
    check(
        "
:- rdf_meta g(r, ?, ?), p(r), s(r, -).
g(ex:a) --> [x], { p(ex:b) }, g(ex:c).
s(ex:a, X) => X = 1, p(ex:b).
s(ex:c, X), p(ex:d) => X = 2.
user:p(ex:a).
user:p(ex:b) :- true.
:- rdf_meta q(r), t(r).
user:(q(ex:a) :- p(ex:b)).
:- begin_tests(a).
t(ex:a).
:- end_tests(a).
",
        &[
            (
                "g/3",
                "g(ex:a,V0,V1) :- V0 = [x|V2],(p('e#b'),V3 = V2),g('e#c',V3,V1).",
            ),
            (
                "s/2",
                "s('e#a',V0) => V0 = 1,p('e#b'). s('e#c',V0),p('e#d') => V0 = 2.",
            ),
            ("p/1", "p('e#a'). p('e#b') :- true."),
            ("q/1", "?"),
            ("t/1", "?"),
        ],
    );
}

#[test]
fn a_name_refers_to_its_module_when_the_clause_is_loaded() {
    // `subset/2` is autoloaded until it is defined.
    check(
        "
:- rdf_meta subset(r, -), mine(r), writeln(r).
forward(_) :- mine(ex:a).
mine(ex:b).
autoloaded(_) :- subset(ex:a, _).
subset(ex:b, _).
defined(_) :- subset(ex:c, _).
built_in(_) :- writeln(ex:a).
",
        &[
            ("forward/1", "forward(V0) :- mine('e#a')."),
            ("autoloaded/1", "?"),
            ("subset/2", "subset('e#b',V0)."),
            ("defined/1", "defined(V0) :- subset('e#c',V1)."),
            ("built_in/1", "?"),
        ],
    );
    let program = Program::new(&[
        (
            "main.pl",
            &format!(
                "{START}early(_) :- p(ex:a).\n:- use_module(declares).\n:- use_module(plain).\nk(_) :- p(ex:a), q(ex:b).\n:- use_module(declares, [p/1 as pp]).\nl(_) :- pp(ex:a).\n"
            ),
        ),
        (
            "declares.pl",
            &format!(":- module(declares, [p/1]).\n{START}:- rdf_meta p(r).\np(ex:a).\n"),
        ),
        // The same name in another module.
        (
            "plain.pl",
            &format!(":- module(plain, [q/1]).\n{START}p(ex:a).\nq(ex:a) :- p(ex:b).\n"),
        ),
    ]);
    program.check("declares.pl", &[("p/1", "p('e#a').")]);
    program.check(
        "plain.pl",
        &[("p/1", "p(ex:a)."), ("q/1", "q(ex:a) :- p(ex:b).")],
    );
    program.check(
        "main.pl",
        &[
            ("early/1", "?"),
            ("k/1", "k(V0) :- p('e#a'),q(ex:b)."),
            // The declaration is that of p/1.
            ("l/1", "l(V0) :- pp(ex:a)."),
        ],
    );
}

#[test]
fn files_are_read_in_the_order_of_the_directives() {
    let start = ":- use_module(library(semweb/rdf_prefixes)).\n";
    let main = format!(
        "{start}:- use_module(words).\n:- rdf_meta p(r).\n:- ensure_loaded(part).\np(w:b).\n:- rdf_meta late(r).\n"
    );
    let other = format!("{start}:- ensure_loaded(part2).\n:- rdf_meta p2(r).\n");
    let program = Program::new(&[
        ("main.pl", &main),
        (
            "words.pl",
            ":- module(words, []).\n:- use_module(library(semweb/rdf_prefixes)).\n:- rdf_register_prefix(w, 'w#').\n:- rdf_prefix(here, 'h#').\n",
        ),
        (
            "part.pl",
            "q(_) :- p(w:a).\nlate(w:a).\nr(_) :- p(here:a).\n",
        ),
        ("other.pl", &other),
        ("part2.pl", "p2(rdf:a).\n"),
    ]);
    program.check("main.pl", &[("p/1", "p('w#b').")]);
    program.check(
        "part.pl",
        &[("q/1", "q(V0) :- p('w#a')."), ("late/1", "?"), ("r/1", "?")],
    );
    program.check("part2.pl", &[("p2/1", "?")]);
}

/// While files load each other, an exported predicate may not be defined yet.
#[test]
fn a_circle_of_files_is_not_followed() {
    let program = Program::new(&[
        ("main.pl", ":- use_module(one).\n"),
        (
            "one.pl",
            &format!(
                ":- module(one, [q/1]).\n{START}:- rdf_meta q(r).\n:- use_module(two).\nq(ex:a) :- s(ex:b).\n"
            ),
        ),
        (
            "two.pl",
            &format!(
                ":- module(two, [s/1]).\n{START}:- use_module(one).\n:- rdf_meta s(r).\ns(ex:a) :- q(ex:b).\n"
            ),
        ),
    ]);
    program.check("one.pl", &[("q/1", "q('e#a') :- s('e#b').")]);
    program.check("two.pl", &[("s/1", "?")]);
}
