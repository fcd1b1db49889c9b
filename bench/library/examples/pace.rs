//! The speed of batches from Rust, for comparison with the same from Python: at each line of
//! standard input plays batches of so many playouts, or steps so many positions together, for about
//! so long, and prints how many playouts or plies that were and how many seconds of CPU time they
//! took. `bench/python/speed.py` runs it.

use std::io::BufRead;
use std::time::Instant;

use ggpbench::{Batch, Loader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &str| arguments.next().ok_or_else(|| format!("expected {what}"));
    let (target, engine) = (next("a game")?, next("an engine")?);
    let size: usize = next("playouts or positions of a batch")?.parse()?;
    let seconds: f64 = next("seconds")?.parse()?;
    let game = Loader::new(target).engine(engine).load()?;
    match &*next("`playouts` or `steps`")? {
        "playouts" => {
            let mut seed = 0;
            serve(seconds, size as u64, || {
                seed += 1;
                let tally = game.rollouts(size as u64, seed, 1);
                assert_eq!(tally.playouts, size as u64);
                Ok(())
            })
        }
        "steps" => {
            let mut batch = Batch::new(&game, size, 1, 1)?;
            let mut buffers = batch.buffers();
            let mut actions = vec![0; size];
            batch.restart(&mut buffers.views());
            serve(seconds, size as u64, || {
                batch.draw(&mut actions);
                Ok(batch.step(&actions, true, &mut buffers.views())?)
            })
        }
        other => Err(format!("expected `playouts` or `steps`, not `{other}`").into()),
    }
}

/// Does `act`, which is worth so many units, over and over at each line of input.
fn serve(
    seconds: f64,
    units: u64,
    mut act: impl FnMut() -> Result<(), Box<dyn std::error::Error>>,
) -> Result<(), Box<dyn std::error::Error>> {
    for line in std::io::stdin().lock().lines() {
        line?;
        let (start, cpu) = (Instant::now(), bench::clock::process_cpu_ns());
        let mut batches = 0;
        while start.elapsed().as_secs_f64() < seconds {
            for _ in 0..8 {
                act()?;
            }
            batches += 8;
        }
        let spent = bench::clock::process_cpu_ns() - cpu;
        println!("{} {}", batches * units, spent as f64 / 1e9);
    }
    Ok(())
}
