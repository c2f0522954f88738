//! Builds the goal that runs plunit tests on a machine without plunit, and reports the failed tests.
//!
//! ```prolog
//! test(adds, X =:= 3) :- X is 1 + 2.              % fails if the body or the condition after it does
//! test(no_number, error(type_error(_, _))) :- X is a + 1, print(X).
//! ```
//!
//! The goal consists only of control constructs and built-ins, so that it adds no steps to those of the tests. It binds `Failed` to the
//! numbers of the failed tests. Options have their plunit meaning; options that do not affect a run (`nondet`, `timeout(_)`) are ignored.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use costlens_body::Goal;
use costlens_program::language::{Clause, directive};
use costlens_syntax::term::{TermId, Terms};
use costlens_syntax::{FileTerms, write_argument};

use crate::units::{Unit, units};

/// The goal's variable for the numbers of the failed tests, from 1.
pub const FAILED: &str = "Failed";

/// A test to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedTest {
    /// The name of the unit, as written.
    pub unit: String,
    /// The name of the test.
    pub name: String,
}

/// Tests, and the goal that runs them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judging {
    /// The text of the goal.
    pub goal: String,
    /// The tests, in execution order.
    pub tests: Vec<JudgedTest>,
}

/// Builds the goal for the tests of units, in loading order.
#[must_use]
pub fn judging(files: &[&FileTerms], order: &[(usize, Range<usize>)]) -> Judging {
    let all: Vec<Vec<Unit>> = files.iter().map(|file| units(file)).collect();
    let mut places: HashMap<(usize, usize), (usize, usize)> = HashMap::new();
    for (file, units) in all.iter().enumerate() {
        for (number, unit) in units.iter().enumerate() {
            for (test, of) in unit.tests.iter().enumerate() {
                places.insert((file, of.clause), (number, test));
            }
        }
    }
    let mut writer = Writer {
        alternatives: Vec::new(),
        tests: Vec::new(),
        open: None,
        files,
        all: &all,
    };
    // The number of clauses of test/1 and test/2 so far, including tests outside units.
    let mut loaded = [0, 0];
    for (file, run) in order {
        for at in run.clone() {
            let Some(arity) = files.get(*file).and_then(|f| test_arity(f, at)) else {
                continue;
            };
            loaded[arity - 1] += 1;
            if let Some(&(unit, test)) = places.get(&(*file, at)) {
                writer.test(*file, unit, test, arity, loaded[arity - 1]);
            }
        }
    }
    writer.leave();
    writer.finish()
}

/// Returns the arity of a test clause, or `None` for any other clause.
fn test_arity(file: &FileTerms, at: usize) -> Option<usize> {
    let read = file.clauses.get(at)?;
    if directive(&read.terms, read.root).is_some() {
        return None;
    }
    let (functor, _) = Clause::from_term(&read.terms, read.root)?;
    (functor.name == "test" && matches!(functor.arity, 1 | 2)).then_some(functor.arity)
}

struct Writer<'a> {
    /// The alternatives of the goal; each succeeds only if its test fails.
    alternatives: Vec<String>,
    tests: Vec<JudgedTest>,
    /// The current unit, as file and number.
    open: Option<(usize, usize)>,
    files: &'a [&'a FileTerms],
    all: &'a [Vec<Unit>],
}

impl Writer<'_> {
    fn test(&mut self, file: usize, unit: usize, test: usize, arity: usize, number: usize) {
        if self.open != Some((file, unit)) {
            self.leave();
            self.enter(file, unit);
        }
        let Some(of) = self.all.get(file).and_then(|units| units.get(unit)) else {
            return;
        };
        let Some(test) = of.tests.get(test) else {
            return;
        };
        self.tests.push(JudgedTest {
            unit: of.name.clone(),
            name: test.name.clone(),
        });
        let options = match arity {
            2 => options_of(self.files[file], test.clause),
            _ => Options::default(),
        };
        if options.left_out || self.skips(file, unit) {
            return;
        }
        let place = self.tests.len();
        let body = match arity {
            2 => format!("arg({number}, Tests2, O-B)"),
            _ => format!("arg({number}, Tests1, B)"),
        };
        self.alternatives
            .push(format!("N = {place}, \\+ \\+ ( {body}{} )", options.goal()));
    }

    /// Returns the options of a unit, and the arena of their terms.
    fn unit_options(&self, file: usize, unit: usize) -> Option<(&Terms, Vec<TermId>)> {
        let at = self.all.get(file)?.get(unit)?.marks.first()?;
        let read = self.files.get(file)?.clauses.get(*at)?;
        let goal = directive(&read.terms, read.root)?;
        let &options = read.terms.args(goal).get(1)?;
        Some((&read.terms, elements(&read.terms, options)))
    }

    /// Returns whether the tests of a unit are skipped.
    fn skips(&self, file: usize, unit: usize) -> bool {
        let options = self.unit_options(file, unit);
        options.is_some_and(|(terms, options)| {
            let is_blocked = |&option: &TermId| terms.matches(option, "blocked", 1).is_some();
            options.iter().any(is_blocked)
        })
    }

    /// Adds the `setup` or `cleanup` goals of a unit.
    fn write_goals(&mut self, file: usize, unit: usize, word: &str) {
        let Some((terms, options)) = self.unit_options(file, unit) else {
            return;
        };
        let goals = { options.iter() }
            .filter_map(|&option| terms.matches(option, word, 1))
            .filter_map(<[TermId]>::first);
        let goals: Vec<String> = goals
            .map(|&goal| {
                let text = write_argument(terms, goal, None);
                format!("catch(ignore({text}), _, true), fail")
            })
            .collect();
        self.alternatives.extend(goals);
    }

    fn enter(&mut self, file: usize, unit: usize) {
        self.open = Some((file, unit));
        self.write_goals(file, unit, "setup");
    }

    fn leave(&mut self) {
        if let Some((file, unit)) = self.open.take() {
            self.write_goals(file, unit, "cleanup");
        }
    }

    fn finish(self) -> Judging {
        let mut goal = "findall(B, clause(test(_), B), Bodies1), Tests1 =.. [tests|Bodies1],\n\
            findall(O-B, clause(test(_, O), B), Bodies2), Tests2 =.. [tests|Bodies2],\n"
            .to_owned();
        let alternatives = match self.alternatives.is_empty() {
            true => "fail".to_owned(),
            false => self.alternatives.join("\n;   "),
        };
        let _ = write!(goal, "findall(N, (\n    {alternatives}\n), {FAILED})");
        Judging {
            goal,
            tests: self.tests,
        }
    }
}

/// The expected outcome of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Expected {
    /// The test has a solution.
    #[default]
    Solution,
    Failure,
    /// The test throws an exception that unifies with this text.
    Exception(&'static str),
    /// The test has certain solutions, given by `all`, `set` or `bag`.
    All(&'static str),
}

/// The options of a test. Their terms are extracted from the clause at run time, so that they share its variables.
#[derive(Default)]
struct Options {
    /// The unifications that bind variables to the terms in the options.
    named: String,
    expected: Expected,
    conditions: usize,
    has_inputs: bool,
    has_setup: bool,
    has_cleanup: bool,
    has_guard: bool,
    /// Set if the test is skipped, or is known to fail.
    left_out: bool,
}

fn elements(terms: &Terms, id: TermId) -> Vec<TermId> {
    match terms.list(id) {
        (elements, _) if !elements.is_empty() => elements,
        _ if terms.as_atom(id).is_some_and(|name| name == "[]") => Vec::new(),
        _ => vec![id],
    }
}

fn options_of(file: &FileTerms, at: usize) -> Options {
    let mut options = Options::default();
    let Some(read) = file.clauses.get(at) else {
        return options;
    };
    let Some((_, clause)) = Clause::from_term(&read.terms, read.root) else {
        return options;
    };
    let terms = &*clause.terms;
    let Some(&written) = terms.args(clause.head).get(1) else {
        return options;
    };
    let is_list = !terms.list(written).0.is_empty();
    for (place, option) in elements(terms, written).into_iter().enumerate() {
        // `O = [_, true(C1)|_]`
        let named = |pattern: &str| match is_list {
            true => format!(", O = [{}{pattern}|_]", "_, ".repeat(place)),
            false => format!(", O = {pattern}"),
        };
        options.read(terms, option, &named);
    }
    options
}

/// Returns whether an option is a comparison, which is a condition by itself: `test(sum, X =:= 3)`.
fn is_comparison(terms: &Terms, option: TermId) -> bool {
    match Goal::lower(terms, option) {
        Goal::Compare(..) | Goal::CompareTerms(..) => true,
        Goal::Unify(..) | Goal::NotUnifiable(..) => true,
        Goal::Call(call) => matches!(call.name.as_str(), "=@=" | "\\=@=") && call.args.len() == 2,
        _ => false,
    }
}

impl Options {
    fn read(&mut self, terms: &Terms, option: TermId, named: &dyn Fn(&str) -> String) {
        let Some((name, arity)) = terms.functor(option) else {
            return;
        };
        match (name.as_str(), arity) {
            ("fail" | "false", 0) => self.expected = Expected::Failure,
            ("blocked" | "fixme", 1) => self.left_out = true,
            ("forall", 1) => {
                self.has_inputs = true;
                self.named.push_str(&named("forall(Inputs)"));
            }
            ("setup", 1) => {
                self.has_setup = true;
                self.named.push_str(&named("setup(Setup)"));
            }
            ("cleanup", 1) => {
                self.has_cleanup = true;
                self.named.push_str(&named("cleanup(Cleanup)"));
            }
            ("condition", 1) => {
                self.has_guard = true;
                self.named.push_str(&named("condition(Guard)"));
            }
            ("throws" | "exception", 1) => {
                self.expected = Expected::Exception("Ball");
                self.named.push_str(&named(&format!("{name}(Ball)")));
            }
            ("error", 1) => {
                self.expected = Expected::Exception("error(Formal, _)");
                self.named.push_str(&named("error(Formal)"));
            }
            ("error", 2) => {
                self.expected = Expected::Exception("error(Formal, Context)");
                self.named.push_str(&named("error(Formal, Context)"));
            }
            ("all" | "set" | "bag", 1) => {
                self.expected = Expected::All(match name.as_str() {
                    "all" => "Found = Seen, Wanted = Asked",
                    "set" => "sort(Found, Seen), sort(Wanted, Asked)",
                    _ => "msort(Found, Seen), msort(Wanted, Asked)",
                });
                self.named.push_str(&named(&format!("{name}(Compared)")));
            }
            ("true", 1) => {
                self.conditions += 1;
                self.named
                    .push_str(&named(&format!("true(C{})", self.conditions)));
            }
            _ if is_comparison(terms, option) => {
                self.conditions += 1;
                self.named
                    .push_str(&named(&format!("C{}", self.conditions)));
            }
            _ => {}
        }
    }

    /// Returns the goals after the goal that looks up the test: they have a solution if the test fails for some of its inputs.
    fn goal(&self) -> String {
        let passes = match self.expected {
            Expected::Solution => {
                let conditions: String = (1..=self.conditions).map(|n| format!(", C{n}")).collect();
                format!("catch(( once(B){conditions} ), _, fail)")
            }
            Expected::Failure => "catch(\\+ B, _, fail)".to_owned(),
            Expected::Exception(ball) => format!(
                "catch(( \\+ B -> Thrown = no ; Thrown = no ), Caught, Thrown = yes), Thrown == yes, Caught = {ball}"
            ),
            Expected::All(sorted) => format!(
                "catch(( Compared =.. [Relation, Template, Wanted], findall(Template, B, Found), {sorted}, \
                 Holds =.. [Relation, Seen, Asked], Holds ), _, fail)"
            ),
        };
        let mut goal = self.named.clone();
        if self.has_guard {
            goal.push_str(", catch(once(Guard), _, fail)");
        }
        if self.has_inputs {
            goal.push_str(", catch(Inputs, _, fail)");
        }
        if self.has_setup {
            goal.push_str(", catch(ignore(Setup), _, true)");
        }
        let _ = write!(
            goal,
            ", ( \\+ ( {passes} ) -> Failed1 = yes ; Failed1 = no )"
        );
        if self.has_cleanup {
            goal.push_str(", catch(ignore(Cleanup), _, true)");
        }
        goal.push_str(", Failed1 == yes");
        goal
    }
}
