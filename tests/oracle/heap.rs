//! Term cells, binding, and the walks over them (unify, compare, copy), which are all iterative.

use std::cmp::Ordering;
use std::collections::HashMap;

use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use num_bigint::BigInt;
use smol_str::SmolStr;

use crate::arithmetic;

/// A place on the heap.
pub(crate) type Ref = usize;

/// One heap cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// A variable: unbound if it refers to itself.
    Var(Ref),
    Atom(SmolStr),
    Int(BigInt),
    Float(f64),
    Str(SmolStr),
    /// Name, first argument cell, arity. The arguments are consecutive cells.
    Compound(SmolStr, Ref, usize),
}

/// More cells were visited than a run may visit (a cyclic term, or a run that is too long).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfWork;

/// The heap and the trail of one run.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    pub(crate) cells: Vec<Cell>,
    pub(crate) trail: Vec<Ref>,
    /// The number of cells that may still be visited.
    pub(crate) work: u64,
}

/// A term independent of any heap; its root is the first cell.
pub(crate) type Record = Vec<Cell>;

impl Heap {
    pub(crate) fn push(&mut self, cell: Cell) -> Ref {
        self.cells.push(cell);
        self.cells.len() - 1
    }

    pub(crate) fn var(&mut self) -> Ref {
        let at = self.cells.len();
        self.push(Cell::Var(at))
    }

    pub(crate) fn atom(&mut self, name: &str) -> Ref {
        self.push(Cell::Atom(SmolStr::new(name)))
    }

    pub(crate) fn int(&mut self, value: impl Into<BigInt>) -> Ref {
        self.push(Cell::Int(value.into()))
    }

    pub(crate) fn compound(&mut self, name: &str, arguments: &[Ref]) -> Ref {
        let start = self.cells.len();
        self.cells.extend(arguments.iter().map(|&a| Cell::Var(a)));
        self.push(Cell::Compound(SmolStr::new(name), start, arguments.len()))
    }

    pub(crate) fn list(&mut self, elements: &[Ref], tail: Option<Ref>) -> Ref {
        self.work = self.work.saturating_sub(elements.len() as u64);
        let mut list = tail.unwrap_or_else(|| self.atom(NIL));
        for &element in elements.iter().rev() {
            list = self.compound(CONS, &[element, list]);
        }
        list
    }

    pub(crate) fn deref(&self, mut at: Ref) -> Ref {
        while let Cell::Var(to) = self.cells[at] {
            if to == at {
                break;
            }
            at = to;
        }
        at
    }

    /// Returns the cell at the end of any chain of bindings.
    pub(crate) fn value(&self, at: Ref) -> &Cell {
        &self.cells[self.deref(at)]
    }

    pub(crate) fn is_unbound(&self, at: Ref) -> bool {
        matches!(self.value(at), Cell::Var(_))
    }

    /// Returns the arguments, if the term is a compound of this name and arity.
    pub(crate) fn matches<const N: usize>(&self, at: Ref, name: &str) -> Option<[Ref; N]> {
        match self.value(at) {
            Cell::Compound(n, start, arity) if *arity == N && n == name => {
                Some(std::array::from_fn(|i| start + i))
            }
            _ => None,
        }
    }

    pub(crate) fn is_atom(&self, at: Ref, name: &str) -> bool {
        matches!(self.value(at), Cell::Atom(n) if n == name)
    }

    /// Returns name and arguments of a callable term.
    pub(crate) fn callable(&self, at: Ref) -> Option<(SmolStr, Ref, usize)> {
        match self.value(at) {
            Cell::Atom(name) => Some((name.clone(), 0, 0)),
            Cell::Compound(name, start, arity) => Some((name.clone(), *start, *arity)),
            _ => None,
        }
    }

    fn visit(&mut self) -> Result<(), OutOfWork> {
        self.work = self.work.checked_sub(1).ok_or(OutOfWork)?;
        Ok(())
    }

    /// Returns the elements and the tail of a list term.
    pub(crate) fn elements(&mut self, at: Ref) -> Result<(Vec<Ref>, Ref), OutOfWork> {
        let (mut elements, mut rest) = (Vec::new(), self.deref(at));
        while let Some([head, tail]) = self.matches(rest, CONS) {
            self.visit()?;
            elements.push(head);
            rest = self.deref(tail);
        }
        Ok((elements, rest))
    }

    pub(crate) fn bind(&mut self, variable: Ref, to: Ref) {
        self.cells[variable] = Cell::Var(to);
        self.trail.push(variable);
    }

    /// Restores bindings and cells to an earlier state.
    pub(crate) fn undo(&mut self, trail: usize, cells: usize) {
        for variable in self.trail.drain(trail..) {
            self.cells[variable] = Cell::Var(variable);
        }
        self.cells.truncate(cells);
    }

    pub(crate) fn unify(&mut self, a: Ref, b: Ref) -> Result<bool, OutOfWork> {
        let mut stack = vec![(a, b)];
        while let Some((a, b)) = stack.pop() {
            self.visit()?;
            let (a, b) = (self.deref(a), self.deref(b));
            if a == b {
                continue;
            }
            match (&self.cells[a], &self.cells[b]) {
                // The younger variable refers to the older one, so that no reference points to a cell that is discarded earlier.
                (Cell::Var(_), Cell::Var(_)) => self.bind(a.max(b), a.min(b)),
                (Cell::Var(_), _) => self.bind(a, b),
                (_, Cell::Var(_)) => self.bind(b, a),
                (Cell::Compound(n, s, k), Cell::Compound(m, t, l)) => {
                    if n != m || k != l {
                        return Ok(false);
                    }
                    let (s, t, k) = (*s, *t, *k);
                    stack.extend((0..k).rev().map(|i| (s + i, t + i)));
                }
                (Cell::Float(x), Cell::Float(y)) => {
                    if x.to_bits() != y.to_bits() {
                        return Ok(false);
                    }
                }
                (x, y) => {
                    if x != y {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Returns the standard order of terms.
    pub(crate) fn compare(&mut self, a: Ref, b: Ref) -> Result<Ordering, OutOfWork> {
        let mut stack = vec![(a, b)];
        while let Some((a, b)) = stack.pop() {
            self.visit()?;
            let (a, b) = (self.deref(a), self.deref(b));
            if a == b {
                continue;
            }
            let (x, y) = (&self.cells[a], &self.cells[b]);
            let order = match (x, y) {
                (Cell::Var(_), Cell::Var(_)) => a.cmp(&b),
                (Cell::Int(_) | Cell::Float(_), Cell::Int(_) | Cell::Float(_)) => {
                    arithmetic::standard_order(x, y)
                }
                (Cell::Atom(x), Cell::Atom(y)) | (Cell::Str(x), Cell::Str(y)) => x.cmp(y),
                (Cell::Compound(n, s, k), Cell::Compound(m, t, l)) => {
                    let order = k.cmp(l).then_with(|| n.cmp(m));
                    if order == Ordering::Equal {
                        let (s, t, k) = (*s, *t, *k);
                        stack.extend((0..k).rev().map(|i| (s + i, t + i)));
                    }
                    order
                }
                _ => rank(x).cmp(&rank(y)),
            };
            if order != Ordering::Equal {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    }

    /// Returns whether two terms are equal up to a renaming of variables.
    pub(crate) fn variant(&mut self, a: Ref, b: Ref) -> Result<bool, OutOfWork> {
        let (mut to, mut from) = (HashMap::new(), HashMap::new());
        let mut stack = vec![(a, b)];
        while let Some((a, b)) = stack.pop() {
            self.visit()?;
            let (a, b) = (self.deref(a), self.deref(b));
            match (&self.cells[a], &self.cells[b]) {
                (Cell::Var(_), Cell::Var(_)) => {
                    if *to.entry(a).or_insert(b) != b || *from.entry(b).or_insert(a) != a {
                        return Ok(false);
                    }
                }
                (Cell::Compound(n, s, k), Cell::Compound(m, t, l)) => {
                    if n != m || k != l {
                        return Ok(false);
                    }
                    let (s, t, k) = (*s, *t, *k);
                    stack.extend((0..k).rev().map(|i| (s + i, t + i)));
                }
                (x, y) => {
                    if x != y {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Returns the distinct unbound variables of a term, in the order of their first occurrence.
    pub(crate) fn variables(&mut self, at: Ref) -> Result<Vec<Ref>, OutOfWork> {
        // Terms share parts, and a part that was visited has no new variables.
        let (mut found, mut seen, mut stack) = (Vec::new(), HashMap::new(), vec![at]);
        while let Some(at) = stack.pop() {
            self.visit()?;
            let at = self.deref(at);
            match self.cells[at] {
                Cell::Var(_) => {
                    seen.entry(at).or_insert_with(|| found.push(at));
                }
                Cell::Compound(_, start, arity) => {
                    seen.entry(at)
                        .or_insert_with(|| stack.extend((start..start + arity).rev()));
                }
                _ => {}
            }
        }
        Ok(found)
    }

    pub(crate) fn is_ground(&mut self, at: Ref) -> Result<bool, OutOfWork> {
        Ok(self.variables(at)?.is_empty())
    }

    /// Returns a copy that does not depend on the heap; unbound variables become variables of the copy.
    pub(crate) fn record(&mut self, at: Ref) -> Result<Record, OutOfWork> {
        let mut to = Record::new();
        let mut variables = HashMap::new();
        to.push(Cell::Var(0));
        let mut stack = vec![(at, 0)];
        while let Some((from, into)) = stack.pop() {
            self.visit()?;
            let from = self.deref(from);
            to[into] = match &self.cells[from] {
                Cell::Var(_) => Cell::Var(*variables.entry(from).or_insert(into)),
                Cell::Compound(name, start, arity) => {
                    let (base, start, arity) = (to.len(), *start, *arity);
                    let compound = Cell::Compound(name.clone(), base, arity);
                    to.extend((0..arity).map(|i| Cell::Var(base + i)));
                    stack.extend((0..arity).rev().map(|i| (start + i, base + i)));
                    compound
                }
                other => other.clone(),
            };
        }
        Ok(to)
    }

    /// Puts a recorded term on the heap, with fresh variables.
    pub(crate) fn restore(&mut self, record: &Record) -> Ref {
        let base = self.cells.len();
        self.work = self.work.saturating_sub(record.len() as u64);
        self.cells.extend(record.iter().map(|cell| match cell {
            Cell::Var(to) => Cell::Var(base + to),
            Cell::Compound(name, start, arity) => {
                Cell::Compound(name.clone(), base + start, *arity)
            }
            other => other.clone(),
        }));
        base
    }

    /// Puts a term of an arena on the heap. `bindings` holds the present values of the clause's variables.
    pub(crate) fn instantiate(
        &mut self,
        terms: &Terms,
        id: TermId,
        bindings: &mut [Option<Ref>],
    ) -> Result<Ref, OutOfWork> {
        let root = self.var();
        let mut stack = vec![(id, root)];
        while let Some((id, into)) = stack.pop() {
            self.visit()?;
            let cell = match terms.get(id) {
                Term::Var(v) => match bindings[*v as usize] {
                    Some(to) => Cell::Var(to),
                    None => {
                        bindings[*v as usize] = Some(into);
                        continue;
                    }
                },
                Term::Compound(name, _) => {
                    let arguments = terms.args(id);
                    let start = self.cells.len();
                    for (i, &argument) in arguments.iter().enumerate() {
                        self.var();
                        stack.push((argument, start + i));
                    }
                    Cell::Compound(name.clone(), start, arguments.len())
                }
                atomic => constant(atomic),
            };
            self.cells[into] = cell;
        }
        Ok(root)
    }

    /// Unifies a term of an arena with a heap term, without building the parts that already exist.
    pub(crate) fn unify_head(
        &mut self,
        terms: &Terms,
        pattern: TermId,
        at: Ref,
        bindings: &mut [Option<Ref>],
    ) -> Result<bool, OutOfWork> {
        let mut stack = vec![(pattern, at)];
        while let Some((id, at)) = stack.pop() {
            self.visit()?;
            let at = self.deref(at);
            match terms.get(id) {
                Term::Var(v) => match bindings[*v as usize] {
                    None => bindings[*v as usize] = Some(at),
                    Some(bound) => {
                        if !self.unify(bound, at)? {
                            return Ok(false);
                        }
                    }
                },
                Term::Compound(name, _) => match &self.cells[at] {
                    Cell::Var(_) => {
                        let built = self.instantiate(terms, id, bindings)?;
                        self.bind(at, built);
                    }
                    Cell::Compound(n, start, arity)
                        if n == name && *arity == terms.args(id).len() =>
                    {
                        let start = *start;
                        let arguments = terms.args(id).iter().enumerate().rev();
                        stack.extend(arguments.map(|(i, &a)| (a, start + i)));
                    }
                    _ => return Ok(false),
                },
                atomic => {
                    let cell = constant(atomic);
                    match &self.cells[at] {
                        Cell::Var(_) => {
                            let built = self.push(cell);
                            self.bind(at, built);
                        }
                        there if *there == cell => {}
                        _ => return Ok(false),
                    }
                }
            }
        }
        Ok(true)
    }
}

/// Returns the cell of an atomic term.
pub(crate) fn constant(term: &Term) -> Cell {
    match term {
        Term::Atom(name) => Cell::Atom(name.clone()),
        Term::Integer(value) => Cell::Int(value.to_big()),
        Term::Float(bits) => Cell::Float(f64::from_bits(*bits)),
        Term::String(text) => Cell::Str(text.clone()),
        Term::Rational(_) => panic!("rational numbers are not supported by the oracle"),
        Term::Var(_) | Term::Compound(..) | Term::Error => panic!("no constant: {term:?}"),
    }
}

fn rank(cell: &Cell) -> u8 {
    match cell {
        Cell::Var(_) => 0,
        Cell::Int(_) | Cell::Float(_) => 1,
        // SWI-Prolog 9 has strings before atoms.
        Cell::Str(_) => 2,
        Cell::Atom(_) => 3,
        Cell::Compound(..) => 4,
    }
}
