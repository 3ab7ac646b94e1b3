//! Passes on the arguments of calls between procedures of one compilation.

pub mod intent;
#[cfg(test)]
mod tests;
pub mod values;

use crate::Context;
use rustc_hash::FxHashMap;
use trueline_ir::{Callee, Expr, Head, Stmt, Unit};

/// The symbol and the arguments of a procedure of a program that `s` calls by name.
fn called(u: &Unit, s: Stmt) -> Option<(&str, &[Expr])> {
    match u.head(s) {
        Head::Call { callee: Callee::Proc(p), args, .. } if !u.proc(p).is_libm => {
            Some((&u.proc(p).symbol, u.list(args)))
        }
        _ => None,
    }
}

/// The procedures of the compilation that were asked for, so that each is looked for once.
struct Callees<'a, 'c> {
    context: &'c Context<'a>,
    known: FxHashMap<String, Option<&'a Unit>>,
}

impl<'a, 'c> Callees<'a, 'c> {
    fn new(context: &'c Context<'a>) -> Callees<'a, 'c> {
        Callees { context, known: FxHashMap::default() }
    }

    fn get(&mut self, symbol: &str) -> Option<&'a Unit> {
        match self.known.get(symbol) {
            Some(&callee) => callee,
            None => *self.known.entry(symbol.to_owned()).or_insert(self.context.callee(symbol)),
        }
    }
}
