//! The operators that SWI-Prolog's libraries export, by the libraries' names (version 9.0.4 and the packages with it).

use crate::operators::OperatorType::{self, Fx, Fy, Xfx, Xfy, Yfx};

type Declared = &'static [(u16, OperatorType, &'static str)];

/// The operators of `library(Path)`.
pub(crate) fn operators_of(path: &str) -> Declared {
    LIBRARIES
        .iter()
        .find(|(names, _)| names.contains(&path))
        .map_or(&[], |(_, operators)| operators)
}

const LIBRARIES: &[(&[&str], Declared)] = &[
    (
        &["clpfd", "clp/clpfd"],
        &[
            (760, Yfx, "#<==>"),
            (750, Xfy, "#==>"),
            (750, Yfx, "#<=="),
            (740, Yfx, "#\\/"),
            (730, Yfx, "#\\"),
            (720, Yfx, "#/\\"),
            (710, Fy, "#\\"),
            (700, Xfx, "#>"),
            (700, Xfx, "#<"),
            (700, Xfx, "#>="),
            (700, Xfx, "#=<"),
            (700, Xfx, "#="),
            (700, Xfx, "#\\="),
            (700, Xfx, "in"),
            (700, Xfx, "ins"),
            (700, Xfx, "in_set"),
            (450, Xfx, ".."),
        ],
    ),
    (
        &["bounds", "clp/bounds"],
        &[
            (760, Yfx, "#<=>"),
            (750, Xfy, "#=>"),
            (750, Yfx, "#<="),
            (740, Yfx, "#\\/"),
            (730, Yfx, "#\\"),
            (720, Yfx, "#/\\"),
            (710, Fy, "#\\"),
            (700, Xfx, "#>"),
            (700, Xfx, "#<"),
            (700, Xfx, "#>="),
            (700, Xfx, "#=<"),
            (700, Xfx, "#="),
            (700, Xfx, "#\\="),
            (700, Xfx, "in"),
            (550, Xfx, ".."),
        ],
    ),
    (&["clpb", "clp/clpb"], &[(300, Fy, "~"), (500, Yfx, "#")]),
    (
        &["chr"],
        &[
            (1180, Xfx, "==>"),
            (1180, Xfx, "<=>"),
            (1150, Fx, "constraints"),
            (1150, Fx, "chr_constraint"),
            (1150, Fx, "chr_preprocessor"),
            (1150, Fx, "handler"),
            (1150, Fx, "rules"),
            (1100, Xfx, "\\"),
            (1200, Xfx, "@"),
            (1190, Xfx, "pragma"),
            (500, Yfx, "#"),
            (1150, Fx, "chr_type"),
            (1150, Fx, "chr_declaration"),
            (1130, Xfx, "--->"),
            (1150, Fx, "?"),
        ],
    ),
    (&["coinduction"], &[(1150, Fx, "coinductive")]),
    (
        &["dialect/ifprolog"],
        &[
            (1150, Fx, "meta"),
            (1150, Fx, "export"),
            (100, Xfx, "@"),
            (900, Xfx, "=>"),
            (900, Fy, "not"),
        ],
    ),
    (
        &["dialect/sicstus"],
        &[
            (1150, Fx, "block"),
            (1150, Fx, "mode"),
            (900, Fy, "spy"),
            (900, Fy, "nospy"),
        ],
    ),
    (&["dialect/sicstus/block"], &[(1150, Fx, "block")]),
    (&["dialect/sicstus4"], &[(1100, Xfy, "do")]),
    (
        &["dialect/xsb"],
        &[
            (1050, Fy, "import"),
            (1050, Fx, "export"),
            (1040, Xfx, "from"),
            (1100, Fy, "index"),
            (1100, Fy, "ti"),
            (1100, Fx, "mode"),
            (1045, Xfx, "as"),
            (900, Fy, "tnot"),
            (900, Fy, "not"),
            (1100, Fx, "thread_shared"),
        ],
    ),
    (
        &["http/html_write", "http/http_server"],
        &[(1150, Fx, "html_meta")],
    ),
    (&["http/json_convert"], &[(1150, Fx, "json_object")]),
    (&["persistency"], &[(1150, Fx, "persistent")]),
    (&["record"], &[(1150, Fx, "record")]),
    (&["rewrite_term"], &[(1200, Xfx, "::=")]),
    (
        &["semweb/rdf11"],
        &[(110, Xfx, "@"), (650, Xfx, "^^"), (1150, Fx, "rdf_meta")],
    ),
    (
        &["semweb/rdf_db", "semweb/rdf_prefixes"],
        &[(1150, Fx, "rdf_meta")],
    ),
    (&["tables", "wfs"], &[(900, Fy, "tnot")]),
    (
        &["xpath"],
        &[(400, Fx, "//"), (400, Fx, "/"), (200, Fy, "@")],
    ),
];
