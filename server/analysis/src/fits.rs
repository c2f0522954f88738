//! Matches calls against patterns: determines whether a pattern covers a call, and the sizes of the call's arguments.
//!
//! `nrev([1,2,3], X)` matches `(list(int), var)`, and the length of its first argument is 3; `nrev(Xs, [a])` does not match.

use costlens_infer::regular::functor_key;
use costlens_infer::report::SizeVariable;
use costlens_infer::types::{Metric, Pattern, TextType, Type};
use costlens_syntax::assertions::OpaqueName;
use costlens_syntax::term::{NIL, QUOTED_NIL, Term, TermId, Terms};
use num_bigint::BigInt;

/// Returns whether a goal matches a pattern.
#[must_use]
pub fn fits(pattern: &Pattern, terms: &Terms, goal: TermId) -> bool {
    let arguments = terms.args(goal);
    if arguments.len() != pattern.0.len() {
        return false;
    }
    let free = arguments.iter().zip(&pattern.0);
    let mut free = free.filter(|(_, ty)| **ty == Type::Free).peekable();
    if free.peek().is_some() {
        let mut occurrences = vec![0_usize; terms.variables() as usize];
        for id in terms.subterms(goal) {
            if let Term::Var(v) = terms.get(id)
                && let Some(count) = occurrences.get_mut(*v as usize)
            {
                *count += 1;
            }
        }
        let is_free = |id: TermId| match terms.get(id) {
            Term::Var(v) => occurrences.get(*v as usize) == Some(&1),
            _ => false,
        };
        if !free.all(|(&id, _)| is_free(id)) {
            return false;
        }
    }
    let typed = arguments.iter().copied().zip(pattern.0.iter().cloned());
    all_fit(terms, typed.filter(|(_, ty)| *ty != Type::Free).collect())
}

/// Returns whether each term belongs to its type.
fn all_fit(terms: &Terms, mut todo: Vec<(TermId, Type)>) -> bool {
    while let Some((id, ty)) = todo.pop() {
        let term = terms.get(id);
        let holds = match &ty {
            Type::Int => matches!(term, Term::Integer(_)),
            Type::Number => is_number(term),
            Type::Atom => matches!(term, Term::Atom(name) if name != NIL),
            Type::Text(kind) => match term {
                Term::Atom(name) => name != NIL && *kind != TextType::String,
                Term::String(_) => *kind != TextType::Atom,
                _ => false,
            },
            Type::List(element) => {
                let (elements, rest) = terms.list(id);
                todo.extend(elements.into_iter().map(|e| (e, (**element).clone())));
                terms.as_atom(rest).is_some_and(|name| name == NIL)
            }
            Type::Tree(regular) => {
                let shape = functor_key(terms, id).and_then(|key| regular.arguments(&key));
                match shape {
                    Some(types) => todo.extend(terms.args(id).iter().copied().zip(types)),
                    // A term that matches no shape may still match the rest of the definition.
                    None => todo.push((id, regular.leaf.clone())),
                }
                true
            }
            Type::Opaque(opaque) => match opaque_contents(terms, id, opaque.name) {
                Some(all) => {
                    for (key, value) in all {
                        todo.push((key, opaque.key.clone()));
                        todo.push((value, opaque.value.clone()));
                    }
                    true
                }
                None => false,
            },
            Type::Ground => {
                let is_variable = |&t: &TermId| matches!(terms.get(t), Term::Var(_) | Term::Error);
                !terms.subterms(id).iter().any(is_variable)
            }
            Type::Nonvar => !matches!(term, Term::Var(_) | Term::Error),
            Type::Any => true,
            Type::None | Type::Itself | Type::Free => false,
        };
        if !holds {
            return false;
        }
    }
    true
}

/// Returns the keys and values of a term of an opaque type.
fn opaque_contents(terms: &Terms, id: TermId, name: OpaqueName) -> Option<Vec<(TermId, TermId)>> {
    name.contents(id, &|id| match terms.get(id) {
        Term::Atom(name) => Some((name.clone(), Vec::new())),
        Term::Compound(name, _) => Some((name.clone(), terms.args(id).to_vec())),
        _ => None,
    })
}

fn is_number(term: &Term) -> bool {
    matches!(term, Term::Integer(_) | Term::Rational(_) | Term::Float(_))
}

/// Returns the size of a goal's argument, or of its largest element. Returns `None` if the metric does not apply. For the empty list, the
/// element size is the minimum of the metric.
#[must_use]
pub fn measure(size: &SizeVariable, terms: &Terms, goal: TermId) -> Option<BigInt> {
    let &argument = terms.args(goal).get(size.argument.checked_sub(1)?)?;
    if !size.element {
        return size_of(size.metric, terms, argument);
    }
    let (elements, _) = terms.list(argument);
    let mut largest = size.metric.least().map(BigInt::from);
    for element in elements {
        largest = largest.max(Some(size_of(size.metric, terms, element)?));
    }
    largest
}

/// Returns the size of a term, or `None` if the metric does not apply to it.
#[must_use]
pub fn size_of(metric: Metric, terms: &Terms, id: TermId) -> Option<BigInt> {
    match (metric, terms.get(id)) {
        (Metric::Int, Term::Integer(n)) => Some(n.to_big()),
        (Metric::Int, _) => None,
        (Metric::Length, _) => {
            let (elements, rest) = terms.list(id);
            let proper = terms.as_atom(rest).is_some_and(|name| name == NIL);
            proper.then(|| elements.len().into())
        }
        (Metric::Keys, _) => {
            let mut names = OpaqueName::ALL.into_iter();
            let found = names.find_map(|name| opaque_contents(terms, id, name))?;
            Some(found.len().into())
        }
        (Metric::Size, _) => Some(terms.subterms(id).len().into()),
        (Metric::Chars, Term::Atom(name)) if name == QUOTED_NIL => Some(2.into()),
        (Metric::Chars, Term::Atom(text) | Term::String(text)) => Some(text.chars().count().into()),
        (Metric::Chars, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use costlens_algebra::Var;
    use costlens_syntax::read_text;

    use super::*;
    use costlens_infer::regular::{Regular, Shape};

    fn goal(text: &str) -> (Arc<Terms>, TermId) {
        let clause = read_text(&format!("{text}.")).clauses[0].clone();
        (clause.terms, clause.root)
    }

    fn fit(text: &str, types: Vec<Type>) -> bool {
        let (terms, goal) = goal(text);
        fits(&Pattern(types), &terms, goal)
    }

    #[test]
    fn arguments_have_their_types() {
        let ints = || Type::list(Type::Int);
        assert!(fit("p([1,2], X)", vec![ints(), Type::Free]));
        assert!(!fit("p([1,a], X)", vec![ints(), Type::Free]));
        assert!(!fit("p([1|_], X)", vec![ints(), Type::Free]));
        assert!(fit("p([X|[]])", vec![Type::list(Type::Any)]));
        assert!(fit("p([], a)", vec![Type::list(Type::None), Type::Atom]));
        assert!(!fit("p([])", vec![Type::Atom]));
        assert!(!fit("p(1.5)", vec![Type::Int]));
        assert!(fit("p(1.5)", vec![Type::Number]));
        assert!(fit("p(f(a))", vec![Type::Ground]));
        assert!(!fit("p(f(X))", vec![Type::Ground]));
        assert!(fit("p(f(X))", vec![Type::Nonvar]));
        assert!(!fit("p(a)", vec![Type::Any, Type::Any]));
    }

    #[test]
    fn a_free_variable_occurs_nowhere_else() {
        assert!(fit("p(X, Y)", vec![Type::Free, Type::Free]));
        assert!(!fit("p(X, X)", vec![Type::Free, Type::Free]));
        assert!(!fit("p(X, [X])", vec![Type::Free, Type::list(Type::Any)]));
        assert!(!fit("p(a)", vec![Type::Free]));
    }

    #[test]
    fn trees_are_of_their_shapes() {
        let tree = Type::Tree(Arc::new(Regular {
            name: "tree".into(),
            shapes: vec![
                Shape {
                    functor: "'l'".into(),
                    args: Vec::new(),
                },
                Shape {
                    functor: "'t'/3".into(),
                    args: vec![Type::Itself, Type::Int, Type::Itself],
                },
            ],
            leaf: Type::None,
            ground: true,
        }));
        assert!(fit("p(t(l, 1, t(l, 2, l)))", vec![tree.clone()]));
        assert!(!fit("p(t(l, x, l))", vec![tree.clone()]));
        assert!(!fit("p(t(l, 1, X))", vec![tree.clone()]));
        assert!(!fit("p(u)", vec![tree]));
    }

    #[test]
    fn sizes_are_those_of_the_metrics() {
        let size = |argument, metric, element, text: &str| {
            let (terms, goal) = goal(text);
            let size = SizeVariable {
                var: Var(0),
                argument,
                metric,
                element,
                name: "n".to_owned(),
            };
            measure(&size, &terms, goal).map(|n| n.to_string())
        };
        let is = |n: i64| Some(n.to_string());
        assert_eq!(size(1, Metric::Length, false, "p([a,b,c])"), is(3));
        assert_eq!(size(1, Metric::Length, false, "p([a|_])"), None);
        assert_eq!(size(2, Metric::Int, false, "p(a, -4)"), is(-4));
        assert_eq!(size(1, Metric::Size, false, "p(f(a, [b]))"), is(5));
        assert_eq!(size(1, Metric::Length, true, "p([[a],[b,c],[]])"), is(2));
        assert_eq!(size(1, Metric::Size, true, "p([])"), is(1));
        assert_eq!(size(2, Metric::Int, false, "p(a)"), None);
    }

    /// Terms of any depth must be checked without recursion.
    #[test]
    fn deep_terms_are_looked_at() {
        let mut terms = Terms::default();
        let mut top = terms.push(Term::Atom("l".into()));
        for _ in 0..200_000 {
            top = terms.compound("s", &[top]);
        }
        let goal = terms.compound("p", &[top]);
        assert!(fits(&Pattern(vec![Type::Ground]), &terms, goal));
        assert_eq!(size_of(Metric::Size, &terms, top), Some(200_001.into()));
    }
}
