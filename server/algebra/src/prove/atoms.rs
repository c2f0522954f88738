//! Expressions with floors, logarithms and sequences: each atom becomes a variable, and what is known of it becomes constraints.
//!
//! - `q = ⌊a/d⌋`: `d·q <= a <= d·q + d-1`, which says everything.
//! - `k = ⌊log_b e⌋` together with `p = b^k`: `p <= e <= b·p - 1`, `p >= 1`, tangents of the power below p. Two logarithms of one base
//!   differ by at least c where `e >= b^c·f` (and by at most c where `e <= b^c·f + b^c - 1`); what is left of the range of the
//!   difference is looked at case by case. `fpow(X, N, P) :- N > 0, H is N//2, fpow(X, H, Q)`: from `2h <= n <= 2h+1`, h >= 1, the logarithms
//!   of n and h differ by exactly 1.
//! - `⌈log_b e⌉` likewise, with `e <= p <= b·e - 1`.
//! - A sequence `u` with coefficients that are not negative is at least the least of d neighbouring values, from where these stand.
//!
//! In one variable, what a sequence with coefficients `a` occurs in is not negative from `n` on if it is not at d places and the
//! operator `f(n+d) - Σ aᵢ·f(n+d-i)`, which makes the sequence vanish, leaves something that is not negative.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

use super::convex::LineStep;
use super::proof::{Fact, Proof, Search};
use super::{RESERVED_VARIABLES, prove, spend};
use crate::atom::{Atom, Rounding, integer_log};
use crate::expr::{Expr, Monomial, Rat, Var, rat};
use crate::linear::{Constraint, Implied, Region};

/// Expressions with more atoms are not looked at.
const ATOM_LIMIT: usize = 8;

/// Cases are not multiplied beyond this.
const CASE_LIMIT: usize = 16;

/// Differences of two logarithms beyond this are not looked for.
const DIFFERENCE_LIMIT: i32 = 3;

/// Whether every atom of the expression has a value at every integer point of the region, as far as that can be proved.
pub(super) fn defined(expr: &Expr, on: &Region) -> bool {
    expr.atoms().into_iter().all(|atom| is_defined(atom, on))
}

fn is_defined(atom: &Atom, on: &Region) -> bool {
    matches!(atom, Atom::Floor(_)) || domain(atom).is_some_and(|c| on.implies(&c))
}

/// Where an atom has a value; none for floors, which have one everywhere.
fn domain(atom: &Atom) -> Option<Constraint> {
    let least = match atom {
        Atom::Floor(_) => return None,
        Atom::Log { .. } => 1,
        Atom::CFinite { .. } | Atom::Factorial(_) | Atom::Arrangements { .. } => 0,
    };
    Constraint::ge(atom.argument(), &Expr::int(least))
}

/// Why every atom has a value, in order; an entry for a floor is empty.
pub(super) fn why_defined(atoms: &[&Atom], on: &Region) -> Option<Vec<Implied>> {
    let why = |atom: &&Atom| match (atom, domain(atom)) {
        (Atom::Floor(_), _) => Some(Implied::new()),
        (_, Some(c)) => on.implication(&c),
        _ => None,
    };
    atoms.iter().map(why).collect()
}

/// The expression without atoms, in cases that together cover the region. None where an atom is not defined or too much comes
/// together. With `apart` the least values of the first logarithm are cases of their own, where its power is a number.
pub(super) fn cases(expr: &Expr, on: &Region, apart: bool) -> Option<Cases> {
    if expr.atoms().len() > ATOM_LIMIT || !defined(expr, on) {
        return None;
    }
    if let Some((_, _, cases)) = residues(expr, on) {
        return Some(cases);
    }
    let (standing, cases) = standing(expr, on, apart)?;
    let expr = standing.replaced(expr)?;
    Some(
        cases
            .into_iter()
            .filter(|region| !region.is_empty())
            .map(|region| (expr.clone(), region))
            .collect(),
    )
}

/// The atoms as variables, and the regions of the cases.
fn standing(expr: &Expr, on: &Region, apart: bool) -> Option<(Standing, Vec<Region>)> {
    let mut standing = Standing {
        region: on.clone(),
        variables: BTreeMap::new(),
        logs: Vec::new(),
        names: Vec::new(),
        levels: Vec::new(),
    };
    for (i, atom) in expr.atoms().into_iter().enumerate() {
        standing.add(atom, u32::try_from(2 * i).ok()?)?;
    }
    let mut cases = vec![standing.region.clone()];
    if apart {
        standing.tell_apart(&mut cases);
    }
    standing.compare_roundings(&mut cases);
    for i in 0..standing.logs.len() {
        // Against the first of its kind every logarithm is told apart by cases; among each other they only get inequalities.
        let first = (0..i).find(|&j| standing.logs[j].is_like(&standing.logs[i]));
        if let Some(first) = first {
            standing.split(i, first, on, &mut cases);
        }
    }
    Some((standing, cases))
}

/// The proof by [`cases`] from those of the cases.
pub(super) fn written(expr: &Expr, on: &Region, apart: bool, then: Vec<Proof>) -> Option<Proof> {
    if let Some((var, period, _)) = residues(expr, on) {
        return Some(Proof::Residues {
            var,
            period,
            quotient: RESIDUE_QUOTIENT,
            then,
        });
    }
    let (standing, _) = standing(expr, on, apart)?;
    let mut then = then.into_iter();
    let proof = standing.written(on, &mut |_| then.next())?;
    then.next().is_none().then_some(proof)
}

/// The proof that one of some expressions, which are at most the given one by the steps beside them, is not negative at each point.
pub(super) fn one_of(expr: &Expr, on: &Region, lines: &[(Expr, Vec<LineStep>)]) -> Option<Proof> {
    let (standing, _) = standing(expr, on, false)?;
    let mut known = Vec::new();
    for (line, steps) in lines {
        let least = standing.replaced(line)?;
        if let Some(c) = Constraint::ge(&least, &Expr::zero()) {
            known.push((c, steps));
        }
    }
    let place = |atom: &Atom| standing.names.iter().position(|(a, _)| a == atom);
    standing.written(on, &mut |region| {
        let parts: Vec<Region> = (known.iter())
            .map(|(c, _)| Region::everything().and(c.clone()))
            .collect();
        let cover = region.cover(&parts)?;
        let then = known.iter().map(|(c, steps)| {
            let linear = Proof::Linear(region.and(c.clone()).implication(c)?);
            steps.iter().rev().try_fold(linear, |then, step| {
                Some(Proof::Line {
                    atom: place(&step.atom)?,
                    reference: place(&step.reference)?,
                    by: step.by,
                    factor: step.factor.clone(),
                    defined: Vec::new(),
                    then: Box::new(then),
                })
            })
        });
        let then = then.collect::<Option<_>>()?;
        Some(Proof::Cases { parts, cover, then })
    })
}

/// Stands for the quotient in [`residues`].
const RESIDUE_QUOTIENT: Var = Var(RESERVED_VARIABLES + 0x8000 + 0x100);

/// Expressions without atoms on regions that together cover the one.
type Cases = Vec<(Expr, Region)>;

/// Floors of one variable alone: `n = d·m + r`, for each residue r, leaves none of them. The variable, d, the cases.
fn residues(expr: &Expr, on: &Region) -> Option<(Var, u32, Cases)> {
    const PERIOD_LIMIT: u32 = 12;
    let (mut period, mut variable) = (BigInt::one(), None);
    for atom in expr.atoms() {
        let (Atom::Floor(e), [v]) = (atom, &atom.argument().variables()[..]) else {
            return None;
        };
        if variable.is_some_and(|w| w != *v) {
            return None;
        }
        variable = Some(*v);
        for (_, c) in e.terms() {
            period = num_integer::Integer::lcm(&period, c.denom());
        }
    }
    let (v, period) = (variable?, period.to_u32().filter(|d| *d <= PERIOD_LIMIT)?);
    let m = Expr::var(RESIDUE_QUOTIENT).scale(&rat(period.into()));
    let cases = (0..period).map(|r| {
        let by = BTreeMap::from([(v, &m + &Expr::int(r.into()))]);
        Some((expr.substitute(&by)?, on.substitute(&by)?))
    });
    Some((v, period, cases.collect::<Option<_>>()?))
}

/// What the definitions of floors and logarithms say of their variables.
fn definition(atom: &Atom, v: Var) -> Vec<Constraint> {
    let both: [Option<Constraint>; 2] = match atom {
        Atom::Floor(of) => floor_facts(of, &Expr::var(v)).into(),
        Atom::Log { base, rounding, of } => {
            let (power, b) = (Expr::var(Var(v.0 + 1)), rat((*base).into()));
            let (less, more) = match rounding {
                Rounding::Down => (&power, of),
                Rounding::Up => (of, &power),
            };
            [
                Constraint::ge(more, less),
                Constraint::le(more, &(&less.scale(&b) - &Expr::int(1))),
            ]
        }
        Atom::CFinite { .. } | Atom::Factorial(_) | Atom::Arrangements { .. } => return Vec::new(),
    };
    both.into_iter().flatten().collect()
}

/// Variables from here on stand for floors in the arguments of calls.
const QUOTIENTS: u32 = RESERVED_VARIABLES + 0x4000;

/// See [`super::without_floors`].
pub(super) fn without_floors(expr: &Expr, on: &Region) -> Option<(Expr, Vec<Constraint>)> {
    let (mut linear, mut facts) = (Expr::zero(), Vec::new());
    let used = on
        .variables()
        .into_iter()
        .filter(|v| (QUOTIENTS..RESERVED_VARIABLES + 0x8000).contains(&v.0));
    let mut next = used.map(|v| v.0 + 1).max().unwrap_or(QUOTIENTS);
    for (m, c) in expr.terms() {
        if m.is_plain() {
            linear.add_monomial(m.clone(), c.clone());
            continue;
        }
        let Some(Atom::Floor(of)) = m.single_atom() else {
            return None;
        };
        let quotient = match quotient(of, on) {
            Some(v) => Expr::var(v),
            None => {
                let v = Expr::var(Var(next));
                next += 1;
                let (low, high) = floor_facts(of, &v);
                facts.extend(low.into_iter().chain(high));
                v
            }
        };
        linear += &quotient.scale(c);
    }
    linear.is_linear().then_some((linear, facts))
}

/// `d·q <= a` and `a <= d·q + d-1`, which make q the floor of a/d.
fn floor_facts(of: &Expr, q: &Expr) -> (Option<Constraint>, Option<Constraint>) {
    let d = of.terms().fold(BigInt::one(), |l, (_, c)| {
        num_integer::Integer::lcm(&l, c.denom())
    });
    let d = Rat::from_integer(d);
    let rest = &of.scale(&d) - &q.scale(&d);
    let most = Expr::constant(d - Rat::one());
    (
        Constraint::ge(&rest, &Expr::zero()),
        Constraint::le(&rest, &most),
    )
}

/// Why a variable is that floor.
pub(super) fn why_floor(of: &Expr, v: Var, on: &Region) -> Option<[Implied; 2]> {
    let (low, high) = floor_facts(of, &Expr::var(v));
    Some([on.implication(&low?)?, on.implication(&high?)?])
}

/// The variable of the region that is this floor already.
pub(super) fn quotient(of: &Expr, on: &Region) -> Option<Var> {
    let variables = on.variables().into_iter();
    variables
        .filter(|v| v.0 >= QUOTIENTS && v.0 < RESERVED_VARIABLES + 0x8000)
        .find(|&v| {
            let (low, high) = floor_facts(of, &Expr::var(v));
            [low, high]
                .iter()
                .all(|fact| fact.as_ref().is_some_and(|c| on.implies(c)))
        })
}

/// A logarithm that became a variable, and a power of its base.
#[derive(Clone)]
struct Log {
    /// Among the names.
    place: usize,
    base: u32,
    rounding: Rounding,
    of: Expr,
    log: Expr,
    power: Expr,
}

impl Log {
    fn is_like(&self, other: &Self) -> bool {
        self.base == other.base && self.rounding == other.rounding
    }

    fn scale(&self, c: u32) -> Rat {
        Rat::from_integer(BigInt::from(self.base).pow(c))
    }

    /// Whether this logarithm is at most the other one plus c, for c >= 0.
    fn at_most(&self, other: &Self, c: u32, on: &Region) -> bool {
        let scale = self.scale(c);
        let most = match self.rounding {
            // ⌊e/b^c⌋ <= f
            Rounding::Down => &other.of.scale(&scale) + &Expr::constant(&scale - Rat::one()),
            Rounding::Up => other.of.scale(&scale),
        };
        Constraint::le(&self.of, &most).is_some_and(|c| on.implies(&c))
    }

    /// Whether this logarithm is at least the other one plus c, for c >= 0.
    fn at_least(&self, other: &Self, c: u32, on: &Region) -> bool {
        let scale = self.scale(c);
        let holds =
            |least: &Expr, e: &Expr| Constraint::ge(e, least).is_some_and(|c| on.implies(&c));
        match self.rounding {
            Rounding::Down => holds(&other.of.scale(&scale), &self.of),
            // ⌈e/b^c⌉ >= f; and the smaller one is not 1, of which the parts would not be smaller.
            Rounding::Up => {
                let least = &(&other.of - &Expr::int(1)).scale(&scale) + &Expr::int(1);
                holds(&least, &self.of) && (c == 0 || holds(&Expr::int(2), &other.of))
            }
        }
    }

    /// The least d with `self <= other + d`.
    fn most_above(&self, other: &Self, on: &Region) -> Option<i32> {
        let below = (1..=DIFFERENCE_LIMIT)
            .rev()
            .find(|&c| other.at_least(self, c.unsigned_abs(), on))
            .map(|c| -c);
        below
            .or_else(|| (0..=DIFFERENCE_LIMIT).find(|&c| self.at_most(other, c.unsigned_abs(), on)))
    }
}

/// Atoms replaced by variables.
struct Standing {
    region: Region,
    variables: BTreeMap<Atom, Var>,
    logs: Vec<Log>,
    /// The atoms in order.
    names: Vec<(Atom, Var)>,
    /// How the cases came about.
    levels: Vec<Level>,
}

/// A step on the way to the cases.
enum Level {
    /// A constraint for all of them.
    Fact(Fact, Vec<Constraint>),
    /// Each falls into parts, on which more is known.
    Parts(Vec<Part>),
}

struct Part {
    /// What makes the part.
    on: Vec<Constraint>,
    /// What follows there.
    facts: Vec<(Fact, Vec<Constraint>)>,
}

impl Standing {
    fn know(&mut self, fact: Fact, constraints: impl IntoIterator<Item = Option<Constraint>>) {
        let constraints: Vec<Constraint> = constraints.into_iter().flatten().collect();
        for c in &constraints {
            self.region = self.region.and(c.clone());
        }
        self.levels.push(Level::Fact(fact, constraints));
    }

    /// The proof on a region from those of the cases.
    fn written(
        &self,
        on: &Region,
        then: &mut dyn FnMut(&Region) -> Option<Proof>,
    ) -> Option<Proof> {
        let mut defined = Vec::new();
        for (atom, v) in &self.names {
            defined.push(match (atom, domain(atom)) {
                // A variable that is this floor already.
                (Atom::Floor(_), _) if on.variables().contains(v) => {
                    let both = definition(atom, *v).into_iter();
                    let why = both.map(|c| on.implication(&c));
                    why.collect::<Option<Vec<Implied>>>()?.concat()
                }
                (_, Some(c)) => on.implication(&c)?,
                (_, None) => Implied::new(),
            });
        }
        let named = (self.names.iter()).fold(on.clone(), |r, (atom, v)| {
            definition(atom, *v).into_iter().fold(r, |r, c| r.and(c))
        });
        Some(Proof::Atoms {
            names: self.names.clone(),
            defined,
            then: Box::new(self.tree(&self.levels, &named, then)?),
        })
    }

    /// The proof from those of the cases, in order; cases without points have none.
    fn tree(
        &self,
        levels: &[Level],
        region: &Region,
        then: &mut dyn FnMut(&Region) -> Option<Proof>,
    ) -> Option<Proof> {
        let with = |region: &Region, all: &[Constraint]| {
            all.iter().fold(region.clone(), |r, c| r.and(c.clone()))
        };
        match levels.split_first() {
            None if region.is_empty() => Some(Proof::Empty(region.refutation()?)),
            None => then(region),
            Some((Level::Fact(fact, constraints), rest)) => {
                let known = with(region, constraints);
                let then = self.tree(rest, &known, then)?;
                self.fact(fact.clone(), region, then)
            }
            Some((Level::Parts(parts), rest)) => {
                let mut proofs = Vec::new();
                for part in parts {
                    let mut regions = vec![with(region, &part.on)];
                    for (_, constraints) in &part.facts {
                        let known = with(regions.last()?, constraints);
                        regions.push(known);
                    }
                    let mut proof = self.tree(rest, &regions.pop()?, then)?;
                    for ((fact, _), region) in part.facts.iter().zip(&regions).rev() {
                        proof = self.fact(fact.clone(), region, proof)?;
                    }
                    proofs.push(proof);
                }
                let parts: Vec<Region> = (parts.iter())
                    .map(|p| p.on.iter().cloned().collect())
                    .collect();
                let cover = region.cover(&parts)?;
                let then = proofs;
                Some(Proof::Cases { parts, cover, then })
            }
        }
    }

    fn fact(&self, fact: Fact, region: &Region, then: Proof) -> Option<Proof> {
        let conditions = self.conditions(&fact)?;
        let by = conditions.iter().map(|c| region.implication(c));
        Some(Proof::Fact {
            by: by.collect::<Option<_>>()?,
            fact,
            then: Box::new(then),
        })
    }

    /// The logarithm with a place among the names.
    fn log(&self, place: usize) -> Option<&Log> {
        self.logs.iter().find(|l| l.place == place)
    }

    /// What has to hold for a fact: see [`Fact`].
    fn conditions(&self, fact: &Fact) -> Option<Vec<Constraint>> {
        let number = |n: i64| Expr::int(n);
        let power = |l: &Log, k: u32| Expr::constant(l.scale(k));
        Some(match fact {
            Fact::Tangent(..) | Fact::Least(_, 0) => Vec::new(),
            Fact::Least(i, k) => {
                let l = self.log(*i)?;
                let least = match l.rounding {
                    Rounding::Down => power(l, *k),
                    Rounding::Up => &power(l, k - 1) + &number(1),
                };
                vec![Constraint::ge(&l.of, &least)?]
            }
            Fact::Most(i, k) => {
                let l = self.log(*i)?;
                let most = match l.rounding {
                    Rounding::Down => &power(l, k + 1) - &number(1),
                    Rounding::Up => power(l, *k),
                };
                vec![Constraint::le(&l.of, &most)?]
            }
            Fact::Power(i, k) => vec![Constraint::eq(&self.log(*i)?.log, &number((*k).into()))?],
            Fact::PowerFrom(i, k) => {
                vec![Constraint::ge(&self.log(*i)?.log, &number((*k).into()))?]
            }
            Fact::AtMost(i, j, d) => {
                let (a, b) = (self.log(*i)?, self.log(*j)?);
                let scale = a.scale(d.unsigned_abs());
                let rest = Expr::constant(&scale - Rat::one());
                match (a.rounding, *d >= 0) {
                    (Rounding::Down, true) => {
                        vec![Constraint::le(&a.of, &(&b.of.scale(&scale) + &rest))?]
                    }
                    (Rounding::Up, true) => vec![Constraint::le(&a.of, &b.of.scale(&scale))?],
                    (Rounding::Down, false) => vec![Constraint::ge(&b.of, &a.of.scale(&scale))?],
                    (Rounding::Up, false) => vec![
                        Constraint::ge(&b.of, &(&a.of.scale(&scale) - &rest))?,
                        Constraint::ge(&a.of, &number(2))?,
                    ],
                }
            }
            Fact::Powers(i, j, d) => {
                let (a, b) = (self.log(*i)?, self.log(*j)?);
                vec![Constraint::eq(&a.log, &(&b.log + &number((*d).into())))?]
            }
            Fact::Same(i, _) => {
                let l = self.log(*i)?;
                vec![Constraint::eq(&l.of, &l.power)?]
            }
            Fact::Next(i, _) => {
                let l = self.log(*i)?;
                vec![Constraint::gt(&l.of, &l.power)?]
            }
            Fact::Sequence(i, first, _) => {
                let index = self.names.get(*i)?.0.argument();
                vec![Constraint::ge(index, &number((*first).into()))?]
            }
        })
    }

    fn add(&mut self, atom: &Atom, number: u32) -> Option<()> {
        let v = match atom {
            Atom::Floor(of) => quotient(of, &self.region),
            _ => None,
        };
        let v = v.unwrap_or(Var(RESERVED_VARIABLES + 0x8000 + number));
        self.variables.insert(atom.clone(), v);
        let place = self.names.len();
        self.names.push((atom.clone(), v));
        for c in definition(atom, v) {
            self.region = self.region.and(c);
        }
        let value = Expr::var(v);
        match atom {
            Atom::Floor(_) => {}
            Atom::Log { base, rounding, of } => {
                let power = Expr::var(Var(v.0 + 1));
                let b = rat((*base).into());
                let (low, high) = self.region.bounds(of);
                let log_at = |bound: &Rat, rounding| {
                    let log = integer_log(*base, rounding, &bound.to_integer())?;
                    u32::try_from(log).ok()
                };
                let least = low.and_then(|l| log_at(&l.ceil(), *rounding)).unwrap_or(0);
                let bound = Constraint::ge(&value, &Expr::int(least.into()));
                self.know(Fact::Least(place, least), [bound]);
                if let Some(most) = high.and_then(|h| log_at(&h.floor(), *rounding)) {
                    let bound = Constraint::le(&value, &Expr::int(most.into()));
                    self.know(Fact::Most(place, most), [bound]);
                    if most == least {
                        let whole = Expr::constant(b.pow(i32::try_from(least).ok()?));
                        let fixed = Constraint::eq(&power, &whole);
                        self.know(Fact::Power(place, least), [fixed]);
                    }
                }
                // Tangents: b^k >= b^t + (b^(t+1) - b^t)·(k - t).
                for t in 0..3u8 {
                    let at = b.pow(t.into());
                    let slope = &at * (&b - Rat::one());
                    let line = &(&value - &Expr::int(t.into())).scale(&slope) + &Expr::constant(at);
                    let bound = Constraint::ge(&power, &line);
                    self.know(Fact::Tangent(place, t.into()), [bound]);
                }
                self.logs.push(Log {
                    place,
                    base: *base,
                    rounding: *rounding,
                    of: of.clone(),
                    log: value,
                    power,
                });
            }
            Atom::CFinite {
                coefficients,
                index,
            } => {
                if coefficients.iter().any(Signed::is_negative)
                    || coefficients.iter().sum::<Rat>() < Rat::one()
                {
                    return Some(());
                }
                let first = self
                    .region
                    .bounds(index)
                    .0?
                    .ceil()
                    .to_integer()
                    .to_usize()?;
                let d = coefficients.len();
                if first > 200 {
                    return Some(());
                }
                let values = Atom::beginning(coefficients, first + d);
                if let Some(least) = values[first..].iter().min() {
                    let bound = Constraint::ge(&value, &Expr::constant(least.clone()));
                    let first = u32::try_from(first).ok()?;
                    self.know(Fact::Sequence(place, first, least.clone()), [bound]);
                }
            }
            // Beside other atoms nothing is said of them.
            Atom::Factorial(_) | Atom::Arrangements { .. } => {}
        }
        Some(())
    }

    fn replaced(&self, expr: &Expr) -> Option<Expr> {
        let mut result = Expr::zero();
        for (m, c) in expr.terms() {
            let mut n = Monomial::one();
            n.powers = m.powers.clone();
            n.exponentials = m.exponentials.clone();
            for (atom, k) in &m.atoms {
                *n.powers.entry(*self.variables.get(atom)?).or_insert(0) += k;
            }
            for (atom, base) in &m.atom_exponentials {
                let v = *self.variables.get(atom)?;
                match self.power_of(atom, base) {
                    Some((power, k)) => *n.powers.entry(power).or_insert(0) += k,
                    None => {
                        n.exponentials.insert(v, base.clone());
                    }
                }
            }
            result.add_monomial(n, c.clone());
        }
        Some(result)
    }

    /// The variable of the power of a logarithm, and k where `base` is the k-th power of the logarithm's base.
    fn power_of(&self, atom: &Atom, base: &Rat) -> Option<(Var, u32)> {
        let Atom::Log { base: b, .. } = atom else {
            return None;
        };
        let b = rat((*b).into());
        let k = (1..=4).find(|&k| b.pow(k) == *base)?;
        let v = *self.variables.get(atom)?;
        Some((Var(v.0 + 1), k.unsigned_abs()))
    }

    /// Every case falls into parts.
    fn parts(&mut self, parts: Vec<Part>, cases: &mut Vec<Region>) {
        let with = |case: &Region, part: &Part| {
            let facts = part.facts.iter().flat_map(|(_, all)| all);
            part.on
                .iter()
                .chain(facts)
                .fold(case.clone(), |r, c| r.and(c.clone()))
        };
        *cases = (cases.iter())
            .flat_map(|case| parts.iter().map(|part| with(case, part)))
            .collect();
        self.levels.push(Level::Parts(parts));
    }

    /// Cases for the least values of the first logarithm.
    fn tell_apart(&mut self, cases: &mut Vec<Region>) {
        const VALUES: u32 = 3;
        let Some(first) = self.logs.first() else {
            return;
        };
        let power = |k: u32| Expr::constant(first.scale(k));
        let part = |on: Option<Constraint>, fact: Fact, known: Option<Constraint>| Part {
            on: on.into_iter().collect(),
            facts: vec![(fact, known.into_iter().collect())],
        };
        let mut parts: Vec<Part> = (0..VALUES)
            .map(|k| {
                part(
                    Constraint::eq(&first.log, &Expr::int(k.into())),
                    Fact::Power(first.place, k),
                    Constraint::eq(&first.power, &power(k)),
                )
            })
            .collect();
        parts.push(part(
            Constraint::ge(&first.log, &Expr::int(VALUES.into())),
            Fact::PowerFrom(first.place, VALUES),
            Constraint::ge(&first.power, &power(VALUES)),
        ));
        self.parts(parts, cases);
    }

    /// `⌊log e⌋` and `⌈log e⌉` of the same e are equal, and then e is a power, or neighbours.
    fn compare_roundings(&mut self, cases: &mut Vec<Region>) {
        for down in &self.logs.clone() {
            for up in &self.logs.clone() {
                if down.rounding != Rounding::Down
                    || up.rounding != Rounding::Up
                    || down.base != up.base
                    || down.of != up.of
                    || cases.len() * 2 > CASE_LIMIT
                {
                    continue;
                }
                let b = rat(down.base.into());
                let part = |on: Option<Constraint>, fact, known: [Option<Constraint>; 2]| Part {
                    on: on.into_iter().collect(),
                    facts: vec![(fact, known.into_iter().flatten().collect())],
                };
                let same = part(
                    Constraint::eq(&down.power, &down.of),
                    Fact::Same(down.place, up.place),
                    [
                        Constraint::eq(&up.log, &down.log),
                        Constraint::eq(&up.power, &down.power),
                    ],
                );
                let above = part(
                    Constraint::gt(&down.of, &down.power),
                    Fact::Next(down.place, up.place),
                    [
                        Constraint::eq(&up.log, &(&down.log + &Expr::int(1))),
                        Constraint::eq(&up.power, &down.power.scale(&b)),
                    ],
                );
                self.parts(vec![same, above], cases);
            }
        }
    }

    /// The cases of the difference of two logarithms.
    fn split(&mut self, i: usize, first: usize, on: &Region, cases: &mut Vec<Region>) {
        let (a, b) = (self.logs[i].clone(), self.logs[first].clone());
        let most = a.most_above(&b, on);
        let least = b.most_above(&a, on).map(|d| -d);
        let count = match (least, most) {
            (Some(least), Some(most)) if most >= least => usize::try_from(most - least + 1).ok(),
            _ => None,
        };
        let known = |d: i32, up: bool| {
            let other = &b.log + &Expr::int(d.into());
            if up {
                let fact = Fact::AtMost(a.place, b.place, d);
                (fact, Constraint::le(&a.log, &other))
            } else {
                let fact = Fact::AtMost(b.place, a.place, -d);
                (fact, Constraint::ge(&a.log, &other))
            }
        };
        let bounds =
            (most.map(|d| known(d, true)).into_iter()).chain(least.map(|d| known(d, false)));
        for (fact, c) in bounds {
            for case in cases.iter_mut() {
                *case = c.iter().fold(case.clone(), |r, c| r.and(c.clone()));
            }
            self.levels.push(Level::Fact(fact, c.into_iter().collect()));
        }
        if let (Some(least), Some(count)) = (least, count)
            && cases.len() * count <= CASE_LIMIT
        {
            let parts = (least..=most.unwrap_or(least))
                .map(|d| {
                    let (logs, powers) = difference(&a, &b, d);
                    Part {
                        on: logs.into_iter().collect(),
                        facts: vec![(
                            Fact::Powers(a.place, b.place, d),
                            powers.into_iter().collect(),
                        )],
                    }
                })
                .collect();
            self.parts(parts, cases);
        }
    }
}

/// `a = b + d`, and what follows for the powers.
fn difference(a: &Log, b: &Log, d: i32) -> (Option<Constraint>, Option<Constraint>) {
    let scale = a.scale(d.unsigned_abs());
    let powers = if d >= 0 {
        Constraint::eq(&a.power, &b.power.scale(&scale))
    } else {
        Constraint::eq(&a.power.scale(&scale), &b.power)
    };
    let logs = Constraint::eq(&a.log, &(&b.log + &Expr::int(d.into())));
    (logs, powers)
}

/// Whether an expression in one variable with sequences is not negative from `low` on; see the module.
pub(super) fn along_a_sequence(
    e: &Expr,
    v: Var,
    region: &Region,
    low: &BigInt,
    depth: u32,
    fuel: &mut Search,
) -> bool {
    const HEAD: u32 = 32;
    let sequence = e.atoms().into_iter().find_map(|atom| match atom {
        Atom::CFinite {
            coefficients,
            index,
        } if *index == &Expr::var(v) + &Expr::constant(index.coefficient(&Monomial::one())) => {
            Some(coefficients.clone())
        }
        _ => None,
    });
    let Some(a) = sequence else { return false };
    if depth == 0 || a.iter().any(Signed::is_negative) {
        return false;
    }
    let d = i64::try_from(a.len()).unwrap_or(0);
    let shifted = |by: i64| {
        let at = &Expr::var(v) + &Expr::int(by);
        e.substitute(&BTreeMap::from([(v, at)]))
    };
    let Some(mut step) = shifted(d) else {
        return false;
    };
    for (i, a) in (1i64..).zip(&a) {
        let Some(before) = shifted(d - i) else {
            return false;
        };
        step += &before.scale(&-a.clone());
    }
    let not_negative_at = |n: &BigInt| {
        e.eval(&|_| Some(n.clone()))
            .is_some_and(|value| !value.is_negative())
    };
    // The head one by one, each time looking whether the tail goes on by itself.
    let (mut checked, mut start, mut next) = (low.clone(), low.clone(), 1u32);
    loop {
        while checked < &start + d {
            if !spend(fuel) || !not_negative_at(&checked) {
                return false;
            }
            checked += 1;
        }
        let from_here = Constraint::ge(
            &Expr::var(v),
            &Expr::constant(Rat::from_integer(start.clone())),
        );
        let Some(tail) = from_here.map(|c| Region::everything().and(c)) else {
            return false;
        };
        let mark = fuel.mark();
        if step.is_zero() || prove(&step, &tail, depth - 1, fuel) {
            return fuel.from(mark, |mut parts| {
                let at_least = Constraint::ge(
                    &Expr::var(v),
                    &Expr::constant(Rat::from_integer(low.clone())),
                )?;
                Some(Proof::Sequence {
                    var: v,
                    coefficients: a,
                    low: low.clone(),
                    start,
                    by: region.implication(&at_least)?,
                    step: if step.is_zero() {
                        None
                    } else {
                        parts.pop().map(Box::new)
                    },
                })
            });
        }
        if next > HEAD {
            return false;
        }
        start += next;
        next *= 2;
    }
}

/// Whether powers of logarithms occur.
pub(super) fn has_powers(e: &Expr) -> bool {
    e.terms()
        .flat_map(|(m, _)| m.atom_exponentials.keys())
        .any(|atom| matches!(atom, Atom::Log { .. }))
}

/// Whether sequences occur.
pub(super) fn has_sequences(e: &Expr) -> bool {
    e.atoms()
        .into_iter()
        .any(|atom| matches!(atom, Atom::CFinite { .. }))
}

/// A linear expression that is at least (`up`) or at most the given one at integers: floors are replaced by their arguments, less
/// what they may lose. For constraints on integers that is no loss where a floor stands alone (`r <= ⌊n/2⌋` is `2r <= n`).
pub(super) fn relaxed(e: &Expr, up: bool) -> Option<Expr> {
    let mut result = Expr::zero();
    for (m, c) in e.terms() {
        if m.is_plain() {
            result.add_monomial(m.clone(), c.clone());
            continue;
        }
        let Some(Atom::Floor(of)) = m.single_atom() else {
            return None;
        };
        result += &of.scale(c);
        if c.is_positive() != up {
            let d = of.terms().fold(BigInt::one(), |l, (_, c)| {
                num_integer::Integer::lcm(&l, c.denom())
            });
            let lost = Rat::one() - Rat::from_integer(d).recip();
            result += &Expr::constant(-(lost * c));
        }
    }
    (result.is_linear() && !result.has_atoms()).then_some(result)
}
