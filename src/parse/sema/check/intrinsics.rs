//! Calls of intrinsic functions: names and types of the arguments, shapes that have to agree, and constants that are out of
//! range.
//!
//! A call has one fault at most: the first. Nothing is said of a call one of whose arguments has no type, as that is wrong in itself.

mod arrays;
mod inquiries;
mod ranges;
mod subroutines;

use crate::check::Checked;
use crate::check::conformity::conform;
use crate::constant::eval::const_eval;
use crate::intrinsic::library::{Library, Pass};
use crate::intrinsic::{Actuals, Intrinsic as Row, Model, Rule, Special};
use crate::typed::Typed;
use crate::typed::call::Site;
use crate::types::kinds::{Category, common_type, type_name};
use smallvec::SmallVec;
use trueline_diag::{Diagnostic, Span};
use trueline_syntax::ast::{ArgList, ExprId};

/// The first fault of a call; nothing inside if something before it is wrong.
type Found<T> = Result<T, Option<Diagnostic>>;

/// A call of an intrinsic procedure.
struct Call<'s, 'k, 'a> {
    site: &'s mut Site<'k, 'a>,
    /// The place of the call, or of the name of a subroutine.
    span: Span,
    row: &'static Row,
    /// The arguments in the order of the row.
    args: Actuals,
}

impl Site<'_, '_> {
    /// The fault of the call `base(args)` at `x`, if it calls an intrinsic function.
    pub fn check_intrinsic_function(&mut self, x: ExprId, base: ExprId, args: ArgList) -> Checked {
        let Some(row) = self.typing.called_intrinsic(base, args) else { return Ok(()) };
        let span = self.ast.span(x);
        if row.is_subroutine() {
            let message = format!("'{}' is a subroutine: use CALL", row.name);
            return Err(Diagnostic::error("T0550", span, message));
        }
        let args = self.typing.actuals(row, args, span)?;
        let mut call = Call { site: self, span, row, args };
        call.ranges()?;
        reported(call.function(x))
    }
}

/// A fault that nobody has reported.
fn reported(found: Found<()>) -> Checked {
    match found {
        Err(Some(d)) => Err(d),
        Err(None) | Ok(()) => Ok(()),
    }
}

impl Call<'_, '_, '_> {
    fn argument(&self, k: usize) -> Option<ExprId> {
        self.args.get(k).copied().flatten()
    }

    /// The type of `x`; nothing if it has none.
    fn typed(&mut self, x: ExprId) -> Found<Typed> {
        match self.site.typing.of(x) {
            Some(t) => Ok(t),
            None => Err(self.site.no_value(x, false)),
        }
    }

    fn error<T>(&self, code: &'static str, message: String) -> Found<T> {
        Err(Some(Diagnostic::error(code, self.span, message)))
    }

    fn error_at<T>(&self, code: &'static str, x: ExprId, message: impl Into<String>) -> Found<T> {
        Err(Some(Diagnostic::error(code, self.site.ast.span(x), message)))
    }

    /// The type of the argument at `k`, if it is there; an error unless the row accepts it.
    fn actual(&mut self, k: usize) -> Found<Option<Typed>> {
        let Some(x) = self.argument(k) else { return Ok(None) };
        let t = self.typed(x)?;
        if !matches!(self.row.rule, Rule::Model(_))
            && let Some(d) = self.site.no_shape(x)
        {
            return Err(Some(d));
        }
        if self.site.typing.accepts(self.row, k, &t) {
            return Ok(Some(t));
        }
        let arg = self.row.args[k.min(self.row.args.len() - 1)];
        let (name, class, have) = (self.row.name, arg.class.text(), type_name(t.ty));
        self.error_at("T0556", x, format!("The argument '{}' of '{name}' must be {class}, not {have}", arg.name))
    }

    /// The type of an argument that is there.
    fn needed(&mut self, k: usize) -> Found<(ExprId, Typed)> {
        let x = self.argument(k).ok_or(None)?;
        Ok((x, self.actual(k)?.ok_or(None)?))
    }

    /// The types of the first `count` arguments, as far as they are there, which have to conform.
    fn operands(&mut self, count: usize) -> Found<SmallVec<[Typed; 4]>> {
        let place = format!(" in '{}'", self.row.name);
        let mut values: SmallVec<[Typed; 4]> = SmallVec::new();
        for k in 0..count.min(self.args.len()) {
            let Some(t) = self.actual(k)? else { continue };
            if let Some(first) = values.iter().find(|v| v.rank() > 0) {
                conform(self.span, first, &t, &place)?;
            }
            values.push(t);
        }
        Ok(values)
    }

    /// The same of all arguments, for a function that gives BOZ constants the type of their neighbour.
    fn operands_with_bits(&mut self, count: usize) -> Found<SmallVec<[Typed; 4]>> {
        let mut values = self.operands(count)?;
        let own: Actuals = self.args.iter().take(count).copied().collect();
        let there: SmallVec<[ExprId; 4]> = own.iter().copied().flatten().collect();
        if let [a, b] = there[..]
            && [a, b].iter().all(|&x| self.site.typing.is_boz(x))
        {
            return self.error_at("T0556", b, "The two arguments cannot both be BOZ constants");
        }
        self.site.typing.bring_boz(&own, &mut values);
        Ok(values)
    }

    /// An error unless values are of one category.
    fn agree(&self, values: &[Typed]) -> Found<()> {
        let mut ty = values.first().ok_or(None)?.ty;
        for v in values {
            match common_type(ty, v.ty) {
                Some(both) if Category::of(both) == Category::of(ty) && Category::of(both) == Category::of(v.ty) => {
                    ty = both;
                }
                _ => {
                    let (name, a, b) = (self.row.name, type_name(ty), type_name(v.ty));
                    return self.error("T0558", format!("The arguments of '{name}' are {a} and {b}"));
                }
            }
        }
        Ok(())
    }

    /// An error unless the argument at `k`, if it is there, is a kind of the category.
    fn kind(&self, k: usize, category: Category) -> Found<()> {
        let Some(x) = self.argument(k) else { return Ok(()) };
        let value = const_eval(self.site.decls, self.site.typing.scope, x).map_err(|why| why.report("KIND"))?;
        if value.as_int().and_then(|k| category.with_kind(k)).is_some() {
            return Ok(());
        }
        let message = format!("There is no such kind of {}", category.keyword());
        let d = Diagnostic::error("T0557", self.site.ast.span(x), message);
        Err(Some(d.note(format!("the kinds are {}", category.kinds()))))
    }

    /// An error unless the argument at `k` is a scalar.
    fn scalar(&mut self, k: usize) -> Found<()> {
        let (x, t) = self.needed(k)?;
        Ok(self.site.must_be_scalar(x, &t)?)
    }

    fn function(&mut self, x: ExprId) -> Found<()> {
        match self.row.rule {
            Rule::Special(s) => self.special(x, s),
            Rule::Library(library) if library.is_elemental() => self.operands(self.args.len()).map(|_| ()),
            Rule::Library(library) => self.library(library),
            Rule::Model(m) => self.model(m),
            Rule::Inquiry(i) => self.inquiry(x, i),
            Rule::Reduce(_) => self.reduction(),
            Rule::Array(ir) => self.transformational(x, ir),
            Rule::Convert(ty) => self.converted(Category::of(ty)),
            Rule::Round(..) => self.converted(Category::Integer),
            Rule::Whole(_) => self.converted(Category::Real),
            Rule::Op(_) | Rule::Fold(..) => {
                let values = self.operands_with_bits(self.args.len())?;
                self.agree(&values)
            }
            Rule::OpWith(..) => self.operands_with_bits(self.args.len()).map(|_| ()),
            Rule::Subroutine(_) => Ok(()),
        }
    }

    /// A function of one argument, with KIND.
    fn converted(&mut self, category: Category) -> Found<()> {
        self.operands(1)?;
        self.kind(1, category)
    }

    fn model(&mut self, m: Model) -> Found<()> {
        let (_, t) = self.needed(0)?;
        if crate::constant::math::model(m, t.ty).is_none() {
            return Err(None);
        }
        Ok(())
    }

    fn special(&mut self, x: ExprId, s: Special) -> Found<()> {
        let all = self.args.len();
        match s {
            Special::Cmplx(_) => {
                self.kind(2, Category::Complex)?;
                self.operands(2).map(|_| ())
            }
            Special::MergeBits | Special::Atan | Special::BitCompare(_) => {
                let values = self.operands(all)?;
                self.agree(&values)
            }
            Special::DoubleShift { .. } => {
                let values = self.operands(all)?;
                self.agree(values.get(..2).ok_or(None)?)
            }
            Special::Bitwise(_) => {
                let values = self.operands_with_bits(all)?;
                self.agree(&values)
            }
            Special::Complex | Special::Dprod | Special::Shift(_) | Special::Ishftc | Special::Ieee(_) => {
                self.operands(all).map(|_| ())
            }
            Special::RealPart => self.first_and_kind(1, Category::Real),
            Special::Mask { .. } | Special::LenTrim => self.first_and_kind(1, Category::Integer),
            Special::Poppar | Special::IsCode(_) | Special::ErfcScaled => self.needed(0).map(|_| ()),
            Special::Achar | Special::Adjust { .. } | Special::NewLine => self.needed(0).map(|_| ()),
            Special::Merge => self.merge(),
            Special::Transfer => self.transfer(),
            Special::SelectedKind => self.selected_kind(x),
            Special::Processors => match self.argument(0) {
                Some(dim) => Ok(self.site.must_be_integer(dim)?),
                None => Ok(()),
            },
            Special::Findloc => self.findloc(),
            Special::Bessel(_) => self.bessel(x),
            Special::Ichar => {
                let (_, t) = self.needed(0)?;
                if t.structure.is_none() && t.len.is_some_and(|n| n != 1) {
                    return self.error("T0569", format!("The argument of '{}' must have length 1", self.row.name));
                }
                self.kind(1, Category::Integer)
            }
            Special::LexCompare(_) => {
                let (a, b) = (self.needed(0)?.1, self.needed(1)?.1);
                Ok(conform(self.span, &a, &b, "")?)
            }
            Special::Index | Special::Scan | Special::Verify => self.search(),
            Special::Trim | Special::Repeat => self.copies(x),
            Special::MyProcessor
            | Special::ProcessorsShape
            | Special::CommandArgumentCount
            | Special::CompilerVersion
            | Special::CompilerOptions => Ok(()),
        }
    }

    fn first_and_kind(&mut self, k: usize, category: Category) -> Found<()> {
        self.needed(0)?;
        self.kind(k, category)
    }

    fn merge(&mut self) -> Found<()> {
        let values = self.operands(self.args.len())?;
        let (a, b) = (values.first().ok_or(None)?, values.get(1).ok_or(None)?);
        if a.structure.is_none()
            && b.structure.is_none()
            && let (Some(m), Some(n)) = (a.len, b.len)
            && m != n
        {
            let message = format!("The lengths {m} and {n} of the first two arguments of 'merge' differ");
            return self.error("T0556", message);
        }
        self.agree_in_type(a, b)
    }

    /// An error unless two values are of one derived type, or of one category.
    fn agree_in_type(&self, a: &Typed, b: &Typed) -> Found<()> {
        let same = match (a.structure, b.structure) {
            (Some(a), Some(b)) => self.site.decls.same_type(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        if !same {
            let [a, b] = [a, b].map(|t| self.site.type_words(t.ty, t.structure));
            return self.error("T0558", format!("The arguments of '{}' are {a} and {b}", self.row.name));
        }
        self.agree(&[a.clone(), b.clone()])
    }

    fn transfer(&mut self) -> Found<()> {
        self.actual(0)?;
        self.actual(2)?;
        Ok(())
    }

    fn selected_kind(&mut self, x: ExprId) -> Found<()> {
        if const_eval(self.site.decls, self.site.typing.scope, x).is_ok() {
            return Ok(());
        }
        let numbers = if self.row.name.ends_with("real_kind") { 2 } else { 1 };
        for k in (0..numbers).filter(|&k| self.argument(k).is_some()).collect::<SmallVec<[usize; 2]>>() {
            self.scalar(k)?;
        }
        self.actual(2).map(|_| ())
    }

    /// BESSEL_JN(n, x), or BESSEL_JN(n1, n2, x): an array over the orders.
    fn bessel(&mut self, x: ExprId) -> Found<()> {
        if const_eval(self.site.decls, self.site.typing.scope, x).is_ok() {
            return Ok(());
        }
        if self.argument(2).is_none() {
            let values = self.operands(self.args.len())?;
            let value = values.get(1).ok_or(None)?;
            return Ok(self.site.must_be(self.argument(1).unwrap_or(x), value, Category::Real)?);
        }
        for k in [0, 1] {
            let order = self.argument(k).ok_or(None)?;
            self.site.must_be_integer(order)?;
        }
        self.scalar(2)
    }

    fn search(&mut self) -> Found<()> {
        let (string, what) = (self.needed(0)?.1, self.needed(1)?.1);
        conform(self.span, &string, &what, "")?;
        if let Some(back) = self.actual(2)? {
            conform(self.span, &string, &back, "")?;
            conform(self.span, &what, &back, "")?;
        }
        self.kind(3, Category::Integer)
    }

    /// TRIM and REPEAT of scalars.
    fn copies(&mut self, x: ExprId) -> Found<()> {
        let (_, string) = self.needed(0)?;
        self.site.must_be_scalar(x, &string)?;
        if let Some(copies) = self.actual(1)? {
            self.site.must_be_scalar(x, &copies)?;
        }
        Ok(())
    }

    /// A procedure of the library that takes its arguments by their addresses.
    fn library(&mut self, library: Library) -> Found<()> {
        for (k, &pass) in library.passes.iter().enumerate() {
            let Some(x) = self.argument(k) else { continue };
            match pass {
                Pass::In(_) | Pass::Real => self.scalar(k)?,
                Pass::InText => {
                    let t = self.typed(x)?;
                    self.site.must_be_text(x, &t)?;
                }
                Pass::OutText | Pass::Place => {
                    self.result(k)?;
                }
                Pass::Out(_) => {
                    if let Some(t) = self.result(k)? {
                        self.site.must_be_scalar(x, &t)?;
                    }
                }
                Pass::Values(_, n) => {
                    if self.result(k)?.is_some_and(|t| t.rank() != 1) {
                        let message = format!("'{}' needs an array of rank 1 with {n} elements", self.row.name);
                        return self.error_at("T0556", x, message);
                    }
                }
            }
        }
        Ok(())
    }

    /// The type of a variable that the procedure defines; none if it is not there.
    fn result(&mut self, k: usize) -> Found<Option<Typed>> {
        let Some(x) = self.argument(k) else { return Ok(None) };
        self.site.must_be_assignable(x)?;
        let t = self.typed(x)?;
        let arg = self.row.args[k];
        if arg.class.accepts(t.ty) {
            return Ok(Some(t));
        }
        let message = format!("The argument '{}' of '{}' must be {}", arg.name, self.row.name, arg.class.text());
        self.error_at("T0556", x, message)
    }
}
