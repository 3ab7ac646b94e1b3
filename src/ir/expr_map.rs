//! A map from the expressions that a traversal has met.

use crate::entities::Expr;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A map from expressions that allocates only when it grows: nearly all traversals meet a few of them.
#[derive(Clone, Debug)]
pub struct ExprMap<V: Copy> {
    few: SmallVec<[(Expr, V); 16]>,
    many: FxHashMap<Expr, V>,
}

impl<V: Copy> Default for ExprMap<V> {
    fn default() -> ExprMap<V> {
        ExprMap { few: SmallVec::new(), many: FxHashMap::default() }
    }
}

/// The most entries that are searched one by one.
const FEW: usize = 32;

impl<V: Copy> ExprMap<V> {
    /// The value that `e` is mapped to.
    pub fn get(&self, e: Expr) -> Option<V> {
        if self.many.is_empty() {
            self.few.iter().find(|(key, _)| *key == e).map(|&(_, v)| v)
        } else {
            self.many.get(&e).copied()
        }
    }

    /// Maps `e`, unless it is mapped already. Whether it was not.
    pub fn insert(&mut self, e: Expr, v: V) -> bool {
        if !self.many.is_empty() {
            let before = self.many.len();
            self.many.entry(e).or_insert(v);
            return self.many.len() > before;
        }
        if self.few.iter().any(|(key, _)| *key == e) {
            return false;
        }
        self.few.push((e, v));
        if self.few.len() > FEW {
            self.many.extend(self.few.drain(..));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    #[test]
    fn few_and_many_are_the_same_map() {
        let mut map = ExprMap::default();
        for k in 0..3 * FEW {
            assert!(map.insert(Expr::new(k), k));
            assert!(!map.insert(Expr::new(k / 2), k / 2));
            assert_eq!(map.get(Expr::new(k)), Some(k));
            assert_eq!(map.get(Expr::new(k + 1)), None);
        }
        assert!((0..3 * FEW).all(|k| map.get(Expr::new(k)) == Some(k)));
    }
}
