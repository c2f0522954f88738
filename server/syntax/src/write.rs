//! Formats terms as text, like `writeq/1`, for messages.

use smol_str::SmolStr;

use crate::operators::{MAX_PRIORITY, Operators, Position};
use crate::term::{CONS, NIL, QUOTED_NIL, Term, TermId, Terms};

/// The maximum priority of a term written as an argument.
const ARGUMENT: u16 = 999;
/// The maximum number of bytes. Longer text is truncated and ends in `…`, because a message cannot show more.
const MAX_BYTES: usize = 100_000;

/// Formats a term with SWI-Prolog's operators. Unlike `writeq/1`, puts spaces around infix operators other than `,` and the arithmetic
/// operators, and uses the given variable names (`_1`, `_2`, … for missing names). Reading the text back yields the same term, unless the
/// text was truncated. Does not recurse, so deep terms cannot overflow the stack.
#[must_use]
pub fn write_term(terms: &Terms, id: TermId, names: Option<&[SmolStr]>) -> String {
    written(terms, id, names, MAX_PRIORITY)
}

/// Formats an argument, or one of several goals, in parentheses if its operator binds more weakly than a comma.
#[must_use]
pub fn write_argument(terms: &Terms, id: TermId, names: Option<&[SmolStr]>) -> String {
    written(terms, id, names, ARGUMENT)
}

fn written(terms: &Terms, id: TermId, names: Option<&[SmolStr]>, priority: u16) -> String {
    static OPERATORS: std::sync::OnceLock<Operators> = std::sync::OnceLock::new();
    let mut writer = Writer {
        terms,
        names,
        operators: OPERATORS.get_or_init(Operators::swi),
        out: String::new(),
        stack: vec![Step::Term(id, priority)],
        after_prefix: false,
    };
    while let Some(step) = writer.stack.pop() {
        if writer.out.len() > MAX_BYTES {
            writer.out.push('…');
            break;
        }
        match step {
            Step::Text(text) => writer.text(&text),
            Step::Term(id, priority) => writer.term(id, priority),
            Step::Tail(id) => writer.tail(id),
            Step::Operand(id, priority) => writer.operand(id, priority),
            Step::Prefix(text) => {
                writer.text(&text);
                writer.after_prefix = true;
            }
        }
    }
    writer.out
}

enum Step {
    Text(SmolStr),
    Term(TermId, u16),
    /// The rest of a list.
    Tail(TermId),
    /// The operand of an operator.
    Operand(TermId, u16),
    /// A prefix operator before its operand.
    Prefix(SmolStr),
}

struct Writer<'a> {
    terms: &'a Terms,
    names: Option<&'a [SmolStr]>,
    operators: &'a Operators,
    out: String,
    stack: Vec<Step>,
    /// True if the last token is a prefix operator.
    after_prefix: bool,
}

impl Writer<'_> {
    /// Adds a token, preceded by a space if it would otherwise merge with the previous token.
    fn text(&mut self, text: &str) {
        if let (Some(last), Some(first)) = (self.out.chars().next_back(), text.chars().next()) {
            let alphanumeric = |c: char| c.is_alphanumeric() || c == '_';
            if (alphanumeric(last) && alphanumeric(first))
                || (is_symbol_char(last) && is_symbol_char(first))
                // `'a''b'` is one atom.
                || (last == first && matches!(first, '\'' | '"'))
                // `-(a, b)` has two arguments, `-{a}` would be a dict, and `-1^2` is the square of a negative number.
                || (self.after_prefix && (matches!(first, '(' | '{') || first.is_ascii_digit()))
            {
                self.out.push(' ');
            }
        }
        self.after_prefix = false;
        self.out.push_str(text);
    }

    /// Writes an operand. An atom that is an operator is put in brackets, regardless of its priority.
    fn operand(&mut self, id: TermId, priority: u16) {
        match self.terms.get(id) {
            Term::Atom(name) if self.operators.is_operator(name) => {
                self.text("(");
                self.text(&write_atom(name));
                self.text(")");
            }
            _ => self.term(id, priority),
        }
    }

    fn term(&mut self, id: TermId, priority: u16) {
        match self.terms.get(id) {
            Term::Var(v) => {
                let name = self
                    .names
                    .and_then(|n| n.get(*v as usize))
                    .filter(|n| *n != "_");
                let name = name
                    .cloned()
                    .unwrap_or_else(|| format!("_{}", v + 1).into());
                self.text(&name);
            }
            Term::Integer(n) => self.text(&n.to_string()),
            Term::Rational(r) => self.text(&format!("{}r{}", r.0, r.1)),
            Term::Float(bits) => self.text(&float(f64::from_bits(*bits))),
            Term::String(s) => self.text(&quoted(s, '"')),
            Term::Error => self.text("<syntax error>"),
            Term::Atom(name) => {
                let text = write_atom(name);
                if priority < MAX_PRIORITY
                    && self.operators.is_operator(name)
                    && self.priority_of(name) > priority
                {
                    self.text(&format!("({text})"));
                } else {
                    self.text(&text);
                }
            }
            Term::Compound(name, _) => self.compound(name, self.terms.args(id), priority),
        }
    }

    fn compound(&mut self, name: &str, args: &[TermId], priority: u16) {
        match *args {
            [head, tail] if name == CONS => {
                self.text("[");
                self.stack
                    .extend([Step::Tail(tail), Step::Term(head, ARGUMENT)]);
            }
            [inner] if name == "{}" => {
                self.text("{");
                self.stack
                    .extend([Step::Text("}".into()), Step::Term(inner, MAX_PRIORITY)]);
            }
            [left, right] if name == "." => self.dict_call(left, right, args),
            [left, right] if self.operators.get(name, Position::Infix).is_some() => {
                let Some((own, kind)) = self.operators.get(name, Position::Infix) else {
                    return;
                };
                let (l, r) = kind.operand_priorities(own);
                let text = match name {
                    "," => ",".into(),
                    // The operators that SWI-Prolog writes without blanks.
                    ":" | "/" | "^" | "**" | "+" | "-" | "*" | "//" => write_atom(name),
                    _ => SmolStr::from(format!(" {} ", write_atom(name))),
                };
                self.bracketed(
                    own > priority,
                    vec![
                        Step::Operand(left, l),
                        Step::Text(text),
                        Step::Operand(right, r),
                    ],
                );
            }
            [operand]
                if name != "-"
                    && name != "+"
                    && self.operators.get(name, Position::Prefix).is_some() =>
            {
                self.prefix(name, operand, priority);
            }
            [operand] if matches!(name, "-" | "+") => {
                // `- 1` is not a number, which `-(1)` shows more clearly.
                if matches!(
                    self.terms.get(operand),
                    Term::Integer(_) | Term::Float(_) | Term::Rational(_)
                ) {
                    self.canonical(name, args);
                } else {
                    self.prefix(name, operand, priority);
                }
            }
            [operand] if self.operators.get(name, Position::Postfix).is_some() => {
                let Some((own, kind)) = self.operators.get(name, Position::Postfix) else {
                    return;
                };
                let (l, _) = kind.operand_priorities(own);
                self.bracketed(
                    own > priority,
                    vec![Step::Operand(operand, l), Step::Text(write_atom(name))],
                );
            }
            _ => self.canonical(name, args),
        }
    }

    /// Writes `Dict.key` if both sides permit it. Otherwise the dot would end the clause, belong to a number or be part of a symbol.
    fn dict_call(&mut self, left: TermId, right: TermId, args: &[TermId]) {
        let plain = |name: &SmolStr| name.starts_with(char::is_lowercase) && !needs_quotes(name);
        let called = match self.terms.get(right) {
            Term::Var(_) => true,
            Term::Atom(name) | Term::Compound(name, _) => {
                plain(name) && !self.operators.is_operator(name)
            }
            _ => false,
        };
        if called && matches!(self.terms.get(left), Term::Var(_)) {
            let steps = [
                Step::Term(right, 0),
                Step::Text(".".into()),
                Step::Term(left, 0),
            ];
            self.stack.extend(steps);
        } else {
            self.canonical(".", args);
        }
    }

    fn prefix(&mut self, name: &str, operand: TermId, priority: u16) {
        let Some((own, kind)) = self.operators.get(name, Position::Prefix) else {
            return;
        };
        let (_, r) = kind.operand_priorities(own);
        let steps = vec![Step::Prefix(write_atom(name)), Step::Operand(operand, r)];
        self.bracketed(own > priority, steps);
    }

    fn bracketed(&mut self, brackets: bool, steps: Vec<Step>) {
        if brackets {
            self.text("(");
            self.stack.push(Step::Text(")".into()));
        }
        self.stack.extend(steps.into_iter().rev());
    }

    fn canonical(&mut self, name: &str, args: &[TermId]) {
        self.text(&write_atom(name));
        self.out.push('(');
        self.stack.push(Step::Text(")".into()));
        for (i, &arg) in args.iter().enumerate().rev() {
            self.stack.push(Step::Term(arg, ARGUMENT));
            if i > 0 {
                self.stack.push(Step::Text(",".into()));
            }
        }
    }

    fn tail(&mut self, id: TermId) {
        if let Some(&[head, tail]) = self.terms.matches(id, CONS, 2) {
            self.text(",");
            self.stack
                .extend([Step::Tail(tail), Step::Term(head, ARGUMENT)]);
        } else if self.terms.as_atom(id).is_some_and(|a| a == NIL) {
            self.text("]");
        } else {
            self.text("|");
            self.stack
                .extend([Step::Text("]".into()), Step::Term(id, ARGUMENT)]);
        }
    }

    /// Returns the highest priority of an atom as an operator.
    fn priority_of(&self, name: &str) -> u16 {
        [Position::Prefix, Position::Infix, Position::Postfix]
            .into_iter()
            .filter_map(|p| self.operators.get(name, p))
            .map(|(priority, _)| priority)
            .max()
            .unwrap_or(0)
    }
}

/// Formats a float so that it is read back as the same float.
fn float(value: f64) -> String {
    if value.is_nan() {
        "1.5NaN".into()
    } else if value.is_infinite() {
        if value > 0.0 {
            "1.0Inf".into()
        } else {
            "-1.0Inf".into()
        }
    } else if value != 0.0 && !(1e-4..1e15).contains(&value.abs()) {
        let text = format!("{value:e}");
        match text.split_once('e') {
            Some((mantissa, _)) if mantissa.contains('.') => text,
            Some((mantissa, exponent)) => format!("{mantissa}.0e{exponent}"),
            None => text,
        }
    } else {
        format!("{value:?}")
    }
}

/// Formats an atom so that it is read back as the same atom, in quotes if necessary.
#[must_use]
pub fn write_atom(name: &str) -> SmolStr {
    if name == QUOTED_NIL {
        return name.into();
    }
    if needs_quotes(name) {
        quoted(name, '\'').into()
    } else {
        name.into()
    }
}

fn quoted(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push_str(&format!("\\x{:x}\\", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Returns whether an atom must be quoted to be read back.
pub(crate) fn needs_quotes(name: &str) -> bool {
    let mut chars = name.chars();
    let Some(first) = chars.next() else {
        return true;
    };
    if matches!(name, "[]" | "{}" | "!" | ";") {
        return false;
    }
    // Combining marks cannot start a token, and unprintable characters cannot be read.
    if name
        .chars()
        .any(|c| !c.is_ascii() && c.escape_debug().len() > 1)
    {
        return true;
    }
    if first.is_alphabetic() && !first.is_uppercase() {
        return !chars.all(|c| c.is_alphanumeric() || c == '_');
    }
    name == "." || name.starts_with("/*") || !name.chars().all(is_symbol_char)
}

/// Returns whether a character can be part of a symbol atom such as `=..`.
pub(crate) fn is_symbol_char(c: char) -> bool {
    "+-*/\\^<>=~:.?@#&$".contains(c)
        || (!c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control())
}
