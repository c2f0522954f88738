//! Evaluation of expressions to numbers.

use rustc_hash::FxHashMap;

use crate::atoms::{self, CONS, NIL};
use crate::cell::{Cell, Tag};
use crate::error::Throw;
use crate::machine::Machine;
use crate::number::{ArithmeticError, Function, Functor, Number, Rounding, set_rounding};
use crate::store::{Boxed, Store, View};

/// Functions by functor cell.
pub(crate) type Functions = FxHashMap<Cell, Function>;

/// Builds the table of all functions.
pub(crate) fn functions(store: &mut Store) -> Functions {
    let functor = |f: &Function| {
        let (name, arity) = f.functor();
        (Cell::functor(store.atoms.intern(name), arity), *f)
    };
    Function::ALL.iter().map(functor).collect()
}

impl Store {
    /// Returns the value of a term that is a number.
    #[must_use]
    pub fn number(&self, cell: Cell) -> Option<Number> {
        let cell = self.deref(cell);
        match cell.tag() {
            Tag::Integer => Some(Number::Small(cell.as_small())),
            Tag::Boxed => match &self.boxes[cell.address()] {
                Boxed::Float(x) => Some(Number::Float(*x)),
                Boxed::Big(n) => Some(Number::from((**n).clone())),
                Boxed::Rational(q) => Some(Number::Rational(Box::new((**q).clone()))),
                Boxed::String(_) => None,
            },
            _ => None,
        }
    }

    /// Returns the cell of a number.
    pub fn number_cell(&mut self, number: Number) -> Cell {
        match number {
            Number::Small(n) => self.integer(n),
            Number::Big(n) => self.big(n),
            Number::Rational(q) => self.rational(*q),
            Number::Float(x) => self.float(x),
        }
    }

    /// Returns the cell of a number after checking the memory limit.
    ///
    /// # Errors
    /// The memory limit.
    pub fn number_cell_within_limits(&mut self, number: Number) -> Result<Cell, Throw> {
        if !matches!(number, Number::Small(_) | Number::Float(_)) {
            self.room(usize::try_from(number.bits() / 64).unwrap_or(usize::MAX))?;
        }
        Ok(self.number_cell(number))
    }

    /// Returns the error term of a function without a value. If the function itself detected the error, the context is the function,
    /// without a module; otherwise the engine adds the evaluating predicate.
    pub fn arithmetic_error(&mut self, error: ArithmeticError) -> Throw {
        self.for_error(|store| store.error_of_arithmetic(error))
    }

    fn error_of_arithmetic(&mut self, error: ArithmeticError) -> Throw {
        match error {
            ArithmeticError::Evaluation(what) => self.evaluation_error(what),
            ArithmeticError::EvaluationIn(what, function) => {
                let error = self.evaluation_error(what);
                self.in_function(error, function)
            }
            ArithmeticError::Type(expected, culprit, function) => {
                let culprit = self.number_cell(culprit);
                let error = self.type_error(expected, culprit);
                self.in_function(error, function)
            }
            ArithmeticError::Domain(expected, culprit, function) => {
                let culprit = self.number_cell(culprit);
                let error = self.domain_error(expected, culprit);
                self.in_function(error, function)
            }
            ArithmeticError::TooLarge => self.resource_error("stack"),
        }
    }

    fn in_function(&mut self, error: Throw, (name, arity): Functor) -> Throw {
        let Throw::Error { formal, .. } = error else {
            return error;
        };
        let name = self.atoms.intern(name);
        let (indicator, message) = (self.indicator(name, arity), self.variable());
        let context = self.compound(atoms::CONTEXT, &[indicator, message]);
        Throw::Ball(self.compound(atoms::ERROR, &[formal, context]))
    }
}

enum Task {
    Visit(Cell),
    /// Applies a compound's function to its operands, which are on top of the value stack, with the first operand uppermost.
    Apply(Cell),
    /// Restore the direction after `roundtoward(Expression, Mode)`.
    Round(Rounding),
}

impl Machine {
    /// Evaluates an expression. As in SWI-Prolog, operands are evaluated from the last to the first, before the existence of the function
    /// is checked: `X + foo` is a type error, `foo + X` an instantiation error.
    ///
    /// # Errors
    /// The errors of `is/2`.
    pub fn evaluate(&mut self, expression: Cell) -> Result<Number, Throw> {
        let cell = self.store.deref(expression);
        if let Some(number) = self.store.number(cell) {
            return Ok(number);
        }
        let before = set_rounding(Rounding::Nearest);
        let value = self.evaluate_compound(cell);
        set_rounding(before);
        value
    }

    fn evaluate_compound(&mut self, expression: Cell) -> Result<Number, Throw> {
        let (mut tasks, mut values) = (vec![Task::Visit(expression)], Vec::<Number>::new());
        // A term without sharing has at most as many compounds as the heap has cells. Beyond that number, the values of compounds are
        // memoised, so that shared compounds are evaluated only once. A cyclic term has no value.
        let mut budget = self.store.used();
        let mut known: Option<FxHashMap<Cell, Number>> = None;
        while let Some(task) = tasks.pop() {
            match task {
                Task::Round(mode) => {
                    set_rounding(mode);
                }
                Task::Visit(cell) => {
                    let cell = self.store.deref(cell);
                    if let Some(number) = self.store.number(cell) {
                        values.push(number);
                        continue;
                    }
                    if budget == 0 && known.is_none() {
                        if !self.store.is_acyclic(expression) {
                            let message = self.store.atom("cyclic term");
                            return Err(self
                                .store
                                .type_error("expression", expression)
                                .because(message));
                        }
                        known = Some(FxHashMap::default());
                    }
                    budget = budget.saturating_sub(1);
                    if let Some(value) = known.as_ref().and_then(|k| k.get(&cell)) {
                        values.push(value.clone());
                        continue;
                    }
                    match self.leaf(cell)? {
                        Some(value) => values.push(value),
                        None => self.enter(cell, &mut tasks)?,
                    }
                }
                Task::Apply(cell) => {
                    let Some((_, arity)) = self.store.arguments(cell) else {
                        continue;
                    };
                    let functor = self.store.cell(cell.address());
                    let Some(&function) = self.functions.get(&functor) else {
                        return Err(self.not_evaluable(functor));
                    };
                    let mut operands = values.split_off(values.len().saturating_sub(arity));
                    operands.reverse();
                    let value = match function.apply(&operands) {
                        Ok(value) => value,
                        Err(error) => return Err(self.store.arithmetic_error(error)),
                    };
                    if let Some(known) = &mut known {
                        known.insert(cell, value.clone());
                    }
                    values.push(value);
                }
            }
        }
        match values.pop() {
            Some(value) => Ok(value),
            None => Err(self.store.instantiation_error()),
        }
    }

    /// Returns the value of a term without operands, or `None` for a compound with operands.
    fn leaf(&mut self, cell: Cell) -> Result<Option<Number>, Throw> {
        match self.store.view(cell) {
            View::Variable(_) => Err(self.store.instantiation_error()),
            View::Atom(NIL) => Err(self.store.type_error("evaluable", cell)),
            View::Atom(name) => match self.functions.get(&Cell::functor(name, 0)) {
                Some(function) => match function.apply(&[]) {
                    Ok(value) => Ok(Some(value)),
                    Err(error) => Err(self.store.arithmetic_error(error)),
                },
                None => Err(self.not_evaluable(Cell::functor(name, 0))),
            },
            View::String(text) => {
                let mut characters = text.chars();
                match (characters.next(), characters.next()) {
                    (Some(c), None) => Ok(Some(Number::from(u64::from(u32::from(c))))),
                    _ => Err(self.no_character(cell)),
                }
            }
            View::Compound(CONS, 2, first) => {
                if self.store.deref(self.store.cell(first + 1)) != Cell::atom(NIL) {
                    return Err(match self.store.is_variable(self.store.cell(first)) {
                        true => self.store.instantiation_error(),
                        false => self.no_character(cell),
                    });
                }
                self.character(self.store.cell(first)).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn no_character(&mut self, culprit: Cell) -> Throw {
        let message = self.store.atom("\"x\" must hold one character");
        self.store.type_error("[]", culprit).because(message)
    }

    /// Evaluates the only element of a list: a number, or a character, whose value is its code.
    fn character(&mut self, element: Cell) -> Result<Number, Throw> {
        if let Some(number) = self.store.number(element).filter(Number::is_integer) {
            return Ok(number);
        }
        let code = match self.store.view(element) {
            View::Variable(_) => return Err(self.store.instantiation_error()),
            View::Atom(name) => {
                let mut characters = self.store.atoms.characters(name).chars();
                characters.next().filter(|_| characters.next().is_none())
            }
            _ => None,
        };
        match code {
            Some(c) => Ok(Number::from(u64::from(u32::from(c)))),
            None => Err(self.store.type_error("character", element)),
        }
    }

    pub(crate) fn not_evaluable(&mut self, functor: Cell) -> Throw {
        self.store.for_error(|store| {
            let indicator = store.indicator(functor.functor_name(), functor.functor_arity());
            store.type_error("evaluable", indicator)
        })
    }

    /// Pushes a compound and its operands, with the last operand to be evaluated first.
    fn enter(&mut self, cell: Cell, tasks: &mut Vec<Task>) -> Result<(), Throw> {
        let Some((first, arity)) = self.store.arguments(cell) else {
            return Err(self.store.type_error("evaluable", cell));
        };
        if arity == 2 && self.store.cell(cell.address()) == self.round_toward {
            return self.enter_rounded(first, tasks);
        }
        tasks.push(Task::Apply(cell));
        tasks.extend((first..first + arity).map(|i| Task::Visit(self.store.cell(i))));
        Ok(())
    }

    fn enter_rounded(&mut self, first: usize, tasks: &mut Vec<Task>) -> Result<(), Throw> {
        let mode = self.store.cell(first + 1);
        let rounding = match self.store.view(mode) {
            View::Variable(_) => return Err(self.store.instantiation_error()),
            View::Atom(name) => Rounding::named(self.store.atoms.text(name)),
            _ => return Err(self.store.type_error("atom", mode)),
        };
        match rounding {
            Some(rounding) => {
                tasks.push(Task::Round(set_rounding(rounding)));
                tasks.push(Task::Visit(self.store.cell(first)));
                Ok(())
            }
            None => Err(self.store.domain_error("round", mode)),
        }
    }
}
