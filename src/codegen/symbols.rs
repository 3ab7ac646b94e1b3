//! The linker symbols of an object: declared once, before functions are compiled in parallel.

use crate::abi;
use crate::entry::Passage;
use cranelift_codegen::ir::{
    AbiParam, ExtFuncData, ExternalName, FuncRef, Function, GlobalValue, GlobalValueData, Signature, UserExternalName,
    types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_module::{DataId, FuncId, Linkage, Module, ModuleError};
use cranelift_object::ObjectModule;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{Bridge, Callee, DIRECT, ExprData, Head, Linkage as AreaLinkage, Rt, Unit};

/// The linker symbol of the array of counters.
pub(crate) const COUNTERS: &str = "trueline.counters";
/// The linker symbol of the array of records.
pub(crate) const RECORDS: &str = "trueline.records";

/// The linker symbol of the address below which nothing of the main thread's stack may begin.
pub(crate) const STACK_LOWEST: &str = "trueline_stack_lowest";

/// The direction of a bridge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// From gfortran's convention to a procedure of this object.
    In,
    /// From ours to a procedure of another object.
    Out,
    /// From ours to an address.
    Through,
}

/// The bridges that the object has.
pub(crate) type Needed<'a> = Vec<(&'a Bridge, Way, FuncId)>;

/// Whether a symbol's address may be taken relative to the program counter, or comes from elsewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Distance {
    Near,
    Far,
}

/// Every function and datum that the object defines or uses.
#[derive(Default)]
pub(crate) struct Symbols {
    functions: FxHashMap<String, (FuncId, Distance)>,
    /// The symbols of gfortran's convention of the procedures that have a bridge.
    public: FxHashMap<String, (FuncId, Distance)>,
    data: FxHashMap<String, DataId>,
    /// The number of character constants.
    texts: usize,
    /// COMMON blocks that the object does not initialise: they become common symbols.
    pub(crate) commons: Vec<(String, DataId, u64, u32)>,
    /// The numbers of the data that stand on multiples of 16 bytes, since this object defines them.
    pub(crate) aligned: FxHashSet<u32>,
}

impl Symbols {
    /// Declares a function; the signature matters only at its definition and calls.
    pub(crate) fn function(
        &mut self,
        module: &mut ObjectModule,
        name: &str,
        linkage: Linkage,
    ) -> Result<FuncId, ModuleError> {
        let id = module.declare_function(name, linkage, &Signature::new(CallConv::SystemV))?;
        let near = linkage != Linkage::Import || name.starts_with("trueline_");
        let entry = self.functions.entry(name.to_owned()).or_insert((id, Distance::Far));
        if near {
            entry.1 = Distance::Near;
        }
        Ok(id)
    }

    /// Declares a datum.
    pub(crate) fn datum(
        &mut self,
        module: &mut ObjectModule,
        name: &str,
        linkage: Linkage,
        writable: bool,
    ) -> Result<DataId, ModuleError> {
        let id = module.declare_data(name, linkage, writable, false)?;
        self.data.insert(name.to_owned(), id);
        Ok(id)
    }

    /// Declares a character constant, which its content names here, and a short name in the object.
    pub(crate) fn text(&mut self, module: &mut ObjectModule, name: &str) -> Result<DataId, ModuleError> {
        self.texts += 1;
        let id = module.declare_data(&format!("trueline.text.{}", self.texts), Linkage::Local, false, false)?;
        self.data.insert(name.to_owned(), id);
        Ok(id)
    }

    /// Declares a thread-local datum of another object.
    pub(crate) fn thread_local(&mut self, module: &mut ObjectModule, name: &str) -> Result<DataId, ModuleError> {
        let id = module.declare_data(name, Linkage::Import, true, true)?;
        self.data.insert(name.to_owned(), id);
        Ok(id)
    }

    /// Declares all that `units` define, first, and then all that they use; tells which of the bridges are needed.
    pub(crate) fn declare<'a>(
        &mut self,
        module: &mut ObjectModule,
        units: &[Unit],
        bridges: &'a [Bridge],
    ) -> Result<Needed<'a>, ModuleError> {
        let by_symbol: FxHashMap<&str, &Bridge> = bridges.iter().map(|b| (b.symbol.as_str(), b)).collect();
        let passed = if bridges.is_empty() { FxHashSet::default() } else { passed(units) };
        let mut needed = Vec::new();
        for unit in units {
            if unit.kind() == trueline_ir::UnitKind::Data {
                continue;
            }
            let name = unit.symbol();
            let linkage = if unit.is_exported() { Linkage::Export } else { Linkage::Local };
            let Some(&bridge) = by_symbol.get(name) else {
                self.function(module, name, linkage)?;
                continue;
            };
            let own = if unit.is_exported() { Linkage::Hidden } else { Linkage::Local };
            self.direct(module, name, own)?;
            if unit.is_exported() || passed.contains(name) {
                needed.push((bridge, Way::In, self.public(module, name, linkage)?));
            }
        }
        for unit in units {
            for (_, proc) in unit.procs() {
                if self.functions.contains_key(&proc.symbol) {
                    continue;
                }
                let name = proc.symbol.as_str();
                match by_symbol.get(name) {
                    None => {
                        self.function(module, name, Linkage::Import)?;
                    }
                    Some(&bridge) if bridge.by_address => {
                        needed.push((bridge, Way::Through, self.function(module, name, Linkage::Local)?));
                    }
                    Some(&bridge) => {
                        self.public(module, name, Linkage::Import)?;
                        needed.push((bridge, Way::Out, self.direct(module, name, Linkage::Hidden)?));
                    }
                }
            }
        }
        let is_parallel = units.iter().any(calls_ranks);
        self.datum(module, STACK_LOWEST, Linkage::Import, true)?;
        for f in Rt::ALL.iter().filter(|f| is_parallel || !is_for_ranks(**f)) {
            self.function(module, f.signature().symbol, Linkage::Import)?;
        }
        let library = LIBM.iter().chain(LIBGCC).map(|&name| name.to_owned());
        for name in library.chain(long_functions()) {
            if !self.functions.contains_key(&name) {
                self.function(module, &name, Linkage::Import)?;
            }
        }
        self.declare_areas(module, units)?;
        Ok(needed)
    }

    /// Declares a procedure that has a bridge, as the IR calls it.
    fn direct(&mut self, module: &mut ObjectModule, name: &str, linkage: Linkage) -> Result<FuncId, ModuleError> {
        let id = module.declare_function(&format!("{name}{DIRECT}"), linkage, &Signature::new(CallConv::SystemV))?;
        self.functions.insert(name.to_owned(), (id, Distance::Near));
        Ok(id)
    }

    /// Declares its symbol for everybody else.
    fn public(&mut self, module: &mut ObjectModule, name: &str, linkage: Linkage) -> Result<FuncId, ModuleError> {
        let id = module.declare_function(name, linkage, &Signature::new(CallConv::SystemV))?;
        let distance = if linkage == Linkage::Import { Distance::Far } else { Distance::Near };
        self.public.insert(name.to_owned(), (id, distance));
        Ok(id)
    }

    /// The linker symbol of the code of a procedure.
    pub(crate) fn linker_name(&self, name: &str) -> String {
        if self.public.contains_key(name) { format!("{name}{DIRECT}") } else { name.to_owned() }
    }

    /// One datum a linker symbol, however many units name it: the largest size and any content win.
    fn declare_areas(&mut self, module: &mut ObjectModule, units: &[Unit]) -> Result<(), ModuleError> {
        let areas = merged_areas(units);
        for area in &areas {
            let linkage = match area.linkage {
                AreaLinkage::Local | AreaLinkage::Shared => Linkage::Local,
                AreaLinkage::Export => Linkage::Export,
                AreaLinkage::Import => Linkage::Import,
                AreaLinkage::Common if area.init.is_empty() => Linkage::Import,
                AreaLinkage::Common => Linkage::Export,
            };
            let id = self.datum(module, &area.symbol, linkage, true)?;
            if linkage != Linkage::Import && area.align.is_multiple_of(16) {
                self.aligned.insert(id.as_u32());
            }
            if area.linkage == AreaLinkage::Common && area.init.is_empty() {
                self.commons.push((area.symbol.clone(), id, area.size, area.align));
            }
        }
        // Procedures that nothing but the content of an area mentions.
        for (_, of, _) in areas.iter().flat_map(|a| &a.addresses) {
            if self.data_id(of).is_none() && self.public_id(of).is_none() {
                self.function(module, of, Linkage::Import)?;
            }
        }
        Ok(())
    }

    /// The id of a declared function.
    pub(crate) fn function_id(&self, name: &str) -> Option<FuncId> {
        self.functions.get(name).map(|(id, _)| *id)
    }

    /// The id of a declared function by the symbol that is for everybody.
    pub(crate) fn public_id(&self, name: &str) -> Option<FuncId> {
        self.public.get(name).or_else(|| self.functions.get(name)).map(|(id, _)| *id)
    }

    /// The id of a declared datum.
    pub(crate) fn data_id(&self, name: &str) -> Option<DataId> {
        self.data.get(name).copied()
    }

    /// A reference to the function `name` with the signature of one call.
    pub(crate) fn import(&self, func: &mut Function, name: &str, signature: Signature) -> FuncRef {
        refer(func, self.functions[name], signature)
    }

    /// The same, called in that way.
    pub(crate) fn import_by(&self, func: &mut Function, name: &str, signature: Signature, way: Passage) -> FuncRef {
        match way.namespace() {
            0 => self.import(func, name, signature),
            space => {
                let name = UserExternalName::new(space, self.functions[name].0.as_u32());
                refer_by(func, name, Distance::Near, signature)
            }
        }
    }

    /// The same by an address that the linker's table has from the start.
    pub(crate) fn import_bound(&self, func: &mut Function, name: &str, signature: Signature) -> FuncRef {
        refer(func, (self.functions[name].0, Distance::Far), signature)
    }

    /// The same by the public symbol, for taking an address.
    pub(crate) fn import_public(&self, func: &mut Function, name: &str, signature: Signature) -> FuncRef {
        let function = self.public.get(name).copied().unwrap_or_else(|| self.functions[name]);
        refer(func, function, signature)
    }

    /// A reference to the datum `name`.
    pub(crate) fn global(&self, func: &mut Function, name: &str) -> GlobalValue {
        let id = self.data[name];
        let user = func.declare_imported_user_function(UserExternalName::new(1, id.as_u32()));
        func.create_global_value(GlobalValueData::Symbol {
            name: ExternalName::user(user),
            offset: 0.into(),
            colocated: true,
            tls: false,
        })
    }
}

fn refer(func: &mut Function, (id, distance): (FuncId, Distance), signature: Signature) -> FuncRef {
    refer_by(func, UserExternalName::new(0, id.as_u32()), distance, signature)
}

fn refer_by(func: &mut Function, name: UserExternalName, distance: Distance, signature: Signature) -> FuncRef {
    let user = func.declare_imported_user_function(name);
    let signature = func.import_signature(signature);
    func.import_function(ExtFuncData {
        name: ExternalName::user(user),
        signature,
        colocated: distance == Distance::Near,
        patchable: false,
    })
}

/// The procedures whose address is taken.
pub(crate) fn passed(units: &[Unit]) -> FxHashSet<&str> {
    let all = units.iter().flat_map(|u| u.pool().all().map(move |e| (u, e)));
    let passed = all.filter_map(|(u, e)| match u.expr(e) {
        ExprData::ProcAddr(p) => Some(u.proc(p).symbol.as_str()),
        _ => None,
    });
    passed.collect()
}

/// The static areas of all units, one a linker symbol, in the order of their first appearance.
pub(crate) fn merged_areas(units: &[Unit]) -> Vec<trueline_ir::AreaData> {
    let mut out: indexmap::IndexMap<&str, trueline_ir::AreaData> = indexmap::IndexMap::new();
    for (_, area) in units.iter().flat_map(Unit::areas) {
        match out.entry(area.symbol.as_str()) {
            indexmap::map::Entry::Vacant(e) => {
                e.insert(area.clone());
            }
            indexmap::map::Entry::Occupied(mut e) => {
                let old = e.get_mut();
                old.size = old.size.max(area.size);
                old.align = old.align.max(area.align);
                if old.init.is_empty() {
                    old.init.clone_from(&area.init);
                    old.addresses.clone_from(&area.addresses);
                }
                if old.linkage == AreaLinkage::Import {
                    old.linkage = area.linkage;
                }
            }
        }
    }
    out.into_values().collect()
}

/// The signature of a runtime function.
pub(crate) fn runtime_signature(f: Rt) -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    let table = f.signature();
    signature.params.extend(table.params.iter().map(|(_, a)| AbiParam::new(abi::clif(*a))));
    signature.returns.extend(table.result.map(|a| AbiParam::new(abi::clif(a))));
    signature
}

/// A signature of a C function of numbers.
pub(crate) fn plain_signature(
    params: &[cranelift_codegen::ir::Type],
    result: &[cranelift_codegen::ir::Type],
) -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.extend(params.iter().map(|t| AbiParam::new(*t)));
    signature.returns.extend(result.iter().map(|t| AbiParam::new(*t)));
    signature
}

/// The CLIF type of an address.
pub(crate) const ADDRESS: cranelift_codegen::ir::Type = types::I64;
/// Whether a unit is compiled for several ranks: objects of other units name no function of these.
fn calls_ranks(unit: &Unit) -> bool {
    let calls = |head: Head| matches!(head, Head::Call { callee: Callee::Rt(f), .. } if is_for_ranks(f));
    unit.walk().into_iter().any(|s| calls(unit.head(s)))
}

fn is_for_ranks(f: Rt) -> bool {
    f.name().starts_with("ranks_")
}

/// The functions of the C library that code may call: of kind 8 and of kind 4.
pub(crate) const LIBM: &[&str] = &[
    "exp",
    "expf",
    "log",
    "logf",
    "log10",
    "log10f",
    "sin",
    "sinf",
    "cos",
    "cosf",
    "tan",
    "tanf",
    "asin",
    "asinf",
    "acos",
    "acosf",
    "atan",
    "atanf",
    "atan2",
    "atan2f",
    "sinh",
    "sinhf",
    "cosh",
    "coshf",
    "tanh",
    "tanhf",
    "pow",
    "powf",
    "fmod",
    "fmodf",
    "round",
    "roundf",
    "lround",
    "lroundf",
    "hypot",
    "hypotf",
    "tgamma",
    "tgammaf",
    "lgamma",
    "lgammaf",
    "erf",
    "erff",
    "erfc",
    "erfcf",
    "asinh",
    "asinhf",
    "acosh",
    "acoshf",
    "atanh",
    "atanhf",
    "nextafter",
    "nextafterf",
    "j0",
    "j0f",
    "j1",
    "j1f",
    "jn",
    "jnf",
    "y0",
    "y0f",
    "y1",
    "y1f",
    "yn",
    "ynf",
    "casinh",
    "casinhf",
    "cacosh",
    "cacoshf",
    "catanh",
    "catanhf",
    "csqrt",
    "csqrtf",
    "cexp",
    "cexpf",
    "clog",
    "clogf",
    "csin",
    "csinf",
    "ccos",
    "ccosf",
    "ctan",
    "ctanf",
    "casin",
    "casinf",
    "cacos",
    "cacosf",
    "catan",
    "catanf",
    "csinh",
    "csinhf",
    "ccosh",
    "ccoshf",
    "ctanh",
    "ctanhf",
    "cpow",
    "cpowf",
    "cabs",
    "cabsf",
    "frexp",
    "frexpf",
    "ldexp",
    "ldexpf",
    "logb",
    "logbf",
];

/// The functions of the C library of numbers of kind 16, whose names end in `f128`.
pub(crate) fn long_functions() -> impl Iterator<Item = String> {
    let more = ["sqrt", "trunc", "floor", "ceil"];
    // After each name is that of its function of kind 4.
    LIBM.iter().step_by(2).copied().chain(more).map(|name| format!("{name}f128"))
}

/// The functions of the C compiler's library for binary128.
pub(crate) const LIBGCC: &[&str] = &[
    "__addtf3",
    "__subtf3",
    "__multf3",
    "__divtf3",
    "__eqtf2",
    "__netf2",
    "__lttf2",
    "__letf2",
    "__gttf2",
    "__getf2",
    "__unordtf2",
    "__extendsftf2",
    "__extenddftf2",
    "__trunctfsf2",
    "__trunctfdf2",
    "__fixtfsi",
    "__fixtfdi",
    "__floatsitf",
    "__floatditf",
    "__powitf2",
];
