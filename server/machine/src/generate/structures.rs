//! Random structures and trees.

use std::collections::VecDeque;
use std::sync::Arc;

use costlens_syntax::term::{CONS, NIL, TermId};
use smol_str::SmolStr;

use super::Generator;
use super::family::Family;
use super::types::{ArgumentType, Form, Type, Types};

/// The shape of a tree: how its nodes are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeShape {
    /// Every node is in the first argument of its parent.
    First,
    /// Every node is in the last argument of its parent.
    Last,
    /// As flat as possible.
    Balanced,
    /// Random.
    Any,
}

impl Generator<'_> {
    pub(super) fn shape(&mut self) -> TreeShape {
        *(self.random).pick(&[
            TreeShape::First,
            TreeShape::Last,
            TreeShape::Balanced,
            TreeShape::Any,
        ])
    }

    fn functors(&self) -> &[(SmolStr, usize)] {
        let vocabulary = self.vocabulary;
        if self.family == Family::FromHeads && !vocabulary.head_functors.is_empty() {
            &vocabulary.head_functors
        } else {
            &vocabulary.functors
        }
    }

    fn functor(&mut self) -> Option<(SmolStr, usize)> {
        let many = self.functors().len();
        let place = self.random.below(many);
        self.functors().get(place).cloned()
    }

    /// Generates a bound term: a constant, structure, list or improper list, whose subterms are of the type `inner`.
    pub(super) fn structure(&mut self, depth: usize, inner: &Type) -> TermId {
        let own = match self.family {
            Family::FromHeads => 80,
            Family::Foreign => 10,
            _ => 45,
        };
        if depth < 2
            && self.random.chance(own - (20 * depth).min(own))
            && let Some(tree) = self.tree(inner)
        {
            return tree;
        }
        let leaf = depth > 3 || self.random.chance(15 + 10 * depth);
        let kind = self.random.below(if leaf { 5 } else { 12 });
        match kind {
            0 => self.integer(),
            1 => self.atom(),
            2 => self.terms.atom(NIL),
            3 => self.float(),
            4 => self.string(),
            5..8 => {
                let Some((name, arity)) = self.functor() else {
                    return self.list(inner, depth + 1);
                };
                let arguments: Vec<TermId> =
                    (0..arity).map(|_| self.term(inner, depth + 1)).collect();
                self.terms.compound_or_atom(name, &arguments)
            }
            8 => {
                // Build an improper or partial list.
                let (head, tail) = (self.term(inner, depth + 1), self.term(inner, depth + 2));
                self.terms.compound(CONS, &[head, tail])
            }
            9 => {
                let (key, value) = (self.term(inner, depth + 1), self.term(inner, depth + 1));
                self.terms.compound("-", &[key, value])
            }
            10 => {
                let argument = self.term(inner, depth + 1);
                let name = match self.family {
                    Family::Foreign => *self.random.pick(&["f", "{}", "-", "unheard of"]),
                    _ => "f",
                };
                self.terms.compound(name, &[argument])
            }
            _ => self.list(inner, depth + 1),
        }
    }

    /// Generates an arbitrary term, with or without variables.
    pub(super) fn anything(&mut self, depth: usize) -> TermId {
        if self.family.orders() {
            return match self.random.below(10) {
                0..6 => self.integer(),
                6..8 => self.atom(),
                _ => self.structure(depth, &Type::Ground),
            };
        }
        match self.random.below(10) {
            0..3 => self.variable(),
            3..6 if self.family == Family::Partial => self.open_list(depth),
            3..7 => self.structure(depth, &Type::Ground),
            _ => self.structure(depth, &Type::Any),
        }
    }

    /// Generates a partial list such as `[a, b|T]`.
    fn open_list(&mut self, depth: usize) -> TermId {
        let mut list = self.variable();
        for _ in 0..self.random.below(self.scale.min(6) + 1) {
            let element = if self.random.chance(50) || depth > 2 {
                self.constant()
            } else {
                self.term(&Type::Any, depth + 1)
            };
            list = self.terms.compound(CONS, &[element, list]);
        }
        list
    }

    /// Generates a tree with one functor of the program: degenerate or balanced, with equal leaves. Random terms rarely match the patterns
    /// of a program over trees.
    fn tree(&mut self, inner: &Type) -> Option<TermId> {
        let (name, arity) = self.functor()?;
        if arity == 0 || name == CONS {
            return Some(self.atom());
        }
        let is_ground = matches!(inner, Type::Ground);
        let leaf = if is_ground || self.random.chance(90) {
            self.atom()
        } else {
            self.variable()
        };
        let below: Vec<usize> = match self.random.below(3) {
            0 => vec![0, arity - 1],
            1 => (0..arity).collect(),
            _ => vec![self.random.below(arity), self.random.below(arity)],
        };
        let shape = self.shape();
        // Subtrees that are not yet attached to a node.
        let mut waiting = VecDeque::new();
        for _ in 0..1 + self.random.below(2 * self.scale + 2) {
            let inner = self.random.below(below.len());
            let arguments: Vec<TermId> = (0..arity)
                .map(|i| {
                    if !below.contains(&i) {
                        return self.integer();
                    }
                    let here = match shape {
                        TreeShape::First => i == below[0],
                        TreeShape::Last => Some(&i) == below.last(),
                        TreeShape::Balanced => waiting.len() > 2,
                        TreeShape::Any => i == below[inner],
                    };
                    (here.then(|| waiting.pop_front()).flatten()).unwrap_or(leaf)
                })
                .collect();
            waiting.push_back(self.terms.compound(name.clone(), &arguments));
        }
        waiting.pop_back()
    }

    /// Generates a term of a program-defined type: of about the scale of the call's terms, degenerate or bushy.
    pub(super) fn defined(&mut self, types: &Arc<Types>, name: &SmolStr) -> TermId {
        let shape = self.shape();
        let mut left = self.random.below(2 * self.scale + 2);
        let mut plan = Plan::default();
        let root = plan.place();
        let mut waiting = VecDeque::from([(name.clone(), root)]);
        loop {
            let next = match shape {
                TreeShape::Balanced => waiting.pop_front(),
                _ => waiting.pop_back(),
            };
            let Some((name, at)) = next else {
                return plan.build(self);
            };
            let forms = types.forms(&name);
            let more: Vec<&Form> = forms.iter().filter(|f| f.goes_on()).collect();
            let ends: Vec<&Form> = forms.iter().filter(|f| !f.must_go_on()).collect();
            let goes_on = !more.is_empty() && left > 0;
            let form = *self.random.pick(if goes_on { &more } else { &ends });
            left = left.saturating_sub(1);
            match form {
                Form::Constant(constant) => plan.put(at, self.terms.push(constant.clone())),
                Form::Other(ty) => plan.put(at, self.term(ty, 1)),
                Form::Compound(functor, parts) => {
                    // In a degenerate term, one part continues, and the other parts end at once.
                    let named: Vec<usize> = (0..parts.len())
                        .filter(|&i| matches!(parts[i], ArgumentType::Named(_)))
                        .collect();
                    let spine = match shape {
                        TreeShape::First => named.first().copied(),
                        TreeShape::Last => named.last().copied(),
                        _ => None,
                    };
                    let first = plan.structure(at, functor.clone(), parts.len());
                    for (i, part) in parts.iter().enumerate() {
                        let place = first + i;
                        match part {
                            ArgumentType::Named(n) if spine.is_none() || spine == Some(i) => {
                                waiting.push_back((n.clone(), place));
                            }
                            ArgumentType::Named(n) => plan.put(place, self.smallest(types, n)),
                            ArgumentType::ListOf(n) => {
                                let many = self.random.below(3);
                                let elements: Vec<TermId> =
                                    (0..many).map(|_| self.smallest(types, n)).collect();
                                plan.put(place, self.list_of(&elements));
                            }
                            ArgumentType::Other(ty) => plan.put(place, self.term(ty, 2)),
                        }
                    }
                }
            }
        }
    }

    /// Generates a term of minimal size of a defined type.
    fn smallest(&mut self, types: &Arc<Types>, name: &SmolStr) -> TermId {
        // `Types::new` ensures that each type has a smallest term.
        let end = types.forms(name).iter().find(|f| !f.must_go_on());
        match end {
            Some(Form::Constant(constant)) => self.terms.push(constant.clone()),
            Some(Form::Other(ty)) => self.term(ty, 2),
            Some(Form::Compound(functor, parts)) => {
                let arguments: Vec<TermId> = (parts.iter())
                    .map(|part| match part {
                        ArgumentType::Other(ty) => self.term(ty, 3),
                        ArgumentType::Named(_) | ArgumentType::ListOf(_) => self.terms.atom(NIL),
                    })
                    .collect();
                self.terms.compound_or_atom(functor.clone(), &arguments)
            }
            None => self.atom(),
        }
    }
}

/// A term that is planned from the root and built from the leaves: parts have higher indices than the terms that contain them.
#[derive(Debug, Default)]
pub(super) struct Plan(Vec<Planned>);

#[derive(Debug)]
enum Planned {
    Unknown,
    Term(TermId),
    /// The functor, the index of the first argument, and the arity.
    Structure(SmolStr, usize, usize),
}

impl Plan {
    /// Adds a place and returns its index.
    pub(super) fn place(&mut self) -> usize {
        self.0.push(Planned::Unknown);
        self.0.len() - 1
    }

    pub(super) fn put(&mut self, at: usize, term: TermId) {
        self.0[at] = Planned::Term(term);
    }

    /// Puts a structure at a place. Returns the index of its first argument; the other arguments follow.
    pub(super) fn structure(&mut self, at: usize, name: SmolStr, arity: usize) -> usize {
        let first = self.0.len();
        self.0.extend((0..arity).map(|_| Planned::Unknown));
        self.0[at] = Planned::Structure(name, first, arity);
        first
    }

    pub(super) fn build(self, generator: &mut Generator<'_>) -> TermId {
        let mut built: Vec<TermId> = vec![TermId(0); self.0.len()];
        for (at, planned) in self.0.into_iter().enumerate().rev() {
            built[at] = match planned {
                Planned::Term(term) => term,
                Planned::Structure(name, first, arity) => {
                    let arguments = &built[first..first + arity];
                    generator.terms.compound_or_atom(name, arguments)
                }
                Planned::Unknown => generator.terms.atom(NIL),
            };
        }
        built
            .first()
            .copied()
            .unwrap_or_else(|| generator.terms.atom(NIL))
    }
}
