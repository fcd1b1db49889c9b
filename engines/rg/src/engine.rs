//! The engine as the harness sees it.

use play::{
    Adapted, BuildFact, CompileError, Compiled, Engine, EngineId, Facts, Game, Language, Limits,
    Rules,
};
use text::{Diagnostic, Source};

use crate::automaton::{Automaton, Expr, Label, VISIBLE};
use crate::code::Code;
use crate::compile::{MemoryMap, compile};
use crate::compiled::{CompiledGame, Nodes};
use crate::front;
use crate::limits::Bounds;
use crate::minimize::{Minimized, minimized};
use crate::probe;
use crate::reference::Reference;
use crate::search;
use crate::show::Notation;

/// Steps of [`Limits::work`] that a step of writing code counts for.
const STEP_WORK: u64 = 400;

/// Steps of [`Limits::work`] that an edge counts for: what variables may hold is found out before
/// any code is written. Automata with few edges are analysed whatever the limits.
const EDGE_WORK: u64 = 800;
const FEW_EDGES: u64 = 500;

/// The engine `rg`: plays Regular Games descriptions, `.rg` and `.hrg`.
#[derive(Clone, Copy, Debug, Default)]
pub struct RgEngine;

impl Engine for RgEngine {
    fn id(&self) -> EngineId {
        "rg"
    }

    fn languages(&self) -> &[Language] {
        &[Language::Rg]
    }

    /// Compiles a description. Options, which the language has none of, and other languages are
    /// [`CompileError::Unavailable`].
    fn compile(&self, rules: &Rules, limits: &Limits) -> Result<Compiled, CompileError> {
        if rules.language != Language::Rg {
            let text = format!("this engine reads .rg and .hrg files, not .{}", rules.language);
            return Err(CompileError::Unavailable(text));
        }
        if let Some(option) = rules.options.first() {
            let text = format!("the language has no options such as `{option}`");
            return Err(CompileError::Unavailable(text));
        }
        let bounds = Bounds::within(limits);
        let (automaton, diagnostics) = front::read_within(&rules.source, &bounds);
        let Some(automaton) = automaton else {
            return Err(CompileError::Invalid(diagnostics));
        };
        let reference = reference(automaton, limits);
        let warnings = probed(diagnostics, &reference, probe::LOADED.min(limits.work / 10));
        Ok(Compiled { game: build(reference, limits), warnings })
    }
}

/// The errors and warnings about a description.
///
/// A sound description is played for some hundred positions, by which mistakes come to light that
/// nothing else shows.
pub fn check(rules: &Rules) -> Vec<Diagnostic> {
    match front::read(&rules.source) {
        (Some(automaton), said) => {
            probed(said, &reference(automaton, &Limits::default()), probe::CHECKED)
        }
        (None, said) => said,
    }
}

/// Diagnostics of a description with those of a few plays that try so many edges, in order.
fn probed(mut said: Vec<Diagnostic>, reference: &Reference, budget: u64) -> Vec<Diagnostic> {
    said.extend(probe::warnings(reference, budget));
    said.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    said
}

/// The length of a description in tokens, without comments.
pub fn tokens(source: &Source) -> usize {
    front::tokens(source)
}

/// A description in RG, the low-level form, which an `.hrg` file is expanded to, with everything
/// that there is to say about it. A faulty description has no text.
pub fn expand(source: &Source) -> (String, Vec<Diagnostic>) {
    front::expand(source)
}

/// Leaf counts of the tree of moves at depths 1 to `depth`, as publications about the language
/// count them: moves of players and of `random` are plies, the keeper's are free.
///
/// # Errors
/// A description that is faulty, or a game that breaks the language's rules as it is played.
pub fn perft(rules: &Rules, limits: &Limits, depth: u32) -> Result<Vec<u64>, CompileError> {
    crate::perft::counts(&read(rules, limits)?, depth).map_err(faulty)
}

/// The same counts by the code of the game; `None` if it has none. What code leaves to the search
/// is searched.
///
/// # Errors
/// As those of [`perft`].
pub fn perft_by_code(
    rules: &Rules,
    limits: &Limits,
    depth: u32,
) -> Result<Option<Vec<u64>>, CompileError> {
    let reference = read(rules, limits)?;
    let Ok((nodes, map, code)) = code(&reference, limits) else { return Ok(None) };
    let game = CompiledGame::new(reference, nodes, map, code);
    crate::perft::counts(&game, depth).map(Some).map_err(faulty)
}

/// A sound description as the search plays it.
fn read(rules: &Rules, limits: &Limits) -> Result<Reference, CompileError> {
    let (automaton, diagnostics) = front::read(&rules.source);
    let automaton = automaton.ok_or(CompileError::Invalid(diagnostics))?;
    Ok(reference(automaton, limits))
}

fn faulty(fault: search::Fault) -> CompileError {
    CompileError::TooLarge(fault.text().to_owned())
}

/// The game as code plays it, or, if there is none, the search.
fn build(reference: Reference, limits: &Limits) -> Box<dyn Game> {
    match code(&reference, limits) {
        Ok((nodes, map, code)) => Adapted::boxed(CompiledGame::new(reference, nodes, map, code)),
        Err(reason) => Adapted::boxed(Reference { reason, ..reference }),
    }
}

/// The code of a game, with its memory and its nodes; or the reason why there is none.
pub(crate) fn code(
    reference: &Reference,
    limits: &Limits,
) -> Result<(Nodes, MemoryMap, Code), &'static str> {
    let Minimized { automaton, of, was } = minimized(&reference.rules.automaton);
    let edges: usize = automaton.nodes.iter().map(|node| node.edges.len()).sum();
    if edges as u64 > FEW_EDGES.max(limits.work / EDGE_WORK) {
        return Err("it has too many edges to be analysed");
    }
    let map = MemoryMap::of(&automaton, limits.work).ok_or("it has too many symbols")?;
    let rules = search::Rules::new(automaton);
    let compiled = compile(&rules, &map, limits.work / STEP_WORK)?;
    let code = Code::new(compiled, map.scalars, limits).ok_or("its code is too long")?;
    Ok((Nodes { of, was }, map, code))
}

/// The game as the search plays it.
pub(crate) fn reference(automaton: Automaton, limits: &Limits) -> Reference {
    let labels = || automaton.nodes.iter().flat_map(|node| &node.edges).map(|edge| &edge.label);
    let hides = |label: &Label| match label {
        Label::Assign { target, .. } | Label::AssignAny { target, .. } => target.slot == VISIBLE,
        _ => false,
    };
    let starts_hidden = automaton.variables[VISIBLE].start[..automaton.players.len()]
        .iter()
        .any(|&cell| !automaton.is_true(cell));
    let facts = Facts {
        players: automaton.players.len() as u8,
        chance: may_draw(&automaton),
        hidden: starts_hidden || labels().any(hides),
        state_bytes: 2 * automaton.variables.iter().map(|v| v.start.len()).sum::<usize>() + 64,
        build: vec![
            (BuildFact::Nodes, automaton.nodes.len() as u64),
            (BuildFact::Edges, labels().count() as u64),
        ],
        ..Facts::default()
    };
    let notation = Notation::new(&automaton);
    let rules = search::Rules::new(automaton);
    let (budget, patience) = (limits.work / 4, limits.work);
    Reference { rules, notation, facts, budget, patience, bytes: limits.bytes, reason: "" }
}

/// True if `random` may come to move: if it is anywhere among the values of the rules.
fn may_draw(automaton: &Automaton) -> bool {
    let random = automaton.random;
    let in_label = |label: &Label| match label {
        Label::Assign { value, .. } => *value == Expr::Symbol(random),
        Label::AssignAny { set, .. } => automaton.sets[*set].contains(random),
        _ => false,
    };
    let constants = automaton.constants.iter().flat_map(|constant| &constant.cells);
    let starts = automaton.variables.iter().flat_map(|variable| &variable.start);
    automaton.nodes.iter().flat_map(|node| &node.edges).any(|edge| in_label(&edge.label))
        || constants.chain(starts).any(|&cell| u32::from(cell) == random.0)
}
