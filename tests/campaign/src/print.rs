//! A case as Fortran text.

use crate::ast::{Case, E, Home, Proc, S, Sub, Target, Ty, Var, VarId};
use std::fmt::Write;

/// The values of the opaque integers `n1` … that kernels take from COMMON.
pub const OPAQUE: [i64; 8] = [6, 4, 0, 1, -2, 8, 3, 7];

/// A file with these cases: a main program that calls each kernel, and the procedures.
pub fn file(cases: &[Case]) -> String {
    let kernels: Vec<&str> = cases.iter().map(|c| c.procs[0].name.as_str()).collect();
    program(&kernels, &cases.iter().map(procedures).collect::<String>())
}

/// A file with these procedures, a main program that calls the kernels among them, and of the common procedures those that
/// are called.
pub fn program(kernels: &[&str], procedures: &str) -> String {
    let mut text = String::from("program main\n  integer :: n(8)\n  common /opaque/ n\n  call opaque_values(n)\n");
    for kernel in kernels {
        let _ = writeln!(text, "  call {kernel}");
    }
    text.push_str("end program\n");
    text.push_str(procedures);
    let mut rest = SUPPORT;
    while let Some(end) = rest.find("end subroutine\n") {
        let (one, after) = rest.split_at(end + "end subroutine\n".len());
        let name = one.trim_start_matches("subroutine ").split('(').next().unwrap_or("");
        if text.contains(&format!("call {name}(")) {
            text.push_str(one);
        }
        rest = after;
    }
    text
}

/// A file of procedures, the first of them a kernel, as a program; a file that has a main program is left unchanged.
pub fn whole(text: &str) -> String {
    let unindented = |word: &str| text.lines().any(|l| l.starts_with(word));
    match text.split(['(', ' ', '\n']).find(|w| w.starts_with('k')) {
        Some(kernel) if !unindented("program ") => program(&[kernel], text),
        _ => text.to_owned(),
    }
}

/// The case's own procedures.
pub fn procedures(case: &Case) -> String {
    let mut out = String::new();
    for (k, proc) in case.procs.iter().enumerate() {
        // Procedures that reduction has emptied and nobody calls are left out.
        if k == 0 || !proc.body.is_empty() || is_called(case, k) {
            out.push_str(&procedure(case, proc));
        }
    }
    out
}

fn is_called(case: &Case, k: usize) -> bool {
    let mut found = false;
    for proc in &case.procs {
        found |= calls(proc, case, &case.procs[k].name);
        visit(&proc.body, &mut |s| found |= matches!(s, S::Call(Target::Case(p), _) if *p == k));
    }
    found
}

/// The lines of a case that say something: those of its procedures.
pub fn lines(case: &Case) -> usize {
    procedures(case).lines().count()
}

/// The common part of the files: values that no compiler can know, initial values, and output of bits.
const SUPPORT: &str = "\
subroutine opaque_values(n)
  integer :: n(8), i, j
  j = 5
  do i = 1, 8
    j = mod(j*7 + i, 11)
    n(i) = j
  end do
  n(1) = 6
  n(2) = 4
  n(3) = 0
  n(4) = 1
  n(5) = -2
  n(6) = 8
  n(7) = 3
  n(8) = 7
end subroutine
subroutine fill_i4(a, n, k)
  integer :: n, k, i, a(n)
  do i = 1, n
    a(i) = mod(i*k + 3, 8) + 1
  end do
end subroutine
subroutine fill_r4(a, n, k)
  integer :: n, k, i
  real :: a(n)
  do i = 1, n
    a(i) = mod(i*k, 13)*0.25 - 1.5
  end do
end subroutine
subroutine fill_r8(a, n, k)
  integer :: n, k, i
  double precision :: a(n)
  do i = 1, n
    a(i) = mod(i*k, 17)*0.125d0 - 1.1d0
  end do
end subroutine
subroutine fill_l4(a, n, k)
  integer :: n, k, i
  logical :: a(n)
  do i = 1, n
    a(i) = mod(i*k, 3) == 1
  end do
end subroutine
subroutine show_i4(m, a, n)
  integer :: m, n, a(n), i
  write (*, '(i8,9999(1x,z16))') m, (a(i), i = 1, n)
end subroutine
subroutine show_r4(m, a, n)
  integer :: m, n, i
  real :: a(n)
  write (*, '(i8,9999(1x,z16))') m, (a(i), i = 1, n)
end subroutine
subroutine show_r8(m, a, n)
  integer :: m, n, i
  double precision :: a(n)
  write (*, '(i8,9999(1x,z16))') m, (a(i), i = 1, n)
end subroutine
subroutine show_l4(m, a, n)
  integer :: m, n, i
  logical :: a(n)
  write (*, '(i8,9999(1x,z16))') m, (merge(1, 0, a(i)), i = 1, n)
end subroutine
subroutine put_i4(m, x)
  integer :: m, x
  write (*, '(i8,1x,z16)') m, x
end subroutine
subroutine put_r4(m, x)
  integer :: m
  real :: x
  write (*, '(i8,1x,z16)') m, x
end subroutine
subroutine put_r8(m, x)
  integer :: m
  double precision :: x
  write (*, '(i8,1x,z16)') m, x
end subroutine
subroutine put_c4(m, x)
  integer :: m, i, n
  character(4) :: x
  n = 0
  do i = 1, 4
    n = 128*n + ichar(x(i:i))
  end do
  write (*, '(i8,1x,z16)') m, n
end subroutine
subroutine put_l4(m, x)
  integer :: m
  logical :: x
  write (*, '(i8,1x,z16)') m, merge(1, 0, x)
end subroutine
";

/// The support procedures for a type: one fills an array, one shows an array, one shows a scalar.
pub fn support(ty: Ty) -> [&'static str; 3] {
    match ty {
        Ty::I4 => ["fill_i4", "show_i4", "put_i4"],
        Ty::R4 => ["fill_r4", "show_r4", "put_r4"],
        Ty::R8 => ["fill_r8", "show_r8", "put_r8"],
        Ty::L4 => ["fill_l4", "show_l4", "put_l4"],
        // There are no arrays of this type.
        Ty::C4 => ["", "", "put_c4"],
    }
}

fn type_name(ty: Ty) -> &'static str {
    match ty {
        Ty::I4 => "integer",
        Ty::R4 => "real",
        Ty::R8 => "double precision",
        Ty::L4 => "logical",
        Ty::C4 => "character(4)",
    }
}

fn procedure(case: &Case, proc: &Proc) -> String {
    let mut p = Printer { case, proc, out: String::new(), indent: 1 };
    let used = used(proc);
    p.out = format!("{}\n", title(proc));
    p.line("implicit none");
    p.declarations(&used);
    p.block(&proc.body);
    let _ = writeln!(p.out, "end {}", word_of(proc));
    p.out
}

fn word_of(proc: &Proc) -> &'static str {
    if proc.result.is_some() { "function" } else { "subroutine" }
}

/// The first line of a procedure.
fn title(proc: &Proc) -> String {
    let params: Vec<&str> = proc.params.iter().map(|&v| proc.vars[v].name.as_str()).collect();
    let pure = if proc.pure { "pure " } else { "" };
    let ty = proc.result.map_or(String::new(), |t| format!("{} ", type_name(t)));
    format!("{pure}{ty}{} {}({})", word_of(proc), proc.name, params.join(", "))
}

/// The variables that must be declared: the ones in the text, and the ones that decide where others lie.
fn used(proc: &Proc) -> Vec<bool> {
    let mut out = vec![false; proc.vars.len()];
    let text_uses = |e: &E, out: &mut Vec<bool>| uses(e, out);
    visit(&proc.body, &mut |s| match s {
        S::Assign(a, b) => [a, b].into_iter().for_each(|e| text_uses(e, &mut out)),
        S::Do { var, lo, hi, step, .. } => {
            out[*var] = true;
            [lo, hi].into_iter().chain(step).for_each(|e| text_uses(e, &mut out));
        }
        S::While(e, _) | S::Select(e, ..) | S::Arith(e, _) | S::Computed(_, e) => text_uses(e, &mut out),
        S::If(arms, _) => arms.iter().for_each(|(e, _)| text_uses(e, &mut out)),
        S::Where(arms) => arms.iter().filter_map(|(e, _)| e.as_ref()).for_each(|e| text_uses(e, &mut out)),
        S::Forall(indices, mask, _) => {
            for (v, lo, hi, step) in indices {
                out[*v] = true;
                [lo, hi].into_iter().chain(step).for_each(|e| text_uses(e, &mut out));
            }
            mask.iter().for_each(|e| text_uses(e, &mut out));
        }
        S::Call(_, args) => args.iter().for_each(|e| text_uses(e, &mut out)),
        _ => {}
    });
    // A COMMON block is declared up to its last member in use.
    for home in [Home::Common, Home::Opaque] {
        let last = (0..out.len()).rev().find(|&v| out[v] && proc.vars[v].home == home);
        for v in 0..last.map_or(0, |l| l) {
            out[v] |= proc.vars[v].home == home;
        }
    }
    for v in 0..out.len() {
        out[v] |= proc.vars[v].home == Home::Dummy;
    }
    out
}

/// Marks the variables in `e`.
pub(crate) fn uses(e: &E, out: &mut Vec<bool>) {
    match e {
        E::Var(v) => out[*v] = true,
        E::Elem(v, args) => {
            out[*v] = true;
            args.iter().for_each(|a| uses(a, out));
        }
        E::Sec(v, subs) => {
            out[*v] = true;
            for s in subs {
                match s {
                    Sub::At(e) => uses(e, out),
                    Sub::Range(a, b, c) => [a, b].into_iter().chain(c).for_each(|e| uses(e, out)),
                }
            }
        }
        E::Bin(_, a, b) => [a, b].into_iter().for_each(|e| uses(e, out)),
        E::Un(_, a) => uses(a, out),
        E::Fn(_, args) | E::User(_, args) => args.iter().for_each(|a| uses(a, out)),
        E::Int(_) | E::Real(..) | E::Log(_) | E::Text(_) => {}
    }
}

/// Calls `f` on every statement, outer ones first.
pub fn visit<'a>(block: &'a [S], f: &mut dyn FnMut(&'a S)) {
    for s in block {
        f(s);
        match s {
            S::Do { body, .. } | S::While(_, body) | S::Forall(_, _, body) => visit(body, f),
            S::If(arms, otherwise) => {
                arms.iter().for_each(|(_, b)| visit(b, f));
                visit(otherwise, f);
            }
            S::Select(_, cases, otherwise) => {
                cases.iter().for_each(|(_, b)| visit(b, f));
                visit(otherwise, f);
            }
            S::Where(arms) => arms.iter().for_each(|(_, b)| visit(b, f)),
            _ => {}
        }
    }
}

struct Printer<'a> {
    case: &'a Case,
    proc: &'a Proc,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", self.indent * 2);
    }

    fn name(&self, v: VarId) -> &str {
        &self.proc.vars[v].name
    }

    fn declarations(&mut self, used: &[bool]) {
        let proc = self.proc;
        let linked =
            |v: VarId| proc.equivalences.iter().any(|&(a, _, b, _)| (a == v && used[b]) || (b == v && used[a]));
        let declared: Vec<VarId> = (0..proc.vars.len()).filter(|&v| used[v] || linked(v)).collect();
        for ty in [Ty::I4, Ty::R4, Ty::R8, Ty::L4, Ty::C4] {
            let names: Vec<String> = declared
                .iter()
                .filter(|&&v| proc.vars[v].ty == ty && proc.vars[v].home != Home::Result)
                .map(|&v| self.declared(&proc.vars[v]))
                .collect();
            for some in names.chunks(8) {
                self.line(&format!("{} :: {}", type_name(ty), some.join(", ")));
            }
        }
        for (home, name) in [(Home::Common, format!("c{}", self.case.id)), (Home::Opaque, "opaque".to_owned())] {
            let names: Vec<&str> =
                declared.iter().filter(|&&v| proc.vars[v].home == home).map(|&v| self.name(v)).collect();
            if !names.is_empty() {
                let text = format!("common /{name}/ {}", names.join(", "));
                self.line(&text);
            }
        }
        for &(a, i, b, j) in &proc.equivalences {
            if declared.contains(&a) && declared.contains(&b) {
                let text = format!("equivalence ({}, {})", self.element(a, i), self.element(b, j));
                self.line(&text);
            }
        }
        let params: Vec<&str> = proc.params.iter().map(|&v| self.name(v)).collect();
        if proc.pure && !params.is_empty() {
            let text = format!("intent(in) :: {}", params.join(", "));
            self.line(&text);
        }
        let case = self.case;
        for p in case.procs.iter().filter(|p| p.result.is_some() && p.name != proc.name) {
            if calls(proc, case, &p.name) {
                self.function(p);
            }
        }
    }

    /// Declares the function `p` of the case.
    fn function(&mut self, p: &Proc) {
        if !p.pure {
            self.line(&format!("{} :: {}", p.result.map_or("", type_name), p.name));
            return;
        }
        self.line("interface");
        self.indent += 1;
        self.line(&title(p));
        for v in p.params.iter().map(|&v| &p.vars[v]) {
            self.line(&format!("  {}, intent(in) :: {}", type_name(v.ty), v.name));
        }
        self.line("end function");
        self.indent -= 1;
        self.line("end interface");
    }

    /// The element number `i`, from 0, of an array.
    fn element(&self, v: VarId, mut i: i64) -> String {
        let var = &self.proc.vars[v];
        if var.dims.is_empty() {
            return var.name.clone();
        }
        let subs: Vec<String> = var
            .dims
            .iter()
            .map(|d| {
                let extent = d.hi - d.lo + 1;
                let at = d.lo + i % extent;
                i /= extent;
                at.to_string()
            })
            .collect();
        format!("{}({})", var.name, subs.join(", "))
    }

    fn declared(&self, v: &Var) -> String {
        if v.dims.is_empty() {
            return v.name.clone();
        }
        let dims: Vec<String> = v
            .dims
            .iter()
            .map(|d| {
                let hi = d.by.map_or_else(|| d.hi.to_string(), |p| self.name(p).to_owned());
                if d.lo == 1 { hi } else { format!("{}:{hi}", d.lo) }
            })
            .collect();
        format!("{}({})", v.name, dims.join(", "))
    }

    fn block(&mut self, block: &[S]) {
        for s in block {
            self.statement(s);
        }
    }

    fn inside(&mut self, block: &[S]) {
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
    }

    fn statement(&mut self, s: &S) {
        match s {
            S::Assign(place, value) => {
                let text = format!("{} = {}", self.expr(place), self.expr(value));
                self.line(&text);
            }
            S::Do { name, var, lo, hi, step, body } => {
                let named = name.as_ref().map_or(String::new(), |n| format!("{n}: "));
                let step = step.as_ref().map_or(String::new(), |e| format!(", {}", self.expr(e)));
                let text = format!("{named}do {} = {}, {}{step}", self.name(*var), self.expr(lo), self.expr(hi));
                self.line(&text);
                self.inside(body);
                self.line(&format!("end do{}", name.as_ref().map_or(String::new(), |n| format!(" {n}"))));
            }
            S::While(cond, body) => {
                let text = format!("do while ({})", self.expr(cond));
                self.line(&text);
                self.inside(body);
                self.line("end do");
            }
            S::If(arms, otherwise) => self.conditional(arms, otherwise),
            S::Select(value, cases, otherwise) => self.select(value, cases, otherwise),
            S::Where(arms) => self.masked(arms),
            S::Forall(indices, mask, body) => self.forall(indices, mask.as_ref(), body),
            S::Exit(name) => self.line(&word("exit", name.as_deref())),
            S::Cycle(name) => self.line(&word("cycle", name.as_deref())),
            S::Goto(l) => self.line(&format!("goto {l}")),
            S::Label(l) => {
                let _ = writeln!(self.out, "{l} continue");
            }
            S::Arith(e, [a, b, c]) => {
                let text = format!("if ({}) {a}, {b}, {c}", self.expr(e));
                self.line(&text);
            }
            S::Computed(labels, e) => {
                let labels: Vec<String> = labels.iter().map(u32::to_string).collect();
                let text = format!("goto ({}), {}", labels.join(", "), self.expr(e));
                self.line(&text);
            }
            S::Call(target, args) => {
                let name = match target {
                    Target::Case(p) => self.case.procs[*p].name.clone(),
                    Target::Support(name) => (*name).to_owned(),
                };
                let text = format!("call {name}({})", self.exprs(args));
                self.line(&text);
            }
            S::Return => self.line("return"),
        }
    }

    fn conditional(&mut self, arms: &[(E, Vec<S>)], otherwise: &[S]) {
        if let ([(cond, body)], []) = (arms, otherwise)
            && let [one @ (S::Assign(..) | S::Exit(_) | S::Cycle(_) | S::Goto(_) | S::Return)] = body.as_slice()
        {
            let head = format!("if ({}) ", self.expr(cond));
            let at = self.out.len() + self.indent * 2;
            self.statement(one);
            self.out.insert_str(at, &head);
            return;
        }
        for (k, (cond, body)) in arms.iter().enumerate() {
            let text = format!("{}if ({}) then", if k == 0 { "" } else { "else " }, self.expr(cond));
            self.line(&text);
            self.inside(body);
        }
        if !otherwise.is_empty() {
            self.line("else");
            self.inside(otherwise);
        }
        self.line("end if");
    }

    fn select(&mut self, value: &E, cases: &[(Vec<(i64, i64)>, Vec<S>)], otherwise: &[S]) {
        let text = format!("select case ({})", self.expr(value));
        self.line(&text);
        for (ranges, body) in cases {
            let ranges: Vec<String> =
                ranges.iter().map(|(a, b)| if a == b { a.to_string() } else { format!("{a}:{b}") }).collect();
            self.line(&format!("case ({})", ranges.join(", ")));
            self.inside(body);
        }
        if !otherwise.is_empty() {
            self.line("case default");
            self.inside(otherwise);
        }
        self.line("end select");
    }

    fn masked(&mut self, arms: &[(Option<E>, Vec<S>)]) {
        for (k, (mask, body)) in arms.iter().enumerate() {
            let text = match (k, mask) {
                (0, Some(e)) => format!("where ({})", self.expr(e)),
                (_, Some(e)) => format!("elsewhere ({})", self.expr(e)),
                (_, None) => "elsewhere".to_owned(),
            };
            self.line(&text);
            self.inside(body);
        }
        self.line("end where");
    }

    fn forall(&mut self, indices: &[(VarId, E, E, Option<E>)], mask: Option<&E>, body: &[S]) {
        let mut items: Vec<String> = indices
            .iter()
            .map(|(v, lo, hi, step)| {
                let step = step.as_ref().map_or(String::new(), |e| format!(":{}", self.expr(e)));
                format!("{} = {}:{}{step}", self.name(*v), self.expr(lo), self.expr(hi))
            })
            .collect();
        items.extend(mask.map(|m| self.expr(m)));
        self.line(&format!("forall ({})", items.join(", ")));
        self.inside(body);
        self.line("end forall");
    }

    fn exprs(&self, list: &[E]) -> String {
        list.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, e: &E) -> String {
        match e {
            E::Int(v) if *v < 0 => format!("({v})"),
            E::Int(v) => v.to_string(),
            E::Real(_, text) => text.clone(),
            E::Log(v) => if *v { ".true." } else { ".false." }.to_owned(),
            E::Text(text) => format!("'{text}'"),
            E::Var(v) => self.name(*v).to_owned(),
            E::Elem(v, subs) => format!("{}({})", self.name(*v), self.exprs(subs)),
            E::Sec(v, subs) => {
                let subs: Vec<String> = subs.iter().map(|s| self.sub(s)).collect();
                format!("{}({})", self.name(*v), subs.join(", "))
            }
            E::Bin(op, a, b) => format!("{} {op} {}", self.operand(a), self.operand(b)),
            E::Un(op, a) => format!("({op} {})", self.operand(a)),
            E::Fn(name, args) => format!("{name}({})", self.exprs(args)),
            E::User(p, args) => format!("{}({})", self.case.procs[*p].name, self.exprs(args)),
        }
    }

    fn operand(&self, e: &E) -> String {
        match e {
            E::Bin(..) => format!("({})", self.expr(e)),
            _ => self.expr(e),
        }
    }

    fn sub(&self, s: &Sub) -> String {
        match s {
            Sub::At(e) => self.expr(e),
            Sub::Range(lo, hi, step) => {
                let step = step.as_ref().map_or(String::new(), |e| format!(":{}", self.expr(e)));
                format!("{}:{}{step}", self.expr(lo), self.expr(hi))
            }
        }
    }
}

fn word(word: &str, name: Option<&str>) -> String {
    name.map_or_else(|| word.to_owned(), |n| format!("{word} {n}"))
}

/// Whether `proc` refers to the function `name`.
fn calls(proc: &Proc, case: &Case, name: &str) -> bool {
    fn in_expr(e: &E, case: &Case, name: &str) -> bool {
        match e {
            E::User(p, args) => case.procs[*p].name == name || args.iter().any(|a| in_expr(a, case, name)),
            E::Fn(_, args) | E::Elem(_, args) => args.iter().any(|a| in_expr(a, case, name)),
            E::Bin(_, a, b) => in_expr(a, case, name) || in_expr(b, case, name),
            E::Un(_, a) => in_expr(a, case, name),
            E::Sec(_, subs) => subs.iter().any(|s| match s {
                Sub::At(e) => in_expr(e, case, name),
                Sub::Range(a, b, c) => [a, b].into_iter().chain(c).any(|e| in_expr(e, case, name)),
            }),
            _ => false,
        }
    }
    let mut found = false;
    let mut body = proc.body.clone();
    each(&mut body, &mut |s| {
        found |= match s {
            S::Assign(a, b) => in_expr(a, case, name) || in_expr(b, case, name),
            S::Call(_, args) => args.iter().any(|e| in_expr(e, case, name)),
            other => other.values_mut().into_iter().any(|e| in_expr(e, case, name)),
        };
    });
    found
}

/// Calls `f` on every statement, outer ones first; it may change them.
pub fn each(block: &mut [S], f: &mut dyn FnMut(&mut S)) {
    for s in block {
        f(s);
        for b in s.blocks_mut() {
            each(b, f);
        }
    }
}
