//! Calls: which actual argument belongs to which dummy argument, and how each is passed.
//!
//! ```text
//! call s(b = x(2:9:2), a = n + 1, c = null())     a: Copy, b: Place, c: Absent
//! ```
//!
//! All of this follows from the types of the actual arguments and the characteristics of the dummy arguments
//! ([`Site::passing`]). Lowering makes the code that each class stands for.

use crate::check::Checked;
use crate::scope::nested::Nested;
use crate::scope::symbol::{Procedure, ProcedureClass, Symbol, SymbolId, SymbolKind, has_strides};
use crate::scope::{Declarations, ScopeId};
use crate::typed::Typing;
use trueline_diag::{Diagnostic, Span};
use trueline_syntax::ast::{Arg, ArgValue, Ast, ExprId, ExprKind, LabelRef};

/// The way an actual argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// Nothing is passed: NULL() for an optional dummy argument that is no pointer.
    Absent,
    /// The address of memory that holds the address of a procedure, for a dummy argument that is a procedure pointer.
    ProcedurePointer,
    /// The address of a procedure, which a name, a pointer or the result of a function gives.
    Procedure,
    /// A descriptor of nothing: NULL() for a POINTER.
    Disassociated,
    /// The descriptor that the POINTER or ALLOCATABLE has.
    Descriptor,
    /// A descriptor made for the call, which points to the actual argument.
    Target,
    /// The value itself: the dummy argument has VALUE.
    Value {
        /// Whether it is the value of a variable.
        is_variable: bool,
    },
    /// The address of the variable. A section with gaps is copied before the call, and back after it.
    Place,
    /// The address of the first element, and the distances of the others: the dummy argument may have gaps.
    Strided,
    /// The address of a temporary with the value.
    Copy {
        /// Whether it is the value of a variable.
        is_variable: bool,
    },
}

/// An actual argument in the order of the dummy arguments.
#[derive(Clone, Copy)]
pub struct Actual {
    /// None if it is not given.
    pub value: Option<ArgValue>,
    /// The place of the argument; of the call if it is not given.
    pub span: Span,
}

/// The actual arguments in the order of the dummy arguments, with a warning; or an error.
pub type Matched = Result<(Vec<Actual>, Option<Diagnostic>), Diagnostic>;

/// An actual argument of the right kind.
#[derive(Clone, Copy)]
pub enum Given {
    /// An expression.
    Expr(ExprId),
    /// An alternate return.
    Label(LabelRef),
    /// An optional argument that is not given.
    Nothing,
}

/// The surroundings of an expression: the types there, and the names that mean something else than elsewhere in the scope.
pub struct Site<'k, 'a> {
    /// The declarations.
    pub decls: &'a Declarations<'a>,
    /// The file.
    pub ast: &'a Ast,
    /// The scope of the procedure.
    pub home: ScopeId,
    /// Names that stand for values: indices of FORALL and implied DO, arguments of statement functions.
    pub values: &'k [SymbolId],
    /// The DO variables of the loops around, with the place of the DO.
    pub active: &'k Nested<SymbolId, Span>,
    /// Types of the expressions.
    pub typing: Typing<'k, 'a>,
}

impl<'a> Site<'_, 'a> {
    /// A symbol of the declarations.
    pub fn symbol(&self, id: SymbolId) -> &'a Symbol {
        &self.decls.symbols[id]
    }

    /// Whether `x` is a variable or part of one.
    pub fn is_place(&self, x: ExprId) -> bool {
        self.typing.is_place(x, self.values)
    }

    /// Whether the interface is explicit here: that of a procedure is within itself.
    pub fn is_explicit(&self, p: &Procedure) -> bool {
        let hosts = || std::iter::successors(Some(self.home), |&h| self.decls.scopes[h].parent);
        p.explicit || p.scope.is_some() && hosts().any(|h| Some(h) == p.scope)
    }

    /// Whether a call of an external procedure may have another number of arguments, as some old programs do.
    fn may_mismatch(&self, p: &Procedure) -> bool {
        !self.is_explicit(p) && self.decls.options.argument_mismatch
    }

    /// The actual arguments in the order of the dummy arguments, without a known list as they stand; and a warning if there
    /// are more or fewer of them than dummy arguments.
    pub fn matched(&self, id: SymbolId, given: &[Arg], span: Span) -> Matched {
        let s = self.symbol(id);
        let Some(p) = s.procedure().filter(|p| p.scope.is_some()) else {
            if let Some(k) = given.iter().find_map(|a| a.keyword) {
                let message = format!("A keyword needs an explicit interface of '{}'", s.name);
                return Err(Diagnostic::error("T0574", k.span, message));
            }
            return Ok((given.iter().map(|a| Actual { value: Some(a.value), span: a.span }).collect(), None));
        };
        let mut warned = None;
        let mut out: Vec<Actual> = p.dummies.iter().map(|_| Actual { value: None, span }).collect();
        for (k, a) in given.iter().enumerate() {
            let at = self.position(s, p, &given[..k], a)?;
            match out.get_mut(at) {
                Some(slot) if slot.value.is_none() => *slot = Actual { value: Some(a.value), span: a.span },
                Some(_) => {
                    let name = p.dummies[at].map_or("", |d| self.symbol(d).name.as_str());
                    let message = format!("The argument '{name}' is given twice");
                    return Err(Diagnostic::error("T0554", a.span, message));
                }
                None if self.may_mismatch(p) => {
                    let message = self.wrong_count(id, p, given.len());
                    let declared = self.defined_at(id);
                    warned = Some(Diagnostic::warning("T0575", a.span, message).because(declared, "declared here"));
                    out.push(Actual { value: Some(a.value), span: a.span });
                }
                None => {
                    let message = self.wrong_count(id, p, given.len());
                    let declared = self.defined_at(id);
                    return Err(Diagnostic::error("T0575", a.span, message).because(declared, "declared here"));
                }
            }
        }
        let missing = p.dummies.iter().zip(&out).find_map(|(d, a)| match (d, a.value) {
            (Some(d), None) if !self.symbol(*d).attrs.optional => Some(*d),
            _ => None,
        });
        let Some(dummy) = missing.map(|d| self.symbol(d)) else { return Ok((out, warned)) };
        let (count, declared) = (self.wrong_count(id, p, given.len()), self.defined_at(id));
        if self.may_mismatch(p) {
            warned = Some(Diagnostic::warning("T0575", span, count).because(declared, "declared here"));
            out.truncate(given.len());
            return Ok((out, warned));
        }
        if !self.is_explicit(p) {
            return Err(Diagnostic::error("T0575", span, count).because(declared, "declared here"));
        }
        let message = format!("The argument '{}' of '{}' is missing", dummy.name, s.name);
        Err(Diagnostic::error("T0555", span, message).because(dummy.span, "declared here"))
    }

    /// The position of the dummy argument that `a`, which follows the arguments `before`, belongs to.
    fn position(&self, callee: &Symbol, p: &Procedure, before: &[Arg], a: &Arg) -> Result<usize, Diagnostic> {
        let Some(keyword) = a.keyword else {
            return match before.iter().any(|a| a.keyword.is_some()) {
                true => Err(Diagnostic::error("T0552", a.span, "An argument without keyword follows one with keyword")),
                false => Ok(before.len()),
            };
        };
        let text = self.ast.name(keyword.name);
        let found = p.dummies.iter().position(|d| d.is_some_and(|d| self.symbol(d).name == text));
        found.ok_or_else(|| {
            let message = format!("'{}' has no argument '{text}'", callee.name);
            Diagnostic::error("T0552", keyword.span, message).because(callee.span, "declared here")
        })
    }

    fn wrong_count(&self, id: SymbolId, p: &Procedure, have: usize) -> String {
        format!("'{}' has {} argument(s), but {have} are given", self.symbol(id).name, p.dummies.len())
    }

    /// The place of the procedure itself, if it is known, and not of the name that it has here.
    fn defined_at(&self, id: SymbolId) -> Span {
        let scope = self.symbol(id).procedure().and_then(|p| p.scope);
        let own = scope.and_then(|s| self.decls.scopes[s].symbol).unwrap_or(id);
        self.decls.symbols[own].span
    }

    /// The argument `actual` of `callee`: a label where the dummy argument is `*` (`Some(None)`), an expression or nothing
    /// elsewhere. The call stands at `span`.
    pub fn given(
        &self,
        callee: SymbolId,
        dummy: Option<&Option<SymbolId>>,
        actual: Actual,
        span: Span,
    ) -> Result<Given, Diagnostic> {
        let name = &self.symbol(callee).name;
        let is_label = dummy == Some(&None);
        match actual.value {
            Some(ArgValue::Expr(x)) if is_label => {
                let message = format!("An alternate return of '{name}' is expected here");
                Err(Diagnostic::error("T0293", self.ast.span(x), message))
            }
            Some(ArgValue::AltReturn(_)) if dummy.is_some() && !is_label => {
                let message = format!("'{name}' has no alternate return here");
                Err(Diagnostic::error("T0293", actual.span, message))
            }
            Some(ArgValue::Expr(x)) => Ok(Given::Expr(x)),
            Some(ArgValue::AltReturn(l)) => Ok(Given::Label(l)),
            Some(_) => Err(Diagnostic::error("T0551", actual.span, "This is not an argument")),
            None if is_label => {
                let message = format!("An alternate return of '{name}' is missing");
                Err(Diagnostic::error("T0293", span, message))
            }
            None => Ok(Given::Nothing),
        }
    }

    /// The way the argument `x` is passed to the dummy argument; `dummy` is none if the interface is unknown. `explicit`: the
    /// interface is explicit. `copies`: it is the right side of a defined assignment, which is a value even if it is a variable.
    pub fn passing(
        &mut self,
        x: ExprId,
        dummy: Option<SymbolId>,
        explicit: bool,
        copies: bool,
    ) -> Result<Passing, Diagnostic> {
        let d = dummy.map(|d| self.symbol(d));
        let is_pointer = self.typing.procedure_pointer(x).is_some();
        let to_pointer = d.is_some_and(|d| d.interface.is_some());
        if to_pointer && !is_pointer {
            if self.gives_address(x) {
                return Ok(Passing::ProcedurePointer);
            }
            let message = "A procedure or a procedure pointer is needed here";
            return Err(Diagnostic::error("T0687", self.ast.span(x), message));
        }
        let takes_procedure = d.is_none_or(|d| d.procedure().is_some());
        let gives_procedure = takes_procedure && (is_pointer || self.typing.gives_procedure(x));
        if !to_pointer && (gives_procedure || self.named_procedure(x).is_some()) {
            return Ok(Passing::Procedure);
        }
        self.must_be_procedure(x, d.filter(|_| explicit))?;
        let is_null = self.typing.is_null(x);
        if let Some(d) = d.filter(|d| d.is_indirect()) {
            return match self.typing.indirection(x) {
                _ if is_null && d.attrs.pointer => Ok(Passing::Disassociated),
                Some(is_pointer) if is_pointer == d.attrs.pointer => Ok(Passing::Descriptor),
                _ if d.attrs.pointer => Ok(Passing::Target),
                _ => Err(self.not_indirect(x, d)),
            };
        }
        let is_absent = is_null && d.is_some_and(|d| d.attrs.optional);
        if let Some(d) = self.no_value(x, d.is_some_and(|d| d.attrs.assumed_type)).filter(|_| !is_absent) {
            return Err(d);
        }
        let is_variable = self.is_place(x);
        let is_place = (is_variable || self.typing.is_pointer_result(x)) && !copies;
        let how = match d {
            Some(d) if is_null && d.attrs.optional => Passing::Absent,
            Some(d) if d.attrs.value && !d.is_array() => Passing::Value { is_variable },
            Some(d) if is_place && has_strides(d) => Passing::Strided,
            _ if is_place => Passing::Place,
            _ => Passing::Copy { is_variable },
        };
        Ok(how)
    }

    /// The procedure that `x` names.
    pub fn named_procedure(&self, x: ExprId) -> Option<(SymbolId, &'a Procedure)> {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return None };
        let id = self.typing.resolve(name)?;
        match &self.symbol(id).kind {
            SymbolKind::Procedure(p) => Some((id, p)),
            _ => None,
        }
    }

    fn must_be_procedure(&self, x: ExprId, dummy: Option<&Symbol>) -> Checked {
        let Some(d) = dummy.filter(|d| d.procedure().is_some()) else { return Ok(()) };
        let root = self.typing.root_of(x).map(|id| self.symbol(id));
        if root.is_some_and(|s| !(s.attrs.typed || s.is_array())) || (d.attrs.optional && self.typing.is_null(x)) {
            return Ok(());
        }
        let message = format!("The argument '{}' is a procedure, but what is passed is none", d.name);
        Err(Diagnostic::error("T0579", self.ast.span(x), message).because(d.span, "declared here"))
    }

    fn not_indirect(&self, x: ExprId, d: &Symbol) -> Diagnostic {
        let message = format!("The argument '{}' must be ALLOCATABLE", d.name);
        Diagnostic::error("T0577", self.ast.span(x), message).because(d.span, "declared here")
    }

    /// Whether a call by the name of the procedure goes to code of ours. Others get a descriptor whose strides count elements.
    pub fn is_called_directly(&self, callee: SymbolId) -> bool {
        let p = self.symbol(callee).procedure();
        p.is_some_and(|p| matches!(p.class, ProcedureClass::Module | ProcedureClass::Internal))
    }
}
