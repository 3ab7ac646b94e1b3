//! Uses of features that a source's standard lacks: a look at every statement and expression of the tree, and at its lines.

use crate::check::standard::{Feature, Rules};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_diag::{Diagnostics, SourceMap, Span};
use trueline_syntax::SourceForm;
use trueline_syntax::ast::{
    AllocOption, ArgValue, Ast, AttrKind, BaseType, CharLen, DimBound, DoConstruct, DoControl, Entity, ExprId,
    ExprKind, Init, Io, IoSpec, KindParam, KindSelector, Param, Stmt, StmtId, StmtKind, TypeSpec, UnitKind,
};

/// The longest names of FORTRAN 77, Fortran 95 and later standards, and the longest line of free form.
const NAMES: [usize; 3] = [6, 31, 63];
const LINE: usize = 132;

/// Looks through a file for features that its standard lacks.
pub fn check(ast: &Ast, map: &SourceMap, rules: Rules, form: SourceForm, diags: &mut Diagnostics) {
    if rules.is_empty() || ast.external {
        return;
    }
    let mut u = Use { ast, map, rules, diags, named: FxHashSet::default() };
    if rules.only_deleted() {
        u.deleted();
        return;
    }
    if ast.start == 0 {
        u.lines(form);
    }
    u.units();
    for stmt in ast.stmts.values() {
        u.statement(stmt);
    }
    u.shared_ends();
    for (id, _) in ast.exprs.iter() {
        u.expression(id);
    }
    u.arguments();
}

struct Use<'u> {
    ast: &'u Ast,
    map: &'u SourceMap,
    rules: Rules,
    diags: &'u mut Diagnostics,
    /// Names that have been looked at.
    named: FxHashSet<trueline_syntax::Name>,
}

impl Use<'_> {
    fn note(&mut self, feature: Feature, span: Span) {
        self.rules.note(feature, span, "", self.diags);
    }

    /// Statements that a later standard has deleted.
    fn deleted(&mut self) {
        for stmt in self.ast.stmts.values() {
            let feature = match stmt.kind {
                StmtKind::AssignedGoto(_) => Feature::AssignedGoto,
                StmtKind::AssignLabel { .. } => Feature::Assign,
                StmtKind::IfArith { .. } => Feature::ArithmeticIf,
                StmtKind::Pause(_) => Feature::Pause,
                _ => continue,
            };
            self.note(feature, stmt.span);
        }
        self.shared_ends();
    }

    /// The form and the lines.
    fn lines(&mut self, form: SourceForm) {
        let file = self.map.file(self.ast.file);
        let (name, bytes) = (file.name().to_owned(), file.shared_bytes());
        let at = |start: usize, len: usize| Span::new(self.ast.file, start as u32, (start + len) as u32);
        let is_free = trueline_syntax::form_of(&name, form) == SourceForm::Free;
        let first = at(0, bytes.iter().position(|&b| b == b'\n').unwrap_or(bytes.len()));
        let mut found = vec![(if is_free { Feature::FreeForm } else { Feature::FixedForm }, first)];
        let (mut start, mut comment) = (0, false);
        for line in bytes.split(|&b| b == b'\n') {
            if is_free && line.len() > LINE && !line.trim_ascii_start().starts_with(b"!") {
                found.push((Feature::LongLine, at(start + LINE, line.len() - LINE)));
            }
            if !is_free && line.starts_with(b"!") && !comment {
                comment = true;
                found.push((Feature::FullLineComment, at(start, 1)));
            }
            start += line.len() + 1;
        }
        for (feature, span) in found {
            self.note(feature, span);
        }
    }

    fn units(&mut self) {
        for unit in self.ast.units.values() {
            let head = unit.header.map_or(unit.span, |h| self.ast.stmt(h).span);
            match unit.kind {
                UnitKind::Module => self.note(Feature::Module, head),
                UnitKind::BlockData => self.note(Feature::BlockData, head),
                _ => {}
            }
            let p = &unit.prefix;
            let words = [
                (p.recursive, Feature::Recursive),
                (p.pure || p.elemental, Feature::PureElemental),
                (p.impure, Feature::Impure),
                (unit.result.is_some(), Feature::Result),
                (unit.bind.is_some(), Feature::BindC),
            ];
            for (_, feature) in words.into_iter().filter(|w| w.0) {
                self.note(feature, head);
            }
            if let Some(ty) = &p.ty {
                self.type_spec(ty);
            }
            for param in &unit.params {
                if let Param::Star(span) = param {
                    self.note(Feature::AlternateReturn, *span);
                }
            }
            let params: Vec<_> =
                unit.params.iter().filter_map(|p| if let Param::Name(n) = p { Some(n.name) } else { None }).collect();
            for &s in &unit.spec {
                let StmtKind::TypeDecl(d) = &self.ast.stmt(s).kind else { continue };
                if d.attrs.iter().any(|a| matches!(a.kind, AttrKind::Allocatable)) {
                    for e in d.entities.iter().filter(|e| params.contains(&e.name.name)) {
                        self.note(Feature::AllocatableDummy, e.name.span);
                    }
                }
            }
            for &s in self.ast.block(unit.body) {
                if matches!(self.ast.stmt(s).kind, StmtKind::Data(_)) {
                    self.note(Feature::DataInBody, self.ast.stmt(s).span);
                }
            }
        }
    }

    fn type_spec(&mut self, ty: &TypeSpec) {
        match (ty.base, ty.kind) {
            (BaseType::Byte, _) => self.note(Feature::Byte, ty.span),
            (BaseType::Assumed, _) => self.note(Feature::AssumedType, ty.span),
            (BaseType::DoubleComplex, _) => self.note(Feature::DoubleComplex, ty.span),
            (_, Some(KindSelector::Star(_))) => self.note(Feature::StarKind, ty.span),
            (_, Some(KindSelector::Expr(_))) => self.note(Feature::KindSelector, ty.span),
            _ => {}
        }
        if let Some(len) = ty.len {
            if matches!(len, CharLen::Deferred) {
                self.note(Feature::DeferredLength, ty.span);
            }
            if self.map.text(ty.span).contains(&b'*') && !self.map.text(ty.span).contains(&b'(') {
                self.note(Feature::CharacterStar, ty.span);
            }
        }
    }

    fn attribute(&mut self, attr: &AttrKind, span: Span) {
        let feature = match attr {
            AttrKind::Asynchronous => Feature::Asynchronous,
            AttrKind::Bind(_) => Feature::BindC,
            AttrKind::Contiguous => Feature::Contiguous,
            AttrKind::Protected => Feature::Protected,
            AttrKind::Value => Feature::Value,
            AttrKind::Volatile => Feature::Volatile,
            _ => return,
        };
        self.note(feature, span);
    }

    fn entities(&mut self, attrs: &[trueline_syntax::ast::Attr], entities: &[Entity], in_type: bool) {
        let has = |f: fn(&AttrKind) -> bool| attrs.iter().any(|a| f(&a.kind));
        let (allocatable, parameter) =
            (has(|a| matches!(a, AttrKind::Allocatable)), has(|a| matches!(a, AttrKind::Parameter)));
        let dimension = has(|a| matches!(a, AttrKind::Dimension(_)));
        for e in entities {
            if allocatable && in_type {
                self.note(Feature::AllocatableComponent, e.name.span);
            } else if allocatable && e.dims.is_none() && !dimension {
                self.note(Feature::AllocatableScalar, e.name.span);
            }
            match e.init {
                Init::Value(_) if !parameter && !in_type => self.note(Feature::Initialisation, e.span),
                Init::Pointer(x) if !matches!(self.ast.expr(x).kind, ExprKind::Call { .. }) => {
                    self.note(Feature::PointerInitialisation, e.span);
                }
                _ => {}
            }
            if e.dims.iter().flatten().any(|d| matches!(d.hi, DimBound::Deferred)) {
                self.note(Feature::AssumedShape, e.span);
            }
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        let feature = match &stmt.kind {
            StmtKind::TypeDecl(d) => {
                self.type_spec(&d.ty);
                if self.map.text(span).windows(2).any(|w| w == b"::") {
                    self.note(Feature::ColonDeclaration, span);
                }
                d.attrs.iter().for_each(|a| self.attribute(&a.kind, a.span));
                self.entities(&d.attrs, &d.entities, false);
                return;
            }
            StmtKind::Attr { attr, .. } => {
                self.attribute(attr, span);
                match attr {
                    AttrKind::Dimension(_)
                    | AttrKind::External
                    | AttrKind::Intrinsic
                    | AttrKind::Save
                    | AttrKind::Parameter => return,
                    _ => Feature::AttributeStatement,
                }
            }
            StmtKind::DerivedType(d) => {
                for &s in &d.items {
                    if let StmtKind::TypeDecl(c) = &self.ast.stmt(s).kind {
                        self.entities(&c.attrs, &c.entities, true);
                    }
                }
                d.attrs.iter().for_each(|a| self.attribute(&a.kind, a.span));
                Feature::DerivedType
            }
            StmtKind::PointerAssign { .. } => Feature::PointerAssignment,
            StmtKind::ComputedGoto(_) => Feature::ComputedGoto,
            StmtKind::AssignedGoto(_) => Feature::AssignedGoto,
            StmtKind::AssignLabel { .. } => Feature::Assign,
            StmtKind::IfArith { .. } => Feature::ArithmeticIf,
            StmtKind::Select(_) => Feature::Select,
            StmtKind::Do(d) => return self.do_construct(d, span),
            StmtKind::WhereStmt { .. } | StmtKind::Where(_) => Feature::Where,
            StmtKind::ForallStmt { header, .. } => self.forall(header.ty.is_some()),
            StmtKind::Forall(f) => self.forall(f.header.ty.is_some()),
            StmtKind::Associate(_) => Feature::Associate,
            StmtKind::Block(_) => Feature::Block,
            StmtKind::Cycle(_) | StmtKind::Exit(_) => Feature::CycleExit,
            StmtKind::Stop { quiet: Some(_), .. } => Feature::StopQuiet,
            StmtKind::Stop { error: true, .. } => Feature::ErrorStop,
            StmtKind::Pause(_) => Feature::Pause,
            StmtKind::Allocate(a) | StmtKind::Deallocate(a) => {
                if a.ty.is_some() {
                    self.note(Feature::AllocateType, span);
                }
                for (option, at, _) in &a.options {
                    match option {
                        AllocOption::Errmsg => self.note(Feature::AllocateErrmsg, *at),
                        AllocOption::Source => self.note(Feature::AllocateSource, *at),
                        AllocOption::Mold => self.note(Feature::AllocateMold, *at),
                        AllocOption::Stat => {}
                    }
                }
                Feature::Allocate
            }
            StmtKind::Nullify(_) => Feature::Nullify,
            StmtKind::Io(io) => return self.transfer(io, span),
            StmtKind::Entry(e) => {
                if e.bind.is_some() {
                    self.note(Feature::BindC, span);
                }
                Feature::Entry
            }
            StmtKind::Contains => Feature::Contains,
            StmtKind::BindStmt { .. } => Feature::BindC,
            StmtKind::Common(_) => Feature::Common,
            StmtKind::Equivalence(_) => Feature::Equivalence,
            StmtKind::ImplicitNone { .. } => Feature::ImplicitNone,
            StmtKind::Implicit(rules) => return rules.iter().for_each(|r| self.type_spec(&r.ty)),
            StmtKind::Namelist(_) => Feature::Namelist,
            StmtKind::Use(u) => {
                if u.intrinsic.is_some() {
                    self.note(Feature::IntrinsicUse, span);
                }
                Feature::Use
            }
            StmtKind::Import(_) => Feature::Import,
            StmtKind::ModuleProcedure { module: false, .. } => Feature::ModuleProcedureWord,
            StmtKind::ProcedureDecl(_) => Feature::ProcedureDecl,
            StmtKind::Interface(i) if i.is_abstract => Feature::AbstractInterface,
            StmtKind::Interface(_) => Feature::Interface,
            StmtKind::Enum(_) => Feature::Enum,
            _ => return,
        };
        self.note(feature, span);
    }

    fn forall(&self, typed: bool) -> Feature {
        if typed { Feature::ForallType } else { Feature::Forall }
    }

    fn do_construct(&mut self, d: &DoConstruct, span: Span) {
        match &d.control {
            DoControl::Forever => self.note(Feature::DoForever, span),
            DoControl::While(_) => self.note(Feature::DoWhile, span),
            DoControl::Concurrent(_) => self.note(Feature::DoConcurrent, span),
            DoControl::Count { .. } => {}
        }
        if let Some(name) = d.name {
            self.note(Feature::ConstructName, name.span);
        }
        match d.label {
            Some(label) => self.note(Feature::LabelledDo, label.span),
            None => self.note(Feature::EndDo, span),
        }
    }

    /// Labelled loops that end together, or on a statement that is neither CONTINUE nor END DO.
    fn shared_ends(&mut self) {
        let mut ends: FxHashMap<StmtId, u32> = FxHashMap::default();
        for stmt in self.ast.stmts.values() {
            let StmtKind::Do(d) = &stmt.kind else { continue };
            let Some(terminal) = d.terminal.filter(|_| d.label.is_some()) else { continue };
            let end = self.ast.stmt(terminal);
            *ends.entry(terminal).or_default() += 1;
            match ends[&terminal] {
                1 if !matches!(end.kind, StmtKind::Continue | StmtKind::End { .. }) => {
                    self.note(Feature::OtherTermination, end.span);
                }
                2 => self.note(Feature::SharedTermination, end.span),
                _ => {}
            }
        }
    }

    fn transfer(&mut self, io: &Io, span: Span) {
        use trueline_syntax::ast::IoKind;
        match io.kind {
            IoKind::Flush => self.note(Feature::Flush, span),
            IoKind::Wait => self.note(Feature::Wait, span),
            _ => {}
        }
        for c in &io.controls {
            let feature = match c.spec {
                IoSpec::Advance | IoSpec::Delim | IoSpec::Pad | IoSpec::Position | IoSpec::Action | IoSpec::Size => {
                    Feature::IoF95
                }
                IoSpec::Eor | IoSpec::Nml | IoSpec::Iolength | IoSpec::Read | IoSpec::Write | IoSpec::Readwrite => {
                    Feature::IoF95
                }
                IoSpec::Asynchronous | IoSpec::Decimal | IoSpec::Encoding | IoSpec::Id | IoSpec::Iomsg => {
                    Feature::IoF2003
                }
                IoSpec::Pending | IoSpec::Pos | IoSpec::Round | IoSpec::Sign | IoSpec::Stream => Feature::IoF2003,
                IoSpec::Newunit => Feature::Newunit,
                IoSpec::Convert => Feature::Convert,
                IoSpec::Carriagecontrol | IoSpec::Share | IoSpec::Readonly => Feature::DecOpen,
                _ => continue,
            };
            self.rules.note(feature, c.span, "", self.diags);
        }
    }

    fn expression(&mut self, x: ExprId) {
        let ast = self.ast;
        let span = ast.span(x);
        let kind_given = |k: &KindParam| !matches!(k, KindParam::Default);
        match &ast.expr(x).kind {
            ExprKind::Name(name) => self.name(*name, span),
            ExprKind::Int { kind, .. }
            | ExprKind::Real { kind, .. }
            | ExprKind::Logical { kind, .. }
            | ExprKind::Char { kind, .. }
                if kind_given(kind) =>
            {
                self.note(Feature::KindParameter, span);
            }
            ExprKind::Hollerith(_) => self.note(Feature::Hollerith, span),
            ExprKind::Boz { .. } => {
                let text = self.map.text(span);
                let nonstandard = matches!(text.first(), Some(b'x' | b'X' | b'\'' | b'"'));
                self.note(if nonstandard { Feature::BozForm } else { Feature::Boz }, span);
            }
            ExprKind::Component { name, .. } => {
                let part = matches!(ast.name(*name), "re" | "im");
                self.note(if part { Feature::ComplexPart } else { Feature::StructureComponent }, span);
            }
            ExprKind::Unary { op: trueline_syntax::ast::UnaryOp::Defined(_), .. }
            | ExprKind::Binary { op: trueline_syntax::ast::BinaryOp::Defined(_), .. } => {
                self.note(Feature::DefinedOperator, span)
            }
            ExprKind::Binary { left, right, .. } => {
                let (a, b) = (ast.span(*left), ast.span(*right));
                if a.file == b.file && a.end <= b.start {
                    let between = self.map.text(Span::new(a.file, a.end, b.start));
                    if between.iter().any(|b| matches!(b, b'<' | b'>' | b'=')) {
                        self.note(Feature::SymbolOperator, span);
                    }
                }
            }
            ExprKind::ArrayConstructor { ty, .. } => {
                let bracket = self.map.text(span).first() == Some(&b'[');
                self.note(if bracket { Feature::BracketConstructor } else { Feature::ArrayConstructor }, span);
                if ty.is_some() {
                    self.note(Feature::TypedConstructor, span);
                }
            }
            _ => {}
        }
    }

    fn arguments(&mut self) {
        for a in &self.ast.args {
            if let Some(k) = a.keyword {
                self.note(Feature::ArgumentKeyword, k.span);
            }
            if let ArgValue::AltReturn(label) = a.value {
                self.note(Feature::AlternateReturn, label.span);
            }
        }
    }

    /// Reports a name once.
    fn name(&mut self, name: trueline_syntax::Name, span: Span) {
        let text = self.ast.name(name);
        let features = [Feature::LongName, Feature::LongerName, Feature::LongestName];
        let long = NAMES.iter().rposition(|&n| text.len() > n).map(|k| features[k]);
        let dollar = text.contains('$').then_some(Feature::DollarName);
        if (long.is_none() && dollar.is_none()) || !self.named.insert(name) {
            return;
        }
        let text = format!("'{text}'");
        for feature in [long, dollar].into_iter().flatten() {
            self.rules.note(feature, span, &text, self.diags);
        }
    }
}
