//! Before and after a run: the memory of the units, and the report.

use super::memory::{HEAP, Memory, STACK};
use super::{Error, Failure, Options, Run, Value, beyond, limit};
use crate::entities::{Block, Expr, Label, Sym};
use crate::head::Head;
use crate::symbol::{Linkage, Storage};
use crate::unit::{Unit, UnitKind};
use crate::{Item, Type};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trueline_abi::trips::TripCounts;
use trueline_provenance::{CounterInfo, Measure, Serial, Stmt};

/// Expressions deeper than this are refused.
const DEPTH: u32 = 10_000;

/// The memory of a dummy argument of the entry, in bytes.
const DUMMY: u64 = 65536;

/// A value has no room for numbers of kind 16.
fn check_kinds(u: &Unit) -> Result<(), Failure> {
    let is_long = |ty: Type| matches!(ty, Type::R16 | Type::C16);
    let mut types = u.syms().map(|(_, data)| data.ty).chain(u.pool.all().map(|e| u.pool.ty(e)));
    if types.any(is_long) { Err(beyond("numbers of kind 16")) } else { Ok(()) }
}

/// A unit made ready to run.
pub(super) struct Code<'u> {
    pub(super) u: &'u Unit,
    /// The address of a static symbol; the offset of one in the frame.
    pub(super) places: Vec<i64>,
    pub(super) frame: u64,
    pub(super) registers: Vec<Value>,
    pub(super) labels: Vec<Option<(Block, Stmt)>>,
    /// The number of executions of each statement.
    pub(super) counts: Vec<u64>,
    pub(super) tallies: Vec<i64>,
    /// The shape of arrays with constant bounds.
    pub(super) shapes: Vec<Option<super::extent::Shape>>,
}

/// An activation of a unit.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) code: usize,
    pub(super) registers: Vec<Value>,
    /// The arguments: addresses, and values for parameters by value.
    pub(super) args: Vec<Value>,
    pub(super) base: i64,
    /// The loops whose brackets are open, and their iterations since.
    pub(super) entries: FxHashMap<Serial, i64>,
}

pub(super) struct Machine<'u> {
    pub(super) code: Vec<Code<'u>>,
    /// The trips of loops.
    pub(super) trips: BTreeMap<Serial, TripCounts>,
    /// The iterations of the entries that the program itself tells the trips of.
    pub(super) many: BTreeMap<Serial, u64>,
    pub(super) by_symbol: FxHashMap<&'u str, usize>,
    pub(super) memory: Memory,
    pub(super) frame: Frame,
    pub(super) options: &'u Options,
    pub(super) steps: u64,
    pub(super) depth: u32,
    pub(super) output: Vec<Item>,
    /// Character constants that have been put into memory.
    pub(super) texts: FxHashMap<(usize, u32), i64>,
    /// Static areas: address and size.
    areas: BTreeMap<&'u str, (i64, u64)>,
    /// The memory that a procedure which is not there can see: symbols in areas that others see.
    pub(super) shared: Vec<(Type, i64, u64)>,
    /// The number of imitated procedures that have been called.
    pub(super) imitated: u64,
}

pub(super) fn run(units: &[Unit], options: &Options) -> Result<Run, Failure> {
    let mut m = Machine::new(units, options)?;
    let entry = m.entry()?;
    let args = m.entry_arguments(entry)?;
    let dummies: Vec<Option<i64>> = m.dummies(entry, &args);
    let mut run = Run::default();
    m.memory.log = options.trace.then(Default::default);
    let references = vec![true; args.len()];
    match m.activate(entry, args, &references) {
        Ok(result) => run.result = result,
        Err(Halt::Stop(code)) => run.stop = Some(code),
        Err(Halt::Failed(e)) => return Err(e),
    }
    m.report(run, &dummies)
}

/// Why an activation does not return.
pub(super) enum Halt {
    /// STOP.
    Stop(i32),
    /// An error.
    Failed(Failure),
}

impl From<crate::scalar::Undefined> for Halt {
    fn from(why: crate::scalar::Undefined) -> Halt {
        Failure::from(why).into()
    }
}

impl From<Failure> for Halt {
    fn from(e: Failure) -> Halt {
        Halt::Failed(e)
    }
}

impl From<Error> for Halt {
    fn from(e: Error) -> Halt {
        Halt::Failed(Box::new(e))
    }
}

impl<'u> Machine<'u> {
    fn new(units: &'u [Unit], options: &'u Options) -> Result<Machine<'u>, Failure> {
        let mut m = Machine {
            code: Vec::new(),
            trips: BTreeMap::new(),
            many: BTreeMap::new(),
            by_symbol: FxHashMap::default(),
            memory: Memory::new(),
            frame: Frame::default(),
            options,
            steps: options.steps,
            depth: 0,
            output: Vec::new(),
            texts: FxHashMap::default(),
            areas: BTreeMap::new(),
            shared: Vec::new(),
            imitated: 0,
        };
        m.lay_out(units)?;
        for (k, u) in units.iter().enumerate() {
            m.by_symbol.entry(u.symbol()).or_insert(k);
            let code = m.compile(u)?;
            m.code.push(code);
        }
        if options.fill {
            for u in units {
                m.fill(u)?;
            }
        }
        Ok(m)
    }

    /// Gives every area its memory: the largest size and any initial content win.
    fn lay_out(&mut self, units: &'u [Unit]) -> Result<(), Failure> {
        let mut sizes: BTreeMap<&'u str, (u64, u32)> = BTreeMap::new();
        for (_, a) in units.iter().flat_map(|u| u.areas()) {
            let entry = sizes.entry(&a.symbol).or_default();
            *entry = (entry.0.max(a.size), entry.1.max(a.align));
        }
        for (symbol, (size, align)) in sizes {
            let address = self.memory.reserve(size, u64::from(align))?;
            self.areas.insert(symbol, (address, size));
        }
        for (_, a) in units.iter().flat_map(|u| u.areas()) {
            let (address, size) = self.areas[a.symbol.as_str()];
            let n = a.init.len().min(size as usize);
            self.memory.slice_mut(address, n)?.copy_from_slice(&a.init[..n]);
            for (at, of, add) in &a.addresses {
                let Some(&(target, _)) = self.areas.get(of.as_str()) else { continue };
                let value = (target + add).to_le_bytes();
                self.memory.slice_mut(address + *at as i64, 8)?.copy_from_slice(&value);
            }
        }
        Ok(())
    }

    fn compile(&self, u: &'u Unit) -> Result<Code<'u>, Failure> {
        check_depth(u)?;
        check_kinds(u)?;
        let mut frame = 0_u64;
        let mut places = Vec::new();
        let mut registers = Vec::new();
        for (s, data) in u.syms() {
            let place = match data.storage {
                Storage::Static { area, offset } => self.areas[u.area(area).symbol.as_str()].0 + offset as i64,
                Storage::Frame => {
                    let at = frame;
                    let size = u.constant_size(s).ok_or_else(|| beyond("an array on the stack of unknown size"))?;
                    frame = frame.saturating_add(size).saturating_add(15) & !15;
                    at as i64
                }
                _ => 0,
            };
            places.push(place);
            registers.push(if self.options.fill { default_value(data.ty) } else { Value::zero(data.ty) });
        }
        let mut labels = vec![None; u.label_count() as usize];
        for s in u.walk() {
            if let (Head::Label(l), Some(b)) = (u.head(s), u.parent(s)) {
                labels[l.index()] = Some((b, s));
            }
        }
        let shapes = u.syms().map(|(s, _)| super::extent::constant_shape(u, s)).collect();
        Ok(Code {
            u,
            places,
            frame,
            registers,
            labels,
            counts: vec![0; u.stmt_count()],
            tallies: vec![0; u.counters().count()],
            shapes,
        })
    }

    /// Puts test data into the symbols of the source that have no initial content.
    fn fill(&mut self, u: &'u Unit) -> Result<(), Failure> {
        for (s, data) in u.syms() {
            let Storage::Static { area, offset } = data.storage else { continue };
            if !data.from_source || !u.area(area).init.is_empty() {
                continue;
            }
            let (start, size) = self.areas[u.area(area).symbol.as_str()];
            let room = size.saturating_sub(offset);
            let bytes = u.constant_size(s).unwrap_or(room).min(room);
            self.sample(data.ty, start + offset as i64, bytes)?;
            if !matches!(u.area(area).linkage, Linkage::Local | Linkage::Shared) {
                self.shared.push((data.ty, start + offset as i64, bytes));
            }
        }
        Ok(())
    }

    fn sample(&mut self, ty: Type, address: i64, bytes: u64) -> Result<(), Failure> {
        for k in 0..bytes / ty.size() as u64 {
            self.memory.store(ty, address + (k * ty.size() as u64) as i64, Value::sample(ty, k))?;
        }
        Ok(())
    }

    fn entry(&self) -> Result<usize, Failure> {
        if let Some(name) = &self.options.entry {
            return self.by_symbol.get(name.as_str()).copied().ok_or_else(|| beyond(format!("no unit '{name}'")));
        }
        let main = self.code.iter().position(|c| c.u.kind() == UnitKind::Program);
        main.or(if self.code.is_empty() { None } else { Some(0) }).ok_or_else(|| beyond("there is no unit"))
    }

    /// Memory and values for the parameters of the entry.
    fn entry_arguments(&mut self, entry: usize) -> Result<Vec<Value>, Failure> {
        let u = self.code[entry].u;
        let mut args = Vec::new();
        for &p in u.params() {
            let ty = u.sym(p).ty;
            args.push(match u.sym(p).storage {
                Storage::Value { .. } if !u.sym(p).is_loaded => {
                    if self.options.fill {
                        default_value(ty)
                    } else {
                        Value::zero(ty)
                    }
                }
                _ => {
                    let address = self.memory.reserve(DUMMY, 16)?;
                    if self.options.fill {
                        self.sample(ty, address, DUMMY)?;
                    }
                    Value::Int(address)
                }
            });
        }
        Ok(args)
    }

    fn dummies(&self, entry: usize, args: &[Value]) -> Vec<Option<i64>> {
        let u = self.code[entry].u;
        let by_value = |p: &Sym| matches!(u.sym(*p).storage, Storage::Value { .. }) && !u.sym(*p).is_loaded;
        u.params().iter().zip(args).map(|(p, a)| if by_value(p) { None } else { Some(a.int()) }).collect()
    }

    /// The memory that has a name: address, size and name. The stack is named by the sizes of all frames, since places in it compare only if
    /// these are the same.
    pub(super) fn spaces(&self, dummies: &[Option<i64>]) -> Vec<(u64, u64, String)> {
        let areas = self.areas.iter().map(|(name, &(start, size))| (start as u64, size, (*name).to_owned()));
        let named = |(k, start): (usize, &Option<i64>)| Some(((*start)? as u64, DUMMY, format!("dummy {k}")));
        let frames: Vec<String> = self.code.iter().map(|c| c.frame.to_string()).collect();
        let stack = (STACK as u64, (HEAP - STACK) as u64, format!("stack {}", frames.join(" ")));
        let heap = (HEAP as u64, HEAP as u64, "heap".to_owned());
        areas.chain(dummies.iter().enumerate().filter_map(named)).chain([stack, heap]).collect()
    }

    fn report(mut self, mut run: Run, dummies: &[Option<i64>]) -> Result<Run, Failure> {
        run.trace = self.trace(dummies);
        for (symbol, &(address, size)) in &self.areas {
            let bytes = self.memory.slice(address, size as usize)?.to_vec();
            run.memory.insert((*symbol).to_owned(), bytes);
        }
        for (k, address) in dummies.iter().enumerate() {
            if let Some(a) = *address {
                run.memory.insert(format!("dummy {k}"), self.memory.slice(a, DUMMY as usize)?.to_vec());
            }
        }
        for code in &self.code {
            for ((_, info), &n) in code.u.counters().zip(&code.tallies) {
                let total = run.tallies.entry(info).or_insert(0);
                *total = total.wrapping_add(n);
            }
            for s in code.u.walk() {
                let head = code.u.head(s);
                let acts = matches!(
                    head,
                    Head::Assign { .. } | Head::ArrayAssign { .. } | Head::Store { .. } | Head::Call { .. }
                );
                if acts {
                    for o in code.u.sources(s) {
                        *run.executions.entry(o).or_insert(0) += code.counts[s.index()];
                    }
                }
            }
        }
        for (&of, trips) in &self.trips {
            let mut put = |measure, n: u64| {
                if n != 0 {
                    run.tallies.insert(CounterInfo { of, measure }, n as i64);
                }
            };
            for (k, &n) in trips.buckets.iter().enumerate() {
                put(Measure::TripBucket(k as u8), n);
            }
            put(Measure::LeastTrips, trips.least);
            put(Measure::MostTrips, trips.most);
            put(Measure::ManyTrips, self.many.get(&of).copied().unwrap_or(0));
        }
        run.output = self.output;
        run.steps = self.options.steps - self.steps;
        Ok(run)
    }

    /// The unit that is running.
    pub(super) fn unit(&self) -> &'u Unit {
        self.code[self.frame.code].u
    }

    pub(super) fn label(&self, l: Label) -> Option<(Block, Stmt)> {
        self.code[self.frame.code].labels.get(l.index()).copied().flatten()
    }

    /// Takes `n` steps.
    pub(super) fn step(&mut self, n: u64) -> Result<(), Failure> {
        self.steps = self.steps.checked_sub(n).ok_or_else(|| limit("the run takes too many steps"))?;
        Ok(())
    }
}

/// The value of a register that was never defined, in a run with test data.
fn default_value(ty: Type) -> Value {
    match ty {
        Type::R4 => Value::R4(2.5),
        Type::R8 => Value::R8(2.5),
        Type::C4 => Value::C4(2.5, -1.0),
        Type::C8 => Value::C8(2.5, -1.0),
        Type::L1 | Type::L2 | Type::L4 | Type::L8 => Value::logical(true),
        _ => Value::Int(5),
    }
}

/// Operands have smaller ids than the expressions they belong to, so one pass gives all depths.
fn check_depth(u: &Unit) -> Result<(), Failure> {
    let pool = u.pool();
    let mut depth = vec![0_u32; pool.len()];
    for e in pool.all() {
        let mut deepest = 0;
        pool.operands(e, |o: Expr| deepest = deepest.max(depth[o.index()]));
        depth[e.index()] = deepest + 1;
        if deepest >= DEPTH {
            return Err(limit("an expression nests too deep"));
        }
    }
    Ok(())
}
