//! Pointer assignments in a FORALL: the addresses and shapes of all targets are stored, then all POINTERs are set.

use crate::control::Body;
use crate::control::forall::indices::IndexSet;
use crate::values::{Checked, Descriptor};
use trueline_ir::{Expr, Storage, Sym, Type};
use trueline_syntax::ast::{ExprId, ExprKind};

impl Body<'_> {
    /// `target => value` for each index value.
    pub(crate) fn forall_pointers(&mut self, set: &IndexSet, target: ExprId, value: ExprId) {
        if self.with_indices(set, |l| l.typing().procedure_pointer(target)).is_some() {
            return self.forall_procedures(set, target, value);
        }
        let (object, bounds) = match self.ast.expr(target).kind {
            ExprKind::Call { base, args } => (base, Some((base, self.ast.args(args)))),
            _ => (target, None),
        };
        let rank = self.with_indices(set, |l| l.typing().of(object)).checked().rank();
        let is_null = self.is_null(value);
        // As many as the registers of a descriptor.
        let parts = if is_null { 1 } else { 3 + 3 * rank };
        let saved: Vec<Sym> = (0..parts).map(|_| self.memory(Type::I8, None, &[set.count()])).collect();
        let stored = self.memory_of_indices(set, object);
        let places = self.goes_through_pointer(set, object).then(|| self.memory(Type::I8, None, &[set.count()]));
        self.for_indices(set, |l, k| {
            let (_, d) = l.pointer_at(object);
            if let (Some(places), Some(words)) = (places, &d.words) {
                let first = l.word(&words.clone(), 0, rank);
                let address = l.address_value(first);
                let to = l.elem(places, &[k]);
                l.assign(to, address);
            } else if let Some(words) = &d.words {
                l.store_subscripts(&words.outer.clone(), &stored, k);
            }
            let values = if is_null { Vec::new() } else { l.pointing(&d, value, bounds, None).into_vec() };
            for (register, &memory) in d.registers().zip(&saved) {
                let value = values.iter().find(|v| v.0 == register).map(|v| v.1);
                let value = match value {
                    Some(value) => value,
                    None if is_null => l.int8(0),
                    None => l.var(register),
                };
                let to = l.elem(memory, &[k]);
                l.assign(to, value);
            }
        });
        self.for_indices(set, |l, k| {
            let (_, d) = l.pointer_at(object);
            let d = match places {
                Some(places) => l.descriptor_at_address(d, rank, places, k),
                None => l.descriptor_with_stored(d, &stored, k),
            };
            for (register, &memory) in d.registers().zip(&saved) {
                let value = l.elem(memory, &[k]);
                l.e.set(register, value);
            }
            if is_null { l.store_base(&d) } else { l.store_descriptor(&d) }
        })
    }

    /// The same of a procedure pointer.
    fn forall_procedures(&mut self, set: &IndexSet, target: ExprId, value: ExprId) {
        let saved = self.memory(Type::I8, None, &[set.count()]);
        self.for_indices(set, |l, k| {
            let address = l.procedure_value(value).checked();
            let to = l.elem(saved, &[k]);
            l.assign(to, address);
        });
        self.for_indices(set, |l, k| {
            let p = l.procedure_pointer(target).checked();
            let address = l.elem(saved, &[k]);
            l.assign(p.place, address);
        })
    }

    /// Whether the way to a POINTER leads through another one, which the assignment may change.
    fn goes_through_pointer(&mut self, set: &IndexSet, object: ExprId) -> bool {
        let ExprKind::Component { base, .. } = self.ast.expr(object).kind else { return false };
        let mut x = base;
        loop {
            x = match self.ast.expr(x).kind {
                ExprKind::Component { base, .. } => {
                    if self.with_indices(set, |l| l.typing().indirection(x)).is_some() {
                        return true;
                    }
                    base
                }
                ExprKind::Call { base, .. } => base,
                _ => return false,
            };
        }
    }

    /// The descriptor whose words are at the address that was stored for the index value `k`.
    fn descriptor_at_address(&mut self, mut d: Descriptor, rank: usize, places: Sym, k: Expr) -> Descriptor {
        let base = self.register("place", Type::I8);
        let address = self.elem(places, &[k]);
        self.e.set(base, address);
        let mut words = self.words_symbol("place", rank, Storage::Pointer { base });
        words.outer.clear();
        self.keep_in(&mut d, words, None);
        d
    }

    /// The descriptor with the subscripts around it that were stored for the index value `k`.
    fn descriptor_with_stored(
        &mut self,
        mut d: Descriptor,
        stored: &crate::control::forall::target::Stored,
        k: Expr,
    ) -> Descriptor {
        if let Some(mut words) = d.words.clone().filter(|_| !stored.is_empty()) {
            words.outer = self.stored_subscripts(&words.outer, stored, k);
            self.keep_in(&mut d, words, None);
        }
        d
    }
}
