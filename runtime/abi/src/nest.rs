//! Loop nests on ranks: the table that the compiler hands to the runtime, from which both sides know who executes which iteration and which
//! elements have to be sent before it.
//!
//! The compiler hands a [`Nest`] over as a row of 64-bit integers ([`Nest::encode`]), a constant of the program. Everything that is known
//! only when the nest is reached stands in an array of values: first the handles of the mapped arrays, then numbers that bounds and
//! subscripts are made of. The runtime adds its answers behind them ([`Nest::answers`]): four numbers for each loop, two for each guard, and the number of
//! parts, if it has some.

/// The numbers of a loop among the answers: first value, last value, step, and whether the rank has each of these iterations, 0 or 1.
pub const PER_LOOP: usize = 4;
/// The numbers of a guard among the answers: the least and the greatest value of the loop's variable.
pub const PER_GUARD: usize = 2;
/// The answer for a part without iterations: greater than the upper limit, which is 0.
pub const NOTHING: (i64, i64) = (1, 0);

/// MAX, as an operation of `trueline_ranks_reduce`.
pub const MAX: i64 = 0;
/// MIN, as an operation of `trueline_ranks_reduce`.
pub const MIN: i64 = 1;

/// A phase of `trueline_ranks_carry`: before the nest.
pub const CARRY_IN: i64 = 0;
/// A phase of `trueline_ranks_carry`: behind the nest, to the next rank.
pub const CARRY_ON: i64 = 1;
/// A phase of `trueline_ranks_carry`: behind the nest, to all ranks.
pub const CARRY_ALL: i64 = 2;

/// A loop nest, or a statement alone.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Nest {
    /// The number of mapped arrays; their handles are the first values.
    pub arrays: usize,
    /// The number of values, handles included; the answers begin behind them.
    pub values: usize,
    /// The loops, outer ones before the loops in them.
    pub loops: Vec<Loop>,
    /// The statements and conditions.
    pub statements: Vec<Statement>,
    /// The order of the ranks, if results go from one to the next.
    pub carried: Option<Carried>,
    /// The loop whose iterations may be executed in parts, in any order: those first that need no elements on their way.
    pub parted: Option<usize>,
    /// Whether it only stands for strips that follow: nothing of it is executed, but all elements are sent that the strips need and that are there.
    pub is_ahead: bool,
}

/// A nest whose results go from rank to rank: they have the iterations of one loop one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carried {
    /// A statement that each of these ranks executes.
    pub statement: usize,
    /// The loop along which owners follow one another.
    pub along: usize,
    /// Whether each rank may as well execute everything where all have all elements.
    pub may_be_whole: bool,
}

/// A loop of a nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The loop around it.
    pub parent: Option<usize>,
    /// The first value.
    pub lo: Affine,
    /// The last value.
    pub hi: Affine,
    /// The step, not 0.
    pub step: i64,
}

impl Loop {
    /// Whether its bounds are the same in all iterations of the loops around it.
    pub fn is_fixed(&self) -> bool {
        self.lo.terms.is_empty() && self.hi.terms.is_empty()
    }
}

/// The sum of a value and multiples of loop variables.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Affine {
    /// Loops and factors.
    pub terms: Vec<(usize, i64)>,
    /// The number of the value.
    pub value: usize,
}

/// A subscript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subscript {
    /// Any subscript of the dimension.
    Any,
    /// A sum.
    Of(Affine),
    /// One of several sums, as CSHIFT goes on at the other end.
    Either(Vec<Affine>),
}

/// An element, or several, of a mapped array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// The number of the array.
    pub array: usize,
    /// One for each dimension.
    pub subscripts: Vec<Subscript>,
}

/// The ranks that execute a statement in an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Executed {
    /// All of them.
    ByAll,
    /// The owners of an element, which the statement may write.
    ByOwners {
        /// The element.
        of: Element,
        /// Whether the statement writes it.
        writes: bool,
    },
    /// In these loops the ranks that execute anything of the iteration, in the other loops around it all.
    ByUsers(Vec<usize>),
}

/// A statement or a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The innermost loop around it.
    pub inner: Option<usize>,
    /// The ranks that execute it.
    pub executed: Executed,
    /// The loops whose variable a guard around it compares; a statement outside of all loops may have one guard all the same.
    pub guards: Vec<usize>,
    /// The elements that it reads.
    pub reads: Vec<Element>,
    /// The numbers of the reads of elements that other ranks may store to in the nest: they come when these ranks are through.
    pub late: Vec<usize>,
}

impl Nest {
    /// The number of the answers.
    pub fn answers(&self) -> usize {
        let guards: usize = self.statements.iter().map(|s| s.guards.len()).sum();
        self.loops.len() * PER_LOOP + guards * PER_GUARD + usize::from(self.parted.is_some())
    }

    /// Whether ranks wait for elements that others compute in the nest.
    pub fn sweeps(&self) -> bool {
        self.statements.iter().any(|s| !s.late.is_empty())
    }

    /// The loops around a statement whose innermost one is `inner`, from there outwards.
    pub fn chain(&self, inner: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(inner, |&l| self.loops.get(l).and_then(|l| l.parent))
    }

    /// The answers on one rank, which executes everything.
    pub fn alone(&self, values: &[i64]) -> Vec<i64> {
        let value = |a: &Affine| values.get(a.value).copied().unwrap_or(0);
        let mut out = Vec::with_capacity(self.answers());
        for l in &self.loops {
            match l.is_fixed() {
                true => out.extend([value(&l.lo), value(&l.hi), l.step, 1]),
                false => out.extend([i64::MIN, i64::MAX, l.step, 1]),
            }
        }
        for _ in self.statements.iter().flat_map(|s| &s.guards) {
            out.extend([i64::MIN, i64::MAX]);
        }
        out.extend(self.parted.map(|_| 1));
        out
    }

    /// The nest as numbers.
    pub fn encode(&self) -> Vec<i64> {
        let mut out = vec![self.arrays as i64, self.values as i64, self.loops.len() as i64];
        for l in &self.loops {
            out.push(index(l.parent));
            affine(&l.lo, &mut out);
            affine(&l.hi, &mut out);
            out.push(l.step);
        }
        out.push(self.statements.len() as i64);
        for s in &self.statements {
            out.push(index(s.inner));
            match &s.executed {
                Executed::ByAll => out.push(0),
                Executed::ByOwners { of, writes } => {
                    out.extend([1, i64::from(*writes)]);
                    element(of, &mut out);
                }
                Executed::ByUsers(loops) => {
                    out.push(2);
                    list(loops, &mut out);
                }
            }
            list(&s.guards, &mut out);
            out.push(s.reads.len() as i64);
            s.reads.iter().for_each(|r| element(r, &mut out));
            list(&s.late, &mut out);
        }
        out.push(index(self.carried.map(|c| c.statement)));
        if let Some(c) = &self.carried {
            out.extend([c.along as i64, i64::from(c.may_be_whole)]);
        }
        out.extend([index(self.parted), i64::from(self.is_ahead)]);
        out
    }

    /// The nest that the numbers mean; none if they mean none.
    pub fn decode(numbers: &[i64]) -> Option<Nest> {
        let mut from = Numbers(numbers.iter());
        let (arrays, values, count) = (from.count()?, from.count()?, from.count()?);
        let mut nest = Nest { arrays, values, ..Nest::default() };
        for number in 0..count {
            let parent = from.index()?;
            let (lo, hi, step) = (from.affine()?, from.affine()?, from.next()?);
            let outer = lo.terms.iter().chain(&hi.terms).map(|t| t.0).chain(parent).all(|l| l < number);
            if !outer || step == 0 {
                return None;
            }
            nest.loops.push(Loop { parent, lo, hi, step });
        }
        for _ in 0..from.count()? {
            let inner = from.index()?;
            let executed = match from.next()? {
                0 => Executed::ByAll,
                1 => {
                    let writes = from.next()? != 0;
                    Executed::ByOwners { of: from.element()?, writes }
                }
                _ => Executed::ByUsers(from.list()?),
            };
            let guards = from.list()?;
            let reads = (0..from.count()?).map(|_| from.element()).collect::<Option<_>>()?;
            let late = from.list()?;
            nest.statements.push(Statement { inner, executed, guards, reads, late });
        }
        if let Some(statement) = from.index()? {
            let along = from.count()?;
            nest.carried = Some(Carried { statement, along, may_be_whole: from.next()? != 0 });
        }
        nest.parted = from.index()?;
        nest.is_ahead = from.next()? != 0;
        nest.is_sound().then_some(nest)
    }

    /// Whether all numbers of loops, arrays and values are ones that there are.
    fn is_sound(&self) -> bool {
        let loops = self.loops.len();
        let affine = |a: &Affine| a.value < self.values && a.terms.iter().all(|t| t.0 < loops);
        let element = |e: &Element| {
            let fits = |s: &Subscript| match s {
                Subscript::Any => true,
                Subscript::Of(a) => affine(a),
                Subscript::Either(all) => all.iter().all(affine),
            };
            e.array < self.arrays && e.subscripts.iter().all(fits)
        };
        self.arrays <= self.values
            && self.carried.is_none_or(|c| c.statement < self.statements.len() && c.along < loops)
            && self.parted.is_none_or(|l| l < loops)
            && self.loops.iter().all(|l| affine(&l.lo) && affine(&l.hi))
            && self.statements.iter().all(|s| {
                let owners = match &s.executed {
                    Executed::ByOwners { of, .. } => element(of),
                    Executed::ByUsers(users) => users.iter().all(|&l| l < loops),
                    Executed::ByAll => true,
                };
                let late = s.late.iter().all(|&k| k < s.reads.len());
                owners && late && s.inner.is_none_or(|l| l < loops) && s.reads.iter().all(element)
            })
    }
}

fn index(of: Option<usize>) -> i64 {
    of.map_or(-1, |l| l as i64)
}

fn list(items: &[usize], out: &mut Vec<i64>) {
    out.push(items.len() as i64);
    out.extend(items.iter().map(|&l| l as i64));
}

fn affine(a: &Affine, out: &mut Vec<i64>) {
    out.push(a.terms.len() as i64);
    out.extend(a.terms.iter().flat_map(|&(l, k)| [l as i64, k]));
    out.push(a.value as i64);
}

fn element(e: &Element, out: &mut Vec<i64>) {
    out.extend([e.array as i64, e.subscripts.len() as i64]);
    for s in &e.subscripts {
        match s {
            Subscript::Any => out.push(-1),
            Subscript::Of(a) => affine(a, out),
            Subscript::Either(all) => {
                out.extend([-2, all.len() as i64]);
                all.iter().for_each(|a| affine(a, out));
            }
        }
    }
}

/// Numbers that are read one after the other.
struct Numbers<'a>(std::slice::Iter<'a, i64>);

impl Numbers<'_> {
    fn next(&mut self) -> Option<i64> {
        self.0.next().copied()
    }

    /// A count of things that follow, each of a number at least, or an index.
    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.next()?).ok().filter(|&n| n <= 1 << 20)
    }

    fn index(&mut self) -> Option<Option<usize>> {
        match self.next()? {
            -1 => Some(None),
            l => Some(Some(usize::try_from(l).ok()?)),
        }
    }

    fn list(&mut self) -> Option<Vec<usize>> {
        (0..self.count()?).map(|_| self.count()).collect()
    }

    fn terms(&mut self, count: i64) -> Option<Affine> {
        let terms = (0..count).map(|_| Some((self.count()?, self.next()?))).collect::<Option<_>>()?;
        Some(Affine { terms, value: self.count()? })
    }

    fn affine(&mut self) -> Option<Affine> {
        let count = self.next()?;
        self.terms(count)
    }

    fn element(&mut self) -> Option<Element> {
        let array = self.count()?;
        let subscripts = (0..self.count()?)
            .map(|_| match self.next()? {
                -1 => Some(Subscript::Any),
                -2 => {
                    let all = (0..self.count()?).map(|_| self.affine()).collect::<Option<_>>()?;
                    Some(Subscript::Either(all))
                }
                count => self.terms(count).map(Subscript::Of),
            })
            .collect::<Option<_>>()?;
        Some(Element { array, subscripts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Nest {
        let at = |terms: &[(usize, i64)], value| Affine { terms: terms.to_vec(), value };
        let element = |subscripts| Element { array: 0, subscripts };
        Nest {
            arrays: 1,
            values: 4,
            loops: vec![
                Loop { parent: None, lo: at(&[], 1), hi: at(&[], 2), step: 1 },
                Loop { parent: Some(0), lo: at(&[(0, 1)], 3), hi: at(&[], 2), step: -2 },
            ],
            statements: vec![
                Statement {
                    inner: Some(1),
                    executed: Executed::ByOwners {
                        of: element(vec![Subscript::Of(at(&[(1, -1)], 3)), Subscript::Any]),
                        writes: true,
                    },
                    guards: vec![0],
                    reads: vec![
                        element(vec![Subscript::Any, Subscript::Of(at(&[], 2))]),
                        element(vec![Subscript::Either(vec![at(&[(1, 1)], 2), at(&[], 3)]), Subscript::Any]),
                    ],
                    late: vec![0],
                },
                Statement {
                    inner: Some(0),
                    executed: Executed::ByUsers(vec![0]),
                    guards: vec![],
                    reads: vec![],
                    late: vec![],
                },
                Statement { inner: None, executed: Executed::ByAll, guards: vec![], reads: vec![], late: vec![] },
            ],
            carried: Some(Carried { statement: 1, along: 0, may_be_whole: true }),
            parted: Some(0),
            is_ahead: true,
        }
    }

    #[test]
    fn numbers_mean_the_nest() {
        let nest = sample();
        assert_eq!(Nest::decode(&nest.encode()), Some(nest.clone()));
        assert_eq!(nest.answers(), 11);
        assert_eq!(nest.alone(&[0, 5, 9, 0]), [5, 9, 1, 1, i64::MIN, i64::MAX, -2, 1, i64::MIN, i64::MAX, 1]);
    }

    #[test]
    fn damaged_numbers_mean_nothing() {
        let numbers = sample().encode();
        for cut in 0..numbers.len() {
            assert_eq!(Nest::decode(&numbers[..cut]), None, "{cut}");
            for wrong in [-7, 99, i64::MAX] {
                let mut damaged = numbers.clone();
                damaged[cut] = wrong;
                if let Some(nest) = Nest::decode(&damaged) {
                    assert!(nest.is_sound());
                }
            }
        }
    }
}
