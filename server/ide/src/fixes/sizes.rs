//! The sizes on which the bounds of two versions depend. Determines for which sizes one bound is below the other.
//!
//! Each report numbers only the sizes that it mentions. Expressions are therefore translated to a common list of sizes before they are
//! compared.

use std::collections::BTreeMap;

use costlens_algebra::prove::nonnegative;
use costlens_algebra::sign::{Sign, sign_intervals};
use costlens_algebra::{Constraint, Expr, Region, Var};
use costlens_analysis::report::{PatternReport, SizeVariable};
use num_bigint::BigInt;

use crate::present::names;
use crate::present::regions::region_readable;

/// The maximum start value that is tried if there are several sizes.
const LARGEST_START: i64 = 8;

/// A common list of sizes, with the names of the first report, and the region to consider.
#[derive(Clone)]
pub(super) struct Sizes {
    pub(super) all: Vec<SizeVariable>,
    region: Region,
}

impl Sizes {
    /// Returns the common sizes of two reports, restricted to their main pieces.
    pub(super) fn common(before: &PatternReport, after: &PatternReport) -> Option<Self> {
        let mut sizes = Self {
            all: before.sizes.clone(),
            region: before.main_piece()?.when.clone(),
        };
        let after = sizes.region_of(&after.main_piece()?.when, after)?;
        Some(sizes.restricted(&after))
    }

    /// Restricts the sizes to a region.
    pub(super) fn restricted(&self, region: &Region) -> Self {
        let mut sizes = self.clone();
        sizes.region = self.region.and_all(region);
        sizes
    }

    /// Returns true if the region is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.region.is_empty()
    }

    /// Translates an expression in the sizes of a report to the common sizes.
    pub(super) fn renamed(&mut self, e: &Expr, report: &PatternReport) -> Option<Expr> {
        e.substitute(&self.renaming(e.variables(), report)?)
    }

    /// Translates a region in the sizes of a report to the common sizes.
    pub(super) fn region_of(&mut self, region: &Region, report: &PatternReport) -> Option<Region> {
        region.substitute(&self.renaming(region.variables(), report)?)
    }

    fn renaming(
        &mut self,
        variables: Vec<Var>,
        report: &PatternReport,
    ) -> Option<BTreeMap<Var, Expr>> {
        let mut by = BTreeMap::new();
        for v in variables {
            let size = report.sizes.iter().find(|s| s.var == v)?;
            by.insert(v, Expr::var(self.same(size)));
        }
        Some(by)
    }

    /// Returns the common size with the same argument and metric. Adds it if necessary.
    fn same(&mut self, size: &SizeVariable) -> Var {
        let is_same = |s: &&SizeVariable| {
            s.argument == size.argument && s.metric == size.metric && s.element == size.element
        };
        if let Some(own) = self.all.iter().find(is_same) {
            return own.var;
        }
        let next = self.all.iter().map(|s| s.var.0 + 1).max();
        let var = Var(next.unwrap_or_default());
        let is_taken = |name: &str| self.all.iter().any(|s| s.name == name);
        let letters = ["n", "m", "k", "p", "q"].into_iter().map(str::to_owned);
        let mut names = letters.chain((1..).map(|i| format!("n{i}")));
        let name = names.find(|name| !is_taken(name)).unwrap_or_default();
        let least = size.metric.least().map(Expr::int);
        if let Some(bound) = least.and_then(|k| Constraint::ge(&Expr::var(var), &k)) {
            self.region = self.region.and(bound);
        }
        self.all.push(SizeVariable {
            var,
            name,
            ..size.clone()
        });
        var
    }

    /// Describes the sizes for which the difference `positive` is positive and the other difference is nonnegative. They must include all
    /// sizes above some value.
    pub(super) fn for_which(&self, positive: &Expr, other: &Expr) -> Option<String> {
        let mut variables = positive.variables();
        variables.extend(other.variables());
        variables.sort_unstable();
        variables.dedup();
        let start = match variables.as_slice() {
            [v] => self.exact_start(*v, positive, other),
            _ => None,
        };
        if let ([v], Some(start)) = (variables.as_slice(), start) {
            return self.lower_limit_text(&[*v], start);
        }
        let one = Expr::int(1);
        let holds =
            |region: &Region| nonnegative(&(positive - &one), region) && nonnegative(other, region);
        if holds(&self.region) {
            return Some(self.words(None));
        }
        for k in 1..=LARGEST_START {
            let each = variables.iter().map(std::slice::from_ref);
            for those in each.chain([variables.as_slice()]) {
                let above = |region: Region, v: &Var| {
                    let bound = Constraint::ge(&Expr::var(*v), &Expr::int(k));
                    bound.map_or(region.clone(), |bound| region.and(bound))
                };
                let region = those.iter().fold(self.region.clone(), above);
                if holds(&region) {
                    return self.lower_limit_text(those, k.into());
                }
            }
        }
        self.farther_apart(&variables, positive, other)
    }

    /// Returns a condition of the form `m ≥ n + 1` under which the difference `positive` is positive. Both differences must be nonnegative
    /// for all sizes.
    fn farther_apart(&self, variables: &[Var], positive: &Expr, other: &Expr) -> Option<String> {
        let is_never_worse =
            nonnegative(positive, &self.region) && nonnegative(other, &self.region);
        is_never_worse.then_some(())?;
        let name = |v: &Var| {
            let size = self.all.iter().find(|s| s.var == *v)?;
            Some(size.name.clone())
        };
        for k in 1..=LARGEST_START {
            for large in variables {
                for small in variables.iter().filter(|small| *small != large) {
                    let least = &Expr::var(*small) + &Expr::int(k);
                    let apart = Constraint::ge(&Expr::var(*large), &least)?;
                    let region = self.region.and(apart);
                    let is_less = nonnegative(&(positive - &Expr::int(1)), &region);
                    if is_less && !region.is_empty() {
                        let text = format!("{} ≥ {} + {k}", name(large)?, name(small)?);
                        return Some(self.words(Some(text)));
                    }
                }
            }
        }
        None
    }

    /// Returns the least value of a single size such that the condition holds for this and all greater values. Returns `None` if a sign is
    /// unknown.
    fn exact_start(&self, v: Var, positive: &Expr, other: &Expr) -> Option<BigInt> {
        let least = self.least(v);
        let start = |e: &Expr, fits: &dyn Fn(Option<Sign>) -> bool| {
            let mut start = None;
            for interval in sign_intervals(e, v, Some(least.clone()), None) {
                match fits(interval.sign) {
                    true => start = start.or(Some(interval.from.unwrap_or_default())),
                    false => start = None,
                }
            }
            start
        };
        let first = start(positive, &|sign| sign == Some(Sign::Positive))?;
        let second = match other.is_zero() {
            true => least.clone(),
            false => start(other, &|sign| {
                matches!(sign, Some(Sign::Positive | Sign::Zero))
            })?,
        };
        Some(first.max(second))
    }

    /// Returns the minimum of a size, or 0 if it is unknown.
    fn least(&self, v: Var) -> BigInt {
        let (low, _) = self.region.bounds(&Expr::var(v));
        low.map_or(BigInt::ZERO, |k| k.ceil().to_integer())
            .max(BigInt::ZERO)
    }

    /// Formats the condition that several sizes are at least `k`: `n ≥ 2`, `n ≥ 2 and m ≥ 2`, `every size`.
    fn lower_limit_text(&self, those: &[Var], k: BigInt) -> Option<String> {
        if k <= BigInt::ZERO {
            return Some(self.words(None));
        }
        let name = |v: &Var| {
            let size = self.all.iter().find(|s| s.var == *v)?;
            Some(format!("{} ≥ {k}", size.name))
        };
        let names: Vec<String> = those.iter().map(name).collect::<Option<_>>()?;
        Some(self.words(Some(names.join(" and "))))
    }

    /// Returns the constraints of the region other than the minimum of each size.
    fn other_constraints(&self) -> Region {
        let least = self.all.iter().fold(Region::default(), |region, size| {
            let (low, _) = self.region.bounds(&Expr::var(size.var));
            let bound = low.and_then(|low| {
                let least = Expr::constant(low.ceil());
                Constraint::ge(&Expr::var(size.var), &least)
            });
            bound.map_or(region.clone(), |bound| region.and(bound))
        });
        let open = (self.region.constraints().iter()).filter(|c| !least.implies(c));
        open.fold(Region::default(), |region, c| region.and(c.clone()))
            .simplified()
    }

    /// Formats a condition together with the minimum sizes in the region, if these exclude any size.
    fn words(&self, from: Option<String>) -> String {
        let named = |s: &SizeVariable| {
            let least = self.least(s.var);
            let floor = BigInt::from(s.metric.least().unwrap_or(0));
            let text = format!("{} ≥ {least}", s.name);
            let said = (from.as_deref()).is_some_and(|f| f.contains(&format!("{} ≥", s.name)));
            (least > floor && !said).then_some(text)
        };
        let mut all: Vec<String> = from.clone().into_iter().collect();
        all.extend(self.all.iter().filter_map(named));
        // The region may also contain comparisons between sizes.
        let between = self.other_constraints();
        if !between.constraints().is_empty() {
            all.push(region_readable(&between, &names(&self.all)));
        }
        match all.is_empty() {
            true => "every size".to_owned(),
            false => all.join(" and "),
        }
    }
}
