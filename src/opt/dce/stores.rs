//! Stores to arrays of the procedure's own that nothing reads.

use crate::alias::{Classes, memory_of};
use trueline_ir::{Editor, ExprData, Head, Level, Linkage, Storage, Sym, Unit, Why};

/// Removes assignments to memory that is private to the unit and never read. At H only: below, addresses
/// are computed.
pub(super) fn sweep(ed: &mut Editor<'_>) -> bool {
    if ed.level() != Level::H {
        return false;
    }
    let classes = Classes::of(ed);
    let mut read = cranelift_entity::EntitySet::<ClassId>::new();
    for s in ed.walk() {
        let head = ed.head(s);
        if head.is_invisible() {
            continue;
        }
        for e in ed.values(head) {
            ed.visit_expr(e, &mut |x| {
                let base = match ed.expr(x) {
                    // Passed to a call, which may read it.
                    ExprData::AddrOf(_, place) => memory_of(ed, place),
                    _ => memory_of(ed, x),
                };
                if let Some(class) = base.and_then(|b| classes.class(b)) {
                    read.insert(ClassId(class));
                }
            });
        }
    }
    let mut changed = false;
    for s in ed.walk() {
        let Head::Assign { place, .. } = ed.head(s) else { continue };
        let Some(base) = memory_of(ed, place).filter(|&b| is_private(ed, b)) else { continue };
        if classes.class(base).is_some_and(|c| !read.contains(ClassId(c))) || trueline_ir::fault("dce_store") {
            ed.eliminate(s, Why::Dead);
            changed = true;
        }
    }
    changed
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct ClassId(u32);
cranelift_entity::entity_impl!(ClassId);

/// Whether nobody else can read the memory of `s`.
fn is_private(u: &Unit, s: Sym) -> bool {
    let data = u.sym(u.root(s));
    !data.may_alias
        && match data.storage {
            Storage::Frame => true,
            Storage::Static { area, .. } => u.area(area).linkage == Linkage::Local,
            Storage::Pointer { .. } => !data.from_source,
            _ => false,
        }
}
