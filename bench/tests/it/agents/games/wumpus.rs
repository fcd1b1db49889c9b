use play::{Adapted, Chance, Facts, Game, Mechanics, Percepts, Player, Scores, Turn};

/// Wumpus World of any size, by the rules in `games/catalogue/wumpus-4x4`.
pub(crate) struct Wumpus {
    size: i32,
    facts: Facts,
    /// Labels of actions are their numbers, as in languages without words for them.
    numbers: bool,
}

impl Wumpus {
    pub(crate) fn boxed(size: i32) -> Box<dyn Game> {
        let facts = Facts { players: 1, chance: true, hidden: true, ..Facts::default() };
        Adapted::boxed(Wumpus { size, facts, numbers: false })
    }

    pub(crate) fn with_numbers() -> Box<dyn Game> {
        let facts = Facts { players: 1, chance: true, hidden: true, ..Facts::default() };
        Adapted::boxed(Wumpus { size: 4, facts, numbers: true })
    }

    fn inside(&self, (x, y): (i32, i32)) -> bool {
        (0..self.size).contains(&x) && (0..self.size).contains(&y)
    }

    fn tell(cave: &Cave, percepts: &mut Percepts) {
        let beside = |(x, y): (i32, i32)| (x - cave.at.0).abs() + (y - cave.at.1).abs() == 1;
        let mut tell = |what: &str, so: bool| {
            if so {
                percepts.tell(Player(0), what);
            }
        };
        tell("stench", cave.wumpus == cave.at || beside(cave.wumpus));
        tell("breeze", cave.pits.iter().any(|&pit| beside(pit)));
        tell("glitter", cave.gold == Some(cave.at));
    }

    /// Applies an action; what just happened.
    fn act(&self, cave: &mut Cave, action: &str) -> Option<&'static str> {
        let step = |(x, y): (i32, i32)| (x + cave.facing.0, y + cave.facing.1);
        cave.plies += 1;
        match action {
            "forward" if !self.inside(step(cave.at)) => return Some("bump"),
            "forward" => {
                cave.at = step(cave.at);
                if cave.pits.contains(&cave.at) || (cave.alive && cave.wumpus == cave.at) {
                    cave.end = Some("dead");
                }
            }
            "left" => cave.facing = (-cave.facing.1, cave.facing.0),
            "right" => cave.facing = (cave.facing.1, -cave.facing.0),
            "grab" if cave.gold == Some(cave.at) => cave.gold = None,
            "shoot" => {
                cave.arrow = false;
                let line = std::iter::successors(Some(step(cave.at)), |&at| Some(step(at)));
                let mut line = line.take_while(|&at| self.inside(at));
                if cave.alive && line.any(|at| at == cave.wumpus) {
                    cave.alive = false;
                    return Some("scream");
                }
            }
            "climb" => cave.end = Some("out"),
            _ => {}
        }
        cave.end
    }
}

#[derive(Clone)]
pub(crate) struct Cave {
    pits: Vec<(i32, i32)>,
    wumpus: (i32, i32),
    /// `None` in hand.
    gold: Option<(i32, i32)>,
    at: (i32, i32),
    facing: (i32, i32),
    arrow: bool,
    alive: bool,
    plies: i32,
    end: Option<&'static str>,
}

impl Mechanics for Wumpus {
    type State = Cave;
    type Action = &'static str;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> Cave {
        let others = (1..self.size * self.size).map(|at| (at % self.size, at / self.size));
        let others: Vec<(i32, i32)> = others.collect();
        let pits = others.iter().copied().filter(|_| chance.below(5) == 0).collect();
        let mut one = || others[chance.below(others.len() as u32) as usize];
        Cave {
            pits,
            wumpus: one(),
            gold: Some(one()),
            at: (0, 0),
            facing: (1, 0),
            arrow: true,
            alive: true,
            plies: 0,
            end: None,
        }
    }

    fn expand(&self, cave: &mut Cave, legal: &mut Vec<&'static str>) -> Turn {
        if cave.end.is_some() || cave.plies >= 100 {
            return Turn::Over;
        }
        legal.extend(["forward", "left", "right", "grab"]);
        legal.extend(cave.arrow.then_some("shoot"));
        legal.extend((cave.at == (0, 0)).then_some("climb"));
        Turn::Move(Player(0))
    }

    fn apply<C: Chance + ?Sized>(&self, cave: &mut Cave, action: &'static str, _: &mut C) {
        self.act(cave, action);
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        cave: &mut Cave,
        action: &'static str,
        _: &mut C,
        percepts: &mut Percepts,
    ) {
        if let Some(what) = self.act(cave, action) {
            percepts.tell(Player(0), what);
        }
        if cave.end.is_none() && cave.plies < 100 {
            Self::tell(cave, percepts);
        }
    }

    fn start_percepts(&self, cave: &Cave, percepts: &mut Percepts) {
        Self::tell(cave, percepts);
    }

    fn scores(&self, cave: &Cave) -> Scores {
        let end = match cave.end {
            Some("dead") => -1000,
            Some("out") if cave.gold.is_none() => 1000,
            _ => 0,
        };
        Scores::single(end - cave.plies - if cave.arrow { 0 } else { 10 })
    }

    fn label(&self, _: &Cave, action: &'static str) -> String {
        let all = ["climb", "grab", "right", "shoot", "left", "forward"];
        match all.iter().position(|&one| one == action) {
            Some(number) if self.numbers => number.to_string(),
            _ => action.to_owned(),
        }
    }

    fn draw(&self, cave: &Cave) -> String {
        format!("at {:?}, facing {:?}, pits at {:?}", cave.at, cave.facing, cave.pits)
    }
}
