//! The blame for a difference between two engines: everybody is asked about the very difference,
//! and lineages vote on it.

use std::collections::BTreeMap;

use play::kit;

use super::chance::{Meeting, meet};
use super::difference::{Counterexample, Question};
use super::evidence::{Contestant, Evidence};
use super::walk::{End, retrace};
use crate::failure::Failure;

/// The vote of an engine on a difference between two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Vote {
    /// It plays as the first of the two does.
    First,
    /// It plays as the second does.
    Second,
    /// It plays otherwise than both.
    Third,
    /// It cannot tell, or was not asked.
    Abstains,
}

/// A difference between two engines, and how everybody votes on it.
#[derive(Clone, Debug)]
pub(super) struct Dispute {
    /// By number.
    pub(super) parties: [usize; 2],
    pub(super) how: Counterexample,
    /// Of every engine; those of the parties are their own.
    pub(super) votes: Vec<Vote>,
}

/// Asks every engine about a difference. Failures of those that gave no answer are put into
/// `failed`; they abstain.
pub(super) fn ask_everybody(
    contestants: &mut [Option<Contestant<'_>>],
    parties: [usize; 2],
    how: Counterexample,
    failed: &mut Vec<(usize, Failure)>,
) -> Dispute {
    let votes = (0..contestants.len())
        .map(|voter| match parties.iter().position(|&party| party == voter) {
            Some(0) => Vote::First,
            Some(_) => Vote::Second,
            None => ask(contestants, parties, voter, &how.question).unwrap_or_else(|failure| {
                failed.push(failure);
                Vote::Abstains
            }),
        })
        .collect();
    Dispute { parties, how, votes }
}

/// Asks one engine. An error names the engine that gave no answer.
fn ask(
    contestants: &mut [Option<Contestant<'_>>],
    parties: [usize; 2],
    voter: usize,
    question: &Question,
) -> Result<Vote, (usize, Failure)> {
    let side = |like: [Option<bool>; 2]| match like {
        [Some(true), Some(false) | None] => Vote::First,
        [Some(false) | None, Some(true)] => Vote::Second,
        [Some(false), Some(false)] => Vote::Third,
        _ => Vote::Abstains,
    };
    if let Question::Paths(paths) = question {
        let mut like = [None; 2];
        for ((party, path), like) in parties.into_iter().zip(paths).zip(&mut like) {
            let Ok([Some(leader), Some(follower)]) = contestants.get_disjoint_mut([party, voter])
            else {
                return Ok(Vote::Abstains);
            };
            // The walk can be taken as its party took it, or it cannot.
            *like = match retrace(leader.subject, path, follower.subject) {
                Ok(None) => Some(true),
                Ok(Some(End::Differs(_))) => Some(false),
                Ok(Some(End::Unclear)) => None,
                Ok(Some(End::Failed(failure))) => return Err((voter, failure)),
                Err(failure) => return Err((party, failure)),
            };
        }
        return Ok(side(like));
    }
    if let Question::Observed(walk, ply) = question {
        let mut like = [None; 2];
        for (party, like) in parties.into_iter().zip(&mut like) {
            let Ok([Some(leader), Some(follower)]) = contestants.get_disjoint_mut([party, voter])
            else {
                return Ok(Vote::Abstains);
            };
            if !follower.subject.takes_outcomes() {
                return Ok(Vote::Abstains);
            }
            let named = leader.subject.says_words() && follower.subject.says_words();
            let meeting = meet(leader.subject, follower.subject, *walk);
            *like =
                match meeting.map_err(|(culprit, failure)| ([party, voter][culprit], failure))? {
                    Meeting::Alike(plies) => (plies >= *ply).then_some(true),
                    Meeting::Differs(_) => Some(false),
                    Meeting::Named(_) => named.then_some(false),
                };
        }
        return Ok(side(like));
    }
    let [Some(own), Some(first), Some(second)] =
        [voter, parties[0], parties[1]].map(|number| contestants[number].as_ref())
    else {
        return Ok(Vote::Abstains);
    };
    let like = [first, second].map(|party| match question {
        Question::Tree(depth) => {
            let print = |of: &Contestant<'_>| of.evidence.prints.get(*depth).copied();
            Some(print(own)? == print(party)?)
        }
        Question::Playouts => {
            let tally = |of: &Evidence| of.tally.clone();
            Some(kit::differs(&tally(&own.evidence), &tally(&party.evidence)).is_none())
        }
        Question::Chance => Some(own.subject.chance() == party.subject.chance()),
        Question::Paths(_) | Question::Observed(..) => None,
    });
    Ok(side(like))
}

/// An engine as those see it who decide.
pub(super) struct Voter<'a> {
    pub(super) name: &'a str,
    /// Engines of one lineage have one vote.
    pub(super) lineage: &'a str,
    /// The engine whose playouts it plays, by name, where the lineage was found by that.
    pub(super) plays_as: Option<&'a str>,
    /// Its own fault, if there is one: records outrank votes.
    pub(super) fault: Option<&'a str>,
    /// True if other systems' records of this game agree with it; such engines are heard first.
    pub(super) vouched: bool,
}

/// The decision about an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// Nothing speaks against it.
    Sound,
    /// It is wrong, for this reason.
    Wrong(String),
    /// It and others differ, and nothing decides who is right.
    Disputed(String),
}

/// Decides of every engine. One with a fault of its own is wrong and has no vote. In each dispute
/// the lineages vote, of which those whose members stand on several sides have no vote; a strict
/// majority decides, and whoever plays otherwise is wrong. Where nothing decides, all that stand on
/// a side are disputed, unless a party of the dispute is wrong anyway.
pub(super) fn rule(parties: &[Voter<'_>], disputes: &[Dispute]) -> Vec<Ruling> {
    let mut rulings: Vec<Ruling> = parties
        .iter()
        .map(|party| match party.fault {
            Some(fault) => Ruling::Wrong(fault.to_owned()),
            None => Ruling::Sound,
        })
        .collect();
    let decided: Vec<Option<Vote>> =
        disputes.iter().map(|dispute| winner(parties, dispute)).collect();
    for (dispute, winner) in disputes.iter().zip(&decided) {
        let Some(winner) = *winner else { continue };
        for (number, &vote) in dispute.votes.iter().enumerate() {
            let lost = vote != winner && vote != Vote::Abstains;
            if lost && !matches!(rulings[number], Ruling::Wrong(_)) {
                rulings[number] = Ruling::Wrong(lost_reason(parties, dispute, winner, number));
            }
        }
    }
    for (dispute, winner) in disputes.iter().zip(&decided) {
        let settled = dispute.parties.iter().any(|&p| matches!(rulings[p], Ruling::Wrong(_)));
        if winner.is_some() || settled {
            continue;
        }
        for (number, &vote) in dispute.votes.iter().enumerate() {
            if vote != Vote::Abstains && rulings[number] == Ruling::Sound {
                rulings[number] = Ruling::Disputed(open_reason(parties, dispute));
            }
        }
    }
    rulings
}

/// The side that wins a dispute; nothing if it is open.
fn winner(parties: &[Voter<'_>], dispute: &Dispute) -> Option<Vote> {
    let count = |vouched: bool| {
        let mut votes: BTreeMap<&str, Option<Vote>> = BTreeMap::new();
        for (party, &vote) in parties.iter().zip(&dispute.votes) {
            let heard = party.fault.is_none() && (party.vouched || !vouched);
            if heard && vote != Vote::Abstains {
                let of_lineage = votes.entry(party.lineage).or_insert(Some(vote));
                if *of_lineage != Some(vote) {
                    *of_lineage = None;
                }
            }
        }
        let votes: Vec<Vote> = votes.into_values().flatten().collect();
        [Vote::First, Vote::Second]
            .into_iter()
            .find(|side| 2 * votes.iter().filter(|vote| *vote == side).count() > votes.len())
    };
    count(true).or_else(|| count(false))
}

/// The engines that stand on a side, the parties left out, by name.
fn standing(parties: &[Voter<'_>], dispute: &Dispute, side: Vote) -> Vec<String> {
    let with = |number: &usize| dispute.votes[*number] == side && !dispute.parties.contains(number);
    (0..parties.len()).filter(with).map(|number| parties[number].name.to_owned()).collect()
}

/// The sides that the voters take, after a semicolon.
fn sides(parties: &[Voter<'_>], dispute: &Dispute) -> String {
    let [first, second] = dispute.parties.map(|number| parties[number].name);
    let mut text = String::new();
    for (side, what) in [
        (Vote::First, format!("with {first}")),
        (Vote::Second, format!("with {second}")),
        (Vote::Third, "with neither".to_owned()),
    ] {
        let names = standing(parties, dispute, side);
        if !names.is_empty() {
            text.push_str(&format!("; {what}: {}", names.join(", ")));
        }
    }
    for (Voter { name, plays_as, .. }, &vote) in parties.iter().zip(&dispute.votes) {
        if let (Some(other), true) = (plays_as, vote != Vote::Abstains) {
            text.push_str(&format!(
                "; {name} and {other} have one vote: they play the same playouts under one seed"
            ));
        }
    }
    text
}

fn lost_reason(parties: &[Voter<'_>], dispute: &Dispute, winner: Vote, number: usize) -> String {
    let [first, second] = dispute.parties.map(|number| parties[number].name);
    let believed = if winner == Vote::First { first } else { second };
    let how = dispute.how.one_line();
    let sides = sides(parties, dispute);
    if dispute.parties.contains(&number) {
        format!("differs from {believed}: {how} ({first} / {second}{sides})")
    } else {
        format!(
            "differs from {believed} where {first} and {second} do: {how} ({first} / \
             {second}{sides})"
        )
    }
}

fn open_reason(parties: &[Voter<'_>], dispute: &Dispute) -> String {
    let [first, second] = dispute.parties.map(|number| parties[number].name);
    let (how, sides) = (dispute.how.one_line(), sides(parties, dispute));
    format!("{first} and {second} differ, and nothing decides who is right: {how}{sides}")
}

#[cfg(test)]
mod tests {
    use super::Vote::{Abstains, First, Second, Third};
    use super::*;

    /// Engines named by their numbers; `lineages` by letter.
    fn decide(lineages: &str, faulty: &[usize], disputes: &[([usize; 2], &[Vote])]) -> String {
        decide_vouched(lineages, faulty, &[], disputes)
    }

    fn decide_vouched(
        lineages: &str,
        faulty: &[usize],
        vouched: &[usize],
        disputes: &[([usize; 2], &[Vote])],
    ) -> String {
        let names: Vec<String> = (0..lineages.len()).map(|i| format!("e{i}")).collect();
        let parties: Vec<Voter<'_>> = (0..lineages.len())
            .map(|i| Voter {
                name: &names[i],
                lineage: &lineages[i..=i],
                plays_as: None,
                fault: faulty.contains(&i).then_some("it has a fault"),
                vouched: vouched.contains(&i),
            })
            .collect();
        let disputes: Vec<Dispute> = disputes
            .iter()
            .map(|&(parties, votes)| Dispute {
                parties,
                how: Counterexample::bare(Question::Playouts, "how"),
                votes: votes.to_vec(),
            })
            .collect();
        rule(&parties, &disputes)
            .iter()
            .map(|ruling| match ruling {
                Ruling::Sound => '.',
                Ruling::Wrong(_) => 'W',
                Ruling::Disputed(_) => '?',
            })
            .collect()
    }

    #[test]
    fn a_majority_of_lineages_decides() {
        assert_eq!(decide("ab", &[], &[]), "..");
        assert_eq!(decide("abc", &[], &[([0, 1], &[First, Second, First])]), ".W.");
        assert_eq!(decide("abc", &[], &[([0, 1], &[First, Second, Second])]), "W..");
        // Two of one lineage against two others.
        assert_eq!(decide("abcc", &[], &[([0, 2], &[First, First, Second, Second])]), "..WW");
        // An accomplice that nothing was seen of by itself.
        assert_eq!(decide("abcd", &[], &[([0, 1], &[First, Second, First, Abstains])]), ".W..");
        let third = [First, Second, First, First, Third];
        assert_eq!(decide("abcde", &[], &[([0, 1], &third)]), ".W..W");
    }

    #[test]
    fn what_nothing_decides_is_disputed() {
        assert_eq!(decide("ab", &[], &[([0, 1], &[First, Second])]), "??");
        assert_eq!(decide("abc", &[], &[([0, 1], &[First, Second, Abstains])]), "??.");
        assert_eq!(decide("abc", &[], &[([0, 1], &[First, Second, Third])]), "???");
        assert_eq!(decide("aab", &[], &[([0, 1], &[First, Second, Abstains])]), "??.");
        assert_eq!(decide("abb", &[], &[([0, 1], &[First, Second, Second])]), "???");
        // A lineage on both sides has no vote, and its member on the losing side is wrong.
        assert_eq!(decide("abbc", &[], &[([0, 1], &[First, Second, First, First])]), ".W..");
        assert_eq!(decide("abb", &[], &[([0, 1], &[First, Second, First])]), ".W.");
    }

    #[test]
    fn records_outrank_votes() {
        assert_eq!(decide("ab", &[0], &[([0, 1], &[First, Second])]), "W.");
        // It speaks against nobody else, whoever sides with it; others are asked by themselves.
        assert_eq!(decide("abc", &[0], &[([0, 1], &[First, Second, First])]), "W..");
        let two: [([usize; 2], &[Vote]); 2] =
            [([0, 2], &[First, First, Second]), ([1, 2], &[First, First, Second])];
        assert_eq!(decide("aab", &[0], &two), "W??");
        let vouched =
            decide_vouched("abcc", &[], &[2], &[([0, 2], &[First, First, Second, Second])]);
        assert_eq!(vouched, "WW..");
        // Whoever is wrong in one dispute drags nobody into another.
        let two: [([usize; 2], &[Vote]); 2] =
            [([0, 1], &[First, Second, First]), ([1, 2], &[Abstains, First, Second])];
        assert_eq!(decide("abc", &[], &two), ".W.");
    }
}
