//! Registers from which nothing is computed that matters, whatever the order of statements: `k = k + 1`
//! alone does not make `k` needed.

use crate::alias::{memory_of, only_result};
use rustc_hash::FxHashMap;
use trueline_ir::{Callee, Editor, Expr, ExprData, Head, Rt, Stmt, Sym, Unit, Why};

/// Removes the assignments and pure calls whose result is not needed.
pub(super) fn sweep(ed: &mut Editor<'_>) -> bool {
    let needed = needed(ed);
    let mut gone = Vec::new();
    for s in ed.walk() {
        let head = ed.head(s);
        let dead = match head {
            _ if head.is_invisible() => false,
            Head::Assign { .. } => ed.defines(head).is_some_and(|v| !needed.contains(v)),
            Head::Call { callee: Callee::Rt(Rt::Deallocate), .. } => {
                freed(ed, head).is_some_and(|v| !needed.contains(v))
            }
            Head::Call { result, .. } if is_result_only(ed, head) => {
                result.expand().is_some_and(|v| !needed.contains(v))
            }
            _ => false,
        };
        if dead {
            let temporary = matches!(head, Head::Call { callee: Callee::Rt(Rt::Allocate | Rt::Deallocate), .. });
            gone.push((s, if temporary { Why::Temporary } else { Why::Dead }));
        }
    }
    ed.eliminate_all(&gone);
    !gone.is_empty()
}

/// A set of registers.
pub(super) struct Needed(cranelift_entity::EntitySet<Sym>);

impl Needed {
    fn contains(&self, v: Sym) -> bool {
        self.0.contains(v)
    }
}

/// A call that can go without its result. An ALLOCATE without an array in it only makes an address.
fn is_result_only(u: &Unit, head: Head) -> bool {
    matches!(head, Head::Call { callee: Callee::Rt(Rt::Allocate), .. }) || only_result(u, head)
}

/// The register whose memory a call frees.
fn freed(u: &Unit, head: Head) -> Option<Sym> {
    let Head::Call { callee: Callee::Rt(Rt::Deallocate), args, .. } = head else { return None };
    match u.expr(u.list(args)[0]) {
        ExprData::Var(v) if u.sym(v).is_register() => Some(v),
        _ => None,
    }
}

/// The registers that something with an effect is computed from, directly or not.
fn needed(u: &Unit) -> Needed {
    let mut search = Search {
        u,
        needed: cranelift_entity::EntitySet::new(),
        todo: Vec::new(),
        seen: cranelift_entity::EntitySet::new(),
        sources: FxHashMap::default(),
    };
    search.roots();
    search.close();
    Needed(search.needed)
}

struct Search<'a> {
    u: &'a Unit,
    needed: cranelift_entity::EntitySet<Sym>,
    todo: Vec<Sym>,
    seen: cranelift_entity::EntitySet<Expr>,
    /// The statements that compute a register without another effect.
    sources: FxHashMap<Sym, Vec<Stmt>>,
}

impl Search<'_> {
    fn roots(&mut self) {
        for s in self.u.walk() {
            let head = self.u.head(s);
            if head.is_invisible() {
                continue;
            }
            let pure = match head {
                Head::Assign { .. } => self.u.defines(head),
                Head::Call { result, .. } if is_result_only(self.u, head) => result.expand(),
                _ => None,
            };
            match pure {
                Some(v) => self.sources.entry(v).or_default().push(s),
                None if freed(self.u, head).is_some() => {}
                None => self.head(head),
            }
        }
        if let Some(v) = self.u.result() {
            self.need(v);
        }
    }

    fn close(&mut self) {
        while let Some(v) = self.todo.pop() {
            for s in self.sources.remove(&v).unwrap_or_default() {
                self.head(self.u.head(s));
            }
        }
    }

    fn need(&mut self, v: Sym) {
        if self.needed.insert(v) {
            self.todo.push(v);
        }
    }

    /// Marks the registers that `head` reads, including the registers that address the memory it writes.
    fn head(&mut self, head: Head) {
        for e in self.u.values(head) {
            self.expr(e);
        }
        match head {
            Head::Assign { place, .. } => self.memory(place),
            Head::Store { sym, .. } => self.symbol(sym),
            _ => {}
        }
    }

    fn expr(&mut self, e: Expr) {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            if !self.seen.insert(e) {
                continue;
            }
            if let ExprData::Var(v) = self.u.expr(e)
                && self.u.sym(v).is_register()
            {
                self.need(v);
            }
            self.memory(e);
            self.u.pool().operands(e, |x| todo.push(x));
        }
    }

    fn memory(&mut self, place: Expr) {
        if let Some(s) = memory_of(self.u, place) {
            self.symbol(s);
        }
    }

    /// The registers that say where a symbol is and how large.
    fn symbol(&mut self, s: Sym) {
        let mut located = Vec::new();
        self.u.registers_of(s, &mut located);
        located.into_iter().for_each(|v| self.need(v));
    }
}
