//! Cells built by predicates that call goals: `once/1`, `findall/3`, `catch/3`, `maplist/3` and similar predicates.
//!
//! | built | cells |
//! |---|---|
//! | the goal that is called, as any other argument | its compounds |
//! | its module before it (`user:G`), where the callee is declared to call it, unless the goal has one | 3 |
//! | arguments of the goals in a term that is called | none; they exist already |
//! | an element of the list of `findall/3` | 3, and the copy |

use std::sync::Arc;

use costlens_algebra::{Expr, rat};
use costlens_body::{Collector, Goal};
use costlens_catalog::{
    is_expanded_by_apply_macros, is_of_another_text, meta_arguments, passes_closures_on,
};
use costlens_compile::heap::{self, BOXED, Built};
use costlens_events::{Count, Event};
use costlens_program::Clause;
use costlens_program::language::{CopyName, split};
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use super::Runner;
use super::instructions::is_made;
use super::point::model::{Aggregated, Copies};
use super::point::{ClauseScope, Point};
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::report::Functor;
use crate::state::State;
use crate::tree::Step;
use crate::tree::locals::solutions_of;

/// The number of cells in `M:G`.
const QUALIFIED: u64 = 3;

/// The number of heap cells in a list cell.
const CELL: i64 = 3;

/// The maximum number of subterms that are inspected.
const MOST_PARTS: usize = 200;

impl Runner<'_> {
    /// Returns the source terms of a clause, in which literals have the same ids. Returns `None` if the source is not available.
    pub(super) fn written_terms(&self, clause: &Clause, index: usize) -> Option<Arc<Terms>> {
        let name = &self.nodes[self.node].name;
        if is_made(&name.name) {
            return (self.passes_closures_on(name)).then(|| Arc::clone(&clause.terms));
        }
        if !self.program.is_rewritten(name) {
            return Some(Arc::clone(&clause.terms));
        }
        let written = self.program.written(name)?;
        let written = written.get(index)?;
        let is_same = written.head == clause.head
            && written.body == clause.body
            && written.guard == clause.guard
            && self.differs_in_calls(written, &clause.terms);
        is_same.then(|| Arc::clone(&written.terms))
    }

    /// Returns whether terms differ from those of a clause only in goals that call closures. Other differences may come from term
    /// expansion; the expanded code is the code that runs.
    fn differs_in_calls(&self, written: &Clause, terms: &Terms) -> bool {
        let of = &written.terms;
        let goals = written.guard.into_iter().chain(written.body);
        let reached = goals.chain([written.head]).flat_map(|t| of.subterms(t));
        let calls = |t: TermId| {
            let is_call = matches!(
                Goal::lower(of, t),
                Goal::CallN { .. } | Goal::Qualified { .. }
            );
            is_call
                || of.functor(t).is_some_and(|(name, arity)| {
                    !self.goals_of(&Functor::new(name.clone(), arity)).is_empty()
                })
                || terms.functor(t).is_some_and(|(name, _)| is_made(name))
        };
        { reached }.all(|t| of.get(t) == terms.get(t) && of.args(t) == terms.args(t) || calls(t))
    }

    /// Returns whether the predicate from which a closure-specialised copy was made builds no closures itself.
    fn passes_closures_on(&self, copy: &Functor) -> bool {
        let Some(original) = CopyName::read(copy).and_then(|name| name.original()) else {
            return false;
        };
        let plain = split(&original).map_or_else(|| original.clone(), |(_, plain)| plain);
        if is_of_another_text(&plain.name, plain.arity) {
            return false;
        }
        if passes_closures_on(&plain.name) && !self.program.may_redefine(&plain) {
            return true;
        }
        let written = self.program.written(&original);
        written.is_some_and(|clauses| clauses.iter().all(has_plain_goals))
    }

    /// Returns the number of cells for the module qualifications of the goals that a call passes, or `None` if it is unknown.
    pub(super) fn qualified(
        &self,
        terms: &Terms,
        goal: TermId,
        callee: &Functor,
        is_called: bool,
    ) -> Option<Count> {
        let (name, args) = (terms.functor(goal)?, terms.args(goal));
        let predicate = Functor::new(name.0.clone(), name.1);
        if let Goal::CallN { closure, added } = Goal::lower(terms, goal) {
            // As a goal of a clause the closure compiles to an instruction, unless the closure is itself a call.
            let further = added.len();
            let most = match (is_called, further) {
                (true, _) => QUALIFIED,
                (false, 0) => 0,
                (false, _) => {
                    let called = match terms.functor(closure) {
                        Some((closure, arity)) => Functor::new(closure.clone(), arity + further),
                        None => callee.clone(),
                    };
                    if called.name == ":"
                        || is_made(&callee.name)
                        || split(callee).is_some()
                        || !self.goals_of(&called).is_empty()
                    {
                        return None;
                    }
                    0
                }
            };
            return Some(Count { least: 0, most });
        }
        if is_made(&predicate.name) {
            // The specialised copy passes the closure on, with or without its module.
            let original = CopyName::read(&predicate)?.original()?;
            let most = QUALIFIED * self.goals_of(&original).len() as u64;
            return Some(Count { least: 0, most });
        }
        let mut count = Count::default();
        let is_macro = is_expanded_by_apply_macros(&predicate.name, predicate.arity);
        for at in self.goals_of(&predicate) {
            let is_open = matches!(
                Goal::lower(terms, *args.get(at)?),
                Goal::Variable(_) | Goal::Qualified { .. }
            );
            count.most += QUALIFIED;
            count.least += if is_open || is_macro { 0 } else { QUALIFIED };
        }
        Some(count)
    }

    /// Returns the indices of arguments that are passed with a module.
    fn goals_of(&self, predicate: &Functor) -> Vec<usize> {
        let mut found = self.program.qualified_arguments(predicate);
        let of_system = meta_arguments(&predicate.name, predicate.arity);
        found.extend(of_system.iter().map(|m| m.argument));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Counts the cells that a meta-predicate builds itself, in addition to the cells of its goals. Returns false if their number is
    /// unknown. `findall/3` also builds its result, `aggregate_all/3` keeps a state, and `call_cleanup/2` calls `setup_call_cleanup/3`.
    pub(super) fn inside_call(&self, point: &mut Point, goal: Goal<'_>) -> bool {
        let cells = match goal {
            Goal::CallN { added: [], .. }
            | Goal::NotCalled(_)
            | Goal::Once(_)
            | Goal::Ignore(_)
            | Goal::Forall { .. }
            | Goal::Catch {
                keeps_backtrace: false,
                ..
            }
            | Goal::Cleanup { setup: Some(_), .. } => 0,
            Goal::Cleanup { setup: None, .. } => 3,
            Goal::Collect { collector, .. } => match collector {
                Collector::FindAll => 14,
                Collector::Aggregate => 2,
                Collector::BagOf | Collector::SetOf => return false,
            },
            _ => return false,
        };
        let exactly = Count {
            least: cells,
            most: cells,
        };
        point.count_built(Built::both(exactly));
        true
    }

    /// Counts the cells that `aggregate_all/3` builds per solution: a variable, an expression, and twice the size of a result that is not
    /// an integer. `count` is `sum(1)`, which takes one more term.
    pub(super) fn count_aggregated(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        aggregated: &Aggregated<'_>,
    ) {
        let each = match aggregated.result {
            Type::Int => 1 + CELL,
            _ => 1 + 3 * CELL,
        };
        let more = Expr::int(if aggregated.is_count { 2 } else { 0 });
        let most =
            (aggregated.times).and_then(|t| Some(&t.upper.as_ref()?.scale(&rat(each)) + &more));
        self.count_between(scope, point, aggregated.goal, most);
    }

    /// Counts a number of cells as an upper bound only.
    fn count_between(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        most: Option<Expr>,
    ) {
        if most.is_none() {
            let reason = "what is built of the solutions is not known".to_owned();
            self.does_not_know(scope, point, goal, reason);
            return;
        }
        for optimised in [false, true] {
            let event = Event::GlobalCells { optimised };
            let size = Size::between_zero_and(&most);
            point.steps.push(Step::Work(Box::new((event, size))));
        }
    }

    /// Counts the cells of the list of copies of a template, one for each solution.
    pub(super) fn count_copies(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        copies: &Copies<'_>,
    ) {
        let region = self.world.region();
        let mut each = Some(Size::exact(Expr::zero()));
        for exit in copies.tree.exits() {
            let own = copied(&exit.state, scope.terms, copies.template);
            each = each.zip(own).map(|(a, b)| a.hull(&Size::exact(b), region));
        }
        let times = solutions_of(copies.tree, region);
        let most = each.and_then(|each| {
            let each = &each.upper? + &Expr::constant(rat(CELL));
            times.times(&Size::exact(each), region).upper
        });
        self.count_between(scope, point, copies.list, most);
    }
}

/// Returns the number of cells in a copy of a term, or `None` if it is unbounded.
pub(super) fn copied(state: &State, terms: &Terms, t: TermId) -> Option<Expr> {
    let (mut cells, mut open, mut parts) = (Expr::zero(), vec![t], 0);
    while let Some(t) = open.pop() {
        parts += 1;
        if parts > MOST_PARTS {
            return None;
        }
        let t = state.resolve(terms, t);
        let own = match terms.get(t) {
            Term::Var(_) => of_value(state, terms, t)?,
            Term::Compound(..) => {
                let args = terms.args(t);
                open.extend(args);
                Expr::int(i64::try_from(args.len() + 1).ok()?)
            }
            _ => {
                let count = heap::alone(terms, t);
                if count.most == u64::MAX {
                    return None;
                }
                Expr::int(i64::try_from(count.most).ok()?)
            }
        };
        cells = &cells + &own;
    }
    Some(cells)
}

/// Returns the number of cells in a copy of a value that is not written in the clause.
fn of_value(state: &State, terms: &Terms, t: TermId) -> Option<Expr> {
    let datum = state.datum(terms, t);
    match &datum.ty {
        Type::None | Type::Int | Type::Atom | Type::Free => Some(Expr::zero()),
        Type::Number => Some(Expr::int(i64::try_from(BOXED).ok()?)),
        Type::List(element) => match **element {
            Type::None | Type::Int | Type::Atom => {
                Some(datum.measured(Metric::Length).upper?.scale(&rat(CELL)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether the goals of a clause build only lists and expressions, so that closures are passed on unchanged.
fn has_plain_goals(clause: &Clause) -> bool {
    let terms = &*clause.terms;
    let mut open: Vec<TermId> = clause.guard.into_iter().chain(clause.body).collect();
    while let Some(goal) = open.pop() {
        let Some((name, arity)) = terms.functor(goal) else {
            continue;
        };
        if heap::is_in_place(name, arity) {
            open.extend(terms.args(goal));
            continue;
        }
        let is_arithmetic = matches!(
            Goal::lower(terms, goal),
            Goal::Is { .. } | Goal::Compare(..)
        );
        let is_plain = |&t: &TermId| match terms.get(t) {
            Term::Compound(name, _) => name == CONS,
            _ => true,
        };
        if !is_arithmetic && !terms.args(goal).iter().all(is_plain) {
            return false;
        }
    }
    true
}
