use super::PASS;
use crate::{Context, OptLevel};
use trueline_ir::testing::apply;

fn show(text: &str) -> String {
    let (_, unit) = apply("scalarize", &|ed| (PASS.run)(ed, &Context::alone(OptLevel::O2)), text);
    format!("{unit}\n")
}

#[test]
fn look() {
    for body in [
        "a = b + 1.0 @1",
        "a(2:n) = a(1:n-1) + s @1",
        "a(2:n-1) = a(1:n-2) + a(3:n) @1",
        "c(1:n, 2) = b(n:1:-1) * a(3) @1\na(1:n:2) = a(2:n:2) @2",
        "s = SUM(c, none, none) + MAXVAL(abs(b), none, b > 0.0) @1",
        "a = SUM(c, 2_i4, none) @1",
        "d = MATMUL(c, e) @1\nd = MATMUL(d, e) @2",
        "where a > 0.0 @1\nb = 1.0/a @2\nelsewhere\nb = a @3\nend",
        "where a > 0.0 @1\na(1:10) = a(10:1:-1) @2\nelsewhere\nb = a @3\nend",
        "forall (i = 1:n) a(i) > 0.0 @1\na(i) = a(i-1) @2\nend",
        "forall (i = 1:n) a(i) > 0.0 @1\na(i) = a(i-1)+a(i+1) @2\nb(i)=a(i) @3\nend",
        "forall (i = 1:n, j=1:3) @1\nc(i,j) = c(j,i) @2\nend",
        "forall (i = 1:n) @1\nc(i,1:i) = c(1:i,i) @2\nend",
        "d = CSHIFT(d, 1_i4, 2_i4) + TRANSPOSE(d) @1",
        "a = [r8: 1.0, s, b(1:8)] @1\nd = RESHAPE(a, [i4: 2, 5], none, [i4: 2, 1]) @2",
        "k = MAXLOC(c, none, none) @1",
        "b = PACK(c(:,1), c(:,1) > 0.0, a) @1\na=EOSHIFT(b, 2, none, none) @2",
    ] {
        let t = format!(
            "program main vh @0\ni4 i, j, n\nr8 s\nr8 a(10), b(10), c(10,10), d(10,10), e(10,10)\ni4 k(2)\n{body}"
        );
        println!("==== {body}\n{}", show(&t).lines().skip(6).collect::<Vec<_>>().join("\n"));
    }
}
