//! Serialisation of types from other rooms, which do not depend on serde: by remote definitions of their fields, or as strings.

use std::marker::PhantomData;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The serialised form of a type.
pub(super) trait Definition<T> {
    fn write<S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error>;
    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<T, D::Error>;
}

/// Serialises a field by a definition: `#[serde(with = "As::<All<Text>>")]`.
pub(super) struct As<D>(PhantomData<D>);

impl<D> As<D> {
    pub(super) fn serialize<T, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error>
    where
        D: Definition<T>,
    {
        D::write(value, to)
    }

    pub(super) fn deserialize<'de, T, F: Deserializer<'de>>(from: F) -> Result<T, F::Error>
    where
        D: Definition<T>,
    {
        D::read(from)
    }
}

/// Implements [`Definition`] by the code that serde derives for `#[serde(remote = "…")]`.
macro_rules! definitions {
    ($($definition:ident: $type:ty),+ $(,)?) => {$(
        impl $crate::cli::check::definitions::Definition<$type> for $definition {
            fn write<S: serde::Serializer>(value: &$type, to: S) -> Result<S::Ok, S::Error> {
                $definition::serialize(value, to)
            }

            fn read<'de, D: serde::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                $definition::deserialize(from)
            }
        }
    )+};
}
pub(super) use definitions;

/// A value, with the definition for its type.
struct Defined<T, D>(T, PhantomData<D>);

impl<T, D: Definition<T>> Serialize for Defined<&T, D> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        D::write(self.0, to)
    }
}

impl<'de, T, D: Definition<T>> Deserialize<'de> for Defined<T, D> {
    fn deserialize<F: Deserializer<'de>>(from: F) -> Result<Self, F::Error> {
        Ok(Defined(D::read(from)?, PhantomData))
    }
}

/// A list with this definition for its items.
pub(super) struct All<D>(PhantomData<D>);

impl<T, D: Definition<T>> Definition<Vec<T>> for All<D> {
    fn write<S: Serializer>(value: &Vec<T>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq((value.iter()).map(|item| Defined::<&T, D>(item, PhantomData)))
    }

    fn read<'de, F: Deserializer<'de>>(from: F) -> Result<Vec<T>, F::Error> {
        let items = Vec::<Defined<T, D>>::deserialize(from)?;
        Ok(items.into_iter().map(|item| item.0).collect())
    }
}

/// An optional value with this definition.
pub(super) struct Maybe<D>(PhantomData<D>);

impl<T, D: Definition<T>> Definition<Option<T>> for Maybe<D> {
    fn write<S: Serializer>(value: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
        let value = value.as_ref();
        value
            .map(|value| Defined::<&T, D>(value, PhantomData))
            .serialize(to)
    }

    fn read<'de, F: Deserializer<'de>>(from: F) -> Result<Option<T>, F::Error> {
        let value = Option::<Defined<T, D>>::deserialize(from)?;
        Ok(value.map(|value| value.0))
    }
}

/// A type whose values correspond to names.
pub(super) trait Named: Sized {
    fn to_name(&self) -> String;
    fn from_name(name: &str) -> Option<Self>;
}

/// The definition for a type whose values are serialised as their names.
pub(super) struct Name;

impl<T: Named> Definition<T> for Name {
    fn write<S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        value.to_name().serialize(to)
    }

    fn read<'de, F: Deserializer<'de>>(from: F) -> Result<T, F::Error> {
        let name = String::deserialize(from)?;
        T::from_name(&name)
            .ok_or_else(|| F::Error::custom(format!("no value has the name `{name}`")))
    }
}

/// Implements [`Named`] by a table of values and their names.
macro_rules! named {
    ($($type:ty: $to_name:expr, $from_name:expr;)+) => {$(
        impl $crate::cli::check::definitions::Named for $type {
            fn to_name(&self) -> String {
                let to_name: fn(&$type) -> String = $to_name;
                to_name(self)
            }

            fn from_name(name: &str) -> Option<Self> {
                let from_name: fn(&str) -> Option<$type> = $from_name;
                from_name(name)
            }
        }
    )+};
}
pub(super) use named;
