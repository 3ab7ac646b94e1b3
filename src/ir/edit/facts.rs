//! Facts about a unit that passes find out. No statement changes, so these are no edits.

use crate::Editor;
use crate::entities::Sym;
use crate::symbol::{Intent, Storage};

impl Editor<'_> {
    /// Takes over that nobody writes a dummy argument.
    pub fn mark_unwritten(&mut self, dummy: Sym) {
        self.unit.syms[dummy].intent = Intent::In;
    }
    /// Makes a scalar that came by reference a register, which the entry of the procedure loads for calls that pass an address.
    pub fn load_at_entry(&mut self, dummy: Sym) {
        let sym = &mut self.unit.syms[dummy];
        if let Storage::Dummy { index } = sym.storage {
            (sym.storage, sym.is_loaded) = (Storage::Value { index }, true);
        }
    }
    /// Notes which of the procedures called are known to return, by linker symbol.
    pub fn mark_returning(&mut self, known: impl Fn(&str) -> bool) {
        for proc in self.unit.procs.values_mut() {
            proc.always_returns |= known(&proc.symbol);
        }
    }
}
