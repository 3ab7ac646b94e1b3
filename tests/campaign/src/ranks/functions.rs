//! PURE and ELEMENTAL procedures in random HPF programs: values that go through them before they are stored.
//!
//! They are put into programs that are there already, by random numbers of their own, so half of the programs of seeds stay as they were.

use super::{File, Piece};
use crate::rng::Rng;

/// The procedures, for the module. None has mapped arrays but `sighted`, and values stay small. Some call others; some have conditionals and loops.
pub const TEXT: &str = "\
elemental real(8) function mild(v)
real(8), intent(in) :: v
mild = v / 2 + 0.25d0
end function
elemental real(8) function limited(v)
real(8), intent(in) :: v
if (v > 4) then
limited = 3 + v / 8
else if (v < -2) then
limited = mild(v)
else
limited = v
end if
end function
pure real(8) function chosen(v, u) result(r)
real(8), intent(in) :: v, u
real(8) :: k
k = u
select case (mod(int(abs(v)), 4))
case (1)
k = mild(u)
case (2, 3)
k = k / 4
end select
r = v / 2 + k
end function
pure real(8) function looped(v)
real(8), intent(in) :: v
integer :: k
looped = v
do k = 1, 3
if (looped > 1) looped = looped / 2
end do
end function
elemental real(8) function early(v)
real(8), intent(in) :: v
early = v / 2
if (v > 3) then
if (v > 5) return
early = early + 1
else if (v < 0) then
early = 0.5d0
return
end if
early = early * 0.75d0
end function
elemental real(8) function sighted(v)
real(8), intent(in) :: v
sighted = v / 2 + y(1) / 8 + nn / 64d0
end function
elemental subroutine put(to, v)
real(8), intent(inout) :: to
real(8), intent(in) :: v
if (v > 3) then
to = v / 2
else
to = to / 4 + v / 2
end if
end subroutine";

/// Puts calls into half of the programs.
pub fn add(seed: u64, files: &mut [File]) {
    let mut rng = Rng::new(seed ^ 0x50_55_52_45);
    if !rng.chance(50) {
        return;
    }
    let often = rng.pick(&[15, 40, 80]);
    for file in files.iter_mut() {
        file.pieces.iter_mut().for_each(|p| change(&mut rng, often, 0, p));
    }
    let contains = |p: &Piece| p.head == "contains";
    if let Some(at) = files.first().and_then(|f| f.pieces.iter().position(contains)) {
        files[0].pieces.insert(at + 1, Piece::fixed(TEXT));
    }
}

/// Changes the assignments in a piece, in `loops` loops.
fn change(rng: &mut Rng, often: u64, loops: usize, p: &mut Piece) {
    if !p.fixed
        && p.inside.is_empty()
        && rng.chance(often)
        && let Some(text) = changed(rng, &p.head, loops > 0)
    {
        p.head = text;
    }
    let inner = loops + usize::from(p.head.starts_with("do "));
    let is_where = p.head.starts_with("where");
    p.inside.iter_mut().filter(|_| !is_where).for_each(|p| change(rng, often, inner, p));
}

/// An assignment to elements, with its value through a procedure.
fn changed(rng: &mut Rng, text: &str, in_loop: bool) -> Option<String> {
    let (left, value) = parts(text)?;
    let is_plain = left.find('(').is_some_and(|at| left[..at].chars().all(char::is_alphanumeric));
    let is_scalar = in_loop && is_plain && !left.contains(':') && !left.contains("(q)");
    let may_change = is_plain && !left.contains("(q");
    let kinds: &[&str] = match (is_scalar, may_change) {
        (true, true) => &["mild", "limited", "early", "chosen", "looped", "sighted", "put"],
        (true, false) => &["mild", "limited", "early", "chosen"],
        (false, true) => &["mild", "limited", "early", "put"],
        (false, false) => &["mild", "limited", "early"],
    };
    Some(match rng.pick(kinds) {
        "put" => format!("call put({left}, {value})"),
        "chosen" => match rng.chance(50) {
            true => format!("{left} = chosen({value}, {left})"),
            false => format!("{left} = chosen({left}, {value}) / 2"),
        },
        name => match !is_plain || rng.chance(50) {
            true => format!("{left} = {name}({value})"),
            false => format!("{left} = {name}({left}) / 2 + ({value}) / 2"),
        },
    })
}

/// The two sides of an assignment to elements; none if the line is something else.
fn parts(text: &str) -> Option<(&str, &str)> {
    if text.contains('\n') || text.starts_with('!') {
        return None;
    }
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '=' if depth == 0 => {
                let (left, value) = (text[..at].trim_end(), text[at + 1..].trim_start());
                return left.ends_with(')').then_some((left, value));
            }
            _ => {}
        }
    }
    None
}
