//! Checks of shares during a run, for services that do not end (Mera et al. 2010, Section 4): after a number of calls, or at time
//! intervals, with a weight for older measurements.
//!
//! The use of a predicate is accumulated as `A := D·A + U`, where `U` is its use since the previous check and `D` is the weight of older
//! use: with 1 the whole run is accumulated, with 0 older use is discarded, and with 0.5 the previous sum counts half at the next check.

use costlens_machine::{CentreName, Looker, Measured};

use super::{Asserted, Check, Seen, evaluate, part};
use crate::search::Predicate;

/// Periodic checks of shares.
#[derive(Debug)]
pub struct Periodic {
    /// The weight of older measurements, from 0 to 1.
    decay: f64,
    checks: Vec<Share>,
    /// The number of checks made so far.
    number: u64,
}

/// The check of a share, and its observations.
#[derive(Debug)]
struct Share {
    check: Check,
    seen: Seen,
    /// The use of the predicate, and of the whole run, as of the previous check.
    before: [u64; 2],
    /// The weighted use of the predicate and of the whole run.
    sums: [f64; 2],
}

impl Periodic {
    /// Creates periodic checks from the checks of shares; other checks are ignored.
    #[must_use]
    pub fn new(checks: &[Check], decay: f64) -> Self {
        let shares = checks.iter().filter(|check| check.is_relative());
        Periodic {
            decay: decay.clamp(0.0, 1.0),
            checks: shares
                .map(|check| Share {
                    check: check.clone(),
                    seen: Seen::default(),
                    before: [0; 2],
                    sums: [0.0; 2],
                })
                .collect(),
            number: 0,
        }
    }

    /// Returns the predicates whose shares are checked.
    pub fn predicates(&self) -> impl Iterator<Item = &Predicate> {
        self.checks.iter().map(|share| &share.check.predicate)
    }

    /// Returns the observations of each check, in order.
    pub fn seen(&self) -> impl Iterator<Item = &Seen> {
        self.checks.iter().map(|share| &share.seen)
    }
}

impl Looker for Periodic {
    fn look(&mut self, measured: &Measured) {
        self.number += 1;
        for share in &mut self.checks {
            share.look(measured, self.decay, self.number);
        }
    }
}

impl Share {
    #[expect(clippy::cast_precision_loss, reason = "amounts of a run")]
    fn look(&mut self, measured: &Measured, decay: f64, number: u64) {
        let Asserted::OfRun(cost) = &self.check.asserted else {
            return;
        };
        let resource = self.check.resource;
        if !measured.has(resource) {
            return;
        }
        let (name, arity) = &self.check.predicate;
        let is_it = |to: usize| match measured.centres.get(to).map(|c| &c.name) {
            Some(CentreName::Predicate(of, n)) => of == name && n == arity,
            _ => false,
        };
        let into = measured.edges.iter().filter(|edge| is_it(edge.to));
        let used = into
            .map(|edge| part(&edge.ports, cost.cost_type, resource))
            .sum();
        let now = [used, measured.total.amount(resource)];
        for ((sum, before), now) in self.sums.iter_mut().zip(&mut self.before).zip(now) {
            // The use decreases if the program has reset the profile.
            let since = if now < *before { now } else { now - *before };
            *sum = decay * *sum + since as f64;
            *before = now;
        }
        let percent = evaluate::value(&cost.percent, &|_, _| None);
        match percent {
            Some(asserted) if self.sums[1] > 0.0 => {
                let value = 100.0 * self.sums[0] / self.sums[1];
                let when = format!("check {number}");
                self.check
                    .judge(&mut self.seen, Some(&when), value, asserted, true);
            }
            _ => self.seen.left_out += 1,
        }
    }
}
