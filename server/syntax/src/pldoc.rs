//! PlDoc mode lines: `name(+A:type, -B:type, ?C) is det.`, `module:name(+A)`, `+A ~> -B is det`.
//!
//! Mode lines are parsed by hand rather than as terms: `@A`, `:Goal`, `--A` are not terms in every operator table.

use smol_str::SmolStr;

use crate::assertions::{Argument, DeclaredType, Mode, SolutionsClaim};
use crate::nearest::nearest;

/// A mode line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeLine {
    /// The module that qualifies the name.
    pub module: Option<SmolStr>,
    /// The predicate's name.
    pub name: SmolStr,
    /// The arguments; a grammar rule `name(…)//` has two implicit arguments.
    pub arguments: Vec<Argument>,
    /// The determinism, such as `is det`.
    pub determinism: Option<SolutionsClaim>,
    /// An unknown word in place of the determinism: `dett`.
    pub misspelt: Option<SmolStr>,
}

/// The words for determinism.
pub(crate) const DETERMINISMS: [&str; 7] = [
    "det",
    "semidet",
    "multi",
    "nondet",
    "failure",
    "erroneous",
    "undefined",
];

/// The maximum nesting depth of types in mode lines; deeper types are read as any term.
const DEEPEST_TYPE: usize = 8;

/// Parses a mode line. Returns `None` for any other line, such as prose.
#[must_use]
pub fn mode_line(text: &str) -> Option<ModeLine> {
    let mut cursor = Cursor { rest: text.trim() };
    let (module, name, mut arguments) = match cursor.operator_term() {
        Some((name, arguments)) => (None, name, arguments),
        None => {
            let (module, name) = cursor.qualified_name()?;
            (module, name, Vec::new())
        }
    };
    let bracket = arguments.is_empty() && cursor.rest.starts_with('(');
    let has_arguments = bracket || !arguments.is_empty();
    if bracket {
        cursor.rest = &cursor.rest[1..];
        loop {
            arguments.push(cursor.argument()?);
            cursor.blanks();
            match cursor.rest.chars().next()? {
                ',' => cursor.rest = &cursor.rest[1..],
                ')' => {
                    cursor.rest = &cursor.rest[1..];
                    break;
                }
                _ => return None,
            }
        }
    }
    let grammar = cursor.rest.starts_with("//");
    if let Some(rest) = cursor.rest.strip_prefix("//") {
        cursor.rest = rest;
        arguments.extend([Argument::default(), Argument::default()]);
    }
    cursor.blanks();
    let tail = cursor.rest.trim_end().trim_end_matches('.').trim_end();
    let mut misspelt = None;
    let determinism = match tail.strip_prefix("is ").map(str::trim) {
        None if tail.is_empty() => None,
        None => return None,
        Some("det") => Some(SolutionsClaim::ExactlyOne),
        Some("semidet") => Some(SolutionsClaim::AtMostOne),
        Some("multi") => Some(SolutionsClaim::AtLeastOne),
        Some("nondet" | "undefined") => Some(SolutionsClaim::Any),
        Some("failure") => Some(SolutionsClaim::None),
        Some("erroneous") => None,
        // `is obsolete` is prose.
        Some(word) if has_arguments && nearest(word, &DETERMINISMS).is_some() => {
            misspelt = Some(word.into());
            None
        }
        Some(_) => return None,
    };
    // A bare word is prose unless a determinism or the mark of a grammar rule follows it.
    if !has_arguments && !grammar && determinism.is_none() {
        return None;
    }
    Some(ModeLine {
        module,
        name,
        arguments,
        determinism,
        misspelt,
    })
}

/// The characters of modes.
const MODES: &str = "+-?@:!";

/// The characters of symbol names such as `>>`.
const SYMBOLS: &str = "#$&*+-./:<=>?@^~\\";

struct Cursor<'a> {
    rest: &'a str,
}

impl Cursor<'_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn word(&mut self) -> Option<SmolStr> {
        let end = self
            .rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then(|| word.into())
    }

    /// Parses `+A ~> -B`, `?X #= ?Y`, `\+ :Goal`: an operator between its arguments, or before a single argument. If this fails, consumes
    /// nothing.
    fn operator_term(&mut self) -> Option<(SmolStr, Vec<Argument>)> {
        let mut ahead = Cursor { rest: self.rest };
        let (name, arguments) = match ahead.operand(true) {
            Some(left) => {
                ahead.blanks();
                let name = ahead.symbols().or_else(|| ahead.word())?;
                let is_word = name.starts_with(char::is_alphabetic);
                if is_word && !ahead.rest.starts_with(' ') {
                    return None;
                }
                ahead.blanks();
                (name, vec![left, ahead.operand(is_word)?])
            }
            None => {
                let name = ahead.symbols()?;
                if !ahead.rest.starts_with(' ') {
                    return None;
                }
                ahead.blanks();
                (name, vec![ahead.operand(true)?])
            }
        };
        self.rest = ahead.rest;
        Some((name, arguments))
    }

    fn symbols(&mut self) -> Option<SmolStr> {
        let end = self.rest.find(|c: char| !SYMBOLS.contains(c))?;
        let (symbols, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!symbols.is_empty()).then(|| symbols.into())
    }

    /// Parses an argument of an operator: `+A`, `-B:int`. The mode is optional unless `needs_mode` is set.
    fn operand(&mut self, needs_mode: bool) -> Option<Argument> {
        let end = self.rest.find(|c: char| !MODES.contains(c))?;
        let (prefix, rest) = self.rest.split_at(end);
        if !rest.starts_with(char::is_uppercase) || needs_mode && prefix.is_empty() {
            return None;
        }
        let mode = match prefix {
            "" => None,
            prefix => Some(Mode::from_prefix(prefix)?),
        };
        self.rest = rest;
        let mut argument = Argument {
            mode,
            name: self.word(),
            ..Argument::default()
        };
        if let Some(rest) = self.rest.strip_prefix(':')
            && rest.starts_with(char::is_lowercase)
        {
            self.rest = rest;
            let ty = DeclaredType::from_name(&self.word()?, Vec::new());
            match mode {
                Some(Mode::Out | Mode::Fresh | Mode::Either) => argument.success = Some(ty),
                _ => argument.call = Some(ty),
            }
            // Only arguments in brackets may have types with parameters.
            if self.rest.starts_with('(') {
                return None;
            }
        }
        Some(argument)
    }

    /// Parses a name and its module qualifier.
    fn qualified_name(&mut self) -> Option<(Option<SmolStr>, SmolStr)> {
        let first = self.name()?;
        let Some(rest) = self.rest.strip_prefix(':') else {
            return Some((None, first));
        };
        self.rest = rest;
        Some((Some(first), self.name()?))
    }

    /// Parses an atom: a word that begins in lower case, or a quoted atom.
    fn name(&mut self) -> Option<SmolStr> {
        if let Some(quoted) = self.rest.strip_prefix('\'') {
            let end = quoted.find('\'')?;
            self.rest = &quoted[end + 1..];
            return Some(quoted[..end].into());
        }
        // An operator before its arguments: `>>(+Parameters, +Lambda)`.
        let end = self.rest.find(|c: char| !SYMBOLS.contains(c));
        if let Some((symbols, rest)) = end.and_then(|end| self.rest.split_at_checked(end))
            && !symbols.is_empty()
            && rest.starts_with('(')
        {
            self.rest = rest;
            return Some(symbols.into());
        }
        if !self.rest.starts_with(char::is_lowercase) {
            return None;
        }
        self.word()
    }

    /// Parses `+A:type`, `-B`, `?C`, `D`, `+list`.
    fn argument(&mut self) -> Option<Argument> {
        self.blanks();
        let end = self
            .rest
            .find(|c: char| !MODES.contains(c))
            .unwrap_or(self.rest.len());
        let (prefix, rest) = self.rest.split_at(end);
        self.rest = rest;
        let mode = match prefix {
            "" => None,
            prefix => Some(Mode::from_prefix(prefix)?),
        };
        self.blanks();
        let mut argument = Argument {
            mode,
            ..Argument::default()
        };
        if self
            .rest
            .starts_with(|c: char| c.is_uppercase() || c == '_')
        {
            argument.name = self.word();
            self.blanks();
            if let Some(rest) = self.rest.strip_prefix(':') {
                self.rest = rest;
                argument.call = Some(self.declared_type(0)?);
            }
        } else if mode.is_some() {
            argument.call = Some(self.declared_type(0)?);
        } else {
            return None;
        }
        // In PlDoc, an output may also have a type, which is that of its value.
        if matches!(mode, Some(Mode::Out | Mode::Fresh | Mode::Either)) {
            argument.success = argument.call.take();
        }
        Some(argument)
    }

    fn declared_type(&mut self, depth: usize) -> Option<DeclaredType> {
        self.blanks();
        if self.rest.starts_with(['[', '{']) || self.rest.starts_with(char::is_numeric) {
            // `oneof([a,b])`, `between(1,3)`: the arguments are not types.
            self.skip_to_separator();
            return Some(DeclaredType::Any);
        }
        let Some(name) = self.word() else {
            self.skip_to_separator();
            return Some(DeclaredType::Any);
        };
        let mut parameters = Vec::new();
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            if depth >= DEEPEST_TYPE {
                return None;
            }
            loop {
                parameters.push(self.declared_type(depth + 1)?);
                self.blanks();
                let (first, rest) = self.rest.split_at_checked(1)?;
                self.rest = rest;
                match first {
                    "," => {}
                    ")" => break,
                    _ => return None,
                }
            }
        }
        // `list|atom`, `A-B`: more than one type.
        self.blanks();
        if !self.rest.starts_with([',', ')']) {
            self.skip_to_separator();
            return Some(DeclaredType::Any);
        }
        Some(DeclaredType::from_name(&name, parameters))
    }

    /// Skips to the next `,` or `)` outside brackets.
    fn skip_to_separator(&mut self) {
        let mut depth = 0_usize;
        let end = self.rest.find(|c: char| {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' if depth > 0 => depth -= 1,
                ',' | ')' => return depth == 0,
                _ => {}
            }
            false
        });
        self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_types_and_determinism_are_read() {
        let line = mode_line("nrev(+Xs:list(int), -Ys:list, ?Z, @W, ++G:list, :Goal) is semidet.")
            .unwrap();
        assert_eq!(line.name, "nrev");
        assert_eq!(line.determinism, Some(SolutionsClaim::AtMostOne));
        let modes: Vec<_> = line.arguments.iter().map(|a| a.mode).collect();
        assert_eq!(
            modes,
            [
                Mode::In,
                Mode::Out,
                Mode::Either,
                Mode::Unchanged,
                Mode::GroundIn,
                Mode::Meta
            ]
            .map(Some)
        );
        assert_eq!(
            line.arguments[0].call,
            Some(DeclaredType::List(Box::new(DeclaredType::Int)))
        );
        assert_eq!(line.arguments[1].call, None);
        assert_eq!(
            line.arguments[1].success,
            Some(DeclaredType::List(Box::new(DeclaredType::Any)))
        );
    }

    #[test]
    fn prose_is_no_mode_line() {
        for prose in [
            "",
            "True if Xs is a list.",
            "reverse a list",
            "nrev",
            "this is determined",
            "foo(a, b) holds when",
            "p(",
            "p(+",
            "p(+X",
            "p(+X,)",
        ] {
            assert_eq!(mode_line(prose), None, "{prose:?}");
        }
    }

    #[test]
    fn operators_stand_before_their_arguments() {
        let line = mode_line(">>(+Parameters, :Lambda, ?A1).").unwrap();
        assert_eq!((line.name.as_str(), line.arguments.len()), (">>", 3));
        assert_eq!(mode_line("-- (see below)"), None);
        assert_eq!(mode_line("+X is bound"), None);
    }

    #[test]
    fn operators_stand_between_their_arguments() {
        let read = |text: &str| {
            let line = mode_line(text).unwrap();
            let modes: Vec<_> = line.arguments.iter().map(|a| a.mode).collect();
            (line.name.to_string(), modes, line.determinism)
        };
        let (input, output) = (Some(Mode::In), Some(Mode::Out));
        assert_eq!(
            read("+X ~> -Y is det."),
            (
                "~>".into(),
                vec![input, output],
                Some(SolutionsClaim::ExactlyOne)
            )
        );
        assert_eq!(
            read("-Result is +Expression is det"),
            (
                "is".into(),
                vec![output, input],
                Some(SolutionsClaim::ExactlyOne)
            )
        );
        assert_eq!(
            read("?A:integer #= B"),
            ("#=".into(), vec![Some(Mode::Either), None], None)
        );
        assert_eq!(
            read("\\+ :Goal is semidet."),
            (
                "\\+".into(),
                vec![Some(Mode::Meta)],
                Some(SolutionsClaim::AtMostOne)
            )
        );
        let typed = mode_line("+Xs:list ~> -N:nat").unwrap();
        assert_eq!(
            typed.arguments[0].call,
            Some(DeclaredType::List(Box::new(DeclaredType::Any)))
        );
        assert!(typed.arguments[1].success.is_some());
        for prose in [
            "+X and -Y are numbers",
            "-X is the result",
            "+X, +Y",
            "Free/[X]>>Lambda",
            "- Item of a list",
            "+X ~> ",
            "-> Goal",
            "X ~> Y",
        ] {
            assert_eq!(mode_line(prose), None, "{prose:?}");
        }
    }

    #[test]
    fn a_module_may_stand_before_the_name() {
        let line = mode_line("http:location(+Name, -Path, -Priority) is nondet.").unwrap();
        assert_eq!(line.module.as_deref(), Some("http"));
        assert_eq!((line.name.as_str(), line.arguments.len()), ("location", 3));
        assert_eq!(mode_line("note: this(+X)"), None);
        assert_eq!(mode_line("note:"), None);
    }

    #[test]
    fn a_grammar_rule_has_two_arguments_more() {
        assert_eq!(mode_line("eos//").unwrap().arguments.len(), 2);
        assert_eq!(
            mode_line("digits(-Ds)// is det").unwrap().arguments.len(),
            3
        );
    }

    #[test]
    fn nested_types_are_bounded() {
        let deep = format!(
            "p(+X:{}int{})",
            "list(".repeat(100_000),
            ")".repeat(100_000)
        );
        assert_eq!(mode_line(&deep), None);
    }
}
