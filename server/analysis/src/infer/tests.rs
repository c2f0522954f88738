//! Programs and the bounds that must come out; the oracle over generated inputs is a whole-program test.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::text::{Names, to_text};
use costlens_program::Clause;
use costlens_syntax::read_text;

use super::{DEFAULT_FUEL, Program, Summary, infer};
use crate::infer::explain::region_text;
use crate::report::{Bound, Origin, PatternReport, PredicateName};
use crate::types::{Pattern, Type};

/// A program without a database: one file, components by reachability.
pub(crate) struct Plain {
    clauses: BTreeMap<PredicateName, Arc<[Clause]>>,
    reach: BTreeMap<PredicateName, Vec<PredicateName>>,
    memo: RefCell<BTreeMap<(PredicateName, Pattern), Arc<Summary>>>,
}

impl Plain {
    pub(crate) fn new(text: &str) -> Self {
        let mut all: BTreeMap<PredicateName, Vec<Clause>> = BTreeMap::new();
        for read in read_text(text).clauses {
            if let Some((name, clause)) = Clause::of(&read.terms, read.root) {
                all.entry(name).or_default().push(clause);
            }
        }
        let mut reach: BTreeMap<PredicateName, Vec<PredicateName>> = BTreeMap::new();
        for (name, clauses) in &all {
            let called = clauses
                .iter()
                .filter_map(|c| Some((c, c.body?)))
                .flat_map(|(c, b)| costlens_program::goals::calls(&c.terms, b))
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

    fn reaches(&self, a: &PredicateName, b: &PredicateName) -> bool {
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
    fn clauses(&self, predicate: &PredicateName) -> Option<Arc<[Clause]>> {
        self.clauses.get(predicate).cloned()
    }
    fn same_component(&self, a: &PredicateName, b: &PredicateName) -> bool {
        a == b || (self.reaches(a, b) && self.reaches(b, a))
    }
    fn is_dynamic(&self, _: &PredicateName) -> bool {
        false
    }
    fn summary(&self, predicate: &PredicateName, pattern: &Pattern) -> Arc<Summary> {
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

/// `lower..upper for region` for each piece, the main one first.
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
    let name = PredicateName::new(name, pattern.len());
    let summary = infer(&name, &Pattern(pattern.to_vec()), &program, DEFAULT_FUEL);
    let report = summary.report(Origin::Declared);
    let found = envelope(&report);
    assert_eq!(
        found, expected,
        "\n{name}\n{:#?}\n{:#?}",
        report.explanation, report.unknown
    );
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

/// Prints the first pattern of every predicate of the files named in `COSTLENS_DUMP`; a tool, not a test.
#[test]
fn dump_of_named_files() {
    let Ok(path) = std::env::var("COSTLENS_DUMP") else {
        return;
    };
    let text = std::fs::read_to_string(&path).unwrap();
    let program = Plain::new(&text);
    let mut finite = 0;
    for read in read_text(&text).clauses {
        let t = &read.terms;
        let Some(&[directive]) = t.matches(read.root, ":-", 1) else {
            continue;
        };
        let Some(&[entry]) = t.matches(directive, "entry", 1) else {
            continue;
        };
        let Some(&[head, pre]) = t.matches(entry, ":", 2) else {
            continue;
        };
        let pattern: Vec<Type> = t
            .chain(pre, ",")
            .into_iter()
            .map(
                |p| match (t.functor(p).map(|f| f.0.as_str()), t.args(p).len()) {
                    (Some("list"), 2) => {
                        let inner = t.args(p)[1];
                        match t.functor(inner) {
                            Some((n, 0)) if n == "int" => ints(),
                            _ => Type::list(ints()),
                        }
                    }
                    (Some("int"), _) => Type::Int,
                    (Some("var"), _) => Type::Free,
                    (Some("ground"), _) => Type::Ground,
                    _ => Type::Nonvar,
                },
            )
            .collect();
        let name = PredicateName::new(t.functor(head).unwrap().0.clone(), pattern.len());
        let start = std::time::Instant::now();
        let report = infer(&name, &Pattern(pattern), &program, DEFAULT_FUEL).report(Origin::Entry);
        let time = start.elapsed();
        let line = envelope(&report);
        finite += usize::from(!line.split(';').next().unwrap().contains('?'));
        println!("{name:14} {time:9.1?} {:?} {line}", report.determinism);
        for u in &report.unknown {
            println!("                   {}: {}", u.cause, u.reason);
        }
        if std::env::var("COSTLENS_EXPLAIN").is_ok_and(|p| p == name.to_string()) {
            println!("{:#?}", report.explanation);
        }
    }
    println!("finite main pieces: {finite}");
}
