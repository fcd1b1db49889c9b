//! A few random playouts by the plain evaluation, to learn what games by these rules are like. What
//! is learnt decides how a network is laid out, never what it means.

use play::Rng;

use crate::plain_evaluator::{MoveId, PlainEvaluator};

/// Evaluations of single nodes that a trial may take, and how many for each step of work that
/// compiling may take.
const WORK: u64 = 60_000_000;
const WORK_OF_STEP: u64 = 10;
/// Joint steps that are enough to know the game.
const STEPS: u64 = 3000;
/// Joint steps of one playout.
const LONGEST: u64 = 1000;
/// Seed of the playouts.
const SEED: u64 = 0x7472_6961_6c2d_6b69;

/// The statistics of a few playouts at compile time.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    /// States seen.
    pub(crate) states: u64,
    /// Playouts begun.
    pub(crate) playouts: u64,
    /// By node of the plain evaluator's circuit: how often its value changed from one state to the
    /// next, or from one step to the next; not those of moves, and not what only goals depend on.
    pub(crate) changes: Vec<u32>,
    /// By move, how often it was made.
    pub(crate) made: Vec<u32>,
    /// By role, the move that it had to make most often while it had no choice.
    pub(crate) idle: Vec<Option<MoveId>>,
    /// Joint steps in which several roles did something other than that.
    pub(crate) joint: u64,
    /// True if several players had a choice in one state.
    pub(crate) simultaneous: bool,
    /// By base: a hash of the states in which it held, and of those in which it did not.
    pub(crate) history: Vec<[u64; 2]>,
}

/// Plays, within so many steps of work about.
pub(crate) fn trial(plain: &PlainEvaluator, bases: usize, moves: usize, work: u64) -> Trial {
    let roles = plain.roles.all.len();
    let mut trial = Trial {
        states: 0,
        playouts: 0,
        changes: vec![0; plain.circuit().len()],
        made: vec![0; moves],
        idle: vec![None; roles],
        joint: 0,
        simultaneous: false,
        history: vec![[0; 2]; bases],
    };
    let work = WORK.min(work.saturating_mul(WORK_OF_STEP));
    let budget = (work / plain.cost().max(1)).clamp(20, STEPS);
    let mut forced = vec![0u32; moves];
    let mut joints: Vec<Vec<MoveId>> = Vec::new();
    for id in 0.. {
        let mut rng = Rng::stream(SEED, id);
        let mut state = plain.start();
        let mut before: Vec<bool> = Vec::new();
        trial.playouts += 1;
        for step in 0.. {
            if trial.states >= budget {
                trial.count_joints(&forced, &joints);
                return trial;
            }
            trial.states += 1;
            trial.look(plain, &mut state, &mut before);
            if plain.is_terminal(&mut state) || step >= LONGEST {
                break;
            }
            let mut joint = Vec::with_capacity(roles);
            let mut choosers = 0;
            for role in 0..roles {
                let legal: Vec<MoveId> = plain.legal(&mut state, role).collect();
                match legal[..] {
                    [] => break,
                    [only] => forced[only as usize] += 1,
                    _ => choosers += u32::from(plain.roles.all[role].player.is_some()),
                }
                joint.push(legal[rng.below(legal.len() as u32) as usize]);
            }
            if joint.len() < roles {
                break;
            }
            trial.simultaneous |= choosers > 1;
            plain.advance(&mut state, &joint);
            joint.iter().for_each(|&m| trial.made[m as usize] += 1);
            joints.push(joint);
        }
    }
    trial
}

impl Trial {
    fn look(
        &mut self,
        plain: &PlainEvaluator,
        state: &mut crate::plain_evaluator::State,
        before: &mut Vec<bool>,
    ) {
        let stamp = play::mix(self.states);
        for (base, history) in self.history.iter_mut().enumerate() {
            let side = usize::from(plain.base(state, base));
            history[side] = history[side].wrapping_add(stamp);
        }
        let values = plain.values(state);
        for ((changes, old), new) in self.changes.iter_mut().zip(&*before).zip(values) {
            *changes += u32::from(old != new);
        }
        before.clear();
        before.extend_from_slice(values);
    }

    fn count_joints(&mut self, forced: &[u32], joints: &[Vec<MoveId>]) {
        for (role, idle) in self.idle.iter_mut().enumerate() {
            let mut seen: Vec<MoveId> =
                joints.iter().map(|j| j[role]).filter(|&m| forced[m as usize] > 0).collect();
            seen.sort_unstable();
            seen.dedup();
            *idle = seen.into_iter().max_by_key(|&m| (forced[m as usize], std::cmp::Reverse(m)));
        }
        let busy = |joint: &&Vec<MoveId>| {
            joint.iter().zip(&self.idle).filter(|(m, idle)| idle.as_ref() != Some(m)).count() > 1
        };
        self.joint = joints.iter().filter(busy).count() as u64;
    }
}
