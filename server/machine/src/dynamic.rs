//! Code for clauses of dynamic predicates: frequently called clauses are compiled.
//!
//! This module decides whether an asserted clause is compiled or interpreted. A clause that is asserted, called once and retracted is
//! interpreted, which is cheaper than compiling it. If instructions are counted, every clause is compiled at its first call, so that its
//! instructions count. The decision does not affect which clauses a call tries: the logical update view is the same.

use costlens_catalog::is_leading_test;
use costlens_compile::code::{ClauseText, compile_clause_with};
use costlens_syntax::term::{TermId, Terms};

use crate::copy::Stored;
use crate::machine::Machine;
use crate::predicate::Space;

/// The state of a clause's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// Not compiled yet, with the number of calls so far.
    Not(u8),
    /// Compiled, at this address.
    At(u32),
    /// Interpreted: the clause has constants that would not survive backtracking, or parts that cannot be compiled.
    Never,
}

/// The number of calls after which a clause is compiled.
const OFTEN: u8 = 8;

impl Code {
    /// Not called yet.
    pub(crate) const NEW: Code = Code::Not(0);
}

impl Machine {
    /// Chooses between code and term when a clause is called again.
    pub(crate) fn called_again(&mut self, predicate: u32, code: Code, term: &Stored) -> Code {
        match code {
            Code::Not(calls) if calls + 1 < OFTEN && !self.counting => Code::Not(calls + 1),
            Code::Not(_) => self
                .compile_stored(predicate, term)
                .map_or(Code::Never, Code::At),
            known => known,
        }
    }

    /// Compiles `Head :- Body` and returns the address of its code, or `None` if it cannot be compiled.
    fn compile_stored(&mut self, predicate: u32, term: &Stored) -> Option<u32> {
        if term.has_boxes() {
            return None;
        }
        let used = self.store.heap.len();
        let clause = self.store.fetch(term);
        let mut terms = Terms::default();
        let root = self.store.write_out(clause, &mut terms, &mut Vec::new());
        // Nothing refers to the copy any longer.
        self.store.heap.truncate(used);
        let &[head, body] = terms.args(root?) else {
            return None;
        };
        let is_fact = terms.as_atom(body).is_some_and(|name| name == "true");
        let text = ClauseText::rule(&terms, head, (!is_fact).then_some(body));
        let is_redefined = |name: &str, arity: usize| self.is_redefined(name, arity);
        let code = compile_clause_with(&text, &is_redefined).ok()?;
        let tests = self.leading_tests(&terms, body, Space::User);
        let before = self.code.len();
        let address = self.link_clause(predicate, tests, &code, Space::User);
        // Code is never freed; an instruction has two cells.
        self.stored_cells += 2 * (self.code.len() - before);
        address.ok()
    }

    /// Returns the number of leading body goals that are tests and take part in clause selection. A type test that the program redefines is
    /// excluded.
    pub(crate) fn leading_tests(&self, terms: &Terms, body: TermId, space: Space) -> usize {
        let is_test = |goal: &&TermId| {
            terms.functor(**goal).is_some_and(|(name, arity)| {
                let own = || space == Space::User && self.is_redefined(name, arity);
                is_leading_test(name, arity) && !own()
            })
        };
        terms.chain(body, ",").iter().take_while(is_test).count()
    }
}
