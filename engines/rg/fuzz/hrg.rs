//! Any text at all as a description of either form: it gets an answer, what it is expanded to reads
//! back, and what can be played is played to an end by code and by the search.
#![no_main]

use libfuzzer_sys::fuzz_target;
use play::{Engine, Job, Language, Limits, Rules, Via};
use rg::RgEngine;

fuzz_target!(|text: &str| {
    let limits = Limits { work: 20_000_000, ..Limits::default() };
    for name in ["fuzz.hrg", "fuzz.rg"] {
        let rules = Rules::new(Language::Rg, name, text);
        let Ok(compiled) = RgEngine.compile(&rules, &limits) else { continue };
        let (expanded, _) = rg::expand(&rules.source);
        let again = Rules::new(Language::Rg, "expanded.rg", expanded);
        assert!(RgEngine.compile(&again, &limits).is_ok());
        let job = Job { seed: 1, first: 0, count: 2, cap: 12 };
        for via in [Via::Fast, Via::Reference] {
            assert_eq!(compiled.game.run(&job, via).playouts, 2);
        }
    }
});
