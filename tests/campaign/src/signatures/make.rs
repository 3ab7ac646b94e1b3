//! Signatures from seeds.

use crate::rng::Rng;

/// The type of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// A size in bytes.
    Integer(u8),
    /// A size in bytes.
    Real(u8),
    /// Two reals, each of a size in bytes.
    Complex(u8),
    /// One character.
    Character,
    /// One byte.
    Logical,
}

/// All types of numbers, as likely as they are often here.
const NUMBERS: [Number; 18] = [
    Number::Integer(1),
    Number::Integer(2),
    Number::Integer(4),
    Number::Integer(4),
    Number::Integer(4),
    Number::Integer(8),
    Number::Integer(8),
    Number::Real(4),
    Number::Real(4),
    Number::Real(4),
    Number::Real(8),
    Number::Real(8),
    Number::Real(8),
    Number::Real(16),
    Number::Complex(4),
    Number::Complex(8),
    Number::Character,
    Number::Logical,
];

/// A part of a structure, or an argument.
#[derive(Clone, Debug)]
pub enum Type {
    /// A number.
    Number(Number),
    /// Equal numbers; only in structures.
    Numbers(Number, usize),
    /// The structure with that index in the program.
    Structure(usize),
}

/// The way in which an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// VALUE.
    Value,
    /// The default.
    Reference,
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Whether it has BIND(C); else C does not take part.
    pub is_c: bool,
    /// Its arguments.
    pub arguments: Vec<(Type, By)>,
    /// The result; none of a subroutine.
    pub result: Option<Type>,
}

/// The signatures of one program, and the structures in them.
#[derive(Clone, Debug)]
pub struct Program {
    /// The parts of each structure; those with inner ones come later.
    pub structures: Vec<Vec<Type>>,
    /// The procedures.
    pub signatures: Vec<Signature>,
}

fn structure(rng: &mut Rng, before: usize) -> Vec<Type> {
    // Equal numbers have rules of their own.
    if rng.chance(40) {
        let number =
            rng.pick(&[Number::Real(4), Number::Real(8), Number::Real(16), Number::Complex(4), Number::Complex(8)]);
        return (0..rng.range(1, 5)).map(|_| Type::Number(number)).collect();
    }
    let most = rng.pick(&[1, 2, 2, 3, 3, 4, 6]);
    (0..rng.range(1, most))
        .map(|_| {
            let number = rng.pick(&NUMBERS);
            match rng.below(10) {
                0 | 1 => Type::Numbers(number, rng.range(1, 4) as usize),
                2 if before > 0 => Type::Structure(rng.below(before)),
                _ => Type::Number(number),
            }
        })
        .collect()
}

/// The program of a seed with `count` signatures.
pub fn program(seed: u64, count: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x51_67a7);
    let structures: Vec<Vec<Type>> = (0..8).fold(Vec::new(), |mut all, k| {
        all.push(structure(&mut rng, k));
        all
    });
    let of = |rng: &mut Rng, structures_of_100: u64| match rng.chance(structures_of_100) {
        true => Type::Structure(rng.below(8)),
        false => Type::Number(rng.pick(&NUMBERS)),
    };
    let signature = |_| {
        let is_c = rng.chance(70);
        // Long lists use up the registers.
        let most = rng.pick(&[2, 4, 8, 14]);
        let arguments = (0..rng.range(0, most))
            .map(|_| {
                let by = if rng.chance(75) { By::Value } else { By::Reference };
                (of(&mut rng, 45), by)
            })
            .collect();
        let result = if rng.chance(80) { Some(of(&mut rng, 65)) } else { None };
        Signature { is_c, arguments, result }
    };
    Program { structures, signatures: (0..count).map(signature).collect() }
}
