//! Combines the results of reading a file with the operators of several files that load it.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::imports::{Quotes, Surroundings};
use crate::operators::{Operator, Position};
use crate::read::FileTerms;
use crate::term::{PossibleHead, ReadClause, ReadError, Spans, Term, Terms};

impl Surroundings {
    /// Returns whether two surroundings differ in an operator or quote that occurs in a text.
    #[must_use]
    pub fn differ_in(&self, other: &Self, text: &str) -> bool {
        let keys = self.behind.keys().chain(other.behind.keys());
        let mut behind = keys.map(|key| {
            let of = |s: &Self| s.behind.get(key).cloned().unwrap_or_default();
            (of(self), of(other))
        });
        quotes_differ(self.quotes, other.quotes, text)
            || operators_differ(&self.operators, &other.operators, text)
            || behind.any(|(one, two)| {
                quotes_differ(one.quotes, two.quotes, text)
                    || operators_differ(&one.operators, &two.operators, text)
            })
    }
}

fn quotes_differ(one: Quotes, two: Quotes, text: &str) -> bool {
    (one.double != two.double && text.contains('"')) || (one.back != two.back && text.contains('`'))
}

fn operators_differ(one: &[Operator], two: &[Operator], text: &str) -> bool {
    // For each atom and position, the last declared operator is in force.
    let table = |operators: &[Operator]| -> BTreeMap<(SmolStr, u8), Operator> {
        let position = |o: &Operator| match o.kind.position() {
            Position::Prefix => 0,
            Position::Infix => 1,
            Position::Postfix => 2,
        };
        (operators.iter())
            .map(|o| ((o.name.clone(), position(o)), o.clone()))
            .collect()
    };
    let (one, two) = (table(one), table(two));
    let keys = one.keys().chain(two.keys());
    { keys }.any(|key| one.get(key) != two.get(key) && text.contains(&*key.0))
}

/// Returns the first of two results for a text. Clauses that are read differently in the other result become errors with a message.
#[must_use]
pub fn agreed(mut first: FileTerms, other: &FileTerms, text: &str, message: &str) -> FileTerms {
    let mut others = other.clauses.iter().peekable();
    for clause in &mut first.clauses {
        while others
            .next_if(|o| o.range.0 < clause.range.0 && o.range.1 <= clause.range.0)
            .is_some()
        {}
        let mut same = None;
        let mut heads = Vec::new();
        while let Some(o) = others.next_if(|o| o.range.0 < clause.range.1) {
            heads.extend(heads_of(o));
            if o.range == clause.range {
                same = Some(o);
            }
        }
        let is_same = same.is_some_and(|o| {
            o.error.is_some() == clause.error.is_some()
                && (o.root, &o.terms) == (clause.root, &clause.terms)
        });
        if !is_same {
            heads.extend(heads_of(clause));
            heads.dedup();
            *clause = disputed(clause, text, heads, message);
        }
    }
    first
}

fn disputed(
    clause: &ReadClause,
    text: &str,
    heads: Vec<PossibleHead>,
    message: &str,
) -> ReadClause {
    let mut terms = Terms::default();
    let root = terms.push(Term::Error);
    let length = text
        .get(clause.range.0..clause.range.1)
        .map_or(0, |written| written.trim_end().len());
    let whole = (0, u32::try_from(length).unwrap_or(u32::MAX));
    ReadClause {
        terms: terms.into(),
        root,
        spans: Spans {
            ranges: vec![whole],
            variables: Vec::new(),
        }
        .into(),
        range: clause.range,
        error: Some(Box::new(ReadError {
            message: message.to_owned(),
            range: whole,
            heads,
        })),
    }
}

/// Returns the predicates to which a clause may belong.
fn heads_of(clause: &ReadClause) -> Vec<PossibleHead> {
    if let Some(error) = &clause.error {
        return error.heads.clone();
    }
    let (terms, mut at, mut hidden) = (&clause.terms, clause.root, 0);
    loop {
        let Some((name, arity)) = terms.functor(at) else {
            return Vec::new();
        };
        at = match (name.as_str(), terms.args(at)) {
            (":-", [_]) | ("?-", [_]) => return Vec::new(),
            (":", &[_, inner]) => inner,
            (":-", &[head, _]) => head,
            (arrow @ ("-->" | "=>"), &[head, _]) => {
                hidden = if arrow == "-->" { 2 } else { 0 };
                match terms.matches(head, ",", 2) {
                    Some(&[first, _]) => first,
                    _ => head,
                }
            }
            _ => {
                return vec![PossibleHead {
                    name: name.clone(),
                    arity: Some(arity + hidden),
                    end: u32::try_from(clause.spans.range(at).1).unwrap_or(u32::MAX),
                }];
            }
        };
    }
}
