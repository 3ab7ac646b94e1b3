//! How deep the statements and expressions of a unit nest.

use crate::Unit;
use cranelift_entity::EntityRef;
use std::cmp::max;

/// The deepest loops of a unit that is optimized. What a loop computes before it stays alive through the inner ones, and some
/// passes ask about each loop around.
const MOST_LOOPS: usize = 100;
/// The deepest statements; a chain of ELSE IF is a nest.
const MOST_CONSTRUCTS: usize = 1000;
/// The deepest expressions.
const MOST_OPERATIONS: u32 = 2000;

impl Unit {
    /// Whether its loops, conditionals or expressions nest so deep that it is compiled as it is written: the time of an optimizer grows with
    /// the square of the depth or worse. Fixed when the unit is made.
    pub fn is_deep(&self) -> bool {
        self.deep
    }

    /// Sets [`Unit::is_deep`].
    pub(crate) fn measure_depth(&mut self) {
        self.deep = self.has_deep_expressions() || self.has_deep_statements();
    }

    fn has_deep_expressions(&self) -> bool {
        // Operands come before the operations on them.
        let mut depths: Vec<u32> = Vec::with_capacity(self.pool.len());
        for k in 0..self.pool.len() {
            let mut depth = 0;
            self.pool.operands(crate::Expr::new(k), |e| depth = max(depth, depths[e.index()]));
            depths.push(depth + 1);
        }
        depths.into_iter().any(|depth| depth > MOST_OPERATIONS)
    }

    fn has_deep_statements(&self) -> bool {
        let mut todo = vec![(self.body, 0, 0)];
        while let Some((block, constructs, loops)) = todo.pop() {
            if constructs > MOST_CONSTRUCTS || loops > MOST_LOOPS {
                return true;
            }
            for s in self.stmts(block) {
                let loops = loops + usize::from(self.head(s).is_loop());
                todo.extend(self.blocks(s).iter().map(|&b| (b, constructs + 1, loops)));
            }
        }
        false
    }
}
