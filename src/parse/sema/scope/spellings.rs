//! Spellings: one number for a name, whatever file it stands in.
//!
//! Each tree numbers its names for itself. Scopes hold names of all files, so a name is translated once; names
//! that a statement mentions are then found without looking at their letters.

use cranelift_entity::EntityRef;
use trueline_syntax::ast::Ast;
use trueline_syntax::{Name, Names};

/// A name of the compilation. Equal spellings have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Spelling(Name);

/// All names of a compilation.
#[derive(Debug, Default)]
pub struct Spellings {
    all: Names,
    /// The spelling of each name of each tree.
    of_asts: Vec<Vec<Spelling>>,
}

impl Spellings {
    /// The names of the trees.
    pub fn new(asts: &[Ast]) -> Spellings {
        let mut all = Names::new();
        let of_asts = asts.iter().map(|ast| ast.names.iter().map(|(_, text)| Spelling(all.intern(text))).collect());
        Spellings { of_asts: of_asts.collect(), all }
    }

    /// The spelling of a name of a tree.
    pub fn of(&self, ast: usize, name: Name) -> Spelling {
        self.of_asts[ast][name.index()]
    }

    /// The spelling of a text; none if no name is spelled like that.
    pub fn find(&self, text: &str) -> Option<Spelling> {
        self.all.lookup(text).map(Spelling)
    }

    /// The spelling of a text that may be new.
    pub fn intern(&mut self, text: &str) -> Spelling {
        Spelling(self.all.intern(text))
    }

    /// The letters.
    pub fn text(&self, spelling: Spelling) -> &str {
        self.all.text(spelling.0)
    }
}
