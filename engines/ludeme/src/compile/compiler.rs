//! The rules of a game, node by node, replaced by functions of a program.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::ir::{Block, Function, FunctionId, Stmt, Type};

use super::arrays::{Slot, int, set_slot};
use super::context::Context;
use super::emitter::{Consumer, Emitter, Finding, Gathering};
use super::module::{Module, Trait};
use super::purpose::Purpose;
use super::views::MaintainedViews;
use super::{
    added, bools, duplicates, entries, generators, leaves, legality, making, output, ply,
    site_plies,
};
use crate::game::Definition;
use crate::ir::{
    Binder, Bool, CodeId, Compiled, CompositeKind, EachDirection, EndRule, EvaluatedParts,
    GeneratorId, Iter, LeafKind, Moves, OnlyHere, Part, PartMut, Place, Source, SourceKind, Walk,
};

/// The most nodes that the code of a game may have.
const MOST_NODES: usize = 200_000;

/// A definition with its rules replaced by functions of a program, and the fields of the
/// [`Program`](super::program::Program).
pub(super) struct CompiledDefinition {
    pub(super) definition: Definition,
    pub(super) compiled: Arc<[Compiled]>,
    pub(super) parts: Arc<EvaluatedParts>,
    pub(super) playout: FunctionId,
    pub(super) site_ply: Option<FunctionId>,
    pub(super) added: Option<(FunctionId, usize)>,
    pub(super) keeps: bool,
    pub(super) reordered: bool,
    pub(super) checked: kernel::Checked,
}

impl Context<'_> {
    /// The rules as a program; `None` if it is too large.
    pub(super) fn coded(&self, purpose: Purpose, limit: usize) -> Option<CompiledDefinition> {
        let mut module = Module::new(self, purpose, limit);
        module.function(output::define_give());
        if purpose != Purpose::Positions {
            module.added = MaintainedViews::new(self, &mut module);
        }
        let mut rules = self.rules.clone();
        let (compiled, asked, entries) = (Vec::new(), BTreeMap::new(), Vec::new());
        let mut compiler = Compiler { game: self, module, compiled, asked, entries };
        for phase in &mut rules.phases {
            compiler.play(&mut phase.play);
            phase.end.iter_mut().for_each(|rule| compiler.end_rule(rule));
            phase.next.iter_mut().for_each(|next| compiler.bool(&mut next.condition));
        }
        rules.effects.iter_mut().for_each(|effect| compiler.moves(effect));
        rules.end.iter_mut().for_each(|rule| compiler.end_rule(rule));
        for phase in &rules.phases {
            if let Moves::Compiled(code, _) = phase.play {
                compiler.makes(code);
            }
        }
        let gathered = rules.phases.iter().map(|phase| phase.play.gathered(&compiler.compiled));
        let gathered: Vec<_> = gathered.collect();
        let (playout, site_ply) = ply::define_playout(self, &mut compiler.module, &gathered);
        if purpose == Purpose::Positions {
            compiler.trials();
        }
        let added = added::finish(self, &mut compiler.module);
        let length = compiler.module.added.as_ref().map_or(0, |added| added.length);
        let mut parts = std::mem::take(&mut compiler.module.parts);
        compiler.parts(&mut parts);
        rules.generators = std::mem::take(&mut compiler.module.generators);
        for (id, moves) in compiler.asked {
            rules.generators[id.0 as usize] = moves;
        }
        let traits = compiler.module.traits;
        compiler.entries.push(playout);
        compiler.entries.extend(added);
        compiler.entries.extend(site_ply);
        let entries = compiler.entries;
        let checked = match kernel::check(compiler.module.program(compiler.game), MOST_NODES) {
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
        let checked = checked.inlined(&entries).simplified();
        Some(CompiledDefinition {
            definition: Definition { rules, ..self.definition.clone() },
            compiled: compiler.compiled.into(),
            parts: Arc::new(parts),
            playout,
            site_ply: site_ply.filter(|&function| site_plies::is_by_code(&checked, function)),
            added: added.map(|function| (function, length)),
            keeps: traits.has(Trait::KeepsState),
            reordered: traits.has(Trait::Reorders),
            checked,
        })
    }
}

/// The function that gathers the moves of a phase, with the fields of [`Compiled`] about it.
struct Gather {
    function: FunctionId,
    parts: EvaluatedParts,
    does_first: bool,
    asks: bool,
    only_here: Option<OnlyHere>,
    in_order: Option<(FunctionId, Option<FunctionId>)>,
    fixed: Box<[i32]>,
}

/// The body of a function, its local variables, and the nodes that it leaves to the evaluator.
type Written = (Block, Vec<Type>, EvaluatedParts);

/// The pass over the rules that replaces nodes by functions.
struct Compiler<'g> {
    game: &'g Context<'g>,
    module: Module,
    /// The code of the nodes that have been replaced.
    compiled: Vec<Compiled>,
    /// The generators that the evaluator is asked for, with their nodes replaced.
    asked: BTreeMap<GeneratorId, Moves>,
    /// The functions that the caller runs, rather than other code.
    entries: Vec<FunctionId>,
}

impl Compiler<'_> {
    /// Compiles the moves of a phase.
    fn play(&mut self, moves: &mut Moves) {
        let rules = moves.clone();
        let reorders = self.module.traits.has(Trait::Reorders);
        let Some(gather) = self.gather(&rules) else {
            self.module.traits.take(Trait::Reorders);
            self.module.traits.add_if(reorders, Trait::Reorders);
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
        compiled.in_order = gather.in_order;
        compiled.fixed = gather.fixed;
    }

    /// Adds the functions that make and test the gathered moves of a phase.
    fn makes(&mut self, code: CodeId) {
        let (game, module) = (self.game, &mut self.module);
        let compiled = &mut self.compiled[code.0 as usize];
        let sources = &compiled.gathered.sources;
        compiled.clashes_beside_dice = duplicates::pairs(game, sources, false);
        let by_dice = sources.iter().any(|source| source.binders.contains(&Binder::Dice));
        compiled.clashes = if by_dice {
            duplicates::pairs(game, sources, true)
        } else {
            compiled.clashes_beside_dice.clone()
        };
        let tests = compiled.gathered.tests();
        let mut make = |source: &Source| {
            let make = making::define(game, module, source);
            // A pass is chosen among other moves, so it is left to the evaluator.
            make.filter(|_| {
                !(tests && (module.traits.has(Trait::NeedsCopy) || source.kind.is_pass()))
            })
        };
        compiled.makes = sources.iter().map(&mut make).collect();
        if tests {
            legality::define(game, module, compiled);
        }
    }

    /// Adds the functions that try moves one by one, for phases with legality tests.
    fn trials(&mut self) {
        for compiled in &mut self.compiled {
            compiled.trial = ply::define_trial(self.game, &mut self.module, compiled);
            self.entries.extend(compiled.trial);
        }
    }

    /// Adds the function that gathers moves with everything that makes them; `None` if part of it
    /// is left to the evaluator.
    fn gather(&mut self, rules: &Moves) -> Option<Gather> {
        let longest = rules.any(&Moves::is_max).then(|| self.gather_all(rules, true)).flatten();
        longest.or_else(|| self.gather_all(rules, false))
    }

    /// As [`Compiler::gather`], with or without generators of the longest turns.
    fn gather_all(&mut self, rules: &Moves, longest: bool) -> Option<Gather> {
        let code = self.gathering(rules, longest, false);
        // The first entry tells if a pass is the only move, so with passes no place is fixed.
        let passes = !code.parts.passes().is_empty();
        let does_first = code.findings.has(Finding::DoesFirst);
        let asks = code.asks_evaluator() || does_first;
        let alone = !(asks || passes) && code.parts.longest.is_none();
        let fixed = entries::fixed(output::entries(&code)).filter(|_| alone).unwrap_or_default();
        let code = if fixed.is_empty() { code } else { self.gathering(rules, longest, true) };
        debug_assert!(
            fixed.is_empty() || entries::fixed(output::entries(&code)).as_ref() == Some(&fixed)
        );
        let only_here = entries::only_here(output::entries(&code));
        let (mut body, locals, mut parts) = code.finish();
        if !parts.gathers() {
            return None;
        }
        let only_here = only_here.filter(|_| parts.longest.is_none());
        let only_here = only_here.map(|descending| {
            let found = (!asks).then(|| self.found_here(rules, &parts.sources)).flatten();
            OnlyHere { descending, found }
        });
        let in_order = match only_here {
            Some(OnlyHere { descending, found }) => found.filter(|_| !descending),
            None => match &parts.sources[..] {
                [source] if !asks && parts.longest.is_none() && source.adds_in_order() => {
                    let lists = self.module.purpose == Purpose::Positions;
                    lists.then(|| self.found_here(rules, &parts.sources)).flatten()
                }
                _ => None,
            },
        };
        if parts.longest.is_some() {
            body.insert(0, set_slot(Slot::LongestEnd, int(0)));
        }
        body.splice(0..0, (0..fixed.len()).map(entries::no_moves));
        // These parts equal those of the code that gathers nothing, but their own parts may differ.
        self.parts(&mut parts);
        let function = self.function("gather", body, locals);
        Some(Gather { function, parts, does_first, asks, only_here, in_order, fixed })
    }

    /// A function that gathers moves: in entries with fixed places, or one after the other.
    fn gathering(&mut self, rules: &Moves, longest: bool, fixed: bool) -> Emitter<'_> {
        let mut code = Emitter::closed(self.game, &mut self.module, 0);
        let [entry, count] = [(); 2].map(|()| code.local(Type::Int));
        let entries = Vec::new();
        let gathering = Gathering { entry, count, has_places: fixed, longest, entries };
        code.consumer = Consumer::Gather(gathering);
        code.scope.begins = true;
        generators::emit(&mut code, rules);
        code.bind_only_chooser();
        let entries = if fixed { int(output::entries(&code).len() as i32) } else { entry.get() };
        code.set_slot(Slot::Gathered, entries);
        code.push(Stmt::Return(Some(count.get())));
        code
    }

    /// Adds the functions that return the sites of moves from a site to itself, and the piece that
    /// they place; `None` if the moves have several sources or need more data.
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
        let mut code = Emitter::closed(self.game, &mut self.module, 0);
        let sites = code.local(Type::Set);
        code.consumer = Consumer::Destinations { sites, wanted: None };
        code.scope.begins = true;
        generators::emit(&mut code, rules);
        code.bind_only_chooser();
        code.push(Stmt::Return(Some(sites.get())));
        let sites = (!code.asks_evaluator()).then(|| code.shared("sites", 0, Some(Type::Set)))?;
        let Some(piece) = piece else { return Some((sites, None)) };
        let mut code = Emitter::closed(self.game, &mut self.module, 0);
        let component = leaves::component(&mut code, piece);
        code.bind_only_chooser();
        code.push(Stmt::Return(Some(component)));
        let piece = (!code.asks_evaluator()).then(|| code.shared("piece", 0, Some(Type::Int)))?;
        Some((sites, Some(piece)))
    }

    /// Replaces a generator by code if that pays, or else compiles its parts.
    fn moves(&mut self, moves: &mut Moves) {
        if cost(moves) < ENTRY_COST || self.module.is_full() {
            return self.inside(moves);
        }
        let (body, locals, parts) = self.write(moves);
        // Code that leaves all moves to the evaluator only adds a call.
        if parts.sources.is_empty() && !parts.moves.is_empty() {
            return self.inside(moves);
        }
        self.replace(moves, (body, locals, parts));
    }

    /// The code of a generator.
    fn write(&mut self, moves: &Moves) -> Written {
        let mut code = Emitter::new(self.game, &mut self.module);
        generators::emit(&mut code, moves);
        code.finish()
    }

    /// Replaces a generator by its code.
    fn replace(&mut self, moves: &mut Moves, written: Written) -> CodeId {
        let code = self.add("moves", written);
        let rules = std::mem::replace(moves, Moves::None);
        *moves = Moves::Compiled(code, Box::new(rules));
        code
    }

    /// Adds code, and compiles the parts that it leaves to the evaluator.
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
        let name = format!("{name} {}", self.module.functions.len());
        let result = Some(Type::Int);
        let function = self.module.function(Function { name, locals, params: 0, result, body });
        self.entries.push(function);
        function
    }

    /// Replaces a condition by code if that pays, or else compiles its parts.
    fn bool(&mut self, condition: &mut Bool) {
        if !self.is_worth_code(condition) || self.module.is_full() {
            return self.inside_bool(condition);
        }
        let mut code = Emitter::new(self.game, &mut self.module);
        let value = bools::emit(&mut code, condition);
        code.push(Stmt::Return(Some(value)));
        let written = code.finish();
        let code = self.add("condition", written);
        let rules = std::mem::replace(condition, Bool::Const(false));
        *condition = Bool::Compiled(code, Box::new(rules));
    }

    /// Compiles parts of the nodes that code leaves to the evaluator.
    fn parts(&mut self, parts: &mut EvaluatedParts) {
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

    /// Compiles the parts of a generator that is not compiled itself, except conditions that are
    /// tested site by site: a call of code costs more than such a test.
    fn inside(&mut self, moves: &mut Moves) {
        let asks_once = moves.binds().iter().all(|iter| matches!(iter, Iter::Pips | Iter::Dice));
        if !matches!(moves, Moves::Compiled(..)) {
            moves.each_part_mut(&mut |part| self.part(part, asks_once));
        }
    }

    /// As [`Compiler::inside`], for a condition.
    fn inside_bool(&mut self, condition: &mut Bool) {
        let asks_once = condition.binds().is_empty();
        if !matches!(condition, Bool::Compiled(..)) {
            condition.each_part_mut(&mut |part| self.part(part, asks_once));
        }
    }

    /// Compiles a part of a node; conditions only if they are tested once.
    fn part(&mut self, part: PartMut<'_>, asks_once: bool) {
        match part {
            PartMut::Moves(moves) => self.moves(moves),
            PartMut::Bool(condition) if asks_once => self.bool(condition),
            PartMut::Bool(_) => {}
            PartMut::Generator(id) => self.generator(id),
        }
    }

    /// Compiles a generator that the evaluator is asked for, if it has not been compiled yet.
    fn generator(&mut self, id: GeneratorId) {
        if !self.asked.contains_key(&id) {
            let mut moves = self.module.generators[id.0 as usize].clone();
            self.moves(&mut moves);
            self.asked.insert(id, moves);
        }
    }

    /// True if a condition looks at more than a few sites.
    fn is_worth_code(&self, condition: &Bool) -> bool {
        let mut is_worth = matches!(condition, Bool::AllSites(_));
        let can_move = matches!(condition, Bool::CanMove(_));
        let asks_once = condition.binds().is_empty() && !matches!(condition, Bool::Compiled(..));
        condition.each_part(&mut |part| match part {
            Part::Bool(part) if asks_once => is_worth |= self.is_worth_code(part),
            Part::Generator(id) if can_move => {
                is_worth |= cost(&self.module.generators[id.0 as usize]) > 0;
            }
            _ => {}
        });
        is_worth
    }

    /// Compiles the conditions of an end rule.
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

/// The cost of a call of code, in the unit of [`cost`].
const ENTRY_COST: u32 = 6;

/// The cost of a generator: roughly the number of sites that it looks at.
fn cost(moves: &Moves) -> u32 {
    match moves {
        Moves::None | Moves::Compiled(..) => 0,
        Moves::ForEachPiece { .. } | Moves::ForEachSite { .. } => ENTRY_COST,
        Moves::Custodial(_) => 2,
        Moves::Leaf(leaf) => match &leaf.kind {
            LeafKind::Add { to: place, .. }
            | LeafKind::FromTo { to: place, .. }
            | LeafKind::Select { from: place, .. }
                if matches!(**place, Place::Region(_)) =>
            {
                ENTRY_COST
            }
            LeafKind::Jump { .. } => 1,
            LeafKind::Slide(_) | LeafKind::Shoot { .. } => 2,
            _ => 0,
        },
        Moves::All(list) | Moves::Priority(list) => list.iter().map(cost).sum(),
        Moves::If(parts) => cost(&parts.1).max(cost(&parts.2)),
        Moves::ForEachValue { moves, .. } | Moves::ForEachPlayer { moves, .. } => 2 * cost(moves),
        Moves::IfAfterwards(parts) => cost(&parts.0),
        Moves::Composite(composite) => match &composite.kind {
            CompositeKind::Hop(_) => 2,
            CompositeKind::ForEachDirection(EachDirection { moves, .. }) => 2 + cost(moves),
            CompositeKind::Then(moves) => cost(moves),
            _ => 0,
        },
    }
}
