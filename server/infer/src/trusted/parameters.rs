//! Type parameters of trusted assertions.
//!
//! ```prolog
//! :- trust pred put_assoc(?A:K, +B:assoc(K,V), ?C:V, -D:assoc(K,V)).
//! ```
//!
//! A parameter is the least type that contains what a call has in all places where the parameter occurs among the inputs. A parameter that
//! occurs only in outputs is the empty type: `empty_assoc(-A:assoc(_,_))` has neither keys nor values.

use std::collections::BTreeMap;

use costlens_syntax::assertions::DeclaredType;
use smol_str::SmolStr;

use super::TrustedAssertion;
use super::admitted::is_input;
use crate::lattice::opaque::Opaque;
use crate::lattice::regular::known_type;
use crate::lattice::types::{Pattern, Type};

/// The types of an assertion's parameters in a call.
pub(super) struct TypeParameters(BTreeMap<SmolStr, Type>);

impl TypeParameters {
    /// Returns the parameters in calls of a pattern.
    pub(super) fn of(line: &TrustedAssertion<'_>, pattern: &Pattern) -> Self {
        let mut found = TypeParameters(BTreeMap::new());
        for (argument, of) in line.assertion.arguments.iter().zip(&pattern.0) {
            if let Some(declared) = argument.call.as_ref().filter(|_| is_input(argument)) {
                found.bind(declared, of);
            }
        }
        found
    }

    /// Adds what a value has where parameters occur. Declared types have a bounded depth.
    fn bind(&mut self, declared: &DeclaredType, of: &Type) {
        match (declared, of) {
            (DeclaredType::Parameter(name), of) => {
                let of = match of {
                    // It may be bound to any term, or shared, inside the result.
                    Type::Free => &Type::Any,
                    of => of,
                };
                let known = self.0.entry(name.clone()).or_insert(Type::None);
                *known = known.join(of);
            }
            (DeclaredType::List(element), Type::List(of)) => self.bind(element, of),
            (DeclaredType::Opaque(_, declared), Type::Opaque(of)) => {
                self.bind(&declared.0, &of.key);
                self.bind(&declared.1, &of.value);
            }
            _ => {}
        }
    }

    /// Returns a declared type with its parameters replaced; `None` for a type that is not known.
    pub(super) fn instance(
        &self,
        declared: &DeclaredType,
        line: &TrustedAssertion<'_>,
    ) -> Option<Type> {
        let inner = |of| self.instance(of, line).unwrap_or(Type::Any);
        match declared {
            DeclaredType::Parameter(name) => Some(self.0.get(name).cloned().unwrap_or(Type::None)),
            DeclaredType::List(element) if is_parameter(element) => {
                Some(Type::list(inner(element)))
            }
            DeclaredType::Opaque(name, contents) => {
                let of = Opaque::new(*name, inner(&contents.0), inner(&contents.1));
                Some(Type::Opaque(of.into()))
            }
            declared => known_type(declared, line.types),
        }
    }
}

fn is_parameter(declared: &DeclaredType) -> bool {
    matches!(declared, DeclaredType::Parameter(_))
}
