//! Lowering of the typed tree of ludemes to the rules as data ([`crate::ir`]).
//!
//! Names become numbers, parts that do not depend on the state become tables, and every ludeme that
//! is not supported is reported by name and place.

// Functions that match on ludemes import all names. A misspelt name would be a pattern for
// everything, hence the lints.
#![allow(clippy::enum_glob_use)]
#![deny(non_snake_case, unreachable_patterns)]

// What the description as a whole decides, and what all sorts of ludemes share.
mod features;
mod past;
mod places;
mod rules;
mod scope;

// Equipment, which is built in full first: `(board ..)` with its graph, `(piece ..)`, tiles,
// `(regions ..)`, `(map ..)`, `(track ..)`.
pub(crate) mod equipment;
mod named;
mod shape;
mod tiles;

// Tables of what the board alone decides: directions, steps, straight paths, families of regions.
mod directions;
mod elements;
mod families;
mod tables;

// Conditions: `(is ..)`, `(all ..)`, `(no ..)`, `(can ..)`, logic and comparisons.
mod bools;
mod graphs;
mod patterns;
mod tile_paths;

// Numbers: arithmetic, `(count ..)`, `(value ..)`, variables, lists of numbers.
mod counts;
mod ints;
mod numbers;
mod tracks;

// Regions: `(sites ..)`, set operations, hands and the pieces in them.
mod containers;
mod regions;

// Generators of moves and their effects. `moves` finds the sort: `leaves` are moves that are known
// by their ends, `composite` puts moves together, and `choices` are ludemes in directions that
// depend on the state.
mod choices;
mod composite;
mod hops;
mod leaves;
mod moves;
mod notes;
mod turned;

// The course of the game: `(start ..)`, phases, `(end ..)`, matches.
mod attributes;
mod ending;
mod match_games;
mod start;

// Families of ludemes that cut across these sorts.
mod cards;
mod money;
mod puzzles;
mod teams;

use play::CompileError;
use text::Diagnostic;

use crate::front::{Arg, Call, Label, Name, Word};
use crate::ir::{Covers, Leaf, LeafKind, Moves, Repeats, SetId, TilePaths};
use crate::meter;
use crate::state::Occupancy;
use crate::world::World;

pub(crate) use features::{Feature, Features};
pub(crate) use match_games::MatchContext;
pub(crate) use rules::{Needs, Rules};
pub(crate) use tables::{AxisTable, JumpTable, RayTable, Tables};

use scope::Scope;

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
    pub(crate) rules: Rules,
    pub(crate) needs: Needs,
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

/// The state of lowering: the game as far as it has been lowered, and the assumptions under which
/// its next part is.
pub(crate) struct Lower<'c> {
    pub(super) world: World,
    pub(super) tables: Tables,
    pub(super) rules: Rules,
    pub(super) needs: Needs,
    pub(super) scope: Scope<'c>,
    pub(super) meta: Meta,
    /// The match that the game is a part of, if so.
    pub(super) within: Option<MatchContext<'c>>,
    /// The generator of each component.
    pub(super) generators: Vec<Option<&'c Call>>,
    /// The values, hints and areas of a deduction puzzle.
    pub(super) setting: Option<puzzles::Setting<'c>>,
    /// Costs of elements, by type, if the set-up gives any.
    pub(super) costs: [Vec<i32>; 3],
    pub(super) geometry: Geometry,
    /// The problems found so far.
    pub(super) problems: Vec<Problem>,
    /// See [`Lowering::warnings`].
    pub(super) warnings: Vec<Diagnostic>,
}

/// Parts of the geometry that few games use; each is `None` until it is computed.
#[derive(Default)]
pub(super) struct Geometry {
    /// The edges that cross each edge.
    crossing_edges: Option<Box<[SetId]>>,
    /// The geometry of tiles with paths.
    tile_paths: Option<std::sync::Arc<TilePaths>>,
    /// The cells that pieces of several cells cover.
    covers: Option<Covers>,
}

/// Meta rules that change how other rules are lowered.
#[derive(Default)]
pub(super) struct Meta {
    /// True if moves after which the mover has lost are illegal.
    no_suicide: bool,
    /// True if pieces that carry more than one other cannot be removed.
    pinned: bool,
    /// True if pieces fall when a move has been made.
    gravity: bool,
    /// True if moves that are the only ones to their sites are made at once.
    automove: bool,
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
    let mut lower = Lower {
        tables: Tables::new(equipment.world.sites()),
        world: equipment.world,
        rules: Rules::new(features, past::history_dependence(root)),
        needs: Needs::default(),
        scope: Scope::default(),
        meta: Meta::default(),
        within,
        generators: equipment.generators,
        setting,
        costs: Default::default(),
        geometry: Geometry::default(),
        problems: Vec::new(),
        warnings: Vec::new(),
    };
    (lower.rules.simultaneous, lower.rules.simulation) = (simultaneous, simulation);
    named::regions_and_maps(&mut lower, root)?;
    lower.set_attributes(rules)?;
    lower.changing_teams(rules);
    lower.rules.puzzle = lower.puzzle(root)?;
    lower.meta(rules)?;
    let mut start = lower.start_rules(rules);
    (lower.rules.phases, lower.rules.end) = lower.rules(rules)?;
    if simulation {
        // Results of players are none here, and it ends when nothing changes any more.
        lower.rules.end.clear();
        lower.rules.phases.truncate(1);
        lower.rules.phases.iter_mut().for_each(ending::all_at_once);
    }
    lower.rules.match_game = within.map(|within| lower.match_game(within)).transpose()?;
    let before = lower.before_the_start();
    start.splice(0..0, before);
    lower.rules.start = start;
    let covers = lower.covers()?;
    problems.append(&mut lower.problems);
    let Lower { world, tables, rules, needs, warnings, .. } = lower;
    Ok(Lowering { world, tables, rules, needs, covers, warnings })
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

    /// A generator without parts.
    fn leaf(&mut self, kind: LeafKind) -> Lowered<Moves> {
        let id = self.needs.new_leaf()?;
        Ok(Moves::Leaf(Box::new(Leaf { id, kind, then: Vec::new() })))
    }

    /// The form in which sites hold pieces.
    fn occupancy(&self) -> Occupancy {
        self.rules.features.occupancy(&self.world)
    }

    /// Lowers the meta rules.
    fn meta(&mut self, rules: &Call) -> Lowered<()> {
        for rule in rules.call(Label::Meta).into_iter().flat_map(|m| m.items(Label::Rules)) {
            let Some(call) = rule.as_call() else { continue };
            match call.name() {
                Name::PassEnd => {
                    let no_end = call.constant(Label::Type) == Some(Word::NoEnd);
                    self.rules.features.add(Feature::NoPassDraw, no_end);
                }
                Name::Swap => self.rules.swap = true,
                Name::NoRepeat => {
                    self.rules.repeats = Some(match call.constant(Label::Type) {
                        Some(Word::Situational) => Repeats::Situational,
                        Some(Word::PositionalInTurn) => Repeats::PositionalInTurn,
                        Some(Word::SituationalInTurn) => Repeats::SituationalInTurn,
                        _ => Repeats::Positional,
                    });
                }
                Name::NoSuicide if !self.rules.simultaneous => self.meta.no_suicide = true,
                Name::Pin => self.meta.pinned = true,
                Name::Automove if !self.rules.simultaneous => self.meta.automove = true,
                // The specification does not tell how a stack falls.
                Name::Gravity if self.occupancy() != Occupancy::Stacking => {
                    self.meta.gravity = true;
                }
                _ => return Err(unsupported(call)),
            }
        }
        Ok(())
    }
}
