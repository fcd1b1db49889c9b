//! Many tests at once.

/// Holm's correction (A Simple Sequentially Rejective Multiple Test Procedure, *Scandinavian
/// Journal of Statistics* 6, 1979): p-values so raised that calling those below 5 % significant
/// raises any false alarm in at most 5 % of all families of tests, however the tests depend on each
/// other.
///
/// The order is that of the input.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        let left = (p_values.len() - rank) as f64;
        least = least.max((p_values[index] * left).min(1.0));
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap::Draws;
    use super::super::{Machine, Statistic};
    use super::*;

    #[test]
    fn the_smallest_are_raised_most_and_order_is_kept() {
        let adjusted = holm(&[0.04, 0.01, 0.03, 0.5]);
        for (found, expected) in adjusted.iter().zip([0.09, 0.04, 0.09, 0.5]) {
            assert!((found - expected).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(holm(&[]), [0.0; 0]);
    }

    #[test]
    fn runs_of_one_build_raise_an_alarm_in_a_twentieth_of_comparisons_at_most() {
        let mut draws = Draws::new(11);
        let mut normal =
            || (0..12).map(|_| draws.below(1 << 30) as f64 / f64::from(1 << 30)).sum::<f64>() - 6.0;
        // Runs vary by 2 %, their processes by 6 %, rounds inside them by 1 %.
        let mut rate = || {
            let run = 0.02 * normal();
            let processes: Vec<Vec<(f64, f64)>> = (0..5)
                .map(|_| {
                    let own = (run + 0.06 * normal()).exp();
                    (0..3).map(|_| (own * (1.0 + 0.01 * normal()), 1.0)).collect()
                })
                .collect();
            Statistic::of_processes(&processes, Machine::Quiet, 0).unwrap()
        };
        let mut alarm = || {
            let cells: Vec<f64> =
                (0..30).map(|_| rate().over(&rate()).p_value().unwrap()).collect();
            let plain = cells.iter().any(|&p| p < 0.05);
            (plain, holm(&cells).iter().any(|&p| p < 0.05))
        };
        let alarms: Vec<(bool, bool)> = (0..300).map(|_| alarm()).collect();
        let corrected = alarms.iter().filter(|(_, corrected)| *corrected).count();
        // 5 % of 300 are 15, with a standard deviation of 3.8.
        assert!(corrected <= 22, "{corrected} of 300");
        let plain = alarms.iter().filter(|(plain, _)| *plain).count();
        assert!(plain > 150, "without the correction most comparisons raise one: {plain} of 300");
    }
}
