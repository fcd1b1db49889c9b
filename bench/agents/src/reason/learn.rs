//! What a game is a world of: found out from its labels, and by trying in caves that are not the
//! one that is played.

use std::collections::BTreeSet;

use play::{Game, Player, Position, Rng, Turn, settle};

use super::hunt::{Hunt, NAMES, Pits};
use super::known::{Assumptions, PitPrior};
use super::rooms::{MAX_ROOMS, Rooms, rooms_of};
use super::words::PlyLabels;

/// A world that can be reasoned about.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Turns and steps in a square cave.
    Explorer(PlyLabels),
    /// Steps in a cave of squares.
    Hunt(Hunt),
    /// Rooms and tunnels.
    Rooms(Rooms),
}

/// Caves that are tried at most.
const CAVES: u64 = 2000;
/// Caves in which the walls are looked for.
const WALKS: u64 = 400;
/// Steps and shots in one cave at most.
const MOST: usize = 26;

impl Kind {
    /// Finds out what a game is; a size of 0 is to be measured. The error says why it is no such
    /// world.
    pub(super) fn of(
        game: &dyn Game,
        player: Player,
        size: usize,
        assumed: &Assumptions,
        seed: u64,
    ) -> Result<Kind, String> {
        let probe = Probe { game, player, seed };
        let labels = probe.open(0).0.labels();
        let has = |label: &str| labels.iter().any(|one| one == label);
        if labels.iter().any(|label| label.starts_with("move ")) {
            return probe.rooms(assumed).map(Kind::Rooms);
        }
        if has("shoot north") && has("east") {
            return probe.hunt(assumed).map(Kind::Hunt);
        }
        if has("a1a2") && has("a1b1") {
            return probe.printed(assumed).map(Kind::Hunt);
        }
        PlyLabels::learn(game, player, size, seed).map(Kind::Explorer)
    }
}

/// A place for experiments.
struct Probe<'g> {
    game: &'g dyn Game,
    player: Player,
    seed: u64,
}

impl<'g> Probe<'g> {
    /// A cave of its own drawing.
    fn open(&self, cave: u64) -> (Box<dyn Position + 'g>, Rng) {
        let mut rng = Rng::stream(self.seed, cave);
        let mut position = self.game.open(&mut rng);
        settle(&mut *position, &mut rng);
        (position, rng)
    }

    fn perceives(&self, position: &dyn Position, what: impl Fn(&str) -> bool) -> bool {
        position.percepts().of(self.player).iter().any(|percept| what(percept))
    }

    /// All players take a turn with an action of this label. False if one cannot.
    fn turn(&self, position: &mut dyn Position, rng: &mut Rng, label: &str) -> bool {
        for _ in 0..self.game.facts().players {
            let labels = position.labels();
            let Some(action) = labels.iter().position(|one| one == label) else { return false };
            if position.play(action, rng).is_err() {
                return false;
            }
            settle(position, rng);
        }
        true
    }

    /// The numbers of squares up to the wall in a direction, over many caves.
    fn lengths(&self, direction: &str) -> Vec<usize> {
        let mut lengths = BTreeSet::new();
        for cave in 0..WALKS {
            let (mut position, mut rng) = self.open(cave);
            for steps in 1..=MOST {
                if !self.turn(&mut *position, &mut rng, direction) {
                    break;
                }
                if self.perceives(&*position, |percept| percept == "bump") {
                    lengths.insert(steps);
                    break;
                }
            }
        }
        lengths.into_iter().collect()
    }

    /// The number of shots with this label, and true if the game goes on after them.
    fn shots(&self, label: &str) -> (u32, bool) {
        let (mut position, mut rng) = self.open(0);
        let mut shots = 0;
        while shots < MOST as u32 && self.turn(&mut *position, &mut rng, label) {
            shots += 1;
        }
        (shots, matches!(position.turn(), Turn::Move(_)))
    }

    fn hunt(&self, assumed: &Assumptions) -> Result<Hunt, String> {
        let players = usize::from(self.game.facts().players);
        let (columns, rows) = (self.lengths(NAMES[1]), self.lengths(NAMES[0]));
        let sizes = rows.iter().flat_map(|&rows| columns.iter().map(move |&of| (of, rows)));
        let sizes: Vec<(usize, usize)> = sizes.collect();
        if sizes.is_empty() {
            return Err("no wall was found by going `north` and `east`".to_owned());
        }
        // There is a wall west of the first square. Without gold, a hunt ends with the arrows.
        let (shots, gold) = self.shots("shoot west");
        let hears = |cave| {
            let (mut position, mut rng) = self.open(cave);
            self.turn(&mut *position, &mut rng, NAMES[0])
                && self.perceives(&*position, |percept| {
                    percept.starts_with("other ") || percept.starts_with("hunter ")
                })
        };
        let own = usize::from(self.player.0);
        Ok(Hunt {
            sizes,
            pits: assumed.pits.map_or(Pits::Numbers(vec![1, 2]), Pits::from),
            hunters: players,
            own,
            arrows: assumed.arrows.unwrap_or(shots),
            gold,
            talk: players > 1 && (0..20).any(hears),
            printed: false,
            words: Hunt::words_of(players, own),
        })
    }

    fn printed(&self, assumed: &Assumptions) -> Result<Hunt, String> {
        let labels = self.open(0).0.labels();
        let far = |file: bool| {
            labels.iter().filter_map(|label| label.strip_prefix("shoot ")).find_map(|square| {
                let bytes = square.as_bytes();
                let row = square.get(1..)?.parse::<usize>().ok()?;
                let column = usize::from(bytes.first()?.checked_sub(b'a')?) + 1;
                if file { (column == 1).then_some(row) } else { (row == 1).then_some(column) }
            })
        };
        let size = far(false).zip(far(true)).ok_or("no shots to the walls at its start")?;
        let shot = labels.iter().find(|label| label.starts_with("shoot "));
        let shots = shot.map_or(0, |label| self.shots(label).0);
        Ok(Hunt {
            sizes: vec![size],
            pits: Pits::from(assumed.pits.unwrap_or(PitPrior::Exactly(3))),
            hunters: 1,
            own: 0,
            arrows: assumed.arrows.unwrap_or(shots),
            gold: true,
            talk: false,
            printed: true,
            words: Hunt::words_of(1, 0),
        })
    }

    fn rooms(&self, assumed: &Assumptions) -> Result<Rooms, String> {
        let mut tunnels: Vec<Vec<usize>> = Vec::new();
        for cave in 0..CAVES {
            let (position, _) = self.open(cave);
            let percepts = position.percepts();
            let here = percepts.of(self.player).iter().find_map(|percept| Rooms::room(percept));
            let here = here.ok_or("no room was perceived at its start")?;
            let labels = position.labels();
            let moves = labels.iter().filter_map(|label| rooms_of(label, "move "));
            let beside: Vec<usize> = moves.flatten().collect();
            let last = beside.iter().copied().chain([here]).max().unwrap_or_default();
            if last >= MAX_ROOMS {
                return Err(format!("more than {MAX_ROOMS} rooms"));
            }
            tunnels.resize(tunnels.len().max(last + 1), Vec::new());
            tunnels[here] = beside;
            if tunnels.iter().all(|beside| !beside.is_empty()) {
                let pits = match assumed.pits {
                    None => 2,
                    Some(PitPrior::Exactly(number)) => number,
                    Some(PitPrior::Each(_)) => {
                        return Err("there is a number of pits in such a cave".to_owned());
                    }
                };
                let words = Rooms::words_of(tunnels.len());
                let (bats, arrows) = (assumed.bats.unwrap_or(2), assumed.arrows.unwrap_or(5));
                return Ok(Rooms { tunnels, pits, bats, arrows, words });
            }
        }
        Err("not all rooms were found".to_owned())
    }
}
