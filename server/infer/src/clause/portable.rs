//! Counting portable events: what any Prolog system does for the text of a clause, whatever its instructions are.
//!
//! ```prolog
//! ins(X, [Y|Ys], [X,Y|Ys]) :- X =< Y.          % a try where the index leaves the next clause as well
//! ins(X, [Y|Ys], [Y|Zs]) :- ins(X, Ys, Zs).    % a retry after the first; no continuation, the call is the last
//! ```

use costlens_events as events;
use costlens_events::code::{Chosen, Key, Outcome, first_argument, perhaps, switches};
use costlens_events::{Counts, Event, Vocabulary};
use costlens_program::Clause;
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::FxHashSet;

use super::Runner;
use super::point::{ClauseScope, Point, TriedClause};
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::world::questions::Truth;

impl Runner<'_> {
    pub(super) fn counts_portable(&self) -> bool {
        self.counting == Some(Vocabulary::Portable)
    }

    /// The choice of clauses by a table, for a call whose first argument is bound.
    pub(super) fn switch(&self, clauses: &[Clause]) -> Counts {
        let keys: Vec<Key> = (clauses.iter())
            .map(|c| first_argument(&c.terms, c.head))
            .collect();
        let mut counts = Counts::default();
        if switches(&keys.iter().collect::<Vec<_>>()) {
            let first = self.nodes[self.node].pattern.0.first();
            let (least, most) = match first {
                None | Some(Type::Free) => (0, 0),
                Some(ty) if ty.is_bound() => (1, 1),
                Some(_) => (0, 1),
            };
            counts.add_between(Event::Switch, least, most);
        }
        counts
    }

    /// A clause whose events are of interest.
    pub(super) fn tried_clause(
        &self,
        clause: &Clause,
        index: usize,
        chosen: &Chosen,
    ) -> Option<TriedClause> {
        self.counts_portable().then(|| TriedClause {
            found: chosen.found(index),
            before: chosen.choice(index),
            head: clause.head,
            increments: (clause.body.into_iter())
                .flat_map(|body| events::increments(&clause.terms, clause.head, body))
                .collect(),
            last: (clause.body).map_or_else(FxHashSet::default, |b| last_goals(&clause.terms, b)),
        })
    }

    /// Tries a clause; false if its head does not unify, none if the index does not find it.
    pub(super) fn try_clause(
        &self,
        point: &mut Point,
        tried: &TriedClause,
        truths: &[Truth],
    ) -> Option<bool> {
        if tried.found == Outcome::Fails {
            return None;
        }
        let unifies = truths.iter().fold(Truth::True, |all, &t| all.and(t));
        let is_sure = tried.found == Outcome::Succeeds;
        let counts = |counts: Counts| if is_sure { counts } else { perhaps(&counts) };
        self.count(point, || counts(tried.before.clone()));
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
        Some(truth != Truth::False)
    }

    /// Counts what a literal builds, evaluates and hands over, and whether its clause goes on behind it.
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
            if is_called && !is_last {
                counts.add(Event::Continuation, 1);
            }
            counts
        });
    }

    pub(super) fn count_cut(&self, point: &mut Point) {
        if self.counts_portable() {
            self.count(point, || Counts::once(Event::Cut));
        }
    }
}

/// The goals behind which a body has nothing to run: the last one, and the last of each branch where that is a disjunction.
pub(super) fn last_goals(terms: &Terms, body: TermId) -> FxHashSet<TermId> {
    let mut last = FxHashSet::default();
    let mut waiting = vec![body];
    while let Some(goal) = waiting.pop() {
        let args = terms.args(goal);
        match terms.functor(goal) {
            Some((name, 2)) if matches!(name.as_str(), "," | "->" | "*->") => {
                waiting.push(args[1]);
            }
            Some((name, 2)) if matches!(name.as_str(), ";" | "|") => waiting.extend(args),
            _ => drop(last.insert(goal)),
        }
    }
    last
}
