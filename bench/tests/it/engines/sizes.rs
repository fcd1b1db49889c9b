//! Tests of the sizes of the descriptions of the catalogue.

use games::Catalogue;
use play::{Language, Rules};

#[test]
fn ludemes_are_shorter_than_logic_in_every_game_of_both() {
    let catalogue = Catalogue::embedded().unwrap();
    let size = |rules: &Rules| roster::tokens(rules).expect("the catalogue can be read");
    let mut both = 0;
    let mut longer = Vec::new();
    for game in catalogue.games() {
        let (Some(lud), Some(kif)) = (game.rules_in(Language::Lud), game.rules_in(Language::Kif))
        else {
            continue;
        };
        let (lud, kif) = (size(&lud), size(&kif));
        both += 1;
        if lud >= kif {
            longer.push(format!("{}: {lud} tokens in ludemes, {kif} in GDL", game.id));
        }
    }
    assert!(both >= 40, "{both} games in both languages");
    assert!(longer.is_empty(), "{}", longer.join("\n"));
}
