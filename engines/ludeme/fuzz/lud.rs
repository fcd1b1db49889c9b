//! Any text at all as a description: it gets an answer, and what can be played is played alike by
//! the fast paths and the reference.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ludeme::LudemeEngine;
use play::{Engine, Job, Language, Limits, Rules, Via};

fuzz_target!(|text: &str| {
    let rules = Rules::new(Language::Lud, "fuzz.lud", text);
    let Ok(compiled) = LudemeEngine.compile(&rules, &Limits::default()) else { return };
    let job = Job { seed: 1, first: 0, count: 2, cap: 12 };
    assert_eq!(compiled.game.run(&job, Via::Fast), compiled.game.run(&job, Via::Reference));
});
