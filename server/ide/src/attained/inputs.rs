//! Converts the types of a pattern for the input generators.

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_analysis::regular::Regular;
use costlens_analysis::types::{Pattern, TextType, Type};
use costlens_machine::generate as machine;
use costlens_syntax::term::{NIL, Term};
use smol_str::SmolStr;

/// Converts the argument types of a call for the generators. Returns `None` if no such call exists, or if the generators do not support a
/// type.
pub(super) fn types(pattern: &Pattern) -> Option<Vec<machine::Type>> {
    let mut regulars = BTreeMap::new();
    for t in &pattern.0 {
        collect(t, &mut regulars);
    }
    let definitions: Option<BTreeMap<SmolStr, Vec<machine::Form>>> = (regulars.iter())
        .map(|(name, r)| Some((name.clone(), forms(r)?)))
        .collect();
    let defined = machine::Types::new(definitions?);
    pattern
        .0
        .iter()
        .map(|t| machine_type(t, &defined))
        .collect()
}

/// Collects the defined types in a type, including nested ones.
fn collect(t: &Type, found: &mut BTreeMap<SmolStr, Arc<Regular>>) {
    match t {
        Type::List(e) => collect(e, found),
        Type::Opaque(o) => {
            collect(&o.key, found);
            collect(&o.value, found);
        }
        Type::Tree(r) if found.insert(r.name.clone(), Arc::clone(r)).is_none() => {
            for part in r.shapes.iter().flat_map(|s| &s.args).chain([&r.leaf]) {
                collect(part, found);
            }
        }
        _ => {}
    }
}

fn machine_type(t: &Type, defined: &Arc<machine::Types>) -> Option<machine::Type> {
    Some(match t {
        Type::None | Type::Itself => return None,
        Type::Int => machine::Type::Int,
        Type::Number => machine::Type::Number,
        Type::Atom | Type::Text(TextType::Atom) => machine::Type::Atom,
        Type::Text(TextType::String) => machine::Type::String,
        Type::Text(TextType::Either) => machine::Type::AtomOrString,
        Type::List(e) if **e == Type::None => machine::Type::Nil,
        Type::List(e) => machine::Type::list(machine_type(e, defined)?),
        Type::Tree(r) if defined.forms(&r.name).is_empty() => return None,
        Type::Tree(r) => machine::Type::Defined(Arc::clone(defined), r.name.clone()),
        Type::Opaque(o) => {
            let content = |t: &Type| match t {
                Type::None => Some(machine::Type::Nil),
                t => machine_type(t, defined),
            };
            let contents = (content(&o.key)?, content(&o.value)?);
            machine::Type::Opaque(o.name, Box::new(contents))
        }
        Type::Ground => machine::Type::Ground,
        Type::Nonvar => machine::Type::Nonvar,
        Type::Free => machine::Type::Free,
        Type::Any => machine::Type::Any,
    })
}

fn forms(regular: &Regular) -> Option<Vec<machine::Form>> {
    let mut found = Vec::new();
    for shape in &regular.shapes {
        found.push(match functor(&shape.functor)? {
            (constant, None) => machine::Form::Constant(constant),
            (Term::Atom(name), Some(_)) => {
                let parts: Option<Vec<machine::ArgumentType>> =
                    shape.args.iter().map(|t| part(t, regular)).collect();
                machine::Form::Compound(name, parts?)
            }
            _ => return None,
        });
    }
    if regular.leaf != Type::None {
        found.push(machine::Form::Other(machine_type(
            &regular.leaf,
            &Arc::default(),
        )?));
    }
    Some(found)
}

fn part(t: &Type, regular: &Regular) -> Option<machine::ArgumentType> {
    let name = |t: &Type| match t {
        Type::Itself => Some(regular.name.clone()),
        Type::Tree(r) => Some(r.name.clone()),
        _ => None,
    };
    if let Some(name) = name(t) {
        return Some(machine::ArgumentType::Named(name));
    }
    if let Type::List(e) = t
        && let Some(name) = name(e)
    {
        return Some(machine::ArgumentType::ListOf(name));
    }
    Some(machine::ArgumentType::Other(machine_type(
        t,
        &Arc::default(),
    )?))
}

/// Parses the key of a shape (`'l'`, `'t'/3`, `42`) into a constant, or a name and an arity.
fn functor(key: &str) -> Option<(Term, Option<usize>)> {
    if key == NIL {
        return Some((Term::Atom(NIL.into()), None));
    }
    if let Some(quoted) = key.strip_prefix('\'') {
        if let Some(name) = quoted.strip_suffix('\'') {
            return Some((Term::Atom(name.into()), None));
        }
        let (name, arity) = quoted.rsplit_once("'/")?;
        return Some((Term::Atom(name.into()), Some(arity.parse().ok()?)));
    }
    if let Some(text) = key.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
        return Some((Term::String(text.into()), None));
    }
    if let Some(bits) = key.strip_prefix("float:") {
        let bits = u64::from_str_radix(bits, 16).ok()?;
        return Some((Term::Float(bits), None));
    }
    Some((Term::Integer(key.parse().ok()?), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_shapes_are_read() {
        let atom = |name: &str| Term::Atom(name.into());
        assert_eq!(functor("'l'"), Some((atom("l"), None)));
        assert_eq!(functor("'t'/3"), Some((atom("t"), Some(3))));
        assert_eq!(functor("'it's'/2"), Some((atom("it's"), Some(2))));
        assert_eq!(functor("''/2'"), Some((atom("'/2"), None)));
        assert_eq!(functor("[]"), Some((atom("[]"), None)));
        assert_eq!(functor("-7"), Some((Term::Integer((-7).into()), None)));
        assert_eq!(functor("\"x\""), Some((Term::String("x".into()), None)));
        assert_eq!(functor("1r3"), None);
    }
}
