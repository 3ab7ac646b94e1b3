//! The text of HPF_LIBRARY: those of its procedures that are no intrinsic functions, as Fortran.
//!
//! A program that uses the module is compiled together with the procedures that it names, which are local to its object: so they work for
//! every kind that the program has, and nothing of them is in a program that does not use them. Arrays have rank 1.

use std::fmt::Write;

/// The types that arrays have: a suffix and the declaration.
const NUMBERS: [(&str, &str); 4] = [("i4", "integer(4)"), ("i8", "integer(8)"), ("r4", "real(4)"), ("r8", "real(8)")];

/// The operations: the name, the value of nothing, and how a value `x` is added to `s`; `@` is the kind.
struct Operation {
    name: &'static str,
    kind: Kind,
    nothing: &'static str,
    add: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Integer,
    Logical,
    /// A logical array is counted.
    Count,
}

const fn operation(name: &'static str, kind: Kind, nothing: &'static str, add: &'static str) -> Operation {
    Operation { name, kind, nothing, add }
}

const OPERATIONS: [Operation; 12] = [
    operation("sum", Kind::Number, "0", "s + x"),
    operation("product", Kind::Number, "1", "s*x"),
    operation("maxval", Kind::Number, "-huge(s)", "max(s, x)"),
    operation("minval", Kind::Number, "huge(s)", "min(s, x)"),
    operation("iall", Kind::Integer, "-1", "iand(s, x)"),
    operation("iany", Kind::Integer, "0", "ior(s, x)"),
    operation("iparity", Kind::Integer, "0", "ieor(s, x)"),
    operation("all", Kind::Logical, ".true.", "s .and. x"),
    operation("any", Kind::Logical, ".false.", "s .or. x"),
    operation("parity", Kind::Logical, ".false.", "s .neqv. x"),
    operation("count", Kind::Count, "0", "s + merge(1, 0, x)"),
    operation("copy", Kind::Number, "0", "x"),
];

/// The text of the module with those procedures whose generic names are wanted.
pub fn hpf_library_text(wanted: &dyn Fn(&str) -> bool) -> String {
    let mut w = Writer::default();
    for o in &OPERATIONS {
        for what in ["prefix", "suffix", "scatter"] {
            let generic = format!("{}_{what}", o.name);
            if wanted(&generic) {
                o.types().iter().for_each(|t| w.operation(o, what, &generic, t));
            }
        }
    }
    for (name, up, sorts) in
        [("grade_up", true, false), ("grade_down", false, false), ("sort_up", true, true), ("sort_down", false, true)]
    {
        if wanted(name) {
            NUMBERS.iter().for_each(|t| w.order(name, up, sorts, t));
        }
    }
    if wanted("ilen") {
        NUMBERS[..2].iter().for_each(|t| w.ilen(t));
    }
    for name in ["hpf_alignment", "hpf_template", "hpf_distribution"] {
        if wanted(name) {
            NUMBERS.iter().for_each(|t| w.inquiry(name, t));
        }
    }
    w.finish()
}

impl Operation {
    fn types(&self) -> Vec<(&'static str, &'static str)> {
        match self.kind {
            Kind::Number if self.name == "copy" => NUMBERS.iter().copied().chain([("l4", "logical(4)")]).collect(),
            Kind::Number => NUMBERS.to_vec(),
            Kind::Integer => NUMBERS[..2].to_vec(),
            Kind::Logical | Kind::Count => vec![("l4", "logical(4)")],
        }
    }
}

#[derive(Default)]
struct Writer {
    /// Generic names with their procedures, in order.
    generics: Vec<(String, Vec<String>)>,
    code: String,
}

impl Writer {
    fn specific(&mut self, generic: &str, name: &str) {
        match self.generics.iter_mut().find(|g| g.0 == generic) {
            Some(g) => g.1.push(name.to_owned()),
            None => self.generics.push((generic.to_owned(), vec![name.to_owned()])),
        }
    }

    fn finish(self) -> String {
        let mut out = "module hpf_library\n  use hpf_functions\n  implicit none\n".to_owned();
        for (name, specifics) in &self.generics {
            let _ = writeln!(out, "  interface {name}\n    module procedure {}\n  end interface", specifics.join(", "));
        }
        let code = if self.code.is_empty() { String::new() } else { format!("contains\n{}", self.code) };
        format!("{out}{code}end module\n")
    }

    fn operation(&mut self, o: &Operation, what: &str, generic: &str, (suffix, ty): &(&str, &str)) {
        let name = format!("{generic}_{suffix}");
        self.specific(generic, &name);
        let result = if o.kind == Kind::Count { "integer" } else { ty };
        // The names of the arguments are those of the standard, where logical arrays are masks.
        let array = if matches!(o.kind, Kind::Logical | Kind::Count) { "mask" } else { "array" };
        if what == "scatter" {
            return self.scatter(o, &name, array, ty, result);
        }
        let is_copy = o.name == "copy";
        let masked = array == "array" && !is_copy;
        let mut arguments = vec![array, "dim"];
        arguments.extend(masked.then_some("mask"));
        arguments.push("segment");
        arguments.extend((!is_copy).then_some("exclusive"));
        let (first, last, step) = if what == "prefix" { ("1", "size(v)", "1") } else { ("size(v)", "1", "-1") };
        let mut text = format!("  pure function {name}({}) result(r)\n", arguments.join(", "));
        let _ = writeln!(text, "    {ty}, intent(in) :: {array}(:)\n    integer, intent(in), optional :: dim");
        let optional: &[&str] = if masked { &["mask", "segment"] } else { &["segment"] };
        for a in optional {
            let _ = writeln!(text, "    logical, intent(in), optional :: {a}(:)");
        }
        if !is_copy {
            let _ = writeln!(text, "    logical, intent(in), optional :: exclusive");
        }
        let _ = writeln!(text, "    {result} :: r(size({array})), s\n    {ty} :: v(size({array})), x");
        let _ = writeln!(text, "    logical :: before, used, starts\n    integer :: i, previous");
        let _ = writeln!(text, "    before = .false.\n    v = {array}");
        if !is_copy {
            let _ = writeln!(text, "    if (present(exclusive)) before = exclusive");
        }
        // COPY begins anew with each segment, so its first value is never seen.
        let nothing = if suffix == &"l4" && is_copy { ".false." } else { o.nothing };
        let _ = writeln!(text, "    s = {nothing}\n    previous = 0");
        let _ = writeln!(text, "    do i = {first}, {last}, {step}\n      starts = previous == 0");
        let _ = writeln!(
            text,
            "      if (present(segment) .and. previous > 0) starts = segment(i) .neqv. segment(previous)"
        );
        let _ = writeln!(text, "      if (starts) s = {nothing}");
        let _ = writeln!(text, "      if (before) r(i) = s\n      x = v(i)\n      used = .true.");
        if masked {
            let _ = writeln!(text, "      if (present(mask)) used = mask(i)");
        }
        if is_copy {
            let _ = writeln!(text, "      used = starts");
        }
        let _ = writeln!(text, "      if (used) s = {}\n      if (.not. before) r(i) = s", o.add);
        let _ = writeln!(text, "      previous = i\n    end do\n  end function");
        self.code.push_str(&text);
    }

    fn scatter(&mut self, o: &Operation, name: &str, array: &str, ty: &str, result: &str) {
        let masked = array == "array";
        let last = if masked { ", mask" } else { "" };
        let mut text = format!("  pure function {name}({array}, base, indx1{last}) result(r)\n");
        let _ = writeln!(text, "    {ty}, intent(in) :: {array}(:)\n    {result}, intent(in) :: base(:)");
        let _ = writeln!(text, "    integer, intent(in) :: indx1(:)");
        if masked {
            let _ = writeln!(text, "    logical, intent(in), optional :: mask(:)");
        }
        let _ = writeln!(text, "    {result} :: r(size(base)), s\n    {ty} :: x\n    integer :: i");
        let _ = writeln!(text, "    r = base\n    do i = 1, size({array})");
        if masked {
            let _ = writeln!(text, "      if (present(mask)) then\n        if (.not. mask(i)) cycle\n      end if");
        }
        let _ =
            writeln!(text, "      x = {array}(i)\n      s = r(indx1(i))\n      s = {}\n      r(indx1(i)) = s", o.add);
        let _ = writeln!(text, "    end do\n  end function");
        self.code.push_str(&text);
    }

    /// Sorts by merging, which keeps equal elements in order.
    fn order(&mut self, generic: &str, up: bool, sorts: bool, (suffix, ty): &(&str, &str)) {
        let compare = if up { "<" } else { ">" };
        // Without DIM, GRADE_UP gives the subscripts in a matrix with a row for each dimension.
        let forms: &[(&str, &str)] = if sorts { &[("", "optional")] } else { &[("", "required"), ("_all", "absent")] };
        for (form, dim) in forms {
            let name = format!("{generic}_{suffix}{form}");
            self.specific(generic, &name);
            let argument = if *dim == "absent" { "" } else { ", dim" };
            let result = match (sorts, *dim) {
                (true, _) => format!("{ty} :: r(size(array))"),
                (false, "absent") => "integer :: r(1, size(array))".to_owned(),
                _ => "integer :: r(size(array))".to_owned(),
            };
            let assign = match (sorts, *dim) {
                (true, _) => "r = array(p)",
                (false, "absent") => "r(1, :) = p",
                _ => "r = p",
            };
            let mut text =
                format!("  pure function {name}(array{argument}) result(r)\n    {ty}, intent(in) :: array(:)\n");
            match *dim {
                "optional" => text.push_str("    integer, intent(in), optional :: dim\n"),
                "required" => text.push_str("    integer, intent(in) :: dim\n"),
                _ => {}
            }
            let _ = writeln!(
                text,
                "    {result}\n    integer :: p(size(array)), q(size(array)), n, width, left, i, j, k, e"
            );
            let _ =
                writeln!(text, "    n = size(array)\n    p = [(i, i = 1, n)]\n    width = 1\n    do while (width < n)");
            let _ =
                writeln!(text, "      do left = 1, n, 2*width\n        i = left\n        j = min(left + width, n + 1)");
            let _ = writeln!(text, "        e = min(left + 2*width, n + 1)\n        do k = left, e - 1");
            let _ = writeln!(
                text,
                "          if (i >= min(left + width, n + 1)) then\n            q(k) = p(j)\n            j = j + 1"
            );
            let _ = writeln!(text, "          else if (j >= e) then\n            q(k) = p(i)\n            i = i + 1");
            let _ = writeln!(
                text,
                "          else if (array(p(j)) {compare} array(p(i))) then\n            q(k) = p(j)\n            j = j + 1"
            );
            let _ = writeln!(text, "          else\n            q(k) = p(i)\n            i = i + 1\n          end if");
            let _ = writeln!(
                text,
                "        end do\n      end do\n      p = q\n      width = 2*width\n    end do\n    {assign}\n  end function"
            );
            self.code.push_str(&text);
        }
    }

    fn ilen(&mut self, (suffix, ty): &(&str, &str)) {
        let name = format!("ilen_{suffix}");
        self.specific("ilen", &name);
        let _ = writeln!(
            self.code,
            "  elemental function {name}(i) result(n)\n    {ty}, intent(in) :: i\n    integer :: n\n    \
             if (i < 0) then\n      n = bit_size(i) - leadz(not(i))\n    else\n      n = bit_size(i) - leadz(i)\n    \
             end if\n  end function"
        );
    }

    /// The inquiry subroutines on one processor: the array is its own template, and all of it is there.
    fn inquiry(&mut self, generic: &str, (suffix, ty): &(&str, &str)) {
        let name = format!("{generic}_{suffix}");
        self.specific(generic, &name);
        let (object, rows) = match generic {
            "hpf_alignment" => ("alignee", ALIGNMENT),
            "hpf_template" => ("alignee", TEMPLATE),
            _ => ("distributee", DISTRIBUTION),
        };
        let all: Vec<&str> = rows.iter().map(|r| r.0).collect();
        let mut text = format!("  pure subroutine {name}({object}, {})\n", all.join(", "));
        let _ = writeln!(text, "    {ty}, intent(in) :: {object}(:)");
        for (argument, of, _) in rows {
            let (of, dims) = of.strip_suffix("(:)").map_or((*of, ""), |of| (of, "(:)"));
            let _ = writeln!(text, "    {of}, intent(out), optional :: {argument}{dims}");
        }
        for (argument, of, value) in rows {
            let first = if of.ends_with("(:)") { "(1)" } else { "" };
            let value = value.replace("what", object);
            let _ = writeln!(text, "    if (present({argument})) {argument}{first} = {value}");
        }
        let _ = writeln!(text, "  end subroutine");
        self.code.push_str(&text);
    }
}

/// The arguments of the inquiry subroutines behind the first: the name, the type, the value for an array called `what`.
type Rows = &'static [(&'static str, &'static str, &'static str)];

const ALIGNMENT: Rows = &[
    ("lb", "integer(:)", "1"),
    ("ub", "integer(:)", "size(what)"),
    ("stride", "integer(:)", "1"),
    ("axis_map", "integer(:)", "1"),
    ("identity_map", "logical", ".true."),
    ("dynamic", "logical", ".false."),
    ("ncopies", "integer", "1"),
];

const TEMPLATE: Rows = &[
    ("template_rank", "integer", "1"),
    ("lb", "integer(:)", "1"),
    ("ub", "integer(:)", "size(what)"),
    ("axis_type", "character(*)(:)", "'NORMAL'"),
    ("axis_info", "integer(:)", "1"),
    ("number_aligned", "integer", "1"),
    ("dynamic", "logical", ".false."),
];

const DISTRIBUTION: Rows = &[
    ("axis_type", "character(*)(:)", "'COLLAPSED'"),
    ("axis_size", "integer(:)", "size(what)"),
    ("processors_rank", "integer", "1"),
    ("processors_shape", "integer(:)", "1"),
    ("plb", "integer(:)", "1"),
    ("pub", "integer(:)", "1"),
    ("pstride", "integer(:)", "0"),
    ("low_shadow", "integer(:)", "0"),
    ("high_shadow", "integer(:)", "0"),
];
