//! Listings: CLIF and machine code, each line with the set of source statements it derives from.
//!
//! Sets go through Cranelift as source locations. It drops those of pure instructions that it shares between places,
//! so such a line has none.

use crate::{Error, Options, with_function};
use cranelift_codegen::Context;
use cranelift_codegen::ir::SourceLoc;
use trueline_ir::Unit;
use trueline_provenance::Serial;

/// A line and the source statements it derives from.
pub type Line = (String, Vec<Serial>);

/// The CLIF of a unit at L, without its preamble.
///
/// # Errors
/// As [`crate::compile`].
pub fn clif(units: &[Unit], unit: usize, options: &Options) -> Result<Vec<Line>, Error> {
    let text = crate::clif(units, unit, options)?;
    let blocks = text.lines().skip_while(|l| !l.trim_start().starts_with("block0"));
    Ok(blocks
        .map(|l| {
            let located = l.strip_prefix('@').and_then(|rest| rest.split_once(' '));
            match located.and_then(|(hex, rest)| Some((u32::from_str_radix(hex, 16).ok()?, rest))) {
                Some((set, rest)) => (format!("    {}", rest.trim_start()), origins(&units[unit], set)),
                None => (l.trim_start().to_owned(), vec![]),
            }
        })
        .collect())
}

/// The machine code of a unit at L, disassembled.
///
/// # Errors
/// As [`crate::compile`].
pub fn assembly(units: &[Unit], unit: usize, options: &Options) -> Result<Vec<Line>, Error> {
    with_function(units, unit, options, |func, isa| {
        let internal = |e: String| Error::Internal(e);
        let mut context = Context::for_function(func);
        let code =
            crate::step::located_code(&mut context, (isa, options.level)).map_err(|e| internal(format!("{e:?}")))?;
        let capstone = isa.to_capstone().map_err(|e| internal(e.to_string()))?;
        let places = code.buffer.get_srclocs_sorted();
        let instructions = capstone.disasm_all(code.code_buffer(), 0).map_err(|e| internal(e.to_string()))?;
        let mut out = Vec::new();
        for i in instructions.iter() {
            let at = i.address();
            let after = places.partition_point(|p| u64::from(p.start) <= at);
            let place = after.checked_sub(1).map(|k| &places[k]).filter(|p| at < u64::from(p.end));
            let set = place.map(|p| p.loc).filter(|l| *l != SourceLoc::default());
            let text = format!("{at:5x}  {:<8} {}", i.mnemonic().unwrap_or("?"), i.op_str().unwrap_or(""));
            let of = set.map_or(vec![], |l| origins(&units[unit], l.bits()));
            out.push((text.trim_end().to_owned(), of));
        }
        Ok(out)
    })
}

fn origins(unit: &Unit, set: u32) -> Vec<Serial> {
    crate::locate::set_of(unit, set).map_or(vec![], |set| unit.sets().stmts(set).collect())
}
