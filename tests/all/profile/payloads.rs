//! Names and texts that would break out of one sink or another: markup, scripts, terminal commands, formulas, records of
//! formats, shell commands.

/// Texts that break something somewhere.
const BASES: &[&str] = &[
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "'><svg/onload=alert(1)>",
    "{{SCRIPT}}<!--",
    "{{DATA}}",
    "{{TITLE}}",
    "javascript:alert(1)",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)>",
    "</style><style>@import 'http://127.0.0.1:9/'</style>",
    "</title><script src=http://127.0.0.1:9/></script>",
    "</textarea></pre></code><script>alert(1)</script>",
    "<base href=http://127.0.0.1:9/>",
    "<link rel=prefetch href=http://127.0.0.1:9/>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<a href=javascript:alert(1) autofocus onfocus=alert(1)>x</a>",
    "<math><mtext></table><img src onerror=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<body onload=alert(1)>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;img src=x onerror=alert(1)&#62;",
    "]]><script>alert(1)</script>",
    "--><script>alert(1)</script><!--",
    "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>",
    "${alert(1)}",
    "`-alert(1)-`",
    "';alert(1)//",
    "\\\";alert(1)//",
    "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e",
    "\u{2028}alert(1)\u{2029}",
    "__proto__",
    "constructor",
    "toString",
    "\u{1b}[31mred",
    "\u{1b}]0;title\u{7}",
    "\u{1b}]8;;http://127.0.0.1/\u{1b}\\link",
    "\u{1b}[2J\u{1b}[H",
    "\u{1b}P$q\u{1b}\\",
    "\u{9b}31m",
    "over\rwritten",
    "\u{8}\u{8}\u{8}gone",
    "\u{0}\u{7f}",
    "\u{202e}desrever",
    "\u{2066}isolated\u{2069}",
    "\u{200f}\u{61c}mark",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\",\"=1+1\",\"",
    "a,b;c\td",
    "a\nfn=(9) x\n1 2 3",
    "a\nend_of_record\nSF:/etc/passwd",
    "a\n...\n--- !Passed\nPass: x",
    "--- !Missed",
    "a;b;c 99999",
    "a 99999\nb",
    "%s%n%x%p%%",
    "../../../../etc/passwd",
    "$(touch owned)",
    "`touch owned`",
    "; touch owned;",
    "| touch owned",
    "'}]},\"x\":[{\"",
    "\\",
];

/// More than two hundred different ones: each as it is, in a text, before a quote, and in capitals.
pub fn payloads() -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for base in BASES {
        out.extend([(*base).to_owned(), format!("x {base}"), format!("{base}\"'>"), base.to_uppercase()]);
    }
    out.push("A".repeat(20_000));
    let mut seen = std::collections::BTreeSet::new();
    out.retain(|p| seen.insert(p.clone()));
    out
}
