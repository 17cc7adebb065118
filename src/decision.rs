//! What a rule says about a call, and when an allow is too broad to be taken at its word.

/// Tools that run whatever they are given, so that allowing them without looking at the arguments
/// allows everything.
pub const DANGEROUS_TOOLS: [&str; 3] = ["bash", "code", "repl"];

/// The answer of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The call may proceed.
    Allow,
    /// A person decides.
    Ask,
    /// The call is blocked.
    Deny,
}

impl Decision {
    /// All decisions, from the most to the least permissive.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// The name under which the decision is declared and reported.
    ///
    /// ```
    /// assert_eq!(ask_permissions_core::Decision::Ask.name(), "ask");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// The decision of that name, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|decision| decision.name() == name)
    }

    /// What a rule of this declared decision answers: a dangerous allow asks instead, unless the
    /// owner of the rules has opted out of that guard.
    ///
    /// ```
    /// use ask_permissions_core::Decision;
    /// assert_eq!(Decision::Allow.effective(true, false), Decision::Ask);
    /// assert_eq!(Decision::Allow.effective(true, true), Decision::Allow);
    /// assert_eq!(Decision::Deny.effective(false, false), Decision::Deny);
    /// ```
    #[must_use]
    pub const fn effective(self, dangerous: bool, auto_allow_dangerous: bool) -> Self {
        if dangerous && !auto_allow_dangerous {
            Self::Ask
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decision_is_found_by_its_name() {
        for decision in Decision::ALL {
            assert_eq!(Decision::from_name(decision.name()), Some(decision));
        }
        assert_eq!(Decision::from_name("Allow"), None);
        assert_eq!(Decision::from_name(""), None);
    }
}
