//! The games that each language says, and the reasons for those that it does not.

use anyhow::{Context, Error, Result, anyhow};
use edits::read;
use play::{BuildFact, Facts, Language, Limits, Rules};
use reports::languages::reach::Row;
use reports::languages::text;

use super::size::{LANGUAGES, share_listed};
use super::{Setting, engine_for};
use crate::entry::Entry;

pub(super) fn collect(setting: &Setting<'_>) -> Result<String> {
    let rows = setting.each(setting.games, |game| of_game(setting, game));
    let rows = rows.into_iter().collect::<Result<Vec<Vec<Row>>>>()?;
    Ok(text(&rows.concat())?)
}

/// A row for each language.
fn of_game(setting: &Setting<'_>, game: &Entry) -> Result<Vec<Row>> {
    let described = |language| game.descriptions.iter().find(|rules| rules.language == language);
    // The first language in which it is described.
    let rules = LANGUAGES.into_iter().find_map(described);
    let rules = rules.with_context(|| format!("{} has no description", game.id))?;
    let facts = facts(rules).with_context(|| format!("cannot compile {}", game.id))?;
    let known = setting.catalogue.games().iter().find(|known| known.id == game.id);
    let row = |language: Language| {
        let listed = described(language)
            .map(|rules| share_listed(&read(rules.source.text(), rules.language)));
        let unsaid = known.and_then(|known| known.unsaid.get(&language));
        Row {
            game: game.id.clone(),
            players: facts.players,
            chance: facts.chance,
            hidden: facts.hidden,
            simultaneous: facts.simultaneous,
            places: places(&facts),
            language: language.name().to_owned(),
            listed,
            reason: match listed {
                Some(_) => String::new(),
                None => unsaid.cloned().unwrap_or_else(|| "unwritten".to_owned()),
            },
        }
    };
    Ok(LANGUAGES.into_iter().map(row).collect())
}

/// What an engine finds out when it compiles the rules.
fn facts(rules: &Rules) -> Result<Facts> {
    let engine = engine_for(rules.language).map_err(Error::msg)?;
    let compiled = engine.compile(rules, &Limits::default());
    let compiled = compiled.map_err(|error| anyhow!("{}", error.one_line(&rules.source)))?;
    Ok(compiled.game.facts().clone())
}

/// Sites of all containers, where the engine tells.
fn places(facts: &Facts) -> u64 {
    let sites = facts.build.iter().find(|(fact, _)| *fact == BuildFact::Sites);
    sites.map_or(0, |(_, number)| *number)
}

#[cfg(test)]
mod tests {
    use games::{Catalogue, REASONS};
    use reports::languages::reach::fits;

    use super::*;

    #[test]
    fn a_game_that_lacks_a_language_has_a_reason_that_fits_it() {
        let catalogue = Catalogue::embedded().unwrap();
        for game in catalogue.games() {
            for language in LANGUAGES.into_iter().filter(|l| !game.descriptions.contains_key(l)) {
                let unsaid = game.unsaid.get(&language);
                assert!(unsaid.is_some(), "{} lacks {language} for no reason: [unsaid]", game.id);
            }
            let reasons = ["chance", "hidden", "simultaneous"];
            if !game.unsaid.values().any(|reason| reasons.contains(&&**reason)) {
                continue;
            }
            let facts = facts(&game.rules_in(Language::Lud).unwrap()).unwrap();
            for reason in game.unsaid.values() {
                let row = Row {
                    game: game.id.clone(),
                    players: facts.players,
                    chance: facts.chance,
                    hidden: facts.hidden,
                    simultaneous: facts.simultaneous,
                    places: 0,
                    language: String::new(),
                    listed: None,
                    reason: reason.clone(),
                };
                assert!(fits(&row), "{}: {reason}, but {facts:?}", game.id);
            }
        }
    }

    #[test]
    fn the_report_knows_the_reasons_of_manifests() {
        let known = reports::languages::reach::REASONS.map(|(reason, _)| reason);
        assert_eq!(known, REASONS);
    }
}
