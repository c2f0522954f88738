//! Code for tests, and for conditions that consist of tests: jumps instead of choice points.

use costlens_syntax::term::{Term, TermId};

use super::super::constant::Constant;
use super::super::goal::constant_unification;
use super::super::instruction::{Instruction, Label, Location, Operand, Test};
use super::super::shape::ClausePart;
use super::super::tree::{ActionKind, GoalBranch, GoalNode, Primitive};
use super::Emitter;

impl Emitter<'_> {
    /// Emits a test that jumps to a label if it does not hold, or fails if there is no label.
    pub(super) fn test(&mut self, kind: &ActionKind, otherwise: Option<Label>) {
        let (test, operands) = match kind {
            ActionKind::Type(test, a) => {
                let operand = self.operand(*a);
                let location = match &operand {
                    Operand::Location(location) => *location,
                    Operand::Constant(constant) => {
                        let x = self.register(None);
                        self.emit(Instruction::PutConstant(constant.clone(), x));
                        Location::X(x)
                    }
                };
                (
                    Test::Type(*test, location),
                    vec![Operand::Location(location)],
                )
            }
            ActionKind::Arithmetic(comparison, a, b) => {
                // The left side is evaluated first, even if it needs no instructions.
                let first = matches!(self.terms.get(*a), Term::Var(v) if !self.state.evaluated.contains(v))
                    && self.takes_instructions(*b);
                let a = self.evaluate(*a, first);
                let b = self.evaluate(*b, false);
                (
                    Test::Arithmetic(*comparison, a.clone(), b.clone()),
                    vec![a, b],
                )
            }
            ActionKind::Compare(comparison, a, b) => {
                let (a, b) = (self.operand(*a), self.operand(*b));
                (Test::Term(*comparison, a.clone(), b.clone()), vec![a, b])
            }
            ActionKind::NotUnifiable(a, b) => {
                let (a, b) = (self.operand(*a), self.operand(*b));
                (Test::NotUnifiable(a.clone(), b.clone()), vec![a, b])
            }
            _ => return,
        };
        self.emit(Instruction::Test(test, otherwise));
        for operand in &operands {
            self.release_operand(operand);
        }
    }

    /// Returns the operand of a test for a term; compounds are built.
    fn operand(&mut self, id: TermId) -> Operand {
        match self.terms.get(id) {
            Term::Var(v) => {
                self.initialise(*v);
                let operand = Operand::Location(self.where_is(*v));
                self.occurrence(*v);
                operand
            }
            Term::Compound(..) => Operand::Location(Location::X(self.build(id, None))),
            _ => Constant::from_term(self.terms, id)
                .map_or(Operand::Location(Location::X(0)), Operand::Constant),
        }
    }

    /// Emits a condition that consists of tests. If the condition holds, execution continues after it; otherwise it jumps to the label, or
    /// fails if there is no label.
    pub(super) fn condition(&mut self, condition: &GoalNode, otherwise: Option<Label>) {
        // Variables that a test would have to initialise are initialised first, on every path.
        for v in self.variables_in(condition) {
            self.initialise(v);
        }
        self.jumps(condition, otherwise);
        self.sweep();
    }

    fn jumps(&mut self, goal: &GoalNode, otherwise: Option<Label>) {
        match goal {
            GoalNode::Conjunction(goals) => {
                for goal in goals {
                    self.jumps(goal, otherwise);
                }
            }
            GoalNode::Primitive(p) => self.jump_unless(p, otherwise),
            GoalNode::Disjunction(d) => {
                let end = self.label();
                let evaluated = self.state.evaluated.clone();
                for (i, branch) in d.branches.iter().enumerate() {
                    let is_last = i + 1 == d.branches.len();
                    let next = self.label();
                    let failing = if is_last { otherwise } else { Some(next) };
                    let section = d.names.get(i).copied().flatten();
                    self.begin_section(section);
                    match branch {
                        GoalBranch::Plain(goal) => {
                            self.jumps(goal, failing);
                            self.end_section(section);
                        }
                        GoalBranch::If {
                            condition, then, ..
                        } => {
                            self.jumps(condition, failing);
                            self.end_section(section);
                            self.jumps(then, otherwise);
                        }
                        GoalBranch::Soft { .. } => {}
                    }
                    if !is_last {
                        self.part = ClausePart::Control;
                        if !self.unreachable {
                            self.emit(Instruction::Jump(end));
                        }
                    }
                    self.place(next);
                    if !is_last {
                        self.after_section(section);
                    }
                    self.state.evaluated.clone_from(&evaluated);
                }
                self.place(end);
            }
            GoalNode::Scope(..) => {}
        }
    }

    fn jump_unless(&mut self, primitive: &Primitive, otherwise: Option<Label>) {
        self.part = ClausePart::Literal(primitive.literal);
        self.chunk = primitive.chunk;
        match &primitive.kind {
            ActionKind::Fail => {
                self.emit(match otherwise {
                    Some(label) => Instruction::Jump(label),
                    None => Instruction::Fail,
                });
                self.unreachable = true;
            }
            ActionKind::Unify(a, b) => {
                let variable = if matches!(self.terms.get(*a), Term::Var(_)) {
                    *a
                } else {
                    *b
                };
                if let Some((v, constant)) = constant_unification(self.terms, *a, *b)
                    && let Some(constant) = Constant::from_term(self.terms, constant)
                {
                    let location = self.where_is(v);
                    self.emit_unifying(
                        Instruction::Test(Test::Unify(location, constant), otherwise),
                        variable,
                    );
                    self.occurrence(v);
                }
            }
            kind => self.test(kind, otherwise),
        }
    }

    /// Returns the variables of a condition.
    fn variables_in(&self, goal: &GoalNode) -> Vec<u32> {
        let (mut variables, mut stack) = (Vec::new(), vec![goal]);
        while let Some(goal) = stack.pop() {
            match goal {
                GoalNode::Conjunction(goals) => stack.extend(goals),
                GoalNode::Scope(_, goal, _) => stack.push(goal),
                GoalNode::Disjunction(d) => {
                    for branch in &d.branches {
                        match branch {
                            GoalBranch::Plain(goal) => stack.push(goal),
                            GoalBranch::If {
                                condition, then, ..
                            }
                            | GoalBranch::Soft {
                                condition, then, ..
                            } => stack.extend([condition, then]),
                        }
                    }
                }
                GoalNode::Primitive(p) => {
                    let terms: &[TermId] = match &p.kind {
                        ActionKind::Unify(a, b)
                        | ActionKind::Is(a, b)
                        | ActionKind::Arithmetic(_, a, b)
                        | ActionKind::Compare(_, a, b)
                        | ActionKind::NotUnifiable(a, b) => &[*a, *b],
                        ActionKind::Type(_, a) => &[*a],
                        ActionKind::Fail | ActionKind::Cut(_) => &[],
                        ActionKind::Call(_, arguments) => arguments,
                    };
                    for &term in terms {
                        for sub in self.terms.subterms(term) {
                            if let Term::Var(v) = self.terms.get(sub) {
                                variables.push(*v);
                            }
                        }
                    }
                }
            }
        }
        variables
    }
}
