//! Arguments that are the same storage as others or as variables of modules, where one of them is defined.
//!
//! ```text
//! subroutine s(x, y)         aliases = 0
//!                            if (x and y overlap) aliases = begin(addresses and sizes of x and y)
//!   x = 5               =>   if (aliases /= 0) call access(aliases, 0, address of x, 4, defines)
//!   z = y                    if (aliases /= 0) call access(aliases, 1, address of y, 4, reads)
//! end subroutine             if (aliases /= 0) call end(aliases)
//! ```
//!
//! Not before bytes are defined by one name and used by another one is anything told: old programs pass overlapping parts of an array
//! whose elements they keep apart. TARGETs may have several names. At the entry only names are compared of which the procedure defines one and mentions
//! the other; these are known when its body has been read.

use crate::expr::Exprs;
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{Access, BinaryOp, Expr, ExprData, Head, Intent, Rt, Stmt, Sym, Type, UnitKind};
use trueline_sema::scope::symbol::{Home, Symbol, SymbolId};

/// The most names that are compared at a call.
const MOST: usize = 64;

/// The most pairs that are compared without a call of the runtime.
const MOST_PAIRS: usize = 15;

/// The names of a procedure that may be the same storage.
#[derive(Default)]
pub(crate) struct Aliases {
    /// The register with the number of the call; 0 if nothing overlaps.
    call: Option<Sym>,
    /// The numbers of the variables.
    numbers: rustc_hash::FxHashMap<Sym, i64>,
    /// The question at the entry, and the addresses where each variable begins and ends; none if it has no known end.
    test: Option<(Stmt, Vec<Option<[Expr; 2]>>)>,
    /// The first variables are arguments.
    dummies: usize,
    /// The accesses of each variable that are noted.
    uses: Vec<Uses>,
}

/// The accesses to a variable that a procedure notes.
#[derive(Clone, Copy, Default)]
struct Uses {
    any: bool,
    defines: bool,
}

/// A name.
struct Name {
    sym: Sym,
    text: String,
    /// The register with the bytes that are passed to an argument of assumed size.
    bytes: Option<Sym>,
}

/// Whether Fortran forbids that the variable has another name.
fn has_one_name(s: &Symbol) -> bool {
    let a = &s.attrs;
    let is_plain = s.is_variable() && s.interface.is_none() && s.structure.is_none() && s.ty.is_some();
    is_plain && !s.is_indirect() && !(a.target || a.volatile || a.optional || a.value || a.assumed_type || a.associate)
}

impl Exprs<'_> {
    /// At entry: tells the runtime the places of all names.
    pub(crate) fn begin_aliases(&mut self, own: &Symbol) {
        let Some(p) = own.procedure().filter(|p| !p.is_elemental).cloned() else { return };
        let is_checked = self.cx.decls.options.checks.alias && self.e.kind() != UnitKind::Program;
        if !is_checked || !self.cx.decls.scopes[self.home].entries.is_empty() {
            return;
        }
        let dummies: Vec<SymbolId> = p.dummies.iter().copied().flatten().collect();
        let dummies: Vec<SymbolId> = dummies.into_iter().filter(|&id| has_one_name(self.symbol(id))).collect();
        let facts = self.cx.facts;
        let outside = facts.mentioned(self.home).iter().chain(facts.captured(self.home)).copied();
        let mut others: Vec<SymbolId> = outside.filter(|&id| self.is_outside(self.symbol(id))).collect();
        others.sort_unstable();
        others.dedup();
        let is_read_only = dummies.iter().all(|&id| self.symbol(id).intent == Intent::In);
        if dummies.is_empty() || is_read_only && others.is_empty() {
            return;
        }
        let mut places: Vec<Name> = Vec::new();
        let mut count = 0;
        for (k, &id) in dummies.iter().chain(&others).enumerate() {
            let (home, span) = (self.symbol(id).home, self.symbol(id).span);
            let known = self.bindings.get(&id).map(|b| b.sym);
            let is_static = matches!(home, Home::Static { .. });
            let Some(sym) = known.or_else(|| is_static.then(|| self.binding(id, span).sym)) else { continue };
            if !self.sym(sym).is_register() && places.iter().all(|p| p.sym != sym) {
                let bytes = self.passed_bytes.get(&id).copied();
                places.push(Name { sym, text: self.symbol(id).name.clone(), bytes });
                count += i64::from(k < dummies.len());
            }
        }
        if places.len() < 2 || places.len() > MOST || count == 0 {
            return;
        }
        self.tell_places(&places, count);
    }

    /// Whether the procedure shares the variable with others.
    fn is_outside(&self, s: &Symbol) -> bool {
        has_one_name(s) && !matches!(s.home, Home::Dummy { .. }) && (s.scope != self.home || s.attrs.common)
    }

    /// The addresses where each place begins and ends.
    fn ranges(&mut self, places: &[Name]) -> Vec<Option<[Expr; 2]>> {
        let mut ranges = Vec::new();
        for name in places {
            if !self.sym(name.sym).dims.iter().all(|d| d.upper.is_some()) {
                ranges.push(None);
                continue;
            }
            let whole = self.var(name.sym);
            let from = self.address_value(whole);
            let from = self.in_register(from);
            let size = self.bytes_behind(whole, name.sym);
            let to = self.add(from, size);
            let to = self.in_register(to);
            ranges.push(Some([from, to]));
        }
        ranges
    }

    /// At the end of the procedure: the question at its entry compares the names that may be in conflict.
    pub(crate) fn settle_aliases(&mut self) {
        let Aliases { test: Some((test, ranges)), dummies, uses, .. } = std::mem::take(&mut self.aliases) else {
            return;
        };
        let pairs = (0..dummies).flat_map(|k| (k + 1..uses.len()).map(move |other| (k, other)));
        let is_needed = |&(k, other): &(usize, usize)| {
            let (a, b) = (uses[k], uses[other]);
            a.any && b.any && (a.defines || b.defines)
        };
        let pairs: Vec<(usize, usize)> = pairs.filter(is_needed).collect();
        let mut any = self.e.logical(pairs.len() > MOST_PAIRS);
        for &(k, other) in pairs.iter().take_while(|_| pairs.len() <= MOST_PAIRS) {
            let both = match (ranges[k], ranges[other]) {
                (Some([a, a_end]), Some([b, b_end])) => {
                    let [first, second] =
                        [(a, b_end), (b, a_end)].map(|(x, y)| self.make(ExprData::Binary(BinaryOp::Lt, x, y)));
                    self.make(ExprData::Binary(BinaryOp::And, first, second))
                }
                // Only the runtime can tell.
                _ => self.e.logical(true),
            };
            any = match self.e.expr(any) {
                ExprData::Logical(_, false) => both,
                ExprData::Logical(_, true) => any,
                _ if matches!(self.e.expr(both), ExprData::Logical(..)) => both,
                _ => self.make(ExprData::Binary(BinaryOp::Or, any, both)),
            };
        }
        self.e.b.set_head(test, Head::If { cond: any });
    }

    fn tell_places(&mut self, places: &[Name], dummies: i64) {
        let (call, zero) = (self.register("aliases", Type::I8), self.int8(0));
        self.e.set(call, zero);
        let ranges = self.ranges(places);
        let unknown = self.e.logical(true);
        let (after, _) = self.open_if(unknown);
        let test = self.e.owner(self.e.block()).expect("the cursor is in a conditional");
        let words = self.int8(2 * places.len() as i64);
        let table = self.e.memory(Type::I8, None, &[words]);
        for (k, name) in places.iter().enumerate() {
            let whole = self.var(name.sym);
            let address = self.address_value(whole);
            let has_end = self.sym(name.sym).dims.iter().all(|d| d.upper.is_some());
            let size = match name.bytes {
                _ if has_end => self.bytes_behind(whole, name.sym),
                // Negative if nobody has told.
                Some(bytes) => self.var(bytes),
                None => self.int8(-1),
            };
            for (at, value) in [(2 * k + 1, address), (2 * k + 2, size)] {
                let at = self.int8(at as i64);
                let place = self.elem(table, &[at]);
                self.assign(place, value);
            }
        }
        let names: Vec<&str> = places.iter().map(|p| p.text.as_str()).collect();
        let text = self.text(names.join("\0").as_bytes());
        let [text, len] = self.read_str(text);
        let whole = self.var(table);
        let table = self.address(Access::In, whole);
        let count_of_dummies = dummies as usize;
        let (count, dummies) = (self.int8(places.len() as i64), self.int8(dummies));
        let number = self.call_rt_value(Rt::AliasBegin, &[table, count, dummies, text, len], Type::I8);
        self.e.set(call, number);
        self.enter(after);
        self.aliases = Aliases {
            call: Some(call),
            numbers: places.iter().enumerate().map(|(k, p)| (p.sym, k as i64)).collect(),
            test: Some((test, ranges)),
            dummies: count_of_dummies,
            uses: vec![Uses::default(); places.len()],
        };
    }

    /// The place `e` is read or defined at `at`.
    pub(crate) fn note_access(&mut self, at: Span, e: Expr, defines: bool) {
        let Some(call) = self.aliases.call else { return };
        if self.in_forall || self.masking.is_some() {
            return;
        }
        let mut place = e;
        while let ExprData::Substr(base, ..) = self.e.expr(place) {
            place = base;
        }
        let sym = match self.e.expr(place) {
            ExprData::Var(sym) | ExprData::Elem(sym, _) | ExprData::Section(sym, _) => sym,
            _ => return,
        };
        let Some(&number) = self.aliases.numbers.get(&sym) else { return };
        let has_end = self.sym(sym).dims.iter().all(|d| d.upper.is_some());
        if place != e || self.rank(e) > 0 && !has_end && matches!(self.e.expr(e), ExprData::Var(_)) {
            return;
        }
        let noted = &mut self.aliases.uses[number as usize];
        *noted = Uses { any: true, defines: noted.defines || defines };
        let (call, zero) = (self.var(call), self.int8(0));
        let overlaps = self.make(ExprData::Binary(BinaryOp::Ne, call, zero));
        let (after, _) = self.open_if(overlaps);
        let bytes = self.sym(sym).ty.size() as i64;
        let mut size = self.int8(bytes);
        if let Some(len) = self.sym(sym).len.expand() {
            size = self.mul(size, len);
        }
        let element = match self.rank(e) {
            0 => e,
            _ => {
                let shape = self.shape(e);
                let (at, _) = self.open_elements(&shape);
                self.element(e, &at)
            }
        };
        let address = self.address_value(element);
        let (number, defines) = (self.int8(number), self.int(Type::I4, defines.into()));
        let location = self.location_at(at);
        self.call_rt(Rt::AliasAccess, &[call, number, address, size, defines, location]);
        self.enter(after);
    }
}

impl Variables<'_> {
    /// On the way out.
    pub(crate) fn end_aliases(&mut self) {
        let Some(call) = self.aliases.call else { return };
        let (call, zero): (Expr, Expr) = (self.var(call), self.int8(0));
        let overlaps = self.make(ExprData::Binary(BinaryOp::Ne, call, zero));
        let args: SmallVec<[Expr; 1]> = [call].into_iter().collect();
        let (after, _) = self.open_if(overlaps);
        self.call_rt(Rt::AliasEnd, &args);
        self.enter(after);
    }
}
