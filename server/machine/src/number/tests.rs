//! Identities of exact arithmetic. `tests/it/arithmetic.rs` compares results with those of SWI-Prolog.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use proptest::prelude::*;

use super::*;

fn integer() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::Small),
        (-10_i64..10).prop_map(Number::Small),
        prop::collection::vec(any::<u32>(), 0..8).prop_flat_map(|digits| any::<bool>().prop_map(
            move |minus| {
                let n = BigInt::from(num_bigint::BigUint::new(digits.clone()));
                Number::from(if minus { -n } else { n })
            }
        )),
    ]
}

fn exact_number() -> impl Strategy<Value = Number> {
    (integer(), integer()).prop_map(|(a, b)| {
        let (a, b) = (a.to_integer().unwrap(), b.to_integer().unwrap());
        if b.is_zero() {
            Number::from(a)
        } else {
            Number::from(BigRational::new(a, b))
        }
    })
}

fn apply(name: &str, operands: &[Number]) -> Value {
    Function::find(name, operands.len())
        .unwrap()
        .apply(operands)
}

proptest! {
    #[test]
    fn a_difference_added_again_is_the_number(x in exact_number(), y in exact_number()) {
        prop_assert_eq!(add(&subtract(&x, &y).unwrap(), &y).unwrap(), x);
    }

    #[test]
    fn a_quotient_times_the_divisor_is_the_number(x in exact_number(), y in exact_number()) {
        if !y.is_zero() {
            let quotient = apply("rdiv", &[x.clone(), y.clone()]).unwrap();
            prop_assert_eq!(multiply(&quotient, &y).unwrap(), x);
        }
    }

    #[test]
    fn both_divisions_leave_what_their_remainders_say(x in integer(), y in integer()) {
        if !y.is_zero() {
            for (divide, rest) in [("//", "rem"), ("div", "mod")] {
                let quotient = apply(divide, &[x.clone(), y.clone()]).unwrap();
                let rest = apply(rest, &[x.clone(), y.clone()]).unwrap();
                prop_assert_eq!(add(&multiply(&quotient, &y).unwrap(), &rest).unwrap(), x.clone());
                prop_assert!(absolute(&rest).to_integer() < absolute(&y).to_integer());
            }
        }
    }

    #[test]
    fn bits_of_and_or_xor_add_up(x in integer(), y in integer()) {
        let and = apply("/\\", &[x.clone(), y.clone()]).unwrap();
        let or = apply("\\/", &[x.clone(), y.clone()]).unwrap();
        let xor = apply("xor", &[x.clone(), y.clone()]).unwrap();
        prop_assert_eq!(add(&and, &or).unwrap(), add(&x, &y).unwrap());
        prop_assert_eq!(subtract(&or, &and).unwrap(), xor);
    }

    #[test]
    fn shifting_there_and_back_is_nothing(x in integer(), by in 0_i64..300) {
        let left = apply("<<", &[x.clone(), Number::Small(by)]).unwrap();
        prop_assert_eq!(apply(">>", &[left, Number::Small(by)]).unwrap(), x);
    }

    #[test]
    fn powers_multiply(x in exact_number(), n in 0_i64..6, m in 0_i64..6) {
        let power = |n: i64| apply("**", &[x.clone(), Number::Small(n)]).unwrap();
        prop_assert_eq!(multiply(&power(n), &power(m)).unwrap(), power(n + m));
    }

    #[test]
    fn a_float_is_read_back_as_it_was_written(bits in any::<u64>()) {
        let x = f64::from_bits(bits);
        if x.is_finite() {
            prop_assert_eq!(parse_float(&float_text(x)).unwrap().to_bits(), bits);
        }
    }

    #[test]
    fn the_exact_value_of_a_float_is_the_float(bits in any::<u64>()) {
        let x = Number::Float(f64::from_bits(bits));
        if let Number::Float(f) = x && f.is_finite() {
            let exact = apply("rational", std::slice::from_ref(&x)).unwrap();
            prop_assert_eq!(compare(&exact, &x), Some(std::cmp::Ordering::Equal));
            prop_assert_eq!(float::nearest(&exact), f);
            prop_assert_eq!(float::nearest(&apply("rationalize", &[x]).unwrap()), f);
        }
    }

    #[test]
    fn the_nearest_float_of_a_number_is_what_its_digits_are_read_as(x in integer(), shift in 0_usize..400) {
        let n = x.to_integer().unwrap() << shift;
        let read: f64 = n.to_string().parse().unwrap();
        prop_assert_eq!(float::nearest(&Number::from(n)), read);
    }

    #[test]
    fn the_standard_order_is_an_order(x in exact_number(), y in exact_number(), z in any::<f64>()) {
        let mut all = [x, y, Number::Float(z)];
        all.sort_by(standard_order);
        prop_assert!(standard_order(&all[0], &all[1]).is_le());
        prop_assert!(standard_order(&all[1], &all[2]).is_le());
        prop_assert!(standard_order(&all[0], &all[2]).is_le());
        prop_assert_eq!(standard_order(&all[0], &all[2]), standard_order(&all[2], &all[0]).reverse());
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let big = apply("<<", &[Number::Small(1), Number::from(MAX_BITS - 1)]).unwrap();
    assert_eq!(multiply(&big, &big), Err(ArithmeticError::TooLarge));
    assert_eq!(
        apply("**", &[big.clone(), big.clone()]),
        Err(ArithmeticError::TooLarge)
    );
    assert_eq!(
        apply("<<", &[Number::Small(1), big.clone()]),
        Err(ArithmeticError::TooLarge)
    );
    assert_eq!(
        apply(">>", &[Number::Small(-5), big]),
        Ok(Number::Small(-1))
    );
    let third = Number::from(BigRational::new(1.into(), 3.into()));
    assert_eq!(
        apply("**", &[third, Number::Small(1 << 30)]),
        Err(ArithmeticError::TooLarge)
    );
}
