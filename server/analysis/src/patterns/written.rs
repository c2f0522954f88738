//! Parses patterns in their printed form: `(+list(int), -)`.

use costlens_infer::opaque::Opaque;
use costlens_infer::regular::Regulars;
use costlens_infer::types::{DEEPEST_LIST, Pattern, TextType, Type};
use costlens_syntax::assertions::OpaqueName;

/// Parses a pattern as printed with modes: `()`, `(+list(int), -, ?)`. `is_measured` returns whether the characters of an argument (from
/// 1), or of its elements, are counted: the printed name of an atom is the same in both cases.
///
/// Returns `None` for a type that is unknown in `types`.
#[must_use]
pub fn written_pattern(
    text: &str,
    is_measured: &dyn Fn(usize, bool) -> bool,
    types: &Regulars,
) -> Option<Pattern> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let arguments = (1..).zip(arguments(inner));
    let read = arguments.map(|(number, argument)| {
        let measured = |element| is_measured(number, element);
        match argument {
            "-" => Some(Type::Free),
            "?" => Some(Type::Any),
            bound => written_type(bound.strip_prefix('+')?, &measured, types),
        }
    });
    read.collect::<Option<_>>().map(Pattern)
}

/// Splits text at commas outside brackets.
fn arguments(inner: &str) -> Vec<&str> {
    if inner.is_empty() {
        return Vec::new();
    }
    let (mut found, mut depth, mut from) = (Vec::new(), 0_usize, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(inner[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(inner[from..].trim());
    found
}

fn written_type(text: &str, is_measured: &dyn Fn(bool) -> bool, types: &Regulars) -> Option<Type> {
    let (mut inner, mut lists) = (text, 0);
    while let Some(element) = inner.strip_prefix("list(") {
        inner = element.strip_suffix(')')?;
        lists += 1;
        if lists > DEEPEST_LIST {
            return None;
        }
    }
    let named = match inner {
        "none" => Type::None,
        "list" => Type::List(Box::new(Type::None)),
        "int" => Type::Int,
        "num" => Type::Number,
        "atm" if lists < 2 && is_measured(lists == 1) => Type::Text(TextType::Atom),
        "atm" => Type::Atom,
        "string" => Type::Text(TextType::String),
        "atom_or_string" => Type::Text(TextType::Either),
        "ground" => Type::Ground,
        "nonvar" => Type::Nonvar,
        "var" => Type::Free,
        "any" => Type::Any,
        name => match (types.named(name), opaque(name)) {
            (Some(named @ (Type::Tree(_) | Type::Opaque(_))), _) => named,
            (None, Some((of, [key, value]))) => {
                let content = |text| written_type(text, is_measured, types);
                Type::Opaque(Opaque::new(of, content(key)?, content(value)?).into())
            }
            _ => return None,
        },
    };
    Some((0..lists).fold(named, |element, _| Type::List(Box::new(element))))
}

/// Splits `assoc(int, list(atm))`. Contents are not opaque, so they do not nest.
fn opaque(text: &str) -> Option<(OpaqueName, [&str; 2])> {
    let (name, contents) = text.strip_suffix(')')?.split_once('(')?;
    let of = OpaqueName::ALL.into_iter().find(|o| o.name() == name)?;
    let is_nested = OpaqueName::ALL
        .into_iter()
        .any(|o| contents.starts_with(o.name()));
    let parts = <[&str; 2]>::try_from(arguments(contents)).ok()?;
    (!is_nested).then_some((of, parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read() {
        let list = |of| Type::List(Box::new(of));
        let all = vec![
            Type::Int,
            Type::Number,
            Type::Atom,
            Type::Text(TextType::Atom),
            Type::Text(TextType::String),
            Type::Text(TextType::Either),
            list(Type::None),
            list(Type::Any),
            list(list(Type::Int)),
            list(Type::Text(TextType::Atom)),
            Type::Opaque(Opaque::new(OpaqueName::Assoc, Type::Any, Type::Any).into()),
            Type::Opaque(Opaque::new(OpaqueName::Assoc, Type::None, Type::None).into()),
            Type::Opaque(Opaque::new(OpaqueName::RedBlack, Type::Int, list(Type::Atom)).into()),
            Type::Ground,
            Type::Nonvar,
            Type::Free,
            Type::Any,
        ];
        let printed: Vec<String> = (all.iter())
            .map(|t| match t {
                Type::Free => "-".to_owned(),
                Type::Any => "?".to_owned(),
                bound => format!("+{bound}"),
            })
            .collect();
        let text = format!("({})", printed.join(", "));
        let is_measured = |argument, element| {
            (argument, element) == (4, false) || (argument, element) == (10, true)
        };
        let types = Regulars::default();
        assert_eq!(
            written_pattern(&text, &is_measured, &types),
            Some(Pattern(all))
        );
        assert_eq!(
            written_pattern("()", &is_measured, &types),
            Some(Pattern(Vec::new()))
        );
        for wrong in ["", "(+tree, -)", "(int)", "(+list(int)", "(+)"] {
            assert_eq!(
                written_pattern(wrong, &is_measured, &types),
                None,
                "{wrong}"
            );
        }
    }
}
