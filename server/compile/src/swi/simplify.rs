//! Simplification of control constructs with SWI-Prolog's flag `optimise`: `( true, p )` becomes `p`.

use costlens_body::{Arrow, Goal, build, conjuncts, semicolon};
use costlens_catalog::goal_arguments;
use costlens_syntax::term::{TermId, Terms};

use super::refusal::Refusal;
use super::variables::DEEPEST;

fn succeeds(terms: &Terms, goal: TermId) -> bool {
    matches!(Goal::lower(terms, goal), Goal::True | Goal::Otherwise)
}

fn fails(terms: &Terms, goal: TermId) -> bool {
    matches!(Goal::lower(terms, goal), Goal::Fail | Goal::False)
}

/// Returns true for a conjunction of `true` goals, which is a guard without effect.
pub(super) fn is_true(terms: &Terms, guard: TermId) -> bool {
    let mut goals = conjuncts(terms, guard).into_iter();
    goals.all(|g| Goal::lower(terms, g) == Goal::True)
}

/// Returns the goal that is compiled for a body or a guard with the flag `optimise`. New terms are appended to the arena.
///
/// # Errors
///
/// Control constructs are nested too deeply.
pub fn simplify(terms: &mut Terms, goal: TermId) -> Result<TermId, Refusal> {
    simplified(terms, goal, 0)
}

fn simplified(terms: &mut Terms, goal: TermId, depth: u32) -> Result<TermId, Refusal> {
    if depth > DEEPEST {
        return Err(Refusal::TooDeep(goal));
    }
    // A right-nested chain may be long, so its left sides are simplified first, and then the chain from its end.
    let (mut chain, mut last) = (Vec::new(), goal);
    while let Some((link, left, right)) = link(terms, last) {
        chain.push((link, last, simplified(terms, left, depth + 1)?));
        last = right;
    }
    let mut result = arguments_simplified(terms, last, depth)?;
    while let Some((link, old, left)) = chain.pop() {
        let [old_left, old_right] = [terms.args(old)[0], terms.args(old)[1]];
        let left = match link {
            Link::Or => left_side(terms, old_left, left),
            Link::And | Link::Then(_) => left,
        };
        let is_same = (left, result) == (old_left, old_right);
        result = match simple(terms, link, left, result) {
            Some(simple) => simple,
            None if is_same => old,
            None => match link {
                Link::And => build::conjunction(terms, left, result),
                Link::Or => build::disjunction(terms, left, result),
                Link::Then(arrow) => build::if_then(terms, arrow, left, result),
            },
        };
    }
    Ok(result)
}

/// The connective of two goals.
#[derive(Clone, Copy)]
enum Link {
    And,
    Or,
    Then(Arrow),
}

/// Returns the parts of a control construct with two goals. `A | B` is never simplified itself.
fn link(terms: &Terms, goal: TermId) -> Option<(Link, TermId, TermId)> {
    if let Some((left, right)) = semicolon(terms, goal) {
        return Some((Link::Or, left, right));
    }
    match Goal::lower(terms, goal) {
        Goal::Conjunction(left, right) => Some((Link::And, left, right)),
        Goal::IfThen {
            arrow,
            condition,
            then,
        } => Some((Link::Then(arrow), condition, then)),
        _ => None,
    }
}

/// Returns any other goal, with its goal arguments simplified.
fn arguments_simplified(terms: &mut Terms, goal: TermId, depth: u32) -> Result<TermId, Refusal> {
    let Some((name, arity)) = terms.functor(goal).map(|(n, a)| (n.clone(), a)) else {
        return Ok(goal);
    };
    let goals: Vec<usize> = match Goal::lower(terms, goal) {
        Goal::Qualified { module, .. } if terms.as_atom(module).is_some() => vec![1],
        Goal::Qualified { .. } => Vec::new(),
        _ => goal_arguments(&name, arity).collect(),
    };
    let arguments = terms.args(goal).to_vec();
    let mut parts = arguments.clone();
    for place in goals {
        if let Some(part) = parts.get_mut(place) {
            *part = simplified(terms, *part, depth + 1)?;
        }
    }
    Ok(match parts == arguments {
        true => goal,
        false => terms.compound(name, &parts),
    })
}

/// Returns the simplified form of a construct with two goals.
fn simple(terms: &mut Terms, link: Link, left: TermId, right: TermId) -> Option<TermId> {
    match link {
        Link::And if succeeds(terms, left) => Some(right),
        Link::And if fails(terms, left) => Some(build::failure(terms)),
        Link::And if succeeds(terms, right) => Some(left),
        Link::Or => match Goal::lower(terms, left) {
            Goal::IfThen {
                arrow: Arrow::Hard,
                condition,
                then,
            } => match Goal::lower(terms, condition) {
                Goal::True | Goal::Otherwise => Some(then),
                Goal::Fail | Goal::False => Some(right),
                _ => None,
            },
            Goal::Fail | Goal::False => Some(right),
            _ => None,
        },
        Link::And | Link::Then(_) => None,
    }
}

/// Preserves the meaning of a left side that has become a condition, or is no longer a condition.
fn left_side(terms: &mut Terms, old: TermId, new: TermId) -> TermId {
    // Goals that are already simplified stay unchanged.
    if let Goal::Conjunction(left, right) = Goal::lower(terms, old)
        && left == new
        && is_condition(terms, new)
        && Goal::lower(terms, right) == Goal::True
    {
        return old;
    }
    let was_condition = is_condition(terms, old);
    if was_condition == is_condition(terms, new) {
        return new;
    }
    let rest = build::success(terms);
    match was_condition {
        true => build::if_then(terms, Arrow::Hard, new, rest),
        false => build::conjunction(terms, new, rest),
    }
}

fn is_condition(terms: &Terms, goal: TermId) -> bool {
    matches!(
        Goal::lower(terms, goal),
        Goal::IfThen {
            arrow: Arrow::Hard,
            ..
        }
    )
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    #[test]
    fn what_is_simplified_is_simplified_no_further() {
        let read = read_text("( ( fail -> q ; ( fail -> fail ) ) ; q ).").clauses[0].clone();
        let mut terms = (*read.terms).clone();
        let once = simplify(&mut terms, read.root).unwrap();
        assert_ne!(once, read.root);
        assert_eq!(simplify(&mut terms, once).unwrap(), once);
    }
}
