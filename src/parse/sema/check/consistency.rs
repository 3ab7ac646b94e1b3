//! Calls of an external procedure that nothing defines or declares: each must pass the same arguments as the first one.
//!
//! As in gfortran, an array may follow an element of one, but not another scalar, and no scalar an array unless it is an element.

use crate::types::structure::StructureId;
use rustc_hash::FxHashMap;
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_ir::Type;

/// An actual argument.
#[derive(Clone, Debug)]
pub struct Passed {
    /// The intrinsic type; `Char` of a structure.
    pub ty: Type,
    /// The derived type, if it is of one.
    pub structure: Option<StructureId>,
    /// The type as it is written.
    pub name: String,
    /// The number of dimensions.
    pub rank: usize,
    /// The number of elements of an array, or from an element of an array to the array's end, if it is known.
    pub elements: Option<i64>,
    /// The length of characters, if it is known.
    pub length: Option<i64>,
    /// A variable or part of one.
    pub is_place: bool,
    /// A scalar after which more elements may follow.
    pub is_element: bool,
    /// The place of the argument.
    pub span: Span,
}

/// A call by an implicit interface.
#[derive(Clone, Debug)]
pub struct ImplicitCall {
    /// The linker name of the procedure.
    pub linker: String,
    /// The name in the source.
    pub name: String,
    /// The place of the call.
    pub span: Span,
    /// The type of a function's value, and its length if it is a known one of characters; none for a subroutine.
    pub result: Option<(String, Option<i64>)>,
    /// None for an argument without a value or a type: labels, procedures, Hollerith constants.
    pub args: Vec<Option<Passed>>,
}

/// Reports calls that differ from the first one of the same procedure, in the order of the source.
pub fn check(mut calls: Vec<ImplicitCall>, same: impl Fn(StructureId, StructureId) -> bool, diags: &mut Diagnostics) {
    calls.sort_by_key(|c| c.span);
    let mut first: FxHashMap<&str, &ImplicitCall> = FxHashMap::default();
    for call in &calls {
        let before = *first.entry(&call.linker).or_insert(call);
        if before.args.len() != call.args.len() {
            let (n, m) = (call.args.len(), before.args.len());
            let message = format!("'{}' is called with {n} argument(s) here, but with {m} before", call.name);
            diags.push(Diagnostic::error("T0575", call.span, message).because(before.span, "called here"));
            continue;
        }
        for (a, b) in before.args.iter().zip(&call.args) {
            let (Some(a), Some(b)) = (a, b) else { continue };
            let same_type = match (a.structure, b.structure) {
                (None, None) => a.ty == b.ty,
                (Some(s), Some(t)) => same(s, t),
                _ => false,
            };
            let what =
                |p: &Passed| if p.rank == 0 { "a scalar".to_owned() } else { format!("an array of rank {}", p.rank) };
            let message = if !same_type {
                format!("'{}' gets {} here, but {} in another call", call.name, b.name, a.name)
            } else if a.rank > 0 && b.rank == 0 && !b.is_element || a.rank == 0 && b.rank > 0 && !a.is_element {
                format!("'{}' gets {} here, but {} in another call", call.name, what(b), what(a))
            } else {
                continue;
            };
            let d = Diagnostic::error("T0576", b.span, message).because(a.span, "passed here");
            diags.push(d.help("-fallow-argument-mismatch takes it as it is"));
        }
    }
}
