//! Sizes of the subterms of arguments.
//!
//! In a world in which the first argument of `count(t(L, X, R), N)` has the functor `t/3`, its arguments have separate size variables,
//! related by `n = 1 + l + x + r`, each at least 1. They are not sizes of the entry, so a world is never split on them; in the equations
//! they are locals of the world's alternatives. The quotient and remainder of an integer are treated in the same way if a test checks
//! whether the integer is a multiple of 2: `n = 2·q` in one world, `n = 2·q + 1` in another.

use std::collections::BTreeMap;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::Alternative;
use smol_str::{SmolStr, format_smolstr};

use super::questions::{Answer, Question};
use super::weights;
use crate::lattice::regular::CELL_KEY;
use crate::lattice::types::{Metric, Type};
use crate::lattice::weight::{TermWeight, cells_fit};
use crate::summary::node::{Node, Param};

/// The maximum number of arguments of a functor that is decomposed.
const WIDEST: usize = 12;

/// The subterms that have size variables in a world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The size variables by key, including those of the entry's arguments.
    pub(crate) sizes: BTreeMap<SmolStr, Var>,
    /// The weights of the subterms that have weight variables ([`crate::lattice::weight`]).
    pub(crate) weights: BTreeMap<SmolStr, Var>,
    /// The variables that are not sizes of the entry.
    locals: Vec<Var>,
    /// The relations of these variables to the sizes of the entry.
    relations: Region,
}

impl Parts {
    /// Returns the subterms of arguments whose functors the answers determine. `variable` returns the same variable for the same key.
    pub(crate) fn new(
        node: &Node,
        answers: &BTreeMap<Question, Answer>,
        counted: Option<&TermWeight>,
        variable: &mut dyn FnMut(SmolStr) -> Var,
    ) -> Self {
        let mut parts = Parts::default();
        let is_term = |p: &&Param| match p.slot.metric {
            Metric::Size => p.slot.is_plain() || p.slot.whole,
            // A term whose branches are trees of its type.
            Metric::Keys => p.slot.is_plain() && node.pattern.0[p.slot.argument].shapes().is_some(),
            _ => false,
        };
        for param in node.params.iter().filter(is_term) {
            let key = format_smolstr!("a{}", param.slot.argument + 1);
            parts.sizes.insert(key, param.var);
        }
        if let Some(counted) = counted {
            parts.weigh(node, answers, counted, variable);
        }
        for (question, answer) in answers {
            if let Question::Multiple { key, of } = question {
                parts.divide(node, key, *of, *answer == Answer::Yes, variable);
            }
        }
        if parts.sizes.is_empty() {
            return parts;
        }
        let mut types: BTreeMap<SmolStr, Type> = (node.pattern.0.iter().enumerate())
            .map(|(i, of)| (format_smolstr!("a{}", i + 1), of.clone()))
            .collect();
        // The key of a term precedes the keys of its subterms.
        for (question, answer) in answers {
            let Question::Shape { key } = question else {
                continue;
            };
            parts.count_cells(key, answer, &types);
            let Answer::Is(functor) = answer else {
                continue;
            };
            let (Some(&whole), Some(arity)) = (parts.sizes.get(key), arity(functor)) else {
                continue;
            };
            let of = types.get(key);
            let in_keys = matches!(of, Some(Type::Opaque(_)));
            let shapes = of.and_then(Type::shapes);
            let arguments = shapes
                .and_then(|s| s.arguments(functor))
                .unwrap_or_default();
            let mut sum = Expr::int(i64::from(!in_keys || arity > 0));
            for i in 0..arity {
                let key = format_smolstr!("{key}.{}", i + 1);
                let mut least = 1;
                if let Some(of) = arguments.get(i) {
                    least = of.least_size();
                    // Inside another term, an opaque term is measured by its symbols.
                    if in_keys || !matches!(of, Type::Opaque(_)) {
                        types.insert(key.clone(), of.clone());
                    }
                }
                if in_keys {
                    if !matches!(arguments.get(i), Some(Type::Opaque(_))) {
                        continue;
                    }
                    least = 0;
                }
                let v = variable(key.clone());
                parts.sizes.insert(key, v);
                parts.locals.push(v);
                parts.relate(Constraint::ge(&Expr::var(v), &Expr::int(least)));
                sum += &Expr::var(v);
            }
            parts.relate(Constraint::eq(&Expr::var(whole), &sum));
        }
        if counted == Some(&TermWeight::Cells) {
            let both = (parts.weights.iter())
                .filter_map(|(key, &cells)| Some((cells, *parts.sizes.get(key)?)));
            for (cells, size) in both.collect::<Vec<_>>() {
                parts.relate(cells_fit(cells, size));
            }
        }
        parts
    }

    /// Adds the weights of arguments and of their subterms: `b1(T)` has the weight of `T`, plus one if `b1/1` is counted.
    fn weigh(
        &mut self,
        node: &Node,
        answers: &BTreeMap<Question, Answer>,
        counted: &TermWeight,
        variable: &mut dyn FnMut(SmolStr) -> Var,
    ) {
        let answer = |key: &SmolStr| answers.get(&Question::Shape { key: key.clone() }).cloned();
        let whole = |argument| {
            let mut params = node.params.iter();
            params.any(|p| p.slot.argument == argument && p.slot.whole)
        };
        for param in &node.params {
            let argument = param.slot.argument;
            if param.slot.is_plain() && whole(argument) {
                // The number of cells of a list is its length.
                self.weights
                    .insert(format_smolstr!("a{}", argument + 1), param.var);
            }
            if !param.slot.weight {
                continue;
            }
            self.weights
                .insert(format_smolstr!("a{}", argument + 1), param.var);
            let size =
                (node.params.iter()).find(|p| p.slot.argument == argument && p.slot.is_plain());
            match (&node.pattern.0[argument], size) {
                (Type::List(element), Some(length)) => {
                    if let TermWeight::Symbol(symbol) = counted {
                        let known = weights::of_list(symbol, param, length, element, &answer);
                        self.relations = self.relations.and_all(&known);
                    }
                }
                (_, Some(size)) => {
                    self.relate(Constraint::le(&Expr::var(param.var), &Expr::var(size.var)));
                }
                _ => {}
            }
        }
        for (question, answer) in answers {
            let Question::Shape { key } = question else {
                continue;
            };
            let Some(&whole) = self.weights.get(key) else {
                continue;
            };
            match answer {
                Answer::Is(functor) => {
                    self.weigh_parts(key, whole, functor, counted, variable);
                }
                Answer::IsNot(others)
                    if *counted == TermWeight::Cells && others.contains(CELL_KEY) =>
                {
                    self.relate(Constraint::eq(&Expr::var(whole), &Expr::zero()));
                }
                _ => {}
            }
        }
    }

    /// Adds the weights of the arguments of a subterm with a known functor.
    fn weigh_parts(
        &mut self,
        key: &SmolStr,
        whole: Var,
        functor: &SmolStr,
        counted: &TermWeight,
        variable: &mut dyn FnMut(SmolStr) -> Var,
    ) {
        let Some(arity) = arity(functor) else { return };
        let is_cell = functor == CELL_KEY;
        let mut sum = match counted {
            TermWeight::Cells => Expr::int(i64::from(is_cell)),
            TermWeight::Symbol(_) => Expr::int(counted.of_symbol(functor)),
        };
        for i in 0..arity {
            let key = format_smolstr!("{key}.{}", i + 1);
            // Sizes of subterms have names of their own.
            let v = variable(format_smolstr!("#{key}"));
            self.weights.insert(key, v);
            self.locals.push(v);
            self.relate(Constraint::ge(&Expr::var(v), &Expr::zero()));
            if *counted != TermWeight::Cells || is_cell && i == 1 {
                sum += &Expr::var(v);
            }
        }
        self.relate(Constraint::eq(&Expr::var(whole), &sum));
    }

    /// Adds the quotient of an argument by a constant, and the facts about the remainder.
    fn divide(
        &mut self,
        node: &Node,
        key: &SmolStr,
        by: u32,
        is_multiple: bool,
        variable: &mut dyn FnMut(SmolStr) -> Var,
    ) {
        let mut params = node.params.iter();
        let of = params.find(|p| {
            p.slot.metric == Metric::Int
                && p.slot.is_plain()
                && *key == format_smolstr!("a{}", p.slot.argument + 1)
        });
        let Some(of) = of else { return };
        let quotient_key = quotient_key(key, by);
        let quotient = variable(quotient_key.clone());
        self.sizes.insert(quotient_key.clone(), quotient);
        self.locals.push(quotient);
        let mut sum = Expr::var(quotient).scale(&costlens_algebra::rat(by.into()));
        if !is_multiple && by == 2 {
            sum += &Expr::int(1);
        } else if !is_multiple {
            let rest = variable(format_smolstr!("{quotient_key}r"));
            self.locals.push(rest);
            self.relate(Constraint::ge(&Expr::var(rest), &Expr::int(1)));
            let most = Expr::int(i64::from(by) - 1);
            self.relate(Constraint::le(&Expr::var(rest), &most));
            sum += &Expr::var(rest);
        }
        self.relate(Constraint::eq(&Expr::var(of.var), &sum));
    }

    /// Relates the size of a list inside a term to its known cells. Each cell, each element and the final `[]` count.
    fn count_cells(&mut self, key: &SmolStr, answer: &Answer, types: &BTreeMap<SmolStr, Type>) {
        let (mut list, mut cells) = (key.as_str(), 0_i64);
        while let Some(longer) = list.strip_suffix(".t") {
            (list, cells) = (longer, cells + 1);
        }
        let (Some(Type::List(_)), Some(&size)) = (types.get(list), self.sizes.get(list)) else {
            return;
        };
        match answer {
            Answer::Is(empty) if empty == "[]" => {}
            Answer::IsNot(others) if others.contains("[]") => cells += 1,
            _ => return,
        }
        self.relate(Constraint::ge(&Expr::var(size), &Expr::int(2 * cells + 1)));
    }

    fn relate(&mut self, c: Option<Constraint>) {
        if let Some(c) = c {
            self.relations = self.relations.and(c);
        }
    }

    /// Returns the region of the entry's sizes extended by the facts about the subterms.
    pub(crate) fn extended(&self, region: &Region) -> Region {
        region.and_all(&self.relations)
    }

    /// Returns an alternative for this world, with the sizes of subterms as locals.
    pub(crate) fn part_of(&self, mut alternative: Alternative) -> Alternative {
        if !self.relations.constraints().is_empty() {
            alternative.locals.extend(&self.locals);
            alternative.constraints = alternative.constraints.and_all(&self.relations);
        }
        alternative
    }
}

/// Returns the key for the quotient of a value by a constant, rounded down.
pub(crate) fn quotient_key(key: &SmolStr, by: u32) -> SmolStr {
    format_smolstr!("({key}/{by})")
}

/// Returns the number of arguments in a functor's key (`'t'/3`; constants have none), or `None` if it is too large.
fn arity(functor: &str) -> Option<usize> {
    let arity = match functor.rsplit_once("'/") {
        Some((_, digits)) if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
        _ => 0,
    };
    (arity <= WIDEST).then_some(arity)
}
