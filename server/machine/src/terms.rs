//! Conversion between terms of `costlens_syntax` and the heap.

use std::sync::Arc;

use num_rational::BigRational;
use num_traits::ToPrimitive;

use costlens_syntax::term::{Term, TermId, Terms};

use crate::atoms::CONS;
use crate::cell::Cell;
use crate::store::{Boxed, Store, View};

impl Store {
    /// Copies a parsed term to the heap. `variables` contains the cell of each variable of the clause, by number. New variables are added
    /// to it, so that the terms of a clause share them. Parts with syntax errors become variables.
    pub fn read_in(
        &mut self,
        terms: &Terms,
        root: TermId,
        variables: &mut Vec<Option<Cell>>,
    ) -> Cell {
        let result = self.push(Cell::small(0));
        let mut tasks = vec![(root, result)];
        while let Some((id, place)) = tasks.pop() {
            let cell = match terms.get(id) {
                Term::Var(number) => {
                    let number = *number as usize;
                    if number >= variables.len() {
                        variables.resize(number + 1, None);
                    }
                    *variables[number].get_or_insert(Cell::reference(place))
                }
                Term::Atom(name) => Cell::atom(self.atoms.intern(name)),
                Term::Integer(n) => match n.to_i64().and_then(Cell::integer) {
                    Some(cell) => cell,
                    None => self.big(n.to_big()),
                },
                Term::Rational(q) => {
                    let q = BigRational::new(q.0.clone(), q.1.clone());
                    self.keep(&Boxed::Rational(Arc::new(q)))
                }
                Term::Float(bits) => self.float(f64::from_bits(*bits)),
                Term::String(text) => self.string(text),
                Term::Error => Cell::reference(place),
                Term::Compound(name, _) => {
                    let arguments = terms.args(id);
                    let name = self.atoms.intern(name);
                    let cell = if name == CONS && arguments.len() == 2 {
                        Cell::list(self.used())
                    } else {
                        Cell::structure(self.push(Cell::functor(name, arguments.len())))
                    };
                    let first = self.used();
                    for _ in arguments {
                        self.push(Cell::small(0));
                    }
                    tasks.extend(
                        arguments
                            .iter()
                            .enumerate()
                            .rev()
                            .map(|(i, &a)| (a, first + i)),
                    );
                    cell
                }
            };
            self.heap[place] = cell;
        }
        self.cell(result)
    }

    /// Copies a term from the heap to an arena. Its variables are numbered in `variables` by first occurrence. Returns `None` for a cyclic
    /// term.
    #[must_use]
    pub fn write_out(
        &self,
        term: Cell,
        terms: &mut Terms,
        variables: &mut Vec<Cell>,
    ) -> Option<TermId> {
        enum Step {
            Enter(Cell),
            Build(crate::atoms::Atom, usize),
        }
        if !self.is_acyclic(term) {
            return None;
        }
        let mut numbers: rustc_hash::FxHashMap<Cell, u32> = variables
            .iter()
            .zip(0..)
            .map(|(&cell, number)| (cell, number))
            .collect();
        let (mut steps, mut built) = (vec![Step::Enter(term)], Vec::new());
        while let Some(step) = steps.pop() {
            match step {
                Step::Build(name, arity) => {
                    let arguments = built.split_off(built.len() - arity);
                    built.push(terms.compound(self.atoms.text(name).clone(), &arguments));
                }
                Step::Enter(cell) => {
                    let node = match self.view(cell) {
                        View::Variable(_) => {
                            let cell = self.deref(cell);
                            let next = u32::try_from(variables.len()).unwrap_or(u32::MAX);
                            let number = *numbers.entry(cell).or_insert_with(|| {
                                variables.push(cell);
                                next
                            });
                            Term::Var(number)
                        }
                        View::Atom(name) => Term::Atom(self.atoms.text(name).clone()),
                        View::Integer(n) => Term::Integer(n.into()),
                        View::Big(n) => Term::Integer(n.into()),
                        View::Rational(q) => {
                            Term::Rational(Box::new((q.numer().clone(), q.denom().clone())))
                        }
                        View::Float(f) => Term::Float(f.to_bits()),
                        View::String(s) => Term::String(s.into()),
                        View::Compound(name, arity, first) => {
                            steps.push(Step::Build(name, arity));
                            steps.extend(
                                (first..first + arity)
                                    .rev()
                                    .map(|i| Step::Enter(self.cell(i))),
                            );
                            continue;
                        }
                    };
                    built.push(terms.push(node));
                }
            }
        }
        built.pop()
    }
}
