//! The behaviour of a game as far as a budget of plies shows it, in this process: what changed
//! rules are held against. Budgets count plies and positions, so that the same rules give the same
//! answer on any machine.

use std::panic::{AssertUnwindSafe, catch_unwind};

use play::kit::Comparison;
use play::{
    Chance, CompileError, Engine, Facts, Game, Job, Limits, Position, Rng, Rules, Scores, Tally,
    Turn, Via, kit, mix, passes_without_end, settle,
};

use crate::subject::{Local, Subject};
use crate::worker::panic_text;

/// The budgets of a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Seed of everything drawn.
    pub(crate) seed: u64,
    /// Ply cap of a playout.
    pub(crate) cap: u32,
    /// Positions of the tree below the start that are visited at each depth.
    pub(crate) nodes: u64,
    /// Walks whose legal actions are compared, and their plies together.
    pub(crate) walks: u64,
    /// Plies of all walks, and of all playouts: the last one ends where they are used up.
    pub(crate) plies: u64,
    /// Playouts whose means are compared.
    pub(crate) playouts: u64,
}

/// Greatest depth of the trees that are compared.
const DEEPEST: u32 = 4;

/// The first difference between two games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Difference {
    /// Numbers of players, or chance, or hidden information.
    Kind,
    /// Legal actions at the start.
    Start,
    /// The trees below the start, to a small depth.
    Tree,
    /// Legal actions, percepts, payoffs, or the end, on a random walk.
    Walk,
    /// Means of random playouts.
    Playouts,
}

/// A fault that shows without another game to compare with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// A position that is not over has no legal action.
    Stuck,
    /// No playout ends within the ply cap, or forced passes never end.
    Endless,
}

/// What is seen of a game.
pub(crate) struct Behaviour {
    kind: (u8, bool, bool),
    /// The fingerprint of the tree to the depth that the budget goes to, with the depth; `None` if
    /// it does not go to the first ply.
    print: Option<(u32, u64)>,
    walks: Vec<Walk>,
    tally: Tally,
}

/// A walk by random legal actions.
struct Walk {
    plies: Vec<Ply>,
    /// The scores at its end; `None` if it was cut.
    scores: Option<Scores>,
}

/// A ply of a walk.
struct Ply {
    /// A hash of what is seen before it.
    view: u64,
    /// The label of the action.
    label: String,
}

/// The kind of a game.
fn kind(facts: &Facts) -> (u8, bool, bool) {
    (facts.players, facts.chance, facts.hidden)
}

/// Playouts that are cut one after another before no more are played.
const FUTILE: u64 = 4;

/// Random playouts of a game without machine code, whose making takes longer than few playouts,
/// until all are played, the plies are used up, one is stuck, or the first few are all cut.
pub(crate) fn playouts(game: &dyn Game, budget: &Budget) -> Tally {
    let via = if game.facts().interpreted.is_some() { Via::Interpreted } else { Via::Fast };
    let mut tally = Tally::default();
    for first in 0..budget.playouts {
        tally += &game.run(&Job { seed: budget.seed, first, count: 1, cap: budget.cap }, via);
        // Engines may search long for moves where there are none, and pass without end.
        let is_futile = tally.stuck > 0 || tally.capped == FUTILE && tally.playouts == FUTILE;
        if tally.plies > budget.plies || is_futile {
            break;
        }
    }
    tally
}

/// The fault that playouts show, if any.
pub(crate) fn fault(tally: &Tally) -> Option<Fault> {
    if tally.stuck > 0 {
        Some(Fault::Stuck)
    } else {
        (tally.capped == tally.playouts).then_some(Fault::Endless)
    }
}

/// Steps of work that compiling may take. Engines make machine code where they may work enough,
/// which takes longer than playing a few hundred plies without: the least that will do is best.
const WORK: [u64; 4] = [400_000, 2_000_000, 10_000_000, 50_000_000];

/// Loads rules for a comparison, by as little work as will do; the text of a panic where there was
/// one.
pub(crate) fn load(
    engine: &dyn Engine,
    rules: &Rules,
) -> Result<Result<play::Compiled, CompileError>, String> {
    let mut last = None;
    for work in WORK {
        let loaded = guarded(|| engine.load(rules, &Limits { bytes: 1 << 30, work }))?;
        if !matches!(loaded, Err(CompileError::TooLarge(_))) {
            return Ok(loaded);
        }
        last = Some(loaded);
    }
    Ok(last.unwrap_or_else(|| Err(CompileError::TooLarge("no work is allowed".to_owned()))))
}

/// What a function gives, or the text of its panic.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_text(&*panic))
}

impl Behaviour {
    /// The behaviour of a game.
    pub(crate) fn of(game: &dyn Game, budget: &Budget) -> Behaviour {
        let kind = kind(game.facts());
        let mut left = budget.plies;
        let walks = (0..if kind.1 { 0 } else { budget.walks }).map_while(|id| {
            (left > 0).then(|| {
                let walk = walk(game, budget, id, left);
                left = left.saturating_sub(walk.plies.len() as u64);
                walk
            })
        });
        let walks = walks.collect();
        Behaviour { kind, print: print(game, budget), walks, tally: playouts(game, budget) }
    }

    /// The fault of a game that has another one's place, or what tells them apart. `Ok(None)`: the
    /// budget shows no difference.
    pub(crate) fn difference(
        &self,
        game: &dyn Game,
        budget: &Budget,
    ) -> Result<Option<Difference>, Fault> {
        let tally = playouts(game, budget);
        if let Some(fault) = fault(&tally).filter(|fault| self.fault() != Some(*fault)) {
            return Err(fault);
        }
        if kind(game.facts()) != self.kind {
            return Ok(Some(Difference::Kind));
        }
        let mut playing = Ok(None);
        for walk in &self.walks {
            playing = walk.followed_on(game);
            if playing != Ok(None) {
                break;
            }
        }
        if playing? == Some(0) {
            return Ok(Some(Difference::Start));
        }
        if self.print.is_some_and(|print| !has_print(print, game, budget)) {
            return Ok(Some(Difference::Tree));
        }
        if playing?.is_some() {
            return Ok(Some(Difference::Walk));
        }
        let apart = tally.digest != self.tally.digest
            && matches!(kit::compare(&self.tally, &tally), Comparison::Differs(_));
        Ok(apart.then_some(Difference::Playouts))
    }

    /// The fault of the game itself: a walk through a maze may well have no end.
    pub(crate) fn fault(&self) -> Option<Fault> {
        fault(&self.tally)
    }
}

/// The fingerprint to the greatest depth that the budget allows. Trees that differ at a smaller
/// depth differ there, too.
fn print(game: &dyn Game, budget: &Budget) -> Option<(u32, u64)> {
    let mut subject = Local::new("", game);
    let print = |depth| Some((depth, subject.fingerprint(depth, budget.nodes).ok().flatten()?));
    (1..=DEEPEST).map_while(print).last()
}

/// True if a game has this fingerprint to a depth.
fn has_print((depth, print): (u32, u64), game: &dyn Game, budget: &Budget) -> bool {
    // A little more than the other has taken.
    let found = Local::new("", game).fingerprint(depth, 2 * budget.nodes);
    found.ok().flatten() == Some(print)
}

/// The position before the first ply.
fn opened<'g>(game: &'g dyn Game, chance: &mut dyn Chance) -> Box<dyn Position + 'g> {
    let mut position = game.open(chance);
    settle(&mut *position, chance);
    position
}

/// The sorted labels of the legal actions, with their numbers.
fn sorted(position: &dyn Position) -> Vec<(String, usize)> {
    let mut labels: Vec<(String, usize)> = position.labels().into_iter().zip(0..).collect();
    labels.sort();
    labels
}

/// A hash of what is seen of a position: who moves, what is legal, what was perceived.
fn view(position: &dyn Position, labels: &[(String, usize)]) -> u64 {
    let turn = match position.turn() {
        Turn::Over => u64::MAX,
        Turn::Move(player) => player.0.into(),
    };
    let byte = |hash: u64, byte: u8| mix(hash.wrapping_add(1) ^ u64::from(byte));
    let label = |hash: u64, (label, _): &(String, usize)| label.bytes().fold(mix(hash), byte);
    labels.iter().fold(mix(turn ^ position.percepts().bits()), label)
}

/// Takes a random walk in a game without chance.
fn walk(game: &dyn Game, budget: &Budget, id: u64, most: u64) -> Walk {
    let mut rng = Rng::stream(budget.seed, id);
    let mut position = opened(game, &mut play::Script::default());
    let mut plies = Vec::new();
    while (plies.len() as u64) < most.min(budget.cap.into()) {
        let labels = sorted(&*position);
        if labels.is_empty() || passes_without_end(&*position) {
            break;
        }
        let view = view(&*position, &labels);
        let (label, action) = labels[rng.below(labels.len() as u32) as usize].clone();
        plies.push(Ply { view, label });
        if position.play(action, &mut play::Script::default()).is_err() {
            break;
        }
        settle(&mut *position, &mut play::Script::default());
    }
    Walk { plies, scores: position.scores() }
}

impl Walk {
    /// Follows the walk in another game: the ply at which it differs.
    fn followed_on(&self, game: &dyn Game) -> Result<Option<usize>, Fault> {
        let mut position = opened(game, &mut play::Script::default());
        for (number, ply) in self.plies.iter().enumerate() {
            let labels = sorted(&*position);
            if position.turn() != Turn::Over && labels.is_empty() {
                return Err(Fault::Stuck);
            }
            let found = labels.iter().find(|(label, _)| *label == ply.label);
            let Some((_, action)) = found.filter(|_| view(&*position, &labels) == ply.view) else {
                return Ok(Some(number));
            };
            if position.play(*action, &mut play::Script::default()).is_err() {
                return Ok(Some(number));
            }
            if !settle(&mut *position, &mut play::Script::default()) {
                return Err(Fault::Endless);
            }
        }
        Ok((position.scores() != self.scores).then_some(self.plies.len()))
    }
}

#[cfg(test)]
mod tests {
    use play::toy::Toy;

    use super::*;

    const BUDGET: Budget =
        Budget { seed: 1, cap: 100, nodes: 100, walks: 4, plies: 1000, playouts: 50 };

    fn toy(tree: &str) -> Box<dyn Game> {
        Toy::parse(tree).expect("it is a tree").boxed()
    }

    #[test]
    fn games_differ_by_what_is_legal_and_by_what_follows() {
        let seen = Behaviour::of(&*toy("1(=100,0 2(=0,100 =50,50))"), &BUDGET);
        let difference = |tree: &str| seen.difference(&*toy(tree), &BUDGET);
        assert_eq!(difference("1(=100,0 2(=0,100 =50,50))"), Ok(None));
        assert_eq!(difference("1(=100,0 =0,0 2(=0,100 =50,50))"), Ok(Some(Difference::Start)));
        assert_eq!(difference("1(=100,0 2(=0,100 =50,51))"), Ok(Some(Difference::Tree)));
        assert_eq!(seen.fault(), None);
    }

    #[test]
    fn panics_are_told() {
        assert_eq!(guarded(|| 1), Ok(1));
        let told = guarded(|| panic!("it fell"));
        assert_eq!(told, Err::<(), _>("the engine panicked: it fell".to_owned()));
    }
}
