//! Counts the instructions executed by the heads and goals met in a run.

use std::collections::BTreeMap;

use costlens_events::{Event, Met, MetPart, Vocabulary};
use costlens_syntax::term::{TermId, Terms};
use smol_str::SmolStr;

use crate::Instructions;
use crate::code::{ClauseText, Outcome};

/// Returns the number of instructions executed by a run of these clauses with these heads and goals. Parts without code add nothing.
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
        let Some(code) = Instructions::compile(text, vocabulary) else {
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
            let count = own.get(event);
            // If a head fails at a variable that occurs twice in it, one of several possible counts is used.
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
    }
}
