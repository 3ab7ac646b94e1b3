//! The variables of a program, and the actual arguments that can be made of them.

use super::{Home, Ty};

/// An actual argument.
#[derive(Clone, Debug)]
pub struct Actual {
    /// The text.
    pub text: String,
    /// The variable that it is part of; empty for none. No other argument of the call may be part of one that is changed.
    pub root: String,
    /// The elements that a dummy array may have: all, or those from the element on.
    pub count: usize,
    /// Whether it may be changed.
    pub is_place: bool,
}

/// The declarations of all variables: for each type scalars, arrays with several bounds, allocatables, pointers and their targets.
pub fn declarations(home: Home) -> String {
    let mut out = String::new();
    for ty in Ty::ALL {
        let l = ty.letter();
        let spec = match ty {
            Ty::Int => "integer",
            Ty::Real => "real(8)",
            Ty::Text | Ty::Deferred => "character(4)",
            Ty::Pair => "type(pair)",
        };
        out += &format!("  {spec} :: {l}s, {l}a(6), {l}b(-1:5), {l}m(4, 3)\n");
        out += &format!("  {spec}, allocatable :: {l}l(:), {l}u(:), {l}k(:, :), {l}x\n");
        out += &format!("  {spec}, pointer :: {l}p(:), {l}q(:, :), {l}o, {l}n(:)\n");
        out += &format!("  {spec}, target :: {l}t(9), {l}tm(4, 5), {l}ts\n");
    }
    out += "  character(:), allocatable :: cd\n  character(:), pointer :: ce\n";
    let target = if home == Home::Procedure { ", target" } else { "" };
    out += &format!("  type(holder){target} :: h, hs(3)\n");
    out
}

/// The statements that give all variables their values, whatever they had.
pub fn reset() -> String {
    let mut out = String::from("    integer :: k\n");
    for ty in Ty::ALL {
        let l = ty.letter();
        let value = |offset: usize, n: &str| match ty {
            Ty::Int => format!("{offset} + {n}"),
            Ty::Real => format!("{offset} + 0.25d0*({n})"),
            Ty::Text | Ty::Deferred => format!("achar({} + mod({n}, 10))//'{offset}'", 97 + offset % 10),
            Ty::Pair => format!("pair({offset} + {n}, 0.5d0*({n}))"),
        };
        out += &format!("    {l}s = {}\n", value(11, "1"));
        let arrays = [("a", 6, "6"), ("b", 7, "7"), ("t", 9, "9")];
        for (k, (name, n, _)) in arrays.iter().enumerate() {
            out += &format!("    {l}{name} = [({}, k = 1, {n})]\n", value(20 + 10 * k, "k"));
        }
        out += &format!("    {l}m = reshape([({}, k = 1, 12)], [4, 3])\n", value(50, "k"));
        out += &format!("    {l}tm = reshape([({}, k = 1, 20)], [4, 5])\n", value(60, "k"));
        out += &format!("    {l}ts = {}\n", value(70, "3"));
        for name in ["l", "u", "k", "x"] {
            out += &format!("    if (allocated({l}{name})) deallocate({l}{name})\n");
        }
        out += &format!("    allocate({l}l(2:6), {l}k(2:4, 3), {l}x)\n");
        out += &format!("    {l}l(:) = [({}, k = 1, 5)]\n", value(80, "k"));
        out += &format!("    {l}k(:, :) = reshape([({}, k = 1, 9)], [3, 3])\n", value(90, "k"));
        out += &format!("    {l}x = {}\n", value(15, "4"));
        out += &format!("    {l}p => {l}t(8:1:-2)\n    {l}q(0:, 3:) => {l}tm(1:4:2, 2:5)\n");
        out += &format!("    {l}o => {l}ts\n    nullify({l}n)\n");
    }
    out += "    cd = 'deferred'\n    allocate(character(6) :: ce)\n    ce = 'target'\n    call reset_holder(h, 100)\n";
    out += "    do k = 1, 3\n      call reset_holder(hs(k), 100 + 10*k)\n    end do\n    call reset_kinds\n";
    out
}

/// The statements that show all variables.
pub fn show() -> String {
    let mut out = String::from("    integer :: k\n");
    for ty in Ty::ALL {
        let l = ty.letter();
        for name in ["s", "a", "b", "m", "t", "tm", "ts"] {
            out += &format!("    call show('{l}{name}', {l}{name})\n");
        }
        for name in ["l", "u", "k", "x"] {
            out += &format!("    if (allocated({l}{name})) call show('{l}{name}', {l}{name})\n");
        }
        for name in ["p", "q", "o", "n"] {
            out += &format!("    if (associated({l}{name})) call show('{l}{name}', {l}{name})\n");
        }
        for (name, test) in [("l", "allocated"), ("p", "associated"), ("q", "associated")] {
            out +=
                &format!("    if ({test}({l}{name})) call show('{l}{name}', [lbound({l}{name}), ubound({l}{name})])\n");
        }
    }
    out += "    if (allocated(cd)) call show('cd', cd)\n    if (associated(ce)) call show('ce', ce)\n";
    out += "    call show_holder('h', h)\n    do k = 1, 3\n      call show_holder('hs', hs(k))\n    end do\n";
    out += "    call show('mi', mi)\n    call show('mr', mr)\n    call show('mc', mc)\n    call show('mp', mp)\n";
    out
}

/// The actual arguments of a type and rank for dummy arguments that are neither ALLOCATABLE nor POINTER.
pub fn actuals(ty: Ty, rank: usize) -> Vec<Actual> {
    let mut out = Vec::new();
    let l = ty.letter();
    let mut add = |text: &str, root: &str, count: usize, is_place: bool| {
        let with = |s: &str| s.replace('@', &l.to_string());
        out.push(Actual { text: with(text), root: with(root), count, is_place });
    };
    match rank {
        0 => {
            for (text, root) in [
                ("@s", "@s"),
                ("@a(2)", "@a"),
                ("@m(3, n1)", "@m"),
                ("@l(4)", "@l"),
                ("@p(n1)", "@p"),
                ("@o", "@o"),
                ("@x", "@x"),
            ] {
                add(text, root, 1, true);
            }
            add("(@s)", "@s", 1, false);
            scalars(ty, &mut add);
        }
        1 => {
            for (text, root, count) in [
                ("@a", "@a", 6),
                ("@b", "@b", 7),
                ("@l", "@l", 5),
                ("@p", "@p", 4),
                ("@a(n1:n2)", "@a", 4),
                ("@a(6:1:-2)", "@a", 3),
                ("@b(::3)", "@b", 3),
                ("@b(n2:n1:-1)", "@b", 4),
                ("@l(3:)", "@l", 4),
                ("@l(6:2:-2)", "@l", 3),
                ("@p(2:)", "@p", 3),
                ("@p(4:1:-n1)", "@p", 2),
                ("@m(2, :)", "@m", 3),
                ("@m(4:1:-1, n1)", "@m", 4),
                ("@m(:, 3)", "@m", 4),
                ("@k(:, 2)", "@k", 3),
                ("@k(3, :)", "@k", 3),
                ("@q(2*0 + 1, :)", "@q", 4),
                ("@q(:, n3 + 1)", "@q", 2),
                ("@a(3:2)", "@a", 0),
            ] {
                add(text, root, count, true);
            }
            for (text, root, count) in [
                ("@a([3, 1, 3, 6])", "@a", 4),
                ("@b([n2, n1])", "@b", 2),
                ("(@a)", "@a", 6),
                ("(@p)", "@p", 4),
                ("[@s, @s]", "@s", 2),
                ("list_@(n3)", "", 3),
            ] {
                add(text, root, count, false);
            }
            vectors(ty, &mut add);
        }
        _ => {
            for (text, root, count) in [
                ("@m", "@m", 12),
                ("@k", "@k", 9),
                ("@q", "@q", 8),
                ("@m(::2, :)", "@m", 6),
                ("@m(4:1:-1, 3:1:-1)", "@m", 12),
                ("@k(:, n1:n3)", "@k", 6),
                ("@q(:, 6:3:-3)", "@q", 4),
            ] {
                add(text, root, count, true);
            }
            add("@m([1, 4], :)", "@m", 6, false);
            add("(@k)", "@k", 9, false);
            add("reshape(@a, [2, 3])", "@a", 6, false);
            if ty == Ty::Real {
                add("h%m", "h", 6, true);
                add("hs(2)%m(3:1:-2, :)", "hs", 4, true);
            }
        }
    }
    out
}

fn scalars(ty: Ty, add: &mut dyn FnMut(&str, &str, usize, bool)) {
    match ty {
        Ty::Int => {
            for (text, root) in [
                ("h%k", "h"),
                ("hs(n1)%k", "hs"),
                ("h%a(3)", "h"),
                ("h%al(2)", "h"),
                ("h%p(1)", "h"),
                ("pa(2)%a", "pa"),
                ("ps%a", "ps"),
            ] {
                add(text, root, 1, true);
            }
            add("7", "", 1, false);
            add("is + n2", "is", 1, false);
            add("size(il)", "il", 1, false);
        }
        Ty::Real => {
            add("h%m(2, 1)", "h", 1, true);
            add("pa(3)%b", "pa", 1, true);
            add("2.5d0", "", 1, false);
            add("rs*2 - 1", "rs", 1, false);
        }
        Ty::Text => {
            add("h%c(2)", "h", 1, true);
            add("'lit4'", "", 1, false);
            add("turned(cs)", "cs", 1, false);
            add("cs(3:4)//cs(1:2)", "cs", 1, false);
        }
        Ty::Pair => {
            add("h%s", "h", 1, true);
            add("hs(3)%s", "hs", 1, true);
            add("pair(n3, 1.5d0)", "", 1, false);
        }
        Ty::Deferred => {}
    }
}

fn vectors(ty: Ty, add: &mut dyn FnMut(&str, &str, usize, bool)) {
    match ty {
        Ty::Int => {
            for (text, root, count) in [
                ("h%a", "h", 5),
                ("h%a(5:1:-2)", "h", 3),
                ("h%al", "h", 4),
                ("h%al(2:3)", "h", 2),
                ("h%p", "h", 3),
                ("hs%k", "hs", 3),
                ("hs(3:1:-2)%k", "hs", 2),
                ("hs%a(n1)", "hs", 3),
                ("hs(2)%a(2:)", "hs", 4),
                ("pa%a", "pa", 6),
                ("pa(5:2:-3)%a", "pa", 2),
                ("pp%a", "pp", 4),
                ("pm(n1, :)%a", "pm", 3),
            ] {
                add(text, root, count, true);
            }
            add("ia(:4)*2", "ia", 4, false);
            add("[1, n1, n2]", "", 3, false);
        }
        Ty::Real => {
            for (text, root, count) in [
                ("pa%b", "pa", 6),
                ("pl(3:6:2)%b", "pl", 2),
                ("h%m(:, 2)", "h", 3),
                ("h%m(2, :)", "h", 2),
                ("pp%b", "pp", 4),
            ] {
                add(text, root, count, true);
            }
            add("ra*0.5d0", "ra", 6, false);
        }
        Ty::Text => {
            add("h%c", "h", 2, true);
            add("hs(n1)%c(2:1:-1)", "hs", 2, true);
            add("['one ', 'two ', 'tree']", "", 3, false);
            add("turned(ca)", "ca", 6, false);
        }
        Ty::Pair => {
            add("hs%s", "hs", 3, true);
            add("hs(1:3:2)%s", "hs", 2, true);
            add("[pair(1, 2d0), ps]", "ps", 2, false);
        }
        Ty::Deferred => {}
    }
}

/// Statements about variables that are not passed, with the variable.
pub fn host_statements() -> Vec<(&'static str, &'static str)> {
    vec![
        ("is", "is = is + n3"),
        ("ia", "ia(2:6:2) = ia(1:5:2)"),
        ("ib", "call bump(ib)"),
        ("il", "il = [il, 5, size(il)]"),
        ("iu", "iu = list_i(n3)"),
        ("ik", "call show('host', ik(:, 2))"),
        ("ip", "ip => it(2:n2)"),
        ("ip", "if (associated(ip)) ip = ip + 1"),
        ("in", "allocate(in(0:2), source=[7, 8, 9])"),
        ("iq", "iq => itm(n1:, :n3)"),
        ("io", "io => mio"),
        ("ix", "if (allocated(ix)) deallocate(ix)"),
        ("rs", "rs = rs + sum(rl)"),
        ("rm", "rm(:, 1) = rm(:, 3)"),
        ("rp", "call show('host', rp)"),
        ("rl", "call flat_r(rl(::2), 3)"),
        ("cs", "cs = turned(cs)"),
        ("ca", "ca(:)(2:3) = '--'"),
        ("cd", "cd = cd//'!'"),
        ("ce", "if (associated(ce)) call bump(ce)"),
        ("cp", "cp => ct(::4)"),
        ("ps", "ps%a = -ps%a"),
        ("pa", "pa(3:1:-1) = pa(:3)"),
        ("pl", "if (allocated(pl)) deallocate(pl)"),
        ("pq", "nullify(pq)"),
        ("h", "h%al = [h%al, h%k]"),
        ("h", "h%p => mi(::2)"),
        ("h", "h%s = pair(h%k, 0.5d0)"),
        ("hs", "hs(2) = hs(1)"),
        ("hs", "call bump(hs%k)"),
    ]
}
