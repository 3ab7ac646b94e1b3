//! The warnings that are asked for: `-Wall`, `-Wextra`, `-WNAME`, `-Wno-NAME`.

/// Makes the enum and the table of one row a warning: `Name "name-as-flag" group`.
macro_rules! warnings {
    ($($name:ident $flag:literal $group:literal)*) => {
        /// A warning that can be switched.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs)]
        pub enum Warning {
            $($name),*
        }

        /// The names of the warnings as flags, and their groups, in the order of the enum.
        const TABLE: &[(Warning, &str, u8)] = &[$((Warning::$name, $flag, $group)),*];
    };
}

// The last column: whether `-Wall` (1), `-Wextra` (2) or only its own flag (0) brings the warning; 3 are there without a flag.
warnings! {
    UnusedVariable "unused-variable" 1
    UnusedDummyArgument "unused-dummy-argument" 1
    UnusedParameter "unused-parameter" 2
    UnusedLabel "unused-label" 1
    UnusedFunction "unused-function" 1
    Uninitialized "uninitialized" 1
    Conversion "conversion" 1
    Shadow "shadow" 1
    IntrinsicShadow "intrinsic-shadow" 1
    Zerotrip "zerotrip" 1
    CharacterTruncation "character-truncation" 1
    Tabs "tabs" 1
    LineTruncation "line-truncation" 1
    CompareReals "compare-reals" 2
    IntegerDivision "integer-division" 1
    Aliasing "aliasing" 1
    Surprising "surprising" 1
    UndefinedDoLoop "undefined-do-loop" 1
    TargetLifetime "target-lifetime" 1
    ReturnType "return-type" 1
    ImplicitInterface "implicit-interface" 0
    ImplicitProcedure "implicit-procedure" 0
    UseWithoutOnly "use-without-only" 0
    ReallocLhs "realloc-lhs" 0
    ReallocLhsAll "realloc-lhs-all" 0
    HpfSpelling "hpf-spelling" 3
}

impl Warning {
    /// The name after `-W`.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }
}

/// A set of warnings.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Warnings(u32);

impl Warnings {
    /// The names of all warnings, and the group that brings each: 1 `-Wall`, 2 `-Wextra`, 0 none.
    pub fn names() -> Vec<(&'static str, u8)> {
        TABLE.iter().map(|&(_, name, group)| (name, group)).collect()
    }

    /// Whether a warning is asked for.
    pub fn has(self, warning: Warning) -> bool {
        // The bit of a warning that needs no flag says that it is switched off.
        (self.0 & (1 << warning as u32) != 0) != (TABLE[warning as usize].2 == 3)
    }

    /// True when none is.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Applies `NAME` or `no-NAME`; false if there is no such warning.
    pub fn apply(&mut self, flag: &str) -> bool {
        let (name, on) = flag.strip_prefix("no-").map_or((flag, true), |name| (name, false));
        let name = match name {
            "maybe-uninitialized" => "uninitialized",
            "conversion-extra" => "conversion",
            _ => name,
        };
        let chosen = |w: &&(Warning, &str, u8)| match name {
            "all" => w.2 == 1,
            "extra" => w.2 == 2,
            "unused" => w.1.starts_with("unused-") && w.2 == 1,
            _ => w.1 == name,
        };
        let mut known = matches!(name, "all" | "extra");
        for w in TABLE.iter().filter(chosen) {
            known = true;
            let bit = 1 << w.0 as u32;
            self.0 = if on != (w.2 == 3) { self.0 | bit } else { self.0 & !bit };
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::Warning::*;
    use super::*;

    #[test]
    fn flags() {
        let mut w = Warnings::default();
        assert!(w.apply("all") && w.has(UnusedLabel) && !w.has(CompareReals));
        assert!(w.apply("no-unused") && !w.has(UnusedLabel) && w.has(Conversion));
        assert!(w.apply("compare-reals") && w.has(CompareReals));
        assert!(w.apply("no-all") && !w.has(Conversion) && w.has(CompareReals));
        assert!(!w.apply("frobnicate"));
    }
}
