//! A clause gone through from left to right under a choice of modes: what is known where, and how often that is a surprise.

use super::super::bodies::Mark;
use super::super::literals::{ClauseModes, Literal, Predicate, Use};

pub(super) fn surprises(
    clause: &ClauseModes,
    own: &[bool],
    inputs: &[Vec<bool>],
    predicates: &[Predicate],
) -> usize {
    let run = run(clause, own, inputs, predicates);
    // Outputs must be there in the end.
    let unknown = (clause.head.iter().zip(own))
        .filter(|(v, input)| !**input && !run.knows(v))
        .count();
    run.surprises + unknown
}

/// Goes through a clause from left to right.
pub(super) fn run<'a>(
    clause: &'a ClauseModes,
    own: &[bool],
    inputs: &[Vec<bool>],
    predicates: &[Predicate],
) -> Run<'a> {
    let mut run = Run {
        knowledge: Knowledge {
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
    // Those that were cut off.
    while !run.branches.is_empty() {
        run.join();
    }
    run
}

pub(super) struct Run<'a> {
    knowledge: Knowledge<'a>,
    surprises: usize,
    branches: Vec<Branch<'a>>,
}

/// Knowledge of variables at a place of a clause.
#[derive(Clone, Default)]
struct Knowledge<'a> {
    known: Vec<bool>,
    /// Taken for known, because a call of which nothing is known may bind it.
    weak: Vec<bool>,
    pending: Vec<(&'a [u32], &'a [u32])>,
}

/// A disjunction that is gone through.
struct Branch<'a> {
    before: Knowledge<'a>,
    /// At the end of its first branch.
    first: Option<Knowledge<'a>>,
    /// Variables that are bound where this branch is taken.
    taken: Vec<u32>,
}

impl Knowledge<'_> {
    /// Forgets what the choice of a branch tells.
    fn without(mut self, taken: &[u32]) -> Self {
        for &v in taken {
            self.known[v as usize] = false;
        }
        self
    }

    /// Joins two branches.
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

impl<'a> Run<'a> {
    /// Tells whether a variable is taken for known because a call of which nothing is known may bind it.
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
        // Each pending unification is resolved once, so this ends.
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

    fn literal(&mut self, literal: &'a Literal, inputs: &[Vec<bool>], predicates: &[Predicate]) {
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
                // `select(X, L, R)` gives nothing for `X` alone.
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

    /// Passes a place at which what is bound changes.
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

    /// Ends the first branch of a disjunction, of which the second one knows nothing.
    fn other_branch(&mut self) {
        if let Some(mut branch) = self.branches.pop() {
            let first = std::mem::replace(&mut self.knowledge, branch.before.clone());
            branch.first = Some(first.without(&std::mem::take(&mut branch.taken)));
            self.branches.push(branch);
        }
    }

    /// Ends a disjunction. What one of its branches binds counts for what follows, which is good enough for a guess.
    fn join(&mut self) {
        let Some(branch) = self.branches.pop() else {
            return;
        };
        let second = std::mem::take(&mut self.knowledge).without(&branch.taken);
        self.knowledge = match branch.first {
            Some(first) => first.or(second),
            None => second,
        };
        self.learn(&[]);
    }
}
