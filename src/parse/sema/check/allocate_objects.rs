//! The objects of an ALLOCATE or DEALLOCATE statement: none of them may be named twice, or be part of another.

use rustc_hash::FxHashMap;
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_syntax::ast::{AllocOption, Allocate, ArgValue, Ast, ExprId, ExprKind};

/// Reports objects that are the same; `shaped` if they have bounds behind them.
pub fn check(ast: &Ast, a: &Allocate, shaped: bool, diags: &mut Diagnostics) {
    let objects = ast.list(a.objects);
    let mut seen: FxHashMap<String, Span> = FxHashMap::default();
    let paths: Vec<Option<Vec<String>>> = objects.iter().map(|&x| path(ast, x, shaped)).collect();
    for (&x, parts) in objects.iter().zip(&paths) {
        let Some(parts) = parts else { continue };
        let span = ast.span(x);
        if let Some(first) = seen.insert(parts.concat(), span) {
            let d = Diagnostic::error("T0638", span, "This object is named twice in the statement");
            diags.push(d.because(first, "first named here"));
        }
    }
    for (&x, parts) in objects.iter().zip(&paths) {
        let around = parts.iter().flat_map(|p| (1..p.len()).map(|k| p[..k].concat()));
        let mut whole = around.filter_map(|key| seen.get(&key));
        if let Some(&whole) = whole.next() {
            let d = Diagnostic::error("T0638", ast.span(x), "This object is part of another one of the statement");
            diags.push(d.because(whole, "which is named here"));
        }
    }
    for &(option, _, x) in &a.options {
        let is_result = matches!(option, AllocOption::Stat | AllocOption::Errmsg);
        let Some(key) = path(ast, x, false).filter(|_| is_result) else { continue };
        if let Some(&object) = seen.get(&key.concat()) {
            let message = "STAT= or ERRMSG= cannot be an object of the same statement";
            diags.push(Diagnostic::error("T0638", ast.span(x), message).because(object, "the object"));
        }
    }
}

/// The way to an object, each piece ending where an object could: `v`, `(1)`, `%x` …; none if a subscript is not simple.
fn path(ast: &Ast, x: ExprId, shaped: bool) -> Option<Vec<String>> {
    let mut out = Vec::new();
    let mut at = x;
    loop {
        match ast.expr(at).kind {
            ExprKind::Name(name) => {
                out.push(ast.name(name).to_owned());
                break;
            }
            ExprKind::Component { base, name } => {
                out.push(format!("%{}", ast.name(name)));
                at = base;
            }
            ExprKind::Call { base, args } => {
                if !(shaped && at == x) {
                    let mut text = String::from("(");
                    for arg in ast.args(args) {
                        let ArgValue::Expr(subscript) = arg.value else { return None };
                        match ast.expr(subscript).kind {
                            ExprKind::Name(name) => text.push_str(ast.name(name)),
                            ExprKind::Int { value, .. } => text.push_str(&value.to_string()),
                            _ => return None,
                        }
                        text.push(',');
                    }
                    out.push(text);
                }
                at = base;
            }
            _ => return None,
        }
    }
    out.reverse();
    Some(out)
}
