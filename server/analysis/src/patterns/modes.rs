//! Which arguments are inputs: the choice under which the clauses run left to right with the fewest surprises.
//!
//! A choice is good if every test and computation finds its variables known, calls inside the component find their inputs
//! known, outputs are known at the end, and something that recursion changes is an input. Among equally good ones, the first
//! argument that recursion takes apart is an input (`app/3` joins its first two arguments rather than splitting its third),
//! then as few and as early inputs as possible, with outputs behind them.

use super::literals::{Change, ClauseModes, Literal, Predicate};

/// Predicates with more arguments are not tried out choice by choice but argument by argument.
const MOST_ENUMERATED: usize = 6;
/// How often the members of a component are gone through.
const ROUNDS: usize = 4;
/// The price of each output that stands before an input: people write inputs first. Less than that of an input, so that
/// `member/2` generates.
const OUTPUT_BEFORE_INPUT: usize = 9;
/// The price of one surprise; dearer than all preferences together.
const SURPRISE: usize = 100_000;

/// The inputs of each predicate of the component.
pub(super) fn choose(predicates: &[Predicate]) -> Vec<Vec<bool>> {
    let mut inputs: Vec<Vec<bool>> = predicates.iter().map(initial).collect();
    for _ in 0..ROUNDS {
        let before = inputs.clone();
        for index in 0..predicates.len() {
            inputs[index] = best(predicates, index, &inputs);
        }
        if inputs == before {
            break;
        }
    }
    inputs
}

fn initial(predicate: &Predicate) -> Vec<bool> {
    (0..predicate.arity)
        .map(|i| fixed(predicate, i).unwrap_or(true))
        .collect()
}

/// Tells whether an argument is an input, if that is not for the guess to choose.
fn fixed(predicate: &Predicate, argument: usize) -> Option<bool> {
    if predicate.rests[argument] {
        return Some(true);
    }
    predicate.fixed[argument]
        .as_ref()
        .map(|t| *t != costlens_infer::types::Type::Free)
}

fn best(predicates: &[Predicate], index: usize, inputs: &[Vec<bool>]) -> Vec<bool> {
    let predicate = &predicates[index];
    let mut all = inputs.to_vec();
    let mut price = |choice: &[bool]| {
        all[index] = choice.to_vec();
        price(predicates, index, &all)
    };
    let free: Vec<usize> = (0..predicate.arity)
        .filter(|&i| fixed(predicate, i).is_none())
        .collect();
    let mut current = initial(predicate);
    if free.len() <= MOST_ENUMERATED {
        let choices = (0..1_u32 << free.len()).map(|bits| {
            let mut choice = current.clone();
            for (bit, &i) in free.iter().enumerate() {
                choice[i] = bits >> bit & 1 == 1;
            }
            choice
        });
        return choices
            .min_by_key(|choice| price(choice))
            .unwrap_or(current);
    }
    // From all inputs, one argument after the other becomes an output while that costs nothing.
    let mut least = price(&current);
    for &i in free.iter().rev() {
        current[i] = false;
        let now = price(&current);
        if now < least {
            least = now;
        } else {
            current[i] = true;
        }
    }
    current
}

fn price(predicates: &[Predicate], index: usize, inputs: &[Vec<bool>]) -> usize {
    let predicate = &predicates[index];
    let own = &inputs[index];
    let mut surprises: usize = predicate
        .clauses
        .iter()
        .map(|c| surprises(c, own, inputs, predicates))
        .sum();
    let mut preference = 0;
    if predicate.recursive {
        let driving = driving(predicate);
        // What is an input anyway, as the text of a grammar rule, may drive as well as anything before it.
        let given = |i: &usize| fixed(predicate, *i) == Some(true);
        match driving.iter().position(|&i| own[i]) {
            Some(_) if driving.iter().any(given) => {}
            Some(place) => preference += 40 * place,
            None if own.iter().any(|&i| i) && driving.is_empty() => {}
            None if predicate.arity > 0 => surprises += 1,
            None => {}
        }
        // `merge/3` takes apart its first argument in one call, and its second one in the other.
        surprises += predicate
            .recursive_calls
            .iter()
            .filter(|call| !driving.is_empty() && !serves(call, own))
            .count();
    }
    for (i, _) in own.iter().enumerate().filter(|(_, input)| **input) {
        preference += 10 + i;
        preference += OUTPUT_BEFORE_INPUT * own[..i].iter().filter(|input| !**input).count();
    }
    surprises * SURPRISE + preference
}

/// Tells whether an input changes from a call to the next.
fn serves(call: &[Change], own: &[bool]) -> bool {
    call.iter()
        .zip(own)
        .any(|(change, input)| *input && *change != Change::Stays)
}

/// The arguments that some recursive call takes apart, from left to right, then those that every one changes or makes.
fn driving(predicate: &Predicate) -> Vec<usize> {
    let calls = &predicate.recursive_calls;
    let descends = |i: usize| calls.iter().any(|call| call[i] == Change::Descends);
    let changes = |i: usize| !calls.is_empty() && calls.iter().all(|call| call[i] != Change::Stays);
    let mut found: Vec<usize> = (0..predicate.arity)
        .filter(|&i| descends(i) || changes(i))
        .collect();
    // `fold(F, A, [X|Xs], R)` walks its third argument; the second changes with it.
    found.sort_by_key(|&i| !descends(i) || predicate.made[i] || !predicate.used[i]);
    found
}

fn surprises(
    clause: &ClauseModes,
    own: &[bool],
    inputs: &[Vec<bool>],
    predicates: &[Predicate],
) -> usize {
    let mut run = Run {
        known: vec![false; clause.variables],
        surprises: 0,
        pending: Vec::new(),
    };
    for (variables, &input) in clause.head.iter().zip(own) {
        if input {
            run.learn(variables);
        }
    }
    for literal in &clause.literals {
        run.literal(literal, inputs, predicates);
    }
    // Outputs must be there in the end.
    let unknown = clause
        .head
        .iter()
        .zip(own)
        .filter(|(v, input)| !**input && !run.knows(v))
        .count();
    run.surprises + unknown
}

struct Run<'a> {
    known: Vec<bool>,
    surprises: usize,
    pending: Vec<(&'a [u32], &'a [u32])>,
}

impl<'a> Run<'a> {
    fn knows(&self, variables: &[u32]) -> bool {
        variables.iter().all(|&v| self.known[v as usize])
    }

    fn learn(&mut self, variables: &[u32]) {
        for &v in variables {
            self.known[v as usize] = true;
        }
        // Each pending unification is resolved once, so this ends.
        while let Some(at) = self
            .pending
            .iter()
            .position(|(a, b)| self.knows(a) || self.knows(b))
        {
            let (a, b) = self.pending.swap_remove(at);
            for &v in a.iter().chain(b) {
                self.known[v as usize] = true;
            }
        }
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
                self.pending.push((a, b));
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
                inputs,
                arguments,
                reversible,
            } => {
                let backwards = *reversible
                    && arguments
                        .iter()
                        .zip(inputs)
                        .any(|(v, input)| !input && !v.is_empty() && self.knows(v));
                for (variables, input) in arguments.iter().zip(inputs) {
                    if *input && !backwards {
                        self.require(variables);
                    }
                }
                for variables in arguments {
                    self.learn(variables);
                }
            }
            Literal::Apply(closure, bound) => {
                self.require(closure);
                self.learn(bound);
            }
            Literal::Other(bound) => self.learn(bound),
        }
    }
}
