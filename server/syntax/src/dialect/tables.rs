//! The built-in operators of each dialect.

use super::Dialect;
use crate::operator_type::OperatorType::{self, Fx, Fy, Xfx, Xfy, Yfx};

type Table = &'static [(u16, OperatorType, &'static str)];

/// Returns the tables that contain a dialect's operators.
pub(crate) fn operators_of(dialect: Dialect) -> &'static [Table] {
    match dialect {
        Dialect::Swi => &[SWI],
        Dialect::Iso => &[STANDARD, MODULES, DIRECTIVES],
        Dialect::Gnu => &[STANDARD, MODULES, DIRECTIVES, GNU],
        Dialect::Scryer => &[STANDARD, MODULES, DIRECTIVES, SCRYER],
        Dialect::Trealla => &[STANDARD, MODULES, DIRECTIVES, TREALLA],
        Dialect::Ciao => &[STANDARD, CIAO],
    }
}

const SWI: &[(u16, OperatorType, &str)] = &[
    (1200, Xfx, ":-"),
    (1200, Xfx, "-->"),
    (1200, Xfx, "=>"),
    (1200, Fx, ":-"),
    (1200, Fx, "?-"),
    (1150, Fx, "discontiguous"),
    (1150, Fx, "dynamic"),
    (1150, Fx, "initialization"),
    (1150, Fx, "meta_predicate"),
    (1150, Fx, "module_transparent"),
    (1150, Fx, "multifile"),
    (1150, Fx, "public"),
    (1150, Fx, "table"),
    (1150, Fx, "thread_initialization"),
    (1150, Fx, "thread_local"),
    (1150, Fx, "volatile"),
    (1105, Xfy, "|"),
    (1100, Xfy, ";"),
    (1050, Xfy, "->"),
    (1050, Xfy, "*->"),
    (1000, Xfy, ","),
    (800, Xfx, ":="),
    (900, Fy, "\\+"),
    (700, Xfx, "<"),
    (700, Xfx, "="),
    (700, Xfx, "=.."),
    (700, Xfx, "=:="),
    (700, Xfx, "=<"),
    (700, Xfx, "=="),
    (700, Xfx, "=@="),
    (700, Xfx, "=\\="),
    (700, Xfx, ">"),
    (700, Xfx, ">="),
    (700, Xfx, "@<"),
    (700, Xfx, "@=<"),
    (700, Xfx, "@>"),
    (700, Xfx, "@>="),
    (700, Xfx, "\\="),
    (700, Xfx, "\\=="),
    (700, Xfx, "\\=@="),
    (700, Xfx, "as"),
    (700, Xfx, "is"),
    (700, Xfx, ">:<"),
    (700, Xfx, ":<"),
    (600, Xfy, ":"),
    (500, Yfx, "+"),
    (500, Yfx, "-"),
    (500, Yfx, "/\\"),
    (500, Yfx, "\\/"),
    (400, Yfx, "*"),
    (400, Yfx, "/"),
    (400, Yfx, "//"),
    (400, Yfx, "<<"),
    (400, Yfx, ">>"),
    (400, Yfx, "div"),
    (400, Yfx, "mod"),
    (400, Yfx, "rdiv"),
    (400, Yfx, "rem"),
    (400, Yfx, "xor"),
    (200, Xfx, "**"),
    (200, Xfy, "^"),
    (200, Fy, "-"),
    (200, Fy, "+"),
    (200, Fy, "\\"),
    (100, Yfx, "."),
    (1, Fx, "$"),
];

/// ISO/IEC 13211-1, 6.3.4.4, with the `|` of the corrigenda.
const STANDARD: Table = &[
    (1200, Xfx, ":-"),
    (1200, Xfx, "-->"),
    (1200, Fx, ":-"),
    (1200, Fx, "?-"),
    (1105, Xfy, "|"),
    (1100, Xfy, ";"),
    (1050, Xfy, "->"),
    (1000, Xfy, ","),
    (900, Fy, "\\+"),
    (700, Xfx, "<"),
    (700, Xfx, "="),
    (700, Xfx, "=.."),
    (700, Xfx, "=:="),
    (700, Xfx, "=<"),
    (700, Xfx, "=="),
    (700, Xfx, "=\\="),
    (700, Xfx, ">"),
    (700, Xfx, ">="),
    (700, Xfx, "@<"),
    (700, Xfx, "@=<"),
    (700, Xfx, "@>"),
    (700, Xfx, "@>="),
    (700, Xfx, "\\="),
    (700, Xfx, "\\=="),
    (700, Xfx, "is"),
    (500, Yfx, "+"),
    (500, Yfx, "-"),
    (500, Yfx, "/\\"),
    (500, Yfx, "\\/"),
    (400, Yfx, "*"),
    (400, Yfx, "/"),
    (400, Yfx, "//"),
    (400, Yfx, "<<"),
    (400, Yfx, ">>"),
    (400, Yfx, "div"),
    (400, Yfx, "mod"),
    (400, Yfx, "rem"),
    (200, Xfx, "**"),
    (200, Xfy, "^"),
    (200, Fy, "-"),
    (200, Fy, "+"),
    (200, Fy, "\\"),
];

/// ISO/IEC 13211-2.
const MODULES: Table = &[(600, Xfy, ":")];

/// The names of directives, which the standard writes with brackets and most programs without brackets.
const DIRECTIVES: Table = &[
    (1150, Fx, "discontiguous"),
    (1150, Fx, "dynamic"),
    (1150, Fx, "initialization"),
    (1150, Fx, "multifile"),
];

/// The additional operators in `current_op/3` of GNU Prolog 1.4.5: soft cut and constraints; and `?`, which its compiler accepts in
/// `:- foreign(p(?char))`.
const GNU: Table = &[
    (1050, Xfy, "*->"),
    (750, Xfy, "#<=>"),
    (750, Xfy, "#\\<=>"),
    (740, Xfy, "#==>"),
    (740, Xfy, "#\\==>"),
    (730, Xfy, "##"),
    (730, Yfx, "#\\/"),
    (730, Yfx, "#\\\\/"),
    (720, Yfx, "#/\\"),
    (720, Yfx, "#\\/\\"),
    (710, Fy, "#\\"),
    (700, Xfx, "#="),
    (700, Xfx, "#=#"),
    (700, Xfx, "#\\="),
    (700, Xfx, "#\\=#"),
    (700, Xfx, "#<"),
    (700, Xfx, "#<#"),
    (700, Xfx, "#=<"),
    (700, Xfx, "#=<#"),
    (700, Xfx, "#>"),
    (700, Xfx, "#>#"),
    (700, Xfx, "#>="),
    (700, Xfx, "#>=#"),
    (200, Fy, "?"),
];

/// The additional operators declared by Scryer Prolog's built-ins, and names of directives that its files write without brackets.
const SCRYER: Table = &[
    (1150, Fx, "table"),
    (1150, Fx, "meta_predicate"),
    (700, Fx, "non_counted_backtracking"),
    (400, Yfx, "rdiv"),
];

/// The additional operators in Trealla Prolog's table.
const TREALLA: Table = &[
    (1150, Fx, "public"),
    (1150, Fx, "table"),
    (1150, Fx, "ensure_loaded"),
    (1150, Fx, "meta_predicate"),
    (1050, Xfy, "*->"),
    (700, Xfx, "as"),
    (400, Yfx, "rdiv"),
    (400, Yfx, "xor"),
    (100, Fy, "++"),
    (100, Fy, "--"),
    (100, Fy, "@"),
];

/// Ciao's differences from the standard, and the declarations of its compiler; packages add their own operators (`ciao.rs`).
const CIAO: Table = &[
    (1150, Fx, "concurrent"),
    (1150, Fx, "data"),
    (1150, Fx, "discontiguous"),
    (1150, Fx, "dynamic"),
    (1150, Fx, "meta_predicate"),
    (1150, Fx, "multifile"),
    (1100, Xfy, "|"),
    (550, Xfx, ":"),
    (500, Yfx, "#"),
    (500, Fy, "++"),
    (500, Fy, "--"),
];
