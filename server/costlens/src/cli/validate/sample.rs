//! The inputs that are timed on an engine: a few of those that ran on the embedded machine, so that what throws, does not end or takes long is known before.

use std::collections::{BTreeMap, BTreeSet};

use costlens_machine::generate::Input;
use num_bigint::BigInt;

use super::runs::Ran;

/// Runs of more steps are not timed: each is repeated dozens of times.
const MOST_STEPS: u64 = 100_000;
/// The sizes of a series that are timed, where nobody has named some.
const MOST_SIZES: usize = 12;
/// The same for sizes that are not on the axis.
const MOST_OTHERS: usize = 6;

/// The inputs of one size: the first that came, and those that counted least and most.
#[derive(Default)]
struct OfSize {
    first: Option<Input>,
    least: Option<(u64, Input)>,
    most: Option<(u64, Input)>,
    /// True where some inputs are too long to be timed: what is left of the size says nothing of the most.
    is_cut: bool,
}

/// Inputs by their sizes.
#[derive(Default)]
pub(super) struct Sample {
    sizes: BTreeMap<Vec<BigInt>, OfSize>,
    /// Inputs that are not timed, since their runs threw or were cut off.
    pub(super) left_out: usize,
    /// Runs that are too long to be timed. Nothing of their sizes is.
    pub(super) long: usize,
}

impl Sample {
    /// Notes a run of an input, whose sizes these are.
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

    /// The inputs to be timed, those of sizes on the first axis (all others are as in `base`) in front. `all` takes every size.
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
    /// The inputs, each once.
    fn inputs(self) -> impl Iterator<Item = Input> {
        let extremes = [self.least, self.most].into_iter().flatten();
        let all = extremes.map(|(_, input)| input).chain(self.first);
        let mut texts = BTreeSet::new();
        all.filter(move |input| texts.insert(input.text()))
    }
}

/// Picks that many, evenly spread. The first and the last are among them.
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
