//! Control constructs as SWI-Prolog simplifies them under the flag `optimise`: `( true, p )` is `p`.

use costlens_catalog::goal_arguments;
use costlens_syntax::term::{Term, TermId, Terms};

use super::refusal::Refusal;
use super::variables::DEEPEST;

fn is_one_of(terms: &Terms, goal: TermId, names: [&str; 2]) -> bool {
    terms
        .as_atom(goal)
        .is_some_and(|n| names.contains(&n.as_str()))
}

fn succeeds(terms: &Terms, goal: TermId) -> bool {
    is_one_of(terms, goal, ["true", "otherwise"])
}

fn fails(terms: &Terms, goal: TermId) -> bool {
    is_one_of(terms, goal, ["fail", "false"])
}

/// A conjunction of `true`: a guard that is none.
pub(super) fn is_true(terms: &Terms, guard: TermId) -> bool {
    let mut goals = terms.chain(guard, ",").into_iter();
    goals.all(|g| terms.as_atom(g).is_some_and(|n| n == "true"))
}

/// The goal that is compiled for a body or a guard under the flag `optimise`. New terms come behind those of the arena.
///
/// # Errors
///
/// Where control constructs are nested too deeply.
pub fn simplify(terms: &mut Terms, goal: TermId) -> Result<TermId, Refusal> {
    simplified(terms, goal, 0)
}

fn simplified(terms: &mut Terms, goal: TermId, depth: u32) -> Result<TermId, Refusal> {
    if depth > DEEPEST {
        return Err(Refusal::TooDeep(goal));
    }
    // A chain to the right may be long: its left sides first, then from its end.
    let (mut chain, mut last) = (Vec::new(), goal);
    while let Some((name, left, right)) = link(terms, last) {
        chain.push((name, last, simplified(terms, left, depth + 1)?));
        last = right;
    }
    let mut result = arguments_simplified(terms, last, depth)?;
    while let Some((name, old, left)) = chain.pop() {
        let [old_left, old_right] = [terms.args(old)[0], terms.args(old)[1]];
        let left = match name {
            ";" => left_side(terms, old_left, left),
            _ => left,
        };
        let is_same = (left, result) == (old_left, old_right);
        result = match simple(terms, name, left, result) {
            Some(simple) => simple,
            None if is_same => old,
            None => terms.compound(name, &[left, result]),
        };
    }
    Ok(result)
}

/// A control construct with two goals.
fn link(terms: &Terms, goal: TermId) -> Option<(&'static str, TermId, TermId)> {
    [",", ";", "->", "*->"]
        .into_iter()
        .find_map(|name| match terms.matches(goal, name, 2) {
            Some(&[left, right]) => Some((name, left, right)),
            _ => None,
        })
}

/// Any other goal, the goals among its arguments simplified.
fn arguments_simplified(terms: &mut Terms, goal: TermId, depth: u32) -> Result<TermId, Refusal> {
    let Some((name, arity)) = terms.functor(goal).map(|(n, a)| (n.clone(), a)) else {
        return Ok(goal);
    };
    let arguments = terms.args(goal).to_vec();
    let goals: Vec<usize> = match (name.as_str(), &arguments[..]) {
        ("\\+" | "$" | "call", [_]) => vec![0],
        (":", &[module, _]) if matches!(terms.get(module), Term::Atom(_)) => vec![1],
        (":", _) => Vec::new(),
        _ => goal_arguments(&name, arity).collect(),
    };
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

/// The rest of a construct with two goals.
fn simple(terms: &mut Terms, name: &str, left: TermId, right: TermId) -> Option<TermId> {
    match name {
        "," if succeeds(terms, left) => Some(right),
        "," if fails(terms, left) => Some(terms.atom("fail")),
        "," if succeeds(terms, right) => Some(left),
        ";" => match terms.matches(left, "->", 2) {
            Some(&[condition, then]) if succeeds(terms, condition) => Some(then),
            Some(&[condition, _]) if fails(terms, condition) => Some(right),
            _ if fails(terms, left) => Some(right),
            _ => None,
        },
        _ => None,
    }
}

/// A left side that has become a condition, or is none any more, keeps its meaning.
fn left_side(terms: &mut Terms, old: TermId, new: TermId) -> TermId {
    let is_condition = |terms: &Terms, goal| terms.matches(goal, "->", 2).is_some();
    // What was simplified before stays as it is.
    if let Some(&[left, right]) = terms.matches(old, ",", 2)
        && left == new
        && is_condition(terms, new)
        && terms.as_atom(right).is_some_and(|name| name == "true")
    {
        return old;
    }
    let join = match (is_condition(terms, old), is_condition(terms, new)) {
        (true, false) => "->",
        (false, true) => ",",
        _ => return new,
    };
    let rest = terms.atom("true");
    terms.compound(join, &[new, rest])
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
