//! `two-values-carried`: passes the last two values of a sequence along instead of recomputing them.
//!
//! ```text
//! fib(0, 0).                                         fib(0, 0).
//! fib(1, 1).                                         fib(1, 1).
//! fib(N, F) :-                                       fib(N, F) :- N > 1, fib(N, 0, 1, F).
//!     N > 1, N1 is N-1, N2 is N-2,             →
//!     fib(N1, F1), fib(N2, F2),                      fib(N, A, B, F) :-
//!     F is F1+F2.                                        ( N > 1 -> M is N-1, C is B+A, fib(M, B, C, F) ; F = B ).
//! ```
//!
//! For an integer and an unbound value, both versions have the same single answer, or both fail below 0. The first two values may come from
//! facts or from branches, as in `( N < 2 -> F = N ; … )`; the tests and cuts must let exactly one path run for 0, and exactly one path
//! for 1. For numbers of at least 2, only the recursive step runs. The next value may be any sum, difference or product of integers, of
//! the last two values, and of integer arguments that all calls pass on. Other arguments that are passed on are omitted from the loop.

use std::ops::Range;

use costlens_body::Goal;
use costlens_program::Functor;
use costlens_syntax::term::{Term, TermId};
use num_bigint::BigInt;

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{computed, decrement, integers_of, variable, whole};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;
use crate::fixes::variant::applied;
use crate::fixes::ways::{ClausePath, Numbers, all_ways, entered, recursive_way};

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let arity = site.functor.arity;
    if !(2..=8).contains(&arity) || site.clauses.len() > 8 {
        return Vec::new();
    }
    let Some(ways) = all_ways(site) else {
        return Vec::new();
    };
    // The value is usually the last argument.
    let of_number = |number| (0..arity).rev().map(move |value| Roles { number, value });
    let mut roles = (0..arity)
        .flat_map(of_number)
        .filter(|r| r.number != r.value);
    let found = roles.find_map(|roles| proposal(site, &ways, roles));
    found.into_iter().collect()
}

/// The argument indices of the number and the value. Other arguments are passed on unchanged.
#[derive(Clone, Copy)]
struct Roles {
    number: usize,
    value: usize,
}

fn proposal(site: &Site<'_>, ways: &[ClausePath<'_>], roles: Roles) -> Option<Proposal> {
    let way = recursive_way(site, ways)?;
    let step = FibonacciStep::recognise(way, site, roles)?;
    let others = ways.iter().filter(|other| !std::ptr::eq(*other, way));
    others
        .clone()
        .all(|other| step.leaves_alone(other))
        .then_some(())?;
    let begin = Begin::recognise(ways, &step)?;
    let argument = |argument, is| Condition::Argument { argument, is };
    let mut needs = vec![
        argument(roles.number, Shape::Integer),
        argument(roles.value, Shape::Unbound),
    ];
    let carried = step.carried.iter();
    needs.extend(carried.map(|carried| argument(carried.argument, Shape::Integer)));
    if begin.is_never_negative {
        needs.push(Condition::NeverNegative {
            argument: roles.number,
        });
    }
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Carry the last two values along",
        short_runs: ShortRuns::Open,
        edits: step.edits(site, &begin)?,
        needs,
    })
}

/// The first two values.
struct Begin {
    values: [BigInt; 2],
    /// True if the number must not be negative.
    is_never_negative: bool,
}

impl Begin {
    /// Returns the values computed by the nonrecursive paths. Returns `None` unless the recursive step runs exactly for numbers of at least
    /// 2, and the other paths for smaller numbers.
    fn recognise(ways: &[ClausePath<'_>], step: &FibonacciStep<'_>) -> Option<Self> {
        let (number, value_at) = (step.roles.number, step.roles.value);
        let all = entered(ways, number, value_at, &step.goals, step.way)?;
        let mut values = [None, None];
        let mut is_never_negative = false;
        for (other, numbers) in ways.iter().zip(all) {
            if std::ptr::eq(other, step.way) {
                is_never_negative = !numbers.are_from(2);
                (numbers.at_least(0).are_from(2) && numbers.are_all_from(2)).then_some(())?;
                continue;
            }
            numbers.are_below(2).then_some(())?;
            for (k, value) in (0..).zip(&mut values) {
                if numbers.has(k) {
                    let old = value.replace(value_of(other, number, value_at, k)?);
                    old.is_none().then_some(())?;
                }
            }
        }
        let [Some(a), Some(b)] = values else {
            return None;
        };
        Some(Self {
            values: [a, b],
            is_never_negative,
        })
    }
}

/// Returns the value that a path computes for a number. Returns `None` if the path has any other effect.
pub(super) fn value_of(
    way: &ClausePath<'_>,
    number: usize,
    value_at: usize,
    k: i64,
) -> Option<BigInt> {
    let terms = &way.clause.terms;
    let head = terms.args(way.clause.head);
    let n = variable(terms, head[number]);
    let value = |id: TermId| match terms.get(id) {
        Term::Integer(value) => Some(value.to_big()),
        Term::Var(v) if n == Some(*v) => Some(k.into()),
        _ => None,
    };
    let direct = value(head[value_at]);
    let mut found = direct.clone();
    for goal in way.goals() {
        if n.is_some_and(|n| Numbers::tests(terms, goal, n)) {
            continue;
        }
        let (left, right) = match Goal::lower(terms, goal) {
            Goal::Cut | Goal::True => continue,
            // The value is assigned by `F = 1` or `F is N`.
            Goal::Unify(left, right) => (left, right),
            Goal::Is { result, expression } => (result, expression),
            _ => return None,
        };
        let is_of = variable(terms, left)? == variable(terms, head[value_at])?;
        (is_of && found.is_none()).then_some(())?;
        found = Some(value(right)?);
    }
    found
}

/// The parts of the recursive step.
struct FibonacciStep<'w> {
    way: &'w ClausePath<'w>,
    roles: Roles,
    /// The consecutive goals after the tests: the smaller numbers, the recursive calls, the next value.
    goals: Vec<TermId>,
    /// The variables for the second to last value and the last value.
    values: [u32; 2],
    /// The expression of the next value, or the two operands of its sum.
    next: Vec<TermId>,
    /// The passed-on arguments that occur in the next value.
    carried: Vec<Carried>,
    /// The passed-on arguments that are not used.
    idle: Vec<Carried>,
}

/// An argument that is passed on unchanged.
struct Carried {
    argument: usize,
    variable: u32,
}

impl<'w> FibonacciStep<'w> {
    fn recognise(way: &'w ClausePath<'w>, site: &Site<'_>, roles: Roles) -> Option<Self> {
        let terms = &way.clause.terms;
        let head = terms.args(way.clause.head);
        let (n, f) = (
            variable(terms, head[roles.number])?,
            variable(terms, head[roles.value])?,
        );
        let goals = way.behind_tests(n, 5)?;
        (n != f).then_some(())?;
        // First N1 and N2, then F1 and F2: each is computed before it is used.
        let (mut smaller, mut values) = (Vec::<(u32, i64)>::new(), Vec::<(u32, i64)>::new());
        for &goal in &goals[..4] {
            if let Some(down) = decrement(site, way.number, goal) {
                let known = smaller.iter().find(|s| s.0 == down.old).map(|s| s.1);
                let old = known.or((down.old == n).then_some(0))?;
                let by = old.checked_add(down.by)?;
                let is_first = !smaller.iter().any(|s| s.1 == by);
                // Here N is at least 2.
                let succeeds = down.least.is_none_or(|least| least <= 2 - old);
                ((1..=2).contains(&by) && is_first && succeeds).then_some(())?;
                smaller.push((down.new, by));
            } else {
                let args = terms.matches(goal, &site.functor.name, site.functor.arity)?;
                let m = variable(terms, args[roles.number])?;
                let by = smaller.iter().find(|s| s.0 == m)?.1;
                values.push((variable(terms, args[roles.value])?, by));
            }
        }
        let by = |by: i64| values.iter().find(|v| v.1 == by).map(|v| v.0);
        let values = [by(2)?, by(1)?];
        let new = [values[0], values[1], smaller.first()?.0, smaller.get(1)?.0];
        let mut named = [&[n, f], &new[..]].concat();
        named.sort_unstable();
        let distinct = named.windows(2).all(|pair| pair[0] != pair[1]);
        // All are unbound before the goals.
        let fresh = new.iter().all(|&v| site.is_fresh(way.number, v, goals[0]));
        (distinct && fresh).then_some(())?;
        let next = next_value(site, way, goals[4], f)?;
        let mut step = Self {
            way,
            roles,
            goals,
            values,
            next,
            carried: Vec::new(),
            idle: Vec::new(),
        };
        let handed_on = step.handed_on(site)?;
        let used = step.variables()?;
        let known = |v: &u32| values.contains(v) || handed_on.iter().any(|h| h.variable == *v);
        let both = values.iter().all(|v| used.contains(v));
        (both && used.iter().all(known)).then_some(())?;
        (step.carried, step.idle) =
            (handed_on.into_iter()).partition(|h| used.contains(&h.variable));
        Some(step)
    }

    /// Returns the variables in the next value.
    fn variables(&self) -> Option<Vec<u32>> {
        let terms = &self.way.clause.terms;
        let mut found = Vec::new();
        for &part in &self.next {
            for id in integers_of(terms, part)? {
                found.push(variable(terms, id)?);
            }
        }
        Some(found)
    }

    /// Returns the arguments that are passed on: variables that both recursive calls have in the same position, and that otherwise occur only
    /// in the next value.
    fn handed_on(&self, site: &Site<'_>) -> Option<Vec<Carried>> {
        let terms = &self.way.clause.terms;
        let used = self.variables()?;
        let mut found = Vec::new();
        for (argument, &id) in terms.args(self.way.clause.head).iter().enumerate() {
            if argument == self.roles.number || argument == self.roles.value {
                continue;
            }
            let v = variable(terms, id)?;
            let calls = self.goals.iter().filter_map(|&goal| {
                let args = terms.matches(goal, &site.functor.name, site.functor.arity)?;
                Some(args[argument])
            });
            let handed_on = calls.filter(|&id| variable(terms, id) == Some(v)).count();
            let here = used.iter().filter(|&&w| w == v).count();
            let is_all = self.way.occurrences(v) == 1 + handed_on + here;
            (handed_on == 2 && is_all).then_some(())?;
            found.push(Carried {
                argument,
                variable: v,
            });
        }
        Some(found)
    }

    /// Returns the edits that replace the goals of the step by a call of the loop, and that add the loop.
    fn edits(&self, site: &Site<'_>, begin: &Begin) -> Option<Vec<Edit>> {
        let number = self.way.number;
        let (first, last) = (self.goals.first()?, self.goals.last()?);
        let start = whole(site, number, *first)?.start;
        let end = whole(site, number, *last)?.end;
        let loop_ = self.loop_of(site)?;
        let head = self.way.clause.terms.args(self.way.clause.head);
        let text = |i: usize| Some(site.source(number, head[i])?.to_owned());
        let mut arguments = vec![text(self.roles.number)?];
        arguments.extend(begin.values.iter().map(BigInt::to_string));
        for carried in &self.carried {
            arguments.push(text(carried.argument)?);
        }
        arguments.push(text(self.roles.value)?);
        let after = site.places.last()?.range.1;
        let mut edits = vec![
            Edit {
                range: start..end,
                text: format!("{}({})", loop_.name, arguments.join(", ")),
            },
            Edit {
                range: after..after,
                text: loop_.clause,
            },
        ];
        // A variable that occurs only in the head gets a name with a leading `_`.
        let variables = &site.places[number].spans.variables;
        for idle in &self.idle {
            let name = text(idle.argument)?;
            let unnamed = format!("_{name}");
            if site.occurrences(number, idle.variable) == 3 && !name.starts_with('_') {
                let is_taken = variables.iter().any(|other| *other == unnamed);
                let text = if is_taken { "_".to_owned() } else { unnamed };
                edits.push(site.replace(number, head[idle.argument], text)?);
            }
        }
        Some(edits)
    }

    /// Returns true for a path that does not restrict the passed-on arguments.
    fn leaves_alone(&self, other: &ClausePath<'_>) -> bool {
        let terms = &other.clause.terms;
        let head = terms.args(other.clause.head).iter().enumerate();
        let mut others = head.filter(|(i, _)| *i != self.roles.number && *i != self.roles.value);
        others.all(|(_, &id)| variable(terms, id).is_some_and(|v| other.occurrences(v) == 1))
    }

    /// Returns the loop predicate: the number, the last two values, the other passed-on arguments, and the result.
    fn loop_of(&self, site: &Site<'_>) -> Option<Loop> {
        let terms = &self.way.clause.terms;
        let place = &site.places[self.way.number];
        let name = site.helper_name(4 + self.carried.len(), "_acc")?;
        let mut names: Vec<(u32, String)> = Vec::new();
        for (v, own) in self.values.iter().zip(["A", "B"]) {
            names.push((*v, own.to_owned()));
        }
        for carried in &self.carried {
            let own = place.spans.variables.get(carried.variable as usize);
            let letters = ('P'..='Z').map(|letter| letter.to_string());
            let is_taken = |name: &String| {
                let own = ["N", "M", "C", "F"].contains(&name.as_str());
                own || name.starts_with('_') || names.iter().any(|(_, other)| other == name)
            };
            let mut all = own.into_iter().map(ToString::to_string).chain(letters);
            let name = all.find(|name| !is_taken(name))?;
            names.push((carried.variable, name));
        }
        let mut parts = Vec::new();
        for &part in &self.next {
            let Range {
                start: from,
                end: to,
            } = whole(site, self.way.number, part)?;
            let mut edits = Vec::new();
            for id in integers_of(terms, part)? {
                let v = variable(terms, id)?;
                let (start, end) = place.range(id)?;
                edits.push(Edit {
                    range: start.checked_sub(from)?..end.checked_sub(from)?,
                    text: names.iter().find(|(own, _)| *own == v)?.1.clone(),
                });
            }
            edits.sort_by_key(|e| e.range.start);
            parts.push(applied(site.text.get(from..to)?, &edits));
        }
        let beside: String = names[2..]
            .iter()
            .map(|(_, name)| format!("{name}, "))
            .collect();
        let end = site.line_end();
        let lines = [
            String::new(),
            String::new(),
            format!("{name}(N, A, B, {beside}F) :-"),
            "    (   N > 1".to_owned(),
            "    ->  M is N-1,".to_owned(),
            format!("        C is {},", parts.join("+")),
            format!("        {name}(M, B, C, {beside}F)"),
            "    ;   F = B".to_owned(),
            "    ).".to_owned(),
        ];
        Some(Loop {
            clause: lines.join(end),
            name,
        })
    }
}

/// The text of the loop.
struct Loop {
    name: String,
    clause: String,
}

/// Returns the expression of `F is E`, or the two variables of `plus(X, Y, F)`.
fn next_value(site: &Site<'_>, way: &ClausePath<'_>, goal: TermId, f: u32) -> Option<Vec<TermId>> {
    let terms = &way.clause.terms;
    let is_it = |id: TermId| variable(terms, id) == Some(f);
    if let Some([result, expression]) = computed(terms, goal) {
        return is_it(result).then(|| vec![expression]);
    }
    let &[x, y, result] = terms.matches(goal, "plus", 3)? else {
        return None;
    };
    let are_variables = [x, y].iter().all(|&id| variable(terms, id).is_some());
    let is_library = site.means_library(&Functor::new("plus", 3));
    (is_it(result) && are_variables && is_library).then(|| vec![x, y])
}
