//! Runs a clause from left to right under a choice of modes, tracks the known variables, and counts surprises.

use super::super::bodies::Mark;
use super::super::literals::{ClauseModes, Literal, MemberPredicate, Use};

pub(super) fn surprises(
    clause: &ClauseModes,
    own: &[bool],
    inputs: &[Vec<bool>],
    predicates: &[MemberPredicate],
) -> usize {
    let run = run(clause, own, inputs, predicates);
    // Outputs must be known at the end.
    let unknown = (clause.head.iter().zip(own))
        .filter(|(v, input)| !**input && !run.knows(v))
        .count();
    run.surprises + unknown
}

/// Runs a clause from left to right.
pub(super) fn run<'a>(
    clause: &'a ClauseModes,
    own: &[bool],
    inputs: &[Vec<bool>],
    predicates: &[MemberPredicate],
) -> ModeRun<'a> {
    let mut run = ModeRun {
        knowledge: RunKnowledge {
            known: vec![false; clause.variables],
            weak: vec![false; clause.variables],
            pending: Vec::new(),
        },
        surprises: 0,
        branches: Vec::new(),
    };
    for (variables, &input) in clause.head.iter().zip(own) {
        if input {
            run.learn(variables);
        }
    }
    for literal in &clause.literals {
        run.literal(literal, inputs, predicates);
    }
    // Disjunctions that are incomplete because literals were cut off.
    while !run.branches.is_empty() {
        run.join();
    }
    run
}

pub(super) struct ModeRun<'a> {
    knowledge: RunKnowledge<'a>,
    surprises: usize,
    branches: Vec<Branch<'a>>,
}

/// Facts about the variables at one point of a clause.
#[derive(Clone, Default)]
struct RunKnowledge<'a> {
    known: Vec<bool>,
    /// For each variable, true if it is assumed to be known only because an unknown call may bind it.
    weak: Vec<bool>,
    pending: Vec<(&'a [u32], &'a [u32])>,
}

/// A disjunction during the run.
struct Branch<'a> {
    before: RunKnowledge<'a>,
    /// The facts at the end of the first branch.
    first: Option<RunKnowledge<'a>>,
    /// Variables that are bound if this branch is taken.
    taken: Vec<u32>,
}

impl RunKnowledge<'_> {
    /// Removes the facts that hold only because a branch is taken.
    fn forget(mut self, taken: &[u32]) -> Self {
        for &v in taken {
            self.known[v as usize] = false;
        }
        self
    }

    /// Joins the facts of two branches.
    fn or(mut self, other: Self) -> Self {
        for v in 0..self.known.len() {
            self.weak[v] = match (self.known[v], other.known[v]) {
                (true, true) => self.weak[v] && other.weak[v],
                (true, false) => self.weak[v],
                _ => other.weak[v],
            };
            self.known[v] |= other.known[v];
        }
        for unification in other.pending {
            if !self.pending.contains(&unification) {
                self.pending.push(unification);
            }
        }
        self
    }
}

impl<'a> ModeRun<'a> {
    /// Returns whether a variable is assumed to be known only because an unknown call may bind it.
    pub(super) fn is_weak(&self, v: u32) -> bool {
        self.knowledge.weak[v as usize]
    }

    fn knows(&self, variables: &[u32]) -> bool {
        variables.iter().all(|&v| self.knowledge.known[v as usize])
    }

    fn learn(&mut self, variables: &[u32]) {
        for &v in variables {
            self.knowledge.known[v as usize] = true;
        }
        // Each pending unification is resolved once, so this terminates.
        while let Some(at) =
            (self.knowledge.pending.iter()).position(|(a, b)| self.knows(a) || self.knows(b))
        {
            let (a, b) = self.knowledge.pending.swap_remove(at);
            for &v in a.iter().chain(b) {
                self.knowledge.known[v as usize] = true;
            }
        }
    }

    fn assume(&mut self, variables: &[u32]) {
        for &v in variables {
            let known = self.knowledge.known[v as usize];
            self.knowledge.weak[v as usize] |= !known;
        }
        self.learn(variables);
    }

    fn require(&mut self, variables: &[u32]) {
        if !self.knows(variables) {
            self.surprises += 1;
        }
    }

    fn literal(
        &mut self,
        literal: &'a Literal,
        inputs: &[Vec<bool>],
        predicates: &[MemberPredicate],
    ) {
        match literal {
            Literal::Test(read) => {
                self.require(read);
                self.learn(read);
            }
            Literal::Compute(bound, read) => {
                self.require(read);
                self.learn(read);
                self.learn(bound);
            }
            Literal::Unify(a, b) => {
                self.knowledge.pending.push((a, b));
                self.learn(&[]);
            }
            Literal::Member(member, arguments) => {
                let rests = &predicates[*member].rests;
                for ((variables, &input), &rest) in
                    arguments.iter().zip(&inputs[*member]).zip(rests)
                {
                    if input && !rest {
                        self.require(variables);
                    }
                }
                for variables in arguments {
                    self.learn(variables);
                }
            }
            Literal::Known {
                uses,
                arguments,
                reversible,
            } => {
                // `select(X, L, R)` binds nothing if only `X` is known.
                let mut made = (arguments.iter().zip(uses)).filter(|(_, of)| **of == Use::Makes);
                let backwards = *reversible
                    && made.clone().any(|(v, _)| !v.is_empty())
                    && made.all(|(v, _)| self.knows(v));
                for (variables, of) in arguments.iter().zip(uses) {
                    if *of == Use::Reads && !backwards {
                        self.require(variables);
                    }
                }
                for (variables, of) in arguments.iter().zip(uses) {
                    match of {
                        Use::Unclear => self.assume(variables),
                        _ => self.learn(variables),
                    }
                }
            }
            Literal::Apply(closure, bound) => {
                self.require(closure);
                self.learn(bound);
            }
            Literal::Other(bound) => self.assume(bound),
            Literal::Mark(mark) => self.pass(*mark),
        }
    }

    /// Processes a point at which the set of bound variables changes.
    fn pass(&mut self, mark: Mark) {
        match mark {
            Mark::Bound(variable) => {
                let is_new = !self.knows(&[variable]);
                if let Some(branch) = self.branches.last_mut().filter(|_| is_new) {
                    branch.taken.push(variable);
                }
                self.learn(&[variable]);
            }
            Mark::Either | Mark::Aside => self.branches.push(Branch {
                before: self.knowledge.clone(),
                first: None,
                taken: Vec::new(),
            }),
            Mark::Or => self.other_branch(),
            Mark::Joined => self.join(),
            Mark::Undone => {
                if let Some(branch) = self.branches.pop() {
                    self.knowledge = branch.before;
                }
            }
        }
    }

    /// Ends the first branch of a disjunction. Its bindings are not visible in the second branch.
    fn other_branch(&mut self) {
        if let Some(mut branch) = self.branches.pop() {
            let first = std::mem::replace(&mut self.knowledge, branch.before.clone());
            branch.first = Some(first.forget(&std::mem::take(&mut branch.taken)));
            self.branches.push(branch);
        }
    }

    /// Ends a disjunction. A binding made by only one branch counts for the subsequent goals, which is sufficient for a guess.
    fn join(&mut self) {
        let Some(branch) = self.branches.pop() else {
            return;
        };
        let second = std::mem::take(&mut self.knowledge).forget(&branch.taken);
        self.knowledge = match branch.first {
            Some(first) => first.or(second),
            None => second,
        };
        self.learn(&[]);
    }
}
