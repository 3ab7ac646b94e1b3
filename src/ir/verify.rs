//! The rules that every unit obeys between passes, with numbers.
//!
//! The verifier is the oracle behind every test: it reads the level table ([`Head::levels`]) and checks
//! types, structure and provenance. It never panics, whatever a pass did to the unit, and its cost is
//! linear: an expression is checked once, however often it is used.

mod call;
mod expr;
mod head;
mod mapping;
mod symbol;
#[cfg(test)]
mod tests;

use crate::entities::{Block, Label};
use crate::head::{Head, Level};
use crate::unit::{Program, Unit};
use cranelift_entity::{EntityRef, EntitySet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use trueline_provenance::{Stmt, Transform};

/// The rules.
pub const RULES: &[(u8, &str)] = &[
    (1, "a statement is legal at the level of the unit"),
    (2, "an expression is legal at the level of the unit; below VH nothing but a call's argument is an array"),
    (3, "a statement owns as many blocks as its head needs, and the ranges of a SELECT CASE name them"),
    (4, "the tree is a tree: links agree in both directions"),
    (5, "the operands of an expression have the right types and ranks"),
    (6, "the values and places of a statement have the right types and ranks"),
    (7, "a DO loop runs over a register, its bounds are sums and products of registers and constants"),
    (8, "a symbol's bounds, length and memory fit each other"),
    (9, "a label stands once, and a jump stays in the blocks around its label"),
    (10, "a statement derives from a source statement, itself or through those around it, or a null says why not"),
    (11, "the members of sets are statements of the source"),
    (12, "a tally adds an INTEGER(8) of registers and constants to a counter"),
    (13, "a register defined by ghosts is read and defined by nothing else"),
    (14, "parameters and result are declared as such"),
    (15, "the arguments of a call fit the procedure"),
    (16, "addresses, triplets and absent arguments stand where they may"),
    (17, "subscripts are as many as dimensions, of type INTEGER(8)"),
    (18, "an intrinsic has the right arguments"),
    (19, "ids belong to the unit"),
    (
        20,
        "a mapping has as many dimensions as its array and its grid, each grid dimension once, and names arrays of the unit",
    ),
];

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Its number in [`RULES`].
    pub rule: u8,
    /// The statement in question, if the rule is about one.
    pub stmt: Option<Stmt>,
    /// The message.
    pub text: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "V{}: {}", self.rule, self.text)?;
        match self.stmt {
            Some(s) => write!(f, " ({s})"),
            None => Ok(()),
        }
    }
}

/// The most violations that are reported.
const MOST: usize = 50;

/// Every broken rule; empty if the unit is well formed.
pub fn verify(unit: &Unit) -> Vec<Violation> {
    let mut v = Verifier::new(unit);
    v.tree();
    if v.found.is_empty() {
        v.ids();
    }
    if v.found.is_empty() {
        v.symbols();
        v.mappings();
        v.statements();
        v.labels();
        v.ghosts();
    }
    v.found.truncate(MOST);
    v.found
}

/// The rules of units, and the rules that need the table of source statements.
pub fn verify_program(program: &Program) -> Vec<Violation> {
    let mut out = Vec::new();
    let count = program.infos.stmts.len();
    for u in &program.units {
        let start = out.len();
        out.extend(verify(u));
        if u.serial.index() >= count {
            out.push(Violation { rule: 11, stmt: None, text: format!("the unit is {}, which is unknown", u.serial) });
        }
        for s in u.walk() {
            if let Some(o) = u.sources(s).find(|o| o.index() >= count) {
                out.push(Violation { rule: 11, stmt: Some(s), text: format!("{o} is no statement of the source") });
            }
        }
        for v in &mut out[start..] {
            v.text = format!("{}: {}", u.name, v.text);
        }
    }
    out
}

struct Verifier<'u> {
    u: &'u Unit,
    found: Vec<Violation>,
    /// The statement that the rule is being checked for.
    at: Option<Stmt>,
    /// Expressions already checked as values.
    seen: EntitySet<crate::Expr>,
}

impl<'u> Verifier<'u> {
    fn new(u: &'u Unit) -> Verifier<'u> {
        Verifier { u, found: Vec::new(), at: None, seen: EntitySet::new() }
    }

    fn report(&mut self, rule: u8, text: impl Into<String>) {
        if self.found.len() < MOST {
            self.found.push(Violation { rule, stmt: self.at, text: text.into() });
        }
    }

    /// Reports `text`, which is formatted only then, unless `holds`.
    fn check(&mut self, rule: u8, holds: bool, text: impl std::fmt::Display) {
        if !holds {
            self.report(rule, text.to_string());
        }
    }

    /// V4, and V3 as far as it is about the number of blocks.
    fn tree(&mut self) {
        let u = self.u;
        let mut seen: EntitySet<Stmt> = EntitySet::new();
        let mut todo: Vec<Block> = vec![u.body];
        self.check(4, u.blocks[u.body].owner.is_none(), "the body has an owner");
        while let Some(b) = todo.pop() {
            let mut prev = None;
            let mut next = u.blocks[b].first.expand();
            while let Some(s) = next {
                self.at = Some(s);
                if !u.stmts.is_valid(s) || !seen.insert(s) {
                    self.report(4, format!("{s} stands in the tree twice, or is unknown"));
                    return;
                }
                let node = &u.stmts[s];
                self.check(4, node.parent.expand() == Some(b), "its parent is another block");
                self.check(4, node.prev.expand() == prev, "the link to the statement before it is wrong");
                self.blocks(s);
                todo.extend(node.blocks.iter().copied());
                prev = Some(s);
                next = node.next.expand();
            }
            self.at = None;
            self.check(4, u.blocks[b].last.expand() == prev, "the last statement of a block is not its last");
        }
    }

    fn blocks(&mut self, s: Stmt) {
        let u = self.u;
        let node = &u.stmts[s];
        let fits = match node.head.arity() {
            Some(n) => node.blocks.len() == n,
            None => !node.blocks.is_empty(),
        };
        self.check(3, fits, "it has the wrong number of blocks");
        for &b in &node.blocks {
            self.check(4, u.blocks[b].owner.expand() == Some(s), "a block of it belongs to another statement");
        }
    }

    /// V10 and everything about single statements.
    fn statements(&mut self) {
        let u = self.u;
        let explained: FxHashSet<Stmt> =
            u.log.edits.iter().filter(|e| e.transform == Transform::Null && e.why.is_some()).map(|e| e.stmt).collect();
        let mut todo: Vec<(Stmt, bool)> = u.stmts(u.body).rev().map(|s| (s, false)).collect();
        while let Some((s, covered)) = todo.pop() {
            self.at = Some(s);
            let head = u.head(s);
            let covered = covered || !u.origins(s).is_empty();
            if !covered && u.level != Level::L && !head.is_invisible() && !explained.contains(&s) {
                self.report(10, "it derives from no source statement");
            }
            let legal = head.levels().contains(u.level);
            self.check(1, legal, format_args!("it is not legal at level {}", u.level.name()));
            self.head(s, head);
            for &b in u.blocks(s).iter().rev() {
                todo.extend(u.stmts(b).rev().map(|x| (x, covered)));
            }
        }
        self.at = None;
    }

    /// V9. The statement of a label must stand in a block that the jump is in, at any depth.
    fn labels(&mut self) {
        let u = self.u;
        let all = u.walk();
        let mut homes: FxHashMap<Label, Block> = FxHashMap::default();
        for &s in &all {
            if let (Head::Label(l), Some(b)) = (u.head(s), u.parent(s))
                && homes.insert(l, b).is_some()
            {
                self.at = Some(s);
                self.report(9, format!("{l} stands twice"));
            }
        }
        for &s in &all {
            self.at = Some(s);
            for l in u.targets(u.head(s)) {
                match homes.get(&l) {
                    None => self.report(9, format!("it jumps to {l}, which does not stand anywhere")),
                    Some(&home) => {
                        let inside = u.parent(s) == Some(home) || u.ancestors(s).any(|a| u.parent(a) == Some(home));
                        self.check(9, inside, format_args!("it jumps into a block, to {l}"));
                    }
                }
            }
        }
        self.at = None;
    }

    /// V13.
    fn ghosts(&mut self) {
        let u = self.u;
        let all = u.walk();
        let ghosts: FxHashSet<crate::Sym> = all
            .iter()
            .filter_map(|&s| match u.head(s) {
                Head::Ghost { var, .. } | Head::GhostCall { result: var, .. } => Some(var),
                _ => None,
            })
            .collect();
        if ghosts.is_empty() {
            return;
        }
        for s in all {
            let head = u.head(s);
            self.at = Some(s);
            if head.is_invisible() {
                continue;
            }
            let defined = u.may_define(head).iter().any(|v| ghosts.contains(v));
            self.check(13, !defined, "it defines a ghost's register");
            let read = u.values(head).iter().any(|&e| u.registers_in(e).iter().any(|v| ghosts.contains(v)));
            self.check(13, !read, "it reads a ghost's register");
        }
        self.at = None;
    }
}
