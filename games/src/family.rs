//! Families: games of any size, their rules written as templates (`families/<id>/`).

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::path::Path;

use include_dir::{Dir, include_dir};
use minijinja::{Value, context};
use play::{Language, MAX_PLAYERS, Wording, WordingFault, Words};
use serde::Deserialize;

use crate::catalogue::Catalogue;
use crate::entry::{Description, GameEntry};
use crate::folder::{Folder, Kind};
use crate::manifest::{ID_SHAPE, is_id};
use crate::setup::Setup;
use crate::template::{self, environment};

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/families");

/// Name of the file in each family's folder that says what the rest is.
const MANIFEST: &str = "family.toml";

/// The parameter whose value is the number of players.
const PLAYERS: &str = "players";

/// Largest size: files are named by the letters of the alphabet.
const LARGEST: u32 = 26;

/// A game whose board has any size.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// Name of the folder.
    pub id: String,
    /// Its `family.toml`, as messages show it.
    manifest: String,
    /// Name for people.
    pub title: String,
    /// The unit of the size.
    pub size: String,
    /// The sizes that a study takes, ascending.
    pub sizes: Vec<u32>,
    /// The smallest size that makes a game.
    least: u32,
    players: u8,
    /// Template of the name of a game.
    instance: String,
    /// Expression for the ply cap.
    cap: String,
    /// The line of the cap in `family.toml`.
    cap_line: usize,
    /// Template of the rules in words.
    rules: String,
    /// Templates of descriptions.
    descriptions: BTreeMap<Language, Description>,
    /// Games of the catalogue that are this game at a size.
    catalogue: BTreeMap<u32, String>,
    /// The form of its positions, if they have a notation.
    setup: Option<SetupForm>,
    /// Players who have one result together.
    teams: Vec<Vec<u8>>,
    /// The values that each parameter may have; the first is the usual one.
    parameters: BTreeMap<String, Vec<u32>>,
    /// The values that the parameters have.
    chosen: BTreeMap<String, u32>,
}

/// `[setup]` of a family: positions are written and put into rules as those of a game of the
/// catalogue.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetupForm {
    /// The game of the catalogue that has the signs, and the words for them.
    like: String,
    /// Template of the start.
    start: String,
}

/// Something is wrong with a family, or with the size asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyError(String);

impl fmt::Display for FamilyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for FamilyError {}

impl Family {
    /// The families that are built into the program, by id.
    ///
    /// Fails only if the program was built from a broken folder, which a test rules out.
    pub fn embedded() -> Result<Vec<Family>, FamilyError> {
        load(&Folder::embedded(&EMBEDDED, "games/families"))
    }

    /// The families in a folder on disk, by id.
    pub fn from_dir(path: impl AsRef<Path>) -> Result<Vec<Family>, FamilyError> {
        load(&Folder::disk(path.as_ref().to_owned()))
    }

    /// The family with another value of a parameter. The catalogue has the games with usual values
    /// only.
    ///
    /// Fails if it has no such parameter or value.
    pub fn with(&self, parameter: &str, value: u32) -> Result<Family, FamilyError> {
        let id = &self.id;
        let fault = |what: String| Err(FamilyError(format!("`{id}` has no {what}")));
        let Some(values) = self.parameters.get(parameter) else {
            let known: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
            let hint = text::did_you_mean(parameter, known.iter().copied());
            let has = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return fault(format!("parameter `{parameter}`{hint}; it has {has}"));
        };
        if !values.contains(&value) {
            let values: Vec<String> = values.iter().map(u32::to_string).collect();
            let expected = values.join(", ");
            return fault(format!("`{parameter}` of {value}; expected one of {expected}"));
        }
        let mut family = self.clone();
        family.chosen.insert(parameter.to_owned(), value);
        Ok(family)
    }

    /// Parameters besides the size, with their values, the usual one first.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &[u32])> {
        self.parameters.iter().map(|(name, values)| (name.as_str(), values.as_slice()))
    }

    /// The id, with the values of parameters that are not the usual ones: `wumpus-hunt-alive2`.
    pub fn name(&self) -> String {
        let chosen = self.chosen.iter().filter(|(name, value)| !self.is_usual(name, **value));
        chosen
            .fold(self.id.clone(), |name, (parameter, value)| format!("{name}-{parameter}{value}"))
    }

    /// The number of players: the value of the parameter [`PLAYERS`], if there is one.
    fn players(&self) -> u8 {
        let chosen = self.chosen.get(PLAYERS).and_then(|&players| players.try_into().ok());
        chosen.unwrap_or(self.players)
    }

    fn is_usual(&self, parameter: &str, value: u32) -> bool {
        self.parameters.get(parameter).and_then(|values| values.first()) == Some(&value)
    }

    /// The game of this size, called `<name>-<n>`, with a hand-written module if the family names
    /// one for it. Where the catalogue has the game, what is recorded there and its module go with
    /// it.
    ///
    /// Fails if there is no such size or a template is faulty.
    pub fn at(&self, n: u32, catalogue: &Catalogue) -> Result<GameEntry, FamilyError> {
        if !(self.least..=LARGEST).contains(&n) {
            let Family { id, least, .. } = self;
            return Err(FamilyError(format!(
                "`{id}` has no size {n}; expected {least} to {LARGEST}"
            )));
        }
        let shown = |file: &str| format!("games/families/{}/{file}", self.id);
        let mut descriptions = BTreeMap::new();
        for (&language, template) in &self.descriptions {
            let text = self.render(&template.name, &template.text, n)?;
            // Modules are not there for every size.
            if language == Language::Bitboard && text.trim().is_empty() {
                continue;
            }
            let name = format!("{} at size {n}", template.name);
            descriptions
                .insert(language, Description { name, text, words: template.words.clone() });
        }
        let usual = self.chosen.iter().all(|(name, &value)| self.is_usual(name, value));
        let recorded = match self.catalogue.get(&n).filter(|_| usual) {
            Some(id) => Some(catalogue.get(id).map_err(|error| {
                FamilyError(format!("{}: [catalogue]: {error}", self.manifest))
            })?),
            None => None,
        };
        if let Some(module) = recorded.and_then(|game| game.descriptions.get(&Language::Bitboard)) {
            descriptions.insert(Language::Bitboard, module.clone());
        }
        Ok(GameEntry {
            id: format!("{}-{n}", self.name()),
            title: self.render(&shown("instance"), &self.instance, n)?,
            players: self.players(),
            cap: self.cap_at(n)?,
            teams: self.teams.clone(),
            paper: Vec::new(),
            rules: self.render(&shown("rules"), &self.rules, n)?,
            sources: format!("the family `{}` at size {n}", self.name()),
            perft: recorded.and_then(|game| game.perft.clone()),
            playouts: recorded.and_then(|game| game.playouts.clone()),
            recorded: recorded.and_then(|game| game.recorded.clone()),
            setup: self.setup_at(n, catalogue)?,
            descriptions,
            unsaid: BTreeMap::new(),
        })
    }

    /// The notation of positions at a size.
    fn setup_at(&self, n: u32, catalogue: &Catalogue) -> Result<Option<Setup>, FamilyError> {
        let Some(form) = &self.setup else { return Ok(None) };
        let fault = |why: String| FamilyError(format!("{}: [setup]: {why}", self.manifest));
        // Other catalogues need not have the game.
        let Ok(like) = catalogue.get(&form.like) else { return Ok(None) };
        let Some(setup) = &like.setup else {
            return Err(fault(format!("{} has no [setup]", form.like)));
        };
        let start = self.render("[setup] start", &form.start, n)?;
        Ok(Some(Setup { start, ..setup.clone() }))
    }

    /// The template of the rules in a language; `None` if the family lacks the language.
    pub fn template(&self, language: Language) -> Option<&str> {
        self.descriptions.get(&language).map(|description| &*description.text)
    }

    /// Sizes that the catalogue has, with the ids of its games.
    pub fn recorded(&self) -> impl Iterator<Item = (u32, &str)> {
        self.catalogue.iter().map(|(&n, id)| (n, id.as_str()))
    }

    fn render(&self, name: &str, template: &str, n: u32) -> Result<String, FamilyError> {
        render(name, template, n, &self.chosen)
    }

    fn cap_at(&self, n: u32) -> Result<u32, FamilyError> {
        let Family { id, manifest, cap_line, .. } = self;
        let fault =
            |why: String| FamilyError(format!("{manifest}:{cap_line}: the cap of `{id}`: {why}"));
        let environment = environment();
        let value = environment
            .compile_expression(&self.cap)
            .and_then(|expression| {
                expression.eval(context! { n, ..Value::from_serialize(&self.chosen) })
            })
            .map_err(|error| fault(error.to_string()))?;
        u32::try_from(value.clone())
            .ok()
            .filter(|&cap| cap > 0)
            .ok_or_else(|| fault(format!("`{}` is {value} at size {n}", self.cap)))
    }
}

/// Templates see the size `n`, the names of `files` (`a`, `b`, ...) and of `ranks` (1, 2, ...), and
/// the values of parameters.
fn render(
    name: &str,
    template: &str,
    n: u32,
    chosen: &BTreeMap<String, u32>,
) -> Result<String, FamilyError> {
    let files: Vec<String> =
        ('a'..='z').take(n as usize).map(|letter| letter.to_string()).collect();
    let ranks: Vec<u32> = (1..=n).collect();
    let chosen = Value::from_serialize(chosen);
    let names = context! { n, files => files, ranks => Value::from(ranks), ..chosen };
    template::render(name, template, names).map_err(FamilyError)
}

/// `family.toml` as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    title: String,
    instance: String,
    size: String,
    players: u8,
    cap: toml::Spanned<String>,
    sizes: Vec<u32>,
    least: u32,
    rules: String,
    descriptions: BTreeMap<String, String>,
    #[serde(default)]
    words: BTreeMap<String, ManifestWords>,
    #[serde(default)]
    setup: Option<SetupForm>,
    #[serde(default)]
    catalogue: BTreeMap<String, String>,
    #[serde(default)]
    teams: Vec<Vec<u8>>,
    #[serde(default)]
    parameters: BTreeMap<String, Vec<u32>>,
}

impl Manifest {
    /// The teams by the numbers of their players from 0; or what is wrong with them.
    fn teams(&self) -> Result<Vec<Vec<u8>>, String> {
        let players = self.teams.iter().flatten();
        if let Some(odd) = players.clone().find(|&&player| !(1..=self.players).contains(&player)) {
            return Err(format!("`teams` has player {odd}, of {}", self.players));
        }
        let mut seen = Vec::new();
        for player in players {
            if seen.contains(player) {
                return Err(format!("`teams` has player {player} twice"));
            }
            seen.push(*player);
        }
        let numbered = |team: &Vec<u8>| team.iter().map(|player| player - 1).collect();
        Ok(self.teams.iter().map(numbered).collect())
    }

    /// The usual values of parameters; or what is wrong with these.
    fn usual(&self) -> Result<BTreeMap<String, u32>, String> {
        let mut usual = BTreeMap::new();
        for (name, values) in &self.parameters {
            let first = values.first().ok_or(format!("the parameter `{name}` has no values"))?;
            if ["n", "files", "ranks"].contains(&name.as_str()) || !is_id(name) {
                return Err(format!("a parameter cannot be called `{name}`"));
            }
            usual.insert(name.clone(), *first);
        }
        if let Some(values) = self.parameters.get(PLAYERS) {
            if usual.get(PLAYERS) != Some(&self.players.into()) {
                return Err(format!("the first value of `{PLAYERS}` is not {}", self.players));
            }
            let most = MAX_PLAYERS as u32;
            let are_known =
                values.iter().all(|&count| (self.players.into()..=most).contains(&count));
            if !are_known {
                return Err(format!("`{PLAYERS}` is not {} to {most} in all games", self.players));
            }
        }
        Ok(usual)
    }
}

/// A table of `[words]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ManifestWords {
    #[serde(default)]
    full: bool,
    #[serde(default = "yes")]
    shared: bool,
    #[serde(default)]
    actions: BTreeMap<String, String>,
    #[serde(default)]
    percepts: BTreeMap<String, String>,
}

impl ManifestWords {
    fn read(self) -> Result<Words, WordingFault> {
        let ManifestWords { full, shared, actions, percepts } = self;
        let (actions, percepts) = (Wording::new(actions)?, Wording::new(percepts)?);
        Ok(Words { shared, full, actions, percepts })
    }
}

fn yes() -> bool {
    true
}

fn load(root: &Folder) -> Result<Vec<Family>, FamilyError> {
    let unreadable = |why| FamilyError(format!("cannot read {}: {why}", root.shown()));
    let mut families = Vec::new();
    for (id, kind) in root.children().map_err(unreadable)? {
        let folder = root.folder(&id).filter(|_| kind == Kind::Folder);
        let Some(folder) = folder.filter(|_| is_id(&id)) else {
            let shown = root.shown_child(&id);
            return Err(FamilyError(format!("{shown} is no family: {ID_SHAPE}, a folder each")));
        };
        families.push(read(id, &folder)?);
    }
    if families.is_empty() {
        return Err(FamilyError(format!("there is no family in {}", root.shown())));
    }
    Ok(families)
}

fn read(id: String, folder: &Folder) -> Result<Family, FamilyError> {
    let shown = folder.shown_child(MANIFEST);
    let fault = |why: &dyn fmt::Display| FamilyError(format!("{shown}: {why}"));
    let text = folder.read(MANIFEST).map_err(|why| fault(&why))?;
    let manifest: Manifest = toml::from_str(&text).map_err(|error| fault(&error))?;
    if !(1..=MAX_PLAYERS as u8).contains(&manifest.players) {
        return Err(fault(&format!(
            "`players` is {}, expected 1 to {MAX_PLAYERS}",
            manifest.players
        )));
    }
    let teams = manifest.teams().map_err(|why| fault(&why))?;
    let chosen = manifest.usual().map_err(|why| fault(&why))?;
    let possible = manifest.least..=LARGEST;
    let ascending = manifest.sizes.is_sorted_by(|a, b| a < b);
    if manifest.sizes.is_empty()
        || !ascending
        || !manifest.sizes.iter().all(|n| possible.contains(n))
    {
        let least = manifest.least;
        return Err(fault(&format!("`sizes` must ascend, from {least} to {LARGEST} at most")));
    }
    let mut descriptions = BTreeMap::new();
    for (language, name) in &manifest.descriptions {
        let language: Language = language.parse().map_err(|why| fault(&why))?;
        // Not a file: the name of a module.
        if language == Language::Bitboard {
            let text = name.clone();
            let words = Words { shared: true, ..Words::default() };
            descriptions.insert(language, Description { name: shown.clone(), text, words });
            continue;
        }
        let text = folder.read(name).map_err(|why| fault(&format!("`{name}`: {why}")))?;
        let words = Words { shared: true, ..Words::default() };
        let name = folder.shown_child(name);
        descriptions.insert(language, Description { name, text, words });
    }
    for (name, words) in manifest.words {
        let described = name.parse().ok().and_then(|language| descriptions.get_mut(&language));
        let Some(description) = described else {
            return Err(fault(&format!("[words.{name}]: there is no description in `{name}`")));
        };
        description.words = words.read().map_err(|why| fault(&format!("[words.{name}]: {why}")))?;
    }
    if descriptions.is_empty() {
        return Err(fault(&"there is no description"));
    }
    let mut catalogue = BTreeMap::new();
    for (size, game) in manifest.catalogue {
        let n = size.parse().map_err(|_| fault(&format!("`{size}` is no size")))?;
        catalogue.insert(n, game);
    }
    let cap_line = text[..manifest.cap.span().start].lines().count();
    Ok(Family {
        id,
        manifest: shown,
        cap_line,
        title: manifest.title,
        size: manifest.size,
        sizes: manifest.sizes,
        least: manifest.least,
        players: manifest.players,
        instance: manifest.instance,
        cap: manifest.cap.into_inner(),
        rules: manifest.rules,
        descriptions,
        catalogue,
        setup: manifest.setup,
        teams,
        parameters: manifest.parameters,
        chosen,
    })
}
