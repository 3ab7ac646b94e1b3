//! Bridges between gfortran's calling convention and ours ([`trueline_ir::Bridge`]).
//!
//! ```text
//! s:         elements = contiguous(descriptor)       who comes from elsewhere, or knows the address only
//!            call s.direct(elements, …, extents)
//!            end_contiguous(descriptor, elements)
//! s.direct:  …                                       the code; calls of the same program go there
//! ```
//!
//! An object that calls a procedure and does not define it brings along a weak `s.direct`, which makes descriptors and
//! calls `s`. If `s` is ours, the linker takes the true `s.direct` instead. Both are hidden: no shared library lends its own.
//!
//! Bridges are not in the IR: they are no statements of the source, nothing counts them, and no pass sees them.

use crate::symbols::{Needed, Symbols, Way, runtime_signature};
use crate::types::clif_type;
use crate::unwind::Frames;
use crate::{Error, abi, passing, step};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Function, InstBuilder, MemFlagsData, Signature, StackSlotData, StackSlotKind, UserFuncName, Value, types,
};
use cranelift_codegen::isa::unwind::UnwindInfo;
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::{Context, isa::TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module, ModuleReloc};
use cranelift_object::ObjectModule;
use cranelift_object::ObjectProduct;
use cranelift_object::object::SymbolScope;
use rayon::prelude::*;
use smallvec::{SmallVec, smallvec};
use target_lexicon::Triple;
use trueline_ir::{Array, Bridge, OptLevel, Passed, Returned, Rt, Size, Type};

/// Compiles the bridges into `module`; adds their entries for the unwind table to `frames`.
pub(crate) fn define(
    module: &mut ObjectModule,
    symbols: &Symbols,
    needed: &Needed<'_>,
    isa: &OwnedTargetIsa,
    frames: &mut Vec<Frames>,
) -> Result<(), Error> {
    let made: Vec<_> = needed
        .par_iter()
        .map(|&(bridge, way, id)| compile(translate(bridge, way, symbols, &**isa), &bridge.symbol, id, &**isa))
        .collect::<Result<_, Error>>()?;
    for (&(_, _, id), (bytes, align, relocs, unwind)) in needed.iter().zip(made) {
        module.define_function_bytes(id, align, &bytes, &relocs)?;
        frames.push(Frames { id, before: 0, entry: 0, code: unwind, longer: None });
    }
    Ok(())
}

/// Makes the symbols of the ways out weak.
pub(crate) fn weaken(product: &mut ObjectProduct, needed: &Needed<'_>) {
    for &(_, _, id) in needed.iter().filter(|n| n.1 == Way::Out) {
        let symbol = product.function_symbol(id);
        let symbol = product.object.symbol_mut(symbol);
        symbol.weak = true;
        symbol.scope = SymbolScope::Linkage;
    }
}

type Made = (Vec<u8>, u64, Vec<ModuleReloc>, Option<UnwindInfo>);

fn compile(func: Function, symbol: &str, id: FuncId, isa: &dyn TargetIsa) -> Result<Made, Error> {
    let mut context = Context::for_function(func);
    let (code, unwind) = step::machine_code(&mut context, (isa, OptLevel::O0), symbol, &mut Default::default())?;
    let bytes = code.code_buffer().to_vec();
    let align = u64::from(code.buffer.alignment.max(isa.function_alignment().preferred));
    let relocs = code.buffer.relocs().to_vec();
    let relocs = relocs.iter().map(|r| ModuleReloc::from_mach_reloc(r, &context.func, id)).collect();
    Ok((bytes, align, relocs, unwind))
}

/// The CLIF values of one of our parameters.
type Values = SmallVec<[Value; 2]>;

struct Maker<'a> {
    b: FunctionBuilder<'a>,
    bridge: &'a Bridge,
    symbols: &'a Symbols,
    triple: &'a Triple,
}

fn translate(bridge: &Bridge, way: Way, symbols: &Symbols, isa: &dyn TargetIsa) -> Function {
    let triple = isa.triple();
    let signature = if way == Way::In { public_signature(bridge, triple) } else { direct_signature(bridge, triple) };
    let mut func = Function::with_name_signature(UserFuncName::user(0, u32::MAX), signature);
    let mut context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut func, &mut context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params: Vec<Value> = b.block_params(entry).to_vec();
    let mut maker = Maker { b, bridge, symbols, triple };
    match way {
        Way::In => maker.inward(&params),
        Way::Out | Way::Through => maker.outward(way, &params),
    }
    maker.b.seal_all_blocks();
    maker.b.finalize(isa.frontend_config());
    func
}

fn direct_signature(bridge: &Bridge, triple: &Triple) -> Signature {
    let mut signature = Signature::new(CallConv::triple_default(triple));
    if bridge.by_address {
        signature.params.push(AbiParam::new(types::I64));
    }
    let mut forms = abi::Forms::new(triple);
    signature.params.extend(bridge.direct.iter().flat_map(|&ty| forms.parts(ty)));
    if let Some(ty) = bridge.result {
        abi::push_result(&mut signature, ty, triple);
    }
    signature
}

fn public_signature(bridge: &Bridge, triple: &Triple) -> Signature {
    let mut signature = Signature::new(CallConv::triple_default(triple));
    if let Some(way) = bridge.structure {
        abi::push_structure(&mut signature, way);
    }
    let mut forms = abi::Forms::new(triple);
    signature.params.extend(bridge.public.iter().flat_map(|p| parts(bridge, p, &mut forms)));
    if let Some(ty) = bridge.result {
        abi::push_result(&mut signature, ty, triple);
    }
    signature
}

/// The CLIF parameters of one of gfortran's; `forms` knows the ones before it.
fn parts(bridge: &Bridge, p: &Passed, forms: &mut abi::Forms<'_>) -> SmallVec<[AbiParam; 2]> {
    match p {
        Passed::Same(k) => forms.parts(bridge.direct[*k as usize]),
        Passed::Words { .. } => (0..words(bridge, p)).flat_map(|_| forms.parts(Type::R8)).collect(),
        Passed::Filler(ty) => forms.parts(*ty),
        Passed::Flag(_) => smallvec![AbiParam::new(types::I8).uext()],
        Passed::Optional { .. } | Passed::Array(_) => smallvec![AbiParam::new(types::I64)],
    }
}

/// The words that a parameter takes on the stack if it is several of ours.
fn words(bridge: &Bridge, p: &Passed) -> usize {
    match *p {
        Passed::Words { first, count } => {
            let own = &bridge.direct[first as usize..][..count as usize];
            own.iter().map(|ty| ty.size()).sum::<usize>().div_ceil(8)
        }
        _ => 0,
    }
}

/// The offsets of the words of a descriptor, in bytes.
mod at {
    pub(super) const SIZE: i32 = 8;
    pub(super) const DIMS: i32 = 40;
    pub(super) const DIMS_OF_C: i32 = 24;
    pub(super) const DIM: i32 = 24;
}

/// To a procedure of ours.
impl Maker<'_> {
    /// The address of the result, if that is passed, and the other parameters.
    fn result_first<'p>(&self, params: &'p [Value]) -> (&'p [Value], &'p [Value]) {
        let is_passed = |ty| abi::returned(ty, self.triple) == abi::Returned::Memory;
        params.split_at(usize::from(self.bridge.result.is_some_and(is_passed)))
    }

    /// The structure that a function gives to gfortran's caller: its way, and the address of memory for it; and the parameters
    /// after it.
    fn structure_first<'p>(&mut self, params: &'p [Value]) -> (Option<(Returned, Value)>, &'p [Value]) {
        match self.bridge.structure {
            None => (None, params),
            Some(Returned::MEMORY) => (Some((Returned::MEMORY, params[0])), &params[1..]),
            Some(way) => {
                let bytes: usize = way.registers().iter().map(|ty| ty.size()).sum();
                (Some((way, self.memory(bytes as u32))), params)
            }
        }
    }

    /// Our parameters out of the words that they lie in.
    fn words_to_parts(&mut self, first: u32, count: u32, words: &[Value], inner: &mut [Values]) {
        let memory = self.memory(8 * words.len() as u32);
        let flags = MemFlagsData::trusted();
        for (k, &word) in words.iter().enumerate() {
            self.b.ins().store(flags, word, memory, 8 * k as i32);
        }
        let mut at = 0;
        let (bridge, own) = (self.bridge, first as usize..(first + count) as usize);
        for (&ty, part) in bridge.direct[own.clone()].iter().zip(&mut inner[own]) {
            part.push(self.b.ins().load(clif_type(ty), flags, memory, at));
            at += ty.size() as i32;
        }
    }

    fn inward(&mut self, params: &[Value]) {
        let bridge = self.bridge;
        let (room, params) = self.result_first(params);
        let (structure, params) = self.structure_first(params);
        let own = self.split(params);
        let mut forms = abi::Forms::new(self.triple);
        let counts: Vec<usize> = bridge.direct.iter().map(|&ty| forms.parts(ty).len()).collect();
        let mut inner: Vec<Values> = vec![Values::new(); bridge.direct.len()];
        if let Some((_, address)) = structure {
            inner[0].push(address);
        }
        // The lengths come last among the parameters, and are needed first.
        for (p, values) in bridge.public.iter().zip(&own) {
            if let Passed::Same(k) = p {
                inner[*k as usize] = self.as_many(values, counts[*k as usize]);
            }
        }
        let mut arrays = Vec::new();
        for (p, values) in bridge.public.iter().zip(&own) {
            let value = values[0];
            match p {
                Passed::Same(_) | Passed::Filler(_) => {}
                Passed::Words { first, count } => self.words_to_parts(*first, *count, values, &mut inner),
                Passed::Optional { address, flag, spare } => {
                    let there = self.b.ins().icmp_imm_u(IntCC::NotEqual, value, 0);
                    let mut place = value;
                    if *spare > 0 {
                        let zeros = self.zeros(*spare);
                        place = self.b.ins().select(there, value, zeros);
                    }
                    inner[*address as usize].push(place);
                    let there = self.b.ins().uextend(types::I64, there);
                    inner[*flag as usize].push(there);
                }
                Passed::Flag(k) => {
                    let there = self.b.ins().icmp_imm_u(IntCC::NotEqual, value, 0);
                    let there = self.b.ins().uextend(types::I64, there);
                    inner[*k as usize].push(there);
                }
                Passed::Array(a) => arrays.push(self.elements(a, value, &mut inner)),
            }
        }
        let mut args = room.to_vec();
        for values in inner {
            if values.is_empty() {
                // gfortran does not pass whether it is there.
                args.push(self.b.ins().iconst(types::I64, 1));
            }
            args.extend(values);
        }
        let callee = self.symbols.import(self.b.func, &bridge.symbol, direct_signature(bridge, self.triple));
        let call = self.b.ins().call(callee, &args);
        for (array, descriptor, size, elements) in arrays.into_iter().filter(|a| a.0.strides.is_none()) {
            let [rank, is_c, changes] = self.about(array);
            self.runtime(Rt::EndContiguous, &[descriptor, rank, size, is_c, elements, changes]);
        }
        let results = match structure {
            Some((way, address)) => passing::structure_at(&mut self.b, way, address),
            None => self.b.inst_results(call).to_vec(),
        };
        self.b.ins().return_(&results);
    }

    /// The parameters of gfortran's convention.
    fn split(&self, params: &[Value]) -> Vec<Values> {
        let mut rest = params;
        let mut out = Vec::new();
        let mut forms = abi::Forms::new(self.triple);
        for p in &self.bridge.public {
            let (own, others) = rest.split_at(parts(self.bridge, p, &mut forms).len());
            out.push(Values::from_slice(own));
            rest = others;
        }
        out
    }

    /// A value in `count` parts: a `COMPLEX(4)` may have two registers in one convention, and a word of the stack in the other.
    fn as_many(&mut self, values: &[Value], count: usize) -> Values {
        match *values {
            [re, im] if count == 1 => smallvec![passing::join(&mut self.b, re, im)],
            [both] if count == 2 => {
                let (re, im) = passing::halves(&mut self.b, both);
                smallvec![re, im]
            }
            _ => Values::from_slice(values),
        }
    }

    /// The elements of an array and its extents for the callee; the descriptor, the size and the elements for later.
    fn elements<'b>(
        &mut self,
        a: &'b Array,
        descriptor: Value,
        inner: &mut [Values],
    ) -> (&'b Array, Value, Value, Value) {
        let mut from = descriptor;
        if let Some(flag) = a.flag {
            let there = self.b.ins().icmp_imm_u(IntCC::NotEqual, descriptor, 0);
            let nothing = self.nothing(a);
            from = self.b.ins().select(there, descriptor, nothing);
            let there = self.b.ins().uextend(types::I64, there);
            inner[flag as usize].push(there);
        }
        for k in 0..a.rank as i32 {
            let flags = MemFlagsData::trusted();
            let extent = if a.is_c {
                self.b.ins().load(types::I64, flags, from, at::DIMS_OF_C + at::DIM * k + 8)
            } else {
                let lower = self.b.ins().load(types::I64, flags, from, at::DIMS + at::DIM * k + 8);
                let upper = self.b.ins().load(types::I64, flags, from, at::DIMS + at::DIM * k + 16);
                let distance = self.b.ins().isub(upper, lower);
                self.b.ins().iadd_imm_s(distance, 1)
            };
            let zero = self.b.ins().iconst(types::I64, 0);
            let extent = self.b.ins().smax(extent, zero);
            inner[a.extents as usize + k as usize].push(extent);
        }
        let size = match a.size {
            Size::Known(n) => self.b.ins().iconst(types::I64, n),
            Size::Length(k) => inner[k as usize][0],
        };
        if let Some(first) = a.strides {
            for k in 0..a.rank {
                let stride = self.stride_of(a, from, k as i32, size);
                inner[(first + k) as usize].push(stride);
            }
            let elements = self.b.ins().load(types::I64, MemFlagsData::trusted(), from, 0);
            inner[a.address as usize].push(elements);
            return (a, from, size, elements);
        }
        let [rank, is_c, _] = self.about(a);
        let elements = self.runtime(Rt::Contiguous, &[from, rank, size, is_c]);
        inner[a.address as usize].push(elements);
        (a, from, size, elements)
    }

    /// The distance in bytes of neighbours in dimension `k` of a descriptor's array.
    fn stride_of(&mut self, a: &Array, descriptor: Value, k: i32, size: Value) -> Value {
        let flags = MemFlagsData::trusted();
        if a.is_c {
            return self.b.ins().load(types::I64, flags, descriptor, at::DIMS_OF_C + at::DIM * k + 16);
        }
        let stride = self.b.ins().load(types::I64, flags, descriptor, at::DIMS + at::DIM * k);
        if k > 0 {
            return self.b.ins().imul(stride, size);
        }
        // gfortran takes 0 in the first dimension for 1.
        let some = self.b.ins().icmp_imm_u(IntCC::NotEqual, stride, 0);
        let one = self.b.ins().iconst(types::I64, 1);
        let stride = self.b.ins().select(some, stride, one);
        self.b.ins().imul(stride, size)
    }

    /// Its rank, whether its descriptor is C's, and whether it may change, as arguments.
    fn about(&mut self, a: &Array) -> [Value; 3] {
        let rank = self.b.ins().iconst(types::I64, i64::from(a.rank));
        let is_c = self.b.ins().iconst(types::I32, i64::from(a.is_c));
        let changes = self.b.ins().iconst(types::I32, i64::from(a.changes));
        [rank, is_c, changes]
    }

    /// A descriptor of no elements at no address.
    fn nothing(&mut self, a: &Array) -> Value {
        let address = self.zeros((at::DIMS + at::DIM * a.rank as i32) as u32);
        if !a.is_c {
            let before = self.b.ins().iconst(types::I64, -1);
            for k in 0..a.rank as i32 {
                self.b.ins().store(MemFlagsData::trusted(), before, address, at::DIMS + at::DIM * k + 16);
            }
        }
        address
    }

    /// The address of `bytes` zeros in the frame.
    fn zeros(&mut self, bytes: u32) -> Value {
        let bytes = bytes.next_multiple_of(8);
        let address = self.memory(bytes);
        let zero = self.b.ins().iconst(types::I64, 0);
        for k in (0..bytes as i32).step_by(8) {
            self.b.ins().store(MemFlagsData::trusted(), zero, address, k);
        }
        address
    }

    fn memory(&mut self, bytes: u32) -> Value {
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 4);
        let slot = self.b.create_sized_stack_slot(slot);
        self.b.ins().stack_addr(types::I64, slot, 0)
    }

    fn runtime(&mut self, f: Rt, args: &[Value]) -> Value {
        let callee = self.symbols.import(self.b.func, f.signature().symbol, runtime_signature(f));
        let call = self.b.ins().call(callee, args);
        self.b.inst_results(call).first().copied().unwrap_or(args[0])
    }
}

/// From our procedures.
impl Maker<'_> {
    fn outward(&mut self, way: Way, params: &[Value]) {
        let bridge = self.bridge;
        let (room, params) = self.result_first(params);
        let (address, mut rest) = params.split_at(usize::from(way == Way::Through));
        let mut inner: Vec<Values> = Vec::new();
        let mut forms = abi::Forms::new(self.triple);
        for &ty in &bridge.direct {
            let (own, others) = rest.split_at(forms.parts(ty).len());
            inner.push(Values::from_slice(own));
            rest = others;
        }
        let mut args = room.to_vec();
        let address_of_structure = bridge.structure.map(|_| inner[0][0]);
        args.extend(address_of_structure.filter(|_| bridge.structure == Some(Returned::MEMORY)));
        let mut forms = abi::Forms::new(self.triple);
        for p in &bridge.public {
            let count = parts(bridge, p, &mut forms).len();
            match p {
                Passed::Same(k) => args.extend(self.as_many(&inner[*k as usize], count)),
                Passed::Words { first, count: own } => {
                    let words = self.parts_to_words(*first, *own, count, &inner);
                    args.extend_from_slice(&words);
                }
                Passed::Filler(ty) => args.push(self.zero(*ty)),
                Passed::Optional { address, flag, .. } => {
                    let value = self.or_null(inner[*flag as usize][0], inner[*address as usize][0]);
                    args.push(value);
                }
                Passed::Flag(k) => args.push(self.b.ins().icmp_imm_u(IntCC::NotEqual, inner[*k as usize][0], 0)),
                Passed::Array(a) => {
                    let descriptor = self.descriptor(a, &inner);
                    let value = match a.flag {
                        Some(flag) => self.or_null(inner[flag as usize][0], descriptor),
                        None => descriptor,
                    };
                    args.push(value);
                }
            }
        }
        let signature = public_signature(bridge, self.triple);
        let call = match address.first() {
            Some(&address) => {
                let signature = self.b.import_signature(signature);
                self.b.ins().call_indirect(signature, address, &args)
            }
            None => {
                let callee = self.symbols.import_public(self.b.func, &bridge.symbol, signature);
                self.b.ins().call(callee, &args)
            }
        };
        let mut results = self.b.inst_results(call).to_vec();
        if let (Some(way), Some(address)) = (bridge.structure, address_of_structure) {
            passing::put_structure(&mut self.b, way, &results, address);
            results.clear();
        }
        self.b.ins().return_(&results);
    }

    /// Words in which some of our parameters lie one after the other.
    fn parts_to_words(&mut self, first: u32, count: u32, words: usize, inner: &[Values]) -> Values {
        let memory = self.zeros(8 * words as u32);
        let flags = MemFlagsData::trusted();
        let mut at = 0;
        let (bridge, own) = (self.bridge, first as usize..(first + count) as usize);
        for (ty, part) in bridge.direct[own.clone()].iter().zip(&inner[own]) {
            self.b.ins().store(flags, part[0], memory, at);
            at += ty.size() as i32;
        }
        (0..words).map(|k| self.b.ins().load(types::F64, flags, memory, 8 * k as i32)).collect()
    }

    fn zero(&mut self, ty: Type) -> Value {
        match clif_type(ty) {
            types::F64 => self.b.ins().f64const(0.0),
            ty => self.b.ins().iconst(ty, 0),
        }
    }

    fn or_null(&mut self, flag: Value, address: Value) -> Value {
        let there = self.b.ins().icmp_imm_u(IntCC::NotEqual, flag, 0);
        let null = self.b.ins().iconst(types::I64, 0);
        self.b.ins().select(there, address, null)
    }

    /// A descriptor of elements without gaps, with lower bounds 1 (in C 0).
    fn descriptor(&mut self, a: &Array, inner: &[Values]) -> Value {
        let d = self.memory((at::DIMS + at::DIM * a.rank as i32) as u32);
        let flags = MemFlagsData::trusted();
        let size = match a.size {
            Size::Known(n) => self.b.ins().iconst(types::I64, n),
            Size::Length(k) => inner[k as usize][0],
        };
        let kind = self.b.ins().iconst(types::I64, a.kind);
        self.b.ins().store(flags, inner[a.address as usize][0], d, 0);
        let first = self.b.ins().iconst(types::I64, i64::from(!a.is_c));
        let mut offset = self.b.ins().iconst(types::I64, 0);
        let mut stride = if a.is_c { size } else { first };
        for k in 0..a.rank as i32 {
            let extent = inner[a.extents as usize + k as usize][0];
            let dim = if a.is_c { at::DIMS_OF_C } else { at::DIMS } + at::DIM * k;
            if let Some(own) = a.strides {
                let bytes = inner[own as usize + k as usize][0];
                let some = self.b.ins().icmp_imm_u(IntCC::NotEqual, size, 0);
                let one = self.b.ins().iconst(types::I64, 1);
                let unit = self.b.ins().select(some, size, one);
                stride = if a.is_c { bytes } else { self.b.ins().sdiv(bytes, unit) };
            }
            let words = if a.is_c { [first, extent, stride] } else { [stride, first, extent] };
            for (i, word) in words.into_iter().enumerate() {
                self.b.ins().store(flags, word, d, dim + 8 * i as i32);
            }
            offset = self.b.ins().isub(offset, stride);
            stride = self.b.ins().imul(stride, extent);
        }
        if a.is_c {
            self.b.ins().store(flags, size, d, at::SIZE);
            self.b.ins().store(flags, kind, d, at::SIZE + 8);
        } else {
            for (i, word) in [offset, size, kind, size].into_iter().enumerate() {
                self.b.ins().store(flags, word, d, 8 + 8 * i as i32);
            }
        }
        d
    }
}
