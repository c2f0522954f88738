//! The heads and goals met in a run.
//!
//! A meta-interpreter (`tests/events/count.pl`) records tried heads and started goals. `head:app/3:1:0` is a try of the second clause of
//! `app/3` whose head matches. In `head:app/3:1:2`, the second argument does not match; in `head:app/3:1:2.3`, the third argument would not
//! match either, regardless of the second. `goal:app/3:1:b.2` is the second goal of the clause's body.

use std::fmt;
use std::str::FromStr;

use smol_str::SmolStr;

/// A tried head, or a started goal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Met {
    /// The predicate's name and arity.
    pub predicate: (SmolStr, usize),
    /// The index of the clause within the predicate, from 0.
    pub clause: usize,
    /// The part of the clause.
    pub part: MetPart,
}

/// The part of a clause that is met.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MetPart {
    /// The head, and the arguments (from 0) that do not match: the first such argument, and later arguments that would not match on their
    /// own.
    Head(Vec<usize>),
    /// The goal at the end of a path: argument positions, from 0, starting at the body.
    Goal(Vec<usize>),
}

/// The error for text that denotes neither a head nor a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither a head nor a goal")]
pub struct NotMet(pub String);

impl FromStr for Met {
    type Err = NotMet;

    fn from_str(text: &str) -> Result<Self, NotMet> {
        fn places<'n>(numbers: impl Iterator<Item = &'n str>) -> Option<Vec<usize>> {
            let place = |n: &str| n.parse::<usize>().ok()?.checked_sub(1);
            numbers.map(place).collect()
        }
        let read = || {
            let (kind, rest) = text.split_once(':')?;
            let (rest, place) = rest.rsplit_once(':')?;
            let (predicate, clause) = rest.rsplit_once(':')?;
            let (name, arity) = predicate.rsplit_once('/')?;
            let part = match kind {
                "head" if place == "0" => MetPart::Head(Vec::new()),
                "head" => MetPart::Head(places(place.split('.'))?),
                "goal" => {
                    let mut path = place.split('.');
                    path.next().filter(|&body| body == "b")?;
                    MetPart::Goal(places(path)?)
                }
                _ => return None,
            };
            Some(Met {
                predicate: (name.into(), arity.parse().ok()?),
                clause: clause.parse().ok()?,
                part,
            })
        };
        read().ok_or_else(|| NotMet(text.to_owned()))
    }
}

/// Prints the form that is parsed.
impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, arity) = &self.predicate;
        let clause = self.clause;
        match &self.part {
            MetPart::Head(fails) => {
                let places: Vec<String> = fails.iter().map(|at| (at + 1).to_string()).collect();
                let places = match &places[..] {
                    [] => "0".to_owned(),
                    places => places.join("."),
                };
                write!(f, "head:{name}/{arity}:{clause}:{places}")
            }
            MetPart::Goal(path) => {
                write!(f, "goal:{name}/{arity}:{clause}:b")?;
                path.iter().try_for_each(|at| write!(f, ".{}", at + 1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for text in [
            "head:p/0:0:0",
            "head:p/2:1:2",
            "head:p/3:1:2.3",
            "goal:p/2:0:b",
            "goal:p/2:0:b.2.1",
        ] {
            assert_eq!(text.parse::<Met>().unwrap().to_string(), text);
        }
        for wrong in ["app/3", "head:app/3:1", "goal:app/3:1:2", "tail:app/3:1:0"] {
            assert!(wrong.parse::<Met>().is_err(), "{wrong}");
        }
    }
}
