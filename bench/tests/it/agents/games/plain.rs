use play::{
    Chance, End, Facts, Game, IllegalAction, Job, Percepts, Position, Rng, Scores, Tally, Turn, Via,
};

/// A game whose positions have no searches of their own, as those of other people's engines.
pub(crate) struct Plain(pub(crate) Box<dyn Game>);

impl Game for Plain {
    fn facts(&self) -> &Facts {
        self.0.facts()
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
        Box::new(PlainPosition(self.0.open(chance)))
    }

    fn run(&self, job: &Job, via: Via) -> Tally {
        self.0.run(job, via)
    }
}

struct PlainPosition<'p>(Box<dyn Position + 'p>);

impl Position for PlainPosition<'_> {
    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn actions(&self) -> usize {
        self.0.actions()
    }

    fn label(&self, action: usize) -> String {
        self.0.label(action)
    }

    fn is_pass(&self, action: usize) -> bool {
        self.0.is_pass(action)
    }

    fn play(&mut self, action: usize, chance: &mut dyn Chance) -> Result<(), IllegalAction> {
        self.0.play(action, chance)
    }

    fn percepts(&self) -> &Percepts {
        self.0.percepts()
    }

    fn scores(&self) -> Option<Scores> {
        self.0.scores()
    }

    fn draw(&self) -> String {
        self.0.draw()
    }

    fn playout(&self, rng: &mut Rng, cap: u32) -> End {
        self.0.playout(rng, cap)
    }

    fn copy<'a>(&self) -> Box<dyn Position + 'a>
    where
        Self: 'a,
    {
        Box::new(PlainPosition(self.0.copy()))
    }
}
