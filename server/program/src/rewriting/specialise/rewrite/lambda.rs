//! Translates lambda expressions to predicates with one clause.
//!
//! `maplist([X,Y]>>(Y is X*N), Xs, Ys)` becomes `maplist(F, Xs, Ys)`, where `F` is a closure of a new predicate
//! `λ(N0, X, Y) :- copy_term(N0, N), call((Y is X*N)).` As in SWI-Prolog's `library(yall)`, each call works on a copy: variables shared
//! with the clause are passed by value, and bindings are visible outside only through parameters and `{Free}`.
//!
//! A call counts one resolution step, whether or not the parameters unify with the arguments. Parameters other than local variables of the
//! lambda expression are therefore unified in the body: `foldl([X,S,S*N]>>true, Xs, 1, S)` is
//! `λ(N0, X, S, P) :- copy_term(N0, N), S*N = P, call(true)`.

use costlens_body::{Goal, build, conjuncts};
use costlens_syntax::term::{NIL, Term, TermId, Terms};
use costlens_syntax::write_term;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use super::Rewriter;
use crate::language::{
    Clause, ClauseKind, ClosureCalls, Functor, Interpreted, copy, only_parameters,
};

/// The maximum length of a lambda expression's text, which becomes a name; longer ones are not supported.
const LONGEST_NAME: usize = 300;

/// A lambda expression as a predicate.
#[derive(Clone, Debug)]
pub(crate) struct Lifted {
    pub(crate) functor: Functor,
    pub(crate) clause: Clause,
    /// The terms of the surrounding clause that the closure passes before the parameters.
    pub(crate) passed: Vec<TermId>,
    /// The parts that are copied at each call if the expression is not compiled.
    interpreted: Interpreted,
}

/// The parts of `{Free}/[X,Y]>>Body`, and of `{Free}/Closure`, which has no parameters.
struct Lambda {
    free: Vec<u32>,
    parameters: Vec<TermId>,
    body: TermId,
}

fn parts(terms: &Terms, term: TermId) -> Option<Lambda> {
    if let Some(&[free, body]) = terms.matches(term, "/", 2) {
        return terms.functor(body).is_some().then_some(Lambda {
            free: free_variables(terms, free)?,
            parameters: Vec::new(),
            body,
        });
    }
    let &[head, body] = terms.matches(term, ">>", 2)? else {
        return None;
    };
    let (free, list) = match terms.matches(head, "/", 2) {
        Some(&[free, list]) => (free_variables(terms, free)?, list),
        _ => (Vec::new(), head),
    };
    let (parameters, tail) = terms.list(list);
    (terms.as_atom(tail).is_some_and(|t| t == NIL) && terms.functor(body).is_some()).then_some(
        Lambda {
            free,
            parameters,
            body,
        },
    )
}

impl Lifted {
    /// Returns the predicate for calls with this number of arguments, including the passed terms. Arguments beyond the parameters are
    /// appended to the body's goal; with fewer arguments, the call raises an exception. Returns `None` if some passed terms are missing.
    pub(crate) fn with_arity(&self, arity: usize) -> Option<Lifted> {
        if arity == self.functor.arity {
            return Some(self.clone());
        }
        let mut terms = Terms::clone(&self.clause.terms);
        let mut head: Vec<TermId> = terms.args(self.clause.head).to_vec();
        let body = if let Some(more) = arity.checked_sub(head.len()) {
            let more: Vec<TermId> = (0..more).map(|_| fresh(&mut terms)).collect();
            head.extend(&more);
            // `copy_term(…), …, call(Body)`
            let mut goals = conjuncts(&terms, self.clause.body?);
            let last = goals.last_mut()?;
            let Goal::CallN { closure, added: [] } = Goal::lower(&terms, *last) else {
                return None;
            };
            *last = build::call_n(&mut terms, closure, &more);
            build::conjunction_of(&mut terms, &goals)
        } else {
            (arity >= self.passed.len()).then_some(())?;
            head = (0..arity).map(|_| fresh(&mut terms)).collect();
            let (domain, culprit) = (terms.atom("lambda_parameters"), fresh(&mut terms));
            terms.compound("domain_error", &[domain, culprit])
        };
        let functor = Functor::new(self.functor.name.clone(), arity);
        let head = terms.compound_or_atom(functor.name.clone(), &head);
        Some(Lifted {
            functor,
            clause: Clause {
                terms: std::sync::Arc::new(terms),
                head,
                body: Some(body),
                // The compiled predicate has as many arguments as the expression has parameters.
                closures: ClosureCalls {
                    called: Vec::new(),
                    nested: Vec::new(),
                    interpreted: Some(Interpreted {
                        certain: true,
                        ..self.interpreted
                    }),
                }
                .into(),
                ..self.clause.clone()
            },
            passed: self.passed.clone(),
            interpreted: self.interpreted,
        })
    }
}

/// Returns each variable of a lambda expression with the term of one occurrence, in text order, and the number of its occurrences.
fn occurrences(terms: &Terms, lambda: TermId) -> (Vec<(u32, TermId)>, FxHashMap<u32, usize>) {
    let mut seen: Vec<(u32, TermId)> = Vec::new();
    let mut inside: FxHashMap<u32, usize> = FxHashMap::default();
    for part in terms.subterms(lambda) {
        if let Term::Var(v) = terms.get(part) {
            let count = inside.entry(*v).or_default();
            *count += 1;
            if *count == 1 {
                seen.push((*v, part));
            }
        }
    }
    (seen, inside)
}

/// The parts of the clause built from a lambda expression.
struct Made {
    out: Terms,
    /// The arguments of the head.
    head: Vec<TermId>,
    goals: Vec<TermId>,
    /// The terms that replace the variables of the lambda expression.
    image: FxHashMap<u32, TermId>,
}

impl Made {
    /// Creates a clause to which these variables are passed and that copies those that are not free, before the unification of parameters
    /// that contain them.
    fn passing(passed: &[(u32, TermId)], free: &[u32]) -> Self {
        let mut made = Made {
            out: Terms::default(),
            head: Vec::new(),
            goals: Vec::new(),
            image: FxHashMap::default(),
        };
        for &(v, _) in passed {
            let given = fresh(&mut made.out);
            made.head.push(given);
            let used = if free.contains(&v) {
                given
            } else {
                let copied = fresh(&mut made.out);
                made.goals
                    .push(build::copy_term(&mut made.out, given, copied));
                copied
            };
            made.image.insert(v, used);
        }
        made
    }

    /// Adds the parameters: new variables become head arguments, other terms become unifications.
    fn add_parameters(
        &mut self,
        terms: &Terms,
        parameters: &[TermId],
        passed: &[(u32, TermId)],
    ) -> Option<()> {
        let mut in_head = Vec::new();
        for &parameter in parameters {
            let written = self.copy(terms, parameter)?;
            let is_fresh = match terms.get(parameter) {
                Term::Var(v) => !passed.iter().any(|(w, _)| w == v) && !in_head.contains(v),
                _ => false,
            };
            if is_fresh {
                in_head.extend(terms.variables_of(parameter));
                self.head.push(written);
            } else {
                let given = fresh(&mut self.out);
                self.head.push(given);
                let unified = build::unify(&mut self.out, written, given);
                self.goals.push(unified);
            }
        }
        Some(())
    }

    fn copy(&mut self, terms: &Terms, part: TermId) -> Option<TermId> {
        let image = &self.image;
        copy(terms, part, &mut self.out, &mut |v| image.get(&v).copied())
    }
}

/// Returns the variables of `{A,B}`.
fn free_variables(terms: &Terms, free: TermId) -> Option<Vec<u32>> {
    if terms.matches(free, "{}", 0).is_some() {
        return Some(Vec::new());
    }
    let &[inner] = terms.matches(free, "{}", 1)? else {
        return None;
    };
    terms
        .chain(inner, ",")
        .into_iter()
        .map(|part| match terms.get(part) {
            Term::Var(v) => Some(*v),
            _ => None,
        })
        .collect()
}

impl Rewriter<'_> {
    /// Returns the predicate for a lambda expression in the clause.
    pub(super) fn lift(&self, term: TermId) -> Option<Lifted> {
        let terms = &self.terms;
        let lambda = parts(terms, term).filter(|_| !self.scope.redefines_lambdas())?;
        let (seen, inside) = occurrences(terms, term);
        let everywhere = self.occurrences();
        let own = only_parameters(terms, self.roots());
        let shared =
            |v: u32| everywhere.get(&v).copied().unwrap_or(0) > inside[&v] && !own.contains(&v);
        let passed: Vec<(u32, TermId)> = seen
            .iter()
            .copied()
            .filter(|(v, _)| shared(*v) || lambda.free.contains(v))
            .collect();
        let name = self.lambda_name(term, &seen, &|v| {
            (
                passed.iter().any(|(w, _)| *w == v),
                lambda.free.contains(&v),
            )
        })?;
        let mut made = Made::passing(&passed, &lambda.free);
        for &(v, _) in &seen {
            let Made { image, out, .. } = &mut made;
            image.entry(v).or_insert_with(|| fresh(out));
        }
        made.add_parameters(terms, &lambda.parameters, &passed)?;
        let body = made.copy(terms, lambda.body)?;
        let called = build::call_n(&mut made.out, body, &[]);
        made.goals.push(called);
        let Made {
            mut out,
            head,
            goals,
            ..
        } = made;
        let body = build::conjunction_of(&mut out, &goals);
        let is_symbol = |t: &TermId| !matches!(terms.get(*t), Term::Var(_));
        let written_head = terms.matches(term, ">>", 2).map(|parts| parts[0]);
        let free = written_head.unwrap_or(term);
        let interpreted = Interpreted {
            symbols: terms.subterms(term).into_iter().filter(is_symbol).count() as u64,
            parameters: written_head.map(|_| lambda.parameters.len()),
            has_free: terms.matches(free, "/", 2).is_some(),
            certain: self.scope.compiles_lambdas() == Some(false),
        };
        let functor = Functor::new(name.clone(), head.len());
        let head = out.compound_or_atom(name, &head);
        let clause = Clause {
            terms: std::sync::Arc::new(out),
            head,
            guard: None,
            body: Some(body),
            kind: ClauseKind::Rule,
            grammar_rule: false,
            closures: ClosureCalls {
                called: Vec::new(),
                nested: Vec::new(),
                interpreted: (self.scope.compiles_lambdas() != Some(true)).then_some(interpreted),
            }
            .into(),
        };
        Some(Lifted {
            functor,
            clause,
            passed: passed.into_iter().map(|(_, t)| t).collect(),
            interpreted,
        })
    }

    /// Returns the text of a lambda expression as a name. Variables are named by their roles, so that equal names denote equal predicates.
    fn lambda_name(
        &self,
        term: TermId,
        seen: &[(u32, TermId)],
        kind: &dyn Fn(u32) -> (bool, bool),
    ) -> Option<SmolStr> {
        let mut names = vec![SmolStr::new_static("_"); self.terms.variables() as usize];
        let (mut own, mut given) = (0, 0);
        for &(v, _) in seen {
            names[v as usize] = match kind(v) {
                (true, true) => {
                    given += 1;
                    format_smolstr!("Free{given}")
                }
                (true, false) => {
                    given += 1;
                    format_smolstr!("Given{given}")
                }
                _ => {
                    own += 1;
                    letters(own).pop()?
                }
            };
        }
        let text = write_term(&self.terms, term, Some(&names));
        (text.len() <= LONGEST_NAME).then(|| format_smolstr!("({text})"))
    }

    /// Returns the head, the guard and the body.
    fn roots(&self) -> impl Iterator<Item = TermId> {
        let parts = [Some(self.head), self.guard, self.body];
        parts.into_iter().flatten()
    }

    /// Counts the occurrences of each variable in the clause.
    fn occurrences(&self) -> FxHashMap<u32, usize> {
        let mut found: FxHashMap<u32, usize> = FxHashMap::default();
        for root in self.roots() {
            for part in self.terms.subterms(root) {
                if let Term::Var(v) = self.terms.get(part) {
                    *found.entry(*v).or_default() += 1;
                }
            }
        }
        found
    }
}

fn fresh(terms: &mut Terms) -> TermId {
    let number = terms.variables();
    terms.push(Term::Var(number))
}

/// Returns `A`, `B`, … `Z`, `V26`, …
pub(super) fn letters(count: usize) -> Vec<SmolStr> {
    (0..count)
        .map(|i| match u8::try_from(i) {
            Ok(i) if i < 26 => format_smolstr!("{}", char::from(b'A' + i)),
            _ => format_smolstr!("V{i}"),
        })
        .collect()
}
