//! Liveness of variables: the variables that a clause must keep across calls, and the last use of each.
//!
//! A *chunk* is a stretch of code across which registers keep their values. It ends at a call, at the choice point of a disjunction, at
//! each alternative of the disjunction, and at the join after a disjunction with a call or choice point in one of its branches. A variable
//! whose occurrences are all in one chunk is *temporary*; any other variable is *permanent*. Branches of a disjunction whose conditions are
//! only tests start in the same chunk, since no path leads through two of them.

use std::collections::BTreeMap;

use costlens_syntax::term::{Term, TermId, Terms};

use super::instruction::{Register, Slot};
use super::tree::{ActionKind, Body, Disjunction, GoalBranch, GoalNode, Primitive, Variable};
use crate::occurrences::Occurrences;

/// The liveness of a clause's variables, computed before code is emitted.
pub(super) struct Liveness {
    /// The number of occurrences of each variable, including the head; for a level, the number of cuts to it.
    pub(super) occurrences: Vec<usize>,
    /// The slot of each permanent variable.
    pub(super) slots: Vec<Option<Slot>>,
    /// The number of slots.
    pub(super) slot_count: u32,
    /// The number of the last primitive in which each variable occurs; 0 is the head.
    pub(super) last: Vec<u32>,
    /// The last primitive for which a slot is needed, by slot, in descending order.
    pub(super) slot_last: Vec<u32>,
    /// The variables that occur in each primitive, in the order of the primitives.
    pub(super) in_primitives: Vec<(u32, Variable)>,
    /// The level for the clause's own cuts other than neck cuts.
    pub(super) clause_level: Variable,
    /// The register in which the call that ends a chunk passes a variable.
    pub(super) wanted: BTreeMap<(u32, Variable), Register>,
    /// The arity of the call that ends a chunk, by chunk.
    pub(super) arities: Vec<u32>,
}

/// Computes liveness, and numbers the primitives and their chunks.
pub(super) fn analyse(terms: &Terms, head: &[TermId], body: &mut Body) -> Liveness {
    let clause_level = body.variables;
    let count = clause_level as usize + 1;
    let mut walk = Walk {
        terms,
        chunks: 1,
        primitive: 0,
        occurrences: Occurrences::default(),
        last: vec![0; count],
        in_primitives: Vec::new(),
        clause_level,
        wanted: BTreeMap::new(),
        arities: vec![0],
    };
    for &argument in head {
        walk.term(argument, 0);
    }
    walk.goal(&mut body.goal, 0);

    let mut occurrences = vec![0; count];
    for (v, occurrence) in walk.occurrences.iter() {
        occurrences[v as usize] = occurrence.times;
    }
    let mut permanent: Vec<Variable> = walk.occurrences.permanent().collect();
    permanent.sort_by_key(|&v| (std::cmp::Reverse(walk.last[v as usize]), v));
    let mut slots = vec![None; count];
    let mut slot_last = Vec::with_capacity(permanent.len());
    for (slot, &v) in (0..).zip(&permanent) {
        slots[v as usize] = Some(slot);
        slot_last.push(walk.last[v as usize]);
    }
    walk.in_primitives.dedup();
    Liveness {
        occurrences,
        slots,
        slot_count: u32::try_from(permanent.len()).unwrap_or(u32::MAX),
        last: walk.last,
        slot_last,
        in_primitives: walk.in_primitives,
        clause_level,
        wanted: walk.wanted,
        arities: walk.arities,
    }
}

struct Walk<'t> {
    terms: &'t Terms,
    chunks: u32,
    primitive: u32,
    /// The occurrences of variables, by chunk.
    occurrences: Occurrences<u32>,
    last: Vec<u32>,
    in_primitives: Vec<(u32, Variable)>,
    clause_level: Variable,
    wanted: BTreeMap<(u32, Variable), Register>,
    arities: Vec<u32>,
}

impl Walk<'_> {
    fn fresh(&mut self) -> u32 {
        self.chunks += 1;
        self.arities.push(0);
        self.chunks - 1
    }

    fn term(&mut self, id: TermId, chunk: u32) {
        for part in self.terms.subterms(id) {
            if let Term::Var(variable) = *self.terms.get(part) {
                self.meet(variable, chunk);
                if self.primitive > 0 {
                    self.in_primitives.push((self.primitive, variable));
                }
            }
        }
    }

    /// Adds an occurrence of a variable, or a cut to a level.
    fn meet(&mut self, v: Variable, chunk: u32) {
        self.occurrences.meet(v, chunk);
        self.last[v as usize] = self.primitive;
    }

    /// Records that a chunk needs a level.
    fn reach(&mut self, level: Variable, chunk: u32) {
        self.occurrences.reach(level, chunk);
        self.last[level as usize] = self.primitive;
    }

    /// Processes a goal that starts in a chunk. Returns the chunk in which the code after it starts.
    fn goal(&mut self, goal: &mut GoalNode, chunk: u32) -> u32 {
        match goal {
            GoalNode::Conjunction(goals) => goals.iter_mut().fold(chunk, |c, g| self.goal(g, c)),
            GoalNode::Primitive(primitive) => self.primitive(primitive, chunk),
            GoalNode::Disjunction(d) => self.disjunction(d, chunk),
            GoalNode::Scope(level, goal, _) => {
                self.primitive += 1;
                self.reach(*level, chunk);
                self.goal(goal, chunk)
            }
        }
    }

    /// Processes a condition that consists of tests. The whole condition is in one chunk, including disjunctions.
    fn jumps(&mut self, goal: &mut GoalNode, chunk: u32) {
        match goal {
            GoalNode::Conjunction(goals) => goals.iter_mut().for_each(|g| self.jumps(g, chunk)),
            GoalNode::Primitive(primitive) => {
                self.primitive(primitive, chunk);
            }
            GoalNode::Disjunction(d) => {
                for branch in &mut d.branches {
                    match branch {
                        GoalBranch::Plain(goal) => self.jumps(goal, chunk),
                        GoalBranch::If {
                            condition, then, ..
                        }
                        | GoalBranch::Soft {
                            condition, then, ..
                        } => {
                            self.jumps(condition, chunk);
                            self.jumps(then, chunk);
                        }
                    }
                }
            }
            GoalNode::Scope(_, goal, _) => self.jumps(goal, chunk),
        }
    }

    fn primitive(&mut self, primitive: &mut Primitive, chunk: u32) -> u32 {
        self.primitive += 1;
        primitive.chunk = chunk;
        primitive.number = self.primitive;
        match &primitive.kind {
            ActionKind::Fail => chunk,
            ActionKind::Cut(level) => {
                if let Some(level) = level.or((chunk != 0).then_some(self.clause_level)) {
                    if level == self.clause_level {
                        // `get_level` is in the first chunk.
                        self.reach(level, 0);
                    }
                    self.meet(level, chunk);
                }
                chunk
            }
            ActionKind::Type(_, a) => {
                self.term(*a, chunk);
                chunk
            }
            ActionKind::Unify(a, b)
            | ActionKind::Is(a, b)
            | ActionKind::Arithmetic(_, a, b)
            | ActionKind::Compare(_, a, b)
            | ActionKind::NotUnifiable(a, b) => {
                self.term(*a, chunk);
                self.term(*b, chunk);
                chunk
            }
            ActionKind::Call(_, args) => {
                for (i, &argument) in (0..).zip(args) {
                    if let Term::Var(v) = self.terms.get(argument)
                        && self.arities[chunk as usize] == 0
                    {
                        self.wanted.entry((chunk, *v)).or_insert(i);
                    }
                    self.term(argument, chunk);
                }
                let arity = &mut self.arities[chunk as usize];
                *arity = (*arity).max(u32::try_from(args.len()).unwrap_or(u32::MAX));
                self.fresh()
            }
        }
    }

    fn disjunction(&mut self, d: &mut Disjunction, chunk: u32) -> u32 {
        d.start = self.primitive + 1;
        let (mut entry, mut in_run, mut barrier) = (chunk, false, false);
        let level = d.level;
        let mut level_kept = false;
        let count = d.branches.len();
        for (i, branch) in d.branches.iter_mut().enumerate() {
            let mut inside = entry;
            let tests = matches!(branch, GoalBranch::If { tests: true, .. });
            if !tests {
                if let Some(level) = level
                    && !level_kept
                {
                    self.primitive += 1;
                    self.reach(level, entry);
                    level_kept = true;
                }
                // The code after this point starts a new choice point, an alternative of a choice point, or the last branch, which needs no
                // choice point.
                let last = i + 1 == count;
                if !last || in_run {
                    inside = self.fresh();
                    barrier = true;
                }
                in_run = !last;
            } else if in_run {
                // The code after this point is the alternative of the previous choice point, which is dropped immediately.
                inside = self.fresh();
                entry = inside;
                in_run = false;
            }
            let out = match branch {
                GoalBranch::Plain(goal) => self.goal(goal, inside),
                GoalBranch::If {
                    condition, then, ..
                } => {
                    let out = if tests {
                        self.jumps(condition, inside);
                        inside
                    } else {
                        self.goal(condition, inside)
                    };
                    if let (false, Some(level)) = (tests, level) {
                        self.primitive += 1;
                        self.meet(level, out);
                    }
                    self.goal(then, out)
                }
                GoalBranch::Soft {
                    condition,
                    then,
                    choice,
                } => {
                    let last = i + 1 == count;
                    if !last {
                        self.primitive += 1;
                        self.reach(*choice, inside);
                    }
                    let out = self.goal(condition, inside);
                    if !last {
                        self.primitive += 1;
                        self.meet(*choice, out);
                    }
                    self.goal(then, out)
                }
            };
            barrier |= out != entry;
        }
        d.barrier = barrier;
        d.end = self.primitive + 1;
        if barrier { self.fresh() } else { chunk }
    }
}
