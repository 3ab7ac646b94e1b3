//! `-fcheck=`: checks at run time.

/// The checks at run time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checks {
    /// Subscripts and substrings.
    pub bounds: bool,
    /// The step of a DO is not 0.
    pub do_steps: bool,
    /// Allocatables are allocated where their elements are used.
    pub pointer: bool,
    /// A procedure that is not RECURSIVE is not called while it runs.
    pub recursion: bool,
}

impl Checks {
    /// Applies a word of `-fcheck=`, after `no-` with `on` false; false if there is no such check.
    pub fn apply(&mut self, word: &str, on: bool) -> bool {
        match word {
            "all" => *self = Checks { bounds: on, do_steps: on, pointer: on, recursion: on },
            "none" => *self = Checks::default(),
            "bounds" => self.bounds = on,
            "do" => self.do_steps = on,
            "pointer" => self.pointer = on,
            "recursion" => self.recursion = on,
            // The sizes in ALLOCATE are always checked; there are no such temporaries, and no such bits.
            "mem" | "array-temps" | "bits" => {}
            _ => return false,
        }
        true
    }
}
