//! Modes, types and size limits of arguments.

use num_bigint::BigInt;
use smol_str::SmolStr;

use super::opaque::OpaqueName;

/// The mode of an argument, in the notation of PlDoc and the assertion language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// `+`: bound when called.
    In,
    /// `++`: ground when called.
    GroundIn,
    /// `-`: in Costlens, an unbound variable that occurs nowhere else in the call.
    Out,
    /// `--`: always an unbound variable.
    Fresh,
    /// `?`: anything.
    Either,
    /// `@`: not bound any further.
    Unchanged,
    /// `:`: a closure.
    Meta,
    /// `!`: changed destructively.
    Mutable,
}

impl Mode {
    /// Returns the mode with this prefix.
    #[must_use]
    pub fn from_prefix(prefix: &str) -> Option<Self> {
        Some(match prefix {
            "+" | "in" => Mode::In,
            "++" => Mode::GroundIn,
            "-" | "out" | "go" => Mode::Out,
            "--" => Mode::Fresh,
            "?" => Mode::Either,
            "@" => Mode::Unchanged,
            ":" => Mode::Meta,
            "!" => Mode::Mutable,
            _ => return None,
        })
    }
}

/// A declared type of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DeclaredType {
    /// `any`, `term`.
    Any,
    /// `var`.
    Var,
    /// `nonvar`, `callable`, `compound` and other bound terms that may contain variables.
    Nonvar,
    /// `ground`, `gnd`, `atomic` and other terms without variables.
    Ground,
    /// `string`.
    String,
    /// `atom_or_string`.
    AtomOrString,
    /// `int`, `integer`.
    Int,
    /// `nat`, `nonneg`: an integer that is at least 0.
    NonNegative,
    /// `positive_integer`: an integer that is at least 1.
    Positive,
    /// `num`, `number`, `float`, `rational`.
    Number,
    /// `atm`, `atom`, `boolean`.
    Atom,
    /// `list`, `list(T)`: proper.
    List(Box<DeclaredType>),
    /// `assoc`, `assoc(K, V)`: a term that only the predicates of a library build.
    Opaque(OpaqueName, Box<(DeclaredType, DeclaredType)>),
    /// A type parameter, written as a variable: `V` in `get_assoc(?K, +A:assoc(_, V), -X:V)`. As a condition it admits any term.
    Parameter(SmolStr),
    /// A type that Costlens does not know.
    Named(SmolStr),
}

/// The maximum depth of element types; deeper types are read as any term.
pub(super) const DEEPEST_TYPE: usize = 8;

impl DeclaredType {
    /// Returns the type with this name and these parameters; [`DeclaredType::Named`] for an unknown name.
    #[must_use]
    pub fn from_name(name: &str, mut parameters: Vec<DeclaredType>) -> Self {
        if let Some(&opaque) = OpaqueName::ALL.iter().find(|o| o.name() == name) {
            return match <[DeclaredType; 2]>::try_from(parameters) {
                Ok([key, value]) => DeclaredType::Opaque(opaque, Box::new((key, value))),
                Err(none) if none.is_empty() => {
                    let contents = (DeclaredType::Any, DeclaredType::Any);
                    DeclaredType::Opaque(opaque, Box::new(contents))
                }
                Err(_) => DeclaredType::Named(name.into()),
            };
        }
        match (name, parameters.len()) {
            ("list" | "proper_list" | "set" | "ordset", 0) => {
                DeclaredType::List(Box::new(DeclaredType::Any))
            }
            ("list" | "set" | "ordset" | "list_of", 1) => {
                DeclaredType::List(Box::new(parameters.remove(0)))
            }
            ("codes" | "code_list" | "list_of_codes", 0) => {
                DeclaredType::List(Box::new(DeclaredType::Int))
            }
            ("chars" | "char_list", 0) => DeclaredType::List(Box::new(DeclaredType::Atom)),
            ("pairs", 0) => DeclaredType::List(Box::new(DeclaredType::Nonvar)),
            ("any" | "term" | "list_or_partial_list" | "partial_list", 0) => DeclaredType::Any,
            ("var" | "free", 0) => DeclaredType::Var,
            (
                "nonvar" | "callable" | "compound" | "struct" | "goal" | "cgoal" | "closure"
                | "dict" | "pair",
                0,
            ) => DeclaredType::Nonvar,
            (
                "ground" | "gnd" | "text" | "atomic" | "constant" | "cons" | "stream"
                | "acyclic_ground",
                0,
            ) => DeclaredType::Ground,
            ("string", 0) => DeclaredType::String,
            ("atom_or_string", 0) => DeclaredType::AtomOrString,
            ("int" | "integer", 0) => DeclaredType::Int,
            ("nat" | "nonneg" | "natural" | "nonneg_integer", 0) => DeclaredType::NonNegative,
            ("positive_integer" | "pos_integer" | "posint", 0) => DeclaredType::Positive,
            ("num" | "number" | "float" | "flt" | "rational" | "between", _) => {
                DeclaredType::Number
            }
            ("atm" | "atom" | "boolean" | "bool" | "char" | "order", 0) | ("oneof", 1) => {
                DeclaredType::Atom
            }
            _ => DeclaredType::Named(name.into()),
        }
    }
}

impl DeclaredType {
    /// Returns whether [`DeclaredType::from_name`] reads a name with this number of parameters as a type with the same values; `boolean`
    /// and `atomic` have fewer values than `atm` and `ground`. For a type that the program defines, its definition decides.
    #[must_use]
    pub fn is_exact(name: &str, parameters: usize) -> bool {
        match Self::from_name(name, vec![DeclaredType::Any; parameters]) {
            DeclaredType::Any => matches!(name, "any" | "term"),
            DeclaredType::Nonvar => name == "nonvar",
            DeclaredType::Ground => matches!(name, "ground" | "gnd"),
            DeclaredType::Number => matches!(name, "num" | "number"),
            DeclaredType::Atom => matches!(name, "atm" | "atom"),
            DeclaredType::List(_) => {
                matches!(
                    (name, parameters),
                    ("list" | "proper_list", 0) | ("list" | "list_of", 1)
                )
            }
            DeclaredType::Var
            | DeclaredType::String
            | DeclaredType::AtomOrString
            | DeclaredType::Int
            | DeclaredType::NonNegative
            | DeclaredType::Positive
            | DeclaredType::Opaque(..)
            | DeclaredType::Parameter(_)
            | DeclaredType::Named(_) => true,
        }
    }
}

/// A metric named in a limit or a cost term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeMetric {
    /// `length(A)`.
    Length,
    /// `int(A)`.
    Int,
    /// `size(A)`.
    Size,
    /// `depth(A)`.
    Depth,
    /// `chars(A)`.
    Chars,
    /// `keys(A)`.
    Keys,
}

impl SizeMetric {
    /// Returns the metric with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "length" => SizeMetric::Length,
            "int" => SizeMetric::Int,
            "size" => SizeMetric::Size,
            "depth" => SizeMetric::Depth,
            "chars" => SizeMetric::Chars,
            "keys" => SizeMetric::Keys,
            _ => return None,
        })
    }

    /// Returns the name of the metric.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SizeMetric::Length => "length",
            SizeMetric::Int => "int",
            SizeMetric::Size => "size",
            SizeMetric::Depth => "depth",
            SizeMetric::Chars => "chars",
            SizeMetric::Keys => "keys",
        }
    }
}

/// A limit on a size: `length(A) =< 1000`, `intervals(int(N), [i(1,12)])`, `N > 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeLimit {
    /// The argument's index, from 0.
    pub argument: usize,
    /// The metric; `None` for a bare variable.
    pub metric: Option<SizeMetric>,
    /// The smallest size.
    pub at_least: Option<BigInt>,
    /// The largest size.
    pub at_most: Option<BigInt>,
}
