//! `computed-before-the-loop`: hoists a computation out of a loop that repeats it for arguments that the loop passes on unchanged.
//!
//! ```text
//! p([], _).                                             p(Xs, Ys) :- length(Ys, N), p(Xs, Ys, N).
//! p([X|Xs], Ys) :-                                →
//!     length(Ys, N), X < N, p(Xs, Ys).                  p([], _, _).
//!                                                       p([X|Xs], Ys, N) :- X < N, p(Xs, Ys, N).
//! ```
//!
//! For such arguments the goal succeeds exactly once, so that it can be called earlier, even if no iteration follows. Goals that precede it
//! in an iteration must raise no exception, since otherwise the first iteration might end before reaching the goal.

use costlens_body::conjuncts;
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::TermId;

use super::extended::{Extended, wrapper};
use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{rows, variable};
use crate::fixes::known::LibraryPredicate;
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::{Site, occurrences};

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let fits = (2..=8).contains(&site.functor.arity) && (2..=16).contains(&site.clauses.len());
    let mut found = Vec::new();
    if !fits {
        return found;
    }
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            let first = row.goals.iter().find_map(|&goal| {
                let invariant = Invariant::recognise(site, number, goal)?;
                Some((number, goal, invariant))
            });
            if let Some((number, goal, invariant)) = first {
                found.extend(both_ways(site, number, goal, &invariant));
                return found;
            }
        }
    }
    found
}

/// A goal that has the same result in each iteration.
struct Invariant {
    known: LibraryPredicate,
    /// The index of the head argument that is the goal's input.
    argument: usize,
    /// The shape of the input for which the goal succeeds exactly once.
    is: Shape,
}

impl Invariant {
    fn recognise(site: &Site<'_>, number: usize, goal: TermId) -> Option<Self> {
        let clause = &site.clauses[number];
        let terms = &clause.terms;
        let &[input, _] = terms.args(goal) else {
            return None;
        };
        let v = variable(terms, input)?;
        let known = site.known_goal(number, goal)?;
        let is = match known {
            LibraryPredicate::Length | LibraryPredicate::Reverse => Shape::List,
            // Variables in the list may be bound between iterations, which changes the standard order.
            LibraryPredicate::Msort | LibraryPredicate::Sort | LibraryPredicate::ListToSet => {
                Shape::GroundList
            }
            LibraryPredicate::SumList => Shape::Integers,
            _ => return None,
        };
        let head = terms.args(clause.head);
        let argument = head.iter().position(|&a| variable(terms, a) == Some(v))?;
        let handed_on = (0..site.clauses.len()).all(|number| hands_on(site, number, argument));
        let found = Self {
            known,
            argument,
            is,
        };
        let mut own = found.places(site, number).into_iter();
        (handed_on && own.any(|(place, _)| place == goal)).then_some(found)
    }

    /// Returns the arguments that must be unbound in every call, so that outputs in heads are unbound.
    fn unbound(&self, site: &Site<'_>) -> Vec<usize> {
        let mut found = Vec::new();
        for (number, clause) in site.clauses.iter().enumerate() {
            let head = clause.terms.args(clause.head);
            for (_, output) in self.places(site, number) {
                let Some(v) = variable(&clause.terms, output) else {
                    continue;
                };
                let with = |i: &usize| clause.terms.variables_of(head[*i]).contains(&v);
                found.extend((0..head.len()).filter(with));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the goals in a clause that are equal to this goal, with their outputs.
    fn places(&self, site: &Site<'_>, number: usize) -> Vec<(TermId, TermId)> {
        let clause = &site.clauses[number];
        let terms = &clause.terms;
        let head = terms.args(clause.head)[self.argument];
        let mut found = Vec::new();
        let top = clause.body.map_or(Vec::new(), |b| conjuncts(terms, b));
        for row in rows(clause) {
            for (i, &goal) in row.goals.iter().enumerate() {
                let &[input, output] = terms.args(goal) else {
                    continue;
                };
                // In another branch, the output would be unbound.
                let later = row.goals[i..].iter().flat_map(|&g| terms.variables_of(g));
                let in_head = match row.goals == top {
                    true => terms.variables_of(clause.head),
                    false => Vec::new(),
                };
                let known = |v: u32| later.chain(in_head).filter(|&w| w == v).count();
                let same = variable(terms, input).is_some()
                    && variable(terms, input) == variable(terms, head)
                    && site.known_goal(number, goal) == Some(self.known)
                    && variable(terms, output).is_some_and(|v| known(v) == occurrences(clause, v));
                if same {
                    found.push((goal, output));
                }
            }
        }
        found
    }

    /// Returns true if other goals of an iteration run before this goal. An exception in them would end the first iteration.
    fn is_behind_others(&self, site: &Site<'_>) -> bool {
        let mut clauses = (0..site.clauses.len()).map(|number| {
            let body = site.clauses[number].body;
            let first =
                body.and_then(|b| conjuncts(&site.clauses[number].terms, b).first().copied());
            (self.places(site, number), first)
        });
        clauses.any(|(own, first)| own.iter().any(|(goal, _)| Some(*goal) != first))
    }
}

/// Returns the recursive calls of a clause. Returns `None` if some of these calls are not goals of its sequences.
fn calls(site: &Site<'_>, clause: &Clause) -> Option<Vec<TermId>> {
    let (name, arity) = (&site.functor.name, site.functor.arity);
    let is_call = |t: &TermId| clause.terms.matches(*t, name, arity).is_some();
    let body = clause.body.map_or(Vec::new(), |b| clause.terms.subterms(b));
    let goals: Vec<TermId> = (rows(clause).into_iter())
        .flat_map(|row| row.goals)
        .filter(is_call)
        .collect();
    (body.iter().filter(|t| is_call(t)).count() == goals.len()).then_some(goals)
}

/// Returns true for a clause that passes a head argument unchanged to each recursive call.
fn hands_on(site: &Site<'_>, number: usize, argument: usize) -> bool {
    let clause = &site.clauses[number];
    let terms = &clause.terms;
    let plain = matches!(clause.kind, ClauseKind::Fact | ClauseKind::Rule)
        && !clause.grammar_rule
        && clause.guard.is_none();
    let head = variable(terms, terms.args(clause.head)[argument]);
    let same = |call: TermId| head.is_some() && variable(terms, terms.args(call)[argument]) == head;
    let calls = calls(site, clause);
    plain && calls.is_some_and(|calls| calls.into_iter().all(same))
}

/// Returns two variants that differ in the reason why short runs do not cost more: either each iteration calls the goal, or lower bounds
/// prove it.
fn both_ways(site: &Site<'_>, number: usize, goal: TermId, invariant: &Invariant) -> Vec<Proposal> {
    let in_each_round = (site.clauses.iter().enumerate()).all(|(number, clause)| {
        let own = invariant.places(site, number);
        let top = clause
            .body
            .map_or(Vec::new(), |b| conjuncts(&clause.terms, b));
        calls(site, clause).is_some_and(|calls| calls.is_empty())
            || own.iter().any(|(goal, _)| top.contains(goal))
    });
    let every = [
        (ShortRuns::NotDearerFromTwo, Some(Condition::Succeeds)),
        (ShortRuns::Open, None),
    ];
    let fitting = every
        .into_iter()
        .filter(|(short_runs, _)| in_each_round || *short_runs == ShortRuns::Open);
    fitting
        .filter_map(|(short_runs, also)| {
            let mut needs = vec![Condition::Argument {
                argument: invariant.argument,
                is: invariant.is,
            }];
            let outputs = invariant.unbound(site).into_iter();
            needs.extend(outputs.map(|argument| Condition::Argument {
                argument,
                is: Shape::Unbound,
            }));
            needs.extend(also);
            if invariant.is_behind_others(site) {
                needs.push(Condition::NoException);
            }
            Some(Proposal {
                seen_by: None,
                beside: String::new(),
                what: "Compute the result before the loop",
                short_runs,
                edits: edits(site, number, goal, invariant)?,
                needs,
            })
        })
        .collect()
}

fn edits(site: &Site<'_>, number: usize, goal: TermId, invariant: &Invariant) -> Option<Vec<Edit>> {
    let extended = Extended::new(site, "_loop", site.functor.arity)?;
    let mut edits = Vec::new();
    for (number, clause) in site.clauses.iter().enumerate() {
        let place = &site.places[number];
        let own = invariant.places(site, number);
        let calls = calls(site, clause)?;
        let output = match (&own[..], calls.is_empty()) {
            ([(_, output)], _) => site.source(number, *output)?,
            ([], true) => "_",
            ([], false) => site.new_variable(number, &["Known", "Known0", "Known1"])?,
            _ => return None,
        };
        if output == "_" && !own.is_empty() {
            return None;
        }
        let with = |of: TermId| -> Option<String> {
            let arguments = clause.terms.args(of).iter();
            let texts = arguments.map(|&argument| site.argument(number, argument));
            Some(extended.goal(texts.collect::<Option<_>>()?, output))
        };
        edits.push(Edit {
            range: place.head.0..place.head.1,
            text: with(clause.head)?,
        });
        for call in calls {
            edits.push(site.replace(number, call, with(call)?)?);
        }
        for (goal, _) in own {
            edits.extend(site.take_out(number, &|g| g == goal)?);
        }
    }
    let clause = &site.clauses[number];
    let &[_, output] = clause.terms.args(goal) else {
        return None;
    };
    let output = site.source(number, output)?;
    let names = site.argument_names(number, &[output]);
    let text = site.source(number, goal)?;
    let name = text.get(..text.find('(')?)?;
    let computed = format!("{name}({}, {output})", names.get(invariant.argument)?);
    let called = extended.goal(names.clone(), output);
    edits.push(wrapper(site, &names, &format!("{computed}, {called}"))?);
    Some(edits)
}
