use super::*;

fn run(text: &str, definitions: &[&str]) -> Output {
    let options = Options {
        definitions: definitions.iter().map(|d| Definition::Define((*d).to_owned())).collect(),
        include_dirs: Vec::new(),
    };
    preprocess(Path::new("a.F90"), text.as_bytes().to_vec(), &options, &mut |_| Err("no files".to_owned()))
}

#[track_caller]
fn gives(text: &str, definitions: &[&str], expected: &str) {
    let out = run(text, definitions);
    assert_eq!(out.problems, []);
    assert_eq!(String::from_utf8_lossy(&out.prepared.text), expected);
    assert_eq!(text.lines().count(), expected.lines().count());
}

#[track_caller]
fn complains(text: &str, line: u32, words: &str) {
    let problems = run(text, &[]).problems;
    assert!(problems.iter().any(|p| p.line == line && p.message.contains(words)), "{problems:?}");
}

#[test]
fn conditions() {
    gives("#ifdef A\nx\n#else\ny\n#endif\nz\n", &["A"], "\nx\n\n\n\nz\n");
    gives("#ifdef A\nx\n#else\ny\n#endif\nz\n", &[], "\n\n\ny\n\nz\n");
    gives("#if A == 2 && !defined(B)\nx\n#elif 1\ny\n#endif\n", &["A=2"], "\nx\n\n\n\n");
    gives("#if 0\n#if 1\nx\n#endif\n#elif B\ny\n#else\nz\n#endif\n", &[], "\n\n\n\n\n\n\nz\n\n");
    gives("#if (1 + 2 * 3 == 7) ? (0x10 >> 2) == 4 : 0\nx\n#endif\n", &[], "\nx\n\n");
    gives("#if 0\ndon't /* \n#bogus\n#endif\n", &[], "\n\n\n\n");
    gives("#if defined A || \\\n    defined B\nx\n#endif\n", &["B"], "\n\nx\n\n");
}

#[test]
fn macros() {
    gives("#define N 10\nx(N) = 'N' // \"N\" // N\n", &[], "\nx(10) = 'N' // \"N\" // 10\n");
    gives("#define SQ(x) ((x)*(x))\ny = SQ(a+1) + SQ (b) + SQ\n", &[], "\ny = ((a+1)*(a+1)) + ((b)*(b)) + SQ\n");
    gives("#define F(a,b) call a/**/_b(b)\nF(x,y)\n", &[], "\ncall x_b(y)\n");
    gives("#define CAT(a,b) a##_##b\nCAT(x,y)\n", &[], "\nx_y\n");
    gives("#define SAY(x) print *, \"x\", x\nSAY(n)\n", &[], "\nprint *, \"n\", n\n");
    gives("#define A B\n#define B A\nA B\n", &[], "\n\nA B\n");
    gives("#define A 1\n#undef A\nA __LINE__ __FILE__\n", &[], "\n\nA 3 \"a.F90\"\n");
    gives("x = 1D0 + D0\n", &["D0=5"], "x = 1D0 + 5\n");
    gives("#define W(...) write(*,*) __VA_ARGS__\nW(a, f(b,c))\n", &[], "\nwrite(*,*) a,f(b,c)\n");
    gives("a = b /* c */ + d ! it's\nM\n", &["M=1"], "a = b  + d ! it's\n1\n");
    gives("# 12 \"earlier.f90\"\nx\n", &[], "\nx\n");
}

#[test]
fn what_is_wrong_is_told() {
    complains("x\n#if 1\n", 2, "without #endif");
    complains("#endif\n", 1, "without #if");
    complains("\n#else\n", 2, "without #if");
    complains("#include 'x'\n", 1, "needs");
    complains("#include \"missing.h\"\n", 1, "no such file");
    complains("#frob\n", 1, "no directive");
    complains("#error bad\n", 1, "#error bad");
    complains("#if 1 +\n#endif\n", 1, "not complete");
    complains("#if 1/0\n#endif\n", 1, "zero");
    complains("#define F(a) a\nF(1,2)\n", 2, "needs 1");
    complains("x /* y\n\n", 1, "not ended");
    let nested = format!("#if {}1{}\n#endif\n", "(".repeat(1000), ")".repeat(1000));
    complains(&nested, 1, "too deeply");
    let mut bomb = String::from("#define A0 xxxxxxxxxx\n");
    for i in 1..40 {
        bomb.push_str(&format!("#define A{i} A{} A{} A{}\n", i - 1, i - 1, i - 1));
    }
    complains(&format!("{bomb}A39\n"), 41, "too long");
}

#[test]
fn included_files_hang_below_their_lines() {
    let dir = std::env::temp_dir().join(format!("trueline-cpp-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("x.h"), "#define N 3\ninteger :: k\n").unwrap();
    std::fs::write(dir.join("only.h"), "#define M 4\n").unwrap();
    let text = b"#include \"x.h\"\n#include \"only.h\"\nk = N + M\n".to_vec();
    let mut read = |p: &Path| std::fs::read(p).map_err(|e| e.to_string());
    let out = preprocess(&dir.join("a.F90"), text, &Options::default(), &mut read);
    std::fs::remove_dir_all(&dir).unwrap();
    assert_eq!(out.problems, []);
    assert_eq!(String::from_utf8_lossy(&out.prepared.text), "      include 'above'\n\nk = 3 + 4\n");
    assert_eq!((out.prepared.includes.len(), out.dependencies.len()), (1, 2));
    assert_eq!(out.prepared.includes[0].1.text, b"\ninteger :: k\n");
    let flat = String::from_utf8(flatten(&out.prepared)).unwrap();
    assert!(flat.ends_with("a.F90\"\n\nk = 3 + 4\n"), "{flat}");
}
