//! The table as lines of text: a position, a question, an answer.

use std::io::BufRead;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::output;

use super::table::{Done, Next, Said, Table};

/// What people were shown, and the lines that they type.
struct Terminal {
    /// For each role the plies that had been shown to it, and one for the start.
    shown: Vec<usize>,
    lines: Receiver<std::io::Result<String>>,
}

/// What a line that was typed leads to.
enum Heard {
    /// Something was said, and nothing has changed.
    Nothing,
    /// The game has changed.
    Change,
    /// The person leaves.
    End,
}

/// Plays until the game ends or the person leaves.
pub(super) fn play_on(table: &mut Table) -> Result<()> {
    let shown = vec![0; table.seats.len()];
    let mut terminal = Terminal { shown, lines: lines() };
    draw(table)?;
    loop {
        match table.next() {
            Next::Nobody => return terminal.end(table),
            Next::Agent(_) => {
                let begun = Instant::now();
                let Some(task) = table.task() else { bail!("the agent whose turn it is is away") };
                let plies = table.session.plies.len();
                let done = task.think();
                if table.is_watched() && !terminal.wait(table, &done, begun)? {
                    return Ok(());
                }
                let is_current = table.is_current(&done);
                table.accept(done);
                if is_current && table.session.plies.len() > plies {
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

/// Lines of standard input, read ahead by one, so that somebody who watches need not wait for them.
fn lines() -> Receiver<std::io::Result<String>> {
    let (sender, lines) = sync_channel(1);
    thread::spawn(move || {
        // The receiver is gone once nobody plays any more.
        std::io::stdin().lock().lines().try_for_each(|line| sender.send(line))
    });
    lines
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
            let number = player + 1;
            let asked =
                format!("player {number}, your move (? lists all {legal}, help says more): ");
            let Some(line) = self.prompt(&asked)? else { return Ok(false) };
            match self.hear(table, player, &line)? {
                Heard::Nothing => {}
                Heard::Change => return Ok(true),
                Heard::End => return Ok(false),
            }
        }
    }

    /// Waits until a ply is due that an agent has chosen before somebody who watches; false when that
    /// person leaves. The return key stops and steps.
    fn wait(&mut self, table: &mut Table, done: &Done, begun: Instant) -> Result<bool> {
        table.session.stop_clock();
        while table.is_current(done) {
            let rest = table.pace.rest(begun.elapsed());
            let line = match rest {
                Some(rest) if rest.is_zero() => return Ok(true),
                Some(rest) => match self.lines.recv_timeout(rest) {
                    Ok(line) => text_of(line)?,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => {
                        thread::sleep(rest);
                        continue;
                    }
                },
                None => {
                    let asked = "paused (return plays a ply, go goes on, help says more): ";
                    let Some(line) = self.prompt(asked)? else { return Ok(false) };
                    Some(line)
                }
            };
            let Some(line) = line else { continue };
            let word = match line.trim() {
                "" if rest.is_some() => "pause",
                "" => "step",
                word => word,
            };
            if let Heard::End = self.hear(table, 0, word)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Asks for a line; `None` if there are no more.
    fn prompt(&mut self, asked: &str) -> Result<Option<String>> {
        loop {
            output::prompt(asked)?;
            let Ok(line) = self.lines.recv() else {
                outln!()?;
                return Ok(None);
            };
            if let Some(line) = text_of(line)? {
                return Ok(Some(line));
            }
        }
    }

    /// Does what a line says.
    fn hear(&mut self, table: &mut Table, player: u8, line: &str) -> Result<Heard> {
        let width = usize::from(output::width().unwrap_or(80));
        match table.say(player, line, width)? {
            Said::Text(text) => output::paragraph(&text)?,
            Said::Refused(why) => outln!("{why}")?,
            Said::Advice => advise(table)?,
            Said::Paced => {}
            Said::Left => return Ok(Heard::End),
            Said::Played => {
                last_ply(table)?;
                return Ok(Heard::Change);
            }
            Said::TakenBack => {
                let plies = table.session.plies.len();
                self.shown.iter_mut().for_each(|shown| *shown = (*shown).min(plies));
                outln!("taken back to ply {}\n", plies + 1)?;
                draw(table)?;
                return Ok(Heard::Change);
            }
            Said::Begun => {
                self.shown.fill(0);
                let seed = table.session.seed();
                outln!("{}: game {}, seed {seed}\n", table.setup.title, table.number())?;
                draw(table)?;
                return Ok(Heard::Change);
            }
        }
        Ok(Heard::Nothing)
    }
}

/// A line that was typed, if it is text; what is not is no move either.
fn text_of(line: std::io::Result<String>) -> Result<Option<String>> {
    match line {
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            outln!("that is not text (? lists the legal moves)")?;
            Ok(None)
        }
        line => Ok(Some(line.context("cannot read from standard input")?)),
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
