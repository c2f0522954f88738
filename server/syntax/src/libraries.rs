//! The operators exported by the libraries of Prolog systems, so that a file can be read correctly without the libraries installed.
//!
//! `libraries/swi.tsv` is written by `tests/reader/library_operators.pl` from SWI-Prolog 9.0.4 and its packages; `libraries/scryer.tsv`
//! contains the export lists of the libraries in Scryer and Trealla Prolog.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::dialect::Dialect;
use crate::operators::{Operator, OperatorType};

type Table = FxHashMap<&'static str, Vec<Operator>>;

/// Returns the operators of `library(Path)` in a dialect.
pub(crate) fn operators_of(dialect: Dialect, path: &str) -> &'static [Operator] {
    static TABLES: OnceLock<[Table; 2]> = OnceLock::new();
    let [swi, scryer] = TABLES.get_or_init(|| {
        [
            table(include_str!("libraries/swi.tsv")),
            table(include_str!("libraries/scryer.tsv")),
        ]
    });
    let table = match dialect {
        Dialect::Swi => swi,
        Dialect::Scryer | Dialect::Trealla => scryer,
        Dialect::Iso | Dialect::Gnu | Dialect::Ciao => return &[],
    };
    let path = path.strip_suffix(".pl").unwrap_or(path);
    table.get(path).map_or(&[], Vec::as_slice)
}

/// Returns the quasi-quotation syntaxes that a library of SWI-Prolog exports, or `None` for an unknown library.
pub(crate) fn syntaxes_of(path: &str) -> Option<&'static [&'static str]> {
    Some(match path {
        "strings" => &["string"],
        "http/html_quasiquotations" | "http/html_write" => &["html"],
        "http/js_write" => &["javascript"],
        "http/graphql" => &["graphql"],
        "aggregate" | "apply" | "apply_macros" | "assoc" | "clpfd" | "ctypes" | "dcg/basics"
        | "dcg/high_order" | "debug" | "dicts" | "error" | "gensym" | "http/http_dispatch"
        | "lists" | "main" | "nb_set" | "option" | "ordsets" | "pairs" | "plunit"
        | "quasi_quotations" | "random" | "readutil" | "record" | "settings"
        | "solution_sequences" | "tabling" | "terms" | "ugraphs" | "url" | "yall" => &[],
        _ => return None,
    })
}

/// Returns the operators that `expects_dialect(Name)` declares everywhere in SWI-Prolog, since `library(dialect/Name)` declares them for
/// `user`.
pub(crate) fn global_operators_of(dialect: Dialect, emulated: &str) -> &'static [Operator] {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| table(include_str!("libraries/swi_dialects.tsv")));
    match dialect {
        Dialect::Swi => table.get(emulated).map_or(&[], Vec::as_slice),
        _ => &[],
    }
}

/// Parses lines with a library, a priority, a type and a name, separated by tabs.
fn table(text: &'static str) -> Table {
    let mut table = Table::default();
    for line in text.lines() {
        let mut fields = line.split('\t');
        if let (Some(library), Some(priority), Some(kind), Some(name)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
            && let (Ok(priority), Some(kind)) = (priority.parse(), OperatorType::from_name(kind))
        {
            table.entry(library).or_default().push(Operator {
                priority,
                kind,
                name: name.into(),
            });
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_tables_is_an_operator() {
        for text in [
            include_str!("libraries/swi.tsv"),
            include_str!("libraries/scryer.tsv"),
        ] {
            let read: usize = table(text).values().map(Vec::len).sum();
            assert!(read > 20);
            assert_eq!(read, text.lines().count());
        }
    }

    #[test]
    fn a_library_is_found_by_each_of_its_names_in_its_dialect() {
        let names = |dialect, path| {
            operators_of(dialect, path)
                .iter()
                .map(|o| o.name.as_str())
                .collect::<Vec<_>>()
        };
        assert!(names(Dialect::Swi, "clpfd").contains(&"#="));
        assert_eq!(
            names(Dialect::Swi, "clpfd"),
            names(Dialect::Swi, "clp/clpfd")
        );
        assert_eq!(names(Dialect::Swi, "record.pl"), ["record"]);
        assert!(names(Dialect::Swi, "clpz").is_empty());
        assert!(names(Dialect::Scryer, "clpz").contains(&"#="));
        assert!(names(Dialect::Gnu, "clpfd").is_empty());
    }
}
