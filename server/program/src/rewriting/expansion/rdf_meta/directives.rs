//! The declarations and prefixes that one file contains.
//!
//! ```prolog
//! :- rdf_meta label(r, -), edge(r, r, o).
//! :- rdf_register_prefix(ex, 'http://example.org/').     % for all modules
//! :- rdf_prefix(ex, 'http://example.org/').              % for the file's module
//! ```

use costlens_body::conjuncts;
use costlens_catalog::is_control_construct;
use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::SmolStr;

use crate::definitions::form_of;
use crate::directives::{Conditions, Presence, number_of_loads};
use crate::language::{Functor, UnitMark, calls, directive, unit_mark};
use crate::workspace::{Db, SourceFile, is_installed, terms};

/// The predicate to which declarations add clauses.
const SPECIFICATION: &str = "rdf meta specification";

/// The predicate to which local prefixes add clauses.
const LOCAL_PREFIX: &str = "rdf prefix";

/// A file that contains none of these words declares nothing.
const WORDS: [&str; 3] = ["rdf_", SPECIFICATION, LOCAL_PREFIX];

/// The predicates that register a prefix for all modules.
const REGISTER: [&str; 2] = ["rdf_register_prefix", "rdf_register_ns"];

/// Goals that register the prefixes of a file with triples.
const LOAD_TRIPLES: [&str; 5] = [
    "rdf_load",
    "rdf_load_library",
    "rdf_attach_db",
    "rdf_attach_library",
    "register_file_prefixes",
];

/// The type of an argument in a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// `r`: a resource.
    Resource,
    /// `o`: a resource, or a literal with a type.
    Object,
    /// `t`: a term with resources.
    Term,
    /// `g`: a graph.
    Graph,
    /// `:`: a goal.
    Goal,
    /// `+`, `-`, `?`, `@`: unchanged.
    Plain,
    /// The declaration has no valid type for this argument.
    Unknown,
}

/// The position of a term in the loading order of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LoadPosition {
    /// The number of loading directives before it.
    pub(super) after: usize,
    /// The index of the term.
    pub(super) index: usize,
}

/// The declaration of one predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declaration {
    pub(super) functor: Functor,
    pub(super) arguments: Box<[Argument]>,
    /// The explicit module.
    pub(super) module: Option<SmolStr>,
    pub(super) place: LoadPosition,
    /// True if the directive certainly declares the predicate, in the file's module or the explicit one.
    pub(super) certain: bool,
}

/// The modules that see a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// All modules.
    Global,
    /// The file's module.
    Own,
    Module(SmolStr),
}

/// A goal that registers a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    pub(super) alias: SmolStr,
    /// The URI, if it is an atom.
    pub(super) uri: Option<SmolStr>,
    pub(super) scope: Scope,
    pub(super) place: LoadPosition,
    /// True if the goal is a directive that certainly runs.
    pub(super) certain: bool,
}

/// The declarations and prefixes of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FileDeclarations {
    pub(super) declarations: Vec<Declaration>,
    pub(super) prefixes: Vec<Prefix>,
    /// True if the file contains an unreadable declaration, or clauses to which declarations are expanded.
    pub(super) unreadable: bool,
    /// The other effects of directives on prefixes.
    pub(super) effects: Effects,
    /// The other effects of clauses on prefixes, with their predicates.
    pub(super) effects_of_clauses: Vec<(Functor, Effects)>,
}

/// The effects of goals on prefixes that they do not name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// True if a goal may register other prefixes.
    pub(super) registers_others: bool,
    /// True if a goal may replace or remove a prefix.
    pub(super) replaces: bool,
}

impl Effects {
    pub(super) fn add(&mut self, other: Effects) {
        self.registers_others |= other.registers_others;
        self.replaces |= other.replaces;
    }
}

/// Returns the declarations and prefixes of a file.
///
/// *Invalidated* by every edit; the result is usually equal as long as the directives keep their positions.
#[salsa::tracked(returns(ref))]
pub(super) fn file_declarations(db: &dyn Db, file: SourceFile) -> FileDeclarations {
    let mut result = FileDeclarations::default();
    let text = &file.parsed(db).text;
    if !WORDS.iter().any(|word| text.contains(word)) {
        return result;
    }
    let mut scan = Scan::new(db, file);
    // Libraries register prefixes only when they are called.
    let is_own = !is_installed(db, file);
    for (index, read) in terms(db, file).clauses.iter().enumerate() {
        let goal = directive(&read.terms, read.root);
        let Some(position) = scan.read(index, read, goal) else {
            continue;
        };
        let term = ReadTerm {
            terms: &read.terms,
            root: read.root,
            goal,
            place: position.place,
            certain: position.certain && !position.in_unit,
        };
        let registering = result.add_directive(&term);
        if is_own {
            result.add_mentions(&term, &registering);
        }
    }
    result
}

/// The position of a term, and the conditions under which it is read.
pub(super) struct Position {
    pub(super) place: LoadPosition,
    /// True if the term does not depend on an undecided condition.
    pub(super) certain: bool,
    /// True if the term is in a test unit, which is a separate module.
    pub(super) in_unit: bool,
}

/// The state of reading the terms of a file in order.
pub(super) struct Scan {
    conditions: Conditions,
    after: usize,
    in_unit: bool,
}

impl Scan {
    pub(super) fn new(db: &dyn Db, file: SourceFile) -> Self {
        Scan {
            conditions: Conditions::for_file(db, file),
            after: 0,
            in_unit: false,
        }
    }

    /// Returns the position of the next term. Returns `None` if the term is excluded by a condition.
    pub(super) fn read(
        &mut self,
        index: usize,
        read: &costlens_syntax::term::ReadClause,
        goal: Option<TermId>,
    ) -> Option<Position> {
        let after = self.after;
        if let Some(goal) = goal {
            self.conditions.read(read, goal);
            match unit_mark(&read.terms, goal) {
                Some(UnitMark::Begin) => self.in_unit = true,
                Some(UnitMark::End) => self.in_unit = false,
                None => {}
            }
            if self.conditions.presence() != Presence::Absent {
                self.after += number_of_loads(&read.terms, goal);
            }
        }
        let presence = self.conditions.presence();
        (presence != Presence::Absent).then_some(Position {
            place: LoadPosition { after, index },
            certain: presence == Presence::There,
            in_unit: self.in_unit,
        })
    }
}

/// A term of a file.
struct ReadTerm<'t> {
    terms: &'t Terms,
    root: TermId,
    /// The goal, if the term is a directive.
    goal: Option<TermId>,
    place: LoadPosition,
    certain: bool,
}

impl FileDeclarations {
    /// Adds a directive, and returns its goals that register prefixes.
    fn add_directive(&mut self, term: &ReadTerm<'_>) -> Vec<TermId> {
        let terms = term.terms;
        let Some(goal) = term.goal else {
            return Vec::new();
        };
        // `?- rdf_meta p(r)` is not expanded.
        if let Some(&[heads]) = terms.matches(goal, "rdf_meta", 1)
            && terms.matches(term.root, ":-", 1).is_some()
        {
            self.declare(term, heads);
            return Vec::new();
        }
        if let Some(&[alias, uri]) = terms.matches(goal, "rdf_prefix", 2)
            && terms.matches(term.root, ":-", 1).is_some()
        {
            let effects = self.add_local(term, alias, uri, term.certain);
            self.effects.add(effects);
            return vec![goal];
        }
        let goals = conjuncts(terms, goal).into_iter().enumerate();
        let registering = goals.filter(|&(_, goal)| is_registering(terms, goal));
        let mut handled = Vec::new();
        for (number, goal) in registering {
            // An earlier goal may fail.
            let effects = self.register(term, goal, term.certain && number == 0);
            self.effects.add(effects);
            handled.push(goal);
        }
        handled
    }

    /// Adds the predicates of a declaration. A declaration with an invalid type raises an error, and declares nothing.
    fn declare(&mut self, term: &ReadTerm<'_>, heads: TermId) {
        let terms = term.terms;
        let parts = terms.chain(heads, ",");
        let is_valid = is_right_nested(terms, heads)
            && parts.iter().all(|&head| {
                let (_, head) = without_module(terms, head);
                arguments(terms, head).is_some_and(|all| !all.contains(&Argument::Unknown))
            });
        for head in parts {
            let (module, head) = without_module(terms, head);
            let (Some(functor), Some(arguments)) =
                (Functor::from_term(terms, head), arguments(terms, head))
            else {
                self.unreadable = true;
                return;
            };
            let is_neck = matches!(
                functor.name.as_str(),
                ":-" | "-->" | "=>" | "?-" | ":" | "|"
            );
            if is_neck || is_control_construct(&functor.name, functor.arity) {
                self.unreadable = true;
                return;
            }
            let arguments = match is_valid {
                true => arguments,
                false => arguments.iter().map(|_| Argument::Unknown).collect(),
            };
            self.declarations.push(Declaration {
                functor,
                arguments,
                module,
                place: term.place,
                certain: term.certain && is_valid,
            });
        }
    }

    /// Adds a goal that registers a prefix for one module.
    fn add_local(
        &mut self,
        term: &ReadTerm<'_>,
        alias: TermId,
        uri: TermId,
        certain: bool,
    ) -> Effects {
        let (module, alias) = without_module(term.terms, alias);
        let Some(alias) = plain_atom(term.terms, alias) else {
            return REPLACES;
        };
        self.prefixes.push(Prefix {
            alias: alias.clone(),
            uri: plain_atom(term.terms, uri).cloned(),
            scope: module.map_or(Scope::Own, Scope::Module),
            place: term.place,
            certain,
        });
        Effects::default()
    }

    /// Adds a goal that registers a prefix for all modules.
    fn register(&mut self, term: &ReadTerm<'_>, goal: TermId, certain: bool) -> Effects {
        let terms = term.terms;
        let (alias, uri, options) = match *terms.args(goal) {
            [alias, uri] => (alias, uri, None),
            [alias, uri, options] => (alias, uri, Some(options)),
            _ => return Effects::default(),
        };
        if let Some(alias) = plain_atom(terms, alias) {
            self.prefixes.push(Prefix {
                alias: alias.clone(),
                uri: plain_atom(terms, uri).cloned(),
                scope: Scope::Global,
                place: term.place,
                certain,
            });
            return Effects::default();
        }
        let may_force = |t: TermId| match terms.get(t) {
            Term::Var(_) => true,
            Term::Atom(name) | Term::Compound(name, _) => name == "force",
            _ => false,
        };
        let options = options.map(|options| terms.subterms(options));
        Effects {
            registers_others: true,
            replaces: options.is_some_and(|all| all.into_iter().any(may_force)),
        }
    }

    /// Adds the other terms of a clause or directive that may register, replace or remove prefixes when they are called.
    fn add_mentions(&mut self, term: &ReadTerm<'_>, registering: &[TermId]) {
        let terms = term.terms;
        let head = head_of(term);
        let (mut effects, mut tables) = (Effects::default(), Vec::new());
        let mut stack = vec![term.root];
        while let Some(t) = stack.pop() {
            // `p/1` does not call p/1.
            let is_indicator = terms.matches(t, "/", 2).is_some();
            let parts = terms.args(t).iter().copied();
            stack.extend(parts.filter(|&part| !is_indicator || terms.as_atom(part).is_none()));
            match (terms.functor(t), terms.args(t)) {
                (Some((name, 2)), &[module, inner]) if name == ":" => {
                    let is_table = terms.as_atom(module).is_some_and(|m| m == "rdf_db")
                        && terms.matches(inner, "ns", 2).is_some();
                    tables.extend(is_table.then_some(inner));
                }
                // A clause of a predicate of the program with this name.
                _ if registering.contains(&t) || head == Some(t) => {}
                (Some((name, _)), _) => effects.add(self.mention(term, t, &name.clone())),
                _ => {}
            }
        }
        effects.replaces |= !tables.is_empty() && !are_queries(term, &tables);
        if effects == Effects::default() {
            return;
        }
        match form_of(terms, term.root, &|_| false).and_then(|form| form.head()) {
            Some(predicate) => self.effects_of_clauses.push((predicate, effects)),
            // A directive, or a clause for another module.
            None => self.effects.add(effects),
        }
    }

    /// Adds a term that may be a goal.
    fn mention(&mut self, term: &ReadTerm<'_>, t: TermId, name: &str) -> Effects {
        match (name, term.terms.args(t)) {
            (SPECIFICATION, _) => {
                self.unreadable = true;
                Effects::default()
            }
            (LOCAL_PREFIX | "rdf_unregister_prefix", _) | ("rdf_prefix", []) => REPLACES,
            ("rdf_prefix", &[alias, uri]) => self.add_local(term, alias, uri, false),
            (name, [_, _] | [_, _, _]) if REGISTER.contains(&name) => self.register(term, t, false),
            (name, _) if REGISTER.contains(&name) => REPLACES,
            (name, _) if LOAD_TRIPLES.contains(&name) => Effects {
                registers_others: true,
                replaces: false,
            },
            _ => Effects::default(),
        }
    }
}

/// The effects of a goal that may replace any prefix.
const REPLACES: Effects = Effects {
    registers_others: true,
    replaces: true,
};

/// Returns the head of a clause, unless a clause of its predicate is a declaration or a prefix.
fn head_of(term: &ReadTerm<'_>) -> Option<TermId> {
    let terms = term.terms;
    let necks = [":-", "-->", "=>"];
    let head = (necks.iter())
        .find_map(|neck| terms.matches(term.root, neck, 2))
        .map_or(term.root, |parts| parts[0]);
    let (name, _) = terms.functor(head)?;
    (term.goal.is_none() && name != SPECIFICATION && name != LOCAL_PREFIX).then_some(head)
}

/// Returns whether these terms are goals of a clause, not clauses that it adds or removes.
fn are_queries(term: &ReadTerm<'_>, tables: &[TermId]) -> bool {
    let terms = term.terms;
    let body = match terms.matches(term.root, ":-", 2) {
        Some(&[_, body]) => Some(body),
        _ => term.goal,
    };
    body.is_some_and(|body| {
        let called = calls(terms, body);
        (tables.iter()).all(|table| called.iter().any(|call| call.goal == *table))
    })
}

fn is_registering(terms: &Terms, goal: TermId) -> bool {
    let functor = terms.functor(goal);
    functor.is_some_and(|(name, arity)| REGISTER.contains(&name.as_str()) && matches!(arity, 2 | 3))
}

/// Returns whether no left operand of a conjunction is a conjunction.
fn is_right_nested(terms: &Terms, conjunction: TermId) -> bool {
    let mut rest = conjunction;
    while let Some(&[left, right]) = terms.matches(rest, ",", 2) {
        if terms.matches(left, ",", 2).is_some() {
            return false;
        }
        rest = right;
    }
    true
}

/// Returns the module of a qualified term, and the term after it.
fn without_module(terms: &Terms, term: TermId) -> (Option<SmolStr>, TermId) {
    let (mut module, mut rest) = (None, term);
    while let Some(&[qualifier, inner]) = terms.matches(rest, ":", 2)
        && let Some(name) = terms.as_atom(qualifier)
    {
        (module, rest) = (Some(name.clone()), inner);
    }
    (module, rest)
}

/// Returns the types of a declaration's arguments. Returns `None` for a term that is not callable.
fn arguments(terms: &Terms, head: TermId) -> Option<Box<[Argument]>> {
    terms.functor(head)?;
    let types = terms.args(head).iter().map(|&argument| {
        match terms.as_atom(argument).map(SmolStr::as_str) {
            // The library binds a variable to the first valid type.
            None if matches!(terms.get(argument), Term::Var(_)) => Argument::Goal,
            Some("r") => Argument::Resource,
            Some("o") => Argument::Object,
            Some("t") => Argument::Term,
            Some("g") => Argument::Graph,
            Some(":") => Argument::Goal,
            Some("+" | "-" | "?" | "@") => Argument::Plain,
            _ => Argument::Unknown,
        }
    });
    Some(types.collect())
}

/// Returns the name of an atom other than `[]`.
pub(super) fn plain_atom(terms: &Terms, term: TermId) -> Option<&SmolStr> {
    use costlens_syntax::term::{NIL, QUOTED_NIL};
    let name = terms.as_atom(term)?;
    (name != NIL && name != QUOTED_NIL).then_some(name)
}
