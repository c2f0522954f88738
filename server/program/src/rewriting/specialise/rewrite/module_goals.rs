//! Module-qualified goals and closures: `m:p(X)` becomes a literal of the predicate named `m:p`.
//!
//! ```prolog
//! p(Xs) :- m:(q(Xs), \+ r(Xs)).       % m:q(Xs), \+ m:r(Xs)
//! p(Xs, L) :- m:findall(X, q(X), L).  % findall(X, m:q(X), L)
//! p(Xs, N) :- m:length(Xs, N).        % length(Xs, N), since m does not define it
//! p(X) :- q(X)@m.                     % q(X), unless q/1 accesses its context
//! p(X) :- M = m, M:q(X).              % m:q(X)
//! ```

use costlens_body::{Goal, build};
use costlens_catalog::{MetaArgument, ignores_module, is_leading_test, meta_arguments};
use costlens_syntax::term::{Term, TermId};
use smol_str::SmolStr;

use super::Rewriter;
use super::closure::is_control_goal;
use crate::language::{Functor, join};

/// The predicate to which a name in another module refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InModule {
    /// A predicate whose clauses are known.
    Predicate,
    /// This file's own predicate with this name, which the other module imports.
    Here,
    /// The library predicate to which this name also refers in this file.
    SameLibrary,
    /// No known predicate; a built-in, if one exists.
    BuiltIn,
    /// Unknown, because the module is unknown.
    Unknown,
}

impl Rewriter<'_> {
    /// Rewrites `m:Goal`. Returns whether the result remains to be examined.
    pub(super) fn qualified(&mut self, goal: TermId, leading: bool) -> bool {
        let Some((module, inner)) = self.stripped(goal) else {
            return false;
        };
        let inner = self.known(inner);
        let Some((name, arity)) = self.terms.functor(inner) else {
            return false;
        };
        let (name, args) = (name.clone(), self.terms.args(inner).to_vec());
        let functor = Functor::new(name.clone(), arity);
        // The cut belongs to this clause, whatever the module.
        if let Goal::Cut | Goal::Qualified { .. } = Goal::lower(&self.terms, inner) {
            self.set(goal, name, &args);
            return true;
        }
        if matches!(name.as_str(), ">>" | "/" | "^" | "@") {
            return false;
        }
        let same =
            self.scope.is_home(&module) || module == "system" && ignores_module(&name, arity);
        if same {
            return self.plain(goal, inner, &functor, &args, leading);
        }
        if is_control_goal(&self.terms, inner) {
            let cut = |&t: &TermId| matches!(Goal::lower(&self.terms, t), Goal::Cut);
            if self.terms.subterms(inner).iter().any(cut) {
                return false;
            }
            let args: Vec<TermId> = args.iter().map(|&a| self.in_module(&module, a)).collect();
            self.set(goal, name, &args);
            return true;
        }
        let there = match Goal::lower(&self.terms, inner) {
            // No module defines a predicate with this name.
            Goal::CallN { .. } => InModule::BuiltIn,
            _ => self.scope.in_module(&module, &functor),
        };
        match there {
            InModule::Here => return self.plain(goal, inner, &functor, &args, leading),
            InModule::BuiltIn | InModule::SameLibrary => {
                let closures = meta_arguments(&name, arity);
                if !closures.is_empty() {
                    let args = self.closures_in_module(&module, args, &closures);
                    return args.is_some_and(|args| {
                        self.set(goal, name, &args);
                        true
                    });
                }
                if there == InModule::SameLibrary || ignores_module(&name, arity) {
                    return self.plain(goal, inner, &functor, &args, leading);
                }
            }
            InModule::Predicate | InModule::Unknown => {}
        }
        let Some(joined) = join(&module, &name).filter(|_| self.scope.may_join()) else {
            return false;
        };
        let closures = self.scope.closures_of(&Functor::new(joined.clone(), arity));
        let Some(args) = closures.and_then(|c| self.closures_in_module(&module, args, &c)) else {
            return false;
        };
        self.set(goal, joined, &args);
        true
    }

    /// Replaces a qualified goal by the goal without its module. Returns whether the result remains to be examined.
    fn plain(
        &mut self,
        goal: TermId,
        inner: TermId,
        functor: &Functor,
        args: &[TermId],
        leading: bool,
    ) -> bool {
        if leading && is_leading_test(&functor.name, functor.arity) {
            // A test would become part of the clause selection.
            self.set_call(goal, inner);
            return false;
        }
        self.set(goal, functor.name.clone(), args);
        true
    }

    /// Rewrites `Goal@m`. It calls the predicate that is visible in this file; only predicates that access their context see `m`.
    pub(super) fn with_context(&mut self, goal: TermId, inner: TermId) -> bool {
        let inner = self.known(inner);
        let Some((name, arity)) = self.terms.functor(inner) else {
            return false;
        };
        let functor = Functor::new(name.clone(), arity);
        let args = self.terms.args(inner).to_vec();
        if !self.scope.ignores_context(&functor) {
            return false;
        }
        self.set(goal, functor.name, &args);
        true
    }

    /// Returns the arguments of a goal with goals and closures qualified with a module. Returns `None` if one of them cannot be qualified.
    fn closures_in_module(
        &mut self,
        module: &SmolStr,
        mut args: Vec<TermId>,
        closures: &[MetaArgument],
    ) -> Option<Vec<TermId>> {
        for closure in closures {
            let argument = args.get_mut(closure.argument)?;
            let known = self.known(*argument);
            if let Goal::Quantified { .. } = Goal::lower(&self.terms, known) {
                return None;
            }
            *argument = self.in_module(module, known);
        }
        Some(args)
    }

    /// Returns `m:t`; a term that is already qualified is unchanged.
    pub(super) fn in_module(&mut self, module: &SmolStr, t: TermId) -> TermId {
        if let Goal::Qualified { .. } = Goal::lower(&self.terms, t) {
            return t;
        }
        let module = self.terms.push(Term::Atom(module.clone()));
        build::qualified(&mut self.terms, module, t)
    }
}
