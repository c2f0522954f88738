//! `accumulate`: a sum is made on the way into a recursion, not on the way back.
//!
//! ```text
//! sum([], 0).                                       sum(Xs, S) :- sum(Xs, 0, S).
//! sum([X|Xs], S) :-                           →
//!     sum(Xs, S0), S is S0+X.                       sum([], S, S).
//!                                                   sum([X|Xs], Acc, S) :- Acc1 is Acc+X, sum(Xs, Acc1, S).
//! ```
//!
//! The recursive call becomes the last one, so that no environment waits for it. Of integers sums, products, least and greatest ones do not depend on the
//! order. What is added is known before the call, and computing it raises no exception; the goals that stay run as before, in the same order.
//!
//! An if-then-else behind the call that adds in one branch and hands on in the other is moved in front of it: its conditions compare what is known before the call, and
//! its branches always succeed.
//!
//! A recursion that ends with an element instead of a number, as that of the greatest element does, has an accumulator that begins with the first one ([`first`]).
//! An if-then-else that asks whether the list is empty becomes clauses ([`split`]).

mod first;
mod split;

use costlens_body::{Arrow, Goal};
use costlens_program::Functor;
use costlens_syntax::term::{Term, TermId, Terms};

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{computed, integers_of, pure_test, rows, variable, whole};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;
use crate::fixes::variant::applied;
use crate::fixes::ways::{Replaced, Role, Way, all_ways, are_all_calls};

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let arity = site.functor.arity;
    if !(2..=8).contains(&arity) || site.clauses.len() > 16 {
        return Vec::new();
    }
    let Some(ways) = all_ways(site).filter(|ways| ways.len() >= 2) else {
        return Vec::new();
    };
    // Results are mostly the last argument.
    let mut all = (0..arity).rev().filter_map(|result| {
        split::proposal(site, &ways, result).or_else(|| proposal(site, &ways, result))
    });
    let found = all.next().or_else(|| first::proposal(site, &ways));
    found.into_iter().collect()
}

/// The operations that are associative and commutative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    /// Sums, and differences whose first operand is the value.
    Sum,
    Product,
    Max,
    Min,
}

/// A way, taken apart.
struct Taken<'w> {
    way: &'w Way<'w>,
    part: Part,
}

enum Part {
    /// It ends with this value, which the head has or a goal `S = 0`.
    End {
        value: TermId,
        goal: Option<TermId>,
    },
    Step(Step),
}

/// A recursive call, and what is done with its value behind it.
struct Step {
    call: TermId,
    update: Update,
    /// The goals between, which compute integers.
    between: Vec<TermId>,
    /// True if a condition stands between.
    is_chosen: bool,
    /// The variables of what is added that must be integers before the call.
    added: Vec<TermId>,
}

enum Update {
    /// The call gives the result itself.
    None,
    /// `S = S0`.
    Same(TermId),
    /// `S is S0+X` or `plus(X, S0, S)`: the goal, and where the value stands in it.
    Is {
        goal: TermId,
        value: TermId,
        operation: Operation,
    },
}

impl Update {
    fn goal(&self) -> Option<TermId> {
        match *self {
            Update::None => None,
            Update::Same(goal) | Update::Is { goal, .. } => Some(goal),
        }
    }
}

fn proposal(site: &Site<'_>, ways: &[Way<'_>], result: usize) -> Option<Proposal> {
    let taken: Vec<Taken<'_>> = ways
        .iter()
        .map(|way| taken(site, way, result))
        .collect::<Option<_>>()?;
    let complete = (0..site.clauses.len()).all(|number| are_all_calls(site, number, ways));
    complete.then_some(())?;
    let (mut start, mut operation, mut example) = (None, None, None);
    for Taken { way, part } in &taken {
        match part {
            Part::End { value, .. } => {
                let text = site.source(way.number, *value)?;
                (*start.get_or_insert(text) == text).then_some(())?;
            }
            Part::Step(step) => {
                if let Update::Is {
                    operation: here, ..
                } = step.update
                {
                    (*operation.get_or_insert(here) == here).then_some(())?;
                    example.get_or_insert(way.number);
                }
            }
        }
    }
    let (start, example) = (start?, example?);
    let mut needs = vec![Condition::Argument {
        argument: result,
        is: Shape::Unbound,
    }];
    for Taken { way, part } in &taken {
        if let Part::Step(step) = part {
            needs.extend(
                step.added
                    .iter()
                    .map(|&term| Condition::before(way.number, step.call, term, Shape::Integer)),
            );
        }
    }
    let helper = site.helper_name(site.functor.arity + 1, "_acc")?;
    let names = site.argument_names(example, &[]);
    let mut inner = names.clone();
    inner.insert(
        place_of_accumulator(result, site.functor.arity),
        start.to_owned(),
    );
    let place = site.places.first()?;
    let own = site.text.get(place.name.0..place.name.1)?;
    let end = site.line_end();
    let mut edits = vec![Edit {
        range: place.range.0..place.range.0,
        text: format!(
            "{own}({}) :- {helper}({}).{end}{end}",
            names.join(", "),
            inner.join(", ")
        ),
    }];
    for number in 0..site.clauses.len() {
        let clause = Rewriting {
            site,
            number,
            result,
            helper: &helper,
            ways: taken.iter().filter(|t| t.way.number == number).collect(),
        };
        edits.extend(clause.edits(&mut needs)?);
    }
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Carry the value along",
        // Each round adds on the way there, and keeps no environment; the wrapper is one step.
        short_runs: ShortRuns::SumNotDearerFromTwo,
        edits,
        needs,
    })
}

/// Takes a way apart. None where its result is something else.
fn taken<'w>(site: &Site<'_>, way: &'w Way<'w>, result: usize) -> Option<Taken<'w>> {
    let terms = &way.clause.terms;
    let head = *terms.args(way.clause.head).get(result)?;
    let (name, arity) = (&site.functor.name, site.functor.arity);
    let calls: Vec<TermId> = (way.goals())
        .filter(|&g| terms.matches(g, name, arity).is_some())
        .collect();
    let found = |part| Some(Taken { way, part });
    if let Term::Integer(_) = terms.get(head) {
        let part = Part::End {
            value: head,
            goal: None,
        };
        return calls.is_empty().then(|| found(part))?;
    }
    let of = variable(terms, head)?;
    (way.occurrences(of) == 2).then_some(())?;
    let [call] = calls[..] else {
        let (goal, value) = way.value(of).or_else(|| evaluated(way, of))?;
        let is_integer = matches!(terms.get(value), Term::Integer(_));
        let goal = Some(goal);
        return (calls.is_empty() && is_integer).then(|| found(Part::End { value, goal }))?;
    };
    let before = variable(terms, *terms.args(call).get(result)?)?;
    let mut step = Step {
        call,
        update: Update::None,
        between: Vec::new(),
        is_chosen: false,
        added: Vec::new(),
    };
    if before == of {
        return found(Part::Step(step));
    }
    // Behind the call come conditions, what computes integers, and the update.
    let behind = way.reached.get(way.place(call)? + 1..)?;
    let (last, rest) = behind.split_last()?;
    (last.role == Role::Goal && way.occurrences(before) == 2).then_some(())?;
    let same = way
        .value(of)
        .filter(|(_, value)| variable(terms, *value) == Some(before));
    (step.update, step.added) = match same {
        Some((goal, _)) => (Update::Same(goal), Vec::new()),
        None => updated(site, way, (of, before))?,
    };
    (step.update.goal() == Some(last.goal)).then_some(())?;
    step.is_chosen = rest.iter().any(|r| r.role != Role::Goal);
    for reached in rest.iter().filter(|r| r.role == Role::Goal) {
        let [left, expression] = computed(terms, reached.goal)?;
        let integers = integers_of(terms, expression)?;
        let v = variable(terms, left)?;
        let is_new = site.is_fresh(way.number, v, reached.goal)
            && !terms.variables_of(expression).contains(&v);
        is_new.then_some(())?;
        step.between.push(reached.goal);
        step.added.extend(integers);
    }
    // Those that are computed behind the call are integers when they are.
    let computed: Vec<u32> = (step.between.iter())
        .filter_map(|&goal| variable(terms, *terms.args(goal).first()?))
        .collect();
    step.added
        .retain(|&id| variable(terms, id).is_none_or(|v| !computed.contains(&v)));
    found(Part::Step(step))
}

/// The goal that makes the result of the value, and the variables of what is added.
fn updated(
    site: &Site<'_>,
    way: &Way<'_>,
    (of, before): (u32, u32),
) -> Option<(Update, Vec<TermId>)> {
    let terms = &way.clause.terms;
    if let Some((goal, expression)) = evaluated(way, of) {
        let (operation, value, added) = taken_apart(terms, expression, before)?;
        let update = Update::Is {
            goal,
            value,
            operation,
        };
        return Some((update, added));
    }
    let is_library = || site.means_library(&Functor::new("plus", 3));
    way.goals().find_map(|goal| {
        let &[x, y, result] = terms.matches(goal, "plus", 3)? else {
            return None;
        };
        let (value, added) = match (variable(terms, x), variable(terms, y)) {
            (Some(v), _) if v == before => (x, y),
            (_, Some(v)) if v == before => (y, x),
            _ => return None,
        };
        let is_number = matches!(terms.get(added), Term::Integer(_));
        (variable(terms, result) == Some(of) && is_library()).then_some(())?;
        (is_number || variable(terms, added).is_some()).then_some(())?;
        let update = Update::Is {
            goal,
            value,
            operation: Operation::Sum,
        };
        Some((update, if is_number { Vec::new() } else { vec![added] }))
    })
}

/// The goal `V is E`, and the expression.
fn evaluated(way: &Way<'_>, v: u32) -> Option<(TermId, TermId)> {
    let terms = &way.clause.terms;
    way.goals().find_map(|goal| {
        let [left, expression] = computed(terms, goal)?;
        (variable(terms, left) == Some(v)).then_some((goal, expression))
    })
}

/// The operation of an expression in which a variable stands once, its place, and the variables of what it is combined with.
fn taken_apart(
    terms: &Terms,
    expression: TermId,
    v: u32,
) -> Option<(Operation, TermId, Vec<TermId>)> {
    let (mut at, mut operation, mut added) = (expression, None, Vec::new());
    while variable(terms, at) != Some(v) {
        let (name, 2) = terms.functor(at)? else {
            return None;
        };
        let &[left, right] = terms.args(at) else {
            return None;
        };
        let is_left = terms.variables_of(left).contains(&v);
        let here = match (name.as_str(), is_left) {
            ("+", _) | ("-", true) => Operation::Sum,
            ("*", _) => Operation::Product,
            ("max", _) => Operation::Max,
            ("min", _) => Operation::Min,
            _ => return None,
        };
        (*operation.get_or_insert(here) == here).then_some(())?;
        let (inner, other) = match is_left {
            true => (left, right),
            false => (right, left),
        };
        added.extend(integers_of(terms, other)?);
        at = inner;
    }
    Some((operation?, at, added))
}

/// `Acc1 is Acc+X` of `S is S0+X`, and of `plus(S0, X, S)`: of the first one the expression stays as it is written.
fn updated_goal(
    site: &Site<'_>,
    (number, goal): (usize, TermId),
    value: TermId,
    (accumulator, next): (&str, &str),
) -> Option<String> {
    let (terms, place) = (&site.clauses[number].terms, &site.places[number]);
    if let Some(&[x, y, _]) = terms.matches(goal, "plus", 3) {
        let operand = |id| match id == value {
            true => Some(accumulator),
            false => site.source(number, id),
        };
        let (x, y) = (operand(x)?, operand(y)?);
        let space = if y.starts_with('-') { " " } else { "" };
        return Some(format!("{next} is {x}{space}+{space}{y}"));
    }
    let [_, expression] = computed(terms, goal)?;
    let (from, to) = {
        let all = whole(site, number, expression)?;
        (all.start, all.end)
    };
    let (start, end) = place.of(value)?;
    Some(format!(
        "{next} is {}{accumulator}{}",
        site.text.get(from..start)?,
        site.text.get(end..to)?
    ))
}

/// The place of an accumulator: before a result that is the last argument, else behind all, so that arguments that tell clauses apart stay where they are.
fn place_of_accumulator(result: usize, arity: usize) -> usize {
    match result + 1 == arity {
        true => result,
        false => arity,
    }
}

/// A clause that gets an accumulator.
struct Rewriting<'a> {
    site: &'a Site<'a>,
    number: usize,
    result: usize,
    helper: &'a str,
    ways: Vec<&'a Taken<'a>>,
}

impl Rewriting<'_> {
    fn edits(&self, needs: &mut Vec<Condition>) -> Option<Vec<Edit>> {
        let (site, number) = (self.site, self.number);
        let clause = &site.clauses[number];
        let head = *clause.terms.args(clause.head).get(self.result)?;
        let accumulator = site.new_variable(number, &["Acc", "Acc0", "Sofar", "Sofar0"])?;
        let result = site.source(number, head)?;
        let mut replaced = Replaced::default();
        let mut gone = Vec::new();
        let mut moved: Vec<TermId> = Vec::new();
        let mut named = result;
        let mut edits: Vec<Edit> = Vec::new();
        for taken in &self.ways {
            match &taken.part {
                Part::End { goal: None, .. } => named = accumulator,
                Part::End {
                    goal: Some(goal), ..
                } => replaced.set(*goal, format!("{result} = {accumulator}"))?,
                Part::Step(step) => {
                    let with = self
                        .ways
                        .iter()
                        .filter(|t| t.way.place(step.call).is_some());
                    match &step.update {
                        _ if moved.contains(&step.call) => {}
                        Update::None => {
                            let text = self.goal(step.call, accumulator, result)?;
                            replaced.set(step.call, text)?;
                        }
                        _ if with.clone().count() > 1 => {
                            moved.push(step.call);
                            let all: Vec<&Taken<'_>> = with.copied().collect();
                            edits.extend(self.choice(&all, step.call, accumulator, needs)?);
                        }
                        Update::Same(goal) => {
                            let text = self.goal(step.call, accumulator, result)?;
                            replaced.set(step.call, text)?;
                            gone.push(*goal);
                        }
                        Update::Is { goal, value, .. } => {
                            let next = self.next()?;
                            let update = self.update(*goal, *value, (accumulator, next))?;
                            let call = self.goal(step.call, next, result)?;
                            // In one row: the call is then made behind the update.
                            let all = rows(clause);
                            let row = all.iter().find(|row| row.goals.contains(&step.call))?;
                            let mut behind = step.between.iter().chain([goal]);
                            let is_one_row = behind.all(|g| row.goals.contains(g));
                            (is_one_row && !step.is_chosen).then_some(())?;
                            if step.between.is_empty() {
                                replaced.set(step.call, update)?;
                                replaced.set(*goal, call)?;
                            } else {
                                gone.push(step.call);
                                replaced.set(*goal, format!("{update}, {call}"))?;
                            }
                        }
                    }
                }
            }
        }
        edits.extend(site.take_out(number, &|g| gone.contains(&g))?);
        let place = &site.places[number];
        edits.push(Edit {
            range: place.head.0..place.head.1,
            text: self.goal(clause.head, accumulator, named)?,
        });
        edits.extend(replaced.edits(site, number)?);
        Some(edits)
    }

    fn next(&self) -> Option<&'static str> {
        let names = ["Acc1", "Acc2", "Sofar1", "Sofar2"];
        self.site.new_variable(self.number, &names)
    }

    /// The head or a call with an accumulator.
    fn goal(&self, of: TermId, accumulator: &str, value: &str) -> Option<String> {
        let terms = &self.site.clauses[self.number].terms;
        let mut arguments = Vec::new();
        for (i, &argument) in terms.args(of).iter().enumerate() {
            arguments.push(match i == self.result {
                true => value.to_owned(),
                false => self.site.argument(self.number, argument)?,
            });
        }
        let place = place_of_accumulator(self.result, arguments.len());
        arguments.insert(place, accumulator.to_owned());
        Some(format!("{}({})", self.helper, arguments.join(", ")))
    }

    /// `Acc1 is Acc+X` of `S is S0+X`, and of `plus(S0, X, S)`.
    fn update(
        &self,
        goal: TermId,
        value: TermId,
        (accumulator, next): (&str, &str),
    ) -> Option<String> {
        updated_goal(self.site, (self.number, goal), value, (accumulator, next))
    }

    /// The edits that make an if-then-else and the call in front of it change places.
    fn choice(
        &self,
        ways: &[&Taken<'_>],
        call: TermId,
        accumulator: &str,
        needs: &mut Vec<Condition>,
    ) -> Option<Vec<Edit>> {
        let (site, number) = (self.site, self.number);
        let clause = &site.clauses[number];
        let terms = &clause.terms;
        let head = *terms.args(clause.head).get(self.result)?;
        let all = rows(clause);
        let row = all.iter().find(|row| row.goals.contains(&call))?;
        let &[.., before, choice] = &row.goals[..] else {
            return None;
        };
        (before == call).then_some(())?;
        let mut edits: Vec<Edit> = Vec::new();
        let range = site.in_brackets(number, choice)?;
        let (from, to) = (range.start, range.end);
        let next = self.next()?;
        let mut updates = Vec::new();
        for taken in ways {
            let Part::Step(step) = &taken.part else {
                return None;
            };
            let goal = step.update.goal()?;
            let text = match &step.update {
                Update::Is { goal, value, .. } => {
                    self.update(*goal, *value, (accumulator, next))?
                }
                _ => format!("{next} = {accumulator}"),
            };
            if !updates.contains(&goal) {
                updates.push(goal);
                updates.extend(&step.between);
                let whole = whole(site, number, goal)?;
                edits.push(Edit {
                    range: whole.start.checked_sub(from)?..whole.end.checked_sub(from)?,
                    text,
                });
            }
        }
        for (term, is) in always_succeeds(terms, choice, &updates)? {
            let v = variable(terms, term)?;
            // What a condition binds itself is known nowhere else.
            let inside = terms.variables_of(choice);
            let own = inside.iter().filter(|&&w| w == v).count();
            if is == Shape::Integer || own < site.occurrences(number, v) {
                needs.push(Condition::before(number, call, term, is));
            }
        }
        edits.sort_by_key(|e| e.range.start);
        let text = applied(site.text.get(from..to)?, &edits);
        let call_text = self.goal(call, next, site.source(number, head)?)?;
        Some(vec![
            site.replace(number, call, text)?,
            Edit {
                range,
                text: call_text,
            },
        ])
    }
}

/// Conditions on variables under which an if-then-else whose branches end in one of these goals always succeeds, once, and raises no exception. None where it may not.
fn always_succeeds(
    terms: &Terms,
    choice: TermId,
    goals: &[TermId],
) -> Option<Vec<(TermId, Shape)>> {
    let (mut needs, mut waiting) = (Vec::new(), vec![choice]);
    while let Some(at) = waiting.pop() {
        if goals.contains(&at) {
            continue;
        }
        match Goal::of(terms, at) {
            Goal::Conjunction(left, right) => waiting.extend([left, right]),
            Goal::IfThenElse {
                arrow: Arrow::Hard,
                condition,
                then,
                otherwise,
            } => {
                needs.extend(pure_test(terms, condition)?);
                waiting.extend([then, otherwise]);
            }
            _ => return None,
        }
    }
    Some(needs)
}
