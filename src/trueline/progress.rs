//! A bar on standard error while long work goes on: only on a terminal, and only if it takes more than a moment.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that is over sooner is not shown.
const MOMENT: Duration = Duration::from_millis(500);
/// The time between two drawings of the bar.
const PACE: Duration = Duration::from_millis(100);
/// The bar's columns.
const BAR: usize = 24;

/// The work being done, and how much of it has been.
#[derive(Clone, Default)]
struct State {
    step: String,
    done: usize,
    total: usize,
    over: bool,
}

/// The bar; it is gone from the terminal when this is dropped.
pub struct Progress {
    shared: Arc<(Mutex<State>, Condvar)>,
    drawing: Option<JoinHandle<()>>,
}

impl Progress {
    /// Begins a work of `total` steps. Nothing is drawn if standard error is no terminal, or a dumb one.
    pub fn new(total: usize) -> Progress {
        let shared = Arc::new((Mutex::new(State { total, ..State::default() }), Condvar::new()));
        let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
        let drawing = (std::io::stderr().is_terminal() && !dumb).then(|| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || draw(&shared))
        });
        Progress { shared, drawing }
    }

    /// The next step begins; those before it are done.
    pub fn step(&self, what: &str) {
        let mut state = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.step.is_empty() {
            state.done += 1;
        }
        what.clone_into(&mut state.step);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner).over = true;
        self.shared.1.notify_all();
        if let Some(drawing) = self.drawing.take() {
            // It does nothing that can fail.
            let _ = drawing.join();
        }
    }
}

/// Draws until the work is over, then leaves the line empty.
fn draw(shared: &(Mutex<State>, Condvar)) {
    let begin = Instant::now();
    let mut wait = MOMENT;
    let mut drawn = false;
    loop {
        let state = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (state, _) = shared.1.wait_timeout_while(state, wait, |s| !s.over).unwrap_or_else(PoisonError::into_inner);
        let (text, over) = (line(&state, begin.elapsed()), state.over);
        drop(state);
        let text = if over { String::new() } else { text };
        if drawn || !over {
            // There is no place to report a failure of standard error.
            let _ = std::io::stderr().write_all(format!("\r\u{1b}[K{text}").as_bytes());
        }
        if over {
            return;
        }
        (drawn, wait) = (true, PACE);
    }
}

/// `reading a.json  [######                  ]  3 of 12, 1.4 s`
fn line(state: &State, elapsed: Duration) -> String {
    let full = BAR * state.done.min(state.total) / state.total.max(1);
    let bar = "#".repeat(full) + &" ".repeat(BAR - full);
    let step: String = trueline_diag::safe(&state.step).chars().take(32).collect();
    format!("{step:<32} [{bar}] {} of {}, {:.1} s", state.done.min(state.total), state.total, elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar() {
        let state = State { step: "reading a\u{1b}.json".into(), done: 3, total: 12, over: false };
        let text = line(&state, Duration::from_millis(1440));
        let bar = format!("[{}{}]", "#".repeat(6), " ".repeat(18));
        assert_eq!(text, format!("{:<32} {bar} 3 of 12, 1.4 s", "reading a\u{241b}.json"));
        assert!(line(&State::default(), MOMENT).contains("0 of 0"));
    }

    #[test]
    fn steps_count() {
        let progress = Progress::new(2);
        for what in ["one", "two"] {
            progress.step(what);
        }
        let state = progress.shared.0.lock().unwrap().clone();
        assert_eq!((state.done, state.step.as_str()), (1, "two"));
    }
}
