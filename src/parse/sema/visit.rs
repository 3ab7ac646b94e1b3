//! Walking the syntax tree: the expressions and blocks of a statement, the operands of an expression.
//!
//! The one place that knows where every statement form keeps its parts, for the questions that are
//! asked before lowering: which names, calls and labels a procedure mentions.

use smallvec::{SmallVec, smallvec};
use trueline_syntax::ast::{
    Allocate, ArgList, ArgValue, Ast, BlockId, CaseSelector, CharLen, DoControl, ExprId, ExprKind, ForallHeader,
    IoValue, LabelRef, StmtId, StmtKind, TypeSpec,
};

/// The direct operands of an expression.
pub fn operands(ast: &Ast, x: ExprId, each: &mut dyn FnMut(ExprId)) {
    match &ast.expr(x).kind {
        ExprKind::Complex { re, im } => [*re, *im].into_iter().for_each(each),
        ExprKind::Call { base, args } => {
            each(*base);
            arguments(ast, *args, each);
        }
        ExprKind::Component { base, .. } => each(*base),
        ExprKind::Unary { operand, .. } => each(*operand),
        ExprKind::Binary { left, right, .. } => [*left, *right].into_iter().for_each(each),
        ExprKind::Paren(inner) => each(*inner),
        ExprKind::ArrayConstructor { ty, items } => {
            ast.list(*items).iter().copied().for_each(&mut *each);
            length(ty.as_deref()).into_iter().for_each(each);
        }
        ExprKind::ImpliedDo(d) => {
            ast.list(d.items).iter().copied().for_each(&mut *each);
            [Some(d.from), Some(d.to), d.step].into_iter().flatten().for_each(each);
        }
        _ => {}
    }
}

/// The length in the type of an array constructor or an ALLOCATE, which may be computed.
pub fn length(ty: Option<&TypeSpec>) -> Option<ExprId> {
    match ty?.len {
        Some(CharLen::Expr(x)) => Some(x),
        _ => None,
    }
}

/// The expressions in a list of arguments.
pub fn arguments(ast: &Ast, args: ArgList, each: &mut dyn FnMut(ExprId)) {
    for a in ast.args(args) {
        match a.value {
            ArgValue::Expr(x) => each(x),
            ArgValue::Section { lo, hi, step } => {
                [lo, hi, step].into_iter().filter_map(|x| x.expand()).for_each(&mut *each);
            }
            ArgValue::AltReturn(_) | ArgValue::Star => {}
        }
    }
}

/// `x` and everything below it, outermost first.
pub fn expressions(ast: &Ast, x: ExprId, each: &mut dyn FnMut(ExprId)) {
    let mut todo: SmallVec<[ExprId; 16]> = smallvec![x];
    while let Some(x) = todo.pop() {
        each(x);
        let at = todo.len();
        operands(ast, x, &mut |o| todo.push(o));
        todo[at..].reverse();
    }
}

fn header(h: &ForallHeader, each: &mut dyn FnMut(ExprId)) {
    for t in &h.triplets {
        [Some(t.lo), Some(t.hi), t.step].into_iter().flatten().for_each(&mut *each);
    }
    h.mask.into_iter().for_each(each);
}

fn allocation(ast: &Ast, a: &Allocate, each: &mut dyn FnMut(ExprId)) {
    ast.list(a.objects).iter().copied().for_each(&mut *each);
    length(a.ty.as_ref()).into_iter().for_each(&mut *each);
    a.options.iter().for_each(|o| each(o.2));
}

/// The expressions that stand directly in an executable statement (of a construct: in its head).
pub fn stmt_exprs(ast: &Ast, s: StmtId, each: &mut dyn FnMut(ExprId)) {
    match &ast.stmt(s).kind {
        StmtKind::Assign { target, value } | StmtKind::PointerAssign { target, value } => {
            [*target, *value].into_iter().for_each(each);
        }
        StmtKind::Call { callee, args } => {
            each(*callee);
            arguments(ast, *args, each);
        }
        StmtKind::ComputedGoto(g) => each(g.selector),
        StmtKind::IfLogical { cond, .. } | StmtKind::ElseIf { cond } => each(*cond),
        StmtKind::IfArith { value, .. } => each(*value),
        StmtKind::If(c) => each(c.cond),
        StmtKind::Select(c) => each(c.selector),
        StmtKind::Case(CaseSelector::Ranges(ranges)) => {
            ranges.iter().flat_map(|r| [r.lo, r.hi]).flatten().for_each(each);
        }
        StmtKind::Do(d) => match &d.control {
            DoControl::Forever => {}
            DoControl::Count { from, to, step, .. } => {
                [Some(*from), Some(*to), *step].into_iter().flatten().for_each(each);
            }
            DoControl::While(cond) => each(*cond),
            DoControl::Concurrent(h) => header(h, each),
        },
        StmtKind::WhereStmt { mask, .. } => each(*mask),
        StmtKind::Where(w) => each(w.mask),
        StmtKind::Elsewhere { mask } => mask.iter().copied().for_each(each),
        StmtKind::ForallStmt { header: h, .. } => header(h, each),
        StmtKind::Forall(f) => header(&f.header, each),
        StmtKind::Associate(a) => a.associations.iter().for_each(|x| each(x.1)),
        StmtKind::Return(x) | StmtKind::Pause(x) => x.iter().copied().for_each(each),
        StmtKind::Stop { code, quiet, .. } => code.iter().copied().chain(quiet.map(|q| q.1)).for_each(each),
        StmtKind::Allocate(a) | StmtKind::Deallocate(a) => allocation(ast, a, each),
        StmtKind::Nullify(l) => ast.list(*l).iter().copied().for_each(each),
        StmtKind::Io(io) => {
            for c in &io.controls {
                if let IoValue::Expr(x) = c.value {
                    each(x);
                }
            }
            ast.list(io.items).iter().copied().for_each(each);
        }
        _ => {}
    }
}

/// The statements directly below a statement, in order: the heads of its arms, the statement of a
/// logical IF, its END, and those of its blocks.
pub fn stmt_children(ast: &Ast, s: StmtId, each: &mut dyn FnMut(StmtId, Option<BlockId>)) {
    let block = |b: BlockId, each: &mut dyn FnMut(StmtId, Option<BlockId>)| {
        ast.block(b).iter().for_each(|&s| each(s, Some(b)));
    };
    let (first, arms, end) = match &ast.stmt(s).kind {
        StmtKind::IfLogical { body, .. } | StmtKind::WhereStmt { body, .. } | StmtKind::ForallStmt { body, .. } => {
            return each(*body, None);
        }
        StmtKind::If(c) => (Some(c.then), &c.arms[..], c.end),
        StmtKind::Select(c) => (None, &c.arms[..], c.end),
        StmtKind::Do(c) => (Some(c.body), &[][..], c.end),
        StmtKind::Where(c) => (Some(c.body), &c.arms[..], c.end),
        StmtKind::Forall(c) => (Some(c.body), &[][..], c.end),
        StmtKind::Associate(c) => (Some(c.body), &[][..], c.end),
        StmtKind::Block(c) => (Some(c.body), &[][..], c.end),
        _ => return,
    };
    if let Some(b) = first {
        block(b, each);
    }
    for arm in arms {
        each(arm.head, None);
        block(arm.body, each);
    }
    if let Some(end) = end {
        each(end, None);
    }
}

/// The labels a statement may jump to.
pub fn jump_labels(ast: &Ast, s: StmtId, each: &mut dyn FnMut(LabelRef)) {
    match &ast.stmt(s).kind {
        StmtKind::Goto(l) => each(*l),
        StmtKind::ComputedGoto(g) => g.labels.iter().copied().for_each(each),
        StmtKind::AssignedGoto(g) => g.labels.iter().copied().for_each(each),
        StmtKind::AssignLabel { label, .. } => each(*label),
        StmtKind::IfArith { labels, .. } => labels.iter().copied().for_each(each),
        StmtKind::Call { args, .. } => ast.args(*args).iter().for_each(|a| {
            if let ArgValue::AltReturn(l) = a.value {
                each(l);
            }
        }),
        StmtKind::Io(io) => io.controls.iter().for_each(|c| {
            use trueline_syntax::ast::IoSpec;
            if let (IoSpec::Err | IoSpec::End | IoSpec::Eor, IoValue::Label(l)) = (c.spec, c.value) {
                each(l);
            }
        }),
        _ => {}
    }
}
