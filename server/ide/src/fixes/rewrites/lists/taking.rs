//! Decomposes paths into the parts of the lists that they build.

use std::collections::BTreeMap;

use costlens_syntax::term::{CONS, NIL, TermId};

use crate::fixes::goals::variable;
use crate::fixes::joins::{Back, Join};
use crate::fixes::known::Recognised;
use crate::fixes::site::Site;
use crate::fixes::ways::ClausePath;

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListPart {
    Element(TermId),
    /// The list of a recursive call, given by the call.
    Call(TermId),
    /// An existing list, and the goal that joins it with another list.
    List(TermId, TermId),
}

/// A path and the parts of its list.
pub(super) struct ListPath<'w> {
    pub(super) way: &'w ClausePath<'w>,
    /// The parts of the result, from left to right.
    pub(super) parts: Vec<ListPart>,
    /// The recursive calls, each with the variable of its list.
    pub(super) calls: Vec<(TermId, u32)>,
    /// The goals that build the result from its parts, which the rewrite removes.
    pub(super) gone: Vec<TermId>,
    /// The removed goals that join lists.
    pub(super) joins: Vec<TermId>,
    /// The predicates of goals that join an existing list.
    pub(super) appends: BTreeMap<TermId, Recognised>,
}

impl ListPath<'_> {
    /// Returns true if a part follows the list of a call.
    pub(super) fn appends_behind(&self) -> bool {
        let is_call = |part: &ListPart| matches!(part, ListPart::Call(_));
        let first = self.parts.iter().position(is_call);
        !self.joins.is_empty() && first.is_some_and(|i| i + 1 < self.parts.len())
    }
}

/// Decomposes a path. Returns `None` if its result is built in another way.
pub(super) fn taken<'w>(
    site: &Site<'_>,
    way: &'w ClausePath<'w>,
    result: usize,
) -> Option<ListPath<'w>> {
    let terms = &way.clause.terms;
    let (name, arity) = (&site.functor.name, site.functor.arity);
    let calls = way
        .goals()
        .filter_map(|goal| Some((goal, terms.matches(goal, name, arity)?)))
        .map(|(goal, args)| Some((goal, variable(terms, args[result])?)));
    let mut taking = Taking {
        site,
        taken: ListPath {
            way,
            parts: Vec::new(),
            calls: calls.collect::<Option<_>>()?,
            gone: Vec::new(),
            joins: Vec::new(),
            appends: BTreeMap::new(),
        },
        waiting: Vec::new(),
        used: Vec::new(),
        made: BTreeMap::new(),
    };
    let head_result = *terms.args(way.clause.head).get(result)?;
    taking.waiting.push((Back::List(head_result), None));
    // Each variable is used once, so the loop terminates.
    while let Some((next, goal)) = taking.waiting.pop() {
        match next {
            Back::One(element) => taking.taken.parts.push(ListPart::Element(element)),
            Back::List(list) => taking.list(list, goal)?,
        }
    }
    taking.is_complete().then_some(taking.taken)
}

/// The state while a path is decomposed.
struct Taking<'s, 'w> {
    site: &'s Site<'s>,
    taken: ListPath<'w>,
    /// The terms still to decompose, each with the goal that joins it.
    waiting: Vec<(Back, Option<TermId>)>,
    used: Vec<u32>,
    /// For each variable, the position of the goal that binds it, and the terms to which it is bound.
    made: BTreeMap<u32, (usize, Vec<TermId>)>,
}

impl Taking<'_, '_> {
    fn list(&mut self, list: TermId, of: Option<TermId>) -> Option<()> {
        let terms = &self.taken.way.clause.terms;
        if let Some(v) = variable(terms, list) {
            return self.variable(list, v, of);
        }
        if let Some(&[element, rest]) = terms.matches(list, CONS, 2) {
            self.taken.parts.push(ListPart::Element(element));
            self.waiting.push((Back::List(rest), None));
            return Some(());
        }
        let is_nil = terms.as_atom(list).is_some_and(|name| name == NIL);
        is_nil.then_some(())
    }

    fn variable(&mut self, list: TermId, v: u32, of: Option<TermId>) -> Option<()> {
        let way = self.taken.way;
        // For an existing list, the goal that joins it with the following list is kept.
        if let Some(goal) = of
            && !self.used.contains(&v)
            && is_there(&self.taken, self.site, way, v)
        {
            let append = self.site.join(way.number, goal)?.append?;
            self.taken.appends.insert(goal, append);
            self.taken.parts.push(ListPart::List(list, goal));
            return Some(());
        }
        (!self.used.contains(&v) && way.occurrences(v) == 2).then_some(())?;
        self.used.push(v);
        let of_call = self.taken.calls.iter().find(|(_, list)| *list == v);
        if let Some(&(call, _)) = of_call {
            self.made.insert(v, (way.place(call)?, Vec::new()));
            self.taken.parts.push(ListPart::Call(call));
        } else if let Some((goal, join)) = joined(self.site, way, v) {
            let mut inside = vec![join.front];
            if let Back::List(back) = join.back {
                inside.push(back);
            }
            self.made.insert(v, (way.place(goal)?, inside));
            self.taken.gone.push(goal);
            self.taken.joins.push(goal);
            self.waiting.push((join.back, Some(goal)));
            self.waiting.push((Back::List(join.front), Some(goal)));
        } else {
            let (goal, value) = way.value(v)?;
            self.made.insert(v, (way.place(goal)?, vec![value]));
            self.taken.gone.push(goal);
            self.waiting.push((Back::List(value), None));
        }
        Some(())
    }

    /// Returns true if the parts include the lists of all calls, no other part contains a variable of these lists, and no goal joins a list
    /// that is built later.
    fn is_complete(&self) -> bool {
        let terms = &self.taken.way.clause.terms;
        let lists: Vec<u32> = self.taken.calls.iter().map(|(_, v)| *v).collect();
        let others = self.taken.parts.iter().filter_map(|part| match part {
            ListPart::Element(of) | ListPart::List(of, _) => Some(terms.variables_of(*of)),
            ListPart::Call(_) => None,
        });
        let mut joins = self.taken.joins.iter();
        lists.iter().all(|v| self.used.contains(v))
            && distinct(&lists)
            && others.flatten().all(|v| !self.used.contains(&v))
            && joins.all(|&goal| self.is_ready(goal))
    }

    /// Returns true for a goal whose lists are all built before it runs.
    fn is_ready(&self, goal: TermId) -> bool {
        let terms = &self.taken.way.clause.terms;
        let place = self.taken.way.place(goal);
        let made_elsewhere = |v: &u32| {
            let made = self.made.get(v);
            made.is_some_and(|(at, _)| Some(*at) != place)
        };
        let arguments = terms.args(goal).iter();
        let mut open: Vec<u32> = arguments
            .flat_map(|&id| terms.variables_of(id))
            .filter(made_elsewhere)
            .collect();
        while let Some(v) = open.pop() {
            let Some((at, inside)) = self.made.get(&v) else {
                continue;
            };
            if Some(*at) >= place {
                return false;
            }
            open.extend(inside.iter().flat_map(|&id| terms.variables_of(id)));
        }
        true
    }
}

/// Returns the goal that joins lists to form the value of a variable.
fn joined(site: &Site<'_>, way: &ClausePath<'_>, v: u32) -> Option<(TermId, Join)> {
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

/// Returns true for a variable whose value no goal of the path builds from parts.
fn is_there(found: &ListPath<'_>, site: &Site<'_>, way: &ClausePath<'_>, v: u32) -> bool {
    let of_call = found.calls.iter().any(|(_, list)| *list == v);
    !of_call && joined(site, way, v).is_none() && way.value(v).is_none()
}

fn distinct(all: &[u32]) -> bool {
    (0..all.len()).all(|i| !all[..i].contains(&all[i]))
}
