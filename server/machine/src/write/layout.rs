//! Layout of clauses for `portray_clause/1`.

use rustc_hash::FxHashMap;

use crate::atoms::{self, COMMA, NECK, TRUE};
use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::Machine;
use crate::store::{Store, View};

use super::WriteOptions;

/// Names the variables of a term: `_` for a singleton, otherwise `A`, `B`, … by first occurrence.
pub(crate) fn variable_names(store: &Store, term: Cell) -> FxHashMap<Cell, String> {
    let mut occurrences: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut stack = vec![term];
    while let Some(cell) = stack.pop() {
        let cell = store.deref(cell);
        if cell.is_reference() {
            *occurrences.entry(cell).or_default() += 1;
        } else if let Some((first, arity)) = store.arguments(cell) {
            stack.extend((first..first + arity).map(|i| store.cell(i)));
        }
    }
    let mut names = FxHashMap::default();
    let mut next = 0_usize;
    for variable in store.variables(term) {
        let name = if occurrences.get(&variable) == Some(&1) {
            "_".to_owned()
        } else {
            let letter = char::from(b'A' + (next % 26) as u8);
            let name = match next / 26 {
                0 => letter.to_string(),
                round => format!("{letter}{round}"),
            };
            next += 1;
            name
        };
        names.insert(variable, name);
    }
    names
}

/// A piece of a term to be laid out.
enum Pending {
    Text(String),
    /// A goal with its indentation and maximum priority.
    Goal(Cell, usize, u16),
}

impl Machine {
    /// Formats a clause with its full stop, like `portray_clause/1`.
    ///
    /// # Errors
    /// Returns an error if the output limit is reached.
    pub(crate) fn clause_text(&mut self, clause: Cell) -> Result<String, Throw> {
        let options = WriteOptions {
            spaced: true,
            names: match self.store.is_acyclic(clause) {
                true => variable_names(&self.store, clause),
                false => FxHashMap::default(),
            },
            ..WriteOptions::quoted()
        };
        let plain = |m: &Self, cell: Cell, priority: u16| {
            let options = WriteOptions {
                priority,
                ..options.clone()
            };
            m.text_of_term(cell, &options)
        };
        let mut out = String::new();
        let body = match self.store.view(clause) {
            View::Compound(NECK, 2, first) => {
                let (head, body) = (self.store.cell(first), self.store.cell(first + 1));
                out.push_str(&plain(self, head, 1199)?);
                if self.store.deref(body) == Cell::atom(TRUE) {
                    None
                } else {
                    out.push_str(" :-");
                    Some(body)
                }
            }
            View::Compound(NECK, 1, first) => {
                out.push_str(":- ");
                out.push_str(&plain(self, self.store.cell(first), 999)?);
                None
            }
            View::Compound(name, 2, first) if self.store.atoms.text(name) == "-->" => {
                out.push_str(&plain(self, self.store.cell(first), 1199)?);
                out.push_str(" -->");
                Some(self.store.cell(first + 1))
            }
            _ => {
                out.push_str(&plain(self, clause, 1199)?);
                None
            }
        };
        if let Some(body) = body {
            out.push_str("\n    ");
            self.body_text(body, &plain, &mut out)?;
        }
        out.push_str(".\n");
        Ok(out)
    }

    fn body_text(
        &self,
        body: Cell,
        plain: &impl Fn(&Self, Cell, u16) -> Result<String, Throw>,
        out: &mut String,
    ) -> Result<(), Throw> {
        let mut parts = vec![Pending::Goal(body, 4, 1200)];
        while let Some(part) = parts.pop() {
            match part {
                Pending::Text(text) => out.push_str(&text),
                Pending::Goal(goal, indent, priority) => {
                    self.goal_text(goal, indent, priority, plain, &mut parts, out)?
                }
            }
        }
        Ok(())
    }

    fn goal_text(
        &self,
        goal: Cell,
        indent: usize,
        priority: u16,
        plain: &impl Fn(&Self, Cell, u16) -> Result<String, Throw>,
        parts: &mut Vec<Pending>,
        out: &mut String,
    ) -> Result<(), Throw> {
        let line = |indent: usize| format!("\n{}", " ".repeat(indent));
        let View::Compound(name, arity, first) = self.store.view(goal) else {
            out.push_str(&plain(self, goal, 999)?);
            return Ok(());
        };
        let argument = |i: usize| self.store.cell(first + i);
        let text = self.store.atoms.text(name).as_str();
        match (text, arity) {
            (",", 2) if priority >= 1000 => {
                parts.push(Pending::Goal(argument(1), indent, 1000));
                parts.push(Pending::Text(format!(",{}", line(indent))));
                parts.push(Pending::Goal(argument(0), indent, 1000));
            }
            (",", 2) => {
                // Put the goal in brackets, indented by two more columns.
                out.push_str("( ");
                parts.push(Pending::Text(format!("{})", line(indent))));
                parts.push(Pending::Goal(goal, indent + 2, 1000));
            }
            (";" | "->" | "*->" | "|", 2) => {
                out.push_str("(   ");
                parts.push(Pending::Text(format!("{})", line(indent))));
                self.branches(goal, indent, parts);
            }
            ("\\+", 1) => {
                out.push_str("\\+ ");
                parts.push(Pending::Goal(argument(0), indent + 3, 999));
            }
            _ if self.has_control_argument(first, arity) && !self.operators.is_operator(text) => {
                let open = format!("{}(", super::quoted_atom(text, true));
                let inner = indent + open.chars().count();
                out.push_str(&open);
                parts.push(Pending::Text(")".to_owned()));
                for i in (0..arity).rev() {
                    parts.push(Pending::Goal(argument(i), inner, 999));
                    if i > 0 {
                        parts.push(Pending::Text(format!(",{}", line(inner))));
                    }
                }
            }
            _ => {
                let shown = plain(self, goal, 999)?;
                match shown.strip_prefix('(').filter(|_| name == NECK) {
                    Some(inside) => {
                        let inside = inside.strip_suffix(')').unwrap_or(inside);
                        out.push_str(&format!("( {inside}{})", line(indent)));
                    }
                    None => out.push_str(&shown),
                }
            }
        }
        Ok(())
    }

    fn has_control_argument(&self, first: usize, arity: usize) -> bool {
        (0..arity).any(|i| {
            matches!(
                self.store.view(self.store.cell(first + i)),
                View::Compound(
                    COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW,
                    2,
                    _
                )
            )
        })
    }

    /// Queues the branches of a disjunction or condition, from the last to the first.
    fn branches(&self, goal: Cell, indent: usize, parts: &mut Vec<Pending>) {
        let line = format!("\n{}", " ".repeat(indent));
        let mut queued = Vec::new();
        let mut rest = Some(goal);
        while let Some(goal) = rest.take() {
            match self.store.view(goal) {
                View::Compound(name, 2, first)
                    if matches!(self.store.atoms.text(name).as_str(), ";" | "|") =>
                {
                    self.condition(self.store.cell(first), indent, &line, &mut queued);
                    queued.push(Pending::Text(format!("{line};   ")));
                    rest = Some(self.store.cell(first + 1));
                }
                _ => self.condition(goal, indent, &line, &mut queued),
            }
        }
        parts.extend(queued.into_iter().rev());
    }

    fn condition(&self, goal: Cell, indent: usize, line: &str, queued: &mut Vec<Pending>) {
        match self.store.view(goal) {
            View::Compound(name @ (atoms::ARROW | atoms::SOFT_ARROW), 2, first) => {
                queued.push(Pending::Goal(self.store.cell(first), indent + 4, 1000));
                let arrow = if name == atoms::ARROW { "->  " } else { "*-> " };
                queued.push(Pending::Text(format!("{line}{arrow}")));
                queued.push(Pending::Goal(self.store.cell(first + 1), indent + 4, 1000));
            }
            _ => queued.push(Pending::Goal(goal, indent + 4, 1000)),
        }
    }
}
