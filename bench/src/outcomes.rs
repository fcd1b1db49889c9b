//! The outcomes of chance in a game of this process, and the views of the positions behind them.

use std::rc::Rc;

use play::{Chance, Game, Position, Rng, Script, Turn, settle, tree};
use reports::Verdict;

use crate::belief::{Explorer, Outcomes};
use crate::failure::Failure;
use crate::protocol::View;
use crate::random_walk::LOOK;

/// The positions of a game.
pub(crate) struct Positions<'g> {
    pub(crate) game: &'g dyn Game,
}

/// The origin of a position: an action of another one; `None` is the start of the game.
pub(crate) type Origin<'p, 'g> = Option<(&'p (dyn Position + 'g), usize)>;

/// Outcomes that are less likely than one of so many times the most that are listed are some of too
/// many: to list the others first would be in vain.
const UNLIKELY: f64 = 64.0;

impl<'g> Positions<'g> {
    /// The position behind an action, forced passes after it played.
    pub(crate) fn after(
        &self,
        from: Origin<'_, 'g>,
        chance: &mut dyn Chance,
    ) -> Result<Box<dyn Position + 'g>, Failure> {
        let Some((before, action)) = from else {
            let mut start = self.game.open(chance);
            settle(&mut *start, chance);
            return Ok(start);
        };
        let mut position = before.copy();
        play_settled(&mut *position, action, chance)?;
        Ok(position)
    }

    /// All outcomes with their odds; `None` if there are more than so many.
    pub(crate) fn all(
        &self,
        from: Origin<'_, 'g>,
        most: usize,
    ) -> Result<Option<Outcomes<Box<dyn Position + 'g>>>, Failure> {
        let (mut script, mut all) = (Script::default(), Vec::new());
        loop {
            script.rewind();
            let position = self.after(from, &mut script)?;
            let odds = script.probability();
            if all.len() == most || odds * UNLIKELY * (most as f64) < 1.0 {
                return Ok(None);
            }
            all.push((position, odds));
            if !script.advance() {
                return Ok(Some(all));
            }
        }
    }

    /// The outcome that belongs to a number, drawn by its odds.
    pub(crate) fn drawn(
        &self,
        from: Origin<'_, 'g>,
        number: u64,
    ) -> Result<Box<dyn Position + 'g>, Failure> {
        self.after(from, &mut Rng::stream(0xd7a3, number))
    }
}

impl<'g> Explorer for Positions<'g> {
    type At = Rc<dyn Position + 'g>;

    fn outcomes(
        &mut self,
        from: Option<(&Self::At, usize)>,
        most: usize,
    ) -> Result<Option<Outcomes<Self::At>>, Failure> {
        let all = self.all(from.map(|(at, action)| (&**at, action)), most)?;
        Ok(all.map(|all| all.into_iter().map(|(at, odds)| (Rc::from(at), odds)).collect()))
    }

    fn draw(&mut self, from: Option<(&Self::At, usize)>, number: u32) -> Result<Self::At, Failure> {
        let drawn = self.drawn(from.map(|(at, action)| (&**at, action)), number.into())?;
        Ok(Rc::from(drawn))
    }

    fn view(&mut self, at: &Self::At, depth: u32) -> Result<View, Failure> {
        Ok(view(&**at, self.game.facts().perceiving(), depth, LOOK))
    }
}

/// Plays an action, and the forced passes after it.
pub(crate) fn play_settled(
    position: &mut dyn Position,
    action: usize,
    chance: &mut dyn Chance,
) -> Result<(), Failure> {
    position
        .play(action, chance)
        .map_err(|error| Failure::new(Verdict::Crashed, error.to_string()))?;
    settle(position, chance);
    Ok(())
}

/// The view of a position, but for its drawing; with percepts of so many players.
pub(crate) fn view(position: &dyn Position, perceiving: u8, depth: u32, mut budget: u64) -> View {
    let prints = (depth > 0)
        .then(|| tree::action_fingerprints(position, depth, &mut budget))
        .flatten()
        .map(|prints| prints.iter().map(|p| format!("{p:016x}")).collect());
    View {
        turn: match position.turn() {
            Turn::Over => None,
            Turn::Move(player) => Some(player.0),
        },
        scores: position.scores().map(|s| s.iter().collect()),
        labels: position.labels(),
        percepts: position.percepts().all(perceiving),
        prints,
        outcomes: None,
        odds: None,
        draw: String::new(),
    }
}
