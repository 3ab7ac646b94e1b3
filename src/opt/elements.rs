//! Elements and components of a procedure's own small arrays and structures become registers.
//!
//! ```text
//! d(1) = x(i) - x(j)                   @2      d.1 = x(i) - x(j)                    @2
//! d(2) = y(i) - y(j)                   @3  =>  d.2 = y(i) - y(j)                    @3
//! r = sqrt(d(1) * d(1) + d(2) * d(2))  @4      r = sqrt(d.1 * d.1 + d.2 * d.2)      @4
//! ```
//!
//! All that mentions the memory has to be single elements with constant subscripts, none of which overlap, and nothing may take an address in
//! it: then each element is a variable of its own, and the passes on registers see it. Vectors of neighbours and arrays with subscripts that vary stay in memory. So
//! the pass runs before the loop passes, for structures and arrays that the source numbers, and again when short loops have been unrolled.

pub(crate) mod components;
mod copies;

use crate::alias::memory_of;
use crate::rewrite::rewrite;
use crate::{Context, OptLevel, Pass};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::declared::InRegister;
use trueline_ir::{
    Area, Editor, ExpandKind, Expr, ExprData, Head, Linkage, Place, Storage, Sym, Type, Unit, UnitKind, Why,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O2,
    ..Pass::new("elements", "keep elements of the procedure's own small arrays and structures in registers", run)
};

/// A variable with more elements stays in memory, since there are few registers.
const MOST: usize = 16;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    copies::split(ed);
    let found = Found::of(ed);
    let mut registers: FxHashMap<Expr, Register> = FxHashMap::default();
    for (memory, elements) in &found.memory {
        if !found.stays.contains(memory) && elements.len() <= MOST && are_apart(elements) {
            let is_counted = found.counted.contains(memory);
            for (&(at, ty), places) in elements {
                let var = new_register(ed, ty, places);
                note(ed, at, var, places);
                registers.extend(places.iter().map(|&p| (p, Register { var, is_counted })));
            }
        }
    }
    if !registers.is_empty() {
        replace(ed, &registers);
    }
}

/// The register of a place.
#[derive(Clone, Copy)]
struct Register {
    var: Expr,
    /// Whether code that only counts mentions the variable.
    is_counted: bool,
}

/// A variable that nothing outside the procedure knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Memory {
    Frame(Sym),
    /// A variable of the main program, which runs once.
    Area(Area),
}

/// The first byte of an element, and its type.
type Element = (u64, Type);

/// The memory that visible statements mention, with the places of each element.
struct Found {
    memory: IndexMap<Memory, IndexMap<Element, IndexSet<Expr>>>,
    /// Memory that is not mentioned by its elements alone.
    stays: FxHashSet<Memory>,
    /// Memory that code mentions which only counts.
    counted: FxHashSet<Memory>,
}

impl Found {
    fn of(u: &Unit) -> Found {
        let mut found = Found { memory: IndexMap::new(), stays: FxHashSet::default(), counted: FxHashSet::default() };
        for head in u.walk().into_iter().map(|s| u.head(s)) {
            if head.is_invisible() {
                let mentioned = |x| memory_of(u, x).and_then(|s| memory(u, s)).map(|(m, _)| m);
                u.values(head).into_iter().for_each(|e| u.visit_expr(e, &mut |x| found.counted.extend(mentioned(x))));
                continue;
            }
            if let Head::Assign { place, .. } = head {
                found.visit(u, place);
            }
            u.values(head).into_iter().for_each(|e| found.visit(u, e));
        }
        for (s, data) in u.syms() {
            u.located_by(s, |e| u.visit_expr(e, &mut |x| found.keep(u, x)));
            if data.mapping.is_some() || data.may_alias || u.result() == Some(s) {
                found.stays.extend(memory(u, s).map(|(m, _)| m));
            }
        }
        found
    }

    fn visit(&mut self, u: &Unit, e: Expr) {
        u.visit_expr(e, &mut |x| match u.expr(x) {
            ExprData::AddrOf(_, place) if trueline_ir::fault("elements_passed") => self.note(u, place),
            ExprData::AddrOf(_, place) | ExprData::Substr(place, ..) => self.keep(u, place),
            _ => self.note(u, x),
        });
    }

    /// Notes a place that is read or written as a whole.
    fn note(&mut self, u: &Unit, place: Expr) {
        let Some(s) = memory_of(u, place) else { return };
        let Some((m, at)) = memory(u, s) else { return };
        // Memory of the compiler's own, such as notes of procedures that run, may be shared by procedures that were inlined. So may
        // the bytes of a variable, which have another symbol.
        let is_own = matches!(m, Memory::Area(_)) && !u.sym(s).from_source;
        match offset(u, place).filter(|_| !is_own) {
            Some(inner) => {
                self.memory.entry(m).or_default().entry((at + inner, u.ty(place))).or_default().insert(place);
            }
            None => {
                self.stays.insert(m);
            }
        }
    }

    fn keep(&mut self, u: &Unit, place: Expr) {
        self.stays.extend(memory_of(u, place).and_then(|s| memory(u, s)).map(|(m, _)| m));
    }
}

/// The variable that a symbol is a part of, and the byte where it begins.
fn memory(u: &Unit, s: Sym) -> Option<(Memory, u64)> {
    let at = match u.sym(s).storage {
        Storage::Within { offset, .. } => offset,
        _ => 0,
    };
    match u.sym(u.root(s)).storage {
        Storage::Frame => Some((Memory::Frame(u.root(s)), at)),
        Storage::Static { area, offset } => {
            let data = u.area(area);
            let is_own = u.kind() == UnitKind::Program && data.linkage == Linkage::Local;
            (is_own && data.init.is_empty() && data.addresses.is_empty()).then_some((Memory::Area(area), offset + at))
        }
        _ => None,
    }
}

/// The byte of its symbol where a scalar begins, if that is known; none for other places.
fn offset(u: &Unit, place: Expr) -> Option<u64> {
    let (s, subscripts) = match u.expr(place) {
        ExprData::Var(s) => (s, &[][..]),
        ExprData::Elem(s, subscripts) => (s, u.list(subscripts)),
        _ => return None,
    };
    let data = u.sym(s);
    if data.ty == Type::Char || data.dims.len() != subscripts.len() {
        return None;
    }
    let number = |e| u.pool().as_int(e);
    let (mut at, mut next) = (0i64, data.ty.size() as i64);
    for (dim, &subscript) in data.dims.iter().zip(subscripts) {
        let (lower, upper, k) = (number(dim.lower)?, number(dim.upper.expand()?)?, number(subscript)?);
        if !(lower..=upper).contains(&k) || upper - lower >= i64::from(u16::MAX) {
            return None;
        }
        let stride = match dim.stride.expand() {
            Some(stride) => number(stride)?,
            None => next,
        };
        at = at.checked_add((k - lower).checked_mul(stride)?)?;
        next = stride.checked_mul(upper - lower + 1)?;
    }
    u64::try_from(at).ok()
}

/// Whether no two elements share bytes.
fn are_apart(elements: &IndexMap<Element, IndexSet<Expr>>) -> bool {
    let mut all: Vec<Element> = elements.keys().copied().collect();
    all.sort_unstable_by_key(|&(at, _)| at);
    let ends = |(at, ty): Element| at + ty.size() as u64;
    all.windows(2).all(|pair| ends(pair[0]) <= pair[1].0)
}

fn new_register(ed: &mut Editor<'_>, ty: Type, places: &IndexSet<Expr>) -> Expr {
    let name = memory_of(ed, places[0]).map_or(String::new(), |s| base_name(&ed.sym(s).name));
    let register = ed.new_register(&name, ty);
    ed.var(register)
}

/// Tells debuggers which part of a variable the register is.
fn note(ed: &mut Editor<'_>, at: u64, register: Expr, places: &IndexSet<Expr>) {
    let (Some(s), ExprData::Var(register)) = (memory_of(ed, places[0]), ed.expr(register)) else { return };
    let memory = ed.root(s);
    let start = if let Storage::Static { offset, .. } = ed.sym(memory).storage { offset } else { 0 };
    if let Some(offset) = at.checked_sub(start) {
        ed.note_in_register(InRegister { memory, offset, register });
    }
}

fn replace(ed: &mut Editor<'_>, registers: &FxHashMap<Expr, Register>) {
    for s in ed.walk() {
        if ed.head(s).is_invisible() {
            continue;
        }
        rewrite(ed, s, &mut |ed, e| ed.map_expr(e, &mut |_, x| registers.get(&x).map(|r| r.var)));
        if let Head::Assign { place, value } = ed.head(s)
            && let Some(&Register { var, is_counted }) = registers.get(&place)
        {
            ed.expand_in_place(s, Head::Assign { place: var, value });
            if is_counted {
                // The counts keep a store of their own.
                let store = ed.expand(s, Head::Assign { place, value: var }, Place::After(s), ExpandKind::Lower);
                ed.eliminate(store, Why::Dead);
            }
        }
    }
}

/// The name of a variable without the number that a temporary has: it depends on the counts of a build.
fn base_name(name: &str) -> String {
    name.split('.').next().unwrap_or_default().replace('%', "_")
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn elements_with_constant_subscripts() {
        check(
            &PASS,
            "
r8 d(2, 2) frame
r8 x, y
d(1, 1) = x @1
d(2, 1) = d(1, 1) * y @2
x = d(2, 1) - d(1, 1) @3",
            "
r8 d.1, d.2
d.1 = x @1
d.2 = d.1 * y @2
x = d.2 - d.1 @3

rewrite @1
rewrite @2
rewrite @2
rewrite @3",
        );
    }

    #[test]
    fn memory_that_is_more_than_its_elements() {
        unchanged(&PASS, "r8 d(3) frame\nr8 x\ni8 i\nd(1) = x @1\nx = d(i) @2");
        unchanged(&PASS, "r8 d(3) frame alias\nr8 x\nd(1) = x @1\nx = d(1) @2");
        unchanged(&PASS, "proc f name f\nr8 d(3) frame\nr8 x\nd(1) = x @1\ncall f(&in d(1)) @2\nx = d(1) @3");
    }

    #[test]
    fn elements_that_overlap() {
        unchanged(&PASS, "char d*16 frame\nr8 x within d+0\ni4 k within d+4\nr8 y\nx = y @1\nk = 3 @2\ny = x @3");
    }
}
