//! Lists that are built from elements and from the lists of recursive calls. Instead of being joined, each list is built in front of the
//! next.
//!
//! If `p(X, Ys)` builds a list, `p(X, Ys, Rest)` builds the same list with `Rest` as its tail. Each path through a clause builds its list
//! from parts: elements, lists of recursive calls, and existing lists. All lists in the clauses are proper, since each ends in `[]` or in the
//! list of another call. A goal that joins two lists therefore has one solution, and the remaining goals run as before, in the same order.
//! Conditions and cuts keep their places. No goal inspects `Rest`.
//!
//! In an if-then-else, each branch builds its list where the original did: `Ys = [X|Rest]`.

mod rewriting;
mod taking;

use super::extended::Extended;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;
use crate::fixes::ways::{ClausePath, all_ways, are_all_calls};
use rewriting::Rewriting;
use taking::{ListPart, ListPath, taken};

/// The programs to which a rewrite applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListProgram {
    /// Programs with at most one recursive call on each path; elements are appended to the list of this call.
    Reversed,
    /// Programs with several calls on a path, whose lists are joined.
    Joined,
}

impl ListProgram {
    fn what(self) -> &'static str {
        match self {
            ListProgram::Reversed => "Reverse with an accumulator",
            ListProgram::Joined => "Build the lists with a difference list",
        }
    }

    /// Returns names for the variable that follows a list.
    fn rests(self) -> &'static [&'static str] {
        match self {
            ListProgram::Reversed => &["Acc", "Acc0", "Sofar", "Sofar0"],
            ListProgram::Joined => &["Rest", "Rest0", "Tail", "Tail0"],
        }
    }

    /// Returns names for the variable that follows the list of a call.
    fn inner_rests(self) -> &'static [&'static str] {
        match self {
            ListProgram::Reversed => &["Acc1", "Acc2", "Acc3", "Sofar1"],
            ListProgram::Joined => &["Rest1", "Rest2", "Rest3", "Tail1", "Tail2"],
        }
    }

    /// Returns the index of the new argument, the rest after the list. It comes last, so that arguments that distinguish clauses keep their
    /// indices; but an accumulator precedes a result that is the last argument.
    fn place(self, result: usize, arity: usize) -> usize {
        match self {
            ListProgram::Reversed if result + 1 == arity => result,
            _ => arity,
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            ListProgram::Reversed => "_acc",
            ListProgram::Joined => "_rest",
        }
    }
}

/// Returns the proposals for a predicate. The last argument is tried first as the list, then the other arguments.
pub(super) fn propose(site: &Site<'_>, kind: ListProgram) -> Vec<Proposal> {
    let arity = site.functor.arity;
    if !(2..=8).contains(&arity) || site.clauses.len() > 32 {
        return Vec::new();
    }
    let Some(ways) = all_ways(site) else {
        return Vec::new();
    };
    let all = (0..arity)
        .rev()
        .filter_map(|result| proposal(site, kind, &ways, result));
    all.take(1).collect()
}

fn proposal(
    site: &Site<'_>,
    kind: ListProgram,
    ways: &[ClausePath<'_>],
    result: usize,
) -> Option<Proposal> {
    let taken: Vec<ListPath<'_>> = ways
        .iter()
        .map(|way| taken(site, way, result))
        .collect::<Option<_>>()?;
    let fits = match kind {
        ListProgram::Reversed => {
            taken.iter().all(|t| t.calls.len() <= 1) && taken.iter().any(ListPath::appends_behind)
        }
        ListProgram::Joined => taken
            .iter()
            .any(|t| t.calls.len() > 1 && !t.joins.is_empty()),
    };
    let complete = (0..site.clauses.len()).all(|number| are_all_calls(site, number, ways));
    (fits && complete).then_some(())?;
    let place = kind.place(result, site.functor.arity);
    let extended = Extended::new(site, kind.suffix(), place)?;
    let names = names_of_arguments(site, kind, &taken, result)?;
    let mut edits = vec![extended.wrapper(&names, "[]")?];
    let mut needs = vec![Condition::Argument {
        argument: result,
        is: Shape::Unbound,
    }];
    // A run that enters only one clause still enters the wrapper.
    let mut short_runs = ShortRuns::NotDearerWhereRecursive;
    for number in 0..site.clauses.len() {
        let own: Vec<&ListPath<'_>> = taken.iter().filter(|t| t.way.number == number).collect();
        for part in own.iter().flat_map(|t| &t.parts) {
            if let ListPart::List(list, goal) = *part {
                // This list may be longer than the list before it.
                short_runs = ShortRuns::Open;
                needs.push(Condition::before_goal(number, goal, list, Shape::List));
            }
        }
        let clause = Rewriting {
            site,
            kind,
            number,
            result,
            extended: &extended,
            ways: own,
        };
        edits.extend(clause.edits()?);
    }
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: kind.what(),
        short_runs,
        edits,
        needs,
    })
}

/// Returns argument names for the wrapper clause, which starts with an empty rest.
fn names_of_arguments(
    site: &Site<'_>,
    kind: ListProgram,
    taken: &[ListPath<'_>],
    result: usize,
) -> Option<Vec<String>> {
    let name = |i: usize| match i == result {
        true => "List".to_owned(),
        false => char::from(b'A' + u8::try_from(i).unwrap_or(0)).to_string(),
    };
    match kind {
        ListProgram::Joined => Some((0..site.functor.arity).map(name).collect()),
        ListProgram::Reversed => {
            let example = taken.iter().find(|t| t.appends_behind())?;
            Some(site.argument_names(example.way.number, &[]))
        }
    }
}
