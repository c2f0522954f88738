//! Predicates that SWI-Prolog calls by itself: expansions of terms and goals, and hooks of `user`.

/// Hooks that expand terms and goals.
pub(crate) const EXPANSION_HOOKS: [(&str, usize); 4] = [
    ("term_expansion", 2),
    ("term_expansion", 4),
    ("goal_expansion", 2),
    ("goal_expansion", 4),
];

/// Predicates of `user` that SWI-Prolog calls, and that libraries add clauses to.
pub(crate) const SYSTEM_HOOKS: &[(&str, usize)] = &[
    ("portray", 1),
    ("message_hook", 3),
    ("message_property", 2),
    ("file_search_path", 2),
    ("library_directory", 1),
    ("prolog_file_type", 2),
    ("prolog_load_file", 2),
    ("exception", 3),
    ("expand_query", 4),
    ("expand_answer", 2),
    ("prolog_list_goal", 1),
    ("prolog_event_hook", 1),
    ("thread_message_hook", 3),
    ("prolog_exception_hook", 4),
    ("prolog_exception_hook", 5),
];
