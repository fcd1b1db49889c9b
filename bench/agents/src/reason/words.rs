//! The names that an engine gives to the plies of a Wumpus world, and the size of its caves.

use play::{Game, Player, Position, Rng, settle};

use crate::ObservedPly;

/// The plies by their names in the rules.
const PLIES: [&str; 6] = ["forward", "left", "right", "grab", "shoot", "climb"];
/// Caves entered to find something out, at most.
const CAVES: u64 = 10_000;
/// Rows and columns of a cave, at most.
const MAX_SIZE: usize = 26;

/// The labels of the plies in a game, in the order of [`PLIES`]. Some languages have no words for
/// actions, and their engines label them by squares. Then what each does is found out by doing it,
/// in caves of the agent's own drawing, which are not the one that is played: everybody knows the
/// rules.
#[derive(Clone, Debug)]
pub(super) struct PlyLabels {
    labels: Vec<String>,
    /// Rows and columns.
    pub(super) size: usize,
}

impl PlyLabels {
    /// Finds them out; the size too, if it is 0.
    pub(super) fn learn(
        game: &dyn Game,
        player: Player,
        size: usize,
        seed: u64,
    ) -> Result<PlyLabels, String> {
        let lab = LabelProbe { game, player, seed };
        let plain: Vec<String> = PLIES.map(str::to_owned).into();
        let labels = lab.legal(&[]).unwrap_or_default();
        let labels = if plain.iter().all(|ply| labels.contains(ply)) {
            plain
        } else {
            lab.experiment(&labels).ok_or("no such plies as `forward` and `climb` at its start")?
        };
        let size = if size > 0 { Some(size) } else { lab.size(&labels[0]) };
        let size = size.ok_or("no wall was found by going `forward`")?;
        Ok(PlyLabels { labels, size })
    }

    /// The label of a ply.
    pub(super) fn label<'w>(&'w self, ply: &'w str) -> &'w str {
        PLIES.iter().position(|&one| one == ply).map_or(ply, |at| &self.labels[at])
    }

    /// A past in the words of the rules.
    pub(super) fn plain(&self, past: &[ObservedPly]) -> Vec<ObservedPly> {
        let plain = |label: &String| {
            let at = self.labels.iter().position(|one| one == label);
            at.map_or_else(|| label.clone(), |at| PLIES[at].to_owned())
        };
        let ply = |ply: &ObservedPly| ObservedPly {
            own: ply.own.as_ref().map(plain),
            percepts: ply.percepts.clone(),
        };
        past.iter().map(ply).collect()
    }
}

/// A place for experiments.
struct LabelProbe<'g> {
    game: &'g dyn Game,
    player: Player,
    seed: u64,
}

impl<'g> LabelProbe<'g> {
    /// A cave of its own drawing after some plies; `None` if one of them was not legal.
    fn after(&self, cave: u64, plies: &[&str]) -> Option<Box<dyn Position + 'g>> {
        let mut rng = Rng::stream(self.seed, cave);
        let mut position = self.game.open(&mut rng);
        settle(&mut *position, &mut rng);
        for ply in plies {
            let action = position.labels().iter().position(|label| label == ply)?;
            position.play(action, &mut rng).ok()?;
            settle(&mut *position, &mut rng);
        }
        Some(position)
    }

    fn legal(&self, plies: &[&str]) -> Option<Vec<String>> {
        self.after(0, plies).map(|position| position.labels())
    }

    /// True if something is perceived after some plies.
    fn perceived(&self, cave: u64, plies: &[&str], what: &str) -> bool {
        let seen = |position: Box<dyn Position + 'g>| {
            position.percepts().of(self.player).iter().any(|percept| percept == what)
        };
        self.after(cave, plies).is_some_and(seen)
    }

    /// The meaning of each of six labels, found at a1 and facing east: to climb is to be out; an
    /// arrow can be shot once; to go on and on is to bump in the end; then one turn to the right,
    /// or two to the left, and there is a wall ahead.
    fn experiment(&self, labels: &[String]) -> Option<Vec<String>> {
        let all: Vec<&str> = labels.iter().map(String::as_str).collect();
        let find = |test: &dyn Fn(&str) -> bool| all.iter().copied().find(|&label| test(label));
        let climb = find(&|x| self.perceived(0, &[x], "out"))?;
        let rest = |x: &str| self.legal(&[x]).filter(|rest| !rest.is_empty());
        let shoot = find(&|x| rest(x).is_some_and(|rest| !rest.iter().any(|one| one == x)))?;
        let forward = find(&|x| ![climb, shoot].contains(&x) && self.size(x).is_some())?;
        let others = [climb, shoot, forward];
        let right = find(&|x| !others.contains(&x) && self.perceived(0, &[x, forward], "bump"))?;
        let others = [climb, shoot, forward, right];
        let left = find(&|x| !others.contains(&x) && self.perceived(0, &[x, x, forward], "bump"))?;
        let others = [climb, shoot, forward, right, left];
        let grab = find(&|x| !others.contains(&x))?;
        Some([forward, left, right, grab, shoot, climb].map(str::to_owned).into())
    }

    /// The number of steps that an explorer can go forward until it bumps, in a cave in which it
    /// lives so long.
    fn size(&self, forward: &str) -> Option<usize> {
        for cave in 0..CAVES {
            let mut rng = Rng::stream(self.seed, cave);
            let mut position = self.game.open(&mut rng);
            settle(&mut *position, &mut rng);
            for steps in 1..=MAX_SIZE {
                let Some(action) = position.labels().iter().position(|label| label == forward)
                else {
                    break;
                };
                position.play(action, &mut rng).ok()?;
                settle(&mut *position, &mut rng);
                if position.percepts().of(self.player).iter().any(|percept| percept == "bump") {
                    return Some(steps);
                }
                if steps == MAX_SIZE {
                    return None;
                }
            }
        }
        None
    }
}
