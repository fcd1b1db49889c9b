//! Compilation of rules into programs of the kernel.
//!
//! Every generator and condition that is worth it becomes a function. What has a form in code
//! becomes code; what has none the code has the evaluator do, part by part, and the parts of these
//! are compiled in turn. So code and evaluator always say the same, and every game can be compiled.

mod acts;
mod added;
mod arrays;
mod bools;
mod choices;
mod clashes;
mod code;
mod context;
mod custodial;
mod dice;
mod distances;
mod drawing;
mod each_site;
mod effects;
mod ends;
mod exists;
mod fills;
mod first;
mod found;
mod generators;
mod give;
mod groups;
mod hops;
mod ints;
mod leaves;
mod lines;
mod machine;
mod memory;
mod origins;
mod outcomes;
mod pieces;
mod ply;
mod positions;
mod program;
mod purpose;
mod regions;
mod results;
mod runner;
mod slides;
mod sow;
mod stacks;
mod steps;
mod stops;
mod tables;
mod teams;
mod tests;
mod tracks;
mod turns;
mod views;
mod waiting;
mod ways;

pub(crate) use arrays::ROOM;
pub(crate) use found::Found;
pub(crate) use program::Program;
pub(crate) use purpose::Purpose;
pub(crate) use runner::{Played, RunBuffers, Runner, beside};

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::ir::{Block, Function, FunctionId, Type};

use crate::eval::Eval;
use crate::game::{Definition, Game};
use crate::ir::{
    Binder, Bool, CodeId, Compiled, CompositeKind, EachDirection, EndRule, GeneratorId, Int, Iter,
    LeafKind, Moves, OnlyHere, Part, PartMut, Parts, Place, Source, SourceKind, Walk,
};
use crate::meter;
use code::Emitter;
use context::Context;
use tables::Tables;

/// Nodes that all code of a game may have.
const MOST_NODES: usize = 200_000;

/// Statements and variables after which no more code is written: the evaluator does the rest. Fewer
/// are tried where the code has too many nodes.
const MOST_WRITTEN: [usize; 2] = [60_000, 4_000];

impl<const W: usize> Game<W> {
    /// The game with its rules compiled, where there is machine code for them.
    pub(crate) fn compiled(&self, purpose: Purpose) -> Option<Game<W>> {
        let CompiledDefinition {
            mut definition,
            compiled,
            parts,
            playout,
            added,
            keeps,
            reordered,
            checked,
        } = self.coded(purpose)?;
        let (work, bytes) = kernel::Native::effort(&checked);
        if !meter::has(work, bytes) {
            return None;
        }
        // The interpreter is slower than the evaluator.
        let native = Arc::new(kernel::Native::new(&checked).ok()?);
        definition.program =
            Some(Program { native, compiled, parts, playout, added, keeps, reordered });
        definition.redraws &= definition.may_redraw();
        Some(Game { definition, ..self.clone() })
    }

    /// The program that the rules are compiled to, as text.
    pub(crate) fn ir(&self) -> Option<String> {
        Some(self.coded(Purpose::Playouts)?.checked.program().to_string())
    }

    /// The rules as a program; `None` if even one with little in it is too large, or sets are too
    /// large for code.
    fn coded(&self, purpose: Purpose) -> Option<CompiledDefinition> {
        if W > kernel::MAX_NATIVE_WORDS {
            return None;
        }
        let fixed = |number: &Int, from: usize, to: u16| {
            let mut eval = Eval::new(self, &self.initial);
            eval.set(Iter::From, from as i32);
            eval.set(Iter::To, i32::from(to));
            eval.int(number)
        };
        let context = Context { definition: &self.definition, fixed: &fixed };
        MOST_WRITTEN.into_iter().find_map(|most| context.coded(purpose, most))
    }
}

impl Definition {
    /// True if code gathers the moves of all phases: they are counted, not listed.
    pub(crate) fn is_counted(&self) -> bool {
        self.phases.iter().all(|phase| self.gathered(&phase.play).is_some())
    }

    /// True if code gathers moves that may lead to the same state.
    fn may_redraw(&self) -> bool {
        let gathered: Vec<_> = self.phases.iter().map(|phase| self.gathered(&phase.play)).collect();
        let differ = |compiled: &&Compiled| compiled.clashes.is_empty();
        gathered.iter().any(Option::is_some)
            && !gathered.iter().all(|compiled| compiled.as_ref().is_some_and(differ))
    }

    /// The code of a generator, if it gathers all that there is to know of its moves.
    fn gathered(&self, moves: &Moves) -> Option<&Compiled> {
        moves.gathered(&self.program.as_ref()?.compiled)
    }

    /// True if code gathers moves in another order than the evaluator's.
    pub(crate) fn is_reordered(&self) -> bool {
        self.program.as_ref().is_some_and(|program| program.reordered)
    }
}

impl Context<'_> {
    /// The rules as a program; `None` if it is too large.
    fn coded(&self, purpose: Purpose, most_written: usize) -> Option<CompiledDefinition> {
        let mut tables = Tables::new(self, purpose, most_written);
        tables.function(give::give());
        tables.generators = self.generators.to_vec();
        if purpose != Purpose::Positions {
            tables.added = views::MaintainedViews::new(self, &mut tables);
        }
        let (mut phases, mut effects, mut end_rules) =
            (self.phases.clone(), self.effects.clone(), self.end.clone());
        let (compiled, asked, entries) = (Vec::new(), BTreeMap::new(), Vec::new());
        let mut compiler = Compiler { game: self, tables, compiled, asked, entries };
        for phase in &mut phases {
            compiler.play(&mut phase.play);
            phase.end.iter_mut().for_each(|rule| compiler.end_rule(rule));
            phase.next.iter_mut().for_each(|next| compiler.bool(&mut next.condition));
        }
        effects.iter_mut().for_each(|effect| compiler.moves(effect));
        end_rules.iter_mut().for_each(|rule| compiler.end_rule(rule));
        for phase in &phases {
            if let Moves::Compiled(code, _) = phase.play {
                let compiled = &mut compiler.compiled[code.0 as usize];
                let sources = &compiled.gathered.sources;
                let tables = &mut compiler.tables;
                compiled.clashes_beside_dice = clashes::clashes(compiler.game, sources, false);
                let by_dice = sources.iter().any(|source| source.binders.contains(&Binder::Dice));
                compiled.clashes = if by_dice {
                    clashes::clashes(compiler.game, sources, true)
                } else {
                    compiled.clashes_beside_dice.clone()
                };
                let tests = compiled.gathered.tests();
                let mut make = |source: &Source| {
                    let make = effects::make(compiler.game, tables, source);
                    // Who chooses to pass has something else to do.
                    make.filter(|_| !(tests && (tables.needs_copy || source.kind.is_pass())))
                };
                compiled.makes = sources.iter().map(&mut make).collect();
                if tests {
                    tests::tests(compiler.game, tables, compiled);
                }
            }
        }
        let gathered = phases.iter().map(|phase| phase.play.gathered(&compiler.compiled));
        let gathered: Vec<_> = gathered.collect();
        let playout = ply::playout(self, &mut compiler.tables, &gathered);
        if purpose == Purpose::Positions {
            compiler.trials();
        }
        let added = added::finish(self, &mut compiler.tables);
        let length = compiler.tables.added.as_ref().map_or(0, |added| added.length);
        let mut parts = std::mem::take(&mut compiler.tables.parts);
        compiler.parts(&mut parts);
        let mut generators = std::mem::take(&mut compiler.tables.generators);
        for (id, moves) in compiler.asked {
            generators[id.0 as usize] = moves;
        }
        let generators = generators.into();
        let Tables { keeps, reordered, .. } = compiler.tables;
        compiler.entries.push(playout);
        compiler.entries.extend(added);
        let entries = compiler.entries;
        let program = compiler.tables.program(compiler.game);
        let checked = match kernel::check(program, MOST_NODES) {
            Ok(checked) => checked,
            Err(fault) => {
                let too_large = [
                    kernel::Problem::TooManyNodes(MOST_NODES),
                    kernel::Problem::Nesting,
                    kernel::Problem::Registers,
                ];
                debug_assert!(too_large.contains(&fault.problem), "{fault}");
                return None;
            }
        };
        Some(CompiledDefinition {
            definition: Definition {
                phases,
                effects,
                generators,
                end: end_rules,
                ..self.definition.clone()
            },
            compiled: compiler.compiled.into(),
            parts: Arc::new(parts),
            playout,
            added: added.map(|function| (function, length)),
            keeps,
            reordered,
            checked: checked.inlined(&entries).simplified(),
        })
    }
}

/// A definition with its rules replaced by functions of a program, and what a [`Program`] has
/// beside that.
struct CompiledDefinition {
    definition: Definition,
    compiled: Arc<[Compiled]>,
    parts: Arc<Parts>,
    playout: FunctionId,
    added: Option<(FunctionId, usize)>,
    keeps: bool,
    reordered: bool,
    checked: kernel::Checked,
}

/// The function that gathers the moves of a phase, and what there is to know of it.
struct Gather {
    function: FunctionId,
    parts: Parts,
    does_first: bool,
    asks: bool,
    only_here: Option<OnlyHere>,
    fixed: Box<[i32]>,
}

/// The body of a function, its local variables, and what it leaves to the evaluator.
type Written = (Block, Vec<Type>, Parts);

/// Replaces rules by what has been compiled.
struct Compiler<'g> {
    game: &'g Context<'g>,
    tables: Tables,
    /// The code of what has been replaced.
    compiled: Vec<Compiled>,
    /// Generators that the evaluator is asked for, compiled.
    asked: BTreeMap<GeneratorId, Moves>,
    /// The functions that are run by themselves.
    entries: Vec<FunctionId>,
}

impl Compiler<'_> {
    /// Compiles the moves of a phase.
    fn play(&mut self, moves: &mut Moves) {
        let rules = moves.clone();
        let reordered = self.tables.reordered;
        let Some(gather) = self.gather(&rules) else {
            self.tables.reordered = reordered;
            return self.moves(moves);
        };
        let written = self.write(&rules);
        let code = self.replace(moves, written);
        let compiled = self.code(code);
        compiled.gather = Some(gather.function);
        compiled.gathered = gather.parts;
        compiled.does_first = gather.does_first;
        compiled.asks = gather.asks;
        compiled.only_here = gather.only_here;
        compiled.fixed = gather.fixed;
    }

    /// Writes what tries moves one by one, where they are tested.
    fn trials(&mut self) {
        for compiled in &mut self.compiled {
            compiled.trial = ply::trial(self.game, &mut self.tables, compiled);
            self.entries.extend(compiled.trial);
        }
    }

    /// Writes the function that gathers all that there is to know of some moves, if code can.
    fn gather(&mut self, rules: &Moves) -> Option<Gather> {
        let longest = rules.any(&Moves::is_max).then(|| self.gather_all(rules, true)).flatten();
        longest.or_else(|| self.gather_all(rules, false))
    }

    /// The same with moves of which only the longest turns count, or without them.
    fn gather_all(&mut self, rules: &Moves, longest: bool) -> Option<Gather> {
        let code = self.gathering(rules, longest, false);
        // Whether a pass is the only move is told by the first entry.
        let passes = !code.parts.passes().is_empty();
        let alone = !(code.asks || code.does_first || passes) && code.parts.longest.is_none();
        let fixed = give::fixed(&code.entries).filter(|_| alone).unwrap_or_default();
        let code = if fixed.is_empty() { code } else { self.gathering(rules, longest, true) };
        debug_assert!(fixed.is_empty() || give::fixed(&code.entries).as_ref() == Some(&fixed));
        let does_first = code.does_first;
        let asks = code.asks || does_first;
        let only_here = give::only_here(&code.entries);
        let (mut body, locals, mut parts) = code.finish();
        if !parts.gathers() {
            return None;
        }
        let only_here = only_here.filter(|_| parts.longest.is_none());
        let only_here = only_here.map(|descending| {
            let found = (!asks).then(|| self.found_here(rules, &parts.sources)).flatten();
            OnlyHere { descending, found }
        });
        if parts.longest.is_some() {
            body.insert(0, arrays::set_slot(arrays::Slot::LongestEnd, arrays::int(0)));
        }
        body.splice(0..0, (0..fixed.len()).map(give::no_moves));
        // The parts are the same ones as without gathering; what they are made of may differ.
        self.parts(&mut parts);
        let function = self.function("gather", body, locals);
        Some(Gather { function, parts, does_first, asks, only_here, fixed })
    }

    /// Writes a function that gathers some moves, in entries that each have their place or one
    /// after the other.
    fn gathering(&mut self, rules: &Moves, longest: bool, fixed: bool) -> Emitter<'_> {
        let mut code = Emitter::closed(self.game, &mut self.tables, 0);
        (code.gathers_longest, code.fixed) = (longest, fixed);
        let [entry, count] = [(); 2].map(|()| code.local(Type::Int));
        code.consumer = code::Consumer::Gather { entry, count };
        code.begins = true;
        code.generate(rules);
        code.bind_none();
        let entries = if fixed { arrays::int(code.entries.len() as i32) } else { entry.get() };
        code.push(arrays::set_slot(arrays::Slot::Gathered, entries));
        code.push(kernel::ir::Stmt::Return(Some(count.get())));
        code
    }

    /// Writes the functions that give the sites of moves of one source, and the piece that they
    /// place there.
    fn found_here(
        &mut self,
        rules: &Moves,
        sources: &[Source],
    ) -> Option<(FunctionId, Option<FunctionId>)> {
        let [source] = sources else { return None };
        let SourceKind::Leaf(leaf) = &source.kind else { return None };
        let piece = match &leaf.kind {
            LeafKind::Add { pieces, .. } => Some(pieces.first()?),
            _ => None,
        };
        if source.numbers() != 0 || source.piece != piece.is_some() {
            return None;
        }
        let mut code = Emitter::closed(self.game, &mut self.tables, 0);
        let sites = code.local(Type::Set);
        code.consumer = code::Consumer::Destinations { sites, wanted: None };
        code.begins = true;
        code.generate(rules);
        code.bind_none();
        code.push(kernel::ir::Stmt::Return(Some(sites.get())));
        let sites = (!code.asks).then(|| code.shared("sites", 0, Some(Type::Set)))?;
        let Some(piece) = piece else { return Some((sites, None)) };
        let mut code = Emitter::closed(self.game, &mut self.tables, 0);
        let component = code.component(piece);
        code.bind_none();
        code.push(kernel::ir::Stmt::Return(Some(component)));
        let piece = (!code.asks).then(|| code.shared("piece", 0, Some(Type::Int)))?;
        Some((sites, Some(piece)))
    }

    fn moves(&mut self, moves: &mut Moves) {
        if worth(moves) < ENTRY || self.tables.is_full() {
            return self.inside(moves);
        }
        let (body, locals, parts) = self.write(moves);
        // Code that has the evaluator find all moves only costs the way there and back.
        if parts.sources.is_empty() && !parts.moves.is_empty() {
            return self.inside(moves);
        }
        self.replace(moves, (body, locals, parts));
    }

    /// The code of a generator.
    fn write(&mut self, moves: &Moves) -> Written {
        let mut code = Emitter::new(self.game, &mut self.tables);
        code.generate(moves);
        code.finish()
    }

    /// Replaces a generator by its code.
    fn replace(&mut self, moves: &mut Moves, written: Written) -> CodeId {
        let code = self.add("moves", written);
        let rules = std::mem::replace(moves, Moves::None);
        *moves = Moves::Compiled(code, Box::new(rules));
        code
    }

    /// Adds code, and compiles what it leaves to the evaluator.
    fn add(&mut self, name: &str, (body, locals, mut parts): Written) -> CodeId {
        self.parts(&mut parts);
        let function = self.function(name, body, locals);
        self.compiled.push(Compiled::new(function, parts));
        CodeId(self.compiled.len() as u32 - 1)
    }

    fn code(&mut self, id: CodeId) -> &mut Compiled {
        &mut self.compiled[id.0 as usize]
    }

    fn function(&mut self, name: &str, body: Block, locals: Vec<Type>) -> FunctionId {
        let name = format!("{name} {}", self.tables.functions.len());
        let result = Some(Type::Int);
        let function = self.tables.function(Function { name, locals, params: 0, result, body });
        self.entries.push(function);
        function
    }

    fn bool(&mut self, condition: &mut Bool) {
        if !self.is_worth_code(condition) || self.tables.is_full() {
            return self.inside_bool(condition);
        }
        let mut code = Emitter::new(self.game, &mut self.tables);
        let value = code.bool(condition);
        code.push(kernel::ir::Stmt::Return(Some(value)));
        let written = code.finish();
        let code = self.add("condition", written);
        let rules = std::mem::replace(condition, Bool::Const(false));
        *condition = Bool::Compiled(code, Box::new(rules));
    }

    /// Compiles what code leaves to the evaluator, as far as there is something in it.
    fn parts(&mut self, parts: &mut Parts) {
        parts.moves.iter_mut().for_each(|moves| self.inside(moves));
        parts.bools.iter_mut().for_each(|condition| self.inside_bool(condition));
        for source in &mut parts.sources {
            let mut effects = |part: PartMut<'_>| {
                if let PartMut::Moves(effect) = part {
                    self.moves(effect);
                }
            };
            match &mut source.kind {
                SourceKind::Leaf(leaf) => leaf.each_part_mut(&mut effects),
                SourceKind::Hop(hop) => hop.each_part_mut(&mut effects),
                SourceKind::Single(_) => {}
            }
        }
    }

    /// Compiles the parts of a generator that is not compiled itself. Conditions that are asked of
    /// one site after the other are left out: code is not worth entering that often.
    fn inside(&mut self, moves: &mut Moves) {
        let asks_once = moves.binds().iter().all(|iter| matches!(iter, Iter::Pips | Iter::Dice));
        if !matches!(moves, Moves::Compiled(..)) {
            moves.each_part_mut(&mut |part| self.part(part, asks_once));
        }
    }

    /// As [`Compiler::inside`], of a condition.
    fn inside_bool(&mut self, condition: &mut Bool) {
        let asks_once = condition.binds().is_empty();
        if !matches!(condition, Bool::Compiled(..)) {
            condition.each_part_mut(&mut |part| self.part(part, asks_once));
        }
    }

    /// Compiles a part of something, conditions where they are asked once.
    fn part(&mut self, part: PartMut<'_>, asks_once: bool) {
        match part {
            PartMut::Moves(moves) => self.moves(moves),
            PartMut::Bool(condition) if asks_once => self.bool(condition),
            PartMut::Bool(_) => {}
            PartMut::Generator(id) => self.generator(id),
        }
    }

    /// Compiles a generator that the evaluator is asked for, once.
    fn generator(&mut self, id: GeneratorId) {
        if !self.asked.contains_key(&id) {
            let mut moves = self.tables.generators[id.0 as usize].clone();
            self.moves(&mut moves);
            self.asked.insert(id, moves);
        }
    }

    /// True if a condition looks at more than one site.
    fn is_worth_code(&self, condition: &Bool) -> bool {
        let mut is_worth = matches!(condition, Bool::AllSites(_));
        let can_move = matches!(condition, Bool::CanMove(_));
        let asks_once = condition.binds().is_empty() && !matches!(condition, Bool::Compiled(..));
        condition.each_part(&mut |part| match part {
            Part::Bool(part) if asks_once => is_worth |= self.is_worth_code(part),
            Part::Generator(id) if can_move => {
                is_worth |= worth(&self.tables.generators[id.0 as usize]) > 0;
            }
            _ => {}
        });
        is_worth
    }

    fn end_rule(&mut self, rule: &mut EndRule) {
        match rule {
            EndRule::If { condition, inner, .. } => {
                self.bool(condition);
                inner.iter_mut().for_each(|rule| self.end_rule(rule));
            }
            EndRule::ForEach { condition, .. } => self.bool(condition),
        }
    }
}

/// What it costs to enter code, in [`worth`].
const ENTRY: u32 = 6;

/// Roughly how many sites a generator looks at.
fn worth(moves: &Moves) -> u32 {
    match moves {
        Moves::None | Moves::Compiled(..) => 0,
        Moves::ForEachPiece { .. } | Moves::ForEachSite { .. } => ENTRY,
        Moves::Custodial(_) => 2,
        Moves::Leaf(leaf) => match &leaf.kind {
            LeafKind::Add { to: place, .. }
            | LeafKind::FromTo { to: place, .. }
            | LeafKind::Select { from: place, .. }
                if matches!(**place, Place::Region(_)) =>
            {
                ENTRY
            }
            LeafKind::Jump { .. } => 1,
            LeafKind::Slide(_) | LeafKind::Shoot { .. } => 2,
            _ => 0,
        },
        Moves::All(list) | Moves::Priority(list) => list.iter().map(worth).sum(),
        Moves::If(parts) => worth(&parts.1).max(worth(&parts.2)),
        Moves::ForEachValue { moves, .. } | Moves::ForEachPlayer { moves, .. } => 2 * worth(moves),
        Moves::IfAfterwards(parts) => worth(&parts.0),
        Moves::Composite(composite) => match &composite.kind {
            CompositeKind::Hop(_) => 2,
            CompositeKind::ForEachDirection(EachDirection { moves, .. }) => 2 + worth(moves),
            CompositeKind::Then(moves) => worth(moves),
            _ => 0,
        },
    }
}
