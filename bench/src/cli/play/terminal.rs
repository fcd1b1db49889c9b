//! The table as lines of text: a position, a question, an answer.

use std::io::BufRead;

use anyhow::{Context, Result, bail};

use crate::output;

use super::table::{Next, Said, Table};

/// The lines that people type, and how much they have been shown.
struct Terminal {
    /// For each role the plies that had been shown to it, and one for the start.
    shown: Vec<usize>,
    lines: Box<dyn Iterator<Item = std::io::Result<String>>>,
}

/// Plays until the game ends or the person leaves.
pub(super) fn play_on(table: &mut Table) -> Result<()> {
    let shown = vec![0; table.seats.len()];
    let mut terminal = Terminal { shown, lines: Box::new(std::io::stdin().lock().lines()) };
    draw(table)?;
    loop {
        match table.next() {
            Next::Nobody => return terminal.end(table),
            Next::Agent(_) => {
                let Some(task) = table.task() else { bail!("the agent whose turn it is is away") };
                let plies = table.session.plies.len();
                table.accept(task.think());
                if table.session.plies.len() > plies {
                    last_ply(table)?;
                }
            }
            Next::Person(player) => {
                terminal.tell(table, player)?;
                if !terminal.ask(table, player)? {
                    return Ok(());
                }
            }
        }
    }
}

/// Shows the ply that was just played, to those who may see it.
fn last_ply(table: &Table) -> Result<()> {
    let Some(ply) = table.session.plies.last() else { return Ok(()) };
    let open = table.is_open();
    if open || table.is_person(ply.player) {
        outln!("{}. player {}: {}\n", table.session.plies.len(), ply.player + 1, ply.label)?;
    }
    for (player, percepts) in (1..).zip(&ply.percepts).filter(|_| open) {
        if !percepts.is_empty() {
            outln!("player {player} perceives: {}", percepts.join(", "))?;
        }
    }
    draw(table)
}

fn draw(table: &Table) -> Result<()> {
    if table.is_open() {
        outln!("{}\n", table.session.position().draw().trim_end())?;
    }
    Ok(())
}

impl Terminal {
    /// Tells a person what its role perceived since it was last told, where it sees nothing else.
    fn tell(&mut self, table: &Table, player: u8) -> Result<()> {
        let Some(shown) = self.shown.get_mut(usize::from(player)).filter(|_| !table.is_open())
        else {
            return Ok(());
        };
        let perceived = table.session.perceived(player, *shown);
        if !perceived.is_empty() {
            outln!("player {} perceives: {}", player + 1, perceived.join(", "))?;
        }
        *shown = table.session.plies.len() + 1;
        Ok(())
    }

    /// Says how the game ended.
    fn end(&mut self, table: &Table) -> Result<()> {
        for player in 0..table.seats.len() as u8 {
            if table.is_person(player) {
                self.tell(table, player)?;
            }
        }
        Ok(outln!("{}", table.result().unwrap_or_default())?)
    }

    /// Asks until something has happened; false when the person leaves.
    fn ask(&mut self, table: &mut Table, player: u8) -> Result<bool> {
        loop {
            let legal = table.session.position().actions();
            output::prompt(&format!(
                "player {}, your move (? lists all {legal}, help says more): ",
                player + 1
            ))?;
            // What is not text is no move either.
            let line = match self.lines.next() {
                None => {
                    outln!()?;
                    return Ok(false);
                }
                Some(Err(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                    outln!("that is not text (? lists the legal moves)")?;
                    continue;
                }
                Some(line) => line.context("cannot read from standard input")?,
            };
            let width = usize::from(output::width().unwrap_or(80));
            match table.say(player, &line, width)? {
                Said::Text(text) => output::paragraph(&text)?,
                Said::Refused(why) => outln!("{why}")?,
                Said::Advice => advise(table)?,
                Said::Left => return Ok(false),
                Said::Played => {
                    last_ply(table)?;
                    return Ok(true);
                }
                Said::TakenBack => {
                    let plies = table.session.plies.len();
                    self.shown.iter_mut().for_each(|shown| *shown = (*shown).min(plies));
                    outln!("taken back to ply {}\n", plies + 1)?;
                    draw(table)?;
                    return Ok(true);
                }
                Said::Begun => {
                    self.shown.fill(0);
                    let seed = table.session.seed();
                    outln!("{}: game {}, seed {seed}\n", table.setup.title, table.number())?;
                    draw(table)?;
                    return Ok(true);
                }
            }
        }
    }
}

/// Prints the choice of an agent that knows no more than the person, with its reasons.
fn advise(table: &mut Table) -> Result<()> {
    if let Some(task) = table.task() {
        table.accept(task.think());
    }
    match &table.advice {
        Some(Ok(search)) => outln!("{search}")?,
        Some(Err(why)) => outln!("no hint: {why}; --hints names another agent")?,
        None => {}
    }
    Ok(())
}
