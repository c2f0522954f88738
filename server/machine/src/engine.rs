//! The loop.
//!
//! One function runs linked instructions until a solution, the end, an uncaught exception or a limit. It has a type parameter for
//! counting, so that the fast loop does not even ask whether to count.

use std::cmp::Ordering;

use costlens_events::code::TypeTest;

use crate::atoms;
use crate::cell::{Cell, Tag};
use crate::control;
use crate::copy::Stored;
use crate::count::Counts;
use crate::error::{Limit, Throw};
use crate::link::Switch;
use crate::machine::Machine;
use crate::number::{self, Function, Number};
use crate::op::{Access, FAILS, Op, Operand, OperandView, Relation};
use crate::store::View;

/// Why the loop stopped.
#[derive(Debug)]
pub(crate) enum Stop {
    Solution,
    Exhausted,
    Uncaught(Stored),
    Limit(Limit),
}

/// How often the loop looks at limits other than in the instructions themselves: every so many calls.
const LOOK_EVERY: u64 = 4096;

impl Machine {
    /// Runs from an address.
    pub(crate) fn run(&mut self, from: usize) -> Stop {
        if self.counting {
            self.run_counting::<true>(from)
        } else {
            self.run_counting::<false>(from)
        }
    }

    #[expect(
        clippy::too_many_lines,
        reason = "one arm for each instruction; calls between them would cost"
    )]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "limits keep every stack below 2^32 words"
    )]
    fn run_counting<const COUNT: bool>(&mut self, from: usize) -> Stop {
        let mut pc = from;
        // The structure pointer, and whether a structure is being written.
        let mut s = 0_usize;
        let mut write = false;

        macro_rules! fail {
            () => {{
                if COUNT {
                    Counts::bump(&mut self.counts.failed, pc);
                    self.count_backtracking();
                }
                pc = self.backtrack();
                continue;
            }};
        }
        // A test: goes on where it holds, else fails or continues at a label.
        macro_rules! branch {
            ($holds:expr, $otherwise:expr) => {
                if $holds {
                    pc += 1;
                } else if $otherwise == FAILS {
                    fail!();
                } else {
                    if COUNT {
                        Counts::bump(&mut self.counts.failed, pc);
                    }
                    pc = $otherwise as usize;
                }
            };
        }
        macro_rules! throw {
            ($throw:expr, $context:expr) => {{
                let (throw, context) = ($throw, $context);
                match self.raise(throw, context) {
                    Ok(next) => {
                        pc = next;
                        continue;
                    }
                    Err(stop) => return stop,
                }
            }};
        }
        macro_rules! enter {
            ($predicate:expr) => {{
                self.fuel -= 1;
                if self.fuel == 0
                    && let Err(limit) = self.look_at_limits()
                {
                    return Stop::Limit(limit);
                }
                self.b0 = self.choices.len();
                let predicate = &self.predicates[$predicate as usize];
                if COUNT {
                    Counts::bump(&mut self.counts.calls, $predicate as usize);
                }
                pc = predicate.entry as usize;
            }};
        }
        // Binds a variable's cell that `deref` found.
        macro_rules! unify_or_fail {
            ($a:expr, $b:expr) => {{
                let (a, b) = ($a, $b);
                if !self.store.unify(a, b) {
                    fail!();
                }
                pc += 1;
            }};
        }
        macro_rules! arithmetic {
            ($a:expr, $b:expr, $to:expr, $small:ident, $function:expr) => {{
                let (a, b) = (self.operand($a), self.operand($b));
                if a.both_small(b)
                    && let Some(value) = a.as_small().$small(b.as_small())
                    && let Some(cell) = Cell::integer(value)
                {
                    self.x[$to as usize] = cell;
                    pc += 1;
                } else {
                    match self.arithmetic($function, &[a, b]) {
                        Ok(cell) => {
                            self.x[$to as usize] = cell;
                            pc += 1;
                        }
                        Err(error) => throw!(error, self.context(pc)),
                    }
                }
            }};
        }

        loop {
            let op = self.code[pc];
            if COUNT {
                Counts::bump(&mut self.counts.executed, pc);
            }
            match op {
                // --- heads ---------------------------------------------------------------------------------------
                Op::GetVariableX(v, a) => {
                    self.x[v as usize] = self.x[a as usize];
                    pc += 1;
                }
                Op::GetVariableY(v, a) => {
                    self.set_slot(v, self.x[a as usize]);
                    pc += 1;
                }
                Op::GetValueX(v, a) => unify_or_fail!(self.x[v as usize], self.x[a as usize]),
                Op::GetValueY(v, a) => unify_or_fail!(self.slot(v), self.x[a as usize]),
                Op::GetAtomic(c, a) => {
                    let cell = self.fetch_counting::<COUNT>(self.x[a as usize]);
                    if cell == c {
                    } else if cell.is_reference() {
                        self.store.bind(cell.address(), c);
                    } else {
                        fail!();
                    }
                    pc += 1;
                }
                Op::GetBoxed(c, a) => unify_or_fail!(c, self.x[a as usize]),
                Op::GetList(a) => {
                    let cell = self.fetch_counting::<COUNT>(self.x[a as usize]);
                    if cell.tag() == Tag::List {
                        s = cell.address();
                        write = false;
                    } else if cell.is_reference() {
                        let list = Cell::list(self.store.heap.len());
                        self.store.bind(cell.address(), list);
                        write = true;
                    } else {
                        fail!();
                    }
                    pc += 1;
                }
                Op::GetListVariables(a, head, tail) => {
                    let cell = self.store.deref(self.x[a as usize]);
                    if cell.tag() == Tag::List {
                        let at = cell.address();
                        self.x[head as usize] = self.store.heap[at];
                        self.x[tail as usize] = self.store.heap[at + 1];
                    } else if cell.is_reference() {
                        let at = self.store.heap.len();
                        let (h, t) = (Cell::reference(at), Cell::reference(at + 1));
                        self.store.heap.extend_from_slice(&[h, t]);
                        self.store.bind(cell.address(), Cell::list(at));
                        self.x[head as usize] = h;
                        self.x[tail as usize] = t;
                    } else {
                        fail!();
                    }
                    pc += 1;
                }
                Op::GetListValueVariable(a, head, tail) => {
                    let cell = self.store.deref(self.x[a as usize]);
                    if cell.is_reference() {
                        let at = self.store.heap.len();
                        let t = Cell::reference(at + 1);
                        self.store
                            .heap
                            .extend_from_slice(&[self.x[head as usize], t]);
                        self.store.bind(cell.address(), Cell::list(at));
                        self.x[tail as usize] = t;
                    } else if cell.tag() == Tag::List {
                        let at = cell.address();
                        let own = self.store.heap[at];
                        if !self.store.unify(self.x[head as usize], own) {
                            fail!();
                        }
                        self.x[tail as usize] = self.store.heap[at + 1];
                    } else {
                        fail!();
                    }
                    pc += 1;
                }
                Op::GetStructure(f, a) => {
                    let cell = self.fetch_counting::<COUNT>(self.x[a as usize]);
                    if cell.tag() == Tag::Structure && self.store.heap[cell.address()] == f {
                        s = cell.address() + 1;
                        write = false;
                    } else if cell.is_reference() {
                        let structure = Cell::structure(self.store.push(f));
                        self.store.bind(cell.address(), structure);
                        write = true;
                    } else {
                        fail!();
                    }
                    pc += 1;
                }
                Op::UnifyVariableX(v) => {
                    self.x[v as usize] = if write {
                        self.store.variable()
                    } else {
                        s += 1;
                        self.store.heap[s - 1]
                    };
                    pc += 1;
                }
                Op::UnifyVariableY(v) => {
                    let cell = if write {
                        self.store.variable()
                    } else {
                        s += 1;
                        self.store.heap[s - 1]
                    };
                    self.set_slot(v, cell);
                    pc += 1;
                }
                Op::UnifyValueX(v) => {
                    let cell = self.x[v as usize];
                    if write {
                        self.store.heap.push(cell);
                    } else {
                        s += 1;
                        if !self.store.unify(cell, self.store.heap[s - 1]) {
                            fail!();
                        }
                    }
                    pc += 1;
                }
                Op::UnifyValueY(v) => {
                    let cell = self.slot(v);
                    if write {
                        self.store.heap.push(cell);
                    } else {
                        s += 1;
                        if !self.store.unify(cell, self.store.heap[s - 1]) {
                            fail!();
                        }
                    }
                    pc += 1;
                }
                Op::UnifyAtomic(c) => {
                    if write {
                        self.store.heap.push(c);
                    } else {
                        let cell = self.fetch_counting::<COUNT>(self.store.heap[s]);
                        s += 1;
                        if cell == c {
                        } else if cell.is_reference() {
                            self.store.bind(cell.address(), c);
                        } else {
                            fail!();
                        }
                    }
                    pc += 1;
                }
                Op::UnifyBoxed(c) => {
                    if write {
                        self.store.heap.push(c);
                    } else {
                        s += 1;
                        if !self.store.unify(c, self.store.heap[s - 1]) {
                            fail!();
                        }
                    }
                    pc += 1;
                }
                Op::UnifyVoid(n) => {
                    if write {
                        for _ in 0..n {
                            self.store.variable();
                        }
                    } else {
                        s += n as usize;
                    }
                    pc += 1;
                }
                Op::UnifyList => {
                    if write {
                        let next = self.store.heap.len() + 1;
                        self.store.heap.push(Cell::list(next));
                    } else {
                        let cell = self.fetch_counting::<COUNT>(self.store.heap[s]);
                        if cell.tag() == Tag::List {
                            s = cell.address();
                        } else if cell.is_reference() {
                            let list = Cell::list(self.store.heap.len());
                            self.store.bind(cell.address(), list);
                            write = true;
                        } else {
                            fail!();
                        }
                    }
                    pc += 1;
                }
                Op::UnifyStructure(f) => {
                    if write {
                        let next = self.store.heap.len() + 1;
                        self.store.heap.push(Cell::structure(next));
                        self.store.heap.push(f);
                    } else {
                        let cell = self.fetch_counting::<COUNT>(self.store.heap[s]);
                        if cell.tag() == Tag::Structure && self.store.heap[cell.address()] == f {
                            s = cell.address() + 1;
                        } else if cell.is_reference() {
                            let structure = Cell::structure(self.store.push(f));
                            self.store.bind(cell.address(), structure);
                            write = true;
                        } else {
                            fail!();
                        }
                    }
                    pc += 1;
                }

                // --- bodies --------------------------------------------------------------------------------------
                Op::PutVariableX(v, a) => {
                    let cell = self.store.variable();
                    self.x[v as usize] = cell;
                    self.x[a as usize] = cell;
                    pc += 1;
                }
                Op::PutVariableY(v, a) => {
                    let cell = self.store.variable();
                    self.set_slot(v, cell);
                    self.x[a as usize] = cell;
                    pc += 1;
                }
                Op::PutValueX(v, a) => {
                    self.x[a as usize] = self.x[v as usize];
                    pc += 1;
                }
                Op::PutValueY(v, a) => {
                    self.x[a as usize] = self.slot(v);
                    pc += 1;
                }
                Op::PutConstant(c, a) => {
                    self.x[a as usize] = c;
                    pc += 1;
                }
                Op::PutList(a) => {
                    self.x[a as usize] = Cell::list(self.store.heap.len());
                    pc += 1;
                }
                Op::PutStructure(f, a) => {
                    self.x[a as usize] = Cell::structure(self.store.push(f));
                    pc += 1;
                }
                Op::SetVariableX(v) => {
                    self.x[v as usize] = self.store.variable();
                    pc += 1;
                }
                Op::SetVariableY(v) => {
                    let cell = self.store.variable();
                    self.set_slot(v, cell);
                    pc += 1;
                }
                Op::SetValueX(v) => {
                    self.store.heap.push(self.x[v as usize]);
                    pc += 1;
                }
                Op::SetValueY(v) => {
                    let cell = self.slot(v);
                    self.store.heap.push(cell);
                    pc += 1;
                }
                Op::SetConstant(c) => {
                    self.store.heap.push(c);
                    pc += 1;
                }
                Op::SetVoid(n) => {
                    for _ in 0..n {
                        self.store.variable();
                    }
                    pc += 1;
                }
                Op::SetList => {
                    let next = self.store.heap.len() + 1;
                    self.store.heap.push(Cell::list(next));
                    pc += 1;
                }
                Op::SetStructure(f) => {
                    let next = self.store.heap.len() + 1;
                    self.store.heap.push(Cell::structure(next));
                    self.store.heap.push(f);
                    pc += 1;
                }

                // --- calls ---------------------------------------------------------------------------------------
                Op::Allocate(n) => {
                    self.allocate(n as usize);
                    pc += 1;
                }
                Op::Deallocate => {
                    self.deallocate();
                    pc += 1;
                }
                Op::Call(predicate, _) => {
                    self.cp = pc + 1;
                    enter!(predicate);
                }
                Op::Execute(predicate) => enter!(predicate),
                Op::Proceed => pc = self.cp,
                Op::Builtin(number, arity) => match self.builtin_in_place(number, arity) {
                    Ok(true) => pc += 1,
                    Ok(false) => fail!(),
                    Err(error) => throw!(error, self.builtin_functors[number as usize]),
                },
                Op::ExecuteBuiltin(number, arity) => match self.builtin_in_place(number, arity) {
                    Ok(true) => pc = self.cp,
                    Ok(false) => fail!(),
                    Err(error) => throw!(error, self.builtin_functors[number as usize]),
                },

                // --- cuts and choices ----------------------------------------------------------------------------
                Op::NeckCut => {
                    self.cut_to(self.b0);
                    pc += 1;
                }
                Op::GetLevelX(v) => {
                    self.x[v as usize] = Cell::small(self.b0 as i64);
                    pc += 1;
                }
                Op::GetLevelY(v) => {
                    self.set_slot(v, Cell::small(self.b0 as i64));
                    pc += 1;
                }
                Op::GetChoiceX(v) => {
                    self.x[v as usize] = Cell::small(self.choices.len() as i64);
                    pc += 1;
                }
                Op::GetChoiceY(v) => {
                    self.set_slot(v, Cell::small(self.choices.len() as i64));
                    pc += 1;
                }
                Op::CutX(v) => {
                    self.cut_to(self.x[v as usize].as_small() as usize);
                    pc += 1;
                }
                Op::CutY(v) => {
                    self.cut_to(self.slot(v).as_small() as usize);
                    pc += 1;
                }
                Op::SoftCutX(v) => {
                    self.soft_cut(self.x[v as usize].as_small() as usize);
                    pc += 1;
                }
                Op::SoftCutY(v) => {
                    self.soft_cut(self.slot(v).as_small() as usize);
                    pc += 1;
                }
                Op::TryElse(alternative, slots) => {
                    let top = (self.e + crate::frames::HEADER + slots as usize).max(self.env_top());
                    self.push_choice_above(alternative as usize, 0, top, self.b0);
                    pc += 1;
                }
                Op::RetryElse(alternative) => {
                    self.set_alternative(alternative as usize);
                    pc += 1;
                }
                Op::TrustElse => {
                    self.drop_choice();
                    pc += 1;
                }
                Op::Jump(to) => pc = to as usize,
                Op::Fail => fail!(),

                // --- tests and arithmetic ------------------------------------------------------------------------
                Op::TestTypeX(test, v, otherwise) => {
                    branch!(self.type_test(test, self.x[v as usize]), otherwise)
                }
                Op::TestTypeY(test, v, otherwise) => {
                    branch!(self.type_test(test, self.slot(v)), otherwise)
                }
                Op::TestNumbers(relation, a, b, otherwise) => {
                    let (a, b) = (self.operand(a), self.operand(b));
                    let holds = if a.both_small(b) {
                        relation.holds(a.as_small(), b.as_small())
                    } else {
                        match self.compare_numbers(relation, a, b) {
                            Ok(holds) => holds,
                            Err(error) => throw!(error, self.context(pc)),
                        }
                    };
                    branch!(holds, otherwise)
                }
                Op::TestTerms(relation, a, b, otherwise) => {
                    let (a, b) = (self.operand(a), self.operand(b));
                    let order = self.store.compare(a, b);
                    branch!(relation.holds(order, Ordering::Equal), otherwise)
                }
                Op::NotUnifiable(a, b, otherwise) => {
                    let (a, b) = (self.operand(a), self.operand(b));
                    branch!(
                        !self.store.tentatively(|store| store.unify(a, b)),
                        otherwise
                    )
                }
                Op::TestUnifyX(c, v, otherwise) => {
                    branch!(self.unify_constant(c, self.x[v as usize]), otherwise)
                }
                Op::TestUnifyY(c, v, otherwise) => {
                    branch!(self.unify_constant(c, self.slot(v)), otherwise)
                }
                Op::AddX(a, b, to) => arithmetic!(a, b, to, checked_add, Function::Add),
                Op::SubtractX(a, b, to) => arithmetic!(a, b, to, checked_sub, Function::Subtract),
                Op::MultiplyX(a, b, to) => arithmetic!(a, b, to, checked_mul, Function::Multiply),
                Op::ArithmeticX(function, a, b, to) => {
                    let operands = [self.operand(a), self.operand(b)];
                    let arity = function.functor().1;
                    match self.arithmetic(function, &operands[..arity]) {
                        Ok(cell) => {
                            self.x[to as usize] = cell;
                            pc += 1;
                        }
                        Err(error) => throw!(error, self.context(pc)),
                    }
                }
                Op::Arithmetic3(function, to) => {
                    let Op::Operands(a, b, c) = self.code[pc + 1] else {
                        fail!();
                    };
                    let operands = [self.operand(a), self.operand(b), self.operand(c)];
                    match self.arithmetic(function, &operands) {
                        Ok(cell) => {
                            self.x[to as usize] = cell;
                            pc += 2;
                        }
                        Err(error) => throw!(error, self.context(pc)),
                    }
                }
                Op::Operands(..) => pc += 1,
                Op::EvaluateX(operand, to) => {
                    let cell = self.store.deref(self.operand(operand));
                    if cell.is_small() {
                        self.x[to as usize] = cell;
                        pc += 1;
                    } else {
                        let value = self
                            .evaluate(cell)
                            .and_then(|number| self.store.number_cell_within_limits(number));
                        match value {
                            Ok(number) => {
                                self.x[to as usize] = number;
                                pc += 1;
                            }
                            Err(error) => throw!(error, self.context(pc)),
                        }
                    }
                }
                Op::NotEvaluable(functor) => {
                    let error = self.not_evaluable(functor);
                    throw!(error, self.context(pc))
                }
                Op::StoreY(v, a) => {
                    self.set_slot(v, self.x[a as usize]);
                    pc += 1;
                }

                // --- choosing clauses ----------------------------------------------------------------------------
                Op::Try(arity, clause) => {
                    self.push_choice(pc + 1, arity as usize);
                    pc = clause as usize;
                }
                Op::Retry(clause) => {
                    self.set_alternative(pc + 1);
                    pc = clause as usize;
                }
                Op::Trust(clause) => {
                    self.drop_choice();
                    pc = clause as usize;
                }
                Op::Switch(table) => {
                    let cell = self.fetch_counting::<COUNT>(self.x[0]);
                    pc = self.switches[table as usize].choose(cell, &self.store) as usize;
                    if COUNT && pc == FAILS as usize {
                        self.counts.switch_failures += 1;
                    }
                }
                Op::Dynamic(predicate) => match self.call_dynamic(predicate, Access::Call) {
                    Some(next) => pc = next,
                    None => fail!(),
                },
                Op::RetryDynamic => match self.retry_dynamic() {
                    Some(next) => pc = next,
                    None => fail!(),
                },
                Op::Clauses(access) => match self.clauses(access) {
                    Ok(Some(next)) => pc = next,
                    Ok(None) => fail!(),
                    Err(error) => throw!(error, control::functor_of(&mut self.store, access)),
                },

                // --- the engine's own ----------------------------------------------------------------------------
                Op::Entered(clause) => {
                    Counts::bump(&mut self.counts.entered, clause as usize);
                    pc += 1;
                }
                Op::Step(clause) => {
                    Counts::bump(&mut self.counts.steps, clause as usize);
                    pc += 1;
                }
                Op::Undefined(predicate) => {
                    let error = self.unknown_procedure(predicate);
                    throw!(error, Cell::small(0))
                }
                Op::CallN(arity) => match self.call_n(arity as usize) {
                    Ok(control::Target::Address(next)) => pc = next,
                    Ok(control::Target::Predicate(predicate)) => enter!(predicate),
                    Err(error) => throw!(error, self.call_functor(arity as usize)),
                },
                Op::Body => match self.body() {
                    Ok(control::Target::Address(next)) => pc = next,
                    Ok(control::Target::Predicate(predicate)) => enter!(predicate),
                    Err(error) => throw!(error, self.call_functor(1)),
                },
                Op::Control(functor) => {
                    let arity = functor.functor_arity();
                    let args: Vec<Cell> = self.x[..arity].to_vec();
                    self.x[0] = self.store.compound_or_atom(functor.functor_name(), &args);
                    pc = control::CALL_1;
                }
                Op::CallAddress(to, _) => {
                    self.cp = pc + 1;
                    pc = to as usize;
                }
                Op::PushCatch(level) => {
                    self.x[3] = Cell::small(self.findalls.len() as i64);
                    self.set_slot(level, Cell::small(self.choices.len() as i64));
                    let top = (self.e + crate::frames::HEADER + 1).max(self.env_top());
                    self.push_choice_above(control::CATCH, 4, top, self.b0);
                    pc += 1;
                }
                Op::PopCatch(level) => {
                    if self.choices.len() == self.slot(level).as_small() as usize + 1 {
                        self.drop_choice();
                    }
                    pc += 1;
                }
                Op::DropAndFail => {
                    self.drop_choice();
                    fail!();
                }
                Op::Solution => return Stop::Solution,
                Op::Exhausted => return Stop::Exhausted,
                Op::NoMatchingRule(predicate) => {
                    let error = self.no_matching_rule(predicate);
                    throw!(error, Cell::small(0))
                }
            }
        }
    }

    #[inline]
    fn fetch_counting<const COUNT: bool>(&mut self, cell: Cell) -> Cell {
        if COUNT {
            return self.deref_counting(cell);
        }
        self.store.deref(cell)
    }

    #[inline]
    fn operand(&self, operand: Operand) -> Cell {
        let cell = match operand.view() {
            OperandView::X(n) => self.x[n as usize],
            OperandView::Y(n) => self.slot(n),
            OperandView::Small(n) => return Cell::small(i64::from(n)),
            OperandView::Constant(n) => return self.constants[n],
        };
        self.store.deref(cell)
    }

    /// Unifies with a constant; where it does not hold, nothing is bound.
    #[inline]
    fn unify_constant(&mut self, constant: Cell, cell: Cell) -> bool {
        let cell = self.store.deref(cell);
        if cell.is_reference() {
            self.store.bind(cell.address(), constant);
            return true;
        }
        cell == constant
            || cell.tag() == Tag::Boxed
                && constant.tag() == Tag::Boxed
                && self.store.same_box(cell, constant)
    }

    #[inline]
    fn builtin_in_place(&mut self, number: u32, arity: u8) -> Result<bool, Throw> {
        let builtin = self.builtin_code[number as usize];
        let mut args = [Cell::small(0); crate::machine::MAX_BUILTIN_ARITY];
        let arity = arity as usize;
        args[..arity].copy_from_slice(&self.x[..arity]);
        builtin(self, &args[..arity])
    }

    /// A function of operands that need not be numbers yet.
    fn arithmetic(&mut self, function: Function, operands: &[Cell]) -> Result<Cell, Throw> {
        let value = match operands {
            [a] => function.unary(&self.evaluate(*a)?),
            [a, b] => {
                // The right operand first, as SWI-Prolog does.
                let y = self.evaluate(*b)?;
                let x = self.evaluate(*a)?;
                if let (Number::Small(x), Number::Small(y)) = (&x, &y)
                    && let Some(value) = small(function, *x, *y)
                {
                    return Ok(self.store.integer(value));
                }
                function.binary(&x, &y)
            }
            _ => {
                let mut numbers = Vec::with_capacity(operands.len());
                for &operand in operands {
                    numbers.push(self.evaluate(operand)?);
                }
                function.apply(&numbers)
            }
        };
        match value {
            Ok(number) => self.store.number_cell_within_limits(number),
            Err(error) => Err(self.store.arithmetic_error(error)),
        }
    }

    #[cold]
    fn compare_numbers(&mut self, relation: Relation, a: Cell, b: Cell) -> Result<bool, Throw> {
        let x = self.evaluate(a)?;
        let y = self.evaluate(b)?;
        Ok(match number::compare(&x, &y) {
            Some(order) => relation.holds(order, Ordering::Equal),
            // Not a number: unequal to everything.
            None => relation == Relation::NotEqual,
        })
    }

    #[inline]
    fn type_test(&self, test: TypeTest, cell: Cell) -> bool {
        let cell = self.store.deref(cell);
        match test {
            TypeTest::Var => cell.is_reference(),
            TypeTest::Nonvar => !cell.is_reference(),
            TypeTest::Atom => cell.tag() == Tag::Atom && cell != Cell::atom(atoms::NIL),
            TypeTest::Atomic => {
                matches!(cell.tag(), Tag::Atom | Tag::Integer | Tag::Boxed)
            }
            TypeTest::Compound => matches!(cell.tag(), Tag::List | Tag::Structure),
            TypeTest::Callable => {
                matches!(cell.tag(), Tag::Atom | Tag::List | Tag::Structure)
                    && cell != Cell::atom(atoms::NIL)
            }
            TypeTest::Integer => cell.is_small() || matches!(self.store.view(cell), View::Big(_)),
            TypeTest::Number => {
                cell.is_small()
                    || matches!(
                        self.store.view(cell),
                        View::Big(_) | View::Rational(_) | View::Float(_)
                    )
            }
            TypeTest::Float => matches!(self.store.view(cell), View::Float(_)),
            TypeTest::Rational => {
                cell.is_small() || matches!(self.store.view(cell), View::Big(_) | View::Rational(_))
            }
            TypeTest::String => matches!(self.store.view(cell), View::String(_)),
            TypeTest::IsList => self.store.is_proper_list(cell),
            TypeTest::Ground => self.store.is_ground(cell),
        }
    }

    /// Fills up what may be spent until the next look, or says what is used up.
    #[cold]
    fn look_at_limits(&mut self) -> Result<(), Limit> {
        if self.interrupt.0.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Limit::Time);
        }
        if self.memory() > self.limits.cells {
            return Err(Limit::Memory);
        }
        match &mut self.steps_left {
            None => self.fuel = LOOK_EVERY,
            Some(0) => return Err(Limit::Steps),
            Some(left) => {
                self.fuel = LOOK_EVERY.min(*left);
                *left -= self.fuel;
            }
        }
        Ok(())
    }

    /// Cells in use: heap, stacks and stored terms.
    #[must_use]
    pub fn memory(&self) -> usize {
        let environments = self.env_top();
        self.store.heap.len()
            + self.store.boxed_cells()
            + self.store.atoms.cells()
            + self.store.trail.len()
            + environments
            + self.choices.len() * 5
            + self.saved.len()
            + self.stored_cells
    }
}

/// Functions of small integers that need no big ones.
fn small(function: Function, x: i64, y: i64) -> Option<i64> {
    match function {
        Function::IntegerDivide if y != 0 => x.checked_div(y),
        Function::Rem if y != 0 => x.checked_rem(y),
        Function::Mod if y > 0 => Some(x.rem_euclid(y)),
        Function::And => Some(x & y),
        Function::Or => Some(x | y),
        Function::Xor => Some(x ^ y),
        Function::ShiftRight if (0..64).contains(&y) => Some(x >> y),
        Function::Min => Some(x.min(y)),
        Function::Max => Some(x.max(y)),
        _ => None,
    }
}

impl Switch {
    /// Where a call with this first argument goes.
    #[inline]
    pub(crate) fn choose(&self, cell: Cell, store: &crate::store::Store) -> u32 {
        match cell.tag() {
            Tag::List => self.list,
            Tag::Reference => self.variable,
            Tag::Atom | Tag::Integer => self.constant(cell),
            Tag::Structure => self.structure(store.heap[cell.address()]),
            _ => self
                .boxed
                .iter()
                .find(|(key, _)| store.same_box(*key, cell))
                .map_or(self.other, |&(_, address)| address),
        }
    }
}
