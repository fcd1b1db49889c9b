//! `universal`: any finite game as a graph with one token, or as a tree where nature draws or players
//! do not see everything.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use play::{Game, Job, Language, Limits, Rules, Via};

use super::Outcome;
use super::select::{CatalogueArgs, DEFAULT_CAP, Names, Usage, entry_of, families};
use crate::entry::Entry;
use crate::strategies;
use crate::subject::{Local, Subject};
use crate::universal::{
    Bounds, EdgeLabel, check, explore, extensive, kif, kif_label, lud, lud_label, random_tree,
};
use crate::verify::{self, Effort, Expected};

#[derive(Args, Clone, Debug)]
pub(super) struct UniversalArgs {
    /// A game of the catalogue by id, or a rule file
    #[arg(required_unless_present = "table", conflicts_with = "table")]
    game: Option<String>,
    /// All games of the catalogue and small sizes of the families that are within the bounds, and
    /// random trees, as a table
    #[arg(long)]
    table: bool,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// A node for each sequence of actions, as in the proof, not one for each position
    #[arg(long)]
    tree: bool,
    /// Most nodes
    #[arg(long, default_value_t = 10_000)]
    nodes: usize,
    /// Positions of the tree that may be walked to compare it whole
    #[arg(long, default_value_t = 1_000_000, value_name = "POSITIONS")]
    walk: u64,
    /// Random trees of the table
    #[arg(long, default_value_t = 100)]
    trees: u64,
    /// Seed of the random trees
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for the .lud and .kif that are made [default: runs/universal, with --table none]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the table as CSV, too
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    place: CatalogueArgs,
    #[command(flatten)]
    engines: Names,
}

const HEADER: [&str; 14] = [
    "game",
    "played by",
    "nodes",
    "leaves",
    "depth",
    "tree",
    "tokens",
    "tokens .lud",
    "tokens .kif",
    "lud verified",
    "kif verified",
    "playouts/s",
    "lud playouts/s",
    "kif playouts/s",
];

/// A game that is to be made, as an engine plays it.
struct OriginalGame {
    name: String,
    by: String,
    tokens: Option<u64>,
    game: Box<dyn Game>,
}

pub(super) fn universal(args: &UniversalArgs) -> Result<Outcome> {
    let mut rows: Vec<[String; 14]> = Vec::new();
    let mut failed = false;
    if let Some(target) = &args.game {
        let entry = entry_of(target, &args.place, &args.options, DEFAULT_CAP)?;
        let original = load(args, &entry)?.map_err(Usage)?;
        let form = form(args, &original).map_err(|why| anyhow::anyhow!(why))?;
        if original.game.facts().simultaneous {
            errln!(
                "note: players choose at the same time in this game, and in turn in what is made \
                 of it"
            );
        }
        let out = args.out.clone().unwrap_or_else(|| PathBuf::from("runs/universal"));
        let (row, sound) = made(&original, &form, Some(&out), true)?;
        failed |= !sound;
        rows.push(row);
    } else {
        for entry in candidates(args)? {
            let row = match load(args, &entry)? {
                Ok(original) => form(args, &original)
                    .map(|form| made(&original, &form, args.out.as_deref(), false)),
                Err(why) => Err(why),
            };
            match row {
                Ok(row) => {
                    let (row, sound) = row?;
                    failed |= !sound;
                    rows.push(row);
                }
                Err(why) => errln!("left out: {}: {why}", entry.id),
            }
        }
        for id in 0..args.trees {
            let original = OriginalGame {
                name: format!("random-tree-{id}"),
                by: "tree".to_owned(),
                tokens: None,
                game: random_tree(args.seed, id),
            };
            let form = match form(args, &original) {
                Ok(form) => form,
                Err(why) => {
                    errln!("left out: {}: {why}", original.name);
                    continue;
                }
            };
            let (row, sound) = made(&original, &form, args.out.as_deref(), false)?;
            failed |= !sound;
            rows.push(row);
        }
    }
    show(args, &rows)?;
    Ok(if failed { Outcome::Failed } else { Outcome::Fine })
}

fn show(args: &UniversalArgs, rows: &[[String; 14]]) -> Result<()> {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(HEADER);
    for row in rows {
        table.add_row(row);
    }
    outln!("{table}")?;
    outln!(
        "A rate is what one engine plays of one graph, for comparison with the original here: a \
         short \
         sample without an interval. `ggpbench bench` measures the files."
    )?;
    if let Some(path) = &args.csv {
        let mut csv = csv::Writer::from_path(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        csv.write_record(HEADER)?;
        for row in rows {
            csv.write_record(row.iter().map(|text| reports::text::csv_field(text).into_owned()))?;
        }
        csv.flush()?;
    }
    Ok(())
}

/// The games of the catalogue, and sizes of families that may be small enough.
fn candidates(args: &UniversalArgs) -> Result<Vec<Entry>> {
    let mut entries = args.place.entries(&[], None)?;
    let catalogue = args.place.load()?;
    for family in families(None)? {
        for size in 2..=5 {
            entries.extend(Entry::of_family(&family, size, &catalogue));
        }
    }
    Ok(entries)
}

/// The game on the first engine of our own that plays it; else why there is none.
fn load(args: &UniversalArgs, entry: &Entry) -> Result<Result<OriginalGame, String>> {
    let engine_set = args.engines.engine_set()?;
    let mut why = "no engine here reads it".to_owned();
    for (program, rules) in engine_set.pairs(entry) {
        let Some(engine) = roster::engine(&program.engine) else { continue };
        match engine.compile(rules, &Limits::default()) {
            Ok(compiled) => {
                strategies::log(&program.engine, rules, &strategies::of(&*compiled.game));
                return Ok(Ok(OriginalGame {
                    name: match &entry.size {
                        Some((family, size)) => format!("{family} {size}"),
                        None => entry.id.clone(),
                    },
                    by: format!("{}/{}", rules.language, program.engine),
                    tokens: roster::tokens(rules),
                    game: compiled.game,
                }));
            }
            Err(error) => why = format!("{}: {}", error.kind(), error.one_line(&rules.source)),
        }
    }
    Ok(Err(why))
}

/// A game as it is written anew.
struct Form<'g> {
    nodes: usize,
    leaves: usize,
    depth: String,
    tree: String,
    /// True if all histories are compared, so that there is nothing else to prove.
    extensive: bool,
    /// The texts in both languages, or why there is none, with the engines that check them.
    texts: [(Language, &'static str, Result<String, String>); 2],
    /// Compares what was made with the original, and says how much of it.
    check: Box<Check<'g>>,
}

/// A comparison of a game that was made, in a language, with the original: how much was compared,
/// or the first difference.
type Check<'g> = dyn Fn(&dyn Game, Language) -> Result<String, String> + 'g;

/// The form of a game: a tree in which nature draws and players perceive, or a graph.
fn form<'g>(args: &'g UniversalArgs, original: &'g OriginalGame) -> Result<Form<'g>, String> {
    let facts = original.game.facts();
    if facts.chance || facts.hidden { tree(args, original) } else { graph(args, original) }
}

fn tree<'g>(args: &UniversalArgs, original: &'g OriginalGame) -> Result<Form<'g>, String> {
    let tree = extensive::grow(&*original.game, args.nodes.max(1));
    let tree = tree.map_err(|refusal| refusal.to_string())?;
    Ok(Form {
        nodes: tree.nodes.len(),
        leaves: tree.leaves(),
        depth: tree.depth().to_string(),
        tree: tree.nodes.len().to_string(),
        extensive: true,
        texts: [
            (Language::Lud, "ludeme", extensive::lud(&tree, &original.name)),
            (Language::Kif, "prover", extensive::kif(&tree, &original.name)),
        ],
        check: Box::new(move |made, language| {
            let checked = extensive::check(&*original.game, made, &tree, language);
            checked.map(|histories| format!("{histories} histories with their odds"))
        }),
    })
}

fn graph<'g>(args: &'g UniversalArgs, original: &'g OriginalGame) -> Result<Form<'g>, String> {
    let bounds = Bounds { nodes: args.nodes.max(1), tree: args.tree, walk: args.walk };
    let graph = explore(&*original.game, bounds).map_err(|refusal| refusal.to_string())?;
    let tree = match graph.tree {
        Some(nodes) if graph.proven => nodes.to_string(),
        Some(nodes) => format!("{nodes}?"),
        None => "infinite".to_owned(),
    };
    Ok(Form {
        nodes: graph.nodes.len(),
        leaves: graph.leaves(),
        depth: graph.tree.map_or_else(|| "-".to_owned(), |_| graph.depth.to_string()),
        tree,
        extensive: false,
        texts: [
            (Language::Lud, "ludeme", lud(&graph, &original.name)),
            (Language::Kif, "prover", kif(&graph, &original.name)),
        ],
        check: Box::new(move |made, language| {
            let label: EdgeLabel = if language == Language::Lud { lud_label } else { kif_label };
            let checked = check(&*original.game, made, &graph, label, args.walk);
            checked.map(|checked| format!("{} nodes, {}", checked.nodes, checked.tree))
        }),
    })
}

/// Compiles both descriptions of a form, plays them against the original, and says how it went; false
/// where something differs.
fn made(
    original: &OriginalGame,
    form: &Form<'_>,
    out: Option<&Path>,
    thorough: bool,
) -> Result<([String; 14], bool)> {
    let mut sound = true;
    let (mut tokens, mut verified, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    for (language, engine, text) in &form.texts {
        let (language, engine) = (*language, *engine);
        let text = match text {
            Ok(text) => text,
            Err(why) => {
                tokens.push("-".to_owned());
                verified.push(format!("cannot be written: {why}"));
                rates.push("-".to_owned());
                continue;
            }
        };
        let name = format!("{}.{language}", crate::universal::harmless(&original.name));
        if let Some(folder) = out {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
            let path = folder.join(&name);
            std::fs::write(&path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        let rules = Rules::new(language, name, text.as_str());
        tokens.push(roster::tokens(&rules).map_or_else(|| "-".to_owned(), |n| n.to_string()));
        let compiled = roster::engine(engine)
            .context("one of our own engines")?
            .compile(&rules, &Limits::default());
        let game = match compiled {
            Ok(compiled) => compiled.game,
            Err(error) => {
                verified.push(format!("{}: {}", error.kind(), error.one_line(&rules.source)));
                rates.push("-".to_owned());
                sound &= error.kind() == "too large";
                continue;
            }
        };
        let found = (form.check)(&*game, language).and_then(|checked| {
            agreed(&*original.game, &*game, thorough && !form.extensive).map(|()| checked)
        });
        sound &= found.is_ok();
        verified.push(found.unwrap_or_else(|why| format!("WRONG: {why}")));
        rates.push(rate(&*game));
    }
    let mut row = vec![
        original.name.clone(),
        original.by.clone(),
        form.nodes.to_string(),
        form.leaves.to_string(),
        form.depth.clone(),
        form.tree.clone(),
        original.tokens.map_or_else(|| "-".to_owned(), |n| n.to_string()),
    ];
    row.extend(tokens);
    row.extend(verified);
    row.push(rate(&*original.game));
    row.extend(rates);
    let row =
        row.try_into().map_err(|_| anyhow::anyhow!("a row has as many cells as the header"))?;
    Ok((row, sound))
}

/// The harness's own verification of the two, if asked for.
fn agreed(original: &dyn Game, made: &dyn Game, thorough: bool) -> Result<(), String> {
    if !thorough {
        return Ok(());
    }
    let mut subjects: Vec<Box<dyn Subject + '_>> =
        vec![Box::new(Local::new("original", original)), Box::new(Local::new("made", made))];
    let effort = Effort::quick(1, DEFAULT_CAP);
    let proof = verify::verify(&mut subjects, &Expected::default(), &effort);
    let wrong = proof.engines.iter().find(|e| verify::fails([e.verdict]));
    wrong.map_or(Ok(()), |e| Err(format!("{}: {}: {}", e.engine, e.verdict, e.reason)))
}

/// Playouts a second of a sample of a tenth of a second.
fn rate(game: &dyn Game) -> String {
    let (mut count, mut first) = (1, 0);
    loop {
        let job = Job { seed: 1, first, count, cap: DEFAULT_CAP };
        let start = Instant::now();
        std::hint::black_box(game.run(&job, Via::Fast));
        let time = start.elapsed();
        if time > Duration::from_millis(50) || count > 1 << 30 {
            return format!("{:.0}", count as f64 / time.as_secs_f64().max(1e-9));
        }
        first += count;
        count *= 2;
    }
}
