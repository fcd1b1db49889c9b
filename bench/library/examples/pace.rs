//! How quick batches of playouts are from Rust, for comparison with the same from Python: plays
//! batches of so many playouts for about so long at each line of standard input, and prints how
//! many there were and how many seconds of CPU time they took. `bench/python/speed.py` runs it.

use std::io::BufRead;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &str| arguments.next().ok_or_else(|| format!("expected {what}"));
    let (target, engine) = (next("a game")?, next("an engine")?);
    let size: u64 = next("playouts of a batch")?.parse()?;
    let seconds: f64 = next("seconds")?.parse()?;
    let game = ggpbench::Loader::new(target).engine(engine).load()?;
    let mut seed = 0;
    for line in std::io::stdin().lock().lines() {
        line?;
        let (start, cpu) = (Instant::now(), bench::clock::process_cpu_ns());
        let mut batches = 0;
        while start.elapsed().as_secs_f64() < seconds {
            for _ in 0..8 {
                seed += 1;
                let tally = game.rollouts(size, seed, 1);
                assert_eq!(tally.playouts, size);
            }
            batches += 8;
        }
        let spent = bench::clock::process_cpu_ns() - cpu;
        println!("{} {}", batches * size, spent as f64 / 1e9);
    }
    Ok(())
}
