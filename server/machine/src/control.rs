//! Control that is not compiled into clauses: `call/N`, control constructs as terms, `catch/3` and exceptions.
//!
//! A control construct that is passed as a term is not compiled. Short code sequences at fixed addresses run its parts as goals, each with
//! the choice-point level to which its cuts return. A conjunction of a million goals therefore needs environments but no Rust stack.

use crate::atoms::{self, Atom};
use crate::cell::{Cell, MAX_ARITY, Tag};
use crate::centres::ACTIVATION_SLOTS;
use crate::copy::Stored;
use crate::engine::Stop;
use crate::error::Throw;
use crate::machine::Machine;
use crate::op::{Access, Address, Op};
use crate::ports::{EXIT_SLOTS, Owner};
use crate::store::{Store, View};

/// Where a goal continues.
pub(crate) enum Continuation {
    Address(usize),
    Predicate(u32),
}

/// The fixed code sequences, each with its address.
macro_rules! pieces {
    ($($(#[$doc:meta])* $name:ident: [$($op:expr),* $(,)?];)*) => {
        pieces!(@addresses 0; $($(#[$doc])* $name: [$($op),*];)*);
        /// Returns the fixed code sequences, with which every machine's code begins.
        pub(crate) fn pieces() -> Vec<Op> {
            let mut code = Vec::new();
            $(debug_assert_eq!(code.len(), $name); code.extend([$($op),*]);)*
            code
        }
    };
    (@addresses $at:expr; ) => {};
    (@addresses $at:expr; $(#[$doc:meta])* $name:ident: [$($op:expr),*]; $($rest:tt)*) => {
        $(#[$doc])*
        pub(crate) const $name: usize = $at;
        pieces!(@addresses $at + pieces!(@count $($op),*); $($rest)*);
    };
    (@count $($op:expr),*) => { <[()]>::len(&[$(pieces!(@unit $op)),*]) };
    (@unit $op:expr) => { () };
}

#[expect(clippy::cast_possible_truncation, reason = "small constants")]
const fn address(of: usize) -> Address {
    of as Address
}

pieces! {
    /// Address 0, the target of failing tests without an alternative.
    FAIL: [Op::Fail];
    /// The end of a query that has found a solution.
    SOLUTION: [Op::Solution];
    /// The alternative of a query's first choice point.
    EXHAUSTED: [Op::Exhausted];
    /// The alternative of a `catch/3`, or of a choice point whose alternatives are used up.
    CATCH: [Op::DropAndFail];
    USED_UP: [Op::DropAndFail];
    /// The goal in X0, opaque to cuts.
    CALL_1: [Op::CallN(1)];
    /// The goal in X0. Cuts in it return to the level in X1.
    BODY: [Op::Body];
    RETRY_DYNAMIC: [Op::RetryDynamic];
    /// `X0, X1` under the level X2.
    CONJUNCTION: [
        Op::Allocate(2),
        Op::GetVariableY(0, 1),
        Op::GetVariableY(1, 2),
        Op::GetVariableX(1, 2),
        Op::CallAddress(address(BODY), 2),
        Op::PutValueY(0, 0),
        Op::PutValueY(1, 1),
        Op::Deallocate,
        Op::Jump(address(BODY)),
    ];
    /// `(X0 -> X1 ; X2)` under the level X3.
    IF_THEN_ELSE: [
        Op::Allocate(4),
        Op::GetVariableY(0, 1),
        Op::GetVariableY(1, 2),
        Op::GetVariableY(2, 3),
        Op::GetChoiceY(3),
        Op::TryElse(address(IF_THEN_ELSE + 13), 4),
        Op::GetChoiceX(1),
        Op::CallAddress(address(BODY), 4),
        Op::CutY(3),
        Op::PutValueY(0, 0),
        Op::PutValueY(2, 1),
        Op::Deallocate,
        Op::Jump(address(BODY)),
        Op::TrustElse,
        Op::PutValueY(1, 0),
        Op::PutValueY(2, 1),
        Op::Deallocate,
        Op::Jump(address(BODY)),
    ];
    /// `(X0 *-> X1 ; X2)` under the level X3.
    SOFT_IF_THEN_ELSE: [
        Op::Allocate(4),
        Op::GetVariableY(0, 1),
        Op::GetVariableY(1, 2),
        Op::GetVariableY(2, 3),
        Op::TryElse(address(SOFT_IF_THEN_ELSE + 13), 4),
        Op::GetChoiceY(3),
        Op::GetChoiceX(1),
        Op::CallAddress(address(BODY), 4),
        Op::SoftCutY(3),
        Op::PutValueY(0, 0),
        Op::PutValueY(2, 1),
        Op::Deallocate,
        Op::Jump(address(BODY)),
        Op::TrustElse,
        Op::PutValueY(1, 0),
        Op::PutValueY(2, 1),
        Op::Deallocate,
        Op::Jump(address(BODY)),
    ];
    /// `X0 ; X1` under the level X2.
    DISJUNCTION: [
        Op::Allocate(2),
        Op::GetVariableY(0, 1),
        Op::GetVariableY(1, 2),
        Op::TryElse(address(DISJUNCTION + 7), 2),
        Op::GetVariableX(1, 2),
        Op::Deallocate,
        Op::Jump(address(BODY)),
        Op::TrustElse,
        Op::PutValueY(0, 0),
        Op::PutValueY(1, 1),
        Op::Deallocate,
        Op::Jump(address(BODY)),
    ];
    /// `\+ X0`.
    NEGATION: [
        Op::Allocate(1),
        Op::GetChoiceY(0),
        Op::TryElse(address(NEGATION + 7), 1),
        Op::GetChoiceX(1),
        Op::CallAddress(address(BODY), 1),
        Op::CutY(0),
        Op::Fail,
        Op::TrustElse,
        Op::Deallocate,
        Op::Proceed,
    ];
    /// `catch(X0, X1, X2)`.
    CATCH_3: [
        Op::Allocate(1),
        Op::PushCatch(0),
        Op::CallAddress(address(CALL_1), 1),
        Op::PopCatch(0),
        Op::Deallocate,
        Op::Proceed,
    ];
    /// The continuation of a last call while ports are counted. It counts the caller's exit.
    PORT_EXIT: [
        Op::CallAddress(address(FAIL), EXIT_SLOTS as u32),
        Op::PortExit,
    ];
    /// A query with its goal in X0.
    QUERY: [
        Op::CallAddress(address(CALL_1), 0),
        Op::Solution,
    ];
    /// A query with its goal in X0 while a profile is taken. Its environment is the remainder's, which belongs to no cost centre.
    PROFILED_QUERY: [
        Op::CallAddress(address(CALL_1), ACTIVATION_SLOTS as u32),
        Op::Solution,
    ];
    /// The continuation of a cost centre's call, in its environment.
    CENTRE_EXIT: [
        Op::CallAddress(address(FAIL), ACTIVATION_SLOTS as u32),
        Op::LeaveCentre,
    ];
    /// `cost_center(X0, X1)`.
    LITERAL: [Op::EnterLiteral];
}

/// Records which code sequences have an environment, for counting ports.
pub(crate) fn note_pieces(machine: &mut Machine) {
    let mut environment = false;
    for at in 0..machine.code.len() {
        let op = machine.code[at];
        // The choice points of catch/3 and of soft cuts, and code after a `deallocate` and a jump.
        let there = environment || matches!(at, CATCH | USED_UP) || matches!(op, Op::TrustElse);
        let owner = Owner {
            environment: there,
            ..Owner::NONE
        };
        if machine.counting {
            machine.owners.push(owner);
        }
        environment = match op {
            Op::Allocate(_) => true,
            Op::Deallocate => false,
            _ => there && (!op.leaves() || matches!(op, Op::CallAddress(..))),
        };
    }
}

/// Predicates implemented by a fixed code sequence.
pub(crate) const FIXED: &[(&str, usize, usize)] = &[
    ("catch", 3, CATCH_3),
    ("cost_center", 2, LITERAL),
    // Predictions read these annotations. A run calls the goal in the first argument.
    ("cost_depends", 2, CALL_1),
    ("cost_independent", 1, CALL_1),
];

/// Returns the built-in named by errors in `clause/2` or `retract/1`.
pub(crate) fn functor_of(store: &mut Store, access: Access) -> Cell {
    match access {
        Access::Retract => Cell::functor(store.atoms.intern("retract"), 1),
        _ => Cell::functor(store.atoms.intern("clause"), 2),
    }
}

impl Machine {
    pub(crate) fn call_functor(&self, arity: usize) -> Cell {
        Cell::functor(atoms::CALL, arity)
    }

    /// Returns the functor named by errors at an inline instruction.
    pub(crate) fn context(&self, pc: usize) -> Cell {
        self.contexts.get(&pc).copied().unwrap_or(Cell::small(0))
    }

    /// Runs `call(X0, X1, …)`. A goal without control constructs continues as if called in place; in a control construct, cuts are local.
    pub(crate) fn call_n(&mut self, arity: usize) -> Result<Continuation, Throw> {
        let mut goal = self.store.deref(self.x[0]);
        goal = self.without_module(goal)?;
        let extra = arity - 1;
        let (name, own, first) = self.goal_parts(goal)?;
        let total = own + extra;
        if total > MAX_ARITY.min(self.x.len() - 1) {
            return Err(self.store.representation_error("max_procedure_arity"));
        }
        if extra == 0 && runs_as_pieces(name, own) {
            self.check_body(goal)?;
            self.x[0] = goal;
            self.x[1] = Cell::small(i64::try_from(self.choices.len()).unwrap_or(0));
            return Ok(Continuation::Address(BODY));
        }
        // Move the additional arguments to their registers after the goal's own.
        self.x.copy_within(1..=extra, own);
        for i in 0..own {
            self.x[i] = self.store.heap[first + i];
        }
        Ok(Continuation::Predicate(
            self.callable(Cell::functor(name, total)),
        ))
    }

    /// Runs the goal in X0, whose cuts return to the level in X1.
    pub(crate) fn body(&mut self) -> Result<Continuation, Throw> {
        let goal = self.store.deref(self.x[0]);
        let goal = self.without_module(goal)?;
        let level = self.x[1];
        let (name, arity, first) = self.goal_parts(goal)?;
        let argument = |n: usize| self.store.heap[first + n];
        match (name, arity) {
            (atoms::TRUE, 0) => return Ok(Continuation::Address(self.cp)),
            (atoms::CUT, 0) => {
                let level = usize::try_from(level.as_small()).unwrap_or(0);
                self.note_cut(level);
                self.cut_to(level);
                return Ok(Continuation::Address(self.cp));
            }
            (atoms::COMMA, 2) => {
                let (left, right) = (argument(0), argument(1));
                self.x[..3].copy_from_slice(&[left, right, level]);
                return Ok(Continuation::Address(CONJUNCTION));
            }
            (atoms::SEMICOLON | atoms::BAR, 2) => {
                let (left, right) = (self.store.deref(argument(0)), argument(1));
                if let View::Compound(name @ (atoms::ARROW | atoms::SOFT_ARROW), 2, inner) =
                    self.store.view(left)
                {
                    let (condition, then) = (self.store.cell(inner), self.store.cell(inner + 1));
                    self.x[..4].copy_from_slice(&[condition, then, right, level]);
                    let hard = name == atoms::ARROW;
                    return Ok(Continuation::Address(if hard {
                        IF_THEN_ELSE
                    } else {
                        SOFT_IF_THEN_ELSE
                    }));
                }
                self.x[..3].copy_from_slice(&[left, right, level]);
                return Ok(Continuation::Address(DISJUNCTION));
            }
            (atoms::ARROW, 2) => {
                let (condition, then) = (argument(0), argument(1));
                self.x[..4].copy_from_slice(&[condition, then, Cell::atom(atoms::FAIL), level]);
                return Ok(Continuation::Address(IF_THEN_ELSE));
            }
            (atoms::SOFT_ARROW, 2) => {
                let (condition, then) = (argument(0), argument(1));
                self.x[..4].copy_from_slice(&[condition, then, Cell::atom(atoms::FAIL), level]);
                return Ok(Continuation::Address(SOFT_IF_THEN_ELSE));
            }
            (atoms::NOT, 1) => {
                self.x[0] = argument(0);
                return Ok(Continuation::Address(NEGATION));
            }
            _ => {}
        }
        for i in 0..arity {
            self.x[i] = self.store.heap[first + i];
        }
        Ok(Continuation::Predicate(
            self.callable(Cell::functor(name, arity)),
        ))
    }

    /// Returns the name and arity of a goal, and the address of its arguments.
    fn goal_parts(&mut self, goal: Cell) -> Result<(Atom, usize, usize), Throw> {
        match goal.tag() {
            Tag::Structure => {
                let functor = self.store.heap[goal.address()];
                Ok((
                    functor.functor_name(),
                    functor.functor_arity(),
                    goal.address() + 1,
                ))
            }
            Tag::Atom => Ok((goal.as_atom(), 0, 0)),
            Tag::List => Ok((atoms::CONS, 2, goal.address())),
            Tag::Reference => Err(self.store.instantiation_error()),
            _ => Err(self.store.type_error("callable", goal)),
        }
    }

    /// Returns `G` for `M:G`, because a program has a single module on this machine.
    pub(crate) fn without_module(&mut self, mut goal: Cell) -> Result<Cell, Throw> {
        let mut budget = self.store.used();
        while let View::Compound(atoms::COLON, 2, first) = self.store.view(goal) {
            if self.store.is_variable(self.store.cell(first)) {
                return Err(self.store.instantiation_error());
            }
            if budget == 0 {
                return Err(self.store.type_error("callable", goal));
            }
            budget -= 1;
            goal = self.store.deref(self.store.cell(first + 1));
        }
        Ok(self.store.deref(goal))
    }

    /// Checks that the parts of control constructs can be goals: `call((fail, 1))` throws before any part runs.
    fn check_body(&mut self, goal: Cell) -> Result<(), Throw> {
        let mut stack = vec![goal];
        let mut budget = self.store.used();
        while let Some(top) = stack.pop() {
            match self.store.view(top) {
                View::Variable(_) | View::Atom(_) => {}
                View::Compound(name, arity, first) => {
                    if budget == 0 {
                        return Err(self.store.type_error("callable", goal));
                    }
                    budget -= 1;
                    if runs_as_pieces(name, arity) || (name, arity) == (atoms::COLON, 2) {
                        stack.extend((first..first + arity).map(|i| self.store.cell(i)));
                    }
                }
                _ => return Err(self.store.type_error("callable", goal)),
            }
        }
        Ok(())
    }

    /// Implements `soft_cut`: removes the alternative of the choice point with this number.
    pub(crate) fn soft_cut(&mut self, number: usize) {
        if number == self.choices.len() {
            self.drop_choice();
        } else if let Some(choice) = number
            .checked_sub(1)
            .and_then(|index| self.choices.get_mut(index))
        {
            // Every solution of the condition continues here.
            if choice.next != address(USED_UP) {
                // Keep the old alternative for counting ports, because it identifies the owner of the choice point. The level of cuts is no
                // longer needed.
                choice.b0 = choice.next;
                choice.next = address(USED_UP);
            }
        }
    }

    /// Finds the handler of an exception. Returns where to continue, or how the run ends.
    pub(crate) fn raise(&mut self, throw: Throw, context: Cell) -> Result<usize, Stop> {
        let ball = match throw {
            Throw::Limit(limit) => return Err(Stop::Limit(limit)),
            Throw::Ball(ball) => ball,
            Throw::Error {
                formal, message, ..
            } => self.error_term(formal, message, context),
        };
        // As in SWI-Prolog 9.0, nothing catches the exception of `halt/0,1`, and no cleanup runs.
        if self.is_halt(ball) {
            let ball = self.store.store(ball);
            self.choices.clear();
            return Err(Stop::Uncaught(ball));
        }
        // Undoing bindings would destroy the ball, so copy it first.
        let ball = self.store.store(ball);
        let mut env = self.e;
        while let Some(&choice) = self.choices.last() {
            if choice.next as usize == EXHAUSTED {
                return Err(Stop::Uncaught(ball));
            }
            if choice.next as usize == CATCH {
                // The goal of this catch/3 is still running if its environment is in the current continuation.
                while env > choice.e as usize {
                    env = usize::try_from(self.stack[env]).unwrap_or(0);
                }
                if env == choice.e as usize && self.catches(choice.saved as usize + 1, &ball) {
                    self.thrown_to(choice.activation);
                    if self.counting {
                        self.count_reclaimed();
                    }
                    self.backtrack();
                    self.drop_choice();
                    self.findalls
                        .truncate(usize::try_from(self.x[3].as_small()).unwrap_or(0));
                    let term = self.store.fetch(&ball);
                    self.store.unify(self.x[1], term);
                    self.deallocate();
                    self.x[0] = self.x[2];
                    return Ok(CALL_1);
                }
            }
            self.drop_choice();
        }
        Err(Stop::Uncaught(ball))
    }

    /// Returns true for `unwind(halt(Status))`.
    fn is_halt(&self, ball: Cell) -> bool {
        let View::Compound(atoms::UNWIND, 1, inner) = self.store.view(ball) else {
            return false;
        };
        let inner = Cell::reference(inner);
        matches!(self.store.view(inner), View::Compound(atoms::HALT, 1, _))
    }

    /// Unifies the catcher in a saved register with a ball, and returns whether they unify. As in SWI-Prolog, and unlike ISO/IEC 13211-1
    /// 7.8.9, the goal's bindings are still in place: `catch((X = 1, throw(2)), X, true)` does not catch.
    fn catches(&mut self, catcher: usize, ball: &Stored) -> bool {
        let catcher = self.saved[catcher];
        self.store.tentatively(|store| {
            let term = store.fetch(ball);
            store.unify(catcher, term)
        })
    }

    /// Builds `error(Formal, context(system:Name/Arity, Message))`.
    fn error_term(&mut self, formal: Cell, message: Option<Cell>, context: Cell) -> Cell {
        self.store
            .for_error(|store| error_with_context(store, formal, message, context))
    }

    pub(crate) fn unknown_procedure(&mut self, predicate: u32) -> Throw {
        let functor = self.predicates[predicate as usize].functor;
        let indicator = self
            .store
            .indicator(functor.functor_name(), functor.functor_arity());
        self.store
            .existence_error("procedure", indicator)
            .because(indicator)
    }

    /// Builds `existence_error(matching_rule, Head)`.
    pub(crate) fn no_matching_rule(&mut self, predicate: u32) -> Throw {
        let functor = self.predicates[predicate as usize].functor;
        let arguments = self.x[..functor.functor_arity()].to_vec();
        let head = self
            .store
            .compound_or_atom(functor.functor_name(), &arguments);
        self.store.existence_error("matching_rule", head)
    }
}

/// Builds `error(Formal, Context)`; `context` is the functor of the built-in that threw the error, if any.
fn error_with_context(
    store: &mut Store,
    formal: Cell,
    message: Option<Cell>,
    context: Cell,
) -> Cell {
    let context = match context.tag() {
        Tag::Functor => {
            let message = message.unwrap_or_else(|| store.variable());
            let indicator = store.indicator(context.functor_name(), context.functor_arity());
            let system = Cell::atom(atoms::SYSTEM);
            let indicator = store.compound(atoms::COLON, &[system, indicator]);
            store.compound(atoms::CONTEXT, &[indicator, message])
        }
        // An unknown procedure names itself.
        _ => message.unwrap_or_else(|| store.variable()),
    };
    store.compound(atoms::ERROR, &[formal, context])
}

/// Returns true for control constructs and the cut. As terms, they run by fixed code sequences, with a level to which cuts return.
pub(crate) fn runs_as_pieces(name: Atom, arity: usize) -> bool {
    match arity {
        0 => name == atoms::CUT,
        1 => name == atoms::NOT,
        2 => matches!(
            name,
            atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW
        ),
        _ => false,
    }
}
