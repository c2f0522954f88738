//! Links symbolic code: names to predicates, labels to addresses, constants to cells.

use costlens_compile::code::Operand as SymbolicOperand;
use costlens_compile::code::{
    ClauseCode, ClauseIndex, ClausePart, Comparison, Constant, Instruction, Location,
    PredicateCode, StructureName, Test,
};
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use smol_str::format_smolstr;

use crate::atoms::CONS;
use crate::cell::Cell;
use crate::count::CountedClause;
use crate::machine::Machine;
use crate::number::Function;
use crate::op::{Address, FAILS, Op, OperandWord, Relation, X, Y};
use crate::ports::Owner;
use crate::predicate::{Implementation, Space};
use crate::switch::Switch;

/// The reasons why code cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LinkError {
    /// More registers or slots than the machine has, or more code than addresses.
    #[error("the clause needs more registers than the machine has")]
    TooLarge,
}

/// The register for results of arithmetic whose destination is a slot.
const SCRATCH: X = X::MAX;

fn register(n: u32) -> Result<X, LinkError> {
    X::try_from(n)
        .ok()
        .filter(|&n| n != SCRATCH)
        .ok_or(LinkError::TooLarge)
}

fn slot(n: u32) -> Result<Y, LinkError> {
    Y::try_from(n).map_err(|_| LinkError::TooLarge)
}

fn address(at: usize) -> Result<Address, LinkError> {
    Address::try_from(at).map_err(|_| LinkError::TooLarge)
}

impl Machine {
    /// Links a predicate's code and installs it. `tests` contains the number of leading tests of each clause body.
    pub(crate) fn link(
        &mut self,
        predicate: u32,
        code: &PredicateCode,
        tests: &[usize],
        space: Space,
    ) -> Result<(), LinkError> {
        if std::mem::replace(&mut self.predicates[predicate as usize].linked, true) {
            for clause in &mut self.counted_clauses {
                clause.replaced |= clause.predicate == predicate;
            }
        }
        let mut clauses = Vec::with_capacity(code.clauses.len());
        for (number, clause) in code.clauses.iter().enumerate() {
            let tests = tests.get(number).copied().unwrap_or(0);
            clauses.push(self.link_clause(predicate, tests, clause, space)?);
        }
        let arity = u32::try_from(code.functor.1).map_err(|_| LinkError::TooLarge)?;
        let ending = if code.single_sided {
            let at = address(self.code.len())?;
            self.code.push(Op::NoMatchingRule(predicate));
            Some(at)
        } else {
            None
        };
        let choices = self.code.len();
        let chains = Chains {
            clauses: &clauses,
            arity,
            ending,
        };
        let all: Vec<u32> = (0..).take(clauses.len()).collect();
        let entry = if code.arguments.is_empty() {
            match self.link_switch(&code.index, &chains)? {
                Some(table) => {
                    self.code.push(Op::Switch(table));
                    address(self.code.len() - 1)?
                }
                None => self.link_chain(&all, &chains)?,
            }
        } else {
            let all = self.link_chain(&all, &chains)?;
            let mut looks = Vec::with_capacity(code.arguments.len());
            for look in &code.arguments {
                let argument = u32::try_from(look.argument).map_err(|_| LinkError::TooLarge)?;
                if let Some(table) = self.link_switch(&look.index, &chains)? {
                    looks.push(Op::SwitchOn(table, register(argument)?));
                }
            }
            let entry = address(self.code.len())?;
            self.code.extend(looks);
            self.code.push(Op::Jump(all));
            entry
        };
        if self.counting && self.predicates[predicate as usize].counted {
            self.name_choices(choices);
        }
        self.own_code(choices, Owner::new(predicate));
        self.predicates[predicate as usize].entry = entry;
        self.predicates[predicate as usize].kind = Implementation::Static;
        Ok(())
    }

    /// Links the table of an index, and the chains of clauses in its entries. Returns `None` for a linear index, which needs no table.
    fn link_switch(
        &mut self,
        index: &ClauseIndex,
        chains: &Chains<'_>,
    ) -> Result<Option<u32>, LinkError> {
        match index {
            ClauseIndex::Linear => Ok(None),
            ClauseIndex::Switch {
                variable,
                list,
                constants,
                structures,
                other,
            } => {
                let mut switch = Switch::new(
                    self.link_chain(variable, chains)?,
                    self.link_chain(list, chains)?,
                    self.link_chain(other, chains)?,
                );
                for (constant, chain) in constants {
                    let to = self.link_chain(chain, chains)?;
                    let cell = self.constant(constant);
                    if cell.is_small() || cell.tag() == crate::cell::Tag::Atom {
                        switch.insert(cell, to);
                    } else {
                        switch.boxed.push((cell, to));
                    }
                }
                for ((name, arity_of), chain) in structures {
                    let to = self.link_chain(chain, chains)?;
                    let name = self.store.atoms.intern(name);
                    switch.insert(Cell::functor(name, *arity_of), to);
                }
                let number = address(self.switches.len())?;
                self.switches.push(switch);
                Ok(Some(number))
            }
        }
    }

    /// Names the instructions that select clauses.
    fn name_choices(&mut self, from: usize) {
        for at in from..self.code.len() {
            let name = match self.code[at] {
                Op::Try(..) => "try",
                Op::Retry(_) => "retry",
                Op::Trust(_) => "trust",
                Op::Switch(_) => "switch_on_term",
                Op::SwitchOn(..) => "switch_on_argument",
                _ => continue,
            };
            self.name_code(at, name.into());
        }
    }

    fn link_chain(
        &mut self,
        chain: &[u32],
        &Chains {
            clauses,
            arity,
            ending,
        }: &Chains<'_>,
    ) -> Result<Address, LinkError> {
        let mut targets: Vec<Address> = chain
            .iter()
            .filter_map(|&n| clauses.get(n as usize).copied())
            .collect();
        targets.extend(ending);
        let at = address(self.code.len())?;
        match targets[..] {
            [] => Ok(FAILS),
            [only] => Ok(only),
            [first, ref middle @ .., last] => {
                self.code.push(Op::Try(arity, first));
                self.code.extend(middle.iter().map(|&c| Op::Retry(c)));
                self.code.push(Op::Trust(last));
                Ok(at)
            }
        }
    }

    /// Returns the cell of a constant. Its box lives as long as the machine, because no code runs during linking.
    pub(crate) fn constant(&mut self, constant: &Constant) -> Cell {
        match constant {
            Constant::Atom(name) => Cell::atom(self.store.atoms.intern(name)),
            Constant::Integer(n) => self.store.integer(*n),
            Constant::Big(n) => self.store.big(n.clone()),
            Constant::Rational(q) => self
                .store
                .rational(BigRational::new(q.0.clone(), q.1.clone())),
            Constant::Float(bits) => self.store.float(f64::from_bits(*bits)),
            Constant::String(text) => self.store.string(text),
        }
    }

    /// Replaces the first of the last three instructions with a fused instruction for all three, if such an instruction exists. No label
    /// points between a `get_…` and its arguments.
    fn fuse(&mut self, start: usize) {
        let fused = match self.code[start..] {
            [
                ..,
                Op::GetList(a),
                Op::UnifyVariableX(head),
                Op::UnifyVariableX(tail),
            ] => Op::GetListVariables(a, head, tail),
            [
                ..,
                Op::GetList(a),
                Op::UnifyValueX(head),
                Op::UnifyVariableX(tail),
            ] => Op::GetListValueVariable(a, head, tail),
            [.., Op::GetList(a), Op::UnifyValueX(head), Op::UnifyVoid(1)] => {
                Op::GetListValueVoid(a, head)
            }
            [
                ..,
                Op::GetList(a),
                Op::UnifyVoid(1),
                Op::UnifyVariableX(tail),
            ] => Op::GetListVoidVariable(a, tail),
            [
                ..,
                Op::GetStructure(f, a),
                Op::UnifyVariableX(first),
                Op::UnifyVariableX(second),
            ] if f.functor_arity() == 2 => Op::GetStructureVariables(f, a, first, second),
            _ => return,
        };
        let first = self.code.len() - 3;
        self.code[first] = fused;
    }

    pub(crate) fn link_clause(
        &mut self,
        predicate: u32,
        tests: usize,
        clause: &ClauseCode,
        space: Space,
    ) -> Result<Address, LinkError> {
        // A predicate that is not defined yet gets its own code, which must not be placed inside the clause's code.
        for instruction in &clause.instructions {
            if let Instruction::Call(functor, _) | Instruction::Execute(functor) = instruction {
                let name = self.store.atoms.intern(&functor.0);
                self.visible(Cell::functor(name, functor.1), space);
            }
        }
        let start = self.code.len();
        let counted = self.counting && self.predicates[predicate as usize].counted;
        let mut places = Vec::with_capacity(clause.instructions.len() + 1);
        let mut linker = Linker {
            machine: self,
            clause,
            space,
            slots: clause.slots.unwrap_or(0),
        };
        for (at, instruction) in clause.instructions.iter().enumerate() {
            places.push(address(linker.machine.code.len())?);
            let before = linker.machine.code.len();
            linker.instruction(at, instruction)?;
            if counted {
                linker.machine.name_code(before, instruction.name());
            }
            linker.machine.fuse(start);
        }
        if self.counting {
            let (entered, step) = marks(clause, tests);
            let at = |mark: usize| places.get(mark).map_or(start, |&p| p as usize);
            self.counted_clauses.push(CountedClause {
                predicate,
                replaced: false,
                start,
                entered: at(entered),
                step: at(step),
            });
            let clause = address(self.counted_clauses.len() - 1)?;
            self.own_code(
                start,
                Owner {
                    predicate,
                    clause,
                    ..Owner::NONE
                },
            );
        }
        // Labels still contain instruction numbers.
        for op in &mut self.code[start..] {
            if let Some(label) = op.label_mut() {
                *label = match *label {
                    NO_LABEL => FAILS,
                    number => places.get(number as usize).copied().unwrap_or(FAILS),
                };
            }
        }
        if self.counting {
            self.note_environments(start);
            self.note_literals(clause, &places);
        }
        address(start)
    }

    /// Records, for the most recently linked clause, the literal of each instruction, and the goals of its literals. Control code around a
    /// literal belongs to the preceding code.
    fn note_literals(&mut self, clause: &ClauseCode, places: &[Address]) {
        let named = clause.goals.iter().zip(&clause.literals);
        let named = named.map(|(goal, (name, arity))| (*goal, format_smolstr!("{name}/{arity}")));
        self.clause_goals.push(named.collect());
        let mut literal = 0;
        for (number, part) in clause.parts.iter().enumerate() {
            match part {
                ClausePart::Head => literal = 0,
                ClausePart::Literal(n) => literal = u16::try_from(n + 1).unwrap_or(u16::MAX),
                ClausePart::Control => {}
            }
            let end = places
                .get(number + 1)
                .map_or(self.code.len(), |&p| p as usize);
            let begin = places.get(number).map_or(end, |&p| p as usize);
            for owner in self.owners.get_mut(begin..end).into_iter().flatten() {
                owner.literal = literal;
            }
        }
    }

    /// Records which instructions of the most recently linked clause run while its environment is allocated. All jumps go forward.
    fn note_environments(&mut self, start: usize) {
        let mut environment = false;
        let mut at_labels = FxHashMap::default();
        for at in start..self.code.len() {
            let op = self.code[at];
            environment = at_labels.get(&at).copied().unwrap_or(environment);
            self.owners[at].environment = environment;
            if let Some(label) = op.label() {
                at_labels.insert(label as usize, environment);
            }
            match op {
                Op::Allocate(_) => environment = true,
                Op::Deallocate => environment = false,
                _ => {}
            }
        }
    }
}

/// The data for building the chains of a predicate.
struct Chains<'c> {
    /// The addresses of the predicate's clauses.
    clauses: &'c [Address],
    /// The number of registers that a choice point saves.
    arity: u32,
    /// The code after the last clause.
    ending: Option<Address>,
}

/// Placeholder for a missing label, until labels become addresses.
const NO_LABEL: Address = Address::MAX;

/// Returns two instructions: the instruction before which the head is unified, and the instruction before which the leading tests have run.
fn marks(clause: &ClauseCode, tests: usize) -> (usize, usize) {
    let behind =
        |last: &dyn Fn(&ClausePart) -> bool| clause.parts.iter().rposition(last).map(|n| n + 1);
    let head = behind(&|p| *p == ClausePart::Head).unwrap_or(0);
    let step = behind(&|p| matches!(p, ClausePart::Literal(n) if (*n as usize) < tests));
    let step = step.unwrap_or(0).max(head);
    let last = clause.parts.len().saturating_sub(1);
    (head.min(last), step.min(last))
}

struct Linker<'a> {
    machine: &'a mut Machine,
    clause: &'a ClauseCode,
    space: Space,
    slots: u32,
}

impl Linker<'_> {
    fn push(&mut self, op: Op) {
        self.machine.code.push(op);
    }

    fn functor(&mut self, (name, arity): &StructureName) -> Cell {
        let name = self.machine.store.atoms.intern(name);
        Cell::functor(name, *arity)
    }

    fn operand(&mut self, operand: &SymbolicOperand) -> Result<OperandWord, LinkError> {
        Ok(match operand {
            SymbolicOperand::Location(Location::X(n)) => OperandWord::x(register(*n)?),
            SymbolicOperand::Location(Location::Y(n)) => OperandWord::y(slot(*n)?),
            SymbolicOperand::Constant(constant) => {
                let cell = self.machine.constant(constant);
                if cell.is_small()
                    && let Some(small) = OperandWord::small(cell.as_small())
                {
                    return Ok(small);
                }
                self.machine.constants.push(cell);
                OperandWord::constant(address(self.machine.constants.len() - 1)?)
            }
        })
    }

    /// Ends an arithmetic instruction, whose result is in the register chosen by `to`.
    fn result(&mut self, to: Location) -> Result<(), LinkError> {
        if let Location::Y(n) = to {
            self.push(Op::StoreY(slot(n)?, SCRATCH));
        }
        Ok(())
    }

    /// Records the predicate that is named by an error at the next instruction.
    fn context(&mut self, at: usize) {
        if let Some(ClausePart::Literal(literal)) = self.clause.parts.get(at)
            && let Some(functor) = self.clause.literals.get(*literal as usize).cloned()
        {
            let functor = self.functor(&functor);
            let at = self.machine.code.len();
            self.machine.contexts.insert(at, functor);
        }
    }

    /// Returns the instruction for a constant: `boxed` if the constant needs a box.
    fn choose_by_box(
        &mut self,
        constant: &Constant,
        boxed: impl FnOnce(Cell) -> Op,
        atomic: impl FnOnce(Cell) -> Op,
    ) -> Op {
        let cell = self.machine.constant(constant);
        if is_boxed(cell) {
            boxed(cell)
        } else {
            atomic(cell)
        }
    }

    /// Returns the instruction for a compound: `list` for a list cell, which has no functor cell.
    fn choose_by_functor(
        &mut self,
        functor: &StructureName,
        list: Op,
        structure: impl FnOnce(Cell) -> Op,
    ) -> Op {
        let functor = self.functor(functor);
        if functor == Cell::functor(CONS, 2) {
            list
        } else {
            structure(functor)
        }
    }

    /// Links one instruction.
    fn instruction(&mut self, at: usize, instruction: &Instruction) -> Result<(), LinkError> {
        use Instruction as I;
        let op = match instruction {
            I::GetVariable(Location::X(v), a) => Op::GetVariableX(register(*v)?, register(*a)?),
            I::GetVariable(Location::Y(v), a) => Op::GetVariableY(slot(*v)?, register(*a)?),
            I::GetValue(Location::X(v), a) => Op::GetValueX(register(*v)?, register(*a)?),
            I::GetValue(Location::Y(v), a) => Op::GetValueY(slot(*v)?, register(*a)?),
            I::GetConstant(c, a) => {
                let a = register(*a)?;
                self.choose_by_box(c, |c| Op::GetBoxed(c, a), |c| Op::GetAtomic(c, a))
            }
            I::GetList(a) => Op::GetList(register(*a)?),
            I::GetStructure(f, a) => {
                let a = register(*a)?;
                self.choose_by_functor(f, Op::GetList(a), |f| Op::GetStructure(f, a))
            }
            I::UnifyVariable(v) => either(*v, Op::UnifyVariableX, Op::UnifyVariableY)?,
            I::UnifyValue(v) => either(*v, Op::UnifyValueX, Op::UnifyValueY)?,
            I::UnifyConstant(c) => self.choose_by_box(c, Op::UnifyBoxed, Op::UnifyAtomic),
            I::UnifyVoid(n) => Op::UnifyVoid(*n),
            I::UnifyList => Op::UnifyList,
            I::UnifyStructure(f) => self.choose_by_functor(f, Op::UnifyList, Op::UnifyStructure),
            I::PutVariable(Location::X(v), a) => Op::PutVariableX(register(*v)?, register(*a)?),
            I::PutVariable(Location::Y(v), a) => Op::PutVariableY(slot(*v)?, register(*a)?),
            I::PutValue(Location::X(v), a) => Op::PutValueX(register(*v)?, register(*a)?),
            I::PutValue(Location::Y(v), a) => Op::PutValueY(slot(*v)?, register(*a)?),
            I::PutConstant(c, a) => Op::PutConstant(self.machine.constant(c), register(*a)?),
            I::PutList(a) => Op::PutList(register(*a)?),
            I::PutStructure(f, a) => {
                let a = register(*a)?;
                self.choose_by_functor(f, Op::PutList(a), |f| Op::PutStructure(f, a))
            }
            I::SetVariable(v) => either(*v, Op::SetVariableX, Op::SetVariableY)?,
            I::SetValue(v) => either(*v, Op::SetValueX, Op::SetValueY)?,
            I::SetConstant(c) => Op::SetConstant(self.machine.constant(c)),
            I::SetVoid(n) => Op::SetVoid(*n),
            I::SetList => Op::SetList,
            I::SetStructure(f) => self.choose_by_functor(f, Op::SetList, Op::SetStructure),
            I::Allocate(n) => Op::Allocate(*n),
            I::Deallocate => Op::Deallocate,
            I::Call(f, live) => match self.target(f) {
                Target::Builtin(number, arity) => Op::Builtin(number, arity),
                Target::Predicate(predicate) => Op::Call(predicate, *live),
            },
            I::Execute(f) => match self.target(f) {
                Target::Builtin(number, arity) => Op::ExecuteBuiltin(number, arity),
                Target::Predicate(predicate) => Op::Execute(predicate),
            },
            I::Proceed => Op::Proceed,
            I::NeckCut => Op::NeckCut,
            I::GetLevel(v) => either(*v, Op::GetLevelX, Op::GetLevelY)?,
            I::GetChoice(v) => either(*v, Op::GetChoiceX, Op::GetChoiceY)?,
            I::Cut(v) => either(*v, Op::CutX, Op::CutY)?,
            I::SoftCut(v) => either(*v, Op::SoftCutX, Op::SoftCutY)?,
            I::TryElse(label) => Op::TryElse(*label, self.slots),
            I::RetryElse(label) => Op::RetryElse(*label),
            I::TrustElse => Op::TrustElse,
            I::Jump(label) => Op::Jump(*label),
            I::Fail => Op::Fail,
            I::Test(test, label) => self.test(at, test, label.unwrap_or(NO_LABEL))?,
            I::Arithmetic(name, operands, to) => return self.arithmetic(at, name, operands, *to),
            I::Evaluate(operand, to) => return self.evaluation(at, operand, *to),
        };
        self.push(op);
        Ok(())
    }

    fn evaluation(
        &mut self,
        at: usize,
        operand: &SymbolicOperand,
        to: Location,
    ) -> Result<(), LinkError> {
        let operand = self.operand(operand)?;
        self.context(at);
        self.push(Op::EvaluateX(operand, target_register(to)?));
        self.result(to)
    }

    fn test(&mut self, at: usize, test: &Test, label: Address) -> Result<Op, LinkError> {
        Ok(match test {
            Test::Type(test, Location::X(v)) => Op::TestTypeX(*test, register(*v)?, label),
            Test::Type(test, Location::Y(v)) => Op::TestTypeY(*test, slot(*v)?, label),
            Test::Arithmetic(comparison, a, b) => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                self.context(at);
                Op::TestNumbers(relation(*comparison), a, b, label)
            }
            Test::Term(comparison, a, b) => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                Op::TestTerms(relation(*comparison), a, b, label)
            }
            Test::Unify(Location::X(v), c) => {
                Op::TestUnifyX(self.machine.constant(c), register(*v)?, label)
            }
            Test::Unify(Location::Y(v), c) => {
                Op::TestUnifyY(self.machine.constant(c), slot(*v)?, label)
            }
            Test::NotUnifiable(a, b) => Op::NotUnifiable(self.operand(a)?, self.operand(b)?, label),
        })
    }

    fn arithmetic(
        &mut self,
        at: usize,
        name: &str,
        operands: &[SymbolicOperand],
        to: Location,
    ) -> Result<(), LinkError> {
        let mut linked = [OperandWord::x(0); 3];
        for (place, operand) in linked.iter_mut().zip(operands) {
            *place = self.operand(operand)?;
        }
        let [a, b, c] = linked;
        let into = target_register(to)?;
        self.context(at);
        match Function::find(name, operands.len()) {
            Some(Function::Add) => self.push(Op::AddX(a, b, into)),
            Some(Function::Subtract) => self.push(Op::SubtractX(a, b, into)),
            Some(Function::Multiply) => self.push(Op::MultiplyX(a, b, into)),
            Some(function) if operands.len() == 3 => {
                self.push(Op::Arithmetic3(function, into));
                self.push(Op::Operands(a, b, c));
            }
            Some(function) => self.push(Op::ArithmeticX(function, a, b, into)),
            None => {
                let name = self.machine.store.atoms.intern(name);
                self.push(Op::NotEvaluable(Cell::functor(name, operands.len())));
            }
        }
        self.result(to)
    }

    fn target(&mut self, functor: &StructureName) -> Target {
        let functor = self.functor(functor);
        let predicate = self.machine.visible(functor, self.space);
        match self.machine.predicates[predicate as usize].kind {
            Implementation::Builtin(number) => {
                let arity = u8::try_from(functor.functor_arity()).unwrap_or(0);
                Target::Builtin(number, arity)
            }
            _ => Target::Predicate(predicate),
        }
    }
}

enum Target {
    Builtin(u32, u8),
    Predicate(u32),
}

fn is_boxed(cell: Cell) -> bool {
    cell.tag() == crate::cell::Tag::Boxed
}

/// Returns the instruction for a register or for a slot, depending on the location.
fn either(
    location: Location,
    in_register: impl FnOnce(X) -> Op,
    in_slot: impl FnOnce(Y) -> Op,
) -> Result<Op, LinkError> {
    Ok(match location {
        Location::X(n) => in_register(register(n)?),
        Location::Y(n) => in_slot(slot(n)?),
    })
}

fn target_register(location: Location) -> Result<X, LinkError> {
    match location {
        Location::X(n) => register(n),
        Location::Y(_) => Ok(SCRATCH),
    }
}

fn relation(comparison: Comparison) -> Relation {
    match comparison {
        Comparison::Equal => Relation::Equal,
        Comparison::NotEqual => Relation::NotEqual,
        Comparison::Less => Relation::Less,
        Comparison::LessOrEqual => Relation::LessOrEqual,
        Comparison::Greater => Relation::Greater,
        Comparison::GreaterOrEqual => Relation::GreaterOrEqual,
    }
}
