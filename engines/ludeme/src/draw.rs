//! Drawings of states in text.

use crate::board::SiteType;
use crate::game::Game;
use crate::picture;
use crate::signs::{counted, stack, stakes, symbols};
use crate::state::{Occupancy, State};
use crate::world::ContainerKind;

/// The columns of a terminal.
const COLUMNS: usize = 80;

/// The board with its coordinates, then hands, dice, stakes, scores and the meaning of the symbols.
pub(crate) fn draw(game: &Game, state: &State) -> String {
    let symbols = symbols(game);
    let mut lines = match grid(game) {
        Some(places) => rectangle(game, state, &places, &symbols),
        None => picture::board(game, state).board_text().lines().map(str::to_owned).collect(),
    };
    for container in game.world.containers.iter().filter(|c| c.kind == ContainerKind::Hand) {
        let held: Vec<String> = (container.first..container.first + container.size)
            .filter(|&s| state.what(s) != 0)
            .map(|s| format!("{}{}", symbols[state.what(s)], counted(state.count(s))))
            .collect();
        lines.push(format!("{}: {}", container.name.to_lowercase(), held.join(" ")));
    }
    lines.extend(dice(state));
    lines.extend(stakes(game, state));
    if state.scores().iter().any(|&s| s != 0) {
        let scores: Vec<String> =
            (1..=game.world.players).map(|p| state.scores()[p].to_string()).collect();
        lines.push(format!("scores: {}", scores.join(" ")));
    }
    let legend: Vec<String> = game
        .world
        .components
        .iter()
        .zip(&symbols)
        .skip(1)
        // The symbols of values in a puzzle need no explanation.
        .filter(|(c, symbol)| game.puzzle.is_none() || c.name != symbol.to_string())
        .map(|(c, symbol)| format!("{symbol} {}", c.name))
        .collect();
    lines.extend(filled(&legend));
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines.join("\n")
}

/// The numbers that dice show.
fn dice(state: &State) -> Option<String> {
    // A used die shows none.
    let shown = |&die: &i32| if die == 0 { "-".to_owned() } else { die.to_string() };
    let dice: Vec<String> = state.dice().iter().map(shown).collect();
    (!dice.is_empty()).then(|| format!("dice: {}", dice.join(" ")))
}

/// Texts side by side in lines, as many as fit.
fn filled(texts: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        let room = |line: &&mut String| line.len() + text.len() + 2 <= COLUMNS - 2;
        match lines.last_mut().filter(room) {
            Some(line) => *line += &format!(", {text}"),
            None => lines.push(text.clone()),
        }
    }
    lines
}

/// The site in each row (from the bottom) and column, if the board is a grid of squares.
fn grid(game: &Game) -> Option<Vec<Vec<Option<usize>>>> {
    let topology = &game.world.topology;
    let site_type = topology.site_type();
    if site_type == SiteType::Edge {
        return None;
    }
    let mut places: Vec<Vec<Option<usize>>> = Vec::new();
    let origin = topology.point(site_type, 0)?;
    for site in 0..topology.sites() {
        let row = usize::try_from(topology.row(site_type, site)?).ok()?;
        let column = usize::try_from(topology.column(site_type, site)?).ok()?;
        let point = topology.point(site_type, site)?;
        let first = (topology.row(site_type, 0)?, topology.column(site_type, 0)?);
        let expected =
            (origin.x + (column as i32 - first.1) as f64, origin.y + (row as i32 - first.0) as f64);
        if (point.x - expected.0).abs() > 0.01 || (point.y - expected.1).abs() > 0.01 {
            return None;
        }
        if places.len() <= row {
            places.resize(row + 1, Vec::new());
        }
        if places[row].len() <= column {
            places[row].resize(column + 1, None);
        }
        if places[row][column].replace(site).is_some() {
            return None;
        }
    }
    Some(places)
}

fn rectangle(
    game: &Game,
    state: &State,
    places: &[Vec<Option<usize>>],
    symbols: &[char],
) -> Vec<String> {
    let columns = places.iter().map(Vec::len).max().unwrap_or(0);
    let counts = game.stacking() || game.layout.occupancy == Occupancy::Counting;
    let margin = places.len().to_string().len();
    let width = if counts { 4 } else { 2 };
    // Long rows are closer, as far as what lies there lets them.
    let longest = |sites: &Vec<Option<usize>>| {
        let texts = sites.iter().flatten().map(|&site| stack(state, site, symbols));
        texts.map(|text| text.chars().count()).max().unwrap_or(1)
    };
    let width = if margin + 1 + columns * width > COLUMNS {
        places.iter().map(longest).max().unwrap_or(1) + 1
    } else {
        width
    };
    let mut lines = Vec::new();
    for (row, sites) in places.iter().enumerate().rev() {
        let mut line = format!("{:>margin$} ", row + 1);
        for site in sites {
            let text = match site {
                Some(site) => stack(state, *site, symbols),
                None => String::new(),
            };
            line += &format!("{text:<width$}");
        }
        lines.push(line);
    }
    let mut letters = " ".repeat(margin + 1);
    for column in 0..columns {
        let named = places.iter().find_map(|row| row.get(column).copied().flatten());
        let label = named.map_or(String::new(), |site| game.world.site_label(site));
        let letter = label.trim_end_matches(|c: char| c.is_ascii_digit());
        letters += &format!("{letter:<width$}");
    }
    lines.push(letters);
    lines
}
