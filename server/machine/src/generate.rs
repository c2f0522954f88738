//! Inputs for calls, as adversarial as their types admit, generated from a seed.
//!
//! Callers pass the [`Type`] of each argument, and optionally a [`Family`] (sorted, ragged, extreme, foreign, …) and a size: "argument 1: a
//! list of length 7 with elements up to 5" is
//! `goal_of_sizes("qs", &[Type::list(Type::Int), Type::Free], &[SizeRequest::new(7).with_elements(5), SizeRequest::default()])`. The same seed,
//! [`Vocabulary`] and types produce the same call in every version.
//!
//! The generator does not recurse over terms, so it can build a list of a million elements, or an equally deep tree.

mod clause_terms;
mod family;
mod lists;
mod opaque;
mod order;
mod random;
mod scalars;
mod sized;
mod structures;
#[cfg(test)]
mod tests;
mod types;
mod vocabulary;

use costlens_syntax::term::{NIL, Term, TermId, Terms};
use costlens_syntax::write_term;
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use smol_str::{SmolStr, format_smolstr};

pub use clause_terms::ClauseTerms;
pub use family::Family;
pub use random::Random;
pub use types::{ArgumentType, Form, Type, Types, element_size, fits, size};
pub use vocabulary::Vocabulary;

/// The largest size, in nodes or elements, that may be requested for an argument.
const MOST_NODES: usize = 1 << 24;
/// The number of a call's terms that are remembered for reuse.
const POOL: usize = 48;
/// The largest number of nodes of a term that is reused as a part of another term, so that nested parts do not multiply.
const MOST_PART: usize = 200;

/// The wanted size of an argument; unspecified sizes are random.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeRequest {
    /// The value of an integer, the length of a list, the number of characters of a text, or the number of nodes of a term
    /// ([`Type::metric`]).
    pub size: Option<BigInt>,
    /// The size of the largest element of a list. If the list is not empty, some element has this size, and no element is larger.
    pub elements: Option<BigInt>,
}

impl SizeRequest {
    /// Requests this size.
    #[must_use]
    pub fn new(size: impl Into<BigInt>) -> Self {
        Self {
            size: Some(size.into()),
            elements: None,
        }
    }

    /// Requests elements up to this size.
    #[must_use]
    pub fn with_elements(mut self, largest: impl Into<BigInt>) -> Self {
        self.elements = Some(largest.into());
        self
    }
}

/// The reasons why a call cannot be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// The type has no terms of this size (a tree of two nodes, for example), or none was found.
    #[error("argument {argument}: no term of its type has size {size}")]
    NoSuchSize {
        /// The argument, from 1.
        argument: usize,
        /// The size of the argument or of its largest element.
        size: BigInt,
    },
    /// The requested size is too large to build.
    #[error("argument {argument}: size {size} is too large")]
    TooLarge {
        /// The argument, from 1.
        argument: usize,
        /// The size.
        size: BigInt,
    },
}

/// A generated call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The arena of the call's terms. Subterms may be shared.
    pub terms: Terms,
    /// The goal.
    pub goal: TermId,
    /// The family of the input.
    pub family: Family,
}

impl Input {
    /// Returns the goal as Prolog text with variables `A`, `B`, …. A very long text is truncated and ends in `…`.
    #[must_use]
    pub fn text(&self) -> String {
        let names: Vec<SmolStr> = (0..self.terms.variables())
            .map(|v| {
                let letter = char::from(b'A' + u8::try_from(v % 26).unwrap_or(0));
                match v / 26 {
                    0 => format_smolstr!("{letter}"),
                    round => format_smolstr!("{letter}{round}"),
                }
            })
            .collect();
        write_term(&self.terms, self.goal, Some(&names))
    }

    /// Returns the arguments of the goal.
    #[must_use]
    pub fn arguments(&self) -> &[TermId] {
        self.terms.args(self.goal)
    }
}

/// Generates the arguments of one call.
#[derive(Debug)]
pub struct Generator<'a> {
    random: Random,
    family: Family,
    vocabulary: &'a Vocabulary,
    terms: Terms,
    /// Terms already generated for this call. They are reused, so that arguments share variables and have equal parts.
    pool: Vec<TermId>,
    /// The approximate size of terms in this call.
    scale: usize,
}

impl<'a> Generator<'a> {
    /// Creates a generator with a random family, most often [`Family::Mixed`].
    #[must_use]
    pub fn new(seed: u64, vocabulary: &'a Vocabulary) -> Self {
        let mut random = Random(seed);
        let family = if random.chance(60) {
            Family::Mixed
        } else {
            *random.pick(&Family::ALL)
        };
        Self::from_random(random, family, vocabulary)
    }

    /// Creates a generator with this family.
    #[must_use]
    pub fn of_family(seed: u64, family: Family, vocabulary: &'a Vocabulary) -> Self {
        Self::from_random(Random(seed), family, vocabulary)
    }

    fn from_random(mut random: Random, family: Family, vocabulary: &'a Vocabulary) -> Self {
        let scale = *random.pick(&[1, 2, 3, 3, 4, 5, 6, 8, 12, 30]);
        Self {
            random,
            family,
            vocabulary,
            terms: Terms::default(),
            pool: Vec::new(),
            scale,
        }
    }

    /// Generates a call with arguments of these types and arbitrary sizes.
    #[must_use]
    pub fn goal(mut self, name: &str, types: &[Type]) -> Input {
        let arguments: Vec<TermId> = types.iter().map(|ty| self.argument(ty)).collect();
        self.finish(name, &arguments)
    }

    /// Generates a call with arguments of these types and sizes. Arguments without a requested size, or with a type without a metric, have
    /// arbitrary sizes.
    ///
    /// # Errors
    /// Returns an error if the type of an argument has no terms of the size.
    pub fn goal_of_sizes(
        mut self,
        name: &str,
        types: &[Type],
        sizes: &[SizeRequest],
    ) -> Result<Input, GenerateError> {
        // Random sizes are similar to the requested sizes.
        let told = sizes.iter().filter_map(|w| w.size.as_ref()?.to_usize());
        if let Some(largest) = told.max() {
            self.scale = largest.clamp(1, 30);
        }
        let mut arguments = Vec::new();
        let any = SizeRequest::default();
        for (i, ty) in types.iter().enumerate() {
            let wanted = sizes.get(i).unwrap_or(&any);
            let made = self.argument_of_size(ty, wanted);
            arguments.push(made.map_err(|(too_large, size)| {
                let argument = i + 1;
                if too_large {
                    GenerateError::TooLarge { argument, size }
                } else {
                    GenerateError::NoSuchSize { argument, size }
                }
            })?);
        }
        Ok(self.finish(name, &arguments))
    }

    fn finish(mut self, name: &str, arguments: &[TermId]) -> Input {
        let goal = self.terms.compound_or_atom(name, arguments);
        Input {
            terms: self.terms,
            goal,
            family: self.family,
        }
    }

    fn variable(&mut self) -> TermId {
        let number = self.terms.variables();
        self.terms.push(Term::Var(number))
    }

    fn argument(&mut self, ty: &Type) -> TermId {
        if *ty == Type::Free {
            return self.variable();
        }
        if self.random.chance(25)
            && let Some(again) = self.take_again(ty, usize::MAX)
        {
            return again;
        }
        let family = self.family;
        if family == Family::Mixed && self.random.chance(20) {
            self.family = *self.random.pick(&Family::ALL);
        }
        let term = self.term(ty, 0);
        self.family = family;
        term
    }

    /// Generates an argument of a size. The error is the impossible size, and whether it is too large.
    fn argument_of_size(
        &mut self,
        ty: &Type,
        wanted: &SizeRequest,
    ) -> Result<TermId, (bool, BigInt)> {
        let small = |size: &BigInt| match size.to_usize() {
            Some(s) if s <= MOST_NODES => Ok(s),
            Some(_) => Err((true, size.clone())),
            None => Err((*size > BigInt::from(0), size.clone())),
        };
        let term = match (ty, &wanted.size) {
            (Type::Int, Some(value)) => self.push_integer(value.clone()),
            (Type::List(element), size) => {
                let length = match size {
                    Some(size) => small(size)?,
                    None if wanted.elements.is_some() => self.random.below(self.scale + 2),
                    None => return Ok(self.argument(ty)),
                };
                match &wanted.elements {
                    Some(largest) => {
                        let made = self.list_of_sizes(element, length, largest);
                        made.ok_or_else(|| (false, largest.clone()))?
                    }
                    None => self.list_of_length(element, 0, length),
                }
            }
            (Type::Nil, Some(size)) if *size != BigInt::from(0) => {
                return Err((false, size.clone()));
            }
            (Type::Atom | Type::String | Type::AtomOrString, Some(size)) => {
                let length = small(size)?;
                self.text_of(ty, length)
            }
            (Type::Ground | Type::Defined(..), Some(size)) => {
                let made = self.term_of_size(ty, small(size)?);
                made.ok_or_else(|| (false, size.clone()))?
            }
            (Type::Opaque(name, contents), Some(size)) => {
                let keys = small(size)?;
                if contents.0 == Type::Nil && keys > 0 {
                    return Err((false, size.clone()));
                }
                self.opaque_of_size(*name, contents, keys)
            }
            _ => return Ok(self.argument(ty)),
        };
        self.remember(term);
        Ok(term)
    }

    fn remember(&mut self, term: TermId) {
        if self.pool.len() < POOL {
            self.pool.push(term);
        } else if self.random.chance(10) {
            let place = self.random.below(POOL);
            self.pool[place] = term;
        }
    }

    /// Returns an earlier term of the type with at most this number of nodes.
    fn take_again(&mut self, ty: &Type, most: usize) -> Option<TermId> {
        // Start at a random term, so that large terms are not examined needlessly.
        let from = self.random.below(self.pool.len());
        (from..self.pool.len())
            .chain(0..from)
            .map(|i| self.pool[i])
            .find(|&t| has_at_most(&self.terms, t, most) && fits(&self.terms, ty, t))
    }

    /// Generates a term of a type. The recursion is as deep as the nesting of types, and as [`Self::structure`] permits.
    fn term(&mut self, ty: &Type, depth: usize) -> TermId {
        // Terms that should be distinct are rarely reused.
        let percent = if self.family.orders() { 4 } else { 20 };
        if depth > 0
            && *ty != Type::Free
            && self.random.chance(percent)
            && let Some(again) = self.take_again(ty, MOST_PART)
        {
            return again;
        }
        let term = match ty {
            Type::Int => self.integer(),
            Type::Number => self.number(),
            Type::Atom => self.atom(),
            Type::String | Type::AtomOrString => self.text(ty),
            Type::Nil => self.terms.atom(NIL),
            Type::List(element) => self.list(element, depth),
            Type::Ground => self.structure(depth, &Type::Ground),
            Type::Nonvar => self.structure(depth, &Type::Any),
            Type::Defined(types, name) => self.defined(types, name),
            Type::Opaque(name, contents) => self.opaque(*name, contents),
            Type::Free => return self.variable(),
            Type::Any => self.anything(depth),
        };
        self.remember(term);
        term
    }
}

/// Returns whether a term has at most this number of nodes, counting a shared subterm at each occurrence.
fn has_at_most(terms: &Terms, term: TermId, most: usize) -> bool {
    if most == usize::MAX {
        return true;
    }
    let (mut nodes, mut stack) = (0, vec![term]);
    while let Some(top) = stack.pop() {
        nodes += 1;
        if nodes > most {
            return false;
        }
        stack.extend(terms.args(top));
    }
    true
}
