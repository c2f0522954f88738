//! `compute-once`: merges two clauses that compute the same result and then test it in opposite ways.
//!
//! ```text
//! max([X|Xs], M) :- max(Xs, M), M >= X.              max([X|Xs], R) :-
//! max([X|Xs], X) :- max(Xs, M), M < X.        →          max(Xs, M),
//!                                                        (   M >= X
//!                                                        ->  R = M
//!                                                        ;   R = X
//!                                                        ).
//! ```
//!
//! If the test of the first clause fails, its result is discarded and computed again in the second clause. If the variant has at most one
//! solution and raises no exception, it has the same solutions as the clauses, so that their order does not matter. Integers satisfy exactly
//! one of the comparisons; for NaN, neither `>=` nor `<` holds. A cut after the first test is kept if no clause follows, because the goals
//! before the test may leave choice points. If the tests are the first goals, there are no such choice points, and the cut is removed
//! together with the second test.

use costlens_body::{Goal, conjuncts};
use costlens_program::Clause;
use costlens_syntax::operators::Operators;
use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::SmolStr;

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{integers_of, variable};
use crate::fixes::integers::is_given;
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::renaming::Renaming;
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let pairs = 1..site.clauses.len();
    // Large tables of clauses are not inspected.
    if site.clauses.len() > 32 {
        return Vec::new();
    }
    pairs
        .filter_map(|second| merged(site, second - 1, false))
        .collect()
}

/// Returns the variant that merges a clause with the next clause. `tests_first` is true if the tests are the first goals.
pub(super) fn merged(site: &Site<'_>, number: usize, tests_first: bool) -> Option<Proposal> {
    let is_plain = |n: usize| site.rules().any(|(rule, _)| rule == n);
    if !is_plain(number) || !is_plain(number + 1) {
        return None;
    }
    let (first, second) = (&site.clauses[number], &site.clauses[number + 1]);
    let mut renaming = Renaming::default();
    let heads = (first.terms.args(first.head), second.terms.args(second.head));
    let differing: Vec<usize> = (heads.0.iter().zip(heads.1))
        .enumerate()
        .filter(|&(_, (&a, &b))| !renaming.unite(first, a, second, b))
        .map(|(i, _)| i)
        .collect();
    let mut goals = (
        conjuncts(&first.terms, first.body?),
        conjuncts(&second.terms, second.body?),
    );
    let shared = (goals.0.iter().zip(&goals.1))
        .take_while(|&(&a, &b)| renaming.unite(first, a, second, b))
        .count();
    let (&test, &other) = (goals.0.get(shared)?, goals.1.get(shared)?);
    // After a test that excludes the other test, a cut only excludes later clauses.
    let is_cut = |c: &Clause, goal: TermId| Goal::lower(&c.terms, goal) == Goal::Cut;
    let behind = goals.0.get(shared + 1);
    let has_cut = behind.is_some_and(|&g| is_cut(first, g)) && number + 2 == site.clauses.len();
    if has_cut {
        goals.0.remove(shared + 1);
    }
    let cuts = |c: &Clause, all: &[TermId]| {
        let mut inside = all.iter().flat_map(|&g| c.terms.subterms(g));
        inside.any(|t| is_cut(c, t))
    };
    if (shared == 0) != tests_first || cuts(first, &goals.0) || cuts(second, &goals.1) {
        return None;
    }
    let numbers = complement(&renaming, first, test, second, other)?;
    let text = Merged {
        site,
        number,
        renaming: &renaming,
        differing: &differing,
        goals: (&goals.0, &goals.1),
        shared,
        keeps_cut: has_cut && !tests_first,
    }
    .text()?;
    let places = (&site.places[number], &site.places[number + 1]);
    let between = site.comments_in(places.0.range.1..places.1.range.0)?;
    // The comments are placed before the merged clause.
    let comments = [site.comments(number), between, site.comments(number + 1)].concat();
    let mut needs = match tests_first {
        true => Vec::new(),
        false => vec![Condition::Settled],
    };
    needs.extend(differing.iter().map(|&argument| Condition::Argument {
        argument,
        is: Shape::Unbound,
    }));
    let shared_goals = &goals.0[..shared];
    needs.extend(
        numbers
            .into_iter()
            .filter(|&term| !is_given(site, number, shared_goals, term))
            .map(|term| Condition::before_goal(number, test, term, Shape::Integer)),
    );
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: match tests_first {
            true => "Decide once",
            false => "Compute once and then decide",
        },
        // The original clauses also run each goal of the variant.
        short_runs: ShortRuns::NotDearer,
        edits: vec![Edit {
            range: places.0.range.0..places.1.range.1,
            text: comments + &text,
        }],
        needs,
    })
}

/// Returns the variables of the first test that must be integers for exactly one of the tests to hold.
fn complement(
    renaming: &Renaming,
    first: &Clause,
    a: TermId,
    second: &Clause,
    b: TermId,
) -> Option<Vec<TermId>> {
    let (test, other, [left, right], [x, y], are_numbers) =
        match (Goal::lower(&first.terms, a), Goal::lower(&second.terms, b)) {
            (Goal::Compare(test, l, r), Goal::Compare(other, x, y)) => {
                (test, other, [l, r], [x, y], true)
            }
            (Goal::CompareTerms(test, l, r), Goal::CompareTerms(other, x, y)) => {
                (test, other, [l, r], [x, y], false)
            }
            _ => return None,
        };
    let pair = |p: TermId, q: TermId| renaming.clone().unite(first, p, second, q);
    // `M < X` and `X > M` are the same test.
    let other = match (
        pair(left, x) && pair(right, y),
        pair(left, y) && pair(right, x),
    ) {
        (true, _) => other,
        (false, true) => other.turned(),
        _ => return None,
    };
    (other == test.negated()).then_some(())?;
    let mut numbers = Vec::new();
    for operand in [left, right].into_iter().filter(|_| are_numbers) {
        numbers.extend(integers_of(&first.terms, operand)?);
    }
    Some(numbers)
}

/// The parts of the merged clause.
struct Merged<'a> {
    site: &'a Site<'a>,
    number: usize,
    renaming: &'a Renaming,
    differing: &'a [usize],
    goals: (&'a [TermId], &'a [TermId]),
    shared: usize,
    /// True if a cut follows the first test.
    keeps_cut: bool,
}

impl Merged<'_> {
    fn text(&self) -> Option<String> {
        let (site, number) = (self.site, self.number);
        let clause = &site.clauses[number];
        let place = &site.places[number];
        let outputs = self.outputs()?;
        let names = self.names(&outputs)?;
        let (mut branches, args) = (
            [Vec::new(), Vec::new()],
            (
                clause.terms.args(clause.head),
                site.clauses[number + 1]
                    .terms
                    .args(site.clauses[number + 1].head),
            ),
        );
        if self.keeps_cut {
            branches[0].push("!".to_owned());
        }
        let second = &site.clauses[number + 1].terms;
        let mut head = Vec::new();
        for (i, &argument) in args.0.iter().enumerate() {
            match self.differing.iter().position(|&d| d == i) {
                Some(k) => {
                    let output = &outputs[k];
                    head.push(output.clone());
                    if self.own_variable(argument).is_none() {
                        let own = site.source(number, argument)?.to_owned();
                        let own = operand(site, &clause.terms, argument, own);
                        branches[0].push(format!("{output} = {own}"));
                    }
                    if self.others_variable(args.1[i]).is_some() {
                        continue;
                    }
                    let other = self.renamed(args.1[i], &names)?;
                    let other = operand(site, second, args.1[i], other);
                    branches[1].push(format!("{output} = {other}"));
                }
                None => head.push(site.argument(number, argument)?),
            }
        }
        for &goal in &self.goals.0[self.shared + 1..] {
            branches[0].push(bracketed(site, number, goal, site.source(number, goal)?));
        }
        for &goal in &self.goals.1[self.shared + 1..] {
            branches[1].push(bracketed(
                site,
                number + 1,
                goal,
                &self.renamed(goal, &names)?,
            ));
        }
        let name = site.text.get(place.name.0..place.name.1)?;
        let end = site.line_end();
        let shared = match self.goals.0[..self.shared] {
            [first, .., last] => site.text.get(place.range(first)?.0..place.range(last)?.1)?,
            [only] => site.source(number, only)?,
            [] => "",
        };
        let shared = match shared {
            "" => String::new(),
            goals => format!("{goals},{end}    "),
        };
        let test = site.source(number, self.goals.0[self.shared])?;
        let [yes, no] = branches.map(|goals| match goals.is_empty() {
            true => "true".to_owned(),
            false => goals.join(&format!(",{end}        ")),
        });
        Some(format!(
            "{name}({}) :-{end}    {shared}(   {test}{end}    ->  {yes}{end}    ;   {no}{end}    ).",
            head.join(", ")
        ))
    }

    /// Returns the text of a term of the second clause with its variables renamed.
    fn renamed(&self, term: TermId, names: &[SmolStr]) -> Option<String> {
        let terms = &self.site.clauses[self.number + 1].terms;
        let place = &self.site.places[self.number + 1];
        let (mut at, end) = place.range(term)?;
        let mut variables: Vec<((usize, usize), u32)> = (terms.subterms(term).into_iter())
            .filter_map(|t| Some((t, variable(terms, t)?)))
            .map(|(t, v)| Some((place.range(t)?, v)))
            .collect::<Option<_>>()?;
        variables.sort_unstable();
        let mut text = String::new();
        for ((start, stop), v) in variables {
            text.push_str(self.site.text.get(at..start)?);
            text.push_str(names.get(v as usize)?);
            at = stop;
        }
        text.push_str(self.site.text.get(at..end)?);
        Some(text)
    }

    /// Returns new variables for the arguments in which the heads differ.
    fn outputs(&self) -> Option<Vec<String>> {
        let taken = |name: &str| {
            let clauses = [self.number, self.number + 1].into_iter();
            let mut all = clauses.flat_map(|n| self.site.places[n].spans.variables.iter());
            all.any(|v| v == name)
        };
        let mut found: Vec<String> = Vec::new();
        let head = self.site.clauses[self.number].head;
        let arguments = self.site.clauses[self.number].terms.args(head);
        for &i in self.differing {
            let own = self.own_variable(arguments[i]);
            let name = own.or_else(|| {
                let names = (0..100).map(|k| match k {
                    0 => "R".to_owned(),
                    k => format!("R{k}"),
                });
                names
                    .into_iter()
                    .find(|name| !taken(name) && !found.contains(name))
            });
            found.push(name?);
        }
        Some(found)
    }

    /// Returns the name of an argument of the first head, which the output then reuses. The argument must be a variable that occurs in no
    /// other argument.
    fn own_variable(&self, argument: TermId) -> Option<String> {
        let (site, number) = (self.site, self.number);
        let v = variable(&site.clauses[number].terms, argument)?;
        let name = site.places[number].spans.variables.get(v as usize)?;
        let alone = is_in_one_argument(&site.clauses[number], v)
            && !self.renaming.back.values().any(|&w| w == v);
        (alone && name != "_").then(|| name.to_string())
    }

    /// Returns the variable of an argument of the second head that becomes the output, if it occurs in no other argument.
    fn others_variable(&self, argument: TermId) -> Option<u32> {
        let clause = &self.site.clauses[self.number + 1];
        let v = variable(&clause.terms, argument)?;
        let alone = is_in_one_argument(clause, v) && !self.renaming.back.contains_key(&v);
        alone.then_some(v)
    }

    /// Returns new names for the variables of the second clause: the names of the corresponding variables in the first clause, if any.
    fn names(&self, outputs: &[String]) -> Option<Vec<SmolStr>> {
        let of = |n: usize| &self.site.places[n].spans.variables;
        let (first, second) = (of(self.number), of(self.number + 1));
        let mut names: Vec<SmolStr> = Vec::new();
        for v in 0..self.site.clauses[self.number + 1].terms.variables() {
            let own = second.get(v as usize)?;
            let output = self.differing.iter().position(|&i| {
                let clause = &self.site.clauses[self.number + 1];
                self.others_variable(clause.terms.args(clause.head)[i]) == Some(v)
            });
            if let Some(k) = output {
                names.push(outputs.get(k)?.into());
                continue;
            }
            let name = match self.renaming.back.get(&v) {
                Some(&same) => first.get(same as usize)?.clone(),
                None if own == "_" || !first.contains(own) => own.clone(),
                None => (2..100)
                    .map(|k| SmolStr::from(format!("{own}{k}")))
                    .find(|n| {
                        !first.contains(n) && !second.contains(n) && !outputs.iter().any(|o| n == o)
                    })?,
            };
            // A variable that occurs once in the first clause but is used in the second lacks a usable name.
            let is_used = self.renaming.back.contains_key(&v) && name == "_";
            if is_used && own != "_" {
                return None;
            }
            names.push(name);
        }
        Some(names)
    }
}

/// Returns true for a variable that occurs in only one argument of the head.
fn is_in_one_argument(clause: &Clause, v: u32) -> bool {
    let all = clause.terms.variables_of(clause.head);
    all.iter().filter(|&&w| w == v).count() == 1
}

/// Returns the text of a term as an operand of `=`, in brackets if it may contain an operator.
fn operand(site: &Site<'_>, terms: &Terms, id: TermId, text: String) -> String {
    let is_plain = match terms.get(id) {
        Term::Var(_) | Term::Integer(_) => true,
        Term::Atom(_) => {
            text.starts_with(|c: char| c.is_ascii_lowercase() || c == '[') && !text.contains(' ')
        }
        Term::Compound(name, _) => text.starts_with('[') || text.starts_with(&format!("{name}(")),
        _ => false,
    };
    // An atom may be an operator, possibly one that the file declares.
    let is_operator = Operators::swi().is_operator(&text) || site.text.contains("op(");
    match is_plain && !is_operator {
        true => text,
        false => format!("({text})"),
    }
}

/// Returns the text of a goal in a branch, in brackets if it is a disjunction or a similar construct.
fn bracketed(site: &Site<'_>, clause: usize, goal: TermId, text: &str) -> String {
    let goal = Goal::lower(&site.clauses[clause].terms, goal);
    let is_weak = match goal {
        Goal::Call(call) => matches!(call.name.as_str(), ":-" | "-->") && call.args.len() == 2,
        _ => !goal.branches().is_empty(),
    };
    match is_weak && !is_bracketed(text) {
        true => format!("( {text} )"),
        false => text.to_owned(),
    }
}

/// Returns true if the text is enclosed in a single pair of brackets, unlike `(a ; b) ; c`. Quoted text is skipped, because it may contain
/// brackets.
fn is_bracketed(text: &str) -> bool {
    let mut depth = 0;
    let closes_early = text.char_indices().any(|(at, c)| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0 && at + 1 < text.len()
    });
    text.starts_with('(') && !closes_early && !text.contains(['\'', '"', '`', '%'])
}
