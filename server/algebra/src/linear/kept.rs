//! Constraints as bytes: the row and the relation, without the hash.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Constraint, Relation, Row};

impl Serialize for Constraint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&*self.row, self.relation).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Constraint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (row, relation) = <(Row, Relation)>::deserialize(deserializer)?;
        // The row was in normal form, unless the bytes are wrong.
        Ok(Constraint::of_row(row, relation))
    }
}
