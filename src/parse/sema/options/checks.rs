//! `-fcheck=`: checks at run time.

/// The checks at run time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checks {
    /// Subscripts, substrings and shapes.
    pub bounds: bool,
    /// The step of a DO is not 0, and its variable keeps its value.
    pub do_steps: bool,
    /// Allocatables are allocated, pointers associated and optional arguments present where they are used.
    pub pointer: bool,
    /// A procedure that is not RECURSIVE is not called while it runs.
    pub recursion: bool,
    /// Arguments of the functions of bits are in their ranges.
    pub bits: bool,
    /// The result of a function is set when it returns.
    pub results: bool,
    /// Local variables have a value where they are used.
    pub undefined: bool,
    /// Memory of pointers is deallocated before the program ends.
    pub leaks: bool,
    /// Arguments of which one is defined have no storage in common.
    pub alias: bool,
    /// No integer is divided by zero.
    pub division: bool,
    /// Results of integer operations and conversions to integers are in the range of their kind.
    pub overflow: bool,
}

impl Checks {
    /// Applies a word of `-fcheck=`, after `no-` with `on` false; false if there is no such check.
    ///
    /// `all` is without `overflow`, as programs that work modulo a power of 2 on purpose are many, without `undefined` and `alias`, which
    /// make each mention of a variable dearer, and without `leaks`, as the memory of a program ends with it.
    pub fn apply(&mut self, word: &str, on: bool) -> bool {
        match word {
            "all" => {
                *self = Checks {
                    bounds: on,
                    do_steps: on,
                    pointer: on,
                    recursion: on,
                    bits: on,
                    results: on,
                    division: on,
                    overflow: on && self.overflow,
                    undefined: on && self.undefined,
                    leaks: on && self.leaks,
                    alias: on && self.alias,
                }
            }
            "none" => *self = Checks::default(),
            "bounds" => self.bounds = on,
            "do" => self.do_steps = on,
            "pointer" => self.pointer = on,
            "recursion" => self.recursion = on,
            "bits" => self.bits = on,
            "results" => self.results = on,
            "undefined" => (self.undefined, self.results) = (on, on),
            "leaks" => self.leaks = on,
            "alias" => self.alias = on,
            "overflow" => (self.overflow, self.division) = (on, on),
            // The sizes in ALLOCATE are always checked; there are no such temporaries.
            "mem" | "array-temps" => {}
            _ => return false,
        }
        true
    }

    /// Whether there are checks of expressions, which are code before the statement.
    pub fn in_expressions(self) -> bool {
        self.bounds || self.pointer || self.bits || self.division || self.overflow || self.undefined || self.alias
    }
}
