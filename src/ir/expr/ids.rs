//! The tables that find an expression by its form.
//!
//! A long procedure has millions of expressions, most of which are asked for once, when they are made. Each costs a line of the cache in a table of hashes as
//! large as that. So an operation is looked for among the first operations on the last made of its operands, which were made lately, too, as a rule. The table
//! has the ids of the rest, each with a half of the hash of its form; the forms themselves stand in the pool alone, and are looked at only where that half is the same.

use super::ExprData;
use crate::Expr;
use cranelift_entity::{EntityRef, PrimaryMap};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// The expressions of a pool with their types and ranks.
pub(super) type Exprs = PrimaryMap<Expr, (ExprData, crate::Type, u8)>;

/// The ids of expressions.
#[derive(Clone, Default)]
pub(super) struct Ids {
    /// The operations that are found by an operand.
    users: Users,
    /// The other expressions, by halves of their hashes: to look at their forms again when the table grows would cost a line of the cache for each.
    table: HashTable<(u32, Expr)>,
}

/// The first operations on each expression that is the last made of their operands.
#[derive(Clone, Default)]
struct Users {
    /// One more than the ids of the first of these operations, and of the operation behind this one on its own operand; 0 if there is none.
    links: Vec<[u32; 2]>,
}

/// The most operations of an expression that are looked at one by one.
const MOST_USERS: usize = 8;

impl Users {
    /// The operation on `operand` that is `data`, else the link behind the last, if there may be one more.
    fn find(&mut self, exprs: &Exprs, operand: Expr, data: &ExprData) -> Result<Expr, Option<&mut u32>> {
        if self.links.len() < exprs.len() {
            self.links.resize(exprs.len(), [0; 2]);
        }
        let mut at = (operand.index(), 0);
        for _ in 0..MOST_USERS {
            let Some(user) = self.links[at.0][at.1].checked_sub(1) else {
                return Err(Some(&mut self.links[at.0][at.1]));
            };
            let user = Expr::from_u32(user);
            if exprs[user].0 == *data {
                return Ok(user);
            }
            at = (user.index(), 1);
        }
        Err(None)
    }
}

/// The last made of the operands of an operation that has one or two.
fn last_operand(data: &ExprData) -> Option<Expr> {
    match *data {
        ExprData::Unary(_, a)
        | ExprData::Convert(_, a)
        | ExprData::Bitcast(_, a)
        | ExprData::AddrOf(_, a)
        | ExprData::Load { addr: a, .. } => Some(a),
        ExprData::Binary(_, a, b) => Some(a.max(b)),
        _ => None,
    }
}

impl Ids {
    /// Whether no id is here.
    pub(super) fn is_empty(&self) -> bool {
        self.users.links.is_empty() && self.table.is_empty()
    }

    /// The ids of all of `exprs`, which are different.
    pub(super) fn of(exprs: &Exprs) -> Ids {
        let mut ids = Ids::default();
        for (e, (data, ..)) in exprs {
            ids.find_or_add(exprs, data, || e);
        }
        ids
    }

    /// The expression of the form `data`, which is added to `exprs` if it is not there.
    pub(super) fn intern(&mut self, exprs: &mut Exprs, data: ExprData, ty: crate::Type, rank: u8) -> Expr {
        let next = exprs.next_key();
        let e = self.find_or_add(exprs, &data, || next);
        if e == next {
            exprs.push((data, ty, rank));
        }
        e
    }

    /// The expression of the form `data`; the one that is `new` if it is not here.
    fn find_or_add(&mut self, exprs: &Exprs, data: &ExprData, new: impl FnOnce() -> Expr) -> Expr {
        if let Some(operand) = last_operand(data) {
            match self.users.find(exprs, operand, data) {
                Ok(e) => return e,
                Err(Some(link)) => {
                    let e = new();
                    *link = e.as_u32() + 1;
                    return e;
                }
                Err(None) => {}
            }
        }
        let half = FxBuildHasher.hash_one(data) as u32;
        match self.table.entry(spread(half), |&(h, e)| h == half && exprs[e].0 == *data, |&(h, _)| spread(h)) {
            Entry::Occupied(entry) => entry.get().1,
            Entry::Vacant(entry) => entry.insert((half, new())).get().1,
        }
    }
}

/// A hash whose high and low bits differ between halves.
fn spread(half: u32) -> u64 {
    u64::from(half).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BinaryOp, Type};

    /// A constant, operations on it, and operations on an old expression, of which there are more than are looked at.
    fn form(k: u32) -> ExprData {
        let before = |n: u32| Expr::from_u32(k - n);
        match k % 4 {
            0 => ExprData::Int(Type::I4, i64::from(k)),
            1 => ExprData::Convert(Type::R8, before(1)),
            2 => ExprData::Binary(BinaryOp::Mul, Expr::from_u32(0), before(2)),
            _ => {
                ExprData::Load { ty: Type::I4, addr: Expr::from_u32(0), offset: k as i32, sym: crate::Sym::from_u32(0) }
            }
        }
    }

    #[test]
    fn an_expression_is_found_however_many_there_are() {
        let (mut exprs, mut ids) = (Exprs::new(), Ids::default());
        assert!(ids.is_empty());
        let first: Vec<Expr> = (0..10_000).map(|k| ids.intern(&mut exprs, form(k), Type::I4, 0)).collect();
        assert!(first.iter().enumerate().all(|(k, e)| e.index() == k));
        assert_eq!(ids.table.len(), 5000 - MOST_USERS + 2);
        let mut again = Ids::of(&exprs);
        assert!(!ids.is_empty() && again.table.len() == ids.table.len());
        for k in (0..10_000).rev() {
            assert_eq!(ids.intern(&mut exprs, form(k), Type::I4, 0), first[k as usize]);
            assert_eq!(again.intern(&mut exprs, form(k), Type::I4, 0), first[k as usize]);
        }
        assert_eq!(exprs.len(), 10_000);
        assert_eq!(again.intern(&mut exprs, form(10_000), Type::I4, 0).index(), 10_000);
    }
}
