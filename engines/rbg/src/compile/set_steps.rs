//! Walks from sets of cells, as instructions.

use super::steps::Writer;
use crate::bits::Bits;
use crate::bytecode::{Inst, Line};
use crate::program::{Pattern, Step};

impl<const W: usize> Writer<'_, W> {
    /// A walk from the current set.
    pub(super) fn walk_on(&mut self, walk: u32) -> Option<()> {
        let (compiler, kept) = (self.compiler, self.kept);
        let written = self.set_to_set(&compiler.walks[walk as usize]);
        (self.kept, self.is_round) = (kept, false);
        written
    }

    /// A walk from the current set to another.
    pub(super) fn set_to_set(&mut self, steps: &[Step<W>]) -> Option<()> {
        for step in steps {
            match step {
                Step::Func(relation) | Step::Rel(relation) => self.image(*relation),
                Step::Move { relation, class } => {
                    let cells = self.cells(*class);
                    self.image(*relation);
                    self.push(Inst::On(cells));
                }
                Step::Const(set) => self.push(Inst::Everywhere(set.resized())),
                Step::Within(set) => self.push(Inst::Within(set.resized())),
                Step::On(class) => {
                    let cells = self.cells(*class);
                    self.push(Inst::On(cells));
                }
                Step::Guard { .. } => {}
                Step::Terms(terms) => {
                    if let [term] = &**terms {
                        self.image(term.relation);
                        if let Some(class) = term.class {
                            let cells = self.cells(class);
                            self.push(Inst::On(cells));
                        }
                        continue;
                    }
                    self.sum_of(terms, |steps, term| {
                        steps.image(term.relation);
                        if let Some(class) = term.class {
                            let cells = steps.cells(class);
                            steps.push(Inst::On(cells));
                        }
                        Some(())
                    })?;
                }
                Step::Slide { relation, class, test_first } => {
                    self.fill(*relation, *class, *test_first)?;
                }
                Step::Rays(rays) => {
                    self.sum_of(rays, |steps, ray| {
                        if ray.hit {
                            steps.fill(ray.relation, ray.class, false)?;
                            steps.image(ray.relation);
                            Some(())
                        } else {
                            steps.image(ray.relation);
                            let cells = steps.cells(ray.class);
                            steps.push(Inst::On(cells));
                            steps.fill(ray.relation, ray.class, false)
                        }
                    })?;
                }
                Step::Sum(walks) => self.sum_of(walks, |steps, walk| steps.set_to_set(walk))?,
                Step::Test { negated, pattern } => self.test_set(*pattern, *negated)?,
                Step::Compare(compare) => {
                    let compare = self.compare(*compare);
                    self.push(Inst::OnlyIf(compare));
                }
                Step::Star(body) => {
                    let body = |steps: &mut Self| steps.set_to_set(body);
                    self.star(body, |_| Some(()))?;
                }
                Step::Flood { rows, class } => {
                    let body = |steps: &mut Self| {
                        steps.flood_on(rows, *class);
                        Some(())
                    };
                    self.star(body, |_| Some(()))?;
                }
            }
        }
        (!self.is_full()).then_some(())
    }

    /// Repeats steps from new cells until there are none. `see` is written behind the new cells of
    /// each round.
    pub(super) fn star(
        &mut self,
        body: impl FnOnce(&mut Self) -> Option<()>,
        see: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        if std::mem::replace(&mut self.is_round, true) {
            return None;
        }
        let seen = self.keep()?;
        let (again, end) = (self.label(), self.label());
        self.push(Inst::Save(seen));
        self.place(again);
        see(self)?;
        body(self)?;
        self.push(Inst::Beyond(seen));
        self.push(Inst::IfEmpty(end));
        self.push(Inst::Or(seen));
        self.push(Inst::Skip(again));
        self.place(end);
        self.push(Inst::Load(seen));
        self.kept -= 1;
        self.is_round = false;
        Some(())
    }

    /// One step of a flood.
    pub(super) fn flood_on(&mut self, rows: &[Bits<W>], class: u32) {
        let table = self.table_of(rows);
        self.push(Inst::Rows(table));
        let cells = self.cells(class);
        self.push(Inst::On(cells));
    }

    /// Stays on cells at which a pattern holds, or does not.
    pub(super) fn test_set(&mut self, pattern: u32, negated: bool) -> Option<()> {
        let compiler = self.compiler;
        let (forward, backward, lines) = match &compiler.patterns[pattern as usize] {
            Pattern::Walk { forward, backward, lines } => (forward, backward, lines),
            Pattern::Search(layer) => return self.tentative_among(*layer, negated),
        };
        if let [Step::Move { relation, class }] = **forward {
            let cells = self.cells(class);
            let steps = &compiler.relations[relation as usize].steps;
            if let [(by, from)] = **steps {
                self.push(Inst::Lookahead { by, cells, negated, from: from.resized() });
                return Some(());
            }
            if !steps.is_empty() {
                self.push(Inst::NoSum);
                for (by, from) in steps {
                    self.push(Inst::AddPreimage { by: *by, cells, from: from.resized() });
                }
                self.push(Inst::WithinSum { negated });
                return Some(());
            }
        }
        if lines.as_ref().and_then(|lines| lines.masks.as_ref()).is_some_and(|masks| masks.few) {
            let clauses = self.clauses(pattern)?;
            self.push(Inst::Among { clauses, negated });
            return Some(());
        }
        let from = self.keep()?;
        self.push(Inst::Save(from));
        self.push(Inst::Const(compiler.all.resized()));
        self.set_to_set(backward)?;
        self.push(if negated { Inst::Without(from) } else { Inst::And(from) });
        self.kept -= 1;
        Some(())
    }

    /// Makes the current set the union of what several parts make of it, each from the present set.
    pub(super) fn sum_of<T>(
        &mut self,
        parts: &[T],
        write: impl Fn(&mut Self, &T) -> Option<()>,
    ) -> Option<()> {
        let (from, sum) = (self.keep()?, self.keep()?);
        self.push(Inst::Save(from));
        self.push(Inst::None(sum));
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.push(Inst::Load(from));
            }
            write(self, part)?;
            self.push(Inst::Or(sum));
        }
        self.push(Inst::Load(sum));
        self.kept -= 2;
        Some(())
    }

    pub(super) fn image(&mut self, relation: u32) {
        let steps = &self.compiler.relations[relation as usize].steps;
        match **steps {
            [] => {
                let row = self.row(relation);
                self.push(Inst::Rows(row));
            }
            [(by, from)] => self.push(Inst::Shift { by, from: from.resized() }),
            _ => {
                self.push(Inst::NoSum);
                for (by, from) in steps {
                    self.push(Inst::AddShift { by: *by, from: from.resized() });
                }
                self.push(Inst::Sum);
            }
        }
    }

    pub(super) fn fill(&mut self, relation: u32, class: u32, test_first: bool) -> Option<()> {
        let (by, from, doublings) = self.compiler.relations[relation as usize].straight()?;
        let to = from.shifted(by).resized();
        let cells = self.cells(class);
        self.bytecode.lines.push(Line { by, from: from.resized(), to, doublings });
        let line = self.bytecode.lines.len() as u32 - 1;
        self.push(Inst::Fill { line, cells, test_first });
        Some(())
    }
}
