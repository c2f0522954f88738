//! The inferences of SWI-Prolog: what its `statistics(inferences, I)` counts.
//!
//! ```prolog
//! p(X, Y) :- integer(X), Y = f(X), q(Y).     % two: p/2 and q/1
//! r(X, Y) :- ( X > 0 -> Y = 1 ; s(Y) ).      % two, or four if X =< 0: r/2, >/2, the branch, and s/1
//! ```
//!
//! | counted | |
//! |---|---|
//! | a call of a predicate, also if no clause matches | 1 |
//! | a call of a built-in in C | 1, and 1 for each further solution that it is asked for |
//! | a goal that is compiled to instructions: `X = f(Y)`, `var(X)`, `X == a`, `!`, `true`, `call(G, X)` | none |
//! | the same goal in a term that is called: `findall(X, X = a, L)` | 1 |
//! | a built-in in Prolog | what the catalogue states, apart from its goals |
//! | a branch, `\+` included, that is tried because a call before it has failed | 1 |
//! | a branch that is tried because a goal compiled to instructions has failed | none |
//!
//! The flag `optimise` (`-O`), which compiles arithmetic to instructions, is off.

mod places;

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use costlens_algebra::Expr;
use costlens_body::{Collector, Goal, conjuncts, leaves};
use costlens_catalog::{
    Inferences, LibraryInferences, MOST_OF_TYPE_ERROR, Relation, inferences, inferences_in_library,
    inferences_of_aggregate, inferences_of_lambda, inferences_of_type_check, relation,
};
use costlens_compile::Instructions;
use costlens_compile::ppdp08::AlternativeKey;
use costlens_events::{Counts, Event, Vocabulary};
use costlens_program::Clause;
use costlens_program::language::{CopyName, split};
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::Runner;
use super::instructions::is_made;
use super::point::model::{Collected, CostModel, Literal, PointModel, Selection};
use super::point::{ClauseScope, PendingGoal, Point, Spot};
use super::portable::instructions;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::tree::Step;
use crate::world::questions::Truth;
use places::{Ending, Place, Places};

/// The greatest number of inferences that SWI-Prolog takes for an exception in the goal of `catch/3`, apart from those of the recovery goal.
const CAUGHT: u64 = 2;

/// The outcomes of a goal in the runs of its clause.
#[derive(Clone, Copy, Default)]
struct Outcomes {
    may_succeed: bool,
    may_fail: bool,
    /// The goal may leave a choice point.
    may_leave: bool,
}

/// The model of a clause whose inferences are counted.
pub(super) struct InferencesClause {
    places: Places,
    /// The clause's instructions, or `None` if SWI-Prolog does not compile it.
    code: Option<Instructions>,
    /// The library predicate to which the clause belongs, if it ships with Costlens.
    library: Option<Functor>,
    /// True if closures are substituted in the clause, and its written text is not known: what unifies a variable there may unify a term here.
    is_substituted: bool,
    /// The inferences with which the clause is called if it is a lambda expression that is not compiled.
    lambda: Option<u64>,
    /// True for the clause of a lambda expression.
    is_lambda: bool,
    /// The reason why the inferences of the clause are unknown.
    unknown: Option<&'static str>,
    /// The goals that have run.
    outcomes: RefCell<FxHashMap<TermId, Outcomes>>,
    /// The least and the greatest number of inferences for each solution of a goal whose solutions are collected.
    each: RefCell<FxHashMap<TermId, (u64, u64)>>,
    /// The inferences with which running calls of `setof/3` sort.
    sorting: RefCell<FxHashMap<TermId, Sorts>>,
    /// While `must_be/2` runs, whether an earlier goal may have raised an exception.
    raised: Cell<Option<bool>>,
}

/// Selects the clauses of a node, whose inferences are counted: a call is one.
pub(super) fn selection<'a>(runner: &'a Runner<'_>, clauses: &'a [Clause]) -> Selection<'a> {
    Selection {
        call: Some(Counts::once(Event::Inference)),
        model: Box::new(|at| Box::new(InferencesClause::new(runner, &clauses[at], at))),
    }
}

impl InferencesClause {
    fn new(runner: &Runner<'_>, clause: &Clause, index: usize) -> Self {
        let written = runner.written_terms(clause, index);
        let name = &runner.nodes[runner.node].name;
        let is_lambda =
            is_made(&name.name) && CopyName::read(name).is_some_and(|n| n.of.is_empty());
        let interpreted = clause.closures.interpreted.filter(|of| of.certain);
        // The body of a lambda expression that is compiled is that of a predicate.
        let compiled = match is_lambda && clause.closures.interpreted.is_none() {
            true => lambda_body(clause),
            false => None,
        };
        let own;
        let clause = match compiled {
            Some(body) => {
                own = Clause {
                    body: Some(body),
                    ..clause.clone()
                };
                &own
            }
            None => clause,
        };
        let goals: Vec<TermId> = clause.guard.into_iter().chain(clause.body).collect();
        let called: Vec<TermId> = (clause.closures.called.iter())
            .map(|&(goal, _)| goal)
            .collect();
        // Closures are substituted in the clause, which SWI-Prolog compiles as it is written.
        let source = source(runner, clause, index).filter(|_| compiled.is_none());
        let code = match source.as_ref().and_then(|all| all.get(index)) {
            Some(source) => instructions(source, Vocabulary::Swi),
            None => instructions(clause, Vocabulary::Swi),
        };
        let unknown = if is_lambda && interpreted.is_none() && compiled.is_none() {
            Some("whether the lambda expression is compiled, or what it calls, is not known")
        } else if code.is_none() {
            Some("SWI-Prolog does not compile the clause")
        } else {
            None
        };
        let mut places = Places::of_goals(&clause.terms, written.as_deref(), &goals, &called);
        for &goal in &clause.closures.nested {
            places.add_nested(goal);
        }
        InferencesClause {
            places,
            code,
            library: library_predicate(runner),
            is_substituted: is_made(&name.name) && !is_lambda && source.is_none(),
            lambda: interpreted.map(|of| inferences_of_lambda(of.parameters, of.has_free)),
            is_lambda,
            unknown,
            outcomes: RefCell::default(),
            each: RefCell::default(),
            sorting: RefCell::default(),
            raised: Cell::default(),
        }
    }

    /// Returns whether a goal that is compiled with the clause calls a predicate, so that its failure is that of a call.
    fn is_call(&self, terms: &Terms, goal: TermId) -> bool {
        self.in_library(terms, goal).is_none_or(|of| of.is_call)
            && self.code.as_ref().is_none_or(|code| code.is_call(goal))
    }

    /// Returns the inferences that SWI-Prolog's own clauses take in place of a goal.
    fn in_library(&self, terms: &Terms, goal: TermId) -> Option<LibraryInferences> {
        let predicate = self.library.as_ref()?;
        let (name, arity) = terms.functor(goal)?;
        inferences_in_library((&predicate.name, predicate.arity), (name, arity))
    }

    /// Returns whether a goal represents what the call of a lambda expression does before its body.
    fn is_of_lambda(&self, terms: &Terms, literal: Literal) -> bool {
        let place = self.places.of(literal.text);
        let is_before = match Goal::lower(terms, literal.goal) {
            Goal::CallN { added: [], .. } | Goal::Unify(..) => place.is_none(),
            _ => (terms.functor(literal.goal))
                .is_some_and(|(name, arity)| relation(name, arity) == Some(Relation::Copy)),
        };
        self.is_lambda && is_before && !matches!(place, Some(Place::Called | Place::Term))
    }

    /// Returns the least and the greatest number of times that the predicate of a goal is called.
    fn called(&self, terms: &Terms, literal: Literal) -> (u64, u64) {
        let Literal { goal, text } = literal;
        let is_control = matches!(
            Goal::lower(terms, goal),
            Goal::True | Goal::Cut | Goal::Fail | Goal::CallN { .. }
        );
        match self.places.of(text) {
            _ if !literal.is_written() => (1, 1),
            Some(Place::Called) => (1, 1),
            Some(Place::Clause) => match self.is_call(terms, text) {
                true if self.is_substituted && is_compiled_on_variables(terms, goal) => (0, 1),
                true => (1, 1),
                false => (0, 0),
            },
            Some(Place::Term) if is_control => (0, 0),
            // Either the called term itself, or a part of it.
            None if is_control => (0, 1),
            Some(Place::Term) | None => (1, 1),
        }
    }

    /// Returns the least and the greatest number of inferences for trying a branch, given what has failed before it: one after a call, none
    /// after a goal that is compiled to instructions.
    fn branch(&self, terms: &Terms, key: TermId) -> (u64, u64) {
        if self.places.is_plain(key) {
            return (0, 0);
        }
        let Some((goals, ending)) = self.places.before(terms, key) else {
            return (0, 1);
        };
        let (mut after_call, mut after_instruction) = (false, false);
        let mut has_choice = false;
        let mut ends = ending == Ending::Exit;
        for goal in goals {
            let lowered = Goal::lower(terms, goal);
            match lowered {
                Goal::True => continue,
                Goal::Cut => {
                    ends = false;
                    break;
                }
                _ => {}
            }
            if self.is_substituted && is_compiled_on_variables(terms, goal) {
                return (0, 1);
            }
            let is_compiled = match (self.places.of(goal), lowered) {
                (_, Goal::Fail) => true,
                // Its own choice point is removed when its goal succeeds.
                (_, Goal::Not(_)) => true,
                (Some(Place::Clause), _) => !self.is_call(terms, goal),
                (Some(Place::Term | Place::Called), _) => false,
                // Another control construct.
                (None, _) => return (0, 1),
            };
            let known = self.outcomes.borrow().get(&goal).copied();
            let found = known.unwrap_or(Outcomes {
                may_succeed: !matches!(lowered, Goal::Fail),
                may_fail: true,
                may_leave: !is_compiled,
            });
            if found.may_fail {
                after_call |= !is_compiled || has_choice;
                after_instruction |= is_compiled;
            }
            has_choice |= found.may_leave && !is_compiled;
            if !found.may_succeed {
                ends = false;
                break;
            }
        }
        match (after_call || ends, after_instruction) {
            (true, false) => (1, 1),
            (false, true) => (0, 0),
            _ => (0, 1),
        }
    }

    /// Returns the least and the greatest number of inferences of a call of a built-in, apart from its goals, or `None` if they are unknown.
    fn of_built_in(&self, point: &Point, terms: &Terms, goal: TermId) -> Option<(u64, u64)> {
        let (name, arity) = terms.functor(goal)?;
        let (whole, args) = (goal, terms.args(goal));
        if let Some(counted) = self.places.phrase(goal) {
            return counted;
        }
        // Its integers are counted when it ends.
        if is_between(terms, goal) {
            return Some((0, 0));
        }
        let counted = inferences(name, arity);
        let is_list = |&at: &usize| {
            let list = args.get(at).map(|&t| point.state.datum(terms, t));
            list.is_some_and(|datum| matches!(datum.ty, Type::List(_)))
        };
        let list = match counted {
            Inferences::Known { of_list, .. } => of_list,
            Inferences::Unknown => None,
        };
        if let Some(of) = self.in_library(terms, goal)
            && list.as_ref().is_none_or(is_list)
        {
            let last = args.last().map(|&t| point.state.datum(terms, t).ty);
            let number = match last {
                Some(Type::Free) => of.of_unbound,
                _ => of.of_bound,
            };
            return Some((number, number));
        }
        match relation(name, arity) {
            Some(Relation::Aggregate) => return self.of_aggregate(point, terms, args),
            // The body is a text in a variable.
            Some(Relation::Phrase) => return None,
            Some(Relation::OfType) => {
                let of = terms.as_atom(point.state.resolve(terms, *args.first()?))?;
                let number = inferences_of_type_check(of)?;
                return Some((number, number));
            }
            _ => {}
        }
        let Inferences::Known {
            least, most, each, ..
        } = counted
        else {
            return None;
        };
        if let Goal::Collect {
            goal,
            collector,
            result,
            ..
        } = Goal::lower(terms, goal)
        {
            self.each.borrow_mut().insert(goal, (each, each));
            if collector == Collector::SetOf {
                let is_free = point.state.datum(terms, result).ty == Type::Free;
                let sorts = match is_free {
                    true => Sorts::Always(most - least),
                    false => Sorts::If(most - least),
                };
                self.sorting.borrow_mut().insert(whole, sorts);
                return Some((least, least));
            }
        }
        Some(match list.filter(is_list) {
            Some(_) => (least, least),
            None => (least, most),
        })
    }

    /// Returns the inferences of `aggregate_all/3`, apart from its goal.
    fn of_aggregate(&self, point: &Point, terms: &Terms, args: &[TermId]) -> Option<(u64, u64)> {
        let &[template, goal, result] = args else {
            return None;
        };
        let (name, arity) = terms.functor(point.state.resolve(terms, template))?;
        // A result that cannot be a witness is a result of other clauses.
        if arity > 1 && point.state.datum(terms, result).ty != Type::Free {
            return None;
        }
        let of = inferences_of_aggregate(name, arity)?;
        let called = Goal::lower(terms, point.state.resolve(terms, goal));
        if matches!(called, Goal::Qualified { .. } | Goal::Quantified { .. }) {
            return None;
        }
        self.each.borrow_mut().insert(goal, of.each);
        Some((of.call, of.call + u64::from(of.is_loop)))
    }

    /// Counts the inferences of a built-in that are known when it has ended.
    fn ends_built_in(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        truth: Truth,
        solutions: Option<usize>,
    ) {
        if is_between(scope.terms, goal) {
            if let Some(at) = solutions {
                let is_some = match &point.steps[at] {
                    Step::Solutions(times, _) => is_positive(scope, times),
                    _ => false,
                };
                if !is_some {
                    // Without a solution, the call counts nevertheless.
                    let mut counts = Counts::default();
                    counts.add_between(Event::Inference, 0, 1);
                    point.steps.insert(at, Step::Count(Arc::new(counts)));
                }
            }
            // The last integer leaves no choice point.
            count(point, 1, 1);
            return;
        }
        if let Some(before) = self.raised.take() {
            let raises = scope.runner.errors.get();
            scope.runner.errors.set(before || raises);
            if raises || truth != Truth::True {
                count(point, 0, MOST_OF_TYPE_ERROR);
            }
        }
        if solutions.is_some() {
            // Another solution may be asked for when there is none.
            count(point, 0, 1);
        }
    }
}

/// The inferences with which `setof/3` sorts its solutions, if there are any.
#[derive(Clone, Copy)]
enum Sorts {
    /// A call that succeeds has sorted.
    Always(u64),
    /// A call that fails may have sorted, since its result is given.
    If(u64),
}

/// Returns the place of the last step since `begun` that has several solutions.
fn solutions_since(point: &Point, begun: usize) -> Option<usize> {
    let new = point.steps.get(begun..)?;
    let at = new.iter().rposition(|s| matches!(s, Step::Solutions(..)))?;
    Some(begun + at)
}

fn is_positive(scope: &ClauseScope<'_>, times: &Size) -> bool {
    let region = scope.runner.world.region();
    times
        .lower
        .as_ref()
        .is_some_and(|least| costlens_algebra::prove::nonnegative(&(least - &Expr::int(1)), region))
}

fn is_between(terms: &Terms, goal: TermId) -> bool {
    (terms.functor(goal))
        .is_some_and(|(name, arity)| relation(name, arity) == Some(Relation::Between))
}

/// Returns whether a goal is compiled to instructions if its arguments are variables, but not for all terms.
fn is_compiled_on_variables(terms: &Terms, goal: TermId) -> bool {
    matches!(
        Goal::lower(terms, goal),
        Goal::Unify(..) | Goal::CompareTerms(..) | Goal::Type(..) | Goal::Is { .. }
    )
}

/// Returns the clauses from which the clauses of a node were made by substituting closures, if they have the same goals.
fn source(runner: &Runner<'_>, clause: &Clause, index: usize) -> Option<Arc<[Clause]>> {
    let name = &runner.nodes[runner.node].name;
    let original = match is_made(&name.name) {
        true => CopyName::read(name)?.original()?,
        false => name.clone(),
    };
    let terms = &*clause.terms;
    let goals = || clause.guard.into_iter().chain(clause.body);
    // Goals have the same ids in both, unless the copy has new terms.
    let is_goal_of = |source: &Clause, goal: TermId| {
        let (Some(before), Some(name)) = (
            (source.terms.holds(goal))
                .then(|| source.terms.functor(goal))
                .flatten(),
            terms.functor(goal),
        ) else {
            return false;
        };
        let is_closure = matches!(
            Goal::lower(&source.terms, goal),
            Goal::CallN { .. } | Goal::Qualified { .. }
        );
        before == name || is_closure || is_made(name.0)
    };
    let is_same = |source: &Clause| {
        source.body == clause.body
            && source.guard == clause.guard
            && goals()
                .flat_map(|goal| leaves(terms, goal))
                .all(|goal| is_goal_of(source, goal))
    };
    let written = runner.program.written(&original)?;
    let is_source = written.get(index).is_some_and(is_same)
        && (is_made(&name.name) || runner.written_terms(clause, index).is_some());
    is_source.then_some(written)
}

/// Returns the body of a lambda expression: the clause copies its free variables, unifies its parameters, and calls the body.
fn lambda_body(clause: &Clause) -> Option<TermId> {
    let terms = &*clause.terms;
    let goals = conjuncts(terms, clause.body?);
    match Goal::lower(terms, *goals.last()?) {
        Goal::CallN { closure, added: [] } => Some(closure),
        _ => None,
    }
}

/// Returns the library predicate whose shipped clauses a node has, also if they are a copy for a closure.
fn library_predicate(runner: &Runner<'_>) -> Option<Functor> {
    let (program, name) = (runner.program, &runner.nodes[runner.node].name);
    let original = match is_made(&name.name) {
        true => CopyName::read(name).and_then(|name| name.original())?,
        false => name.clone(),
    };
    let is_shipped = match is_made(&name.name) {
        true => program.is_of_library() || !program.is_at_home(&original),
        false => program.is_of_library(),
    };
    let plain = split(&original).map_or_else(|| original.clone(), |(_, plain)| plain);
    is_shipped.then_some(plain)
}

impl CostModel for InferencesClause {
    fn start(&self) -> PointModel {
        PointModel::Inferences(0)
    }

    fn enters(&self, scope: &ClauseScope<'_>, point: &mut Point, _: &Clause) {
        if let Some(reason) = self.unknown {
            (scope.runner).obstacle(scope, point, None, reason.to_owned(), "");
        }
        if let Some(number) = self.lambda {
            // The call itself is one of them.
            count(point, number - 1, number - 1);
        }
    }

    fn begins(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        let (runner, terms, goal) = (scope.runner, scope.terms, literal.goal);
        point.model = PointModel::Inferences(point.steps.len());
        match self.places.more(literal.text) {
            Some(more) => count(point, more, more),
            None => {
                let reason = "what is written in place of the goal is not counted".to_owned();
                runner.obstacle(scope, point, Some(goal), reason, "");
            }
        }
        // A predicate of the program counts its calls itself. The call of a lambda expression copies its terms and unifies its parameters.
        if runner.is_own(terms, goal) || self.is_of_lambda(terms, literal) {
            return;
        }
        let Some((name, arity)) = terms.functor(goal) else {
            return;
        };
        if self.called(terms, literal).1 == 0 {
            return;
        }
        let is_check = relation(name, arity) == Some(Relation::OfType);
        self.raised
            .set(is_check.then(|| runner.errors.replace(false)));
        match self.of_built_in(point, terms, goal) {
            Some((least, most)) => {
                let calls = self.called(terms, literal).0;
                count(point, least * calls, most);
            }
            None => {
                let reason = format!("how many inferences `{name}/{arity}` takes is not known");
                let help = "State the inferences of the caller in a `trust` assertion.";
                runner.obstacle(scope, point, Some(goal), reason, help);
            }
        }
    }

    fn begins_control(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        let is_construct = matches!(
            Goal::lower(scope.terms, literal.goal),
            Goal::Conjunction(..)
                | Goal::Disjunction(..)
                | Goal::Bar(..)
                | Goal::IfThen { .. }
                | Goal::IfThenElse { .. }
                | Goal::Not(_)
        );
        if !is_construct {
            self.begins(scope, point, literal);
        }
    }

    fn ends(&self, scope: &ClauseScope<'_>, point: &mut Point, text: TermId, truth: Truth) {
        let begun = match point.model {
            PointModel::Inferences(begun) => begun,
            _ => 0,
        };
        let goal = point.state.resolve(scope.terms, text);
        let is_own = scope.runner.is_own(scope.terms, goal);
        let solutions = solutions_since(point, begun);
        let is_tested = !point.state.tested.is_empty();
        let mut outcomes = self.outcomes.borrow_mut();
        let found = outcomes.entry(text).or_default();
        found.may_succeed |= truth != Truth::False;
        found.may_fail |= truth != Truth::True || is_tested;
        found.may_leave |= is_own || solutions.is_some();
        if !is_own {
            self.ends_built_in(scope, point, goal, truth, solutions);
        }
        let sorts = self.sorting.borrow_mut().remove(&goal);
        if let Some(Sorts::If(most)) = sorts {
            count(point, 0, most);
        }
        point.note(truth);
        if let Some(Sorts::Always(number)) = sorts
            && truth != Truth::False
        {
            count(point, number, number);
        }
    }

    fn collected(&self, written: TermId, goal: TermId) -> Vec<PendingGoal> {
        let spot = Spot::Collected(written);
        vec![PendingGoal::Code(spot), PendingGoal::Term(goal)]
    }

    fn collects(&self, scope: &ClauseScope<'_>, point: &mut Point, collected: &Collected<'_>) {
        let is_grouped = collected.collector.0 != Collector::Aggregate.name();
        if is_grouped && collected.kept.len() > 1 {
            let reason = "how many inferences the groups of solutions take is not known".to_owned();
            let help = "Quantify the variables that do not tell groups apart: `V^Goal`.";
            scope.runner.obstacle(scope, point, None, reason, help);
        }
    }

    fn catches(&self, point: &mut Point) {
        count(point, 0, CAUGHT);
    }

    fn alternative(
        &self,
        mut rest: Vec<PendingGoal>,
        key: AlternativeKey,
        goal: Option<PendingGoal>,
    ) -> Vec<PendingGoal> {
        rest.extend(goal);
        if let AlternativeKey::Otherwise(_) = key {
            rest.push(PendingGoal::Code(Spot::Entry(key)));
        }
        rest
    }

    fn reaches(&self, scope: &ClauseScope<'_>, point: &mut Point, spot: Spot) {
        let (least, most) = match spot {
            Spot::Entry(AlternativeKey::Otherwise(key)) => self.branch(scope.terms, key),
            Spot::Collected(goal) => {
                let each = self.each.borrow().get(&goal).copied();
                each.unwrap_or((0, 0))
            }
            _ => return,
        };
        count(point, least, most);
    }
}

/// Counts inferences.
fn count(point: &mut Point, least: u64, most: u64) {
    let mut counts = Counts::default();
    counts.add_between(Event::Inference, least, most);
    point.count(counts);
}
