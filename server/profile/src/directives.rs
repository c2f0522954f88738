//! Directives that declare cost centres: `:- cost_center p/1, (q/2, nohooks).`

use std::collections::BTreeSet;

use costlens_program::language::{Clause, directive};
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use costlens_syntax::{FileTerms, ReadClause};
use smol_str::SmolStr;

/// A predicate that is a centre.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredCentre {
    /// The predicate's name.
    pub name: SmolStr,
    /// The predicate's arity.
    pub arity: usize,
    /// Set if events are shown; otherwise only ports and time are shown.
    pub hooks: bool,
}

/// The centres declared by the directives of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// The predicates, in the order of their first occurrence.
    pub centres: Vec<DeclaredCentre>,
    /// Set if there is any directive for centres (even one without predicates) or any literal centre.
    pub any: bool,
    /// The malformed parts of directives, as written.
    pub malformed: Vec<String>,
}

/// Returns the centres that the files of a program declare. A directive applies to its own file, and a later directive for a predicate
/// overrides earlier directives.
#[must_use]
pub fn declared(files: &[&FileTerms]) -> Declared {
    let mut found = Declared::default();
    for file in files {
        for clause in &file.clauses {
            found.any |= has_literal_centre(&clause.terms);
            if let Some(goal) = directive(&clause.terms, clause.root) {
                found.read(file, &clause.terms, goal);
            }
        }
    }
    found
}

/// Returns the predicates with clauses in a file, in text order.
#[must_use]
pub fn defined(file: &FileTerms) -> Vec<(SmolStr, usize)> {
    defined_by(file, &|_| true)
}

/// Returns the predicates of some clauses of a file, given by position.
pub(crate) fn defined_by(
    file: &FileTerms,
    counts: &dyn Fn(usize) -> bool,
) -> Vec<(SmolStr, usize)> {
    let mut found: Vec<(SmolStr, usize)> = Vec::new();
    let mut known: BTreeSet<(SmolStr, usize)> = BTreeSet::new();
    for (number, ReadClause { terms, root, .. }) in file.clauses.iter().enumerate() {
        if counts(number)
            && directive(terms, *root).is_none()
            && let Some((functor, _)) = Clause::from_term(terms, *root)
        {
            let functor = (functor.name, functor.arity);
            // The clauses of a predicate are usually consecutive.
            if found.last() != Some(&functor) && known.insert(functor.clone()) {
                found.push(functor);
            }
        }
    }
    found
}

impl Declared {
    /// Reads a directive that may declare centres.
    fn read(&mut self, file: &FileTerms, terms: &Terms, goal: TermId) {
        let Some((word, _)) = terms.functor(goal) else {
            return;
        };
        match (word.as_str(), terms.args(goal)) {
            ("cost_center", named) => {
                self.any = true;
                for &part in named {
                    self.name(terms, part, true);
                }
            }
            ("no_cost_center", named) => {
                self.any = true;
                for &part in named {
                    self.name(terms, part, false);
                }
            }
            ("all_cost_center", options) => {
                self.any = true;
                let hooks = match options {
                    [] => true,
                    &[option] if is_nohooks(terms, option) => false,
                    _ => return self.malformed.push(text(terms, goal)),
                };
                for (name, arity) in defined(file) {
                    self.put(name, arity, hooks);
                }
            }
            ("all_no_cost_center", []) => {
                self.any = true;
                let own = defined(file);
                let is_own = |c: &DeclaredCentre| own.contains(&(c.name.clone(), c.arity));
                self.centres.retain(|centre| !is_own(centre));
            }
            _ => {}
        }
    }

    /// Reads `p/1, [q/2, r//0], (s/3, nohooks)`. If `centre` is false, these predicates are excluded from the centres.
    fn name(&mut self, terms: &Terms, part: TermId, centre: bool) {
        let mut stack = vec![(part, true)];
        while let Some((top, hooks)) = stack.pop() {
            let functor = terms
                .functor(top)
                .map(|(name, arity)| (name.as_str(), arity));
            match (functor, terms.args(top)) {
                (Some((",", 2)), &[inner, last]) if is_nohooks(terms, last) => {
                    stack.push((inner, false));
                }
                (Some((",", 2)), &[left, right]) => {
                    stack.extend([(right, hooks), (left, hooks)]);
                }
                (Some((CONS, 2)), &[first, rest]) => stack.extend([(rest, hooks), (first, hooks)]),
                (Some((":", 2)), &[_, inner]) => stack.push((inner, hooks)),
                (Some((NIL, 0)), _) => {}
                (Some((slash @ ("/" | "//"), 2)), &[name, arity]) => {
                    let hidden = if slash == "//" { 2 } else { 0 };
                    let arity = match terms.get(arity) {
                        Term::Integer(n) => usize::try_from(n).ok(),
                        _ => None,
                    };
                    match (terms.as_atom(name), arity) {
                        (Some(name), Some(arity)) if centre => {
                            self.put(name.clone(), arity + hidden, hooks);
                        }
                        (Some(name), Some(arity)) => {
                            let is_it =
                                |c: &DeclaredCentre| c.name == *name && c.arity == arity + hidden;
                            self.centres.retain(|c| !is_it(c));
                        }
                        _ => self.malformed.push(text(terms, top)),
                    }
                }
                _ => self.malformed.push(text(terms, top)),
            }
        }
    }

    fn put(&mut self, name: SmolStr, arity: usize, hooks: bool) {
        let known = { self.centres.iter_mut() }.find(|c| c.name == name && c.arity == arity);
        match known {
            Some(centre) => centre.hooks = hooks,
            None => self.centres.push(DeclaredCentre { name, arity, hooks }),
        }
    }
}

fn is_nohooks(terms: &Terms, id: TermId) -> bool {
    terms.as_atom(id).is_some_and(|name| name == "nohooks")
}

fn text(terms: &Terms, id: TermId) -> String {
    costlens_syntax::write_term(terms, id, None)
}

/// Returns whether `cost_center/2` occurs in a clause.
fn has_literal_centre(terms: &Terms) -> bool {
    terms.ids().any(|id| {
        terms
            .functor(id)
            .is_some_and(|(name, arity)| name == "cost_center" && arity == 2)
    })
}
