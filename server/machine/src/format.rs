//! `format/2`: directives, column stops, numbers.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::atoms::NIL;
use crate::cell::Cell;
use crate::error::{Limit, Throw};
use crate::machine::Machine;
use crate::number::Number;
use crate::store::View;
use crate::write::WriteOptions;

/// The output of a call to `format/2`, and its outcome.
pub(crate) struct Formatted {
    pub(crate) text: String,
    pub(crate) end: Result<(), Throw>,
}

struct Formatter<'a> {
    machine: &'a mut Machine,
    arguments: std::vec::IntoIter<Cell>,
    /// The output of the goals of `~@`, in order.
    goals: std::vec::IntoIter<String>,
    out: String,
    /// The start of the current column segment in `out`, in bytes.
    segment: usize,
    /// The column at which the segment begins.
    segment_column: usize,
    /// The positions of `~t` in the segment, with their fill characters.
    fills: Vec<(usize, char)>,
}

impl Machine {
    /// Runs a format. `goals` contains the output of the goals of `~@`.
    pub(crate) fn formatted(
        &mut self,
        format: &str,
        arguments: Vec<Cell>,
        goals: Vec<String>,
        column: usize,
    ) -> Formatted {
        let mut formatter = Formatter {
            machine: self,
            arguments: arguments.into_iter(),
            goals: goals.into_iter(),
            out: String::new(),
            segment: 0,
            segment_column: column,
            fills: Vec::new(),
        };
        let end = formatter.run(format);
        Formatted {
            text: formatter.out,
            end,
        }
    }
}

/// The numeric argument of a directive.
#[derive(Clone, Copy)]
enum Argument {
    None,
    Number(usize),
    Character(char),
}

impl Argument {
    fn number(self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Number(n) => Some(n),
            Self::Character(c) => usize::try_from(u32::from(c)).ok(),
        }
    }

    /// Returns the fill character of `~t`.
    fn fill(self) -> char {
        match self {
            Self::None => ' ',
            Self::Character(c) => c,
            Self::Number(n) => (u32::try_from(n).ok())
                .and_then(char::from_u32)
                .unwrap_or(' '),
        }
    }
}

impl Formatter<'_> {
    fn run(&mut self, format: &str) -> Result<(), Throw> {
        let mut characters = format.chars().peekable();
        while let Some(c) = characters.next() {
            if self.out.len() > self.machine.limits.output {
                return Err(Throw::Limit(Limit::Output));
            }
            if c != '~' {
                self.out.push(c);
                continue;
            }
            let argument = match characters.peek() {
                Some('`') => {
                    characters.next();
                    match characters.next() {
                        Some(fill) => Argument::Character(fill),
                        None => return Err(self.no_directive('\0')),
                    }
                }
                Some('*') => {
                    characters.next();
                    Argument::Number(self.star()?)
                }
                Some(d) if d.is_ascii_digit() => {
                    let mut n = 0_usize;
                    let mut last = '0';
                    while let Some(d) = characters.peek().and_then(|d| d.to_digit(10)) {
                        n = n.saturating_mul(10).saturating_add(d as usize);
                        last = char::from_digit(d, 10).unwrap_or('0');
                        characters.next();
                    }
                    if characters.peek().is_none() {
                        return Err(self.no_directive(last));
                    }
                    Argument::Number(n)
                }
                _ => Argument::None,
            };
            match characters.next() {
                Some(directive) => self.directive(directive, argument)?,
                None => return Err(self.no_directive('\0')),
            }
        }
        if self.arguments.next().is_some() {
            return Err(self.failure("too many arguments"));
        }
        Ok(())
    }

    // --- errors ------------------------------------------------------------------------------------------------------

    fn failure(&mut self, message: &str) -> Throw {
        let store = &mut self.machine.store;
        let message = store.atom(message);
        let name = store.atoms.intern("format");
        Throw::error(store.compound(name, &[message]))
    }

    fn no_directive(&mut self, c: char) -> Throw {
        let store = &mut self.machine.store;
        let c = store.atom_of_text(c.encode_utf8(&mut [0; 4]));
        let error = store.existence_error("format_character", c);
        store.error_in_bare(error, "format", 2)
    }

    fn wrong_argument(&mut self, directive: char, culprit: Cell) -> Throw {
        let store = &mut self.machine.store;
        let directive = store.atom_of_text(directive.encode_utf8(&mut [0; 4]));
        let name = store.atoms.intern("format_argument_type");
        Throw::error(store.compound(name, &[directive, culprit]))
    }

    fn next(&mut self) -> Result<Cell, Throw> {
        match self.arguments.next() {
            Some(cell) => Ok(cell),
            None => Err(self.failure("not enough arguments")),
        }
    }

    fn star(&mut self) -> Result<usize, Throw> {
        let cell = self.next()?;
        match self.machine.store.view(cell) {
            View::Integer(n) if n >= 0 => Ok(usize::try_from(n).unwrap_or(usize::MAX)),
            _ => Err(self.failure("no or negative integer for `*' argument")),
        }
    }

    // --- directives --------------------------------------------------------------------------------------------------

    /// Executes one directive, such as `a` of `~a`.
    fn directive(&mut self, directive: char, argument: Argument) -> Result<(), Throw> {
        match directive {
            'w' => self.term(&WriteOptions::plain()),
            'p' | 'q' => self.term(&WriteOptions::quoted()),
            'W' => self.term_with_options(),
            'a' => self.atomic(),
            'd' | 'D' => self.integer(directive, argument.number()),
            'f' | 'e' | 'g' => self.float(directive, argument.number()),
            'r' | 'R' => self.radix(directive, argument.number()),
            's' => self.text(),
            'c' => self.character(argument.number().unwrap_or(1)),
            '~' => {
                self.push("~");
                Ok(())
            }
            'n' => self.repeat('\n', argument.number().unwrap_or(1)),
            'N' => {
                if self.column() > 0 {
                    self.push("\n");
                }
                Ok(())
            }
            'i' => self.next().map(|_| ()),
            '@' => {
                self.next()?;
                let text = self.goals.next().unwrap_or_default();
                self.push(&text);
                Ok(())
            }
            't' => {
                self.fills.push((self.out.len(), argument.fill()));
                Ok(())
            }
            '|' => {
                let column = argument.number().unwrap_or_else(|| self.column());
                self.column_stop(column)
            }
            '+' => {
                let width = argument.number().unwrap_or(8);
                self.column_stop(self.segment_column.saturating_add(width))
            }
            other => Err(self.no_directive(other)),
        }
    }

    /// `~W`: a term with its write options.
    fn term_with_options(&mut self) -> Result<(), Throw> {
        let term = self.next()?;
        let options = self.next()?;
        let options = self.machine.write_options(options)?;
        let text = self.machine.text_of_term(term, &options)?;
        self.push(&text);
        Ok(())
    }

    /// `~a`: an atomic term.
    fn atomic(&mut self) -> Result<(), Throw> {
        let cell = self.next()?;
        let text = self.machine.store.atomic_text(cell).map(|t| t.into_owned());
        self.push_or_refuse(text, 'a', cell)
    }

    /// `~s`: text other than a number.
    fn text(&mut self) -> Result<(), Throw> {
        let cell = self.next()?;
        let text = match self.machine.store.number(cell) {
            Some(_) => None,
            None => self.machine.store.text(cell).map(|t| t.into_owned()),
        };
        self.push_or_refuse(text, 's', cell)
    }

    /// `~c`: a character, given by its code.
    fn character(&mut self, times: usize) -> Result<(), Throw> {
        let cell = self.next()?;
        let character = match self.machine.store.view(cell) {
            View::Integer(_) => self.machine.store.character(cell),
            _ => None,
        };
        match character {
            Some(c) => self.repeat(c, times),
            None => Err(self.wrong_argument('c', cell)),
        }
    }

    /// Writes the text of an argument, or returns an error if the argument has no text.
    fn push_or_refuse(
        &mut self,
        text: Option<String>,
        directive: char,
        argument: Cell,
    ) -> Result<(), Throw> {
        match text {
            Some(text) => {
                self.push(&text);
                Ok(())
            }
            None => Err(self.wrong_argument(directive, argument)),
        }
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn repeat(&mut self, c: char, times: usize) -> Result<(), Throw> {
        if times > self.machine.limits.output {
            return Err(Throw::Limit(Limit::Output));
        }
        let text: String = std::iter::repeat_n(c, times).collect();
        self.push(&text);
        Ok(())
    }

    fn term(&mut self, options: &WriteOptions) -> Result<(), Throw> {
        let term = self.next()?;
        let text = self.machine.text_of_term(term, options)?;
        self.push(&text);
        Ok(())
    }

    fn number(&mut self, cell: Cell) -> Result<Number, Throw> {
        self.machine.evaluate(cell)
    }

    fn integer(&mut self, directive: char, places: Option<usize>) -> Result<(), Throw> {
        let cell = self.next()?;
        let number = self.number(cell)?;
        let Some(n) = number.to_integer() else {
            let culprit = self.machine.store.number_cell(number);
            return Err(self.wrong_argument(directive, culprit));
        };
        let mut digits = n.magnitude().to_string();
        let places = places.unwrap_or(0);
        if places > self.machine.limits.output {
            return Err(Throw::Limit(Limit::Output));
        }
        if digits.len() <= places {
            digits = "0".repeat(places + 1 - digits.len()) + &digits;
        }
        let (whole, fraction) = digits.split_at(digits.len() - places);
        let whole = if directive == 'D' {
            grouped(whole)
        } else {
            whole.to_owned()
        };
        let sign = if n.is_negative() { "-" } else { "" };
        let point = if places > 0 { "." } else { "" };
        self.push(&format!("{sign}{whole}{point}{fraction}"));
        Ok(())
    }

    fn radix(&mut self, directive: char, radix: Option<usize>) -> Result<(), Throw> {
        let cell = self.next()?;
        let radix = radix.unwrap_or(8);
        let number = self.number(cell)?;
        let Some(n) = number.to_integer() else {
            let culprit = self.machine.store.number_cell(number);
            return Err(self.wrong_argument(directive, culprit));
        };
        if !(2..=36).contains(&radix) {
            let culprit = self.machine.store.number_cell(Number::from(radix as u64));
            return Err(self.machine.store.domain_error("radix", culprit));
        }
        let text = n.to_str_radix(radix as u32);
        self.push(&if directive == 'R' {
            text.to_uppercase()
        } else {
            text
        });
        Ok(())
    }

    fn float(&mut self, directive: char, places: Option<usize>) -> Result<(), Throw> {
        let cell = self.next()?;
        let number = self.number(cell)?;
        let places = places.unwrap_or(6);
        if places > self.machine.limits.output {
            return Err(Throw::Limit(Limit::Output));
        }
        let text = match (directive, number.to_rational()) {
            // 64-bit integers are converted to floats, as in SWI-Prolog.
            ('f', Some(q)) if !matches!(number, Number::Small(_)) => fixed(&q, places),
            _ => {
                let x = match number {
                    Number::Float(x) => x,
                    exact => match crate::number::Function::Float.unary(&exact) {
                        Ok(Number::Float(x)) => x,
                        Ok(_) => 0.0,
                        Err(error) => return Err(self.machine.store.arithmetic_error(error)),
                    },
                };
                if x.is_finite() {
                    match directive {
                        'f' => format!("{x:.places$}"),
                        'e' => exponential(x, places),
                        _ => general(x, places),
                    }
                } else if x.is_nan() {
                    "nan".to_owned()
                } else {
                    if x > 0.0 { "inf" } else { "-inf" }.to_owned()
                }
            }
        };
        self.push(&text);
        Ok(())
    }

    // --- columns -----------------------------------------------------------------------------------------------------

    /// Returns the current column. After a column stop that the preceding text had already passed, columns are counted from the stop.
    fn column(&self) -> usize {
        let segment = &self.out[self.segment..];
        match segment.rfind('\n') {
            Some(at) => segment[at + 1..].chars().count(),
            None => self.segment_column + segment.chars().count(),
        }
    }

    /// Ends a segment at a column. The padding is divided equally among the positions of `~t`, or appended if there are none.
    fn column_stop(&mut self, column: usize) -> Result<(), Throw> {
        let present = self.column();
        if let Some(missing) = column.checked_sub(present).filter(|&m| m > 0) {
            if missing > self.machine.limits.output {
                return Err(Throw::Limit(Limit::Output));
            }
            if self.fills.is_empty() {
                self.fills.push((self.out.len(), ' '));
            }
            let shares = shares(missing, self.fills.len());
            let mut filled = self.out[..self.segment].to_owned();
            let mut from = self.segment;
            for (&(at, fill), times) in self.fills.iter().zip(shares) {
                filled.push_str(&self.out[from..at]);
                filled.extend(std::iter::repeat_n(fill, times));
                from = at;
            }
            filled.push_str(&self.out[from..]);
            self.out = filled;
        }
        self.segment = self.out.len();
        self.segment_column = column;
        self.fills.clear();
        Ok(())
    }
}

/// Divides the padding among several fill points in equal shares. The remainder is distributed column by column from the middle outwards:
/// the middle, the point after it, the second point before it, the third point after it, …. Shares outside the range are lost, as in
/// SWI-Prolog.
fn shares(missing: usize, points: usize) -> Vec<usize> {
    let mut shares = vec![missing / points; points];
    for k in 0..missing % points {
        let place = if k % 2 == 1 {
            Some(points / 2 + k)
        } else {
            (points / 2).checked_sub(k)
        };
        if let Some(share) = place.and_then(|p| shares.get_mut(p)) {
            *share += 1;
        }
    }
    shares
}

/// Formats `1234567` as `1,234,567`.
fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Formats an exact number with this number of decimals, rounding halves away from zero.
fn fixed(q: &BigRational, places: usize) -> String {
    let scale = BigInt::from(10).pow(u32::try_from(places).unwrap_or(u32::MAX));
    let scaled = (q * BigRational::from_integer(scale)).round().to_integer();
    let mut digits = scaled.magnitude().to_string();
    if digits.len() <= places {
        digits = "0".repeat(places + 1 - digits.len()) + &digits;
    }
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if q.is_negative() { "-" } else { "" };
    let point = if places > 0 { "." } else { "" };
    format!("{sign}{whole}{point}{fraction}")
}

/// Formats like C's `%e`: at least two digits in the exponent.
fn exponential(x: f64, places: usize) -> String {
    let text = format!("{x:.places$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

/// Formats like C's `%g`: the shorter form, without trailing zeros.
fn general(x: f64, precision: usize) -> String {
    let precision = precision.max(1);
    if x.is_zero() {
        return if x.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    let scientific = exponential(x, precision - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent_value = exponent.parse::<i64>().unwrap_or(0);
    let strip = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if exponent_value < -4 || exponent_value >= precision.to_i64().unwrap_or(i64::MAX) {
        return format!("{}e{exponent}", strip(mantissa));
    }
    let places = usize::try_from(precision as i64 - 1 - exponent_value).unwrap_or(0);
    strip(&format!("{x:.places$}"))
}

/// Returns the arguments of a format: the elements of a proper list, or the single term if it is not a list.
pub(crate) fn arguments(machine: &Machine, cell: Cell) -> Vec<Cell> {
    let (elements, end) = machine.store.list(cell);
    if end == Cell::atom(NIL) {
        elements
    } else {
        vec![cell]
    }
}

/// Returns the goals of `~@` in execution order.
pub(crate) fn goals(format: &str, arguments: &[Cell]) -> Vec<Cell> {
    let mut goals = Vec::new();
    let mut arguments = arguments.iter();
    let mut characters = format.chars().peekable();
    while let Some(c) = characters.next() {
        if c != '~' {
            continue;
        }
        match characters.peek() {
            Some('`') => {
                characters.next();
                characters.next();
            }
            Some('*') => {
                characters.next();
                arguments.next();
            }
            _ => while characters.next_if(char::is_ascii_digit).is_some() {},
        }
        match characters.next() {
            Some('@') => goals.extend(arguments.next()),
            Some('W') => {
                arguments.nth(1);
            }
            Some(
                'w' | 'p' | 'q' | 'a' | 'd' | 'D' | 'f' | 'e' | 'g' | 'r' | 'R' | 's' | 'c' | 'i',
            ) => {
                arguments.next();
            }
            _ => {}
        }
    }
    goals
}

/// Adds the context of errors in `format/2` to an error.
pub(crate) fn in_format(machine: &mut Machine, error: Throw, arity: usize) -> Throw {
    machine.store.error_in(error, "format", arity)
}
