//! Counting the instructions of Costlens' own machine: the index over first arguments says which clauses are tried, and each of
//! them runs up to the instruction that fails.
//!
//! Where it is not known whether the index finds a clause, or which instruction of a head fails, lower and upper counts differ. Of
//! clauses with control constructs or meta-calls, and of what built-ins and libraries run inside, nothing is known.

use costlens_events::code::{
    Chosen, ClauseText, CountedClause, Index, Key, Outcome, compile_clause_with, first_argument,
    index, perhaps,
};
use costlens_events::{Counts, Vocabulary};
use costlens_program::goals::meta_arguments;

use super::instructions::is_made;
use super::*;

/// A clause whose instructions are counted, and how it is found.
pub(super) struct MachineClause {
    clause: CountedClause,
    found: Outcome,
    before: Counts,
}

impl Runner<'_> {
    pub(super) fn counts_machine(&self) -> bool {
        self.counting == Some(Vocabulary::Machine)
    }

    /// The code of all clauses, if instructions are counted; none for a clause that cannot be.
    pub(super) fn machine_clauses(&self, clauses: &[Clause]) -> Vec<Option<CountedClause>> {
        // What the program defines instead of code in place: not every machine lets it.
        let redefines = Cell::new(false);
        let is_redefined = |name: &str, arity: usize| {
            let predicate = PredicateName::new(name, arity);
            let own = self.program.is_defined(&predicate);
            redefines.set(redefines.get() || own);
            own
        };
        let name = &self.nodes[self.node].name;
        let made = is_made(&name.name) || self.program.is_rewritten(name);
        let code = |clause: &Clause| {
            let meta = clause.body.is_some_and(|body| {
                clause.terms.chain(body, ",").into_iter().any(|goal| {
                    let functor = clause.terms.functor(goal);
                    functor.is_none_or(|(name, arity)| {
                        is_made(name) || !meta_arguments(name, arity).is_empty()
                    })
                })
            });
            if made || meta || clause.kind == ClauseKind::SingleSided {
                return None;
            }
            let text = ClauseText::rule(&clause.terms, clause.head, clause.body);
            redefines.set(false);
            let code = compile_clause_with(&text, &is_redefined).ok()?;
            if redefines.get() {
                return None;
            }
            CountedClause::new(code, &clause.terms, clause.head)
        };
        clauses.iter().map(code).collect()
    }

    /// Which clauses the index finds.
    pub(super) fn chosen(
        &self,
        clauses: &[Clause],
        codes: &[Option<CountedClause>],
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
        for (clause, code) in clauses.iter().zip(codes) {
            found.push(match code {
                _ if !indexed || unbound => Outcome::Succeeds,
                None => Outcome::Either,
                Some(code) if *code.key() == Key::Any => Outcome::Succeeds,
                Some(code) => {
                    let terms = &*clause.terms;
                    let mut state = State::new(terms, Arc::clone(self.types));
                    let is_param = |e: &Expr| self.is_param(e);
                    let s = self.scope(terms, &is_param);
                    let argument = terms.args(clause.head)[0];
                    match state.unify_datum(&s, &node.datum(0), argument)?.0 {
                        Truth::True => Outcome::Succeeds,
                        Truth::False if code.is_flat() => Outcome::Fails,
                        _ => Outcome::Either,
                    }
                }
            });
        }
        Ok(Chosen::new(found, indexed))
    }

    /// Whether the run of a clause is of interest, and what it starts with.
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
        })
    }

    /// Enters a clause; false if its head fails, none if it is not even tried.
    pub(super) fn machine_enter(
        &self,
        point: &mut Point,
        code: &MachineClause,
        truths: &[Truth],
    ) -> Option<bool> {
        if code.found == Outcome::Fails {
            return None;
        }
        let outcomes: Vec<Outcome> = truths.iter().map(|&t| outcome(t)).collect();
        let mut head = code.clause.head(&outcomes);
        let mut before = code.before.clone();
        if code.found == Outcome::Either {
            head = perhaps(&head);
            before = perhaps(&before);
        }
        self.count(point, || before);
        self.count(point, || head);
        let truth = truths.iter().fold(Truth::True, |all, &t| all.and(t));
        let truth = match (truth, code.found) {
            (Truth::True, Outcome::Either) => Truth::Maybe,
            (truth, _) => truth,
        };
        self.note(point, truth);
        Some(truth != Truth::False)
    }

    /// Before a goal: calls and cuts count here, what is in place when it is known how it ends.
    pub(super) fn machine_begin(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        text: TermId,
    ) {
        let Some(code) = &scope.machine else {
            return;
        };
        let Some((name, arity)) = scope.terms.functor(goal) else {
            return;
        };
        let nothing = matches!((name.as_str(), arity), ("true" | "otherwise", 0) | (",", 2));
        match code.clause.calls(text) {
            Some(true) => {
                self.count(point, || code.clause.literal(text, Outcome::Succeeds));
                let predicate = PredicateName::new(name.clone(), arity);
                if is_locked(name, arity) || !self.program.is_defined(&predicate) {
                    let reason = format!("what `{predicate}` runs inside is not known");
                    self.obstacle(scope, point, Some(goal), reason, "");
                }
            }
            Some(false) if name == "!" => {
                self.count(point, || code.clause.literal(text, Outcome::Succeeds));
            }
            Some(false) => {}
            None if nothing => {}
            None => {
                let reason = "the instructions of this goal are not known".to_owned();
                self.obstacle(scope, point, Some(goal), reason, "");
            }
        }
    }

    /// Behind a goal that is code in place.
    pub(super) fn machine_end(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        text: TermId,
        truth: Truth,
    ) {
        if let Some(code) = &scope.machine
            && code.clause.calls(text) == Some(false)
        {
            self.count(point, || code.clause.literal(text, outcome(truth)));
        }
    }

    pub(super) fn machine_leave(&self, scope: &ClauseScope<'_>, point: &mut Point) {
        if let Some(code) = &scope.machine {
            self.count(point, || code.clause.leave());
        }
    }
}

fn outcome(truth: Truth) -> Outcome {
    match truth {
        Truth::True => Outcome::Succeeds,
        Truth::False => Outcome::Fails,
        Truth::Maybe => Outcome::Either,
    }
}
