//! Machine code as instructions with labels.

use crate::assembly::Fixup;
use cranelift_codegen::isa::TargetIsa;
use object::elf::{
    R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_GOTTPOFF, R_X86_64_PC32, R_X86_64_PLT32, R_X86_64_REX_GOTPCRELX,
};
use std::collections::{BTreeMap, BTreeSet};

/// An instruction.
pub(crate) struct Spot {
    /// Its number of bytes.
    pub(crate) bytes: u64,
    pub(crate) mnemonic: String,
    pub(crate) operands: String,
}

/// The instructions of a section, and the addresses that they refer to.
#[derive(Default)]
pub(crate) struct Spots {
    pub(crate) code: BTreeMap<u64, Spot>,
    /// Offsets that need a label.
    pub(crate) targets: BTreeSet<u64>,
    /// Jump tables by their offsets: where their entries lead.
    pub(crate) tables: BTreeMap<u64, Vec<u64>>,
}

/// Follows the code from its symbols on; bytes that it does not reach are data.
pub(crate) fn spots(
    isa: &dyn TargetIsa,
    (section, data): (usize, &[u8]),
    starts: &[u64],
    fixups: &BTreeMap<u64, Fixup>,
) -> Result<Spots, String> {
    let capstone = isa.to_capstone().map_err(|e| e.to_string())?;
    let mut out = Spots::default();
    let mut todo: Vec<u64> = starts.to_vec();
    // The address where the code goes on: the first entry of a table leads here or further.
    let mut tables: Vec<u64> = Vec::new();
    loop {
        while let Some(mut at) = todo.pop() {
            while (at as usize) < data.len() && !out.code.contains_key(&at) {
                let rest = &data[at as usize..data.len().min(at as usize + 16)];
                let found = capstone.disasm_count(rest, at, 1).map_err(|e| e.to_string())?;
                let Some(i) = found.iter().next() else { break };
                let spot = Spot {
                    bytes: i.bytes().len() as u64,
                    mnemonic: i.mnemonic().unwrap_or("").to_owned(),
                    operands: i.op_str().unwrap_or("").to_owned(),
                };
                let end = at + spot.bytes;
                let fixup = fixups.range(at..end).next();
                let has_fixup = fixup.is_some();
                if let Some(to) = fixup.and_then(|(offset, f)| f.place_in(section, end - offset)) {
                    out.targets.insert(to);
                    todo.push(to);
                }
                let is_jump = spot.mnemonic.starts_with('j');
                if let (false, Some(to)) = (has_fixup, branch_target(&spot)) {
                    out.targets.insert(to);
                    todo.push(to);
                }
                if let (false, Some(to)) = (has_fixup, near(&spot, end)) {
                    out.targets.insert(to);
                }
                let is_indirect = is_jump && spot.operands.starts_with('*');
                let ends = spot.mnemonic.starts_with("jmp")
                    || spot.mnemonic.starts_with("ret")
                    || spot.mnemonic.starts_with("ud2")
                    || is_trap(rest);
                out.code.insert(at, spot);
                if is_indirect && out.targets.contains(&end) {
                    tables.push(end);
                }
                if ends {
                    break;
                }
                at = end;
            }
        }
        let Some(table) = tables.pop() else { break };
        let mut entries = Vec::new();
        let mut limit = data.len() as u64;
        let mut at = table;
        while at + 4 <= limit && !out.code.contains_key(&at) {
            let bytes = &data[at as usize..at as usize + 4];
            let distance = i64::from(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
            let to = table.wrapping_add_signed(distance);
            if to >= data.len() as u64 {
                break;
            }
            if to > table {
                limit = limit.min(to);
            }
            entries.push(to);
            at += 4;
        }
        for &to in &entries {
            out.targets.insert(to);
            todo.push(to);
        }
        out.tables.insert(table, entries);
    }
    Ok(out)
}

/// The division that raises the signal of a division by zero; no code follows it.
fn is_trap(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xf6, 0xf4])
}

/// The target of a jump or call, if it is an address.
fn branch_target(spot: &Spot) -> Option<u64> {
    if !spot.mnemonic.starts_with('j') && !spot.mnemonic.starts_with("call") {
        return None;
    }
    number(&spot.operands).and_then(|n| u64::try_from(n).ok())
}

/// The address relative to the program counter that an operand has, with where it stands.
fn relative(operands: &str) -> Option<(usize, usize, i64)> {
    let end = operands.find("(%rip)")?;
    let start = operands[..end].rfind([' ', ',', '*', ':']).map_or(0, |k| k + 1);
    let distance = if start == end { 0 } else { number(&operands[start..end])? };
    Some((start, end, distance))
}

fn near(spot: &Spot, end: u64) -> Option<u64> {
    let (_, _, distance) = relative(&spot.operands)?;
    Some(end.wrapping_add_signed(distance))
}

fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

/// The text of an instruction; none if it is better written as bytes.
pub(crate) fn instruction((section, at): (usize, u64), spot: &Spot, fixup: Option<(u64, &Fixup)>) -> Option<String> {
    let Spot { bytes, mnemonic, operands } = spot;
    let end = at + bytes;
    if !is_safe(mnemonic) {
        return None;
    }
    let Some((offset, fixup)) = fixup else {
        if let Some(to) = branch_target(spot) {
            return Some(format!("{mnemonic} .L{to:x}"));
        }
        return Some(match relative(operands) {
            Some((from, until, distance)) => {
                let to = end.wrapping_add_signed(distance);
                format!("{mnemonic} {}.L{to:x}{}", &operands[..from], &operands[until..])
            }
            None => format!("{mnemonic} {operands}").trim_end().to_owned(),
        });
    };
    if let Some(to) = fixup.place_in(section, end - offset) {
        return Some(format!("{mnemonic} .L{to:x}"));
    }
    // The field is relative to its own place, the operand to the end of the instruction.
    let addend = fixup.addend + (end - offset) as i64;
    let suffix = match fixup.kind {
        R_X86_64_PLT32 => "@PLT",
        R_X86_64_PC32 => "",
        R_X86_64_GOTPCREL | R_X86_64_GOTPCRELX | R_X86_64_REX_GOTPCRELX => "@GOTPCREL",
        R_X86_64_GOTTPOFF => "@GOTTPOFF",
        _ => return None,
    };
    let sum = if addend == 0 { String::new() } else { format!("{addend:+}") };
    let symbol = format!("{}{suffix}{sum}", fixup.symbol);
    if mnemonic.starts_with("call") || mnemonic.starts_with('j') {
        return (!operands.contains('%')).then(|| format!("{mnemonic} {symbol}"));
    }
    let (from, until, _) = relative(operands)?;
    Some(format!("{mnemonic} {}{symbol}{}", &operands[..from], &operands[until..]))
}

/// Whether `as` assembles the text of such an instruction to the same instruction.
fn is_safe(mnemonic: &str) -> bool {
    // Fillers have a length that matters, and prefixes are separate words.
    !mnemonic.starts_with("nop") && !mnemonic.contains(' ') && !mnemonic.starts_with("data16")
}

/// A symbol or section as `as` takes it.
pub(crate) fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    if name.chars().all(is_plain) && !name.is_empty() { name.to_owned() } else { escaped(name) }
}

/// A text as a string of `as`.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.bytes() {
        match c {
            b'"' | b'\\' => out.extend(['\\', c as char]),
            b' '..=b'~' => out.push(c as char),
            _ => out.push_str(&format!("\\{c:03o}")),
        }
    }
    out + "\""
}
