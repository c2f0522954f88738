//! Terms in flat arenas.
//!
//! One arena contains one clause. Invariant for terms from the reader: the arguments of a compound have smaller ids than the compound
//! itself, so every fold over a term is one loop over `0..len`, and no traversal, comparison or drop ever recurses, however deep the term
//! is. Clauses derived from other clauses ([`Terms::replace`]) keep the existing ids and also refer to newer nodes; they are traversed with
//! a stack. Spans are stored separately ([`Spans`]): two clauses that differ only in layout, comments or variable names have equal arenas.

use std::sync::Arc;

use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::integer::Integer;

/// The id of a term in its clause's [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TermId(pub u32);

impl TermId {
    /// Returns the index into per-term tables such as [`Spans::ranges`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The arguments of a compound: a range of [`Terms`]' argument table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arguments {
    start: u32,
    len: u32,
}

/// A node of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable, numbered by first occurrence in its clause; every `_` has its own number.
    Var(u32),
    /// An atom, including `[]` and `{}`.
    Atom(SmolStr),
    /// An integer of any size.
    Integer(Integer),
    /// A rational number `1r3`: numerator and denominator, in lowest terms.
    Rational(Box<(BigInt, BigInt)>),
    /// A float, represented by its bits, so that terms can be compared and hashed.
    Float(u64),
    /// A string object (`"…"` under `double_quotes=string`, SWI-Prolog's default).
    String(SmolStr),
    /// A compound. Lists are `'[|]'/2` and `[]`. A compound without arguments, `a()`, has an empty range. A dict is
    /// `dict(Tag, Key1, Value1, …)` in the standard order of its keys; a field access is `'.'(Dict, Field)`; a quasi-quotation is
    /// [`QUASI_QUOTATION`]`(Syntax, Text)` with a term and a string, and represents an unknown term.
    Compound(SmolStr, Arguments),
    /// A term that could not be read.
    Error,
}

/// The arena of one clause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Terms {
    nodes: Vec<Term>,
    arguments: Vec<TermId>,
    variables: u32,
}

/// The name of list cells, as in SWI-Prolog 7 and later.
pub const CONS: &str = "[|]";
/// The name of a quasi-quotation, which represents the unknown term that its syntax produces.
pub const QUASI_QUOTATION: &str = "{||}";
/// The empty list.
pub const NIL: &str = "[]";
/// The atom `'[]'`, which differs from the empty list in SWI-Prolog 7 and later. This name includes the quotes, so that the two are never
/// equal.
pub const QUOTED_NIL: &str = "'[]'";

impl Terms {
    /// Adds an atomic term or a variable.
    pub fn push(&mut self, term: Term) -> TermId {
        if let Term::Var(v) = term {
            self.variables = self.variables.max(v + 1);
        }
        self.nodes.push(term);
        TermId(u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX))
    }

    /// Adds a compound; its arguments must already be in this arena.
    pub fn compound(&mut self, name: impl Into<SmolStr>, arguments: &[TermId]) -> TermId {
        let start = u32::try_from(self.arguments.len()).unwrap_or(u32::MAX);
        self.arguments.extend_from_slice(arguments);
        let len = u32::try_from(arguments.len()).unwrap_or(u32::MAX);
        self.push(Term::Compound(name.into(), Arguments { start, len }))
    }

    /// Adds a compound, or an atom if there are no arguments.
    pub fn compound_or_atom(&mut self, name: impl Into<SmolStr>, arguments: &[TermId]) -> TermId {
        if arguments.is_empty() {
            self.atom(name)
        } else {
            self.compound(name, arguments)
        }
    }

    /// Replaces a node, in all terms that refer to it, with another compound, or an atom if there are no arguments. The arguments may be
    /// newer than the node; they must not contain it.
    pub fn replace(&mut self, id: TermId, name: impl Into<SmolStr>, arguments: &[TermId]) {
        let name = name.into();
        self.nodes[id.index()] = if arguments.is_empty() {
            Term::Atom(name)
        } else {
            let start = u32::try_from(self.arguments.len()).unwrap_or(u32::MAX);
            self.arguments.extend_from_slice(arguments);
            let len = u32::try_from(arguments.len()).unwrap_or(u32::MAX);
            Term::Compound(name, Arguments { start, len })
        };
    }

    /// Replaces every occurrence of a variable with a term. The term must not contain the variable.
    pub fn bind(&mut self, variable: u32, to: TermId) {
        let node = self.get(to).clone();
        for slot in &mut self.nodes {
            if *slot == Term::Var(variable) {
                *slot = node.clone();
            }
        }
    }

    /// Adds an atom.
    pub fn atom(&mut self, name: impl Into<SmolStr>) -> TermId {
        self.push(Term::Atom(name.into()))
    }

    /// Returns the node with this id.
    #[must_use]
    pub fn get(&self, id: TermId) -> &Term {
        &self.nodes[id.index()]
    }

    /// Returns whether these terms contain a node; false for a node added to a copy of these terms.
    #[must_use]
    pub fn holds(&self, id: TermId) -> bool {
        id.index() < self.nodes.len()
    }

    /// Returns the arguments of a compound; empty for anything else.
    #[must_use]
    pub fn args(&self, id: TermId) -> &[TermId] {
        match self.get(id) {
            Term::Compound(_, a) => &self.arguments[a.start as usize..(a.start + a.len) as usize],
            _ => &[],
        }
    }

    /// Returns name and arity of an atom or compound.
    #[must_use]
    pub fn functor(&self, id: TermId) -> Option<(&SmolStr, usize)> {
        match self.get(id) {
            Term::Atom(name) => Some((name, 0)),
            Term::Compound(name, a) => Some((name, a.len as usize)),
            _ => None,
        }
    }

    /// Returns the arguments if the term is a compound or atom with this name and arity.
    #[must_use]
    pub fn matches(&self, id: TermId, name: &str, arity: usize) -> Option<&[TermId]> {
        match self.functor(id) {
            // The arity first: it usually differs, and names are compared byte by byte.
            Some((n, a)) if a == arity && n == name => Some(self.args(id)),
            _ => None,
        }
    }

    /// Returns the name if the term is an atom.
    #[must_use]
    pub fn as_atom(&self, id: TermId) -> Option<&SmolStr> {
        match self.get(id) {
            Term::Atom(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the number of variables of the clause; they are numbered `0..variables()`.
    #[must_use]
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Reserves memory for the terms of a clause with this many tokens, so that long clauses are not copied while they grow.
    pub(crate) fn of_tokens(tokens: usize) -> Self {
        Terms {
            // Most tokens are no terms, but each element of a list is two terms and one or two tokens.
            nodes: Vec::with_capacity(tokens),
            arguments: Vec::with_capacity(tokens),
            variables: 0,
        }
    }

    /// Frees the memory reserved for further nodes.
    pub(crate) fn shrink_to_fit(&mut self) {
        shrink(&mut self.nodes);
        shrink(&mut self.arguments);
    }

    /// Returns all nodes in creation order; some may not be part of the clause.
    pub fn ids(&self) -> impl Iterator<Item = TermId> + use<> {
        let end = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        (0..end).map(TermId)
    }

    /// Returns the elements and the tail of a list term: `([a, b], T)` for `[a,b|T]`, `([], [])` for `[]`.
    #[must_use]
    pub fn list(&self, id: TermId) -> (Vec<TermId>, TermId) {
        let (mut elements, mut rest) = (Vec::new(), id);
        while let Some(&[head, tail]) = self.matches(rest, CONS, 2) {
            elements.push(head);
            rest = tail;
        }
        (elements, rest)
    }

    /// Returns the operands of a right-associative chain: `[a, b, c]` for `(a, b, c)` under `,`.
    #[must_use]
    pub fn chain(&self, id: TermId, operator: &str) -> Vec<TermId> {
        // Uses an explicit stack: the chain may also be nested to the left, and its order is kept.
        let (mut parts, mut stack) = (Vec::new(), vec![id]);
        while let Some(top) = stack.pop() {
            if let Some(&[left, right]) = self.matches(top, operator, 2) {
                stack.push(right);
                stack.push(left);
            } else {
                parts.push(top);
            }
        }
        parts
    }

    /// Returns every subterm of `id`, including `id`, each shared node once. Iterative.
    #[must_use]
    pub fn subterms(&self, id: TermId) -> Vec<TermId> {
        let (mut found, mut stack) = (Vec::new(), vec![id]);
        while let Some(top) = stack.pop() {
            found.push(top);
            stack.extend(self.args(top).iter().rev());
        }
        found
    }

    /// Returns the variables of a term by number, once per occurrence.
    #[must_use]
    pub fn variables_of(&self, id: TermId) -> Vec<u32> {
        let variable = |t| match *self.get(t) {
            Term::Var(v) => Some(v),
            _ => None,
        };
        self.subterms(id).into_iter().filter_map(variable).collect()
    }
}

/// The positions of a clause's terms, in bytes **from the clause's first byte**, and the names of its variables.
///
/// Only hints, diagnostics and other presentation code may read this.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    /// The range of each node of the clause's [`Terms`], in the same order.
    pub ranges: Vec<(u32, u32)>,
    /// The name of each variable, by its number; `_` for anonymous variables.
    pub variables: Vec<SmolStr>,
}

impl Spans {
    /// Reserves memory like [`Terms::of_tokens`].
    pub(crate) fn of_tokens(tokens: usize) -> Self {
        Spans {
            ranges: Vec::with_capacity(tokens),
            variables: Vec::new(),
        }
    }

    /// Frees the memory reserved for further nodes.
    pub(crate) fn shrink_to_fit(&mut self) {
        shrink(&mut self.ranges);
        shrink(&mut self.variables);
    }

    /// Returns the range of a term, in bytes from the clause's first byte.
    #[must_use]
    pub fn range(&self, id: TermId) -> (usize, usize) {
        self.ranges
            .get(id.index())
            .map_or((0, 0), |&(a, b)| (a as usize, b as usize))
    }
}

/// Frees the unused memory of a list. The allocator returns memory only if half of it is unused; of the many short lists of a table, it would
/// keep a third in vain.
fn shrink<T>(list: &mut Vec<T>) {
    const SHORT: usize = 1024;
    if list.len() > SHORT {
        list.shrink_to_fit();
    } else if list.len() < list.capacity() {
        let mut exact = Vec::with_capacity(list.len());
        exact.append(list);
        *list = exact;
    }
}

/// A clause (or directive) as read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadClause {
    /// The terms; equal for clauses that differ only in layout, comments and variable names.
    pub terms: Arc<Terms>,
    /// The whole clause, for example `:-/2`; [`Term::Error`] for a syntax error.
    pub root: TermId,
    /// Positions and variable names.
    pub spans: Arc<Spans>,
    /// The first byte of the clause in its file, and the byte after its end token.
    pub range: (usize, usize),
    /// The syntax error, if any. It is in a box because tables have very many clauses, and hardly any clause has an error.
    pub error: Option<Box<ReadError>>,
}

/// A syntax error in a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The error message, in the user's terms: "operator expected", "unclosed `(`".
    pub message: String,
    /// The position, in bytes from the clause's first byte.
    pub range: (u32, u32),
    /// The predicates to which the clause may belong, according to its tokens: `p(a b) :- c.` may belong to `p/1`. Facts inferred from
    /// their other clauses do not hold for these predicates.
    pub heads: Vec<PossibleHead>,
}

/// A predicate to which a clause with a syntax error may belong.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PossibleHead {
    /// The predicate's name.
    pub name: SmolStr,
    /// The predicate's arity (including the two extra arguments of a `-->` rule), if the brackets of the head are balanced.
    pub arity: Option<usize>,
    /// The end of the head, or of its name if the brackets are not balanced, in bytes from the clause's first byte.
    pub end: u32,
}

/// A comment, kept for PlDoc and `costlens: allow(…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The comment's byte range in the file.
    pub range: (usize, usize),
    /// The comment's text, including comment marks.
    pub text: SmolStr,
}

impl Comment {
    /// Returns the comment with this byte range in a file's text.
    pub(crate) fn new(text: &str, start: usize, end: usize) -> Self {
        Comment {
            range: (start, end),
            text: text.get(start..end).unwrap_or_default().into(),
        }
    }

    /// Returns whether the comment is terminated. Only a `/*` comment, whose `*/` is missing, is not. `/*` comments may nest if `nests`.
    pub(crate) fn is_closed(&self, nests: bool) -> bool {
        let Some(block) = self.text.strip_prefix("/*") else {
            return true;
        };
        if !nests {
            return block.ends_with("*/");
        }
        let (mut depth, mut marks) = (1usize, block.as_bytes());
        while let [first, rest @ ..] = marks {
            marks = match (first, rest.first()) {
                (b'*', Some(b'/')) => {
                    depth = depth.saturating_sub(1);
                    &rest[1..]
                }
                (b'/', Some(b'*')) => {
                    depth += 1;
                    &rest[1..]
                }
                _ => rest,
            };
        }
        depth == 0
    }

    /// Returns whether the comment's end is determined by its text alone. An unterminated comment ends before the next line that looks like
    /// the start of a clause. After several unterminated comments, so does a comment that nests or contains a line that looks like a clause
    /// (see `block_comment` in the scanner of the grammar).
    pub(crate) fn stands_alone(&self) -> bool {
        let Some(block) = self.text.strip_prefix("/*") else {
            return true;
        };
        let starts_clause = |line: &str| {
            line.starts_with(|c: char| c.is_ascii_lowercase() || matches!(c, ':' | '?' | '%' | '/'))
        };
        block.strip_suffix("*/").is_some_and(|inside| {
            !inside.contains("/*") && !inside.split('\n').skip(1).any(starts_clause)
        })
    }
}
