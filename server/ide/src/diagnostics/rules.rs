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
    why: "The inferred bounds refute the assertion: every call of such a size violates it. Callers and tools that rely on the assertion are misled.",
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
    summary: "A predicate became more expensive than its lockfile records, lost its upper bound, may raise an exception, or cannot be compared.",
    why: "Callers pay more than in the locked version. `costlens check --against` and `costlens diff` report regressions. If a regression is \
          intended, `costlens snapshot` updates the lockfile.",
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
    why: "The lower bound of the predicate has a higher growth class than the budget, so every call of a large size exceeds the budget. With \
          `unproved = \"deny\"`, the rule also reports predicates that are not proved to stay within the budget. A budget that matches no predicate \
          of the project is a warning.",
    before: RANKED_IN_SQUARES,
    after: RANKED_IN_LINE,
    silence: Silence::ById,
    setting: DISABLED,
};

/// An assertion has a syntax error.
pub static ASSERTION_MALFORMED: Rule = Rule {
    id: "assertion-malformed",
    level: Level::Error,
    summary: "An assertion, or a part of it, cannot be read.",
    why: "An assertion that is not understood is not verified, so a typo makes it look as if it held. An unknown property is only a warning: the \
          rest of its assertion is verified.",
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
    why: "Bounds of its predicate and of the predicate's callers are computed without the clause.",
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
    summary: "A goal calls an undefined predicate.",
    why: "The call raises an exception. Nothing is reported if a file or a library was not found, or if no library is known.",
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
    summary: "A variable occurs only once in its clause.",
    why: "The name may be a typo: the value is not used, or another occurrence is spelled differently. A leading `_` marks the single occurrence as intended.",
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
    summary: "A mode line contains an unknown determinism or type.",
    why: "A line with an unknown determinism is treated as prose. An argument of an unknown type may be any term.",
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
    summary: "Every clause of a predicate calls the predicate itself, and every call fails.",
    why: "No clause handles the base case, so the recursion ends in failure.",
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
    summary: "The cost of a predicate is shown next to the head of its first clause.",
    why: "The hint shows what callers pay, or `cost ?` if no bound could be proved. Hover over the hint for details.",
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
    summary: "A cheaper variant of a predicate is offered as a quick fix; the rules below list the variants.",
    why: "A variant is offered only if its answers are proved to be the same and its bounds are proved to be lower; [rewrites.md](rewrites.md) lists the conditions of each variant.",
    before: REVERSED_NAIVELY,
    after: REVERSED_WITH_ACCUMULATOR,
    silence: Silence::ById,
    setting: "costlens.codeActions.enable",
};

/// A mode line that leads to a bound.
pub static DECLARE_MODES: Rule = Rule {
    id: "declare-modes",
    level: Level::Fix,
    summary: "A mode line would give a predicate an upper bound.",
    why: "The cost of a predicate depends on the arguments of its calls. The mode line is offered only if the analysis finds a bound with it.",
    before: WITHOUT_MODES,
    after: WITH_MODES,
    silence: Silence::With(&FIX),
    setting: "costlens.codeActions.enable",
};

/// Assertions of inferred bounds.
pub static ASSERT_INFERRED: Rule = Rule {
    id: "assert-inferred",
    level: Level::Fix,
    summary: "An assertion can record an inferred bound.",
    why: "If a later change makes the predicate more expensive, the assertion becomes false and is reported.",
    before: WITHOUT_COST,
    after: WITH_COST,
    silence: Silence::With(&FIX),
    setting: "costlens.codeActions.enable",
};

/// Replaces a false assertion by the inferred bound.
pub static RELAX_ASSERTION: Rule = Rule {
    id: "relax-assertion",
    level: Level::Fix,
    summary: "A false assertion can be replaced by the inferred bound.",
    why: "If the cost is as intended, the assertion is wrong. The new assertion is proved before it is offered.",
    before: WITH_FALSE_COST,
    after: WITH_COST,
    silence: Silence::With(&FIX),
    setting: "costlens.codeActions.enable",
};

/// A suppression comment cannot be understood.
pub static SUPPRESSION: Rule = Rule {
    id: "suppression",
    level: Level::Warning,
    summary: "A comment that begins with `costlens:` cannot be read, or names a rule that has nothing to report at that place.",
    why: "The comment silences nothing, although its author expects it to.",
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
pub static RULES: [&Rule; 55] = [
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
    &KNOWN_FUNCTOR,
    &FIRST_ELEMENT,
    &CONCATENATE_AT_ONCE,
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
    &DECLARE_AND_REWRITE,
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
