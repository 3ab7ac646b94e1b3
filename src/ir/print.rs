//! A unit as text, which [`parse_unit`](crate::parse_unit) reads back.
//!
//! The text is canonical: temporaries and labels of the compiler are numbered in the order in which
//! the code mentions them, and are left out if nothing does. So two units that differ only in ids
//! have the same text, which is how a profiled build is compared with a plain one.
//!
//! A constant shows its type (`1_i8`, `2.5_r4`) unless its context expects that one; a conversion
//! of a subscript to `INTEGER(8)` is not shown. Everything else is explicit.

mod declare;
mod expr;
mod mapping;

use crate::entities::{Block, Expr, Label, List, Proc, Sym};
use crate::expr::ExprData;
use crate::head::{Callee, Head};
use crate::symbol::{AreaData, Linkage, ProcData};
use crate::unit::{Program, Unit};
use crate::vocabulary as voc;
use crate::{Rt, Type};
pub(crate) use expr::precedence;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use trueline_abi::Abi;
use trueline_provenance::{SetId, Stmt};

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (declarations, code) = parts(self);
        f.write_str(&declarations)?;
        f.write_str(&code)
    }
}

/// The text of a unit: header with declarations, and code.
pub(crate) fn parts(unit: &Unit) -> (String, String) {
    let mut p = Printer::new(unit);
    p.block(unit.body, 0);
    let code = std::mem::take(&mut p.out);
    p.header();
    (p.out, code)
}

/// The source statements as `info` lines, then the units. (The text of the source files is not printed.)
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.infos.files {
            writeln!(f, "file \"{}\"", voc::escaped(file.path.as_bytes(), '"'))?;
        }
        for (serial, i) in self.infos.stmts.iter() {
            let at = format!("{}:{}-{}:{}", i.file, i.line, i.end_line, i.column);
            let parent = i.parent.expand().map_or(String::new(), |p| format!(" parent {p}"));
            let array = if i.is_array_expr { " array" } else { "" };
            let text = voc::escaped(i.text.as_bytes(), '"');
            writeln!(f, "info {serial} {} {at}{parent}{array} \"{text}\"", i.kind.name())?;
        }
        for (k, unit) in self.units.iter().enumerate() {
            if k > 0 || !self.infos.stmts.is_empty() {
                writeln!(f)?;
            }
            write!(f, "{unit}")?;
        }
        Ok(())
    }
}

/// The procedure that a call of `symbol` means if nothing is declared about it.
pub(crate) fn default_proc(symbol: &str, result: Option<Type>) -> ProcData {
    ProcData {
        symbol: symbol.to_owned(),
        name: symbol.strip_suffix('_').unwrap_or(symbol).to_owned(),
        result,
        is_pure: false,
        always_returns: false,
        is_libm: false,
    }
}

/// The area of an array that is declared without saying where it lives.
pub(crate) fn default_area(name: &str, size: u64) -> AreaData {
    AreaData {
        symbol: name.to_owned(),
        size,
        align: 16,
        linkage: Linkage::Local,
        init: Vec::new(),
        addresses: Vec::new(),
    }
}

impl Unit {
    /// The bytes of a symbol whose shape is constant.
    pub(crate) fn constant_size(&self, s: Sym) -> Option<u64> {
        self.size_in_bytes(s)
    }

    /// Whether `s`, which begins at byte `i` of some memory, ends before what begins at byte `j` of it, as far as its size is known.
    pub fn ends_before(&self, s: Sym, i: u64, j: u64) -> bool {
        self.size_in_bytes(s).is_some_and(|n| i.saturating_add(n) <= j)
    }

    /// The bytes from the first of `s` to behind its last one, gaps included, if that is a constant (and no
    /// stride goes backwards).
    pub fn size_in_bytes(&self, s: Sym) -> Option<u64> {
        let data = self.sym(s);
        let len = match data.len.expand() {
            Some(e) => u64::try_from(self.pool.as_int(e)?).ok()?,
            None => 1,
        };
        let mut size = len.checked_mul(data.ty.size() as u64)?;
        for d in &data.dims {
            let (lo, hi) = (self.pool.as_int(d.lower)?, self.pool.as_int(d.upper.expand()?)?);
            let extent = u64::try_from((i128::from(hi) - i128::from(lo) + 1).max(0)).ok()?;
            size = match d.stride.expand() {
                None => size.checked_mul(extent)?,
                Some(_) if extent == 0 => 0,
                Some(stride) => {
                    let stride = u64::try_from(self.pool.as_int(stride)?).ok()?;
                    size.checked_add(stride.checked_mul(extent - 1)?)?
                }
            };
        }
        Some(size)
    }
}

struct Printer<'u> {
    u: &'u Unit,
    out: String,
    names: FxHashMap<Sym, String>,
    used: FxHashSet<String>,
    numbers: FxHashMap<String, u32>,
    /// Compiler-made symbols in the order of mention.
    made: Vec<Sym>,
    labels: FxHashMap<Label, usize>,
    /// Called procedures in the order of mention, with the result type of the first call.
    procs: Vec<(Proc, Option<Type>)>,
    known_procs: FxHashSet<Proc>,
    counters: FxHashSet<crate::Counter>,
    records: FxHashSet<u32>,
}

impl Unit {
    /// Every statement in the program with the text of its head, without its set, in order. Names are those
    /// that the whole unit prints.
    pub fn described(&self) -> Vec<(Stmt, String)> {
        let mut printer = Printer::new(self);
        self.walk()
            .into_iter()
            .map(|s| {
                printer.out.clear();
                printer.head(self.head(s), s);
                (s, printer.out.trim_end().to_owned())
            })
            .collect()
    }

    /// The factor by which the step of a loop grew in the rewrite that is number `edit` in the log. None for other edits,
    /// and if the factor is not constant.
    pub fn rewritten_step(&self, edit: usize) -> Option<i64> {
        let at = self.rewrites.binary_search_by_key(&edit, |r| r.number as usize).ok()?;
        let step = |head| match head {
            Head::Do { step, .. } => self.pool.as_int(step).filter(|&s| s != 0),
            _ => None,
        };
        let (old, new) = (step(self.rewrites[at].old)?, step(self.rewrites[at].new)?);
        (new % old == 0 && new != old).then_some(new / old)
    }

    /// The text of a statement before and after the rewrite that is number `edit` in the log. None for other edits, and
    /// where the statement had blocks that it has no more.
    pub fn rewritten(&self, edit: usize) -> Option<(String, String)> {
        let at = self.rewrites.binary_search_by_key(&edit, |r| r.number as usize).ok()?;
        let (rewrite, stmt) = (self.rewrites[at], self.log.edits[edit].stmt);
        let mut printer = Printer::new(self);
        let mut text = |head: Head| {
            let has_blocks = head.arity().is_none_or(|n| n == self.stmts[stmt].blocks.len());
            has_blocks.then(|| {
                printer.out.clear();
                printer.head(head, stmt);
                printer.out.trim_end().to_owned()
            })
        };
        Some((text(rewrite.old)?, text(rewrite.new)?))
    }
}

/// Names.
impl<'u> Printer<'u> {
    fn new(u: &'u Unit) -> Printer<'u> {
        let mut p = Printer {
            u,
            out: String::new(),
            names: FxHashMap::default(),
            used: FxHashSet::default(),
            numbers: FxHashMap::default(),
            made: Vec::new(),
            labels: FxHashMap::default(),
            procs: Vec::new(),
            known_procs: FxHashSet::default(),
            counters: FxHashSet::default(),
            records: FxHashSet::default(),
        };
        for s in p.declared_first() {
            p.take_name(s, &u.sym(s).name);
        }
        p
    }

    /// The symbols that are printed whether the code mentions them or not: parameters, then the source's.
    fn declared_first(&self) -> Vec<Sym> {
        let u = self.u;
        let params: FxHashSet<Sym> = u.params.iter().copied().collect();
        let source = u.syms.iter().filter(|(s, d)| d.from_source && !params.contains(s)).map(|(s, _)| s);
        u.params.iter().copied().chain(source).collect()
    }

    /// Gives `s` its own name, or `name#2` and so on where inlining brought a second one.
    fn take_name(&mut self, s: Sym, name: &str) {
        let mut text = name.to_owned();
        while !self.used.insert(text.clone()) {
            let copy = self.numbers.entry(name.to_owned()).or_insert(1);
            *copy += 1;
            text = format!("{name}#{copy}");
        }
        self.names.insert(s, text);
    }

    /// The name of `s` in the text.
    fn name(&mut self, s: Sym) -> String {
        if let Some(n) = self.names.get(&s) {
            return n.clone();
        }
        let name = self.u.sym(s).name.as_str();
        let base = match name.rsplit_once('.') {
            Some((base, number)) if number.bytes().all(|b| b.is_ascii_digit()) => base,
            _ => name,
        };
        let text = loop {
            let n = self.numbers.entry(format!("{base}.")).or_insert(0);
            *n += 1;
            let text = format!("{base}.{n}");
            if self.used.insert(text.clone()) {
                break text;
            }
        };
        self.names.insert(s, text.clone());
        self.made.push(s);
        text
    }

    fn sym(&mut self, s: Sym) {
        let name = self.name(s);
        self.out.push_str(&voc::quoted(&name, true));
    }

    /// A symbol before a parenthesis, where a function could stand.
    fn applied(&mut self, s: Sym) {
        let name = self.name(s);
        let plain = !voc::is_function(&name);
        self.out.push_str(&voc::quoted(&name, plain));
    }

    fn label(&mut self, l: Label) {
        let next = self.labels.len() + 1;
        let n = *self.labels.entry(l).or_insert(next);
        self.out.push_str(&format!("L{n}"));
    }

    fn labels(&mut self, labels: &[Label]) {
        for (k, &l) in labels.iter().enumerate() {
            self.out.push_str(if k > 0 { ", " } else { "" });
            self.label(l);
        }
    }

    fn proc(&mut self, p: Proc, result: Option<Type>) {
        if self.known_procs.insert(p) {
            self.procs.push((p, result));
        }
        self.out.push_str(&voc::quoted(&self.u.proc(p).symbol, true));
    }
}

/// Statements.
impl Printer<'_> {
    fn block(&mut self, b: Block, depth: usize) {
        for s in self.u.stmts(b).collect::<Vec<_>>() {
            self.stmt(s, depth);
        }
    }

    fn stmt(&mut self, s: Stmt, depth: usize) {
        let head = self.u.head(s);
        let start = self.out.len();
        self.indent(depth);
        self.head(head, s);
        self.set_column(start, self.u.set(s), head.is_invisible());
        let blocks = self.u.blocks(s).to_vec();
        match head {
            Head::Select { value, ranges } => self.cases(value, ranges, &blocks, depth),
            _ => {
                for (k, &b) in blocks.iter().enumerate() {
                    if k > 0 && self.has_separator(head, &blocks, k) {
                        self.indent(depth);
                        self.out.push_str(crate::head::block_word(head, k));
                        self.out.push('\n');
                    }
                    self.block(b, depth + 1);
                }
            }
        }
        if !blocks.is_empty() {
            self.indent(depth);
            self.out.push_str("end\n");
        }
    }

    fn has_separator(&self, head: Head, blocks: &[Block], k: usize) -> bool {
        let asked = if matches!(head, Head::DoWhile { .. }) { blocks[0] } else { blocks[k] };
        self.u.blocks[asked].first.is_some()
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth {
            self.out.push_str("  ");
        }
    }

    fn set_column(&mut self, start: usize, set: SetId, invisible: bool) {
        if set != SetId::EMPTY || !invisible {
            let width = self.out.len() - start;
            let pad = (voc::SET_COLUMN).saturating_sub(width).max(2);
            self.out.extend(std::iter::repeat_n(' ', pad));
            self.out.push_str(&self.u.sets.display(set).to_string());
        }
        self.out.push('\n');
    }

    fn head(&mut self, head: Head, s: Stmt) {
        match head {
            Head::ArrayAssign { place, value } | Head::Assign { place, value } => {
                self.expr(place, None, 0);
                self.out.push_str(" = ");
                self.expr(value, Some(self.u.ty(place)), 0);
            }
            Head::Where { mask } => self.keyword("where ", mask),
            Head::If { cond } => self.keyword("if ", cond),
            Head::Select { value, .. } => self.keyword("select ", value),
            Head::Forall { indices, mask } => self.forall(indices, mask.expand()),
            Head::Do { var, lo, hi, step } => self.do_head(var, [lo, hi, step]),
            Head::DoWhile { cond } => {
                self.keyword("do while ", cond);
                if self.u.blocks[self.u.blocks(s)[0]].first.is_some() {
                    self.out.push_str(" prepared");
                }
            }
            Head::Store { addr, offset, value, sym } => {
                self.out.push_str("store(");
                self.memory(sym, addr, offset);
                self.out.push_str(" = ");
                self.expr(value, None, 0);
            }
            Head::Call { callee, args, result } => self.call(callee, args, result.expand()),
            _ => self.control(head),
        }
    }

    fn control(&mut self, head: Head) {
        match head {
            Head::Return => self.out.push_str("return"),
            Head::Label(l) => {
                self.label(l);
                self.out.push(':');
            }
            Head::Goto(l) => {
                self.out.push_str("goto ");
                self.label(l);
            }
            Head::ArithIf { value, to } => {
                self.keyword("ifarith ", value);
                self.out.push_str(", ");
                self.labels(&to);
            }
            Head::Branch { cond, then, otherwise } => {
                self.keyword("branch ", cond);
                self.out.push_str(", ");
                self.labels(&[then, otherwise]);
            }
            Head::GotoTable { index, table } => {
                self.out.push_str("goto (");
                self.labels(&self.u.jump_tables[table as usize]);
                self.out.push_str("), ");
                self.expr(index, None, 0);
            }
            Head::Tally { counter, amount } => {
                self.counters.insert(counter);
                let info = self.u.counters[counter];
                let share = if self.u.is_counted_by_ranks(counter) { " of ranks" } else { "" };
                self.out.push_str(&format!("tally {} {}{share} += ", info.of, info.measure.name()));
                self.index(amount);
            }
            Head::Bracket { counter, opens } => {
                self.counters.insert(counter);
                let word = if opens { "tripsopen" } else { "tripsclose" };
                self.out.push_str(&format!("{word} {}", self.u.counters[counter].of));
            }
            Head::Trips { counter, trips, times, spread } => {
                self.counters.insert(counter);
                let word = if spread { "tripsspread" } else { "trips" };
                self.out.push_str(&format!("{word} {} ", self.u.counters[counter].of));
                self.index(trips);
                self.out.push_str(" times ");
                self.index(times);
            }
            Head::Ghost { var, value } => {
                self.out.push_str("ghost ");
                self.sym(var);
                self.out.push_str(" = ");
                self.expr(value, Some(self.u.sym(var).ty), 0);
            }
            Head::GhostIf { cond } => self.keyword("ghostif ", cond),
            Head::GhostDo { trips } => {
                self.out.push_str("ghostdo ");
                self.index(trips);
            }
            Head::GhostCall { callee, args, result } => {
                self.out.push_str("ghostcall ");
                self.call(callee, args, Some(result));
            }
            Head::GhostStore { place, value } => {
                self.keyword("ghoststore ", place);
                self.out.push_str(" = ");
                self.expr(value, Some(self.u.ty(place)), 0);
            }
            Head::Probe { op, record, entry } => {
                self.records.insert(record);
                let of = self.u.records[record as usize];
                let of = self.u.sets.display_origin(of);
                self.out.push_str(&format!("probe {} {of}", voc::word(&voc::PROBES, op)));
                if let Some(e) = entry.expand() {
                    self.keyword(" entry ", e);
                }
            }
            _ => {}
        }
    }

    fn keyword(&mut self, word: &str, e: Expr) {
        self.out.push_str(word);
        self.expr(e, None, 0);
    }

    fn forall(&mut self, indices: List, mask: Option<Expr>) {
        self.out.push_str("forall (");
        for (k, pair) in self.u.list(indices).chunks(2).enumerate() {
            self.out.push_str(if k > 0 { ", " } else { "" });
            self.expr(pair[0], None, 0);
            self.out.push_str(" = ");
            pair.iter().skip(1).for_each(|&t| self.subscript(t));
        }
        self.out.push(')');
        if let Some(m) = mask {
            self.keyword(" ", m);
        }
    }

    fn do_head(&mut self, var: Sym, [lo, hi, step]: [Expr; 3]) {
        let ty = self.u.sym(var).ty;
        self.out.push_str("do ");
        self.sym(var);
        self.out.push_str(" = ");
        self.expr(lo, Some(ty), 0);
        self.out.push_str(", ");
        self.expr(hi, Some(ty), 0);
        if self.u.expr(step) != ExprData::Int(ty, 1) {
            self.out.push_str(", ");
            self.expr(step, Some(ty), 0);
        }
    }

    fn cases(&mut self, value: Expr, ranges: List, blocks: &[Block], depth: usize) {
        let ty = self.u.ty(value);
        let mut by_block: Vec<Vec<(Expr, Expr)>> = vec![Vec::new(); blocks.len()];
        for range in self.u.list(ranges).chunks_exact(3) {
            let number = self.u.pool.as_int(range[0]).and_then(|n| usize::try_from(n).ok());
            if let Some(of) = number.and_then(|n| by_block.get_mut(n)) {
                of.push((range[1], range[2]));
            }
        }
        for (k, &b) in blocks.iter().enumerate() {
            let is_default = k + 1 == blocks.len();
            if is_default && self.u.blocks[b].first.is_none() {
                break;
            }
            self.indent(depth);
            self.out.push_str("case");
            for (n, &(lo, hi)) in by_block[k].iter().enumerate() {
                self.out.push_str(if n > 0 { ", " } else { " " });
                self.case_range(ty, lo, hi);
            }
            self.out.push_str(if is_default { " default\n" } else { "\n" });
            self.block(b, depth + 1);
        }
    }

    fn case_range(&mut self, ty: Type, lo: Expr, hi: Expr) {
        if self.u.expr(lo) != ExprData::None {
            self.expr(lo, Some(ty), 0);
        }
        if lo != hi || self.u.expr(lo) == ExprData::None {
            self.out.push(':');
            if self.u.expr(hi) != ExprData::None {
                self.expr(hi, Some(ty), 0);
            }
        }
    }

    fn call(&mut self, callee: Callee, args: List, result: Option<Sym>) {
        if let Some(r) = result {
            self.sym(r);
            self.out.push_str(" = ");
        }
        self.out.push_str("call ");
        match callee {
            Callee::Proc(p) => self.proc(p, result.map(|r| self.u.sym(r).ty)),
            Callee::Dummy(s) => {
                self.out.push('*');
                self.sym(s);
            }
            Callee::Rt(f) => self.out.push_str(&format!("rt.{}", f.name())),
        }
        self.out.push('(');
        for (k, &a) in self.u.list(args).iter().enumerate() {
            self.out.push_str(if k > 0 { ", " } else { "" });
            let hint = match callee {
                Callee::Rt(f) => rt_hint(f, k),
                _ => None,
            };
            self.expr(a, hint, 0);
        }
        self.out.push(')');
    }
}

/// The type that argument `k` of a runtime function has.
pub(crate) fn rt_hint(f: Rt, k: usize) -> Option<Type> {
    match f.signature().params.get(k)?.1 {
        Abi::I32 => Some(Type::I4),
        Abi::I64 => Some(Type::I8),
        Abi::F32 => Some(Type::R4),
        Abi::F64 => Some(Type::R8),
        Abi::In | Abi::Out | Abi::Opaque => None,
    }
}
