//! Constraints of executable statements: a walk through the bodies of all procedures.
//!
//! The checks that need no more than a statement itself stand here; checks of jumps, of input and output, of SELECT CASE, and of
//! operations have files of their own.

use crate::check::conformity::conform;
use crate::check::consistency::ImplicitCall;
use crate::check::constructs::Around;
use crate::check::jumps;
use crate::declare::entry::all_dummies;
use crate::labels::Labels;
use crate::scope::nested::Nested;
use crate::scope::symbol::{Symbol, SymbolId};
use crate::scope::{Declarations, ScopeId};
use crate::typed::call::Site;
use crate::typed::{Typed, Types, Typing};
use crate::types::kinds::{Category, type_name};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_diag::{Diagnostic, Diagnostics, SourceMap, Span};
use trueline_ir::Type;
use trueline_syntax::ast::{
    AllocOption, Allocate, Ast, BlockId, DoControl, ExprId, ForallHeader, Ident, IfConstruct, StmtId, StmtKind, UnitId,
    UnitKind, WhereConstruct,
};

/// The most ELSEWHEREs of a WHERE, each of which nests in the IR.
const MAX_WHERE_ARMS: usize = 500;

/// The statements of one unit.
pub struct Statements<'d, 'a> {
    pub decls: &'a Declarations<'a>,
    pub map: &'d SourceMap,
    /// The file.
    pub ast: &'a Ast,
    /// The scope of the unit.
    pub home: ScopeId,
    /// The scope of the statement: that of the unit or of a construct in it.
    pub scope: ScopeId,
    unit: UnitId,
    /// The statement function in whose body the expression stands.
    pub function: Option<SymbolId>,
    /// Names that stand for values: indices of FORALL, DO CONCURRENT and implied DO, arguments of a statement function.
    pub values: Vec<SymbolId>,
    /// The DO variables of the loops around, with the place of the DO.
    pub active: Nested<SymbolId, Span>,
    /// The constructs around.
    pub around: Around,
    /// The number of DO CONCURRENTs around.
    pub concurrent: u32,
    /// The number of array constructors around.
    pub constructors: u32,
    /// Expressions with an error in them.
    pub faulty: FxHashSet<ExprId>,
    /// Calls by implicit interfaces.
    pub calls: Vec<ImplicitCall>,
    /// Within an operation of constants, whose value is looked at as a whole.
    pub in_constant: bool,
    /// The last part of an expression that was found not to be constant.
    pub(super) varying: Option<ExprId>,
    /// The statement functions that do not use themselves.
    pub finite: FxHashSet<SymbolId>,
    /// The number of statement functions that a reference of one expands to, and how deep they nest.
    pub expansions: FxHashMap<SymbolId, (u64, u64)>,
    /// The number of expansions so far.
    pub expanded: u64,
    /// Whether an argument of the procedure, or of its hosts, is an array of assumed size.
    pub has_assumed_size: bool,
    /// The number of FORALLs around.
    pub foralls: u32,
    pub labels: Labels,
    pub types: Types,
    pub diags: &'d mut Diagnostics,
}

/// Checks the statements of one procedure; gives the types of its expressions, and its calls by implicit interfaces.
pub fn check<'a>(
    decls: &'a Declarations<'a>,
    map: &SourceMap,
    home: ScopeId,
    unit: UnitId,
    diags: &mut Diagnostics,
) -> (Types, Vec<ImplicitCall>) {
    let ast = decls.ast(home);
    let labels = Labels::of(ast, unit);
    jumps::check(ast, &labels, diags);
    let mut all = Statements {
        decls,
        map,
        ast,
        home,
        scope: home,
        unit,
        function: None,
        values: Vec::new(),
        active: Nested::default(),
        around: Around::default(),
        concurrent: 0,
        constructors: 0,
        faulty: FxHashSet::default(),
        calls: Vec::new(),
        in_constant: false,
        varying: None,
        finite: FxHashSet::default(),
        expansions: FxHashMap::default(),
        expanded: 0,
        has_assumed_size: false,
        foralls: 0,
        labels,
        types: Types::default(),
        diags,
    };
    if ast.has_labels(unit) {
        for &s in &ast.units[unit].spec {
            if let StmtKind::Format(text) = ast.stmt(s).kind {
                all.format_text(ast.text(text), ast.stmt(s).span, false);
            }
        }
    }
    let mut around = std::iter::successors(Some(home), |&s| decls.scopes[s].parent);
    all.has_assumed_size = around.any(|s| decls.scopes[s].own.iter().any(|&id| decls.symbols[id].is_assumed_size()));
    all.dummies();
    all.declarations();
    all.block(ast.units[unit].body);
    (all.types, all.calls)
}

impl<'a> Statements<'_, 'a> {
    /// The question for the types of expressions that stand here.
    pub fn site(&mut self) -> Site<'_, 'a> {
        let typing = Typing::new(self.decls, self.scope, self.function, &mut self.types);
        Site { decls: self.decls, ast: self.ast, home: self.home, values: &self.values, active: &self.active, typing }
    }

    /// An expression in which an error was reported has no type.
    pub fn without_type(&mut self, x: ExprId) {
        self.types.insert(self.decls.scopes[self.scope].ast, x, None);
        self.faulty.insert(x);
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diags.push(Diagnostic::error(code, span, message));
    }

    pub fn block(&mut self, block: BlockId) {
        for &s in self.ast.block(block) {
            self.statement(s);
        }
    }

    fn statement(&mut self, s: StmtId) {
        let ast = self.ast;
        let outer = self.scope;
        let index = self.decls.scopes[outer].ast;
        let inner = self.decls.construct_scope(index, s).unwrap_or(outer);
        // The selectors of an ASSOCIATE stand outside of it.
        let is_inside = !matches!(ast.stmt(s).kind, StmtKind::Associate(_));
        self.scope = if is_inside { inner } else { outer };
        let may_stand = self.pure_statement(s);
        self.expressions(s);
        if may_stand {
            self.head(s);
        }
        self.pure_mask(s);
        self.scope = inner;
        match &ast.stmt(s).kind {
            StmtKind::IfLogical { body, .. } => self.statement(*body),
            StmtKind::If(c) => {
                let checked = self.site().check_arms(&c.arms);
                if self.passes(checked) {
                    self.construct(c.name, false, |all| all.arms(c));
                }
            }
            StmtKind::Select(c) => {
                self.select(c);
                self.defaults(c);
                self.construct(c.name, false, |all| c.arms.iter().for_each(|arm| all.block(arm.body)));
            }
            StmtKind::Do(c) => {
                self.steps(&c.control);
                self.do_construct(ast.stmt(s).span, c);
            }
            StmtKind::Associate(c) => self.construct(c.name, false, |all| all.block(c.body)),
            StmtKind::Block(c) => {
                self.declarations();
                self.construct(c.name, false, |all| all.block(c.body));
            }
            StmtKind::WhereStmt { mask, body } => {
                let mask = self.site().typing.of(*mask);
                self.in_where(*body, mask.as_ref());
            }
            StmtKind::Where(w) => self.where_construct(w),
            StmtKind::ForallStmt { header, body } => {
                self.strides(header);
                self.forall(header, &[*body]);
            }
            StmtKind::Forall(c) => {
                self.strides(&c.header);
                self.forall(&c.header, ast.block(c.body));
            }
            _ if may_stand => self.plain_statement(s),
            _ => {}
        }
        self.scope = outer;
    }

    fn arms(&mut self, c: &IfConstruct) {
        self.block(c.then);
        for arm in &c.arms {
            self.expressions(arm.head);
            self.head(arm.head);
            self.block(arm.body);
        }
    }

    /// Reports a statement that a PURE procedure must not execute; whether it may stand here. If not, no more is said of it but of
    /// its expressions and its body.
    fn pure_statement(&mut self, s: StmtId) -> bool {
        if let StmtKind::Assign { target, value } = self.ast.stmt(s).kind
            && self.is_statement_function(target, value)
        {
            return true;
        }
        let checked = self.purity().statement(s);
        self.passes(checked)
    }

    /// A statement that is no construct.
    fn plain_statement(&mut self, s: StmtId) {
        let ast = self.ast;
        match &ast.stmt(s).kind {
            StmtKind::Call { callee, args } => self.call_statement(*callee, *args),
            StmtKind::Exit(name) => self.leave(ast.stmt(s).span, *name, false),
            StmtKind::Cycle(name) => self.leave(ast.stmt(s).span, *name, true),
            StmtKind::AssignedGoto(g) => {
                self.assigned_goto(g.var);
                self.label_variable(g.var, false);
            }
            StmtKind::AssignLabel { var, .. } => self.label_variable(*var, true),
            StmtKind::PointerAssign { target, value } => self.pointer_assignment(*target, *value),
            StmtKind::Nullify(objects) => self.nullify(*objects),
            StmtKind::Return(value) => self.return_statement(s, *value),
            StmtKind::Stop { code, quiet, .. } => self.stop(*code, *quiet),
            StmtKind::Pause(code) => self.code_of(*code, "PAUSE"),
            StmtKind::Allocate(a) => {
                self.allocate_options(a);
                self.allocated_objects(a);
            }
            StmtKind::Deallocate(a) => {
                self.allocate_options(a);
                self.deallocated_objects(a);
            }
            StmtKind::Io(io) => {
                self.io_statement(io);
                self.transferred(io);
            }
            StmtKind::Entry(_) => self.entry(s),
            _ => {}
        }
    }

    fn steps(&mut self, control: &DoControl) {
        match control {
            DoControl::Count { step, .. } => {
                let fault = self.zero_step(*step, "The step of a DO is not 0");
                fault.into_iter().for_each(|d| self.diags.push(d));
            }
            DoControl::Concurrent(h) => self.strides(h),
            DoControl::Forever | DoControl::While(_) => {}
        }
    }

    fn strides(&mut self, h: &ForallHeader) {
        self.index_bounds(h);
        for t in &h.triplets {
            let fault = self.zero_step(t.step, "The stride of an index is not 0");
            fault.into_iter().for_each(|d| self.diags.push(d));
        }
    }

    fn where_construct(&mut self, w: &WhereConstruct) {
        let ast = self.ast;
        if let Some(arm) = w.arms.get(MAX_WHERE_ARMS) {
            let message = format!("More than {MAX_WHERE_ARMS} branches in one WHERE");
            self.error("T0620", ast.stmt(arm.head).span, message);
        }
        let mask = self.site().typing.of(w.mask);
        for arm in &w.arms {
            self.expressions(arm.head);
            self.head(arm.head);
            if let (StmtKind::Elsewhere { mask: Some(x) }, Some(like)) = (&ast.stmt(arm.head).kind, &mask)
                && let Some(t) = self.site().typing.of(*x)
            {
                self.passes(conform(ast.span(*x), like, &t, ""));
            }
        }
        let blocks = std::iter::once(w.body).chain(w.arms.iter().map(|arm| arm.body));
        blocks.flat_map(|b| ast.block(b)).for_each(|&s| self.in_where(s, mask.as_ref()));
    }

    fn in_where(&mut self, s: StmtId, mask: Option<&Typed>) {
        match self.ast.stmt(s).kind {
            StmtKind::WhereStmt { .. } | StmtKind::Where(_) => self.statement(s),
            StmtKind::Assign { target, value } => {
                let may_stand = self.pure_statement(s);
                self.expressions(s);
                if may_stand {
                    self.head(s);
                }
                if let Some(mask) = mask {
                    self.masked(target, value, mask);
                }
            }
            StmtKind::Directive(_) | StmtKind::Error => {}
            _ => self.error("T0632", self.ast.stmt(s).span, "Only assignments and WHERE stand in a WHERE"),
        }
    }

    /// The indices of a FORALL or DO CONCURRENT stand for values.
    pub fn indices(&mut self, h: &ForallHeader) {
        let (decls, scope) = (self.decls, self.scope);
        self.values.extend(h.triplets.iter().filter_map(|t| decls.visible(scope, t.index.name)));
    }

    fn forall(&mut self, h: &ForallHeader, body: &[StmtId]) {
        let around = self.values.len();
        self.indices(h);
        self.foralls += 1;
        body.iter().for_each(|&s| self.in_forall(s));
        self.foralls -= 1;
        self.values.truncate(around);
    }

    fn in_forall(&mut self, s: StmtId) {
        match self.ast.stmt(s).kind {
            StmtKind::WhereStmt { .. } | StmtKind::Where(_) | StmtKind::ForallStmt { .. } | StmtKind::Forall(_) => {
                self.statement(s);
            }
            StmtKind::Assign { .. } => {
                let may_stand = self.pure_statement(s);
                self.expressions(s);
                if may_stand {
                    self.head(s);
                }
            }
            StmtKind::PointerAssign { target, value } => {
                let may_stand = self.pure_statement(s);
                self.expressions(s);
                if may_stand {
                    self.pointer_assignment(target, value);
                }
            }
            StmtKind::Directive(_) | StmtKind::Error => {}
            _ => self.error("T0632", self.ast.stmt(s).span, "Only assignments, WHERE and FORALL stand in a FORALL"),
        }
    }

    fn assigned_goto(&mut self, var: Ident) {
        let s = self.decls.visible(self.scope, var.name).map(|id| &self.decls.symbols[id]);
        let is_integer =
            |s: &&Symbol| s.is_variable() && !s.is_array() && s.ty.map(Category::of) == Some(Category::Integer);
        if let Some(s) = s.filter(is_integer).filter(|_| self.labels.assigned.is_empty()) {
            let message = format!("'{}' gets no label: there is no ASSIGN in this procedure", s.name);
            self.error("T0614", var.span, message);
        }
    }

    fn return_statement(&mut self, s: StmtId, value: Option<ExprId>) {
        let kind = self.ast.units[self.unit].kind;
        if kind == UnitKind::Program {
            let d = Diagnostic::warning("T0615", self.ast.stmt(s).span, "RETURN in a main program ends it");
            self.diags.push(d);
        }
        let Some(x) = value else { return };
        let is_index = |t: crate::typed::Typed| t.rank() == 0 && Category::of(t.ty) == Category::Integer;
        let has_returns = kind == UnitKind::Subroutine && all_dummies(self.decls, self.home).contains(&None);
        if !has_returns && self.site().typing.of(x).is_some_and(is_index) {
            let message = "RETURN with a value needs a subroutine with '*' among its arguments";
            self.error("T0616", self.ast.span(x), message);
        }
    }

    fn stop(&mut self, code: Option<ExprId>, quiet: Option<(Ident, ExprId)>) {
        match quiet.map(|(word, _)| (self.ast.name(word.name), word.span)) {
            Some((word, span)) if word != "quiet" => {
                self.error("T0605", span, format!("STOP has no specifier '{word}'"));
            }
            _ => self.code_of(code, "STOP"),
        }
    }

    /// The code of a STOP or PAUSE.
    fn code_of(&mut self, code: Option<ExprId>, word: &str) {
        let Some(x) = code else { return };
        let Some(t) = self.site().typing.of(x).filter(|t| t.rank() == 0) else { return };
        let is_text = t.ty == Type::Char && t.structure.is_none();
        if !is_text && Category::of(t.ty) != Category::Integer {
            let message = format!("The code of {word} is INTEGER or CHARACTER, not {}", type_name(t.ty));
            self.error("T0605", self.ast.span(x), message);
        }
    }

    /// Each option of an ALLOCATE once; SOURCE= and MOLD= exclude each other, and a type before the objects.
    fn allocate_options(&mut self, a: &Allocate) {
        let is_like = |o: AllocOption| matches!(o, AllocOption::Source | AllocOption::Mold);
        for (k, &(option, span, _)) in a.options.iter().enumerate() {
            let before = a.options[..k].iter().find(|(o, ..)| *o == option || is_like(*o) && is_like(option));
            if let Some(&(o, first, _)) = before {
                let message =
                    if o == option { "This option is given twice" } else { "SOURCE= and MOLD= exclude each other" };
                self.diags.push(Diagnostic::error("T0634", span, message).because(first, "first given here"));
                return;
            }
            if is_like(option) && a.ty.is_some() {
                self.error("T0634", span, "SOURCE= and MOLD= have the type, which is not to be given again");
                return;
            }
        }
    }

    fn entry(&mut self, s: StmtId) {
        if !self.decls.scopes[self.home].entries.iter().any(|e| e.0 == s) {
            self.error("T0217", self.ast.stmt(s).span, "ENTRY cannot stand inside a construct");
        }
    }
}
