//! Operator tables: the dialect's built-in operators, extended by `op/3` and module headers.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::dialect::{Dialect, tables};
pub use crate::operator_type::{OperatorType, Position};

/// The maximum priority of an operator, and of a clause.
pub const MAX_PRIORITY: u16 = 1200;

/// An operator as declared by `op(Priority, Type, Name)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operator {
    /// The priority, from 0 (no operator) to 1200.
    pub priority: u16,
    /// Position and associativity.
    pub kind: OperatorType,
    /// The atom.
    pub name: SmolStr,
}

/// The operators with one name: priority and type for each position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    prefix: Option<(u16, OperatorType)>,
    infix: Option<(u16, OperatorType)>,
    postfix: Option<(u16, OperatorType)>,
}

/// A table of operators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operators {
    entries: FxHashMap<SmolStr, Entry>,
}

impl Operators {
    /// Returns the built-in operators of a dialect.
    #[must_use]
    pub fn built_in(dialect: Dialect) -> Self {
        let mut table = Self::default();
        for operators in tables::operators_of(dialect) {
            table.add_all(operators);
        }
        table
    }

    /// Returns the operators of SWI-Prolog 9.
    #[must_use]
    pub fn swi() -> Self {
        Self::built_in(Dialect::Swi)
    }

    /// Returns whether a name is an operator in some position, or was one.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// Adds or, at priority 0, removes an operator.
    pub fn add(&mut self, operator: Operator) {
        let entry = self.entries.entry(operator.name).or_default();
        let slot = match operator.kind.position() {
            Position::Prefix => &mut entry.prefix,
            Position::Infix => &mut entry.infix,
            Position::Postfix => &mut entry.postfix,
        };
        *slot = (operator.priority > 0).then_some((operator.priority, operator.kind));
    }

    pub(crate) fn add_all(&mut self, operators: &[(u16, OperatorType, &str)]) {
        for &(priority, kind, name) in operators {
            self.add(Operator {
                priority,
                kind,
                name: name.into(),
            });
        }
    }

    /// Returns the priority and type of an atom in a position.
    #[must_use]
    pub fn get(&self, name: &str, position: Position) -> Option<(u16, OperatorType)> {
        let entry = self.entries.get(name)?;
        match position {
            Position::Prefix => entry.prefix,
            Position::Infix => entry.infix,
            Position::Postfix => entry.postfix,
        }
    }

    /// Returns all operators, sorted by name, then in the order prefix, infix, postfix.
    #[must_use]
    pub fn sorted(&self) -> Vec<Operator> {
        let mut names: Vec<&SmolStr> = self.entries.keys().collect();
        names.sort_unstable();
        let of = |name: &SmolStr| {
            let entry = self.entries.get(name).copied().unwrap_or_default();
            let name = name.clone();
            [entry.prefix, entry.infix, entry.postfix]
                .into_iter()
                .flatten()
                .map(move |(priority, kind)| Operator {
                    priority,
                    kind,
                    name: name.clone(),
                })
        };
        names.into_iter().flat_map(of).collect()
    }

    /// Returns whether the atom is an operator in any position.
    #[must_use]
    pub fn is_operator(&self, name: &str) -> bool {
        self.entries
            .get(name)
            .is_some_and(|e| e.prefix.is_some() || e.infix.is_some() || e.postfix.is_some())
    }
}

use OperatorType::{Fx, Fy, Xfx, Xfy};

/// The operators of assertions (`pred`, `entry` and others): `:- check pred p(X) : list(X) => q(X) + is_det # "text".`
///
/// Unlike in Ciao's own table (where `:` is 550 and `#` at most 1000, depending on the version), these operators nest in written order, and
/// comparisons need no parentheses: `#(=>(:(Head, Pre), +(Post, Comp)), Text)`.
pub(crate) const ASSERTION: &[(u16, OperatorType, &str)] = &[
    (1150, Fy, "check"),
    (1150, Fy, "checked"),
    (1150, Fy, "trust"),
    (1150, Fy, "true"),
    (1150, Fy, "false"),
    (1150, Fy, "obs"),
    (1150, Fx, "pred"),
    (1150, Fx, "entry"),
    (1150, Fx, "exit"),
    (1150, Fx, "calls"),
    (1150, Fx, "success"),
    (1150, Fx, "comp"),
    (1150, Fx, "prop"),
    (1150, Fx, "regtype"),
    (1150, Fx, "resource"),
    (1150, Fx, "mode"),
    (1150, Fx, "cost_center"),
    (1150, Fx, "no_cost_center"),
    (978, Xfx, "#"),
    (975, Xfx, "=>"),
    (970, Xfx, "::"),
    (960, Xfy, ":"),
    // Modes of head arguments; `+` and `-` are already operators.
    (200, Fy, "?"),
    (200, Fy, "@"),
];

/// Returns true for words that may precede the kind of an assertion.
#[must_use]
pub fn is_assertion_status(word: &str) -> bool {
    matches!(
        word,
        "check" | "checked" | "trust" | "true" | "false" | "obs"
    )
}

/// Returns true for words of directives that declare the cost centres of a profile, `:- cost_center p/1, q/2.`, or the arguments on which
/// predictions from past runs may depend: `:- cost_depends(p/2, [N]).`
#[must_use]
pub fn is_profiling_word(word: &str) -> bool {
    matches!(
        word,
        "cost_center"
            | "no_cost_center"
            | "all_cost_center"
            | "all_no_cost_center"
            | "cost_inputs"
            | "cost_depends"
            | "cost_independent"
    )
}

/// Returns true for the kinds of assertions, which precede their heads.
#[must_use]
pub fn is_assertion_kind(word: &str) -> bool {
    matches!(
        word,
        "pred"
            | "entry"
            | "exit"
            | "calls"
            | "success"
            | "comp"
            | "prop"
            | "regtype"
            | "resource"
            | "mode"
    )
}
