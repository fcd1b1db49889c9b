//! Matches: several games, played one after the other until the match has a winner.
//!
//! Each game of a match is compiled as it would be alone. The rules of the match about it, such as
//! those for the end of the match, are lowered among its rules. When a game is over, the next one
//! begins within the same ply, because there is no other choice.

use std::collections::BTreeMap;

use play::{
    Adapted, BuildFact, Chance, CompileError, Facts, Job, Language, MAX_PLAYERS, Mechanics, Rules,
    Scores, Tally, Turn,
};
use text::{Diagnostic, Source};

use crate::eval::Eval;
use crate::front::{self, Call, Label};
use crate::game::Game;
use crate::ir::{Iter, MatchEnd};
use crate::limits::{MAX_GAMES_OF_MATCH, MAX_MATCH_GAMES};
use crate::lower::{self, Lowering, MatchContext};
use crate::mechanics::Ludemes;
use crate::moves::MoveId;
use crate::state::State;

/// Compiles a match with the texts of its games.
pub(crate) fn compile(
    whole: &Call,
    parts: &BTreeMap<String, Source>,
) -> Result<Box<dyn play::Game>, CompileError> {
    let entries: Vec<&Call> = front::games_of(whole).collect();
    if entries.len() > MAX_GAMES_OF_MATCH {
        return Err(CompileError::TooLarge(format!(
            "a match of more than {MAX_GAMES_OF_MATCH} games"
        )));
    }
    let read = entries.iter().map(|entry| read_game(whole, entry, parts));
    let read = read.collect::<Result<Vec<_>, _>>()?;
    Match::boxed(whole, &entries, read)
}

fn read_game(
    whole: &Call,
    entry: &Call,
    parts: &BTreeMap<String, Source>,
) -> Result<Lowering, CompileError> {
    let title = entry.text(Label::Title).unwrap_or_default();
    let Some(source) = parts.get(title) else {
        let missing = entry
            .place
            .error("missing-game", format!("the game \"{title}\" of this match is not there"))
            .label(format!("`{title}.lud` is looked for in the folder of the match"))
            .help("each game of a match lies beside it, or in a folder `subgame` above");
        return Err(CompileError::Unsupported(vec![missing]));
    };
    let rules = Rules {
        source: source.clone(),
        options: entry.text(Label::Option).map(str::to_owned).into_iter().collect(),
        ..Rules::new(Language::Lud, "", "")
    };
    let root = match front::parse(&rules) {
        Ok(parsed) => parsed.root,
        Err(error) => return Err(in_game(entry, title, &error, source)),
    };
    match lower::lower_in_match(&root, Some(MatchContext { whole, game: entry })) {
        Ok(lowering) => Ok(lowering),
        // The error is in the text of the game, or else in that of the match.
        Err(error) => Err(match lower::lower(&root) {
            Err(own) => in_game(entry, title, &own, source),
            Ok(_) => error,
        }),
    }
}

/// An error in a game, reported at the place where the match names the game.
fn in_game(entry: &Call, title: &str, error: &CompileError, source: &Source) -> CompileError {
    let text = format!("the game \"{title}\" of this match: {}", error.one_line(source));
    let mut fault = vec![entry.place.error("game-of-match", text)];
    match error {
        CompileError::Invalid(_) => CompileError::Invalid(fault),
        CompileError::TooLarge(text) => CompileError::TooLarge(text.clone()),
        CompileError::Beyond(_) => CompileError::Beyond(Box::new(fault.remove(0))),
        _ => CompileError::Unsupported(fault),
    }
}

/// A compiled match.
struct Match {
    games: Vec<Ludemes>,
    facts: Facts,
}

/// The state of a match.
#[derive(Clone)]
struct MatchState {
    /// Index of the game that is played.
    at: usize,
    /// The state of that game.
    game: State,
    /// The scores of the players so far.
    scores: [i32; MAX_PLAYERS],
    /// Number of games that are over.
    played: u32,
    /// The result of the match, if it has ended.
    result: Option<Scores>,
}

impl Match {
    fn boxed(
        whole: &Call,
        entries: &[&Call],
        read: Vec<Lowering>,
    ) -> Result<Box<dyn play::Game>, CompileError> {
        let games: Vec<_> = read.into_iter().map(Ludemes::new).collect();
        let refuse = |entry: &Call, text: &str| {
            let fault: Diagnostic = entry.place.error("game-of-match", text);
            Err(CompileError::Unsupported(vec![fault]))
        };
        let each_facts = || games.iter().map(|game| &game.game().facts);
        let Some(first) = each_facts().next() else {
            return refuse(whole, "a match without games is not supported");
        };
        let said = whole.call(Label::Players).and_then(|players| players.int(Label::Count));
        let players = said.and_then(|count| u8::try_from(count).ok()).unwrap_or(first.players);
        for (entry, facts) in entries.iter().zip(each_facts()) {
            if facts.players != players {
                return refuse(
                    entry,
                    "games of a match for other numbers of players are not supported",
                );
            }
            if facts.hidden {
                return refuse(
                    entry,
                    "games of hidden information in a match are not supported yet",
                );
            }
        }
        let facts = Facts {
            players,
            chance: each_facts().any(|facts| facts.chance),
            simultaneous: each_facts().any(|facts| facts.simultaneous),
            state_bytes: each_facts().map(|facts| facts.state_bytes).max().unwrap_or(0),
            build: vec![(BuildFact::MatchGames, games.len() as u64)],
            ..Facts::default()
        };
        Ok(Adapted::boxed(Match { games, facts }))
    }

    fn begin<C: Chance + ?Sized>(
        &self,
        at: usize,
        played: u32,
        scores: &[i32; MAX_PLAYERS],
        chance: &mut C,
    ) -> State {
        let mut state = self.games[at].initial(chance);
        self.games[at].game().tell_match(&mut state, played, scores);
        state
    }

    /// Continues with the next game, or ends the match, if a game is over.
    fn go_on<C: Chance + ?Sized>(&self, state: &mut MatchState, chance: &mut C) {
        while state.result.is_none() && state.game.head.over {
            let game = self.games[state.at].game();
            game.add_gains(&state.game, &mut state.scores);
            state.played += 1;
            game.tell_match(&mut state.game, state.played, &state.scores);
            state.result = game.match_result(&state.game);
            if state.result.is_none() && state.played == MAX_MATCH_GAMES {
                state.result = Some(game.places(0));
            }
            if state.result.is_none() {
                state.at = game.next_match_game(&state.game, state.at, self.games.len());
                state.game = self.begin(state.at, state.played, &state.scores, chance);
            }
        }
    }
}

impl Mechanics for Match {
    type State = MatchState;
    type Action = MoveId;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> MatchState {
        let scores = [0; MAX_PLAYERS];
        let game = self.begin(0, 0, &scores, chance);
        let mut state = MatchState { at: 0, game, scores, played: 0, result: None };
        self.go_on(&mut state, chance);
        state
    }

    fn expand(&self, state: &mut MatchState, legal: &mut Vec<MoveId>) -> Turn {
        match state.result {
            Some(_) => Turn::Over,
            None => self.games[state.at].expand(&mut state.game, legal),
        }
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut MatchState, action: MoveId, chance: &mut C) {
        self.games[state.at].apply(&mut state.game, action, chance);
        self.go_on(state, chance);
    }

    fn scores(&self, state: &MatchState) -> Scores {
        state.result.unwrap_or_else(|| self.games[state.at].game().places(0))
    }

    fn label(&self, state: &MatchState, action: MoveId) -> String {
        self.games[state.at].label(&state.game, action)
    }

    fn labels(&self, state: &MatchState, legal: &[MoveId]) -> Vec<String> {
        self.games[state.at].labels(&state.game, legal)
    }

    fn is_pass(&self, state: &MatchState, action: MoveId) -> bool {
        self.games[state.at].is_pass(&state.game, action)
    }

    fn run_reference(&self, job: &Job) -> Tally {
        let games = self.games.iter().map(Ludemes::reference).collect();
        play::reference::run(&Match { games, facts: self.facts.clone() }, job)
    }

    fn draw(&self, state: &MatchState) -> String {
        let players = usize::from(self.facts.players);
        let scores: Vec<String> = state.scores[..players].iter().map(i32::to_string).collect();
        let board = self.games[state.at].draw(&state.game);
        format!("{board}\nmatch: {}", scores.join(" : "))
    }
}

impl Game {
    /// Writes the state of the match into the variables that rules read.
    fn tell_match(&self, state: &mut State, played: u32, scores: &[i32; MAX_PLAYERS]) {
        let Some(match_game) = &self.match_game else { return };
        state.set_var(match_game.played, played as i32);
        for (&var, &score) in match_game.scores.iter().zip(scores) {
            state.set_var(var, score);
        }
    }

    /// Adds the points of a game that is over. Winners get the points of the match rules. If these
    /// give none, winners get 1; with two players each gets 2 less the place, rounded down: 1 for
    /// both after a draw (place 1.5), and 2 after a tie, which has no places.
    fn add_gains(&self, state: &State, scores: &mut [i32; MAX_PLAYERS]) {
        let gain = self.match_game.as_ref().and_then(|match_game| match_game.gain.as_ref());
        let gain = gain.map(|gain| Eval::new(self, state).int(gain));
        let players = self.world.players;
        for player in 1..=players {
            // Twice the place of the player.
            let place = state.head.ranks[player];
            let won = match gain {
                Some(gain) if place == 2 => gain,
                Some(_) => 0,
                None if players == 2 => 2 - i32::from(place) / 2,
                None => i32::from(place == 2),
            };
            // The seat that the colour is played from.
            let seat = usize::from(state.head.record.seats[player]);
            if let Some(score) = scores.get_mut(seat.saturating_sub(1)) {
                *score = score.wrapping_add(won);
            }
        }
    }

    /// The result of the match, if it has ended. The first rule that holds tells if it is won;
    /// further winners by other rules win it, too.
    fn match_result(&self, state: &State) -> Option<Scores> {
        let holds = |rule: &&MatchEnd| {
            let mut eval = Eval::new(self, state);
            eval.set(Iter::Player, rule.player.map_or(-1, i32::from));
            eval.test(&rule.condition)
        };
        let rules = self.match_game.iter().flat_map(|match_game| &match_game.end);
        let mut holding = rules.filter(holds).map(|rule| rule.winners);
        let first = holding.next()?;
        let won = holding.fold(first, |won, others| won | others);
        Some(self.places(if first == 0 { 0 } else { won }))
    }

    /// The scores of a match won by these players, as bits: they share the first places, and all
    /// others the rest. Without a winner all players are equal.
    fn places(&self, won: u32) -> Scores {
        let players = self.world.players as i32;
        let winners = (1..=players).filter(|player| won >> player & 1 != 0).count() as i32;
        Scores::new((1..=players).map(|player| match (winners, won >> player & 1) {
            (0, _) => {
                if players == 1 {
                    0
                } else {
                    50
                }
            }
            (_, 1) => 100,
            _ => 100 * (players - 1 - winners) / (players - 1).max(1),
        }))
    }

    /// The number of the next game.
    fn next_match_game(&self, state: &State, at: usize, games: usize) -> usize {
        let next = self.match_game.as_ref().and_then(|match_game| match_game.next.as_ref());
        let next = next.map(|next| Eval::new(self, state).int(next));
        let named = next.and_then(|next| usize::try_from(next).ok()).filter(|&next| next < games);
        named.unwrap_or((at + 1) % games)
    }
}
