//! The heads and goals met in a run, and the instructions that they execute.
//!
//! A meta-interpreter (`tests/events/count.pl`) records tried heads and goals that begin: `head:app/3:1:0` is a try of the second clause of
//! `app/3` that matches; `head:app/3:1:2` is one whose second argument does not match; `head:app/3:1:2.3` is one whose third argument would
//! not match either, regardless of the second; `goal:app/3:1:b.2` is the second goal of its body.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use costlens_syntax::term::{TermId, Terms};
use smol_str::SmolStr;

use crate::code::{ClauseText, Outcome};
use crate::{Event, Instructions, Vocabulary};

/// A tried head, or a goal that begins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Met {
    /// Name and arity of the predicate.
    pub predicate: (SmolStr, usize),
    /// The number of the clause within the predicate, from 0.
    pub clause: usize,
    /// The part of the clause.
    pub part: MetPart,
}

/// The part of a clause that is met.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MetPart {
    /// Its head, and the arguments that do not match, from 0: the first, and the later ones that would not match on their own.
    Head(Vec<usize>),
    /// The goal at the end of a path: argument positions, from 0, starting at the body.
    Goal(Vec<usize>),
}

/// A text that names neither a head nor a goal.
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

/// Formats it as it is parsed.
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

/// Returns the instructions executed by a run of these clauses with these heads and goals. Anything without code adds nothing.
#[must_use]
pub fn instructions(
    met: &[(Met, f64)],
    clauses: &[ClauseText<'_>],
    vocabulary: Vocabulary,
) -> BTreeMap<Event, f64> {
    let mut of: BTreeMap<(SmolStr, usize), Vec<&ClauseText<'_>>> = BTreeMap::new();
    for clause in clauses {
        if let Some((name, arity)) = clause.terms.functor(clause.head) {
            of.entry((name.clone(), arity)).or_default().push(clause);
        }
    }
    let mut counts = BTreeMap::new();
    for (met, times) in met {
        let clause = of
            .get(&met.predicate)
            .and_then(|clauses| clauses.get(met.clause));
        let Some(&text) = clause else { continue };
        let Some(code) = Instructions::of(text, vocabulary) else {
            continue;
        };
        let own = match &met.part {
            MetPart::Head(fails) => code.tried(&outcomes(met.predicate.1, fails)),
            MetPart::Goal(path) => match goal(text, path) {
                Some(goal) => code.begun(goal),
                None => continue,
            },
        };
        for event in own.events() {
            let count = own.of(event);
            // If a head fails at a variable that it contains twice, one of several possible counts is used.
            *counts.entry(event.clone()).or_default() += times * count.most as f64;
        }
    }
    counts
}

fn outcomes(arity: usize, fails: &[usize]) -> Vec<Outcome> {
    let outcome = |i| match fails.contains(&i) {
        true => Outcome::Fails,
        false => Outcome::Succeeds,
    };
    (0..arity).map(outcome).collect()
}

fn goal(text: &ClauseText<'_>, path: &[usize]) -> Option<TermId> {
    let terms: &Terms = text.terms;
    path.iter()
        .try_fold(text.body?, |t, &at| terms.args(t).get(at).copied())
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    fn counted(text: &str, met: &[&str]) -> String {
        let file = read_text(text);
        let clauses: Vec<ClauseText<'_>> = (file.clauses.iter())
            .map(|c| match c.terms.matches(c.root, ":-", 2) {
                Some(&[head, body]) => ClauseText::rule(&c.terms, head, Some(body)),
                _ => ClauseText::rule(&c.terms, c.root, None),
            })
            .collect();
        let met: Vec<(Met, f64)> = met.iter().map(|m| (m.parse().unwrap(), 1.0)).collect();
        let counts = instructions(&met, &clauses, Vocabulary::Swi);
        let show = |(event, n): (&Event, &f64)| format!("{event} {n}");
        counts.iter().map(show).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn heads_count_up_to_the_argument_that_fails_and_goals_all_of_their_code() {
        let app = "app([], L, L).\napp([H|T], L, [H|R]) :- app(T, L, R).";
        assert_eq!(
            counted(app, &["head:app/3:1:0"]),
            "swi:H_VOID 1, swi:H_VAR 1, swi:H_FIRSTVAR 1, swi:H_LIST 1, swi:H_LIST_FF 1, swi:H_POP 1, swi:I_ENTER 1"
        );
        assert_eq!(counted(app, &["head:app/3:1:1"]), "swi:H_LIST_FF 1");
        assert_eq!(
            counted(app, &["goal:app/3:1:b"]),
            "swi:L_VAR 2, swi:I_TCALL 1"
        );
        let memb = "memb(X, [X|_]) :- !.\nmemb(X, [_|T]) :- memb(X, T).";
        assert_eq!(
            counted(memb, &["head:memb/2:0:2"]),
            "swi:H_VOID 1, swi:H_VAR 1, swi:H_LIST 1"
        );
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
