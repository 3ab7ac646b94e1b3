//! BOZ constants: bits without a type. Fortran 2008, 4.7 (C4102) names the places where something gives them one.

use crate::Options;
use crate::check::standard::Standard;
use rustc_hash::FxHashSet;
use trueline_diag::{Diagnostic, Diagnostics};
use trueline_syntax::ast::{ArgValue, Ast, ExprId, ExprKind, StmtKind};

/// The intrinsic functions with arguments that may be BOZ constants, in alphabetical order.
const TAKERS: [&str; 18] = [
    "and",
    "bge",
    "bgt",
    "ble",
    "blt",
    "cmplx",
    "dble",
    "dcmplx",
    "dshiftl",
    "dshiftr",
    "iand",
    "ieor",
    "int",
    "ior",
    "merge_bits",
    "or",
    "real",
    "xor",
];

/// The same for extensions of gfortran.
const FURTHER: [&str; 4] = ["int2", "int8", "kind", "loc"];

/// Reports BOZ constants in other places, unless `-fallow-invalid-boz` is given: old programs take their bits as numbers,
/// no standard does.
pub fn check(ast: &Ast, options: Options, diags: &mut Diagnostics) {
    let standard = options.rules.standard;
    if ast.external || options.any_boz || standard == Standard::Legacy || diags.has_errors() {
        return;
    }
    let severity = if standard < Standard::Gnu { Diagnostic::error } else { Diagnostic::warning };
    let is_boz = |x: ExprId| matches!(ast.expr(x).kind, ExprKind::Boz { .. });
    if !ast.exprs.keys().any(is_boz) {
        return;
    }
    let mut right: FxHashSet<ExprId> = FxHashSet::default();
    for e in ast.exprs.values() {
        let ExprKind::Call { base, args } = e.kind else { continue };
        let ExprKind::Name(name) = ast.expr(base).kind else { continue };
        let name = ast.name(name);
        if TAKERS.binary_search(&name).is_ok() || FURTHER.contains(&name) {
            right.extend(ast.args(args).iter().filter_map(|a| match a.value {
                ArgValue::Expr(x) => Some(x),
                _ => None,
            }));
        }
    }
    for s in ast.stmts.values() {
        if let StmtKind::Data(groups) = &s.kind {
            right.extend(groups.iter().flat_map(|g| &g.values).map(|v| v.value));
        }
    }
    for x in ast.exprs.keys().filter(|&x| is_boz(x) && !right.contains(&x)) {
        let d = severity("T0544", ast.span(x), "A BOZ constant has no type: its bits are taken as a number");
        diags.push(d.help("INT, REAL, DBLE and CMPLX make a number of its bits: int(z'ff')"));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_functions_are_in_order() {
        assert!(super::TAKERS.is_sorted());
    }
}
