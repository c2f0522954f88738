//! Predicates with an additional argument, and the wrapper clause that keeps the old name.
//!
//! ```text
//! sum(Xs, S) :- sum(Xs, 0, S).
//! ```

use costlens_syntax::term::TermId;

use crate::file::Edit;
use crate::fixes::site::Site;

/// A predicate with an additional argument.
pub(super) struct Extended<'a> {
    site: &'a Site<'a>,
    /// The quoted name.
    name: String,
    /// The index of the additional argument.
    place: usize,
    /// The text between two arguments.
    pub(super) separator: &'a str,
}

impl<'a> Extended<'a> {
    /// Creates a predicate with a free name: the old name, which now has a greater arity, or a name with a suffix.
    pub(super) fn new(site: &'a Site<'a>, suffix: &str, place: usize) -> Option<Self> {
        Some(Self {
            site,
            name: site.helper_name(site.functor.arity + 1, suffix)?,
            place,
            separator: ", ",
        })
    }

    /// Creates a predicate with an accumulator. The accumulator precedes a result that is the last argument. Otherwise it comes last, so
    /// that arguments that distinguish clauses keep their indices.
    pub(super) fn with_accumulator(site: &'a Site<'a>, result: usize) -> Option<Self> {
        let place = match result + 1 == site.functor.arity {
            true => result,
            false => site.functor.arity,
        };
        Self::new(site, "_acc", place)
    }

    /// Returns the text of a head or a goal.
    pub(super) fn goal(&self, mut arguments: Vec<String>, added: &str) -> String {
        arguments.insert(self.place.min(arguments.len()), added.to_owned());
        format!("{}({})", self.name, arguments.join(self.separator))
    }

    /// Returns the text of a head or a goal of a clause, with one of its arguments replaced by another term.
    pub(super) fn changed(
        &self,
        number: usize,
        goal: TermId,
        place: usize,
        term: &str,
        added: &str,
    ) -> Option<String> {
        let arguments = self.site.clauses[number].terms.args(goal).iter();
        let texts = arguments
            .enumerate()
            .map(|(i, &argument)| match i == place {
                true => Some(term.to_owned()),
                false => self.site.argument(number, argument),
            });
        Some(self.goal(texts.collect::<Option<_>>()?, added))
    }

    /// Returns the edit that inserts the wrapper clause before the other clauses.
    pub(super) fn wrapper(&self, arguments: &[String], first: &str) -> Option<Edit> {
        wrapper(self.site, arguments, &self.goal(arguments.to_vec(), first))
    }
}

/// Returns the edit that inserts a clause with the predicate's name before the other clauses.
pub(super) fn wrapper(site: &Site<'_>, arguments: &[String], body: &str) -> Option<Edit> {
    let (place, end) = (site.places.first()?, site.line_end());
    let name = site.text.get(place.name.0..place.name.1)?;
    Some(Edit {
        range: place.range.0..place.range.0,
        text: format!("{name}({}) :- {body}.{end}{end}", arguments.join(", ")),
    })
}
