//! Playouts: turns in a row until the game ends.
//!
//! The entries of many turns are so few that they can have variables of their own: a playout counts
//! their moves, draws one and makes it, without a list in memory.

use std::collections::BTreeSet;

use kernel::build::CodeBuilder;
use kernel::ir::{Expr as Code, FunctionId, Local, Stmt, Type};

use super::arrays::{FRAME, GENERATOR, LAST_STAMP, Slot as Entry, TOLD};
use super::terms::Env;
use super::turns::{Event, Kind, branch};
use super::walk::{Compiler, Goal, Stop, frame};
use super::writer::{Argument, Choice, Found, Writer};
use crate::limits::MAX_KEEPER_MOVES;

/// The most entries of such a turn.
const MAX_CHOICES: usize = 16;

/// The most edges that are gone through for one.
const MAX_STEPS: usize = 1000;

/// The most conditions of a move that are computed without a jump.
const MAX_CONDITIONS: usize = 3;

/// The result of a function that draws if the play goes on, and does not end with an [`Event`].
const GOES_ON: i32 = -1;

/// The way to play a turn.
enum Way {
    /// There is no code for it.
    Searched,
    /// The keeper makes its only move.
    Step(FunctionId),
    /// This function draws a move and makes it; the turns that it leads to.
    Drawn(FunctionId, BTreeSet<usize>),
    /// This function lists the moves.
    Listed(FunctionId),
}

impl Compiler<'_> {
    /// Writes the function that plays on to an [`Event`].
    pub(super) fn play(&mut self, make: FunctionId) -> FunctionId {
        let ways = (0..self.turns.len()).map(|number| self.way(number)).collect();
        let mut w = Writer::new("play".to_owned(), &[], Some(Type::Int));
        self.go_on(&mut w, ways, &|_| {}, &|w, number| self.draw_listed(w, number, make));
        self.program.function(w.finish())
    }

    /// Writes the function that makes moves whose numbers [`TOLD`] has, so many, each one of the
    /// list of the turn that those before it lead to, and behind each those of the keeper; it lists
    /// the moves of the turn that follows. The second argument is 1 if the first list is in memory.
    pub(super) fn advance(&mut self, make: FunctionId) -> FunctionId {
        let ways = (0..self.turns.len()).map(|number| self.listed_way(number)).collect();
        let params = [Type::Int, Type::Int];
        let mut w = Writer::new("advance".to_owned(), &params, Some(Type::Int));
        let [count, is_listed] = [Local(0), Local(1)];
        let made = w.var(Type::Int, 0);
        w.store(FRAME, Entry::Made as i32, 0);
        let make_next = |w: &mut Writer| {
            w.when(is_listed.get(), |w| {
                w.when(made.get().at_least(count), |w| w.give(Event::Listed as i32));
                w.eval(make.call(vec![TOLD.at(made)]));
                w.set(made, made.get() + 1);
                w.store(FRAME, Entry::Made as i32, made);
                w.set(is_listed, 0);
            });
        };
        self.go_on(&mut w, ways, &make_next, &|w, _| w.set(is_listed, 1));
        self.program.function(w.finish())
    }

    /// Writes turns in a row. Each is a block, which goes on with those that may follow. Others
    /// write what is done first, and in a turn whose moves have been listed; behind that is what is
    /// done first again.
    fn go_on(
        &self,
        w: &mut Writer,
        ways: Vec<Way>,
        first: &dyn Fn(&mut Writer),
        then: &dyn Fn(&mut Writer, usize),
    ) {
        // The moves of the keeper in a row, which may go in a circle.
        let steps = w.var(Type::Int, 0);
        let all: Vec<usize> = (0..ways.len()).collect();
        let mut blocks = vec![w.block(|w| {
            first(w);
            go_to(w, all.iter());
        })];
        for (number, way) in ways.into_iter().enumerate() {
            let ending = self.ending(number) as i32;
            blocks.push(w.block(|w| match way {
                Way::Searched => w.give(Event::Left as i32),
                Way::Step(step) => {
                    w.set(steps, steps.get() + 1);
                    let is_circle = steps.get().greater(MAX_KEEPER_MOVES as i32);
                    w.when(is_circle, |w| w.give(Event::Left as i32));
                    w.when(!step.call(Vec::new()), |w| w.give(ending));
                    go_to(w, self.turns[number].next.iter());
                }
                Way::Drawn(draw, next) => {
                    w.set(steps, 0);
                    let event = w.var(Type::Int, draw.call(Vec::new()));
                    w.when(event.get().at_least(0), |w| w.give(event));
                    go_to(w, next.iter());
                }
                Way::Listed(walk) => {
                    w.set(steps, 0);
                    let is_last = frame(Entry::Stamp).at_least(LAST_STAMP - 1);
                    w.when(is_last, |w| w.give(Event::Left as i32));
                    w.eval(walk.call(Vec::new()));
                    w.when(Compiler::is_lost(), |w| w.give(Event::Left as i32));
                    then(w, number);
                    w.push(Stmt::Go(0));
                }
            }));
        }
        w.push(Stmt::Blocks(blocks));
        w.give(Event::Left as i32);
    }

    /// The way to play a turn.
    fn way(&mut self, number: usize) -> Way {
        let listed = self.listed_way(number);
        if !matches!(listed, Way::Listed(_)) {
            return listed;
        }
        let rest = self.budget.saturating_sub(MAX_STEPS);
        self.budget -= rest;
        let is_compared = self.is_compared(number);
        let drawn = if is_compared { None } else { self.draw(number).ok() };
        self.budget += rest;
        drawn.map_or(listed, |(draw, next)| Way::Drawn(draw, next))
    }

    /// The way to play a turn by its list.
    fn listed_way(&self, number: usize) -> Way {
        let turn = &self.turns[number];
        match (turn.kind(), turn.walk) {
            (Kind::Step, Ok(step)) => Way::Step(step),
            (Kind::Choice | Kind::Chance, Ok(walk)) => Way::Listed(walk),
            _ => Way::Searched,
        }
    }

    /// Writes the function that draws a move of a turn and makes it.
    fn draw(&mut self, number: usize) -> Result<(FunctionId, BTreeSet<usize>), Stop> {
        // Another turn, written last, may have compared the tags of its moves.
        self.dedupes = false;
        let mut w = Writer::new(format!("draw {number}"), &[], Some(Type::Int));
        w.found = Found::Kept(Vec::new());
        let (node, env) = self.first(number);
        self.walk(&mut w, node, env, &Goal::Moves)?;
        w.close_to(0);
        let choices = match std::mem::replace(&mut w.found, Found::Nothing) {
            Found::Kept(choices) if !choices.is_empty() => choices,
            _ => return Err(Stop::Unsupported("nothing to draw")),
        };
        let counts = choices.iter().map(|choice| choice.count.get());
        let all = counts.reduce(|sum, count| sum + count).unwrap_or(Code::Int(0));
        let all = w.var(Type::Int, all);
        let ending = self.ending(number) as i32;
        w.when(!all.get(), |w| w.give(ending));
        let drawn = w.var(Type::Int, 0);
        if self.turns[number].kind() == Kind::Choice {
            let passes = choices.iter().filter(|choice| choice.is_pass);
            let passes = passes.map(|choice| choice.count.get()).reduce(|sum, count| sum + count);
            let draw = |w: &mut Writer| {
                w.count_ply();
                w.set(drawn, GENERATOR.draw(all.get()));
            };
            match passes {
                None => draw(&mut w),
                Some(passes) => {
                    let is_pass = all.get().equals(1).and(passes);
                    w.either(is_pass, Writer::count_pass, draw);
                }
            }
        } else {
            w.when(all.get().greater(1), |w| w.set(drawn, GENERATOR.draw(all.get())));
        }
        let choices = match merged(&mut w, &choices, drawn) {
            Some(one) => vec![one],
            None => choices,
        };
        // Where choices lead to different moves of the keeper, each makes that which follows, since
        // nobody can foresee which it is.
        let turns: BTreeSet<usize> =
            choices.iter().map(|choice| self.makers[choice.maker].turn).collect();
        let goes_on = turns.len() > 1;
        let next = turns.iter().flat_map(|&turn| match self.turns[turn].kind() {
            Kind::Step if goes_on => self.turns[turn].next.clone(),
            _ => BTreeSet::from([turn]),
        });
        let next = next.collect();
        let (last, others) = choices.split_last().expect("one is there");
        for choice in others {
            w.when(drawn.get().less(choice.count), |w| self.make_choice(w, choice, drawn, goes_on));
            w.set(drawn, drawn.get() - choice.count.get());
        }
        self.make_choice(&mut w, last, drawn, goes_on);
        Ok((self.program.function(w.finish()), next))
    }

    /// Makes a move of an entry, and if `goes_on`, the keeper's only move behind it.
    fn make_choice(&self, w: &mut Writer, choice: &Choice, number: Local, goes_on: bool) {
        let maker = &self.makers[choice.maker];
        let nth = |elements: Local| w.var(Type::Int, elements.get().nth(number));
        let element = choice.elements.map(nth);
        let arguments = choice.arguments.iter().map(|argument| argument.code(element));
        w.eval(maker.function.call(arguments.collect()));
        let turn = &self.turns[maker.turn];
        if let (true, Kind::Step, Ok(step)) = (goes_on, turn.kind(), turn.walk) {
            let ending = self.ending(maker.turn) as i32;
            w.when(!step.call(Vec::new()), |w| w.give(ending));
        }
        w.give(GOES_ON);
    }

    /// The end of a play that has no move in a turn.
    fn ending(&self, number: usize) -> Event {
        let is_end = self.turns[number].key.node == self.rules.automaton.end;
        if is_end { Event::Over } else { Event::Stuck }
    }

    /// Writes the draw of a move from the list of a turn, and makes it.
    fn draw_listed(&self, w: &mut Writer, turn: usize, make: FunctionId) {
        let count = w.var(Type::Int, frame(Entry::Count));
        w.when(!count.get(), |w| w.give(self.ending(turn) as i32));
        let number = w.var(Type::Int, 0);
        let is_choice = self.turns[turn].kind() == Kind::Choice;
        let draw = |w: &mut Writer| w.set(number, GENERATOR.draw(count.get()));
        if is_choice {
            let is_pass = count.get().equals(1).and(frame(Entry::Pass));
            w.either(is_pass, Writer::count_pass, |w| {
                w.count_ply();
                draw(w);
            });
        } else {
            w.when(count.get().greater(1), draw);
        }
        w.eval(make.call(vec![number.get()]));
    }
}

/// Goes on with the block of the turn that the play is at, which is one of these.
fn go_to<'t>(w: &mut Writer, turns: impl Iterator<Item = &'t usize>) {
    let cases: Vec<(i32, i32)> = turns.map(|&turn| (turn as i32, turn as i32 + 1)).collect();
    branch(w, &frame(Entry::Turn), &cases, &|w, &block| w.push(Stmt::Go(block as u32)));
}

/// The move that is drawn, if one function makes those of all entries: it is chosen without jumps,
/// which nobody could foresee.
fn merged(w: &mut Writer, choices: &[Choice], drawn: Local) -> Option<Choice> {
    let (last, others) = choices.split_last()?;
    let has_elements = last.elements.is_some();
    let is_alike =
        |choice: &Choice| choice.maker == last.maker && choice.elements.is_some() == has_elements;
    if others.is_empty() || !choices.iter().all(is_alike) {
        return None;
    }
    let mut left = w.var(Type::Int, drawn);
    let mut ways = Vec::new();
    for choice in others {
        ways.push((choice, w.var(Type::Int, left.get().less(choice.count)), left));
        left = w.var(Type::Int, left.get() - choice.count.get());
    }
    let mut chosen = |of: Type, value: &dyn Fn(&Choice, Local) -> Code| {
        let rest = value(last, left);
        let value = |(choice, _, left): &(&Choice, Local, Local)| value(choice, *left);
        let is_same = ways.iter().all(|way| value(way) == rest);
        let rest = w.var(of, rest);
        let differing = ways.iter().rev().take(if is_same { 0 } else { ways.len() });
        differing.fold(rest, |rest, way| {
            // In a variable, since nothing that is computed in a choice is computed in vain.
            let value = w.var(of, value(way));
            w.var(of, way.1.get().choose(value, rest))
        })
    };
    let element = has_elements.then(|| {
        let none = Code::NoSites;
        let set = chosen(Type::Set, &|choice, _| choice.elements.map_or(none.clone(), Local::get));
        let number = chosen(Type::Int, &|_, left| left.get());
        chosen(Type::Int, &|_, _| set.get().nth(number))
    });
    let arguments = (0..last.arguments.len()).map(|number| {
        let value = |choice: &Choice, _| choice.arguments[number].code(element);
        Argument::Value(chosen(Type::Int, &value))
    });
    Some(Choice { arguments: arguments.collect(), elements: None, ..last.clone() })
}

impl Writer {
    /// True if moves are kept in variables, which functions cannot leave behind.
    pub(super) fn keeps_moves(&self) -> bool {
        matches!(self.found, Found::Kept(_))
    }

    /// Keeps an entry.
    pub(super) fn keep(
        &mut self,
        env: &Env,
        count: Option<Local>,
        maker: usize,
        arguments: Vec<Argument>,
        is_pass: bool,
    ) -> Result<(), Stop> {
        if self.is_in_loop() {
            return Err(Stop::Unsupported("moves of each element"));
        }
        let count = count.unwrap_or_else(|| self.count_one());
        let elements = env.elements.as_ref().map(|elements| elements.set);
        if let Found::Kept(choices) = &mut self.found {
            if choices.len() == MAX_CHOICES {
                return Err(Stop::Unsupported("more entries than variables"));
            }
            choices.push(Choice { count, elements, maker, arguments, is_pass });
        }
        Ok(())
    }

    /// The number of a move, 1 if all conditions around hold, else 0: without a jump if all that is
    /// written within them can be done anyway.
    fn count_one(&mut self) -> Local {
        let Some(condition) = self.take_conditions(MAX_CONDITIONS) else {
            return self.var(Type::Int, 1);
        };
        self.var(Type::Int, condition.differs(0))
    }

    /// Counts a ply, or ends the playout where there may be no more.
    fn count_ply(&mut self) {
        let is_capped = frame(Entry::Plies).at_least(frame(Entry::Cap));
        self.when(is_capped, |w| w.give(Event::Capped as i32));
        self.store(FRAME, Entry::Plies as i32, frame(Entry::Plies) + 1);
        self.store(FRAME, Entry::Passes as i32, 0);
    }

    /// Counts a pass that is the only move, or ends the playout where there may be no more.
    fn count_pass(&mut self) {
        self.store(FRAME, Entry::Passes as i32, frame(Entry::Passes) + 1);
        let many = frame(Entry::Passes).greater(frame(Entry::MostPasses));
        self.when(many, |w| w.give(Event::Capped as i32));
    }
}
