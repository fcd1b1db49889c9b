//! The part `mistakes`: which mistakes of authors are noticed, when, and at which place.

use serde::{Deserialize, Serialize};

use super::names::shown;
use super::section::{Grid, Section};
use super::shares::{Share, common, counted, distinct, failures, languages_of, listed};

/// What became of slips of one kind in one description.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Id of the game.
    pub game: String,
    /// Language of the description.
    pub language: String,
    /// Kind of the slips; empty where the description itself could not be played.
    pub kind: String,
    /// Number of slips.
    pub slips: u32,
    /// Refused, and the first message has the right place.
    pub placed: u32,
    /// Refused, and the first message has a line of the slip.
    pub on_line: u32,
    /// Refused, and some message has the right place.
    pub among: u32,
    /// Refused, and the first message has another place, or there is none.
    pub elsewhere: u32,
    /// Slips that put one word in the place of another, and that are refused, or compiled with a
    /// warning at the right place.
    pub words: u32,
    /// Of these, those whose messages suggest a word.
    pub suggested: u32,
    /// Of these, those whose messages suggest the word that was there.
    pub suggested_right: u32,
    /// Given up, as compiling takes more than the limits allow.
    pub limits: u32,
    /// Compiled, but playouts get stuck or do not end.
    pub late: u32,
    /// Compiled, and the kind of the game or the legal actions at its start differ.
    pub at_start: u32,
    /// Compiled, and the tree of the first plies differs.
    pub in_tree: u32,
    /// Compiled, and random walks differ.
    pub on_walk: u32,
    /// Compiled, and means of random playouts differ.
    pub in_playouts: u32,
    /// Compiled, and nothing differs within the budget.
    pub unnoticed: u32,
    /// Compiled, with a warning at the right place.
    pub warned: u32,
    /// Slips at which an engine panicked.
    pub panics: u32,
    /// The last panic, or the reason why the description could not be played.
    pub reason: String,
}

impl Row {
    /// Refused by the front end or the compiler.
    pub fn refused(&self) -> u32 {
        self.placed + self.elsewhere
    }

    /// Compiled, and found by a comparison with the original.
    pub fn differs(&self) -> u32 {
        self.at_start + self.in_tree + self.on_walk + self.in_playouts
    }

    /// Compiled.
    pub fn compiled(&self) -> u32 {
        self.late + self.differs() + self.unnoticed
    }
}

/// Of a row, some cases and all of them.
type Of = fn(&Row) -> (u32, u32);

const REFUSED: Of = |row| (row.refused(), row.slips);
const PLACED: Of = |row| (row.placed, row.refused());
const UNNOTICED: Of = |row| (row.unnoticed, row.slips);

/// What becomes of slips, in the order of time.
const STAGES: [(&str, Of); 6] = [
    ("refused, right place", |row| (row.placed, row.slips)),
    ("refused elsewhere", |row| (row.elsewhere, row.slips)),
    ("over the limits", |row| (row.limits, row.slips)),
    ("fails in play", |row| (row.late, row.slips)),
    ("plays differently", |row| (row.differs(), row.slips)),
    ("unnoticed", UNNOTICED),
];

/// The quality of messages.
const MESSAGES: [(&str, Of); 6] = [
    ("first at the right place", PLACED),
    ("first on the line", |row| (row.on_line, row.refused())),
    ("some at the right place", |row| (row.among, row.refused())),
    ("suggests a word", |row| (row.suggested, row.words)),
    ("suggested word is right", |row| (row.suggested_right, row.suggested)),
    ("warning, if compiled", |row| (row.warned, row.compiled())),
];

/// What tells a slip that plays differently from its original.
const EVIDENCE: [(&str, Of); 4] = [
    ("start", |row| (row.at_start, row.differs())),
    ("tree", |row| (row.in_tree, row.differs())),
    ("walks", |row| (row.on_walk, row.differs())),
    ("playouts", |row| (row.in_playouts, row.differs())),
];

const DEFINITIONS: [&str; 5] = [
    "A slip is a typical mistake of an author, planted into a description by a program, one at a \
     time: a clause or an argument dropped, doubled, or swapped with its neighbour; a wrong name, \
     which is another one of the file that looks of the same sort; a name misspelt by one letter; \
     a wrong number, off by one; the opposite of a word, such as a direction, a player, a sign or \
     a connective; a missing bracket. In each description all kinds that it has places for are \
     equally frequent, places are drawn at random, and the layout stays as it is.",
    "A slip is refused if the front end or the compiler of our engine reports an error. The first \
     message has the right place if it begins on a line of the slip, or within the brackets \
     directly around it (of a missing bracket: those that lost it). Where a declaration is \
     dropped, only the uses of its name can be pointed at, which counts as elsewhere.",
    "What is compiled fails in play if random playouts get stuck without a legal action, or none \
     of them ends within the ply cap of the game, where the original does better: nobody needs the \
     original to see that. It plays differently if a comparison with the original shows it: legal \
     actions at the start, the tree of the first plies, random walks by labels, means of playouts, \
     in this order, within a small budget of plies. Otherwise it is unnoticed: it is the same \
     game, as where conditions are swapped or stand twice, or the budget does not reach the \
     difference.",
    "A slip is told if it is refused, or compiled with a warning at the right place. A suggestion \
     is a `did you mean` in the messages about a told slip that has one word in the place of \
     another; it is right if it names the word that was there.",
    "Shares are in percent, with Wilson's intervals of 95 %. Slips in one description are alike, \
     so that the intervals hold for these games, and say less about others. What is refused \
     depends on our engines as much as on the language.",
];

/// What rows show.
pub fn section(rows: &[Row]) -> Section {
    let played: Vec<&Row> = rows.iter().filter(|row| row.slips > 0).collect();
    let languages = languages_of(played.iter().map(|row| &*row.language));
    let pairs = played.iter().map(|row| (&*row.game, &*row.language));
    let games = common(pairs, &languages);
    let shared: Vec<&Row> =
        played.iter().filter(|row| games.contains(&*row.game)).copied().collect();
    let about =
        Languages { languages, rows: if shared.is_empty() { played.clone() } else { shared } };
    let kinds = distinct(rows.iter().map(|row| &*row.kind).filter(|kind| !kind.is_empty()));
    let of = match games.len() {
        0 => "all games".to_owned(),
        count => format!("{} that all these languages describe", counted(count, "game")),
    };
    let mut grids = vec![
        about.by_language(
            "slips",
            &format!("Slips in descriptions of {of}, in percent of slips"),
            &STAGES,
        ),
        about.by_language(
            "messages",
            "Messages about slips in these games, in percent of refused slips, of told slips of \
             one word, of suggestions, and of compiled slips",
            &MESSAGES,
        ),
        about.by_language(
            "evidence",
            "What shows that a slip plays differently, in percent",
            &EVIDENCE,
        ),
        about.by_kind(
            "slips-refused",
            "Refused slips by kind, in percent of slips",
            &kinds,
            REFUSED,
        ),
        about.by_kind(
            "slips-placed",
            "Refused slips whose first message has the right place, in percent of refused",
            &kinds,
            PLACED,
        ),
        about.by_kind(
            "slips-unnoticed",
            "Unnoticed slips by kind, in percent of slips",
            &kinds,
            UNNOTICED,
        ),
    ];
    let all = Languages { languages: about.languages.clone(), rows: played };
    grids.push(all.by_game());
    let reasons = rows.iter().map(|row| (&*row.game, &*row.language, &*row.reason));
    grids.extend(failures("slips-failures", reasons));
    Section {
        title: "Mistakes of authors",
        definitions: DEFINITIONS.to_vec(),
        findings: findings(&about, &kinds, rows, &of),
        grids,
        pictures: Vec::new(),
    }
}

/// Rows of some languages.
struct Languages<'r> {
    languages: Vec<&'r str>,
    rows: Vec<&'r Row>,
}

impl Languages<'_> {
    fn share(&self, language: &str, is_meant: impl Fn(&Row) -> bool, of: Of) -> Share {
        let rows = self.rows.iter().filter(|row| row.language == language && is_meant(row));
        Share::sum(rows.map(|row| of(row)))
    }

    /// A line a language, a column a share.
    fn by_language(&self, label: &'static str, caption: &str, columns: &[(&str, Of)]) -> Grid {
        let heads = ["cases"].into_iter().chain(columns.iter().map(|(head, _)| *head));
        let mut grid = Grid::new(label, caption, "language", heads);
        for language in &self.languages {
            let shares: Vec<Share> =
                columns.iter().map(|(_, of)| self.share(language, |_| true, *of)).collect();
            let cases = shares.first().map_or(0, |share| share.cases).to_string();
            let fields = [cases].into_iter().chain(shares.iter().map(Share::percent));
            grid.push(shown(language), fields);
        }
        grid
    }

    /// A line a kind, a column a language.
    fn by_kind(&self, label: &'static str, caption: &str, kinds: &[&str], of: Of) -> Grid {
        let heads = self.languages.iter().map(|language| shown(language));
        let mut grid = Grid::new(label, caption, "kind", heads);
        for kind in kinds {
            let share = |language: &&str| self.share(language, |row| row.kind == *kind, of);
            grid.push(kind, self.languages.iter().map(|language| share(language).percent()));
        }
        grid
    }

    /// A line a game: for each language what is refused, and what nobody notices.
    fn by_game(&self) -> Grid {
        let caption = "All games: slips refused, and unnoticed, in percent of slips; a blank where \
                       there is no description";
        let heads = self.languages.iter().map(|language| shown(language));
        let mut grid = Grid::new("slips-games", caption, "game", heads);
        for game in distinct(self.rows.iter().map(|row| &*row.game)) {
            let field = |language: &&str| {
                let is_meant = |row: &Row| row.game == game;
                let [refused, unnoticed] =
                    [REFUSED, UNNOTICED].map(|of| self.share(language, is_meant, of));
                let percent = |share: Share| format!("{:.0}", 100.0 * share.value());
                let both = format!("{} / {}", percent(refused), percent(unnoticed));
                if refused.cases == 0 { String::new() } else { both }
            };
            grid.push(game, self.languages.iter().map(field));
        }
        grid
    }

    /// The shares of all languages in a sentence.
    fn listed(&self, of: Of) -> String {
        let share = |language: &&str| {
            (format!("in {}", shown(language)), self.share(language, |_| true, of))
        };
        listed(self.languages.iter().map(share))
    }
}

fn findings(about: &Languages<'_>, kinds: &[&str], rows: &[Row], of: &str) -> Vec<String> {
    let slips: u32 = rows.iter().map(|row| row.slips).sum();
    let mut all = vec![
        format!(
            "Of slips in descriptions of {of}, these are refused before anybody plays: {}.",
            about.listed(REFUSED)
        ),
        format!(
            "The first message about a refused slip has the right place: {}.",
            about.listed(PLACED)
        ),
        format!(
            "Slips that are compiled and play another game, which only a comparison with the \
             original shows: {} of all slips.",
            about.listed(|row| (row.differs(), row.slips))
        ),
        format!(
            "Of compiled slips, a warning has the right place: {}.",
            about.listed(|row| (row.warned, row.compiled()))
        ),
        format!("Nothing notices, within the budget: {} of all slips.", about.listed(UNNOTICED)),
        format!(
            "Of told slips of one word, messages suggest the word that was there: {}.",
            about.listed(|row| (row.suggested_right, row.words))
        ),
    ];
    all.extend(extremes(about, kinds));
    let panics: u32 = rows.iter().map(|row| row.panics).sum();
    all.push(match panics {
        0 => format!("None of {} makes an engine panic.", counted(slips as usize, "slip")),
        some => format!(
            "PANICS: {} of {} make an engine panic; the table of failures has them.",
            counted(some as usize, "slip"),
            slips
        ),
    });
    all
}

/// For each language the kinds of slips that are refused most and least often.
fn extremes(about: &Languages<'_>, kinds: &[&str]) -> Vec<String> {
    let of_language = |language: &&str| {
        let share = |kind: &&&str| about.share(language, |row| row.kind == **kind, REFUSED);
        let mut shares: Vec<(&&str, Share)> =
            kinds.iter().map(|kind| (kind, share(&kind))).filter(|(_, it)| it.cases > 0).collect();
        shares.sort_by(|(_, a), (_, b)| a.value().total_cmp(&b.value()));
        let [(least, few), .., (most, many)] = &shares[..] else { return None };
        Some(format!(
            "In {}, of the kind \"{most}\" {} are refused, of the kind \"{least}\" {}.",
            shown(language),
            many.said(),
            few.said()
        ))
    };
    about.languages.iter().filter_map(of_language).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(game: &str, language: &str, kind: &str, placed: u32, at_start: u32) -> Row {
        Row {
            game: game.to_owned(),
            language: language.to_owned(),
            kind: kind.to_owned(),
            slips: 10,
            placed,
            at_start,
            unnoticed: 10 - placed - at_start,
            ..Row::default()
        }
    }

    #[test]
    fn languages_are_compared_by_the_games_of_all() {
        let rows = [
            row("a", "lud", "dropped", 8, 2),
            row("a", "lud", "swapped", 4, 2),
            row("a", "kif", "dropped", 1, 9),
            row("b", "kif", "dropped", 10, 0),
            Row { reason: "too large".to_owned(), slips: 0, ..row("c", "lud", "", 0, 0) },
        ];
        let section = section(&rows);
        let first = &section.findings[0];
        assert_eq!(
            first,
            "Of slips in descriptions of 1 game that all these languages describe, these are \
             refused before anybody plays: 60.0 % (38.7–78.1 %) in ludemes and 10.0 % (1.8–40.4 %) \
             in GDL."
        );
        let fields = |number: usize, line: usize| section.grids[number].lines[line].1.join(" | ");
        assert!(fields(0, 0).starts_with("20 | 60.0 (38.7–78.1) | 0.0 "), "{}", fields(0, 0));
        assert_eq!(fields(6, 1), " | 100 / 0");
        assert_eq!(section.grids[7].lines[0].0, "c.lud");
        assert!(section.findings.iter().any(|finding| finding.starts_with("None of 40 slips")));
    }

    #[test]
    fn panics_are_loud() {
        let rows = [Row { panics: 2, reason: "it fell".to_owned(), ..row("a", "lud", "x", 1, 1) }];
        let section = section(&rows);
        assert!(section.findings.iter().any(|finding| finding.starts_with("PANICS: 2 slips")));
        assert!(super::section(&[]).findings.len() > 1);
    }
}
