//! The registry of rules. It contains the ids of all diagnostics, hints and fixes, and the documentation of each rule.
//!
//! Rules can only be constructed in this module, so that every message has a registered id. `docs/rules.md` is generated from the registry.

mod advice;
mod rewrites;

use std::fmt;

pub use advice::*;
pub use rewrites::*;

/// A kind of message, known to users by its id.
pub struct Rule {
    id: &'static str,
    level: Level,
    summary: &'static str,
    why: &'static str,
    before: &'static str,
    after: &'static str,
    silence: Silence,
    setting: &'static str,
}

/// The level of a rule: how prominent it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A code action, offered on request.
    Fix,
    /// An inlay hint or other text next to the program.
    Hint,
    /// A warning: the code is suspicious.
    Warning,
    /// An error: the code is wrong.
    Error,
}

/// The way in which a comment suppresses a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// By the rule's own id.
    ById,
    /// By the id of the rule's group.
    With(&'static Rule),
    /// Never: the comment itself is wrong.
    Never,
}

/// An assertion is false for some sizes.
pub static ASSERTION_FALSE: Rule = Rule {
    id: "assertion-false",
    level: Level::Error,
    summary: "An assertion is false for some sizes that its precondition admits.",
    why: "The inferred bounds refute it: every call of such a size breaks it. Whoever relies on the assertion, a caller or another \
          tool, is misled.",
    before: "\
%! len(+Xs:list, -N:int) is det.
%  @cost steps =< 3
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
",
    after: "\
%! len(+Xs:list, -N:int) is det.
%  @cost steps =< length(Xs) + 1
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
",
    silence: Silence::ById,
    setting: "costlens.diagnostics.enable",
};

/// A predicate became more expensive than its lockfile allows.
pub static REGRESSION: Rule = Rule {
    id: "regression",
    level: Level::Error,
    summary: "A predicate became dearer than the lockfile says, lost its upper bound, may raise an exception, or cannot be compared.",
    why: "Callers pay more than in the version that was locked. `costlens check --against` and `costlens diff` report it. Where it is \
          meant, `costlens snapshot` writes the lockfile anew.",
    before: RANKED_IN_SQUARES,
    after: RANKED_IN_LINE,
    silence: Silence::ById,
    setting: ON_REQUEST,
};

/// A predicate costs more than the project allows.
pub static BUDGET: Rule = Rule {
    id: "budget",
    level: Level::Error,
    summary: "A predicate costs more than a budget of `costlens.toml` allows.",
    why: "Its lower bound is of a greater class, so that every call of a large size costs more. With `unproved = \"deny\"` it is reported, too, \
          where no bound shows that the budget is kept. A budget that is about no predicate of the project is a warning.",
    before: RANKED_IN_SQUARES,
    after: RANKED_IN_LINE,
    silence: Silence::ById,
    setting: DISABLED,
};

/// An assertion has a syntax error.
pub static ASSERTION_MALFORMED: Rule = Rule {
    id: "assertion-malformed",
    level: Level::Error,
    summary: "An assertion cannot be read, as a whole or in part.",
    why: "What is not understood is not verified, so a slip of the pen looks like a promise that is kept. A property that is not known is \
          a warning: the rest of its assertion counts.",
    before: "\
:- pred len(Xs, N) : (list(Xs), var(N)) + cost(ub, steps, size(Xs, N)).
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
",
    after: "\
:- pred len(Xs, N) : (list(Xs), var(N)) + cost(ub, steps, length(Xs) + 1).
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
",
    silence: Silence::ById,
    setting: "costlens.diagnostics.enable",
};

/// A clause has a syntax error.
pub static SYNTAX: Rule = Rule {
    id: "syntax",
    level: Level::Error,
    summary: "A clause cannot be read.",
    why: "Bounds of its predicate, and of those that call it, are computed without the clause.",
    before: "\
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs] :- app(Xs, Ys, Zs).
",
    after: "\
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
",
    silence: Silence::ById,
    setting: "costlens.diagnostics.enable",
};

/// A goal calls an undefined predicate.
pub static UNDEFINED: Rule = Rule {
    id: "undefined-predicate",
    level: Level::Warning,
    summary: "A goal calls a predicate that is defined nowhere.",
    why: "The call raises an exception. Nothing is reported where a file or a library was not found, or where no library is known.",
    before: "\
total(Xs, S) :- sumlst(Xs, S).
",
    after: "\
total(Xs, S) :- sum_list(Xs, S).
",
    silence: Silence::ById,
    setting: DISABLED,
};

/// A variable occurs only once.
pub static SINGLETON: Rule = Rule {
    id: "singleton-variable",
    level: Level::Warning,
    summary: "A variable occurs once in its clause.",
    why: "It may be a typo: the value is not used, or the other occurrence has another name. `_` in front says that it is meant.",
    before: "\
len([], 0).
len([X|Xs], N) :- len(Xs, M), N is M+1.
",
    after: "\
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
",
    silence: Silence::ById,
    setting: DISABLED,
};

/// A mode line contains an unknown word.
pub static MODE_LINE: Rule = Rule {
    id: "mode-line",
    level: Level::Warning,
    summary: "A mode line has a determinism or a type that does not exist.",
    why: "What is not understood says nothing: the line is prose, or the argument is any term.",
    before: "\
%! len(+Xs:lst, -N:int) is dett.
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
",
    after: "\
%! len(+Xs:list, -N:int) is det.
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
",
    silence: Silence::ById,
    setting: DISABLED,
};

/// A recursive predicate that fails for every call.
pub static NEVER_SUCCEEDS: Rule = Rule {
    id: "never-succeeds",
    level: Level::Warning,
    summary: "Every clause of a predicate calls the predicate, and every call fails.",
    why: "No clause is for the end of the recursion, so that it fails there.",
    before: "\
len([_|Xs], N) :- len(Xs, M), N is M+1.
",
    after: "\
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
",
    silence: Silence::ById,
    setting: DISABLED,
};

/// Hints at clause heads.
pub static HINT: Rule = Rule {
    id: "hint",
    level: Level::Hint,
    summary: "The cost of a predicate stands beside the head of its first clause.",
    why: "It says what callers pay, or `cost ?` where no bound could be proved. Hovering it shows the rest.",
    before: "\
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
",
    after: "\
% costlens: ignore[hint] everybody knows it
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
",
    silence: Silence::ById,
    setting: "costlens.hints.enable",
};

/// The group of all cheaper variants.
pub static FIX: Rule = Rule {
    id: "fix",
    level: Level::Fix,
    summary: "A cheaper variant of a predicate is offered as a quick fix; the rules below say which.",
    why: "It is offered only where its answers are proved to be the same and its bounds are proved to be lower; [rewrites.md](rewrites.md) has the conditions of each.",
    before: REVERSED_NAIVELY,
    after: REVERSED_WITH_ACCUMULATOR,
    silence: Silence::ById,
    setting: "costlens.codeActions.enable",
};

/// A mode line that leads to a bound.
pub static DECLARE_MODES: Rule = Rule {
    id: "declare-modes",
    level: Level::Fix,
    summary: "A mode line gives a predicate an upper bound that it has not got.",
    why: "What a predicate is called with decides what it costs. It is offered only where the analysis finds a bound with it.",
    before: WITHOUT_MODES,
    after: WITH_MODES,
    silence: Silence::With(&FIX),
    setting: "costlens.codeActions.enable",
};

/// Assertions of inferred bounds.
pub static ASSERT_INFERRED: Rule = Rule {
    id: "assert-inferred",
    level: Level::Fix,
    summary: "An assertion holds on to a bound that was inferred.",
    why: "A change that makes the predicate dearer makes the assertion false, and is told where it is made.",
    before: WITHOUT_COST,
    after: WITH_COST,
    silence: Silence::With(&FIX),
    setting: "costlens.codeActions.enable",
};

/// Replaces a false assertion by the inferred bound.
pub static RELAX_ASSERTION: Rule = Rule {
    id: "relax-assertion",
    level: Level::Fix,
    summary: "A false assertion is replaced by what was inferred.",
    why: "Where the cost is what it has to be, the assertion is wrong. The new one is proved before it is offered.",
    before: WITH_FALSE_COST,
    after: WITH_COST,
    silence: Silence::With(&FIX),
    setting: "costlens.codeActions.enable",
};

/// A suppression comment cannot be understood.
pub static SUPPRESSION: Rule = Rule {
    id: "suppression",
    level: Level::Warning,
    summary: "A comment that begins with `costlens:` cannot be read, or names a rule that finds nothing there.",
    why: "It silences nothing, whatever its author believes.",
    before: "\
% costlens: ignore[hints]
p(1).
",
    after: "\
% costlens: ignore[hint]
p(1).
",
    silence: Silence::Never,
    setting: "costlens.diagnostics.enable",
};

/// Every rule, in the order of `docs/rules.md`. Error messages for suppression comments list the permitted rules in the same order.
pub static RULES: [&Rule; 51] = [
    &ASSERTION_FALSE,
    &ASSERTION_MALFORMED,
    &BUDGET,
    &REGRESSION,
    &SYNTAX,
    &UNDEFINED,
    &SINGLETON,
    &MODE_LINE,
    &NEVER_SUCCEEDS,
    &HINT,
    &DOMINATING_CALL,
    &LEFT_CHOICE_POINT,
    &NON_TAIL_RECURSION,
    &REPEATED_GOAL,
    &TABLING,
    &FIX,
    &REVERSE_WITH_ACCUMULATOR,
    &DIFFERENCE_LIST,
    &LIST_GROWN_AT_ITS_END,
    &MATCH_INSTEAD_OF_LENGTH,
    &LAST_ELEMENT,
    &MEMBER_ONCE,
    &APPEND_FROM_THE_RIGHT,
    &ANY_SOLUTION,
    &NEEDLESS_COPY,
    &SORT_ONCE,
    &TWO_VALUES_CARRIED,
    &POWER,
    &COMPUTE_ONCE,
    &JOIN_ALL_AT_ONCE,
    &WRITTEN_CELLS,
    &REVERSED_TWICE,
    &ELEMENTS_WITH_INDEX,
    &NUMBERS_WITHOUT_LIST,
    &MEMBER_OF_BOTH,
    &UNUSED_REST,
    &WALK_INSTEAD_OF_INDEX,
    &SORT_INSTEAD_OF_PERMUTATION,
    &AGGREGATE_WITHOUT_LIST,
    &DECIDE_ONCE,
    &ACCUMULATE,
    &COMPUTED_INSTEAD_OF_SEARCHED,
    &COMPUTED_BEFORE_THE_LOOP,
    &SAME_GOAL_TWICE,
    &EQUAL_PREDICATE,
    &DECLARE_MODES,
    &DECLARE_FOR_VARIANT,
    &CONDITION_MISSING,
    &ASSERT_INFERRED,
    &RELAX_ASSERTION,
    &SUPPRESSION,
];

/// The setting of a rule that is reported only if a command requests it: none.
const ON_REQUEST: &str = "";

/// The setting that lists the disabled rules.
const DISABLED: &str = "costlens.diagnostics.disabled";

const RANKED_IN_SQUARES: &str = "\
%! ranked(+Xs:list, -Ys) is det.
ranked([], []).
ranked([X|Xs], Ys) :- ranked(Xs, Zs), append(Zs, [r(X)], Ys).
";

const RANKED_IN_LINE: &str = "\
%! ranked(+Xs:list, -Ys) is det.
ranked([], []).
ranked([X|Xs], [r(X)|Ys]) :- ranked(Xs, Ys).
";

const WITHOUT_MODES: &str = "\
%! ranked(?Scores, -Ranked).
ranked([], []).
ranked([X|Xs], [r(X)|Rs]) :- ranked(Xs, Rs).
";

const WITH_MODES: &str = "\
%! ranked(+Scores:list(any), -Ranked).
ranked([], []).
ranked([X|Xs], [r(X)|Rs]) :- ranked(Xs, Rs).
";

const WITHOUT_COST: &str = "\
%! ranked(+Scores:list, -Ranked) is det.
ranked([], []).
ranked([X|Xs], [r(X)|Rs]) :- ranked(Xs, Rs).
";

const WITH_COST: &str = "\
%! ranked(+Scores:list, -Ranked) is det.
%  @cost steps = length(Scores)+1
ranked([], []).
ranked([X|Xs], [r(X)|Rs]) :- ranked(Xs, Rs).
";

const WITH_FALSE_COST: &str = "\
%! ranked(+Scores:list, -Ranked) is det.
%  @cost steps = length(Scores)
ranked([], []).
ranked([X|Xs], [r(X)|Rs]) :- ranked(Xs, Rs).
";

const REVERSED_NAIVELY: &str = "\
%! nrev(+Xs:list, -Ys:list) is det.
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).
";

const REVERSED_WITH_ACCUMULATOR: &str = "\
%! nrev(+Xs:list, -Ys:list) is det.
nrev(Xs, Ys) :- nrev(Xs, [], Ys).

nrev([], Acc, Acc).
nrev([X|Xs], Acc, Ys) :- nrev(Xs, [X|Acc], Ys).
";

impl Rule {
    /// Returns the id, in kebab case. An id never changes.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// Returns the maximum level of the rule's messages. Individual messages may have a lower level.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// Returns a one-line summary of the rule.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// Returns the reason why the rule matters.
    #[must_use]
    pub fn why(&self) -> &'static str {
        self.why
    }

    /// Returns an example program that triggers the rule.
    #[must_use]
    pub fn before(&self) -> &'static str {
        self.before
    }

    /// Returns the corrected example program.
    #[must_use]
    pub fn after(&self) -> &'static str {
        self.after
    }

    /// Returns the way in which a comment suppresses the rule.
    #[must_use]
    pub fn silence(&self) -> Silence {
        self.silence
    }

    /// Returns the setting that disables the rule everywhere. Empty for a rule that is reported only on request.
    #[must_use]
    pub fn setting(&self) -> &'static str {
        self.setting
    }
}

/// Returns the rules that a suppression comment may name, in order.
pub(super) fn nameable() -> impl Iterator<Item = &'static Rule> {
    RULES.into_iter().filter(|r| r.silence == Silence::ById)
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_kebab_case_and_each_is_there_once() {
        let mut ids: Vec<&str> = RULES.iter().map(|r| r.id).collect();
        for id in &ids {
            let is_kebab = id
                .split('-')
                .all(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase()));
            assert!(is_kebab, "{id}");
        }
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), RULES.len());
    }
}
