//! Operator types as in `op/3`: the position of an operator, and the priorities of its operands.

/// The type of an operator: `y` admits an operand of the same priority, `x` only lower priorities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of op/3")]
pub enum OperatorType {
    Xfx,
    Xfy,
    Yfx,
    Fy,
    Fx,
    Xf,
    Yf,
}

impl OperatorType {
    /// Returns the type with this name in `op/3`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "xfx" => Self::Xfx,
            "xfy" => Self::Xfy,
            "yfx" => Self::Yfx,
            "fy" => Self::Fy,
            "fx" => Self::Fx,
            "xf" => Self::Xf,
            "yf" => Self::Yf,
            _ => return None,
        })
    }

    /// Returns the name of the type in `op/3`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Xfx => "xfx",
            Self::Xfy => "xfy",
            Self::Yfx => "yfx",
            Self::Fy => "fy",
            Self::Fx => "fx",
            Self::Xf => "xf",
            Self::Yf => "yf",
        }
    }

    /// Returns whether the operator comes before, between or after its operands.
    #[must_use]
    pub fn position(self) -> Position {
        match self {
            Self::Fy | Self::Fx => Position::Prefix,
            Self::Xf | Self::Yf => Position::Postfix,
            Self::Xfx | Self::Xfy | Self::Yfx => Position::Infix,
        }
    }

    /// Returns the maximum priorities of the left and right operands of an operator with this priority; 0 for a missing operand.
    #[must_use]
    pub fn operand_priorities(self, priority: u16) -> (u16, u16) {
        let below = priority.saturating_sub(1);
        match self {
            Self::Xfx => (below, below),
            Self::Xfy => (below, priority),
            Self::Yfx => (priority, below),
            Self::Fy => (0, priority),
            Self::Fx => (0, below),
            Self::Xf => (below, 0),
            Self::Yf => (priority, 0),
        }
    }
}

/// The position of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// Before its operand.
    Prefix,
    /// Between its operands.
    Infix,
    /// After its operand.
    Postfix,
}
