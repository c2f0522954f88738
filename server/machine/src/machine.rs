//! The machine: store, program, limits, and the interface for built-ins.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use costlens_compile::code::Indexing;
use costlens_syntax::term::TermId;
use costlens_syntax::{Operator, Operators};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::atoms::{self, Atom};
use crate::cell::Cell;
use crate::centres::{Centres, Measured};
use crate::collection::Collector;
use crate::control;
use crate::copy::Stored;
use crate::count::{CountedClause, Counts};
use crate::database::Database;
use crate::error::{Limit, Throw};
use crate::evaluate::{self, Functions};
use crate::frames::{Choice, HEADER};
use crate::globals::Globals;
use crate::observer::{Looks, Shared};
use crate::op::Op;
use crate::ports::Owner;
use crate::predicate::{Implementation, Predicate};
use crate::store::Store;
use crate::switch::Switch;

/// A built-in predicate. Its arguments are not dereferenced. It may bind variables before it fails; the engine undoes these bindings.
///
/// Every built-in is deterministic; predicates with several solutions are written in Prolog on top of them (`library/system.pl`).
pub type Builtin = fn(&mut Machine, &[Cell]) -> Result<bool, Throw>;

/// The name, arity and code of a built-in, as in the tables of [`crate::builtins`].
pub type Entry = (&'static str, usize, Builtin);

/// The maximum arity of a built-in.
pub(crate) const MAX_BUILTIN_ARITY: usize = 8;
/// The number of registers: the range of a 16-bit register number, so that no access needs a bounds check.
pub(crate) const REGISTERS: usize = 1 << 16;

fn registers() -> Box<[Cell; REGISTERS]> {
    let registers: Box<[Cell]> = vec![Cell::small(0); REGISTERS].into();
    registers
        .try_into()
        .unwrap_or_else(|_| Box::new([Cell::small(0); REGISTERS]))
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of calls and backtracks; `None` for no limit.
    pub steps: Option<u64>,
    /// The maximum number of eight-byte cells, for heap, stacks and stored terms together.
    pub cells: usize,
    /// The maximum number of bytes of captured output.
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

/// A switch that ends a run. Each machine has its own switch; a clone gets a new switch.
#[derive(Debug, Default)]
pub(crate) struct Interrupt(pub(crate) Arc<AtomicBool>);

impl Clone for Interrupt {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The literals of a clause: their goals, and the predicates that they call.
pub(crate) type ClauseGoals = Box<[(Option<TermId>, SmolStr)]>;

/// The machine.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Heap, trail, atoms.
    pub store: Store,
    /// The operators in force at run time.
    pub operators: Operators,
    /// The output so far.
    pub output: String,
    /// The limits of the run.
    pub limits: Limits,

    // The program.
    pub(crate) code: Vec<Op>,
    pub(crate) predicates: Vec<Predicate>,
    /// The predicates of the program, and of the system, by functor cell.
    pub(crate) names: FxHashMap<Cell, u32>,
    pub(crate) system_names: FxHashMap<Cell, u32>,
    pub(crate) switches: Vec<Switch>,
    /// Constants of arithmetic that do not fit an operand.
    pub(crate) constants: Vec<Cell>,
    /// The built-in that an inline instruction implements, if it may throw, by address.
    pub(crate) contexts: FxHashMap<usize, Cell>,
    pub(crate) builtin_code: Vec<Builtin>,
    pub(crate) builtin_functors: Vec<Cell>,
    pub(crate) database: Database,
    /// The operators declared by loaded programs, for goals that are read afterwards.
    pub(crate) program_operators: Vec<Operator>,
    /// The name of the instruction at each address, as an index into `instruction_names`; only if the machine counts.
    pub(crate) code_names: Vec<u16>,
    pub(crate) instruction_names: Vec<SmolStr>,
    /// The clauses whose entries count.
    pub(crate) counted_clauses: Vec<CountedClause>,
    /// The literals of each counted clause: their goals, and the predicates that they call.
    pub(crate) clause_goals: Vec<ClauseGoals>,
    /// The owner of each instruction; only if the machine counts.
    pub(crate) owners: Vec<Owner>,

    // The state of a run.
    pub(crate) x: Box<[Cell; REGISTERS]>,
    pub(crate) stack: Vec<u64>,
    pub(crate) e: usize,
    pub(crate) cp: usize,
    pub(crate) b0: usize,
    pub(crate) choices: Vec<Choice>,
    pub(crate) saved: Vec<Cell>,
    /// The solutions of active `findall/3` calls.
    pub(crate) findalls: Vec<Vec<Stored>>,
    /// The number of calls until the next check of the limits, and the steps left then.
    pub(crate) fuel: u64,
    /// The address at which the search for the next answer continues; `None` after the last answer.
    pub(crate) resume: Option<usize>,
    pub(crate) steps_left: Option<u64>,
    pub(crate) collector: Collector,
    /// The number of cells of stored terms.
    pub(crate) stored_cells: usize,
    /// Set by a caller with a clock to end the run.
    pub(crate) interrupt: Interrupt,
    pub(crate) counting: bool,
    /// The arguments that select clauses in programs loaded from now on.
    pub(crate) indexing: Indexing,
    pub(crate) counts_ports: bool,
    pub(crate) counts: Counts,
    pub(crate) centres: Centres,
    /// The observer of calls to centres.
    pub(crate) observer: Option<Shared>,
    /// The looker that receives the profile during the run.
    pub(crate) looks: Option<Looks>,
    /// The formatter for `profile_dump/0`.
    pub(crate) dump: Option<fn(&Measured) -> String>,
    /// The environment of the running cost centre; 0 if no profile is taken.
    pub(crate) activation: u32,

    /// The functions of `is/2`, and `roundtoward/2`, which is not an ordinary function.
    pub(crate) functions: Functions,
    pub(crate) round_toward: Cell,
    pub(crate) globals: Globals,
    /// The starting positions, in `output`, of the captures of active `with_output_to/2` calls.
    pub(crate) captures: Vec<usize>,
}

impl Machine {
    /// Creates a machine with all built-ins and without a program.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::with_counting(limits, false)
    }

    /// Creates a machine that counts events.
    #[must_use]
    pub fn counting(limits: Limits) -> Self {
        Self::with_counting(limits, true)
    }

    fn with_counting(limits: Limits, counting: bool) -> Self {
        // The library is read, compiled and linked once per process.
        static FAST: OnceLock<Machine> = OnceLock::new();
        static COUNTING: OnceLock<Machine> = OnceLock::new();
        let template = if counting { &COUNTING } else { &FAST };
        let mut machine = template.get_or_init(|| Self::template(counting)).clone();
        machine.set_limits(limits);
        machine
    }

    /// Sets the limits.
    pub fn set_limits(&mut self, limits: Limits) {
        // Addresses have 32 bits.
        let limits = Limits {
            cells: limits.cells.min(1 << 31),
            ..limits
        };
        self.limits = limits;
        self.store.max_cells = limits.cells;
        self.steps_left = limits.steps;
    }

    /// Sets the arguments that select clauses in programs loaded from now on. Answers do not change; counts other than steps may. Bounds
    /// assume the first argument.
    pub fn set_indexing(&mut self, indexing: Indexing) {
        self.indexing = indexing;
    }

    /// Returns a machine with the same program, for example for another thread. Its run state and output are empty.
    #[must_use]
    pub fn fork(&self) -> Self {
        let mut machine = self.clone();
        machine.output.clear();
        machine.resume = None;
        machine.cut_to(0);
        machine
    }

    fn template(counting: bool) -> Self {
        let limits = Limits::default();
        let mut machine = Self {
            store: Store::new(limits.cells),
            operators: Operators::swi(),
            output: String::new(),
            limits,
            functions: Functions::default(),
            round_toward: Cell::functor(atoms::ROUND_TOWARD, 2),
            globals: Globals::default(),
            captures: Vec::new(),
            code: control::pieces(),
            predicates: Vec::new(),
            names: FxHashMap::default(),
            system_names: FxHashMap::default(),
            switches: Vec::new(),
            constants: Vec::new(),
            contexts: FxHashMap::default(),
            builtin_code: Vec::new(),
            builtin_functors: Vec::new(),
            database: Database::default(),
            program_operators: Vec::new(),
            code_names: Vec::new(),
            instruction_names: Vec::new(),
            counted_clauses: Vec::new(),
            clause_goals: Vec::new(),
            owners: Vec::new(),
            x: registers(),
            stack: vec![0; HEADER],
            e: 0,
            cp: control::SOLUTION,
            b0: 0,
            choices: Vec::new(),
            saved: Vec::new(),
            findalls: Vec::new(),
            fuel: 1,
            resume: None,
            steps_left: limits.steps,
            collector: Collector::default(),
            stored_cells: 0,
            interrupt: Interrupt::default(),
            counting,
            indexing: Indexing::default(),
            counts_ports: false,
            counts: Counts::default(),
            centres: Centres::default(),
            observer: None,
            dump: None,
            looks: None,
            activation: 0,
        };
        control::note_pieces(&mut machine);
        machine.functions = evaluate::functions(&mut machine.store);
        machine.install();
        machine.load_library();
        machine
    }

    /// Returns the built-in with this name and arity.
    #[must_use]
    pub fn builtin(&self, name: Atom, arity: usize) -> Option<Builtin> {
        let predicate = *self.system_names.get(&Cell::functor(name, arity))?;
        match self.predicates[predicate as usize].kind {
            Implementation::Builtin(number) => self.builtin_code.get(number as usize).copied(),
            _ => None,
        }
    }

    /// Appends to the captured output.
    ///
    /// # Errors
    /// Returns an error if the output limit is reached.
    pub fn write(&mut self, text: &str) -> Result<(), Throw> {
        if self.output.len() + text.len() > self.limits.output {
            return Err(Throw::Limit(Limit::Output));
        }
        self.output.push_str(text);
        Ok(())
    }
}
