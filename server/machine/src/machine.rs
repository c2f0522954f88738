//! The machine: store, program, limits, and what built-ins may ask of it.

use costlens_syntax::Operators;
use rustc_hash::FxHashMap;

use crate::atoms::{self, Atom};
use crate::cell::Cell;
use crate::error::{Limit, Throw};
use crate::evaluate::{self, Functions};
use crate::store::Store;

/// A built-in predicate. Its arguments are not dereferenced. It may bind variables before it fails: the engine undoes that.
///
/// Every built-in is deterministic; predicates with several solutions are written in Prolog over these (`library/system.pl`).
pub type Builtin = fn(&mut Machine, &[Cell]) -> Result<bool, Throw>;

/// Name, arity and code of a built-in, as the tables of [`crate::builtins`] list them.
pub type Entry = (&'static str, usize, Builtin);

/// What a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Calls and backtrackings, none for no limit.
    pub steps: Option<u64>,
    /// Cells of eight bytes, for heap, stacks and stored terms together.
    pub cells: usize,
    /// Bytes of captured output.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: None,
            cells: (1 << 30) / 8,
            output: 1 << 26,
        }
    }
}

/// The machine.
#[derive(Debug)]
pub struct Machine {
    /// Heap, trail, atoms.
    pub store: Store,
    /// The operators in force at run time.
    pub operators: Operators,
    /// What was written so far.
    pub output: String,
    /// What the run may use.
    pub limits: Limits,
    pub(crate) builtins: FxHashMap<Cell, Builtin>,
    /// The functions of `is/2`, and the one that is none, `roundtoward/2`.
    pub(crate) functions: Functions,
    pub(crate) round_toward: Cell,
}

impl Machine {
    /// A machine without a program, with all built-ins.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let mut machine = Self {
            store: Store::new(limits.cells),
            operators: Operators::swi(),
            output: String::new(),
            limits,
            builtins: FxHashMap::default(),
            functions: Functions::default(),
            round_toward: Cell::functor(atoms::ROUND_TOWARD, 2),
        };
        machine.functions = evaluate::functions(&mut machine.store);
        for table in crate::builtins::TABLES {
            for &(name, arity, code) in *table {
                let name = machine.store.atoms.intern(name);
                machine.builtins.insert(Cell::functor(name, arity), code);
            }
        }
        machine
    }

    /// The built-in of this name and arity.
    #[must_use]
    pub fn builtin(&self, name: Atom, arity: usize) -> Option<Builtin> {
        self.builtins.get(&Cell::functor(name, arity)).copied()
    }

    /// Appends to the captured output.
    ///
    /// # Errors
    /// The limit on output.
    pub fn write(&mut self, text: &str) -> Result<(), Throw> {
        if self.output.len() + text.len() > self.limits.output {
            return Err(Throw::Limit(Limit::Output));
        }
        self.output.push_str(text);
        Ok(())
    }
}
