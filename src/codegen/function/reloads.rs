//! Innermost loops that load values from the stack, or store them there, in machine code.

use iced_x86::{Decoder, DecoderOptions, FlowControl, OpKind, Register};

/// The instructions of innermost loops without calls in `code`, a function of x86-64, that touch the stack.
pub(crate) fn in_inner_loops(code: &[u8]) -> usize {
    let mut touching: Vec<u64> = Vec::new();
    let mut loops: Vec<(u64, u64)> = Vec::new();
    let mut calls: Vec<u64> = Vec::new();
    for i in &mut Decoder::with_ip(64, code, 0, DecoderOptions::NONE) {
        let is_jump = matches!(i.flow_control(), FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch);
        if is_jump && i.near_branch_target() <= i.ip() {
            loops.push((i.near_branch_target(), i.ip()));
        }
        if matches!(i.flow_control(), FlowControl::Call | FlowControl::IndirectCall) {
            calls.push(i.ip());
        }
        let in_memory = (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Memory);
        if in_memory && i.memory_base() == Register::RSP && i.memory_index() == Register::None {
            touching.push(i.ip());
        }
    }
    // Ways back to one beginning are one loop.
    loops.sort_unstable();
    let mut innermost: Vec<(u64, u64)> = Vec::new();
    for (k, &(from, to)) in loops.iter().enumerate() {
        match loops.get(k + 1) {
            Some(&(next, _)) if next == from => {}
            Some(&(next, _)) if next <= to => {}
            _ => innermost.push((from, to)),
        }
    }
    let within = |all: &[u64], (from, to): (u64, u64)| {
        all.partition_point(|&at| at <= to) - all.partition_point(|&at| at < from)
    };
    innermost.retain(|&l| within(&calls, l) == 0);
    innermost.iter().map(|&l| within(&touching, l)).sum()
}

#[cfg(test)]
mod tests {
    use super::in_inner_loops;

    /// `mov rax, [rsp+8]`.
    const LOAD: [u8; 5] = [0x48, 0x8b, 0x44, 0x24, 0x08];

    #[test]
    fn loads_in_innermost_loops_count() {
        // 0: load. 5: load. 10: nop; jne 10. 13: jne 5. 15: load; ret.
        let mut code = [LOAD, LOAD].concat();
        code.extend([0x90, 0x75, 0xfd, 0x75, 0xf6]);
        code.extend(LOAD);
        code.push(0xc3);
        assert_eq!(in_inner_loops(&code), 0);
        // 0: load. 5: load; jne 5. 12: load; jne 0.
        let mut code = [LOAD, LOAD].concat();
        code.extend([0x75, 0xf9]);
        code.extend(LOAD);
        code.extend([0x75, 0xed]);
        assert_eq!(in_inner_loops(&code), 1);
    }

    #[test]
    fn two_ways_back_are_one_loop() {
        // 0: load; jne 0. 7: load; jne 0.
        let mut code = LOAD.to_vec();
        code.extend([0x75, 0xf9]);
        code.extend(LOAD);
        code.extend([0x75, 0xf2]);
        assert_eq!(in_inner_loops(&code), 2);
    }
}
