//! The clauses that a call tries: our machine indexes the first argument.

use std::cell::Cell;

use costlens_algebra::Expr;
use costlens_compile::code::{
    Chosen, ClauseIndex, ClauseText, CountedClause, IndexKey, Outcome, compile_clause_with,
    first_argument, index,
};
use costlens_program::{Clause, ClauseKind};

use super::super::Runner;
use super::super::instructions::is_made;
use super::super::point::model::Selection;
use super::{MachineClause, SelectedClause};
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::state::State;
use crate::world::questions::{Split, Truth};

/// Selects the clauses of a node, whose instructions are counted.
pub(crate) fn selection<'a>(
    runner: &'a Runner<'_>,
    clauses: &'a [Clause],
) -> Result<Selection<'a>, Split> {
    let mut codes = runner.machine_clauses(clauses);
    let flat = |code: &Option<CountedClause>| code.as_ref().map(CountedClause::is_flat);
    let chosen = runner.chosen(clauses, &codes.iter().map(flat).collect::<Vec<_>>())?;
    Ok(Selection {
        call: Some(chosen.call()),
        model: Box::new(move |index| {
            let code = codes.get_mut(index).and_then(Option::take);
            Box::new(MachineClause(code.map(|code| SelectedClause {
                head: clauses[index].head,
                code,
                found: chosen.outcome(index),
                before: chosen.clause(index),
                leaves_choice: chosen.leaves_choice(index),
            })))
        }),
    })
}

impl Runner<'_> {
    /// Returns the code of all clauses, with `None` for clauses that cannot be compiled.
    fn machine_clauses(&self, clauses: &[Clause]) -> Vec<Option<CountedClause>> {
        // The program may redefine predicates that compile to inline code; not every machine allows this.
        let redefines = Cell::new(false);
        let is_redefined = |name: &str, arity: usize| {
            let predicate = Functor::new(name, arity);
            let own = self.program.may_redefine(&predicate);
            redefines.set(redefines.get() || own);
            own
        };
        let name = &self.nodes[self.node].name;
        let made = is_made(&name.name) || self.program.is_rewritten(name);
        let code = |clause: &Clause| {
            if made || clause.kind == ClauseKind::SingleSided {
                return None;
            }
            let text = ClauseText::rule(&clause.terms, clause.head, clause.body);
            redefines.set(false);
            let code = compile_clause_with(&text, &is_redefined).ok()?;
            (!redefines.get()).then(|| CountedClause::new(code, &clause.terms, clause.head))
        };
        clauses.iter().map(code).collect()
    }

    /// Returns the clauses that the index selects. For each clause, `flat` is true if the index alone rejects its first argument, and
    /// `None` if the clause has no code.
    fn chosen(&self, clauses: &[Clause], flat: &[Option<bool>]) -> Result<Chosen, Split> {
        let node = &self.nodes[self.node];
        let keys: Vec<IndexKey> = clauses
            .iter()
            .map(|c| first_argument(&c.terms, c.head))
            .collect();
        let keys: Vec<&IndexKey> = keys.iter().collect();
        let unbound = node.pattern.0.first().is_none_or(|ty| *ty == Type::Free);
        let indexed = matches!(index(&keys), ClauseIndex::Switch { .. });
        let mut found = Vec::new();
        for ((clause, key), flat) in clauses.iter().zip(keys).zip(flat) {
            found.push(match flat {
                _ if !indexed || unbound => Outcome::Succeeds,
                None => Outcome::Either,
                Some(_) if *key == IndexKey::Any => Outcome::Succeeds,
                Some(is_flat) => {
                    let terms = &*clause.terms;
                    let mut state = State::new(terms, self.types.clone());
                    let is_param = |e: &Expr| self.is_param(e);
                    let s = self.scope(terms, &is_param);
                    let argument = terms.args(clause.head)[0];
                    match state.unify_datum(&s, &node.datum(0), argument)?.0 {
                        Truth::True => Outcome::Succeeds,
                        Truth::False if *is_flat => Outcome::Fails,
                        _ => Outcome::Either,
                    }
                }
            });
        }
        Ok(Chosen::new(found, indexed))
    }
}
