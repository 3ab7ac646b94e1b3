//! What `-fcheck=` asks for beside bounds: code that ends the program where it does what Fortran does not allow.

use crate::lower::Lower;
use crate::symbol::Symbol;
use trueline_ir::{AreaData, BinaryOp, Expr, ExprData, Linkage, Storage, Sym, Type, UnitKind};

/// What is checked at run time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checks {
    /// Subscripts and substrings.
    pub bounds: bool,
    /// The step of a DO is not 0.
    pub do_steps: bool,
    /// Allocatables are allocated where their elements are used.
    pub pointer: bool,
    /// A procedure that is not RECURSIVE is not called while it runs.
    pub recursion: bool,
}

impl Checks {
    /// Applies a word of `-fcheck=`, after `no-` with `on` false; false if there is no such check.
    pub fn apply(&mut self, word: &str, on: bool) -> bool {
        match word {
            "all" => *self = Checks { bounds: on, do_steps: on, pointer: on, recursion: on },
            "none" => *self = Checks::default(),
            "bounds" => self.bounds = on,
            "do" => self.do_steps = on,
            "pointer" => self.pointer = on,
            "recursion" => self.recursion = on,
            // What ALLOCATE asks for is always checked; there are no such temporaries, and no such bits.
            "mem" | "array-temps" | "bits" => {}
            _ => return false,
        }
        true
    }
}

impl Lower<'_, '_> {
    /// At entry: the procedure must not be running; now it is.
    pub(crate) fn guard_recursion(&mut self, own: &Symbol) {
        let Some(p) = own.procedure().filter(|p| !p.is_recursive && !self.cx.decls.options.recursive) else { return };
        if !self.cx.decls.options.checks.recursion || self.e.kind() == UnitKind::Program {
            return;
        }
        let symbol = format!("{}.running", p.linker);
        let area =
            AreaData { symbol, size: 4, align: 4, linkage: Linkage::Local, init: Vec::new(), addresses: Vec::new() };
        let area = self.e.b.area(area);
        let flag = crate::emit::scalar("running".to_owned(), Type::I4, Storage::Static { area, offset: 0 });
        let flag = self.e.b.sym(flag);
        let (running, zero, one) = (self.var(flag), self.int(Type::I4, 0), self.int(Type::I4, 1));
        let again = self.make(ExprData::Binary(BinaryOp::Ne, running, zero));
        let (after, _) = self.open_if(again);
        self.run_time_error(&format!("Recursive call to nonrecursive procedure '{}'", own.name));
        self.enter(after);
        self.assign(running, one);
        self.is_running = Some(flag);
    }

    /// On the way out: the procedure may be called again.
    pub(crate) fn unguard_recursion(&mut self) {
        if let Some(flag) = self.is_running {
            let (running, zero) = (self.var(flag), self.int(Type::I4, 0));
            self.assign(running, zero);
        }
    }

    /// The step of a DO must not be 0.
    pub(crate) fn check_step(&mut self, step: Expr) {
        if !self.cx.decls.options.checks.do_steps || self.known(step).is_some() {
            return;
        }
        let ty = self.ty(step);
        let zero = self.int(ty, 0);
        let is_zero = self.make(ExprData::Binary(BinaryOp::Eq, step, zero));
        let (after, _) = self.open_if(is_zero);
        self.run_time_error("DO step is zero");
        self.enter(after);
    }

    /// An allocatable must be allocated where an element of it is used.
    pub(crate) fn check_allocated(&mut self, sym: Sym, name: &str) {
        if !self.cx.decls.options.checks.pointer {
            return;
        }
        let Some(descriptor) = self.descriptors.get(&sym).cloned() else { return };
        let (base, zero) = (self.var(descriptor.base), self.int8(0));
        let missing = self.make(ExprData::Binary(BinaryOp::Eq, base, zero));
        let (after, _) = self.open_if(missing);
        self.run_time_error(&match descriptor.is_pointer {
            true => format!("Pointer '{name}' is not associated"),
            false => format!("Allocatable variable '{name}' is not allocated"),
        });
        self.enter(after);
    }
}
