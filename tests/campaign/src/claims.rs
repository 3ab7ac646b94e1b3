//! What the mapping claims, counted where it says.
//!
//! The counts that users see come from tallies, which do not depend on sets and taints. So a wrong set or
//! a missing taint would go unnoticed, but for this: a loop or conditional whose image is *true* is counted
//! at its image, in the unprofiled build, and the count must be that of the source.

use std::collections::{BTreeMap, BTreeSet};
use trueline_instrument::tree;
use trueline_ir::{Editor, Head, Place, Program, Stmt, Type, Unit, UnitKind};
use trueline_provenance::map::{Image, Mapping, Tree};
use trueline_provenance::{CounterInfo, Measure, Serial, Transform};

/// The counts that the mapping claims to be at the image.
#[derive(Default)]
pub struct Claims(BTreeSet<CounterInfo>);

impl Claims {
    /// Puts a counter at the image of every construct that has one.
    pub fn plant(&mut self, program: &mut Program) {
        let found: Vec<(Serial, usize, Stmt)> = {
            let trees: Vec<Tree<'_>> = program.units.iter().map(tree).collect();
            let mapping = Mapping::new(&program.infos, &trees);
            let kinds = program.infos.stmts.iter().filter(|(_, i)| i.kind.is_loop() || i.kind.is_conditional());
            kinds
                .filter_map(|(s, _)| match mapping.image(s) {
                    Image::True(t) => Some((s, t.0 as usize, mapping.node(t).stmt)),
                    _ => None,
                })
                .collect()
        };
        for (of, unit, stmt) in found {
            let mut ed = Editor::open(&mut program.units[unit], "claim");
            let body = *ed.blocks(stmt).last().unwrap_or(&ed.body());
            match ed.head(stmt) {
                Head::Do { .. } | Head::DoWhile { .. } => {
                    self.count(&mut ed, of, Measure::Invocations, Place::Before(stmt));
                    self.count(&mut ed, of, Measure::Iterations, Place::Start(body));
                }
                Head::If { .. } => {
                    let then = ed.blocks(stmt)[0];
                    self.count(&mut ed, of, Measure::Evaluations, Place::Before(stmt));
                    self.count(&mut ed, of, Measure::Taken(0), Place::Start(then));
                }
                _ => {}
            }
        }
    }

    /// Whether there is a claim about `of`.
    pub fn is_claimed(&self, of: Serial) -> bool {
        self.0.iter().any(|c| c.of == of)
    }

    fn count(&mut self, ed: &mut Editor<'_>, of: Serial, measure: Measure, at: Place) {
        let info = CounterInfo { of, measure };
        let one = ed.int(Type::I8, 1);
        let counter = ed.counter_for(info);
        ed.tally(counter, one, at);
        self.0.insert(info);
    }

    /// Whether what was counted is what the source counts.
    ///
    /// # Errors
    /// The first claim that is wrong.
    pub fn compare(
        &self,
        counted: &BTreeMap<CounterInfo, i64>,
        reference: &BTreeMap<CounterInfo, i64>,
    ) -> Result<(), String> {
        let get = |m: &BTreeMap<CounterInfo, i64>, c: &CounterInfo| m.get(c).copied().unwrap_or(0);
        match self.0.iter().find(|c| get(counted, c) != get(reference, c)) {
            Some(c) => Err(format!(
                "{} of {} is claimed to be {}, and is {}",
                c.measure.name(),
                c.of,
                get(counted, c),
                get(reference, c)
            )),
            None => Ok(()),
        }
    }
}

/// Every loop and conditional that a source statement stands in is, for each statement derived from it
/// alone, in its own set or in one around it: what leaves a body takes the set along. Constructs that were
/// eliminated are around nothing any more, and what was merged stands in one place for several.
///
/// # Errors
/// The first statement that left without saying so.
pub fn sets(program: &Program) -> Result<(), String> {
    // Of all units: what was eliminated in a procedure is not there when it is inlined.
    let mut gone: BTreeSet<Serial> = BTreeSet::new();
    for unit in &program.units {
        for e in unit.log().edits.iter().filter(|e| e.transform == Transform::Eliminate) {
            gone.extend(unit.sets().atoms(e.before));
        }
    }
    for unit in program.units.iter().filter(|u| u.kind() != UnitKind::Data && u.level() < trueline_ir::Level::L) {
        unit_sets(program, unit, &gone)?;
    }
    Ok(())
}

fn unit_sets(program: &Program, unit: &Unit, gone: &BTreeSet<Serial>) -> Result<(), String> {
    let infos = &program.infos;
    for s in unit.walk() {
        let &[own] = unit.origins(s) else { continue };
        if unit.head(s).is_invisible() || matches!(unit.head(s), Head::Label(_) | Head::Goto(_)) {
            continue;
        }
        let mut around: BTreeSet<Serial> = [own].into();
        for a in unit.ancestors(s) {
            around.extend(unit.origins(a));
        }
        let missing = infos.ancestors(own).find(|&p| {
            let kind = infos.stmts[p].kind;
            (kind.is_loop() || kind == trueline_provenance::StmtKind::IfBlock)
                && !around.contains(&p)
                && !gone.contains(&p)
        });
        if let Some(p) = missing {
            let line = |s: Serial| infos.stmts[s].line;
            return Err(format!(
                "in {} a statement of line {} stands outside what is left of line {}, and its set does not say so",
                unit.name(),
                line(own),
                line(p)
            ));
        }
    }
    Ok(())
}
