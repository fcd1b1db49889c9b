//! Hunters after a wumpus, or after gold, in a cave of unknown size.

mod cave;
mod settings;

use play::picture::{Cover, Picture, Piece};
use play::{Chance, End, Game, Percepts, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::form::{Form, Formed, NoBoard};
use crate::pictures::{CAVE, kinds};
use crate::rules::handmade::boxed;
use crate::rules::{Rules, capped, draw, over};
use crate::select::Select;
use cave::{Board, Cave, NEXT};
use cpu::{Cpu, Level};
use settings::{Settings, parsed};

/// Wumpus Hunt: all hunters choose at the same time. How many there are (1 to 3), and the
/// [`Settings`], are left open.
///
/// As in `games/catalogue/wumpus-hunt`, which has two hunters with one arrow each who talk, and of
/// whom one must live. In general:
/// - The game is lost when fewer hunters live than must, or after [`TURNS`] turns.
/// - Without gold it is won by shooting the wumpus, and lost when no living hunter has an arrow.
/// - With gold, which lies in a square but a1 without wumpus and pit, it is won when a living
///   hunter who has the gold is in a1, and lost when he who has it dies. The first hunter, by
///   number, who enters its square takes it, and perceives `gold`. A dead wumpus ends nothing.
/// - Those who talk hear of each other `stench`, `breeze`, `bump`, `gold`, steps and `silence`: of
///   two, each hears of the other, after `other` (but plainly `silence`); of three, each percept
///   says of whom, such as `hunter 3 stench` and `hunter 3 silence`. Those who do not talk perceive
///   nothing of all that.
pub(crate) struct WumpusHunt<const H: usize> {
    settings: Settings,
}

impl WumpusHunt<2> {
    /// The catalogue's.
    pub(crate) const USUAL: WumpusHunt<2> = WumpusHunt { settings: Settings::USUAL };
}

/// The form of the names of hunts: hunters, arrows of each, gold, the number who must live, and
/// silence. The defaults are 2 hunters, 1 arrow, no gold, 1 who must live, and talk; a name must
/// leave out defaults, so that each game has one name.
pub(crate) const NAMES_OF_HUNTS: &str =
    "wumpus-hunt[-1|-3][-arrows2|-arrows3][-gold][-alive2|-alive3][-silent]";

/// The hunt of a name that is made like [`NAMES_OF_HUNTS`].
pub(crate) fn named(name: &str, level: Level) -> Option<Box<dyn Game>> {
    let (hunters, settings) = parsed(name)?;
    Some(match hunters {
        1 => boxed(WumpusHunt::<1> { settings }, level),
        2 => boxed(WumpusHunt::<2> { settings }, level),
        _ => boxed(WumpusHunt::<3> { settings }, level),
    })
}

/// Turns after which the game ends.
const TURNS: u8 = 50;

/// Directions by their numbers.
const NAMES: [&str; 4] = ["north", "east", "south", "west"];

/// The payoff of each player when the hunt is won.
const WON: i32 = 100;

/// The actions of a hunter, a direction by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Act {
    Step(u8),
    Shoot(u8),
    /// The action of the dead.
    Nothing,
}

/// A hunter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Hunter {
    square: u8,
    arrows: u8,
    lives: bool,
    has_gold: bool,
}

impl Hunter {
    fn here(&self) -> Bits<1> {
        Bits::single(self.square.into())
    }
}

/// The cave and the hunters, the turns that were played, and what those chose already who are
/// before the one who is to choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State<const H: usize> {
    cave: Cave,
    hunters: [Hunter; H],
    wumpus_lives: bool,
    turns: u8,
    chosen: [Act; H],
    next: u8,
}

impl<const H: usize> State<H> {
    /// Shots, then steps; then gold is taken.
    fn take_turn(&mut self, acts: [Act; H]) {
        for (hunter, act) in self.hunters.iter_mut().zip(acts) {
            if let Act::Shoot(direction) = act {
                hunter.arrows -= 1;
                let target = self.cave.beside(hunter.here(), direction);
                self.wumpus_lives &= !target.intersects(self.cave.wumpus);
            }
        }
        for (hunter, act) in self.hunters.iter_mut().zip(acts) {
            if let Act::Step(direction) = act {
                let to = self.cave.beside(hunter.here(), direction);
                if !to.is_empty() {
                    hunter.square = to.first_index() as u8;
                    let eaten = self.wumpus_lives && to.intersects(self.cave.wumpus);
                    hunter.lives = !eaten && !to.intersects(self.cave.pits);
                }
            }
        }
        if self.gold_lies() {
            let gold = self.cave.gold;
            if let Some(finder) =
                self.hunters.iter_mut().find(|hunter| hunter.here().intersects(gold))
            {
                finder.has_gold = true;
            }
        }
        self.turns += 1;
    }

    /// True if nobody has taken the gold, if there is any.
    fn gold_lies(&self) -> bool {
        !self.hunters.iter().any(|hunter| hunter.has_gold)
    }

    fn living(&self) -> usize {
        self.hunters.iter().filter(|hunter| hunter.lives).count()
    }

    /// The percepts in the square of a hunter.
    fn of_square(&self, hunter: &Hunter) -> impl Iterator<Item = &'static str> {
        let here = hunter.here();
        let stench = self.wumpus_lives && self.cave.is_near(here, self.cave.wumpus);
        let breeze = self.cave.is_near(here, self.cave.pits);
        [(stench, "stench"), (breeze, "breeze")]
            .into_iter()
            .filter_map(|(perceived, what)| perceived.then_some(what))
    }
}

impl<const H: usize> WumpusHunt<H> {
    /// True if the hunt is won: the wumpus is dead, or the gold is back.
    fn is_done(&self, state: &State<H>) -> bool {
        if self.settings.gold {
            state.hunters.iter().any(|hunter| hunter.has_gold && hunter.lives && hunter.square == 0)
        } else {
            !state.wumpus_lives
        }
    }

    /// True if it cannot be done any more.
    fn is_hopeless(&self, state: &State<H>) -> bool {
        if self.settings.gold {
            state.hunters.iter().any(|hunter| hunter.has_gold && !hunter.lives)
        } else {
            !state.hunters.iter().any(|hunter| hunter.lives && hunter.arrows > 0)
        }
    }

    fn enough_live(&self, state: &State<H>) -> bool {
        state.living() >= usize::from(self.settings.alive)
    }

    fn is_over(&self, state: &State<H>) -> bool {
        self.is_done(state)
            || self.is_hopeless(state)
            || !self.enough_live(state)
            || state.turns == TURNS
    }

    /// The percept of those who hear something of a hunter.
    fn heard(hunter: usize, what: &str) -> String {
        match (H, what) {
            (..=2, "silence") => what.to_owned(),
            (..=2, _) => format!("other {what}"),
            _ => format!("hunter {} {what}", hunter + 1),
        }
    }

    /// The others hear something of a hunter.
    fn say(&self, hunter: usize, what: &str, percepts: &mut Percepts) {
        if !self.settings.talk {
            return;
        }
        let text = Self::heard(hunter, what);
        for other in (0..H).filter(|&other| other != hunter) {
            percepts.tell(Player(other as u8), text.as_str());
        }
    }
}

impl<const H: usize> Rules for WumpusHunt<H> {
    type State = State<H>;
    type Action = Act;
    type Board = NoBoard;

    const FORMS: &'static [Form] = &[
        Form::Word(NAMES[0]),
        Form::Word(NAMES[1]),
        Form::Word(NAMES[2]),
        Form::Word(NAMES[3]),
        Form::Word("shoot north"),
        Form::Word("shoot east"),
        Form::Word("shoot south"),
        Form::Word("shoot west"),
        Form::Word(play::PASS),
    ];

    const PLAYERS: u8 = H as u8;
    const SIMULTANEOUS: bool = H > 1;
    const CHANCE: bool = true;
    const HIDDEN: bool = true;

    fn start(&self) -> State<H> {
        let arrows = self.settings.arrows;
        State {
            cave: Cave::NONE,
            hunters: [Hunter { square: 0, arrows, lives: true, has_gold: false }; H],
            wumpus_lives: true,
            turns: 0,
            chosen: [Act::Nothing; H],
            next: 0,
        }
    }

    fn happen<C: Chance + ?Sized>(&self, state: &mut State<H>, chance: &mut C) {
        if state.cave.squares.is_empty() {
            let nth = |free: Bits<1>, k| Bits::single(free.iter().nth(k as usize).unwrap_or(0));
            (state.cave, _) = Cave::laid(chance, self.settings.gold, nth);
        }
    }

    fn expand(&self, state: &State<H>, legal: &mut Vec<Act>) -> Turn {
        if state.next == 0 && self.is_over(state) {
            return Turn::Over;
        }
        let hunter = state.hunters[usize::from(state.next)];
        if hunter.lives {
            legal.extend((0..4).map(Act::Step));
            if hunter.arrows > 0 {
                legal.extend((0..4).map(Act::Shoot));
            }
        } else {
            legal.push(Act::Nothing);
        }
        Turn::Move(Player(state.next))
    }

    fn apply(&self, state: &mut State<H>, act: Act) {
        state.chosen[usize::from(state.next)] = act;
        state.next += 1;
        if usize::from(state.next) == H {
            state.next = 0;
            state.take_turn(state.chosen);
        }
    }

    fn perceive_start(&self, start: &State<H>, percepts: &mut Percepts) {
        for (player, hunter) in (0..).map(Player).zip(&start.hunters) {
            start.of_square(hunter).for_each(|what| percepts.tell(player, what));
        }
    }

    fn perceive(&self, before: &State<H>, _: Act, after: &State<H>, percepts: &mut Percepts) {
        if after.next != 0 {
            return;
        }
        for (hunter, act) in after.chosen.into_iter().enumerate() {
            let own = Player(hunter as u8);
            let (then, now) = (&before.hunters[hunter], &after.hunters[hunter]);
            if before.wumpus_lives && !after.wumpus_lives {
                percepts.tell(own, "scream");
            }
            if !now.lives {
                if then.lives {
                    percepts.tell(own, "dead");
                    self.say(hunter, "silence", percepts);
                }
                continue;
            }
            let mut feel = |what| {
                percepts.tell(own, what);
                self.say(hunter, what, percepts);
            };
            after.of_square(now).for_each(&mut feel);
            if now.has_gold && !then.has_gold {
                feel("gold");
            }
            if let Act::Step(direction) = act {
                if then.square == now.square {
                    feel("bump");
                } else {
                    self.say(hunter, NAMES[usize::from(direction)], percepts);
                }
            }
        }
    }

    fn scores(&self, state: &State<H>) -> Scores {
        let won = self.is_done(state) && self.enough_live(state);
        all_have::<H>(if won { WON } else { 0 })
    }

    #[inline]
    fn form(&self, _: &State<H>, act: Act) -> Formed {
        match act {
            Act::Step(direction) => Formed::word(direction.into()),
            Act::Shoot(direction) => Formed::word(4 + usize::from(direction)),
            Act::Nothing => Formed::word(8),
        }
    }

    fn percepts(&self) -> Vec<String> {
        const SEEN: [&str; 4] = ["stench", "breeze", "bump", "gold"];
        let heard = |hunter| move |what: &str| Self::heard(hunter, what);
        let said = (0..H).flat_map(|hunter| {
            SEEN.iter().chain(&NAMES).chain(&["silence"]).copied().map(heard(hunter))
        });
        let own = SEEN.into_iter().chain(["scream", "dead"]).map(str::to_owned);
        let mut all: Vec<String> = own.chain(said).collect();
        all.sort();
        all.dedup();
        all
    }

    fn is_pass(&self, act: Act) -> bool {
        act == Act::Nothing
    }

    fn picture(&self, state: &State<H>) -> Picture {
        let lies = state.gold_lies();
        let board = Board::picture(false, |square| match square {
            _ if !state.cave.squares.contains(square) => ' ',
            _ if state.cave.pits.contains(square) => 'P',
            _ if state.cave.wumpus.contains(square) => 'W',
            _ if state.cave.gold.contains(square) && lies => 'G',
            _ => '.',
        });
        let hunters = state.hunters.iter().zip(["first", "second", "third"]);
        let hunters = hunters.map(|(hunter, name)| {
            let lives = if hunter.lives { "alive" } else { "dead" };
            let arrows = match hunter.arrows {
                0 => "no arrow".to_owned(),
                1 => "an arrow".to_owned(),
                n => format!("{n} arrows"),
            };
            let gold = if hunter.has_gold { ", the gold" } else { "" };
            format!("{name} in {}, {lives}, {arrows}{gold}\n", Board::name(hunter.square.into()))
        });
        let wumpus = if state.wumpus_lives { "alive" } else { "dead" };
        let chosen = state.chosen.iter().take(state.next.into());
        let chosen = chosen.map(|&act| format!(", chosen {}", self.label(state, act)));
        let (hunters, chosen): (String, String) = (hunters.collect(), chosen.collect());
        let notes = format!("{hunters}wumpus {wumpus}, {} turns{chosen}\n", state.turns);
        let mut picture = board.with_notes(&notes).with_signs(kinds(&CAVE));
        for cell in &mut picture.cells {
            cell.cover = Cover::From((0..H as u8).map(Player).collect());
        }
        for (player, hunter) in (0..).zip(&state.hunters).filter(|(_, hunter)| hunter.lives) {
            let name = Board::name(hunter.square.into());
            if let Some(cell) = picture.cell_mut(&name) {
                cell.pieces.push(Piece::of(player, "hunter"));
                if let Cover::From(players) = &mut cell.cover {
                    players.retain(|other| *other != Player(player));
                }
            }
        }
        picture
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let Settings { arrows, gold: has_gold, alive: must_live, .. } = self.settings;
        let (cave, kind) = Cave::laid(
            rng,
            has_gold,
            #[inline(always)]
            |free, k| free.select_bit(cpu, k),
        );
        let [mut wumpus, pits, gold] =
            [cave.wumpus.words[0], cave.pits.words[0], cave.gold.words[0]];
        let (mut squares, mut quivers) = ([0u8; H], [arrows; H]);
        // Bits of those who live, of those who have an arrow, and of who has the gold.
        let all = (1u32 << H) - 1;
        let (mut alive, mut armed, mut bearer) = (all, all, 0u32);
        let mut plies = 0;
        for _ in 0..TURNS {
            let mut aims = squares;
            for hunter in 0..H {
                if alive >> hunter & 1 == 0 {
                    continue;
                }
                if plies == cap {
                    return capped(cap);
                }
                plies += 1;
                let drawn = draw(rng, 4 << (armed >> hunter & 1)) as usize;
                let aim = NEXT[kind][usize::from(squares[hunter]) % 16][drawn % 4];
                if drawn >= 4 {
                    quivers[hunter] -= 1;
                    armed ^= u32::from(quivers[hunter] == 0) << hunter;
                    wumpus &= !(1 << (aim % 16));
                } else {
                    aims[hunter] = aim;
                }
            }
            squares = aims;
            for (hunter, square) in squares.into_iter().enumerate() {
                let dead = (pits | wumpus) >> (square % 16) & 1;
                alive &= !((dead as u32) << hunter);
            }
            let mut done = wumpus == 0;
            let mut hopeless = armed & alive == 0;
            if has_gold {
                let mut home = 0;
                for (hunter, square) in squares.into_iter().enumerate() {
                    let finds = bearer == 0 && gold >> (square % 16) & 1 != 0;
                    bearer |= u32::from(finds) << hunter;
                    home |= u32::from(square == 0) << hunter;
                }
                done = bearer & alive & home != 0;
                hopeless = bearer & !alive != 0;
            }
            let enough_live = alive.count_ones() >= u32::from(must_live);
            if done || hopeless || !enough_live {
                let won = done && enough_live;
                return over(plies, all_have::<H>(if won { WON } else { 0 }));
            }
        }
        over(plies, all_have::<H>(0))
    }
}

/// Players win and lose together.
#[inline(always)]
fn all_have<const H: usize>(payoff: i32) -> Scores {
    match H {
        1 => Scores::single(payoff),
        2 => Scores::two(payoff, payoff),
        _ => Scores::new([payoff; H]),
    }
}
