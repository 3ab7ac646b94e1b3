//! Rules about calls.

use super::Verifier;
use crate::Type;
use crate::entities::{Expr, List, Sym};
use crate::expr::{Access, ExprData};
use crate::head::Callee;
use trueline_abi::Abi;

impl Verifier<'_> {
    pub(super) fn call(&mut self, callee: Callee, args: List, result: Option<Sym>) {
        let u = self.u;
        let args = u.list(args).to_vec();
        for &a in &args {
            self.argument(a);
        }
        if let Some(r) = result {
            self.check(15, u.sym(r).is_register(), "the result goes to something that is no register");
        }
        let result = result.map(|r| u.sym(r).ty);
        match callee {
            Callee::Proc(p) => {
                let proc = u.proc(p);
                let name = &proc.name;
                let fits = result.is_none() || result == proc.result;
                self.check(15, fits, format_args!("the result of '{name}' has another type"));
                if proc.is_libm {
                    let values = args.iter().all(|&a| !matches!(u.expr(a), ExprData::AddrOf(..)));
                    self.check(15, values, format_args!("'{name}' takes its arguments by value"));
                }
            }
            Callee::Dummy(v) => {
                let fits = u.sym(v).is_register() && u.sym(v).ty == Type::I8;
                self.check(15, fits, "a dummy procedure is no address passed by value");
            }
            Callee::Rt(f) => {
                let signature = f.signature();
                let (want, have) = (signature.params.len(), args.len());
                if want != have {
                    return self.report(15, format!("'{}' takes {want} arguments, not {have}", f.name()));
                }
                for (&(name, abi), &a) in signature.params.iter().zip(&args) {
                    self.check(15, self.fits(abi, a), format_args!("argument '{name}' of '{}' does not fit", f.name()));
                }
                let fits = result.is_none() || result == signature.result.map(type_of);
                self.check(15, fits, format_args!("the result of '{}' has another type", f.name()));
            }
        }
    }

    fn fits(&self, abi: Abi, a: Expr) -> bool {
        let u = self.u;
        let data = u.expr(a);
        let is_address = match data {
            ExprData::AddrOf(..) | ExprData::ProcAddr(_) | ExprData::Null => true,
            // An address that is computed, such as the base of an allocatable array.
            ExprData::Int(..) => false,
            _ => u.ty(a) == Type::I8,
        };
        match abi {
            Abi::In => is_address && !matches!(data, ExprData::AddrOf(Access::Out, _)),
            Abi::Out => is_address && !matches!(data, ExprData::AddrOf(Access::In, _)),
            Abi::Opaque => is_address || u.ty(a) == Type::I8,
            _ => u.ty(a) == type_of(abi) && !matches!(data, ExprData::AddrOf(..)),
        }
    }
}

fn type_of(abi: Abi) -> Type {
    match abi {
        Abi::I32 => Type::I4,
        Abi::F32 => Type::R4,
        Abi::F64 => Type::R8,
        Abi::I64 | Abi::In | Abi::Out | Abi::Opaque => Type::I8,
    }
}
