//! Single characters of strings become elements of arrays of bytes.
//!
//! ```text
//! char s*(n)                                          i1 s.letters(n) within s+0
//! if ichar(s[i:i]) == 44                         =>   if iand(i4(s.letters(i)), 255) == 44
//!   call rt.char_assign(&out s[i:i], 1, &in " ", 1)      s.letters(i) = 32_i1
//! ```
//!
//! So whatever is known of elements of arrays (dependences, common subexpressions, vectors) holds for texts that a program goes through
//! character by character. The bytes are a symbol of their own in the same memory, as a component of a structure is.
//!
//! A temporary that holds one character, and is never used otherwise, becomes a register.

use crate::rewrite::rewrite;
use crate::{Context, OptLevel, Pass};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::{Callee, Dim, Editor, Expr, ExprData, ExprMap, Head, Intrinsic, List, Rt, Stmt, Storage, Sym};
use trueline_ir::{SymData, Type, Unit};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O2, ..Pass::new("letters", "treat single characters as elements of arrays of bytes", run) };

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let stmts: Vec<Stmt> = ed.walk();
    let alone = alone(ed, &stmts);
    let mut bytes = Bytes { alone, of: FxHashMap::default() };
    for s in stmts {
        if let Some((to, from)) = assignment(ed, ed.head(s)) {
            let (place, value) = (bytes.place(ed, to), bytes.value(ed, from));
            ed.expand_in_place(s, Head::Assign { place, value });
        }
        // The place of a character may depend on another one.
        while bytes.codes(ed, s) {}
    }
}

/// One character of a variable.
#[derive(Clone, Copy)]
struct Letter {
    sym: Sym,
    /// The subscripts of the element of an array.
    subs: Option<List>,
    /// The number of the character, if it is not the first one.
    at: Option<Expr>,
}

/// The source of a character.
#[derive(Clone, Copy)]
enum Source {
    Letter(Letter),
    Constant(u8),
    /// A register of one byte.
    Register(Expr),
}

/// The first character of `place`, if its variable may be looked at byte by byte.
fn letter(u: &Unit, place: Expr) -> Option<Letter> {
    let (base, at) = match u.expr(place) {
        ExprData::Substr(base, lo, _) => (base, Some(lo).filter(|&lo| u.pool().as_int(lo) != Some(1))),
        _ => (place, None),
    };
    let (sym, subs) = match u.expr(base) {
        ExprData::Var(v) => (v, None),
        ExprData::Elem(v, subs) => (v, Some(subs)),
        _ => return None,
    };
    let data = u.sym(sym);
    let is_whole = subs.map_or(0, |l| u.list(l).len()) == data.dims.len();
    let is_text = data.ty == Type::Char && data.len.is_some() && data.mapping.is_none() && !data.is_register();
    (is_text && is_whole).then_some(Letter { sym, subs, at })
}

/// The parts of an assignment of one character to another one.
fn assignment(u: &Unit, head: Head) -> Option<(Letter, Source)> {
    let Head::Call { callee: Callee::Rt(Rt::CharAssign), args, .. } = head else { return None };
    let &[to, n, from, m] = u.list(args) else { return None };
    let is_one = u.pool().as_int(n) == Some(1) && u.pool().as_int(m).is_some_and(|m| m >= 1);
    let (ExprData::AddrOf(_, to), ExprData::AddrOf(_, from), true) = (u.expr(to), u.expr(from), is_one) else {
        return None;
    };
    let from = match u.expr(from) {
        ExprData::Text(t) => Source::Constant(*u.pool().text(t).first()?),
        ExprData::Var(v) if u.sym(v).is_register() && u.sym(v).ty == Type::I1 => Source::Register(from),
        _ => Source::Letter(letter(u, from)?),
    };
    Some((letter(u, to)?, from))
}

/// The temporaries of one character of which nothing else is used.
fn alone(u: &Unit, stmts: &[Stmt]) -> FxHashSet<Sym> {
    let is_one = |e: Option<Expr>| e.and_then(|e| u.pool().as_int(e)) == Some(1);
    let candidates = u.syms().filter(|(_, d)| {
        let is_free = d.storage == Storage::Frame && !d.from_source && !d.may_alias && d.mapping.is_none();
        is_free && d.ty == Type::Char && d.dims.is_empty() && is_one(d.len.expand())
    });
    let mut alone: FxHashSet<Sym> = candidates.map(|(s, _)| s).collect();
    if alone.is_empty() {
        return alone;
    }
    for (_, d) in u.syms() {
        if let Storage::Within { root, .. } = d.storage {
            alone.remove(&root);
        }
    }
    // Counting code has no say: the verb keeps the memory that it reads.
    let is_read = |s: &&Stmt| !u.head(**s).is_invisible() || trueline_ir::fault("letters_by_counts");
    for &s in stmts.iter().filter(is_read) {
        let head = u.head(s);
        let values = match assignment(u, head) {
            Some((to, from)) => {
                let parts = |l: Letter| {
                    let subs = l.subs.map(|l| u.list(l).to_vec()).unwrap_or_default();
                    subs.into_iter().chain(l.at).collect::<Vec<_>>()
                };
                let mut values = parts(to);
                if let Source::Letter(from) = from {
                    values.extend(parts(from));
                }
                values
            }
            _ => u.values(head).to_vec(),
        };
        for e in values {
            used_otherwise(u, e, &mut |v| {
                alone.remove(&v);
            });
        }
    }
    alone
}

/// Calls `each` for the variables in `e` of which more than the code of the first character is used.
fn used_otherwise(u: &Unit, e: Expr, each: &mut impl FnMut(Sym)) {
    let (mut todo, mut seen) = (vec![e], FxHashSet::default());
    while let Some(e) = todo.pop() {
        if !seen.insert(e) {
            continue;
        }
        match u.expr(e) {
            ExprData::Intrinsic(Intrinsic::Ichar, args) => match letter(u, u.list(args)[0]) {
                Some(l) => {
                    todo.extend(l.subs.map(|l| u.list(l).to_vec()).unwrap_or_default());
                    todo.extend(l.at);
                }
                None => todo.push(u.list(args)[0]),
            },
            ExprData::Var(v) | ExprData::Addr(v) => each(v),
            ExprData::Load { addr, sym, .. } => {
                each(sym);
                todo.push(addr);
            }
            _ => u.pool().operands(e, |x| todo.push(x)),
        }
    }
}

/// The bytes of the variables.
struct Bytes {
    alone: FxHashSet<Sym>,
    of: FxHashMap<Sym, Sym>,
}

impl Bytes {
    /// The bytes of the variable `s`: those of an array whose elements are single characters are an array like it, others have the
    /// characters as their first dimension.
    fn of(&mut self, ed: &mut Editor<'_>, s: Sym) -> Sym {
        if let Some(&known) = self.of.get(&s) {
            return known;
        }
        let new = if self.alone.contains(&s) {
            ed.new_register("letter", Type::I1)
        } else {
            let number = ed.syms().count();
            let one = ed.int(Type::I8, 1);
            let old = ed.sym(s).clone();
            let mut dims: SmallVec<[Dim; 2]> = SmallVec::new();
            if !is_single(ed, s)
                && let Some(len) = old.len.expand()
            {
                dims.push(Dim::new(one, len));
            }
            dims.extend(old.dims.iter().copied());
            let storage = match old.storage {
                Storage::Frame | Storage::Dummy { .. } | Storage::Pointer { .. } => {
                    Storage::Within { root: s, offset: 0 }
                }
                same => same,
            };
            let name = format!("{}.letters.{number}", old.name);
            ed.new_sym(SymData {
                name,
                ty: Type::I1,
                len: None.into(),
                dims,
                storage,
                from_source: false,
                owner: None.into(),
                ..old
            })
        };
        self.of.insert(s, new);
        new
    }

    fn place(&mut self, ed: &mut Editor<'_>, l: Letter) -> Expr {
        let bytes = self.of(ed, l.sym);
        let mut subs: Vec<Expr> = Vec::new();
        if !is_single(ed, l.sym) {
            let first = ed.int(Type::I8, 1);
            subs.push(l.at.unwrap_or(first));
        }
        subs.extend(l.subs.map(|l| ed.list(l).to_vec()).unwrap_or_default());
        if subs.is_empty() {
            return ed.var(bytes);
        }
        let subs = ed.make_list(&subs);
        ed.make(ExprData::Elem(bytes, subs))
    }

    fn value(&mut self, ed: &mut Editor<'_>, from: Source) -> Expr {
        match from {
            Source::Letter(l) => self.place(ed, l),
            Source::Constant(c) => ed.int(Type::I1, i64::from(c as i8)),
            Source::Register(e) => e,
        }
    }

    /// Has the codes of characters in `s` be those of bytes; says whether there were any.
    fn codes(&mut self, ed: &mut Editor<'_>, s: Stmt) -> bool {
        // Counting code goes on reading the memory.
        let is_asked = |l: &Letter| !ed.head(s).is_invisible() || self.alone.contains(&l.sym);
        let mut found: Vec<(Expr, Letter)> = Vec::new();
        for e in ed.values(ed.head(s)) {
            ed.visit_expr(e, &mut |x| {
                if let ExprData::Intrinsic(Intrinsic::Ichar, args) = ed.expr(x)
                    && let Some(l) = letter(ed, ed.list(args)[0]).filter(is_asked)
                {
                    found.push((x, l));
                }
            });
        }
        if found.is_empty() {
            return false;
        }
        let mut codes: ExprMap<Expr> = ExprMap::default();
        for (code, l) in found {
            let byte = self.place(ed, l);
            let wide = ed.make(ExprData::Convert(Type::I4, byte));
            let all = ed.int(Type::I4, 255);
            let new = ed.intrinsic(Intrinsic::Iand, &[wide, all]);
            codes.insert(code, new);
        }
        rewrite(ed, s, &mut |ed, e| ed.map_expr(e, &mut |_, x| codes.get(x)))
    }
}

/// Whether the variable, or each element of it, is one character.
fn is_single(u: &Unit, s: Sym) -> bool {
    u.sym(s).len.expand().and_then(|e| u.pool().as_int(e)) == Some(1)
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn a_character_is_an_element() {
        check(
            &PASS,
            "
subroutine s(a, len.a) h @0
char a*(len.a)
i8 len.a value
i4 i, n
do i = 1, 5 @1
  if ichar(a[i:i]) == 44 @2
    call rt.char_assign(&out a[i:i], 1, &in \" \", 1) @3
  end
end",
            "
i1 a.letters.1(len.a) within a+0
do i = 1, 5 @1
  if iand(i4(a.letters.1(i)), 255) == 44 @2
    a.letters.1(i) = 32 @3
  end
end

rewrite @2
rewrite @3",
        );
    }

    #[test]
    fn longer_texts_stay() {
        unchanged(
            &PASS,
            "
subroutine s(a, len.a) h @0
char a*(len.a)
i8 len.a value
call rt.char_assign(&out a[3:4], 2, &in \"ab\", 2) @3",
        );
    }
}
