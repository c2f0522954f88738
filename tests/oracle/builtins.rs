//! Built-ins that succeed at most once, and count no step.

use std::cmp::Ordering;

use costlens_catalog::is_locked;
use costlens_syntax::term::NIL;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use smol_str::SmolStr;

use crate::arithmetic::{self, ArithmeticError, Number};
use crate::heap::{Cell, Ref};
use crate::machine::{Machine, Stop};
use crate::program::Key;
use crate::write;

pub(crate) type Answer = Result<bool, Stop>;

impl Machine {
    /// Runs a built-in; `None` if none has this name and arity.
    pub(crate) fn builtin(&mut self, name: &str, arguments: &[Ref]) -> Option<Answer> {
        Some(match (name, arguments) {
            ("=", &[a, b]) => self.heap.unify(a, b).map_err(Stop::from),
            ("\\=", &[a, b]) => self.not_unifiable(a, b),
            ("unify_with_occurs_check", &[a, b]) => self.unify_occurs_check(a, b),
            ("==", &[a, b]) => self.compare(a, b, |o| o == Ordering::Equal),
            ("\\==", &[a, b]) => self.compare(a, b, |o| o != Ordering::Equal),
            ("@<", &[a, b]) => self.compare(a, b, |o| o == Ordering::Less),
            ("@>", &[a, b]) => self.compare(a, b, |o| o == Ordering::Greater),
            ("@=<", &[a, b]) => self.compare(a, b, |o| o != Ordering::Greater),
            ("@>=", &[a, b]) => self.compare(a, b, |o| o != Ordering::Less),
            ("=@=", &[a, b]) => self.heap.variant(a, b).map_err(Stop::from),
            ("\\=@=", &[a, b]) => self.heap.variant(a, b).map(|v| !v).map_err(Stop::from),
            ("compare", &[order, a, b]) => self.compare_3(order, a, b),
            ("<", &[a, b]) => self.numbers(a, b, |o| o == Some(Ordering::Less)),
            (">", &[a, b]) => self.numbers(a, b, |o| o == Some(Ordering::Greater)),
            ("=<", &[a, b]) => self.numbers(a, b, |o| {
                matches!(o, Some(Ordering::Less | Ordering::Equal))
            }),
            (">=", &[a, b]) => self.numbers(a, b, |o| {
                matches!(o, Some(Ordering::Greater | Ordering::Equal))
            }),
            ("=:=", &[a, b]) => self.numbers(a, b, |o| o == Some(Ordering::Equal)),
            ("=\\=", &[a, b]) => self.numbers(a, b, |o| o != Some(Ordering::Equal)),
            ("is", &[out, expression]) => self
                .evaluate(expression)
                .and_then(|v| Ok(self.heap.unify(out, v)?)),
            ("in" | "#=" | "#>=" | "#=<" | "#>" | "#<", &[a, b]) => self.constraint(name, a, b),
            ("succ", &[a, b]) => self.succ(a, b),
            ("plus", &[a, b, c]) => self.plus(a, b, c),
            (
                "var" | "nonvar" | "integer" | "float" | "rational" | "number" | "atom" | "atomic"
                | "compound" | "callable" | "string" | "is_list" | "ground",
                &[term],
            ) => self.type_test(name, term),
            ("functor", &[term, name, arity]) => self.functor(term, name, arity),
            ("arg", &[index, term, out]) => self.arg(index, term, out),
            ("=..", &[term, list]) => self.univ(term, list),
            ("copy_term", &[from, to]) => {
                self.heap
                    .record(from)
                    .map_err(Stop::from)
                    .and_then(|record| {
                        let copy = self.heap.restore(&record);
                        Ok(self.heap.unify(to, copy)?)
                    })
            }
            ("term_variables", &[term, out]) => self
                .heap
                .variables(term)
                .map_err(Stop::from)
                .and_then(|variables| {
                    let list = self.heap.list(&variables, None);
                    Ok(self.heap.unify(out, list)?)
                }),
            ("memberchk", &[element, list]) => self.memberchk(element, list),
            ("msort", &[list, out]) => self.sorted(list, out, |_, _| Ok(())),
            ("sort", &[list, out]) => self.sorted(list, out, |m, l| m.sort_unique(l)),
            ("sort", &[key, order, list, out]) => self.sort_4(key, order, list, out),
            ("keysort", &[list, out]) => self.keysort(list, out),
            ("nl", []) => self.put("\n"),
            ("write" | "print", &[term]) => self.print(term, name == "print"),
            ("writeq" | "write_canonical", &[term]) => self.print(term, true),
            ("writeln", &[term]) => self.print(term, false).and_then(|_| self.put("\n")),
            ("tab", &[count]) => self.integer(count).map(|_| true),
            ("put_char", &[_]) => Ok(true),
            ("format", &[_] | &[_, _]) => Ok(true),
            ("halt", []) => Err(Stop::Unsupported("halt/0".into())),
            ("atom_length" | "string_length", &[text, out]) => self.text_length(text, out),
            (
                "atom_codes" | "atom_chars" | "number_codes" | "char_code" | "atom_string"
                | "number_string" | "string_chars" | "string_codes" | "string_to_atom"
                | "term_to_atom",
                &[a, b],
            ) => self.convert(name, a, b),
            ("atom_number", &[a, b]) => self.atom_number(a, b),
            ("atom_concat" | "string_concat", &[a, b, out]) => self.concat(name, a, b, out),
            ("upcase_atom", &[a, b]) => self.text(a).and_then(|text| {
                // Character by character, like the C library: `ß` stays.
                let upper = |c: char| {
                    let mut all = c.to_uppercase();
                    all.next().filter(|_| all.next().is_none()).unwrap_or(c)
                };
                let atom = self.heap.atom(&text.chars().map(upper).collect::<String>());
                Ok(self.heap.unify(b, atom)?)
            }),
            ("assertz" | "assert" | "asserta", &[clause]) => self.assert(clause, name == "asserta"),
            ("retractall", &[head]) => self.retractall(head),
            ("nb_setval" | "b_setval", &[key, value]) => self.key(key).and_then(|key| {
                let record = self.heap.record(value)?;
                self.globals.insert(SmolStr::new(key), record);
                Ok(true)
            }),
            ("nb_getval" | "b_getval", &[key, value]) => {
                self.text(key)
                    .and_then(|key| match self.globals.get(key.as_str()).cloned() {
                        Some(record) => {
                            let stored = self.heap.restore(&record);
                            Ok(self.heap.unify(value, stored)?)
                        }
                        None => {
                            let (kind, key) = (self.heap.atom("variable"), self.heap.atom(&key));
                            let formal = self.heap.compound("existence_error", &[kind, key]);
                            Err(self.error(formal))
                        }
                    })
            }
            ("garbage_collect", []) => Ok(true),
            _ => return None,
        })
    }

    fn put(&mut self, text: &str) -> Answer {
        self.output.push_str(text);
        Ok(true)
    }

    fn print(&mut self, term: Ref, quoted: bool) -> Answer {
        let text = write::write(&mut self.heap, term, quoted);
        self.put(&text)
    }

    /// Returns the value of an arithmetic expression as a new cell.
    pub(crate) fn evaluate(&mut self, expression: Ref) -> Result<Ref, Stop> {
        let value = arithmetic::evaluate(&mut self.heap, expression);
        let number = self.arithmetic(value)?;
        Ok(self.heap.push(arithmetic::cell(number)))
    }

    fn arithmetic(&mut self, value: Result<Number, ArithmeticError>) -> Result<Number, Stop> {
        value.map_err(|error| match error {
            ArithmeticError::OutOfWork => Stop::Limit,
            ArithmeticError::Instantiation => self.instantiation_error(),
            ArithmeticError::Evaluable(name, arity) => {
                let (name, arity) = (self.heap.atom(&name), self.heap.int(arity));
                let indicator = self.heap.compound("/", &[name, arity]);
                self.type_error("evaluable", indicator)
            }
            ArithmeticError::Type(kind, culprit) => self.type_error(kind, culprit),
            ArithmeticError::IntegerExpected => {
                let culprit = self.heap.atom("float");
                self.type_error("integer", culprit)
            }
            ArithmeticError::Evaluation(what) => {
                let what = self.heap.atom(what);
                let formal = self.heap.compound("evaluation_error", &[what]);
                self.error(formal)
            }
            ArithmeticError::EmptyList => {
                let culprit = self.heap.atom(NIL);
                self.type_error("evaluable", culprit)
            }
            ArithmeticError::Unknown(name) => Stop::Unsupported(format!("{name} in arithmetic")),
            ArithmeticError::Domain => {
                let culprit = self.heap.atom("argument");
                self.domain_error("not_less_than_one", culprit)
            }
            ArithmeticError::Resource => {
                let what = self.heap.atom("memory");
                let formal = self.heap.compound("resource_error", &[what]);
                self.error(formal)
            }
        })
    }

    pub(crate) fn numbers(
        &mut self,
        a: Ref,
        b: Ref,
        holds: impl Fn(Option<Ordering>) -> bool,
    ) -> Answer {
        let a = arithmetic::evaluate(&mut self.heap, a);
        let a = self.arithmetic(a)?;
        let b = arithmetic::evaluate(&mut self.heap, b);
        let b = self.arithmetic(b)?;
        Ok(holds(arithmetic::compare(&a, &b)))
    }

    fn compare(&mut self, a: Ref, b: Ref, holds: impl Fn(Ordering) -> bool) -> Answer {
        Ok(holds(self.heap.compare(a, b)?))
    }

    fn compare_3(&mut self, order: Ref, a: Ref, b: Ref) -> Answer {
        if !self.heap.is_unbound(order) && !matches!(self.heap.value(order), Cell::Atom(_)) {
            return Err(self.type_error("atom", order));
        }
        if let Cell::Atom(name) = self.heap.value(order)
            && !matches!(name.as_str(), "<" | "=" | ">")
        {
            return Err(self.domain_error("order", order));
        }
        let sign = match self.heap.compare(a, b)? {
            Ordering::Less => "<",
            Ordering::Equal => "=",
            Ordering::Greater => ">",
        };
        let sign = self.heap.atom(sign);
        Ok(self.heap.unify(order, sign)?)
    }

    fn not_unifiable(&mut self, a: Ref, b: Ref) -> Answer {
        let (trail, cells) = (self.heap.trail.len(), self.heap.cells.len());
        let unifies = self.heap.unify(a, b)?;
        self.heap.undo(trail, cells);
        Ok(!unifies)
    }

    fn unify_occurs_check(&mut self, a: Ref, b: Ref) -> Answer {
        let trail = self.heap.trail.len();
        if !self.heap.unify(a, b)? {
            return Ok(false);
        }
        for i in trail..self.heap.trail.len() {
            let variable = self.heap.trail[i];
            let mut stack = vec![self.heap.deref(variable)];
            let mut budget = 100_000;
            while let Some(at) = stack.pop() {
                budget -= 1;
                if budget == 0 {
                    return Ok(false);
                }
                if let Cell::Compound(_, start, arity) = *self.heap.value(at) {
                    stack.extend(start..start + arity);
                }
            }
        }
        Ok(true)
    }

    /// Returns an integer argument, or the error that SWI-Prolog throws for anything else.
    pub(crate) fn integer(&mut self, at: Ref) -> Result<BigInt, Stop> {
        match self.heap.value(at).clone() {
            Cell::Int(n) => Ok(n),
            Cell::Var(_) => Err(self.instantiation_error()),
            _ => Err(self.type_error("integer", at)),
        }
    }

    fn succ(&mut self, a: Ref, b: Ref) -> Answer {
        if self.heap.is_unbound(a) {
            if self.heap.is_unbound(b) {
                return Err(self.instantiation_error());
            }
            let value = self.integer(b)?;
            if value.is_negative() {
                return Err(self.type_error("not_less_than_zero", b));
            }
            if value == BigInt::from(0) {
                return Ok(false);
            }
            let less = self.heap.int(value - 1);
            return Ok(self.heap.unify(a, less)?);
        }
        let value = self.integer(a)?;
        if value.is_negative() {
            return Err(self.type_error("not_less_than_zero", a));
        }
        if !self.heap.is_unbound(b) {
            self.integer(b)?;
        }
        let more = self.heap.int(value + 1);
        Ok(self.heap.unify(b, more)?)
    }

    fn plus(&mut self, a: Ref, b: Ref, c: Ref) -> Answer {
        let (out, value) = if self.heap.is_unbound(c) {
            (c, self.integer(a)? + self.integer(b)?)
        } else if self.heap.is_unbound(b) {
            (b, self.integer(c)? - self.integer(a)?)
        } else if self.heap.is_unbound(a) {
            (a, self.integer(c)? - self.integer(b)?)
        } else {
            self.integer(c)?;
            (c, self.integer(a)? + self.integer(b)?)
        };
        let value = self.heap.int(value);
        Ok(self.heap.unify(out, value)?)
    }

    fn type_test(&mut self, name: &str, term: Ref) -> Answer {
        Ok(match (name, self.heap.value(term)) {
            ("ground", _) => self.heap.is_ground(term)?,
            ("is_list", _) => {
                let (_, rest) = self.heap.elements(term)?;
                self.heap.is_atom(rest, "[]")
            }
            ("var", Cell::Var(_)) => true,
            ("nonvar", cell) => !matches!(cell, Cell::Var(_)),
            ("integer" | "rational", Cell::Int(_)) => true,
            ("float", Cell::Float(_)) => true,
            ("number", Cell::Int(_) | Cell::Float(_)) => true,
            // `[]` is a reserved symbol: neither an atom nor callable, but atomic.
            ("atom" | "callable", Cell::Atom(name)) => name != NIL,
            ("atomic", cell) => !matches!(cell, Cell::Var(_) | Cell::Compound(..)),
            ("compound", Cell::Compound(..)) => true,
            ("callable", Cell::Compound(..)) => true,
            ("string", Cell::Str(_)) => true,
            _ => false,
        })
    }

    fn functor(&mut self, term: Ref, name: Ref, arity: Ref) -> Answer {
        let (n, a) = match self.heap.value(term).clone() {
            Cell::Var(_) => return self.make_functor(term, name, arity),
            Cell::Compound(_, _, 0) => {
                return Err(self.domain_error("compound_non_zero_arity", term));
            }
            Cell::Compound(n, _, a) => (self.heap.atom(&n), a),
            _ => (term, 0),
        };
        let a = self.heap.int(a);
        Ok(self.heap.unify(name, n)? && self.heap.unify(arity, a)?)
    }

    fn make_functor(&mut self, term: Ref, name: Ref, arity: Ref) -> Answer {
        if self.heap.is_unbound(name) {
            return Err(self.instantiation_error());
        }
        let count = self.integer(arity)?;
        if count.is_negative() {
            return Err(self.domain_error("not_less_than_zero", arity));
        }
        let built = match self.heap.value(name).clone() {
            Cell::Compound(..) => return Err(self.type_error("atomic", name)),
            _ if count == BigInt::from(0) => name,
            Cell::Atom(n) => {
                let Some(count) = count.to_usize().filter(|c| *c < 1_000_000) else {
                    return Err(Stop::Limit);
                };
                let variables: Vec<Ref> = (0..count).map(|_| self.heap.var()).collect();
                self.heap.compound(&n, &variables)
            }
            _ => return Err(self.type_error("callable", name)),
        };
        Ok(self.heap.unify(term, built)?)
    }

    fn arg(&mut self, index: Ref, term: Ref, out: Ref) -> Answer {
        let index_value = self.integer(index)?;
        let Cell::Compound(_, start, arity) = *self.heap.value(term) else {
            if self.heap.is_unbound(term) {
                return Err(self.instantiation_error());
            }
            return Err(self.type_error("compound", term));
        };
        if index_value.is_negative() {
            return Err(self.domain_error("not_less_than_zero", index));
        }
        match index_value.to_usize() {
            Some(i) if (1..=arity).contains(&i) => Ok(self.heap.unify(out, start + i - 1)?),
            _ => Ok(false),
        }
    }

    fn univ(&mut self, term: Ref, list: Ref) -> Answer {
        match self.heap.value(term).clone() {
            Cell::Var(_) => {
                let (elements, rest) = self.heap.elements(list)?;
                if self.heap.is_unbound(rest) {
                    return Err(self.instantiation_error());
                }
                if !self.heap.is_atom(rest, "[]") {
                    return Err(self.type_error("list", list));
                }
                let Some((&head, arguments)) = elements.split_first() else {
                    return Err(self.domain_error("non_empty_list", list));
                };
                let built = match self.heap.value(head).clone() {
                    Cell::Var(_) => return Err(self.instantiation_error()),
                    Cell::Compound(..) if arguments.is_empty() => {
                        return Err(self.type_error("atomic", head));
                    }
                    _ if arguments.is_empty() => head,
                    Cell::Atom(name) => self.heap.compound(&name, arguments),
                    _ => return Err(self.type_error("atom", head)),
                };
                Ok(self.heap.unify(term, built)?)
            }
            Cell::Compound(_, _, 0) => Err(self.domain_error("compound_non_zero_arity", term)),
            Cell::Compound(name, start, arity) => {
                self.partial_list(list)?;
                let mut elements = vec![self.heap.atom(&name)];
                elements.extend(start..start + arity);
                let built = self.heap.list(&elements, None);
                Ok(self.heap.unify(list, built)?)
            }
            _ => {
                self.partial_list(list)?;
                let built = self.heap.list(&[term], None);
                Ok(self.heap.unify(list, built)?)
            }
        }
    }

    fn memberchk(&mut self, element: Ref, list: Ref) -> Answer {
        let (elements, rest) = self.heap.elements(list)?;
        for other in elements {
            let (trail, cells) = (self.heap.trail.len(), self.heap.cells.len());
            if self.heap.unify(element, other)? {
                return Ok(true);
            }
            self.heap.undo(trail, cells);
        }
        if self.heap.is_unbound(rest) {
            let tail = self.heap.var();
            let longer = self.heap.list(&[element], Some(tail));
            return Ok(self.heap.unify(rest, longer)?);
        }
        if !self.heap.is_atom(rest, "[]") {
            return Err(self.type_error("list", rest));
        }
        Ok(false)
    }

    /// Returns the elements of a proper list, or the error for another term.
    pub(crate) fn proper_list(&mut self, list: Ref) -> Result<Vec<Ref>, Stop> {
        let (elements, rest) = self.heap.elements(list)?;
        if self.heap.is_unbound(rest) {
            return Err(self.instantiation_error());
        }
        if !self.heap.is_atom(rest, "[]") {
            return Err(self.type_error("list", list));
        }
        Ok(elements)
    }

    /// Checks an argument that has to be a list or may become one.
    pub(crate) fn partial_list(&mut self, list: Ref) -> Result<(), Stop> {
        let (_, rest) = self.heap.elements(list)?;
        if self.heap.is_unbound(rest) || self.heap.is_atom(rest, NIL) {
            Ok(())
        } else {
            Err(self.type_error("list", list))
        }
    }

    /// Sorts by the standard order, stable; stops at the work limit.
    fn sort_by(
        &mut self,
        elements: &mut [Ref],
        mut order: impl FnMut(&mut Self, Ref, Ref) -> Result<Ordering, Stop>,
    ) -> Result<(), Stop> {
        // Merge sort, since comparing may stop half-way, and the library's sort does not tolerate inconsistent orders.
        let mut width = 1;
        while width < elements.len() {
            let mut merged = Vec::with_capacity(elements.len());
            for pair in elements.chunks(2 * width) {
                let (mut left, mut right) = pair.split_at(width.min(pair.len()));
                while let ([a, ..], [b, ..]) = (left, right) {
                    if order(self, *a, *b)? == Ordering::Greater {
                        merged.push(*b);
                        right = &right[1..];
                    } else {
                        merged.push(*a);
                        left = &left[1..];
                    }
                }
                merged.extend_from_slice(left);
                merged.extend_from_slice(right);
            }
            elements.copy_from_slice(&merged);
            width *= 2;
        }
        Ok(())
    }

    pub(crate) fn sort_unique(&mut self, elements: &mut Vec<Ref>) -> Result<(), Stop> {
        self.sort_by(elements, |m, a, b| Ok(m.heap.compare(a, b)?))?;
        let mut kept: Vec<Ref> = Vec::new();
        for &element in elements.iter() {
            if let Some(&last) = kept.last()
                && self.heap.compare(last, element)? == Ordering::Equal
            {
                continue;
            }
            kept.push(element);
        }
        *elements = kept;
        Ok(())
    }

    fn sorted(
        &mut self,
        list: Ref,
        out: Ref,
        finish: impl Fn(&mut Self, &mut Vec<Ref>) -> Result<(), Stop>,
    ) -> Answer {
        let mut elements = self.proper_list(list)?;
        self.sort_by(&mut elements, |m, a, b| Ok(m.heap.compare(a, b)?))?;
        finish(self, &mut elements)?;
        let result = self.heap.list(&elements, None);
        Ok(self.heap.unify(out, result)?)
    }

    fn sort_4(&mut self, key: Ref, order: Ref, list: Ref, out: Ref) -> Answer {
        let Some(place) = self.integer(key)?.to_usize() else {
            return Err(self.domain_error("not_less_than_one", key));
        };
        let key = place;
        let order = match self.heap.value(order).clone() {
            Cell::Atom(name) if matches!(name.as_str(), "@<" | "@=<" | "@>" | "@>=") => name,
            Cell::Var(_) => return Err(self.instantiation_error()),
            Cell::Atom(_) => return Err(self.domain_error("order", order)),
            _ => return Err(self.type_error("atom", order)),
        };
        let mut keyed = self.proper_list(list)?;
        if key > 0 {
            for &element in &keyed {
                match self.heap.value(element) {
                    Cell::Compound(_, _, n) if *n >= key => {}
                    Cell::Compound(..) => {
                        let (what, at) = (self.heap.atom("argument"), self.heap.int(key));
                        let formal = (self.heap).compound("existence_error", &[what, at, element]);
                        return Err(self.error(formal));
                    }
                    Cell::Var(_) => return Err(self.instantiation_error()),
                    _ => return Err(self.type_error("compound", element)),
                }
            }
        }
        let of = |m: &Self, at: Ref| match m.heap.value(at) {
            Cell::Compound(_, start, _) if key > 0 => start + key - 1,
            _ => at,
        };
        let descending = order.starts_with("@>");
        self.sort_by(&mut keyed, |m, a, b| {
            let (a, b) = (of(m, a), of(m, b));
            let order = m.heap.compare(a, b)?;
            Ok(if descending { order.reverse() } else { order })
        })?;
        if matches!(order.as_str(), "@<" | "@>") {
            let mut kept: Vec<Ref> = Vec::new();
            for &element in &keyed {
                if let Some(&last) = kept.last() {
                    let (a, b) = (of(self, last), of(self, element));
                    if self.heap.compare(a, b)? == Ordering::Equal {
                        continue;
                    }
                }
                kept.push(element);
            }
            keyed = kept;
        }
        let result = self.heap.list(&keyed, None);
        Ok(self.heap.unify(out, result)?)
    }

    fn keysort(&mut self, list: Ref, out: Ref) -> Answer {
        let mut elements = self.proper_list(list)?;
        let mut keys = std::collections::HashMap::new();
        for &element in &elements {
            let Some([key, _]) = self.heap.matches(element, "-") else {
                if self.heap.is_unbound(element) {
                    return Err(self.instantiation_error());
                }
                return Err(self.type_error("pair", element));
            };
            keys.insert(element, key);
        }
        self.sort_by(&mut elements, |m, a, b| {
            Ok(m.heap.compare(keys[&a], keys[&b])?)
        })?;
        let result = self.heap.list(&elements, None);
        Ok(self.heap.unify(out, result)?)
    }

    fn assert(&mut self, clause: Ref, first: bool) -> Answer {
        use costlens_syntax::term::{Term, TermId, Terms};
        let record = self.heap.record(clause)?;
        let mut terms = Terms::default();
        let mut numbers = std::collections::HashMap::new();
        // Arguments come after their compound in a record and before it in an arena.
        let mut ids: Vec<Option<TermId>> = vec![None; record.len()];
        for at in (0..record.len()).rev() {
            ids[at] = Some(match &record[at] {
                Cell::Var(to) => {
                    let next = u32::try_from(numbers.len()).unwrap();
                    terms.push(Term::Var(*numbers.entry(*to).or_insert(next)))
                }
                Cell::Atom(name) => terms.atom(name.clone()),
                Cell::Int(n) => terms.push(Term::Integer(n.into())),
                Cell::Float(x) => terms.push(Term::Float(x.to_bits())),
                Cell::Str(text) => terms.push(Term::String(text.clone())),
                Cell::Compound(name, start, arity) => {
                    let arguments: Vec<TermId> = ids[*start..start + arity]
                        .iter()
                        .map(|i| i.unwrap())
                        .collect();
                    terms.compound(name.clone(), &arguments)
                }
            });
        }
        let root = ids[0].unwrap();
        let (head, body) = match terms.matches(root, ":-", 2) {
            Some(&[head, body]) => (head, Some(body)),
            _ => (root, None),
        };
        let Some((name, arity)) = terms.functor(head).map(|(n, a)| (n.clone(), a)) else {
            return Err(if self.heap.is_unbound(clause) {
                self.instantiation_error()
            } else {
                self.type_error("callable", clause)
            });
        };
        self.may_change(&(name.clone(), arity))?;
        let program = std::rc::Rc::make_mut(&mut self.program);
        program.dynamic.insert((name, arity));
        Ok(program.add(terms, head, body, first))
    }

    /// Allows changes only of dynamic predicates and those without clauses so far.
    pub(crate) fn may_change(&mut self, key: &Key) -> Result<(), Stop> {
        let (name, arity) = (key.0.as_str(), key.1);
        let defined = self.program.predicates.contains_key(key);
        if !is_locked(name, arity) && (!defined || self.program.dynamic.contains(key)) {
            return Ok(());
        }
        let (name, arity) = (self.heap.atom(name), self.heap.int(arity));
        let indicator = self.heap.compound("/", &[name, arity]);
        let (modify, what) = (self.heap.atom("modify"), self.heap.atom("static_procedure"));
        let formal = (self.heap).compound("permission_error", &[modify, what, indicator]);
        Err(self.error(formal))
    }

    fn retractall(&mut self, head: Ref) -> Answer {
        let Some((name, start, arity)) = self.heap.callable(head) else {
            return Err(self.type_error("callable", head));
        };
        let key = (name, arity);
        self.may_change(&key)?;
        let program = std::rc::Rc::make_mut(&mut self.program);
        program.dynamic.insert(key.clone());
        let clauses = program.predicates.get(&key).cloned().unwrap_or_default();
        let mut kept = Vec::new();
        for clause in clauses.iter() {
            let (trail, cells) = (self.heap.trail.len(), self.heap.cells.len());
            let mut bindings = vec![None; clause.terms.variables() as usize];
            let mut matches = true;
            for (i, &argument) in clause.terms.args(clause.head).iter().enumerate() {
                matches = matches
                    && self
                        .heap
                        .unify_head(&clause.terms, argument, start + i, &mut bindings)?;
            }
            self.heap.undo(trail, cells);
            if !matches {
                kept.push(clause.clone());
            }
        }
        let program = std::rc::Rc::make_mut(&mut self.program);
        program.predicates.insert(key, std::rc::Rc::new(kept));
        Ok(true)
    }
}
