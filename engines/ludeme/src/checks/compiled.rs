//! Compiled games beside the evaluator: the same moves with the same effects at every position of
//! random walks. They have the same order, unless the code counts them.

use std::collections::VecDeque;
use std::path::Path;

use play::{Language, Rng, Rules};

use super::lowered;
use super::numbers::games;
use crate::buffer::Buffer;
use crate::checks::files::{catalogue, shared};
use crate::compile::{CompiledPlayout, Purpose, RunBuffers};
use crate::eval::{HarnessChance, Legality, Listed, MaybeChance};
use crate::game::Game;
use crate::lower::Feature;
use crate::moves::{Move, MoveId};
use crate::state::State;
use crate::{front, lower};

/// Number of playouts of each game that are compared.
const PLAYOUTS: u64 = 6;

/// A game at a position, on the evaluator or compiled.
struct Side {
    game: Game,
    state: State,
    listed: Listed,
}

impl Side {
    fn new(game: Game) -> Side {
        Side { state: game.initial.clone(), game, listed: Listed::default() }
    }

    /// Calls a function with the outcomes of chance at a ply.
    fn by_chance<T>(
        &mut self,
        seed: u64,
        run: impl FnOnce(&Game, &mut State, &mut Listed, MaybeChance<'_>) -> T,
    ) -> T {
        let mut rng = Rng::stream(seed, 1 << 32);
        let source = HarnessChance::new(&mut rng);
        let chance: MaybeChance<'_> =
            if self.game.has(Feature::Chance) { Some(&source) } else { None };
        run(&self.game, &mut self.state, &mut self.listed, chance)
    }

    fn list(&mut self, tests: bool, seed: u64) -> &[MoveId] {
        self.by_chance(seed, |game, state, listed, chance| {
            game.list_all(state, tests, chance, listed);
        });
        &self.listed.list
    }

    fn made(&mut self, legality: Legality, id: MoveId) -> Option<Move> {
        self.game.make_listed(&mut self.state, &self.listed.draws, id, legality, None)
    }
}

/// Compares the moves that a compiled game gathers with those that are listed: their order, unless
/// code gathers them in another; the moves as they are made; and their effects if code makes them.
fn gathered(
    plain: &Side,
    code: &mut Side,
    game: &Game,
    buffers: &mut RunBuffers,
) -> Result<(), String> {
    const BOTH: [Legality; 2] = [Legality::Known, Legality::Open];
    let mut state = code.state.clone();
    buffers.begin();
    let playout = game.compiled_playout(&mut state, buffers);
    let playout = playout.and_then(|mut playout| playout.gather().map(|()| playout));
    let found = playout.as_ref().and_then(CompiledPlayout::gathered_moves);
    let (Some(found), listed) = (found, code.listed.list.clone()) else { return Ok(()) };
    // If moves have another order, pieces of one stack may have their moves once.
    let fewest = if game.is_reordered() && plain.game.stacking() { 0 } else { listed.len() };
    let (shorter, _) = game.shorter(&code.state, &found);
    let count = found.count() as usize - shorter.len();
    if !(fewest..=listed.len()).contains(&count) {
        return Err(format!("{count} moves are gathered"));
    }
    if !plain.game.has(Feature::Chance) && !plain.game.tests_moves {
        let mut distinct = Listed::default();
        plain.game.list_legal(&mut plain.state.clone(), None, &mut distinct);
        let left_out = game.left_out(&code.state, &found).0.len();
        if found.count() as usize - left_out != distinct.list.len().min(listed.len()) {
            return Err(format!("{left_out} moves are known to be left out"));
        }
    }
    let listed = listed.into_iter().map(|id| BOTH.map(|legality| code.made(legality, id)));
    let mut listed: VecDeque<_> = listed.collect();
    let reordered = game.is_reordered();
    let mut made_moves = Vec::new();
    for number in (0..found.count()).filter(|number| !shorter.contains(number)) {
        let made = BOTH.map(|legality| game.make_gathered(&code.state, &found, number, legality));
        let alike = |listed: &[Option<Move>; 2]| {
            let [listed, made] =
                [listed, &made].map(|both| both.clone().map(|made| made.map(ends)));
            reordered && listed == made
        };
        let place = listed.iter().position(|listed| *listed == made || alike(listed));
        if place.is_none_or(|place| place > 0 && !reordered) {
            return Err(format!("{:?}\n{made:?}", listed[0]));
        }
        place.and_then(|place| listed.remove(place));
        let [made, drawn] = made;
        made_moves.extend(made.map(|made| (number, made, drawn.is_some())));
    }
    // If all players choose at once, code gathers the moves, and the evaluator makes them.
    made_moves.retain(|_| !game.simultaneous);
    for (number, made, legal) in made_moves {
        let (mut plain_after, mut after) = (plain.state.clone(), code.state.clone());
        buffers.begin();
        let playout = game.compiled_playout(&mut after, buffers);
        let by_code = playout.ok_or("moves are not gathered again")?.play_number(number);
        let tests = game.repeats.is_none();
        if tests && by_code.is_some_and(|by_code| by_code != legal) {
            return Err(format!("{made:?} is {}legal by code", if legal { "not " } else { "" }));
        }
        if by_code != Some(true) {
            continue;
        }
        plain.game.advance(&mut plain_after, &made, None);
        forget_stalemates(&mut after, &plain_after);
        if !are_same(game, &after, &plain_after) || after.head != plain_after.head {
            let heads = (&plain_after.head, &after.head);
            return Err(format!("{made:?} is made otherwise by code:\n{heads:#?}"));
        }
    }
    Ok(())
}

/// A move without the sites that it passed over. They are not compared if moves have another order.
fn ends(made: Move) -> Move {
    Move { piece: 0, between: Buffer::new(), ..made }
}

/// Compares the effects of moves that code makes if chance has a part in them, with dice that are
/// thrown before them.
fn made_by_chance(
    plain: &Side,
    state: &State,
    game: &Game,
    buffers: &mut RunBuffers,
    seed: u64,
) -> Result<(), String> {
    if game.simultaneous {
        return Ok(());
    }
    let draws = || Rng::stream(seed, 1 << 32);
    let mut left = VecDeque::new();
    for number in 0.. {
        let mut after = plain.state.clone();
        let mut rng = draws();
        let source = HarnessChance::new(&mut rng);
        let mut listed = Listed::default();
        plain.game.list_all(&mut after, true, Some(&source), &mut listed);
        let Some(&id) = listed.list.get(number as usize) else { break };
        if id.is_pass() {
            left.push_back(None);
            continue;
        }
        let made =
            plain.game.make_listed(&mut after, &listed.draws, id, Legality::Known, Some(&source));
        let made = made.ok_or("a move is not made again")?;
        plain.game.advance(&mut after, &made, Some(&source));
        left.push_back(Some((made, after)));
    }
    // If moves have another order they are identified by their effects alone, and passes are not
    // compared.
    let mut passes = left.iter().filter(|made| made.is_none()).count();
    let mut before = state.clone();
    buffers.begin();
    let playout =
        game.compiled_playout(&mut before, buffers).map(|playout| playout.with_draws(draws()));
    let playout = playout.and_then(|mut playout| playout.gather().map(|()| playout));
    let count = playout
        .as_ref()
        .and_then(CompiledPlayout::gathered_moves)
        .map_or(left.len() as u32, |f| f.count());
    for number in 0..count.min(left.len() as u32) {
        let mut after = state.clone();
        buffers.begin();
        let Some(playout) = game.compiled_playout(&mut after, buffers) else { return Ok(()) };
        let by_code = playout.with_draws(draws()).play_number(number) == Some(true);
        let is_same = |made: &Option<(Move, State)>| {
            made.as_ref().is_some_and(|(_, other)| after.same(other) && after.head == other.head)
        };
        if !game.is_reordered() {
            let alike = left[number as usize].is_none() || is_same(&left[number as usize]);
            if by_code && !alike {
                let made = &left[number as usize];
                return Err(format!("{made:?} is made otherwise by code:\n{:#?}", after.head));
            }
        } else if let Some(place) = left.iter().position(is_same).filter(|_| by_code) {
            left.remove(place);
        } else if by_code {
            passes = passes.checked_sub(1).ok_or("a move is made otherwise by code")?;
        }
    }
    Ok(())
}

/// True if states are equal, the order of placing included.
fn are_same(game: &Game, one: &State, other: &State) -> bool {
    let layout = &game.layout;
    let mut components = 0..layout.owner.len();
    one.same(other) && components.all(|c| one.order(layout, c).eq(other.order(layout, c)))
}

/// Copies the flags of players without moves from another state if the game is over, because they
/// are not read then.
fn forget_stalemates(state: &mut State, other: &State) {
    if other.head.over {
        state.head.stalemated = other.head.stalemated;
    }
}

/// The first difference between the playouts of two games, if there is one.
pub(super) fn first_difference(
    games: [&Game; 2],
    seed: u64,
    cap: u32,
    playouts: u64,
) -> Option<String> {
    let differ = |id: u64, cap: u32| {
        let [a, mut b] = games.map(|game| game.position_after(seed, id, cap));
        forget_stalemates(&mut b, &a);
        let ends = |state: &State| (state.head.last_from, state.head.last_to);
        let turn = |state: &State| (state.head.moves, state.head.turns, state.head.over);
        let result = |state: &State| {
            (state.head.ranks, state.head.winner, state.head.active, state.payoffs().copied())
        };
        // Code also throws the dice of a ply that may not be played.
        let thrown = games[0].has(Feature::Chance) && !a.head.over;
        (ends(&a), turn(&a), result(&a)) != (ends(&b), turn(&b), result(&b))
            || !thrown && !are_same(games[0], &a, &b)
    };
    let id = (0..playouts).find(|&id| differ(id, cap))?;
    let ply = (1..=cap).find(|&ply| differ(id, ply));
    Some(format!("playout {id} differs after {} plies", ply.unwrap_or(cap)))
}

/// Walks through a game. The error is a difference; otherwise the number of compared moves, or
/// `Ok(None)` if the game has no machine code.
fn walk(
    lowered: &dyn Fn() -> Result<lower::Lowering, String>,
    plies: u64,
    seed: u64,
) -> Result<Option<usize>, String> {
    let game = Game::new(lowered()?);
    let Some(code) = game.compiled(Purpose::SamePlayouts) else { return Ok(None) };
    let reordered = game.compiled(Purpose::Playouts).filter(|game| game.is_reordered());
    let games: Vec<_> = std::iter::once(code.clone()).chain(reordered).collect();
    let (mut plain, mut code) = (Side::new(game), Side::new(code));
    plain.game.redraws = code.game.redraws;
    let both = [&plain.game, &code.game];
    if let Some(difference) = first_difference(both, seed, 3 * plies as u32, PLAYOUTS) {
        return Err(difference);
    }
    // All moves are compared, even if none can occur twice.
    plain.game.overlaps = true;
    let mut rng = Rng::stream(seed, 0);
    let mut buffers = RunBuffers::default();
    let mut compared = 0;
    for ply in 0..plies {
        if plain.state.head.over || code.state.head.over {
            let same = plain.state.head == code.state.head;
            return if same {
                Ok(Some(compared))
            } else {
                Err(format!("ends differ at ply {ply}"))
            };
        }
        let chance = seed << 16 | ply;
        if !code.game.overlaps && !plain.game.has(Feature::Chance) {
            plain.game.list_legal(&mut plain.state, None, &mut plain.listed);
            code.game.list_legal(&mut code.state, None, &mut code.listed);
            if plain.listed.list.len() != code.listed.list.len() {
                return Err(format!("a move comes twice at ply {ply}"));
            }
        }
        for tests in [true, false] {
            let (plain, code) = (plain.list(tests, chance), code.list(tests, chance));
            if plain != code {
                let tested = if tests { "tested" } else { "not tested" };
                return Err(format!("{tested}, at ply {ply}:\n{plain:?}\n{code:?}"));
            }
        }
        let alike = if plain.game.has(Feature::Chance) {
            let made = |game| made_by_chance(&plain, &code.state, game, &mut buffers, chance);
            games.iter().try_for_each(made)
        } else {
            games.iter().try_for_each(|game| gathered(&plain, &mut code, game, &mut buffers))
        };
        alike.map_err(|e| format!("at ply {ply}: {e}"))?;
        plain.list(true, chance);
        code.list(true, chance);
        compared += plain.listed.list.len();
        let made = if plain.listed.list.is_empty() {
            Move::pass()
        } else {
            let index = rng.below(plain.listed.list.len() as u32) as usize;
            let id = plain.listed.list[index];
            let (a, b) = (plain.made(Legality::Known, id), code.made(Legality::Known, id));
            match a.filter(|a| b.as_ref() == Some(a)) {
                Some(made) => made,
                None => return Err(format!("{id:?} is made otherwise at ply {ply}: {b:?}")),
            }
        };
        for side in [&mut plain, &mut code] {
            side.by_chance(chance, |game, state, _, chance| game.advance(state, &made, chance));
        }
        if !plain.state.same(&code.state) {
            return Err(format!("{made:?} leads to different states at ply {ply}"));
        }
    }
    Ok(Some(compared))
}

/// As [`walk`], for the game of a description; `Ok(None)` also if it is not played.
fn walks(name: &str, text: &str, plies: u64, seed: u64) -> Result<Option<usize>, String> {
    walks_of(&Rules::new(Language::Lud, name, text), plies, seed)
}

/// As [`walks`], with options.
pub(super) fn walks_of(rules: &Rules, plies: u64, seed: u64) -> Result<Option<usize>, String> {
    let Ok(parsed) = front::parse(rules) else { return Ok(None) };
    let lowered = || lower::lower(&parsed.root).map_err(|e| e.one_line(&rules.source));
    let sites = match lowered() {
        Ok(lowering) => lowering.world.sites(),
        Err(_) => return Ok(None),
    };
    if sites > 64 * kernel::MAX_NATIVE_WORDS {
        return Ok(None);
    }
    walk(&lowered, plies, seed)
}

#[test]
fn small_compiled_games_have_the_moves_of_the_evaluator() {
    for (name, text) in games() {
        let compared = (0..4).map(|seed| walks(name, text, 40, seed).expect(name));
        let compared: Option<usize> = compared.sum();
        assert!(compared.expect("a small game") > 20, "{name}");
    }
}

#[test]
fn the_compiled_catalogue_has_the_moves_of_the_evaluator() {
    let mut games = 0;
    for rules in catalogue() {
        let name = rules.source.name();
        let walked =
            walks(name, rules.source.text(), 12, 1).unwrap_or_else(|e| panic!("{name}: {e}"));
        games += usize::from(walked.is_some());
    }
    assert!(games > 25, "only {games} games");
}

#[test]
fn code_has_an_end_however_deep_loops_are_nested() {
    // A loop that leaves a variable bound has its body written again.
    let left = "(move Step (from (site)) (to if:(is Empty (to))))";
    let nested = (0..40).fold(left.to_owned(), |inner, _| {
        format!("(or (forEach Site (sites Board) {inner}) {left})")
    });
    let text = format!(
        r#"(game "Nested" (players 2) (equipment {{(board (square 2)) (piece "Disc" Each)}})
            (rules (play {nested}) (end (if (no Moves Next) (result Mover Win)))))"#
    );
    let code = Game::new(lowered("nested", &text)).compiled(Purpose::Playouts);
    let bytes = code.and_then(|game| game.definition.program).map_or(0, |program| program.bytes());
    assert!(bytes < 40 << 20, "{bytes} bytes of code");
}

/// `cargo test --release -p ludeme --lib -- --ignored compiled_files`; the variable `LUD_FILES`
/// names other files, one a line.
#[test]
#[ignore = "some minutes"]
fn compiled_files_have_the_moves_of_the_evaluator() {
    let files = match std::env::var("LUD_FILES") {
        Ok(files) => files.lines().map(Into::into).collect(),
        Err(_) => match shared("corpus/lud") {
            Some(folder) => files_in(&folder),
            None => return,
        },
    };
    let (mut agree, mut left_out, mut differ) = (0, Vec::new(), Vec::new());
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let name = file.display().to_string();
        let both = [7, 1].map(|seed| walks(&name, &text, 100, seed));
        match both.into_iter().reduce(Result::and).unwrap_or(Ok(None)) {
            Ok(Some(_)) => agree += 1,
            Ok(None) => left_out.push(name),
            Err(difference) => differ.push(format!("{name}: {difference}")),
        }
    }
    println!("{agree} agree, {} are left out:\n{}", left_out.len(), left_out.join("\n"));
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
}

fn files_in(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    let mut entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        if entry.path().is_dir() {
            files.extend(files_in(&entry.path()));
        } else {
            files.push(entry.path());
        }
    }
    files
}
