//! Lowering of the typed tree of ludemes to the rules as data ([`crate::ir`]).
//!
//! Names become numbers, parts that do not depend on the state become tables, and every ludeme that
//! is not supported is reported by name and place.

// Functions that match on ludemes import all names. A misspelt name would be a pattern for
// everything, hence the lints.
#![allow(clippy::enum_glob_use)]
#![deny(non_snake_case, unreachable_patterns)]

mod attributes;
mod bools;
mod cards;
mod choices;
mod composite;
mod containers;
mod counts;
mod directions;
mod elements;
mod ending;
pub(crate) mod equipment;
mod families;
mod features;
mod graphs;
mod hops;
mod ints;
mod leaves;
mod match_games;
mod money;
mod moves;
mod named;
mod notes;
mod numbers;
mod past;
mod patterns;
mod places;
mod puzzles;
mod regions;
mod shape;
mod start;
mod tables;
mod teams;
mod tile_paths;
mod tiles;
mod tracks;
mod turned;

use play::CompileError;
use text::Diagnostic;

use crate::board::Direction;
use crate::front::{Arg, Call, Label, Name, Word};
use crate::ir::{
    EffectId, EndRule, HistoryDependence, Int, Leaf, LeafKind, MatchGame, Moves, Phase, Repeats,
    SetId, StartRule,
};
use crate::limits::MAX_LEAVES;
use crate::meter;
use crate::state::Occupancy;
use crate::world::World;

pub(crate) use features::Features;
pub(crate) use match_games::MatchContext;
pub(crate) use tables::{AxisTable, JumpTable, RayTable, Tables};

/// A reason why a part cannot be lowered.
#[derive(Clone, Debug)]
pub(crate) enum Problem {
    /// A mistake in the description.
    Invalid(Diagnostic),
    /// A ludeme that the engine lacks.
    Unsupported(Diagnostic),
    /// A limit that the description exceeds.
    TooLarge(String),
    /// A limit of the engine that a part exceeds, whatever the caller allows.
    Beyond(Diagnostic),
}

/// Result of lowering a part.
pub(crate) type Lowered<T> = Result<T, Problem>;

/// A game as data, before it is laid out for the number of its sites.
pub(crate) struct Lowering {
    pub(crate) world: World,
    pub(crate) tables: Tables,
    pub(crate) occupancy: Occupancy,
    pub(crate) features: Features,
    /// Names of variables; the first is the one without a name.
    pub(crate) vars: Vec<String>,
    /// Names of lists of remembered values.
    pub(crate) lists: Vec<String>,
    pub(crate) effects: Vec<Moves>,
    /// Generators that rules ask for the moves that they would give.
    pub(crate) asked: Vec<Moves>,
    pub(crate) leaves: usize,
    /// One more than the highest number beyond the sites for which sets of the state have room.
    pub(crate) numbers: usize,
    pub(crate) start: Vec<StartRule>,
    pub(crate) phases: Vec<Phase>,
    pub(crate) end: Vec<EndRule>,
    /// True if all players choose at once.
    pub(crate) simultaneous: bool,
    /// Consequences that wait until the moves of all players have been made.
    pub(crate) late: Vec<EffectId>,
    /// The parts of the past that the rules can read.
    pub(crate) past: HistoryDependence,
    /// The positions that must not occur again.
    pub(crate) repeats: Option<Repeats>,
    /// True if the second player may change sides.
    pub(crate) swap: bool,
    /// True if there are no players, so that the game goes by itself.
    pub(crate) simulation: bool,
    /// Texts that are proposed and voted for.
    pub(crate) texts: Vec<String>,
    /// The most pieces that one site can hold.
    pub(crate) capacity: u64,
    /// Components that rules ask for by the order in which they were placed.
    pub(crate) sought: Vec<u16>,
    /// True if players do not see everything.
    pub(crate) hidden: bool,
    /// The constraints, if the game is a deduction puzzle.
    pub(crate) puzzle: Option<crate::ir::Puzzle>,
    /// The place of the game in a match, if it is part of one.
    pub(crate) match_game: Option<MatchGame>,
    /// The cells that pieces cover, if some cover several.
    pub(crate) covers: Option<crate::ir::Covers>,
    /// Remarks on what is left out, because it names nothing.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// A ludeme that this engine does not know yet.
pub(super) fn unsupported(call: &Call) -> Problem {
    Problem::Unsupported(
        call.place
            .error("unsupported-ludeme", format!("`{}` is not supported yet", call.name()))
            .label("this ludeme is part of the language, but not of this engine"),
    )
}

/// A use of a ludeme that this engine does not know yet.
pub(super) fn unsupported_use(arg: &Arg, what: &str) -> Problem {
    Problem::Unsupported(
        arg.place.error("unsupported-ludeme", format!("{what} is not supported yet")),
    )
}

/// An argument that the signature demands and the tree lacks; the front end does not let it happen.
pub(super) fn missing(call: &Call, label: Label) -> Problem {
    Problem::Invalid(
        call.place.error("missing-argument", format!("`{}` needs its `{label}`", call.name())),
    )
}

/// A mistake that only the rules as a whole show.
pub(super) fn invalid(arg: &Arg, code: &'static str, message: impl Into<String>) -> Problem {
    Problem::Invalid(arg.place.error(code, message))
}

/// Counts the lowering of a ludeme. A description may have one lowered very often.
fn count_step() -> Lowered<()> {
    let refused = || Problem::TooLarge("more rules than there is work for".to_owned());
    meter::work(8).then_some(()).ok_or_else(refused)
}

/// The state of lowering.
pub(crate) struct Lower<'c> {
    pub(super) world: World,
    pub(super) tables: Tables,
    pub(super) features: features::Features,
    pub(super) vars: Vec<String>,
    pub(super) lists: Vec<String>,
    pub(super) texts: Vec<String>,
    /// Components that rules ask for by the order in which they were placed.
    pub(super) sought: Vec<u16>,
    /// True if the game is one of a match.
    pub(super) in_match: bool,
    /// True if all players choose at once.
    pub(super) simultaneous: bool,
    /// Consequences that wait until the moves of all players have been made.
    pub(super) late: Vec<EffectId>,
    /// The assumptions about directions that depend on the state, outermost first.
    pub(super) choices: Vec<(&'c Arg, choices::Chosen)>,
    /// The container that a `forEach Piece` is being lowered for, if it may mean several.
    pub(super) container: Option<usize>,
    /// The players of the team that a `forEach Team` is being lowered for.
    pub(super) team: Option<Vec<i32>>,
    /// The track that a `forEach Track` is being lowered for.
    pub(super) track: Option<i32>,
    /// Costs of elements, by type, if the set-up gives any.
    pub(super) costs: [Vec<i32>; 3],
    /// The edges that cross each edge; `None` until they are computed.
    pub(super) crossing_edges: Option<Box<[SetId]>>,
    /// True if moves after which the mover has lost are illegal.
    pub(super) no_suicide: bool,
    /// True if pieces that carry more than one other cannot be removed.
    pub(super) pinned: bool,
    /// True if pieces fall when a move has been made.
    pub(super) gravity: bool,
    /// True if moves that are the only ones to their sites are made at once.
    pub(super) automove: bool,
    /// The direction in which all pieces are assumed to look.
    pub(super) facing: Option<Direction>,
    /// The number of turns assumed for the piece that directions are relative to.
    pub(super) turned: Option<usize>,
    pub(super) phase_names: Vec<String>,
    pub(super) effects: Vec<Moves>,
    /// Generators that rules ask for the moves that they would give.
    pub(super) asked: Vec<Moves>,
    pub(super) leaves: usize,
    /// See [`Lowering::numbers`].
    pub(super) numbers: usize,
    /// See [`Lowering::warnings`].
    pub(super) warnings: Vec<Diagnostic>,
    /// The site jumped over, in a hop whose ends determine it.
    pub(super) middle: Option<Int>,
    /// The generator of each component.
    pub(super) generators: Vec<Option<&'c Call>>,
    /// The component whose generator is being lowered.
    pub(super) component: Option<u16>,
    /// The geometry of tiles with paths; `None` until it is computed.
    pub(super) tile_paths: Option<std::sync::Arc<crate::ir::TilePaths>>,
    /// The cells that pieces of several cells cover; `None` until they are computed.
    pub(super) covers: Option<crate::ir::Covers>,
    /// The values, hints and areas of a deduction puzzle.
    pub(super) setting: Option<puzzles::Setting<'c>>,
    /// The constraints of the puzzle; `None` until they are lowered.
    pub(super) puzzle_rules: Option<crate::ir::Puzzle>,
    /// The elements that a constraint is being written out for.
    pub(super) bound: puzzles::Bound,
    /// Number of constraints that have been written out.
    pub(super) written_out: usize,
    /// The problems found so far.
    pub(super) problems: Vec<Problem>,
}

/// Lowers a whole description.
pub(crate) fn lower(root: &Call) -> Result<Lowering, CompileError> {
    lower_in_match(root, None)
}

/// Lowers a whole description, with that of the match that it is part of, if so.
pub(crate) fn lower_in_match(
    root: &Call,
    within: Option<MatchContext<'_>>,
) -> Result<Lowering, CompileError> {
    let mut problems = Vec::new();
    match attempt(root, within, &mut problems) {
        Ok(lowering) if problems.is_empty() => Ok(lowering),
        Ok(_) => Err(report(problems)),
        Err(problem) => {
            problems.push(problem);
            Err(report(problems))
        }
    }
}

/// The error for these problems: those of the first kind among limits, mistakes and lack of
/// support.
fn report(problems: Vec<Problem>) -> CompileError {
    let mut invalid = Vec::new();
    let mut unsupported: Vec<Diagnostic> = Vec::new();
    for problem in problems {
        match problem {
            Problem::TooLarge(text) => return CompileError::TooLarge(text),
            Problem::Beyond(diagnostic) => return CompileError::Beyond(Box::new(diagnostic)),
            Problem::Invalid(diagnostic) => invalid.push(diagnostic),
            Problem::Unsupported(diagnostic) => {
                // The same place may be lowered for several components.
                if !unsupported.contains(&diagnostic) {
                    unsupported.push(diagnostic);
                }
            }
        }
    }
    if invalid.is_empty() {
        CompileError::Unsupported(unsupported)
    } else {
        CompileError::Invalid(invalid)
    }
}

fn attempt<'c>(
    root: &'c Call,
    within: Option<MatchContext<'c>>,
    problems: &mut Vec<Problem>,
) -> Lowered<Lowering> {
    if root.name() != Name::Game {
        return Err(unsupported(root));
    }
    let simulation = equipment::is_simulation(root)?;
    let simultaneous = match root.call(Label::Mode).map(|mode| (mode, mode.constant(Label::Type))) {
        None | Some((_, Some(Word::Alternating))) => false,
        _ if simulation => false,
        Some((_, Some(Word::Simultaneous))) => true,
        Some((mode, _)) => return Err(unsupported(mode)),
    };
    let rules = root.call(Label::Rules).ok_or_else(|| missing(root, Label::Rules))?;
    let features = features::Features::of(root, within.map(|within| within.whole))?;
    let mut equipment = equipment::equipment(root)?;
    let setting = puzzles::setting(root, &mut equipment.world)?;
    equipment.generators.resize(equipment.world.components.len(), None);
    let mut not_played = equipment::not_played(root)?;
    if let Some(last) = not_played.pop() {
        problems.append(&mut not_played);
        return Err(last);
    }
    let mut lower = Lower::new(equipment, features, setting, within.is_some(), simultaneous);
    named::regions_and_maps(&mut lower, root)?;
    lower.set_attributes(rules)?;
    lower.changing_teams(rules);
    lower.puzzle_rules = lower.puzzle(root)?;
    let meta = lower.meta(rules)?;
    lower.features.pass_draw &= !meta.no_end;
    let mut start = lower.start_rules(rules);
    let (mut phases, mut end) = lower.rules(rules)?;
    if simulation {
        // Results of players are none here, and it ends when nothing changes any more.
        end.clear();
        phases.truncate(1);
        phases.iter_mut().for_each(ending::all_at_once);
    }
    let match_game = within.map(|within| lower.match_game(within)).transpose()?;
    let before = lower.before_the_start();
    start.splice(0..0, before);
    let covers = lower.covers()?;
    problems.append(&mut lower.problems);
    Ok(Lowering {
        occupancy: lower.features.occupancy(&lower.world),
        world: lower.world,
        tables: lower.tables,
        vars: lower.vars,
        lists: lower.lists,
        effects: lower.effects,
        asked: lower.asked,
        leaves: lower.leaves,
        numbers: lower.numbers,
        start,
        phases,
        end,
        simultaneous,
        late: lower.late,
        past: past::history_dependence(root),
        repeats: meta.repeats,
        swap: meta.swap,
        simulation,
        texts: lower.texts,
        capacity: u64::from(u16::MAX),
        sought: lower.sought,
        hidden: lower.features.is_hidden(),
        features: lower.features,
        puzzle: lower.puzzle_rules,
        match_game,
        covers,
        warnings: lower.warnings,
    })
}

/// The settings of meta rules.
#[derive(Default)]
struct Meta {
    /// True if passes by everybody do not end the game.
    no_end: bool,
    swap: bool,
    repeats: Option<Repeats>,
}

impl<'c> Lower<'c> {
    /// A lowering at its beginning.
    fn new(
        equipment: equipment::Equipment<'c>,
        features: features::Features,
        setting: Option<puzzles::Setting<'c>>,
        in_match: bool,
        simultaneous: bool,
    ) -> Lower<'c> {
        Lower {
            tables: Tables::new(equipment.world.sites()),
            world: equipment.world,
            features,
            vars: vec![String::new()],
            lists: vec![String::new()],
            texts: Vec::new(),
            sought: Vec::new(),
            in_match,
            simultaneous,
            late: Vec::new(),
            choices: Vec::new(),
            container: None,
            team: None,
            track: None,
            costs: Default::default(),
            crossing_edges: None,
            no_suicide: false,
            pinned: false,
            gravity: false,
            automove: false,
            facing: None,
            turned: None,
            phase_names: Vec::new(),
            effects: Vec::new(),
            asked: Vec::new(),
            leaves: 0,
            numbers: 0,
            warnings: Vec::new(),
            middle: None,
            generators: equipment.generators,
            component: None,
            tile_paths: None,
            covers: None,
            setting,
            puzzle_rules: None,
            bound: puzzles::Bound::default(),
            written_out: 0,
            problems: Vec::new(),
        }
    }
}

impl Lower<'_> {
    /// The value of a part that has been lowered, or a stand-in if there is a problem. The problem
    /// is kept, so one run finds all problems.
    fn tolerate<T>(&mut self, result: Lowered<T>, stand_in: T) -> T {
        result.unwrap_or_else(|problem| {
            self.problems.push(problem);
            stand_in
        })
    }

    /// A new number for a generator of moves.
    fn new_leaf(&mut self) -> Lowered<u16> {
        if self.leaves == MAX_LEAVES {
            return Err(Problem::TooLarge(format!("more than {MAX_LEAVES} generators of moves")));
        }
        self.leaves += 1;
        Ok(self.leaves as u16 - 1)
    }

    /// A generator without parts.
    fn leaf(&mut self, kind: LeafKind) -> Lowered<Moves> {
        let id = self.new_leaf()?;
        Ok(Moves::Leaf(Box::new(Leaf { id, kind, then: Vec::new() })))
    }

    /// Adds effects to the table.
    fn effect(&mut self, moves: Moves) -> EffectId {
        meter::work(1 + self.effects.len() as u64);
        let effects = self.effects.iter().zip(0..).map(|(m, i)| (m, EffectId(i)));
        let mut equal = effects.filter(|(m, id)| **m == moves && !self.late.contains(id));
        if let Some((_, id)) = equal.next() {
            return id;
        }
        self.effects.push(moves);
        EffectId(self.effects.len() as u32 - 1)
    }

    /// Adds effects to the table that wait until the moves of all players have been made.
    fn late_effect(&mut self, moves: Moves) -> EffectId {
        meter::work(1 + self.late.len() as u64);
        let found = self.late.iter().find(|id| self.effects[id.0 as usize] == moves);
        if let Some(&id) = found {
            return id;
        }
        self.effects.push(moves);
        let id = EffectId(self.effects.len() as u32 - 1);
        self.late.push(id);
        id
    }

    /// Index of a variable, which is made when first named.
    fn var(&mut self, name: Option<&str>) -> usize {
        index_of(&mut self.vars, name.unwrap_or_default())
    }

    /// Index of a list of remembered values, which is made when first named.
    fn list(&mut self, name: Option<&str>) -> usize {
        index_of(&mut self.lists, name.unwrap_or_default())
    }

    fn meta(&mut self, rules: &Call) -> Lowered<Meta> {
        let mut meta = Meta::default();
        for rule in rules.call(Label::Meta).into_iter().flat_map(|m| m.items(Label::Rules)) {
            let Some(call) = rule.as_call() else { continue };
            match call.name() {
                Name::PassEnd => meta.no_end |= call.constant(Label::Type) == Some(Word::NoEnd),
                Name::Swap => meta.swap = true,
                Name::NoRepeat => {
                    meta.repeats = Some(match call.constant(Label::Type) {
                        Some(Word::Situational) => Repeats::Situational,
                        Some(Word::PositionalInTurn) => Repeats::PositionalInTurn,
                        Some(Word::SituationalInTurn) => Repeats::SituationalInTurn,
                        _ => Repeats::Positional,
                    });
                }
                Name::NoSuicide if !self.simultaneous => self.no_suicide = true,
                Name::Pin => self.pinned = true,
                Name::Automove if !self.simultaneous => self.automove = true,
                // The specification does not tell how a stack falls.
                Name::Gravity if self.features.occupancy(&self.world) != Occupancy::Stacking => {
                    self.gravity = true;
                }
                _ => return Err(unsupported(call)),
            }
        }
        Ok(meta)
    }
}

fn index_of(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|n| n == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}
