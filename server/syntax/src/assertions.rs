//! The assertion language: what a file says of its predicates in directives and in comments, as structured data.
//!
//! `:- pred nrev(A,B) : (list(A), var(B)) + cost(ub,steps,10*length(A)+5).` and
//! `%! nrev(+Xs:list, -Ys) is det.` with `%  @cost steps =< length(Xs)^2` give the same kind of [`Assertion`]. Assertions
//! hold no positions; [`Assertions::places`] does, in the same order. What is malformed becomes an [`AssertionError`] at
//! the offending sub-term and never stops the rest.

mod cost;
mod in_comments;
mod in_directives;
mod properties;
mod resources;
#[cfg(test)]
mod tests;
mod types;
pub mod words;

use smol_str::SmolStr;

use crate::read::FileTerms;

pub use cost::{CostFunction, CostNode, CostTerm};
pub use properties::{Approximation, Claim, CostProperty, CostType, Property, RelativeCost};
pub use resources::{ResourceRule, ResourceStatement};
pub use types::{DeclaredType, Mode, SizeLimit, SizeMetric};

/// Bytes of a file: first, and the one after the last.
pub type Range = (usize, usize);

/// Everything that a file asserts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assertions {
    /// The assertions, in the order of the file.
    pub list: Vec<Assertion>,
    /// Where they stand, in the same order. Only presentation reads this.
    pub places: Vec<AssertionPlace>,
    /// The malformed parts.
    pub errors: Vec<AssertionError>,
    /// Types defined by `:- regtype name/arity`; recorded, not used yet.
    pub regtypes: Vec<(SmolStr, usize)>,
    /// Resources of the user's own, declared by `:- resource name`.
    pub resources: Vec<SmolStr>,
    /// The counts of clauses and literals for them.
    pub resource_rules: Vec<ResourceRule>,
    /// Properties that `:- trust_default + …` adds to the `trust` assertions that follow it.
    defaults: Vec<Stated>,
}

/// Where an assertion stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssertionPlace {
    /// The directive, or the line of the comment.
    pub range: Range,
    /// Its properties, in the order of [`Assertion::properties`].
    pub properties: Vec<Range>,
}

/// A malformed assertion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct AssertionError {
    /// The error, and where it helps, the correct form.
    pub message: String,
    /// The offending sub-term.
    pub range: Range,
    /// True if only a part is ignored (an unknown property) and not the whole assertion.
    pub warning: bool,
    /// True for a word of a mode line that means nothing.
    pub of_mode_line: bool,
}

/// Who vouches for an assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// To be verified; the default.
    Check,
    /// Taken for granted.
    Trust,
    /// Found to hold by an analysis.
    True,
    /// Verified before.
    Checked,
    /// Refuted before.
    False,
    /// Seen in runs.
    Obs,
}

/// The kind of an assertion: which calls it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Calls, success and cost together.
    Pred,
    /// How the predicate is called from outside.
    Entry,
    /// How the predicate may be called.
    Calls,
    /// Conditions that hold after success.
    Success,
    /// Properties of a whole call.
    Comp,
}

/// Where an assertion is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// In a directive.
    Directive,
    /// In a mode line of PlDoc or a `@cost` tag.
    Comment,
}

/// The statement of an assertion about one argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Argument {
    /// The name of the variable in the assertion's head.
    pub name: Option<SmolStr>,
    /// `+`, `-`, …
    pub mode: Option<Mode>,
    /// The type on call.
    pub call: Option<DeclaredType>,
    /// The type on success.
    pub success: Option<DeclaredType>,
    /// True if the type on call that is written has fewer values than [`Argument::call`] says: `boolean` is read as an atom. What such an
    /// assertion says holds for fewer calls than those that its types describe.
    pub narrower: bool,
    /// True if one of the types on call that are written has fewer values than the type that it is read as.
    pub inexact: bool,
    /// Further types on call: of several conditions on one argument the last one is [`Argument::call`], the others are here.
    pub also: Vec<DeclaredType>,
}

/// A property as stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The property.
    pub property: Property,
    /// How it is written, without layout: `cost(ub,steps,10*length(A)+5)`.
    pub text: String,
}

/// One assertion, without positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Who vouches for it.
    pub status: Status,
    /// Its kind.
    pub kind: Kind,
    /// The predicate's name.
    pub name: SmolStr,
    /// The predicate's arity.
    pub arity: usize,
    /// The arguments: as many as the arity.
    pub arguments: Vec<Argument>,
    /// Limits on sizes in the precondition.
    pub limits: Vec<SizeLimit>,
    /// True if the precondition has conditions that Costlens does not know: the assertion then speaks of fewer calls than those that
    /// [`Assertion::arguments`] describe.
    pub unknown_precondition: bool,
    /// The stated properties.
    pub properties: Vec<Stated>,
    /// The text after `#`.
    pub documentation: Option<String>,
    /// Where it is written.
    pub origin: Origin,
}

impl Assertions {
    /// The resources of the user's own that the file names.
    pub fn own_resources(&self) -> impl Iterator<Item = &SmolStr> {
        let of_rules = self.resource_rules.iter().map(|rule| &rule.resource);
        self.resources.iter().chain(of_rules)
    }
}

impl Assertion {
    /// Returns whether it says how the predicate is called: a mode or a type of an argument.
    #[must_use]
    pub fn declares_calls(&self) -> bool {
        self.arguments
            .iter()
            .any(|a| a.mode.is_some() || a.call.is_some())
    }
}

impl Assertion {
    /// Adds the costs among these properties that it says nothing of itself, and how many these are.
    fn add(&mut self, defaults: &[Stated]) -> usize {
        let resource = |p: &Stated| match &p.property {
            Property::Cost(cost) => Some(cost.resource.clone()),
            _ => None,
        };
        let own: Vec<SmolStr> = self.properties.iter().filter_map(resource).collect();
        let added: Vec<Stated> = (defaults.iter())
            .filter(|d| resource(d).is_some_and(|r| !own.contains(&r)))
            .cloned()
            .collect();
        self.properties.extend(added.iter().cloned());
        added.len()
    }
}

/// Everything that a file asserts. `text` is the file's.
#[must_use]
pub fn assertions(text: &str, file: &FileTerms) -> Assertions {
    let mut found = Assertions::default();
    let mut items: Vec<(Assertion, AssertionPlace)> = Vec::new();
    for clause in &file.clauses {
        in_directives::read_directive(text, clause, &mut items, &mut found);
    }
    in_comments::read_comments(text, file, &mut items, &mut found);
    items.sort_by_key(|(_, place)| place.range);
    (found.list, found.places) = items.into_iter().unzip();
    found.errors.sort_by_key(|e| e.range);
    found
}

/// A term's text without layout, quoted items left alone: `cost(ub, steps, 3)` gives `cost(ub,steps,3)`.
fn without_layout(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote: Option<char> = None;
    let mut pending = false;
    for c in text.chars() {
        if let Some(q) = quote {
            out.push(c);
            if c == q {
                quote = None;
            }
            continue;
        }
        if c.is_whitespace() {
            pending = true;
            continue;
        }
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let sign = |c: char| "+-*/\\^<>=~:.?@#&$".contains(c);
        if pending
            && let Some(last) = out.chars().next_back()
            && ((word(last) && word(c)) || (sign(last) && sign(c)))
        {
            out.push(' ');
        }
        pending = false;
        if matches!(c, '\'' | '"' | '`') {
            quote = Some(c);
        }
        out.push(c);
    }
    out
}
