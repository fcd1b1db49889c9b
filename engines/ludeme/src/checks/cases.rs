//! Small games with their expected plies, on the evaluator and compiled: `tests/cases/*.lud`, and
//! beside each its `.plies`.
//!
//! Expected plies are written by hand from the specification. A line in brackets begins a case and
//! names the options to choose, with semicolons between them; the next lines are, after lines of
//! comment (`#`):
//!
//! - the state at the start, such as `m1 ph0 4:1 5:2`: player 1 moves, in phase 0, with component 1
//!   on site 4 and component 2 on site 5; without it the state is that of the case before;
//!
//! - `LEGAL`, or `LEGAL | MOVE | STATE`, such as `4>3 4>5*2 pass | 4>3 | m2 ph0 3:1`: the keys of
//!   all legal moves (`FROM>TO`, with `*2` behind one that is listed twice), the one that is made,
//!   and the state that it leads to; without a move the case ends here;
//!
//! - `= WINNER: RANKS`: the end of the game.
//!
//! Every item of every option of a game has a case.

use std::collections::BTreeSet;
use std::path::Path;

use play::{Language, Rules};

use super::compiled::walks_of;
use crate::compile::Purpose;
use crate::game::Game;
use crate::state::State;
use crate::trace::{all_moves, describe, difference, key, listed, moves_difference};
use crate::{front, lower};

/// The fewest cases that the files must have.
const FEWEST: usize = 500;

/// One game: options, the state at the start, and the lines after it.
struct Case<'t> {
    options: Vec<String>,
    start: &'t str,
    lines: Vec<&'t str>,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if let Some(options) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            let options = options.split(';').map(str::trim).filter(|o| !o.is_empty());
            let start = cases.last().map_or("", |case| case.start);
            let options = options.map(str::to_owned).collect();
            cases.push(Case { options, start, lines: Vec::new() });
            continue;
        }
        let case = cases.last_mut().expect("a case begins in brackets");
        if line.starts_with('m') {
            case.start = line;
        } else {
            case.lines.push(line);
        }
    }
    cases
}

/// The words of a line, in alphabetical order.
fn words(line: &str) -> Vec<&str> {
    let mut words: Vec<&str> = line.split(' ').collect();
    words.sort_unstable();
    words
}

/// Plays a case; the error is the first difference.
fn play_case(game: &Game, case: &Case<'_>) -> Result<(), String> {
    let mut state = game.initial.clone();
    let same = |state: &State, expected: &str| match difference(&describe(game, state), expected) {
        Some((found, expected)) => Err(format!("state: expected {expected}, found {found}")),
        None => Ok(()),
    };
    same(&state, case.start).map_err(|e| format!("at the start: {e}"))?;
    for line in &case.lines {
        if let Some(end) = line.strip_prefix("= ") {
            let players = 1..=game.world.players;
            let ranks = players.map(|p| format!(" {}", f64::from(state.head.ranks[p]) / 2.0));
            let found = format!("{}:{}", state.head.winner, ranks.collect::<String>());
            if !state.head.over || found != end {
                return Err(format!("the end: expected {end}, found {found}"));
            }
            continue;
        }
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let legal = all_moves(game, &mut state, None);
        let keys: Vec<String> = legal.iter().map(|made| key(game, &state, made)).collect();
        let found = listed(&keys, keys.len() as u64);
        if words(&found) != words(parts[0]) {
            let (more, less) = moves_difference(&found, parts[0]);
            return Err(format!("{line}: legal moves: missing {less}; not expected {more}"));
        }
        let Some(played) = parts.get(1) else { continue };
        let index =
            keys.iter().position(|key| key == played).ok_or(format!("{line}: not legal"))?;
        game.advance(&mut state, &legal[index], None);
        same(&state, &parts[2..].join(" | ")).map_err(|e| format!("{line}: {e}"))?;
    }
    Ok(())
}

/// Plays a case on the evaluator and as machine code, and both beside each other at random.
fn check(rules: &Rules, case: &Case<'_>) -> Result<(), String> {
    let parsed = front::parse(rules).map_err(|e| e.one_line(&rules.source))?;
    let lowered = || lower::lower(&parsed.root).map_err(|e| e.one_line(&rules.source));
    let plain = Game::new(lowered()?);
    play_case(&plain, case)?;
    if let Some(code) = Game::new(lowered()?).compiled(Purpose::Playouts) {
        play_case(&code, case).map_err(|e| format!("compiled: {e}"))?;
    }
    walks_of(rules, 5, 1).map(|_| ())
}

/// Checks all cases of a file. Returns their number and the differences.
fn check_file(file: &Path) -> (usize, Vec<String>) {
    let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let text = std::fs::read_to_string(file).expect(name);
    let expected = std::fs::read_to_string(file.with_extension("plies"));
    let expected = expected.unwrap_or_else(|error| panic!("{name}.plies: {error}"));
    let cases = cases(&expected);
    let rules = Rules::new(Language::Lud, format!("{name}.lud"), text);
    let choosing = |case: &Case<'_>| Rules { options: case.options.clone(), ..rules.clone() };
    let wrong = cases.iter().filter_map(|case| {
        let what = check(&choosing(case), case).err()?;
        Some(format!("{name} {:?}: {what}", case.options))
    });
    let mut wrong: Vec<String> = wrong.collect();
    let mut without_case: BTreeSet<String> = BTreeSet::new();
    for block in front::options(&rules).blocks {
        let items = block.items.into_iter();
        without_case.extend(items.map(|item| format!("{}/{}", block.heading, item.name)));
    }
    for block in cases.iter().flat_map(|case| front::options(&choosing(case)).blocks) {
        without_case.remove(&block.choice());
    }
    wrong.extend(without_case.into_iter().map(|item| format!("{name} [{item}]: there is no case")));
    (cases.len(), wrong)
}

#[test]
fn small_games_go_as_specified() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let only = std::env::var("CASES").unwrap_or_default();
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the cases").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "lud"));
    files.retain(|file| file.file_stem().is_some_and(|n| n.to_string_lossy().contains(&only)));
    files.sort();
    assert!(!files.is_empty(), "no file of cases is called {only}");
    // Two threads, because no other test takes nearly as long.
    let half = |first: usize| -> (usize, Vec<String>) {
        let checked = files.iter().skip(first).step_by(2).map(|file| check_file(file));
        checked.fold((0, Vec::new()), |(count, wrong), (more, faults)| {
            (count + more, [wrong, faults].concat())
        })
    };
    let ((some, mut wrong), (others, more)) = std::thread::scope(|scope| {
        let others = scope.spawn(|| half(1));
        (half(0), others.join().expect("cases are compared, not asserted"))
    });
    wrong.extend(more);
    let count = some + others;
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= FEWEST || !only.is_empty(), "only {count} cases");
}
