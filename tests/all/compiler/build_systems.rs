//! The command lines of build systems: those of fpm, for a compiler that it does not know and for gfortran, of autoconf, and
//! CMake and Meson themselves.

use std::path::Path;
use std::process::{Command, Output};

const MODULE: &str = "module greetings\ncontains\nsubroutine greet(n)\nuse iso_c_binding\ninteger :: n\ninterface\n\
                      integer(c_int) function twice(k) bind(c)\nimport\ninteger(c_int), value :: k\nend function\nend interface\n\
                      print '(a,i0)', 'twice ', twice(n)\nend subroutine\nend module\n";
const MAIN: &str = "program app\nuse greetings\ncall greet(21)\nend program\n";
const C: &str = "int twice(int k) { return 2 * k; }\n";

fn project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (file, text) in [("src/greetings.f90", MODULE), ("src/twice.c", C), ("app/main.f90", MAIN)] {
        let path = dir.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

fn run(directory: &Path, command: &mut Command) -> Output {
    let out = command.current_dir(directory).output().unwrap();
    assert!(out.status.success(), "{command:?}: {}", String::from_utf8_lossy(&out.stderr));
    out
}

#[test]
fn fpm_builds_a_project() {
    let unknown = ("", "-module build/mod");
    let debug = (
        "-Wall -Wextra -Wimplicit-interface -fPIC -fmax-errors=1 -g -fcheck=bounds -fcheck=array-temps -fbacktrace -fcoarray=single",
        "-J build/mod",
    );
    let release = ("-O3 -funroll-loops -Wimplicit-interface -fPIC -fmax-errors=1 -fcoarray=single", "-J build/mod");
    for (flags, module) in [unknown, debug, release] {
        let dir = project();
        std::fs::create_dir_all(dir.path().join("build/mod")).unwrap();
        let fc = |line: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
            command.arg("fc").args(line.split_whitespace());
            let out = run(dir.path(), &mut command);
            assert!(out.stderr.is_empty(), "{line}: {}", String::from_utf8_lossy(&out.stderr));
        };
        fc(&format!("-c src/greetings.f90 {flags} {module} -I build/mod -o build/src_greetings.f90.o"));
        // If fpm does not know the compiler, it takes the Fortran compiler for C, too.
        fc("-c src/twice.c -o build/src_twice.c.o");
        run(
            dir.path(),
            Command::new("ar").args(["-rs", "build/libapp.a", "build/src_greetings.f90.o", "build/src_twice.c.o"]),
        );
        fc(&format!("-c app/main.f90 {flags} {module} -I build/mod -o build/app_main.f90.o"));
        fc(&format!("{flags} build/app_main.f90.o build/libapp.a -o build/app"));
        let out = run(dir.path(), &mut Command::new(dir.path().join("build/app")));
        assert_eq!(String::from_utf8_lossy(&out.stdout), "twice 42\n");
    }
}

#[test]
fn cmake_builds_a_project() {
    if !crate::compiler::fc::found("cmake") {
        return;
    }
    let dir = project();
    let text = "cmake_minimum_required(VERSION 3.10)\nproject(app LANGUAGES Fortran C)\n\
                set(CMAKE_Fortran_MODULE_DIRECTORY ${CMAKE_BINARY_DIR}/mod)\n\
                add_library(greetings STATIC src/greetings.f90)\nadd_library(twice SHARED src/twice.c)\n\
                target_link_libraries(greetings twice)\nadd_executable(app app/main.f90)\ntarget_link_libraries(app greetings)\n";
    std::fs::write(dir.path().join("CMakeLists.txt"), text).unwrap();
    let fc = format!("{} fc", env!("CARGO_BIN_EXE_trueline"));
    let out = run(dir.path(), Command::new("cmake").args(["-S", ".", "-B", "build"]).env("FC", fc));
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(said.contains("The Fortran compiler identification is GNU"), "{said}");
    run(dir.path(), Command::new("cmake").args(["--build", "build"]));
    let out = run(dir.path(), &mut Command::new(dir.path().join("build/app")));
    assert_eq!(String::from_utf8_lossy(&out.stdout), "twice 42\n");
}

#[test]
fn meson_builds_a_project() {
    if !crate::compiler::fc::found("meson") || !crate::compiler::fc::found("ninja") {
        return;
    }
    let dir = project();
    let text = "project('app', 'fortran', default_options: ['warning_level=3', 'fortran_std=legacy'])\n\
                fc = meson.get_compiler('fortran')\nassert(fc.get_id() == 'gcc')\n\
                assert(fc.run('print *, 1\\nend').returncode() == 0)\n\
                twice = shared_library('twice', 'src/twice.f90')\n\
                greetings = static_library('greetings', 'src/greetings.f90', link_with: twice)\n\
                executable('app', 'app/main.f90', link_with: greetings)\n";
    std::fs::write(dir.path().join("meson.build"), text).unwrap();
    let twice = "integer function twice(k) bind(c)\ninteger, value :: k\ntwice = 2 * k\nend function\n";
    std::fs::write(dir.path().join("src/twice.f90"), twice).unwrap();
    let fc = format!("{} fc", env!("CARGO_BIN_EXE_trueline"));
    run(dir.path(), Command::new("meson").args(["setup", "build"]).env("FC", fc));
    run(dir.path(), Command::new("meson").args(["compile", "-C", "build"]));
    let out = run(dir.path(), &mut Command::new(dir.path().join("build/app")));
    assert_eq!(String::from_utf8_lossy(&out.stdout), "twice 42\n");
}

/// Meson links a target with C in it by the C compiler, and asks the Fortran compiler where its library is.
#[test]
fn meson_links_c_and_fortran() {
    if !crate::compiler::fc::found("meson") || !crate::compiler::fc::found("ninja") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    let text = "project('mixed', 'c', 'fortran')\nexecutable('c_main', 'main.c', 'twice.f90')\n\
                executable('fortran_main', 'main.f90', 'next.c')\n";
    write("meson.build", text);
    write("main.c", "int twice(int);\nint main(void) { return twice(21) != 42; }\n");
    let twice = "integer function twice(k) bind(c)\ninteger, value :: k\ntwice = 2 * k\nprint *, 'twice', twice\nend function\n";
    write("twice.f90", twice);
    let main = "interface\ninteger function next(k) bind(c)\ninteger, value :: k\nend function\nend interface\n\
                print *, 'next', next(41)\nend\n";
    write("main.f90", main);
    write("next.c", "int next(int k) { return k + 1; }\n");
    let fc = format!("{} fc", env!("CARGO_BIN_EXE_trueline"));
    run(dir.path(), Command::new("meson").args(["setup", "build"]).env("FC", fc));
    run(dir.path(), Command::new("meson").args(["compile", "-C", "build"]));
    for (program, says) in [("c_main", " twice          42\n"), ("fortran_main", " next          42\n")] {
        let out = run(dir.path(), &mut Command::new(dir.path().join("build").join(program)));
        assert_eq!(String::from_utf8_lossy(&out.stdout), says);
    }
}

/// AC_FC_LIBRARY_LDFLAGS takes the libraries from the output of `-v`, to link a C main program with Fortran.
#[test]
fn autoconf_links_fortran_by_the_c_compiler() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("conftest.f", "      program main\n\n      end\n");
    write("sub.f", "      subroutine foo_bar\n      print *, 'in Fortran'\n      end\n");
    write("main.c", "void foo_bar_(void);\nint main(void) { foo_bar_(); return 0; }\n");
    let fc = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
        run(dir.path(), command.arg("fc").args(line.split_whitespace()))
    };
    let said = String::from_utf8_lossy(&fc("-o conftest -g -O2 -v conftest.f").stderr).into_owned();
    let is_library = |word: &&str| {
        word.starts_with("-L")
            || word.starts_with("-l") && !word.starts_with("-lgcc") && !word.starts_with("-lang")
            || word.starts_with('/') && word.ends_with(".a")
    };
    let libraries: Vec<&str> = said.split_whitespace().filter(is_library).collect();
    fc("-c -g -O2 sub.f");
    run(dir.path(), Command::new("cc").args(["main.c", "sub.o", "-o", "mixed"]).args(&libraries));
    let out = run(dir.path(), &mut Command::new(dir.path().join("mixed")));
    assert_eq!(String::from_utf8_lossy(&out.stdout), " in Fortran\n");
    let asked = fc("-Wl,--version").stdout;
    assert!(String::from_utf8_lossy(&asked).contains("ld"), "the linker answers");
}
