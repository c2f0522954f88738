//! Lists that are made of elements and of the lists of recursive calls, and that are written one in front of the other instead of being joined.
//!
//! A list that `p(X, Ys)` makes, `p(X, Ys, Rest)` makes with `Rest` behind it. Each way through a clause gives its list in parts: elements, lists of recursive calls, lists that are
//! there. Every list of the clauses is a proper one, since each ends in `[]` or in one of another call. So a goal that joins two has one solution, and goals that stay
//! run as before, in the same order; conditions and cuts stay where they are. `Rest` is looked at nowhere.
//!
//! In an if-then-else the list of a branch is written where the branch made it: `Ys = [X|Rest]`.

use std::collections::BTreeMap;

use costlens_syntax::term::{CONS, NIL, TermId};

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Recognised;
use crate::fixes::goals::variable;
use crate::fixes::joins::Back;
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;
use crate::fixes::ways::{Replaced, Way, all_ways, are_all_calls};

/// The programs that a rewrite is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One recursive call in each way at the most, behind whose list something is appended.
    Reversed,
    /// Ways with several calls, whose lists are joined.
    Joined,
}

impl Kind {
    fn what(self) -> &'static str {
        match self {
            Kind::Reversed => "Reverse with an accumulator",
            Kind::Joined => "Write the lists one in front of the other",
        }
    }

    /// Names for what comes behind a list.
    fn rests(self) -> &'static [&'static str] {
        match self {
            Kind::Reversed => &["Acc", "Acc0", "Sofar", "Sofar0"],
            Kind::Joined => &["Rest", "Rest0", "Tail", "Tail0"],
        }
    }

    /// Names for what comes behind the list of a call.
    fn inner_rests(self) -> &'static [&'static str] {
        match self {
            Kind::Reversed => &["Acc1", "Acc2", "Acc3", "Sofar1"],
            Kind::Joined => &["Rest1", "Rest2", "Rest3", "Tail1", "Tail2"],
        }
    }

    /// The place of what comes behind a list: behind all arguments, so that those that tell clauses apart stay where they are; an accumulator stands before a result that
    /// is the last argument.
    fn place(self, result: usize, arity: usize) -> usize {
        match self {
            Kind::Reversed if result + 1 == arity => result,
            _ => arity,
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Kind::Reversed => "_acc",
            Kind::Joined => "_rest",
        }
    }
}

/// The proposal for a predicate whose lists are its last argument, or another one.
pub(super) fn propose(site: &Site<'_>, kind: Kind) -> Vec<Proposal> {
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

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Element(TermId),
    /// The list of a recursive call.
    Call(TermId),
    /// A list that is there, and the goal that joined it with something.
    List(TermId, TermId),
}

/// A way, taken apart.
struct Taken<'w> {
    way: &'w Way<'w>,
    /// The result, from left to right.
    parts: Vec<Part>,
    /// The recursive calls with the variables of their lists.
    calls: Vec<(TermId, u32)>,
    /// The goals that made the result of its parts.
    gone: Vec<TermId>,
    /// The ones of them that join lists.
    joins: Vec<TermId>,
    /// The predicates of goals that join a list that is there.
    appends: BTreeMap<TermId, Recognised>,
}

impl Taken<'_> {
    /// True where something is appended to the list of a call.
    fn appends_behind(&self) -> bool {
        let is_call = |part: &Part| matches!(part, Part::Call(_));
        let first = self.parts.iter().position(is_call);
        !self.joins.is_empty() && first.is_some_and(|i| i + 1 < self.parts.len())
    }
}

fn proposal(site: &Site<'_>, kind: Kind, ways: &[Way<'_>], result: usize) -> Option<Proposal> {
    let taken: Vec<Taken<'_>> = ways
        .iter()
        .map(|way| taken(site, way, result))
        .collect::<Option<_>>()?;
    let fits = match kind {
        Kind::Reversed => {
            taken.iter().all(|t| t.calls.len() <= 1) && taken.iter().any(Taken::appends_behind)
        }
        Kind::Joined => taken
            .iter()
            .any(|t| t.calls.len() > 1 && !t.joins.is_empty()),
    };
    let complete = (0..site.clauses.len()).all(|number| are_all_calls(site, number, ways));
    (fits && complete).then_some(())?;
    let helper = site.helper_name(site.functor.arity + 1, kind.suffix())?;
    let mut edits = vec![wrapper(site, kind, &taken, result, &helper)?];
    let mut needs = vec![Condition::Argument {
        argument: result,
        is: Shape::Unbound,
    }];
    // A run that enters one clause has the entry of the wrapper as well.
    let mut short_runs = ShortRuns::NotDearerWhereRecursive;
    for number in 0..site.clauses.len() {
        let own: Vec<&Taken<'_>> = taken.iter().filter(|t| t.way.number == number).collect();
        for part in own.iter().flat_map(|t| &t.parts) {
            if let Part::List(list, goal) = *part {
                // It may be longer than what was in front of it.
                short_runs = ShortRuns::Open;
                needs.push(Condition::before(number, goal, list, Shape::List));
            }
        }
        let clause = Rewriting {
            site,
            kind,
            number,
            result,
            helper: &helper,
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

/// The clause that begins with nothing behind the list.
fn wrapper(
    site: &Site<'_>,
    kind: Kind,
    taken: &[Taken<'_>],
    result: usize,
    helper: &str,
) -> Option<Edit> {
    let end = site.line_end();
    let place = site.places.first()?;
    let own = site.text.get(place.name.0..place.name.1)?;
    let names = match kind {
        Kind::Joined => {
            let name = |i: usize| match i == result {
                true => "List".to_owned(),
                false => char::from(b'A' + u8::try_from(i).unwrap_or(0)).to_string(),
            };
            (0..site.functor.arity).map(name).collect()
        }
        Kind::Reversed => {
            let example = taken.iter().find(|t| t.appends_behind())?;
            site.argument_names(example.way.number, &[])
        }
    };
    let mut inner = names.clone();
    inner.insert(kind.place(result, site.functor.arity), "[]".to_owned());
    Some(Edit {
        range: place.range.0..place.range.0,
        text: format!(
            "{own}({}) :- {helper}({}).{end}{end}",
            names.join(", "),
            inner.join(", ")
        ),
    })
}

/// Takes a way apart. None where its result is something else.
fn taken<'w>(site: &Site<'_>, way: &'w Way<'w>, result: usize) -> Option<Taken<'w>> {
    let terms = &way.clause.terms;
    let (name, arity) = (&site.functor.name, site.functor.arity);
    let mut calls = Vec::new();
    for goal in way.goals() {
        if let Some(args) = terms.matches(goal, name, arity) {
            calls.push((goal, variable(terms, args[result])?));
        }
    }
    let mut found = Taken {
        way,
        parts: Vec::new(),
        calls,
        gone: Vec::new(),
        joins: Vec::new(),
        appends: BTreeMap::new(),
    };
    let head_result = *terms.args(way.clause.head).get(result)?;
    // Terms, with the goal that joins them.
    let mut waiting: Vec<(Back, Option<TermId>)> = vec![(Back::List(head_result), None)];
    // Each variable is used once, so that this ends.
    let mut used = Vec::new();
    // The goals that bind variables, and the terms of which they do.
    let mut made: BTreeMap<u32, (usize, Vec<TermId>)> = BTreeMap::new();
    while let Some(next) = waiting.pop() {
        let (at, of) = match next {
            (Back::One(element), _) => {
                found.parts.push(Part::Element(element));
                continue;
            }
            (Back::List(at), of) => (at, of),
        };
        if let Some(v) = variable(terms, at) {
            // A list that is there keeps a goal that joins it with what follows.
            if let Some(goal) = of
                && !used.contains(&v)
                && is_there(&found, site, way, v)
            {
                found
                    .appends
                    .insert(goal, site.join(way.number, goal)?.append?);
                found.parts.push(Part::List(at, goal));
                continue;
            }
            if used.contains(&v) || way.occurrences(v) != 2 {
                return None;
            }
            used.push(v);
            let of_call = found.calls.iter().find(|(_, list)| *list == v);
            if let Some(&(call, _)) = of_call {
                made.insert(v, (way.place(call)?, Vec::new()));
                found.parts.push(Part::Call(call));
            } else if let Some((goal, join)) = joined(site, way, v) {
                let mut inside = vec![join.front];
                if let Back::List(back) = join.back {
                    inside.push(back);
                }
                made.insert(v, (way.place(goal)?, inside));
                found.gone.push(goal);
                found.joins.push(goal);
                waiting.push((join.back, Some(goal)));
                waiting.push((Back::List(join.front), Some(goal)));
            } else {
                let (goal, value) = way.value(v)?;
                made.insert(v, (way.place(goal)?, vec![value]));
                found.gone.push(goal);
                waiting.push((Back::List(value), None));
            }
        } else if let Some(&[element, rest]) = terms.matches(at, CONS, 2) {
            found.parts.push(Part::Element(element));
            waiting.push((Back::List(rest), None));
        } else if terms.as_atom(at).is_none_or(|name| name != NIL) {
            return None;
        }
    }
    // All calls, elements and lists that know nothing of what is used, and no goal that joined what was not there yet.
    let lists = found.calls.iter().map(|(_, v)| *v);
    let complete = lists.clone().all(|v| used.contains(&v)) && distinct(&lists.collect::<Vec<_>>());
    let others = found.parts.iter().filter_map(|part| match part {
        Part::Element(of) | Part::List(of, _) => Some(terms.variables_of(*of)),
        Part::Call(_) => None,
    });
    let free = others.flatten().all(|v| !used.contains(&v));
    let ready = found.joins.iter().all(|&goal| {
        let place = way.place(goal);
        let mut open: Vec<u32> = (terms.args(goal).iter())
            .flat_map(|&id| terms.variables_of(id))
            .filter(|v| made.get(v).is_some_and(|(at, _)| Some(*at) != place))
            .collect();
        while let Some(v) = open.pop() {
            let Some((at, inside)) = made.get(&v) else {
                continue;
            };
            if Some(*at) >= place {
                return false;
            }
            open.extend(inside.iter().flat_map(|&id| terms.variables_of(id)));
        }
        true
    });
    (complete && free && ready).then_some(found)
}

/// The goal that joins lists to the value of a variable.
fn joined(site: &Site<'_>, way: &Way<'_>, v: u32) -> Option<(TermId, crate::fixes::joins::Join)> {
    way.goals().find_map(|goal| {
        let whole = |&id: &TermId| variable(&way.clause.terms, id) == Some(v);
        way.clause
            .terms
            .args(goal)
            .iter()
            .any(whole)
            .then_some(())?;
        let join = site.join(way.number, goal)?;
        whole(&join.whole).then_some((goal, join))
    })
}

/// True for a variable that nothing of the way makes a list of parts.
fn is_there(found: &Taken<'_>, site: &Site<'_>, way: &Way<'_>, v: u32) -> bool {
    let of_call = found.calls.iter().any(|(_, list)| *list == v);
    !of_call && joined(site, way, v).is_none() && way.value(v).is_none()
}

fn distinct(all: &[u32]) -> bool {
    (0..all.len()).all(|i| !all[..i].contains(&all[i]))
}

/// A clause that gets a rest behind its list.
struct Rewriting<'a> {
    site: &'a Site<'a>,
    kind: Kind,
    number: usize,
    result: usize,
    helper: &'a str,
    ways: Vec<&'a Taken<'a>>,
}

/// Names that a clause gets.
struct Names {
    /// The end behind the whole list.
    rest: String,
    /// The ends behind the lists of goals that join, and of calls that ways share.
    inner: BTreeMap<TermId, String>,
    /// The lists of calls.
    lists: BTreeMap<TermId, String>,
}

impl Rewriting<'_> {
    fn edits(&self) -> Option<Vec<Edit>> {
        let (site, number) = (self.site, self.number);
        let clause = &site.clauses[number];
        let terms = &clause.terms;
        let is_shared = |goal: TermId| {
            let with = self.ways.iter().filter(|t| t.way.place(goal).is_some());
            with.count() > 1
        };
        let head_result = *terms.args(clause.head).get(self.result)?;
        let (prefix, tail) = terms.list(head_result);
        // One way, and its list may stand in the head.
        let in_head = self.ways.len() == 1 || variable(terms, tail).is_none();
        let left = |t: &Taken<'_>| match in_head {
            true => 0,
            false => prefix.len().min(t.parts.len()),
        };
        let mut names = self.names()?;
        for taken in &self.ways {
            if let (false, Some(Part::Call(call))) = (in_head, taken.parts.get(left(taken))) {
                let first_everywhere = self.ways.iter().all(|other| {
                    let place = left(other);
                    other.way.place(*call).is_none()
                        || other.parts.get(place) == Some(&Part::Call(*call))
                });
                if first_everywhere {
                    let own = self.name(variable(terms, tail)?)?;
                    names.lists.insert(*call, own);
                }
            }
        }
        // The list of a call that comes first is the whole one.
        if let (true, Kind::Reversed, [only]) = (in_head, self.kind, &self.ways[..])
            && let Some(own) = variable(terms, head_result).and_then(|v| self.name(v))
            && let Some(Part::Call(call)) = only.parts.first()
        {
            names.lists.insert(*call, own);
        }
        let mut replaced = Replaced::default();
        let mut assigned: Vec<Vec<String>> = vec![Vec::new(); self.ways.len()];
        // The list in the head, or in the ways.
        let head = match in_head {
            true => {
                let mut heads = self.ways.iter();
                let first = self.from(&heads.next()?.parts, &names)?;
                for other in heads {
                    (self.from(&other.parts, &names)? == first).then_some(())?;
                }
                first
            }
            false => {
                let own = self.name(variable(terms, tail)?)?;
                for (of, taken) in assigned.iter_mut().zip(&self.ways) {
                    let parts = &taken.parts[left(taken)..];
                    let text = self.from(parts, &names)?;
                    let is_made = matches!(parts.first(), Some(Part::List(..)));
                    if text != own && !is_made {
                        of.push(format!("{own} = {text}"));
                    }
                }
                site.argument(number, head_result)?
            }
        };
        // What comes behind each call, and behind each list that is there.
        let mut rests: BTreeMap<TermId, Vec<(usize, String)>> = BTreeMap::new();
        for (i, taken) in self.ways.iter().enumerate() {
            for (at, part) in taken.parts.iter().enumerate() {
                let text = self.from(&taken.parts[at + 1..], &names)?;
                match *part {
                    Part::Element(_) => {}
                    Part::Call(call) => rests.entry(call).or_default().push((i, text)),
                    Part::List(list, goal) => {
                        let list = site.argument(number, list)?;
                        let whole = match at == left(taken) && !in_head {
                            true => self.name(variable(terms, tail)?)?,
                            false => names.inner.get(&goal)?.clone(),
                        };
                        let as_ = taken.appends.get(&goal)?;
                        let text =
                            site.with_arguments((number, goal), as_, &[&list, &text, &whole])?;
                        replaced.set(goal, text)?;
                    }
                }
            }
        }
        let mut goals: BTreeMap<TermId, String> = BTreeMap::new();
        for (call, texts) in &rests {
            let (_, first) = texts.first()?;
            let rest = match texts.iter().all(|(_, text)| text == first) {
                true => first.clone(),
                false => {
                    let name = names.inner.get(call)?.clone();
                    for (i, text) in texts {
                        assigned[*i].push(format!("{name} = {text}"));
                    }
                    name
                }
            };
            goals.insert(*call, self.goal(*call, names.lists.get(call)?, &rest)?);
        }
        // Each way says what its lists are before it makes them, in a goal of its own.
        for (taken, texts) in self.ways.iter().zip(&assigned) {
            if texts.is_empty() {
                continue;
            }
            let calls = taken.calls.iter().map(|(call, _)| call);
            let mut own: Vec<TermId> = (taken.gone.iter().chain(calls).copied())
                .filter(|&goal| !is_shared(goal) && !replaced.has(goal))
                .collect();
            own.sort_by_key(|&goal| taken.way.place(goal));
            let &slot = own.first()?;
            let mut text = texts.join(", ");
            if let Some(call) = goals.remove(&slot) {
                text = format!("{text}, {call}");
            }
            replaced.set(slot, text)?;
        }
        for (call, text) in goals {
            replaced.set(call, text)?;
        }
        // A goal that is gone in one way is in all that it runs in.
        let gone: Vec<TermId> = self
            .ways
            .iter()
            .flat_map(|t| t.gone.iter().copied())
            .collect();
        let consistent = gone.iter().all(|goal| {
            let mut ways = self.ways.iter();
            ways.all(|t| t.way.place(*goal).is_none() || t.gone.contains(goal))
        });
        consistent.then_some(())?;
        let mut edits = site.take_out(number, &|g| gone.contains(&g) && !replaced.has(g))?;
        let place = &site.places[number];
        edits.push(Edit {
            range: place.head.0..place.head.1,
            text: self.goal(clause.head, &head, &names.rest)?,
        });
        edits.extend(replaced.edits(site, number)?);
        Some(edits)
    }

    fn names(&self) -> Option<Names> {
        let (site, number) = (self.site, self.number);
        let rest = site.new_variable(number, self.kind.rests())?;
        let taken = &site.places[number].spans.variables;
        let mut free = (self.kind.inner_rests().iter())
            .filter(|name| **name != rest && !taken.iter().any(|v| v == **name));
        let mut names = Names {
            rest: rest.to_owned(),
            inner: BTreeMap::new(),
            lists: BTreeMap::new(),
        };
        for taken in &self.ways {
            for part in &taken.parts {
                let (Part::List(_, goal) | Part::Call(goal)) = *part else {
                    continue;
                };
                // Most calls have no need of a name, and few clauses of many.
                if !names.inner.contains_key(&goal)
                    && let Some(name) = free.next()
                {
                    names.inner.insert(goal, (*name).to_owned());
                }
            }
            for &(call, v) in &taken.calls {
                names.lists.insert(call, self.name(v)?);
            }
        }
        Some(names)
    }

    fn name(&self, v: u32) -> Option<String> {
        let place = &self.site.places[self.number];
        let name = place.spans.variables.get(v as usize)?;
        (name != "_").then(|| name.to_string())
    }

    /// The text of a list from a part on, up to the list of the next goal.
    fn from(&self, parts: &[Part], names: &Names) -> Option<String> {
        let mut elements = Vec::new();
        let mut end = names.rest.clone();
        for part in parts {
            match part {
                Part::Element(e) => elements.push(self.site.argument(self.number, *e)?),
                Part::Call(call) => {
                    end.clone_from(names.lists.get(call)?);
                    break;
                }
                Part::List(_, goal) => {
                    end.clone_from(names.inner.get(goal)?);
                    break;
                }
            }
        }
        Some(match elements.is_empty() {
            true => end,
            false => format!("[{}|{end}]", elements.join(", ")),
        })
    }

    /// The head or a call, with a rest behind its list.
    fn goal(&self, of: TermId, list: &str, rest: &str) -> Option<String> {
        let (site, terms) = (self.site, &self.site.clauses[self.number].terms);
        let mut arguments = Vec::new();
        for (i, &argument) in terms.args(of).iter().enumerate() {
            arguments.push(match i == self.result {
                true => list.to_owned(),
                false => site.argument(self.number, argument)?,
            });
        }
        let place = self.kind.place(self.result, arguments.len());
        arguments.insert(place, rest.to_owned());
        Some(format!("{}({})", self.helper, arguments.join(", ")))
    }
}
