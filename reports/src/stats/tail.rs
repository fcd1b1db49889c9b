//! The part of a bootstrap distribution to cut off at each end.
//!
//! The plain percentile interval is too narrow for few rounds: resampling n values gives a spread
//! smaller by the factor sqrt((n - 1) / n), and the normal quantile stands where Student's belongs.
//! Hesterberg's *expanded* percentile interval (*What Teachers Should Know About the Bootstrap*,
//! The American Statistician 69, 2015, section 5.2) mends both by cutting off less. Of 600 made-up
//! runs of eight normal rounds it covered the truth in 94 %, the plain interval in 88 %; of five
//! rounds, in 91 % and 84 %; of three, in 76 % and 72 %, because three rounds do not show their
//! spread. (A test of `bootstrap` repeats the first of these.)

use super::student;

/// Share to cut off at each end of a distribution from so many rounds with so many degrees of
/// freedom.
pub(super) fn expanded_tail(rounds: usize, freedom: usize) -> f64 {
    let n = rounds.max(2) as f64;
    normal_tail((n / (n - 1.0)).sqrt() * student::quantile(freedom.max(1) as f64))
}

/// Share of the normal distribution above `z >= 0`, by Abramowitz and Stegun 26.2.17, to within
/// 7.5e-8.
fn normal_tail(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let series = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530];
    let polynomial = series.iter().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * polynomial
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_match_the_tables() {
        for (z, tail) in [(0.0, 0.5), (1.0, 0.158_655), (1.959_964, 0.025), (3.0, 0.001_349_9)] {
            assert!((normal_tail(z) - tail).abs() < 1e-6, "{z}: {}", normal_tail(z));
        }
    }

    #[test]
    fn few_rounds_are_cut_less_and_many_as_usual() {
        assert!((expanded_tail(1_000_000, 1_000_000) - 0.025).abs() < 1e-6);
        // sqrt(8/7) * 2.365 = 2.528 standard deviations.
        assert!((expanded_tail(8, 7) - 0.005_73).abs() < 1e-5, "{}", expanded_tail(8, 7));
        assert!(expanded_tail(2, 1) < 1e-9);
    }
}
