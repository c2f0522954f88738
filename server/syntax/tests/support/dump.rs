//! Formats a term on one line, in a canonical form that `tests/reader/dump.pl` also produces.

use std::collections::HashMap;
use std::fmt::Write as _;

use num_bigint::BigInt;

use costlens_syntax::{Term, TermId, Terms};

/// Formats a term in functional notation throughout; atoms in `'…'`, strings in `"…"`, floats by their bits, variables `_0`, `_1`, … by
/// first occurrence in this form, lists in brackets, dicts as `dict(Tag,Key-Value,…)`.
pub(crate) fn dump(terms: &Terms, root: TermId) -> String {
    enum Step {
        Term(TermId),
        Tail(TermId),
        Text(&'static str),
    }
    let (mut out, mut variables, mut stack) =
        (String::new(), HashMap::new(), vec![Step::Term(root)]);
    while let Some(step) = stack.pop() {
        match step {
            Step::Text(text) => out.push_str(text),
            Step::Tail(id) => match (terms.matches(id, "[|]", 2), terms.as_atom(id)) {
                (Some(&[head, tail]), _) => {
                    out.push(',');
                    stack.extend([Step::Tail(tail), Step::Term(head)]);
                }
                (_, Some(nil)) if nil == "[]" => out.push(']'),
                _ => {
                    out.push('|');
                    stack.extend([Step::Text("]"), Step::Term(id)]);
                }
            },
            Step::Term(id) => match terms.get(id) {
                Term::Var(v) => {
                    let fresh = variables.len();
                    let _ = write!(out, "_{}", variables.entry(*v).or_insert(fresh));
                }
                Term::Integer(n) => {
                    let _ = write!(out, "{n}");
                }
                Term::Rational(r) => {
                    let _ = write!(out, "{}r{}", r.0, r.1);
                }
                Term::Float(bits) => out.push_str(&float(f64::from_bits(*bits))),
                Term::String(s) => quote(&mut out, s, '"'),
                Term::Atom(name) if name == "[]" => out.push_str("[]"),
                Term::Atom(name) if name == "'[]'" => out.push_str(name),
                Term::Atom(name) => quote(&mut out, name, '\''),
                Term::Compound(name, _) if name == "[|]" && terms.args(id).len() == 2 => {
                    out.push('[');
                    stack.extend([Step::Tail(terms.args(id)[1]), Step::Term(terms.args(id)[0])]);
                }
                Term::Compound(name, _) => {
                    let args = terms.args(id);
                    let dict = name == "dict" && args.len() % 2 == 1;
                    quote(&mut out, name, '\'');
                    out.push('(');
                    stack.push(Step::Text(")"));
                    for (i, &arg) in args.iter().enumerate().rev() {
                        stack.push(Step::Term(arg));
                        if i > 0 {
                            stack.push(Step::Text(if dict && i % 2 == 0 { "-" } else { "," }));
                        }
                    }
                }
                Term::Error => out.push_str("ERROR"),
            },
        }
    }
    out
}

/// Formats a float as `F` and its exact value as a fraction in lowest terms.
fn float(value: f64) -> String {
    if value.is_nan() {
        return "Fnan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Finf" } else { "F-inf" }.into();
    }
    let (mantissa, exponent, sign) = num_traits::float::FloatCore::integer_decode(value);
    let twos = if mantissa == 0 {
        0
    } else {
        mantissa.trailing_zeros()
    };
    let (mantissa, exponent) = (
        mantissa >> twos,
        if mantissa == 0 {
            0
        } else {
            i32::from(exponent) + twos.cast_signed()
        },
    );
    let two = BigInt::from(1);
    let numerator = BigInt::from(mantissa) * sign;
    if exponent >= 0 {
        format!("F{}r1", numerator << exponent.unsigned_abs())
    } else {
        format!("F{numerator}r{}", two << exponent.unsigned_abs())
    }
}

fn quote(out: &mut String, text: &str, quote: char) {
    out.push(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out.push(quote);
}
