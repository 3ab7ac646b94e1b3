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
const NUMBERS: [Number; 19] = [
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
    Number::Complex(16),
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
    /// An assumed-shape array of [`EXTENT`] elements.
    Shape,
    /// OPTIONAL, and given or not.
    Optional(bool),
    /// OPTIONAL with VALUE, a number, and given or not; not in C.
    OptionalValue(bool),
}

/// The elements of each array that is passed.
pub const EXTENT: usize = 2;

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

/// Whether it is a number for gfortran: a character has no flag.
fn is_plain(ty: &Type) -> bool {
    matches!(ty, Type::Number(number) if *number != Number::Character)
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
        // Descriptors and flags make another convention of our own, and code between both.
        let has_descriptors = rng.chance(40);
        let mut arguments: Vec<(Type, By)> = (0..rng.range(0, most))
            .map(|_| {
                let by = if rng.chance(75) { By::Value } else { By::Reference };
                let ty = of(&mut rng, 45);
                let by = match rng.below(8) {
                    0 if has_descriptors => By::Shape,
                    1 if has_descriptors => By::Optional(rng.chance(50)),
                    2 if has_descriptors && !is_c && is_plain(&ty) => By::OptionalValue(rng.chance(50)),
                    _ => by,
                };
                (ty, by)
            })
            .collect();
        // gfortran 12 looks for the flags behind the lengths of characters, where its callers do not put them.
        if arguments.iter().any(|(ty, _)| matches!(ty, Type::Number(Number::Character))) {
            for (_, by) in arguments.iter_mut().filter(|(_, by)| matches!(by, By::OptionalValue(_))) {
                *by = By::Value;
            }
        }
        let result = if rng.chance(80) { Some(of(&mut rng, 65)) } else { None };
        Signature { is_c, arguments, result }
    };
    Program { structures, signatures: (0..count).map(signature).collect() }
}
