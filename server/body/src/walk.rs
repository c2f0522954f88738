//! Walks over the goals of a body that several rooms need. All of them are loops: a body may be nested deeply.

use costlens_syntax::term::{TermId, Terms};

use crate::goal::Goal;

/// The goals of a conjunction, in order; a goal that is none, alone.
#[must_use]
pub fn conjuncts(terms: &Terms, goal: TermId) -> Vec<TermId> {
    terms.chain(goal, ",")
}

/// The branches of a chain of disjunctions, in order: `A`, `B` and `C` of `A ; B ; C`. A branch with a condition is the term with its arrow.
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

/// The sides of `A ; B` or `A | B` as they are written: where `A` is a condition, it is the term with its arrow. For compilers that take one
/// side after the other.
#[must_use]
pub fn sides(terms: &Terms, goal: TermId) -> Option<(TermId, TermId)> {
    semicolon(terms, goal).or_else(|| joined(terms, goal, "|"))
}

/// Those of `A ; B` alone: some compilers do not take `A | B` for a disjunction.
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

/// True where a cut among these goals cuts the clause that they stand in: one that is in no condition and no negation.
#[must_use]
pub fn cuts_clause(terms: &Terms, goals: &[TermId]) -> bool {
    let mut waiting = goals.to_vec();
    while let Some(goal) = waiting.pop() {
        match Goal::of(terms, goal) {
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

/// The goals behind which a body has nothing to run: the last one, and the last one of each branch where that is a disjunction.
#[must_use]
pub fn last_goals(terms: &Terms, body: TermId) -> Vec<TermId> {
    let (mut last, mut waiting) = (Vec::new(), vec![body]);
    while let Some(goal) = waiting.pop() {
        match Goal::of(terms, goal) {
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

/// The goals of a body in order, through `,`, `;`, `->` and `*->`: what is none of these.
#[must_use]
pub fn leaves(terms: &Terms, body: TermId) -> Vec<TermId> {
    let (mut found, mut waiting) = (Vec::new(), vec![body]);
    while let Some(goal) = waiting.pop() {
        let branches = Goal::of(terms, goal).branches();
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
