//! The index values of a FORALL that is written out, and loops over them.

use crate::control::Body;
use crate::values::Val;
use trueline_ir::{Expr, Sym, Type};
use trueline_sema::scope::symbol::SymbolId;
use trueline_syntax::ast::ForallHeader;

/// An index, its register and its bounds: first, last, step.
pub(crate) struct Index {
    pub(crate) id: SymbolId,
    pub(crate) var: Sym,
    pub(crate) bounds: [Expr; 3],
}

/// The index values, numbered from 1.
pub(crate) struct IndexSet {
    values: Values,
    count: Expr,
}

/// A set of index values is one of these.
enum Values {
    /// All values of loops, the first of them the outermost, where the mask (by number) holds.
    Loops { loops: Vec<Index>, mask: Option<Sym> },
    /// Values that are stored, by number.
    Stored(Vec<(SymbolId, Sym)>),
}

impl IndexSet {
    /// The largest number of an index value.
    pub(crate) fn count(&self) -> Expr {
        self.count
    }

    /// Lets only the values of loops count for which `mask` holds.
    pub(crate) fn select(&mut self, by: Sym) {
        if let Values::Loops { mask, .. } = &mut self.values {
            *mask = Some(by);
        }
    }
}

impl Body<'_> {
    /// The set of all values of `loops`.
    pub(crate) fn rectangle(&mut self, loops: Vec<Index>) -> IndexSet {
        let one = self.int8(1);
        let count = loops.iter().fold(one, |n, i| {
            let trips = self.trips(i.bounds[0], i.bounds[1], i.bounds[2]);
            self.mul(n, trips)
        });
        let count = self.in_register(count);
        IndexSet { values: Values::Loops { loops, mask: None }, count }
    }

    /// The set of a FORALL in another one: for each value of `outer`, those of its own indices where its mask holds. Bounds
    /// and mask may depend on the indices around it, so the values are stored.
    pub(crate) fn indices_inside(&mut self, outer: &IndexSet, h: &ForallHeader) -> IndexSet {
        let total = self.register("n", Type::I8);
        let zero = self.int8(0);
        self.e.set(total, zero);
        let mut ids = Vec::new();
        self.for_indices(outer, |l, _| {
            ids.extend(l.hidden_indices(outer));
            let inner = l.inner_loops(h);
            ids.extend(inner.iter().map(|i| (i.id, l.sym(i.var).ty)));
            let trips = l.rectangle(inner).count;
            let so_far = l.var(total);
            let sum = l.add(so_far, trips);
            l.e.set(total, sum);
        });
        let total = self.var(total);
        let stored: Vec<(SymbolId, Sym)> =
            ids.into_iter().map(|(id, ty)| (id, self.memory(ty, None, &[total]))).collect();
        let count = self.register("n", Type::I8);
        self.e.set(count, zero);
        self.for_indices(outer, |l, _| {
            let inner = l.inner_loops(h);
            let inner = l.rectangle(inner);
            l.for_indices(&inner, |l, _| {
                if let Some(x) = h.mask {
                    let cond = l.condition(x);
                    l.open_if(cond);
                }
                let (so_far, one) = (l.var(count), l.int8(1));
                let k = l.add(so_far, one);
                l.e.set(count, k);
                let k = l.var(count);
                for &(id, memory) in &stored {
                    let Some(value) = l.hidden.find(id) else { continue };
                    let to = l.elem(memory, &[k]);
                    l.assign(to, value.e);
                }
            })
        });
        IndexSet { values: Values::Stored(stored), count: self.var(count) }
    }

    /// The loops of a header where the indices around it have values.
    fn inner_loops(&mut self, h: &ForallHeader) -> Vec<Index> {
        self.index_triplets(h)
            .into_iter()
            .map(|(id, var, bounds)| Index { id, var, bounds: bounds.map(|e| self.in_register(e)) })
            .collect()
    }

    /// The indices of a set and their types.
    fn hidden_indices(&self, set: &IndexSet) -> Vec<(SymbolId, Type)> {
        match &set.values {
            Values::Loops { loops, .. } => loops.iter().map(|i| (i.id, self.sym(i.var).ty)).collect(),
            Values::Stored(stored) => stored.iter().map(|&(id, memory)| (id, self.sym(memory).ty)).collect(),
        }
    }

    /// Gives the indices values of their types, to ask for the types of expressions, while `ask` runs.
    pub(crate) fn with_indices<T>(&mut self, set: &IndexSet, ask: impl FnOnce(&mut Self) -> T) -> T {
        let all = self.hidden_indices(set);
        for &(id, ty) in &all {
            let value = self.e.int(ty, 1);
            self.hidden.push((id, Val::plain(value)));
        }
        let result = ask(self);
        self.hidden.drop_last(all.len());
        result
    }

    /// Loops over the index values; `body` gets the number of the index value.
    pub(crate) fn for_indices(&mut self, set: &IndexSet, body: impl FnOnce(&mut Self, Expr)) {
        let outer = self.block();
        let (k, hidden) = match &set.values {
            Values::Loops { loops, mask } => (self.open_loops(loops, *mask), loops.len()),
            Values::Stored(stored) => {
                let (k, _) = self.open_count(set.count);
                for &(id, memory) in stored {
                    let value = self.elem(memory, &[k]);
                    let value = self.in_register(value);
                    self.hidden.push((id, Val::plain(value)));
                }
                (k, stored.len())
            }
        };
        let temps = self.open_temps();
        body(self, k);
        self.close_temps(temps);
        self.hidden.drop_last(hidden);
        self.enter(outer);
    }

    /// Opens the loops; gives the number of the index value.
    fn open_loops(&mut self, loops: &[Index], mask: Option<Sym>) -> Expr {
        let counter = self.register("k", Type::I8);
        let (zero, one) = (self.int8(0), self.int8(1));
        self.e.set(counter, zero);
        for i in loops {
            self.open_do(i.var, i.bounds[0], i.bounds[1], i.bounds[2]);
            let value = Val::plain(self.var(i.var));
            self.hidden.push((i.id, value));
        }
        let k = self.var(counter);
        let next = self.add(k, one);
        self.e.set(counter, next);
        if let Some(mask) = mask {
            let cond = self.elem(mask, &[k]);
            self.open_if(cond);
        }
        k
    }

    /// The sum of the sizes of the arrays that `array` gives, one for each index value.
    pub(crate) fn sum_of_sizes(&mut self, set: &IndexSet, array: impl Fn(&mut Self) -> Expr) -> Expr {
        let total = self.register("n", Type::I8);
        let zero = self.int8(0);
        self.e.set(total, zero);
        self.for_indices(set, |l, _| {
            let array = array(l);
            let n = l.size(array);
            let so_far = l.var(total);
            let sum = l.add(so_far, n);
            l.e.set(total, sum);
        });
        self.var(total)
    }

    /// The length of the longest string that `text` gives, one for each index value.
    pub(crate) fn longest(&mut self, set: &IndexSet, text: impl Fn(&mut Self) -> Val) -> Expr {
        let most = self.register("len", Type::I8);
        let zero = self.int8(0);
        self.e.set(most, zero);
        self.for_indices(set, |l, _| {
            let len = text(l).len.unwrap_or(zero);
            let so_far = l.var(most);
            let longer = l.e.intrinsic(trueline_ir::Intrinsic::Max, &[so_far, len]);
            l.e.set(most, longer);
        });
        self.var(most)
    }
}
