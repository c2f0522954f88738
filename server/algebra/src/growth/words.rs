//! Names of growth classes.

use num_traits::{One, Zero};

use super::profile::{InOne, Profile};
use crate::atom::Atom;
use crate::display::factorial::bracketed;
use crate::display::monomial_display;
use crate::display::raised::superscript_name;
use crate::expr::{Expr, Monomial, Rat};
use crate::text::{Names, atom_text, decimal, monomial_text, to_text};

/// Returns a monomial as text: `n^2`, `n*log(n)`, `1.618^n`.
pub(super) fn text(m: &Monomial, names: &Names<'_>) -> String {
    if m.is_plain() {
        return monomial_text(m, names);
    }
    monomial_words(m, names, "*", |one, name| {
        let mut factors = Vec::new();
        let (power, rate) = (number(&one.power.value.middle()), rate(one));
        match power.as_str() {
            "0" => {}
            "1" => factors.push(name.to_owned()),
            _ => factors.push(format!("{name}^{power}")),
        }
        match one.logarithms {
            0 => {}
            1 => factors.push(format!("log({name})")),
            k => factors.push(format!("log({name})^{k}")),
        }
        if let Some(rate) = rate {
            factors.push(format!("{rate}^{name}"));
        }
        factors.extend(word(one, name));
        factors
    })
}

/// Displays a monomial: `n²`, `n·log n`, `1.618ⁿ`.
pub(super) fn display(m: &Monomial, names: &Names<'_>) -> String {
    if m.is_plain() {
        return monomial_display(&Rat::one(), m, names);
    }
    monomial_words(m, names, "·", |one, name| {
        let mut factors = Vec::new();
        let power = one.power.value.middle();
        if power.is_integer() && !power.is_zero() {
            let mut plain = Monomial::one();
            if let Ok(k) = u32::try_from(power.to_integer()) {
                plain.powers.insert(crate::expr::Var(0), k);
            }
            let just = Names::new(|_| name.to_owned());
            factors.push(monomial_display(&Rat::one(), &plain, &just));
        } else if !power.is_zero() {
            factors.push(format!("{name}^{}", number(&power)));
        }
        match one.logarithms {
            0 => {}
            1 => factors.push(format!("log {name}")),
            k => factors.push(format!("(log {name})^{k}")),
        }
        if let Some(rate) = rate(one) {
            factors.push(match superscript_name(name) {
                Some(raised) => format!("{rate}{raised}"),
                None => format!("{rate}^{name}"),
            });
        }
        factors.extend(word(one, name));
        factors
    })
}

fn monomial_words(
    m: &Monomial,
    names: &Names<'_>,
    between: &str,
    factors: impl Fn(&InOne, &str) -> Vec<String>,
) -> String {
    let profile = Profile::from_monomial(m);
    if let Some(variables) = profile.by_variable().filter(|_| is_plain(m)) {
        let all: Vec<String> = variables
            .iter()
            .flat_map(|(&v, one)| factors(one, &names.name(v)))
            .collect();
        return if all.is_empty() {
            "1".to_owned()
        } else {
            all.join(between)
        };
    }
    // The remaining factors: logarithms of sums, and factorials whose argument is not a size.
    let mut all = Vec::new();
    let mut plain = m.clone();
    for (atom, k) in &m.atoms {
        if let Atom::Log { of, .. } = atom {
            plain.atoms.remove(atom);
            let of = to_text(of, names);
            all.push(if *k == 1 {
                format!("log({of})")
            } else {
                format!("log({of})^{k}")
            });
        }
    }
    for (atom, k) in &plain.atoms {
        let name = match atom {
            Atom::Factorial(of) if *k > 1 => format!("({})", factorial(of, names)),
            Atom::Factorial(of) => factorial(of, names),
            _ => atom_text(atom, names),
        };
        all.push(if *k == 1 { name } else { format!("{name}^{k}") });
    }
    for (atom, b) in &m.atom_exponentials {
        all.push(format!("{}^{}", number(b), atom_text(atom, names)));
    }
    plain.atoms.clear();
    plain.atom_exponentials.clear();
    if !plain.is_one() {
        all.insert(0, monomial_text(&plain, names));
    }
    all.join(between)
}

/// Returns whether all factorials are of variables; the class is then a product of words, one per variable.
fn is_plain(m: &Monomial) -> bool {
    m.atoms.keys().filter(|a| a.is_factorial()).all(|a| {
        let of = a.argument();
        matches!(of.variables()[..], [v] if *of == Expr::var(v))
    })
}

/// Returns the word for a factorial: `n!`, `(n!)²`.
fn word(one: &InOne, name: &str) -> Option<String> {
    if one.factorials.is_zero() {
        return None;
    }
    Some(if one.factorials.is_one() {
        format!("{name}!")
    } else {
        format!("({name}!)^{}", one.factorials)
    })
}

/// Returns the text of a shifted factorial: `(n-1)!`.
fn factorial(of: &Expr, names: &Names<'_>) -> String {
    bracketed(of, &to_text(of, names))
}

/// Returns the base of the exponential, rounded to four digits if it is irrational.
fn rate(one: &InOne) -> Option<String> {
    match one.rate.as_rational() {
        Some(b) if b.is_one() => None,
        Some(b) if b.is_integer() => Some(b.to_string()),
        Some(b) => Some(format!("({b})")),
        None => Some(number(&one.rate.enclosure()?.middle())),
    }
}

/// Rounds a number to three places.
fn number(value: &Rat) -> String {
    let thousand = crate::expr::rat(1000);
    decimal(&((value * &thousand).round() / thousand))
}
