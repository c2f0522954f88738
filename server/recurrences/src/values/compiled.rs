//! Expressions and regions compiled for repeated evaluation over rows of values.

use costlens_algebra::linear::fraction::{Fraction, product};
use costlens_algebra::{Atom, Constraint, Expr, Region, Relation, Rounding, Var, work};

/// The positions of an expression's or region's variables in a row of values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    vars: Vec<Var>,
}

impl Slots {
    pub(crate) fn new(vars: Vec<Var>) -> Self {
        Self { vars }
    }

    pub(crate) fn len(&self) -> usize {
        self.vars.len()
    }

    fn slot(&self, v: Var) -> Option<usize> {
        self.vars.iter().position(|&w| w == v)
    }
}

/// An expression compiled for fast evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    terms: Vec<CompiledTerm>,
}

#[derive(Clone, Debug)]
struct CompiledTerm {
    coefficient: Fraction,
    powers: Vec<(usize, u32)>,
    exponentials: Vec<(usize, Fraction)>,
    atoms: Vec<(CompiledAtom, u32)>,
    atom_exponentials: Vec<(CompiledAtom, Fraction)>,
}

/// A compiled atom: its linear argument, and the operation on its value.
#[derive(Clone, Debug)]
struct CompiledAtom {
    terms: Vec<(usize, Fraction)>,
    constant: Fraction,
    function: AtomFunction,
}

#[derive(Clone, Debug)]
enum AtomFunction {
    Floor,
    Log(u32, Rounding),
    /// A sequence, by its first values.
    Sequence(Vec<Fraction>),
}

/// The number of precomputed values per sequence.
const SEQUENCE_LENGTH: usize = 160;

/// Returns the first values of a sequence, as defined by `Atom::beginning`, as far as they fit.
fn beginning(coefficients: &[Fraction]) -> Vec<Fraction> {
    let d = coefficients.len();
    let mut values = vec![Fraction::ZERO; d.saturating_sub(1)];
    values.push(Fraction::ONE);
    while values.len() < SEQUENCE_LENGTH {
        let mut last = values.iter().rev().zip(coefficients);
        let next = last.try_fold(Fraction::ZERO, |sum, (&u, &a)| sum.add(u.mul(a)?));
        match next {
            Some(next) => values.push(next),
            None => break,
        }
    }
    values
}

/// Returns the values of `f(n) = n·f(n-1) + b^n` for n >= 1, without the power if there is no base, as far as they fit.
fn factorials(base: Option<Fraction>) -> Vec<Fraction> {
    let mut values = vec![Fraction::ONE];
    let mut power = Some(Fraction::ONE);
    while let Some(&last) = values.last() {
        power = power.and_then(|p| p.mul(base.unwrap_or(Fraction::ZERO)));
        let at = i128::try_from(values.len()).unwrap_or(0);
        let next = last.mul(Fraction::int(at)).and_then(|x| x.add(power?));
        match next {
            Some(next) => values.push(next),
            None => break,
        }
    }
    values
}

impl CompiledAtom {
    fn new(atom: &Atom, slots: &Slots) -> Option<Self> {
        let mut constant = Fraction::ZERO;
        let mut terms = Vec::new();
        for (m, c) in atom.argument().terms() {
            let c = Fraction::from_rat(c)?;
            match m.powers.keys().next() {
                None => constant = c,
                Some(&v) => terms.push((slots.slot(v)?, c)),
            }
        }
        let function = match atom {
            Atom::Floor(_) => AtomFunction::Floor,
            Atom::Log { base, rounding, .. } => AtomFunction::Log(*base, *rounding),
            Atom::CFinite { coefficients, .. } => {
                let coefficients: Option<Vec<Fraction>> =
                    coefficients.iter().map(Fraction::from_rat).collect();
                AtomFunction::Sequence(beginning(&coefficients?))
            }
            Atom::Factorial(_) => AtomFunction::Sequence(factorials(None)),
            Atom::Arrangements { base, .. } => {
                AtomFunction::Sequence(factorials(Some(Fraction::from_rat(base)?)))
            }
        };
        Some(Self {
            terms,
            constant,
            function,
        })
    }

    fn eval(&self, values: &[Fraction]) -> Option<Fraction> {
        let mut argument = self.constant;
        for &(slot, c) in &self.terms {
            argument = argument.add(values.get(slot)?.mul(c)?)?;
        }
        match &self.function {
            AtomFunction::Floor => argument.rounded(1, false),
            AtomFunction::Log(base, rounding) => {
                let of = argument.to_integer()?;
                if of < 1 {
                    return None;
                }
                let base = i128::from(*base);
                let (mut log, mut power) = (0, 1i128);
                while power <= of / base {
                    power *= base;
                    log += 1;
                }
                let above = *rounding == Rounding::Up && power < of;
                Some(Fraction::int(log + i128::from(above)))
            }
            AtomFunction::Sequence(known) => {
                let index = usize::try_from(argument.to_integer()?).ok()?;
                known.get(index).copied()
            }
        }
    }

    fn mentions(&self, slot: usize) -> bool {
        self.terms.iter().any(|&(s, _)| s == slot)
    }
}

impl Compiled {
    /// Compiles an expression. Returns `None` if a variable has no slot or a number does not fit.
    pub(crate) fn new(e: &Expr, slots: &Slots) -> Option<Self> {
        let terms = e
            .terms()
            .map(|(m, c)| {
                Some(CompiledTerm {
                    coefficient: Fraction::from_rat(c)?,
                    powers: m
                        .powers
                        .iter()
                        .map(|(&v, &k)| Some((slots.slot(v)?, k)))
                        .collect::<Option<_>>()?,
                    exponentials: m
                        .exponentials
                        .iter()
                        .map(|(&v, b)| Some((slots.slot(v)?, Fraction::from_rat(b)?)))
                        .collect::<Option<_>>()?,
                    atoms: m
                        .atoms
                        .iter()
                        .map(|(a, &k)| Some((CompiledAtom::new(a, slots)?, k)))
                        .collect::<Option<_>>()?,
                    atom_exponentials: m
                        .atom_exponentials
                        .iter()
                        .map(|(a, b)| Some((CompiledAtom::new(a, slots)?, Fraction::from_rat(b)?)))
                        .collect::<Option<_>>()?,
                })
            })
            .collect::<Option<_>>()?;
        Some(Self { terms })
    }

    pub(crate) fn mentions(&self, slot: usize) -> bool {
        self.terms.iter().any(|t| {
            t.powers.iter().any(|&(s, _)| s == slot)
                || t.exponentials.iter().any(|&(s, _)| s == slot)
                || t.atoms.iter().any(|(a, _)| a.mentions(slot))
                || t.atom_exponentials.iter().any(|(a, _)| a.mentions(slot))
        })
    }

    pub(crate) fn eval(&self, values: &[Fraction]) -> Option<Fraction> {
        work::add(4 * self.terms.len());
        let mut sum = Fraction::ZERO;
        for term in &self.terms {
            let mut product = term.coefficient;
            for &(slot, k) in &term.powers {
                let x = *values.get(slot)?;
                for _ in 0..k {
                    product = product.mul(x)?;
                }
            }
            for (atom, k) in &term.atoms {
                let x = atom.eval(values)?;
                for _ in 0..*k {
                    product = product.mul(x)?;
                }
            }
            let exponentials = term
                .exponentials
                .iter()
                .map(|&(slot, base)| Some((*values.get(slot)?, base)));
            let of_atoms = term
                .atom_exponentials
                .iter()
                .map(|(atom, base)| Some((atom.eval(values)?, *base)));
            for power in exponentials.chain(of_atoms) {
                let (exponent, base) = power?;
                let k = i32::try_from(exponent.to_integer()?).ok()?;
                if k.abs() > 126 {
                    return None;
                }
                product = product.mul(base.pow(k)?)?;
            }
            sum = sum.add(product)?;
        }
        Some(sum)
    }
}

/// A region compiled for fast membership tests.
#[derive(Clone, Debug)]
pub(crate) struct CompiledRegion {
    rows: Vec<CompiledRow>,
}

impl CompiledRegion {
    pub(crate) fn new(region: &Region, slots: &Slots) -> Option<Self> {
        let rows = region
            .constraints()
            .iter()
            .map(|c| compiled_row(c, slots))
            .collect::<Option<_>>()?;
        Some(Self { rows })
    }

    pub(crate) fn contains(&self, values: &[i128]) -> bool {
        self.rows.iter().all(|(coefficients, constant, relation)| {
            let sum = coefficients.iter().try_fold(*constant, |sum, &(slot, a)| {
                sum.checked_add(product(a, *values.get(slot)?)?)
            });
            match (sum, relation) {
                (Some(s), Relation::NonNegative) => s >= 0,
                (Some(s), Relation::Zero) => s == 0,
                (None, _) => false,
            }
        })
    }
}

type CompiledRow = (Vec<(usize, i128)>, i128, Relation);

fn compiled_row(c: &Constraint, slots: &Slots) -> Option<CompiledRow> {
    let coefficients = c
        .coefficients()
        .iter()
        .map(|&(v, a)| Some((slots.slot(v)?, a)))
        .collect::<Option<_>>()?;
    Some((coefficients, c.constant(), c.relation()))
}

/// An enumeration of the integer points of a region, variable by variable, limited to windows where the region is unbounded.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    /// For each enumerated variable, its slot and the rows that bound it, given the previous variables.
    ranges: Vec<(usize, Vec<CompiledRow>)>,
    all: CompiledRegion,
}

impl Points {
    /// Prepares an enumeration: `fixed` variables receive values when points are requested; `free` variables are enumerated, in this order.
    pub(crate) fn new(region: &Region, slots: &Slots, free: &[Var]) -> Option<Self> {
        let all = CompiledRegion::new(region, slots)?;
        let mut ranges = Vec::new();
        for (i, &v) in free.iter().enumerate() {
            let shadow = region.project_out(&free[i + 1..])?;
            let rows = shadow
                .constraints()
                .iter()
                .filter(|c| c.variables().any(|w| w == v))
                .map(|c| compiled_row(c, slots))
                .collect::<Option<_>>()?;
            ranges.push((slots.slot(v)?, rows));
        }
        Some(Self { ranges, all })
    }

    /// Calls `visit` for each point (up to `limit` points, and at most `window` values per variable). The slots of the free variables in
    /// `values` are overwritten. Returns whether these were all points.
    pub(crate) fn visit(
        &self,
        values: &mut [i128],
        window: i128,
        limit: usize,
        visit: &mut dyn FnMut(&[i128]),
    ) -> bool {
        if self.ranges.is_empty() {
            if self.all.contains(values) {
                visit(values);
            }
            return true;
        }
        let mut tried = 0;
        let mut ends: Vec<i128> = Vec::new();
        // The first variable with values left to try.
        let mut depth = 0;
        loop {
            let (slot, rows) = &self.ranges[depth];
            if ends.len() == depth {
                let (low, high) = range(rows, *slot, values, window);
                values[*slot] = low;
                ends.push(high);
            } else {
                values[*slot] += 1;
            }
            tried += 1;
            work::add(4 + 4 * rows.len());
            if tried > 4 * limit {
                return false;
            }
            if values[*slot] > ends[depth] {
                ends.pop();
                if depth == 0 {
                    return true;
                }
                depth -= 1;
            } else if depth + 1 < self.ranges.len() {
                depth += 1;
            } else if self.all.contains(values) {
                visit(values);
            }
        }
    }
}

impl Points {
    /// Returns the number of enumerated variables.
    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Visits the corners: each variable has the least or greatest value that the previous ones permit. At large sizes, where not all
    /// points can be visited, the corners are the relevant ones.
    pub(crate) fn corners(
        &self,
        values: &mut [i128],
        window: i128,
        visit: &mut dyn FnMut(&[i128]),
    ) {
        if self.ranges.is_empty() || self.ranges.len() > MOST_CORNERED {
            return;
        }
        for ends in 0..1u32 << self.ranges.len() {
            let mut inside = true;
            for (i, (slot, rows)) in self.ranges.iter().enumerate() {
                // A bounded range is followed to its end; an unbounded one has no corner at that end.
                let (low, mut high) = range(rows, *slot, values, ENDLESS);
                if high - low >= ENDLESS {
                    high = low + window;
                }
                inside &= low <= high;
                values[*slot] = if ends >> i & 1 == 0 { low } else { high };
            }
            if inside && self.all.contains(values) {
                visit(values);
            }
        }
    }
}

/// The number of values from which a range counts as unbounded.
const ENDLESS: i128 = 1 << 40;

/// The maximum number of variables for which corners are visited.
const MOST_CORNERED: usize = 8;

fn range(rows: &[CompiledRow], slot: usize, values: &[i128], window: i128) -> (i128, i128) {
    let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
    for (coefficients, constant, relation) in rows {
        let mut a = 0;
        let mut rest = Some(*constant);
        for &(s, b) in coefficients {
            if s == slot {
                a = b;
            } else {
                rest = rest.and_then(|r| r.checked_add(product(b, *values.get(s)?)?));
            }
        }
        let Some(rest) = rest else { continue };
        // a·x + rest >= 0
        if a > 0 || *relation == Relation::Zero {
            let bound = div_ceil(-rest, a);
            low = Some(low.map_or(bound, |l| l.max(bound)));
        }
        if a < 0 || *relation == Relation::Zero {
            let bound = div_floor(-rest, a);
            high = Some(high.map_or(bound, |h| h.min(bound)));
        }
    }
    match (low, high) {
        (Some(l), Some(h)) => (l, h.min(l + 64.max(window))),
        (Some(l), None) => (l, l + window),
        (None, Some(h)) => (h - window, h),
        (None, None) => (-(window / 2), window / 2),
    }
}

fn div_floor(a: i128, b: i128) -> i128 {
    num_integer::Integer::div_floor(&a, &b)
}

fn div_ceil(a: i128, b: i128) -> i128 {
    num_integer::Integer::div_ceil(&a, &b)
}
