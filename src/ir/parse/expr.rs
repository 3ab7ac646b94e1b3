//! Expressions: first a tree as written, then, with the types that the context asks for, the value.

use super::Reader;
use super::lex::Token;
use crate::entities::{Expr, Sym};
use crate::expr::{Access, BinaryOp, ExprData, UnaryOp};
use crate::vocabulary as voc;
use crate::{Intrinsic, Quad, Returned, Type};

/// An expression as written.
#[derive(Debug)]
pub(super) enum Tree {
    Int(i64, Option<Type>),
    Real(String, Option<Type>),
    Hex(u128, Type),
    Complex(Box<[Tree; 2]>, Option<Type>),
    Logical(bool, Option<Type>),
    Text(Vec<u8>),
    Name(String, bool),
    Apply(String, bool, Vec<Tree>),
    /// In parentheses of a subscript list; absent parts are those of the declaration.
    Triplet(Option<Box<Tree>>, Option<Box<Tree>>, Option<Box<Tree>>),
    Substr(Box<[Tree; 3]>),
    Unary(UnaryOp, Box<Tree>),
    Binary(BinaryOp, Box<[Tree; 2]>),
    Constructor(Type, Vec<Tree>),
    AddrOf(Access, Box<Tree>),
    ProcAddr(String),
}

/// The tokens of a line, read from the front.
pub(super) struct Tokens {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Tokens {
    pub(super) fn new(tokens: Vec<Token>) -> Tokens {
        Tokens { tokens, at: 0, depth: 0 }
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    pub(super) fn take(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    pub(super) fn is_mark(&self, mark: &str) -> bool {
        matches!(self.peek(), Some(Token::Mark(m)) if *m == mark)
    }

    pub(super) fn eat(&mut self, mark: &str) -> bool {
        let found = self.is_mark(mark);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, mark: &str) -> Result<(), String> {
        if self.eat(mark) { Ok(()) } else { Err(format!("expected '{mark}' {}", self.here())) }
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(w)) if w == word);
        self.at += usize::from(found);
        found
    }

    /// A bare word.
    pub(super) fn word(&mut self) -> Result<String, String> {
        match self.take() {
            Some(Token::Word(w)) => Ok(w),
            _ => Err("expected a word".to_owned()),
        }
    }

    /// A name, bare or in backquotes.
    pub(super) fn name(&mut self) -> Result<String, String> {
        match self.take() {
            Some(Token::Word(w) | Token::Quoted(w)) => Ok(w),
            _ => Err("expected a name".to_owned()),
        }
    }

    pub(super) fn integer(&mut self) -> Result<i64, String> {
        let sign = if self.eat("-") { "-" } else { "" };
        match self.take() {
            Some(Token::Number(n, None)) => format!("{sign}{n}").parse().map_err(|_| format!("bad integer '{n}'")),
            _ => Err("expected an integer".to_owned()),
        }
    }

    pub(super) fn text(&mut self) -> Result<Vec<u8>, String> {
        match self.take() {
            Some(Token::Text(t)) => Ok(t),
            _ => Err("expected a text in quotes".to_owned()),
        }
    }

    /// `@12`.
    pub(super) fn serial(&mut self) -> Result<trueline_provenance::Serial, String> {
        self.expect("@")?;
        let n = self.integer()?;
        let n = u32::try_from(n).ok().filter(|&n| n < u32::MAX).ok_or("a serial number is out of range")?;
        Ok(trueline_provenance::Serial::from_u32(n))
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub(super) fn finished(&self) -> Result<(), String> {
        if self.at_end() { Ok(()) } else { Err(format!("unexpected text {}", self.here())) }
    }

    fn here(&self) -> String {
        match self.peek() {
            Some(t) => format!("at {t:?}"),
            None => "at the end of the line".to_owned(),
        }
    }
}

fn binary_op(token: Option<&Token>) -> Option<(BinaryOp, u8)> {
    let text = match token {
        Some(Token::Mark(m)) => *m,
        Some(Token::Dotted(d, None)) => d.as_str(),
        _ => return None,
    };
    let op = BinaryOp::ALL.into_iter().find(|op| op.text() == text)?;
    Some((op, crate::print::precedence(op)))
}

fn type_suffix(suffix: Option<String>) -> Result<Option<Type>, String> {
    match suffix {
        None => Ok(None),
        Some(s) => voc::by_word(&voc::TYPES, &s).map(Some).ok_or_else(|| format!("'{s}' is no type")),
    }
}

/// Reading the tree.
impl Tokens {
    pub(super) fn tree(&mut self) -> Result<Tree, String> {
        self.operators(0)
    }

    fn operators(&mut self, min: u8) -> Result<Tree, String> {
        self.depth += 1;
        if self.depth > voc::MAX_DEPTH {
            return Err(format!("expressions nest deeper than {}", voc::MAX_DEPTH));
        }
        let mut left = self.prefix()?;
        let mut chain = self.depth;
        while let Some((op, own)) = binary_op(self.peek()).filter(|&(_, own)| own >= min) {
            self.at += 1;
            chain += 1;
            if chain > voc::MAX_DEPTH {
                return Err(format!("expressions nest deeper than {}", voc::MAX_DEPTH));
            }
            let right = self.operators(own + 1)?;
            left = Tree::Binary(op, Box::new([left, right]));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn prefix(&mut self) -> Result<Tree, String> {
        match self.peek() {
            Some(Token::Mark("-")) => {
                self.at += 1;
                if let Some(Token::Number(n, suffix)) = self.peek().cloned() {
                    self.at += 1;
                    return number(&format!("-{n}"), suffix);
                }
                Ok(Tree::Unary(UnaryOp::Neg, Box::new(self.operators(8)?)))
            }
            Some(Token::Dotted(d, None)) if d == ".not." => {
                self.at += 1;
                Ok(Tree::Unary(UnaryOp::Not, Box::new(self.operators(4)?)))
            }
            _ => self.primary(),
        }
    }

    fn primary(&mut self) -> Result<Tree, String> {
        let mut tree = match self.take() {
            Some(Token::Number(n, suffix)) => number(&n, suffix)?,
            Some(Token::Dotted(d, suffix)) if d == ".true." || d == ".false." => {
                Tree::Logical(d == ".true.", type_suffix(suffix)?)
            }
            Some(Token::Text(t)) => Tree::Text(t),
            Some(Token::Mark("(")) => self.parenthesis()?,
            Some(Token::Mark("[")) => self.constructor()?,
            Some(Token::Mark("&")) => self.address()?,
            Some(Token::Word(w)) => self.named(w, false)?,
            Some(Token::Quoted(w)) => self.named(w, true)?,
            _ => {
                self.at -= 1;
                return Err(format!("expected an expression {}", self.here()));
            }
        };
        if self.eat("[") {
            let lo = self.tree()?;
            self.expect(":")?;
            let hi = self.tree()?;
            self.expect("]")?;
            tree = Tree::Substr(Box::new([tree, lo, hi]));
        }
        Ok(tree)
    }

    fn named(&mut self, name: String, is_quoted: bool) -> Result<Tree, String> {
        if !self.eat("(") {
            return Ok(Tree::Name(name, is_quoted));
        }
        let mut args = Vec::new();
        while !self.eat(")") {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.subscript()?);
        }
        Ok(Tree::Apply(name, is_quoted, args))
    }

    /// An expression or a triplet.
    pub(super) fn subscript(&mut self) -> Result<Tree, String> {
        let ends = |t: &Tokens| t.at_end() || t.is_mark(")") || t.is_mark(",") || t.is_mark(":");
        let lo = if self.is_mark(":") { None } else { Some(Box::new(self.tree()?)) };
        if !self.eat(":") {
            return lo.map(|e| *e).ok_or_else(|| "expected a subscript".to_owned());
        }
        let hi = if ends(self) { None } else { Some(Box::new(self.tree()?)) };
        let step = if self.eat(":") { Some(Box::new(self.tree()?)) } else { None };
        Ok(Tree::Triplet(lo, hi, step))
    }

    fn parenthesis(&mut self) -> Result<Tree, String> {
        let first = self.tree()?;
        if !self.eat(",") {
            self.expect(")")?;
            return Ok(first);
        }
        let second = self.tree()?;
        self.expect(")")?;
        let ty = match self.peek() {
            Some(Token::Word(w)) if w == "_c4" || w == "_c8" => type_suffix(Some(w[1..].to_owned()))?,
            _ => None,
        };
        self.at += usize::from(ty.is_some());
        Ok(Tree::Complex(Box::new([first, second]), ty))
    }

    fn constructor(&mut self) -> Result<Tree, String> {
        let word = self.word()?;
        let ty = voc::by_word(&voc::TYPES, &word).ok_or_else(|| format!("'{word}' is no type"))?;
        self.expect(":")?;
        let mut items = Vec::new();
        while !self.eat("]") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(self.tree()?);
        }
        Ok(Tree::Constructor(ty, items))
    }

    fn address(&mut self) -> Result<Tree, String> {
        let word = self.word()?;
        if word == "proc" {
            return Ok(Tree::ProcAddr(self.name()?));
        }
        let access = voc::by_word(&voc::ACCESSES, &word).or_else(|| Returned::by_word(&word).map(Access::Returned));
        let access = access.ok_or("expected 'in', 'out', 'inout', a way of a result, or 'proc' after '&'")?;
        Ok(Tree::AddrOf(access, Box::new(self.operators(9)?)))
    }
}

fn number(text: &str, suffix: Option<String>) -> Result<Tree, String> {
    let ty = type_suffix(suffix)?;
    if let Some(hex) = text.strip_prefix("0x") {
        let bits = u128::from_str_radix(hex, 16).map_err(|_| format!("bad number '{text}'"))?;
        return Ok(Tree::Hex(bits, ty.unwrap_or(Type::R8)));
    }
    if text.contains(['.', 'e', 'E']) || matches!(ty, Some(Type::R4 | Type::R8 | Type::R16)) {
        return Ok(Tree::Real(text.to_owned(), ty));
    }
    text.parse().map(|v| Tree::Int(v, ty)).map_err(|_| format!("bad number '{text}'"))
}

/// From trees to values.
impl Reader {
    /// The value of `tree` where `hint` is expected.
    pub(super) fn value(&mut self, tree: &Tree, hint: Option<Type>) -> Result<Expr, String> {
        let data = match tree {
            Tree::Int(v, ty) => self.integer(*v, ty.unwrap_or(voc::literal_type(hint, Type::I4)))?,
            Tree::Real(text, ty) => real(text, ty.unwrap_or(voc::literal_type(hint, Type::R8)))?,
            Tree::Hex(bits, Type::R16) => ExprData::Quad(Quad::from_bits(*bits)),
            Tree::Hex(bits, ty) => ExprData::Real(*ty, *bits as u64),
            Tree::Complex(parts, ty) => complex(parts, ty.unwrap_or(voc::literal_type(hint, Type::C8)))?,
            Tree::Logical(v, ty) => ExprData::Logical(ty.unwrap_or(voc::literal_type(hint, Type::L4)), *v),
            Tree::Text(t) => return Ok(self.b.text(t)),
            Tree::Name(n, false) if n == "none" => ExprData::None,
            Tree::Name(n, false) if n == "null" => ExprData::Null,
            Tree::Name(n, _) => ExprData::Var(self.sym(n)?),
            Tree::Apply(name, is_quoted, args) => return self.apply(name, *is_quoted, args, hint),
            Tree::Triplet(..) => return Err("a triplet stands outside a section".to_owned()),
            Tree::Substr(parts) => {
                let place = self.value(&parts[0], None)?;
                ExprData::Substr(place, self.index(&parts[1])?, self.index(&parts[2])?)
            }
            Tree::Unary(op, a) => ExprData::Unary(*op, self.value(a, hint)?),
            Tree::Binary(op, sides) => return self.binary(*op, sides, hint),
            Tree::Constructor(ty, items) => {
                let items: Result<Vec<Expr>, String> = items.iter().map(|t| self.value(t, Some(*ty))).collect();
                ExprData::Constructor(*ty, self.b.list(&items?))
            }
            Tree::AddrOf(access, place) => ExprData::AddrOf(*access, self.value(place, None)?),
            Tree::ProcAddr(name) => ExprData::ProcAddr(self.proc(name, None)),
        };
        Ok(self.b.make(data))
    }

    fn integer(&self, v: i64, ty: Type) -> Result<ExprData, String> {
        let fits = match ty {
            Type::I1 => i8::try_from(v).is_ok(),
            Type::I2 => i16::try_from(v).is_ok(),
            Type::I4 => i32::try_from(v).is_ok(),
            Type::I8 => true,
            _ => return Err("an integer literal has another type".to_owned()),
        };
        if fits { Ok(ExprData::Int(ty, v)) } else { Err(format!("{v} does not fit its type")) }
    }

    /// An `INTEGER(8)` scalar: a literal is one, and other integers are converted.
    pub(super) fn index(&mut self, tree: &Tree) -> Result<Expr, String> {
        if let Tree::Int(v, None) = tree {
            return Ok(self.b.make(ExprData::Int(Type::I8, *v)));
        }
        let e = self.value(tree, None)?;
        if matches!(self.b.ty(e), Type::I1 | Type::I2 | Type::I4) && !matches!(tree, Tree::Int(..)) {
            return Ok(self.b.make(ExprData::Convert(Type::I8, e)));
        }
        Ok(e)
    }

    fn binary(&mut self, op: BinaryOp, sides: &[Tree; 2], hint: Option<Type>) -> Result<Expr, String> {
        let hint = if op.is_comparison() { None } else { hint };
        let [left, right] = sides;
        let is_bare =
            matches!(left, Tree::Int(_, None) | Tree::Real(_, None) | Tree::Complex(_, None) | Tree::Logical(_, None));
        let (a, b) = if is_bare && !matches!(right, Tree::Int(..) | Tree::Real(..) | Tree::Hex(..)) {
            let b = self.value(right, hint)?;
            let ty = self.b.ty(b);
            (self.value(left, Some(ty))?, b)
        } else {
            let a = self.value(left, hint)?;
            let ty = self.b.ty(a);
            (a, self.value(right, Some(ty))?)
        };
        Ok(self.b.make(ExprData::Binary(op, a, b)))
    }

    fn apply(&mut self, name: &str, is_quoted: bool, args: &[Tree], hint: Option<Type>) -> Result<Expr, String> {
        if is_quoted || !voc::is_function(name) {
            return self.element(name, args);
        }
        let data = if let Some(i) = Intrinsic::by_name(name) {
            return self.intrinsic(i, args, hint);
        } else if let Some(ty) = voc::by_word(&voc::TYPES, name) {
            ExprData::Convert(ty, self.only(args)?)
        } else if let Some(ty) = name.strip_prefix("bitcast_").and_then(|t| voc::by_word(&voc::TYPES, t)) {
            ExprData::Bitcast(ty, self.only(args)?)
        } else if let Some(ty) = name.strip_prefix("wide_").and_then(|t| voc::by_word(&voc::TYPES, t)) {
            let first = self.only(args)?;
            match self.b.pool().data(first) {
                ExprData::Elem(sym, list) => ExprData::Wide(ty, sym, list),
                _ => return Err(format!("'{name}' takes an element")),
            }
        } else if let Some(ty) = name.strip_prefix("load_").and_then(|t| voc::by_word(&voc::TYPES, t)) {
            let (sym, addr, offset) = self.memory(args)?;
            ExprData::Load { ty, addr, offset, sym }
        } else {
            match args {
                [Tree::Name(n, _)] => ExprData::Addr(self.sym(n)?),
                _ => return Err("'addr' takes a symbol".to_owned()),
            }
        };
        Ok(self.b.make(data))
    }

    fn only(&mut self, args: &[Tree]) -> Result<Expr, String> {
        match args {
            [one] => self.value(one, None),
            _ => Err("expected one argument".to_owned()),
        }
    }

    /// The contents of the parentheses of a load or store: symbol, address, displacement.
    pub(super) fn memory(&mut self, args: &[Tree]) -> Result<(Sym, Expr, i32), String> {
        let (name, addr, offset) = match args {
            [Tree::Name(n, _), addr] => (n, addr, 0),
            [Tree::Name(n, _), addr, Tree::Int(v, None)] => (n, addr, *v),
            _ => return Err("expected a symbol, an address and perhaps a displacement".to_owned()),
        };
        let offset = i32::try_from(offset).map_err(|_| "the displacement does not fit 32 bits")?;
        Ok((self.sym(name)?, self.value(addr, Some(Type::I8))?, offset))
    }

    fn intrinsic(&mut self, i: Intrinsic, args: &[Tree], hint: Option<Type>) -> Result<Expr, String> {
        let (least, most) = voc::arity(i);
        if args.len() < least || args.len() > most {
            return Err(format!("'{}' takes {least} to {most} arguments", i.name()));
        }
        let mut values: Vec<Expr> = Vec::new();
        for (k, tree) in args.iter().enumerate() {
            let first = values.first().map(|&e| self.b.ty(e));
            values.push(match voc::takes_index(i) {
                true => self.index(tree)?,
                false => self.value(tree, voc::argument_hint(i, k, hint, first))?,
            });
        }
        if i == Intrinsic::Spread && usize::from(self.b.pool().rank(values[0])) >= voc::MAX_RANK {
            return Err("SPREAD makes an array of too high a rank".to_owned());
        }
        let list = self.b.list(&values);
        Ok(self.b.make(ExprData::Intrinsic(i, list)))
    }

    fn element(&mut self, name: &str, args: &[Tree]) -> Result<Expr, String> {
        let sym = self.sym(name)?;
        let mut subscripts = Vec::new();
        for (k, tree) in args.iter().enumerate() {
            let e = match tree {
                Tree::Triplet(..) => self.triplet(tree, Some((sym, k)))?,
                _ => self.index(tree)?,
            };
            subscripts.push(e);
        }
        let is_section = subscripts.iter().any(|&e| self.b.pool().rank(e) > 0);
        let list = self.b.list(&subscripts);
        Ok(self.b.make(if is_section { ExprData::Section(sym, list) } else { ExprData::Elem(sym, list) }))
    }

    /// A triplet; absent parts come from dimension `k` of the declaration in `of`.
    pub(super) fn triplet(&mut self, tree: &Tree, of: Option<(Sym, usize)>) -> Result<Expr, String> {
        let Tree::Triplet(lo, hi, step) = tree else {
            return Err("expected a triplet".to_owned());
        };
        let dim = of.and_then(|(s, k)| self.b.syms[s].dims.get(k).copied());
        let lo = match lo {
            Some(t) => self.index(t)?,
            None => dim.map(|d| d.lower).ok_or("the lower bound is missing")?,
        };
        let hi = match hi {
            Some(t) => self.index(t)?,
            None => dim.and_then(|d| d.upper.expand()).ok_or("the upper bound is missing")?,
        };
        let step = match step {
            Some(t) => self.index(t)?,
            None => self.b.make(ExprData::Int(Type::I8, 1)),
        };
        Ok(self.b.make(ExprData::Triplet(lo, hi, step)))
    }
}

fn real(text: &str, ty: Type) -> Result<ExprData, String> {
    let bad = || format!("bad number '{text}'");
    match ty {
        Type::R4 => text.parse::<f32>().map(|v| ExprData::Real(ty, v.to_bits().into())).map_err(|_| bad()),
        Type::R8 => text.parse::<f64>().map(|v| ExprData::Real(ty, v.to_bits())).map_err(|_| bad()),
        Type::R16 => Quad::parse(text).map(ExprData::Quad).ok_or_else(bad),
        _ => Err("a real literal has another type".to_owned()),
    }
}

fn complex(parts: &[Tree; 2], ty: Type) -> Result<ExprData, String> {
    let part = match ty {
        Type::C4 => Type::R4,
        Type::C8 => Type::R8,
        _ => return Err("a complex literal has another type".to_owned()),
    };
    let mut bits = [0; 2];
    for (to, from) in bits.iter_mut().zip(parts) {
        *to = match from {
            Tree::Hex(bits, ty) if *ty == part => *bits as u64,
            Tree::Real(text, None) => match real(text, part)? {
                ExprData::Real(_, bits) => bits,
                _ => 0,
            },
            _ => return Err("the parts of a complex literal are real literals".to_owned()),
        };
    }
    Ok(ExprData::Complex(ty, bits[0], bits[1]))
}
