//! Random HPF programs on several ranks: output and counts are those of the serial program without optimization.
//!
//! [`make`] makes a program from a seed, with mappings of all kinds, and [`body`] its statements; [`run`] builds and judges it, alone or in a
//! [`batch`] with others, and [`reduce`] removes what a difference does not need. `faults` switches bugs on, in the compiler and in the runtime library, and looks for
//! programs that show them.

pub mod batch;
pub mod body;
pub mod command;
#[cfg(any(debug_assertions, feature = "faults"))]
pub mod faults;
mod functions;
pub mod make;
pub mod reduce;
pub mod run;

/// A part of a program that is there or not as a whole: a statement or directive, or a construct around others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its first lines.
    pub head: String,
    /// The parts in it.
    pub inside: Vec<Piece>,
    /// Its last lines.
    pub tail: String,
    /// Whether the program needs it to be one.
    pub fixed: bool,
}

impl Piece {
    /// A part that may go.
    pub fn line(text: impl Into<String>) -> Piece {
        Piece { head: text.into(), inside: Vec::new(), tail: String::new(), fixed: false }
    }

    /// A part that stays.
    pub fn fixed(text: impl Into<String>) -> Piece {
        Piece { fixed: true, ..Piece::line(text) }
    }

    /// A construct around other parts.
    pub fn around(head: impl Into<String>, inside: Vec<Piece>, tail: impl Into<String>) -> Piece {
        Piece { head: head.into(), inside, tail: tail.into(), fixed: false }
    }

    /// Several nested constructs, the outermost first, each with its last line.
    pub fn nest(heads: &[(String, &str)], inside: Vec<Piece>) -> Piece {
        let mut inside = inside;
        for (head, tail) in heads.iter().rev() {
            inside = vec![Piece::around(head.clone(), inside, *tail)];
        }
        inside.pop().unwrap_or_else(|| Piece::line(""))
    }

    fn write(&self, out: &mut String) {
        for text in [&self.head, &self.tail] {
            if std::ptr::eq(text, &self.tail) {
                self.inside.iter().for_each(|p| p.write(out));
            }
            if !text.is_empty() {
                out.push_str(text);
                out.push('\n');
            }
        }
    }
}

/// A file of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its parts.
    pub pieces: Vec<Piece>,
}

impl File {
    /// Its text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.pieces.iter().for_each(|p| p.write(&mut out));
        out
    }
}

/// A program: the first file has the module and the main program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The seed that it was made from.
    pub seed: u64,
    /// Its files, in the order of compilation.
    pub files: Vec<File>,
}

impl Program {
    /// The text of all files.
    pub fn text(&self) -> String {
        self.files.iter().map(File::text).collect()
    }
}
