//! A game as a network that is swept whole at every step: the reference that faster ways to play
//! it are checked against.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::OnceLock;

use gdl::{Symbols, TermId, Terms};
use play::picture::Picture;
use play::{Bounds, Chance, Facts, Limits, Mechanics, Scores, Turn};

use crate::graph::Lit;
use crate::network::Network;
use crate::plain_evaluator::{MoveId, PlainEvaluator, State};

/// Evaluations of single nodes by which all positions of a game may be found, a fraction of a
/// second; and how many for each step of work that compiling may take.
const WORK: u64 = 200_000_000;
const WORK_OF_STEP: u64 = 25;

/// A network, how it is swept, and what its literals are called.
pub(crate) struct Sweep {
    pub(crate) network: Network,
    pub(crate) plain: PlainEvaluator,
    pub(crate) facts: Facts,
    /// The limits of compilation.
    pub(crate) limits: Limits,
    /// The propositions as terms, if they came from a sheet.
    pub(crate) sheet: Option<Sheet>,
}

/// The names of the terms of a sheet.
pub(crate) struct Sheet {
    symbols: Symbols,
    terms: Terms,
    propositions: Vec<TermId>,
    /// The terms that can stand in facts, once a position is drawn: every look at a position draws
    /// it.
    reach: OnceLock<gdl::Reach>,
}

impl Sheet {
    pub(crate) fn new(symbols: Symbols, terms: Terms, propositions: Vec<TermId>) -> Sheet {
        Sheet { symbols, terms, propositions, reach: OnceLock::new() }
    }
}

impl Sweep {
    /// A move in neutral notation, or as the sheet has it where others of its role, which are all
    /// legal, are called the same.
    pub(crate) fn label_among(
        &self,
        action: MoveId,
        mut legal: impl Iterator<Item = MoveId>,
    ) -> String {
        let one = &self.network.moves[action as usize];
        let is_other = |m: MoveId| m != action && self.network.moves[m as usize].label == one.label;
        (if legal.any(is_other) { &one.text } else { &one.label }).clone()
    }

    /// The labels of all legal moves of a role.
    pub(crate) fn labels_of(&self, legal: &[MoveId]) -> Vec<String> {
        let moves = || legal.iter().map(|&m| &self.network.moves[m as usize]);
        let mut owners: BTreeMap<&str, u32> = BTreeMap::new();
        moves().for_each(|m| *owners.entry(&m.label).or_default() += 1);
        moves().map(|m| if owners[&*m.label] > 1 { &m.text } else { &m.label }.clone()).collect()
    }

    /// A state drawn in text, given which bases hold.
    pub(crate) fn drawn(&self, base_holds: impl Fn(usize) -> bool) -> String {
        let truths = self.truths(base_holds);
        match &self.sheet {
            Some(sheet) => {
                let facts: Vec<TermId> = truths.iter().map(|&i| sheet.propositions[i]).collect();
                let reach = || gdl::Reach::of(&sheet.terms, &sheet.propositions);
                gdl::draw(&sheet.symbols, &sheet.terms, &facts, sheet.reach.get_or_init(reach))
            }
            None => {
                let text = |&i: &usize| self.network.propositions[i].text.as_str();
                truths.iter().map(text).collect::<Vec<&str>>().join("\n")
            }
        }
    }

    /// The same as a picture.
    pub(crate) fn pictured(&self, base_holds: impl Fn(usize) -> bool + Copy) -> Picture {
        let Some(sheet) = &self.sheet else { return Picture::card(&self.drawn(base_holds)) };
        let truths = self.truths(base_holds);
        let facts: Vec<TermId> = truths.iter().map(|&i| sheet.propositions[i]).collect();
        let reach = || gdl::Reach::of(&sheet.terms, &sheet.propositions);
        let reach = sheet.reach.get_or_init(reach);
        let players = self.network.roles.iter().filter(|role| !role.nature);
        let names: Vec<String> = players.map(|role| role.name.to_lowercase()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        gdl::picture(&sheet.symbols, &sheet.terms, &facts, reach, &names)
    }

    /// The places of the propositions that hold, given which bases do.
    fn truths(&self, base_holds: impl Fn(usize) -> bool) -> Vec<usize> {
        let bases = self.network.base_numbers();
        let holds = |lit: Lit| {
            bases.get(&lit.node()).is_some_and(|&base| base_holds(base)) != lit.is_negative()
        };
        let all = self.network.propositions.iter().enumerate();
        all.filter(|(_, proposition)| holds(proposition.lit)).map(|(i, _)| i).collect()
    }

    /// The bounds of exploring the game.
    pub(crate) fn bounds_of_exploring(&self) -> Bounds {
        let work = WORK.min(self.limits.work.saturating_mul(WORK_OF_STEP));
        let state_bytes = self.plain.state_bytes();
        Bounds::small(work, self.plain.cost()).within(self.limits.bytes, state_bytes)
    }
}

impl Mechanics for Sweep {
    type State = State;
    type Action = MoveId;

    /// The facts that a choice needs are worked out as moves are listed.
    const APPLIES_AFTER_EXPAND: bool = true;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> State {
        let mut state = self.plain.start();
        self.plain.choose_nature(&mut state, chance);
        state
    }

    fn expand(&self, state: &mut State, legal: &mut Vec<MoveId>) -> Turn {
        self.plain.expand(state, legal)
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut State, action: MoveId, chance: &mut C) {
        self.plain.choose(state, action);
        self.plain.choose_nature(state, chance);
    }

    fn scores(&self, state: &State) -> Scores {
        self.plain.scores(state)
    }

    fn label(&self, state: &State, action: MoveId) -> String {
        let role = self.network.moves[action as usize].role;
        self.label_among(action, self.plain.legal(&mut state.clone(), role))
    }

    fn labels(&self, _state: &State, legal: &[MoveId]) -> Vec<String> {
        self.labels_of(legal)
    }

    fn is_pass(&self, _state: &State, action: MoveId) -> bool {
        self.plain.is_pass(action)
    }

    fn draw(&self, state: &State) -> String {
        self.drawn(|base| self.plain.base(state, base))
    }

    fn picture(&self, state: &State) -> Picture {
        self.pictured(|base| self.plain.base(state, base))
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(self.bounds_of_exploring())
    }

    fn key(&self, state: &State) -> impl Hash + Eq + use<> {
        self.plain.key(state)
    }
}

#[cfg(test)]
mod tests {
    use play::{Continuation, Job, Limits, Rng, reference};
    use text::Source;

    use super::*;
    use crate::engine::{Evaluator, PropnetGame, PropnetState};
    use cpu::Level;

    /// Sheets longer than this ground into tens of thousands of rules.
    const LONG: usize = 8000;

    /// The short sheets of the catalogue.
    fn catalogue() -> Vec<Source> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/catalogue");
        let games = std::fs::read_dir(folder).expect("the catalogue is there");
        let sheet = |game: std::path::PathBuf| {
            let text = std::fs::read_to_string(game.join("rules.kif")).ok()?;
            Some(Source::new(game.file_name()?.to_string_lossy(), text))
        };
        let mut sheets: Vec<Source> = games.filter_map(|game| sheet(game.ok()?.path())).collect();
        sheets.retain(|source| source.text().len() <= LONG);
        sheets.sort_by(|a, b| a.name().cmp(b.name()));
        assert!(sheets.len() >= 14, "only {} sheets", sheets.len());
        sheets
    }

    /// Joint choices with chance before them, turns that go round, and a player who is left with
    /// nothing to do while the other could go on.
    const OTHERS: [&str; 3] = [
        "(role random) (role a) (role b) (init (left 5))
         (less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
         (<= (legal random (flip ?c)) (coin ?c)) (coin h) (coin t)
         (<= (legal a (say ?c)) (coin ?c)) (<= (legal b (say ?c)) (coin ?c))
         (<= (next (left ?m)) (true (left ?n)) (less ?n ?m))
         (<= (next (won ?r)) (does random (flip ?c)) (does ?r (say ?c)))
         (<= (next (won ?r)) (true (won ?r)))
         (<= terminal (true (left 0)))
         (<= (goal ?r 100) (true (won ?r))) (<= (goal ?r 0) (role ?r) (not (true (won ?r))))",
        "(role a) (role b) (init (turn a)) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
         (next-turn a b) (next-turn b a)
         (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
         (<= (legal ?r stay) (true (turn ?r))) (<= (legal ?r go) (true (turn ?r)))
         (<= (next (turn ?s)) (true (turn ?r)) (next-turn ?r ?s))
         (<= (next (at ?m)) (does ?r go) (true (at ?n)) (succ ?n ?m))
         (<= (next (at ?n)) (does ?r stay) (true (at ?n)))
         (<= (next (seen ?n)) (true (at ?n))) (<= (next (seen ?n)) (true (seen ?n)))
         (<= terminal (true (at 5)))
         (<= (goal ?r 100) (true (turn ?r))) (<= (goal ?r 0) (role ?r) (not (true (turn ?r))))",
        "(role a) (role b) (init (left 3)) (less 3 2) (less 2 1) (less 1 0)
         (<= (legal a (take ?n)) (true (left ?n))) (<= (legal a stay) (true (left ?n)))
         (<= (legal b wave) (not (true (left 1)))) (<= (legal b wait) (not (true (left 1))))
         (<= (next (left ?m)) (does a (take ?n)) (less ?n ?m))
         (<= (next (left ?n)) (does a stay) (true (left ?n)))
         (<= (next waved) (does b wave)) (<= (next waved) (true waved))
         (<= terminal (true (left 0)))
         (<= (goal a 100) (true waved)) (<= (goal b 100) (not (true waved)))",
    ];

    #[test]
    fn playouts_side_by_side_from_states_are_those_one_by_one() {
        let others = OTHERS.iter().map(|rules| Source::new("others.kif", *rules));
        let (mut counts, mut together) = ([0; 2], 0);
        for source in catalogue().into_iter().chain(others) {
            let [event, batch] = [Evaluator::Event, Evaluator::Batch].map(|evaluator| {
                let game = PropnetGame::new(&source, evaluator, &Limits::default());
                game.unwrap_or_else(|e| panic!("{}", e.one_line(&source))).0
            });
            let (mut rng, mut legal) = (Rng::stream(6, 0), Vec::new());
            let mut state = event.initial(&mut rng.clone());
            let mut other = batch.initial(&mut rng);
            let [mut own, mut others] = [Vec::new(), Vec::new()];
            for ply in 0..70 {
                for (id, cap) in [(ply, 100), (ply + 70, 3), (ply + 140, 0)] {
                    let rng = Rng::stream(8, id);
                    own.push(Continuation { state: state.clone(), rng: rng.clone(), cap });
                    others.push(Continuation { state: other.clone(), rng, cap });
                }
                if ply < 3 || ply % 24 < 2 {
                    let start = batch.start_after(Level::best(), &mut other.clone());
                    counts[usize::from(start.is_some())] += 1;
                    for (count, cap) in [(1, 100), (70, 3), (600, 0), (130, 100)] {
                        let job = Job { seed: ply, first: 1 << 40, count, cap };
                        let [mut ends, mut wanted] = [Vec::new(), Vec::new()];
                        batch.playouts(&other, &job, &mut ends);
                        event.playouts(&state, &job, &mut wanted);
                        assert!(ends == wanted, "{}, {ply}, {job:?}", source.name());
                    }
                }
                legal.clear();
                batch.expand(&mut other, &mut legal);
                if legal.is_empty() {
                    break;
                }
                let action = legal[rng.below(legal.len() as u32) as usize];
                event.apply(&mut state, action, &mut rng.clone());
                batch.apply(&mut other, action, &mut rng);
            }
            // Each from a state of its own.
            let mut are_between = |from: &mut Continuation<PropnetState>| {
                batch.start_after(Level::best(), &mut from.state.clone()).is_some()
            };
            together += usize::from(others.iter_mut().all(&mut are_between));
            let [mut ends, mut wanted] = [Vec::new(), Vec::new()];
            batch.play_each(&mut others, &mut ends);
            event.play_each(&mut own, &mut wanted);
            assert!(ends == wanted, "{}", source.name());
        }
        assert!(together > 20, "{together} games");
        // Roles at once, of which some have chosen, and nature that has.
        assert!(counts[1] > 100 && counts[0] > 5, "{counts:?}");
    }

    #[test]
    fn states_that_follow_changes_are_those_of_the_sweep() {
        let others = OTHERS.iter().map(|rules| Source::new("others.kif", *rules));
        let mut plies = 0;
        for source in catalogue().into_iter().chain(others) {
            let game = PropnetGame::new(&source, Evaluator::Event, &Limits::default());
            let (game, _) = game.unwrap_or_else(|e| panic!("{}", e.one_line(&source)));
            for walk in 0..3 {
                plies += compare(source.name(), &game, walk);
            }
        }
        assert!(plies > 3000, "{plies} plies");
    }

    /// Walks through both, and plays on from some states of the walk. How many plies it has.
    fn compare(name: &str, game: &PropnetGame, walk: u64) -> u32 {
        let (sweep, mut rng) = (&game.sweep, Rng::stream(3, walk));
        let mut swept = sweep.initial(&mut rng.clone());
        let mut state = game.initial(&mut rng);
        // In the place of another one, as a search goes back.
        let mut again = game.initial(&mut Rng::stream(4, walk));
        let (mut legal, mut wanted) = (Vec::new(), Vec::new());
        for ply in 0..150 {
            legal.clear();
            wanted.clear();
            let turn = game.expand(&mut state, &mut legal);
            assert_eq!(turn, sweep.expand(&mut swept, &mut wanted), "{name}, {walk}, {ply}");
            assert_eq!(legal, wanted, "{name}, {walk}, {ply}");
            let [own, other] = [game.draw(&state), sweep.draw(&swept)];
            assert_eq!(own, other, "{name}, {walk}, {ply}");
            assert_eq!(game.labels(&state, &legal), sweep.labels(&swept, &wanted), "{name}");
            if ply < 4 || ply % 16 == 0 || legal.is_empty() {
                again.clone_from(&state);
                for cap in [0, 3, 60] {
                    let stream = Rng::stream(5, u64::from(ply));
                    let end = game.playout(&mut again, &mut Vec::new(), &mut stream.clone(), cap);
                    let (mut from, mut stream) = (swept.clone(), stream);
                    let memory = &mut Vec::new();
                    let reference =
                        reference::playout_from(sweep, &mut from, &mut stream, cap, memory);
                    assert_eq!(end, reference, "{name}, {walk}, {ply}, {cap}\n{own}");
                    again.clone_from(&state);
                }
                assert_eq!(game.draw(&state), own, "{name}: a playout changed the state");
            }
            if legal.is_empty() {
                if turn == Turn::Over {
                    assert_eq!(game.scores(&state), sweep.scores(&swept), "{name}\n{own}");
                }
                return ply;
            }
            let action = legal[rng.below(legal.len() as u32) as usize];
            assert_eq!(game.label(&state, action), sweep.label(&swept, action), "{name}");
            sweep.apply(&mut swept, action, &mut rng.clone());
            game.apply(&mut state, action, &mut rng);
        }
        150
    }
}
