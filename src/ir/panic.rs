//! Panics of phases, which their callers report as bugs of the compiler.

use std::any::Any;

/// The message of a panic that was caught.
pub fn panic_text(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "panicked".to_owned(),
    }
}
