//! `list`: games, engines, suites, families.

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::NOTHING;

use super::Outcome;
use super::select::{self, Where};
use crate::lineup::Lineup;
use crate::suite;

pub(super) fn list(place: &Where) -> Result<Outcome> {
    let catalogue = place.load()?;
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["game", "title", "players", "languages", "in the paper"]);
    for game in catalogue.games() {
        let languages: Vec<&str> = game.descriptions.keys().map(|l| l.name()).collect();
        table.add_row([
            game.id.clone(),
            game.title.clone(),
            game.players.to_string(),
            languages.join(" "),
            game.paper.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        ]);
    }
    println!("{table}\n");
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["engine", "reads"]);
    for program in Lineup::new(None, &[])?.programs() {
        table.add_row([program.engine.clone(), program.languages.join(" ")]);
    }
    println!("{table}\n");
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["suite", "games", "what for"]);
    for name in suite::names() {
        let suite = suite::get(name)?;
        let games = suite.games(&catalogue)?;
        table.add_row([name.to_owned(), games.len().to_string(), suite.about]);
    }
    println!("{table}\n");
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["family", "title", "sizes", "what the size counts"]);
    for family in select::families(None)? {
        let sizes: Vec<String> = family.sizes.iter().map(ToString::to_string).collect();
        table.add_row([family.id, family.title, sizes.join(" "), family.size]);
    }
    println!("{table}");
    Ok(Outcome::Fine)
}
