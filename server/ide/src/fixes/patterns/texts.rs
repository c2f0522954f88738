//! Generates the text of the new goals, for rewrites given as data.

use costlens_body::{Call, Goal};
use costlens_program::Functor;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};

use super::matching::Matched;
use crate::fixes::goals::variable;

/// The functor in the new goals that replaces the variables of a template by `_` in a goal.
const BLANKED: &str = "blanked";

/// Checks that a new goal can be written as text.
pub(super) fn is_text(terms: &Terms, goal: TermId) -> Result<(), String> {
    let has_name = terms.functor(goal).is_some();
    (has_name.then_some(())).ok_or_else(|| "a goal of the variant must have a name".to_owned())
}

impl Matched<'_> {
    /// Returns the text of a new goal.
    pub(super) fn goal(&self, id: TermId) -> Option<String> {
        let terms = &*self.alternative.terms;
        match Goal::lower(terms, id) {
            Goal::Unify(a, b) => Some(format!("{} = {}", self.operand(a)?, self.operand(b)?)),
            Goal::Compare(comparison, a, b) => {
                let name = comparison.arithmetic_predicate();
                Some(format!("{} {name} {}", self.operand(a)?, self.operand(b)?))
            }
            Goal::Not(inner) => Some(format!("\\+ {}", self.goal(inner)?)),
            Goal::Disjunction(a, b) => Some(format!("( {} ; {} )", self.goal(a)?, self.goal(b)?)),
            Goal::IfThenElse {
                condition,
                then,
                otherwise,
                ..
            } => {
                let (condition, then) = (self.goal(condition)?, self.goal(then)?);
                Some(format!(
                    "( {condition} -> {then} ; {} )",
                    self.goal(otherwise)?
                ))
            }
            Goal::Call(Call {
                name,
                args: &[goal, template],
            }) if name == BLANKED => self.blanked(self.value(goal)?, self.value(template)?),
            _ => self.call(id, terms.args(id)),
        }
    }

    /// Returns the text of a call. A predicate that occurs in the old goals keeps its name and argument order from the clause.
    fn call(&self, id: TermId, arguments: &[TermId]) -> Option<String> {
        let texts = arguments.iter().map(|&argument| self.argument(argument));
        let texts: Vec<String> = texts.collect::<Option<_>>()?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let functor = Functor::from_term(&self.alternative.terms, id)?;
        match self.known_before(&functor) {
            Some(number) => {
                let before = &self.goals[number];
                let known = before.known.as_ref()?;
                (self.site).with_arguments(self.clause, before.goal, known, &texts)
            }
            None if texts.is_empty() => Some(functor.name.to_string()),
            None => Some(format!("{}({})", functor.name, texts.join(", "))),
        }
    }

    /// Returns the index of an old goal that calls this predicate and is recognised by its clauses.
    fn known_before(&self, functor: &Functor) -> Option<usize> {
        let steps = self.alternative.before.iter().zip(&self.goals);
        let mut numbered = steps.enumerate();
        let found = numbered.find(|(_, (step, goal))| {
            let of_step = Functor::from_term(&self.alternative.terms, step.goal);
            goal.known.is_some() && of_step.as_ref() == Some(functor)
        });
        found.map(|(number, _)| number)
    }

    /// Returns the predicates that must be library predicates: predicates of old goals, and predicates that only the new goals call.
    pub(super) fn library(&self) -> Vec<Functor> {
        let terms = &*self.alternative.terms;
        let mut library: Vec<Functor> = self
            .goals
            .iter()
            .filter_map(|g| g.library.clone())
            .collect();
        let mut waiting = self.alternative.after.clone();
        while let Some(goal) = waiting.pop() {
            let lowered = Goal::lower(terms, goal);
            match lowered {
                Goal::Not(inner) => waiting.push(inner),
                Goal::Disjunction(..) | Goal::IfThenElse { .. } => {
                    waiting.extend(lowered.branches());
                }
                Goal::Unify(..) | Goal::Compare(..) | Goal::True => {}
                Goal::Call(Call { name, .. }) if name == BLANKED => {}
                _ => {
                    let called = Functor::from_term(terms, goal);
                    library.extend(called.filter(|called| self.known_before(called).is_none()));
                }
            }
        }
        library
    }

    /// Returns the text of a term as an operand.
    fn operand(&self, id: TermId) -> Option<String> {
        let terms = &*self.alternative.terms;
        match (self.value(id), terms.matches(id, "cells", 2)) {
            (Some(term), _) => self.site.operand(self.clause, term),
            (None, Some(&[front, back])) => self.cells(self.value(front)?, self.value(back)?),
            (None, None) => match terms.matches(id, "compound", 1) {
                Some(&[parts]) => self.compound(self.value(parts)?),
                _ => self.argument(id),
            },
            _ => self.argument(id),
        }
    }

    /// Returns the text of a term as an argument.
    pub(super) fn argument(&self, id: TermId) -> Option<String> {
        if let Some(term) = self.value(id) {
            return self.site.argument(self.clause, term);
        }
        let terms = &*self.alternative.terms;
        match terms.get(id) {
            Term::Var(_) => Some("_".to_owned()),
            Term::Integer(n) => Some(n.to_string()),
            Term::Atom(name) => Some(name.to_string()),
            Term::Compound(name, _) if name == CONS => {
                let (elements, end) = terms.list(id);
                let elements = self.arguments(&elements)?.join(",");
                match terms.as_atom(end).is_some_and(|name| name == NIL) {
                    true => Some(format!("[{elements}]")),
                    false => Some(format!("[{elements}|{}]", self.argument(end)?)),
                }
            }
            Term::Compound(name, _) => {
                let arguments = self.arguments(terms.args(id))?.join(", ");
                Some(format!("{name}({arguments})"))
            }
            _ => None,
        }
    }

    fn arguments(&self, ids: &[TermId]) -> Option<Vec<String>> {
        ids.iter().map(|&id| self.argument(id)).collect()
    }

    /// Returns the text of the elements of a list literal in front of another list.
    fn cells(&self, front: TermId, back: TermId) -> Option<String> {
        let (site, clause) = (self.site, self.clause);
        let elements = site.source(clause, front)?;
        let elements = elements.strip_prefix('[')?.strip_suffix(']')?;
        if self.terms.as_atom(back).is_some_and(|name| name == NIL) {
            return Some(format!("[{elements}]"));
        }
        Some(match self.terms.matches(back, CONS, 2) {
            Some(_) => format!(
                "[{elements}, {}",
                site.source(clause, back)?.strip_prefix('[')?
            ),
            None => format!("[{elements}|{}]", site.argument(clause, back)?),
        })
    }

    /// Returns the text of the compound term with the name and the arguments in a list literal.
    fn compound(&self, parts: TermId) -> Option<String> {
        let place = &self.site.places[self.clause];
        let (elements, _) = self.terms.list(parts);
        let (name, first, last) = (elements.first()?, elements.get(1)?, elements.last()?);
        let arguments = place.range(*first)?.0..place.range(*last)?.1;
        Some(format!(
            "{}({})",
            self.site.source(self.clause, *name)?,
            self.site.text.get(arguments)?
        ))
    }

    /// Returns the text of a goal as the operand of a negation, with `_` for variables that otherwise occur only in the template. Returns
    /// `None` if some variable of the template would occur only once in the clause.
    fn blanked(&self, goal: TermId, template: TermId) -> Option<String> {
        let (site, terms) = (self.site, self.terms);
        let place = &site.places[self.clause];
        let (from, to) = place.range(goal)?;
        let in_template = terms.variables_of(template);
        let inside = terms.variables_of(goal);
        let count = |variables: &[u32], v: u32| variables.iter().filter(|&&w| w == v).count();
        let is_elsewhere_once =
            |v: u32| site.occurrences(self.clause, v) == 1 + count(&in_template, v);
        let is_left_alone = |&v: &u32| !inside.contains(&v) && is_elsewhere_once(v);
        (!in_template.iter().any(is_left_alone)).then_some(())?;
        let mut singles: Vec<(usize, usize)> = (terms.subterms(goal).into_iter())
            .filter(|&id| {
                let v = variable(terms, id);
                v.is_some_and(|v| count(&inside, v) == 1 && is_elsewhere_once(v))
            })
            .map(|id| place.range(id))
            .collect::<Option<_>>()?;
        singles.sort_unstable();
        let (mut text, mut at) = (String::new(), from);
        for (start, end) in singles {
            text.push_str(site.text.get(at..start)?);
            text.push('_');
            at = end;
        }
        text.push_str(site.text.get(at..to)?);
        let (name, arity) = terms.functor(goal)?;
        let is_plain = arity == 0 || text.starts_with(&format!("{name}("));
        Some(match is_plain {
            true => text,
            false => format!("( {text} )"),
        })
    }
}
