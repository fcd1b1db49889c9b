//! Leaf counts of descriptions, and how fast they are played.
//!
//! `cargo run --release -p rg --example measure -- DEPTH FILE...`

use std::time::Instant;

use play::{Engine, Job, Language, Limits, Rules, Via};
use rg::RgEngine;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let depth: u32 = arguments.next().and_then(|text| text.parse().ok()).expect("a depth");
    for file in arguments {
        let text = std::fs::read_to_string(&file).expect("a file");
        let rules = Rules::new(Language::Rg, file.clone(), text);
        let limits = Limits::default();
        let begin = Instant::now();
        let compiled = match RgEngine.compile(&rules, &limits) {
            Ok(compiled) => compiled,
            Err(error) => {
                println!("{file}: {}", error.one_line(&rules.source));
                continue;
            }
        };
        let took = begin.elapsed().as_secs_f64() * 1e3;
        println!("{file}: compiled in {took:.1} ms");
        for strategy in compiled.game.strategies() {
            println!("    {strategy}");
        }
        if std::env::var_os("IR").is_some() {
            println!("{}", compiled.game.ir().unwrap_or_default());
        }
        if depth > 0 {
            println!("    perft {:?}", rg::perft(&rules, &limits, depth));
        }
        for via in [Via::Fast, Via::Reference] {
            let (mut count, mut first) = (1, 0);
            let begin = Instant::now();
            let mut plies = 0;
            let mut ends = (0, 0);
            while begin.elapsed().as_secs_f64() < 0.5 {
                let job = Job { seed: 1, first, count, cap: 1000 };
                let tally = compiled.game.run(&job, via);
                plies += tally.plies;
                ends = (tally.capped, tally.stuck);
                first += count;
                count *= 2;
            }
            let rate = first as f64 / begin.elapsed().as_secs_f64();
            let mean = plies as f64 / first as f64;
            println!("    {}: {rate:.1} a second, {mean:.2} plies, {ends:?}", via.name());
        }
    }
}
