//! The declarations that apply to the predicates of a program.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::directives::{Argument, file_declarations};
use super::loading_order::{FileTerm, is_before, is_library_loaded};
use crate::language::Functor;
use crate::loading::{home_module, loaded_with};
use crate::workspace::{Db, SourceFile};

/// The declaration of a predicate in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Specification {
    pub(super) arguments: Box<[Argument]>,
    /// The module of the predicate; `None` if it is unknown.
    module: Option<SmolStr>,
    at: FileTerm,
    certain: bool,
}

/// The declarations of the files that are loaded with a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Specifications {
    by_functor: BTreeMap<Functor, Vec<Specification>>,
    /// True if a file contains an unreadable declaration.
    pub(super) unreadable: bool,
    /// True if an argument is declared to be a goal.
    pub(super) have_goals: bool,
}

/// The modules that may implement a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Modules {
    Any,
    Some(Vec<SmolStr>),
}

impl Modules {
    fn may_be(&self, module: Option<&SmolStr>) -> bool {
        match (self, module) {
            (Modules::Some(all), Some(module)) => all.contains(module),
            _ => true,
        }
    }
}

/// Returns the declarations of the files that are loaded with a file.
///
/// *Invalidated* when a directive changes its position, or a file is added or removed.
#[salsa::tracked(returns(ref))]
pub(super) fn specified(db: &dyn Db, file: SourceFile) -> Specifications {
    let mut result = Specifications::default();
    for f in loaded_with(db, file) {
        let declared = file_declarations(db, f);
        result.unreadable |= declared.unreadable;
        for declaration in &declared.declarations {
            let arguments = &declaration.arguments;
            result.have_goals |= arguments.contains(&Argument::Goal);
            let module = declaration.module.clone();
            let all = result.by_functor.entry(declaration.functor.clone());
            all.or_default().push(Specification {
                arguments: arguments.clone(),
                module: module.or_else(|| home_module(db, f).clone()),
                at: FileTerm {
                    file: f,
                    place: declaration.place,
                },
                certain: declaration.certain,
            });
        }
    }
    result
}

impl Specifications {
    pub(super) fn is_empty(&self) -> bool {
        self.by_functor.is_empty()
    }

    pub(super) fn is_declared(&self, functor: &Functor) -> bool {
        self.by_functor.contains_key(functor)
    }

    /// Returns the declarations of a predicate that one of these modules may implement.
    pub(super) fn possible<'s>(
        &'s self,
        functor: &Functor,
        modules: &Modules,
    ) -> impl Iterator<Item = &'s Specification> {
        let all = self.by_functor.get(functor).into_iter().flatten();
        all.filter(|s| modules.may_be(s.module.as_ref()))
    }

    /// Returns the types of the arguments of a module's predicate when a term is loaded; empty if the predicate is not declared. Returns
    /// `None` if they are uncertain.
    pub(super) fn certain(
        &self,
        db: &dyn Db,
        functor: &Functor,
        module: &SmolStr,
        at: FileTerm,
    ) -> Option<&[Argument]> {
        let modules = Modules::Some(vec![module.clone()]);
        let all: Vec<&Specification> = self.possible(functor, &modules).collect();
        let Some(first) = all.first() else {
            return Some(&[]);
        };
        let is_same = |s: &&Specification| s.arguments == first.arguments && s.module.is_some();
        let is_known = |s: &&Specification| {
            s.certain && is_before(db, s.at, at) && is_library_loaded(db, s.at)
        };
        let is_certain = all.iter().all(is_same) && all.iter().any(is_known);
        is_certain.then_some(&*first.arguments)
    }
}
