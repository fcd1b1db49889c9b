//! Many positions of one game that go on together, for programs that learn.

use std::fmt;
use std::sync::Arc;

use crate::mechanics::{Mechanics, codes};
use crate::numbers::{Numbers, Perceived};
use crate::percepts::Percepts;
use crate::position::MAX_FORCED_PASSES;
use crate::rng::Rng;
use crate::scores::{Player, Turn};

/// How far a position in a [`Lockstep`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Progress {
    /// Somebody is to choose.
    Going = 0,
    /// Over by the rules.
    Over = 1,
    /// Given up at the ply cap.
    Capped = 2,
    /// The rules leave it undefined: not over, yet nothing is legal.
    Stuck = 3,
}

/// Where a [`Lockstep`] writes what there is to see, row after row, one row a position. Only what changes
/// may be written, so views have to hold what the call before left there; [`Lockstep::restart`] writes
/// all.
#[derive(Debug)]
pub struct Views<'v> {
    /// 1 for each action that is legal, by code; nothing where the position is not going on.
    pub mask: &'v mut [u8],
    /// 1 for each kind and site where one lies there, kind after kind. In games of hidden information
    /// what whoever chooses has perceived, and nothing where nobody does.
    pub planes: &'v mut [u8],
    /// Who chooses, or -1.
    pub turns: &'v mut [i8],
    /// The scores of all players if the last ply ended it, else 0.
    pub scores: &'v mut [i32],
    /// [`Progress`] after the last ply.
    pub progress: &'v mut [u8],
}

/// Positions that go on together: each has its own legal actions, stream of chance, and end.
///
/// Position `i` plays the playout whose id is `first + i`, and once that has ended and a new one is
/// begun, the one whose id is greater by `stride`. Its chance comes from the stream of that id, and so do the choices of
/// [`Lockstep::draw`]: positions that only play drawn actions play the playouts of
/// [`reference`](crate::reference).
pub trait Lockstep: Send {
    /// How many positions there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Begins all positions anew, with the next ids.
    fn restart(&mut self, views: &mut Views<'_>);

    /// Whether each action, by code, is legal where its position goes on.
    ///
    /// # Panics
    /// As [`Lockstep::step`] does.
    fn check(&self, actions: &[i32]) -> Result<(), IllegalStep>;

    /// Plays one action, by code, in every position that goes on; in others nothing happens. With
    /// `anew`, a position that ends is begun anew at once: its scores and progress are those of the
    /// end, all else is of the start.
    ///
    /// If an action is not legal, nothing is played at all.
    ///
    /// # Panics
    /// Where views or actions have not the size that the game's [`Encoding`] and
    /// [`Lockstep::len`] say.
    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep>;

    /// Draws a legal action for every position, uniformly; -1 for those that do not go on.
    fn draw(&mut self, actions: &mut [i32]);
}

/// An action that is not legal in one of many positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalStep {
    /// The position, by its number.
    pub position: usize,
    /// The code of the action.
    pub action: i32,
    /// How many actions are legal there.
    pub legal: usize,
}

impl fmt::Display for IllegalStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IllegalStep { position, action, legal } = self;
        write!(f, "action {action} is not legal in position {position}, where {legal} others are")
    }
}

impl std::error::Error for IllegalStep {}

/// Which playouts a [`Lockstep`] plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flock {
    /// Seed of the streams.
    pub seed: u64,
    /// Id of the first position's first playout.
    pub first: u64,
    /// How many positions.
    pub count: usize,
    /// From the id of a position's playout to that of its next.
    pub stride: u64,
    /// Plies after which a playout is given up.
    pub cap: u32,
}

/// Bytes of a row of a mask that is cleared as a whole.
const SHORT: usize = 128;

/// Positions of any mechanics.
pub(crate) struct Herd<M: Mechanics> {
    mechanics: Arc<M>,
    numbers: Arc<Numbers>,
    flock: Flock,
    actions: usize,
    planes: usize,
    heads: Vec<Head<M>>,
    /// Which of the listed actions was chosen.
    chosen: Vec<u32>,
}

/// One position.
struct Head<M: Mechanics> {
    state: M::State,
    legal: Vec<M::Action>,
    /// The codes of the legal actions.
    codes: Vec<u32>,
    turn: Turn,
    rng: Rng,
    plies: u32,
    /// Id of the next playout.
    next: u64,
    progress: Progress,
    /// Empty where nothing is hidden.
    perceived: Perceived,
}

impl<M: Mechanics> Herd<M> {
    pub(crate) fn new(mechanics: Arc<M>, numbers: Arc<Numbers>, flock: Flock) -> Herd<M> {
        let encoding = &numbers.encoding;
        let heads = (0..flock.count as u64).map(|i| {
            let id = flock.first.wrapping_add(i);
            let mut rng = Rng::stream(flock.seed, id);
            Head {
                state: mechanics.initial(&mut rng),
                legal: Vec::new(),
                codes: Vec::new(),
                turn: Turn::Over,
                rng,
                plies: 0,
                next: id,
                progress: Progress::Over,
                perceived: Perceived::default(),
            }
        });
        let heads = heads.collect();
        let (actions, planes) = (encoding.actions.len(), encoding.plane_bytes());
        Herd { mechanics, numbers, flock, actions, planes, heads, chosen: vec![0; flock.count] }
    }
}

impl<M: Mechanics> Head<M> {
    /// Begins the next playout.
    fn begin(&mut self, mechanics: &M, numbers: &Numbers, flock: &Flock) {
        self.rng = Rng::stream(flock.seed, self.next);
        self.next = self.next.wrapping_add(flock.stride);
        self.plies = 0;
        mechanics.restart(&mut self.state, &mut self.rng);
        if mechanics.facts().hidden {
            self.perceived = Perceived::default();
            let mut percepts = Percepts::default();
            mechanics.start_percepts(&self.state, &mut percepts);
            self.perceived.note(mechanics.facts().players, &percepts);
        }
        self.look(mechanics, numbers, flock.cap);
    }

    /// Plays a legal action: a ply, where it has its label, or a forced pass.
    #[inline]
    fn apply(&mut self, mechanics: &M, action: M::Action, label: Option<&str>) {
        let Head { state, rng, turn, perceived, .. } = self;
        if !mechanics.facts().hidden {
            mechanics.apply(state, action, rng);
            return;
        }
        if let (Turn::Move(player), Some(label)) = (*turn, label) {
            perceived.chose(player, label);
        }
        let mut percepts = Percepts::default();
        mechanics.apply_perceived(state, action, rng, &mut percepts);
        perceived.note(mechanics.facts().players, &percepts);
    }

    /// Writes what whoever chooses sees.
    #[inline]
    fn write_planes(&self, mechanics: &M, numbers: &Numbers, planes: &mut [u8]) {
        if !mechanics.facts().hidden {
            mechanics.planes(&self.state, planes);
        } else if let Ok(player) = u8::try_from(who(self)) {
            self.perceived.write(numbers, Player(player), planes);
        } else {
            planes.fill(0);
        }
    }

    /// Which of the legal actions has this code; any number where it does not go on.
    #[inline]
    fn place(&self, position: usize, action: i32) -> Result<u32, IllegalStep> {
        if self.progress != Progress::Going {
            return Ok(0);
        }
        let legal = self.codes.len();
        let place = self.codes.iter().position(|&code| i64::from(code) == i64::from(action));
        place.map(|place| place as u32).ok_or(IllegalStep { position, action, legal })
    }

    /// Writes what is legal into a row that shows what was legal before.
    #[inline]
    fn write_mask(&self, mask: &mut [u8]) {
        for &code in &self.codes {
            if let Some(entry) = mask.get_mut(code as usize) {
                *entry = 1;
            }
        }
    }

    /// Takes what is legal out of a row.
    #[inline]
    fn clear_mask(&self, mask: &mut [u8]) {
        // A short row is cleared as a whole in no time.
        if mask.len() <= SHORT {
            mask.fill(0);
            return;
        }
        for &code in &self.codes {
            if let Some(entry) = mask.get_mut(code as usize) {
                *entry = 0;
            }
        }
    }

    /// Lists what is legal, forced passes played.
    #[inline]
    fn look(&mut self, mechanics: &M, numbers: &Numbers, cap: u32) {
        self.list(mechanics, cap);
        self.codes.clear();
        if self.progress == Progress::Going {
            codes(mechanics, numbers, &self.state, &self.legal, &mut self.codes);
        }
    }

    #[inline]
    fn list(&mut self, mechanics: &M, cap: u32) {
        for _ in 0..=MAX_FORCED_PASSES {
            self.legal.clear();
            self.turn = mechanics.expand(&mut self.state, &mut self.legal);
            self.progress = match (self.turn, &self.legal[..]) {
                (Turn::Over, _) => Progress::Over,
                (_, []) => Progress::Stuck,
                (_, &[only]) if mechanics.is_pass(&self.state, only) => {
                    self.apply(mechanics, only, None);
                    continue;
                }
                _ if self.plies >= cap => Progress::Capped,
                _ => Progress::Going,
            };
            return;
        }
        self.progress = Progress::Capped;
    }
}

/// The row of a position in a view whose rows have so many items.
fn row<T>(view: &mut [T], position: usize, items: usize) -> &mut [T] {
    &mut view[position * items..(position + 1) * items]
}

impl<M: Mechanics> Lockstep for Herd<M> {
    fn len(&self) -> usize {
        self.heads.len()
    }

    fn restart(&mut self, views: &mut Views<'_>) {
        let Herd { mechanics, numbers, flock, heads, actions, planes, .. } = self;
        let players = usize::from(mechanics.facts().players);
        views.mask.fill(0);
        for (i, head) in heads.iter_mut().enumerate() {
            head.begin(mechanics, numbers, flock);
            head.write_mask(row(views.mask, i, *actions));
            head.write_planes(mechanics, numbers, row(views.planes, i, *planes));
            views.turns[i] = who(head);
            row(views.scores, i, players).fill(0);
            views.progress[i] = head.progress as u8;
        }
    }

    fn check(&self, actions: &[i32]) -> Result<(), IllegalStep> {
        assert_eq!(actions.len(), self.heads.len());
        self.heads
            .iter()
            .zip(actions)
            .enumerate()
            .try_for_each(|(i, (head, &action))| head.place(i, action).map(|_| ()))
    }

    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep> {
        assert_eq!(actions.len(), self.heads.len());
        for (i, (head, &action)) in self.heads.iter().zip(actions).enumerate() {
            self.chosen[i] = head.place(i, action)?;
        }
        let Herd { mechanics, numbers, flock, heads, actions, planes, chosen } = self;
        let players = usize::from(mechanics.facts().players);
        for (i, head) in heads.iter_mut().enumerate() {
            if head.progress != Progress::Going {
                row(views.scores, i, players).fill(0);
                continue;
            }
            let mask = row(views.mask, i, *actions);
            head.clear_mask(mask);
            let action = head.legal[chosen[i] as usize];
            let code = head.codes[chosen[i] as usize] as usize;
            let label = numbers.encoding.actions.get(code).map(String::as_str);
            head.apply(mechanics, action, label);
            head.plies += 1;
            head.look(mechanics, numbers, flock.cap);
            views.progress[i] = head.progress as u8;
            let scores = row(views.scores, i, players);
            if head.progress == Progress::Over {
                let all = mechanics.scores(&head.state);
                for (out, score) in scores.iter_mut().zip(all.iter()) {
                    *out = score;
                }
            } else {
                scores.fill(0);
            }
            if anew && head.progress != Progress::Going {
                head.begin(mechanics, numbers, flock);
            }
            head.write_mask(mask);
            head.write_planes(mechanics, numbers, row(views.planes, i, *planes));
            views.turns[i] = who(head);
        }
        Ok(())
    }

    fn draw(&mut self, actions: &mut [i32]) {
        for (out, head) in actions.iter_mut().zip(&mut self.heads) {
            *out = match head.codes.len() as u32 {
                0 => -1,
                legal => head.codes[head.rng.below(legal) as usize] as i32,
            };
        }
    }
}

/// Who chooses, or -1.
fn who<M: Mechanics>(head: &Head<M>) -> i8 {
    match head.turn {
        Turn::Move(player) if head.progress == Progress::Going => player.0 as i8,
        _ => -1,
    }
}
