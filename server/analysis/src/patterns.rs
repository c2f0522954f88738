//! The call patterns shown for a predicate: declared patterns, or otherwise a pattern guessed from how its clauses use their arguments.
//!
//! A guess does not assert how the predicate is called. It only determines the calls for which bounds are shown, and is marked as inferred.

mod bodies;
mod calls;
mod changes;
mod choice;
mod declared;
mod demands;
mod evidence;
mod filled;
mod flattened;
mod library;
mod literals;
mod modes;
mod shapes;
mod signatures;
mod stated;
#[cfg(test)]
mod tests;
mod told_apart;
mod trees;
mod typing;
mod variables;
mod written;

use std::sync::Arc;

use costlens_catalog::MetaArgument;
use costlens_program::{Clause, Functor};

use literals::Grammar;
use modes::GuessedMode;

pub use calls::{CallContext, SeenCall, Surroundings, calls_of_clause, calls_of_goal};
pub use choice::{calls_of, chosen_patterns, undeclared_calls};
pub use declared::{assertion_pattern, declared_least, declared_patterns, measured, refined};
pub use evidence::completed;
pub(crate) use library::is_well_known;

pub use shapes::Scheme;
pub(crate) use stated::stated;
pub use written::written_pattern;

use costlens_infer::regular::Regulars;
use costlens_infer::types::{Pattern, Type};

/// The maximum number of patterns; further patterns are joined into a single pattern.
pub const MOST_PATTERNS: usize = 8;

/// The maximum number of clauses examined, which is sufficient for a guess.
pub(crate) const MOST_CLAUSES: usize = 64;

/// The maximum number of a caller's patterns for which its calls are followed.
pub(crate) const MOST_CALLERS_PATTERNS: usize = 2;

/// A predicate of a component, as an input of the guess.
#[derive(Clone, Debug)]
pub struct Member {
    /// The name and arity.
    pub functor: Functor,
    /// The clauses.
    pub clauses: Arc<[Clause]>,
    /// The first declared pattern.
    pub declared: Option<Pattern>,
    /// The arguments declared to be called (`:- meta_predicate`).
    pub closures: Vec<MetaArgument>,
}

/// The known facts about a predicate outside the component.
#[derive(Clone, Debug)]
pub struct KnownCallee {
    /// The usual call pattern, if it is more precise than the default for well-known predicates with this name.
    pub pattern: Option<Pattern>,
    /// For each argument, true if it remains unknown in every call.
    pub open: Vec<bool>,
    /// For each argument, true if it is a list whose elements the predicate binds.
    pub fills: Vec<bool>,
    /// The shapes of the values passed through the predicate.
    pub scheme: Scheme,
    /// True if the predicate is defined in the file itself: it is then never a built-in, regardless of its name.
    pub own: bool,
}

/// A guessed call pattern for a predicate, from its clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The guessed pattern.
    pub pattern: Pattern,
    /// The type suggested by the use of each argument, whether or not the argument is guessed to be an input.
    pub evidence: Vec<Option<Type>>,
    /// For each argument, true if it is unknown.
    pub open: Vec<bool>,
    /// For each argument, true if it is a list whose elements the predicate binds.
    pub fills: Vec<bool>,
    /// The shapes of the values passed through the predicate.
    pub scheme: Scheme,
}

/// Guesses the patterns of the members of one component of the call graph from their clauses.
///
/// `len([],0). len([_|T],N) :- len(T,N0), N is N0+1.` yields `(list(any), var)`: the first argument is decomposed, the second is computed.
/// `sum([],0). sum([X|Xs],S) :- sum(Xs,T), S is T+X.` yields `(list(int), var)`. `callee` returns the known facts about a predicate outside
/// the component, `closures` the arguments that such a predicate is declared to call, and `types` contains the types that the file defines.
#[must_use]
pub fn inferred_patterns(
    members: &[Member],
    callee: &dyn Fn(&Functor) -> Option<KnownCallee>,
    closures: &dyn Fn(&Functor) -> Vec<MetaArgument>,
    types: &Regulars,
) -> Vec<Guess> {
    let lookups = literals::PredicateLookups { callee, closures };
    let compile = |grammar: Grammar| -> Vec<literals::MemberPredicate> {
        let compile = |member: &Member| {
            let clauses = &member.clauses[..member.clauses.len().min(MOST_CLAUSES)];
            literals::MemberPredicate::compile(member, clauses, members, lookups, grammar)
        };
        members.iter().map(compile).collect()
    };
    let mut compiled = compile(Grammar::Reads);
    let mut choice = modes::choose(&compiled);
    let calls_writer = compiled.iter().any(|p| p.calls_writer);
    if calls_writer || compiled.iter().any(|p| p.grammar.is_some() && p.arity > 2) {
        let writers = compile(Grammar::Writes);
        let writing = modes::choose(&writers);
        if calls_writer || modes::writes(&compiled, &choice, &writing, flattened::flatten(members))
        {
            (compiled, choice) = (writers, writing);
        }
    }
    let modes = choice.modes;
    let fills: Vec<Vec<bool>> = (members.iter())
        .map(|member| filled::filled(member, members, lookups))
        .collect();
    let mut typed = typing::Typed::infer(members, lookups);
    for (place, member) in members.iter().enumerate() {
        told_apart::mark(
            &mut typed.shapes,
            &typed.arguments[place],
            member,
            &compiled[place],
            &modes[place],
        );
    }
    let pattern = |place: usize| {
        let of = |i: usize| {
            let predicate = &compiled[place];
            let argument = typed.arguments[place][i];
            let reads = predicate.grammar == Some(Grammar::Reads) && i + 2 == predicate.arity;
            if reads && predicate.fixed[i] != Some(Type::Free) {
                return told_apart::text_type(&typed.shapes, argument, types);
            }
            match (predicate.fixed[i].clone(), modes[place][i]) {
                (Some(fixed), _) => fixed,
                (None, GuessedMode::In) => match typing::input_type(&typed.shapes, argument, types)
                {
                    Type::Any if predicate.needed[i] => Type::Nonvar,
                    Type::List(_) if fills[place][i] => Type::list(Type::Any),
                    of => of,
                },
                (None, GuessedMode::Out) => Type::Free,
                (None, GuessedMode::Open) => Type::Any,
            }
        };
        Pattern((0..compiled[place].arity).map(of).collect())
    };
    (0..members.len())
        .map(|place| Guess {
            pattern: pattern(place),
            evidence: typed.arguments[place]
                .iter()
                .map(|&argument| evidence::of_use(&typed.shapes, argument, types))
                .collect(),
            fills: fills[place].clone(),
            open: modes[place]
                .iter()
                .map(|m| *m == GuessedMode::Open)
                .collect(),
            scheme: typed.scheme(place),
        })
        .collect()
}
