//! The loop that runs linked instructions until a solution, the end of the search, an uncaught exception or a limit.
//!
//! The whole loop is one function (`run_watching`). A type parameter determines which counts are recorded ([`Watch`]), so that the fast
//! loop does not even test whether to count. From the top of the function:
//!
//! - macros shared by the instructions: jump (`go`), fail, throw, branch on a test, enter a predicate, and rows of instructions;
//! - *heads*: `get_…` and `unify_…`, which match or write an argument;
//! - *bodies*: `put_…` and `set_…`, which build the arguments of a call;
//! - *calls*: environments, `call`, last calls, `proceed`, inline built-ins;
//! - *cuts and choices*: cuts and the choice points of disjunctions;
//! - *tests and arithmetic*: conditional jumps, and `is/2` in registers;
//! - *choosing clauses*: the index and choice points over clauses, and clauses of dynamic predicates;
//! - *internal instructions*: undefined predicates, `call/N`, `catch/3`, ports, and the ends of a run.
//!
//! If nothing is recorded for single instructions ([`Watch::RUNS_ON`]), an instruction runs some likely successors itself: the selection
//! of clauses after a call, a row of moves, the arguments of a compound, a last call after `deallocate`. This saves the jump through the
//! table of instructions, which takes most of the time of a small instruction.
//!
//! Other modules: environments, choice points and backtracking in `frames`, heap and trail in `store`, unification in `unify`, calls to
//! built-ins and arithmetic in `inline`, meta-calls and exceptions in `control`, clauses of dynamic predicates in `database`, counts in
//! `count` and `ports`. `link` produces the instructions.

use std::cmp::Ordering;

use crate::cell::{Cell, Tag};
use crate::control;
use crate::copy::Stored;
use crate::error::Limit;
use crate::machine::Machine;
use crate::number::Function;
use crate::op::{Access, FAILS, Op};
use crate::watch::{self, Watch};

/// The reasons for which the loop stops.
#[derive(Debug)]
pub(crate) enum Stop {
    Solution,
    Exhausted,
    Uncaught(Stored),
    Limit(Limit),
}

impl Machine {
    /// Runs the code at an address.
    pub(crate) fn run(&mut self, from: usize) -> Stop {
        match self.centres.watched() {
            Some(true) if self.centres.low_level => self.run_watching::<watch::Heads>(from),
            Some(true) => self.run_watching::<watch::Events>(from),
            Some(false) => self.run_watching::<watch::Ports>(from),
            None if self.counting => self.run_watching::<watch::Counting>(from),
            None => self.run_watching::<watch::Plain>(from),
        }
    }

    /// Runs the code at an address, with or without watching. The function is long because it has one arm per instruction. All arms share
    /// the program counter and the structure pointer as local variables; calls between functions would be slower.
    #[expect(
        clippy::too_many_lines,
        reason = "one arm per instruction; calls between them would be slower"
    )]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "limits keep every stack below 2^32 words"
    )]
    fn run_watching<W: Watch>(&mut self, from: usize) -> Stop {
        let mut pc = from;
        if W::COUNT {
            self.counts.arrived(from);
        }
        // The structure pointer, and the mode: true while a structure is being written.
        let mut s = 0_usize;
        let mut write = false;

        // Jumps to an address. To count the instructions between jumps, it suffices to record the start and the end of each executed range.
        macro_rules! go {
            ($to:expr) => {{
                pc = $to;
                if W::COUNT {
                    self.counts.arrived(pc);
                }
            }};
        }
        // Fails at this instruction, or at a fused instruction that it replaces.
        macro_rules! fail {
            () => {
                fail!(pc)
            };
            ($at:expr) => {{
                if W::COUNT {
                    self.counts.failed($at);
                    self.count_backtracking($at);
                }
                if W::EVENTS {
                    self.note_backtracking();
                }
                if W::HEADS {
                    self.fail_head();
                }
                if W::RUNS_ON && !W::CENTRES {
                    pc = self.backtrack_to_clause();
                    continue;
                }
                let next = self.backtrack();
                if W::CENTRES {
                    self.gone_back();
                }
                go!(next);
                continue;
            }};
        }
        // Advances past the instruction and the given number of fused instructions after it.
        macro_rules! passed {
            ($more:expr) => {{
                if W::COUNT {
                    for at in pc + 1..=pc + $more {
                        self.counts.begin_instruction(at);
                    }
                }
                if W::EVENTS {
                    for at in pc + 1..=pc + $more {
                        self.note_instruction(at);
                        if W::HEADS {
                            self.note_heads(at);
                        }
                    }
                }
                pc += $more + 1;
            }};
        }
        // Fails at the second of fused instructions.
        macro_rules! fail_in_fused {
            () => {{
                if W::COUNT {
                    self.counts.begin_instruction(pc + 1);
                }
                if W::EVENTS {
                    self.note_instruction(pc + 1);
                }
                fail!(pc + 1);
            }};
        }
        // Branches on a test: continues if it holds, otherwise fails or jumps to a label.
        macro_rules! branch {
            ($holds:expr, $otherwise:expr) => {
                if $holds {
                    pc += 1;
                } else if $otherwise == FAILS {
                    fail!();
                } else {
                    if W::COUNT {
                        self.counts.failed(pc);
                    }
                    go!($otherwise as usize);
                }
            };
        }
        macro_rules! throw {
            ($throw:expr, $context:expr) => {{
                let (throw, context) = ($throw, $context);
                if W::COUNT {
                    self.counts.left(pc);
                }
                match self.raise(throw, context) {
                    Ok(next) => {
                        go!(next);
                        continue;
                    }
                    Err(stop) => return stop,
                }
            }};
        }
        macro_rules! enter {
            ($predicate:expr) => {{
                self.fuel -= 1;
                if self.fuel == 0 {
                    let functor = self.predicates[$predicate as usize].functor;
                    if let Err(limit) = self.look_at_limits(functor.functor_arity()) {
                        return Stop::Limit(limit);
                    }
                }
                self.b0 = self.choices.len();
                let predicate = &self.predicates[$predicate as usize];
                if W::COUNT {
                    self.counts.called($predicate as usize);
                    self.counts.ports.enter($predicate);
                }
                if W::EVENTS {
                    self.centres.note_goal();
                }
                if W::HEADS {
                    self.centres.heads.is_back = false;
                }
                go!(predicate.entry as usize);
                // Most predicates begin by selecting clauses.
                if W::RUNS_ON
                    && let Op::Switch(table) = self.code[pc]
                {
                    let cell = self.store.deref(self.x[0]);
                    pc = self.switches[table as usize].choose(cell, &self.store) as usize;
                }
                if W::RUNS_ON
                    && let Op::Try(arity, clause) = self.code[pc]
                {
                    self.push_choice(pc + 1, arity as usize);
                    pc = clause as usize;
                }
            }};
        }
        // Runs the next instruction at once if it is of the same kind; such instructions often come in rows.
        macro_rules! repeat {
            ($op:pat => $body:expr) => {
                if W::RUNS_ON {
                    while let $op = self.code[pc] {
                        $body;
                        pc += 1;
                    }
                }
            };
        }
        // Runs the next instruction at once if it is a last call.
        macro_rules! execute_next {
            () => {
                if W::RUNS_ON
                    && let Op::Execute(predicate) = self.code[pc]
                {
                    enter!(predicate);
                }
            };
        }
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
                            self.hurry_if_grown();
                            self.x[$to as usize] = cell;
                            pc += 1;
                        }
                        Err(error) => throw!(error, self.context(pc)),
                    }
                }
            }};
        }

        // Runs the next instructions at once that write the arguments of a compound, in a head or in a body.
        macro_rules! write_row {
            () => {
                if W::RUNS_ON {
                    loop {
                        match self.code[pc] {
                            Op::UnifyValueX(v) | Op::SetValueX(v) => {
                                self.store.heap.push(self.x[v as usize]);
                            }
                            Op::UnifyVariableX(v) | Op::SetVariableX(v) => {
                                self.x[v as usize] = self.store.variable();
                            }
                            Op::UnifyAtomic(c) | Op::SetConstant(c) => self.store.heap.push(c),
                            _ => break,
                        }
                        pc += 1;
                    }
                }
            };
        }
        // Runs the next instructions at once that read arguments of a compound into registers.
        macro_rules! read_row {
            () => {
                repeat!(Op::UnifyVariableX(v) => {
                    self.x[v as usize] = self.store.heap[s];
                    s += 1;
                })
            };
        }
        // `get_list(A)`, `unify_value(X)`, `unify_variable(X)`.
        macro_rules! list_value_variable {
            ($a:expr, $head:expr, $tail:expr) => {{
                let cell = self.fetch_counting::<W>(self.x[$a as usize]);
                if cell.is_reference() {
                    let at = self.store.heap.len();
                    let t = Cell::reference(at + 1);
                    self.store.heap.extend([self.x[$head as usize], t]);
                    self.store.bind(cell.address(), Cell::list(at));
                    self.x[$tail as usize] = t;
                } else if cell.tag() == Tag::List {
                    let at = cell.address();
                    let own = self.store.heap[at];
                    if !self.store.unify(self.x[$head as usize], own) {
                        fail_in_fused!();
                    }
                    self.x[$tail as usize] = self.store.heap[at + 1];
                } else {
                    fail!();
                }
                passed!(2);
                execute_next!();
            }};
        }

        loop {
            let op = self.code[pc];
            if W::COUNT {
                self.counts.begin_instruction(pc);
            }
            if W::EVENTS {
                self.note_instruction(pc);
            }
            if W::HEADS {
                self.note_heads(pc);
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
                    repeat!(Op::GetVariableY(v, a) => self.set_slot(v, self.x[a as usize]));
                }
                Op::GetValueX(v, a) => unify_or_fail!(self.x[v as usize], self.x[a as usize]),
                Op::GetValueY(v, a) => unify_or_fail!(self.slot(v), self.x[a as usize]),
                Op::GetAtomic(c, a) => {
                    let cell = self.fetch_counting::<W>(self.x[a as usize]);
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
                    let cell = self.fetch_counting::<W>(self.x[a as usize]);
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
                    if write {
                        write_row!();
                    } else {
                        read_row!();
                    }
                }
                Op::GetListVariables(a, head, tail) => {
                    let cell = self.fetch_counting::<W>(self.x[a as usize]);
                    if cell.tag() == Tag::List {
                        let at = cell.address();
                        self.x[head as usize] = self.store.heap[at];
                        self.x[tail as usize] = self.store.heap[at + 1];
                    } else if cell.is_reference() {
                        let at = self.store.heap.len();
                        let (h, t) = (Cell::reference(at), Cell::reference(at + 1));
                        self.store.heap.extend([h, t]);
                        self.store.bind(cell.address(), Cell::list(at));
                        self.x[head as usize] = h;
                        self.x[tail as usize] = t;
                    } else {
                        fail!();
                    }
                    passed!(2);
                    // `p([X|Xs], [X|Ys])`
                    if W::RUNS_ON
                        && let Op::GetListValueVariable(a, head, tail) = self.code[pc]
                    {
                        list_value_variable!(a, head, tail);
                    }
                }
                Op::GetListValueVariable(a, head, tail) => list_value_variable!(a, head, tail),
                Op::GetListValueVoid(a, head) => {
                    let cell = self.fetch_counting::<W>(self.x[a as usize]);
                    if cell.tag() == Tag::List {
                        let own = self.store.heap[cell.address()];
                        if !self.store.unify(self.x[head as usize], own) {
                            fail_in_fused!();
                        }
                    } else if cell.is_reference() {
                        let at = self.store.heap.len();
                        let cells = [self.x[head as usize], Cell::reference(at + 1)];
                        self.store.heap.extend(cells);
                        self.store.bind(cell.address(), Cell::list(at));
                    } else {
                        fail!();
                    }
                    passed!(2);
                }
                Op::GetListVoidVariable(a, tail) => {
                    let cell = self.fetch_counting::<W>(self.x[a as usize]);
                    if cell.tag() == Tag::List {
                        self.x[tail as usize] = self.store.heap[cell.address() + 1];
                    } else if cell.is_reference() {
                        let at = self.store.heap.len();
                        let t = Cell::reference(at + 1);
                        self.store.heap.extend([Cell::reference(at), t]);
                        self.store.bind(cell.address(), Cell::list(at));
                        self.x[tail as usize] = t;
                    } else {
                        fail!();
                    }
                    passed!(2);
                    execute_next!();
                }
                Op::GetStructureVariables(f, a, first, second) => {
                    let cell = self.fetch_counting::<W>(self.x[a as usize]);
                    if cell.tag() == Tag::Structure && self.store.heap[cell.address()] == f {
                        let at = cell.address();
                        self.x[first as usize] = self.store.heap[at + 1];
                        self.x[second as usize] = self.store.heap[at + 2];
                    } else if cell.is_reference() {
                        let at = self.store.heap.len();
                        let (v, w) = (Cell::reference(at + 1), Cell::reference(at + 2));
                        self.store.heap.extend([f, v, w]);
                        self.store.bind(cell.address(), Cell::structure(at));
                        self.x[first as usize] = v;
                        self.x[second as usize] = w;
                    } else {
                        fail!();
                    }
                    passed!(2);
                }
                Op::GetStructure(f, a) => {
                    let cell = self.fetch_counting::<W>(self.x[a as usize]);
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
                    if write {
                        write_row!();
                    } else {
                        read_row!();
                    }
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
                        let cell = self.fetch_counting::<W>(self.store.heap[s]);
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
                        let cell = self.fetch_counting::<W>(self.store.heap[s]);
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
                        let cell = self.fetch_counting::<W>(self.store.heap[s]);
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
                    repeat!(Op::PutValueY(v, a) => self.x[a as usize] = self.slot(v));
                }
                Op::PutConstant(c, a) => {
                    self.x[a as usize] = c;
                    pc += 1;
                }
                Op::PutList(a) => {
                    self.x[a as usize] = Cell::list(self.store.heap.len());
                    pc += 1;
                    write_row!();
                }
                Op::PutStructure(f, a) => {
                    self.x[a as usize] = Cell::structure(self.store.push(f));
                    pc += 1;
                    write_row!();
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
                    repeat!(Op::GetVariableY(v, a) => self.set_slot(v, self.x[a as usize]));
                }
                Op::Deallocate => {
                    self.deallocate();
                    pc += 1;
                    execute_next!();
                }
                Op::Call(predicate, _) => {
                    self.cp = pc + 1;
                    enter!(predicate);
                }
                Op::Execute(predicate) => {
                    if W::COUNT && self.counts_ports {
                        self.port_leave(pc);
                    }
                    enter!(predicate)
                }
                Op::Proceed => {
                    if W::COUNT && self.counts_ports {
                        self.port_exit(pc);
                    }
                    go!(self.cp);
                    repeat!(Op::PutValueY(v, a) => self.x[a as usize] = self.slot(v));
                }
                Op::Builtin(number, arity) => match self.builtin_in_place(number, arity) {
                    Ok(succeeded) => {
                        if W::HEADS {
                            self.note_builtin(number, succeeded);
                        }
                        if !succeeded {
                            fail!();
                        }
                        self.hurry_if_grown();
                        pc += 1;
                    }
                    Err(error) => throw!(error, self.builtin_functors[number as usize]),
                },
                Op::ExecuteBuiltin(number, arity) => match self.builtin_in_place(number, arity) {
                    Ok(succeeded) => {
                        if W::HEADS {
                            self.note_builtin(number, succeeded);
                        }
                        if !succeeded {
                            fail!();
                        }
                        self.hurry_if_grown();
                        if W::COUNT && self.counts_ports {
                            self.port_exit(pc);
                        }
                        go!(self.cp);
                    }
                    Err(error) => throw!(error, self.builtin_functors[number as usize]),
                },

                // --- cuts and choices ----------------------------------------------------------------------------
                Op::NeckCut => {
                    if W::EVENTS {
                        self.note_cut(self.b0);
                    }
                    self.cut_to(self.b0);
                    pc += 1;
                    if W::RUNS_ON
                        && let Op::Allocate(n) = self.code[pc]
                    {
                        self.allocate(n as usize);
                        pc += 1;
                        repeat!(Op::GetVariableY(v, a) => self.set_slot(v, self.x[a as usize]));
                    }
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
                    let level = self.x[v as usize].as_small() as usize;
                    if W::EVENTS {
                        self.note_cut(level);
                    }
                    self.cut_to(level);
                    pc += 1;
                }
                Op::CutY(v) => {
                    let level = self.slot(v).as_small() as usize;
                    if W::EVENTS {
                        self.note_cut(level);
                    }
                    self.cut_to(level);
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
                Op::Jump(to) => go!(to as usize),
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
                            self.hurry_if_grown();
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
                            self.hurry_if_grown();
                            self.x[to as usize] = cell;
                            passed!(1);
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
                                self.hurry_if_grown();
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
                    go!(clause as usize);
                }
                Op::Retry(clause) => {
                    self.set_alternative(pc + 1);
                    go!(clause as usize);
                }
                Op::Trust(clause) => {
                    self.drop_choice();
                    go!(clause as usize);
                }
                Op::Switch(table) => {
                    let cell = self.fetch_counting::<W>(self.x[0]);
                    go!(self.switches[table as usize].choose(cell, &self.store) as usize);
                }
                Op::SwitchOn(table, argument) => {
                    let cell = self.fetch_counting::<W>(self.x[argument as usize]);
                    if cell.is_reference() {
                        pc += 1;
                    } else {
                        if W::COUNT {
                            self.counts.left(pc);
                        }
                        go!(self.switches[table as usize].choose(cell, &self.store) as usize);
                    }
                }
                Op::Dynamic(predicate) => match self.call_dynamic(predicate, Access::Call) {
                    Some(next) => go!(next),
                    None => fail!(),
                },
                Op::RetryDynamic => match self.retry_dynamic() {
                    Some(next) => go!(next),
                    None => fail!(),
                },
                Op::Clauses(access) => match self.clauses(access) {
                    Ok(Some(next)) => go!(next),
                    Ok(None) => fail!(),
                    Err(error) => throw!(error, control::functor_of(&mut self.store, access)),
                },

                // --- the engine's own ----------------------------------------------------------------------------
                Op::Undefined(predicate) => {
                    let error = self.unknown_procedure(predicate);
                    throw!(error, Cell::small(0))
                }
                Op::CallN(arity) => match self.call_n(arity as usize) {
                    Ok(control::Continuation::Address(next)) => go!(next),
                    Ok(control::Continuation::Predicate(predicate)) => enter!(predicate),
                    Err(error) => throw!(error, self.call_functor(arity as usize)),
                },
                Op::Body => match self.body() {
                    Ok(control::Continuation::Address(next)) => go!(next),
                    Ok(control::Continuation::Predicate(predicate)) => enter!(predicate),
                    Err(error) => throw!(error, self.call_functor(1)),
                },
                Op::Control(functor) => {
                    let arity = functor.functor_arity();
                    let args: Vec<Cell> = self.x[..arity].to_vec();
                    self.x[0] = self.store.compound_or_atom(functor.functor_name(), &args);
                    go!(control::CALL_1);
                }
                Op::CallAddress(to, _) => {
                    self.cp = pc + 1;
                    go!(to as usize);
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
                Op::PortExit => {
                    self.port_left();
                    self.deallocate();
                    go!(self.cp);
                }
                Op::EnterCentre(centre) => go!(self.enter_predicate_centre(centre)),
                Op::EnterLiteral => {
                    if W::CENTRES {
                        self.enter_literal_centre();
                    }
                    // Run the goal as `call/1` does.
                    self.x[0] = self.x[1];
                    go!(control::CALL_1);
                }
                Op::LeaveCentre => {
                    self.exit_centre();
                    self.deallocate();
                    go!(self.cp);
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
    fn fetch_counting<W: Watch>(&mut self, cell: Cell) -> Cell {
        if W::COUNT {
            return self.deref_counting(cell);
        }
        self.store.deref(cell)
    }
}
