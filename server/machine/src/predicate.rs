//! Predicates: the targets of calls by name and arity.

use costlens_catalog::{find, is_locked};

use crate::cell::Cell;
use crate::control;
use crate::machine::Machine;
use crate::op::{Access, Op};
use crate::ports::Owner;

/// A predicate.
#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub(crate) functor: Cell,
    /// The start of the predicate's code.
    pub(crate) entry: u32,
    pub(crate) kind: Implementation,
    pub(crate) space: Space,
    /// True if SWI-Prolog permits no program to define it, whether or not the machine implements it.
    pub(crate) protected: bool,
    /// True if clauses of the program call it. As in SWI-Prolog, the program can then no longer redefine a system predicate.
    pub(crate) called: bool,
    /// True if it has had compiled clauses.
    pub(crate) linked: bool,
    /// True if its clauses count as steps: clauses of the program, and of the libraries from which bounds are inferred.
    pub(crate) counted: bool,
}

/// The implementation of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Implementation {
    /// Undefined so far; calls throw.
    Undefined,
    /// Clauses that do not change.
    Static,
    /// Clauses that are added and removed.
    Dynamic,
    /// A Rust function, with its number.
    Builtin(u32),
    /// A code sequence of the engine.
    Fixed,
}

/// The owner of a predicate. The program sees its own predicates before those of the system. The system sees only its own predicates,
/// except that goals that it calls as terms (`maplist/2`) are resolved in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    User,
    System,
}

impl Predicate {
    pub(crate) fn is_static(&self) -> bool {
        matches!(
            self.kind,
            Implementation::Static | Implementation::Builtin(_) | Implementation::Fixed
        )
    }

    pub(crate) fn is_system(&self) -> bool {
        self.space == Space::System && self.kind != Implementation::Undefined
    }
}

impl Machine {
    /// Returns the predicate that a goal of the program calls. Creates it without clauses if it is undefined.
    #[inline]
    pub(crate) fn callable(&mut self, functor: Cell) -> u32 {
        match self.known(functor) {
            Some(predicate) => predicate,
            None => self.own_predicate(functor),
        }
    }

    /// Returns true if the program has its own clauses for a predicate.
    pub(crate) fn is_redefined(&self, name: &str, arity: usize) -> bool {
        let own = self.store.atoms.find(name);
        let own = own.and_then(|name| self.names.get(&Cell::functor(name, arity)));
        own.is_some_and(|&p| self.predicates[p as usize].kind != Implementation::Undefined)
    }

    /// Returns true if a predicate cannot be changed: a static predicate of the program, a locked predicate, or a system predicate that the
    /// program's clauses call. If a program defines the name of any other system predicate, the program's predicate replaces the system's.
    pub(crate) fn is_fixed(&self, predicate: u32) -> bool {
        let target = &self.predicates[predicate as usize];
        target.protected || target.is_static() && (target.space == Space::User || target.called)
    }

    /// Returns the predicate that a goal of the program would call, if it exists.
    pub(crate) fn known(&self, functor: Cell) -> Option<u32> {
        self.names
            .get(&functor)
            .or_else(|| self.system_names.get(&functor))
            .copied()
    }

    /// Returns the library predicates whose clauses are not counted as steps on this machine, although those of other library predicates
    /// are (`put_assoc/4`).
    pub fn uncounted(&self) -> impl Iterator<Item = (&str, usize)> {
        self.uncounted_where(|_| true)
    }

    fn uncounted_where(
        &self,
        is_wanted: impl Fn(&Predicate) -> bool,
    ) -> impl Iterator<Item = (&str, usize)> {
        let wanted = move |p: &&Predicate| {
            p.space == Space::System
                && p.kind == Implementation::Static
                && !p.counted
                && is_wanted(p)
        };
        let named = self.predicates.iter().filter(wanted).map(|p| {
            let name = self.store.atoms.text(p.functor.functor_name());
            (name.as_str(), p.functor.functor_arity())
        });
        named.filter(|&(name, arity)| find(name, arity).is_some_and(|p| p.library().is_some()))
    }

    /// Returns the predicates of [`Machine::uncounted`] that clauses of the program call and that were called in a counting run.
    pub fn uncounted_in_run(&self) -> impl Iterator<Item = (&str, usize)> {
        self.uncounted_where(|p| p.called).filter(|&(name, arity)| {
            let name = self.store.atoms.find(name);
            let predicate = name.and_then(|name| self.known(Cell::functor(name, arity)));
            predicate.is_some_and(|p| {
                self.counts
                    .calls
                    .get(p as usize)
                    .is_some_and(|&calls| calls > 0)
            })
        })
    }

    /// Returns the predicate to which a name in a clause refers.
    pub(crate) fn visible(&mut self, functor: Cell, space: Space) -> u32 {
        if space == Space::User
            && let Some(&own) = self.names.get(&functor)
        {
            return own;
        }
        if let Some(&system) = self.system_names.get(&functor) {
            self.predicates[system as usize].called |= space == Space::User;
            return system;
        }
        self.own_predicate(functor)
    }

    /// Returns the program's own predicate with this name. Creates it if necessary.
    pub(crate) fn own_predicate(&mut self, functor: Cell) -> u32 {
        if let Some(&predicate) = self.names.get(&functor) {
            return predicate;
        }
        let predicate = self.new_predicate(functor, Space::User);
        self.names.insert(functor, predicate);
        predicate
    }

    /// Returns the system predicate with this name. Creates it if necessary.
    pub(crate) fn system_predicate(&mut self, functor: Cell) -> u32 {
        if let Some(&predicate) = self.system_names.get(&functor) {
            return predicate;
        }
        let predicate = self.new_predicate(functor, Space::System);
        self.system_names.insert(functor, predicate);
        predicate
    }

    fn new_predicate(&mut self, functor: Cell, space: Space) -> u32 {
        let number = u32::try_from(self.predicates.len()).unwrap_or(u32::MAX);
        let entry = self.emit(Op::Undefined(number));
        self.own_code(entry as usize, Owner::new(number));
        let name = self.store.atoms.text(functor.functor_name());
        let protected = is_locked(name, functor.functor_arity());
        self.predicates.push(Predicate {
            functor,
            entry,
            kind: Implementation::Undefined,
            space,
            protected,
            called: false,
            linked: false,
            counted: space == Space::User,
        });
        number
    }

    /// Appends an instruction to the code and returns its address.
    pub(crate) fn emit(&mut self, op: Op) -> u32 {
        self.code.push(op);
        u32::try_from(self.code.len() - 1).unwrap_or(u32::MAX)
    }

    /// Makes a predicate's clauses interpreted.
    pub(crate) fn run_as_terms(&mut self, predicate: u32, kind: Implementation) {
        let entry = self.emit(Op::Dynamic(predicate));
        self.own_code(entry as usize, Owner::new(predicate));
        let predicate = &mut self.predicates[predicate as usize];
        predicate.entry = entry;
        predicate.kind = kind;
    }

    /// Makes a predicate of the program dynamic.
    pub(crate) fn make_dynamic(&mut self, predicate: u32) {
        if self.predicates[predicate as usize].kind != Implementation::Dynamic {
            self.run_as_terms(predicate, Implementation::Dynamic);
        }
    }

    /// Installs the predicates that are implemented by engine code or Rust functions.
    pub(crate) fn install(&mut self) {
        let fixed = |machine: &mut Self, name: &str, arity: usize, entry: u32| {
            let name = machine.store.atoms.intern(name);
            let number = machine.system_predicate(Cell::functor(name, arity));
            let predicate = &mut machine.predicates[number as usize];
            predicate.entry = entry;
            predicate.kind = Implementation::Fixed;
        };
        for &(name, arity, entry) in control::FIXED {
            fixed(self, name, arity, u32::try_from(entry).unwrap_or(0));
        }
        for arity in 1..=8_u8 {
            let entry = self.emit(Op::CallN(arity));
            fixed(self, "call", usize::from(arity), entry);
        }
        let entry = self.emit(Op::Clauses(Access::Inspect));
        fixed(self, "clause", 2, entry);
        let entry = self.emit(Op::Clauses(Access::Retract));
        fixed(self, "retract", 1, entry);
        for (name, arity) in [
            (",", 2),
            (";", 2),
            ("|", 2),
            ("->", 2),
            ("*->", 2),
            ("\\+", 1),
            ("!", 0),
            (":", 2),
        ] {
            let atom = self.store.atoms.intern(name);
            let entry = self.emit(Op::Control(Cell::functor(atom, arity)));
            fixed(self, name, arity, entry);
        }
        for table in crate::builtins::TABLES {
            for &(name, arity, code) in *table {
                let name = self.store.atoms.intern(name);
                let functor = Cell::functor(name, arity);
                let number = u32::try_from(self.builtin_code.len()).unwrap_or(u32::MAX);
                self.builtin_code.push(code);
                self.builtin_functors.push(functor);
                let predicate = self.system_predicate(functor);
                let entry = self.emit(Op::ExecuteBuiltin(
                    number,
                    u8::try_from(arity).unwrap_or(u8::MAX),
                ));
                let predicate = &mut self.predicates[predicate as usize];
                predicate.entry = entry;
                predicate.kind = Implementation::Builtin(number);
            }
        }
    }
}
