//! The claims of the mapping, counted in the code that it names.
//!
//! The counts that users see come from tallies, which do not depend on sets and taints. So a wrong set or
//! a missing taint would go unnoticed, but for this: a loop or conditional whose image is *true* is counted
//! at its image, in the unprofiled build, and the count must be that of the source.

use std::collections::{BTreeMap, BTreeSet};
use trueline_instrument::tree;
use trueline_ir::{Editor, Head, Place, Program, Stmt, Type, UnitKind};
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
            let mappings: Vec<Mapping<'_>> = trees.iter().map(|t| Mapping::new(&program.infos, t)).collect();
            let mut images: BTreeMap<Serial, Vec<Option<(usize, Stmt)>>> = BTreeMap::new();
            for (u, m) in mappings.iter().enumerate() {
                for o in m.origins() {
                    let image = match m.image(o) {
                        Image::True(t) => Some((u, t)),
                        _ => None,
                    };
                    images.entry(o.stmt).or_default().push(image);
                }
            }
            // If an instance of a construct has no code left, the other instances have not all of the counts.
            let units = program.units.iter().zip(&mappings);
            let gone = units.flat_map(|(u, m)| {
                let eliminated = u.log().edits.iter().filter(|e| e.transform == Transform::Eliminate);
                let origins = eliminated.flat_map(|e| u.sets().atoms(e.before));
                origins.filter(|&&o| !m.has_code(o)).map(|o| o.stmt)
            });
            let gone: BTreeSet<Serial> = gone.collect();
            let images = images.into_iter().filter(|(s, _)| !gone.contains(s));
            // The instances of a construct that was inlined have its count together.
            let all = images.filter(|(s, _)| {
                let kind = program.infos.stmts[*s].kind;
                kind.is_loop() || kind.is_conditional()
            });
            let whole = all.filter_map(|(s, images)| Some((s, images.into_iter().collect::<Option<Vec<_>>>()?)));
            whole.flat_map(|(s, images)| images.into_iter().map(move |(u, t)| (s, u, t))).collect()
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

    /// Compares the counts of the optimized program with those of the source.
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

/// Every statement of the optimized program lies in each loop, region and conditional that its sources stand in.
///
/// # Errors
/// The first statement that left without saying so.
pub fn sets(program: &Program) -> Result<(), String> {
    for unit in program.units.iter().filter(|u| u.kind() != UnitKind::Data) {
        trueline_ir::placed(unit, &program.infos).map_err(|e| format!("in {}: {e}", unit.name()))?;
    }
    Ok(())
}
