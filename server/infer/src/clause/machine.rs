//! Counts of the instructions of Costlens' own machine: first-argument indexing selects the clauses that are tried, and each of them runs
//! up to the instruction that fails.
//!
//! A run follows the clause's code as it follows the goals ([`Point::at`]). If it is unknown whether the index selects a clause, or which
//! instruction of a head fails, the lower and upper counts differ. Instructions run by meta-calls are unknown.

use std::cell::Cell;
use std::sync::Arc;

use costlens_algebra::Expr;
use costlens_body::{Collector, Goal};
use costlens_catalog::{counts_nothing, is_fixed, meta_arguments};
use costlens_compile::code::{
    Chosen, ClauseText, CountedClause, Extent, Index, Key, Modes, Outcome, Section, Stretch,
    compile_clause_with, first_argument, index, inside_built_in, perhaps,
};
use costlens_events::Vocabulary;
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{TermId, Terms};

use super::Runner;
use super::instructions::is_made;
use super::point::{Begun, ClauseScope, MachineClause, Point};
use super::wrapped::runs_once;
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::state::State;
use crate::tree::{End, Step, Tested, Tree};
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    pub(super) fn counts_machine(&self) -> bool {
        self.counting == Some(Vocabulary::Machine)
    }

    /// Returns the code of all clauses if instructions are counted, with `None` for clauses that cannot be compiled.
    pub(super) fn machine_clauses(&self, clauses: &[Clause]) -> Vec<Option<CountedClause>> {
        // The program may redefine predicates that compile to inline code; not every machine allows this.
        let redefines = Cell::new(false);
        let is_redefined = |name: &str, arity: usize| {
            let predicate = Functor::new(name, arity);
            let own = self.program.may_redefine(&predicate);
            redefines.set(redefines.get() || own);
            own
        };
        let name = &self.nodes[self.node].name;
        let made = is_made(&name.name) || self.program.is_rewritten(name);
        let code = |clause: &Clause| {
            if made || clause.kind == ClauseKind::SingleSided {
                return None;
            }
            let text = ClauseText::rule(&clause.terms, clause.head, clause.body);
            redefines.set(false);
            let code = compile_clause_with(&text, &is_redefined).ok()?;
            (!redefines.get()).then(|| CountedClause::new(code, &clause.terms, clause.head))
        };
        clauses.iter().map(code).collect()
    }

    /// Returns the clauses that the index selects. For each clause, `flat` is true if the index alone rejects its first argument, and
    /// `None` if the clause has no code.
    pub(super) fn chosen(
        &self,
        clauses: &[Clause],
        flat: &[Option<bool>],
    ) -> Result<Chosen, Split> {
        let node = &self.nodes[self.node];
        let keys: Vec<Key> = clauses
            .iter()
            .map(|c| first_argument(&c.terms, c.head))
            .collect();
        let keys: Vec<&Key> = keys.iter().collect();
        let unbound = node.pattern.0.first().is_none_or(|ty| *ty == Type::Free);
        let indexed = matches!(index(&keys), Index::Switch { .. });
        let mut found = Vec::new();
        for ((clause, key), flat) in clauses.iter().zip(keys).zip(flat) {
            found.push(match flat {
                _ if !indexed || unbound => Outcome::Succeeds,
                None => Outcome::Either,
                Some(_) if *key == Key::Any => Outcome::Succeeds,
                Some(is_flat) => {
                    let terms = &*clause.terms;
                    let mut state = State::new(terms, self.types.clone());
                    let is_param = |e: &Expr| self.is_param(e);
                    let s = self.scope(terms, &is_param);
                    let argument = terms.args(clause.head)[0];
                    match state.unify_datum(&s, &node.datum(0), argument)?.0 {
                        Truth::True => Outcome::Succeeds,
                        Truth::False if *is_flat => Outcome::Fails,
                        _ => Outcome::Either,
                    }
                }
            });
        }
        Ok(Chosen::new(found, indexed))
    }

    /// Returns a clause whose instructions are counted, with the counts at the start of its run.
    pub(super) fn machine_clause(
        &self,
        code: Option<CountedClause>,
        index: usize,
        chosen: &Chosen,
    ) -> Option<MachineClause> {
        code.map(|clause| MachineClause {
            clause,
            found: chosen.found(index),
            before: chosen.clause(index),
            leaves_choice: chosen.leaves_choice(index),
        })
    }

    /// Enters a clause. Returns false if its head fails, and `None` if the clause is not tried.
    pub(super) fn machine_enter(
        &self,
        point: &mut Point,
        code: &MachineClause,
        (terms, head): (&Terms, TermId),
        truths: &[Truth],
    ) -> Option<bool> {
        if code.found == Outcome::Fails {
            return None;
        }
        let outcomes: Vec<Outcome> = truths.iter().map(|&t| outcome(t)).collect();
        let modes = self.head_modes(terms, head, code.leaves_choice);
        let mut head = code.clause.head(&outcomes, &modes);
        let mut before = code.before.clone();
        if code.found == Outcome::Either {
            head = perhaps(&head);
            before = perhaps(&before);
        }
        self.count(point, || before);
        self.count(point, || head);
        point.at = Some(code.clause.body());
        let truth = truths.iter().fold(Truth::True, |all, &t| all.and(t));
        let truth = match (truth, code.found) {
            (Truth::True, Outcome::Either) => Truth::Maybe,
            (truth, _) => truth,
        };
        self.note(point, truth);
        Some(truth != Truth::False)
    }

    /// Counts instructions before a goal. Calls and cuts are counted now; inline code is counted when the goal's outcome is known.
    pub(super) fn machine_begin(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        text: TermId,
    ) {
        let (Some(code), Some(at)) = (&scope.machine, point.at) else {
            return;
        };
        let Some((name, arity)) = scope.terms.functor(goal) else {
            return;
        };
        let lowered = Goal::of(scope.terms, goal);
        if !code.clause.is_literal(text) && text == goal && is_in_place(lowered) {
            return;
        }
        let Some(stretch) = code.clause.to_literal(at, text) else {
            self.lose(scope, point, Some(goal));
            return;
        };
        point.at = Some(stretch.to);
        let counts = |outcome| code.clause.stretch(&stretch, outcome, &Modes::default());
        if !stretch.calls {
            if lowered == Goal::Cut {
                self.count(point, || counts(Outcome::Succeeds));
            } else {
                let modes = self.goal_modes(&point.state, scope.terms, goal);
                let steps = point.steps.len();
                point.begun = Some(Begun {
                    stretch,
                    modes,
                    steps,
                });
            }
            return;
        }
        let predicate = Functor::new(name.clone(), arity);
        let is_variable = text != goal || matches!(lowered, Goal::CallN { .. });
        let meta = is_variable || is_made(name) || !meta_arguments(name, arity).is_empty();
        if !meta && (is_fixed(name, arity) || !self.program.is_defined(&predicate)) {
            // A built-in may itself fail.
            self.count_work(point, scope.terms, goal);
            let steps = point.steps.len();
            self.count(point, || {
                let mut counts = inside_built_in(name, arity);
                let call = self.built_in(scope.terms, goal);
                // That system implements other built-ins in Prolog, and they call predicates with other names. If a platform has no
                // constant for such a built-in, its time is unknown.
                let is_one_step =
                    costlens_catalog::find(name, arity).is_some_and(|p| p.is_one_step);
                counts.extend(&if is_one_step { call } else { perhaps(&call) });
                counts
            });
            point.begun = Some(Begun {
                stretch,
                modes: Modes::default(),
                steps,
            });
            return;
        }
        if !meta || self.collects_of_call(&point.state, scope.terms, lowered) {
            self.count(point, || counts(Outcome::Succeeds));
            if meta {
                self.count(point, || inside_built_in(name, arity));
            }
            return;
        }
        self.count(point, || counts(Outcome::Either));
        let reason = if is_variable {
            "the goal is a variable of which the value is known, but not what it counts".to_owned()
        } else {
            format!("what `{predicate}` runs inside is not known")
        };
        self.obstacle(scope, point, Some(goal), reason, "");
        // The goals of `catch/3` run separately, but the goals after it continue in the same code.
        let takes_over = matches!(
            lowered,
            Goal::Catch { .. } | Goal::Cleanup { .. } | Goal::Captured { .. }
        ) || runs_once(name, arity);
        if is_variable || takes_over {
            point.at = None;
        }
    }

    /// Returns whether a goal collects the solutions of a single call to the program, as in `findall(X, p(X), Xs)`: only the called
    /// predicate runs, and no other code of the program.
    fn collects_of_call(&self, state: &State, terms: &Terms, goal: Goal<'_>) -> bool {
        let Goal::Collect {
            collector: Collector::FindAll | Collector::Aggregate,
            goal: inner,
            ..
        } = goal
        else {
            return false;
        };
        let Some((name, arity)) = terms.functor(state.resolve(terms, inner)) else {
            return false;
        };
        let predicate = Functor::new(name.clone(), arity);
        !is_made(name)
            && !is_fixed(name, arity)
            && !counts_nothing(name, arity)
            && meta_arguments(name, arity).is_empty()
            && self.program.is_defined(&predicate)
    }

    /// Counts instructions after a goal that compiles to inline code.
    pub(super) fn machine_end(&self, scope: &ClauseScope<'_>, point: &mut Point, truth: Truth) {
        let (Some(code), Some(begun)) = (&scope.machine, point.begun.take()) else {
            return;
        };
        let counts = |outcome| code.clause.stretch(&begun.stretch, outcome, &begun.modes);
        if begun.stretch.calls {
            // Inline code is counted once, however often the goal succeeds; the outcome does not identify the inline built-ins that fail.
            let succeeds = truth == Truth::True
                && (point.steps.iter().skip(begun.steps)).all(Step::cannot_fail);
            let outcome = if succeeds {
                Outcome::Succeeds
            } else {
                Outcome::Either
            };
            let counted = Step::Count(Arc::new(counts(outcome)));
            point.steps.insert(begun.steps, counted);
            return;
        }
        match truth {
            Truth::True => self.count(point, || counts(Outcome::Succeeds)),
            Truth::False => self.count(point, || counts(Outcome::Fails)),
            Truth::Maybe => {
                let tested = Tested {
                    either: counts(Outcome::Either),
                    succeeds: counts(Outcome::Succeeds),
                    fails: counts(Outcome::Fails),
                };
                point.steps.push(Step::Test(Arc::new(tested)));
            }
        }
    }

    /// Counts the `fail` instruction of `\+ G` when G has succeeded.
    pub(super) fn machine_fail(&self, scope: &ClauseScope<'_>, point: &mut Point) {
        let (Some(code), Some(at)) = (&scope.machine, point.at) else {
            return;
        };
        match code.clause.to_failure(at) {
            Some(stretch) => {
                point.at = Some(stretch.to);
                self.count(point, || {
                    code.clause
                        .stretch(&stretch, Outcome::Fails, &Modes::default())
                });
            }
            None => self.lose(scope, point, None),
        }
    }

    /// Counts the `fail` instruction of `forall/2`, which the run may or may not reach.
    pub(super) fn machine_perhaps_fails(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        from: usize,
    ) {
        let Some(code) = &scope.machine else { return };
        match code.clause.to_failure(from) {
            Some(stretch) => self.count(point, || {
                let counts = code
                    .clause
                    .stretch(&stretch, Outcome::Fails, &Modes::default());
                perhaps(&counts)
            }),
            None => self.lose(scope, point, None),
        }
    }

    /// Moves to a section of a control construct and returns its extent. Returns `None` if instructions are not counted.
    pub(super) fn machine_section(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        section: Section,
    ) -> Option<Extent> {
        let (Some(code), Some(_)) = (&scope.machine, point.at) else {
            return None;
        };
        match code.clause.section(section) {
            Some(extent) => {
                self.machine_to(scope, point, extent.start);
                point.at.map(|_| extent)
            }
            None => {
                self.lose(scope, point, None);
                None
            }
        }
    }

    /// Counts the control instructions up to a position.
    pub(super) fn machine_to(&self, scope: &ClauseScope<'_>, point: &mut Point, place: usize) {
        let (Some(code), Some(at)) = (&scope.machine, point.at) else {
            return;
        };
        match code.clause.to_place(at, place) {
            Some(stretch) => self.passes(point, code, &stretch),
            None => self.lose(scope, point, None),
        }
    }

    /// Counts the return from the clause.
    pub(super) fn machine_leave(&self, scope: &ClauseScope<'_>, point: &mut Point) {
        let (Some(code), Some(at)) = (&scope.machine, point.at) else {
            return;
        };
        match code.clause.to_return(at) {
            Some(stretch) => self.passes(point, code, &stretch),
            None => self.lose(scope, point, None),
        }
    }

    fn passes(&self, point: &mut Point, code: &MachineClause, stretch: &Stretch) {
        point.at = Some(stretch.to);
        self.count(point, || {
            code.clause
                .stretch(stretch, Outcome::Succeeds, &Modes::default())
        });
    }

    /// Stops following the clause's code: counts are unknown from this position on.
    fn lose(&self, scope: &ClauseScope<'_>, point: &mut Point, goal: Option<TermId>) {
        point.at = None;
        let reason = "the instructions from here on are not followed".to_owned();
        self.obstacle(scope, point, goal, reason, "");
    }
}

/// Returns whether a goal is a control construct that compiles to no literal, only to the code of its parts.
fn is_in_place(goal: Goal<'_>) -> bool {
    match goal {
        Goal::True | Goal::Otherwise | Goal::Forall { .. } => true,
        Goal::Not(_) | Goal::NotCalled(_) | Goal::Once(_) | Goal::Ignore(_) => true,
        Goal::CallN { added, .. } => added.is_empty(),
        _ => !goal.branches().is_empty(),
    }
}

pub(super) fn outcome(truth: Truth) -> Outcome {
    match truth {
        Truth::True => Outcome::Succeeds,
        Truth::False => Outcome::Fails,
        Truth::Maybe => Outcome::Either,
    }
}

/// Refines a tree that is known to have succeeded or failed: its tests have the same outcome, insofar as each ran once.
pub(super) fn sharpened(tree: Tree, succeeded: bool) -> Tree {
    if succeeded {
        let mut steps = Vec::new();
        let mut once = true;
        for step in tree.steps {
            once &= !matches!(
                step,
                Step::Call(_) | Step::Solutions(..) | Step::Goal(..) | Step::Unknown(_)
            );
            match step {
                Step::Test(tested) if once => {
                    steps.push(Step::Count(Arc::new(tested.succeeds.clone())));
                }
                Step::Maybe if once => {}
                other => steps.push(other),
            }
        }
        return Tree { steps, ..tree };
    }
    let simple = |s: &Step| matches!(s, Step::Count(_) | Step::Test(_) | Step::Maybe);
    let is_test = |s: &&Step| matches!(s, Step::Test(_));
    let is_maybe = |s: &&Step| matches!(s, Step::Maybe);
    let one = tree.steps.iter().filter(is_test).count() == 1
        && tree.steps.iter().filter(is_maybe).count() == 1;
    if one && matches!(tree.end, End::Success(_)) && tree.steps.iter().all(simple) {
        let mut steps = Vec::new();
        for step in tree.steps {
            if let Step::Test(tested) = step {
                steps.push(Step::Count(Arc::new(tested.fails.clone())));
                break;
            }
            steps.push(step);
        }
        return Tree {
            steps,
            end: End::Fail,
            cut_inside: false,
        };
    }
    tree
}
