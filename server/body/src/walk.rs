//! Traversals of body goals that several crates need. All of them are loops, because a body may be deeply nested.

use costlens_syntax::term::{TermId, Terms};

use crate::goal::Goal;

/// Returns the goals of a conjunction, in order. Any other goal is returned alone.
#[must_use]
pub fn conjuncts(terms: &Terms, goal: TermId) -> Vec<TermId> {
    terms.chain(goal, ",")
}

/// Returns the branches of a chain of disjunctions, in order: `A`, `B` and `C` of `A ; B ; C`. A branch with a condition is returned with its
/// arrow.
#[must_use]
pub fn alternatives(terms: &Terms, goal: TermId) -> Vec<TermId> {
    let (mut found, mut rest) = (Vec::new(), goal);
    while let Some((left, right)) = sides(terms, rest) {
        found.push(left);
        rest = right;
    }
    found.push(rest);
    found
}

/// Returns the sides of `A ; B` or `A | B` as written: a conditional left side is the term with its arrow. Use it in compilers that
/// translate the sides one after another.
#[must_use]
pub fn sides(terms: &Terms, goal: TermId) -> Option<(TermId, TermId)> {
    semicolon(terms, goal).or_else(|| joined(terms, goal, "|"))
}

/// Returns the sides of `A ; B` only, because some compilers do not treat `A | B` as a disjunction.
#[must_use]
pub fn semicolon(terms: &Terms, goal: TermId) -> Option<(TermId, TermId)> {
    joined(terms, goal, ";")
}

fn joined(terms: &Terms, goal: TermId, operator: &str) -> Option<(TermId, TermId)> {
    match terms.matches(goal, operator, 2) {
        Some(&[left, right]) => Some((left, right)),
        _ => None,
    }
}

/// Returns true if a cut among these goals cuts the clause that contains them: it is outside conditions and negations.
#[must_use]
pub fn cuts_clause(terms: &Terms, goals: &[TermId]) -> bool {
    let mut waiting = goals.to_vec();
    while let Some(goal) = waiting.pop() {
        match Goal::lower(terms, goal) {
            Goal::Cut => return true,
            Goal::IfThen { then, .. } => waiting.push(then),
            Goal::IfThenElse {
                then, otherwise, ..
            } => waiting.extend([then, otherwise]),
            lowered => waiting.extend(lowered.branches()),
        }
    }
    false
}

/// Returns the goals that may run last in a body: the last goal, or the last goal of each branch if the last goal is a disjunction.
#[must_use]
pub fn last_goals(terms: &Terms, body: TermId) -> Vec<TermId> {
    let (mut last, mut waiting) = (Vec::new(), vec![body]);
    while let Some(goal) = waiting.pop() {
        match Goal::lower(terms, goal) {
            Goal::Conjunction(_, right) | Goal::IfThen { then: right, .. } => waiting.push(right),
            Goal::Disjunction(left, right)
            | Goal::Bar(left, right)
            | Goal::IfThenElse {
                then: left,
                otherwise: right,
                ..
            } => waiting.extend([right, left]),
            _ => last.push(goal),
        }
    }
    last
}

/// Returns the goals of a body, in order, that are not `,`, `;`, `->` or `*->` themselves.
#[must_use]
pub fn leaves(terms: &Terms, body: TermId) -> Vec<TermId> {
    let (mut found, mut waiting) = (Vec::new(), vec![body]);
    while let Some(goal) = waiting.pop() {
        let branches = Goal::lower(terms, goal).branches();
        if branches.is_empty() {
            found.push(goal);
        }
        waiting.extend(branches.into_iter().rev());
    }
    found
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;
    use costlens_syntax::write_term;

    use super::*;

    fn names(body: &str, walk: impl Fn(&Terms, TermId) -> Vec<TermId>) -> String {
        let file = read_text(&format!("p :- {body}.\n"));
        let clause = &file.clauses[0];
        let &[_, body] = clause.terms.matches(clause.root, ":-", 2).unwrap() else {
            unreachable!()
        };
        let found = walk(&clause.terms, body);
        let written = found
            .iter()
            .map(|&goal| write_term(&clause.terms, goal, None));
        written.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn goals_are_found_through_control_constructs() {
        let body = "a, ( b -> c ; \\+ d, e ), ( f ; g *-> h ; i )";
        assert_eq!(names(body, leaves), "a b c \\+d e f g h i");
        assert_eq!(names(body, last_goals), "f h i");
        assert_eq!(names("f ; g *-> h ; i", alternatives), "f g *-> h i");
        let pair = |sides: Option<(TermId, TermId)>| sides.map_or(Vec::new(), |(l, r)| vec![l, r]);
        for (body, both, of_semicolon) in [
            ("f *-> g ; h ; i", "f *-> g h ; i", "f *-> g h ; i"),
            ("f -> g | h", "f -> g h", ""),
            ("f -> g", "", ""),
        ] {
            assert_eq!(names(body, |t, goal| pair(sides(t, goal))), both);
            assert_eq!(
                names(body, |t, goal| pair(semicolon(t, goal))),
                of_semicolon
            );
        }
    }

    #[test]
    fn cuts_of_conditions_are_their_own() {
        for (body, expected) in [
            ("a, !", true),
            ("( ! -> a ; b )", false),
            ("( a -> ! ; b )", true),
            ("( a ; ! )", true),
            ("\\+ !", false),
            ("call(!)", false),
        ] {
            let file = read_text(&format!("p :- {body}.\n"));
            let clause = &file.clauses[0];
            let &[_, goal] = clause.terms.matches(clause.root, ":-", 2).unwrap() else {
                unreachable!()
            };
            assert_eq!(cuts_clause(&clause.terms, &[goal]), expected, "{body}");
        }
    }
}
