//! The operators that Ciao's packages declare: `:- module(_, _, [assertions])`, `:- use_package(regtypes)`.

use crate::operator_type::OperatorType::{self, Fx, Fy, Xfx};

type Table = &'static [(u16, OperatorType, &'static str)];

/// Returns the operators of a package, by its name or path (`library(assertions)` is `assertions`).
pub(crate) fn operators_of(package: &str) -> &'static [Table] {
    match package {
        "assertions" | "assertions/assertions_basic" | "nativeprops" | "unittestdecls" => {
            &[ASSERTIONS]
        }
        "regtypes" => &[REGTYPES],
        "isomodes" | "basicmodes" | "modes" => &[MODES],
        "fsyntax" | "functional" | "hiord" | "lazy" => &[FUNCTIONS],
        _ => &[],
    }
}

/// Declarations follow a status and precede a head (prefix), or come between a version and a head (infix).
const ASSERTIONS: Table = &[
    (978, Xfx, "::"),
    (975, Xfx, "=>"),
    (1150, Fx, "decl"),
    (1150, Xfx, "decl"),
    (1150, Fx, "pred"),
    (1150, Xfx, "pred"),
    (1150, Fx, "prop"),
    (1150, Xfx, "prop"),
    (1150, Fx, "modedef"),
    (1150, Fx, "calls"),
    (1150, Xfx, "calls"),
    (1150, Fx, "success"),
    (1150, Xfx, "success"),
    (1150, Fx, "test"),
    (1150, Xfx, "test"),
    (1150, Fx, "texec"),
    (1150, Xfx, "texec"),
    (1150, Fx, "comp"),
    (1150, Xfx, "comp"),
    (1150, Fx, "entry"),
    (1150, Fx, "exit"),
    (1150, Xfx, "exit"),
];

const REGTYPES: Table = &[(1150, Fx, "regtype"), (1150, Xfx, "regtype")];

const MODES: Table = &[(200, Fy, "?"), (200, Fy, "@")];

/// Functional notation: `fact(N) := N * ~fact(N-1)`.
const FUNCTIONS: Table = &[
    (1150, Fx, "fun_eval"),
    (1150, Fx, "fun_return"),
    (1150, Fx, "function"),
    (1150, Fx, "lazy"),
    (800, Xfx, ":="),
    (50, Fx, "~"),
];
