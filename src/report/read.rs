//! Reading a profile that anybody may have written, or cut.

use trueline_abi::profile::{Profile, SCHEMA};

/// Why a profile cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// It is not JSON of the right shape.
    Malformed(String),
    /// It is of another version.
    Schema(String),
    /// It contradicts itself.
    Inconsistent(String),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadError::Malformed(what) => write!(f, "Not a profile: {what}"),
            ReadError::Schema(found) => {
                write!(f, "Profile of schema '{}' where '{SCHEMA}' is read", crate::safe(found))
            }
            ReadError::Inconsistent(what) => write!(f, "Inconsistent profile: {what}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a profile.
///
/// # Errors
/// If the bytes are no profile, one of another version, or one that contradicts itself.
pub fn read(bytes: &[u8]) -> Result<Profile, ReadError> {
    let value: serde_json::Value = serde_json::from_slice(bytes).map_err(|e| ReadError::Malformed(e.to_string()))?;
    match value.get("schema").and_then(|s| s.as_str()) {
        Some(SCHEMA) => {}
        Some(other) => return Err(ReadError::Schema(other.to_owned())),
        None => return Err(ReadError::Malformed("there is no field 'schema'".to_owned())),
    }
    let profile: Profile = serde_json::from_value(value).map_err(|e| ReadError::Malformed(e.to_string()))?;
    check(&profile)?;
    Ok(profile)
}

/// References that reports follow must lead somewhere.
fn check(profile: &Profile) -> Result<(), ReadError> {
    let mut serials = std::collections::BTreeSet::new();
    for c in &profile.constructs {
        if !serials.insert(c.serial) {
            return Err(ReadError::Inconsistent(format!("serial {} stands twice", c.serial)));
        }
    }
    for c in &profile.constructs {
        for &s in c.parent.iter().chain(&c.merged_with) {
            if !serials.contains(&s) {
                return Err(ReadError::Inconsistent(format!("construct {} names {s}, which there is not", c.serial)));
            }
        }
        if c.parent.is_some_and(|p| p >= c.serial) {
            return Err(ReadError::Inconsistent(format!("construct {} stands before its parent", c.serial)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals() {
        assert!(matches!(read(b""), Err(ReadError::Malformed(_))));
        assert!(matches!(read(b"{}"), Err(ReadError::Malformed(_))));
        assert!(matches!(read(br#"{"schema":"trueline-profile/9"}"#), Err(ReadError::Schema(_))));
        let profile = Profile { schema: SCHEMA.into(), ..Profile::default() };
        let json = serde_json::to_vec(&profile).unwrap();
        assert_eq!(read(&json).unwrap(), profile);
        for cut in 0..json.len() {
            assert!(read(&json[..cut]).is_err(), "a profile cut at {cut} was read");
        }
    }
}
