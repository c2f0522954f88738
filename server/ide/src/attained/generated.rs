//! Generates calls of a predicate with increasing sizes, for callers that run them.

use costlens_analysis::report::{Functor, PatternReport};
use costlens_machine::generate::{Generator, Input, SizeRequest, Type, Vocabulary};
use costlens_program::SourceFile;
use costlens_program::workspace::terms;

use super::inputs::types;
use crate::db::{Db, reached_report};
use crate::present::pattern_head;

/// The number of seeds that are tried for a call of one size, since a type may lack terms of some sizes.
const TRIES: u64 = 4;

/// Calls of a predicate that match one of its patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// The pattern, as a head with modes and types.
    pub pattern: String,
    /// The calls, smallest first.
    pub calls: Vec<Input>,
}

/// The reason why no calls are generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCalls {
    /// The file does not define the predicate.
    #[error("the program defines no `{0}`")]
    NotDefined(Functor),
    /// The predicate has no known call patterns.
    #[error(
        "it is not known what `{0}` is called with: declare it, as in `%! {1}(+Xs:list, -Ys) is det.`"
    )]
    NoTypes(Functor, String),
}

/// Generates a number of calls with sizes that grow up to a maximum. Small sizes are closer together. Equal seeds give equal calls.
pub(crate) fn calls(
    db: &dyn Db,
    file: SourceFile,
    predicate: &Functor,
    count: usize,
    largest: u32,
    seed: u64,
) -> Result<Calls, NoCalls> {
    let report = reached_report(db, file, predicate);
    let report = report.ok_or_else(|| NoCalls::NotDefined(predicate.clone()))?;
    let known = report
        .patterns
        .iter()
        .find_map(|p| Some((p, types(&p.pattern)?)));
    let no_types = || NoCalls::NoTypes(predicate.clone(), predicate.name.to_string());
    let (pattern, types) = known.ok_or_else(no_types)?;
    let vocabulary = Vocabulary::of_file(&terms(db, file));
    let calls = (0..count).map(|n| {
        let size = size_of(n, count, largest);
        let seed = seed.wrapping_add((n as u64).wrapping_mul(TRIES));
        call(predicate, pattern, &types, &vocabulary, size, seed)
    });
    Ok(Calls {
        pattern: pattern_head(&predicate.name, &pattern.pattern, &[]),
        calls: calls.collect(),
    })
}

/// Returns the size of a call, which grows with the square of its index.
fn size_of(n: usize, count: usize, largest: u32) -> u32 {
    let (n, last) = (n as u128, count.saturating_sub(1).max(1) as u128);
    let size = u128::from(largest) * n * n / (last * last);
    u32::try_from(size).unwrap_or(largest)
}

/// Returns a call whose sized arguments have this size, or else a call of any size.
fn call(
    predicate: &Functor,
    pattern: &PatternReport,
    types: &[Type],
    vocabulary: &Vocabulary,
    size: u32,
    seed: u64,
) -> Input {
    let is_sized = |argument: usize| {
        let mut sizes = pattern.sizes.iter();
        sizes.any(|s| s.argument == argument + 1 && !s.element)
    };
    let wanted: Vec<SizeRequest> = (0..types.len())
        .map(|argument| match is_sized(argument) {
            true => SizeRequest::new(size),
            false => SizeRequest::default(),
        })
        .collect();
    let sized = (0..TRIES).find_map(|more| {
        let generator = Generator::new(seed.wrapping_add(more), vocabulary);
        generator
            .goal_of_sizes(&predicate.name, types, &wanted)
            .ok()
    });
    sized.unwrap_or_else(|| Generator::new(seed, vocabulary).goal(&predicate.name, types))
}

#[cfg(test)]
mod tests {
    use super::size_of;

    #[test]
    fn sizes_grow_to_the_largest() {
        let sizes: Vec<u32> = (0..6).map(|n| size_of(n, 6, 50)).collect();
        assert_eq!(sizes, [0, 2, 8, 18, 32, 50]);
        assert_eq!(size_of(0, 1, 50), 0);
    }
}
