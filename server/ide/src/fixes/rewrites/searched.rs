//! `computed-instead-of-searched`: computes a number directly instead of searching for it.
//!
//! ```text
//! between(L, H, X), X =:= E   →   X is E, between(L, H, X)
//! ```
//!
//! At most one integer passes the test. `E` is a sum, difference or product of integers, so that its value is an integer. It also raises no
//! exception if the original would not search at all. The number may also be an operand of sums and differences: in `A =:= B+X`, its value is
//! `A-B`.

use costlens_body::{Comparison, Goal};
use costlens_program::Functor;
use costlens_syntax::term::{TermId, Terms};

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{for_neighbours, integers_of, small, variable, whole, whole_text};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

/// The maximum nesting depth of sums and differences.
const DEEPEST: usize = 16;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    if !site.means_library(&Functor::new("between", 3)) {
        return Vec::new();
    }
    for_neighbours(site, |clause, first, second| {
        computed(site, clause, first, second)
    })
}

fn computed(site: &Site<'_>, clause: usize, search: TermId, test: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let &[low, high, value] = terms.matches(search, "between", 3)? else {
        return None;
    };
    let Goal::Compare(Comparison::Equal, left, right) = Goal::lower(terms, test) else {
        return None;
    };
    let x = variable(terms, value)?;
    let solved = Solved::solve(site, clause, x, [left, right])?;
    let mut integers = solved.integers;
    for bound in [low, high] {
        if small(terms, bound).is_none() {
            variable(terms, bound).filter(|&v| v != x)?;
            integers.push(bound);
        }
    }
    let text = |id| site.source(clause, id);
    let computed = format!("{} is {}", text(value)?, solved.text);
    let edits = vec![
        site.replace(clause, search, computed)?,
        Edit {
            range: whole(site, clause, test)?,
            text: text(search)?.to_owned(),
        },
    ];
    let integer = |term| Condition::before_goal(clause, search, term, Shape::Integer);
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Compute the number instead of searching for it",
        short_runs: ShortRuns::NotDearer,
        edits,
        needs: (integers.into_iter().map(integer))
            .chain(Condition::unbound(site, clause, search, value))
            .collect(),
    })
}

/// The solution of an integer equation for a variable.
struct Solved {
    /// The text of the solution.
    text: String,
    /// The variables in the solution.
    integers: Vec<TermId>,
}

impl Solved {
    /// Solves an equation of two expressions for `x`, which must occur once: on its own, or as an operand of sums and differences.
    fn solve(site: &Site<'_>, clause: usize, x: u32, sides: [TermId; 2]) -> Option<Self> {
        let terms = &site.clauses[clause].terms;
        let has = |id: TermId| terms.variables_of(id).iter().filter(|&&v| v == x).count();
        let (mut at, other) = match sides.map(has) {
            [1, 0] => (sides[0], sides[1]),
            [0, 1] => (sides[1], sides[0]),
            _ => return None,
        };
        let mut solved = Self {
            text: whole_text(site, clause, other)?.to_owned(),
            integers: integers_of(terms, other)?,
        };
        // A sum or difference must be in brackets as the right operand of another sum or difference.
        let mut is_weak = is_sum(terms, other);
        let mut depth = 0;
        while variable(terms, at) != Some(x) {
            depth += 1;
            (depth <= DEEPEST).then_some(())?;
            let (name, 2) = terms.functor(at)? else {
                return None;
            };
            let &[left, right] = terms.args(at) else {
                return None;
            };
            let (inner, known) = match has(left) {
                1 => (left, right),
                _ => (right, left),
            };
            let known_text = || {
                let text = whole_text(site, clause, known)?;
                let written = match is_sum(terms, known) || text.starts_with(['-', '+']) {
                    true => format!("({text})"),
                    false => text.to_owned(),
                };
                Some(written)
            };
            solved.text = match (name.as_str(), inner == left) {
                ("+", _) => format!("{} - {}", solved.text, known_text()?),
                ("-", true) => format!("{} + {}", solved.text, known_text()?),
                ("-", false) if is_weak => {
                    format!("{} - ({})", whole_text(site, clause, known)?, solved.text)
                }
                ("-", false) => format!("{} - {}", whole_text(site, clause, known)?, solved.text),
                _ => return None,
            };
            solved.integers.extend(integers_of(terms, known)?);
            is_weak = true;
            at = inner;
        }
        Some(solved)
    }
}

/// Returns true for a sum or a difference.
fn is_sum(terms: &Terms, id: TermId) -> bool {
    terms
        .functor(id)
        .is_some_and(|(name, arity)| arity == 2 && matches!(name.as_str(), "+" | "-"))
}
