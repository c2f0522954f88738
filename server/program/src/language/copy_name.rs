//! Names of copies that specialisation makes of predicates, with a closure in the place of an argument.

use costlens_catalog::find;

use super::functor::Functor;
use super::split_name;

/// The name of a copy: `maplist(add(_1))/3` is a copy of `maplist/3` that is passed `N` in the place of `add(N)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyName<'n> {
    /// The name of the predicate that was copied.
    pub of: &'n str,
    /// The place of its closure among its arguments, from 0; none where that is not clear.
    closure: Option<usize>,
    /// The number of terms that are passed in the place of the closure.
    passed: usize,
    arity: usize,
}

impl<'n> CopyName<'n> {
    /// Reads a name; none where it is that of a predicate that is written.
    #[must_use]
    pub fn read(predicate: &'n Functor) -> Option<Self> {
        let (of, mut closures) = predicate.name.strip_suffix(')')?.split_once('(')?;
        let mut place = 0;
        while let Some(rest) = closures.strip_prefix("_,") {
            closures = rest.trim_start();
            place += 1;
        }
        // `(p(A) , q)`: what is passed to a control construct has letters for names.
        let is_control = closures.starts_with('(') && !closures.contains(">>");
        let is_clear = is_one_term(closures) && !is_control;
        let mut name = Self {
            of,
            closure: is_clear.then_some(place),
            passed: 0,
            arity: predicate.arity,
        };
        while name.passed < predicate.arity && closures.contains(&format!("_{}", name.passed + 1)) {
            name.passed += 1;
        }
        Some(name)
    }

    /// The name and arity of the predicate that was copied, where the place of its closure is clear.
    #[must_use]
    pub fn original(&self) -> Option<Functor> {
        self.closure?;
        let arity = (self.arity + 1).checked_sub(self.passed)?;
        Some(Functor::new(self.of, arity))
    }

    /// The predicate that was copied, in words: `maplist/3`, also for the part of a library predicate that does the work (`apply:maplist_/3`);
    /// the name alone where the place of the closure is not clear; `[…]>>…` for a lambda expression.
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

    /// The argument of the call as it is written that an argument of the copy is, both from 0; none where it is a part of a closure.
    #[must_use]
    pub fn argument(&self, of_copy: usize) -> Option<usize> {
        let closure = self.closure?;
        match of_copy {
            before if before < closure => Some(before),
            part if part < closure + self.passed => None,
            behind => Some(behind + 1 - self.passed),
        }
    }
}

/// True for a text without a comma outside of brackets.
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
        assert_eq!(CopyName::read(&Functor::new("maplist", 3)), None);
    }
}
