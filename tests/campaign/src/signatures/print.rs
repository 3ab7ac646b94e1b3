//! The texts of a program of signatures: procedures and caller in Fortran, and both in C.

use super::make::{By, EXTENT, Number, Program, Signature, Type};
use std::fmt::Write;

/// A number within a value: the ways to it in Fortran and in C.
struct Leaf {
    number: Number,
    fortran: String,
    c: String,
}

fn leaves(program: &Program, ty: &Type, fortran: &str, c: &str, out: &mut Vec<Leaf>) {
    match ty {
        Type::Number(number) => out.push(Leaf { number: *number, fortran: fortran.to_owned(), c: c.to_owned() }),
        Type::Numbers(number, n) => {
            for k in 0..*n {
                out.push(Leaf { number: *number, fortran: format!("{fortran}({})", k + 1), c: format!("{c}[{k}]") });
            }
        }
        Type::Structure(s) => {
            for (k, part) in program.structures[*s].iter().enumerate() {
                leaves(program, part, &format!("{fortran}%p{k}"), &format!("{c}.p{k}"), out);
            }
        }
    }
}

fn all_leaves(program: &Program, ty: &Type, name: &str, is_address: bool) -> Vec<Leaf> {
    let mut out = Vec::new();
    let c = if is_address { format!("(*{name})") } else { name.to_owned() };
    leaves(program, ty, name, &c, &mut out);
    out
}

/// The numbers of an argument, in Fortran and, as a callee or a caller has it, in C.
fn leaves_of_argument(program: &Program, k: usize, (ty, by): &(Type, By), is_callee: bool) -> Vec<Leaf> {
    let name = format!("a{k}");
    let is_address = is_callee && matches!(by, By::Reference | By::Optional(_));
    if *by != By::Shape {
        return all_leaves(program, ty, &name, is_address);
    }
    let mut out = Vec::new();
    for e in 0..EXTENT {
        let c = match is_callee {
            true => format!("(*({} *)((char *){name}->base_addr + {e} * {name}->dim[0].sm))", c_type(ty)),
            false => format!("{name}[{e}]"),
        };
        leaves(program, ty, &format!("{name}({})", e + 1), &c, &mut out);
    }
    out
}

/// The number of a type in C's descriptor.
fn descriptor_type(ty: &Type) -> String {
    let name = match ty {
        Type::Structure(_) => "struct".to_owned(),
        Type::Number(n) | Type::Numbers(n, _) => match n {
            Number::Real(16) => "float128".to_owned(),
            Number::Complex(16) => "float128_Complex".to_owned(),
            Number::Complex(k) => format!("{}_Complex", ["float", "double"][usize::from(*k > 4)]),
            Number::Integer(1) => "signed_char".to_owned(),
            Number::Logical => "Bool".to_owned(),
            _ => c_type(ty),
        },
    };
    format!("CFI_type_{name}")
}

fn fortran_type(ty: &Type) -> String {
    match ty {
        Type::Number(n) | Type::Numbers(n, _) => match n {
            Number::Integer(k) => format!("integer({k})"),
            Number::Real(k) => format!("real({k})"),
            Number::Complex(k) => format!("complex({k})"),
            Number::Character => "character(1)".to_owned(),
            Number::Logical => "logical(1)".to_owned(),
        },
        Type::Structure(s) => format!("type(t{s})"),
    }
}

fn c_type(ty: &Type) -> String {
    let real = |k| ["float", "double", "_Float128"][usize::from(k > 4) + usize::from(k > 8)];
    match ty {
        Type::Number(n) | Type::Numbers(n, _) => match n {
            Number::Integer(1) => "signed char".to_owned(),
            Number::Integer(2) => "short".to_owned(),
            Number::Integer(4) => "int".to_owned(),
            Number::Integer(_) => "long".to_owned(),
            Number::Real(k) => real(*k).to_owned(),
            Number::Complex(k) => format!("_Complex {}", real(*k)),
            Number::Character => "char".to_owned(),
            Number::Logical => "_Bool".to_owned(),
        },
        Type::Structure(s) => format!("struct t{s}"),
    }
}

/// Gives each leaf a value of its own.
fn fill_fortran(leaves: &[Leaf], next: &mut u32, out: &mut String) {
    for leaf in leaves {
        *next = *next % 97 + 1;
        let value = match leaf.number {
            Number::Character => format!("achar({next})"),
            Number::Logical => format!("mod({next}, 2) == 1"),
            Number::Complex(k) => format!("cmplx({next}, {}, {k})", *next + 1),
            _ => next.to_string(),
        };
        writeln!(out, "  {} = {value}", leaf.fortran).unwrap_or_default();
    }
}

fn fill_c(leaves: &[Leaf], next: &mut u32, out: &mut String) {
    for leaf in leaves {
        *next = *next % 97 + 1;
        let value = match leaf.number {
            Number::Complex(_) => format!("{next} + {} * 1.0i", *next + 1),
            Number::Logical => format!("{next} % 2 == 1"),
            _ => next.to_string(),
        };
        writeln!(out, "  {} = {value};", leaf.c).unwrap_or_default();
    }
}

fn note_fortran(leaves: &[Leaf], out: &mut String) {
    for Leaf { number, fortran: x, .. } in leaves {
        let parts = match number {
            Number::Character => vec![format!("real(iachar({x}), 8)")],
            Number::Logical => vec![format!("merge(1d0, 0d0, {x})")],
            Number::Complex(_) => vec![format!("real({x}, 8)"), format!("real(aimag({x}), 8)")],
            _ => vec![format!("real({x}, 8)")],
        };
        parts.iter().for_each(|p| writeln!(out, "  call note({p})").unwrap_or_default());
    }
}

fn note_c(leaves: &[Leaf], out: &mut String) {
    for Leaf { number, c: x, .. } in leaves {
        let text = match number {
            Number::Complex(_) => format!("note((double)__real__ {x}); note((double)__imag__ {x});"),
            _ => format!("note((double){x});"),
        };
        writeln!(out, "  {text}").unwrap_or_default();
    }
}

/// The definitions of the structures; those for BIND(C) and others have the same parts.
fn types_fortran(program: &Program, attribute: &str, out: &mut String) {
    for (s, parts) in program.structures.iter().enumerate() {
        let (before, after) = if attribute == "sequence" { ("", "  sequence\n") } else { (", bind(c)", "") };
        write!(out, "type{before} :: t{s}\n{after}").unwrap_or_default();
        for (k, part) in parts.iter().enumerate() {
            let dims = if let Type::Numbers(_, n) = part { format!("({n})") } else { String::new() };
            writeln!(out, "  {} :: p{k}{dims}", fortran_type(part)).unwrap_or_default();
        }
        writeln!(out, "end type").unwrap_or_default();
    }
}

const NOTE: &str = "interface
subroutine note(x) bind(c)
  real(8), value :: x
end subroutine
end interface
";

/// The head and the declarations of a procedure.
fn header(program: &Program, s: &Signature, name: &str) -> String {
    let names: Vec<String> = (0..s.arguments.len()).map(|k| format!("a{k}")).collect();
    let kind = if s.result.is_some() { "function" } else { "subroutine" };
    let bind = if s.is_c { " bind(c)" } else { "" };
    let result = if s.result.is_some() { " result(r)" } else { "" };
    let mut out = format!("{kind} {name}({}){bind}{result}\nimplicit none\n", names.join(", "));
    types_fortran(program, if s.is_c { "bind" } else { "sequence" }, &mut out);
    for (k, (ty, by)) in s.arguments.iter().enumerate() {
        let (by, dims) = match by {
            By::Value => (", value", ""),
            By::Reference => ("", ""),
            By::Shape => ("", "(:)"),
            By::Optional(_) => (", optional", ""),
            By::OptionalValue(_) => (", optional, value", ""),
        };
        writeln!(out, "{}{by} :: a{k}{dims}", fortran_type(ty)).unwrap_or_default();
    }
    s.result.iter().for_each(|ty| writeln!(out, "{} :: r", fortran_type(ty)).unwrap_or_default());
    out
}

fn end(s: &Signature) -> &'static str {
    if s.result.is_some() { "end function\n" } else { "end subroutine\n" }
}

/// The procedures in Fortran.
pub fn procedures(program: &Program) -> String {
    let mut out = String::new();
    for (n, s) in program.signatures.iter().enumerate() {
        out += &header(program, s, &format!("f{n}"));
        out += NOTE;
        for (k, argument) in s.arguments.iter().enumerate() {
            let is_optional = matches!(argument.1, By::Optional(_) | By::OptionalValue(_));
            if is_optional {
                writeln!(out, "  call note(merge(1d0, 0d0, present(a{k})))\n  if (present(a{k})) then")
                    .unwrap_or_default();
            }
            note_fortran(&leaves_of_argument(program, k, argument, true), &mut out);
            if is_optional {
                out += "  end if\n";
            }
        }
        if let Some(ty) = &s.result {
            fill_fortran(&all_leaves(program, ty, "r", false), &mut (7 * n as u32), &mut out);
        }
        out += end(s);
    }
    out
}

/// The program that calls the procedures in Fortran and those in C.
pub fn caller(program: &Program) -> String {
    let mut out = String::new();
    let mut main = String::from("program p\n");
    for (n, s) in program.signatures.iter().enumerate() {
        writeln!(main, "  call test{n}\n  call line({n})").unwrap_or_default();
        write!(out, "subroutine test{n}\nimplicit none\n").unwrap_or_default();
        types_fortran(program, if s.is_c { "bind" } else { "sequence" }, &mut out);
        out += NOTE;
        let callees: &[&str] = if s.is_c { &["f", "c"] } else { &["f"] };
        for callee in callees {
            write!(out, "interface\n{}{}end interface\n", header(program, s, &format!("{callee}{n}")), end(s))
                .unwrap_or_default();
        }
        for (k, (ty, by)) in s.arguments.iter().enumerate() {
            let dims = if *by == By::Shape { format!("({EXTENT})") } else { String::new() };
            writeln!(out, "{} :: a{k}{dims}", fortran_type(ty)).unwrap_or_default();
        }
        s.result.iter().for_each(|ty| writeln!(out, "{} :: r", fortran_type(ty)).unwrap_or_default());
        let mut next = n as u32;
        for callee in callees {
            for (k, argument) in s.arguments.iter().enumerate() {
                fill_fortran(&leaves_of_argument(program, k, argument, false), &mut next, &mut out);
            }
            let given = |by: &By| !matches!(by, By::Optional(false) | By::OptionalValue(false));
            let names: Vec<String> = (s.arguments.iter().enumerate())
                .filter(|(_, (_, by))| given(by))
                .map(|(k, _)| format!("a{k}=a{k}"))
                .collect();
            let call = format!("{callee}{n}({})", names.join(", "));
            match &s.result {
                None => writeln!(out, "  call {call}").unwrap_or_default(),
                Some(ty) => {
                    writeln!(out, "  r = {call}").unwrap_or_default();
                    note_fortran(&all_leaves(program, ty, "r", false), &mut out);
                }
            }
        }
        out += "end subroutine\n";
    }
    main += "  call drive\nend program\n";
    let interfaces = "interface\nsubroutine line(n) bind(c)\n  integer(4), value :: n\nend subroutine\nsubroutine drive() bind(c)\nend subroutine\nend interface\n";
    main.replacen("program p\n", &format!("program p\n{interfaces}"), 1) + &out
}

/// Callees and callers in C.
pub fn c(program: &Program) -> String {
    let mut out = String::from(
        "#include <stdio.h>\n#include <ISO_Fortran_binding.h>\nstatic unsigned long sum;\nvoid note(double x) { sum = sum * 31 + (unsigned long)(long)x; }\n\
         void line(int n) { printf(\"%d %lx\\n\", n, sum); fflush(stdout); sum = 0; }\n",
    );
    for (s, parts) in program.structures.iter().enumerate() {
        writeln!(out, "struct t{s} {{").unwrap_or_default();
        for (k, part) in parts.iter().enumerate() {
            let dims = if let Type::Numbers(_, n) = part { format!("[{n}]") } else { String::new() };
            writeln!(out, "  {} p{k}{dims};", c_type(part)).unwrap_or_default();
        }
        writeln!(out, "}};").unwrap_or_default();
    }
    let mut drive = String::from("void drive(void) {\n");
    for (n, s) in program.signatures.iter().enumerate().filter(|(_, s)| s.is_c) {
        let result = s.result.as_ref().map_or_else(|| "void".to_owned(), c_type);
        let list: Vec<String> = (s.arguments.iter().enumerate())
            .map(|(k, (ty, by))| match by {
                By::Value | By::OptionalValue(_) => format!("{} a{k}", c_type(ty)),
                By::Reference | By::Optional(_) => format!("{} *a{k}", c_type(ty)),
                By::Shape => format!("CFI_cdesc_t *a{k}"),
            })
            .collect();
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        writeln!(out, "{result} f{n}({list});\n{result} c{n}({list}) {{").unwrap_or_default();
        for (k, argument) in s.arguments.iter().enumerate() {
            let is_optional = matches!(argument.1, By::Optional(_));
            if is_optional {
                writeln!(out, "  note(a{k} != 0); if (a{k}) {{").unwrap_or_default();
            }
            note_c(&leaves_of_argument(program, k, argument, true), &mut out);
            if is_optional {
                out += "  }\n";
            }
        }
        if let Some(ty) = &s.result {
            writeln!(out, "  {} r;", c_type(ty)).unwrap_or_default();
            fill_c(&all_leaves(program, ty, "r", false), &mut (11 * n as u32), &mut out);
            out += "  return r;\n";
        }
        out += "}\n";
        drive += "  {\n";
        let mut next = 3 * n as u32;
        for (k, argument) in s.arguments.iter().enumerate() {
            let (ty, by) = argument;
            let dims = if *by == By::Shape { format!("[{EXTENT}]") } else { String::new() };
            writeln!(drive, "  {} a{k}{dims};", c_type(ty)).unwrap_or_default();
            fill_c(&leaves_of_argument(program, k, argument, false), &mut next, &mut drive);
            if *by == By::Shape {
                let (own, number) = (c_type(ty), descriptor_type(ty));
                writeln!(drive, "  CFI_CDESC_T(1) d{k}; CFI_index_t e{k}[1] = {{{EXTENT}}};\n  CFI_establish((CFI_cdesc_t *)&d{k}, a{k}, CFI_attribute_other, {number}, sizeof({own}), 1, e{k});")
                    .unwrap_or_default();
            }
        }
        let passed: Vec<String> = (s.arguments.iter().enumerate())
            .map(|(k, (_, by))| match by {
                By::Value | By::OptionalValue(_) => format!("a{k}"),
                By::Reference | By::Optional(true) => format!("&a{k}"),
                By::Optional(false) => "0".to_owned(),
                By::Shape => format!("(CFI_cdesc_t *)&d{k}"),
            })
            .collect();
        let call = format!("f{n}({})", passed.join(", "));
        match &s.result {
            None => writeln!(drive, "  {call};").unwrap_or_default(),
            Some(ty) => {
                writeln!(drive, "  {} r = {call};", c_type(ty)).unwrap_or_default();
                note_c(&all_leaves(program, ty, "r", false), &mut drive);
            }
        }
        writeln!(drive, "  line({n});\n  }}").unwrap_or_default();
    }
    out + &drive + "}\n"
}
