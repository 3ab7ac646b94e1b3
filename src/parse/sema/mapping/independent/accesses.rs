//! Reads and writes of a loop, and which pairs of them meet in different iterations.

use super::Loop;
use crate::mapping::extents::{Subscript, number, subscript};
use crate::scope::symbol::{SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId};
use crate::visit;
use rustc_hash::FxHashSet;
use trueline_diag::Span;
use trueline_ir::mapping::Linear;
use trueline_syntax::Name;
use trueline_syntax::ast::{ArgValue, Ast, DoControl, ExprId, ExprKind, StmtId, StmtKind};

/// A use of a variable in a loop.
pub(super) struct Access {
    pub(super) id: SymbolId,
    pub(super) expr: ExprId,
    pub(super) span: Span,
    pub(super) stmt: StmtId,
    pub(super) write: bool,
    /// In every iteration, as far as conditionals tell.
    pub(super) certain: bool,
    /// The variable of an inner loop.
    pub(super) is_loop_variable: bool,
    /// The inner loops around it, outermost first.
    loops: Vec<StmtId>,
}

/// The symbol of `a`, `a(i)`, `a(i)(1:2)`.
pub(super) fn root(decls: &Declarations<'_>, scope: ScopeId, ast: &Ast, x: ExprId) -> Option<SymbolId> {
    match ast.expr(x).kind {
        ExprKind::Name(name) => decls.named(scope, name),
        ExprKind::Call { base, .. } => root(decls, scope, ast, base),
        _ => None,
    }
}

/// All accesses in the body of the loop at `s`.
pub(super) fn accesses(decls: &Declarations<'_>, scope: ScopeId, ast: &Ast, s: StmtId, l: &Loop) -> Vec<Access> {
    let mut g = Gather { decls, scope, ast, out: Vec::new() };
    let mut todo: Vec<(StmtId, bool, Vec<StmtId>)> = Vec::new();
    visit::stmt_children(ast, s, &mut |child, _| todo.push((child, true, Vec::new())));
    todo.reverse();
    let mut variables: FxHashSet<SymbolId> = FxHashSet::default();
    variables.insert(l.var);
    while let Some((s, certain, loops)) = todo.pop() {
        g.statement(s, certain, &loops);
        if let StmtKind::Do(d) = &ast.stmt(s).kind
            && let DoControl::Count { var, .. } = &d.control
        {
            variables.extend(decls.named(scope, var.name));
        }
        let below = certain
            && !matches!(
                ast.stmt(s).kind,
                StmtKind::If(_)
                    | StmtKind::IfLogical { .. }
                    | StmtKind::Select(_)
                    | StmtKind::Where(_)
                    | StmtKind::WhereStmt { .. }
            );
        let mut inner = loops.clone();
        if matches!(ast.stmt(s).kind, StmtKind::Do(_)) {
            inner.push(s);
        }
        let at = todo.len();
        visit::stmt_children(ast, s, &mut |child, _| todo.push((child, below, inner.clone())));
        todo[at..].reverse();
        // Statements behind a jump need not run.
        if matches!(ast.stmt(s).kind, StmtKind::Cycle(_) | StmtKind::Goto(_) | StmtKind::Return(_) | StmtKind::Exit(_))
        {
            todo.iter_mut().for_each(|t| t.1 = false);
        }
    }
    for a in &mut g.out {
        a.is_loop_variable = variables.contains(&a.id);
    }
    g.out
}

struct Gather<'g, 'a> {
    decls: &'g Declarations<'a>,
    scope: ScopeId,
    ast: &'g Ast,
    out: Vec<Access>,
}

impl Gather<'_, '_> {
    fn add(&mut self, x: ExprId, stmt: StmtId, write: bool, certain: bool, loops: &[StmtId]) {
        let Some(id) = root(self.decls, self.scope, self.ast, x) else { return };
        if self.decls.symbols[id].kind == SymbolKind::Variable {
            let (span, loops) = (self.ast.span(x), loops.to_vec());
            self.out.push(Access { id, expr: x, span, stmt, write, certain, is_loop_variable: false, loops });
        }
    }

    fn statement(&mut self, s: StmtId, certain: bool, loops: &[StmtId]) {
        let ast = self.ast;
        let target = match &ast.stmt(s).kind {
            StmtKind::Assign { target, .. } => Some(*target),
            StmtKind::Directive(_) => return,
            _ => None,
        };
        if let Some(target) = target {
            self.add(target, s, true, certain, loops);
            if let ExprKind::Call { args, .. } = ast.expr(target).kind {
                let mut subscripts = Vec::new();
                visit::arguments(ast, args, &mut |x| subscripts.push(x));
                for x in subscripts {
                    self.reads(x, s, certain, loops);
                }
            }
        }
        let mut roots = Vec::new();
        visit::stmt_exprs(ast, s, &mut |x| roots.push(x));
        for x in roots {
            if Some(x) != target {
                self.reads(x, s, certain, loops);
            }
        }
    }

    fn reads(&mut self, x: ExprId, s: StmtId, certain: bool, loops: &[StmtId]) {
        let ast = self.ast;
        let mut found = Vec::new();
        let mut todo = vec![x];
        while let Some(x) = todo.pop() {
            match ast.expr(x).kind {
                ExprKind::Name(_) => found.push(x),
                ExprKind::Call { base, args } => {
                    if matches!(ast.expr(base).kind, ExprKind::Name(_)) {
                        found.push(x);
                    } else {
                        todo.push(base);
                    }
                    visit::arguments(ast, args, &mut |x| todo.push(x));
                }
                // Components are other memory than the arrays that INDEPENDENT loops are about.
                ExprKind::Component { .. } => {}
                _ => visit::operands(ast, x, &mut |o| todo.push(o)),
            }
        }
        for x in found {
            self.add(x, s, false, certain, loops);
        }
    }
}

/// The first thing that a statement does with a variable.
pub(super) enum Use {
    None,
    Read(Span),
    Written,
}

pub(super) fn first_use(decls: &Declarations<'_>, scope: ScopeId, ast: &Ast, s: StmtId, id: SymbolId) -> Use {
    if let StmtKind::Directive(_) = ast.stmt(s).kind {
        return Use::None;
    }
    let is = |name: Name| decls.named(scope, name) == Some(id);
    let target = match &ast.stmt(s).kind {
        StmtKind::Assign { target, .. } => Some(*target),
        _ => None,
    };
    let hides = |h: &trueline_syntax::ast::ForallHeader| h.triplets.iter().any(|t| is(t.index.name));
    let hidden = match &ast.stmt(s).kind {
        StmtKind::Forall(f) => hides(&f.header),
        StmtKind::ForallStmt { header, .. } => hides(header),
        _ => false,
    };
    let mut read = None;
    let mut mentioned = hidden;
    let mut implied = hidden;
    visit::stmt_exprs(ast, s, &mut |root| {
        visit::expressions(ast, root, &mut |x| {
            // The variable of an implied DO is another one.
            implied |= matches!(&ast.expr(x).kind, ExprKind::ImpliedDo(d) if is(d.var.name));
            if let ExprKind::Name(name) = ast.expr(x).kind
                && is(name)
            {
                mentioned = true;
                let is_target = target == Some(root)
                    && (x == root || matches!(ast.expr(root).kind, ExprKind::Call { base, .. } if base == x));
                if !is_target {
                    read = read.or(Some(ast.span(x)));
                }
            }
        });
    });
    // Arguments, and the items of a READ, may be written.
    let may_write = matches!(ast.stmt(s).kind, StmtKind::Call { .. })
        || matches!(&ast.stmt(s).kind, StmtKind::Io(io) if io.kind == trueline_syntax::ast::IoKind::Read);
    let is_variable = matches!(&ast.stmt(s).kind, StmtKind::Do(d)
        if matches!(&d.control, DoControl::Count { var, .. } if is(var.name)));
    match read {
        Some(span) if !may_write && !implied => Use::Read(span),
        _ if mentioned || is_variable => Use::Written,
        _ => Use::None,
    }
}

/// The number of iterations between a write and another access of the same element: 0 if all iterations write it. None if they do not
/// meet, or nobody knows.
pub(super) fn clash(
    decls: &Declarations<'_>,
    scope: ScopeId,
    ast: &Ast,
    l: &Loop,
    w: &Access,
    r: &Access,
) -> Option<i64> {
    let subscripts = |x: ExprId| match ast.expr(x).kind {
        ExprKind::Call { base, args } if matches!(ast.expr(base).kind, ExprKind::Name(_)) => Some(ast.args(args)),
        _ => None,
    };
    let var = l.name;
    let (Some(a), Some(b)) = (subscripts(w.expr), subscripts(r.expr)) else {
        // The whole array is assigned in every iteration.
        return subscripts(w.expr).is_none().then_some(0).filter(|_| w.expr == r.expr);
    };
    if a.len() != b.len() {
        return None;
    }
    let mut distance: Option<i64> = None;
    for (x, y) in a.iter().zip(b) {
        let (x, y) = match (x.value, y.value) {
            (ArgValue::Expr(x), ArgValue::Expr(y)) => (x, y),
            (ArgValue::Section { lo: a, hi: b, step: c }, ArgValue::Section { lo: d, hi: e, step: f }) => {
                let whole = [a, b, c, d, e, f].iter().all(|x| x.is_none());
                if whole {
                    continue;
                }
                return None;
            }
            _ => return None,
        };
        match (subscript(decls, scope, x, &[var]), subscript(decls, scope, y, &[var])) {
            (Subscript::Of(_, p), Subscript::Of(_, q)) => {
                let d = apart(p, q, l)?;
                if distance.is_some_and(|known| known != d) {
                    return None;
                }
                distance = Some(d);
            }
            (Subscript::Fixed(p), Subscript::Fixed(q)) => {
                let same = match (p, q) {
                    (Some(p), Some(q)) => p == q,
                    _ => same_value(decls, scope, ast, l, w, r, x, y),
                };
                if !same {
                    return None;
                }
            }
            _ => return None,
        }
    }
    match distance {
        None => Some(0).filter(|_| r.write || w.expr == r.expr || w.certain),
        Some(0) => None,
        Some(d) => Some(d.abs()).filter(|d| l.trips.is_none_or(|trips| *d < trips)),
    }
}

/// The iterations between equal values of two linear subscripts.
fn apart(p: Linear, q: Linear, l: &Loop) -> Option<i64> {
    let (a, b) = (p.stride?, q.stride?);
    let step = a.checked_mul(l.step?)?;
    if a != b || step == 0 {
        return None;
    }
    let difference = p.offset?.checked_sub(q.offset?)?;
    (difference % step == 0).then(|| difference / step)
}

/// Whether two subscripts without the loop's variable are equal in any two iterations: the same names and constants, which the loop does
/// not change, except variables of inner loops around both, whose values come again.
#[allow(clippy::too_many_arguments, reason = "two accesses and their subscripts")]
fn same_value(
    decls: &Declarations<'_>,
    scope: ScopeId,
    ast: &Ast,
    l: &Loop,
    w: &Access,
    r: &Access,
    x: ExprId,
    y: ExprId,
) -> bool {
    let (ExprKind::Name(a), ExprKind::Name(b)) = (&ast.expr(x).kind, &ast.expr(y).kind) else { return false };
    let (Some(a), Some(b)) = (decls.named(scope, *a), decls.named(scope, *b)) else { return false };
    if a != b || decls.symbols[a].kind != SymbolKind::Variable || decls.symbols[a].rank() > 0 {
        return false;
    }
    let variable_of = |s: StmtId| match &ast.stmt(s).kind {
        StmtKind::Do(d) => match &d.control {
            DoControl::Count { var, from, to, .. } => {
                let fixed = |x| number(decls, scope, x).is_some() || !mentions(decls, scope, ast, x, l.var);
                (decls.named(scope, var.name) == Some(a)).then(|| fixed(*from) && fixed(*to))
            }
            _ => None,
        },
        _ => None,
    };
    let around = |access: &Access| access.loops.iter().rev().find_map(|&s| variable_of(s).map(|fixed| (s, fixed)));
    match (around(w), around(r)) {
        (Some((s, true)), Some((t, true))) => s == t,
        (None, None) => !written_in(decls, scope, ast, l, a),
        _ => false,
    }
}

fn mentions(decls: &Declarations<'_>, scope: ScopeId, ast: &Ast, x: ExprId, id: SymbolId) -> bool {
    let mut found = false;
    visit::expressions(ast, x, &mut |x| {
        found |= matches!(ast.expr(x).kind, ExprKind::Name(n) if decls.named(scope, n) == Some(id));
    });
    found
}

/// Whether a statement of the loop may change the scalar.
fn written_in(decls: &Declarations<'_>, scope: ScopeId, ast: &Ast, l: &Loop, id: SymbolId) -> bool {
    super::inner(ast, l.stmt).iter().any(|&(s, _)| match &ast.stmt(s).kind {
        StmtKind::Assign { target, .. } => root(decls, scope, ast, *target) == Some(id),
        StmtKind::Do(d) => {
            matches!(&d.control, DoControl::Count { var, .. } if decls.named(scope, var.name) == Some(id))
        }
        StmtKind::Call { .. } | StmtKind::Io(_) => true,
        _ => false,
    })
}
