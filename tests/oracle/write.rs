//! Terms as text that Prolog reads back: operators in functional notation, variables by their place.

use crate::heap::{Cell, Heap, Ref};

/// Returns the quoted text of a term, up to a few thousand cells of it.
pub(crate) fn text(heap: &mut Heap, at: Ref) -> String {
    write(heap, at, true)
}

/// Returns the text of a term as `print_message` or `write/1` would print it, quoted or not.
pub(crate) fn write(heap: &mut Heap, at: Ref, quoted: bool) -> String {
    enum Part {
        Term(Ref),
        Text(&'static str),
        /// The rest of a list after an element.
        Tail(Ref),
    }
    let mut out = String::new();
    let mut budget = 20_000_usize;
    let mut stack = vec![Part::Term(at)];
    while let Some(part) = stack.pop() {
        let Some(left) = budget.checked_sub(1) else {
            out.push('…');
            break;
        };
        budget = left;
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Tail(at) => match heap.value(at) {
                Cell::Atom(name) if name == "[]" => out.push(']'),
                Cell::Compound(name, start, 2) if name == "[|]" => {
                    out.push(',');
                    stack.push(Part::Tail(start + 1));
                    stack.push(Part::Term(*start));
                }
                _ => {
                    out.push('|');
                    stack.push(Part::Text("]"));
                    stack.push(Part::Term(at));
                }
            },
            Part::Term(at) => {
                let at = heap.deref(at);
                match &heap.cells[at] {
                    Cell::Var(_) => out.push_str(&format!("_{at}")),
                    Cell::Int(n) => out.push_str(&n.to_string()),
                    Cell::Float(x) => out.push_str(&float(*x)),
                    Cell::Atom(name) => out.push_str(&atom(name, quoted)),
                    Cell::Str(text) if quoted => out.push_str(&quote(text, '"')),
                    Cell::Str(text) => out.push_str(text),
                    Cell::Compound(name, start, 2) if name == "[|]" => {
                        out.push('[');
                        stack.push(Part::Tail(start + 1));
                        stack.push(Part::Term(*start));
                    }
                    Cell::Compound(name, start, arity) => {
                        out.push_str(&atom(name, quoted));
                        out.push('(');
                        stack.push(Part::Text(")"));
                        for i in (0..*arity).rev() {
                            stack.push(Part::Term(start + i));
                            if i > 0 {
                                stack.push(Part::Text(","));
                            }
                        }
                    }
                }
            }
        }
    }
    out
}

fn float(x: f64) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let text = format!("{x:?}");
    match text.split_once('e') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => format!("{mantissa}.0e{exponent}"),
        _ => text,
    }
}

fn atom(name: &str, quoted: bool) -> String {
    const SYMBOLS: &str = "+-*/\\^<>=~:.?@#&$";
    let mut characters = name.chars();
    let plain = match characters.next() {
        Some(c) if c.is_ascii_lowercase() => {
            characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        }
        Some(c) if SYMBOLS.contains(c) => characters.all(|c| SYMBOLS.contains(c)) && name != ".",
        _ => matches!(name, "[]" | "{}" | "!" | ";"),
    };
    if plain || !quoted {
        name.to_string()
    } else {
        quote(name, '\'')
    }
}

fn quote(text: &str, mark: char) -> String {
    let mut out = String::from(mark);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c == mark => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out.push(mark);
    out
}
