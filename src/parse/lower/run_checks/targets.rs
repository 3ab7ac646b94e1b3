//! Pointers whose target is gone, DEALLOCATE of pointers, and memory that nobody deallocates.
//!
//! ```text
//! allocate (p(3))    =>   base.p = allocate(12);  note(base.p, 12, place, 'p')
//! deallocate (q)          if (release(base.q, bytes of q) /= 0) call fault(…);  deallocate(base.q)
//! x = q(2)                if (gone(base.q in units of 16 bytes) + gone(in larger units) /= 0)
//!                           if (target_gone(base.q)) call fault(…)
//! ```
//!
//! The runtime knows the memory that was allocated, and keeps what was deallocated from reuse for a while. `gone` is a table of
//! it, by a part of the address, so that a pointer whose target is there costs a few instructions.

use crate::control::Body;
use crate::values::Descriptor;
use crate::variables::Variables;
use trueline_abi::targets::{COARSE, COARSE_SHIFT, FILTER, FINE, FINE_SHIFT, IS_POINTER, Released, WANTS_LEAKS};
use trueline_diag::Span;
use trueline_ir::{
    Access, AreaData, BinaryOp, Dim, Expr, ExprData, Intrinsic, Linkage, Rt, Storage, Sym, Type, UnitKind,
};
use trueline_sema::scope::symbol::{Home, ProcedureClass, SymbolId};
use trueline_sema::visit;
use trueline_syntax::ast::{BlockId, DoConstruct, ExprKind, StmtId, StmtKind};

impl Variables<'_> {
    /// The table of targets that are gone.
    fn filter(&mut self) -> Sym {
        if let Some(filter) = self.filter {
            return filter;
        }
        let (symbol, cells) = (FILTER.to_owned(), (FINE + COARSE) as i64);
        let size = 2 * cells.unsigned_abs();
        let (init, addresses) = (Vec::new(), Vec::new());
        let area = self.e.b.area(AreaData { symbol, size, align: 2, linkage: Linkage::Import, init, addresses });
        let mut data = trueline_ir::SymData::scalar("gone".to_owned(), Type::I2, Storage::Static { area, offset: 0 });
        data.dims.push(Dim::new(self.int8(0), self.int8(cells - 1)));
        let sym = self.e.b.sym(data);
        self.filter = Some(sym);
        sym
    }

    /// The filter as an argument that the call changes.
    fn changed_filter(&mut self) -> Expr {
        let filter = self.filter();
        let whole = self.var(filter);
        self.address(Access::Out, whole)
    }

    /// The cell of the filter for an address: `(address >> shift) mod cells`, behind `first` others.
    fn cell(&mut self, address: Expr, shift: u32, cells: usize, first: usize) -> Expr {
        let filter = self.filter();
        let (distance, mask) = (self.int8(-i64::from(shift)), self.int8(cells as i64 - 1));
        let unit = self.intrinsic(Intrinsic::Ishft, &[address, distance]);
        let unit = self.intrinsic(Intrinsic::Iand, &[unit, mask]);
        let first = self.int8(first as i64);
        let at = self.add(unit, first);
        self.elem(filter, &[at])
    }

    /// The register that says whether the target at the address in `base` may be gone.
    fn may_be_gone(&mut self, base: Sym) -> Sym {
        if let Some(answer) = self.asked(base) {
            return answer;
        }
        let address = self.var(base);
        let fine = self.cell(address, FINE_SHIFT, FINE, 0);
        let coarse = self.cell(address, COARSE_SHIFT, COARSE, FINE);
        let both = self.intrinsic(Intrinsic::Ior, &[fine, coarse]);
        let answer = self.register("gone", Type::I2);
        self.e.set(answer, both);
        self.e.note_asked(base, answer);
        answer
    }

    /// The target of the pointer with descriptor `d`, of that name, must not be gone where it is used.
    pub(crate) fn check_not_gone(&mut self, at: Span, name: &str, d: &Descriptor) {
        let answer = self.may_be_gone(d.base);
        let base = self.var(d.base);
        let (answer, none) = (self.var(answer), self.int(Type::I2, 0));
        let maybe = self.make(ExprData::Binary(BinaryOp::Ne, answer, none));
        let (after, _) = self.open_if(maybe);
        let gone = self.call_rt_value(Rt::TargetGone, &[base], Type::I4);
        let zero = self.int(Type::I4, 0);
        let gone = self.make(ExprData::Binary(BinaryOp::Ne, gone, zero));
        self.fault_if(at, gone, &format!("Dangling pointer '{name}'{{gone}}"), &[]);
        self.enter(after);
    }

    /// Whether the memory of a descriptor is noted: pointers may know it.
    fn is_noted(&self, sym: Sym, d: &Descriptor) -> bool {
        let checks = self.cx.decls.options.checks;
        checks.pointer && (d.is_pointer || self.sym(sym).may_alias) || checks.leaks && d.is_pointer
    }

    /// The memory of `size` bytes behind a descriptor is new.
    pub(crate) fn note_target(&mut self, sym: Sym, d: &Descriptor, at: Option<Span>, name: &str, size: Expr) {
        if !self.is_noted(sym, d) {
            return;
        }
        let leaks = if self.cx.decls.options.checks.leaks { WANTS_LEAKS } else { 0 };
        let flags = leaks | if d.is_pointer { IS_POINTER } else { 0 };
        self.note_memory(d.base, at, name, size, flags);
    }

    /// The memory of `size` bytes at `base`, of an automatic variable, is new.
    pub(crate) fn note_automatic(&mut self, id: SymbolId, base: Sym, size: Expr) {
        let s = self.symbol(id);
        if s.attrs.target && self.cx.decls.options.checks.pointer {
            self.note_memory(base, None, &s.name, size, 0);
        }
    }

    fn note_memory(&mut self, base: Sym, at: Option<Span>, name: &str, size: Expr, flags: i64) {
        let flags = self.int8(flags);
        let location = match at {
            Some(at) => self.location_at(at),
            None => self.location(),
        };
        let text = self.text(name.as_bytes());
        let [text, len] = self.read_str(text);
        let base = self.var(base);
        self.call_rt(Rt::NoteTarget, &[base, size, location, text, len, flags]);
    }

    /// Before the memory behind a descriptor is freed: a POINTER, of that name, must have all of it.
    pub(crate) fn release_target(&mut self, sym: Sym, d: &Descriptor, pointer: Option<(Span, &str)>) {
        if !self.cx.decls.options.checks.pointer || !self.is_noted(sym, d) {
            return;
        }
        let whole = self.var(sym);
        let (filter, size) = (self.changed_filter(), self.bytes_behind(whole, sym));
        let (base, location) = (self.var(d.base), self.location());
        let released = self.call_rt_value(Rt::ReleaseTarget, &[filter, base, size, location], Type::I4);
        let Some((at, name)) = pointer else { return };
        let fine = self.int(Type::I4, Released::Fine as i64);
        let wrong = self.make(ExprData::Binary(BinaryOp::Ne, released, fine));
        let (after, _) = self.open_if(wrong);
        let answers = [
            (Released::Gone, "Dangling pointer '{}'\0"),
            (Released::Part, "Pointer '{}' cannot be deallocated: its target is a part of what was allocated"),
            (Released::Variable, "Pointer '{}' cannot be deallocated: its target was not allocated"),
        ];
        for (answer, text) in answers {
            let answer = self.int(Type::I4, answer as i64);
            let is_so = self.make(ExprData::Binary(BinaryOp::Eq, released, answer));
            let text = text.replace("{}", name).replace('\0', "{gone}");
            self.fault_if(at, is_so, &text, &[]);
        }
        self.enter(after);
    }

    /// The bytes of an array or scalar.
    pub(crate) fn bytes_behind(&mut self, whole: Expr, sym: Sym) -> Expr {
        let bytes = self.sym(sym).ty.size() as i64;
        let mut size = self.int8(bytes);
        if let Some(len) = self.sym(sym).len.expand() {
            size = self.mul(size, len);
        }
        if self.rank(whole) > 0 {
            let n = self.size(whole);
            size = self.mul(size, n);
        }
        size
    }

    /// The place of the descriptor of a POINTER whose target is looked for at the end: that of the main program is still there
    /// then.
    pub(crate) fn memory_of_pointer(&mut self, id: SymbolId) -> Storage {
        if self.e.kind() != UnitKind::Program {
            return Storage::Frame;
        }
        let s = self.symbol(id);
        let (rank, number) = (s.rank(), self.cx.decls.scopes[self.home].own.len() + self.shared.len());
        let name = format!("MAIN__.{}.{number}.words", s.name);
        self.kept_memory(
            name,
            trueline_sema::types::structure::descriptor_size(rank).unsigned_abs(),
            8,
            Linkage::Shared,
        )
    }

    /// On the way out: the POINTER that ends here has no target any more.
    pub(crate) fn end_pointer(&mut self, id: SymbolId) {
        let a = &self.symbol(id).attrs;
        // The result goes to the caller.
        if !self.cx.decls.options.checks.leaks || !a.pointer || a.result {
            return;
        }
        let descriptor = self.bindings.get(&id).and_then(|b| b.descriptor.as_ref());
        if let Some(base) = descriptor.and_then(|d| d.memory.first().copied()) {
            let zero = self.int8(0);
            self.assign(base, zero);
        }
    }

    /// The same of all that end with the procedure.
    pub(crate) fn end_pointers(&mut self) {
        if !self.cx.decls.options.checks.leaks || self.e.kind() == UnitKind::Program {
            return;
        }
        for id in self.cx.decls.scopes[self.home].own.clone() {
            if self.symbol(id).is_variable() && self.symbol(id).home == Home::Allocatable {
                self.end_pointer(id);
            }
        }
    }

    /// On the way out: local variables that pointers may know are gone.
    pub(crate) fn end_targets(&mut self) {
        if !self.cx.decls.options.checks.pointer || self.e.kind() == UnitKind::Program {
            return;
        }
        for id in self.cx.decls.scopes[self.home].own.clone() {
            let s = self.symbol(id);
            if !s.is_variable() || !s.attrs.target || s.attrs.result || s.is_indirect() {
                continue;
            }
            let Some(sym) = self.bindings.get(&id).map(|b| b.sym) else { continue };
            if self.sym(sym).storage != Storage::Frame {
                continue;
            }
            let whole = self.var(sym);
            let (filter, size) = (self.changed_filter(), self.bytes_behind(whole, sym));
            let place = self.address(Access::InOut, whole);
            self.call_rt(Rt::EndTarget, &[filter, place, size]);
        }
    }
}

impl Body<'_> {
    /// Before the loop `d`: if nothing in it deallocates, the filter is asked here for the pointers that it names.
    pub(crate) fn prepare_targets(&mut self, d: &DoConstruct) {
        if !self.checks().pointer || self.in_forall {
            return;
        }
        let mut named = Vec::new();
        if !self.keeps_targets(d.body, &mut named) {
            return self.forget_targets();
        }
        named.sort_unstable();
        named.dedup();
        for id in named {
            let base = self.bindings.get(&id).and_then(|b| b.descriptor.as_ref()).map(|d| d.base);
            if let Some(base) = base.filter(|_| self.symbol(id).attrs.pointer) {
                self.may_be_gone(base);
            }
        }
    }

    /// Whether no statement of the block deallocates, calls procedures, or changes a pointer; and the variables that it names.
    fn keeps_targets(&self, block: BlockId, named: &mut Vec<SymbolId>) -> bool {
        self.ast.block(block).iter().all(|&s| self.stmt_keeps_targets(s, named))
    }

    fn stmt_keeps_targets(&self, s: StmtId, named: &mut Vec<SymbolId>) -> bool {
        let changes = matches!(
            self.ast.stmt(s).kind,
            StmtKind::Call { .. }
                | StmtKind::PointerAssign { .. }
                | StmtKind::Allocate(_)
                | StmtKind::Deallocate(_)
                | StmtKind::Nullify(_)
        );
        let mut calls = changes;
        visit::stmt_exprs(self.ast, s, &mut |x| {
            visit::expressions(self.ast, x, &mut |x| {
                let ExprKind::Name(name) = self.ast.expr(x).kind else { return };
                let Some(id) = self.resolve(name) else { return };
                calls |= self.symbol(id).procedure().is_some_and(|p| p.class != ProcedureClass::Intrinsic);
                named.push(id);
            });
        });
        let mut children = Vec::new();
        visit::stmt_children(self.ast, s, &mut |child, _| children.push(child));
        !calls && children.into_iter().all(|child| self.stmt_keeps_targets(child, named))
    }
}
