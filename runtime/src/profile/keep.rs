//! Probes that keep all registers.
//!
//! A probe is called rarely, if its timer is not masked at all, but the compiler has to expect the call: by the usual
//! convention it would keep the sums of the loop behind the probe on the stack, where each iteration loads and stores
//! them. So compiled code calls the routines here, which save every register that the usual convention lets a routine
//! change, and continue in the routine of the table.
//!
//! Only the lower halves of vector registers are saved: compiled code uses no others.

use super::events::{
    start_counted_loop, start_counted_procedure, start_counted_region, trueline_end_loop, trueline_end_procedure,
    trueline_end_region,
};
use trueline_abi::record::{AT, KEEPING, Record};

/// Defines the routine `$name`, which continues in `$body`; `$stack` passes on the caller's stack pointer, as the
/// address behind the frame's first word, and for a procedure the frame pointer, which is that word. The last argument
/// of a start is the address of the countdown, or null.
macro_rules! keeping {
    ($name:literal, $stack:literal, $body:path) => {
        keeping!($name, "", "ret", $stack, $body);
    };
    ($name:literal, $begin:literal, $return:literal, $stack:expr, $body:path) => {
        std::arch::global_asm!(
            concat!(".pushsection .text.", $name, ",\"ax\",@progbits"),
            ".balign 16",
            concat!(".globl ", $name),
            concat!(".hidden ", $name),
            concat!(".type ", $name, ", @function"),
            concat!($name, ":"),
            ".cfi_startproc",
            $begin,
            "push rbp",
            ".cfi_adjust_cfa_offset 8",
            ".cfi_rel_offset rbp, 0",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            "and rsp, -16",
            "sub rsp, 336",
            "mov [rsp], rax",
            "mov [rsp + 8], rcx",
            "mov [rsp + 16], rdx",
            "mov [rsp + 24], rsi",
            "mov [rsp + 32], rdi",
            "mov [rsp + 40], r8",
            "mov [rsp + 48], r9",
            "mov [rsp + 56], r10",
            "mov [rsp + 64], r11",
            "movaps [rsp + 80], xmm0",
            "movaps [rsp + 96], xmm1",
            "movaps [rsp + 112], xmm2",
            "movaps [rsp + 128], xmm3",
            "movaps [rsp + 144], xmm4",
            "movaps [rsp + 160], xmm5",
            "movaps [rsp + 176], xmm6",
            "movaps [rsp + 192], xmm7",
            "movaps [rsp + 208], xmm8",
            "movaps [rsp + 224], xmm9",
            "movaps [rsp + 240], xmm10",
            "movaps [rsp + 256], xmm11",
            "movaps [rsp + 272], xmm12",
            "movaps [rsp + 288], xmm13",
            "movaps [rsp + 304], xmm14",
            "movaps [rsp + 320], xmm15",
            $stack,
            "call {body}",
            "mov rax, [rsp]",
            "mov rcx, [rsp + 8]",
            "mov rdx, [rsp + 16]",
            "mov rsi, [rsp + 24]",
            "mov rdi, [rsp + 32]",
            "mov r8, [rsp + 40]",
            "mov r9, [rsp + 48]",
            "mov r10, [rsp + 56]",
            "mov r11, [rsp + 64]",
            "movaps xmm0, [rsp + 80]",
            "movaps xmm1, [rsp + 96]",
            "movaps xmm2, [rsp + 112]",
            "movaps xmm3, [rsp + 128]",
            "movaps xmm4, [rsp + 144]",
            "movaps xmm5, [rsp + 160]",
            "movaps xmm6, [rsp + 176]",
            "movaps xmm7, [rsp + 192]",
            "movaps xmm8, [rsp + 208]",
            "movaps xmm9, [rsp + 224]",
            "movaps xmm10, [rsp + 240]",
            "movaps xmm11, [rsp + 256]",
            "movaps xmm12, [rsp + 272]",
            "movaps xmm13, [rsp + 288]",
            "movaps xmm14, [rsp + 304]",
            "movaps xmm15, [rsp + 320]",
            "mov rsp, rbp",
            ".cfi_def_cfa_register rsp",
            "pop rbp",
            ".cfi_adjust_cfa_offset -8",
            $return,
            ".cfi_endproc",
            concat!(".size ", $name, ", . - ", $name),
            ".popsection",
            body = sym $body,
        );
    };
}

/// The same for compiled code, which passes no arguments: on top of the stack is the address of code that loads them once all registers are
/// saved, with the address of the countdown in the section of the counters, and then the address to return to.
macro_rules! starting {
    ($name:literal, $stack:literal, $body:path) => {
        keeping!(
            $name,
            ".cfi_def_cfa_offset 16",
            "lea rsp, [rsp + 8]\n.cfi_adjust_cfa_offset -8\nret",
            concat!(
                "call [rbp + 8]\n",
                "test r8, r8\n",
                "jz 2f\n",
                "mov rax, [rip + trueline_block_distance@GOTTPOFF]\n",
                "sub r8, fs:[rax]\n",
                "2: mov rdi, [rsi]\n",
                $stack
            ),
            $body
        );
    };
}

starting!("trueline_start_procedure_at", "lea rdx, [rbp + 16]\nmov rcx, [rbp]", start_counted_procedure);
starting!("trueline_start_loop_at", "lea rcx, [rbp + 16]", start_counted_loop);
starting!("trueline_start_region_at", "lea rcx, [rbp + 16]", start_counted_region);
const _: () = assert!(matches!(AT.as_bytes(), b"_at") && std::mem::offset_of!(Record, name) == 0);

keeping!(
    "trueline_start_procedure_keeping",
    "mov r8, rdx\nlea rdx, [rbp + 8]\nmov rcx, [rbp]",
    start_counted_procedure
);
keeping!("trueline_end_procedure_keeping", "", trueline_end_procedure);
keeping!("trueline_start_loop_keeping", "mov r8, rcx\nlea rcx, [rbp + 8]", start_counted_loop);
keeping!("trueline_end_loop_keeping", "", trueline_end_loop);
keeping!("trueline_start_region_keeping", "mov r8, rcx\nlea rcx, [rbp + 8]", start_counted_region);
keeping!("trueline_end_region_keeping", "", trueline_end_region);

const _: () = assert!(matches!(KEEPING.as_bytes(), b"_keeping"));

unsafe extern "C" {
    /// Enters a region: see [`super::events::trueline_start_region`].
    pub(super) fn trueline_start_region_keeping(name: *const u8, record: *mut u8, entry: i32, countdown: *mut i64);
    /// Leaves it.
    pub(super) fn trueline_end_region_keeping();
}
