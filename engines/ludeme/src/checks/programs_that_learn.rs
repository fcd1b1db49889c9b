//! What positions show to programs that learn, beside the slow way to say the same: planes site by
//! site, keys beside labels, and lists of sites beside lists of moves.

use play::{Mechanics, NoChance, Turn};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::mechanics::Ludemes;
use crate::moves::MoveId;
use crate::state::State;

/// Moves that are made on a copy.
const MADE: usize = 3;

/// Holds a position and its legal moves to the slow way. `names` has the labels of keys met so far.
/// The error says what differs.
pub(super) fn check_numbers(
    code: &Ludemes,
    state: &State,
    legal: &[MoveId],
    names: &mut FxHashMap<u64, String>,
) -> Result<(), String> {
    let world = &code.game().world;
    let bytes = world.sites() * (world.components.len() - 1);
    let [mut planes, mut by_site] = [7, 8].map(|filler| vec![filler; bytes]);
    code.planes(state, &mut planes);
    code.planes_of_stacks(state, &mut by_site);
    if planes != by_site {
        return Err("other planes".to_owned());
    }
    check_labels(code, state, legal, names)?;
    check_sites(code, state, legal)
}

fn check_labels(
    code: &Ludemes,
    state: &State,
    legal: &[MoveId],
    names: &mut FxHashMap<u64, String>,
) -> Result<(), String> {
    let mut keys = Vec::new();
    if !code.label_keys(state, legal, &mut keys) {
        return Ok(());
    }
    let plain: Vec<String> = legal.iter().map(|&id| code.plain_label(state, id)).collect();
    for (key, label) in keys.into_iter().zip(&plain) {
        let known = names.entry(key).or_insert_with(|| label.clone());
        if known != label {
            return Err(format!("one key for {known} and {label}"));
        }
    }
    let differ = plain.iter().collect::<FxHashSet<_>>().len() == plain.len();
    if differ && code.labels(state, legal) != plain {
        return Err("labels that differ by themselves and others".to_owned());
    }
    Ok(())
}

fn check_sites(code: &Ludemes, state: &State, legal: &[MoveId]) -> Result<(), String> {
    let facts = code.facts();
    if facts.chance || facts.hidden {
        return Ok(());
    }
    let (mut before, mut sites) = (state.clone(), Vec::new());
    let Some(listed) = code.expand_sites(&mut before, &mut sites) else { return Ok(()) };
    if (listed.turn == Turn::Over) != state.head.over {
        return Err("an end that is none".to_owned());
    }
    if state.head.over {
        return Ok(());
    }
    let actions = |family: u32, sites: &[u64]| -> Vec<Option<MoveId>> {
        let sites = sites::SetView(sites).iter().zip(0..);
        sites.map(|(site, place)| code.site_action([family, site as u32, place])).collect()
    };
    let wanted: Vec<Option<MoveId>> = legal.iter().copied().map(Some).collect();
    if actions(listed.family, &sites) != wanted {
        return Err(format!("other sites: {sites:?} for {legal:?}"));
    }
    for &action in legal.iter().step_by(legal.len().div_ceil(MADE)) {
        let [mut one, mut other] = [state.clone(), before.clone()];
        let mut next = Vec::new();
        code.apply(&mut one, action, &mut NoChance);
        let turn = code.expand(&mut one, &mut next);
        let listed = code.apply_to_sites(&mut other, action, &mut sites);
        let next: Vec<Option<MoveId>> = next.into_iter().map(Some).collect();
        if let Some(listed) = listed
            && (listed.turn != turn || turn != Turn::Over && actions(listed.family, &sites) != next)
        {
            return Err(format!("other sites after {action:?}"));
        }
        code.expand(&mut other, &mut Vec::new());
        if !one.same(&other) || one.words() != other.words() || one.history != other.history {
            return Err(format!("another state after {action:?}"));
        }
    }
    Ok(())
}
