//! Converts a program and its inputs for an engine: the text of the reachable clauses, and goals that build the inputs.

use std::fmt::Write as _;

use costlens_engines::Workload;
use costlens_ide::reports::runnable::Runnable;
use costlens_machine::generate::Input;
use costlens_program::Functor;
use costlens_program::language::{Clause, directive};
use costlens_syntax::term::{Term, TermId, Terms};
use costlens_syntax::write_argument;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use crate::prediction::call;

/// The directives for reading and storing clauses that all engines support.
const KEPT: [&str; 3] = ["dynamic", "discontiguous", "op"];
/// The number of nodes above which a part of an input is built separately: compilers of native code accept large terms only in pieces.
const LARGEST_PIECE: usize = 30;

/// Returns the text of the clauses that a predicate reaches, and of the directives that they need. `libraries` also includes directives
/// that load libraries.
///
/// # Errors
/// Returns the reason why the clauses are not known.
pub(super) fn clauses(
    program: &Runnable,
    predicate: &Functor,
    libraries: bool,
) -> Result<String, String> {
    let known = call::program(program);
    let reached = known.reached(predicate);
    let (mut directives, mut clauses) = (String::new(), String::new());
    for (number, stretch) in &program.order {
        let part = &program.parts[*number];
        for clause in part.terms.clauses.get(stretch.clone()).unwrap_or_default() {
            let text = part.text.get(clause.range.0..clause.range.1);
            if let Some(goal) = directive(&clause.terms, clause.root) {
                directives.push_str(&kept(&clause.terms, goal, libraries)?);
            } else if let Some((functor, _)) = Clause::from_term(&clause.terms, clause.root)
                && reached.contains(&functor)
                && let Some(text) = text
            {
                clauses.push_str(text);
                clauses.push('\n');
            }
        }
    }
    Ok(directives + &clauses)
}

/// Returns the part of a directive that the engine needs.
fn kept(terms: &Terms, goal: TermId, libraries: bool) -> Result<String, String> {
    let Some((name, arity)) = terms.functor(goal) else {
        return Ok(String::new());
    };
    let is_kept = match (name.as_str(), arity) {
        ("if", 1) => return Err("which clauses there are depends on `:- if`".to_owned()),
        ("set_prolog_flag", 2) => {
            let flag = terms.args(goal).first().and_then(|&f| terms.as_atom(f));
            flag.is_some_and(|flag| flag == "double_quotes")
        }
        ("use_module", 1 | 2) => {
            // Drop the import list: its names would be renamed as predicates of the program.
            let file = terms.args(goal).first().copied();
            let library = file.filter(|&file| terms.matches(file, "library", 1).is_some());
            let text = library.map(|file| write_argument(terms, file, None));
            return Ok(match text {
                Some(text) if libraries => format!(":- use_module({text}).\n"),
                _ => String::new(),
            });
        }
        (name, _) => KEPT.contains(&name),
    };
    if !is_kept {
        return Ok(String::new());
    }
    // Not every system has `dynamic` as an operator.
    let arguments: Vec<String> = (terms.args(goal).iter())
        .map(|&argument| write_argument(terms, argument, None))
        .collect();
    Ok(format!(":- {name}({}).\n", arguments.join(", ")))
}

/// Returns the workload for an input: the setup builds the arguments, and the goal is the call.
pub(super) fn workload(name: &str, clauses: &str, input: &Input) -> Workload {
    let mut built = Built::new(&input.terms);
    let (mut arguments, mut inputs, mut setup) = (Vec::new(), Vec::new(), Vec::new());
    let given = input.arguments();
    for (number, &argument) in given.iter().enumerate() {
        let variable = format!("In{number}");
        if is_output(&input.terms, given, argument) {
            arguments.push(format!("Out{number}"));
            continue;
        }
        let top = built.term(argument);
        let text = write_argument(&built.terms, top, Some(&built.names));
        setup.append(&mut built.goals);
        setup.push(format!("{variable} = {text}"));
        arguments.push(variable.clone());
        inputs.push(variable);
    }
    let predicate = input.terms.functor(input.goal);
    let predicate = predicate.map_or_else(SmolStr::default, |(name, _)| name.clone());
    let mut goal = costlens_syntax::write_atom(&predicate).to_string();
    if !arguments.is_empty() {
        let _ = write!(goal, "({})", arguments.join(", "));
    }
    Workload {
        name: name.to_owned(),
        clauses: clauses.to_owned(),
        goal,
        setup: match setup.is_empty() {
            true => "true".to_owned(),
            false => setup.join(", "),
        },
        inputs,
    }
}

/// Returns a workload that calls an empty predicate with the arguments of an input. Its time is slightly more than the cost of the call
/// itself.
pub(super) fn idle(input: &Input) -> Workload {
    const IDLE: &str = "idle";
    let of = workload("call", "", input);
    let arguments = input.arguments().len();
    let (goal, head) = match of.goal.find("(In").or_else(|| of.goal.find("(Out")) {
        Some(at) => (
            format!("{IDLE}{}", &of.goal[at..]),
            format!("{IDLE}({})", vec!["_"; arguments].join(", ")),
        ),
        None => (IDLE.to_owned(), IDLE.to_owned()),
    };
    Workload {
        goal,
        clauses: format!("{head}.\n"),
        ..of
    }
}

/// Returns whether an argument is a variable that occurs nowhere else in the call.
fn is_output(terms: &Terms, arguments: &[TermId], argument: TermId) -> bool {
    let Term::Var(v) = terms.get(argument) else {
        return false;
    };
    let all = arguments.iter().flat_map(|&a| terms.variables_of(a));
    all.filter(|w| w == v).count() == 1
}

/// Builds terms in pieces, and binds each piece to a variable before its use.
struct Built {
    terms: Terms,
    names: Vec<SmolStr>,
    /// The goals, in order: `Part3 = f(…)`.
    goals: Vec<String>,
    pieces: usize,
    /// Finished terms, each with its replacement and its number of nodes.
    done: FxHashMap<TermId, (TermId, usize)>,
}

impl Built {
    fn new(terms: &Terms) -> Self {
        Built {
            terms: terms.clone(),
            names: (0..terms.variables())
                .map(|v| format_smolstr!("Var{v}"))
                .collect(),
            goals: Vec::new(),
            pieces: 0,
            done: FxHashMap::default(),
        }
    }

    /// Returns the term after adding goals for its large parts. Subterms come before the terms that contain them.
    fn term(&mut self, root: TermId) -> TermId {
        let mut stack = vec![(root, false)];
        while let Some((id, visited)) = stack.pop() {
            if self.done.contains_key(&id) {
                continue;
            }
            let arguments = self.terms.args(id).to_vec();
            if arguments.is_empty() {
                self.done.insert(id, (id, 1));
            } else if visited {
                self.compound(id, &arguments);
            } else {
                stack.push((id, true));
                stack.extend(arguments.iter().map(|&argument| (argument, false)));
            }
        }
        self.done.get(&root).map_or(root, |(top, _)| *top)
    }

    fn compound(&mut self, id: TermId, arguments: &[TermId]) {
        let parts: Vec<(TermId, usize)> = (arguments.iter())
            .map(|argument| self.done.get(argument).copied().unwrap_or((*argument, 1)))
            .collect();
        let name = self.terms.functor(id).map(|(name, _)| name.clone());
        let ids: Vec<TermId> = parts.iter().map(|(id, _)| *id).collect();
        let whole = (self.terms).compound(name.unwrap_or_default(), &ids);
        let nodes = 1 + parts.iter().map(|(_, nodes)| nodes).sum::<usize>();
        let found = match nodes > LARGEST_PIECE {
            true => (self.piece(whole), 1),
            false => (whole, nodes),
        };
        self.done.insert(id, found);
    }

    /// Returns a variable for a term, after adding the goal that binds it.
    fn piece(&mut self, term: TermId) -> TermId {
        let text = write_argument(&self.terms, term, Some(&self.names));
        let name = format_smolstr!("Part{}", self.pieces);
        self.pieces += 1;
        self.goals.push(format!("{name} = {text}"));
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name);
        self.terms.push(Term::Var(number))
    }
}

/// Restores the program's own predicate names in an engine's message by removing the workload's prefix.
pub(super) fn in_own_names(said: &str, number: usize) -> String {
    said.replace(&format!("w{number}_"), "")
}

#[cfg(test)]
mod tests {
    use costlens_machine::generate::{Family, Generator, SizeRequest, Type, Vocabulary};

    use super::*;

    #[test]
    fn an_input_is_built_in_pieces_and_bound_by_setup() {
        let vocabulary = Vocabulary::default();
        let made = |length: u32| {
            let types = [Type::list(Type::Int), Type::Free];
            Generator::of_family(1, Family::Plain, &vocabulary)
                .goal_of_sizes(
                    "rev",
                    &types,
                    &[SizeRequest::new(length), SizeRequest::default()],
                )
                .unwrap()
        };
        let small = workload("0", "rev(_, _).\n", &made(2));
        assert_eq!(small.goal, "rev(In0, Out1)");
        assert_eq!(small.inputs, ["In0"]);
        assert!(small.setup.starts_with("In0 = ["), "{}", small.setup);
        let idle = idle(&made(2));
        assert_eq!(
            (idle.goal.as_str(), idle.clauses.as_str()),
            ("idle(In0, Out1)", "idle(_, _).\n")
        );
        let large = workload("0", "rev(_, _).\n", &made(100));
        let goals: Vec<&str> = large.setup.split(", Part").collect();
        assert!(goals.len() > 3, "{}", large.setup);
        // The pieces form the original term again.
        let read = costlens_syntax::read_text(&format!("s :- {}.\n", large.setup));
        assert_eq!(read.clauses.len(), 1);
        assert!(large.setup.contains("|Part0]"), "{}", large.setup);
    }
}
