//! `list-grown-at-its-end`: a list that is only appended to is made from the front.
//!
//! ```text
//! copy([], Ys, Ys).                                  copy(Xs, Acc, Ys) :- copy_items(Xs, Items), append(Acc, Items, Ys).
//! copy([X|Xs], Acc, Ys) :-                     →
//!     append(Acc, [X], Acc1),                        copy_items([], []).
//!     copy(Xs, Acc1, Ys).                            copy_items([X|Xs], [X|Ys]) :- copy_items(Xs, Ys).
//! ```
//!
//! The accumulator is looked at nowhere, so that the goals that stay run as before. With a proper list each `append/3` has one solution, and an unbound
//! result makes no clause fail earlier. Where whole lists are appended, they have to be proper ones, and are joined with what comes behind them:
//! `all([L|Ls], Ys) :- append(L, Rest, Ys), all(Ls, Rest).`

use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{CONS, NIL, Term, TermId};

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::variable;
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::{Site, occurrences};

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let fits = (3..=8).contains(&site.functor.arity) && site.clauses.len() <= 32;
    let found = fits.then(|| proposal(site)).flatten();
    found.into_iter().collect()
}

/// The arguments of the accumulator and of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Roles {
    accumulator: usize,
    result: usize,
}

/// A recursive clause.
struct Step {
    goals: Vec<TermId>,
    call: TermId,
    /// The goal that appends, and what it appends.
    append: Option<(TermId, Added)>,
}

/// The list that is appended.
enum Added {
    Elements(Vec<TermId>),
    List(TermId),
}

fn proposal(site: &Site<'_>) -> Option<Proposal> {
    let is_base = |c: &Clause| c.kind == ClauseKind::Fact;
    let pair = site.clauses.iter().find(|c| is_base(c)).and_then(ends)?;
    let both = [
        Roles {
            accumulator: pair.0,
            result: pair.1,
        },
        Roles {
            accumulator: pair.1,
            result: pair.0,
        },
    ];
    both.into_iter().find_map(|roles| {
        let steps: Vec<Option<Step>> = (site.clauses.iter().enumerate())
            .map(|(number, clause)| match is_base(clause) {
                true => (ends(clause)? == pair).then_some(None),
                false => step(site, number, roles).map(Some),
            })
            .collect::<Option<_>>()?;
        let (number, append) = (steps.iter().enumerate())
            .find_map(|(i, step)| Some((i, step.as_ref()?.append.as_ref()?.0)))?;
        let joins = site.clauses[number].terms.functor(append)?.0;
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
        for (clause, step) in steps.iter().enumerate() {
            if let Some((goal, Added::List(term))) = step.as_ref().and_then(|s| s.append.as_ref()) {
                needs.push(Condition::before(clause, *goal, *term, Shape::List));
            }
        }
        Some(Proposal {
            beside: String::new(),
            what: "Make the list from the front",
            short_runs: ShortRuns::Open,
            edits: edits(site, roles, &steps, &crate::present::quoted(joins))?,
            needs,
        })
    })
}

/// The two arguments of a fact that are one variable, which is in no other.
fn ends(clause: &Clause) -> Option<(usize, usize)> {
    let args = clause.terms.args(clause.head);
    (0..args.len()).find_map(|i| {
        let v = variable(&clause.terms, args[i])?;
        let j = (i + 1..args.len()).find(|&j| variable(&clause.terms, args[j]) == Some(v))?;
        (occurrences(clause, v) == 2).then_some((i, j))
    })
}

fn step(site: &Site<'_>, number: usize, roles: Roles) -> Option<Step> {
    let clause = &site.clauses[number];
    let terms = &clause.terms;
    if clause.kind != ClauseKind::Rule || clause.grammar_rule {
        return None;
    }
    let args = terms.args(clause.head);
    let (accumulator, result) = (
        variable(terms, args[roles.accumulator])?,
        variable(terms, args[roles.result])?,
    );
    let goals = terms.chain(clause.body?, ",");
    let call = *goals.last()?;
    let inner = terms.matches(call, &site.functor.name, site.functor.arity)?;
    let handed = variable(terms, inner[roles.accumulator])?;
    let same_result = variable(terms, inner[roles.result])? == result;
    if accumulator == result
        || !same_result
        || occurrences(clause, result) != 2
        || occurrences(clause, accumulator) != 2
    {
        return None;
    }
    if handed == accumulator {
        let append = None;
        return Some(Step {
            goals,
            call,
            append,
        });
    }
    let append = *goals.iter().find(|&&g| {
        let grown = terms
            .args(g)
            .get(2)
            .and_then(|&whole| variable(terms, whole));
        grown == Some(handed) && site.known_goal(number, g) == Some(Known::Append)
    })?;
    let &[front, back, _] = terms.args(append) else {
        return None;
    };
    let (elements, end) = terms.list(back);
    let is_written = terms.matches(back, CONS, 2).is_some()
        && matches!(terms.get(end), Term::Atom(name) if name == NIL);
    let added = match variable(terms, back) {
        Some(_) => Added::List(back),
        None => Added::Elements(is_written.then_some(elements)?),
    };
    let fits = variable(terms, front)? == accumulator && occurrences(clause, handed) == 2;
    fits.then_some(Step {
        goals,
        call,
        append: Some((append, added)),
    })
}

fn edits(site: &Site<'_>, roles: Roles, steps: &[Option<Step>], append: &str) -> Option<Vec<Edit>> {
    let helper = site.helper_name(site.functor.arity - 1, "_items")?;
    let mut edits = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let clause = &site.clauses[number];
        let terms = &clause.terms;
        let place = &site.places[number];
        let goal = |of: TermId, result: String| -> Option<String> {
            let mut arguments = Vec::new();
            for (i, &argument) in terms.args(of).iter().enumerate() {
                if i == roles.result {
                    arguments.push(result.clone());
                } else if i != roles.accumulator {
                    arguments.push(site.argument(number, argument)?);
                }
            }
            Some(format!("{helper}({})", arguments.join(", ")))
        };
        let head = match step {
            None => goal(clause.head, "[]".to_owned())?,
            Some(step) => {
                let result = *terms.args(clause.head).get(roles.result)?;
                let result = site.source(number, result)?.to_owned();
                let (mut handed, mut head) = (result.clone(), result.clone());
                match &step.append {
                    None => {}
                    Some((goal, Added::Elements(elements))) => {
                        edits.extend(site.without(number, &step.goals, &|g| g == *goal)?);
                        let elements: Vec<String> = (elements.iter())
                            .map(|&e| site.argument(number, e))
                            .collect::<Option<_>>()?;
                        head = format!("[{}|{result}]", elements.join(", "));
                    }
                    Some((goal, Added::List(list))) => {
                        let rest = ["Rest", "Rest0", "Tail", "Tail0"];
                        handed = site.new_variable(number, &rest)?.to_owned();
                        let list = site.argument(number, *list)?;
                        let text = format!("{append}({list}, {handed}, {result})");
                        edits.push(site.replace(number, *goal, text)?);
                    }
                }
                edits.push(site.replace(number, step.call, goal(step.call, handed)?)?);
                goal(clause.head, head)?
            }
        };
        edits.push(Edit {
            range: place.head.0..place.head.1,
            text: head,
        });
    }
    let place = site.places.first()?;
    let own = site.text.get(place.name.0..place.name.1)?;
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
    let (end, all, items) = (site.line_end(), all.join(", "), items.join(", "));
    edits.push(Edit {
        range: place.range.0..place.range.0,
        text: format!("{own}({all}) :- {helper}({items}), {append}(Acc, Items, List).{end}{end}"),
    });
    Some(edits)
}
