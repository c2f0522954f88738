//! Runs: the stored data of one call.

use std::fmt;

use smol_str::SmolStr;

/// A predicate.
pub type Predicate = (SmolStr, usize);

/// An input of a call: one measure of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputName {
    /// The argument, from 1.
    pub argument: usize,
    /// The measure.
    pub measure: Measure,
}

/// Measures of a term. All except the last are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// The value of an integer.
    Int,
    /// The value of a number other than an integer.
    Value,
    /// The length of a proper list.
    Length,
    /// The number of characters of an atom or string.
    Chars,
    /// The number of keys of an association list or a red-black tree of a library.
    Keys,
    /// The number of variables, constants and functors.
    Size,
    /// The depth: 0 for a constant or variable, 1 more than the depth of the deepest argument for a compound.
    Depth,
    /// The total length of the elements of a list of lists.
    Total,
    /// The largest integer in a list.
    ElementInt,
    /// The sum of the integers in a list.
    Sum,
    /// The largest length in a list of lists.
    ElementLength,
    /// The largest size of a list element.
    ElementSize,
    /// The atom itself.
    Name,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 13] = [
        Measure::Int,
        Measure::Value,
        Measure::Length,
        Measure::Chars,
        Measure::Keys,
        Measure::Size,
        Measure::Depth,
        Measure::Total,
        Measure::ElementInt,
        Measure::Sum,
        Measure::ElementLength,
        Measure::ElementSize,
        Measure::Name,
    ];

    /// Returns the word for the measure in `--at`; measures of elements begin with `e.`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Measure::Int => "int",
            Measure::Value => "value",
            Measure::Length => "length",
            Measure::Chars => "chars",
            Measure::Keys => "keys",
            Measure::Size => "size",
            Measure::Depth => "depth",
            Measure::Total => "total",
            Measure::ElementInt => "e.int",
            Measure::Sum => "sum",
            Measure::ElementLength => "e.length",
            Measure::ElementSize => "e.size",
            Measure::Name => "name",
        }
    }

    /// Returns the measure for a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.word() == word)
    }
}

/// Formats an input: `length(1)`, `e.int(2)`.
impl fmt::Display for InputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.measure.word(), self.argument)
    }
}

/// The value of an input.
#[derive(Clone, Debug, PartialEq)]
pub enum InputValue {
    /// A size or a number.
    Number(f64),
    /// An atom.
    Name(SmolStr),
}

/// The length at which names of atoms are truncated, since they are only compared and not shown.
const LONGEST_NAME: usize = 64;

impl InputValue {
    /// Returns the value of an atom with a name.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        let name: String = name.escape_debug().take(LONGEST_NAME).collect();
        InputValue::Name(name.into())
    }

    /// Returns the number, or `None` for an atom.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            InputValue::Number(n) => Some(*n),
            InputValue::Name(_) => None,
        }
    }
}

/// The inputs of a call, in order.
pub type Inputs = Vec<(InputName, InputValue)>;

/// A block of executed code: see [`costlens_machine::Block`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunBlock {
    /// The block's name.
    pub name: SmolStr,
    /// The events of one pass of the block.
    pub events: Vec<(SmolStr, u64)>,
    /// The events that become failures if the block's last instruction fails.
    pub fails: Vec<SmolStr>,
}

/// A run of a call that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The predicate that was called.
    pub predicate: Predicate,
    /// The fingerprint of all code that the predicate reaches; see [`crate::Program::code_of`].
    pub code: String,
    /// The time in seconds since 1970.
    pub at: i64,
    /// The command that stored the run: `run`, `profile`.
    pub source: String,
    /// True if all solutions were requested; otherwise the run ended with the first solution.
    pub all: bool,
    /// True if the call succeeded.
    pub succeeded: bool,
    /// The engine: `embedded`.
    pub platform: String,
    /// The time in nanoseconds.
    pub ns: u64,
    /// The inputs of the call.
    pub inputs: Inputs,
    /// The reached blocks, each with the number of times that it was reached and the number of times that its last instruction failed.
    pub counts: Vec<(RunBlock, u64, u64)>,
    /// Events without a fixed number per block, such as `heap_cells`.
    pub amounts: Vec<(SmolStr, u64)>,
}

/// The runs of one version of a predicate's code.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    /// The blocks that any of the runs reached.
    pub blocks: Vec<RunBlock>,
    /// The runs, the oldest first.
    pub runs: Vec<PastRun>,
}

/// A stored run.
#[derive(Clone, Debug, PartialEq)]
pub struct PastRun {
    /// The time, see [`Run::at`].
    pub at: i64,
    /// The engine, see [`Run::platform`].
    pub platform: String,
    /// The nanoseconds, see [`Run::ns`].
    pub ns: u64,
    /// The inputs, see [`Run::inputs`].
    pub inputs: Inputs,
    /// For each of [`Runs::blocks`], the number of times that it was reached and the number of times that its last instruction failed.
    pub counts: Vec<(u64, u64)>,
    /// The amounts, see [`Run::amounts`].
    pub amounts: Vec<(SmolStr, u64)>,
}
