//! Defaults of input/output that the command line changes: the main program tells the runtime.

use crate::Lower;
use trueline_abi::io::{BARE_EXPONENTS, DEFAULT_WIDTHS, LEGACY, ONE_UNIT, UNSIGNED_ZERO};
use trueline_ir::Rt;
use trueline_sema::options::io::{MARKER, SUBRECORD};
use trueline_sema::scope::ScopeKind;
use trueline_sema::{IoDefaults, Standard};

impl Lower<'_> {
    /// At the beginning of the main program.
    pub(crate) fn io_defaults(&mut self) {
        let options = &self.cx.decls.options;
        let io = options.io;
        let one_unit = options.rules.standard <= Standard::F2018;
        if (io == IoDefaults::default() && !one_unit) || self.cx.decls.scopes[self.home].kind != ScopeKind::Program {
            return;
        }
        let swap = self.int4(io.swap.into());
        let marker = self.int4(io.marker.unwrap_or(MARKER).into());
        let subrecord = self.int8(io.subrecord.unwrap_or(SUBRECORD));
        let flags = [
            (io.unsigned_zero, UNSIGNED_ZERO),
            (io.legacy, LEGACY),
            (io.widths, DEFAULT_WIDTHS),
            (io.exponents, BARE_EXPONENTS),
            (one_unit, ONE_UNIT),
        ];
        let flags = self.int4(flags.iter().filter(|(on, _)| *on).map(|(_, flag)| i64::from(*flag)).sum());
        self.call_rt(Rt::IoDefaults, &[swap, marker, subrecord, flags]);
    }
}
