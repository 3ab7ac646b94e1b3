//! The processor that code is made for, as `-march=`, `-mcpu=` and the switches of single extensions (`-mavx`, `-mno-fma`) name it.
//!
//! Without them code runs on every processor of the target: on x86-64 those with SSE2, on AArch64 those with NEON. Names are
//! gfortran's. Cranelift knows which extensions a processor has; with AVX2 vectors have up to 256 bits ([`crate::wide`]).

use crate::{Error, Options};
use cranelift_codegen::CompiledCode;
use cranelift_codegen::ir::TrapCode;
use cranelift_codegen::isa::{Builder, OwnedTargetIsa, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use target_lexicon::{Architecture, Triple};
use trueline_ir::OptLevel;

/// The extensions of the instruction set that code may use.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Processor {
    model: Model,
    /// Settings of Cranelift that hold whatever the model has, in the order of the command line.
    extensions: Vec<(&'static str, bool)>,
    /// The bytes of the longest vectors that are wanted, if the command line says.
    vectors: Option<usize>,
}

/// A processor.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
enum Model {
    /// All of the target.
    #[default]
    Any,
    /// The one of this machine.
    Native,
    /// The one that Cranelift knows by this name. Its lists leave out settings that others in them build on (x86-64-v3 has FMA without
    /// AVX, x86-64-v4 lacks the foundation of AVX-512), and then it uses neither.
    Named { name: String, lacks: Vec<&'static str>, divides_long: bool },
}

/// The extensions of x86-64 by gfortran's names: Cranelift's setting, and the name of the one that it builds on.
const X86: &[(&str, &str, &str)] = &[
    ("sse3", "has_sse3", ""),
    ("ssse3", "has_ssse3", "sse3"),
    ("sse4.1", "has_sse41", "ssse3"),
    ("sse4.2", "has_sse42", "sse4.1"),
    ("avx", "has_avx", "sse4.2"),
    ("avx2", "has_avx2", "avx"),
    ("fma", "has_fma", "avx"),
    ("avx512dq", "has_avx512dq", "avx512f"),
    ("avx512vl", "has_avx512vl", "avx512f"),
    ("avx512f", "has_avx512f", "avx2"),
    // Cranelift uses it where there is SSE4.2, too; all processors but one series have both or neither.
    ("popcnt", "has_popcnt", "sse4.2"),
    ("lzcnt", "has_lzcnt", ""),
    ("bmi", "has_bmi1", ""),
    ("bmi2", "has_bmi2", ""),
    ("cx16", "has_cmpxchg16b", ""),
];

/// The beginnings of processors' names on AArch64, the first one counts, and whether they have the atomic instructions of Armv8.1.
const ARM: &[(&str, bool)] = &[
    ("generic", false),
    ("cortex-a3", false),
    ("cortex-a53", false),
    ("cortex-a57", false),
    ("cortex-a72", false),
    ("cortex-a73", false),
    ("cortex-", true),
    ("neoverse-", true),
    ("ampere", true),
    ("apple-", true),
    ("a64fx", true),
    ("ares", true),
    ("demeter", true),
    ("zeus", true),
    ("saphira", true),
    ("tsv110", true),
    ("octeontx2", true),
    ("octeontx", false),
    ("thunderx", false),
    ("vulcan", false),
    ("exynos-", false),
    ("xgene", false),
    ("emag", false),
    ("falkor", false),
    ("qdf24xx", false),
    ("phecda", false),
];

/// Other names of extensions and of processors.
const ALIASES: &[(&str, &str)] = &[
    ("sse4", "sse4.2"),
    ("abm", "lzcnt"),
    ("x86-64", "baseline"),
    ("core-avx2", "haswell"),
    ("rocketlake", "icelake-client"),
    ("arrowlake", "alderlake"),
    ("lunarlake", "alderlake"),
    ("gracemont", "alderlake"),
    ("emeraldrapids", "sapphirerapids"),
    ("znver5", "znver4"),
];

impl Processor {
    /// Takes an option without its `-m`: `arch=haswell`, `cpu=native`, `avx2`, `no-fma`. False for a word that is no such option.
    ///
    /// # Errors
    /// A sentence about a processor that is unknown, or is not the target's.
    pub fn take(&mut self, option: &str, triple: &Triple) -> Result<bool, String> {
        let is_x86 = matches!(triple.architecture, Architecture::X86_64);
        if let Some(name) = option.strip_prefix("arch=").or_else(|| option.strip_prefix("cpu=").filter(|_| !is_x86)) {
            if name == "native" {
                if triple.architecture != Triple::host().architecture {
                    return Err(format!("'-m{option}' is about this machine, which '{triple}' is not"));
                }
                self.model = Model::Native;
            } else if is_x86 {
                self.model = named(name).ok_or_else(|| {
                    format!("There is no processor '{name}' (-m{option}): x86-64, x86-64-v2 to -v4, haswell, skylake, znver3, native …")
                })?;
            } else {
                self.extensions.extend(of_arm(name).ok_or_else(|| {
                    format!("There is no processor '{name}' (-m{option}): armv8-a, armv8.2-a, armv9-a, cortex-a72, neoverse-n1, native …")
                })?);
            }
            return Ok(true);
        }
        if let Some(bits) = option.strip_prefix("prefer-vector-width=").filter(|_| is_x86) {
            self.vectors = match bits {
                "none" => None,
                "128" => Some(16),
                "256" => Some(32),
                "512" => Some(64),
                _ => return Err(format!("Vectors have 'none', 128, 256 or 512 bits, not '{bits}' (-m{option})")),
            };
            return Ok(true);
        }
        // Schedules for one processor, and the only arithmetic there is.
        if option.starts_with("tune=") || (is_x86 && matches!(option, "fpmath=sse" | "sse" | "sse2")) {
            return Ok(true);
        }
        let (name, on) = option.strip_prefix("no-").map_or((option, true), |name| (name, false));
        let name = real(name);
        if !is_x86 || setting(name).is_none() {
            return Ok(false);
        }
        let related = X86.iter().filter(|(other, ..)| if on { builds_on(name, other) } else { builds_on(other, name) });
        self.extensions.extend(related.map(|(_, setting, _)| (*setting, on)));
        Ok(true)
    }

    /// The bytes of the longest vectors that code for `triple` should use: 16, 32 with AVX2, or 64 with AVX-512.
    pub fn vector_bytes(&self, triple: &Triple) -> usize {
        let isa = || {
            let mut builder = cranelift_codegen::isa::lookup(triple.clone()).ok()?;
            self.apply(&mut builder).ok()?;
            builder.finish(settings::Flags::new(settings::builder())).ok()
        };
        let is_any = self.model == Model::Any && self.extensions.is_empty();
        let longest = if is_any {
            crate::wide::SHORT
        } else {
            isa().map_or(crate::wide::SHORT, |isa| crate::wide::longest(&*isa))
        };
        longest.min(self.vectors.unwrap_or(64))
    }

    /// Whether a division of 64 bytes takes as long as one of 32, as the processor divides all lanes at once.
    pub fn divides_long(&self) -> bool {
        match &self.model {
            Model::Any => false,
            Model::Native => divides_long_here(),
            Model::Named { divides_long, .. } => *divides_long,
        }
    }

    /// Tells Cranelift.
    pub(crate) fn apply(&self, builder: &mut Builder) -> Result<(), Error> {
        let internal = |of: &str| Error::Internal(format!("Cranelift has no '{of}'"));
        match &self.model {
            Model::Any => {}
            Model::Native => cranelift_native::infer_native_flags(builder).map_err(internal)?,
            Model::Named { name, lacks, .. } => {
                builder.enable(name).map_err(|_| internal(name))?;
                for setting in lacks {
                    builder.set(setting, "true").map_err(|_| internal(setting))?;
                }
            }
        }
        for (setting, on) in &self.extensions {
            builder.set(setting, if *on { "true" } else { "false" }).map_err(|_| internal(setting))?;
        }
        Ok(())
    }
}

/// Whether this machine's processor is one of AMD's from Zen 5 on, which are of family 26 and later.
#[cfg(target_arch = "x86_64")]
fn divides_long_here() -> bool {
    use std::arch::x86_64::__cpuid;
    let (name, version) = (__cpuid(0), __cpuid(1).eax);
    let is_amd = [name.ebx, name.edx, name.ecx] == [b"Auth", b"enti", b"cAMD"].map(|&part| u32::from_le_bytes(part));
    // The family is one number for old processors, and the sum of two for those behind.
    let (family, extended) = (version >> 8 & 0xf, version >> 20 & 0xff);
    is_amd && family == 0xf && family + extended >= 26
}

#[cfg(not(target_arch = "x86_64"))]
fn divides_long_here() -> bool {
    false
}

/// The usual name of an extension or a processor.
fn real(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name)
}

/// Its row.
fn setting(extension: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    X86.iter().find(|(name, ..)| *name == extension)
}

/// Whether `extension` is `other` or has it beneath it.
fn builds_on(extension: &str, other: &str) -> bool {
    std::iter::successors(setting(extension), |(_, _, below)| setting(below)).any(|(name, ..)| *name == other)
}

/// The processor of x86-64 by its name.
fn named(name: &str) -> Option<Model> {
    let divides_long = name == "znver5";
    let name = real(name);
    let mut builder = cranelift_codegen::isa::lookup_by_name("x86_64").ok()?;
    // Cranelift's settings have names of their own that are no processors.
    let is_name = !name.starts_with("has_") && !name.starts_with("sse") && !name.starts_with("ssse");
    if !is_name || builder.enable(name).is_err() {
        return None;
    }
    let flags = settings::Flags::new(settings::builder());
    let flags = builder.finish(flags).ok()?.isa_flags();
    let has = |setting: &str| flags.iter().any(|f| f.name == setting && f.as_bool() == Some(true));
    // All processors with BMI2 have AVX2.
    let listed = |other: &str, setting: &str| has(setting) || (other == "avx2" && has("has_bmi2"));
    let needs = |name: &str| X86.iter().any(|(other, setting, _)| listed(other, setting) && builds_on(other, name));
    let lacks = X86.iter().filter(|(name, setting, _)| !has(setting) && needs(name)).map(|(_, setting, _)| *setting);
    Some(Model::Named { name: name.to_owned(), lacks: lacks.collect(), divides_long })
}

/// The settings of a processor or a version of AArch64, of which only atomic instructions make a difference to code.
fn of_arm(name: &str) -> Option<Vec<(&'static str, bool)>> {
    let (name, extensions) = name.split_once('+').unwrap_or((name, ""));
    let version = name.strip_prefix("armv").map(|v| v.trim_end_matches("-a").trim_end_matches("-r"));
    let is_newer = match version {
        Some(version) => match version.split_once('.').unwrap_or((version, "0")) {
            ("8", "0") => false,
            ("8" | "9", minor) if minor.parse::<u32>().is_ok() => true,
            _ => return None,
        },
        None => ARM.iter().find(|(known, _)| name.starts_with(known))?.1,
    };
    let has_atomics = is_newer || extensions.split('+').any(|e| e == "lse");
    Some(if has_atomics { vec![("has_lse", true)] } else { Vec::new() })
}

/// Whether an instruction rounds reals to whole numbers: on x86-64 since SSE4.1.
pub(crate) fn rounds(isa: &dyn TargetIsa) -> bool {
    let is_x86 = isa.triple().architecture == target_lexicon::Architecture::X86_64;
    !is_x86 || isa.isa_flags().iter().any(|f| f.name == "has_sse41" && f.as_bool() == Some(true))
}

/// The code, with the signal of divisions by zero that other compilers' code raises. Cranelift tests the divisor and
/// goes to an illegal instruction; a division of `ax` by `ah` replaces its two bytes and always faults, by zero or by
/// overflow.
pub(crate) fn with_faults(code: &CompiledCode, triple: &Triple) -> Vec<u8> {
    const ILLEGAL: [u8; 2] = [0x0f, 0x0b];
    const DIVISION: [u8; 2] = [0xf6, 0xf4];
    let mut bytes = code.code_buffer().to_vec();
    if triple.architecture == target_lexicon::Architecture::X86_64 {
        for trap in code.buffer.traps().iter().filter(|t| t.code == TrapCode::INTEGER_DIVISION_BY_ZERO) {
            let at = trap.offset as usize;
            if let Some(place) = bytes.get_mut(at..at + 2).filter(|b| **b == ILLEGAL) {
                place.copy_from_slice(&DIVISION);
            }
        }
    }
    bytes
}

/// The target's code generator with our settings and that register allocator.
pub(crate) fn isa(options: &Options, allocator: &str) -> Result<OwnedTargetIsa, Error> {
    let mut flags = settings::builder();
    let set = |flags: &mut settings::Builder, name: &str, value: &str| {
        flags.set(name, value).map_err(|e| Error::Internal(format!("{name}={value}: {e}")))
    };
    set(&mut flags, "opt_level", if options.level == OptLevel::O0 { "none" } else { "speed" })?;
    set(&mut flags, "regalloc_algorithm", allocator)?;
    set(&mut flags, "is_pic", "true")?;
    set(&mut flags, "enable_verifier", if options.verify { "true" } else { "false" })?;
    set(&mut flags, "enable_probestack", "true")?;
    set(&mut flags, "probestack_strategy", "inline")?;
    set(&mut flags, "unwind_info", "true")?;
    set(&mut flags, "machine_code_cfg_info", if options.level == OptLevel::O0 { "false" } else { "true" })?;
    let unsupported = |_| Error::Target(options.triple.to_string());
    let mut builder = cranelift_codegen::isa::lookup(options.triple.clone()).map_err(unsupported)?;
    options.processor.apply(&mut builder)?;
    builder.finish(settings::Flags::new(flags)).map_err(|e| Error::Internal(format!("{e:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(triple: &str, options: &[&str]) -> Result<Vec<String>, String> {
        let triple: Triple = triple.parse().unwrap();
        let mut processor = Processor::default();
        for option in options {
            processor.take(option, &triple)?;
        }
        let mut builder = cranelift_codegen::isa::lookup(triple).unwrap();
        processor.apply(&mut builder).unwrap();
        let flags = cranelift_codegen::settings::Flags::new(cranelift_codegen::settings::builder());
        let isa = builder.finish(flags).unwrap();
        let on = isa.isa_flags().into_iter().filter(|f| f.as_bool() == Some(true));
        Ok(on.map(|f| f.name.to_owned()).collect())
    }

    const X: &str = "x86_64-unknown-linux-gnu";
    const ARM: &str = "aarch64-unknown-linux-gnu";

    #[test]
    fn an_extension_has_those_below_it() {
        let on = flags(X, &["avx"]).unwrap();
        assert!(on.contains(&"has_avx".to_owned()) && on.contains(&"has_sse41".to_owned()), "{on:?}");
        assert!(!on.contains(&"has_avx2".to_owned()), "{on:?}");
        assert!(flags(X, &[]).unwrap().iter().all(|f| !f.starts_with("has_")));
    }

    #[test]
    fn without_an_extension_there_are_none_above_it() {
        for options in [["arch=haswell", "no-avx"], ["no-avx", "arch=haswell"]] {
            let on = flags(X, &options).unwrap();
            assert!(
                on.contains(&"has_sse42".to_owned()) && !on.iter().any(|f| f.contains("avx") || f == "has_fma"),
                "{on:?}"
            );
        }
    }

    #[test]
    fn processors_by_name() {
        assert!(flags(X, &["arch=x86-64"]).unwrap().iter().all(|f| !f.starts_with("has_")));
        for name in ["x86-64-v3", "x86-64-v4", "haswell", "skylake", "skylake-avx512", "alderlake", "znver1", "znver5"]
        {
            let on = flags(X, &[&format!("arch={name}")]).unwrap();
            assert!(
                ["has_fma", "has_avx", "has_popcnt", "has_sse42"].iter().all(|f| on.contains(&(*f).to_owned())),
                "{name}: {on:?}"
            );
        }
        let bytes = |options: &[&str]| {
            let triple: Triple = X.parse().unwrap();
            let mut processor = Processor::default();
            options.iter().for_each(|o| assert_eq!(processor.take(o, &triple), Ok(true)));
            processor.vector_bytes(&triple)
        };
        for (name, wanted) in
            [("x86-64-v2", 16), ("sandybridge", 16), ("x86-64-v3", 32), ("bdver4", 32), ("alderlake", 32)]
        {
            assert_eq!(bytes(&[&format!("arch={name}")]), wanted, "{name}");
        }
        for (name, wanted) in [("znver3", 32), ("znver4", 64), ("x86-64-v4", 64), ("skylake-avx512", 64)] {
            assert_eq!(bytes(&[&format!("arch={name}")]), wanted, "{name}");
        }
        assert_eq!(bytes(&["arch=x86-64-v4", "prefer-vector-width=256"]), 32);
        let divides_long =
            |name: &str| named(name).is_some_and(|m| matches!(m, Model::Named { divides_long: true, .. }));
        assert!(divides_long("znver5") && !divides_long("znver4") && !divides_long("sapphirerapids"));
        assert_eq!(bytes(&["prefer-vector-width=512"]), 16);
        assert!(flags(X, &["arch=pentium9"]).unwrap_err().contains("'pentium9'"));
        assert!(flags(X, &["arch=has_avx"]).is_err());
        assert!(flags(ARM, &["arch=armv8.2-a+fp16"]).unwrap().contains(&"has_lse".to_owned()));
        assert!(flags(ARM, &["cpu=cortex-a72"]).unwrap().iter().all(|f| f != "has_lse"));
        assert!(flags(ARM, &["arch=haswell"]).is_err());
        let other = if cfg!(target_arch = "aarch64") { X } else { ARM };
        assert!(flags(other, &["arch=native"]).unwrap_err().contains("this machine"));
        flags(if other == X { ARM } else { X }, &["arch=native"]).unwrap();
    }
}
