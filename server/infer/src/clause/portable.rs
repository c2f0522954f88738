//! Counts of portable events: the operations that any Prolog system performs for the text of a clause, whatever its instructions are.
//!
//! ```prolog
//! ins(X, [Y|Ys], [X,Y|Ys]) :- X =< Y.          % a try where the index leaves the next clause as well
//! ins(X, [Y|Ys], [Y|Zs]) :- ins(X, Ys, Zs).    % a retry after the first; no continuation, the call is the last
//! ```

use costlens_algebra::Expr;
use costlens_body::{conjuncts, last_goals};
use costlens_compile::Instructions;
use costlens_compile::code::{Chosen, ClauseText, Outcome, perhaps};
use costlens_compile::events;
use costlens_compile::events::{IndexedBy, Mode};
use costlens_events::{Counts, Event, Index, Vocabulary};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId, Terms};

use super::Runner;
use super::head::modes;
use super::machine::outcome;
use super::point::{ClauseScope, Point, TriedClause};
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::state::State;
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    pub(super) fn counts_portable(&self) -> bool {
        self.counting.is_some_and(Vocabulary::is_portable)
    }

    /// Returns the index of the systems to which the vocabulary applies.
    fn index(&self) -> Index {
        self.counting.unwrap_or_default().index()
    }

    /// Counts the events with which a call selects its clauses.
    pub(super) fn found_by(&self, clauses: &[Clause]) -> Counts {
        let heads: Vec<(&Terms, TermId)> = clauses.iter().map(|c| (&*c.terms, c.head)).collect();
        let modes = modes(&self.nodes[self.node].pattern);
        events::found_by(&heads, &modes, self.index())
    }

    /// Returns the clauses that the index selects.
    pub(super) fn left_by_index(&self, clauses: &[Clause]) -> Result<Chosen, Split> {
        let node = &self.nodes[self.node];
        let heads: Vec<(&Terms, TermId)> = clauses.iter().map(|c| (&*c.terms, c.head)).collect();
        let index = self.index();
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
    pub(super) fn tried_clause(
        &self,
        clause: &Clause,
        index: usize,
        chosen: &Chosen,
    ) -> Option<TriedClause> {
        self.counts_portable().then(|| TriedClause {
            found: chosen.found(index),
            begins_group: chosen.begins_group(index),
            before: chosen.choice(index),
            later: chosen.later(index),
            bound: self.bound_by(clause),
            shared: self.shared_by(clause),
            head: clause.head,
            increments: (clause.body.into_iter())
                .flat_map(|body| events::increments(&clause.terms, clause.head, body))
                .collect(),
            code: self.instructions(clause),
            called: clause.closures.called.clone(),
            last: (clause.body.into_iter())
                .flat_map(|body| last_goals(&clause.terms, body))
                .collect(),
        })
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
                *mode != Mode::Input && !matches!(clause.terms.get(**argument), Term::Var(_))
            })
            .map(|(at, (_, mode))| (at, mode == Mode::Output))
            .collect()
    }

    /// Counts the head arguments that are variables of earlier arguments, on systems with a separate instruction for them.
    fn shared_by(&self, clause: &Clause) -> Counts {
        let mut counts = Counts::default();
        if self.index() == Index::JustInTime {
            let shared = events::shared_arguments(&clause.terms, clause.head);
            counts.add(Event::SharedArgument, shared);
        }
        counts
    }

    /// Returns the system's instructions for a clause if they are counted, or `None` for a clause that the system does not compile.
    fn instructions(&self, clause: &Clause) -> Option<Instructions> {
        let (terms, head) = (&*clause.terms, clause.head);
        let text = match clause.kind {
            ClauseKind::SingleSided => {
                ClauseText::single_sided(terms, head, clause.guard, clause.body)
            }
            _ => ClauseText::rule(terms, head, clause.body),
        };
        Instructions::of(&text, self.counting?)
    }

    /// Returns the outcome for each head argument, as precisely as the counted instructions require: separately if they unify arguments in
    /// an order other than the written one.
    pub(super) fn outcomes(
        &self,
        scope: &ClauseScope<'_>,
        head: &[TermId],
        truths: &[Truth],
    ) -> Result<Vec<Outcome>, Split> {
        let code = scope.tried.as_ref().and_then(|tried| tried.code.as_ref());
        let all_match = truths.iter().all(|&t| t == Truth::True);
        if all_match || !code.is_some_and(Instructions::reorders) {
            return Ok(truths.iter().map(|&t| outcome(t)).collect());
        }
        let node = &self.nodes[self.node];
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(scope.terms, &is_param);
        let mut outcomes = Vec::new();
        for (at, &argument) in head.iter().enumerate() {
            let datum = node.datum(at);
            let is_variable = matches!(scope.terms.get(argument), Term::Var(_));
            outcomes.push(if is_variable || datum.ty == Type::Free {
                Outcome::Succeeds
            } else if datum.ty.is_ground() {
                let mut state = State::new(scope.terms, self.types.clone());
                outcome(state.unify_datum(&s, &datum, argument)?.0)
            } else {
                // Another argument may share the variables.
                Outcome::Either
            });
        }
        Ok(outcomes)
    }

    /// Tries a clause. Returns false if its head does not unify, and `None` if the index does not select it.
    pub(super) fn try_clause(
        &self,
        point: &mut Point,
        tried: &TriedClause,
        truths: &[Truth],
        outcomes: &[Outcome],
    ) -> Option<bool> {
        if tried.begins_group {
            self.count(point, || Counts::once(Event::Retry));
        }
        if tried.found == Outcome::Fails {
            return tried.begins_group.then_some(false);
        }
        let unifies = truths.iter().fold(Truth::True, |all, &t| all.and(t));
        let is_sure = tried.found == Outcome::Succeeds;
        let counts = |counts: Counts| if is_sure { counts } else { perhaps(&counts) };
        self.count(point, || counts(tried.before.clone()));
        if let Some(code) = &tried.code {
            self.count(point, || counts(code.tried(outcomes)));
        }
        self.count(point, || match (tried.later, is_sure) {
            (Outcome::Succeeds, true) => tried.trailed(truths),
            (Outcome::Fails, _) => Counts::default(),
            _ => perhaps(&tried.trailed(truths)),
        });
        self.count(point, || match unifies {
            Truth::True => Counts::default(),
            Truth::False => counts(Counts::once(Event::Mismatch)),
            Truth::Maybe => perhaps(&Counts::once(Event::Mismatch)),
        });
        let truth = match unifies {
            Truth::True if !is_sure => Truth::Maybe,
            truth => truth,
        };
        self.note(point, truth);
        if truth != Truth::False {
            point.leaves = tried.later;
            self.count(point, || tried.shared.clone());
            self.count(point, || once_where(tried.later, Event::KeptChoice));
        }
        Some(truth != Truth::False)
    }

    /// Counts the copy of a lambda expression that is called without having been compiled.
    pub(super) fn count_interpreted(&self, point: &mut Point, clause: &Clause) {
        let Some(lambda) = clause.closures.interpreted else {
            return;
        };
        if self.counts_portable() {
            let mut counts = Counts::once(Event::Lambda);
            counts.add(Event::LambdaSymbol, lambda.symbols);
            self.count(point, || match lambda.certain {
                true => counts,
                false => perhaps(&counts),
            });
        }
    }

    /// Counts the events of a literal: the terms that it builds, its evaluation, its arguments, and whether the clause continues after it.
    pub(super) fn count_portable(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        text: TermId,
    ) {
        let Some(tried) = &scope.tried else { return };
        let terms = scope.terms;
        let is_last = tried.last.contains(&text);
        if !self.is_own(terms, goal) {
            self.count_work(point, terms, goal);
        }
        if let Some(code) = &tried.code {
            self.count(point, || code.begun(text));
        }
        let leaves = point.leaves;
        self.count(point, || {
            if tried.increments.contains(&text) {
                return Counts::once(Event::Increment);
            }
            let mut counts = self.built_in(terms, goal);
            if text == goal {
                counts.extend(&events::written(terms, goal));
                counts.extend(&events::handed(terms, goal, is_last.then_some(tried.head)));
            }
            let is_called = (terms.functor(goal)).is_some_and(|(name, arity)| {
                self.program.is_defined(&Functor::new(name.clone(), arity))
            });
            match (is_called, is_last) {
                (true, true) => counts.extend(&once_where(leaves, Event::KeptFrame)),
                (true, false) => counts.add(Event::Continuation, 1),
                (false, _) => {}
            }
            if let Some((_, captured)) = tried.called.iter().find(|(called, _)| *called == text) {
                counts.add(Event::Closure, 1);
                counts.add(Event::Captured, *captured as u64);
            }
            counts
        });
    }

    /// Counts the start of a condition or negation; conditions that call only built-ins have a separate event.
    pub(super) fn count_condition(
        &self,
        point: &mut Point,
        terms: &Terms,
        condition: TermId,
        negated: bool,
    ) {
        if self.counts_portable() {
            let calls = |&goal: &TermId| {
                terms.functor(goal).is_none_or(|(name, arity)| {
                    (self.program).is_defined(&Functor::new(name.clone(), arity))
                })
            };
            let event = match conjuncts(terms, condition).iter().any(calls) {
                true => Event::Condition,
                false => Event::TestCondition,
            };
            self.count(point, || {
                let mut counts = Counts::once(event);
                counts.add(Event::Negation, u64::from(negated));
                counts
            });
        }
    }

    /// Counts the start of a disjunction.
    pub(super) fn count_disjunction(&self, point: &mut Point) {
        if self.counts_portable() {
            self.count(point, || Counts::once(Event::Disjunction));
        }
    }

    pub(super) fn count_cut(&self, point: &mut Point) {
        if self.counts_portable() {
            self.count(point, || Counts::once(Event::Cut));
        }
    }
}

/// Returns the counts of an event that occurs once, possibly once, or never.
fn once_where(outcome: Outcome, event: Event) -> Counts {
    match outcome {
        Outcome::Succeeds => Counts::once(event),
        Outcome::Either => perhaps(&Counts::once(event)),
        Outcome::Fails => Counts::default(),
    }
}
