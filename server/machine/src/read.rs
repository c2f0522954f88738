//! Reading terms from text at run time: `term_to_atom/2` and related predicates.

use smol_str::SmolStr;

use costlens_syntax::{Dialect, Parsed, ReadOptions, read};

use crate::atoms::{self, END_OF_FILE};
use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::Machine;

/// A term that was read.
pub struct ReadTerm {
    /// The term itself.
    pub term: Cell,
    /// The term's named variables in order of occurrence.
    pub names: Vec<(SmolStr, Cell)>,
}

impl Machine {
    /// Reads the single term in text, with or without a full stop, using the current operators. Returns `end_of_file` if the text is blank.
    ///
    /// # Errors
    /// Returns `syntax_error(What)`.
    pub fn read_term(&mut self, text: &str) -> Result<ReadTerm, Throw> {
        let options = ReadOptions {
            operators: self.program_operators.clone(),
            ..ReadOptions::default()
        };
        // Add a blank, so that the full stop does not join a symbol of the text.
        let file = read(
            &Parsed::in_dialect(format!("{text} . "), Dialect::Swi),
            &options,
        );
        let blank = text.trim().is_empty();
        let Some(clause) = file.clauses.first().filter(|_| !blank) else {
            return Ok(ReadTerm {
                term: Cell::atom(END_OF_FILE),
                names: Vec::new(),
            });
        };
        // Check that only the added full stop follows.
        let more = file
            .clauses
            .get(1)
            .is_some_and(|c| c.range.1 < text.len() || c.error.is_none());
        if let Some(error) = &clause.error {
            return Err(self.syntax_error_in(
                text,
                &error.message,
                error.range.0 as usize + clause.range.0,
            ));
        }
        if more {
            return Err(self.syntax_error_in(text, "end of clause expected", clause.range.1));
        }
        let mut variables = Vec::new();
        self.store.room(2 * clause.terms.len())?;
        let term = self
            .store
            .read_in(&clause.terms, clause.root, &mut variables);
        let names = clause
            .spans
            .variables
            .iter()
            .zip(variables)
            .filter(|(name, _)| *name != "_")
            .filter_map(|(name, cell)| Some((name.clone(), cell?)))
            .collect();
        Ok(ReadTerm { term, names })
    }

    /// Builds `error(syntax_error(What), string(Text, Place))`.
    fn syntax_error_in(&mut self, text: &str, message: &str, at: usize) -> Throw {
        let mut at = at.min(text.len());
        let what = if message.contains("operator expected") {
            at = text[..at].trim_end().len();
            "operator_expected"
        } else if message.contains("unclosed") || message.contains("end of clause") {
            at = text.len();
            "end_of_clause"
        } else if message.contains("quote") {
            "end_of_file_in_quoted"
        } else {
            "illegal_term"
        };
        let what = self.store.atom(what);
        let formal = self.store.compound(atoms::SYNTAX_ERROR, &[what]);
        let string = self.store.string(&format!("{text} . "));
        let place = Cell::small(i64::try_from(text[..at].chars().count()).unwrap_or(0));
        let name = self.store.atoms.intern("string");
        let context = self.store.compound(name, &[string, place]);
        Throw::Ball(self.store.compound(atoms::ERROR, &[formal, context]))
    }
}
