//! The annotations of a program for predictions, hybrid prediction §V.
//!
//! ```prolog
//! :- cost_inputs(filter(P, T, _), [P, T]).            % the inputs that a prediction may use
//! :- cost_depends(move/2, [P]).                       % the counts of its blocks depend only on these
//! :- cost_independent(setup/0).                       % and these depend on no inputs
//! p(P, T) :- cost_depends(loop(T), [T]), q(P).        % how often `loop/1` is called depends only on T
//! ```
//!
//! An input is a variable of that name in the head of `cost_inputs`, a size of the variable (`length(P)`), or an argument number (`1`,
//! `length(1)`).

use std::collections::{BTreeMap, BTreeSet};

use costlens_catalog::is_control_construct;
use costlens_program::Functor;
use costlens_program::language::directive;
use costlens_syntax::term::{NIL, Term, TermId, Terms};
use costlens_syntax::{FileTerms, ReadClause, write_term};
use smol_str::SmolStr;

use crate::depends::ArgumentSet;
use crate::program::indicators;
use crate::run::{InputName, Measure};

/// The annotations for the calls of one predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// The inputs that may be used; `None` without an annotation. An argument without a measure allows all its measures.
    pub inputs: Option<Vec<(usize, Option<Measure>)>>,
    /// The annotated inputs of the blocks of predicates.
    pub depends: BTreeMap<Functor, ArgumentSet>,
    /// The malformed parts, as written.
    pub malformed: Vec<String>,
}

/// The variables of a head, each with its argument number.
type HeadVariables = Vec<(SmolStr, usize)>;

impl Annotations {
    /// Reads the annotations in files for calls of a predicate.
    #[must_use]
    pub fn read(files: &[&FileTerms], predicate: &Functor) -> Self {
        let mut found = Annotations::default();
        let mut named = HeadVariables::new();
        // The names of other predicates' inputs, which are ignored.
        let mut others: BTreeSet<SmolStr> = BTreeSet::new();
        let directives = || {
            let clauses = files.iter().flat_map(|file| &file.clauses);
            clauses.filter_map(|c| Some((c, directive(&c.terms, c.root)?)))
        };
        // Read the names first, since they may be declared anywhere.
        for (clause, goal) in directives() {
            let Some(&[head, inputs]) = clause.terms.matches(goal, "cost_inputs", 2) else {
                continue;
            };
            if Functor::from_term(&clause.terms, head).as_ref() == Some(predicate) {
                named = names(clause, head);
                found.declare_inputs(clause, inputs, &named);
            } else {
                others.extend(names(clause, head).into_iter().map(|(name, _)| name));
            }
        }
        for (clause, goal) in directives() {
            let terms = &clause.terms;
            let (which, inputs) = match (terms.functor(goal), terms.args(goal)) {
                (Some((name, 2)), &[which, inputs]) if name == "cost_depends" => {
                    (which, Some(inputs))
                }
                (Some((name, 1)), &[which]) if name == "cost_independent" => (which, None),
                _ => continue,
            };
            let set = match inputs {
                Some(inputs) => found.set(clause, inputs, &named),
                None => ArgumentSet::NONE,
            };
            let predicates = indicators(terms, which);
            if predicates.is_empty() {
                found.malformed.push(written(clause, goal));
            }
            for functor in predicates {
                found.depends.insert(functor, set);
            }
        }
        for file in files {
            for clause in &file.clauses {
                found.goals(clause, &named);
            }
        }
        found
            .malformed
            .retain(|text| !others.contains(text.as_str()));
        found
    }

    /// Returns the elements of a list of inputs. A term that is not a list is reported, and `None` is returned.
    fn elements(&mut self, clause: &ReadClause, list: TermId) -> Option<Vec<TermId>> {
        let (elements, rest) = clause.terms.list(list);
        let is_list = clause.terms.as_atom(rest).is_some_and(|name| name == NIL);
        if !is_list {
            self.malformed.push(written(clause, list));
        }
        is_list.then_some(elements)
    }

    fn declare_inputs(&mut self, clause: &ReadClause, list: TermId, named: &HeadVariables) {
        let Some(elements) = self.elements(clause, list) else {
            return;
        };
        let mut inputs = Vec::new();
        for element in elements {
            match input(clause, element, named) {
                Some(input) => inputs.push(input),
                None => self.malformed.push(written(clause, element)),
            }
        }
        self.inputs = Some(inputs);
    }

    fn set(&mut self, clause: &ReadClause, list: TermId, named: &HeadVariables) -> ArgumentSet {
        let Some(elements) = self.elements(clause, list) else {
            // A malformed input may denote any argument.
            return ArgumentSet::ALL;
        };
        let mut set = ArgumentSet::NONE;
        for element in elements {
            match input(clause, element, named) {
                Some((argument, _)) => set = set.union(ArgumentSet::one(argument - 1)),
                None => {
                    self.malformed.push(written(clause, element));
                    set = ArgumentSet::ALL;
                }
            }
        }
        set
    }

    /// Reads `cost_depends(Goal, Inputs)` and `cost_independent(Goal)` in the body of a clause. They apply to the predicates that the goal
    /// calls.
    fn goals(&mut self, clause: &ReadClause, named: &HeadVariables) {
        let terms = &clause.terms;
        if directive(terms, clause.root).is_some() {
            return;
        }
        for id in terms.ids() {
            let (goal, set) = match (terms.functor(id), terms.args(id)) {
                (Some((name, 2)), &[goal, inputs]) if name == "cost_depends" => {
                    (goal, self.set(clause, inputs, named))
                }
                (Some((name, 1)), &[goal]) if name == "cost_independent" => {
                    (goal, ArgumentSet::NONE)
                }
                _ => continue,
            };
            for part in called(terms, goal) {
                let known = self.depends.entry(part).or_default();
                *known = known.union(set);
            }
        }
    }
}

/// Returns a term as written, with its variables' names.
fn written(clause: &ReadClause, id: TermId) -> String {
    write_term(&clause.terms, id, Some(&clause.spans.variables))
}

/// Returns the predicates that a goal calls, including calls inside control constructs.
fn called(terms: &Terms, goal: TermId) -> Vec<Functor> {
    let (mut found, mut stack) = (Vec::new(), vec![goal]);
    while let Some(top) = stack.pop() {
        match terms.functor(top) {
            Some((name, arity)) if is_control_construct(name, arity) => {
                stack.extend(terms.args(top));
            }
            Some((name, arity)) => found.push(Functor::new(name.clone(), arity)),
            None => {}
        }
    }
    found
}

/// Returns the variables of a head that are themselves arguments.
fn names(clause: &ReadClause, head: TermId) -> HeadVariables {
    let arguments = clause.terms.args(head).iter().enumerate();
    let named = arguments.filter_map(|(number, &argument)| match clause.terms.get(argument) {
        Term::Var(v) => Some((name_of(clause, *v)?.clone(), number + 1)),
        _ => None,
    });
    named.collect()
}

fn name_of(clause: &ReadClause, variable: u32) -> Option<&SmolStr> {
    clause.spans.variables.get(variable as usize)
}

/// Parses `P`, `length(P)`, `1` or `length(1)` into the argument, from 1, and its measure.
fn input(
    clause: &ReadClause,
    id: TermId,
    named: &HeadVariables,
) -> Option<(usize, Option<Measure>)> {
    let terms = &clause.terms;
    let argument = |id: TermId| match terms.get(id) {
        Term::Var(v) => {
            let name = name_of(clause, *v)?;
            named
                .iter()
                .find(|(n, _)| n == name)
                .map(|(_, argument)| *argument)
        }
        Term::Integer(n) => usize::try_from(n).ok().filter(|n| *n > 0),
        _ => None,
    };
    if let Some(argument) = argument(id) {
        return Some((argument, None));
    }
    match (terms.functor(id), terms.args(id)) {
        (Some((name, 1)), &[of]) => Some((argument(of)?, Some(Measure::from_word(name)?))),
        _ => None,
    }
}

impl Annotations {
    /// Returns whether an input may be used.
    #[must_use]
    pub fn allows(&self, input: &InputName) -> bool {
        self.inputs.as_ref().is_none_or(|inputs| {
            inputs.iter().any(|(argument, measure)| {
                *argument == input.argument && measure.is_none_or(|m| m == input.measure)
            })
        })
    }

    /// Returns the measures that annotations name for an argument.
    #[must_use]
    pub fn measures_of(&self, argument: usize) -> Vec<Measure> {
        let inputs = self.inputs.iter().flatten();
        let own = inputs.filter(|(a, _)| *a == argument);
        own.filter_map(|(_, measure)| *measure).collect()
    }
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    #[test]
    fn annotations_are_read() {
        let file = read_text(
            ":- cost_inputs(filter(P, T, _), [P, length(T)]).
             :- cost_depends(particles/2, [P]).
             :- cost_depends((steps/3, move/2), [P, 2]).
             :- cost_independent(setup/0).
             :- cost_depends(odd/1, [Q]).
             :- cost_depends(bare/1, P).
             :- cost_inputs(other(K), [K]).
             :- cost_depends(theirs/1, [K]).
             filter(N, T, S) :- cost_depends((loop(T) -> true ; other(T, S)), [T]), cost_independent(done), q(N).",
        );
        let found = Annotations::read(&[&file], &Functor::new("filter", 3));
        let set = |numbers: &[usize]| {
            (numbers.iter()).fold(ArgumentSet::NONE, |sum, n| {
                sum.union(ArgumentSet::one(n - 1))
            })
        };
        assert_eq!(
            found.inputs,
            Some(vec![(1, None), (2, Some(Measure::Length))])
        );
        let of = |name: &str, arity| found.depends[&Functor::new(name, arity)];
        assert_eq!(of("particles", 2), set(&[1]));
        assert_eq!(of("steps", 3), set(&[1, 2]));
        assert_eq!(of("move", 2), set(&[1, 2]));
        assert_eq!(of("setup", 0), set(&[]));
        assert_eq!(of("loop", 1), set(&[2]));
        assert_eq!(of("other", 2), set(&[2]));
        assert_eq!(of("done", 0), set(&[]));
        for name in ["odd", "bare", "theirs"] {
            assert_eq!(of(name, 1), ArgumentSet::ALL, "{name}");
        }
        assert_eq!(found.malformed, ["Q", "P"]);
        let name = |argument, measure| InputName { argument, measure };
        assert!(found.allows(&name(1, Measure::Int)) && found.allows(&name(2, Measure::Length)));
        assert!(!found.allows(&name(2, Measure::Size)) && !found.allows(&name(3, Measure::Int)));
        // Input names have no meaning for another predicate's calls.
        let other = Annotations::read(&[&file], &Functor::new("p", 1));
        assert_eq!(other.inputs, None);
    }
}
