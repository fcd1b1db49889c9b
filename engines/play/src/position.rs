use std::any::Any;
use std::fmt;

use crate::chance::Chance;
use crate::job::Job;
use crate::percepts::Percepts;
use crate::picture::Picture;
use crate::rng::Rng;
use crate::scores::{Player, Scores, Turn};
use crate::search::{ActionValue, Search, SearchSettings};
use crate::tally::{End, Ending};

/// Forced passes in a row after which a playout counts as capped: nobody can act, and the rules
/// never end it.
pub const MAX_FORCED_PASSES: u32 = 10_000;

/// A position of a game with its legal actions, which are numbered from 0 in an order of the
/// engine's own.
pub trait Position: Send {
    /// The player who acts, chance, or the end.
    fn turn(&self) -> Turn;

    /// Number of distinct legal actions; 0 if the game is over (or the rules leave it undefined).
    fn actions(&self) -> usize;

    /// The action in neutral notation: squares as file letter and rank number with `a1` at the
    /// bottom left, a placement as its square, a move as from-square and to-square (`a2a3`), a
    /// pass as `pass`. Empty for an action there is not.
    fn label(&self, action: usize) -> String;

    /// The labels of all legal actions, in their order.
    fn labels(&self) -> Vec<String> {
        (0..self.actions()).map(|action| self.label(action)).collect()
    }

    /// True if this is an action that does nothing but hand on the turn.
    fn is_pass(&self, action: usize) -> bool;

    /// Applies a legal action.
    fn play(&mut self, action: usize, chance: &mut dyn Chance) -> Result<(), IllegalAction>;

    /// The percepts of the players of the last ply, forced passes after it included (before the
    /// first ply: of the start). Empty in games of full information, where
    /// [`Facts::hidden`](crate::Facts::hidden) is false: there everybody sees everything.
    fn percepts(&self) -> &Percepts {
        Percepts::NONE
    }

    /// The codes of all legal actions, in their order, for games with an
    /// [`Encoding`](crate::Encoding): the places of their labels in the list of all actions. Empty
    /// if one of them has no code.
    fn codes(&self) -> Option<Vec<u32>> {
        None
    }

    /// Something that a player perceived and that is no site of the [`Encoding`](crate::Encoding):
    /// a fault of the engine. `None` where there is no encoding.
    fn unseen(&self) -> Option<String> {
        None
    }

    /// Writes what a player sees, for games with an [`Encoding`](crate::Encoding): a byte for each
    /// kind and site, kind after kind. In games of full information that is the same for all
    /// players.
    fn planes(&self, _player: Player, _planes: &mut [u8]) {}

    /// The scores, when the game is over.
    fn scores(&self) -> Option<Scores>;

    /// The position drawn in text, in several lines.
    fn draw(&self) -> String;

    /// The position as a picture, which renderers make graphics of. Without a board that the engine
    /// knows of, its notes are the lines of [`Position::draw`].
    fn picture(&self) -> Picture {
        Picture { turn: Some(self.turn()), ..Picture::card(&self.draw()) }
    }

    /// Plays from here to the end, or so many plies, at random as the engine's fast path does; the
    /// position itself stays. For searches, which cannot wait for labels.
    fn playout(&self, rng: &mut Rng, cap: u32) -> End;

    /// Plays a job from here in the place of the start, and appends how each playout ended, in the
    /// order of the ids: the playouts of [`Position::playout`], which many at once may be quicker.
    fn playouts(&self, job: &Job, ends: &mut Vec<End>) {
        ends.extend(job.ids().map(|id| self.playout(&mut Rng::stream(job.seed, id), job.cap)));
    }

    /// Plays from here as [`Position::playout`] does, by the generic loop over legal actions: each
    /// position lists them, and one is drawn.
    fn listed_playout(&self, rng: &mut Rng, cap: u32) -> End {
        play_listed(self.copy(), rng, cap)
    }

    /// A search tree with this position as its root, over the engine's own states, for which all
    /// is seen that the position hides. `None` in games of chance, whose trees are
    /// [of another kind](Position::search_open_loop).
    fn search<'a>(&self, _settings: SearchSettings) -> Option<Box<dyn Search + 'a>>
    where
        Self: 'a,
    {
        None
    }

    /// A search tree over the engine's own states whose nodes are what this player does and
    /// perceives, or without a player sequences of actions. `None` if the engine has none.
    fn search_open_loop<'a>(
        &self,
        _settings: SearchSettings,
        _observer: Option<Player>,
    ) -> Option<Box<dyn OpenLoopSearch<'a> + 'a>>
    where
        Self: 'a,
    {
        None
    }

    /// The engine's own state, for searches that begin in more than one position.
    fn state(&self) -> Option<&dyn Any> {
        None
    }

    /// An independent copy.
    fn copy<'a>(&self) -> Box<dyn Position + 'a>
    where
        Self: 'a;
}

/// A search tree whose nodes are not positions, but what leads to them, so that simulations come
/// through the same node in different positions: after a sequence of actions, whatever chance drew
/// between them (Perez Liebana and others 2015, *Open loop search for general video game playing*),
/// or after what one player, the *observer*, did and perceived (single-observer information set
/// Monte Carlo tree search, Cowling, Powley and Whitehouse 2012). It is grown by UCT as [`Search`],
/// with one playout a leaf.
///
/// The exploration term of an action counts how often it was *available* at the node, as Cowling,
/// Powley and Whitehouse do; where legal actions do not vary, that is the number of visits.
///
/// Without an observer all simulations begin in one position. With one they may begin in any that
/// the observer cannot tell apart, and plies of others stand in the same tree, with values for
/// their actions: others are taken to know what the observer knows.
pub trait OpenLoopSearch<'p>: Send {
    /// Makes so many simulations more from a position of the game that the tree is of; none from
    /// one of another game. What they do depends on the seed, their number and the position alone.
    fn simulate(&mut self, root: &(dyn Position + 'p), count: u64);

    /// The statistics of each legal action of a position that simulations may begin in, in the
    /// order of the actions.
    fn values(&mut self, root: &(dyn Position + 'p)) -> Vec<ActionValue>;

    /// The number of nodes.
    fn nodes(&self) -> usize;

    /// A hash of the whole tree, as of [`Search::digest`].
    fn digest(&self) -> u64;
}

/// An action number that is not legal here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalAction {
    /// The number.
    pub action: usize,
    /// The number of legal actions.
    pub legal: usize,
}

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "action {} is not legal: there are {} here, from 0", self.action, self.legal)
    }
}

impl std::error::Error for IllegalAction {}

/// Plays forced passes (a lone legal action that is a pass) until somebody has a real action or the
/// game is over: the *neutral view*, in which such passes are no plies, so that game trees of
/// languages that count them and of languages that do not compare. False if another one is forced
/// after [`MAX_FORCED_PASSES`]: then it [passes without end](passes_without_end), and a playout
/// counts as capped.
pub fn settle(position: &mut dyn Position, chance: &mut dyn Chance) -> bool {
    for _ in 0..MAX_FORCED_PASSES {
        if !is_pass_forced(position) || position.play(0, chance).is_err() {
            return true;
        }
    }
    !is_pass_forced(position)
}

/// True if a [settled](settle) position was given up: what is legal there is one more forced pass,
/// which nobody is to play.
pub fn passes_without_end(settled: &dyn Position) -> bool {
    is_pass_forced(settled)
}

fn is_pass_forced(position: &dyn Position) -> bool {
    position.actions() == 1 && position.is_pass(0)
}

/// The number of actions of a [settled](settle) position that are plies.
pub(crate) fn plies_from(settled: &dyn Position) -> usize {
    if passes_without_end(settled) { 0 } else { settled.actions() }
}

/// The playout that the reference loop plays from a position, by what that lists.
pub fn play_listed<'p>(mut position: Box<dyn Position + 'p>, rng: &mut Rng, cap: u32) -> End {
    let (mut plies, mut passes) = (0, 0);
    let ending = loop {
        let actions = position.actions() as u32;
        let action = match (position.scores(), actions) {
            (Some(scores), _) => break Ending::Over(scores),
            (None, 0) => break Ending::Stuck,
            (None, 1) if position.is_pass(0) => {
                passes += 1;
                if passes > MAX_FORCED_PASSES {
                    break Ending::Capped;
                }
                0
            }
            _ if plies == cap => break Ending::Capped,
            _ => {
                (plies, passes) = (plies + 1, 0);
                rng.below(actions) as usize
            }
        };
        if position.play(action, rng).is_err() {
            break Ending::Stuck;
        }
    };
    End { plies, ending }
}
