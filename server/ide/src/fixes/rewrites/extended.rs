//! Predicates with one more argument, and the clause with the old name that calls them.
//!
//! ```text
//! sum(Xs, S) :- sum(Xs, 0, S).
//! ```

use costlens_syntax::term::TermId;

use crate::file::Edit;
use crate::fixes::site::Site;

/// A predicate with one more argument.
pub(super) struct Extended<'a> {
    site: &'a Site<'a>,
    /// The name as written.
    name: String,
    /// The place of the new argument.
    place: usize,
    /// The text between arguments.
    pub(super) separator: &'a str,
}

impl<'a> Extended<'a> {
    /// Makes a predicate with a free name: that of the predicate with the larger arity, or one with a suffix.
    pub(super) fn new(site: &'a Site<'a>, suffix: &str, place: usize) -> Option<Self> {
        Some(Self {
            site,
            name: site.helper_name(site.functor.arity + 1, suffix)?,
            place,
            separator: ", ",
        })
    }

    /// Makes a predicate with an accumulator before a result that is the last argument. For any other result it comes after all arguments, so
    /// that arguments that distinguish clauses keep their positions.
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

    /// Returns the text of a head or a goal of a clause, with another term in place of an argument.
    pub(super) fn changed(
        &self,
        (number, goal): (usize, TermId),
        (place, term): (usize, &str),
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

    /// Returns the edit that puts the clause with the old name before the others.
    pub(super) fn wrapper(&self, arguments: &[String], first: &str) -> Option<Edit> {
        wrapper(self.site, arguments, &self.goal(arguments.to_vec(), first))
    }
}

/// Returns the edit that puts a clause with the name of the predicate before the others.
pub(super) fn wrapper(site: &Site<'_>, arguments: &[String], body: &str) -> Option<Edit> {
    let (place, end) = (site.places.first()?, site.line_end());
    let name = site.text.get(place.name.0..place.name.1)?;
    Some(Edit {
        range: place.range.0..place.range.0,
        text: format!("{name}({}) :- {body}.{end}{end}", arguments.join(", ")),
    })
}
