//! Versions of SWI-Prolog with known libraries.

use std::fmt;

/// A version of SWI-Prolog, represented as in its flag `version`: 90004 is 9.0.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u32);

impl Version {
    /// The versions with which the shipped texts were compared, oldest first.
    pub const COMPARED: [Version; 2] = [Version(90_004), Version(100_110)];

    /// Returns a version by its number.
    #[must_use]
    pub const fn numbered(number: u32) -> Self {
        Version(number)
    }

    /// Returns the number, 90004 for 9.0.4.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Parses a version with which the shipped texts were compared: `9.0.4`, or `9.0` without the last number.
    #[must_use]
    pub fn compared(name: &str) -> Option<Self> {
        let mut all = Self::COMPARED.into_iter();
        all.find(|version| version.to_string() == name || version.short() == name)
    }

    /// Returns the name without the last number: `9.0`.
    #[must_use]
    pub fn short(self) -> String {
        format!("{}.{}", self.0 / 10_000, self.0 / 100 % 100)
    }

    /// Returns the newest compared version that is not newer than this version, or the oldest compared version if there is none.
    #[must_use]
    pub fn nearest(self) -> Self {
        let [first, rest @ ..] = Self::COMPARED;
        (rest.into_iter().rev())
            .find(|known| *known <= self)
            .unwrap_or(first)
    }
}

impl Default for Version {
    fn default() -> Self {
        Self::COMPARED[0]
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.short(), self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_have_names() {
        assert_eq!(Version::numbered(100_110).to_string(), "10.1.10");
        assert_eq!(Version::compared("10.1"), Version::compared("10.1.10"));
        assert_eq!(Version::compared("9.0.4"), Some(Version::default()));
        assert_eq!(Version::compared("9.2"), None);
        assert_eq!(Version::numbered(90_209).nearest(), Version::default());
        assert_eq!(Version::numbered(80_000).nearest(), Version::default());
    }
}
