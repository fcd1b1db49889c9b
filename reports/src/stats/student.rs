//! Student's t distribution: tails and quantiles for any number of degrees of freedom, whole or
//! not.

use super::LEVEL;

/// The quantile that a two-sided interval at [`LEVEL`] needs: 2.776 for 4 degrees of freedom.
///
/// Found by bisection of [`two_sided_tail`], to the precision of a double.
pub(super) fn quantile(freedom: f64) -> f64 {
    let outside = 1.0 - LEVEL;
    let (mut low, mut high) = (0.0, 2.0);
    while two_sided_tail(high, freedom) > outside && high < 1e12 {
        high *= 2.0;
    }
    for _ in 0..64 {
        let middle = f64::midpoint(low, high);
        if two_sided_tail(middle, freedom) > outside {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The probability that a variable of Student's distribution lies further from 0 than `t`: the
/// p-value of a two-sided test.
///
/// Abramowitz and Stegun, *Handbook of Mathematical Functions*, 26.5.27 and 26.7.1: the incomplete
/// beta function at `freedom / (freedom + t²)`.
pub(super) fn two_sided_tail(t: f64, freedom: f64) -> f64 {
    let square = t * t;
    if !square.is_finite() {
        return 0.0;
    }
    // The normal distribution, to six digits.
    let freedom = freedom.min(1e6);
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + square), square / (freedom + square))
}

/// The regularised incomplete beta function at `x`, whose complement `1 - x` is given beside it
/// because it may be too small to be had by subtraction.
///
/// By its continued fraction on the side where that converges fast (Abramowitz and Stegun 26.5.8).
fn incomplete_beta(a: f64, b: f64, x: f64, complement: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if complement <= 0.0 {
        return 1.0;
    }
    let front =
        (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * complement.ln()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x) / a
    } else {
        1.0 - front * beta_fraction(b, a, complement) / b
    }
}

/// The continued fraction of the incomplete beta function, evaluated from the front (Lentz's method
/// as modified by Thompson and Barnett, 1986).
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    /// Stands for a zero that would be divided by.
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for step in 1..10_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for term in [even, odd] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

/// The logarithm of the gamma function above zero, by Lanczos' approximation (1964; the
/// coefficients are Godfrey's for g = 7 and nine terms).
fn ln_gamma(x: f64) -> f64 {
    const G: f64 = 7.0;
    const FIRST: f64 = 0.999_999_999_999_809_9;
    const OTHERS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let series = OTHERS
        .iter()
        .enumerate()
        .fold(FIRST, |sum, (index, coefficient)| sum + coefficient / (x + index as f64 + 1.0));
    let t = x + G + 0.5;
    0.5 * std::f64::consts::TAU.ln() + (x + 0.5) * t.ln() - t + series.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_match_the_tables() {
        // Abramowitz and Stegun, table 26.10, the column of 0.95; the last is the normal
        // distribution's.
        let table = [
            (1.0, 12.706),
            (2.0, 4.303),
            (3.0, 3.182),
            (4.0, 2.776),
            (5.0, 2.571),
            (7.0, 2.365),
            (9.0, 2.262),
            (10.0, 2.228),
            (11.0, 2.201),
            (20.0, 2.086),
            (30.0, 2.042),
            (120.0, 1.980),
            (1e6, 1.960),
        ];
        for (freedom, expected) in table {
            let found = quantile(freedom);
            assert!((found - expected).abs() < 6e-4, "{freedom}: {found} is not {expected}");
        }
    }

    #[test]
    fn tails_match_what_is_known_in_closed_form() {
        use std::f64::consts::PI;
        for t in [0.1_f64, 0.5, 1.0, 3.0, 40.0, 1e6] {
            // One degree of freedom is Cauchy's distribution; two have an algebraic tail.
            let one = 2.0 / PI * (1.0 / t).atan();
            let two = 1.0 - t / (2.0 + t * t).sqrt();
            assert!((two_sided_tail(t, 1.0) / one - 1.0).abs() < 1e-9, "{t}");
            assert!((two_sided_tail(t, 2.0) - two).abs() < 1e-12, "{t}");
        }
        assert!((two_sided_tail(0.0, 4.0) - 1.0).abs() < 1e-12);
        assert!((two_sided_tail(2.776_445, 4.0) - 0.05).abs() < 1e-7);
        // A fraction of a degree lies between its neighbours.
        let tail = |freedom| two_sided_tail(2.5, freedom);
        assert!(tail(4.0) > tail(4.5) && tail(4.5) > tail(5.0));
        assert!(two_sided_tail(f64::INFINITY, 3.0) <= 0.0);
    }
}
