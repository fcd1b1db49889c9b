//! The log of how games are played.

use play::Rules;

/// Where entries of the log come from: what `GGPBENCH_LOG` may name.
const TARGET: &str = "ggpbench::strategies";

/// Writes to the log how an engine plays the parts of a game, and why not in a quicker way.
pub fn log(engine: &str, rules: &Rules, strategies: &[impl std::fmt::Display]) {
    for strategy in strategies {
        log::debug!(target: TARGET, "{} on {engine}: {strategy}", rules.source.name());
    }
}
