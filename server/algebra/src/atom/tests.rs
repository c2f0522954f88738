use super::*;

const N: Var = Var(0);
const M: Var = Var(1);

fn n() -> Expr {
    Expr::var(N)
}

fn quotient(e: &Expr, d: i64) -> Expr {
    e.scale(&rat(d).recip())
}

fn value_at(e: &Expr, n: i64, m: i64) -> Option<Rat> {
    e.eval(&|v| Some(if v == N { n } else { m }.into()))
}

#[test]
fn an_integer_part_leaves_the_floor() {
    let half = Expr::floor(&quotient(&n(), 2)).unwrap();
    let before = Expr::floor(&quotient(&(&n() - &Expr::int(2)), 2)).unwrap();
    assert_eq!(before, &half - &Expr::int(1));
    assert_eq!(
        Expr::floor(&quotient(&(&n().scale(&rat(3)) + &Expr::int(1)), 6)).unwrap(),
        half
    );
    assert_eq!(Expr::floor(&n()).unwrap(), n());
}

#[test]
fn floors_of_floors_are_one() {
    for (inner, outer, shift) in [(2, 2, 0), (3, 2, 1), (3, 5, -3), (4, 3, 2)] {
        let half = Expr::floor(&quotient(&(&n() + &Expr::int(1)), inner)).unwrap();
        let e = &half + &(&Expr::var(M) + &Expr::int(shift));
        let both = Expr::floor(&quotient(&e, outer)).unwrap();
        for x in -20i64..20 {
            for y in -3i64..4 {
                let expected = ((x + 1).div_euclid(inner) + y + shift).div_euclid(outer);
                assert_eq!(value_at(&both, x, y), Some(rat(expected)), "{x} {y}");
            }
        }
    }
}

#[test]
fn logarithms_of_halves_differ_by_one() {
    let half = Expr::floor(&quotient(&n(), 2)).unwrap();
    let log = Expr::flog(2, &n()).unwrap();
    assert_eq!(Expr::flog(2, &half).unwrap(), &log - &Expr::int(1));
    assert_eq!(
        Expr::flog(2, &n().scale(&rat(4))).unwrap(),
        &log + &Expr::int(2)
    );
    assert_eq!(value_at(&log, 0, 0), None);
    let floors = [1, 2, 3, 4, 7, 8, 1023, 1024].map(|x| value_at(&log, x, 0).unwrap());
    assert_eq!(floors, [0, 1, 1, 2, 2, 3, 9, 10].map(rat));
    let log = Expr::clog(3, &n()).unwrap();
    let ceilings = [1, 2, 3, 4, 9, 10, 27, 28].map(|x| value_at(&log, x, 0).unwrap());
    assert_eq!(ceilings, [0, 1, 1, 2, 2, 3, 3, 4].map(rat));
}

#[test]
fn a_sequence_takes_its_values_and_its_shifts_cancel() {
    for coefficients in [vec![1, 1], vec![1, 1, 1], vec![0, 2, -1], vec![3, -2]] {
        let a: Vec<Rat> = coefficients.into_iter().map(rat).collect();
        let d = a.len();
        let initial: Vec<Rat> = (0..d).map(|i| rat(i as i64 * 3 - 2)).collect();
        let t = Expr::cfinite(&a, &initial, &n()).unwrap();
        let mut values = initial.clone();
        for i in d..20 {
            let next = (1..=d).map(|k| &a[k - 1] * &values[i - k]).sum();
            values.push(next);
        }
        for (i, value) in values.iter().enumerate() {
            assert_eq!(value_at(&t, i as i64, 0).as_ref(), Some(value));
        }
        let mut step = t.clone();
        for (k, a) in a.iter().enumerate() {
            let by = BTreeMap::from([(N, &n() - &Expr::int(k as i64 + 1))]);
            step += &t.substitute(&by).unwrap().scale(&-a.clone());
        }
        assert!(step.is_zero(), "{step:?}");
    }
}

#[test]
fn a_power_of_a_logarithm_is_substituted_with_it() {
    let log = Expr::flog(2, &n()).unwrap();
    let power = Expr::power_of(&rat(2), &log).unwrap();
    let half = BTreeMap::from([(N, n().scale(&rat(2)))]);
    assert_eq!(power.substitute(&half).unwrap(), power.scale(&rat(2)));
    assert_eq!(value_at(&power, 100, 0), Some(rat(64)));
}
