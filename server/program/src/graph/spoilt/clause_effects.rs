//! Destructive effects of one clause on terms, and uses of facts about these terms.
//!
//! A clause with a destructive assignment invalidates all facts about the modified term and the terms that share with it. Sharing is
//! determined from the goals in which variables occur together, regardless of their order. A modified term may still be passed on, and read
//! with `arg/3`, from which inference learns only that parts of ground terms are ground.

use std::collections::BTreeSet;

use costlens_body::Goal;
use costlens_catalog::{
    MetaArgument, Relation, Unfollowed, global_use, meta_arguments, relation, unfollowed,
};
use costlens_syntax::term::{Term, TermId, Terms};

use crate::language::{Clause, Functor, is_assignment};

/// The maximum number of arguments that the caller of a closure adds.
const MOST_ADDED: usize = 4;

/// The terms that a call may modify destructively.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ModifiedTerms {
    /// The indices (from 0) of the arguments that may be modified, at any depth.
    pub(super) arguments: BTreeSet<usize>,
    /// True if terms in global variables may be modified; they may share with any other term.
    pub(super) anything: bool,
}

impl ModifiedTerms {
    pub(super) fn is_none(&self) -> bool {
        self.arguments.is_empty() && !self.anything
    }
}

/// The destructive effect of a goal.
pub(super) enum Does {
    /// The goal modifies no term.
    Nothing,
    /// The goal is a built-in that modifies the term in its second argument; `shares` is true if this term then shares with the new value.
    Assigns { shares: bool },
    /// The goal runs clauses that modify terms.
    Calls(ModifiedTerms),
}

/// Facts about the goals that a clause calls.
pub(super) struct Goals<'a> {
    pub(super) does: &'a dyn Fn(&Functor) -> Does,
    /// Returns true if a predicate is known not to call goals passed to it.
    pub(super) calls_nothing: &'a dyn Fn(&Functor) -> bool,
    /// True if a goal that comes from data may modify its arguments.
    pub(super) unknown_may_assign: bool,
}

/// The effects of a clause.
#[derive(Debug, Default)]
pub(super) struct Assigned {
    pub(super) effect: ModifiedTerms,
    /// The first goal that modifies a term; a recursive call only if no other goal does.
    pub(super) goal: Option<Functor>,
    /// True if the analysis may use facts about modified terms.
    pub(super) is_used: bool,
    /// True if the analysis may use facts about modified terms, given that any argument of the clause may have been modified before.
    pub(super) uses_arguments: bool,
    /// True if the clause mentions a built-in that modifies terms, without calling it.
    pub(super) hands_on: bool,
}

pub(super) fn assigned(clause: &Clause, goals: &Goals<'_>) -> Assigned {
    let mut sharing = Sharing::new(&clause.terms, goals);
    sharing.own = Functor::from_term(&clause.terms, clause.head);
    let head = clause.terms.args(clause.head);
    let takes_apart = sharing.head(head);
    let body: Vec<TermId> = (clause.guard.iter().chain(&clause.body).copied()).collect();
    sharing.run(body);
    let changed = sharing.reached(&sharing.starts);
    let mut effect = ModifiedTerms {
        arguments: BTreeSet::new(),
        anything: sharing.anything,
    };
    for (i, &argument) in head.iter().enumerate() {
        if (variables(&clause.terms, argument).iter()).any(|&v| changed[v as usize]) {
            effect.arguments.insert(i);
        }
    }
    effect.anything |= (changed.iter().zip(&sharing.uses)).any(|(&c, u)| c && u.is_global);
    // The caller may pass terms that share with each other.
    let from_head: Vec<Start> = (head.iter())
        .flat_map(|&argument| variables(&clause.terms, argument))
        .map(|variable| Start {
            variable,
            inside: true,
        })
        .collect();
    let of_head = sharing.reached(&from_head);
    let uses_arguments = takes_apart || sharing.is_used(&of_head, true);
    let is_used = sharing.anything
        || sharing.is_used(&changed, sharing.stores_anything())
        || !effect.arguments.is_empty() && uses_arguments;
    let named = |&t: &TermId| {
        (clause.terms.functor(t)).is_some_and(|(name, arity)| arity <= 4 && is_assignment(name))
    };
    let parts = [clause.head]
        .into_iter()
        .chain(clause.guard)
        .chain(clause.body);
    let times: usize = parts
        .map(|part| {
            clause
                .terms
                .subterms(part)
                .iter()
                .filter(|t| named(t))
                .count()
        })
        .sum();
    Assigned {
        effect,
        goal: sharing.goal,
        is_used,
        uses_arguments,
        hands_on: times > sharing.assignments,
    }
}

/// Returns the variables of a term, each once.
fn variables(terms: &Terms, term: TermId) -> Vec<u32> {
    let mut found = terms.variables_of(term);
    found.sort_unstable();
    found.dedup();
    found
}

fn variable(terms: &Terms, term: TermId) -> Option<u32> {
    match terms.get(term) {
        Term::Var(v) => Some(*v),
        _ => None,
    }
}

/// The uses of a variable in a clause.
#[derive(Clone, Default)]
struct Uses {
    /// The number of occurrences as an argument of the head.
    head: usize,
    /// The number of occurrences as one side of `Variable = compound`.
    unified: usize,
    /// True if that compound is ground.
    is_built: bool,
    /// The number of occurrences in arithmetic.
    computed: usize,
    /// The number of occurrences other than in `arg/3`, in an assignment, or as an argument of a goal that modifies its arguments.
    other: usize,
    /// True if a global variable contains the variable's value.
    is_global: bool,
    /// The stretch of goals in which the variable first occurs, if it is the result of `is/2` in this stretch and occurs nowhere else, so
    /// that it is a number.
    number: Option<usize>,
    is_seen: bool,
}

/// The possible relations between the terms of two variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TermRelation {
    /// The second term may be a part of the first, and they share nothing else.
    Part,
    /// The first term may be a part of the second.
    Whole,
    Any,
}

/// A variable whose term may be modified.
struct Start {
    variable: u32,
    /// True if the modification may be at any depth; otherwise it replaces one of the term's own arguments.
    inside: bool,
}

struct Sharing<'a> {
    terms: &'a Terms,
    goals: &'a Goals<'a>,
    uses: Vec<Uses>,
    ways: Vec<Vec<(u32, TermRelation)>>,
    starts: Vec<Start>,
    goal: Option<Functor>,
    /// The predicate of the clause.
    own: Option<Functor>,
    /// The number of goals that call such built-ins.
    assignments: usize,
    anything: bool,
    /// The reads with `arg/3`: the term, and a variable of the argument.
    reads: Vec<(u32, u32)>,
    /// The variables in stored values.
    stored: Vec<u32>,
    /// True if values are stored that do not occur in this clause.
    stored_elsewhere: bool,
    /// For each stretch of goals that are always reached together, the enclosing stretch.
    stretches: Vec<usize>,
}

impl<'a> Sharing<'a> {
    fn new(terms: &'a Terms, goals: &'a Goals<'a>) -> Self {
        let count = terms.variables() as usize;
        Sharing {
            terms,
            goals,
            uses: vec![Uses::default(); count],
            ways: vec![Vec::new(); count],
            starts: Vec::new(),
            goal: None,
            own: None,
            assignments: 0,
            anything: false,
            reads: Vec::new(),
            stored: Vec::new(),
            stored_elsewhere: false,
            stretches: vec![0],
        }
    }

    /// Processes the head. Returns whether one of its arguments is a structure.
    fn head(&mut self, head: &[TermId]) -> bool {
        let mut takes_apart = false;
        for &argument in head {
            if let Some(v) = variable(self.terms, argument) {
                self.uses[v as usize].head += 1;
            } else if matches!(self.terms.get(argument), Term::Compound(..)) {
                takes_apart = true;
                let inside = self.other(&[argument]);
                self.join(&inside);
            }
        }
        let seen: Vec<u32> = (head.iter())
            .flat_map(|&t| variables(self.terms, t))
            .collect();
        seen.into_iter().for_each(|v| self.see(v, None));
        takes_apart
    }

    /// Processes goals from left to right.
    fn run(&mut self, body: Vec<TermId>) {
        let mut waiting: Vec<(TermId, usize)> = body.into_iter().rev().map(|t| (t, 0)).collect();
        while let Some((goal, stretch)) = waiting.pop() {
            let terms = self.terms;
            let Some((name, arity)) = terms.functor(goal) else {
                for v in self.other(&[goal]) {
                    self.see(v, Some(stretch));
                    if self.goals.unknown_may_assign {
                        self.changes(&Functor::new("call", 1), &[v]);
                    }
                }
                continue;
            };
            let (args, lowered) = (terms.args(goal), Goal::lower(terms, goal));
            if let (Goal::Conjunction(..) | Goal::IfThen { .. }, &[left, right]) = (lowered, args) {
                waiting.extend([(right, stretch), (left, stretch)]);
                continue;
            }
            let meta = meta_arguments(name, arity);
            let is_behind = matches!(lowered, Goal::Quantified { .. } | Goal::Qualified { .. });
            let runs = |i: usize| {
                (meta.iter()).any(|m| m.argument == i && m.added == 0) || is_behind && i == 1
            };
            let mut inner = None;
            for (i, &argument) in args.iter().enumerate().rev() {
                if runs(i) {
                    // The goals of `forall/2` run one after another; the goals of other constructs may run separately.
                    let own = match (lowered, inner) {
                        (Goal::Forall { .. }, Some(inner)) => inner,
                        _ => {
                            self.stretches.push(stretch);
                            self.stretches.len() - 1
                        }
                    };
                    inner = Some(own);
                    waiting.push((argument, own));
                }
            }
            if inner.is_some() {
                for (i, &argument) in args.iter().enumerate() {
                    if !runs(i) {
                        self.seen_in(argument, stretch);
                        self.other(&[argument]);
                    }
                }
                if unfollowed(name, arity) == Some(Unfollowed::Wakes) {
                    self.join(&variables(terms, goal));
                }
                continue;
            }
            let functor = Functor::new(name.clone(), arity);
            self.literal(lowered, &functor, args, &meta, stretch);
            self.seen_in(goal, stretch);
        }
    }

    /// Processes a goal without subgoals.
    fn literal(
        &mut self,
        lowered: Goal<'_>,
        functor: &Functor,
        args: &[TermId],
        meta: &[MetaArgument],
        stretch: usize,
    ) {
        let terms = self.terms;
        let all = |args: &[TermId]| -> Vec<u32> {
            args.iter().flat_map(|&t| variables(terms, t)).collect()
        };
        match lowered {
            Goal::Unify(left, right) => return self.unified(left, right),
            Goal::Is { result, .. } => {
                if let Some(v) = variable(terms, result)
                    && !self.uses[v as usize].is_seen
                {
                    self.uses[v as usize].number = Some(stretch);
                }
                return self.computed(&all(args));
            }
            Goal::Compare(..) => return self.computed(&all(args)),
            Goal::NotUnifiable(..) | Goal::CompareTerms(..) => {
                self.other(args);
                return;
            }
            _ => {}
        }
        if let (Some(Relation::Argument), &[place, term, part]) =
            (relation(&functor.name, functor.arity), args)
        {
            return self.read(place, term, part);
        }
        // The loaded term is also in a global variable.
        if let (Some(_), &[_, value]) = (global_use(&functor.name, functor.arity), args) {
            for v in self.other(&[value]) {
                self.uses[v as usize].is_global = true;
            }
        }
        match (self.goals.does)(functor) {
            Does::Assigns { shares } => {
                self.assignments += 1;
                self.assigns(functor, args, shares);
            }
            Does::Calls(effect) if !effect.is_none() => {
                for (i, &argument) in args.iter().enumerate() {
                    if variable(terms, argument).is_none() {
                        self.other(&[argument]);
                    }
                    if effect.arguments.contains(&i) {
                        self.changes(functor, &variables(terms, argument));
                    }
                }
                self.join(&all(args));
                if effect.anything {
                    self.anything = true;
                    self.changes(functor, &[]);
                }
                self.stored_elsewhere = true;
            }
            Does::Calls(_) | Does::Nothing => {
                let inside = self.other(args);
                self.join(&inside);
                if self.hands_over(args, meta) && !(self.goals.calls_nothing)(functor) {
                    self.changes(functor, &inside);
                    self.stored_elsewhere = true;
                }
            }
        }
    }

    /// Records the goal to blame for modifying a term: the first such goal. If that is a recursive call, the next such goal overwrites it,
    /// since a recursive call modifies terms only through other goals.
    fn blame(&mut self, goal: &Functor) {
        if self.goal.is_none() || self.goal == self.own {
            self.goal = Some(goal.clone());
        }
    }

    /// Returns whether a goal receives a closure that may modify terms.
    fn hands_over(&self, args: &[TermId], meta: &[MetaArgument]) -> bool {
        let may_assign = |functor: &Functor| match (self.goals.does)(functor) {
            Does::Nothing => false,
            Does::Assigns { .. } => true,
            Does::Calls(effect) => !effect.is_none(),
        };
        let of_closure = |m: &MetaArgument| match args.get(m.argument).map(|&t| (t, m.added)) {
            None => false,
            Some((closure, added)) => match self.terms.functor(closure) {
                Some((name, arity)) => may_assign(&Functor::new(name.clone(), arity + added)),
                None => self.goals.unknown_may_assign,
            },
        };
        let may_be_called = |t: TermId| {
            let named = self.terms.functor(t);
            named.is_some_and(|(name, arity)| {
                let mut called = arity..=arity + MOST_ADDED;
                called.any(|arity| may_assign(&Functor::new(name.clone(), arity)))
            })
        };
        let names_built_in = |&t: &TermId| {
            let named = self.terms.functor(t);
            named.is_some_and(|(name, _)| is_assignment(name)) && may_be_called(t)
        };
        meta.iter().any(of_closure)
            || (args.iter())
                .any(|&t| may_be_called(t) || self.terms.subterms(t).iter().any(names_built_in))
    }

    fn assigns(&mut self, functor: &Functor, args: &[TermId], shares: bool) {
        let terms = self.terms;
        let (place, term, value) = match *args {
            [place, term, value] | [place, term, value, _] => (place, term, value),
            _ => return,
        };
        self.computed(&variables(terms, place));
        let values = variables(terms, value);
        self.stored.extend(&values);
        if variable(terms, value).is_none() {
            self.other(&[value]);
        }
        if let Some(t) = variable(terms, term) {
            self.blame(functor);
            self.starts.push(Start {
                variable: t,
                inside: false,
            });
            if shares {
                let all: Vec<u32> = values.into_iter().chain([t]).collect();
                self.join(&all);
            }
        } else {
            let inside = self.other(&[term]);
            self.changes(functor, &inside);
            let all: Vec<u32> = inside.into_iter().chain(values).collect();
            self.join(&all);
        }
    }

    /// Processes `arg(Place, Term, Part)`.
    fn read(&mut self, place: TermId, term: TermId, part: TermId) {
        let terms = self.terms;
        self.computed(&variables(terms, place));
        let read = variables(terms, part);
        if variable(terms, part).is_none() {
            self.other(&[part]);
        }
        match variable(terms, term) {
            Some(t) => {
                for &v in &read {
                    self.reads.push((t, v));
                    self.part(v, t);
                }
            }
            None => {
                let mut all = self.other(&[term]);
                all.extend(read);
                self.join(&all);
            }
        }
    }

    fn unified(&mut self, left: TermId, right: TermId) {
        let terms = self.terms;
        let is_compound = |t: TermId| matches!(terms.get(t), Term::Compound(..));
        let (whole, parts) = match (variable(terms, left), variable(terms, right)) {
            (Some(v), None) if is_compound(right) => (v, right),
            (None, Some(v)) if is_compound(left) => (v, left),
            _ => {
                let inside = self.other(&[left, right]);
                return self.join(&inside);
            }
        };
        self.uses[whole as usize].unified += 1;
        self.uses[whole as usize].is_built = variables(terms, parts).is_empty();
        // An assignment may write directly to an unbound variable of the term.
        let mut all = self.other(&[parts]);
        all.push(whole);
        self.join(&all);
    }

    fn changes(&mut self, goal: &Functor, variables: &[u32]) {
        self.blame(goal);
        let starts = variables.iter().map(|&variable| Start {
            variable,
            inside: true,
        });
        self.starts.extend(starts);
    }

    fn computed(&mut self, variables: &[u32]) {
        for &v in variables {
            self.uses[v as usize].computed += 1;
        }
    }

    /// Records a use of variables and returns them.
    fn other(&mut self, used: &[TermId]) -> Vec<u32> {
        let mut found = Vec::new();
        for &t in used {
            found.extend(variables(self.terms, t));
        }
        for &v in &found {
            self.uses[v as usize].other += 1;
        }
        found
    }

    fn seen_in(&mut self, term: TermId, stretch: usize) {
        for v in variables(self.terms, term) {
            self.see(v, Some(stretch));
        }
    }

    /// Records an occurrence of a variable, in the head if no stretch is given.
    fn see(&mut self, v: u32, stretch: Option<usize>) {
        let mut at = stretch;
        if let (Some(own), Some(_)) = (self.uses[v as usize].number, at) {
            while at.is_some_and(|s| s > own) {
                at = at.map(|s| self.stretches[s]);
            }
            if at != Some(own) {
                self.uses[v as usize].number = None;
            }
        }
        self.uses[v as usize].is_seen = true;
    }

    fn part(&mut self, part: u32, whole: u32) {
        self.ways[part as usize].push((whole, TermRelation::Whole));
        self.ways[whole as usize].push((part, TermRelation::Part));
    }

    fn join(&mut self, variables: &[u32]) {
        if let Some((&first, others)) = variables.split_first() {
            for &v in others {
                self.ways[first as usize].push((v, TermRelation::Any));
                self.ways[v as usize].push((first, TermRelation::Any));
            }
        }
    }

    /// Returns whether stored values may be non-ground.
    fn stores_anything(&self) -> bool {
        self.stored_elsewhere
            || (self.stored.iter()).any(|&v| self.uses[v as usize].number.is_none())
    }

    /// Returns the variables for which known facts may be wrong.
    fn reached(&self, starts: &[Start]) -> Vec<bool> {
        let mut found = vec![false; self.uses.len()];
        // Replacing one of a term's own arguments leaves its subterms unchanged. This does not apply to a variable that was read: the
        // assignment writes to the variable itself, even after it has been bound.
        let stores_anything = self.stores_anything();
        let keeps_parts = |v: u32| {
            let u = &self.uses[v as usize];
            !stores_anything && u.is_built && u.unified == 1 && u.head == 0
        };
        let (inside, at_the_top): (Vec<&Start>, Vec<&Start>) =
            starts.iter().partition(|s| s.inside);
        let mut groups: Vec<(Vec<u32>, bool)> =
            (at_the_top.iter().map(|s| (vec![s.variable], false))).collect();
        groups.sort_unstable();
        groups.dedup();
        groups.push((inside.iter().map(|s| s.variable).collect(), true));
        for (mut waiting, goes_inside) in groups {
            let top = (waiting.first().copied()).filter(|&v| !goes_inside && keeps_parts(v));
            let mut seen = vec![false; self.uses.len()];
            waiting.iter().for_each(|&v| seen[v as usize] = true);
            while let Some(v) = waiting.pop() {
                if self.uses[v as usize].number.is_some() {
                    continue;
                }
                found[v as usize] = true;
                for &(other, way) in &self.ways[v as usize] {
                    if !(seen[other as usize] || way == TermRelation::Part && top == Some(v)) {
                        seen[other as usize] = true;
                        waiting.push(other);
                    }
                }
            }
        }
        found
    }

    /// Returns whether the analysis may use facts about these variables.
    fn is_used(&self, changed: &[bool], stores_anything: bool) -> bool {
        let used =
            |u: &Uses| u.other > 0 || u.head + u.unified > 1 || u.unified > 0 && u.computed > 0;
        let in_use = |(&changed, u): (&bool, &Uses)| changed && used(u);
        let is_read = |&(term, part): &(u32, u32)| {
            let u = &self.uses[part as usize];
            changed[term as usize] && (u.other > 0 || u.head > 0 || u.unified > 0)
        };
        changed.iter().zip(&self.uses).any(in_use)
            || stores_anything && self.reads.iter().any(is_read)
    }
}
