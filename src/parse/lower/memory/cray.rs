//! The pointees of Cray pointers ([`trueline_sema::declare::cray`]).
//!
//! A pointee has no home of its own. Where it is mentioned, it is memory behind a register: that of the pointer if it is a
//! register of the unit, else one that the pointer's value is copied to before the statement.

use crate::Lower;
use crate::expr::Exprs;
use crate::values::{Binding, refused};
use trueline_diag::Span;
use trueline_ir::{Storage, SymData, Type};
use trueline_sema::scope::symbol::{Extent, SymbolId};

impl Exprs<'_> {
    fn pointee_data(&mut self, id: SymbolId) -> SymData {
        let mut pending = Vec::new();
        // The base is another one at each mention.
        let mut data = SymData { may_alias: true, ..self.symbol_data(id, Storage::Register) };
        data.dims = self.dims(id, &mut pending);
        if data.ty == Type::Char {
            data.len = self.length(id, &mut pending).into();
        }
        self.compute(pending);
        data
    }

    /// The memory that the pointer of the pointee `id` points to now.
    pub(crate) fn pointee(&mut self, id: SymbolId, pointer: SymbolId, span: Span) -> Binding {
        let data = match self.pointees.get(&id) {
            Some(data) => data.clone(),
            None => {
                let s = self.symbol(id);
                let mut extents = s.shape.iter().flat_map(|b| [b.lower, b.upper]).chain([s.len]);
                if extents.any(|e| matches!(e, Extent::Entry(_))) {
                    refused();
                }
                self.pointee_data(id)
            }
        };
        let of = self.binding(pointer, span).sym;
        let is_register = self.e.sym(of).storage == Storage::Register && self.e.sym(of).ty == Type::I8;
        let base = if is_register {
            of
        } else {
            let value = self.e.var(of);
            let value = self.e.convert(Type::I8, value);
            let base = self.e.register(&format!("base.{}", data.name), Type::I8);
            self.e.set(base, value);
            base
        };
        let sym = self.e.b.sym(SymData { storage: Storage::Pointer { base }, ..data });
        let binding = Binding { sym, descriptor: None };
        if is_register {
            self.bindings.insert(id, binding.clone());
        }
        binding
    }
}

impl Lower<'_> {
    /// Declares a pointee at entry: its bounds are evaluated there.
    pub(crate) fn declare_pointee(&mut self, id: SymbolId) {
        let data = self.pointee_data(id);
        self.pointees.insert(id, data);
    }
}
