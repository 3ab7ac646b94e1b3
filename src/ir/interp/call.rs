//! Calls: of units, of the C library, of the runtime, and of procedures that are not there.

use super::setup::{Halt, Machine};
use super::{Failure, Item, Value, beyond, limit, wrong};
use crate::entities::{Expr, List, Proc, Sym};
use crate::expr::{Access, ExprData};
use crate::head::Callee;
use crate::scalar;
use crate::{Intrinsic, Rt, Type};
use cranelift_entity::EntityRef;
use trueline_abi::io::{IO_OK, IoOp};
use trueline_abi::nest::Nest;

/// A register that is passed by reference: it lives in a slot during the call.
struct Slot {
    sym: Sym,
    ty: Type,
    address: i64,
    written: bool,
}

impl Machine<'_> {
    pub(super) fn call(&mut self, callee: Callee, args: List, result: Option<Sym>) -> Result<(), Halt> {
        let u = self.unit();
        let list = u.list(args);
        if matches!(callee, Callee::Rt(f) if self.has_no_elements(f, list)?) {
            return Ok(());
        }
        let top = self.memory.top;
        let mut slots = Vec::new();
        let mut values = Vec::new();
        for &a in list {
            values.push(self.argument(a, &mut slots)?);
        }
        let returned = match callee {
            Callee::Rt(f) => self.runtime(f, &values)?,
            Callee::Proc(p) => self.procedure(p, list, values, result)?,
            Callee::Dummy(s) => {
                let references = self.references(list);
                let target = self.value_of(s).int();
                let code = usize::try_from(target.wrapping_neg().wrapping_sub(1)).ok();
                let code = code.filter(|&c| c < self.code.len());
                let code = code.ok_or_else(|| beyond("a procedure that is an argument from outside"))?;
                self.activate(code, values, &references)?
            }
        };
        for slot in slots.iter().filter(|s| s.written) {
            let v = self.memory.load(slot.ty, slot.address)?;
            self.frame.registers[slot.sym.index()] = v;
        }
        self.memory.top = top;
        if let Some(r) = result {
            let v = returned.ok_or_else(|| wrong("a procedure without a value is called for one"))?;
            self.frame.registers[r.index()] = v;
        }
        Ok(())
    }

    pub(super) fn value_of(&self, register: Sym) -> Value {
        self.frame.registers[register.index()]
    }

    fn argument(&mut self, a: Expr, slots: &mut Vec<Slot>) -> Result<Value, Failure> {
        let u = self.unit();
        match u.expr(a) {
            ExprData::AddrOf(access, place) => {
                if let ExprData::Var(sym) = u.expr(place)
                    && u.sym(sym).is_register()
                {
                    return self.slot(access, sym, slots);
                }
                self.put_text(place)?;
                self.place(place).map(Value::Int)
            }
            // The address of a procedure is a negative number, which is no address of memory.
            ExprData::ProcAddr(p) => match self.by_symbol.get(u.proc(p).symbol.as_str()) {
                Some(&k) => Ok(Value::Int(-(k as i64) - 1)),
                None => Err(beyond(format!("procedure '{}' as an argument", u.proc(p).name))),
            },
            _ => self.value(a),
        }
    }

    fn slot(&mut self, access: Access, sym: Sym, slots: &mut Vec<Slot>) -> Result<Value, Failure> {
        let ty = self.unit().sym(sym).ty;
        let written = access != Access::In;
        if let Some(slot) = slots.iter_mut().find(|s| s.sym == sym) {
            slot.written |= written;
            return Ok(Value::Int(slot.address));
        }
        let address = self.memory.push(16)?;
        self.memory.store(ty, address, self.value_of(sym))?;
        slots.push(Slot { sym, ty, address, written });
        Ok(Value::Int(address))
    }

    /// Puts the character constant that `place` is, or is a part of, into memory.
    fn put_text(&mut self, place: Expr) -> Result<(), Failure> {
        let u = self.unit();
        match u.expr(place) {
            ExprData::Substr(base, ..) => self.put_text(base),
            ExprData::Text(t) if !self.texts.contains_key(&(self.frame.code, t)) => {
                let bytes = u.pool().text(t);
                let address = self.memory.reserve(bytes.len().max(1) as u64, 16)?;
                self.memory.slice_mut(address, bytes.len())?.copy_from_slice(bytes);
                self.texts.insert((self.frame.code, t), address);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Which arguments are passed by reference.
    fn references(&self, list: &[Expr]) -> Vec<bool> {
        list.iter().map(|&a| matches!(self.unit().expr(a), ExprData::AddrOf(..) | ExprData::Null)).collect()
    }

    fn procedure(
        &mut self,
        p: Proc,
        list: &[Expr],
        values: Vec<Value>,
        result: Option<Sym>,
    ) -> Result<Option<Value>, Halt> {
        let u = self.unit();
        let data = u.proc(p);
        if let Some(&code) = self.by_symbol.get(data.symbol.as_str()) {
            let references = self.references(list);
            return self.activate(code, values, &references);
        }
        if data.is_libm {
            let ty = result.map_or(Type::R8, |r| u.sym(r).ty);
            return Ok(Some(libm(&data.symbol, ty, &values)?));
        }
        if !self.options.imitate {
            return Err(beyond(format!("procedure '{}' is not in the program", data.name)).into());
        }
        Ok(self.imitated(p, list, &values, result)?)
    }

    /// Stands for a procedure that is not there: its value depends on its arguments. If it is
    /// not pure it also notes its arguments and the shared memory that it can see, and changes both.
    fn imitated(
        &mut self,
        p: Proc,
        list: &[Expr],
        values: &[Value],
        result: Option<Sym>,
    ) -> Result<Option<Value>, Failure> {
        let u = self.unit();
        let data = u.proc(p);
        let mut seen = Hash::default();
        seen.add(data.symbol.as_bytes());
        let mut writes: Vec<(Type, i64)> = Vec::new();
        for (&a, v) in list.iter().zip(values) {
            match u.expr(a) {
                ExprData::AddrOf(access, place) => {
                    let ty = u.ty(place);
                    let bytes = match self.root(place) {
                        Some(s) if !u.sym(s).is_register() => self.room(s, v.int(), ty),
                        _ => ty.size() as i64,
                    };
                    if access.reads() {
                        seen.add(self.memory.slice(v.int(), bytes as usize)?);
                    }
                    if access != Access::In {
                        writes.push((ty, v.int()));
                    }
                }
                ExprData::ProcAddr(_) | ExprData::Null => {}
                _ => seen.add(&v.bytes(u.ty(a))),
            }
        }
        if !data.is_pure {
            let visible = self.shared.clone();
            for &(ty, address, bytes) in &visible {
                seen.add(self.memory.slice(address, bytes as usize)?);
                if bytes >= ty.size() as u64 {
                    writes.push((ty, address));
                }
            }
            seen.add(&self.imitated.to_le_bytes());
            self.imitated += 1;
            self.output.push(Item { ty: Type::I8, bytes: seen.0.to_le_bytes().to_vec() });
            for (k, (ty, address)) in writes.into_iter().enumerate() {
                self.memory.store(ty, address, Value::sample(ty, seen.0 % 1000 + k as u64))?;
            }
        }
        Ok(result.map(|r| Value::sample(u.sym(r).ty, seen.0 % 1000)))
    }

    /// The symbol whose memory a place is in.
    fn root(&self, place: Expr) -> Option<Sym> {
        match self.unit().expr(place) {
            ExprData::Var(s) | ExprData::Elem(s, _) | ExprData::Wide(_, s, _) | ExprData::Load { sym: s, .. } => {
                Some(s)
            }
            ExprData::Substr(base, ..) => self.root(base),
            _ => None,
        }
    }

    fn runtime(&mut self, f: Rt, args: &[Value]) -> Result<Option<Value>, Halt> {
        let int = |k: usize| args.get(k).map_or(0, |v| v.int());
        let value = match f {
            Rt::StopInt | Rt::Exit => return Err(Halt::Stop(int(0) as i32)),
            Rt::StopText => return Err(Halt::Stop(0)),
            Rt::ErrorStopInt => return Err(Halt::Stop(int(0) as i32)),
            Rt::ErrorStopText => return Err(Halt::Stop(1)),
            Rt::RuntimeError | Rt::Fault | Rt::LongFault => return Err(Halt::Stop(2)),
            Rt::Address | Rt::Barrier | Rt::Procedure => Value::Int(int(0)),
            Rt::Allocate | Rt::AllocateStat => Value::Int(self.memory.allocate(int(0))?),
            Rt::Deallocate => {
                self.memory.deallocate(int(0))?;
                return Ok(None);
            }
            Rt::PowI64 => Value::Int(scalar::power(int(0), int(1))),
            Rt::PowiF64 => scalar::intrinsic(Intrinsic::PowInt, Type::R8, Type::R8, args)?,
            Rt::PowLongF64 => scalar::intrinsic(Intrinsic::PowLong, Type::R8, Type::R8, args)?,
            Rt::PowLongF32 => scalar::intrinsic(Intrinsic::PowLong, Type::R4, Type::R4, args)?,
            Rt::PowiF32 => scalar::intrinsic(Intrinsic::PowInt, Type::R4, Type::R4, args)?,
            // The registries of `-fcheck=`: nothing is gone, and nothing overlaps.
            Rt::NoteTarget | Rt::EndTarget | Rt::AliasAccess | Rt::AliasEnd | Rt::Pass => return Ok(None),
            Rt::ReleaseTarget | Rt::TargetGone | Rt::AliasBegin | Rt::Passed => Value::Int(0),
            // A run of one rank, which owns everything.
            Rt::RanksCount | Rt::RanksFirst | Rt::RanksWrite | Rt::RanksMine | Rt::RanksTurn => Value::Int(1),
            Rt::RanksStrip => Value::Int(int(1).max(1)),
            Rt::RanksMap | Rt::RanksKeep | Rt::RanksTake | Rt::RanksInherit => Value::Int(-1),
            Rt::RanksGather | Rt::RanksLeave | Rt::RanksBack | Rt::RanksHand | Rt::RanksReturned => return Ok(None),
            Rt::RanksDone | Rt::RanksBegin | Rt::RanksAll | Rt::RanksShow | Rt::RanksLeft => return Ok(None),
            Rt::RanksNest => {
                self.nest_alone(int(0), int(1), int(2))?;
                return Ok(None);
            }
            Rt::RanksShare | Rt::RanksFetch | Rt::RanksPublish | Rt::RanksReduce | Rt::RanksEnd => return Ok(None),
            Rt::RanksRemap | Rt::RanksAnew | Rt::RanksRemapped | Rt::RanksFollow => return Ok(None),
            Rt::RanksSwept | Rt::RanksCarry | Rt::RanksPart | Rt::RanksGive => return Ok(None),
            _ if self.blocks(f, args)? => return Ok(None),
            _ => {
                return Ok(match self.characters(f, args)? {
                    Some(done) => done,
                    None => self.io(f, args)?,
                });
            }
        };
        Ok(Some(value))
    }

    /// The answers for a nest on one rank: `table` has `count` numbers, the answers go behind the values.
    fn nest_alone(&mut self, table: i64, count: i64, values: i64) -> Result<(), Failure> {
        let numbers = self.integers(table, usize::try_from(count).unwrap_or(0))?;
        let nest = Nest::decode(&numbers).ok_or_else(|| wrong("a table that means no nest"))?;
        let given = self.integers(values, nest.values)?;
        for (k, answer) in nest.alone(&given).into_iter().enumerate() {
            let place = values.wrapping_add(8 * (nest.values + k) as i64);
            self.memory.slice_mut(place, 8)?.copy_from_slice(&answer.to_ne_bytes());
        }
        Ok(())
    }

    /// `count` integers in memory.
    fn integers(&self, place: i64, count: usize) -> Result<Vec<i64>, Failure> {
        let bytes = self.memory.slice(place, count.saturating_mul(8))?;
        Ok(bytes.chunks_exact(8).map(|b| i64::from_ne_bytes(b.try_into().unwrap_or_default())).collect())
    }

    /// Output, item by item; its layout is not recorded.
    fn io(&mut self, f: Rt, args: &[Value]) -> Result<Option<Value>, Failure> {
        let int = |k: usize| args.get(k).map_or(0, |v| v.int());
        match f {
            Rt::IoBegin if int(0) == IoOp::Write as i64 || int(0) == IoOp::Flush as i64 => Ok(None),
            Rt::IoInt | Rt::IoStr | Rt::IoStart => Ok(None),
            Rt::IoFinish => Ok(Some(Value::Int(IO_OK.into()))),
            Rt::IoPut => self.put(int(0), int(1), int(2), 1, 0),
            Rt::IoPutArray => self.put(int(0), int(1), int(2), int(3), int(4)),
            other => Err(beyond(format!("'{}'", other.name()))),
        }
    }

    fn put(&mut self, start: i64, code: i64, len: i64, count: i64, stride: i64) -> Result<Option<Value>, Failure> {
        let ty = i32::try_from(code).ok().and_then(Type::from_number).ok_or_else(|| wrong("an unknown type code"))?;
        let size = if ty == Type::Char { usize::try_from(len).unwrap_or(0) } else { ty.size() };
        for k in 0..count.max(0) {
            self.step(1 + size as u64 / 16)?;
            let bytes = match size {
                0 => Vec::new(),
                _ => self.memory.slice(start.wrapping_add(k.wrapping_mul(stride)), size)?.to_vec(),
            };
            self.output.push(Item { ty, bytes });
            if self.output.len() > 10_000_000 {
                return Err(limit("too much output"));
            }
        }
        Ok(None)
    }
}

/// FNV-1a: all that is asked of it is to tell different data apart.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.0 = (self.0 ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// A function of the C library, by name.
fn libm(name: &str, ty: Type, args: &[Value]) -> Result<Value, Failure> {
    let base = if ty == Type::R4 { name.strip_suffix('f').unwrap_or(name) } else { name };
    let i = match base {
        "fabs" => Some(Intrinsic::Abs),
        "fmod" => Some(Intrinsic::Mod),
        other => Intrinsic::by_name(other),
    };
    match (i, args.first()) {
        (Some(i), Some(_)) => Ok(scalar::intrinsic(i, ty, ty, args)?),
        _ => Err(beyond(format!("'{name}'"))),
    }
}
