//! Worlds: the assumptions about an entry's arguments under which its clauses run symbolically.
//!
//! A run never guesses. If a test depends on the sizes of the entry's arguments (`n = 0`?) or on a comparison of their subterms (`X =< Y`
//! in `insert(X, [Y|Ys], …)`), the run stops and requests a [`Split`]. It is then repeated in each of the worlds that together cover all
//! calls. By construction, clauses therefore exclude each other and cover all cases: each call belongs to one world, in which every test
//! has the same result in all clauses. A test that no key describes remains undecided ([`Truth::Maybe`]), and both outcomes are considered.

pub(crate) mod kinds;
pub(crate) mod lookup;
pub(crate) mod order;
pub(crate) mod parts;
pub(crate) mod questions;
pub(crate) mod weights;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::BuildHasher as _;
use std::rc::Rc;

use costlens_algebra::Expr;
use costlens_algebra::linear::{Constraint, Region};
use smol_str::SmolStr;

use crate::lattice::size::Size;
use crate::world::parts::Parts;
use crate::world::questions::{Answer, Question, Split, Truth};

fn hash(question: &Question, answer: Option<&Answer>) -> u64 {
    rustc_hash::FxBuildHasher.hash_one((question, answer))
}

/// The reads of a run, recorded as they occur.
#[derive(Clone, Debug, Default)]
struct Reads {
    /// The single answers that were read.
    answers: Vec<(Question, Option<Answer>)>,
    hashes: Vec<u64>,
    /// True if all answers were read.
    all: bool,
    region: bool,
    parts: bool,
    may_ask: bool,
    may_split: bool,
}

/// The reads of a run with their answers: in any world with the same answers, the run is the same.
#[derive(Clone, Debug)]
pub(crate) struct ReadAnswers {
    answers: Vec<(Question, Option<Answer>)>,
    /// The hashes of the answered queries, each combined with its answer.
    hashes: Vec<u64>,
    all: Option<BTreeMap<Question, Answer>>,
    region: Option<Region>,
    parts: Option<Parts>,
    may_ask: Option<bool>,
    may_split: Option<bool>,
}

/// A world.
#[derive(Clone, Debug)]
pub(crate) struct World {
    region: Region,
    parts: Parts,
    answers: BTreeMap<Question, Answer>,
    /// The sorted hashes of the answers: they reveal most differences to other worlds without comparing keys.
    hashes: Rc<[u64]>,
    may_ask: bool,
    may_split: bool,
    reads: Rc<RefCell<Reads>>,
}

impl World {
    /// Creates a world; `may_ask` and `may_split` determine whether a run may still query answers or split regions. When the fuel for
    /// worlds is used up, undecided tests become [`Truth::Maybe`].
    pub(crate) fn new(
        region: Region,
        parts: Parts,
        answers: BTreeMap<Question, Answer>,
        may_ask: bool,
        may_split: bool,
    ) -> Self {
        let mut hashes: Vec<u64> = answers.iter().map(|(q, a)| hash(q, Some(a))).collect();
        hashes.sort_unstable();
        World {
            region,
            parts,
            answers,
            hashes: hashes.into(),
            may_ask,
            may_split,
            reads: Rc::default(),
        }
    }

    /// Returns the world with another region of sizes. Reads from the copy also count as reads from this world.
    pub(crate) fn restricted(&self, region: Region) -> Self {
        World {
            region,
            ..self.clone()
        }
    }

    /// Returns the world with all splits disallowed.
    pub(crate) fn unsplit(&self) -> Self {
        World {
            may_split: false,
            ..self.clone()
        }
    }

    /// Returns the region of the sizes of the entry's arguments and their subterms.
    pub(crate) fn region(&self) -> &Region {
        self.reads.borrow_mut().region = true;
        &self.region
    }

    /// Returns the subterms of arguments that have their own sizes.
    pub(crate) fn parts(&self) -> &Parts {
        self.reads.borrow_mut().parts = true;
        &self.parts
    }

    /// Returns all answers.
    pub(crate) fn answers(&self) -> &BTreeMap<Question, Answer> {
        self.reads.borrow_mut().all = true;
        &self.answers
    }

    /// Returns the answer to a query, if it has been made.
    pub(crate) fn answer(&self, question: &Question) -> Option<&Answer> {
        let answer = self.answers.get(question);
        let hash = hash(question, answer);
        let mut reads = self.reads.borrow_mut();
        if !reads.hashes.contains(&hash) {
            reads.hashes.push(hash);
            reads.answers.push((question.clone(), answer.cloned()));
        }
        answer
    }

    /// Returns whether the run may still make queries about values.
    pub(crate) fn may_ask(&self) -> bool {
        self.reads.borrow_mut().may_ask = true;
        self.may_ask
    }

    /// Returns whether the run may still split regions.
    pub(crate) fn may_split(&self) -> bool {
        self.reads.borrow_mut().may_split = true;
        self.may_split
    }

    /// Clears the recorded reads.
    pub(crate) fn begin_reading(&self) {
        self.reads.take();
    }

    /// Returns the reads since [`Self::begin_reading`], with their answers.
    pub(crate) fn seen(&self) -> ReadAnswers {
        let reads = self.reads.borrow();
        ReadAnswers {
            hashes: (reads.answers.iter().zip(&reads.hashes))
                .filter(|((_, answer), _)| answer.is_some())
                .map(|(_, &hash)| hash)
                .collect(),
            answers: reads.answers.clone(),
            all: reads.all.then(|| self.answers.clone()),
            region: reads.region.then(|| self.region.clone()),
            parts: reads.parts.then(|| self.parts.clone()),
            may_ask: reads.may_ask.then_some(self.may_ask),
            may_split: reads.may_split.then_some(self.may_split),
        }
    }

    /// Returns whether a run with these reads would read the same answers in this world.
    pub(crate) fn shows(&self, seen: &ReadAnswers) -> bool {
        fn same<T: PartialEq>(seen: &Option<T>, own: &T) -> bool {
            seen.as_ref().is_none_or(|seen| seen == own)
        }
        same(&seen.may_ask, &self.may_ask)
            && same(&seen.may_split, &self.may_split)
            && (seen.hashes.iter()).all(|hash| self.hashes.binary_search(hash).is_ok())
            && (seen.answers.iter()).all(|(q, a)| self.answers.get(q) == a.as_ref())
            && same(&seen.all, &self.answers)
            && same(&seen.parts, &self.parts)
            && same(&seen.region, &self.region)
    }

    /// Returns the size of an argument of a compound term, given the term's size: the argument's own variable if it has one, otherwise the
    /// rest that the other arguments leave.
    pub(crate) fn part_size(&self, key: Option<&SmolStr>, whole: &Size, arity: usize) -> Size {
        if let Some(v) = key.and_then(|k| self.parts().sizes.get(k)) {
            return Size::exact(Expr::var(*v));
        }
        let others = i64::try_from(arity).unwrap_or(i64::MAX);
        Size {
            lower: Some(Expr::int(1)),
            upper: whole.shifted(-others).upper,
        }
    }

    /// Returns the number of keys in a branch of a tree with this number of keys.
    pub(crate) fn branch_keys(&self, key: Option<&SmolStr>, whole: &Size) -> Size {
        if let Some(v) = key.and_then(|k| self.parts().sizes.get(k)) {
            return Size::exact(Expr::var(*v));
        }
        Size {
            upper: whole.shifted(-1).upper,
            ..Size::at_least(0)
        }
    }

    /// Returns the weight of an argument of a compound term, given the term's weight.
    pub(crate) fn part_weight(&self, key: Option<&SmolStr>, whole: &Size) -> Size {
        if let Some(v) = key.and_then(|k| self.parts().weights.get(k)) {
            return Size::exact(Expr::var(*v));
        }
        Size {
            upper: whole.upper.clone(),
            ..Size::at_least(0)
        }
    }

    /// Returns whether the sizes satisfy a constraint; requests a split if this is undecided.
    pub(crate) fn sizes(&self, c: &Constraint, splittable: bool) -> Result<Truth, Split> {
        let region = self.region();
        if region.implies(c) {
            return Ok(Truth::True);
        }
        if region.and(c.clone()).is_empty() {
            return Ok(Truth::False);
        }
        if splittable && self.may_split() {
            return Err(Split::Region(c.clone()));
        }
        Ok(Truth::Maybe)
    }

    /// Returns the answer to a query, or `None` if no more queries are allowed.
    pub(crate) fn ask(
        &self,
        question: Question,
        cases: impl FnOnce() -> Vec<Answer>,
    ) -> Result<Option<&Answer>, Split> {
        if let Some(answer) = self.answer(&question) {
            return Ok(Some(answer));
        }
        if self.may_ask() {
            return Err(Split::Ask(question, cases()));
        }
        Ok(None)
    }
}
