//! Chooses the input arguments such that the clauses run from left to right with the fewest surprises.
//!
//! In a good choice, the variables of every test and computation are known, the inputs of calls inside the component are known, outputs are
//! known at the end, and some argument that changes in recursion is an input. Among equally good choices, the first argument that recursion
//! decomposes is an input (`app/3` concatenates its first two arguments rather than splitting its third). Inputs should also be as few and
//! as early as possible, and precede the outputs.

mod run;

use self::run::{ModeRun, run, surprises};
use super::changes::ArgumentChange;
use super::literals::{ClauseModes, Literal, MemberPredicate};

/// The maximum number of arguments for which all combinations of modes are tried; beyond it, modes are chosen argument by argument.
const MOST_ENUMERATED: usize = 6;
/// The number of passes over the members of a component.
const ROUNDS: usize = 4;
/// The maximum number of arguments of a component for which groups of arguments are tried as outputs together.
const MOST_PASSED_ON: usize = 64;
/// The price of each output that precedes an input: programs write inputs first. It is lower than the price of an input, so that `member/2`
/// generates.
const OUTPUT_BEFORE_INPUT: usize = 9;

/// The price of a choice. One surprise costs more than all preferences together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Price {
    surprises: usize,
    preference: usize,
}

/// The guessed mode of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuessedMode {
    In,
    Out,
    /// Nothing is known about the argument: `p(X) :- missing(X).`
    Open,
}

/// The modes of each predicate of a component.
pub(super) struct Choice {
    pub(super) modes: Vec<Vec<GuessedMode>>,
    surprises: usize,
}

/// Chooses the modes of each predicate of the component.
pub(super) fn choose(predicates: &[MemberPredicate]) -> Choice {
    let mut inputs = inputs(predicates);
    let surprises = (0..predicates.len())
        .map(|index| price(predicates, index, &inputs).surprises)
        .sum();
    for (predicate, inputs) in predicates.iter().zip(&mut inputs) {
        if predicate.dispatches {
            inputs[0] = true;
        }
    }
    let modes = |(predicate, own): (&MemberPredicate, &Vec<bool>)| {
        let mut modes: Vec<GuessedMode> = (own.iter())
            .map(|input| {
                if *input {
                    GuessedMode::In
                } else {
                    GuessedMode::Out
                }
            })
            .collect();
        let states = predicate.threaded.iter().copied().filter(|&i| !own[i]);
        for open in open(predicate, own, &inputs, predicates)
            .into_iter()
            .chain(states)
        {
            modes[open] = GuessedMode::Open;
        }
        modes
    };
    let modes = predicates.iter().zip(&inputs).map(modes).collect();
    Choice { modes, surprises }
}

/// Returns whether the nonterminals of a component write text rather than read it: reading also needs the arguments that writing needs, and
/// writing with these arguments causes no surprises. The first condition does not apply to nonterminals that only flatten their arguments.
pub(super) fn writes(
    predicates: &[MemberPredicate],
    reading: &Choice,
    writing: &Choice,
    only_flattens: bool,
) -> bool {
    let mut any = false;
    let fits = |place: usize| {
        let own = predicates[place].arity.saturating_sub(2);
        let is_input = |choice: &Choice, i: usize| choice.modes[place][i] == GuessedMode::In;
        any |= own > 0;
        own == 0
            || (0..own).any(|i| is_input(writing, i))
                && (only_flattens
                    || (0..own).all(|i| !is_input(writing, i) || is_input(reading, i)))
    };
    let mut nonterminals = (0..predicates.len()).filter(|&i| predicates[i].grammar.is_some());
    writing.surprises == 0 && nonterminals.all(fits) && any
}

/// Returns the outputs that are unknown, except that some call may bind them.
fn open(
    predicate: &MemberPredicate,
    own: &[bool],
    inputs: &[Vec<bool>],
    predicates: &[MemberPredicate],
) -> Vec<usize> {
    let runs: Vec<(&ClauseModes, ModeRun<'_>)> = (predicate.clauses.iter())
        .map(|clause| (clause, run(clause, own, inputs, predicates)))
        .collect();
    let is_open = |&i: &usize| {
        let is_weak = |(clause, run): &(&ClauseModes, ModeRun<'_>)| {
            clause.head[i].iter().any(|&v| run.is_weak(v))
        };
        !own[i] && fixed(predicate, i).is_none() && !runs.is_empty() && runs.iter().all(is_weak)
    };
    (0..predicate.arity).filter(is_open).collect()
}

fn inputs(predicates: &[MemberPredicate]) -> Vec<Vec<bool>> {
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
    let arguments: usize = predicates.iter().map(|p| p.arity).sum();
    if predicates.len() > 1 && arguments <= MOST_PASSED_ON {
        outputs_together(predicates, &mut inputs);
    }
    inputs
}

/// Makes arguments that members pass to each other outputs together, if the price does not increase. For example, in
/// `put(K, T, S) :- T = t(K0, _, _), compare(O, K, K0), put(O, K, T, S).` neither of the last two arguments can become an output while the
/// other is an input.
fn outputs_together(predicates: &[MemberPredicate], inputs: &mut Vec<Vec<bool>>) {
    let total = |inputs: &[Vec<bool>]| {
        let prices = (0..predicates.len()).map(|index| price(predicates, index, inputs));
        prices.fold((0, 0), |(surprises, preference), of| {
            (surprises + of.surprises, preference + of.preference)
        })
    };
    let mut least = total(inputs);
    for group in passed_on(predicates).iter().rev() {
        let stays = |&(member, argument): &(usize, usize)| {
            fixed(&predicates[member], argument).is_some() || !inputs[member][argument]
        };
        if group.iter().any(stays) {
            continue;
        }
        let mut outputs = inputs.clone();
        for &(member, argument) in group {
            outputs[member][argument] = false;
        }
        let now = total(&outputs);
        if now < least {
            (*inputs, least) = (outputs, now);
        }
    }
}

/// Returns groups of the members' arguments, by member and argument index. Each argument passes itself or a part of itself to another
/// argument of its group.
fn passed_on(predicates: &[MemberPredicate]) -> Vec<Vec<(usize, usize)>> {
    let all: Vec<(usize, usize)> = (predicates.iter().enumerate())
        .flat_map(|(member, predicate)| (0..predicate.arity).map(move |i| (member, i)))
        .collect();
    let mut group: Vec<usize> = (0..all.len()).collect();
    let place = |of: (usize, usize)| all.iter().position(|a| *a == of);
    for (one, other) in handed_over(predicates) {
        let (Some(one), Some(other)) = (place(one), place(other)) else {
            continue;
        };
        let (keep, drop) = (group[one], group[other]);
        for g in &mut group {
            if *g == drop {
                *g = keep;
            }
        }
    }
    let members = |of: usize| {
        let own = (group.iter().zip(&all)).filter(|(g, _)| **g == of);
        own.map(|(_, argument)| *argument).collect::<Vec<_>>()
    };
    (0..all.len())
        .map(members)
        .filter(|g| g.len() > 1)
        .collect()
}

/// Returns pairs of arguments, by member and argument index: a head argument, and an argument of a member's call that shares a variable
/// with it.
fn handed_over(predicates: &[MemberPredicate]) -> Vec<((usize, usize), (usize, usize))> {
    let mut found = Vec::new();
    for (member, predicate) in predicates.iter().enumerate() {
        for clause in &predicate.clauses {
            let calls = clause.literals.iter().filter_map(|literal| match literal {
                Literal::Member(callee, arguments) => Some((*callee, arguments)),
                _ => None,
            });
            for (callee, arguments) in calls {
                let own = clause.head.iter().enumerate();
                found.extend(own.flat_map(|(i, own)| {
                    let passed = arguments.iter().enumerate();
                    let shared =
                        passed.filter(|(_, passed)| passed.iter().any(|v| own.contains(v)));
                    shared.map(move |(j, _)| ((member, i), (callee, j)))
                }));
            }
        }
    }
    found
}

fn initial(predicate: &MemberPredicate) -> Vec<bool> {
    (0..predicate.arity)
        .map(|i| fixed(predicate, i).unwrap_or(true))
        .collect()
}

/// Returns whether an argument is an input, if this is fixed before the guess.
fn fixed(predicate: &MemberPredicate, argument: usize) -> Option<bool> {
    if predicate.rests[argument] || predicate.matched[argument] {
        return Some(true);
    }
    predicate.fixed[argument]
        .as_ref()
        .map(|t| *t != costlens_infer::types::Type::Free)
}

fn best(predicates: &[MemberPredicate], index: usize, inputs: &[Vec<bool>]) -> Vec<bool> {
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
        let priced: Vec<(u32, Price)> = (0..1_u32 << free.len())
            .map(|bits| {
                for (bit, &i) in free.iter().enumerate() {
                    current[i] = bits >> bit & 1 == 1;
                }
                (bits, price(&current))
            })
            .collect();
        let fewest = priced.iter().map(|(_, price)| price.surprises).min();
        let good: Vec<&(u32, Price)> = (priced.iter())
            .filter(|(_, price)| Some(price.surprises) == fewest)
            .collect();
        // An argument that need not be an input is an output, however recursion changes it:
        // `choose([], 0, _). choose([X|Xs], N, [X|T]) :- …` builds its first argument from the other arguments, although it decomposes one
        // of them.
        let walks = |bits: u32| {
            let descends = |i: usize| some_call(predicate, i, |c| c == ArgumentChange::Descends);
            (free.iter().enumerate()).any(|(bit, &i)| bits >> bit & 1 == 1 && descends(i))
        };
        let is_least = |(bits, _): &&&(u32, Price)| {
            let within = |(other, _): &&(u32, Price)| {
                other != bits && other & bits == *other && (walks(*other) || !walks(*bits))
            };
            !good.iter().any(within)
        };
        let chosen = good.iter().filter(is_least).min_by_key(|(_, price)| *price);
        if let Some((bits, _)) = chosen {
            for (bit, &i) in free.iter().enumerate() {
                current[i] = bits >> bit & 1 == 1;
            }
        }
        return current;
    }
    // Starts with inputs only. Makes arguments outputs one by one as long as this reduces the price.
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

fn price(predicates: &[MemberPredicate], index: usize, inputs: &[Vec<bool>]) -> Price {
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
        // A fixed input, such as the text of a grammar rule, may drive the recursion just like any preceding argument.
        let given = |i: &usize| fixed(predicate, *i) == Some(true);
        match driving.iter().position(|&i| own[i]) {
            Some(_) if driving.iter().any(given) => {}
            Some(place) => preference += 40 * place,
            None if own.iter().any(|&i| i) && driving.is_empty() => {}
            None if generates(predicate) => {}
            None if predicate.arity > 0 => surprises += 1,
            None => {}
        }
        // `merge/3` decomposes its first argument in one recursive call, and its second argument in the other call.
        surprises += predicate
            .recursive_calls
            .iter()
            .filter(|call| !driving.is_empty() && !serves(call, own))
            .count();
    }
    // `scan(0, T) :- …, scan(1, U).` passes a constant as its first argument.
    surprises += (own.iter().enumerate())
        .filter(|&(i, input)| !input && some_call(predicate, i, |c| c == ArgumentChange::Given))
        .count();
    for (i, _) in own.iter().enumerate().filter(|(_, input)| **input) {
        preference += 10 + i;
        preference += OUTPUT_BEFORE_INPUT * own[..i].iter().filter(|input| !**input).count();
    }
    Price {
        surprises,
        preference,
    }
}

/// Returns whether an input changes from one call to the next.
fn serves(call: &[ArgumentChange], own: &[bool]) -> bool {
    (call.iter().zip(own)).any(|(change, input)| *input && is_changed(*change))
}

fn is_changed(change: ArgumentChange) -> bool {
    matches!(
        change,
        ArgumentChange::Descends | ArgumentChange::Counts | ArgumentChange::Transformed
    )
}

/// Returns whether the recursion starts without known arguments: `nat(N) :- nat(M), N is M+1.`
fn generates(predicate: &MemberPredicate) -> bool {
    let calls = &predicate.recursive_calls;
    let is_fresh = |call: &Vec<ArgumentChange>| call.iter().all(|c| *c == ArgumentChange::Fresh);
    !calls.is_empty() && calls.iter().all(is_fresh)
}

/// Returns whether some recursive call changes an argument in a way that satisfies the condition.
fn some_call(
    predicate: &MemberPredicate,
    argument: usize,
    so: impl Fn(ArgumentChange) -> bool,
) -> bool {
    let calls = &predicate.recursive_calls;
    calls.iter().any(|call| so(call[argument]))
}

/// Returns the arguments that some recursive call decomposes, from left to right, followed by the arguments that every recursive call
/// changes or constructs.
fn driving(predicate: &MemberPredicate) -> Vec<usize> {
    let calls = &predicate.recursive_calls;
    let descends = |i: usize| {
        let so = |c| matches!(c, ArgumentChange::Descends | ArgumentChange::Counts);
        some_call(predicate, i, so)
    };
    let changes = |i: usize| !calls.is_empty() && calls.iter().all(|call| is_changed(call[i]));
    let mut found: Vec<usize> = (0..predicate.arity)
        .filter(|&i| descends(i) || changes(i))
        .collect();
    // `fold(F, A, [X|Xs], R)` recurses on its third argument; the second changes with it.
    found.sort_by_key(|&i| !descends(i) || predicate.made[i] || !predicate.used[i]);
    found
}
