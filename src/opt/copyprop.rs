//! Copy propagation: after `x = y`, read `y` instead of `x` as long as both keep their values.
//!
//! ```text
//! x = y          @1        x = y          @1
//! z = x + a(x)   @2   =>   z = y + a(y)   @2
//! ```
//!
//! Only registers are copies of each other. In DO loops at -O3, before addresses are explicit, a copy is also a register that is wider or a
//! constant distance apart, `x = i8(y + 1)`, as the subscript of an argument of an inlined procedure is: the elements of a loop are
//! neighbours then. The assignment itself stays; if nothing reads `x` any more, dead code elimination takes it.

use crate::forward::{self, Facts, Next, Scoped};
use crate::rewrite::{rebuild, rewrite};
use crate::{Context, OptLevel, Pass};
use rustc_hash::FxHashMap;
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, ExprMap, Head, Level, Stmt, Sym, Type, Unit};

/// See the module documentation.
pub const PASS: Pass =
    Pass { at: &[Level::H, Level::M], ..Pass::new("copyprop", "read the original instead of a copy", run) };

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    let with_distance = context.level >= OptLevel::O3 && ed.level() == Level::H;
    forward::walk(ed, &mut Copies { with_distance, ..Copies::default() });
}

#[derive(Default)]
struct Copies {
    /// The register that each copy is a copy of, and the value that is read instead of the copy.
    of: Scoped<Sym, (Sym, Expr)>,
    /// The copies of a register, and perhaps some that no longer are.
    copies: FxHashMap<Sym, Vec<Sym>>,
    /// Whether registers at a constant distance are copies.
    with_distance: bool,
    /// The current statement.
    stmt: Option<Stmt>,
}

impl Copies {
    fn kill(&mut self, v: Sym) {
        if !trueline_ir::fault("copyprop_copy") {
            self.of.remove(v);
        }
        for copy in self.copies.remove(&v).unwrap_or_default() {
            if self.of.get(copy).is_some_and(|of| of.0 == v) && !trueline_ir::fault("copyprop_original") {
                self.of.remove(copy);
            }
        }
    }

    /// Whether the innermost loop around the current statement is a DO loop.
    fn is_in_do(&self, u: &Unit) -> bool {
        let around = self.stmt.and_then(|s| u.ancestors(s).find(|&a| u.head(a).is_loop()));
        around.is_some_and(|l| matches!(u.head(l), Head::Do { .. }))
    }

    /// The variable whose copy `value` is.
    fn original_in(&self, unit: &Unit, value: Expr) -> Option<Sym> {
        match unit.expr(value) {
            ExprData::Var(v) => Some(v),
            ExprData::Convert(Type::I8, a) if self.with_distance && unit.ty(a) == Type::I4 => self.original_in(unit, a),
            ExprData::Binary(BinaryOp::Add | BinaryOp::Sub, a, b)
                if self.with_distance && is_index(unit.ty(value)) && unit.pool().as_int(b).is_some() =>
            {
                self.original_in(unit, a)
            }
            _ => None,
        }
    }

    fn original(&self, ed: &mut Editor<'_>, e: Expr, memo: &mut ExprMap<Expr>) -> Expr {
        if let ExprData::Var(v) = ed.expr(e) {
            return match self.of.get(v) {
                Some(&(_, value)) if matches!(ed.expr(value), ExprData::Var(_)) || self.is_in_do(ed) => value,
                _ => e,
            };
        }
        if let Some(done) = memo.get(e) {
            return done;
        }
        let new = rebuild(ed, e, &mut |ed, x| self.original(ed, x, memo));
        memo.insert(e, new);
        new
    }
}

impl Facts for Copies {
    fn mark(&mut self) -> usize {
        self.of.mark()
    }

    fn rollback(&mut self, mark: usize) {
        let copies = &mut self.copies;
        self.of.rollback_with(mark, |&copy, &(original, _)| copies.entry(original).or_default().push(copy));
    }

    fn forget(&mut self, unit: &Unit, head: Head) {
        for v in unit.may_define(head) {
            self.kill(v);
        }
    }

    fn forget_all(&mut self) {
        self.of.clear();
        self.copies.clear();
    }

    fn rewrite(&mut self, ed: &mut Editor<'_>, s: Stmt, _: u32) -> Next {
        let mut memo = ExprMap::default();
        self.stmt = Some(s);
        rewrite(ed, s, &mut |ed, e| self.original(ed, e, &mut memo));
        Next::Go
    }

    fn learn(&mut self, unit: &Unit, s: Stmt, _: u32) {
        let Head::Assign { value, .. } = unit.head(s) else { return };
        if let (Some(to), Some(from)) = (unit.defines(unit.head(s)), self.original_in(unit, value))
            && to != from
            && unit.sym(from).is_register()
        {
            self.of.insert(to, (from, value));
            self.copies.entry(from).or_default().push(to);
        }
    }
}

/// Whether subscripts have this type.
fn is_index(ty: Type) -> bool {
    matches!(ty, Type::I4 | Type::I8)
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::{Context, OptLevel};
    use trueline_ir::testing;

    fn check(before: &str, after: &str) {
        testing::check("copyprop", &|ed| (PASS.run)(ed, &Context::default()), before, after);
    }

    fn check_unchanged(before: &str) {
        testing::check_unchanged("copyprop", &|ed| (PASS.run)(ed, &Context::default()), before);
    }

    #[test]
    fn chain_of_copies() {
        check(
            "integer i, j, k, m\ni = m @1\nj = i @2\nk = j + i @3",
            "i = m @1\nj = m @2\nk = m + m @3\n\nrewrite @2\nrewrite @3",
        );
    }

    #[test]
    fn holds_in_arms_and_after_them() {
        check(
            "integer i, j, k\nj = i @1\nif k > 0 @2\nk = j @3\nend\nk = j @4",
            "j = i @1\nif k > 0 @2\nk = i @3\nend\nk = i @4\n\nrewrite @3\nrewrite @4",
        );
    }

    #[test]
    fn distance_at_o3() {
        let run = |level: OptLevel, before: &str, after: &str| {
            testing::check("copyprop", &|ed| (PASS.run)(ed, &Context::alone(level)), before, after);
        };
        let before = "
integer i, m
integer(8) at
real a(9)
at = i8(i + 1) @1
a(at) = 0.0 @2
do m = 1, 9 @3
  at = i8(i + 1) @4
  a(at) = 0.0 @5
  i = 2 @6
  a(at) = 0.0 @7
end";
        let after = "
at = i8(i + 1) @1
a(at) = 0.0 @2
do m = 1, 9 @3
  at = i8(i + 1) @4
  a(i + 1) = 0.0 @5
  i = 2 @6
  a(at) = 0.0 @7
end

rewrite @5";
        run(OptLevel::O3, before, after);
        testing::check_unchanged("copyprop", &|ed| (PASS.run)(ed, &Context::alone(OptLevel::O2)), before);
    }

    #[test]
    fn original_changes() {
        check_unchanged("integer i, j, k\nj = i @1\ni = 2 @2\nk = j @3");
    }

    #[test]
    fn copy_changes_in_an_arm() {
        check_unchanged("integer i, j, k\nj = i @1\nif k > 0 @2\nj = 2 @3\nend\nk = j @4");
    }

    #[test]
    fn original_changes_later_in_the_loop() {
        check_unchanged("integer i, j, k, n\nj = i @1\ndo n = 1, 3 @2\nk = j @3\ni = n @4\nend");
    }

    #[test]
    fn another_path_comes_in() {
        check_unchanged("integer i, j, k\nif k > 0 @1\ngoto L1 @2\nend\nj = i @3\nL1: @4\nk = j @5");
    }

    #[test]
    fn what_held_before_the_jump_holds_at_the_label() {
        check(
            "integer i, j, k\nj = i @3\nif k > 0 @1\ngoto L1 @2\nend\nL1: @4\nk = j @5",
            "j = i @3\nif k > 0 @1\ngoto L1 @2\nend\nL1: @4\nk = i @5\n\nrewrite @5",
        );
    }
}
