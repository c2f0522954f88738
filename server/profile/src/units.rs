//! plunit test units, whose tests are inputs of runs: the units of a file, and the tests that a goal selects.
//!
//! ```prolog
//! :- begin_tests(lists).
//! test(reverses) :- nrev([1,2,3], [3,2,1]).        % run_tests(lists:reverses)
//! :- end_tests(lists).
//! ```

use std::collections::BTreeSet;
use std::ops::Range;

use costlens_program::language::{Clause, UnitMark, directive, unit_mark};
use costlens_syntax::term::{TermId, Terms};
use costlens_syntax::{FileTerms, ReadClause, read_text, write_argument, write_atom};

use crate::directives::defined_by;
use crate::search::Predicate;

/// A unit of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The name, as written.
    pub name: String,
    /// The first byte of the directive that begins it.
    pub offset: usize,
    /// The tests.
    pub tests: Vec<UnitTest>,
    /// The positions of the directives that begin and end the unit.
    pub(crate) marks: Vec<usize>,
}

/// A test: a clause of `test/1` or `test/2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitTest {
    /// The name, as written.
    pub name: String,
    /// The first byte of its clause.
    pub offset: usize,
    /// The position of its clause in the file.
    pub clause: usize,
    /// Set if the name needs no parentheses after a colon.
    is_plain: bool,
}

impl Unit {
    /// Returns the goal that runs the tests of the unit.
    #[must_use]
    pub fn goal(&self) -> String {
        format!("run_tests({})", self.name)
    }

    /// Returns the goal that runs one test of the unit.
    #[must_use]
    pub fn goal_of(&self, test: &UnitTest) -> String {
        match test.is_plain {
            true => format!("run_tests({}:{})", self.name, test.name),
            false => format!("run_tests({}:({}))", self.name, test.name),
        }
    }
}

/// Returns the units of a file. A unit without an end directive extends to the end of the file.
#[must_use]
pub fn units(file: &FileTerms) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::new();
    let mut is_open = false;
    for (number, read) in file.clauses.iter().enumerate() {
        let terms = &read.terms;
        if let Some(goal) = directive(terms, read.root) {
            match unit_mark(terms, goal) {
                Some(UnitMark::Begin) => {
                    let name = terms.args(goal).first();
                    found.push(Unit {
                        name: name.map_or_else(String::new, |&name| text(read, name)),
                        offset: read.range.0,
                        tests: Vec::new(),
                        marks: vec![number],
                    });
                    is_open = true;
                }
                Some(UnitMark::End) => {
                    is_open = false;
                    if let Some(unit) = found.last_mut() {
                        unit.marks.push(number);
                    }
                }
                None => {}
            }
        } else if is_open
            && let Some(unit) = found.last_mut()
            && let Some((functor, clause)) = Clause::from_term(terms, read.root)
            && functor.name == "test"
            && matches!(functor.arity, 1 | 2)
            && let Some(&name) = clause.terms.args(clause.head).first()
        {
            unit.tests.push(UnitTest {
                name: text(read, name),
                offset: read.range.0,
                clause: number,
                is_plain: is_plain(&clause.terms, name, &text(read, name)),
            });
        }
    }
    found
}

/// Returns whether a name is a constant or a compound in functional notation, which needs no parentheses after the colon; most operators
/// bind more weakly than the colon. A name that begins with a sign also needs parentheses, since the colon would merge with the sign:
/// `a:-1`.
fn is_plain(terms: &Terms, name: TermId, text: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_punctuation() && !"'\"`([{_".contains(c);
    if text.starts_with(is_sign) {
        return false;
    }
    terms.functor(name).is_none_or(|(functor, arity)| {
        arity == 0 || text.starts_with(&format!("{}(", write_atom(functor)))
    })
}

fn text(read: &ReadClause, id: TermId) -> String {
    write_argument(&read.terms, id, Some(&read.spans.variables))
}

/// The tests that a goal selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectedTests {
    /// Units and tests (all tests of a unit if no test is named); `None` for all units.
    named: Option<Vec<(String, Option<String>)>>,
}

/// Returns the tests that a plunit goal runs: `run_tests`, `run_tests(Unit)`, `run_tests(Unit:Test)` and lists of these. Returns `None` for
/// any other goal.
#[must_use]
pub fn asked(goal: &str) -> Option<SelectedTests> {
    let goal = goal.trim().trim_end_matches('.');
    let read = read_text(&format!("{goal} ."));
    let [clause] = &read.clauses[..] else {
        return None;
    };
    let terms = &clause.terms;
    let named = match (terms.functor(clause.root)?, terms.args(clause.root)) {
        ((name, 0), _) if name == "run_tests" => None,
        ((name, 1), &[which]) if name == "run_tests" => {
            let mut named = Vec::new();
            for unit in elements(terms, which) {
                let Some(&[unit, tests]) = terms.matches(unit, ":", 2) else {
                    named.push((text(clause, unit), None));
                    continue;
                };
                for test in elements(terms, tests) {
                    named.push((text(clause, unit), Some(text(clause, test))));
                }
            }
            Some(named)
        }
        _ => return None,
    };
    Some(SelectedTests { named })
}

/// Returns the elements of a list; for any other term, the term itself.
fn elements(terms: &Terms, id: TermId) -> Vec<TermId> {
    match terms.list(id) {
        (elements, _) if !elements.is_empty() => elements,
        _ => vec![id],
    }
}

impl SelectedTests {
    /// Returns whether specific units or tests are named.
    #[must_use]
    pub fn names_some(&self) -> bool {
        self.named.is_some()
    }

    /// Returns whether a test is selected.
    #[must_use]
    pub fn has(&self, unit: &str, test: &str) -> bool {
        let is_it = |(of, named): &(String, Option<String>)| {
            of == unit && named.as_ref().is_none_or(|name| name == test)
        };
        self.named.as_ref().is_none_or(|all| all.iter().any(is_it))
    }
}

/// Removes from an order of loading the clauses that a machine without plunit cannot use: the directives around units, and the tests that
/// are not selected. Returns the number of remaining tests.
pub fn select(
    asked: Option<&SelectedTests>,
    files: &[&FileTerms],
    order: &mut Vec<(usize, Range<usize>)>,
) -> usize {
    let (mut kept, mut left_out) = (0, Vec::new());
    for (number, file) in files.iter().enumerate() {
        for unit in units(file) {
            left_out.extend(unit.marks.iter().map(|&at| (number, at)));
            for test in &unit.tests {
                match asked.is_none_or(|asked| asked.has(&unit.name, &test.name)) {
                    true => kept += 1,
                    false => left_out.push((number, test.clause)),
                }
            }
        }
    }
    left_out.sort_unstable();
    let cut = |(number, run): &(usize, Range<usize>)| {
        let mut runs = Vec::new();
        let mut from = run.start;
        let gone = { left_out.iter() }.filter(|(of, at)| of == number && run.contains(at));
        for &(_, at) in gone {
            runs.push((*number, from..at));
            from = at + 1;
        }
        // Keep empty ranges: at the end of a file its last directives run.
        runs.push((*number, from..run.end));
        runs
    };
    *order = order.iter().flat_map(cut).collect();
    kept
}

/// Returns the predicates with clauses in a file, except for the tests of its units.
#[must_use]
pub fn defined_without_tests(file: &FileTerms) -> Vec<Predicate> {
    let units = units(file);
    let tests = units.iter().flat_map(|unit| &unit.tests);
    let tests: BTreeSet<usize> = tests.map(|test| test.clause).collect();
    defined_by(file, &|number| !tests.contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "p(1).
:- begin_tests(a).
test(one) :- p(1).
test('a + b', [true]) :- p(2).
help(3).
test(f(x+y)) :- p(3).
test(x+y) :- p(4).
test(-1) :- p(6).
test(+) :- p(7).
:- end_tests(a).
test(none) :- p(0).
:- begin_tests(b, [setup(p(1))]).
test(one) :- p(5).
";

    fn file() -> FileTerms {
        read_text(PROGRAM)
    }

    fn kept(goal: &str) -> Vec<usize> {
        let file = file();
        let mut order = vec![(0, 0..file.clauses.len())];
        select(asked(goal).as_ref(), &[&file], &mut order);
        let all = order.into_iter().flat_map(|(_, run)| run);
        let tests: Vec<usize> = units(&file)
            .iter()
            .flat_map(|u| &u.tests)
            .map(|t| t.clause)
            .collect();
        all.filter(|at| tests.contains(at)).collect()
    }

    #[test]
    fn goals_name_tests_as_they_are_written() {
        let units = units(&file());
        let goals: Vec<String> = (units.iter())
            .flat_map(|u| std::iter::once(u.goal()).chain(u.tests.iter().map(|t| u.goal_of(t))))
            .collect();
        assert_eq!(
            goals,
            [
                "run_tests(a)",
                "run_tests(a:one)",
                "run_tests(a:'a + b')",
                "run_tests(a:f(x+y))",
                "run_tests(a:(x+y))",
                "run_tests(a:(-1))",
                "run_tests(a:(+))",
                "run_tests(b)",
                "run_tests(b:one)"
            ]
        );
        // Each goal must select the tests for which it was built.
        let tests: Vec<usize> = (units.iter())
            .flat_map(|u| &u.tests)
            .map(|t| t.clause)
            .collect();
        for unit in &units {
            let own: Vec<usize> = unit.tests.iter().map(|t| t.clause).collect();
            assert_eq!(kept(&unit.goal()), own);
            for test in &unit.tests {
                assert_eq!(kept(&unit.goal_of(test)), [test.clause], "{}", test.name);
            }
        }
        assert_eq!(kept("run_tests"), tests);
        assert_eq!(kept("run_tests([b, a:[one, x+y]])").len(), 3);
        assert_eq!(kept("run_tests(c)").len(), 0);
    }

    #[test]
    fn other_goals_ask_for_no_tests() {
        for goal in [
            "p(1)",
            "run_tests, p(1)",
            "run_tests(a, b)",
            "",
            "run_tests(",
            "X",
        ] {
            assert_eq!(asked(goal), None, "{goal}");
        }
    }

    #[test]
    fn everything_but_tests_is_loaded() {
        let file = file();
        let mut order = vec![(0, 0..3), (0, 3..file.clauses.len())];
        assert_eq!(
            select(asked("run_tests(b)").as_ref(), &[&file], &mut order),
            1
        );
        let all: Vec<usize> = order.iter().flat_map(|(_, run)| run.clone()).collect();
        // The remaining clauses are the fact, the tests' helper, the test outside the units, and the test of `b`.
        assert_eq!(all, [0, 4, 10, 12]);
        assert_eq!(order.last().unwrap().1.end, file.clauses.len());
        assert_eq!(order[0].1.start, 0);
        let mut order = vec![(0, 0..file.clauses.len())];
        assert_eq!(select(None, &[&file], &mut order), 7);
        let names = defined_without_tests(&file);
        let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["p", "help", "test"]);
    }
}
