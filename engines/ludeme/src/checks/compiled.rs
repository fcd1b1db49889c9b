//! Compiled games beside the evaluator: the same moves, in the same order, at every position of
//! random walks.

use std::path::Path;

use play::{Language, Rng, Rules};

use crate::compile::Gathered;
use crate::eval::{Door, Listed, Lots, Mode, Move};
use crate::game::Game;
use crate::{front, lower};

/// Whether a compiled game and the evaluator list the same moves on a walk; where not, what they list.
fn walk<const W: usize>(name: &str, text: &str, plies: usize, seed: u64) -> Result<usize, String> {
    let rules = Rules::new(Language::Lud, name, text);
    let parsed = front::parse(&rules).map_err(|e| e.one_line(&rules.source))?;
    let lowered = || lower::lower_composite(&parsed.root).map_err(|e| e.one_line(&rules.source));
    let mut plain = Game::<W>::new(lowered()?);
    plain.overlaps = true;
    let mut compiled = Game::<W>::new(lowered()?);
    compiled.compile();
    if compiled.program.is_none() {
        return Err(format!("{name}: not compiled"));
    }
    let mut rng = Rng::stream(seed, 0);
    let mut states = [plain.initial.clone(), compiled.initial.clone()];
    let mut listed = [Listed::default(), Listed::default()];
    let mut gathered = Gathered::default();
    for ply in 0..plies {
        if states.iter().any(|state| state.head.over) {
            if states[0].head != states[1].head {
                return Err(format!("{name}: ends differ at ply {ply}"));
            }
            return Ok(ply);
        }
        for mode in [Mode::Drawing, Mode::Exact] {
            for ((game, state), listed) in
                [&plain, &compiled].into_iter().zip(&mut states).zip(&mut listed)
            {
                let mut lots = Rng::stream(seed, 1 + ply as u64);
                let door = Door::new(&mut lots);
                let lots: Option<&dyn Lots> = if game.chance { Some(&door) } else { None };
                game.candidates(state, mode, lots, listed);
            }
            if listed[0].list != listed[1].list {
                let at = listed[0].list.iter().zip(&listed[1].list).position(|(a, b)| a != b);
                return Err(format!(
                    "{name}: {mode:?} at ply {ply}: {} and {} moves, first difference at {at:?}: {:?}",
                    listed[0].list.len(),
                    listed[1].list.len(),
                    at.map(|at| (listed[0].list[at], listed[1].list[at])),
                ));
            }
        }
        // What cannot give a move twice does not.
        if !compiled.overlaps && !plain.chance {
            plain.briefs(&mut states[0], None, &mut listed[0]);
            compiled.briefs(&mut states[1], None, &mut listed[1]);
            if listed[0].list.len() != listed[1].list.len() {
                let again = listed[1].list.iter().find(|b| !listed[0].list.contains(b));
                return Err(format!("{name}: ply {ply}: a move comes again: {again:?}"));
            }
        }
        // Moves that are gathered are made as those that are listed.
        if let Some(count) = compiled.gather(&mut states[1], &mut gathered) {
            compiled.candidates(&mut states[1], Mode::Drawing, None, &mut listed[1]);
            if count as usize != listed[1].list.len() {
                return Err(format!("{name}: ply {ply}: {count} of {}", listed[1].list.len()));
            }
            for (at, &brief) in (0..count).zip(&listed[1].list) {
                for mode in [Mode::Known, Mode::Drawn] {
                    let listed = compiled.one_made(&mut states[1], mode, &listed[1], brief, None);
                    let made = compiled.make_gathered(&states[1], &gathered, at, mode);
                    if listed != made {
                        return Err(format!(
                            "{name}: ply {ply}: {brief:?} is\n{listed:?}\n{made:?}"
                        ));
                    }
                }
            }
            compiled.candidates(&mut states[1], Mode::Exact, None, &mut listed[1]);
        }
        let (made, brief) = if listed[0].list.is_empty() {
            (Move::pass(), None)
        } else {
            let brief = listed[0].list[rng.below(listed[0].list.len() as u32) as usize];
            let mut made = [&plain, &compiled].into_iter().zip(&mut states).zip(&listed).map(
                |((game, state), listed)| game.one_made(state, Mode::Known, listed, brief, None),
            );
            let (a, b) = (made.next().flatten(), made.next().flatten());
            if a != b || a.is_none() {
                return Err(format!("{name}: ply {ply}: {brief:?} makes\n{a:?}\n{b:?}"));
            }
            (a.unwrap_or_else(Move::pass), Some(brief))
        };
        for (game, state) in [&plain, &compiled].into_iter().zip(&mut states) {
            let mut lots = Rng::stream(seed, 1 + ply as u64);
            let door = Door::new(&mut lots);
            let lots: Option<&dyn Lots> = if game.chance { Some(&door) } else { None };
            game.advance(state, &made, lots);
        }
        if !states[0].same(&states[1]) {
            return Err(format!(
                "{name}: ply {ply}: {brief:?} leads to different states\n{made:?}\n{:?}\n{:?}",
                states[0].head, states[1].head
            ));
        }
    }
    Ok(plies)
}

fn walks(name: &str, text: &str, plies: usize, seed: u64) -> Result<usize, String> {
    let sites = {
        let rules = Rules::new(Language::Lud, name, text);
        let parsed = front::parse(&rules).map_err(|e| e.one_line(&rules.source))?;
        let lowered = lower::lower(&parsed.root).map_err(|e| e.one_line(&rules.source))?;
        lowered.world.sites()
    };
    match sites.div_ceil(64) {
        0..=6 => walk::<6>(name, text, plies, seed),
        _ => walk::<24>(name, text, plies, seed),
    }
}

#[test]
#[ignore = "for files named by LUD_FILES"]
fn compiled_games_list_what_the_evaluator_lists() {
    let files = std::env::var("LUD_FILES").unwrap_or_default();
    let (mut agree, mut differ) = (0, 0);
    for file in files.lines() {
        let Ok(text) = std::fs::read_to_string(Path::new(file)) else { continue };
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        let result = std::panic::catch_unwind(|| walks(&name, &text, 120, 7));
        match result {
            Ok(Ok(_)) => agree += 1,
            Ok(Err(message)) => {
                differ += 1;
                println!("{message}");
            }
            Err(_) => println!("{name}: panic"),
        }
    }
    println!("{agree} agree, {differ} differ");
}
