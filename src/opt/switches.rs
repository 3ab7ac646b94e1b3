//! Passes that a command line switches on or off, by gfortran's names for what they do.

/// gfortran's options, without `-f` and `no-`, with the steps that each stands for.
pub const SWITCHES: [(&str, &[&str]); 25] = [
    ("gcse", &["cse"]),
    ("inline", &["inline", "inline_in_nests"]),
    ("ipa-modref", &["intent"]),
    ("ipa-sra", &["values"]),
    ("ivopts", &["strength"]),
    ("loop-interchange", &["interchange"]),
    ("move-loop-invariants", &["licm"]),
    ("peel-loops", &["peel"]),
    ("predictive-commoning", &["scalar_replace"]),
    ("split-loops", &["split"]),
    ("tree-ccp", &["fold"]),
    ("tree-copy-prop", &["copyprop"]),
    ("tree-dce", &["dce"]),
    ("tree-loop-distribute-patterns", &["idiom"]),
    ("tree-loop-distribution", &["distribute"]),
    ("tree-loop-im", &["licm", "promote"]),
    ("tree-loop-ivcanon", &["steps"]),
    ("tree-loop-vectorize", &["evaluate", "vectorize"]),
    ("tree-slp-vectorize", &["pack"]),
    ("tree-sra", &["elements"]),
    ("tree-vectorize", &["evaluate", "vectorize", "pack"]),
    ("unroll-all-loops", &["unroll"]),
    ("unroll-loops", &["unroll"]),
    ("unswitch-loops", &["unswitch"]),
    ("version-loops-for-strides", &["strides"]),
];

/// The switches of a command line: steps that run below their own level, or not at all.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Switches {
    /// The steps, with whether they run; of several entries the last one counts.
    steps: Vec<(&'static str, bool)>,
}

impl Switches {
    /// Applies a flag, without its `-f`. False if it is about something else.
    pub fn take(&mut self, flag: &str) -> bool {
        let (name, on) = flag.strip_prefix("no-").map_or((flag, true), |name| (name, false));
        let Some((_, steps)) = SWITCHES.iter().find(|s| s.0 == name) else { return false };
        self.steps.extend(steps.iter().map(|&step| (step, on)));
        true
    }

    /// Whether the step with that name runs, if the command line says so.
    pub fn get(&self, step: &str) -> Option<bool> {
        self.steps.iter().rev().find(|s| s.0 == step).map(|s| s.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_name_steps() {
        let known = crate::step_names();
        for (flag, steps) in SWITCHES {
            assert!(steps.iter().all(|s| known.contains(s)), "{flag}");
        }
    }

    #[test]
    fn the_last_flag_counts() {
        let mut of = Switches::default();
        assert!(of.take("tree-vectorize") && of.take("no-tree-slp-vectorize") && !of.take("fast-math"));
        assert_eq!([of.get("vectorize"), of.get("pack"), of.get("unroll")], [Some(true), Some(false), None]);
    }
}
