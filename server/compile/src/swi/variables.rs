//! Assigns slots to a clause's variables, and determines the unifications that move into its head.

use std::collections::BTreeMap;

use costlens_body::{Goal, semicolon};
use costlens_syntax::term::{Term, TermId, Terms};

use super::refusal::Refusal;
use crate::occurrences::Occurrences;

/// The maximum nesting depth of control constructs; deeper clauses are rejected.
pub(super) const DEEPEST: u32 = 300;

/// The maximum work for one clause. At each join of branches all variables are examined, and a clause may have many joins and many
/// variables.
const MOST_WORK: usize = 5_000_000;

/// The work done so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work(usize);

impl Work {
    /// Adds work for a goal. Refuses the clause if the limit is exceeded.
    pub(super) fn spend(&mut self, goal: TermId, work: usize) -> Result<(), Refusal> {
        self.0 = self.0.saturating_add(work);
        match self.0 <= MOST_WORK {
            true => Ok(()),
            false => Err(Refusal::TooDeep(goal)),
        }
    }
}

/// Returns true for a control construct: the compiler searches its arguments for goals.
fn is_control(goal: &Goal<'_>) -> bool {
    let is_module = matches!(goal, Goal::Qualified { .. } | Goal::InContext { .. });
    is_module || matches!(goal, Goal::Determinate(_)) || !goal.branches().is_empty()
}

/// The slots of a clause's variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// The number of arguments.
    pub(super) arity: usize,
    /// The number of slots for variables and arguments.
    pub(super) count: usize,
    /// The slot of each variable that has one.
    slots: BTreeMap<u32, usize>,
    /// The arguments that a body goal unifies with a term that moves into the head: the goal and the term.
    moved: BTreeMap<usize, (TermId, TermId)>,
}

impl Slots {
    /// Returns the slot of a variable, or `None` for a variable that occurs once.
    pub(super) fn slot(&self, variable: u32) -> Option<usize> {
        self.slots.get(&variable).copied()
    }

    /// Returns the term that replaces an argument of the head.
    pub(super) fn moved_to(&self, slot: usize) -> Option<TermId> {
        self.moved.get(&slot).map(|&(_, term)| term)
    }

    /// Returns the goals that the head performs, by argument slot.
    pub(super) fn moved_goals(&self) -> BTreeMap<usize, TermId> {
        let goals = self.moved.iter();
        goals.map(|(&slot, &(goal, _))| (slot, goal)).collect()
    }

    /// Returns whether the head performs this unification.
    pub(super) fn is_moved(&self, goal: TermId, slot: usize, term: TermId) -> bool {
        self.moved.get(&slot) == Some(&(goal, term))
    }
}

/// Assigns slots to the variables of a clause. `moves` is true if unifications may move into the head.
pub(super) fn slots(
    terms: &Terms,
    head: TermId,
    body: Option<TermId>,
    moves: bool,
) -> Result<Slots, Refusal> {
    let arguments = terms.args(head);
    let mut scan = Scan {
        terms,
        arity: arguments.len(),
        others: 0,
        moves,
        seen: Occurrences::default(),
        branch: None,
        moved: BTreeMap::new(),
        work: Work::default(),
    };
    for (place, &argument) in arguments.iter().enumerate() {
        match *terms.get(argument) {
            Term::Var(v) if scan.seen.get(v).is_none() => scan.variable_at(v, place),
            _ => scan.term(argument),
        }
    }
    if let Some(body) = body {
        scan.goal(body, 0)?;
    }
    Ok(scan.finish())
}

/// A variable met in a branch, and its number of occurrences on the left side.
#[derive(Clone, Copy, Debug)]
struct MetVariable {
    variable: u32,
    left: usize,
}

struct Scan<'t> {
    terms: &'t Terms,
    arity: usize,
    /// The number of variables that are not arguments.
    others: usize,
    /// True until the scan meets a goal other than a unification.
    moves: bool,
    /// The variables met so far, by slot, before the slots of variables that occur once are removed. The branch of a disjunction with more
    /// occurrences of a variable determines its count.
    seen: Occurrences<usize>,
    /// The variables first met by the enclosing disjunctions and negations; `None` outside them.
    branch: Option<Vec<MetVariable>>,
    moved: BTreeMap<usize, (TermId, TermId)>,
    work: Work,
}

/// A disjunction whose right side is scanned next.
struct Pending {
    /// The index of the first variable met in the disjunction.
    start: usize,
    /// True if the disjunction is not nested in another disjunction.
    is_outermost: bool,
}

impl Scan<'_> {
    /// Scans an occurrence of a variable, which receives this slot if it is new.
    fn variable_at(&mut self, variable: u32, slot: usize) {
        let is_first = self.seen.meet(variable, slot).times == 1;
        if let Some(branch) = self.branch.as_mut().filter(|_| is_first) {
            branch.push(MetVariable { variable, left: 0 });
        }
    }

    fn variable(&mut self, variable: u32) {
        let is_new = self.seen.get(variable).is_none();
        self.variable_at(variable, self.arity + self.others);
        self.others += usize::from(is_new);
    }

    /// Scans a term that is not a goal.
    fn term(&mut self, term: TermId) {
        for variable in self.terms.variables_of(term) {
            self.variable(variable);
        }
    }

    fn goal(&mut self, goal: TermId, depth: u32) -> Result<(), Refusal> {
        if depth > DEEPEST {
            return Err(Refusal::TooDeep(goal));
        }
        let (mut goal, mut pending) = (goal, Vec::new());
        while let Some(next) = self.step(goal, depth, &mut pending)? {
            goal = next;
        }
        while let Some(around) = pending.pop() {
            self.end_branch(goal, &around)?;
        }
        Ok(())
    }

    /// Scans a goal except for its last part, which is returned if it is a goal itself.
    fn step(
        &mut self,
        goal: TermId,
        depth: u32,
        pending: &mut Vec<Pending>,
    ) -> Result<Option<TermId>, Refusal> {
        let terms = self.terms;
        // The variables of `A | B` are counted as in `A, B`.
        if let Some((left, right)) = semicolon(terms, goal) {
            self.moves = false;
            pending.push(self.left_side(left, depth)?);
            return Ok(Some(right));
        }
        let lowered = Goal::lower(terms, goal);
        match lowered {
            Goal::Variable(v) => {
                self.variable(v);
                return Ok(None);
            }
            Goal::Not(inner) => {
                self.moves = false;
                self.negation(inner, depth)?;
                return Ok(None);
            }
            Goal::Unify(left, right) => {
                if self.moves && !self.unification(goal, left, right) {
                    self.unification(goal, right, left);
                }
            }
            Goal::Conjunction(..) | Goal::True => {}
            _ => self.moves = false,
        }
        match terms.args(goal).split_last() {
            Some((&last, others)) if is_control(&lowered) => {
                for &other in others {
                    self.goal(other, depth + 1)?;
                }
                Ok(Some(last))
            }
            _ => {
                self.term(goal);
                Ok(None)
            }
        }
    }

    /// Moves a unification of an argument with a non-variable term into the head.
    fn unification(&mut self, goal: TermId, argument: TermId, term: TermId) -> bool {
        let Term::Var(v) = *self.terms.get(argument) else {
            return false;
        };
        let slot = match self.seen.get(v) {
            Some(seen) if seen.first < self.arity => seen.first,
            _ => return false,
        };
        if self.moved.contains_key(&slot) || matches!(self.terms.get(term), Term::Var(_)) {
            return false;
        }
        self.moved.insert(slot, (goal, term));
        true
    }

    /// Scans the left side of a disjunction. The right side starts its own count of occurrences.
    fn left_side(&mut self, left: TermId, depth: u32) -> Result<Pending, Refusal> {
        let (is_outermost, start) = self.begin_branch();
        self.goal(left, depth + 1)?;
        let Self {
            branch, seen, work, ..
        } = self;
        let met = branch.as_mut().map_or(&mut [][..], |b| &mut b[start..]);
        work.spend(left, met.len())?;
        for met in met {
            if let Some(times) = seen.times_mut(met.variable) {
                met.left = std::mem::take(times);
            }
        }
        Ok(Pending {
            start,
            is_outermost,
        })
    }

    /// Ends a disjunction: a variable that occurs once on each side, and nowhere else, counts as occurring once.
    fn end_branch(&mut self, goal: TermId, around: &Pending) -> Result<(), Refusal> {
        let Self {
            branch, seen, work, ..
        } = self;
        let met = branch
            .as_mut()
            .map_or(&mut [][..], |b| &mut b[around.start..]);
        work.spend(goal, met.len())?;
        for met in met {
            if let Some(times) = seen.times_mut(met.variable) {
                *times = (*times).max(std::mem::take(&mut met.left));
            }
        }
        if around.is_outermost {
            self.branch = None;
        }
        Ok(())
    }

    /// Scans a negation. A branch forgets the variables met in its negations: in `( \+ p(X) ; q(X) )` the variable occurs twice.
    fn negation(&mut self, inner: TermId, depth: u32) -> Result<(), Refusal> {
        let (is_outermost, start) = self.begin_branch();
        self.goal(inner, depth + 1)?;
        if is_outermost {
            self.branch = None;
        } else if let Some(branch) = &mut self.branch {
            branch.truncate(start);
        }
        Ok(())
    }

    fn begin_branch(&mut self) -> (bool, usize) {
        let is_outermost = self.branch.is_none();
        let start = self.branch.get_or_insert_default().len();
        (is_outermost, start)
    }

    /// Removes the slots of variables that occur once, unless they are arguments.
    fn finish(self) -> Slots {
        let mut by_slot: Vec<_> = self.seen.iter().collect();
        by_slot.sort_by_key(|(_, seen)| seen.first);
        let mut left_out = 0;
        let mut slots = BTreeMap::new();
        for (variable, seen) in by_slot {
            if seen.times != 1 {
                slots.insert(variable, seen.first - left_out);
            } else if seen.first >= self.arity {
                left_out += 1;
            }
        }
        Slots {
            arity: self.arity,
            count: self.arity + self.others - left_out,
            slots,
            moved: self.moved,
        }
    }
}
