//! Games in the raw view, where a forced pass is a ply like any other: what most systems count, and
//! hence what figures that others published are compared with. Playouts that are walked position by
//! position, in this view and in the neutral one.

use play::{End, Ending, Job, Position, Rng, Script, Tally, Turn, kit};

/// Like [`play::tree::perft`], with forced passes counted as plies; `chance` says that chance
/// events may occur.
pub(crate) fn perft(
    position: &dyn Position,
    depth: u32,
    budget: u64,
    chance: bool,
) -> Option<Vec<u64>> {
    let mut counts = vec![0; depth as usize];
    let mut budget = budget;
    descend(position, &mut counts, &mut budget, chance)?;
    Some(counts)
}

fn descend(
    position: &dyn Position,
    counts: &mut [u64],
    budget: &mut u64,
    chance: bool,
) -> Option<()> {
    let Some((first, rest)) = counts.split_first_mut() else { return Some(()) };
    let actions = position.actions();
    if rest.is_empty() && !chance {
        *first += actions as u64; // without a visit to each
        return Some(());
    }
    for action in 0..actions {
        let mut script = Script::default();
        loop {
            script.rewind();
            let mut child = position.copy();
            *budget = budget.checked_sub(1)?;
            if child.play(action, &mut script).is_err() {
                break;
            }
            *first += 1;
            descend(&*child, rest, budget, chance)?;
            if !script.advance() {
                break;
            }
        }
    }
    Some(())
}

/// Random playouts position by position, every choice uniform over the legal actions.
pub(crate) fn run<'g>(open: &dyn Fn(&mut Rng) -> Box<dyn Position + 'g>, job: &Job) -> Tally {
    let mut tally = Tally::default();
    for id in job.ids() {
        let mut rng = Rng::stream(job.seed, id);
        let mut position = open(&mut rng);
        let mut plies = 0;
        let ending = loop {
            let actions = position.actions() as u32;
            match (position.turn(), position.scores()) {
                (Turn::Over, Some(scores)) => break Ending::Over(scores),
                (Turn::Over, None) => break Ending::Stuck,
                (Turn::Move(_), _) if actions == 0 => break Ending::Stuck,
                (Turn::Move(_), _) if plies == job.cap => break Ending::Capped,
                (Turn::Move(_), _) => {}
            }
            let action = rng.below(actions) as usize;
            if position.play(action, &mut rng).is_err() {
                break Ending::Stuck;
            }
            plies += 1;
        };
        tally.record(id, End { plies, ending });
    }
    tally
}

/// The very playouts of the reference loop, by what positions list.
pub(crate) fn run_listed<'g>(
    open: &dyn Fn(&mut Rng) -> Box<dyn Position + 'g>,
    job: &Job,
) -> Tally {
    let mut tally = Tally::default();
    for id in job.ids() {
        let mut rng = Rng::stream(job.seed, id);
        let position = open(&mut rng);
        tally.record(id, kit::play_listed(position, &mut rng, job.cap));
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use play::NoChance;
    use play::toy::Toy;

    #[test]
    fn passes_are_plies() {
        let game =
            Toy::parse("1[2(1[=100,0] =0,100 *(2[=50,50] 1(=0,100 =50,50)))]").unwrap().boxed();
        let start = game.open(&mut NoChance);
        assert_eq!(
            perft(&*start, 4, 100, true).unwrap(),
            [1, 4, 4, 0],
            "a pass, outcomes of chance"
        );
        assert_eq!(perft(&*start, 3, 3, true), None);
        let plain = Toy::parse("1[2(1[=100,0] =0,100)]").unwrap().boxed();
        assert_eq!(perft(&*plain.open(&mut NoChance), 3, 9, false).unwrap(), [1, 2, 1]);
        let job = Job { seed: 1, first: 0, count: 300, cap: 2 };
        let open = |rng: &mut Rng| game.open(rng);
        let tally = run(&open, &job);
        assert!(tally.capped > 150 && tally.capped < 250, "{tally:?}");
        let tally = run(&open, &Job { cap: 9, ..job });
        assert_eq!((tally.capped, tally.stuck), (0, 0));
        // Two plies in one case of three, else three.
        assert!((tally.mean_plies().0 - 8.0 / 3.0).abs() < 0.15, "{tally:?}");
        for job in [job, Job { cap: 9, ..job }] {
            assert_eq!(run_listed(&open, &job), game.run(&job, play::Via::Reference));
        }
    }
}
