//! Parses the expression language: the output of [`crate::text::to_text`], and any sum, product, quotient, power, floor, rounded logarithm,
//! sequence and factorial that an [`Expr`] can represent. If a function of the language cannot be represented (`max`, `ln`, `inf`, …), the
//! error names the function.
//!
//! `^` (also written `**`) binds tighter than a leading sign and associates to the right, as in the language's evaluator: `-n^2` is
//! `-(n^2)`, `2^3^2` is `2^9`. Depth and size are bounded, so that no input can exhaust the stack or the memory.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use thiserror::Error;

use crate::Atom;
use crate::expr::{Expr, Rat, Var};

/// The reason why the input is not a valid expression.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message} at offset {at}")]
pub struct ParseError {
    /// The byte offset of the error.
    pub at: usize,
    /// A description of the error for the user.
    pub message: String,
}

/// The maximum nesting depth of parentheses, signs and exponents.
const MAX_DEPTH: u32 = 200;
/// The maximum number of monomials in any intermediate result.
const MAX_TERMS: usize = 4_096;
/// The maximum power of a variable.
const MAX_POWER: u32 = 1_024;
/// The maximum number of bits in a constant. Rational arithmetic takes time quadratic in this number.
const MAX_BITS: u64 = 1 << 15;
/// The maximum number of digits in a number: enough for every constant of [`MAX_BITS`], since a bit is less than 0.302 digits.
const MAX_DIGITS: usize = 9_900;
/// The maximum work for a whole expression, as the number of products of coefficient words: a fraction of a second. `(n+m+1)^30` needs
/// 15,000.
const MAX_WORK: u64 = 40_000;

/// Functions of the language that an [`Expr`] cannot represent.
const FUNCTIONS: [&str; 6] = ["log2", "ln", "max", "min", "sum", "prod"];

/// The maximum base of a logarithm, and the maximum entry in the lists of a sequence.
const MAX_BASE: u32 = 1 << 20;

/// Parses an expression; `variable` maps a name to a size variable.
///
/// # Errors
/// Returns an error if the input is not in the language, if a name is unknown, or if an [`Expr`] cannot represent the value.
pub fn parse(
    text: &str,
    variable: &mut dyn FnMut(&str) -> Option<Var>,
) -> Result<Expr, ParseError> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        work: 0,
        variable,
    };
    let result = parser.sum()?;
    match parser.peek() {
        None => Ok(result),
        Some(c) => Err(parser.error(format!("unexpected `{c}`"))),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    /// The number of products so far.
    work: u64,
    variable: &'a mut dyn FnMut(&str) -> Option<Var>,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<Expr, ParseError> {
        self.enter()?;
        let mut result = self.product()?;
        loop {
            let start = self.at;
            if self.take("+") {
                result += &self.product()?;
            } else if self.take("-") {
                result += &-&self.product()?;
            } else {
                break;
            }
            self.bounded(&result, start)?;
        }
        self.depth -= 1;
        Ok(result)
    }

    fn product(&mut self) -> Result<Expr, ParseError> {
        let mut result = self.signed()?;
        loop {
            self.blanks();
            let start = self.at;
            if self.rest().starts_with("**") {
                break;
            }
            if self.take("*") {
                let factor = self.signed()?;
                result = self.multiply(&result, &factor, start)?;
            } else if self.take("/") {
                let divisor = self.signed()?;
                match divisor.as_constant() {
                    Some(c) if c.is_zero() => return Err(error_at(start, "division by zero")),
                    Some(c) => result = result.scale(&c.recip()),
                    None => {
                        return Err(error_at(
                            start,
                            "division by an expression that is not constant",
                        ));
                    }
                }
            } else {
                break;
            }
            self.bounded(&result, start)?;
        }
        Ok(result)
    }

    fn signed(&mut self) -> Result<Expr, ParseError> {
        self.enter()?;
        let result = if self.take("-") {
            -&self.signed()?
        } else if self.take("+") {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(result)
    }

    fn power(&mut self) -> Result<Expr, ParseError> {
        let base = self.primary()?;
        self.blanks();
        let start = self.at;
        if !self.take("^") && !self.take("**") {
            return Ok(base);
        }
        let exponent = self.signed()?;
        let result = self.raise(&base, &exponent, start)?;
        self.bounded(&result, start)?;
        Ok(result)
    }

    fn primary(&mut self) -> Result<Expr, ParseError> {
        self.blanks();
        let start = self.at;
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.sum()?;
                if self.take(")") {
                    Ok(inner)
                } else {
                    Err(self.error("`)` expected".to_owned()))
                }
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.name();
                let is_call = self.peek() == Some('(');
                if is_call && let Some(value) = self.function(&name, start)? {
                    Ok(value)
                } else if is_call && FUNCTIONS.contains(&name.as_str()) {
                    Err(error_at(
                        start,
                        &format!("`{name}` has no place in a sum of powers and exponentials"),
                    ))
                } else if is_call && let Some(v) = self.applied_name(start) {
                    Ok(Expr::var(v))
                } else if is_call {
                    Err(error_at(start, &format!("unknown function `{name}`")))
                } else if let Some(v) = (self.variable)(&name) {
                    Ok(Expr::var(v))
                } else if name == "inf" {
                    Err(error_at(start, "`inf` is no finite expression"))
                } else {
                    Err(error_at(start, &format!("unknown name `{name}`")))
                }
            }
            Some(c) => Err(self.error(format!("unexpected `{c}`"))),
            None => Err(self.error("expression expected".to_owned())),
        }
    }

    /// Returns the variable with a name such as `facts(par/2)`, which is read up to its closing bracket.
    fn applied_name(&mut self, start: usize) -> Option<Var> {
        let end = start + self.text[start..].find(')')? + 1;
        let found = (self.variable)(&self.text[start..end])?;
        self.at = end;
        Some(found)
    }

    /// Returns the value of a function at the arguments that follow, or `None` if this parser does not know the function.
    fn function(&mut self, name: &str, start: usize) -> Result<Option<Expr>, ParseError> {
        let value = match name {
            "floor" | "ceil" => {
                let argument = self.arguments(1)?;
                if name == "floor" {
                    Expr::floor(&argument[0])
                } else {
                    Expr::ceil(&argument[0])
                }
            }
            "mod" => {
                let arguments = self.arguments(2)?;
                arguments[1]
                    .as_constant()
                    .and_then(|b| Expr::modulo(&arguments[0], &b))
            }
            "flog" | "clog" => {
                let arguments = self.arguments(2)?;
                let base = arguments[0]
                    .as_constant()
                    .filter(Rat::is_integer)
                    .and_then(|b| b.to_integer().to_u32())
                    .filter(|b| (2..=MAX_BASE).contains(b));
                base.and_then(|base| {
                    if name == "flog" {
                        Expr::flog(base, &arguments[1])
                    } else {
                        Expr::clog(base, &arguments[1])
                    }
                })
            }
            "cfinite" => {
                self.expect("(")?;
                let coefficients = self.list()?;
                self.expect(",")?;
                let initial = self.list()?;
                self.expect(",")?;
                let index = self.sum()?;
                self.expect(")")?;
                Expr::cfinite(&coefficients, &initial, &index)
            }
            "fact" => Expr::factorial(&self.arguments(1)?[0]),
            "sum" => self.arrangements(start)?,
            _ => return Ok(None),
        };
        let Some(value) = value else {
            let message =
                format!("`{name}` has no value for these arguments, or one that is not covered");
            return Err(error_at(start, &message));
        };
        self.bounded(&value, start)?;
        Ok(Some(value))
    }

    /// Parses `sum(i,0,e,fact(e)/fact(i))`, optionally followed by `*b^i`: the only sum that an expression can represent.
    fn arrangements(&mut self, start: usize) -> Result<Option<Expr>, ParseError> {
        let other = || {
            error_at(
                start,
                "`sum` has no place in a sum of powers and exponentials",
            )
        };
        self.expect("(")?;
        let index = self.name();
        self.expect(",")?;
        let from = self.sum()?;
        self.expect(",")?;
        let of = self.sum()?;
        let is_headed = self.take(",") && self.take("fact") && self.take("(");
        if index.is_empty() || !from.is_zero() || !is_headed {
            return Err(other());
        }
        let above = self.sum()?;
        let is_quotient = self.take(")") && self.take("/") && self.take("fact") && self.take("(");
        if above != of || !is_quotient || self.name() != index || !self.take(")") {
            return Err(other());
        }
        let mut base = Rat::one();
        if self.take("*") {
            let factor = self.primary()?;
            base = factor.as_constant().ok_or_else(other)?;
            if !(self.take("^") || self.take("**")) || self.name() != index {
                return Err(other());
            }
        }
        self.expect(")")?;
        Ok(Expr::arrangements(&base, &of))
    }

    /// Parses the next name; it is empty if there is none.
    fn name(&mut self) -> String {
        self.blanks();
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or(rest).to_owned();
        self.at += end;
        name
    }

    fn arguments(&mut self, count: usize) -> Result<Vec<Expr>, ParseError> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        for i in 0..count {
            if i > 0 {
                self.expect(",")?;
            }
            arguments.push(self.sum()?);
        }
        self.expect(")")?;
        Ok(arguments)
    }

    /// Parses a list: `[1,1/2,-3]`.
    fn list(&mut self) -> Result<Vec<Rat>, ParseError> {
        const MAX_LENGTH: usize = 64;
        self.expect("[")?;
        let mut values = Vec::new();
        loop {
            self.blanks();
            let start = self.at;
            let value = self.sum()?.as_constant();
            values.push(value.ok_or_else(|| error_at(start, "a number expected"))?);
            if self.take("]") {
                return Ok(values);
            }
            if values.len() >= MAX_LENGTH {
                return Err(error_at(start, TOO_LARGE));
            }
            self.expect(",")?;
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), ParseError> {
        if self.take(token) {
            return Ok(());
        }
        Err(self.error(format!("`{token}` expected")))
    }

    /// Parses a number exactly: `12`, `1.25`, `.5`.
    fn number(&mut self) -> Result<Expr, ParseError> {
        let start = self.at;
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .unwrap_or(rest.len());
        let text = rest.get(..end).unwrap_or(rest).to_owned();
        self.at += end;
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let digits = format!("{whole}{fraction}");
        if text.len() > MAX_DIGITS {
            return Err(error_at(start, "the number is too long"));
        }
        let (Ok(value), Ok(places)) = (digits.parse::<BigInt>(), u32::try_from(fraction.len()))
        else {
            return Err(error_at(start, "malformed number"));
        };
        let number = Expr::constant(Rat::new(value, BigInt::from(10).pow(places)));
        self.bounded(&number, start)?;
        Ok(number)
    }

    fn multiply(&mut self, a: &Expr, b: &Expr, start: usize) -> Result<Expr, ParseError> {
        self.work = self.work.saturating_add(cost_of_product(a, b));
        let (mut powers, other) = (highest_powers(a), highest_powers(b));
        for (v, k) in other {
            *powers.entry(v).or_insert(0) += k;
        }
        if self.work > MAX_WORK || powers.values().any(|k| *k > MAX_POWER) {
            return Err(error_at(start, TOO_LARGE));
        }
        let product = a * b;
        self.bounded(&product, start)?;
        Ok(product)
    }

    fn raise(&mut self, base: &Expr, exponent: &Expr, start: usize) -> Result<Expr, ParseError> {
        if let Some(k) = exponent.as_constant() {
            if !k.is_integer() {
                return Err(error_at(start, "a constant exponent must be an integer"));
            }
            let Some(k) = k.to_integer().to_i32() else {
                return Err(error_at(start, TOO_LARGE));
            };
            if let Some(b) = base.as_constant() {
                if b.is_zero() && k < 0 {
                    return Err(error_at(start, "division by zero"));
                }
                if bits(&b).saturating_mul(u64::from(k.unsigned_abs())) > MAX_BITS
                    && !b.abs().is_one()
                {
                    return Err(error_at(start, TOO_LARGE));
                }
                return Ok(Expr::constant(b.pow(k)));
            }
            if let Some(power) = self.power_of_term(base, k, start)? {
                return Ok(power);
            }
            let Ok(k) = u32::try_from(k) else {
                return Err(error_at(start, "a negative power of a sum"));
            };
            if k > MAX_POWER {
                return Err(error_at(start, TOO_LARGE));
            }
            let mut result = Expr::int(1);
            for _ in 0..k {
                result = self.multiply(&result, base, start)?;
            }
            return Ok(result);
        }
        match base.as_constant() {
            Some(b) if b.is_positive() => {
                let largest = exponent.terms().map(|(_, c)| c.to_integer().abs()).max();
                let largest = largest.and_then(|k| k.to_u64()).unwrap_or(u64::MAX);
                if bits(&b).saturating_mul(largest) > MAX_BITS && !b.is_one() {
                    return Err(error_at(start, TOO_LARGE));
                }
                Expr::power_of(&b, exponent).ok_or_else(|| {
                    error_at(
                        start,
                        "an exponent must be linear with moderate integer coefficients",
                    )
                })
            }
            Some(_) => Err(error_at(
                start,
                "the base of an exponential must be positive",
            )),
            None => Err(error_at(
                start,
                "a power with variables in base and exponent",
            )),
        }
    }

    /// Returns the power of a single term, such as `(3*n^2)^4` or `(2^n)^-1`, or `None` for a sum. A negative power of a variable is an
    /// error.
    fn power_of_term(&self, base: &Expr, k: i32, start: usize) -> Result<Option<Expr>, ParseError> {
        let mut terms = base.terms();
        let (Some((m, c)), None) = (terms.next(), terms.next()) else {
            return Ok(None);
        };
        if k < 0 && !(m.powers.is_empty() && m.atoms.is_empty()) {
            return Err(error_at(start, "a negative power of a variable"));
        }
        if !m.atoms.is_empty() {
            return Ok(None);
        }
        let size = k.unsigned_abs();
        let bases = m.exponentials.values().chain(m.atom_exponentials.values());
        let widest = (bases.chain([c]))
            .filter(|b| !b.abs().is_one())
            .map(bits)
            .max()
            .unwrap_or(0);
        let highest = m.powers.values().copied().max().unwrap_or(0);
        if widest.saturating_mul(u64::from(size)) > MAX_BITS
            || highest.saturating_mul(size) > MAX_POWER
        {
            return Err(error_at(start, TOO_LARGE));
        }
        if k == 0 {
            return Ok(Some(Expr::int(1)));
        }
        let mut power = m.clone();
        for (_, b) in &mut power.exponentials {
            *b = b.pow(k);
        }
        for (_, b) in &mut power.atom_exponentials {
            *b = b.pow(k);
        }
        for (_, p) in &mut power.powers {
            *p *= size;
        }
        Ok(Some(Expr::monomial(power, c.pow(k))))
    }

    fn bounded(&self, e: &Expr, start: usize) -> Result<(), ParseError> {
        let too_large = e.terms().count() > MAX_TERMS
            || e.terms().any(|(m, c)| {
                let bases = m.exponentials.values().chain(m.atom_exponentials.values());
                bits(c) > MAX_BITS || bases.into_iter().any(|b| bits(b) > MAX_BITS)
            });
        if too_large {
            return Err(error_at(start, TOO_LARGE));
        }
        Ok(())
    }

    fn enter(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deeply".to_owned()));
        }
        Ok(())
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.blanks();
        self.rest().chars().next()
    }

    fn take(&mut self, token: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn error(&self, message: String) -> ParseError {
        ParseError {
            at: self.at,
            message,
        }
    }
}

const TOO_LARGE: &str = "the expression becomes too large";

/// Returns the cost of a product, which is small if one factor is a mere power, as after each coefficient of a printed expression.
fn cost_of_product(a: &Expr, b: &Expr) -> u64 {
    let words = |e: &Expr| -> u64 { e.terms().map(|(_, c)| 1 + bits(c) / 64).sum() };
    let terms = |e: &Expr| e.terms().count() as u64;
    let is_power = |e: &Expr| terms(e) == 1 && e.terms().all(|(_, c)| c.is_one());
    if is_power(a) || is_power(b) {
        terms(a).saturating_mul(terms(b))
    } else {
        words(a).saturating_mul(words(b))
    }
}

/// Returns the highest power of each variable and atom in any monomial. No power exceeds [`MAX_POWER`], so the sum of two powers does not
/// overflow.
fn highest_powers(e: &Expr) -> BTreeMap<(Option<Var>, Option<&Atom>), u32> {
    let mut highest = BTreeMap::new();
    for (m, _) in e.terms() {
        let powers = m.powers.iter().map(|(&v, &k)| ((Some(v), None), k));
        for (what, k) in powers.chain(m.atoms.iter().map(|(a, &k)| ((None, Some(a)), k))) {
            let power = highest.entry(what).or_insert(0);
            *power = k.max(*power);
        }
    }
    highest
}

fn bits(value: &Rat) -> u64 {
    value.numer().bits().max(value.denom().bits())
}

fn error_at(at: usize, message: &str) -> ParseError {
    ParseError {
        at,
        message: message.to_owned(),
    }
}
