//! Encoding of certificate parts as JSON.

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Rat, Var};
use num_bigint::BigInt;
use serde_json::Value;

/// A part of a proof.
pub(super) trait Encode {
    /// Encodes the part. Returns `None` if it contains a proof that certificates do not support.
    fn encode(&self) -> Option<Value>;
}

/// Encodes fields as an object, under their names: `object!(rule = "empty", by)`.
macro_rules! object {
    (@ $field:ident) => { $field };
    (@ $field:ident $value:expr) => { $value };
    ($($field:ident $(= $value:expr)?),+ $(,)?) => {{
        let mut object = serde_json::Map::new();
        $(object.insert(
            stringify!($field).to_owned(),
            object!(@ $field $($value)?).encode()?,
        );)+
        Some(serde_json::Value::Object(object))
    }};
}
pub(super) use object;

/// Encodes each variant of some types as an object of its fields: `objects! { Cover { Empty(empty), Outside { part, rest }, } }`. The first
/// field may have another name in the object: `Infinite { result: infinite, coefficient }`. With `by rule`, the object also contains the
/// variant's name; the variant after `except` is not supported.
macro_rules! objects {
    (@ [$($rule:tt)*] {}) => { object!($($rule)*) };
    (@ [$($rule:tt)*] ($($field:ident),+)) => { object!($($rule)* $($field),+) };
    (@ [$($rule:tt)*] {$($field:ident),+}) => { object!($($rule)* $($field),+) };
    (@ [$($rule:tt)*] {$_field:ident: $name:ident, $($field:ident),+}) => {
        object!($($rule)* $name, $($field),+)
    };
    ($type:ident by rule except $missing:ident { $($variant:ident $fields:tt,)+ }) => {
        impl Encode for $type {
            fn encode(&self) -> Option<Value> {
                match self {
                    $type::$missing => None,
                    $($type::$variant $fields => {
                        objects!(@ [rule = stringify!($variant).to_lowercase(),] $fields)
                    })+
                }
            }
        }
    };
    ($($type:ident { $($variant:ident $fields:tt,)+ })+) => {$(
        impl Encode for $type {
            fn encode(&self) -> Option<Value> {
                match self { $($type::$variant $fields => objects!(@ [] $fields),)+ }
            }
        }
    )+};
}
pub(super) use objects;

macro_rules! encode_numbers {
    ($($number:ty),+) => {$(
        impl Encode for $number {
            fn encode(&self) -> Option<Value> {
                Some(Value::from(*self))
            }
        }
    )+};
}
encode_numbers!(usize, u32, i32, i64);

/// Encodes numbers of any length as strings.
macro_rules! encode_texts {
    ($($text:ty),+) => {$(
        impl Encode for $text {
            fn encode(&self) -> Option<Value> {
                Some(Value::String(self.to_string()))
            }
        }
    )+};
}
encode_texts!(str, String, BigInt, Rat);

macro_rules! encode_tuples {
    ($(($($part:ident)+)),+) => {$(
        impl<$($part: Encode),+> Encode for ($($part,)+) {
            fn encode(&self) -> Option<Value> {
                #[expect(non_snake_case, reason = "a part has the name of its type")]
                let ($($part,)+) = self;
                Some(Value::Array(vec![$($part.encode()?),+]))
            }
        }
    )+};
}
encode_tuples!((A B), (A B C), (A B C D));

impl<T: Encode + ?Sized> Encode for &T {
    fn encode(&self) -> Option<Value> {
        (**self).encode()
    }
}

impl<T: Encode> Encode for Box<T> {
    fn encode(&self) -> Option<Value> {
        (**self).encode()
    }
}

impl<T: Encode> Encode for Option<T> {
    fn encode(&self) -> Option<Value> {
        self.as_ref().map_or(Some(Value::Null), T::encode)
    }
}

impl<T: Encode> Encode for [T] {
    fn encode(&self) -> Option<Value> {
        let items: Option<Vec<Value>> = self.iter().map(T::encode).collect();
        Some(Value::Array(items?))
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self) -> Option<Value> {
        self.as_slice().encode()
    }
}

impl<T: Encode, const N: usize> Encode for [T; N] {
    fn encode(&self) -> Option<Value> {
        self.as_slice().encode()
    }
}

impl Encode for Var {
    fn encode(&self) -> Option<Value> {
        Some(super::var(*self))
    }
}

impl Encode for Expr {
    fn encode(&self) -> Option<Value> {
        Some(super::expr(self))
    }
}

impl Encode for Region {
    fn encode(&self) -> Option<Value> {
        Some(super::region(self))
    }
}
