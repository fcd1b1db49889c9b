//! A position that goes on as a game does.

use play::{Game, NoChance, Position, settle};

/// A position of a game without chance and hidden information, and the plies that led there. It
/// goes on by their labels, on any engine that plays the game.
pub struct Followed {
    position: Box<dyn Position>,
    moves: Vec<String>,
}

impl Followed {
    /// The start of a game.
    pub fn start(game: &dyn Game) -> Followed {
        let mut position = game.open(&mut NoChance);
        settle(&mut *position, &mut NoChance);
        Followed { position, moves: Vec::new() }
    }

    /// The position, behind forced passes.
    pub fn position(&self) -> &(dyn Position + 'static) {
        &*self.position
    }

    /// Plays what has been played since, and gives the numbers of these actions; `None` if the
    /// plies before are other ones, so that it went there from the start.
    ///
    /// # Errors
    /// Names the label that no action has where it was played.
    pub fn go_on(
        &mut self,
        game: &dyn Game,
        moves: &[String],
    ) -> Result<Option<Vec<usize>>, String> {
        let is_same = moves.starts_with(&self.moves);
        if !is_same {
            *self = Followed::start(game);
        }
        let mut actions = Vec::new();
        for label in &moves[self.moves.len()..] {
            let action = self.position.labels().iter().position(|own| own == label);
            let action = action.ok_or_else(|| format!("no action is called `{label}` there"))?;
            self.position.play(action, &mut NoChance).map_err(|error| error.to_string())?;
            settle(&mut *self.position, &mut NoChance);
            self.moves.push(label.clone());
            actions.push(action);
        }
        Ok(is_same.then_some(actions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use play::toy::Toy;

    #[test]
    fn it_goes_on_from_where_it_was_or_from_the_start() {
        let game = Toy::parse("1(2(=0,9 1(=5,5 =1,1)) 2[1(=7,1 =3,2)])").unwrap().boxed();
        let start = game.open(&mut NoChance);
        let [first, second] = [0, 1].map(|action| start.label(action));
        let mut followed = Followed::start(&*game);
        let mut go_on = |moves: &[&String]| {
            let moves: Vec<String> = moves.iter().map(|&label| label.clone()).collect();
            let actions = followed.go_on(&*game, &moves);
            (actions, followed.position().actions())
        };
        assert_eq!(go_on(&[&first]), (Ok(Some(vec![0])), 2));
        assert_eq!(go_on(&[&first, &second]), (Ok(Some(vec![1])), 2));
        // Behind the second action of the start is a forced pass.
        assert_eq!(go_on(&[&second]), (Ok(None), 2));
        assert_eq!(go_on(&[&second, &first]), (Ok(Some(vec![0])), 0));
        let unknown = "nowhere".to_owned();
        assert!(go_on(&[&unknown]).0.unwrap_err().contains("`nowhere`"));
    }
}
