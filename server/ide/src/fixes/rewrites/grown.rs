//! `list-grown-at-its-end`: builds a list from the front if the program only appends to it.
//!
//! ```text
//! copy([], Ys, Ys).                                  copy(Xs, Acc, Ys) :- copy_items(Xs, Items), append(Acc, Items, Ys).
//! copy([X|Xs], Acc, Ys) :-                     →
//!     append(Acc, [X], Acc1),                        copy_items([], []).
//!     copy(Xs, Acc1, Ys).                            copy_items([X|Xs], [X|Ys]) :- copy_items(Xs, Ys).
//! ```
//!
//! No goal inspects the accumulator, so the remaining goals run as before. With a proper list, each `append/3` has one solution, and an
//! unbound result does not make a clause fail earlier. Whole lists that are appended must be proper. Each list is joined with the items
//! that follow it: `all([L|Ls], Ys) :- append(L, Rest, Ys), all(Ls, Rest).`
//!
//! If there is only one caller and its calls start with `[]`, it calls `copy_items/2` directly, and `copy/3` is removed.
//!
//! In an if-then-else, each branch adds its own items: `Ys = [X|Rest]`.

use costlens_syntax::term::{CONS, NIL, Term, TermId};

use costlens_program::calls::calls_in;
use costlens_program::positions::positions;
use costlens_program::{Functor, file_assertions};
use costlens_syntax::assertions::Assertion;

use super::extended::wrapper;
use crate::file::Edit;
use crate::fixes::callers::{Callers, callers, is_local};
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::variable;
use crate::fixes::joins::Back;
use crate::fixes::known::{LibraryPredicate, Recognised};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;
use crate::fixes::ways::{ClausePath, Replaced, all_ways, are_all_calls};

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let fits = (3..=8).contains(&site.functor.arity) && site.clauses.len() <= 32;
    let ways = fits.then(|| all_ways(site)).flatten();
    let found = ways.and_then(|ways| proposals(site, &ways));
    found.unwrap_or_default()
}

/// The argument indices of the accumulator and the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Roles {
    accumulator: usize,
    result: usize,
}

/// The parts of a path.
struct AccumulatorPath<'w> {
    way: &'w ClausePath<'w>,
    part: AccumulatorUse,
}

enum AccumulatorUse {
    /// The accumulator becomes the result, in the head or by a goal `Ys = Acc`.
    End(Option<TermId>),
    /// The accumulator is passed on unchanged.
    Pass(TermId),
    Step(AccumulatorStep),
}

/// A recursive call, and the preceding goal that computes its accumulator.
struct AccumulatorStep {
    call: TermId,
    goal: TermId,
    added: Added,
}

enum Added {
    /// The accumulator is unchanged: `Acc1 = Acc`.
    Nothing,
    Elements(Vec<TermId>),
    List(TermId, Recognised),
}

fn proposals(site: &Site<'_>, ways: &[ClausePath<'_>]) -> Option<Vec<Proposal>> {
    let arity = site.functor.arity;
    let pairs = (0..arity).flat_map(|accumulator| {
        (0..arity).map(move |result| Roles {
            accumulator,
            result,
        })
    });
    let complete = (0..site.clauses.len()).all(|number| are_all_calls(site, number, ways));
    complete.then_some(())?;
    pairs
        .filter(|roles| roles.accumulator != roles.result)
        .find_map(|roles| of_roles(site, ways, roles))
}

/// Returns two proposals: one that removes the accumulator, and another that supports any accumulator.
fn of_roles(site: &Site<'_>, ways: &[ClausePath<'_>], roles: Roles) -> Option<Vec<Proposal>> {
    let taken: Vec<AccumulatorPath<'_>> = ways
        .iter()
        .map(|way| taken(site, way, roles))
        .collect::<Option<_>>()?;
    let steps = || {
        taken.iter().filter_map(|t| match &t.part {
            AccumulatorUse::Step(step) => Some((t.way.number, step)),
            _ => None,
        })
    };
    let grows = |(_, step): &(usize, &AccumulatorStep)| !matches!(step.added, Added::Nothing);
    (taken
        .iter()
        .any(|t| matches!(t.part, AccumulatorUse::End(_)))
        && steps().any(|s| grows(&s)))
    .then_some(())?;
    let append = append(site, steps())?;
    let mut needs = vec![
        Condition::Argument {
            argument: roles.accumulator,
            is: Shape::List,
        },
        Condition::Argument {
            argument: roles.result,
            is: Shape::Unbound,
        },
    ];
    for (number, step) in steps() {
        if let Added::List(list, _) = step.added {
            needs.push(Condition::before_goal(number, step.goal, list, Shape::List));
        }
    }
    let helper = site.helper_name(site.functor.arity - 1, "_items")?;
    let mut clauses = Vec::new();
    for number in 0..site.clauses.len() {
        let own: Vec<&AccumulatorPath<'_>> =
            taken.iter().filter(|t| t.way.number == number).collect();
        clauses.extend(rewritten(site, number, roles, &own, &helper)?);
    }
    let proposal = |edits: Vec<Edit>, seen_by, short_runs| Proposal {
        beside: String::new(),
        what: "Build the list from the front",
        short_runs,
        seen_by,
        edits: [edits, clauses.clone()].concat(),
        needs: needs.clone(),
    };
    // If whole lists are appended, the original traverses each list once for each following list. The variant traverses each list once, and
    // also the accumulator at the end.
    let has_lists = steps().any(|(_, step)| matches!(step.added, Added::List(..)));
    let of_all = match has_lists {
        true => ShortRuns::NotDearerWhere {
            runs: "if no list is empty and the last list is no longer than the first",
            least: 11,
        },
        false => ShortRuns::Open,
    };
    let any = with_accumulator(site, roles, &helper, &append)?;
    let mut found = vec![proposal(vec![any], None, of_all)];
    if let Some(calls) = FromEmpty::recognise(site, roles, &helper) {
        // If single elements are appended, each level saves one join.
        let short_runs = match has_lists {
            true => of_all,
            false => ShortRuns::NotDearer,
        };
        found.insert(0, proposal(calls.edits, Some(calls.caller), short_runs));
    }
    Some(found)
}

/// Returns the goal that joins the accumulator and the new list. It calls the program's own predicate if this predicate can join arbitrary
/// lists, and otherwise the library predicate.
fn append<'s>(
    site: &Site<'_>,
    mut steps: impl Iterator<Item = (usize, &'s AccumulatorStep)>,
) -> Option<String> {
    let arguments = ["Acc", "Items", "List"];
    let own = steps.find_map(|(number, step)| {
        let join = site.join(number, step.goal)?;
        site.with_arguments(number, step.goal, &join.append?, &arguments)
    });
    own.or_else(|| {
        let library = costlens_program::Functor::new("append", 3);
        let known = site.known(&library) == Some(LibraryPredicate::Append);
        known.then(|| format!("append({})", arguments.join(", ")))
    })
}

/// Decomposes a path. Returns `None` if the path inspects the accumulator or builds its result in another way.
fn taken<'w>(
    site: &Site<'_>,
    way: &'w ClausePath<'w>,
    roles: Roles,
) -> Option<AccumulatorPath<'w>> {
    let terms = &way.clause.terms;
    let head = terms.args(way.clause.head);
    let (accumulator, result) = (
        variable(terms, head[roles.accumulator])?,
        variable(terms, head[roles.result])?,
    );
    let (name, arity) = (&site.functor.name, site.functor.arity);
    let calls: Vec<TermId> = (way.goals())
        .filter(|&g| terms.matches(g, name, arity).is_some())
        .collect();
    let twice = |v: u32| way.occurrences(v) == 2;
    let found = |part| Some(AccumulatorPath { way, part });
    let call = match calls[..] {
        [call] => call,
        [] if accumulator == result => {
            return twice(result).then(|| found(AccumulatorUse::End(None)))?;
        }
        [] => {
            let (goal, value) = way.value(result)?;
            let fits = variable(terms, value) == Some(accumulator);
            let end = AccumulatorUse::End(Some(goal));
            return (fits && twice(result) && twice(accumulator)).then(|| found(end))?;
        }
        _ => return None,
    };
    let inner = terms.args(call);
    let handed = variable(terms, inner[roles.accumulator])?;
    let is_last = way.goals().next_back() == Some(call);
    let fits = accumulator != result
        && variable(terms, inner[roles.result])? == result
        && twice(result)
        && twice(accumulator)
        && is_last;
    fits.then_some(())?;
    if handed == accumulator {
        return found(AccumulatorUse::Pass(call));
    }
    twice(handed).then_some(())?;
    if let Some((goal, value)) = way.value(handed) {
        let fits = variable(terms, value)? == accumulator;
        let added = Added::Nothing;
        return fits.then(|| found(AccumulatorUse::Step(AccumulatorStep { call, goal, added })))?;
    }
    let (goal, join) = way.goals().find_map(|goal| {
        let is_handed = |&id: &TermId| variable(terms, id) == Some(handed);
        (goal != call && terms.args(goal).iter().any(is_handed)).then_some(())?;
        let join = site.join(way.number, goal)?;
        is_handed(&join.whole).then_some((goal, join))
    })?;
    let added = match join.back {
        Back::One(element) => Added::Elements(vec![element]),
        Back::List(back) if variable(terms, back).is_some() => Added::List(back, join.append?),
        Back::List(back) => {
            let (elements, end) = terms.list(back);
            let is_written = terms.matches(back, CONS, 2).is_some()
                && matches!(terms.get(end), Term::Atom(name) if name == NIL);
            Added::Elements(is_written.then_some(elements)?)
        }
    };
    let fits = variable(terms, join.front)? == accumulator && way.place(goal) < way.place(call);
    fits.then(|| found(AccumulatorUse::Step(AccumulatorStep { call, goal, added })))?
}

/// The edits for a predicate with a single caller whose calls all start with an empty accumulator, so that the accumulator can be removed.
struct FromEmpty {
    caller: Functor,
    edits: Vec<Edit>,
}

impl FromEmpty {
    fn recognise(site: &Site<'_>, roles: Roles, helper: &str) -> Option<Self> {
        let (db, file, functor) = (site.db, site.file, site.functor);
        let is_private = site.callers == Callers::OfFile || is_local(db, file, functor);
        let assertions = file_assertions(db, file);
        let is_asserted =
            |a: &Assertion| (a.name.as_str(), a.arity) == (&*functor.name, functor.arity);
        (is_private && !assertions.list.iter().any(is_asserted)).then_some(())?;
        let mut all = callers(db, file, functor);
        let caller = all.pop().filter(|_| all.is_empty())?;
        let places = positions(db, file);
        let of_caller = places.iter().find(|p| p.functor == caller)?;
        let mut edits = None;
        Site::visit(db, file, &caller, &of_caller.clauses, |of| {
            let numbers = 0..of.clauses.len();
            let calls = numbers.map(|n| calls_without(of, n, functor, roles, helper));
            let found: Option<Vec<Vec<Edit>>> = calls.collect();
            edits = found.map(|found| found.concat());
        });
        let edits = edits?;
        Some(Self { caller, edits })
    }
}

/// Returns the edits that remove the accumulator from the calls in a clause of the caller. Returns `None` if a call does not start with `[]`.
fn calls_without(
    of: &Site<'_>,
    number: usize,
    functor: &Functor,
    roles: Roles,
    helper: &str,
) -> Option<Vec<Edit>> {
    let clause = &of.clauses[number];
    let terms = &clause.terms;
    let bodies = clause.guard.into_iter().chain(clause.body);
    let calls = bodies.flat_map(|body| calls_in(of.db, of.file, terms, body));
    let mut edits = Vec::new();
    for call in calls.filter(|call| call.callee == *functor) {
        let arguments = terms.matches(call.goal, &functor.name, functor.arity)?;
        let is_empty = terms
            .as_atom(arguments[roles.accumulator])
            .is_some_and(|name| name == NIL);
        (is_empty && call.added == 0).then_some(())?;
        let others = arguments
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != roles.accumulator);
        let others: Option<Vec<String>> = others.map(|(_, &id)| of.argument(number, id)).collect();
        let text = format!("{helper}({})", others?.join(", "));
        edits.push(of.replace(number, call.goal, text)?);
    }
    Some(edits)
}

/// Returns the edits that remove the accumulator from a clause.
fn rewritten(
    site: &Site<'_>,
    number: usize,
    roles: Roles,
    ways: &[&AccumulatorPath<'_>],
    helper: &str,
) -> Option<Vec<Edit>> {
    let clause = &site.clauses[number];
    let terms = &clause.terms;
    let goal = |of: TermId, result: &str| -> Option<String> {
        let mut arguments = Vec::new();
        for (i, &argument) in terms.args(of).iter().enumerate() {
            if i == roles.result {
                arguments.push(result.to_owned());
            } else if i != roles.accumulator {
                arguments.push(site.argument(number, argument)?);
            }
        }
        Some(format!("{helper}({})", arguments.join(", ")))
    };
    let result = *terms.args(clause.head).get(roles.result)?;
    let own = site.source(number, result)?;
    let mut head = own.to_owned();
    let mut replaced = Replaced::default();
    let mut gone = Vec::new();
    let rest = || site.new_variable(number, &["Rest", "Rest0", "Tail", "Tail0"]);
    for taken in ways {
        match &taken.part {
            AccumulatorUse::End(None) => "[]".clone_into(&mut head),
            AccumulatorUse::End(Some(end)) => replaced.set(*end, format!("{own} = []"))?,
            AccumulatorUse::Pass(call) => replaced.set(*call, goal(*call, own)?)?,
            AccumulatorUse::Step(step) => {
                let elements = match &step.added {
                    Added::Nothing => None,
                    Added::Elements(elements) => {
                        let all = elements.iter().map(|&e| site.argument(number, e));
                        Some(all.collect::<Option<Vec<String>>>()?.join(", "))
                    }
                    Added::List(list, append) => {
                        let list = site.argument(number, *list)?;
                        let with = [&*list, rest()?, own];
                        let text = site.with_arguments(number, step.goal, append, &with)?;
                        replaced.set(step.goal, text)?;
                        replaced.set(step.call, goal(step.call, rest()?)?)?;
                        continue;
                    }
                };
                match elements {
                    // If there is only one path, the items appear in the head.
                    Some(elements) if ways.len() == 1 => {
                        gone.push(step.goal);
                        head = format!("[{elements}|{own}]");
                        replaced.set(step.call, goal(step.call, own)?)?;
                    }
                    elements => {
                        let rest = rest()?;
                        let text = match elements {
                            Some(elements) => format!("{own} = [{elements}|{rest}]"),
                            None => format!("{own} = {rest}"),
                        };
                        replaced.set(step.goal, text)?;
                        replaced.set(step.call, goal(step.call, rest)?)?;
                    }
                }
            }
        }
    }
    let mut edits = site.take_out(number, &|g| gone.contains(&g))?;
    let place = &site.places[number];
    edits.push(Edit {
        range: place.head.0..place.head.1,
        text: goal(clause.head, &head)?,
    });
    edits.extend(replaced.edits(site, number)?);
    Some(edits)
}

/// Returns the clause that joins the new list to an accumulator.
fn with_accumulator(site: &Site<'_>, roles: Roles, helper: &str, append: &str) -> Option<Edit> {
    let letter = |i: usize| char::from(b'A' + u8::try_from(i).unwrap_or(0)).to_string();
    let (mut all, mut items) = (Vec::new(), Vec::new());
    for i in 0..site.functor.arity {
        if i == roles.accumulator {
            all.push("Acc".to_owned());
        } else if i == roles.result {
            all.push("List".to_owned());
            items.push("Items".to_owned());
        } else {
            all.push(letter(i));
            items.push(letter(i));
        }
    }
    let body = format!("{helper}({}), {append}", items.join(", "));
    wrapper(site, &all, &body)
}
