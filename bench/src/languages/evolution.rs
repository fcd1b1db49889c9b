//! The part `evolution`: children of descriptions, and how many of them are games.

use anyhow::Result;
use edits::Donors;
use play::{Language, Rules};
use reports::languages::evolution::{DISTANCES, Row};

use super::{Original, Setting, described, engine_for};
use crate::behaviour::{Budget, guarded};
use crate::clock;
use crate::entry::Entry;
use crate::viability::{self, Stage, Viability};

/// The rows of all descriptions.
pub(super) fn collect(setting: &Setting<'_>) -> Result<String> {
    let rows = setting.each(setting.games, |entry| {
        described(entry).flat_map(|rules| of_description(setting, entry, rules)).collect::<Vec<_>>()
    });
    Ok(reports::languages::text(&rows.concat())?)
}

/// The rows of a description, one for each distance.
fn of_description(setting: &Setting<'_>, entry: &Entry, rules: &Rules) -> Vec<Row> {
    let new = |distance: u32| Row {
        game: entry.id.clone(),
        language: rules.language.name().to_owned(),
        distance,
        ..Row::default()
    };
    let parent = engine_for(rules.language)
        .and_then(|engine| Original::new(engine, rules, budget(setting.seed)));
    let parent = match parent {
        Ok(parent) => parent,
        Err(reason) => return vec![Row { reason, ..new(0) }],
    };
    let donors = donors(setting, entry, rules.language);
    let each = setting.samples.div_ceil(DISTANCES.len() as u32 - 1);
    let distances = DISTANCES.map(|distance| {
        let mut row = new(distance);
        let children = if distance == 0 { 1 } else { each };
        for number in 0..u64::from(children) {
            // Each distance has its own stream.
            let number = number + (u64::from(distance) << 32);
            let begun = clock::thread_cpu_ns();
            let Some(child) = donors.child(rules.source.text(), distance, setting.seed, number)
            else {
                continue;
            };
            let tried = viability::of_text(&*parent.engine, rules, &child.text, setting.seed);
            row.seconds += (clock::thread_cpu_ns() - begun) as f64 * 1e-9;
            let counted = tried.and_then(|tried| guarded(|| count(&tried, &parent, &mut row)));
            row.children += 1;
            if let Err(panic) = counted {
                let (id, seed, language) = (&entry.id, setting.seed, rules.language);
                let what = format!(
                    "{id}.{language}: child {number} of seed {seed} by {distance} edits: {panic}"
                );
                errln!("PANIC: {what}");
                row.panics += 1;
                row.reason = what;
            }
        }
        row
    });
    distances.into()
}

/// Counts the stages that a child comes to.
fn count(tried: &Viability, parent: &Original, row: &mut Row) {
    row.read += u32::from(tried.stage >= Stage::Read);
    row.compiled += u32::from(tried.stage >= Stage::Compiled);
    row.ended += u32::from(tried.stage >= Stage::Ended);
    let (Some(game), true) = (&tried.game, tried.stage >= Stage::Ended) else { return };
    let differs = parent.behaviour.difference(&**game, &parent.budget) != Ok(None);
    row.varied += u32::from(tried.is_varied);
    row.lengthy += u32::from(tried.is_lengthy);
    row.differs += u32::from(differs);
    row.viable += u32::from(tried.is_viable());
    row.new += u32::from(tried.is_viable() && differs);
}

/// The other games of a language.
fn donors(setting: &Setting<'_>, entry: &Entry, language: Language) -> Donors {
    let others = setting.games.iter().filter(|other| other.id != entry.id);
    let texts = others.flat_map(described).filter(|rules| rules.language == language);
    Donors::new(language, texts.map(|rules| rules.source.text()))
}

/// What children are held against their parent by.
fn budget(seed: u64) -> Budget {
    Budget { nodes: 200, walks: 4, ..viability::budget(seed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_of_a_game_come_to_stages() {
        let catalogue = games::Catalogue::embedded().expect("it is sound");
        let ids = ["tic-tac-toe-3x3", "breakthrough-6x6"];
        let games = ids.map(|id| Entry::of_catalogue(catalogue.get(id).expect("it is there")));
        let engines = crate::engine_set::EngineSet::own(&[]).expect("there are engines");
        let setting = Setting {
            catalogue: &catalogue,
            games: &games,
            engines: &engines,
            bounds: crate::client::Bounds::default(),
            seed: 1,
            samples: 24,
            step: &|| (),
        };
        let text = collect(&setting).expect("there are rows");
        let mut reader = csv_rows(&text);
        assert_eq!(reader.len(), 2 * 4 * DISTANCES.len());
        for row in reader.drain(..) {
            assert!(row.children >= row.read && row.read >= row.compiled, "{row:?}");
            assert!(row.compiled >= row.ended && row.ended >= row.viable, "{row:?}");
            assert!(row.viable >= row.new && row.panics == 0, "{row:?}");
            if row.distance == 0 {
                assert_eq!((row.children, row.compiled, row.differs), (1, 1, 0), "{row:?}");
            }
        }
    }

    fn csv_rows(text: &str) -> Vec<Row> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.deserialize().map(|row| row.expect("it is a row")).collect()
    }
}
