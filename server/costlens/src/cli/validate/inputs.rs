//! Generates inputs of given sizes: from each family of the machine's generators, and by varying the worst input so far.

use costlens_analysis::report::SizeVariable;
use costlens_ide::attained::{Effort, families, wanted};
use costlens_machine::generate::{Generator, Input, Random, Type, Vocabulary};
use costlens_syntax::term::{CONS, NIL, TermId};
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

/// The generator of inputs for one call pattern.
pub(super) struct Maker<'m> {
    pub(super) predicate: &'m str,
    pub(super) types: &'m [Type],
    pub(super) axes: &'m [SizeVariable],
    pub(super) vocabulary: &'m Vocabulary,
    pub(super) seed: u64,
}

impl Maker<'_> {
    /// Returns an input of the given sizes; `number` selects the family. Returns `None` if the family has no input of these sizes.
    pub(super) fn input(&self, sizes: &[BigInt], number: usize) -> Option<Input> {
        let variables: Vec<&SizeVariable> = self.axes.iter().collect();
        let wanted = wanted(&variables, self.types, sizes)?;
        let all = families(Effort::Thorough);
        let family = all[number % all.len()];
        let seed = self.seed_of(sizes, number / all.len());
        Generator::of_family(seed, family, self.vocabulary)
            .goal_of_sizes(self.predicate, self.types, &wanted)
            .ok()
    }

    /// Returns a seed that is specific to these sizes.
    pub(super) fn seed_of(&self, sizes: &[BigInt], round: usize) -> u64 {
        let mut random = Random(self.seed ^ (round as u64).rotate_left(32));
        for size in sizes {
            let low = size.to_i64().unwrap_or(i64::MAX).cast_unsigned();
            random = Random(random.word() ^ low);
        }
        random.word()
    }
}

/// Returns a variation of an input: two elements of a list are exchanged, one element replaces another, or a part is reversed. The sizes of
/// lists do not change, but element sizes may. Returns `None` if no argument is a list of at least two elements.
pub(super) fn changed(input: &Input, predicate: &str, random: &mut Random) -> Option<Input> {
    let mut changed = input.clone();
    let mut arguments = changed.arguments().to_vec();
    let lists: Vec<(usize, Vec<TermId>)> = (arguments.iter().enumerate())
        .filter_map(|(i, &argument)| {
            let (elements, rest) = changed.terms.list(argument);
            let proper = changed.terms.as_atom(rest).is_some_and(|name| name == NIL);
            (proper && elements.len() > 1).then_some((i, elements))
        })
        .collect();
    if lists.is_empty() {
        return None;
    }
    let (place, mut elements) = lists[random.below(lists.len())].clone();
    let (one, other) = (random.below(elements.len()), random.below(elements.len()));
    match random.below(3) {
        0 => elements.swap(one, other),
        1 => elements[one] = elements[other],
        _ => elements[one.min(other)..=one.max(other)].reverse(),
    }
    let mut list = changed.terms.atom(NIL);
    for &element in elements.iter().rev() {
        list = changed.terms.compound(CONS, &[element, list]);
    }
    arguments[place] = list;
    changed.goal = changed.terms.compound_or_atom(predicate, &arguments);
    Some(changed)
}

#[cfg(test)]
mod tests {
    use costlens_analysis::types::Metric;

    use super::*;

    fn axes() -> [SizeVariable; 1] {
        [SizeVariable {
            var: costlens_algebra::Var(0),
            argument: 1,
            metric: Metric::Length,
            element: false,
            name: "n".to_owned(),
        }]
    }

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        let (axes, types) = (axes(), [Type::list(Type::Int), Type::Free]);
        let vocabulary = Vocabulary::default();
        let made = |seed| {
            let maker = Maker {
                predicate: "p",
                types: &types,
                axes: &axes,
                vocabulary: &vocabulary,
                seed,
            };
            let inputs = (0..30).filter_map(|number| maker.input(&[BigInt::from(5)], number));
            inputs.map(|input| input.text()).collect::<Vec<String>>()
        };
        assert_eq!(made(1), made(1));
        assert_ne!(made(1), made(2));
    }

    #[test]
    fn a_changed_list_is_as_long() {
        let (axes, types) = (axes(), [Type::list(Type::Int), Type::Free]);
        let maker = Maker {
            predicate: "p",
            types: &types,
            axes: &axes,
            vocabulary: &Vocabulary::default(),
            seed: 1,
        };
        let mut input = maker.input(&[BigInt::from(6)], 2).unwrap();
        let before = input.text();
        let mut random = Random(7);
        for _ in 0..20 {
            input = changed(&input, "p", &mut random).unwrap();
            let (elements, _) = input.terms.list(input.arguments()[0]);
            assert_eq!(elements.len(), 6);
        }
        assert_ne!(input.text(), before);
        let short = maker.input(&[BigInt::from(1)], 2).unwrap();
        assert!(changed(&short, "p", &mut random).is_none());
    }
}
