//! Positions in lock-step that begin anew as they end, of games that keep what is legal as sets.

use bitboard::Level;
use play::{Buffers, Ending, Job, LockstepJob, Progress, Tally, Via};

use crate::engines::bitboard::common;

/// Whatever the level of instructions, positions that only play drawn actions play the playouts of
/// the reference, one after another, and each row is what a row begun afresh would be.
#[test]
fn positions_begun_anew_play_the_playouts_of_the_reference() {
    for module in [
        "tic-tac-toe-3x3",
        "tic-tac-toe-5x5",
        "connect-4-6x7",
        "connect-4-12x9",
        "reversi-8x8",
        "hex-9x9",
        "hex-11x11",
        "yavalath",
    ] {
        for level in Level::available() {
            for cap in [7, 1000] {
                check(module, level, cap);
            }
        }
    }
}

fn check(module: &str, level: Level, cap: u32) {
    const COUNT: usize = 5;
    let game = common::game_on(level, module);
    let encoding = game.encoding().expect("it has numbers");
    let (actions, bytes) = (encoding.actions.len(), encoding.plane_bytes());
    let job = LockstepJob { seed: 3, first: 0, count: COUNT, stride: COUNT as u64, cap };
    let mut lockstep = game.lockstep(&job).expect("it has numbers");
    let mut buffers = Buffers::new(&encoding, 2, COUNT, 9);
    let mut views = buffers.views();
    lockstep.restart(&mut views);
    let (first_mask, first_planes) = (views.mask.to_vec(), views.planes.to_vec());
    let mut ended = [0; COUNT];
    let (mut plies, mut found) = ([0; COUNT], Tally::default());
    let mut chosen = vec![0; COUNT];
    while ended.iter().any(|&rounds| rounds < 4) {
        lockstep.draw(&mut chosen);
        lockstep.step(&chosen, true, &mut views).expect("they are legal");
        for i in 0..COUNT {
            plies[i] += 1;
            let ending = match views.progress[i] {
                p if p == Progress::Over as u8 => {
                    Ending::Over(play::Scores::two(views.scores[2 * i], views.scores[2 * i + 1]))
                }
                p if p == Progress::Capped as u8 => Ending::Capped,
                _ => continue,
            };
            let plies = std::mem::take(&mut plies[i]);
            if ended[i] < 4 {
                found.record((i + COUNT * ended[i]) as u64, play::End { plies, ending });
            }
            ended[i] += 1;
            let row = |row: usize| i * row..(i + 1) * row;
            assert_eq!(views.mask[row(actions)], first_mask[row(actions)], "{module}");
            assert_eq!(views.planes[row(bytes)], first_planes[row(bytes)], "{module}");
        }
    }
    let job = Job { seed: 3, first: 0, count: 4 * COUNT as u64, cap };
    assert_eq!(found, game.run(&job, Via::Reference), "{module} on {level:?} to {cap}");
}
