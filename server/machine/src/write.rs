//! Terms as text, in the formats of SWI-Prolog's `write/1`, `writeq/1`, `print/1`, `write_canonical/1` and `write_term/2`.
//!
//! Writing is iterative: pending steps are on a stack, so that neither the depth nor the length of a term matters. Brackets and blanks are
//! written as needed: `- 1`, `a= \+b`, `f((a:-b))`.

mod atoms;
mod cycles;
pub(crate) mod layout;

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use costlens_syntax::Operators;
use costlens_syntax::operators::Position;

use crate::atoms::{Atom, COMMA, CONS, CURLY, DOLLAR_VAR, NIL};
use crate::cell::Cell;
use crate::error::{Limit, Throw};
use crate::machine::Machine;
use crate::store::{Store, View};
use crate::text::number_text;

pub(crate) use atoms::quoted_atom;

/// The options for writing a term.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Quotes atoms and strings if necessary.
    pub quoted: bool,
    /// Writes `'$VAR'(1)` as `B`.
    pub numbervars: bool,
    /// Writes operators as functors.
    pub ignore_ops: bool,
    /// Writes `{}(X)` as `{X}` even if operators are ignored.
    pub braces: bool,
    /// Writes lists as `'.'(H, T)`.
    pub dot_lists: bool,
    /// Writes a blank after the commas between arguments.
    pub spaced: bool,
    /// Writes escapes such as `\n` inside quotes.
    pub escapes: bool,
    /// Writes deeper terms as `...`; 0 for no limit.
    pub max_depth: usize,
    /// Puts operators with a priority above this in brackets.
    pub priority: u16,
    /// The names of variables.
    pub names: FxHashMap<Cell, String>,
    /// Writes cyclic terms as `@(Template, Substitutions)`.
    pub cycles: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            quoted: false,
            numbervars: false,
            ignore_ops: false,
            braces: true,
            dot_lists: false,
            spaced: false,
            escapes: true,
            max_depth: 0,
            priority: 1200,
            names: FxHashMap::default(),
            cycles: true,
        }
    }
}

impl WriteOptions {
    /// Returns the options of `write/1`.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            numbervars: true,
            ..Self::default()
        }
    }

    /// Returns the options of `writeq/1` and `print/1`.
    #[must_use]
    pub fn quoted() -> Self {
        Self {
            quoted: true,
            ..Self::plain()
        }
    }

    /// Returns the options of `write_canonical/1`, except for the names of variables.
    #[must_use]
    pub fn canonical() -> Self {
        Self {
            quoted: true,
            ignore_ops: true,
            braces: false,
            ..Self::default()
        }
    }
}

impl Machine {
    /// Formats a term as text.
    ///
    /// # Errors
    /// Returns an error if the output limit is reached.
    pub fn text_of_term(&self, term: Cell, options: &WriteOptions) -> Result<String, Throw> {
        write_term(
            &self.store,
            &self.operators,
            self.limits.output,
            term,
            options,
        )
    }

    /// Formats a term like `writeq/1`.
    ///
    /// # Errors
    /// Returns an error if the output limit is reached.
    pub fn quoted_text(&self, term: Cell) -> Result<String, Throw> {
        self.text_of_term(term, &WriteOptions::quoted())
    }
}

/// Formats a term as text of at most `limit` bytes.
pub(crate) fn write_term(
    store: &Store,
    operators: &Operators,
    limit: usize,
    term: Cell,
    options: &WriteOptions,
) -> Result<String, Throw> {
    let mut writer = Writer {
        store,
        operators,
        options,
        out: String::new(),
        steps: Vec::new(),
        after_prefix: false,
        after_minus: false,
        labels: FxHashMap::default(),
    };
    let cyclic = options.cycles && options.max_depth == 0 && !store.is_acyclic(term);
    if cyclic {
        writer.factorized(term);
    } else {
        writer.term(term, options.priority, 1);
    }
    while let Some(step) = writer.steps.pop() {
        if writer.out.len() > limit {
            return Err(Throw::Limit(Limit::Output));
        }
        writer.step(step);
    }
    Ok(writer.out)
}

/// A pending step of writing.
enum Step {
    /// Text joined to the preceding token: `(` after a functor, `,` between arguments.
    Raw(&'static str),
    /// A term with its maximum priority, and its depth.
    Term(Cell, u16, usize),
    /// An argument or element.
    Argument(Cell, usize),
    /// The remaining arguments: next address, address after the last, depth.
    Arguments(usize, usize, usize),
    /// The rest of a list after an element.
    Tail(Cell, usize),
    /// An infix operator.
    Infix(Atom),
    /// `S_1=` before a cyclic compound, which is then written out.
    Label(Cell, usize),
}

struct Writer<'a> {
    store: &'a Store,
    operators: &'a Operators,
    options: &'a WriteOptions,
    out: String,
    steps: Vec<Step>,
    /// True if the last token is a prefix operator.
    after_prefix: bool,
    /// True if the last token is the prefix operator `-`.
    after_minus: bool,
    /// Compounds that are written as labels because they contain themselves.
    labels: FxHashMap<Cell, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Alphanumeric,
    Symbol,
    Other,
}

fn class(c: char) -> Class {
    if c.is_alphanumeric() || c == '_' {
        Class::Alphanumeric
    } else if atoms::is_symbol(c) {
        Class::Symbol
    } else {
        Class::Other
    }
}

impl Writer<'_> {
    /// Writes a token, preceded by a blank if it would otherwise merge with the previous token.
    fn token(&mut self, text: &str) {
        let (Some(first), last) = (text.chars().next(), self.out.chars().next_back()) else {
            return;
        };
        let joined = last.is_some_and(|last| {
            let (a, b) = (class(last), class(first));
            a == b && a != Class::Other
                || self.after_prefix && matches!(first, '(' | '{')
                || self.after_minus && first.is_ascii_digit()
        });
        if joined {
            self.out.push(' ');
        }
        self.out.push_str(text);
        self.after_prefix = false;
        self.after_minus = false;
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Raw(text) => {
                self.out.push_str(text);
                self.after_prefix = false;
                self.after_minus = false;
            }
            Step::Term(cell, priority, depth) => self.term(cell, priority, depth),
            Step::Argument(cell, depth) => self.argument(cell, depth),
            Step::Arguments(next, end, depth) => {
                if next < end {
                    self.comma();
                    self.steps.push(Step::Arguments(next + 1, end, depth));
                    self.argument(self.store.cell(next), depth);
                } else {
                    self.step(Step::Raw(")"));
                }
            }
            Step::Tail(cell, depth) => self.tail(cell, depth),
            Step::Infix(name) => {
                if name == COMMA {
                    self.comma();
                } else {
                    let text = match self.store.atoms.text(name).as_str() {
                        bare @ ("|" | ".") => bare.to_owned(),
                        _ => self.atom_text(name),
                    };
                    // Write blanks on both sides, or on neither: `a mod (b)`, `'A'mod(b)`.
                    let before = self.out.len();
                    self.token(&text);
                    if self.out[before..].starts_with(' ') && text != "." {
                        self.out.push(' ');
                    }
                }
            }
            Step::Label(cell, number) => {
                self.token(&format!("S_{number}"));
                self.token("=");
                self.compound(cell, 699, 1);
            }
        }
    }

    fn comma(&mut self) {
        self.step(Step::Raw(if self.options.spaced { ", " } else { "," }));
    }

    fn atom_text(&self, name: Atom) -> String {
        if self.options.quoted {
            quoted_atom(self.store.atoms.text(name), self.options.escapes)
        } else {
            self.store.atoms.characters(name).to_owned()
        }
    }

    /// Writes an argument of a compound or an element of a list. Atoms that are operators need no brackets there.
    fn argument(&mut self, cell: Cell, depth: usize) {
        let shown = self.options.max_depth == 0 || depth <= self.options.max_depth;
        match self.store.view(cell) {
            View::Atom(name) if shown => {
                let text = self.atom_text(name);
                self.token(&text);
            }
            _ => self.term(cell, 999, depth),
        }
    }

    fn term(&mut self, cell: Cell, priority: u16, depth: usize) {
        let cell = self.store.deref(cell);
        if self.options.max_depth > 0 && depth > self.options.max_depth {
            self.token("...");
            return;
        }
        match self.store.view(cell) {
            View::Variable(address) => match self.options.names.get(&cell) {
                Some(name) => {
                    let name = name.clone();
                    self.token(&name);
                }
                None => self.token(&format!("_{address}")),
            },
            View::Atom(name) => {
                let text = self.atom_text(name);
                if priority < 1200 && self.operators.is_operator(self.store.atoms.text(name)) {
                    self.token("(");
                    self.token(&text);
                    self.step(Step::Raw(")"));
                } else {
                    self.token(&text);
                }
            }
            View::String(text) => {
                if self.options.quoted {
                    let text = atoms::quoted(text, '"', self.options.escapes);
                    self.token(&text);
                } else {
                    // No blank, as in SWI-Prolog.
                    self.out.push_str(text);
                    self.after_prefix = false;
                    self.after_minus = false;
                }
            }
            View::Compound(..) => {
                if let Some(number) = self.labels.get(&cell) {
                    let name = format!("S_{number}");
                    self.token(&name);
                } else {
                    self.compound(cell, priority, depth);
                }
            }
            _ => {
                let number = self.store.number(cell).map(|n| number_text(&n));
                self.token(&number.unwrap_or_default());
            }
        }
    }

    fn compound(&mut self, cell: Cell, priority: u16, depth: usize) {
        let View::Compound(name, arity, first) = self.store.view(cell) else {
            return;
        };
        let deeper = depth + 1;
        match (name, arity) {
            (CONS, 2) if !self.options.dot_lists => {
                self.token("[");
                self.steps
                    .push(Step::Tail(self.store.cell(first + 1), deeper));
                self.steps
                    .push(Step::Argument(self.store.cell(first), deeper));
                return;
            }
            (DOLLAR_VAR, 1) if self.options.numbervars => {
                if let Some(text) = self.variable_name(self.store.cell(first)) {
                    self.token(&text);
                    return;
                }
            }
            (CURLY, 1) if self.options.braces => {
                self.token("{");
                self.steps.push(Step::Raw("}"));
                self.steps
                    .push(Step::Term(self.store.cell(first), 1200, deeper));
                return;
            }
            _ => {}
        }
        if !self.options.ignore_ops && self.operation(name, arity, first, priority, deeper) {
            return;
        }
        self.canonical(name, arity, first, deeper);
    }

    fn canonical(&mut self, name: Atom, arity: usize, first: usize, depth: usize) {
        let text = if name == CONS && self.options.dot_lists {
            ".".to_owned()
        } else {
            self.atom_text(name)
        };
        self.token(&text);
        self.step(Step::Raw("("));
        if arity == 0 {
            self.step(Step::Raw(")"));
            return;
        }
        self.steps
            .push(Step::Arguments(first + 1, first + arity, depth));
        self.steps
            .push(Step::Argument(self.store.cell(first), depth));
    }

    /// Writes a compound as a prefix, infix or postfix operation if its functor is an operator.
    fn operation(
        &mut self,
        name: Atom,
        arity: usize,
        first: usize,
        priority: u16,
        depth: usize,
    ) -> bool {
        let text = self.store.atoms.text(name);
        let position = match arity {
            1 if self.operators.get(text, Position::Prefix).is_some() => Position::Prefix,
            1 => Position::Postfix,
            2 => Position::Infix,
            _ => return false,
        };
        let Some((own, kind)) = self.operators.get(text, position) else {
            return false;
        };
        let (left, right) = kind.operand_priorities(own);
        let brackets = own > priority;
        if brackets {
            self.token("(");
            self.steps.push(Step::Raw(")"));
        }
        let argument = |i: usize| self.store.cell(first + i);
        match position {
            Position::Prefix => {
                let operand = Step::Term(argument(0), right, depth);
                let text = self.atom_text(name);
                self.token(&text);
                self.steps.push(operand);
                self.after_prefix = true;
                self.after_minus = text == "-";
            }
            Position::Infix => {
                let (x, y) = (argument(0), argument(1));
                self.steps.push(Step::Term(y, right, depth));
                self.steps.push(Step::Infix(name));
                self.steps.push(Step::Term(x, left, depth));
            }
            Position::Postfix => {
                let x = argument(0);
                self.steps.push(Step::Infix(name));
                self.steps.push(Step::Term(x, left, depth));
            }
        }
        true
    }

    /// Returns the variable name for `'$VAR'(X)`.
    fn variable_name(&self, argument: Cell) -> Option<String> {
        match self.store.view(argument) {
            View::Integer(n) if n >= 0 => {
                let letter = char::from(b'A' + (n % 26).to_u8()?);
                Some(if n < 26 {
                    letter.to_string()
                } else {
                    format!("{letter}{}", n / 26)
                })
            }
            View::Integer(n) => Some(format!("S_{}", n.unsigned_abs())),
            View::Atom(name) => {
                let text = self.store.atoms.characters(name);
                atoms::is_variable_name(text).then(|| text.to_owned())
            }
            _ => None,
        }
    }

    /// Writes the rest of a list after an element.
    fn tail(&mut self, cell: Cell, depth: usize) {
        let cell = self.store.deref(cell);
        if cell == Cell::atom(NIL) {
            self.step(Step::Raw("]"));
            return;
        }
        if self.options.max_depth > 0 && depth >= self.options.max_depth {
            self.step(Step::Raw("|...]"));
            return;
        }
        match self.store.view(cell) {
            View::Compound(CONS, 2, first) if !self.labels.contains_key(&cell) => {
                self.comma();
                self.steps
                    .push(Step::Tail(self.store.cell(first + 1), depth + 1));
                self.steps
                    .push(Step::Argument(self.store.cell(first), depth + 1));
            }
            _ => {
                self.step(Step::Raw("|"));
                self.steps.push(Step::Raw("]"));
                self.steps.push(Step::Argument(cell, depth));
            }
        }
    }
}
