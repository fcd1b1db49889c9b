//! Any bytes as a rulesheet: front end, grounder and prover answer within their budgets.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../../../bench/tests/it/engines/gdl/answer/mod.rs"]
mod answer;

fuzz_target!(|data: &[u8]| {
    answer::answer(String::from_utf8_lossy(data).into_owned(), 1, true);
});
