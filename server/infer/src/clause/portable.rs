//! Counts of portable events: the operations that any Prolog system performs for the text of a clause, whatever its instructions are.
//!
//! ```prolog
//! ins(X, [Y|Ys], [X,Y|Ys]) :- X =< Y.          % a try where the index leaves the next clause as well
//! ins(X, [Y|Ys], [Y|Zs]) :- ins(X, Ys, Zs).    % a retry after the first; no continuation, the call is the last
//! ```

use costlens_algebra::Expr;
use costlens_body::{Goal, conjuncts, last_goals};
use costlens_compile::Instructions;
use costlens_compile::code::{Chosen, ClauseText, ConstructPart, Outcome, perhaps};
use costlens_compile::events;
use costlens_compile::events::{CallMode, IndexedBy};
use costlens_events::{Counts, Event, Index, Vocabulary};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId, Terms};
use rustc_hash::FxHashSet;

use super::Runner;
use super::head::modes;
use super::high_level::head_events;
use super::machine::outcome;
use super::point::model::{
    Collected, CostModel, Head, Literal, PointModel, PortablePoint, Sections, Selection,
};
use super::point::{ClauseScope, Point};
use super::work::{count_generated, count_work};
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::state::State;
use crate::world::questions::{Split, Truth};

/// The model of a clause whose portable events are counted.
pub(super) struct PortableClause {
    /// True if the counted numbers also cover SWI-Prolog's single-sided rules (`=>`).
    has_single_sided: bool,
    /// The outcome for whether the index selects the clause.
    found: Outcome,
    /// True if the clause is the first one in a group that is tried after an earlier group.
    begins_group: bool,
    /// The counts for creating the choice point, or for trying the clause after another one of its group.
    before: Counts,
    /// The outcome for whether the index selects a later clause, so that this one is tried with a choice point.
    later: Outcome,
    /// The arguments of the call that the head may bind, each with whether the head certainly binds it.
    bound: Vec<(usize, bool)>,
    /// The counts for head arguments that are variables of earlier arguments.
    shared: Counts,
    head: TermId,
    /// The literals after which the clause has nothing left to run.
    last: FxHashSet<TermId>,
    /// The literals that are increments.
    increments: FxHashSet<TermId>,
    /// The clause's instructions, when those of a Prolog system are counted.
    code: Option<Instructions>,
    /// The literals written as `call/N`, with the number of arguments that the closure already has.
    called: Vec<(TermId, usize)>,
}

impl PointModel {
    fn portable(&mut self) -> Option<&mut PortablePoint> {
        match self {
            PointModel::Portable(here) => Some(here),
            _ => None,
        }
    }
}

impl Point {
    fn set_leaves(&mut self, leaves: Outcome) {
        if let Some(here) = self.model.portable() {
            here.leaves = leaves;
        }
    }
}

/// Selects the clauses of a node, whose portable events are counted.
pub(super) fn selection<'a>(
    runner: &'a Runner<'_>,
    clauses: &'a [Clause],
    vocabulary: Vocabulary,
) -> Result<Selection<'a>, Split> {
    let index = vocabulary.index();
    let chosen = runner.left_by_index(clauses, index)?;
    Ok(Selection {
        call: Some(runner.found_by(clauses, index)),
        model: Box::new(move |at| {
            Box::new(runner.tried_clause(&clauses[at], at, vocabulary, &chosen))
        }),
    })
}

impl Runner<'_> {
    /// Counts the events with which a call selects its clauses.
    fn found_by(&self, clauses: &[Clause], index: Index) -> Counts {
        let heads: Vec<(&Terms, TermId)> = clauses.iter().map(|c| (&*c.terms, c.head)).collect();
        let modes = modes(&self.nodes[self.node].pattern);
        events::found_by(&heads, &modes, index)
    }

    /// Returns the clauses that the index selects.
    fn left_by_index(&self, clauses: &[Clause], index: Index) -> Result<Chosen, Split> {
        let node = &self.nodes[self.node];
        let heads: Vec<(&Terms, TermId)> = clauses.iter().map(|c| (&*c.terms, c.head)).collect();
        let groups = events::groups(&heads, index);
        let all = |found| Ok(Chosen::new(vec![found; clauses.len()], false).in_groups(&groups));
        let (at, looks_inside) = match events::indexed_by(&heads, &modes(&node.pattern), index) {
            IndexedBy::Nothing => return all(Outcome::Succeeds),
            IndexedBy::Unknown => return all(Outcome::Either),
            IndexedBy::Argument { at, looks_inside } => (at, looks_inside),
        };
        let stands_alone = groups
            .iter()
            .flat_map(|&length| std::iter::repeat_n(length == 1, length));
        let mut found = Vec::new();
        for (&(terms, head), alone) in heads.iter().zip(stands_alone) {
            if alone {
                found.push(Outcome::Succeeds);
                continue;
            }
            let Some(&argument) = terms.args(head).get(at) else {
                continue;
            };
            let mut state = State::new(terms, self.types.clone());
            let is_param = |e: &Expr| self.is_param(e);
            let s = self.scope(terms, &is_param);
            let is_told = events::is_told_by_key(terms, argument, looks_inside);
            found.push(match terms.get(argument) {
                Term::Var(_) => Outcome::Succeeds,
                _ => match state.unify_datum(&s, &node.datum(at), argument)?.0 {
                    Truth::True => Outcome::Succeeds,
                    Truth::False if is_told => Outcome::Fails,
                    _ => Outcome::Either,
                },
            });
        }
        Ok(Chosen::new(found, false).in_groups(&groups))
    }

    /// Returns a clause whose events are counted.
    fn tried_clause(
        &self,
        clause: &Clause,
        at: usize,
        vocabulary: Vocabulary,
        chosen: &Chosen,
    ) -> PortableClause {
        PortableClause {
            has_single_sided: matches!(
                vocabulary,
                Vocabulary::Portable | Vocabulary::Swi | Vocabulary::SwiOptimised
            ),
            found: chosen.outcome(at),
            begins_group: chosen.begins_group(at),
            before: chosen.choice(at),
            later: chosen.later(at),
            bound: self.bound_by(clause),
            shared: shared_by(clause, vocabulary.index()),
            head: clause.head,
            increments: (clause.body.into_iter())
                .flat_map(|body| events::increments(&clause.terms, clause.head, body))
                .collect(),
            code: instructions(clause, vocabulary),
            called: clause.closures.called.clone(),
            last: (clause.body.into_iter())
                .flat_map(|body| last_goals(&clause.terms, body))
                .collect(),
        }
    }

    /// Returns the arguments of the call that a head may bind, each with whether the head certainly binds it: those written as a constant
    /// or structure.
    fn bound_by(&self, clause: &Clause) -> Vec<(usize, bool)> {
        if clause.kind == ClauseKind::SingleSided {
            return Vec::new();
        }
        let arguments = clause.terms.args(clause.head).iter();
        let modes = modes(&self.nodes[self.node].pattern);
        (arguments.zip(modes).enumerate())
            .filter(|(_, (argument, mode))| {
                *mode != CallMode::Input && !matches!(clause.terms.get(**argument), Term::Var(_))
            })
            .map(|(at, (_, mode))| (at, mode == CallMode::Output))
            .collect()
    }
}

impl CostModel for PortableClause {
    fn covers(&self, clause: &Clause) -> bool {
        clause.kind != ClauseKind::SingleSided || self.has_single_sided && clause.guard.is_none()
    }

    fn start(&self) -> PointModel {
        PointModel::Portable(PortablePoint {
            leaves: Outcome::Fails,
            late: None,
        })
    }

    fn head(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        truths: &[Truth],
    ) -> Result<Head, Split> {
        let outcomes = self.outcomes(scope, truths)?;
        if self.begins_group {
            point.count(Counts::once(Event::Retry));
        }
        if self.found == Outcome::Fails {
            return Ok(match self.begins_group {
                true => Head::Fails,
                false => Head::Untried,
            });
        }
        let truth = self.try_head(point, truths, &outcomes);
        if truth == Truth::False {
            return Ok(Head::Fails);
        }
        point.set_leaves(self.later);
        point.count(self.shared.clone());
        point.count(once_where(self.later, Event::KeptChoice));
        point.count(Counts::once(Event::HeadUnification));
        Ok(Head::Unifies)
    }

    /// Counts the head, and the copy of a lambda expression that is called without having been compiled.
    fn enters(&self, scope: &ClauseScope<'_>, point: &mut Point, clause: &Clause) {
        if let Some(lambda) = clause.closures.interpreted {
            let mut counts = Counts::once(Event::Lambda);
            counts.add(Event::LambdaSymbol, lambda.symbols);
            point.count(match lambda.certain {
                true => counts,
                false => perhaps(&counts),
            });
        }
        point.count(head_events(scope.runner, clause));
    }

    /// Counts the events of a literal: the terms that it builds, its evaluation, its arguments, and whether the clause continues after it.
    fn begins(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        let Literal { goal, text } = literal;
        let (runner, terms) = (scope.runner, scope.terms);
        runner.note_integers(point, terms, goal);
        if !runner.is_own(terms, goal) {
            let late = count_work(point, terms, goal);
            if let Some(here) = point.model.portable() {
                here.late = late;
            }
        }
        if let Some(code) = &self.code {
            point.count(code.begun(text));
        }
        point.count(self.literal(scope, point, literal));
    }

    fn begins_control(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        if Goal::lower(scope.terms, literal.goal) == Goal::Cut {
            point.count(Counts::once(Event::Cut));
        }
    }

    fn ends(&self, scope: &ClauseScope<'_>, point: &mut Point, _: TermId, truth: Truth) {
        let late = point.model.portable().and_then(|here| here.late.take());
        if let Some(late) = late {
            late.count(point, scope.terms, truth);
        }
        point.note(truth);
    }

    fn generates(&self, point: &mut Point, terms: &Terms, goal: TermId) {
        count_generated(point, terms, goal);
    }

    fn collects(&self, scope: &ClauseScope<'_>, point: &mut Point, collected: &Collected<'_>) {
        scope.runner.count_collected(scope, point, collected);
    }

    fn commits(&self, point: &mut Point) {
        point.count(Counts::once(Event::Cut));
    }

    fn cuts(&self, point: &mut Point) {
        point.set_leaves(Outcome::Fails);
    }

    fn disjunction(&self, point: &mut Point) {
        point.count(Counts::once(Event::Disjunction));
    }

    /// Counts the start of a condition or negation; conditions that call only built-ins have a separate event.
    fn condition(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        condition: TermId,
        is_negated: bool,
    ) {
        let is_defined = |&goal: &TermId| {
            let functor = Functor::from_term(scope.terms, goal);
            functor.is_none_or(|name| scope.runner.program.is_defined(&name))
        };
        let event = match conjuncts(scope.terms, condition).iter().any(is_defined) {
            true => Event::Condition,
            false => Event::TestCondition,
        };
        let mut counts = Counts::once(event);
        counts.add(Event::Negation, u64::from(is_negated));
        point.count(counts);
    }

    /// Enters a section. The left side of a disjunction runs with a choice point for the right side.
    fn section(&self, _: &ClauseScope<'_>, point: &mut Point, section: ConstructPart) -> Sections {
        let sections = Sections::around_construct(self.start(), point);
        if let ConstructPart::Left(_) = section {
            point.set_leaves(Outcome::Succeeds);
        }
        sections
    }
}

impl PortableClause {
    /// Returns the outcome for each head argument, as precisely as the counted instructions require: separately if they unify arguments in
    /// an order other than the written one.
    fn outcomes(&self, scope: &ClauseScope<'_>, truths: &[Truth]) -> Result<Vec<Outcome>, Split> {
        let all_match = truths.iter().all(|&t| t == Truth::True);
        if all_match || !self.code.as_ref().is_some_and(Instructions::reorders) {
            return Ok(truths.iter().map(|&t| outcome(t)).collect());
        }
        let (runner, terms) = (scope.runner, scope.terms);
        let node = &runner.nodes[runner.node];
        let is_param = |e: &Expr| runner.is_param(e);
        let s = runner.scope(terms, &is_param);
        let mut outcomes = Vec::new();
        for (at, &argument) in terms.args(self.head).iter().enumerate() {
            let datum = node.datum(at);
            let is_variable = matches!(terms.get(argument), Term::Var(_));
            outcomes.push(if is_variable || datum.ty == Type::Free {
                Outcome::Succeeds
            } else if datum.ty.is_ground() {
                let mut state = State::new(terms, runner.types.clone());
                outcome(state.unify_datum(&s, &datum, argument)?.0)
            } else {
                // Another argument may share the variables.
                Outcome::Either
            });
        }
        Ok(outcomes)
    }

    /// Counts a head that the index may select, and returns whether it unifies.
    fn try_head(&self, point: &mut Point, truths: &[Truth], outcomes: &[Outcome]) -> Truth {
        let unifies = truths.iter().fold(Truth::True, |all, &t| all.and(t));
        let is_sure = self.found == Outcome::Succeeds;
        let counts = |counts: Counts| if is_sure { counts } else { perhaps(&counts) };
        point.count(counts(self.before.clone()));
        if let Some(code) = &self.code {
            point.count(counts(code.tried(outcomes)));
        }
        point.count(match (self.later, is_sure) {
            (Outcome::Succeeds, true) => self.trailed(truths),
            (Outcome::Fails, _) => Counts::default(),
            _ => perhaps(&self.trailed(truths)),
        });
        point.count(match unifies {
            Truth::True => Counts::default(),
            Truth::False => counts(Counts::once(Event::Mismatch)),
            Truth::Maybe => perhaps(&Counts::once(Event::Mismatch)),
        });
        let truth = match unifies {
            Truth::True if !is_sure => Truth::Maybe,
            truth => truth,
        };
        point.note(truth);
        truth
    }

    /// Returns the head's bindings that the system must trail because of an older choice point, up to the first argument that does not
    /// match.
    fn trailed(&self, truths: &[Truth]) -> Counts {
        let mut counts = Counts::default();
        let mut is_reached = true;
        for (at, truth) in truths.iter().enumerate() {
            if let Some((_, is_sure)) = self.bound.iter().find(|(bound, _)| *bound == at) {
                counts.add_between(Event::Trailed, u64::from(*is_sure && is_reached), 1);
            }
            match truth {
                Truth::True => {}
                Truth::Maybe => is_reached = false,
                Truth::False => break,
            }
        }
        counts
    }

    /// Returns the events of a literal other than the work of built-ins.
    fn literal(&self, scope: &ClauseScope<'_>, point: &Point, literal: Literal) -> Counts {
        let Literal { goal, text } = literal;
        if self.increments.contains(&text) {
            return Counts::once(Event::Increment);
        }
        let (runner, terms) = (scope.runner, scope.terms);
        let is_last = self.last.contains(&text);
        let mut counts = runner.built_in(terms, goal);
        if literal.is_written() {
            counts.extend(&events::written(terms, goal));
            counts.extend(&events::handed(terms, goal, is_last.then_some(self.head)));
        }
        let is_called =
            Functor::from_term(terms, goal).is_some_and(|name| runner.program.is_defined(&name));
        match (is_called, is_last) {
            (true, true) => {
                let leaves = match &point.model {
                    PointModel::Portable(here) => here.leaves,
                    _ => Outcome::Fails,
                };
                counts.extend(&once_where(leaves, Event::KeptFrame));
            }
            (true, false) => counts.add(Event::Continuation, 1),
            (false, _) => {}
        }
        if let Some((_, captured)) = self.called.iter().find(|(called, _)| *called == text) {
            counts.add(Event::Closure, 1);
            counts.add(Event::Captured, *captured as u64);
        }
        counts
    }
}

/// Counts the head arguments that are variables of earlier arguments, on systems with a separate instruction for them.
fn shared_by(clause: &Clause, index: Index) -> Counts {
    let mut counts = Counts::default();
    if index == Index::JustInTime {
        let shared = events::shared_arguments(&clause.terms, clause.head);
        counts.add(Event::SharedArgument, shared);
    }
    counts
}

/// Returns the system's instructions for a clause if they are counted, or `None` for a clause that the system does not compile.
/// Compiles a clause to the instructions of a vocabulary. Returns `None` if the system does not compile it.
pub(super) fn instructions(clause: &Clause, vocabulary: Vocabulary) -> Option<Instructions> {
    let (terms, head) = (&*clause.terms, clause.head);
    let text = match clause.kind {
        ClauseKind::SingleSided => ClauseText::single_sided(terms, head, clause.guard, clause.body),
        _ => ClauseText::rule(terms, head, clause.body),
    };
    Instructions::compile(&text, vocabulary)
}

/// Returns the counts of an event that occurs once, possibly once, or never.
fn once_where(outcome: Outcome, event: Event) -> Counts {
    match outcome {
        Outcome::Succeeds => Counts::once(event),
        Outcome::Either => perhaps(&Counts::once(event)),
        Outcome::Fails => Counts::default(),
    }
}
