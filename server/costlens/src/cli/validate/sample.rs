//! Selects the inputs that are timed on an engine, among those that have run on the embedded machine, so that inputs that throw, run
//! forever or take long are known in advance.

use std::collections::{BTreeMap, BTreeSet};

use costlens_machine::generate::Input;
use num_bigint::BigInt;

use super::runs::Ran;

/// The number of steps above which a run is not timed, since each run is repeated dozens of times.
const MOST_STEPS: u64 = 100_000;
/// The maximum number of timed sizes of a series, unless the user named sizes.
const MOST_SIZES: usize = 12;
/// The maximum number of timed sizes outside the first axis.
const MOST_OTHERS: usize = 6;

/// The inputs of one size: the first input, and those with the least and the greatest count.
#[derive(Default)]
struct OfSize {
    first: Option<Input>,
    least: Option<(u64, Input)>,
    most: Option<(u64, Input)>,
    /// True if some inputs take too long to be timed, so that the other inputs do not show the maximum time of this size.
    is_cut: bool,
}

/// Inputs by size.
#[derive(Default)]
pub(super) struct Sample {
    sizes: BTreeMap<Vec<BigInt>, OfSize>,
    /// The number of inputs that are not timed because their runs threw or were cut off.
    pub(super) left_out: usize,
    /// The number of runs that take too long to be timed. Other runs of the same sizes are not timed either.
    pub(super) long: usize,
}

impl Sample {
    /// Records a run of an input with these sizes.
    pub(super) fn note(&mut self, sizes: &[BigInt], ran: &Ran, input: &Input) {
        if !ran.all.complete || ran.limit.is_some() {
            self.left_out += 1;
            return;
        }
        let cost = ran.all.counts.first().copied().unwrap_or(0);
        let own = self.sizes.entry(sizes.to_vec()).or_default();
        if cost > MOST_STEPS {
            self.long += 1;
            own.is_cut = true;
            return;
        }
        own.first.get_or_insert_with(|| input.clone());
        if own.least.as_ref().is_none_or(|(least, _)| cost < *least) {
            own.least = Some((cost, input.clone()));
        }
        if own.most.as_ref().is_none_or(|(most, _)| cost > *most) {
            own.most = Some((cost, input.clone()));
        }
    }

    /// Returns the inputs to be timed, starting with sizes on the first axis, where all other sizes are as in `base`. `all` selects every
    /// size.
    pub(super) fn chosen(self, base: &[BigInt], all: bool) -> Vec<(Vec<BigInt>, Input)> {
        let others = base.get(1..).unwrap_or_default();
        let whole = (self.sizes.into_iter()).filter(|(_, own)| !own.is_cut);
        let (main, other): (Vec<_>, Vec<_>) =
            whole.partition(|(sizes, _)| sizes.get(1..).unwrap_or_default() == others);
        let most = |most: usize| if all { usize::MAX } else { most };
        let some = spread(main, most(MOST_SIZES));
        let some = some.into_iter().chain(spread(other, most(MOST_OTHERS)));
        some.flat_map(|(sizes, own)| own.inputs().map(move |input| (sizes.clone(), input)))
            .collect()
    }
}

impl OfSize {
    /// Returns the distinct inputs.
    fn inputs(self) -> impl Iterator<Item = Input> {
        let extremes = [self.least, self.most].into_iter().flatten();
        let all = extremes.map(|(_, input)| input).chain(self.first);
        let mut texts = BTreeSet::new();
        all.filter(move |input| texts.insert(input.text()))
    }
}

/// Selects at most this number of items, evenly spread, including the first and the last.
fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let count = all.len();
    if count <= most {
        return all;
    }
    let wanted: BTreeSet<usize> = (0..most)
        .map(|i| i * (count - 1) / (most - 1).max(1))
        .collect();
    let numbered = all.into_iter().enumerate();
    let kept = numbered.filter(|(i, _)| wanted.contains(i));
    kept.map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spread_has_both_ends() {
        let some = spread((0..50).collect(), 12);
        assert_eq!(some.len(), 12);
        assert_eq!((some.first(), some.last()), (Some(&0), Some(&49)));
        assert_eq!(spread(vec![1, 2], 12), [1, 2]);
    }
}
