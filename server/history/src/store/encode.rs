//! Encoding of columns: inputs and amounts as lines of text, counts as numbers with seven bits per byte.

use smol_str::SmolStr;

use crate::run::{InputName, InputValue, Inputs, Measure};

/// Appends a number with seven bits per byte, the lowest bits first.
fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push((number & 0x7f) as u8);
}

fn number(bytes: &mut std::slice::Iter<'_, u8>) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Appends a block's number, the number of times that it was reached, and the number of times that it failed.
pub(super) fn push_count(out: &mut Vec<u8>, block: u64, reached: u64, failed: u64) {
    for part in [block, reached, failed] {
        push_number(out, part);
    }
}

/// Decodes the output of [`push_count`].
pub(super) fn read_counts(bytes: &[u8]) -> Vec<(u64, u64, u64)> {
    let mut bytes = bytes.iter();
    let mut counts = Vec::new();
    while let (Some(block), Some(reached), Some(failed)) =
        (number(&mut bytes), number(&mut bytes), number(&mut bytes))
    {
        counts.push((block, reached, failed));
    }
    counts
}

/// Encodes amounts, one per line: `12 get_list`.
pub(super) fn amounts(amounts: &[(SmolStr, u64)]) -> String {
    let lines: Vec<String> = amounts.iter().map(|(n, k)| format!("{k} {n}")).collect();
    lines.join("\n")
}

pub(super) fn read_amounts(text: &str) -> Vec<(SmolStr, u64)> {
    let line = |line: &str| {
        let (count, name) = line.split_once(' ')?;
        Some((name.into(), count.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

/// Encodes inputs, one per line: `1 length 30`, `2 name red`.
pub(super) fn inputs(inputs: &Inputs) -> String {
    let lines: Vec<String> = (inputs.iter())
        .map(|(name, value)| {
            let value = match value {
                InputValue::Number(n) => n.to_string(),
                InputValue::Name(name) => name.replace(['\n', '\r'], " "),
            };
            format!("{} {} {value}", name.argument, name.measure.word())
        })
        .collect();
    lines.join("\n")
}

pub(super) fn read_inputs(text: &str) -> Inputs {
    let line = |line: &str| {
        let mut parts = line.splitn(3, ' ');
        let argument = parts.next()?.parse().ok()?;
        let measure = Measure::from_word(parts.next()?)?;
        let value = parts.next()?;
        let value = match measure {
            Measure::Name => InputValue::Name(value.into()),
            _ => InputValue::Number(value.parse().ok()?),
        };
        Some((InputName { argument, measure }, value))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn counts_are_read_as_they_were_written(counts in prop::collection::vec(any::<(u64, u64, u64)>(), 0..40)) {
            let mut bytes = Vec::new();
            for &(block, reached, failed) in &counts {
                push_count(&mut bytes, block, reached, failed);
            }
            prop_assert_eq!(read_counts(&bytes), counts);
        }
    }

    #[test]
    fn inputs_are_read_as_they_were_written() {
        let name = |argument, measure| InputName { argument, measure };
        let all = vec![
            (name(1, Measure::Length), InputValue::Number(30.0)),
            (name(1, Measure::ElementInt), InputValue::Number(-2.5)),
            (name(2, Measure::Name), InputValue::Name("a b".into())),
        ];
        assert_eq!(read_inputs(&inputs(&all)), all);
        // There are never more lines than inputs.
        let odd = vec![(name(1, Measure::Name), InputValue::Name("a\nb".into()))];
        assert_eq!(read_inputs(&inputs(&odd)).len(), 1);
    }

    #[test]
    fn amounts_are_read_as_they_were_written() {
        let all = vec![("arith_eval(fail)".into(), 3), ("is/2".into(), u64::MAX)];
        assert_eq!(read_amounts(&amounts(&all)), all);
    }
}
