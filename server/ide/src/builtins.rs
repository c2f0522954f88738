//! What is known of predicates that users do not write: modes and one line of text, from `data/predicates.txt`.

use std::sync::OnceLock;

/// A predicate of the system or of a common library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// How many arguments it has.
    pub arity: usize,
    /// How it is called: `atom_length(+Atom, -Length) is det`.
    pub template: &'static str,
    /// The names of its arguments, none for operators.
    pub arguments: Vec<&'static str>,
    /// What it does, in one line.
    pub text: &'static str,
    /// The library that it is of; none for what is built in.
    pub library: Option<&'static str>,
}

/// All of them, by name and arity.
pub fn all() -> &'static [Known] {
    static ALL: OnceLock<Vec<Known>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = read(include_str!("../data/predicates.txt"));
        all.sort_by_key(|known| (known.name, known.arity));
        all
    })
}

/// The predicate of a name and arity.
#[must_use]
pub fn find(name: &str, arity: usize) -> Option<&'static Known> {
    let all = all();
    let at = all.binary_search_by_key(&(name, arity), |known| (known.name, known.arity));
    at.ok().and_then(|at| all.get(at))
}

fn read(text: &'static str) -> Vec<Known> {
    let (mut all, mut library) = (Vec::new(), None);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            library = Some(name).filter(|name| !name.is_empty());
        } else if let Some((template, text)) = line.split_once(" | ") {
            all.extend(known(template.trim(), text, library));
        }
    }
    all
}

fn known(
    template: &'static str,
    text: &'static str,
    library: Option<&'static str>,
) -> Option<Known> {
    if let Some(rest) = template.strip_prefix("op ") {
        let (indicator, template) = rest.split_once(' ')?;
        let (name, arity) = indicator.rsplit_once('/')?;
        return Some(Known {
            name,
            arity: arity.parse().ok()?,
            template,
            arguments: Vec::new(),
            text,
            library,
        });
    }
    let head = template.split(" is ").next()?;
    let (name, arguments) = match head.split_once('(') {
        None => (head, Vec::new()),
        Some((name, rest)) => {
            let inside = rest.strip_suffix(')')?;
            let name_of = |argument: &'static str| {
                argument.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_')
            };
            (name, inside.split(", ").map(name_of).collect())
        }
    };
    Some(Known {
        name,
        arity: arguments.len(),
        template,
        arguments,
        text,
        library,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_no_predicate_is_there_twice() {
        let lines = include_str!("../data/predicates.txt").lines();
        let wanted = lines
            .filter(|l| l.contains(" | ") && !l.starts_with('#'))
            .count();
        assert_eq!(all().len(), wanted);
        for pair in all().windows(2) {
            assert_ne!((pair[0].name, pair[0].arity), (pair[1].name, pair[1].arity));
        }
    }

    #[test]
    fn modes_are_those_of_pldoc() {
        for known in all().iter().filter(|k| !k.arguments.is_empty()) {
            let line = costlens_syntax::pldoc::mode_line(known.template);
            let line = line.unwrap_or_else(|| panic!("{}", known.template));
            assert_eq!(
                (line.name.as_str(), line.arguments.len()),
                (known.name, known.arity)
            );
            assert!(
                line.arguments.iter().all(|a| a.mode.is_some()),
                "{}",
                known.template
            );
        }
    }

    #[test]
    fn a_predicate_is_found_by_name_and_arity() {
        let found = find("nth0", 3).unwrap();
        assert_eq!(found.arguments, ["Index", "List", "Element"]);
        assert_eq!(found.library, Some("lists"));
        assert_eq!(
            find("is", 2).unwrap().template,
            "-Result is +Expression is semidet"
        );
        assert_eq!(find("true", 0).unwrap().library, None);
        assert_eq!(find("nth0", 2), None);
    }
}
