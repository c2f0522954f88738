//! The opaque types: terms that only the predicates of a library build, so that they have the library's invariant.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// An opaque type. Both are balanced search trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OpaqueName {
    /// The AVL trees of `library(assoc)`: `t`, or `t(Key, Value, Balance, Left, Right)`.
    Assoc,
    /// The red-black trees of `library(rbtrees)`: `t(Leaf, Tree)`, where a node is `black(Left, Key, Value, Right)` or `red(…)`.
    RedBlack,
}

/// The maximum depth of a tree that is examined. An AVL tree of this depth has more than 10^12 keys.
const DEEPEST: usize = 60;

/// Returns the name and the arguments of a term; `None` for variables and numbers.
type Parts<'a, T> = &'a dyn Fn(T) -> Option<(SmolStr, Vec<T>)>;

impl OpaqueName {
    /// All opaque types.
    pub const ALL: [OpaqueName; 2] = [OpaqueName::Assoc, OpaqueName::RedBlack];

    /// Returns the name of the type in declarations.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            OpaqueName::Assoc => "assoc",
            OpaqueName::RedBlack => "rbtree",
        }
    }

    /// Returns the keys of a term, each with its value; `None` if the term does not have the library's shape or is not balanced. The order
    /// of the keys is not examined.
    #[must_use]
    pub fn contents<T: Copy>(self, term: T, parts: Parts<'_, T>) -> Option<Vec<(T, T)>> {
        let mut found = Vec::new();
        match self {
            OpaqueName::Assoc => {
                avl_height(term, DEEPEST, parts, &mut found)?;
            }
            OpaqueName::RedBlack => match (parts(term)?, DEEPEST) {
                ((name, args), _) if name == "t" && args.len() == 2 => {
                    black_height(args[1], DEEPEST, parts, &mut found)?;
                }
                _ => return None,
            },
        }
        Some(found)
    }
}

/// Returns the height of an AVL tree; recursive to a bounded depth.
fn avl_height<T: Copy>(
    term: T,
    deepest: usize,
    parts: Parts<'_, T>,
    found: &mut Vec<(T, T)>,
) -> Option<usize> {
    let (name, args) = parts(term)?;
    if name != "t" || deepest == 0 {
        return None;
    }
    match args[..] {
        [] => Some(0),
        [key, value, balance, left, right] => {
            let left = avl_height(left, deepest - 1, parts, found)?;
            found.push((key, value));
            let right = avl_height(right, deepest - 1, parts, found)?;
            let (balance, none) = parts(balance)?;
            // Versions of the library differ in the side that `<` names.
            let is_it = match &*balance {
                "-" => left == right,
                "<" | ">" => left.abs_diff(right) == 1,
                _ => false,
            };
            (is_it && none.is_empty()).then_some(left.max(right) + 1)
        }
        _ => None,
    }
}

/// Returns the number of black nodes on each path of a red-black tree; recursive to a bounded depth.
fn black_height<T: Copy>(
    term: T,
    deepest: usize,
    parts: Parts<'_, T>,
    found: &mut Vec<(T, T)>,
) -> Option<usize> {
    let (color, args) = parts(term)?;
    let &[left, key, value, right] = &args[..] else {
        return None;
    };
    let is_color = |t: T, color: &str| parts(t).is_some_and(|(name, _)| name == color);
    if color == "black" && is_color(left, "") && is_color(right, "") {
        return Some(0);
    }
    let is_red = color == "red";
    if deepest == 0 || !(is_red || color == "black") {
        return None;
    }
    if is_red && (is_color(left, "red") || is_color(right, "red")) {
        return None;
    }
    let before = black_height(left, deepest - 1, parts, found)?;
    found.push((key, value));
    let after = black_height(right, deepest - 1, parts, found)?;
    (before == after).then_some(before + usize::from(!is_red))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_text;
    use crate::term::Term;

    fn keys(name: OpaqueName, text: &str) -> Option<usize> {
        let clause = &read_text(&format!("{text}.")).clauses[0];
        let terms = &clause.terms;
        let parts = |t| match terms.get(t) {
            Term::Atom(name) => Some((name.clone(), Vec::new())),
            Term::Compound(name, _) => Some((name.clone(), terms.args(t).to_vec())),
            _ => None,
        };
        name.contents(clause.root, &parts).map(|all| all.len())
    }

    #[test]
    fn balanced_trees_have_keys() {
        let assoc = |text| keys(OpaqueName::Assoc, text);
        assert_eq!(assoc("t"), Some(0));
        assert_eq!(assoc("t(k,v,-,t,t)"), Some(1));
        assert_eq!(assoc("t(k,v,<,t(j,_,-,t,t),t)"), Some(2));
        assert_eq!(assoc("t(k,v,-,t(j,_,-,t,t),t)"), None);
        assert_eq!(assoc("t(k,v,>,t,t(l,v,>,t,t(m,v,-,t,t)))"), None);
        assert_eq!(assoc("t(k,v,t,t)"), None);
        let tree = |text| keys(OpaqueName::RedBlack, text);
        assert_eq!(tree("t(black('',_,_,''), black('',_,_,''))"), Some(0));
        assert_eq!(
            tree("t(n, black(red(black('',_,_,''),a,1,black('',_,_,'')),b,2,black('',_,_,'')))"),
            Some(2)
        );
        assert_eq!(
            tree("t(n, black(black(black('',_,_,''),a,1,black('',_,_,'')),b,2,black('',_,_,'')))"),
            None
        );
    }
}
