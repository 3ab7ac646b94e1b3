//! Characters: places with lengths, and the runtime calls that work on them.
//!
//! ```text
//! c = a // trim(b)     n = char_len_trim(b)
//!                      t = space of len(a) + n characters
//!                      char_assign(t(1:len(a)), a);  char_assign(t(len(a)+1:), b(1:n))
//!                      char_assign(c, t)
//! ```
//!
//! A CHARACTER value is always a place (a variable, an element, a substring, a constant) and a length.
//! Operations put their result into a temporary of the statement; on arrays they do so element by
//! element: array statements of the IR know no CHARACTER.

use crate::array::Shape;
use crate::emit::Emit;
use crate::values::Str;
use smallvec::SmallVec;
use trueline_ir::{Access, AreaData, BinaryOp, Expr, ExprData, Intrinsic, Linkage, Rt, Storage, Sym, SymData, Type};

impl Emit<'_> {
    /// A constant.
    pub(crate) fn text(&mut self, text: &[u8]) -> Str {
        let place = self.b.text(text);
        Str { place, len: self.int8(text.len() as i64) }
    }

    /// The bytes of a constant.
    pub(crate) fn text_of(&self, s: Str) -> Option<&[u8]> {
        match self.expr(s.place) {
            ExprData::Text(i) => Some(self.pool().text(i)),
            _ => None,
        }
    }

    /// Address and length, to be read.
    pub(crate) fn read_str(&mut self, s: Str) -> [Expr; 2] {
        [self.address(Access::In, s.place), s.len]
    }

    /// Address and length, to be written.
    pub(crate) fn write_str(&mut self, s: Str) -> [Expr; 2] {
        [self.address(Access::Out, s.place), s.len]
    }

    /// `to = from`, scalars or arrays. An array on the right that shares memory with the left, other than
    /// element for element, is copied first.
    pub(crate) fn assign_str(&mut self, to: Str, from: Str) {
        if self.rank(to.place) == 0 {
            let [a, n] = self.write_str(to);
            let [b, m] = self.read_str(from);
            return self.call_rt(Rt::CharAssign, &[a, n, b, m]);
        }
        let overlaps = to.place != from.place && self.may_overlap(to.place, from.place);
        let from = if overlaps { self.copy_str(from) } else { from };
        let shape = self.shape(to.place);
        let (at, outer) = self.open_elements(&shape);
        let (to, from) = (self.str_element(to, &at), self.str_element(from, &at));
        self.assign_str(to, from);
        self.enter(outer);
    }

    /// Whether the variables of two places may share memory, or subscripts of one read the other.
    pub(crate) fn may_overlap(&self, a: Expr, b: Expr) -> bool {
        let Some(root) = self.root(a) else { return true };
        let mut found = false;
        self.visit_expr(b, &mut |x| {
            found |= match self.expr(x) {
                ExprData::Var(v) | ExprData::Elem(v, _) | ExprData::Section(v, _) => self.share_memory(root, v),
                _ => false,
            }
        });
        found
    }

    /// The symbol that a place is, or is part of.
    pub(crate) fn root(&self, place: Expr) -> Option<Sym> {
        match self.expr(place) {
            ExprData::Var(v) | ExprData::Elem(v, _) | ExprData::Section(v, _) => Some(v),
            ExprData::Substr(base, ..) => self.root(base),
            _ => None,
        }
    }

    fn share_memory(&self, a: Sym, b: Sym) -> bool {
        match (self.sym(a).storage, self.sym(b).storage) {
            _ if a == b => true,
            (Storage::Static { area: p, .. }, Storage::Static { area: q, .. }) => p == q,
            _ => self.sym(a).may_alias && self.sym(b).may_alias,
        }
    }

    /// The element at a position; a scalar is itself.
    pub(crate) fn str_element(&mut self, s: Str, at: &[Expr]) -> Str {
        Str { place: self.element(s.place, at), len: s.len }
    }

    /// A new temporary of `len` characters an element.
    pub(crate) fn str_temp(&mut self, len: Expr, shape: &[Expr]) -> Str {
        let temp = self.memory(Type::Char, Some(len), shape);
        let len = self.sym(temp).len.expand().unwrap_or(len);
        Str { place: self.var(temp), len }
    }

    /// A copy in a temporary.
    pub(crate) fn copy_str(&mut self, s: Str) -> Str {
        let shape = self.shape(s.place);
        let temp = self.str_temp(s.len, &shape);
        self.assign_str(temp, s);
        temp
    }

    /// The common shape of the arrays among `parts`; empty if all are scalars.
    fn common_shape(&mut self, parts: &[Str]) -> Shape {
        let with_rank = parts.iter().copied().find(|s| self.rank(s.place) > 0);
        with_rank.map_or_else(Shape::new, |s| self.shape(s.place))
    }

    /// `len` as a value that is evaluated here, once.
    fn fixed_len(&mut self, len: Expr) -> Expr {
        self.in_register(len)
    }

    /// Concatenation of all of `parts`, whose temporary is written once.
    pub(crate) fn concat(&mut self, parts: &[Str]) -> Str {
        if parts.iter().all(|&s| self.text_of(s).is_some()) {
            let whole: Vec<u8> = parts.iter().flat_map(|&s| self.text_of(s).unwrap_or_default().to_vec()).collect();
            return self.text(&whole);
        }
        let shape = self.common_shape(parts);
        let parts: Vec<Str> = parts.iter().map(|&s| Str { place: s.place, len: self.fixed_len(s.len) }).collect();
        let mut total = self.int8(0);
        for s in &parts {
            total = self.add(total, s.len);
        }
        let temp = self.str_temp(total, &shape);
        let (at, outer) = self.open_elements(&shape);
        let whole = self.str_element(temp, &at);
        let mut start = self.int8(1);
        for &part in &parts {
            let part = self.str_element(part, &at);
            let next = self.add(start, part.len);
            let one = self.int8(1);
            let last = self.sub(next, one);
            let place = self.make(ExprData::Substr(whole.place, start, last));
            self.assign_str(Str { place, len: part.len }, part);
            start = next;
        }
        self.enter(outer);
        temp
    }

    /// Calls `each` for the elements of `parts`, a scalar function of characters, and collects its
    /// results of type `ty`: a value for scalars, a temporary array else.
    pub(crate) fn map_strs(&mut self, parts: &[Str], ty: Type, each: impl Fn(&mut Emit<'_>, &[Str]) -> Expr) -> Expr {
        let shape = self.common_shape(parts);
        if shape.is_empty() {
            return each(self, parts);
        }
        let temp = self.memory(ty, None, &shape);
        let (at, outer) = self.open_elements(&shape);
        let elements: SmallVec<[Str; 4]> = parts.iter().map(|&s| self.str_element(s, &at)).collect();
        let value = each(self, &elements);
        let place = self.elem(temp, &at);
        self.assign(place, value);
        self.enter(outer);
        self.var(temp)
    }

    /// Calls `each` to fill, element by element, a temporary of `len` characters an element.
    fn fill_strs(&mut self, s: Str, len: Expr, each: impl Fn(&mut Emit<'_>, Str, Str)) -> Str {
        let shape = self.shape(s.place);
        let temp = self.str_temp(len, &shape);
        let (at, outer) = self.open_elements(&shape);
        let (to, from) = (self.str_element(temp, &at), self.str_element(s, &at));
        each(self, to, from);
        self.enter(outer);
        temp
    }

    /// A comparison, with blank padding.
    pub(crate) fn compare_strs(&mut self, op: BinaryOp, a: Str, b: Str) -> Expr {
        if [a, b].iter().all(|s| self.pool().as_int(s.len) == Some(1)) {
            return self.compare_characters(op, a, b);
        }
        self.map_strs(&[a, b], Type::L4, |e, parts| {
            let [x, n] = e.read_str(parts[0]);
            let [y, m] = e.read_str(parts[1]);
            let order = e.call_rt_value(Rt::CharCompare, &[x, n, y, m], Type::I4);
            let zero = e.int4(0);
            e.make(ExprData::Binary(op, order, zero))
        })
    }

    /// Two strings of one character are compared by their codes.
    fn compare_characters(&mut self, op: BinaryOp, a: Str, b: Str) -> Expr {
        let known = [a, b].map(|s| self.text_of(s).and_then(|text| text.first().copied()));
        self.map_strs(&[a, b], Type::L4, |e, parts| {
            let mut code = |k: usize| match known[k] {
                Some(c) => e.int4(i64::from(c)),
                None => e.intrinsic(Intrinsic::Ichar, &[parts[k].place]),
            };
            let (x, y) = (code(0), code(1));
            e.make(ExprData::Binary(op, x, y))
        })
    }

    /// INDEX, SCAN and VERIFY; `back` is a scalar logical.
    pub(crate) fn search_str(&mut self, f: Rt, string: Str, what: Str, back: Option<Expr>) -> Expr {
        let back = match back {
            Some(back) => {
                let (one, zero) = (self.int4(1), self.int4(0));
                match self.expr(back) {
                    ExprData::Logical(_, v) => {
                        if v {
                            one
                        } else {
                            zero
                        }
                    }
                    _ => self.intrinsic(Intrinsic::Merge, &[one, zero, back]),
                }
            }
            None => self.int4(0),
        };
        self.map_strs(&[string, what], Type::I8, |e, parts| {
            let [x, n] = e.read_str(parts[0]);
            let [y, m] = e.read_str(parts[1]);
            e.call_rt_value(f, &[x, n, y, m, back], Type::I8)
        })
    }

    /// LEN_TRIM, `INTEGER(8)`.
    pub(crate) fn len_trim(&mut self, s: Str) -> Expr {
        let known = self.text_of(s).map(|text| text.iter().rposition(|&c| c != b' ').map_or(0, |k| k as i64 + 1));
        if let Some(n) = known {
            return self.int8(n);
        }
        self.map_strs(&[s], Type::I8, |e, parts| {
            let [x, n] = e.read_str(parts[0]);
            e.call_rt_value(Rt::CharLenTrim, &[x, n], Type::I8)
        })
    }

    /// TRIM: the same place, shorter. A constant stays one.
    pub(crate) fn trim(&mut self, s: Str) -> Str {
        if let Some(text) = self.text_of(s) {
            let end = text.iter().rposition(|&c| c != b' ').map_or(0, |k| k + 1);
            let text = text[..end].to_vec();
            return self.text(&text);
        }
        let len = self.len_trim(s);
        self.substring(s, None, Some(len))
    }

    /// `s(lo:hi)`, empty if `hi` is less than `lo`.
    pub(crate) fn substring(&mut self, s: Str, lo: Option<Expr>, hi: Option<Expr>) -> Str {
        let one = self.int8(1);
        let lo = lo.unwrap_or(one);
        let hi = hi.unwrap_or(s.len);
        let len = if lo == hi { one } else { self.count(lo, hi) };
        let s = match (self.text_of(s), self.pool().as_int(lo), self.pool().as_int(hi)) {
            (None, ..) => s,
            (Some(text), Some(lo), Some(hi)) => {
                let whole = 1..=text.len() as i64;
                let inside = whole.contains(&lo) && whole.contains(&hi) && lo <= hi;
                let part = if inside { text[lo as usize - 1..hi as usize].to_vec() } else { Vec::new() };
                return self.text(&part);
            }
            _ => self.text_in_memory(s),
        };
        let place = self.make(ExprData::Substr(s.place, lo, hi));
        Str { place, len }
    }

    /// A constant as a variable in static memory: parts of it can be addressed.
    fn text_in_memory(&mut self, s: Str) -> Str {
        let sym = match self.constants.get(&s.place) {
            Some(&sym) => sym,
            None => {
                let init = self.text_of(s).unwrap_or_default().to_vec();
                let symbol = self.fresh_area();
                let (size, align, linkage) = (init.len() as u64, 1, Linkage::Local);
                let area = self.b.area(AreaData { symbol, size, align, linkage, init, addresses: Vec::new() });
                let storage = Storage::Static { area, offset: 0 };
                let data = SymData::scalar("text".to_owned(), Type::Char, storage);
                let sym = self.b.sym(SymData { len: s.len.into(), ..data });
                self.constants.insert(s.place, sym);
                sym
            }
        };
        Str { place: self.var(sym), len: s.len }
    }

    /// ADJUSTL and ADJUSTR.
    pub(crate) fn adjust(&mut self, s: Str, left: bool) -> Str {
        let len = self.fixed_len(s.len);
        let f = if left { Rt::CharAdjustl } else { Rt::CharAdjustr };
        self.fill_strs(Str { len, ..s }, len, |e, to, from| {
            let [a, _] = e.write_str(to);
            let [b, n] = e.read_str(from);
            e.call_rt(f, &[a, b, n]);
        })
    }

    /// REPEAT of a scalar.
    pub(crate) fn repeat(&mut self, s: Str, copies: Expr) -> Str {
        let copies = self.convert(Type::I8, copies);
        let copies = self.at_least_zero(copies);
        let (copies, len) = (self.fixed_len(copies), self.fixed_len(s.len));
        let total = self.mul(len, copies);
        let temp = self.str_temp(total, &[]);
        let [a, _] = self.write_str(temp);
        let [b, _] = self.read_str(s);
        self.call_rt(Rt::CharRepeat, &[a, b, len, copies]);
        temp
    }

    /// CHAR and ACHAR: one character of a code, element by element.
    pub(crate) fn char_of(&mut self, code: Expr) -> Str {
        if let Some(v) = self.pool().as_int(code) {
            return self.text(&[v as u8]);
        }
        let code = if self.has_elements(code) { code } else { self.in_memory(code) };
        let (shape, one) = (self.shape(code), self.int8(1));
        let temp = self.str_temp(one, &shape);
        let (at, outer) = self.open_elements(&shape);
        let x = self.element(code, &at);
        let byte = self.convert(Type::I1, x);
        let byte = self.in_register(byte);
        let to = self.str_element(temp, &at);
        let [to, n] = self.write_str(to);
        let from = self.address(Access::In, byte);
        self.call_rt(Rt::CharAssign, &[to, n, from, n]);
        self.enter(outer);
        temp
    }

    /// ICHAR and IACHAR.
    pub(crate) fn ichar(&mut self, s: Str) -> Expr {
        if let Some(text) = self.text_of(s) {
            let code = text.first().map_or(0, |&c| i64::from(c));
            return self.int4(code);
        }
        self.map_strs(&[s], Type::I4, |e, parts| e.intrinsic(Intrinsic::Ichar, &[parts[0].place]))
    }

    /// MERGE of characters of one length.
    pub(crate) fn merge_strs(&mut self, yes: Str, no: Str, mask: Expr) -> Str {
        self.merge_strs_to(yes.len, yes, no, mask)
    }

    /// MERGE of characters to `len` of them.
    pub(crate) fn merge_strs_to(&mut self, len: Expr, yes: Str, no: Str, mask: Expr) -> Str {
        let len = self.fixed_len(len);
        let mask = if self.has_elements(mask) { mask } else { self.in_memory(mask) };
        let shape = match self.rank(mask) {
            0 => self.common_shape(&[yes, no]),
            _ => self.shape(mask),
        };
        let temp = self.str_temp(len, &shape);
        let (at, outer) = self.open_elements(&shape);
        let to = self.str_element(temp, &at);
        let cond = self.element(mask, &at);
        let (after, otherwise) = self.open_if(cond);
        let from = self.str_element(yes, &at);
        self.assign_str(to, from);
        self.enter(otherwise);
        let from = self.str_element(no, &at);
        self.assign_str(to, from);
        self.enter(after);
        self.enter(outer);
        temp
    }
}

/// Functions that move elements about, on the numbers of strings.
impl Emit<'_> {
    /// The numbers of the elements of `s` (in its shape) and of `other` (counted on), and all of them one
    /// after the other. With `blank`, `other` is a blank if it is absent.
    pub(crate) fn numbered(&mut self, s: Str, other: Option<Str>, blank: bool) -> (Expr, Expr, Str) {
        let len = self.fixed_len(s.len);
        let other = other.or_else(|| blank.then(|| self.text(b" ")));
        let n = self.size(s.place);
        let n = self.in_register(n);
        let more = other.map(|o| self.size(o.place));
        let zero = self.int8(0);
        let total = self.add(n, more.unwrap_or(zero));
        let pool = self.str_temp(len, &[total]);
        let first = self.numbers(s, zero, pool);
        let second = match other {
            Some(o) => self.numbers(o, n, pool),
            None => self.make(ExprData::None),
        };
        (first, second, pool)
    }

    /// Copies the elements of `s` into `pool` after the first `before`, and gives their numbers.
    fn numbers(&mut self, s: Str, before: Expr, pool: Str) -> Expr {
        let shape = self.shape(s.place);
        let numbers = (!shape.is_empty()).then(|| self.memory(Type::I8, None, &shape));
        let (at, outer) = self.open_elements(&shape);
        let position = self.position(&at, &shape);
        let k = self.add(before, position);
        let (to, from) = (self.str_element(pool, &[k]), self.str_element(s, &at));
        self.assign_str(to, from);
        if let Some(numbers) = numbers {
            let place = self.elem(numbers, &at);
            self.assign(place, k);
        }
        self.enter(outer);
        match numbers {
            Some(numbers) => self.var(numbers),
            None => k,
        }
    }

    /// The strings with the numbers that the array expression `e` has.
    pub(crate) fn gathered(&mut self, pool: Str, e: Expr) -> Str {
        let numbers = self.in_memory(e);
        let shape = self.shape(numbers);
        let result = self.str_temp(pool.len, &shape);
        let (at, outer) = self.open_elements(&shape);
        let k = self.element(numbers, &at);
        let (to, from) = (self.str_element(result, &at), self.str_element(pool, &[k]));
        self.assign_str(to, from);
        self.enter(outer);
        result
    }
}
