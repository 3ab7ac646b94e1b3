//! The text of a program.

use super::{Argument, Callee, Case, Home, Program, roots};

const KINDS: &str = include_str!("kinds.f90");

/// The files of a program with their text: the modules, and the program that uses them.
pub fn files(p: &Program) -> [(&'static str, String); 2] {
    let mut modules = KINDS.to_owned();
    let in_module = p.home == Home::Module;
    if in_module {
        modules += "module state\n  use kinds\n  implicit none\n";
        modules += &roots::declarations(p.home);
        modules += "contains\n";
        modules += &tools();
        modules += "end module\n";
    }
    let state = if in_module { "  use state\n" } else { "" };
    modules += &format!("module callees\n  use kinds\n{state}  implicit none\ncontains\n");
    for case in &p.cases {
        modules += &module_procedures(case);
    }
    modules += "end module\n";
    let mut rest = String::new();
    let uses = format!("  use kinds\n  use callees\n{state}  implicit none\n");
    let calls: String = p.cases.iter().map(call).collect();
    let internal: String = p.cases.iter().map(internal_procedures).collect();
    let tools = if in_module { String::new() } else { tools() };
    match p.home {
        Home::Module => rest += &format!("program main\n{uses}{calls}contains\n{internal}end program\n"),
        Home::Program => {
            let own = roots::declarations(p.home);
            rest += &format!("program main\n{uses}{own}{calls}contains\n{tools}{internal}end program\n");
        }
        Home::Procedure => {
            let own = roots::declarations(p.home);
            let own = own.replace("  integer :: is, ia(6),", "  integer :: ia(6),");
            rest += "module hosts\ncontains\nsubroutine host(is, cz, hd, hk)\n";
            rest += &format!(
                "{uses}  integer :: is\n  character(*) :: cz\n  integer :: hd(0:)\n  integer, optional :: hk\n{own}"
            );
            rest += &format!("{calls}  call seen\ncontains\n{tools}{internal}");
            rest += "  subroutine seen\n    hd = hd(ubound(hd, 1):0:-1)\n    cz(2:2) = 'z'\n    call show('hd', hd)\n\
                \x20   call show('cz', [cz, cz])\n    print *, present(hk), ubound(hd)\n  end subroutine\nend subroutine\nend module\n";
            rest += "program main\n  use hosts\n  implicit none\n  integer :: is, x(8) = [1, 2, 3, 4, 5, 6, 7, 8]\n  character(7) :: text = 'a text'\n\
                \x20 call host(is, text(2:6), x(7:2:-2))\n  print *, is, x, text\nend program\n";
        }
    }
    for case in p.cases.iter().filter(|c| c.callee == Callee::External) {
        let body = procedure(case, &format!("x{}", case.number), &case.arguments);
        rest += &body.replacen("\n", "\n    use kinds\n    implicit none\n", 1);
    }
    [("modules.f90", modules), ("main.f90", rest)]
}

/// The procedures that give the variables their values, and show them.
fn tools() -> String {
    let (reset, show) = (roots::reset(), roots::show());
    format!("  subroutine reset\n{reset}  end subroutine\n  subroutine show_all\n{show}  end subroutine\n")
}

/// The procedures of a case in the module.
fn module_procedures(case: &Case) -> String {
    let n = case.number;
    match case.callee {
        Callee::Module => procedure(case, &format!("x{n}"), &case.arguments),
        Callee::Entry => with_entry(case),
        Callee::PassedModule => {
            procedure(case, &format!("x{n}"), &case.arguments) + &passes_on(case, &format!("via{n}"))
        }
        Callee::PassedInternal => passes_on(case, &format!("via{n}")),
        Callee::Internal | Callee::External => String::new(),
    }
}

fn internal_procedures(case: &Case) -> String {
    match case.callee {
        Callee::Internal | Callee::PassedInternal => procedure(case, &format!("x{}", case.number), &case.arguments),
        _ => String::new(),
    }
}

fn names(arguments: &[Argument]) -> String {
    arguments.iter().map(|a| a.name.clone()).collect::<Vec<_>>().join(", ")
}

fn heading(case: &Case, name: &str, arguments: &[Argument]) -> String {
    let mut out = match &case.result {
        Some(_) => format!("  function {name}({}) result(r)\n", names(arguments)),
        None => format!("  subroutine {name}({})\n", names(arguments)),
    };
    for a in arguments {
        out += &format!("    {}\n", a.declaration);
    }
    if let Some((result, _)) = &case.result {
        out += &format!("    {result}\n");
    }
    out
}

fn end(case: &Case) -> &'static str {
    if case.result.is_some() { "  end function\n" } else { "  end subroutine\n" }
}

fn lines(out: &mut String, statements: &[String]) {
    for s in statements {
        *out += &format!("    {s}\n");
    }
}

fn procedure(case: &Case, name: &str, arguments: &[Argument]) -> String {
    let mut out = heading(case, name, arguments);
    let half = case.host.len() / 2;
    lines(&mut out, &case.host[..half]);
    arguments.iter().for_each(|a| lines(&mut out, &a.body));
    lines(&mut out, &case.host[half..]);
    if let Some((_, value)) = &case.result {
        lines(&mut out, value);
    }
    out + end(case)
}

/// A procedure that calls the one it is passed with its other arguments.
fn passes_on(case: &Case, name: &str) -> String {
    let given = names(&case.arguments);
    let (kind, separator) =
        (if case.result.is_some() { "function" } else { "subroutine" }, if given.is_empty() { "" } else { ", " });
    let suffix = if case.result.is_some() { " result(r)" } else { "" };
    let mut out = format!("  {kind} {name}(f{separator}{given}){suffix}\n    interface\n");
    let interface = heading(case, "f", &case.arguments);
    let (first, rest) = interface.split_once('\n').unwrap_or((&interface, ""));
    out += &format!("    {first}\n        import\n");
    rest.lines().for_each(|l| out += &format!("    {l}\n"));
    out += &format!("    {}    end interface\n", end(case));
    case.arguments.iter().for_each(|a| out += &format!("    {}\n", a.declaration));
    if let Some((result, _)) = &case.result {
        out += &format!("    {result}\n");
    }
    let assign = match &case.result {
        Some((result, _)) if result.contains("pointer") => "r => ",
        Some(_) => "r = ",
        None => "call ",
    };
    out += &format!("    {assign}f({given})\n");
    out + end(case)
}

/// A procedure of two names: by the first it has all arguments, by the second the others than the first in another order.
fn with_entry(case: &Case) -> String {
    let mut out = procedure(case, &format!("y{}", case.number), &case.arguments);
    let further = reordered(case);
    let end_at = out.rfind("  end subroutine").unwrap_or(out.len());
    out.truncate(end_at);
    out += &format!("    return\n  entry x{}({})\n", case.number, names(&further));
    further.iter().for_each(|a| lines(&mut out, &a.body));
    out + end(case)
}

fn reordered(case: &Case) -> Vec<Argument> {
    let mut out: Vec<Argument> = case.arguments.iter().rev().cloned().collect();
    if out.len() > 2 {
        out.pop();
    }
    out
}

fn call(case: &Case) -> String {
    let n = case.number;
    let mut out = format!("  print '(a)', 'case {n}'\n  call reset\n");
    let passed = match case.callee {
        Callee::PassedModule | Callee::PassedInternal => format!("via{n}(x{n}"),
        _ => format!("x{n}("),
    };
    if case.callee == Callee::Entry {
        out += &format!("  call y{n}({})\n  call show_all\n  call reset\n", actuals(case, &case.arguments));
        out += &format!("  call x{n}({})\n  call show_all\n", actuals(case, &reordered(case)));
        return out;
    }
    let given = actuals(case, &case.arguments);
    let separator = if given.is_empty() || passed.ends_with('(') { "" } else { ", " };
    let reference = format!("{passed}{separator}{given})");
    out += &match case.result {
        Some(_) => format!("  call show('result', {reference})\n"),
        None => format!("  call {reference}\n"),
    };
    out + "  call show_all\n"
}

/// The actual arguments, with keywords where they are chosen or needed.
fn actuals(case: &Case, arguments: &[Argument]) -> String {
    let mut by_position = Vec::new();
    let mut by_keyword = Vec::new();
    let mut needs_keyword = false;
    for (k, a) in arguments.iter().enumerate() {
        needs_keyword |= k >= case.keywords;
        match &a.actual {
            Some(actual) if needs_keyword => by_keyword.push(format!("{}={actual}", a.name)),
            Some(actual) => by_position.push(actual.clone()),
            None => needs_keyword = true,
        }
    }
    by_keyword.reverse();
    by_position.extend(by_keyword);
    by_position.join(", ")
}
