//! Heat: the quarter in which a share of a run lies. Drawings and editors have a colour for each quarter (Mera et al. 2010, section 6:
//! green, yellow, orange, red).

/// The quarter in which a share lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// At most a quarter.
    Low,
    /// At most a half.
    Medium,
    /// At most three quarters.
    High,
    /// More than three quarters.
    Highest,
}

impl Heat {
    /// Returns the heat of a share, between 0 and 1.
    #[must_use]
    pub fn from_share(share: f64) -> Self {
        match share {
            s if s > 0.75 => Heat::Highest,
            s if s > 0.5 => Heat::High,
            s if s > 0.25 => Heat::Medium,
            _ => Heat::Low,
        }
    }

    /// Returns the heat's name in editor settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Heat::Low => "low",
            Heat::Medium => "medium",
            Heat::High => "high",
            Heat::Highest => "highest",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_of_shares() {
        let names =
            [0.0, 0.25, 0.26, 0.5, 0.75, 0.76, 1.0].map(|share| Heat::from_share(share).name());
        let wanted = [
            "low", "low", "medium", "medium", "high", "highest", "highest",
        ];
        assert_eq!(names, wanted);
    }
}
