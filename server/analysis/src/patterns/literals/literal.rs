//! Literals, reduced to the variables that they read and bind.

use costlens_infer::types::Type;

use crate::patterns::bodies::Mark;
use crate::patterns::variables::Variables;

/// The use of an argument in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Use {
    /// The argument must be known before the call.
    Reads,
    /// The argument is known after the call.
    Makes,
    /// The argument may be known before the call; it is known afterwards.
    Meets,
    /// Unknown.
    Unclear,
}

impl Use {
    pub(in super::super) fn from_type(ty: &Type, is_open: bool) -> Self {
        match ty {
            Type::Free => Use::Makes,
            Type::Any if is_open => Use::Unclear,
            Type::Any => Use::Meets,
            _ => Use::Reads,
        }
    }

    /// Returns the use in a run that swaps inputs and outputs.
    pub(super) fn reversed(self) -> Self {
        match self {
            Use::Reads => Use::Makes,
            Use::Makes => Use::Reads,
            other @ (Use::Meets | Use::Unclear) => other,
        }
    }
}

/// A literal, reduced to the variables that it reads and binds.
pub(in super::super) enum Literal {
    /// A test: all these variables must be known.
    Test(Variables),
    /// `X is E`: reads the first variables and binds the second.
    Compute(Variables, Variables),
    /// `X = T`: if one side is known, the other becomes known.
    Unify(Variables, Variables),
    /// A call of a member of the component.
    Member(usize, Vec<Variables>),
    /// A call with known modes.
    Known {
        uses: Vec<Use>,
        arguments: Vec<Variables>,
        reversible: bool,
    },
    /// `call(F, X, Y)`: reads the first variables and binds the second.
    Apply(Variables, Variables),
    /// Any other literal: requires no known variables, and binds these variables.
    Other(Variables),
    /// A point at which the set of bound variables changes.
    Mark(Mark),
}

impl Literal {
    /// Returns whether the literal computes one of these variables.
    pub(super) fn makes(&self, variables: &[u32]) -> bool {
        let meets = |bound: &Variables| bound.iter().any(|v| variables.contains(v));
        match self {
            Literal::Compute(bound, _) => meets(bound),
            Literal::Known {
                uses, arguments, ..
            } => (arguments.iter().zip(uses)).any(|(bound, u)| *u != Use::Reads && meets(bound)),
            _ => false,
        }
    }

    /// Returns whether a variable occurs in the literal, and the literal is not a recursive call.
    pub(super) fn uses(&self, v: u32) -> bool {
        let all: Vec<&Variables> = match self {
            Literal::Test(read) | Literal::Other(read) => vec![read],
            Literal::Compute(a, b) | Literal::Unify(a, b) | Literal::Apply(a, b) => vec![a, b],
            Literal::Known { arguments, .. } => arguments.iter().collect(),
            Literal::Member(..) | Literal::Mark(_) => Vec::new(),
        };
        all.into_iter().any(|of| of.contains(&v))
    }

    /// Returns whether the literal needs the value of a variable, and not only a term that contains it.
    pub(super) fn needs(&self, v: u32) -> bool {
        match self {
            Literal::Test(read) | Literal::Compute(_, read) | Literal::Apply(read, _) => {
                read.contains(&v)
            }
            Literal::Known {
                uses, arguments, ..
            } => (arguments.iter().zip(uses)).any(|(of, u)| *u == Use::Reads && of[..] == [v]),
            _ => false,
        }
    }
}
