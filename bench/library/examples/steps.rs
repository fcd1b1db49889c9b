//! The speed of positions in lock-step from Rust: plays so many positions by drawn actions, begun
//! anew as they end, and prints plies per CPU second, of the draws and of the steps with masks and
//! planes.

use std::hint::black_box;

use bench::clock::process_cpu_ns;
use ggpbench::{Batch, Loader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &str| arguments.next().ok_or_else(|| format!("expected {what}"));
    let (target, engine) = (next("a game")?, next("an engine")?);
    let size: usize = next("positions")?.parse()?;
    let plies: u64 = next("plies of each")?.parse()?;
    let game = Loader::new(target).engine(engine).load()?;
    let mut batch = Batch::new(&game, size, 1, 1)?;
    let mut buffers = batch.buffers();
    let mut actions = vec![0; size];
    batch.restart(&mut buffers.views());
    let (mut drawing, mut stepping) = (0, 0);
    for _ in 0..plies {
        let start = process_cpu_ns();
        batch.draw(&mut actions);
        let drawn = process_cpu_ns();
        batch.step(&actions, true, &mut buffers.views())?;
        stepping += process_cpu_ns() - drawn;
        drawing += drawn - start;
    }
    black_box(&buffers);
    let each = |ns: u64| ns as f64 / (plies * size as u64) as f64;
    let (drawing, stepping) = (each(drawing), each(stepping));
    let rate = 1e3 / (drawing + stepping);
    println!("{drawing:.1} ns a draw, {stepping:.1} ns a step: {rate:.1} M plies a CPU second");
    Ok(())
}
