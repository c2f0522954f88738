//! `=/2` and related predicates.

use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::{Entry, Machine};

pub(crate) const TABLE: &[Entry] = &[
    ("=", 2, equal),
    ("\\=", 2, not_equal),
    ("==", 2, identical),
    ("\\==", 2, not_identical),
];

fn equal(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    Ok(machine.store.unify(args[0], args[1]))
}

fn not_equal(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    Ok(!machine
        .store
        .tentatively(|store| store.unify(args[0], args[1])))
}

fn identical(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    Ok(machine.store.identical(args[0], args[1]))
}

fn not_identical(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    Ok(!machine.store.identical(args[0], args[1]))
}

#[cfg(test)]
mod tests {
    use crate::testing::{answer, error};

    #[test]
    fn unification() {
        assert_eq!(answer("X = f(Y, b)", "X"), Some("f(A,b)".into()));
        assert_eq!(answer("f(X, X, a) = f(Y, b, Y)", "X"), None);
        assert_eq!(answer("f(X) \\= f(a)", "X"), None);
        assert_eq!(answer("f(X, b) \\= f(a, c)", "X"), Some("A".into()));
        assert_eq!(answer("X == X", "X"), Some("A".into()));
        assert_eq!(error("f(X) \\== f(_)"), None);
    }
}
