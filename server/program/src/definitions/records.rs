//! The predicates that `:- record` of `library(record)` generates.
//!
//! ```prolog
//! :- use_module(library(record)).
//! :- record point(x:integer = 0, y:integer = 0).     % point_x/2, set_x_of_point/3, make_point/2, is_point/1, …
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use costlens_syntax::read_text;
use costlens_syntax::term::{Term, TermId, Terms};
use costlens_syntax::{write_atom, write_term};

use super::in_file::index;
use super::predicate::Predicate;
use crate::directives::{Conditions, LoadKind, loads};
use crate::language::{Clause, Functor, directive};
use crate::workspace::{Db, SourceFile, terms};

/// The library that expands `:- record`.
pub(crate) const LIBRARY: &str = "record";

/// The maximum number of fields of a record.
const MOST_FIELDS: usize = 64;

/// Types of `library(error)` whose tests are inlined, with the tests of `V`.
const TYPES: &[(&str, &str)] = &[
    ("acyclic", "acyclic_term(V)"),
    ("atom", "atom(V)"),
    ("atomic", "atomic(V)"),
    ("boolean", "(V==true;V==false), !"),
    ("callable", "callable(V)"),
    ("compound", "compound(V)"),
    ("constant", "atomic(V)"),
    ("cyclic", "cyclic_term(V)"),
    ("dict", "is_dict(V)"),
    ("float", "float(V)"),
    ("ground", "ground(V)"),
    ("integer", "integer(V)"),
    ("list", "is_list(V)"),
    ("negative_integer", "integer(V), V < 0"),
    ("nonneg", "integer(V), V >= 0"),
    ("nonvar", "nonvar(V)"),
    ("number", "number(V)"),
    ("pair", "nonvar(V), V = _-_"),
    ("positive_integer", "integer(V), V > 0"),
    ("proper_list", "is_list(V)"),
    ("rational", "rational(V)"),
    ("stream", "is_stream(V)"),
    ("string", "string(V)"),
    ("symbol", "atom(V)"),
    ("var", "var(V)"),
];

/// Returns the predicates that record declarations of a file generate and that the file does not define, sorted by name.
///
/// *Invalidated* by every edit; equal as long as the declarations stay the same.
#[salsa::tracked(returns(deref))]
pub(super) fn generated<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Predicate<'db>> {
    let read = terms(db, file);
    let declares = |r: &costlens_syntax::ReadClause| {
        directive(&r.terms, r.root).is_some_and(|goal| record(&r.terms, goal).is_some())
    };
    if !read.clauses.iter().any(declares) || !loads_library(db, file) {
        return Vec::new();
    }
    let mut text = String::new();
    let mut is_conditional = false;
    let mut conditions = Conditions::for_file(db, file);
    for read in &read.clauses {
        let Some(goal) = directive(&read.terms, read.root) else {
            continue;
        };
        conditions.read(read, goal);
        if !conditions.is_absent()
            && let Some(definitions) = record(&read.terms, goal)
        {
            is_conditional |= conditions.is_open();
            for definition in definitions {
                if let Some(record) = Record::read(&read.terms, definition) {
                    record.write(&mut text);
                }
            }
        }
    }
    let mut found: BTreeMap<Functor, Vec<Clause>> = BTreeMap::new();
    for read in &read_text(&text).clauses {
        if let Some((functor, clause)) = Clause::from_term(&read.terms, read.root) {
            found.entry(functor).or_default().push(clause);
        }
    }
    let written = index(db, file);
    (found.into_iter())
        .filter(|(functor, _)| !written.contains_key(functor))
        .map(|(functor, clauses)| {
            Predicate::new(db, file, functor, Arc::from(clauses), is_conditional, false)
        })
        .collect()
}

/// Returns whether a file imports the library, so that SWI-Prolog expands its declarations.
fn loads_library(db: &dyn Db, file: SourceFile) -> bool {
    loads(db, file).loads.iter().any(|load| {
        load.spec.alias.as_deref() == Some("library")
            && load.spec.path == LIBRARY
            && load.kind != LoadKind::Autoload
    })
}

/// Returns the definitions in a record declaration.
fn record(terms: &Terms, goal: TermId) -> Option<Vec<TermId>> {
    let &[mut rest] = terms.matches(goal, "record", 1)? else {
        return None;
    };
    let mut definitions = Vec::new();
    while let Some(&[first, others]) = terms.matches(rest, ",", 2) {
        definitions.push(first);
        rest = others;
    }
    definitions.push(rest);
    Some(definitions)
}

/// A record: `point(x:integer = 0)`.
struct Record {
    name: String,
    fields: Vec<Field>,
}

/// A field of a record.
struct Field {
    name: String,
    /// The type, as text; `any` for none.
    of: String,
    /// The default value, as text.
    default: String,
}

impl Record {
    /// Reads a definition. Returns `None` for one that the library would not compile, or that is too large.
    fn read(terms: &Terms, definition: TermId) -> Option<Self> {
        let (name, arity) = terms.functor(definition)?;
        if !(1..=MOST_FIELDS).contains(&arity) {
            return None;
        }
        let fields = terms
            .args(definition)
            .iter()
            .map(|&f| Field::read(terms, f));
        Some(Self {
            name: name.to_string(),
            fields: fields.collect::<Option<_>>()?,
        })
    }

    /// Writes the clauses, in the order in which the library adds them.
    fn write(&self, out: &mut String) {
        let name = |before: &str, after: &str| write_atom(&format!("{before}{}{after}", self.name));
        let (default, data) = (name("default_", ""), name("", "_data"));
        let (make, set_fields, set_field) = (
            name("make_", ""),
            name("set_", "_fields"),
            name("set_", "_field"),
        );
        let mut lines = String::new();
        let defaults: Vec<&str> = self.fields.iter().map(|f| f.default.as_str()).collect();
        let _ = writeln!(lines, "{default}({}).", self.term(&defaults));
        for (i, field) in self.fields.iter().enumerate() {
            let accessor = write_atom(&format!("{}_{}", self.name, field.name));
            let record = self.with(i, "V", &|_| "_".to_owned());
            let _ = writeln!(lines, "{accessor}({record}, V).");
            let _ = writeln!(lines, "{data}({}, {record}, V).", write_atom(&field.name));
        }
        for (i, field) in self.fields.iter().enumerate() {
            let setter = format!("set_{}_of_{}", field.name, self.name);
            let kept = |i| format!("A{i}");
            let (old, new) = (self.with(i, "_", &kept), self.with(i, "V", &kept));
            let check = field.check();
            let rule = |head: String, goals: &[&str]| match goals.is_empty() {
                true => format!("{head}."),
                false => format!("{head} :- {}.", goals.join(", ")),
            };
            let checks: Vec<&str> = check.iter().map(String::as_str).collect();
            let set_name = write_atom(&setter);
            let nb_name = write_atom(&format!("nb_{setter}"));
            let _ = writeln!(
                lines,
                "{}",
                rule(format!("{set_name}(V, {old}, {new})"), &checks)
            );
            let in_place = format!("setarg({}, R, V)", i + 1);
            let _ = writeln!(
                lines,
                "{}",
                rule(
                    format!("{set_name}(V, R)"),
                    &[&checks[..], &[&in_place]].concat()
                )
            );
            let kept = format!("nb_setarg({}, R, V)", i + 1);
            let _ = writeln!(
                lines,
                "{}",
                rule(
                    format!("{nb_name}(V, R)"),
                    &[&checks[..], &[&kept]].concat()
                )
            );
            let field_name = write_atom(&field.name);
            let head = format!("{set_field}({field_name}(V), {old}, {new})");
            let _ = writeln!(lines, "{}", rule(head, &checks));
        }
        let _ = writeln!(lines, "{make}(Fs, R) :- {make}(Fs, R, []).");
        let _ = writeln!(
            lines,
            "{make}(Fs, R, Rest) :- {default}(R0), {set_fields}(Fs, R0, R, Rest)."
        );
        let _ = writeln!(
            lines,
            "{set_fields}(Fs, R0, R) :- {set_fields}(Fs, R0, R, [])."
        );
        let _ = writeln!(lines, "{set_fields}([], R, R, []).");
        let _ = writeln!(
            lines,
            "{set_fields}([H|T], R0, R, RF) :- ( {set_field}(H, R0, R1) -> {set_fields}(T, R1, R, RF) ; RF = [H|RF1], {set_fields}(T, R0, R, RF1) )."
        );
        let is = name("is_", "");
        let _ = writeln!(lines, "{is}(V) :- var(V), !, fail.");
        let variables: Vec<String> = (0..self.fields.len()).map(|i| format!("V{i}")).collect();
        let tests: Vec<String> = (self.fields.iter().zip(&variables))
            .filter_map(|(field, v)| field.test(v))
            .collect();
        let head = format!("{is}({})", self.term(&variables));
        match tests.is_empty() {
            true => writeln!(lines, "{head}."),
            false => writeln!(lines, "{head} :- {}.", tests.join(", ")),
        }
        .unwrap_or_default();
        out.push_str(&lines);
    }

    /// Returns the record with these arguments.
    fn term(&self, arguments: &[impl AsRef<str>]) -> String {
        let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
        format!("{}({})", write_atom(&self.name), arguments.join(", "))
    }

    /// Returns the record with an argument in one place, and others elsewhere.
    fn with(&self, place: usize, argument: &str, other: &dyn Fn(usize) -> String) -> String {
        let of = |i| {
            if i == place {
                argument.to_owned()
            } else {
                other(i)
            }
        };
        self.term(&(0..self.fields.len()).map(of).collect::<Vec<_>>())
    }
}

impl Field {
    fn read(terms: &Terms, field: TermId) -> Option<Self> {
        let (typed, default) = match terms.matches(field, "=", 2) {
            Some(&[typed, default]) => (typed, format!("({})", write_term(terms, default, None))),
            _ => (field, "_".to_owned()),
        };
        let (name, of) = match terms.matches(typed, ":", 2) {
            Some(&[name, of]) => (name, write_term(terms, of, None)),
            _ => (typed, "any".to_owned()),
        };
        // A variable would be shared with the rest of the declaration.
        let is_ground = !terms
            .subterms(field)
            .iter()
            .any(|&t| matches!(terms.get(t), Term::Var(_)));
        Some(Self {
            name: terms.as_atom(name).filter(|_| is_ground)?.to_string(),
            of,
            default,
        })
    }

    /// Returns the goal that raises an error for a value of another type.
    fn check(&self) -> Option<String> {
        (self.of != "any").then(|| format!("must_be({}, V)", self.of))
    }

    /// Returns the goal that tests the type of a variable.
    fn test(&self, variable: &str) -> Option<String> {
        if self.of == "any" {
            return None;
        }
        let known = TYPES.iter().find(|(name, _)| *name == self.of);
        Some(match known {
            Some((_, test)) => test.replace('V', variable),
            None => format!("error:has_type({}, {variable})", self.of),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of the clauses that a declaration generates.
    fn clauses(declaration: &str) -> String {
        let read = read_text(declaration);
        let terms = &read.clauses[0].terms;
        let goal = directive(terms, read.clauses[0].root).unwrap();
        let mut text = String::new();
        for definition in record(terms, goal).unwrap() {
            Record::read(terms, definition).unwrap().write(&mut text);
        }
        text
    }

    #[test]
    fn a_record_generates_the_predicates_of_swi_prolog() {
        let text = clauses(":- record(point(x:integer = 0, 'Y')).");
        let expected = "
            default_point(point((0), _)).
            point_x(point(V, _), V).
            point_data(x, point(V, _), V).
            point_Y(point(_, V), V).
            point_data('Y', point(_, V), V).
            set_x_of_point(V, point(_, A1), point(V, A1)) :- must_be(integer, V).
            set_x_of_point(V, R) :- must_be(integer, V), setarg(1, R, V).
            nb_set_x_of_point(V, R) :- must_be(integer, V), nb_setarg(1, R, V).
            set_point_field(x(V), point(_, A1), point(V, A1)) :- must_be(integer, V).
            set_Y_of_point(V, point(A0, _), point(A0, V)).
            set_Y_of_point(V, R) :- setarg(2, R, V).
            nb_set_Y_of_point(V, R) :- nb_setarg(2, R, V).
            set_point_field('Y'(V), point(A0, _), point(A0, V)).
            make_point(Fs, R) :- make_point(Fs, R, []).
            make_point(Fs, R, Rest) :- default_point(R0), set_point_fields(Fs, R0, R, Rest).
            set_point_fields(Fs, R0, R) :- set_point_fields(Fs, R0, R, []).
            set_point_fields([], R, R, []).
            set_point_fields([H|T], R0, R, RF) :- ( set_point_field(H, R0, R1) -> set_point_fields(T, R1, R, RF) ; RF = [H|RF1], set_point_fields(T, R0, R, RF1) ).
            is_point(V) :- var(V), !, fail.
            is_point(point(V0, V1)) :- integer(V0).
        ";
        let expected: Vec<&str> = expected
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .collect();
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn every_clause_can_be_read() {
        for declaration in [
            ":- record('a b'(c:oneof([a, 'B']) = a, d:list(atom) = [], e:boolean = true)).",
            ":- record((a(x), b(y:positive_integer = 1))).",
            ":- record(op(+ : integer = - 1)).",
        ] {
            let text = clauses(declaration);
            let read = read_text(&text);
            let errors = read.clauses.iter().filter(|c| c.error.is_some()).count();
            assert_eq!(
                (errors, read.clauses.len()),
                (0, text.lines().count()),
                "{text}"
            );
        }
    }
}
