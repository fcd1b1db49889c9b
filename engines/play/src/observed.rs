//! Numbers for games whose labels are known only as they are listed.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::encoding::Encoding;
use crate::label_template::{LabelTemplate, SiteNames};
use crate::mechanics::Mechanics;
use crate::percepts::Percepts;
use crate::position::MAX_FORCED_PASSES;
use crate::rng::Rng;
use crate::scores::Turn;

/// Most numbers of a game.
const MOST: usize = 1 << 16;

/// Playouts that are looked at, always the same, and the plies of each.
const PLAYOUTS: u64 = 64;
const PLIES: u32 = 400;

/// In games of hidden information more is looked at, since percepts are fewer than labels, and some
/// of them rare: so many playouts at least, and as many plies, unless playouts are too many.
const HIDDEN_PLAYOUTS: std::ops::Range<u64> = 256..2048;
const HIDDEN_PLIES: u32 = 4096;

/// Labels after which that is enough: a fraction of a second.
const LABELS: usize = 100_000;

/// An encoding by the labels of a few playouts, which are always the same: the numbers depend on
/// the game alone. Labels are sites with words between them or behind (`e7e8`, `e8=queen`, `pass`).
/// Where one label of a form is seen, all choices of sites get a number, as long as there are no
/// more than 2^16 numbers; other labels get one if they are seen. So the encoding is
/// [`open`](Encoding::open). In games of hidden information percepts are treated alike.
///
/// `None` where there are more labels than that, or none.
pub fn observed_encoding<M: Mechanics>(
    mechanics: &M,
    sites: Vec<String>,
    kinds: Vec<String>,
) -> Option<Encoding> {
    let Seen { labels, percepts } = seen(mechanics);
    let too_many = |texts: &BTreeSet<String>| texts.len() > MOST;
    if labels.is_empty() || too_many(&labels) || too_many(&percepts) || sites.len() > MOST {
        return None;
    }
    let actions = texts(&sites, labels);
    if mechanics.facts().hidden {
        let percepts = texts(&sites, percepts);
        return Some(Encoding { open: true, ..Encoding::perceived(actions, percepts) });
    }
    Some(Encoding { sites, kinds, actions, open: true, ..Encoding::default() })
}

/// What was legal, and what was perceived, in some random playouts.
#[derive(Default)]
struct Seen {
    labels: BTreeSet<String>,
    percepts: BTreeSet<String>,
}

impl Seen {
    fn perceive(&mut self, players: u8, told: &mut Percepts) {
        self.percepts.extend(told.all(players).into_iter().flatten());
        told.clear();
    }
}

fn seen<M: Mechanics>(mechanics: &M) -> Seen {
    let (mut seen, mut legal, mut told) = (Seen::default(), Vec::new(), Percepts::default());
    let (hidden, players) = (mechanics.facts().hidden, mechanics.facts().perceiving());
    let (mut left, mut all_plies) = (LABELS, 0);
    for id in 0..if hidden { HIDDEN_PLAYOUTS.end } else { PLAYOUTS } {
        if id >= HIDDEN_PLAYOUTS.start && all_plies >= HIDDEN_PLIES {
            break;
        }
        let mut rng = Rng::stream(0, id);
        let mut state = mechanics.initial(&mut rng);
        if hidden {
            mechanics.start_percepts(&state, &mut told);
            seen.perceive(players, &mut told);
        }
        let (mut plies, mut passes) = (0, 0);
        while (hidden || left > 0) && plies < PLIES && passes < MAX_FORCED_PASSES {
            legal.clear();
            if mechanics.expand(&mut state, &mut legal) == Turn::Over || legal.is_empty() {
                break;
            }
            if let [only] = legal[..]
                && mechanics.is_pass(&state, only)
            {
                passes += 1;
            } else {
                plies += 1;
                if left > 0 {
                    seen.labels.extend(mechanics.labels(&state, &legal));
                }
                left = left.saturating_sub(legal.len());
            }
            let action = legal[rng.below(legal.len() as u32) as usize];
            if hidden {
                mechanics.apply_perceived(&mut state, action, &mut rng, &mut told);
                seen.perceive(players, &mut told);
            } else {
                mechanics.apply(&mut state, action, &mut rng);
            }
        }
        all_plies += plies;
    }
    seen
}

/// All texts of the forms that were seen, then the others that were.
fn texts(sites: &[String], seen: BTreeSet<String>) -> Vec<String> {
    let names = SiteNames::new(sites);
    let mut forms: BTreeMap<LabelTemplate<'_>, usize> = BTreeMap::new();
    for label in &seen {
        *forms.entry(LabelTemplate::of(label, &names).0).or_default() += 1;
    }
    // Those of few sites first, then the most usual ones.
    let mut forms: Vec<(LabelTemplate<'_>, usize)> = forms.into_iter().collect();
    forms.sort_by_key(|(form, count)| (form.sites, std::cmp::Reverse(*count)));
    let mut all_texts = Vec::new();
    let mut known = HashSet::new();
    for (form, _) in &forms {
        let all = sites.len().checked_pow(form.sites as u32).filter(|_| form.sites > 0);
        for number in 0..all.filter(|all| all + all_texts.len() <= MOST).unwrap_or(0) {
            // The last of the sites is counted fastest.
            let place =
                |n: usize| number / sites.len().pow((form.sites - 1 - n) as u32) % sites.len();
            let label = form.filled(|n| &sites[place(n)]);
            if known.insert(label.clone()) {
                all_texts.push(label);
            }
        }
    }
    let others: Vec<String> =
        seen.iter().filter(|&label| !known.contains(label)).cloned().collect();
    all_texts.extend(others);
    all_texts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(sites: &[&str], seen: &[&str]) -> Vec<String> {
        let sites: Vec<String> = sites.iter().map(|&site| site.to_owned()).collect();
        texts(&sites, seen.iter().map(|&label| label.to_owned()).collect())
    }

    #[test]
    fn one_label_of_a_form_gives_numbers_to_all() {
        assert_eq!(
            numbers(&["a1", "b1", "b10"], &["pass", "b10", "a1=queen"]),
            ["a1", "b1", "b10", "a1=queen", "b1=queen", "b10=queen", "pass"]
        );
        assert_eq!(
            numbers(&["a1", "b1"], &["a1b1", "b1#2", "pass"]),
            ["a1#2", "b1#2", "a1a1", "a1b1", "b1a1", "b1b1", "pass"]
        );
        assert_eq!(
            numbers(&["a1", "b1"], &["a1=,b1=x,b1"]),
            ["a1=,a1=x,a1", "a1=,b1=x,b1", "b1=,a1=x,a1", "b1=,b1=x,b1"]
        );
    }

    #[test]
    fn what_would_be_too_many_is_only_what_was_seen() {
        let sites: Vec<String> = (1..300).map(|i| format!("s{i}")).collect();
        let sites: Vec<&str> = sites.iter().map(String::as_str).collect();
        let found = numbers(&sites, &["s1", "s7s9"]);
        assert_eq!((found.len(), found[299].as_str()), (300, "s7s9"));
    }
}
