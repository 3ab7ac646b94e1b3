//! Faults of units that are compiled as several functions: no interpreter sees these, so the witness is a program that runs, whole
//! and in stretches of a few operations.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use trueline_abi::profile::Profile;

/// Jumps both ways over the ends of stretches, and conditionals and loops that are counted.
const SOURCE: &str = "\
program p
  integer :: i, k, n, t(10)
  t = 0
  n = 0
  k = 1
1 do i = 1, 10
    if (mod(i * k, 3) == 0) then
      t(i) = t(i) + k
    else if (mod(i, 2) == 0) then
      t(i) = t(i) - 1
    end if
    if (t(i) > 12) go to 3
  end do
  go to (2, 3, 4), mod(k, 3) + 1
2 n = n + 10
3 n = n + sum(t(1:k))
  select case (k)
  case (:3)
    n = n + 1
  case (6)
    n = n + 1000
  case default
    n = n + 100
  end select
4 k = k + 1
  if (k < 9) go to 1
  print *, n, k
  print *, t
end program
";

/// The output of a run, and the counts of the constructs by line and kind.
#[derive(PartialEq, Eq)]
struct Run {
    output: String,
    counts: BTreeMap<(u32, String), String>,
}

/// The program that is cut prints and counts as the whole one does.
///
/// # Errors
/// The first difference.
pub(crate) fn cut_units_are_the_same() -> Result<(), String> {
    let directory = crate::scratch("stretches")?;
    std::fs::write(directory.path().join("p.f90"), SOURCE).map_err(|e| e.to_string())?;
    for level in ["-O0", "-O2"] {
        let whole = run(directory.path(), &[level])?;
        for stretch in ["--stretch=8", "--stretch=30"] {
            let cut = run(directory.path(), &[level, stretch])?;
            if cut.output != whole.output {
                return Err(format!("{level} {stretch}: {}, not {}", cut.output, whole.output));
            }
            if let Some((place, count)) = whole.counts.iter().find(|&(k, c)| cut.counts.get(k) != Some(c)) {
                return Err(format!("{level} {stretch}: {place:?}: {:?}, not {count}", cut.counts.get(place)));
            }
        }
    }
    Ok(())
}

fn run(directory: &Path, options: &[&str]) -> Result<Run, String> {
    let at = |name: &str| directory.join(name).into_os_string();
    let mut words: Vec<OsString> = ["trueline", "build", "--profile"].map(OsString::from).to_vec();
    words.extend(options.iter().map(OsString::from));
    words.extend([at("p.f90"), "-o".into(), at("p")]);
    let code = trueline::dispatch::main(words);
    if code != 0 {
        return Err(format!("exit code {code} of the compiler with {options:?}"));
    }
    let _ = std::fs::remove_file(at("p.json"));
    // A wrong jump may go on for ever.
    let mut command = Command::new("timeout");
    command.arg("20").arg(at("p")).current_dir(directory).env("TRUELINE_PROFILE_FILE", at("p.json"));
    let out = command.output().map_err(|e| e.to_string())?;
    let output = format!("{}{:?}", String::from_utf8_lossy(&out.stdout), out.status.code());
    let bytes = std::fs::read(at("p.json")).unwrap_or_default();
    let profile: Profile = match trueline_report::read(&bytes) {
        Ok(profile) => profile,
        Err(e) => return Ok(Run { output: format!("{output} {e}"), counts: BTreeMap::new() }),
    };
    let counts = profile.constructs.iter().map(|c| {
        let k = &c.counts;
        let text = format!("{:?} {:?} {:?} {:?}", k.invocations, k.iterations, k.evaluations, k.taken);
        ((c.line, c.kind.clone()), text)
    });
    Ok(Run { output, counts: counts.collect() })
}
