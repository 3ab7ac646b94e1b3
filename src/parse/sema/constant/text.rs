//! Character functions of constants.

use crate::constant::ops::compare_text;
use crate::constant::{MAX_LENGTH, Scalar};
use crate::intrinsic::Special;
use trueline_ir::{BinaryOp, Type};

type Outcome = Result<Scalar, String>;

fn bytes(s: &Scalar) -> Result<&[u8], String> {
    s.as_text().ok_or_else(|| "The argument must be CHARACTER".to_owned())
}

/// ACHAR and CHAR.
pub fn achar(s: &Scalar) -> Outcome {
    let code = s.as_int().and_then(|v| u8::try_from(v).ok());
    code.map(|c| Scalar::text(&[c])).ok_or_else(|| "The character code is outside of 0:255".to_owned())
}

/// ICHAR and IACHAR.
pub fn ichar(s: &Scalar, ty: Type) -> Outcome {
    match bytes(s)? {
        [c, ..] => Ok(Scalar::Int(ty, i64::from(*c))),
        [] => Err("The character constant is empty".to_owned()),
    }
}

/// LGE, LGT, LLE, LLT.
pub fn lexical(op: BinaryOp, s: &[Scalar]) -> Outcome {
    let order = compare_text(bytes(&s[0])?, bytes(&s[1])?);
    Ok(Scalar::logical(match op {
        BinaryOp::Ge => order.is_ge(),
        BinaryOp::Gt => order.is_gt(),
        BinaryOp::Le => order.is_le(),
        _ => order.is_lt(),
    }))
}

/// INDEX, SCAN, VERIFY: the position from 1, or 0.
pub fn search(what: Special, s: &[Scalar], ty: Type) -> Outcome {
    let (text, other) = (bytes(&s[0])?, bytes(&s[1])?);
    // The search is quadratic in the worst case; nobody writes such constants by hand.
    if text.len().saturating_mul(other.len()) > 1 << 28 {
        return Err("The character constants are too long".to_owned());
    }
    let back = s.get(2).and_then(Scalar::as_logical).unwrap_or(false);
    let hit = |k: usize| match what {
        Special::Index => text[k..].starts_with(other),
        Special::Scan => k < text.len() && other.contains(&text[k]),
        _ => k < text.len() && !other.contains(&text[k]),
    };
    let mut places = 0..text.len() + usize::from(what == Special::Index);
    let found = if back { places.rfind(|&k| hit(k)) } else { places.find(|&k| hit(k)) };
    Ok(Scalar::Int(ty, found.map_or(0, |k| k as i64 + 1)))
}

/// LEN_TRIM.
pub fn len_trim(s: &Scalar) -> Outcome {
    Ok(Scalar::int(trimmed(bytes(s)?).len() as i64))
}

/// TRIM.
pub fn trim(s: &Scalar) -> Outcome {
    Ok(Scalar::text(trimmed(bytes(s)?)))
}

fn trimmed(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&c| c != b' ').map_or(0, |k| k + 1);
    &text[..end]
}

/// ADJUSTL and ADJUSTR.
pub fn adjust(s: &Scalar, left: bool) -> Outcome {
    let text = bytes(s)?;
    let mut out = text.to_vec();
    if left {
        let blanks = text.iter().take_while(|&&c| c == b' ').count();
        out.rotate_left(blanks);
    } else {
        let blanks = text.len() - trimmed(text).len();
        out.rotate_right(blanks);
    }
    Ok(Scalar::text(&out))
}

/// REPEAT.
pub fn repeat(s: &[Scalar]) -> Outcome {
    let text = bytes(&s[0])?;
    let count = s[1].as_int().and_then(|n| usize::try_from(n).ok());
    let count = count.ok_or_else(|| "NCOPIES must not be negative".to_owned())?;
    if text.len().saturating_mul(count) > MAX_LENGTH {
        return Err("The character constant is too long".to_owned());
    }
    Ok(Scalar::text(&text.repeat(count)))
}
