//! The assertion language: a file's assertions about its predicates, in directives and comments, as structured data.
//!
//! `:- pred nrev(A,B) : (list(A), var(B)) + cost(ub,steps,10*length(A)+5).` and `%! nrev(+Xs:list, -Ys) is det.` with
//! `% @cost steps =< length(Xs)^2` are both parsed to an [`Assertion`]. Assertions contain no positions; [`Assertions::places`] contains
//! the positions, in the same order. A malformed part becomes an [`AssertionError`] at the offending subterm and never prevents the rest
//! from being read.

mod cost;
mod in_comments;
mod in_directives;
mod opaque;
mod properties;
mod resources;
#[cfg(test)]
mod tests;
mod types;
pub mod words;

use smol_str::SmolStr;

use crate::read::FileTerms;

pub use cost::{CostFunction, CostNode, CostParameter, CostTerm, NamedQuantity, QuantityOf};
pub use opaque::OpaqueName;
pub use properties::{
    Approximation, CostProperty, CostType, Property, RelativeCost, SolutionsClaim,
};
pub use resources::{ResourceRule, ResourceStatement};
pub use types::{DeclaredType, Mode, SizeLimit, SizeMetric};

/// A byte range in a file: the first byte, and the byte after the last.
pub type Range = (usize, usize);

/// The assertions and related declarations in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assertions {
    /// The assertions, in file order.
    pub list: Vec<Assertion>,
    /// The positions of the assertions, in the same order. Only presentation code reads this field.
    pub places: Vec<AssertionPlace>,
    /// The malformed parts.
    pub errors: Vec<AssertionError>,
    /// The types defined by `:- regtype name/arity`; recorded, but not used yet.
    pub regtypes: Vec<(SmolStr, usize)>,
    /// User-defined resources, declared by `:- resource name`.
    pub resources: Vec<SmolStr>,
    /// The costs that clauses and literals have in these resources.
    pub resource_rules: Vec<ResourceRule>,
    /// The properties that `:- trust_default + …` adds to subsequent `trust` assertions.
    defaults: Vec<StatedProperty>,
}

/// The position of an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssertionPlace {
    /// The directive, or the line of the comment.
    pub range: Range,
    /// The positions of the properties, in the order of [`Assertion::properties`].
    pub properties: Vec<Range>,
}

/// A malformed assertion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct AssertionError {
    /// The error and, if helpful, the correct form.
    pub message: String,
    /// The offending subterm.
    pub range: Range,
    /// The part of the assertion that is ignored.
    pub ignored: Ignored,
}

/// The part of a malformed assertion that is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignored {
    /// The whole assertion: an error.
    Assertion,
    /// Only an unknown property: a warning.
    Property,
    /// Only an unknown word in a mode line: a warning.
    WordOfModeLine,
}

/// The status of an assertion: the degree to which the analysis relies on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// To be verified; the default.
    Check,
    /// Assumed without verification.
    Trust,
    /// Proved by an analysis.
    True,
    /// Verified earlier.
    Checked,
    /// Refuted earlier.
    False,
    /// Observed in runs.
    Obs,
}

/// The kind of an assertion: the aspects of calls that it describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssertionKind {
    /// Calls, success and cost.
    Pred,
    /// Calls of the predicate from outside.
    Entry,
    /// Admissible calls of the predicate.
    Calls,
    /// Conditions that hold after success.
    Success,
    /// Properties of a whole call.
    Comp,
}

/// The kind of source in which an assertion is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A directive.
    Directive,
    /// A PlDoc mode line or a `@cost` tag.
    Comment,
}

/// The declarations of an assertion about one argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Argument {
    /// The name of the argument's variable in the assertion's head.
    pub name: Option<SmolStr>,
    /// The mode: `+`, `-`, …
    pub mode: Option<Mode>,
    /// The type at the call.
    pub call: Option<DeclaredType>,
    /// The type on success.
    pub success: Option<DeclaredType>,
    /// True if the written call type has fewer values than [`Argument::call`], such as `boolean`, which is read as an atom. Such an
    /// assertion holds for fewer calls than its types describe.
    pub narrower: bool,
    /// True if a written call type has fewer values than the type as which Costlens reads it.
    pub inexact: bool,
    /// Further call types. If an argument has several conditions, the last condition is [`Argument::call`]; the other conditions are in
    /// this list.
    pub also: Vec<DeclaredType>,
}

/// A property as written in an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedProperty {
    /// The property.
    pub property: Property,
    /// The text without layout: `cost(ub,steps,10*length(A)+5)`.
    pub text: String,
}

/// An assertion, without positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The status: the degree to which the analysis relies on the assertion.
    pub status: Status,
    /// The kind.
    pub kind: AssertionKind,
    /// The predicate's name.
    pub name: SmolStr,
    /// The predicate's arity.
    pub arity: usize,
    /// The arguments, as many as the arity.
    pub arguments: Vec<Argument>,
    /// The size limits in the precondition.
    pub limits: Vec<SizeLimit>,
    /// True if the precondition contains conditions that Costlens does not know, so that the assertion applies to fewer calls than
    /// [`Assertion::arguments`] describe.
    pub unknown_precondition: bool,
    /// The properties as written.
    pub properties: Vec<StatedProperty>,
    /// The text after `#`.
    pub documentation: Option<String>,
    /// The kind of source.
    pub origin: Origin,
}

impl Assertions {
    /// Returns the user-defined resources that occur in the file.
    pub fn own_resources(&self) -> impl Iterator<Item = &SmolStr> {
        let of_rules = self.resource_rules.iter().map(|rule| &rule.resource);
        self.resources.iter().chain(of_rules)
    }
}

impl Assertion {
    /// Returns whether the assertion declares calls: a mode or a type of an argument.
    #[must_use]
    pub fn declares_calls(&self) -> bool {
        self.arguments
            .iter()
            .any(|a| a.mode.is_some() || a.call.is_some())
    }
}

impl Assertion {
    /// Adds the default costs for resources without a cost in the assertion. Returns the number of added costs.
    fn add(&mut self, defaults: &[StatedProperty]) -> usize {
        let resource = |p: &StatedProperty| match &p.property {
            Property::Cost(cost) => Some(cost.resource.clone()),
            _ => None,
        };
        let own: Vec<SmolStr> = self.properties.iter().filter_map(resource).collect();
        let added: Vec<StatedProperty> = (defaults.iter())
            .filter(|d| resource(d).is_some_and(|r| !own.contains(&r)))
            .cloned()
            .collect();
        self.properties.extend(added.iter().cloned());
        added.len()
    }
}

/// Reads all assertions of a file with the given text.
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

/// Returns a term's text without layout, except in quoted items: `cost(ub,steps,3)` for `cost(ub, steps, 3)`.
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
