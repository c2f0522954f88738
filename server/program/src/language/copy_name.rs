//! The names of specialised copies of predicates, with a closure in place of an argument.

use costlens_catalog::find;

use super::functor::Functor;
use super::split_name;

/// Begins the label of a copy of another file's predicate, without closures: `odd(of numbers)`.
pub(crate) const ELSEWHERE: &str = "of ";

/// Begins the label of an alternative of a predicate that depends on undecided conditions: `quota(if 1)`.
pub(crate) const ALTERNATIVE: &str = "if ";

/// The name of a copy: `maplist(add(_1))/3` is a copy of `maplist/3` to which `N` is passed in place of `add(N)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyName<'n> {
    /// The name of the original predicate.
    pub of: &'n str,
    /// The index (from 0) of the closure among the original's arguments; `None` if it cannot be determined.
    closure: Option<usize>,
    /// The number of terms that are passed in place of the closure.
    passed: usize,
    arity: usize,
    /// True for a copy with all arguments of its original.
    is_whole: bool,
}

impl<'n> CopyName<'n> {
    /// Parses a name. Returns `None` for the name of a written predicate.
    #[must_use]
    pub fn read(predicate: &'n Functor) -> Option<Self> {
        let (of, mut closures) = predicate.name.strip_suffix(')')?.split_once('(')?;
        if closures.starts_with(ELSEWHERE) || closures.starts_with(ALTERNATIVE) {
            return Some(Self {
                of,
                closure: None,
                passed: 0,
                arity: predicate.arity,
                is_whole: true,
            });
        }
        let mut place = 0;
        while let Some(rest) = closures.strip_prefix("_,") {
            closures = rest.trim_start();
            place += 1;
        }
        // In `(p(A) , q)`, the terms passed to a control construct are named by letters.
        let is_control = closures.starts_with('(') && !closures.contains(">>");
        let is_clear = is_one_term(closures) && !is_control;
        let mut name = Self {
            of,
            closure: is_clear.then_some(place),
            passed: 0,
            arity: predicate.arity,
            is_whole: false,
        };
        while name.passed < predicate.arity && closures.contains(&format!("_{}", name.passed + 1)) {
            name.passed += 1;
        }
        Some(name)
    }

    /// Returns the name and arity of the original predicate, if the position of its closure is known.
    #[must_use]
    pub fn original(&self) -> Option<Functor> {
        if self.is_whole {
            return Some(Functor::new(self.of, self.arity));
        }
        self.closure?;
        let arity = (self.arity + 1).checked_sub(self.passed)?;
        Some(Functor::new(self.of, arity))
    }

    /// Returns a description of the original predicate: `maplist/3`, also for the auxiliary predicate that does the work of a library
    /// predicate (`apply:maplist_/3`); only the name if the position of the closure is unknown; `[…]>>…` for a lambda expression.
    #[must_use]
    pub fn told(&self) -> String {
        if self.of.is_empty() {
            return "[…]>>…".to_owned();
        }
        let Some(original) = self.original() else {
            return self.of.trim_end_matches('_').to_owned();
        };
        let name = split_name(self.of).map_or(self.of, |(_, name)| name);
        let called = name.trim_end_matches('_');
        let of_library = find(called, original.arity).filter(|known| known.library().is_some());
        match of_library {
            Some(_) => format!("{called}/{}", original.arity),
            None => original.to_string(),
        }
    }

    /// Returns the index of the written call's argument that corresponds to an argument of the copy, both from 0. Returns `None` for a part
    /// of a closure.
    #[must_use]
    pub fn argument(&self, of_copy: usize) -> Option<usize> {
        if self.is_whole {
            return Some(of_copy);
        }
        let closure = self.closure?;
        match of_copy {
            before if before < closure => Some(before),
            part if part < closure + self.passed => None,
            behind => Some(behind + 1 - self.passed),
        }
    }
}

/// Returns true for text without a comma outside brackets.
fn is_one_term(text: &str) -> bool {
    let mut depth = 0_i32;
    text.chars().all(|c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        c != ',' || depth > 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_tells_what_it_was_made_of() {
        for (name, arity, original, arguments) in [
            ("maplist(double)", 2, "maplist/3", [Some(1), Some(2)]),
            ("maplist(add(_1))", 3, "maplist/3", [None, Some(1)]),
            ("foldl_(_, take_one)", 3, "foldl_/4", [Some(0), Some(2)]),
            ("exclude(==(_1))", 3, "exclude/3", [None, Some(1)]),
        ] {
            let copy = Functor::new(name, arity);
            let name = CopyName::read(&copy).unwrap();
            assert_eq!(name.original().unwrap().to_string(), original);
            assert_eq!(name.told(), original.replace('_', ""));
            assert_eq!([name.argument(0), name.argument(1)], arguments, "{copy}");
        }
        let whole = Functor::new("odd(of numbers)", 1);
        let name = CopyName::read(&whole).unwrap();
        assert_eq!((name.told().as_str(), name.argument(0)), ("odd/1", Some(0)));
        assert_eq!(CopyName::read(&Functor::new("maplist", 3)), None);
    }
}
