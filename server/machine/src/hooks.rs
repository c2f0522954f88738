//! Runs expansion hooks of pure code: a documented exception to the rule that no code of a file is run. Callers check that the code changes
//! nothing and asks about nothing outside it; here, steps and memory are bounded.

use costlens_program::workspace::HookResult;

use crate::machine::{Limits, Machine};
use crate::solve::Answer;
use crate::write::WriteOptions;

/// The maximum number of calls and backtracks for one term.
const MOST_STEPS: u64 = 200_000;

/// The maximum number of cells.
const MOST_CELLS: usize = 1 << 22;

/// The maximum length of a result, in bytes.
const LONGEST_RESULT: usize = 1 << 20;

/// Calls `term_expansion(Term, Result)` for each term, with the clauses of a program.
#[must_use]
pub fn run_hooks(program: &str, terms: &[String]) -> Vec<HookResult> {
    let mut machine = Machine::new(Limits {
        steps: Some(MOST_STEPS),
        cells: MOST_CELLS,
        output: LONGEST_RESULT,
    });
    if !machine.load_clauses(program).is_empty() {
        return vec![HookResult::Unknown; terms.len()];
    }
    terms.iter().map(|term| run(&mut machine, term)).collect()
}

fn run(machine: &mut Machine, term: &str) -> HookResult {
    let goal = format!("term_expansion({term}, Result)");
    let Ok((goal, variables)) = machine.read_goal(&goal) else {
        return HookResult::Unknown;
    };
    let result = variables.iter().find(|(name, _)| name == "Result");
    let Some(&(_, result)) = result else {
        return HookResult::Unknown;
    };
    machine.start(goal);
    match machine.next_answer() {
        Answer::No => HookResult::Fails,
        Answer::Yes { .. } => {
            let canonical = WriteOptions {
                ignore_ops: true,
                ..WriteOptions::quoted()
            };
            match machine.text_of_term(result, &canonical) {
                Ok(text) => HookResult::Gives(text),
                Err(_) => HookResult::Unknown,
            }
        }
        Answer::Error(_) | Answer::Limit(_) => HookResult::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_give_terms_fail_or_end_at_a_limit() {
        let program = "term_expansion(rows(N), Rs) :- findall(row(I, 'A b'-X), between(1, N, I), Rs), X = X.\n\
             term_expansion(loop, X) :- loop(X).\nloop(X) :- loop(X).\nterm_expansion(bad, _) :- atom_length(_, _).\n";
        let found = run_hooks(
            program,
            &["rows(2)", "other", "loop", "bad"].map(String::from),
        );
        let HookResult::Gives(rows) = &found[0] else {
            panic!("{found:?}");
        };
        assert!(rows.starts_with("[row(1,-('A b',"), "{rows}");
        assert_eq!(
            found[1..],
            [HookResult::Fails, HookResult::Unknown, HookResult::Unknown]
        );
    }
}
