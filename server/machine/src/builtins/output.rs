//! Writing to captured output.

use crate::atoms::{Atom, EQUALS, NIL};
use crate::cell::Cell;
use crate::error::Throw;
use crate::format;
use crate::machine::{Entry, Machine};
use crate::number::Number;
use crate::store::View;
use crate::text::Characters;
use crate::write::WriteOptions;

pub(crate) const TABLE: &[Entry] = &[
    ("write", 1, |m, a| m.write_as(a[0], &WriteOptions::plain())),
    ("print", 1, |m, a| m.write_as(a[0], &WriteOptions::quoted())),
    ("writeq", 1, |m, a| {
        m.write_as(a[0], &WriteOptions::quoted())
    }),
    ("writeln", 1, |m, a| {
        m.write_as(a[0], &WriteOptions::plain())?;
        m.write("\n").map(|()| true)
    }),
    ("write_canonical", 1, write_canonical),
    ("write_term", 2, |m, a| {
        let (options, full_stop) = m.write_options_and_end(a[1])?;
        m.write_as(a[0], &options)?;
        full_stop_behind(m, full_stop)
    }),
    ("nl", 0, |m, _| m.write("\n").map(|()| true)),
    ("tab", 1, tab),
    ("put_char", 1, put_char),
    ("flush_output", 0, |_, _| Ok(true)),
    ("ttyflush", 0, |_, _| Ok(true)),
    ("print_message", 2, |_, _| Ok(true)),
    ("print_message_lines", 3, |_, _| Ok(true)),
    ("$stream", 3, stream),
    ("portray_clause", 1, portray_clause),
    ("write_length", 3, |m, a| {
        let options = m.write_options(a[2])?;
        let length = m.text_of_term(a[0], &options)?.chars().count();
        let length = m.store.number_cell(Number::from(length as u64));
        Ok(m.store.unify(a[1], length))
    }),
    ("$capture_begin", 1, capture_begin),
    ("$capture_end", 2, capture_end),
    ("$capture_to", 2, capture_to),
    ("$format_goals", 3, format_goals),
    ("$format", 4, format_with),
];

fn full_stop_behind(machine: &mut Machine, wanted: bool) -> Result<bool, Throw> {
    if wanted {
        let symbol = machine
            .output
            .chars()
            .next_back()
            .is_some_and(|c| "#$&*+-./:<=>?@\\^~".contains(c));
        machine.write(if symbol { " . " } else { ". " })?;
    }
    Ok(true)
}

impl Machine {
    fn write_as(&mut self, term: Cell, options: &WriteOptions) -> Result<bool, Throw> {
        let text = self.text_of_term(term, options)?;
        self.write(&text).map(|()| true)
    }

    /// Returns the column of the output, counted from the beginning of the capture.
    pub(crate) fn column(&self) -> usize {
        let from = self.captures.last().copied().unwrap_or(0);
        let line = self.output.get(from..).unwrap_or_default();
        line.rsplit('\n')
            .next()
            .map_or(0, |last| last.chars().count())
    }

    /// Parses the options of `write_term/2`.
    pub(crate) fn write_options(&mut self, list: Cell) -> Result<WriteOptions, Throw> {
        self.write_options_and_end(list).map(|(options, _)| options)
    }

    fn write_options_and_end(&mut self, list: Cell) -> Result<(WriteOptions, bool), Throw> {
        let (elements, end) = self.store.list(list);
        if self.store.is_variable(end) {
            return Err(self.store.instantiation_error());
        }
        if end != Cell::atom(NIL) {
            return Err(self.store.type_error("list", list));
        }
        let mut options = WriteOptions::default();
        let mut full_stop = false;
        for element in elements {
            match self.store.view(element) {
                View::Variable(_) => return Err(self.store.instantiation_error()),
                View::Compound(EQUALS, 2, first) => {
                    let (name, value) = (self.store.cell(first), self.store.cell(first + 1));
                    if let View::Atom(name) = self.store.view(name) {
                        self.write_option(name, value, &mut options, &mut full_stop)?;
                    }
                }
                View::Compound(name, 1, first) => {
                    let value = self.store.cell(first);
                    self.write_option(name, value, &mut options, &mut full_stop)?;
                }
                // A bare name sets the option.
                View::Atom(name) => {
                    let on = self.store.atom("true");
                    if !self.write_option(name, on, &mut options, &mut full_stop)? {
                        return Err(self.store.type_error("option", element));
                    }
                }
                _ => return Err(self.store.type_error("option", element)),
            }
        }
        Ok((options, full_stop))
    }

    /// Sets an option of `write_term/2`. Returns false if the option does not exist.
    fn write_option(
        &mut self,
        name: Atom,
        value: Cell,
        options: &mut WriteOptions,
        full_stop: &mut bool,
    ) -> Result<bool, Throw> {
        let name = self.store.atoms.text(name).clone();
        match name.as_str() {
            "quoted" => options.quoted = self.bool_option(value)?,
            "numbervars" => options.numbervars = self.bool_option(value)?,
            "ignore_ops" => options.ignore_ops = self.bool_option(value)?,
            "dotlists" => options.dot_lists = self.bool_option(value)?,
            "brace_terms" => options.braces = self.bool_option(value)?,
            "character_escapes" => options.escapes = self.bool_option(value)?,
            "cycles" => options.cycles = self.bool_option(value)?,
            "fullstop" => *full_stop = self.bool_option(value)?,
            "portray"
            | "partial"
            | "portrayed"
            | "nl"
            | "attributes"
            | "module"
            | "blobs"
            | "portray_goal"
            | "no_lists"
            | "character_escapes_unicode"
            | "quote_non_ascii" => {}
            "max_depth" => options.max_depth = super::terms::count(&mut self.store, value)?,
            "priority" => {
                let priority = super::terms::count(&mut self.store, value)?;
                options.priority = u16::try_from(priority).unwrap_or(1200);
            }
            "spacing" => {
                options.spaced = matches!(self.store.view(value), View::Atom(a) if self.store.atoms.text(a) == "next_argument");
            }
            "variable_names" => self.variable_names(value, options)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn bool_option(&mut self, value: Cell) -> Result<bool, Throw> {
        match self.store.view(value) {
            View::Variable(_) => Err(self.store.instantiation_error()),
            View::Atom(name) => match self.store.atoms.text(name).as_str() {
                "true" | "on" => Ok(true),
                "false" | "off" => Ok(false),
                _ => Err(self.store.type_error("bool", value)),
            },
            _ => Err(self.store.type_error("bool", value)),
        }
    }

    fn variable_names(&mut self, list: Cell, options: &mut WriteOptions) -> Result<(), Throw> {
        for element in super::order::proper_list(&mut self.store, list)? {
            let View::Compound(EQUALS, 2, first) = self.store.view(element) else {
                return Err(self.store.type_error("pair", element));
            };
            let variable = self.store.deref(self.store.cell(first + 1));
            if let Some(name) = self.store.atomic_text(self.store.cell(first))
                && variable.is_reference()
            {
                let name = name.into_owned();
                options.names.insert(variable, name);
            }
        }
        Ok(())
    }

    /// Unifies the argument of a sink `atom(X)`, `string(X)`, `codes(X)`, `codes(X, Tail)` or `chars(X)` with the given text.
    pub(crate) fn unify_sink(
        &mut self,
        sink: Cell,
        text: &str,
        predicate: &str,
        arity: usize,
    ) -> Result<bool, Throw> {
        let View::Compound(kind, count, first) = self.store.view(sink) else {
            let error = if self.store.is_variable(sink) {
                self.store.instantiation_error()
            } else {
                self.store.existence_error("stream", sink)
            };
            return Err(self.store.error_in(error, predicate, arity));
        };
        let kind = self.store.atoms.text(kind).clone();
        let nil = Cell::atom(NIL);
        let value = match (kind.as_str(), count) {
            ("atom", 1) => self.store.atom_of_text(text),
            ("string", 1) => self.store.string(text),
            ("codes", 1) => self.store.character_list(text, Characters::Codes, nil)?,
            ("chars", 1) => self.store.character_list(text, Characters::Atoms, nil)?,
            ("codes", 2) => {
                let tail = self.store.cell(first + 1);
                self.store.character_list(text, Characters::Codes, tail)?
            }
            ("chars", 2) => {
                let tail = self.store.cell(first + 1);
                self.store.character_list(text, Characters::Atoms, tail)?
            }
            _ => {
                let error = self.store.type_error("output", sink);
                return Err(self.store.error_in(error, predicate, arity));
            }
        };
        Ok(self.store.unify(self.store.cell(first), value))
    }
}

/// Implements `write_canonical/1`: singleton variables are written as `_`, other variables as `A`, `B`, ….
fn write_canonical(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let mut options = WriteOptions::canonical();
    if machine.store.is_acyclic(args[0]) {
        options.names = crate::write::layout::variable_names(&machine.store, args[0]);
    }
    machine.write_as(args[0], &options)
}

fn portray_clause(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let text = machine.clause_text(args[0])?;
    machine.write(&text).map(|()| true)
}

fn tab(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let number = machine.evaluate(args[0])?;
    let Some(n) = number.to_integer() else {
        let culprit = machine.store.number_cell(number);
        return Err(machine.store.type_error("integer_expression", culprit));
    };
    let n = usize::try_from(&n).unwrap_or(if n.sign() == num_bigint::Sign::Minus {
        0
    } else {
        usize::MAX
    });
    if n > machine.limits.output {
        return Err(Throw::Limit(crate::error::Limit::Output));
    }
    machine.write(&" ".repeat(n)).map(|()| true)
}

fn put_char(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    match machine.store.character(args[0]) {
        Some(c) => machine.write(c.encode_utf8(&mut [0; 4])).map(|()| true),
        None if machine.store.is_variable(args[0]) => Err(machine.store.instantiation_error()),
        None => Err(machine.store.type_error("character", args[0])),
    }
}

/// Implements `'$stream'(Stream, Name, Arity)`, which succeeds if output to the stream is captured; output to `user_error` is not. Errors
/// name the given predicate.
fn stream(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let (name, arity) = (
        machine.store.atomic_text(args[1]).map(|t| t.into_owned()),
        args[2],
    );
    let arity = super::terms::count(&mut machine.store, arity)?;
    let error = match machine.store.view(args[0]) {
        View::Variable(_) => machine.store.instantiation_error(),
        View::Atom(stream) => match machine.store.atoms.text(stream).as_str() {
            "user_output" | "current_output" => return Ok(true),
            "user_error" => return Ok(false),
            _ => machine.store.existence_error("stream", args[0]),
        },
        _ => machine.store.domain_error("stream_or_alias", args[0]),
    };
    Err(machine
        .store
        .error_in(error, name.as_deref().unwrap_or_default(), arity))
}

/// Implements `'$capture_begin'(Level)`: starts capturing output. The level serves to end captures that exceptions left open.
fn capture_begin(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    machine.captures.push(machine.output.len());
    let level = machine.captures.len();
    Ok(machine.store.unify(args[0], Cell::small(level as i64)))
}

/// Implements `'$capture_end'(Level, Text)`.
fn capture_end(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let level = super::terms::count(&mut machine.store, args[0])?.max(1);
    let from = machine
        .captures
        .get(level - 1)
        .copied()
        .unwrap_or(machine.output.len());
    machine.captures.truncate(level - 1);
    let text = machine.output.split_off(from.min(machine.output.len()));
    let text = machine.store.string(&text);
    Ok(machine.store.unify(args[1], text))
}

/// Implements `'$capture_to'(Sink, Text)`. If the text is unbound, checks that the sink is valid.
fn capture_to(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    if machine.store.is_variable(args[1]) {
        return match machine.store.view(args[0]) {
            View::Variable(_) => {
                let error = machine.store.instantiation_error();
                Err(machine.store.error_in(error, "with_output_to", 2))
            }
            View::Compound(kind, 1 | 2, _)
                if matches!(
                    machine.store.atoms.text(kind).as_str(),
                    "atom" | "string" | "codes" | "chars"
                ) =>
            {
                Ok(true)
            }
            _ => {
                let error = machine.store.type_error("output", args[0]);
                Err(machine.store.error_in(error, "with_output_to", 2))
            }
        };
    }
    let text = machine.store.text_or_error(args[1], "text")?;
    machine.unify_sink(args[0], &text, "with_output_to", 2)
}

/// Returns the text of a format argument.
fn format_text(machine: &mut Machine, cell: Cell) -> Result<String, Throw> {
    let text = match machine.store.number(cell) {
        Some(_) => Err(machine.store.type_error("text", cell)),
        None => machine.store.text_or_error(cell, "text"),
    };
    text.map_err(|error| machine.store.error_in_bare(error, "format", 3))
}

/// Implements `'$format_goals'(Format, Arguments, Goals)`: the goals of the `~@` directives.
fn format_goals(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let text = format_text(machine, args[0])?;
    let goals = if text.contains('@') {
        let arguments = format::arguments(machine, args[1]);
        format::goals(&text, &arguments)
    } else {
        Vec::new()
    };
    let goals = machine.store.list_of(&goals);
    Ok(machine.store.unify(args[2], goals))
}

/// Implements `'$format'(Sink, Format, Arguments, Texts)`. The sink `[]` is the output, which also receives the text produced before an
/// error.
fn format_with(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let text = format_text(machine, args[1])?;
    let arguments = format::arguments(machine, args[2]);
    let (texts, _) = machine.store.list(args[3]);
    let texts = texts
        .into_iter()
        .map(|t| {
            machine
                .store
                .text(t)
                .map(|t| t.into_owned())
                .unwrap_or_default()
        })
        .collect();
    let to_output = machine.store.deref(args[0]) == Cell::atom(NIL);
    let arity = if to_output { 2 } else { 3 };
    let column = if to_output { machine.column() } else { 0 };
    let formatted = machine.formatted(&text, arguments, texts, column);
    if to_output {
        machine.write(&formatted.text)?;
    }
    if let Err(error) = formatted.end {
        return Err(format::in_format(machine, error, arity));
    }
    if to_output {
        return Ok(true);
    }
    machine.unify_sink(args[0], &formatted.text, "format", 3)
}
