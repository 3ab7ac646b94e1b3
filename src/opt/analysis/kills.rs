//! Summaries of the changes that constructs make: a few heads stand for all statements in a construct.
//!
//! In a chain of `n` ELSE IF each arm is inside the one before. Visiting every statement of each of them would take
//! time that grows with the square of `n`.

use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;
use trueline_ir::{Expr, Head, Stmt, Sym, Type, Unit};

/// Constructs with more different changes than this get no summary.
const MOST: usize = 48;

/// The changes of a construct.
#[derive(Clone)]
pub(crate) struct Sum {
    /// Heads of the program, the construct's own included; one for all heads of the same effect.
    pub(crate) real: Box<[Head]>,
    /// Heads of counting code; none if they are too many. They are separate because a profiled build must know as much
    /// about the program's heads as a plain one.
    pub(crate) counting: Option<Box<[Head]>>,
}

/// A summary being made; none if it grew too long.
type Heads = Option<SmallVec<[Head; 8]>>;

/// The summaries of constructs; none for constructs with too many different changes.
pub(crate) struct Kills(SecondaryMap<Stmt, Option<Box<Sum>>>);

impl Kills {
    pub(crate) fn of(u: &Unit) -> Kills {
        let mut kills = Kills(SecondaryMap::new());
        // Inner constructs come first.
        for s in u.walk().into_iter().rev().filter(|&s| !u.blocks(s).is_empty()) {
            let (mut real, mut counting): (Heads, Heads) = (Some(SmallVec::new()), Some(SmallVec::new()));
            let mut add_one = |head: Head| add(u, head, if head.is_invisible() { &mut counting } else { &mut real });
            add_one(u.head(s));
            let mut known = true;
            for x in u.blocks(s).iter().flat_map(|&b| u.stmts(b)) {
                match &kills.0[x] {
                    Some(sum) => {
                        sum.real.iter().for_each(|&h| add_one(h));
                        match &sum.counting {
                            Some(heads) => heads.iter().for_each(|&h| add_one(h)),
                            None => known = false,
                        }
                    }
                    None if u.blocks(x).is_empty() => add_one(u.head(x)),
                    None => known = false,
                }
            }
            let inner = u.blocks(s).iter().flat_map(|&b| u.stmts(b));
            let all =
                inner.filter(|&x| !u.head(x).is_invisible()).all(|x| u.blocks(x).is_empty() || kills.0[x].is_some());
            kills.0[s] = real.filter(|_| all).map(|real| {
                let counting = counting.filter(|_| known).map(|c| c.into_vec().into_boxed_slice());
                Box::new(Sum { real: real.into_vec().into_boxed_slice(), counting })
            });
        }
        kills
    }

    /// The changes of `s`; none if they are too many, or if `s` is new.
    pub(crate) fn of_construct(&self, s: Stmt) -> Option<&Sum> {
        self.0[s].as_deref()
    }
}

/// Adds `head` to `sum` unless one of the same effect is there.
fn add(u: &Unit, head: Head, sum: &mut Heads) {
    let Some(heads) = sum else { return };
    let same = |other: &Head| changed(u, *other) == changed(u, head);
    if changes_nothing(head) || heads.iter().any(same) {
        return;
    }
    heads.push(head);
    if heads.len() > MOST {
        *sum = None;
    }
}

/// The change of a head, as far as facts distinguish it.
#[derive(PartialEq)]
enum Changed {
    Register(Sym),
    Memory(Expr),
    Address(Sym, Expr, i32, Type),
    Other(Head),
}

fn changed(u: &Unit, head: Head) -> Changed {
    match head {
        Head::Assign { place, .. } if u.defines(head).is_none() => Changed::Memory(place),
        Head::Assign { .. } | Head::Do { .. } | Head::Ghost { .. } => {
            u.defines(head).map_or(Changed::Other(head), Changed::Register)
        }
        Head::Store { addr, offset, value, sym } => Changed::Address(sym, addr, offset, u.ty(value)),
        _ => Changed::Other(head),
    }
}

fn changes_nothing(head: Head) -> bool {
    matches!(
        head,
        Head::If { .. }
            | Head::Select { .. }
            | Head::DoWhile { .. }
            | Head::GhostIf { .. }
            | Head::GhostDo { .. }
            | Head::Tally { .. }
            | Head::Bracket { .. }
            | Head::Trips { .. }
            | Head::Probe { .. }
            | Head::Label(_)
            | Head::Goto(_)
            | Head::Return
    )
}

#[cfg(test)]
mod tests {
    use super::Kills;
    use trueline_ir::{Head, parse_unit};

    #[test]
    fn one_for_all_of_the_same_effect() {
        let u = parse_unit(
            "program p h @0\narea blk_ size 72 align 8 common\nr8 c(9) static blk_\ni4 i, k\nif i > 0 @1\nk = 1 @2\nc(2) = 1.0 @3\nelse\nif i > 1 @4\nk = 2 @5\nend\nc(2) = 2.0 @6\nend\n",
        );
        let u = u.expect("it is a unit");
        let outer = u.stmts(u.body()).next().expect("an IF");
        let kills = Kills::of(&u);
        let sum = kills.of_construct(outer).expect("a sum");
        assert_eq!(sum.real.len(), 2);
        assert!(sum.real.iter().all(|h| matches!(h, Head::Assign { .. })));
    }
}
