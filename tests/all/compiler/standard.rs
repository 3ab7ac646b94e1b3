//! `-std=` and `-pedantic`: a feature that a standard lacks is an error, one that it deletes is a warning.

use crate::build::check_all;
use std::process::Command;

/// The flags, the suffix, the source, and the first words of each message in order.
const CASES: &[(&str, &str, &str, &[&str])] = &[
    (
        "-std=f95",
        "f90",
        "integer :: a(2) = [1, 2]\nend\n",
        &["error[T0710]: Fortran 2003: [...] style array constructors"],
    ),
    ("-std=f2003", "f90", "integer :: a(2) = [1, 2]\nend\n", &[]),
    ("-std=f95", "f90", "i = z'ff'\nend\n", &["error[T0544]: A BOZ constant has no type"]),
    ("-std=gnu", "f90", "i = z'ff'\nend\n", &["warning[T0544]: A BOZ constant has no type"]),
    ("-std=legacy", "f90", "i = z'ff'\nx = '1f'x\nend\n", &[]),
    ("-std=f95", "f90", "real*8 x\nx = 1\nend\n", &["error[T0710]: GNU Extension: Nonstandard type declaration"]),
    (
        "-std=f2003",
        "f90",
        "block\nend block\nerror stop\nend\n",
        &["error[T0710]: Fortran 2008: BLOCK construct", "error[T0710]: Fortran 2008: ERROR STOP"],
    ),
    (
        "-std=gnu",
        "f90",
        "if (1) 1, 1, 1\n1 end\n",
        &["warning[T0711]: Fortran 2018 deleted feature: Arithmetic IF statement"],
    ),
    ("-std=gnu", "f90", "do 1 x = 1., 2.\n1 continue\nend\n", &["warning[T0711]: Deleted feature: Real DO variable"]),
    ("-std=legacy", "f90", "do 1 x = 1., 2.\n1 continue\npause\nend\n", &[]),
    ("-std=f95", "f90", "if (1) 1, 1, 1\n1 end\n", &["warning[T0711]: Obsolescent feature: Arithmetic IF statement"]),
    (
        "-std=f2018",
        "f90",
        "if (1) 1, 1, 1\n1 end\n",
        &["error[T0712]: Fortran 2018 deleted feature: Arithmetic IF statement"],
    ),
    ("-std=f77", "f", "      IF (1) 1, 1, 1\n1     END\n", &[]),
    ("-std=f95", "f90", "print *, trim('a')\nend\n", &[]),
    ("-std=f2003", "f90", "print *, hypot(3., 4.)\nend\n", &["error[T0710]: Fortran 2008: Intrinsic procedure"]),
    ("-std=f2003", "f90", "call sleep(0)\nend\n", &["error[T0710]: GNU Extension: Intrinsic procedure"]),
    ("-std=f2003 -fall-intrinsics", "f90", "call sleep(0)\nend\n", &[]),
    // The program's own procedure of that name is not the intrinsic one.
    ("-std=f2003", "f90", "call sleep\ncontains\nsubroutine sleep\nend subroutine\nend\n", &[]),
    (
        "-std=f95",
        "f90",
        "real :: x\ndo x = 1., 2.\nend do\nend\n",
        &["error[T0712]: Fortran 95 deleted feature: Real DO variable"],
    ),
    (
        "-std=f2018",
        "f90",
        "do 1 i = 1, 2\ndo 1 j = 1, 2\n1 continue\nend\n",
        &[
            "warning[T0711]: Obsolescent feature: Labeled DO statement",
            "warning[T0711]: Obsolescent feature: Labeled DO statement",
            "error[T0712]: Fortran 2018 deleted feature: Shared DO termination label",
        ],
    ),
    (
        "-std=f77",
        "f",
        "      A = 1\n      DO I = 1, 2\n      END DO\n      END\n",
        &["error[T0710]: Fortran 95: END DO"],
    ),
    ("-std=f2008", "f90", "\tk = 1\nend\n", &["warning[T0700]: Nonconforming tab character"]),
    ("-std=f2008 -Wno-tabs", "f90", "\tk = 1\nend\n", &[]),
    (
        "-pedantic",
        "f90",
        "real*8 x\nx = 1\nend\n",
        &["warning[T0711]: GNU Extension: Nonstandard type declaration [-Wpedantic]"],
    ),
    (
        "-pedantic-errors",
        "f90",
        "real*8 x\nx = 1\nend\n",
        &["error[T0711]: GNU Extension: Nonstandard type declaration"],
    ),
    ("-pedantic", "f90", "block\nend block\nend\n", &[]),
    ("-std=legacy", "f90", "i = 4habcd\npause\nend\n", &[]),
    ("-std=gnu", "f90", "real*8 x\nx = 1\nend\n", &[]),
];

#[test]
fn sources_are_held_to_their_standard() {
    check_all(
        CASES,
        |(flags, _, source, _)| format!("{flags}: {source}"),
        |(flags, suffix, source, expected)| {
            let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
            let file = format!("p.{suffix}");
            std::fs::write(dir.path().join(&file), source).map_err(|e| e.to_string())?;
            let mut fc = Command::new(env!("CARGO_BIN_EXE_trueline"));
            fc.arg("fc").args(flags.split_whitespace()).args(["-c", &file]).current_dir(dir.path());
            let out = fc.output().map_err(|e| e.to_string())?;
            let text = String::from_utf8_lossy(&out.stderr).into_owned();
            let told: Vec<&str> = text.lines().filter(|l| l.starts_with("error") || l.starts_with("warning")).collect();
            let same = told.len() == expected.len() && told.iter().zip(*expected).all(|(a, b)| a.starts_with(b));
            let fails = expected.iter().any(|e| e.starts_with("error"));
            match same && out.status.code() == Some(i32::from(fails)) {
                true => Ok(()),
                false => Err(format!("{:?}: {text}", out.status)),
            }
        },
    );
}
