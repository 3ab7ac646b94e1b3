//! The header and the declarations of a unit as text.

use super::{Printer, default_area, default_proc};
use crate::Type;
use crate::entities::{Area, Sym};
use crate::expr::ExprData;
use crate::symbol::{AreaData, Intent, Linkage, Storage};
use crate::vocabulary as voc;

/// Declarations, printed after the code, when it is known which symbols are mentioned.
impl Printer<'_> {
    pub(super) fn header(&mut self) {
        let u = self.u;
        let result = u.result.map(|r| self.name(r));
        let mappings = self.mappings();
        let directives = self.directives();
        let (declared, areas) = self.declarations();
        self.out.push_str(&format!("{} {}", voc::word(&voc::KINDS, u.kind), voc::quoted(&u.name, true)));
        if !u.params.is_empty() {
            self.out.push('(');
            for (k, &s) in u.params.iter().enumerate() {
                self.out.push_str(if k > 0 { ", " } else { "" });
                self.sym(s);
            }
            self.out.push(')');
        }
        if let Some(r) = result {
            self.out.push_str(&format!(" result {}", voc::quoted(&r, true)));
        }
        self.out.push_str(&format!(" {} {}", u.level.name(), u.serial));
        if u.symbol != voc::default_symbol(u.kind, &u.name) {
            self.out.push_str(&format!(" symbol {}", voc::quoted(&u.symbol, true)));
        }
        if let Some(way) = u.returned {
            self.out.push_str(&format!(" {}", way.word()));
        }
        self.out.push_str(if u.exported { "\n" } else { " internal\n" });
        self.areas(&areas);
        self.out.push_str(&declared);
        self.proc_lines();
        self.unmentioned();
        self.out.push_str(&mappings);
        self.out.push_str(&directives);
    }

    /// The declarations of symbols as text, and the areas that they name.
    pub(super) fn declarations(&mut self) -> (String, Vec<Area>) {
        let u = self.u;
        let order = self.declared_first();
        let mut lines: Vec<Line> = Vec::new();
        let mut areas: Vec<Area> = Vec::new();
        let saved = std::mem::take(&mut self.out);
        let mut next_made = 0;
        let mut k = 0;
        loop {
            let s = match order.get(k) {
                Some(&s) => s,
                // Symbols that dimensions and bases mention come after the symbols that the code mentions.
                None if next_made < self.made.len() => {
                    next_made += 1;
                    self.made[next_made - 1]
                }
                None => break,
            };
            k += 1;
            let plain = self.declare(s, &mut areas);
            let (ty, from_source) = (u.sym(s).ty, u.sym(s).from_source);
            lines.push(Line { ty, from_source, text: std::mem::take(&mut self.out), plain });
        }
        self.out = saved;
        (grouped(&lines), areas)
    }

    /// Prints name, shape and attributes of `s`; returns whether it has no attributes.
    pub(super) fn declare(&mut self, s: Sym, areas: &mut Vec<Area>) -> bool {
        let u = self.u;
        let data = u.sym(s);
        self.sym(s);
        if !data.dims.is_empty() {
            self.out.push('(');
            for (k, d) in data.dims.iter().enumerate() {
                self.out.push_str(if k > 0 { ", " } else { "" });
                if u.expr(d.lower) != ExprData::Int(Type::I8, 1) {
                    self.index(d.lower);
                    self.out.push(':');
                }
                match d.upper.expand() {
                    Some(e) => self.index(e),
                    None => self.out.push('*'),
                }
                if let Some(stride) = d.stride.expand() {
                    self.out.push_str(" by ");
                    self.index(stride);
                }
            }
            self.out.push(')');
        }
        if let Some(len) = data.len.expand() {
            let is_int = u.pool.as_int(len).is_some_and(|n| n >= 0);
            self.out.push('*');
            self.open(!is_int);
            self.index(len);
            self.close(!is_int);
        }
        let shape = self.out.len();
        self.storage(s, areas);
        if data.intent != Intent::Unknown {
            self.out.push_str(&format!(" intent_{}", format!("{:?}", data.intent).to_lowercase()));
        }
        self.out.push_str(if data.may_alias { " alias" } else { "" });
        self.out.push_str(if data.is_loaded { " loaded" } else { "" });
        if let Some(words) = data.owner.expand() {
            self.out.push_str(" owner ");
            self.sym(words);
        }
        if let Some(m) = data.mapping.expand() {
            self.out.push_str(&format!(" mapped {}", m.as_u32()));
        }
        let name = self.name(s);
        if data.from_source == name.contains('.') {
            self.out.push_str(if data.from_source { " source" } else { " made" });
        }
        self.out.len() == shape
    }

    pub(super) fn storage(&mut self, s: Sym, areas: &mut Vec<Area>) {
        let data = self.u.sym(s);
        let in_memory = !data.dims.is_empty() || data.ty == Type::Char;
        match data.storage {
            Storage::Register if in_memory => self.out.push_str(" register"),
            Storage::Register => {}
            Storage::Frame => self.out.push_str(" frame"),
            Storage::Static { area, offset } => {
                let name = self.name(s);
                let size = self.u.constant_size(s);
                let own = &self.u.areas[area];
                let is_default = in_memory && offset == 0 && size.is_some_and(|size| *own == default_area(&name, size));
                if !is_default {
                    if !areas.contains(&area) {
                        areas.push(area);
                    }
                    self.out.push_str(&format!(" static {}+{offset}", voc::quoted(&own.symbol, true)));
                }
            }
            Storage::Dummy { index } if self.u.params.get(index as usize) == Some(&s) => {}
            Storage::Dummy { index } => self.out.push_str(&format!(" dummy {index}")),
            Storage::Value { index } if self.u.params.get(index as usize) == Some(&s) => {
                self.out.push_str(" value");
            }
            Storage::Value { index } => self.out.push_str(&format!(" value {index}")),
            Storage::Pointer { base } => {
                self.out.push_str(" pointer ");
                self.sym(base);
            }
            Storage::Within { root, offset } => {
                self.out.push_str(" within ");
                self.sym(root);
                self.out.push_str(&format!("+{offset}"));
            }
        }
    }

    pub(super) fn areas(&mut self, mentioned: &[Area]) {
        let u = self.u;
        let defines = |a: &AreaData| matches!(a.linkage, Linkage::Export | Linkage::Common) || !a.init.is_empty();
        let others = u.areas.iter().filter(|(id, a)| !mentioned.contains(id) && defines(a)).map(|(id, _)| id);
        for a in mentioned.iter().copied().chain(others) {
            let a = &u.areas[a];
            let linkage = voc::word(&voc::LINKAGES, a.linkage);
            let name = voc::quoted(&a.symbol, true);
            self.out.push_str(&format!("area {name} size {} align {} {linkage}", a.size, a.align));
            if !a.init.is_empty() {
                let used = a.init.iter().rposition(|&b| b != 0).map_or(1, |last| last + 1);
                self.out.push_str(" init 0x");
                for b in &a.init[..used] {
                    self.out.push_str(&format!("{b:02x}"));
                }
            }
            for (at, of, add) in &a.addresses {
                self.out.push_str(&format!(" address {at} of {} {add}", voc::quoted(of, true)));
            }
            self.out.push('\n');
        }
    }

    pub(super) fn proc_lines(&mut self) {
        for (p, result) in std::mem::take(&mut self.procs) {
            let data = self.u.proc(p);
            if *data == default_proc(&data.symbol, result) {
                continue;
            }
            let symbol = voc::quoted(&data.symbol, true);
            self.out.push_str(&format!("proc {symbol} name {}", voc::quoted(&data.name, true)));
            if let Some(ty) = data.result {
                self.out.push_str(&format!(" result {}", voc::word(&voc::TYPES, ty)));
            }
            for (wanted, word) in [(data.is_pure, "pure"), (data.always_returns, "returns"), (data.is_libm, "libm")] {
                if wanted {
                    self.out.push(' ');
                    self.out.push_str(word);
                }
            }
            self.out.push('\n');
        }
    }

    /// Counters and records that no statement mentions any more: the profile reports them all the same.
    pub(super) fn unmentioned(&mut self) {
        let u = self.u;
        for (c, info) in u.counters.iter() {
            if !self.counters.contains(&c) && !u.is_counted_by_ranks(c) {
                self.out.push_str(&format!("counter {} {}\n", info.of, info.measure.name()));
            }
        }
        for (r, &of) in u.records.iter().enumerate() {
            if !self.records.contains(&(r as u32)) {
                let of = u.sets.display_origin(of);
                self.out.push_str(&format!("record {of}\n"));
            }
        }
    }

    pub(super) fn directives(&mut self) -> String {
        for d in &self.u.directives {
            self.out.push_str(&format!("directive {} {}", voc::quoted(&d.kind, true), d.serial));
            if let Some(l) = d.of_loop {
                self.out.push_str(&format!(" loop {l}"));
            }
            for &s in &d.syms {
                self.out.push(' ');
                self.sym(s);
            }
            self.out.push_str(&format!(" \"{}\"\n", voc::escaped(d.text.as_bytes(), '"')));
        }
        std::mem::take(&mut self.out)
    }
}

/// One declaration.
struct Line {
    ty: Type,
    from_source: bool,
    text: String,
    /// Without attributes.
    plain: bool,
}

/// One line for plain neighbours of the same type; the source's and the compiler's own stand apart, so that
/// the source's lines are the same before and after a pass.
fn grouped(lines: &[Line]) -> String {
    let mut out = String::new();
    let mut open: Option<(&Line, usize)> = None;
    for line in lines {
        match open {
            Some((first, start))
                if line.plain
                    && first.ty == line.ty
                    && first.from_source == line.from_source
                    && out.len() - start < 80 =>
            {
                out.push_str(&format!(", {}", line.text));
            }
            _ => {
                if open.is_some() {
                    out.push('\n');
                }
                open = Some((line, out.len()));
                out.push_str(&format!("{} {}", voc::word(&voc::TYPES, line.ty), line.text));
            }
        }
        if !line.plain {
            out.push('\n');
            open = None;
        }
    }
    if open.is_some() {
        out.push('\n');
    }
    out
}
