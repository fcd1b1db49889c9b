//! Bootstrap distributions of ratios of sums.

use super::effects::column_effects;
use super::tail::expanded_tail;
use super::{Estimate, Interval, RESAMPLES};

/// Numerator and denominator of one round, such as playouts and seconds. Denominators are above
/// zero.
pub type Ratio = (f64, f64);

/// A statistic with its bootstrap distribution; distributions combine resample by resample, and
/// give their interval last.
#[derive(Debug, Clone, PartialEq)]
pub struct Bootstrap {
    value: f64,
    /// Empty where there were fewer than two rounds.
    resamples: Vec<f64>,
    /// The fewest rounds that a part of the statistic comes from.
    rounds: usize,
    /// Degrees of freedom of its spread: rounds less one, summed over independent parts of a mean.
    freedom: usize,
}

impl Bootstrap {
    /// The ratio of the sums of `rounds`. `stream` chooses the resamples: quantities that are to be
    /// combined as independent need different streams.
    ///
    /// `None` without rounds.
    pub fn ratio_of_sums(rounds: &[Ratio], stream: u64) -> Option<Self> {
        Self::over_rounds(rounds.len(), stream, |indices| {
            let (numerator, denominator) = sums(indices.map(|index| rounds[index]));
            numerator / denominator
        })
    }

    /// The ratio of sums of `other` over that of `base`, from rounds that both share: item `i` of
    /// each is the same round, and both are resampled together.
    ///
    /// `None` without rounds.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn paired_ratio(other: &[Ratio], base: &[Ratio], stream: u64) -> Option<Self> {
        assert_eq!(other.len(), base.len(), "paired rounds");
        Self::over_rounds(base.len(), stream, |indices| {
            let (mut of_other, mut of_base) = ((0.0, 0.0), (0.0, 0.0));
            for index in indices {
                of_other = (of_other.0 + other[index].0, of_other.1 + other[index].1);
                of_base = (of_base.0 + base[index].0, of_base.1 + base[index].1);
            }
            (of_other.0 / of_other.1) / (of_base.0 / of_base.1)
        })
    }

    /// The ratio of two statistics drawn from different streams.
    #[must_use]
    pub fn over(&self, base: &Self) -> Self {
        Self {
            value: self.value / base.value,
            resamples: self.resamples.iter().zip(&base.resamples).map(|(a, b)| a / b).collect(),
            rounds: self.rounds.min(base.rounds),
            freedom: self.freedom.min(base.freedom),
        }
    }

    /// The statistic in units of a constant.
    #[must_use]
    pub fn over_constant(&self, constant: f64) -> Self {
        let resamples = self.resamples.iter().map(|resample| resample / constant).collect();
        Self { value: self.value / constant, resamples, ..*self }
    }

    /// The geometric mean of positive statistics. Its interval tells the noise of measuring on
    /// these games, not the luck of having chosen them.
    ///
    /// `None` without items.
    pub fn geometric_mean(items: &[&Self]) -> Option<Self> {
        let count = items.len() as f64;
        if items.is_empty() {
            return None;
        }
        let mean = |logs: f64| (logs / count).exp();
        let value = mean(items.iter().map(|item| item.value.ln()).sum());
        let spread = || items.iter().filter(|item| !item.resamples.is_empty());
        let draws = spread().map(|item| item.resamples.len()).max().unwrap_or(0);
        let rounds = spread().map(|item| item.rounds).min().unwrap_or(1);
        let freedom = spread().map(|item| item.freedom).sum();
        // An item without spread stands as a constant beside those that have one.
        let log = |item: &Self, draw: usize| item.resamples.get(draw).unwrap_or(&item.value).ln();
        let resamples =
            (0..draws).map(|draw| mean(items.iter().map(|item| log(item, draw)).sum())).collect();
        Some(Self { value, resamples, rounds, freedom })
    }

    /// The positive numbers of each column over those of the last column, over rows that may have
    /// gaps (`column_effects` on logarithms; without gaps the geometric mean of the ratios). Rows
    /// are resampled: intervals tell the luck of having chosen these.
    ///
    /// `None` where no rows join all columns. A resample that does not join them is left out.
    pub fn ratios_to_last(
        columns: usize,
        rows: &[Vec<Option<f64>>],
        stream: u64,
    ) -> Option<Vec<Self>> {
        let logs = |row: &Vec<Option<f64>>| row.iter().map(|n| n.map(f64::ln)).collect();
        let logs: Vec<Vec<Option<f64>>> = rows.iter().map(logs).collect();
        let values = column_effects(columns, logs.iter().map(Vec::as_slice))?;
        let mut draws = Draws::new(stream);
        let count = if rows.len() < 2 { 0 } else { RESAMPLES };
        let resamples: Vec<Vec<f64>> = (0..count)
            .filter_map(|_| {
                let drawn: Vec<usize> = rows.iter().map(|_| draws.below(rows.len())).collect();
                column_effects(columns, drawn.iter().map(|&row| logs[row].as_slice()))
            })
            .collect();
        let ratio = |column: usize| Self {
            value: values[column].exp(),
            resamples: resamples.iter().map(|effects| effects[column].exp()).collect(),
            rounds: rows.len(),
            freedom: rows.len().saturating_sub(1),
        };
        Some((0..columns).map(ratio).collect())
    }

    /// The value itself.
    pub(super) fn value(&self) -> f64 {
        self.value
    }

    /// Variance of the statistic's logarithm and its degrees of freedom; `None` where nothing was
    /// resampled. Resampling n values shows (n - 1) / n of their variance, which is made good here.
    pub(super) fn log_moments(&self) -> Option<(f64, usize)> {
        let count = self.resamples.len() as f64;
        if self.resamples.is_empty() {
            return None;
        }
        let logs = || self.resamples.iter().map(|resample| resample.ln());
        let mean = logs().sum::<f64>() / count;
        let variance = logs().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let rounds = self.rounds as f64;
        Some((variance * rounds / (rounds - 1.0), self.freedom))
    }

    /// The value and its expanded percentile interval.
    pub fn estimate(&self) -> Estimate {
        let mut sorted = self.resamples.clone();
        sorted.sort_by(f64::total_cmp);
        let tail = expanded_tail(self.rounds, self.freedom);
        let interval = Some(sorted).filter(|sorted| !sorted.is_empty()).map(|sorted| Interval {
            low: quantile(&sorted, tail),
            high: quantile(&sorted, 1.0 - tail),
        });
        Estimate { value: self.value, interval }
    }

    fn over_rounds(
        rounds: usize,
        stream: u64,
        statistic: impl Fn(&mut dyn Iterator<Item = usize>) -> f64,
    ) -> Option<Self> {
        if rounds == 0 {
            return None;
        }
        let value = statistic(&mut (0..rounds));
        let mut draws = Draws::new(stream);
        let resamples = if rounds < 2 {
            Vec::new()
        } else {
            (0..RESAMPLES)
                .map(|_| statistic(&mut (0..rounds).map(|_| draws.below(rounds))))
                .collect()
        };
        Some(Self { value, resamples, rounds, freedom: rounds - 1 })
    }
}

fn sums(rounds: impl Iterator<Item = Ratio>) -> Ratio {
    rounds.fold((0.0, 0.0), |sum, round| (sum.0 + round.0, sum.1 + round.1))
}

/// Quantile of sorted numbers, linear between order statistics (Hyndman and Fan's type 7).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let below = at.floor();
    let low = sorted[below as usize];
    let high = sorted[at.ceil() as usize];
    low + (high - low) * (at - below)
}

/// SplitMix64 (Steele, Lea and Flood, 2014): small, seedable, and good enough to choose rounds.
pub(super) struct Draws(u64);

impl Draws {
    pub(super) fn new(stream: u64) -> Self {
        // The stream is spread over the whole word, so that neighbouring streams do not overlap.
        Self(0x9067_6265_6e63_6821 ^ stream.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// A number below `bound`. The bias of taking the high part of a product is below 2^-50 for any
    /// count of rounds.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} is not {b}");
    }

    #[test]
    fn a_rate_is_the_ratio_of_sums_and_not_the_mean_of_ratios() {
        // 100 playouts in 1 s and 900 in 3 s: 1000 in 4 s. The mean of 100 and 300 would be 200.
        let rate = Bootstrap::ratio_of_sums(&[(100.0, 1.0), (900.0, 3.0)], 0).unwrap().estimate();
        close(rate.value, 250.0);
        // Resamples are 100, 250 or 300 with weights 1/4, 1/2, 1/4, so the 95 % interval is the
        // whole range.
        assert_eq!(rate.interval, Some(Interval { low: 100.0, high: 300.0 }));
    }

    #[test]
    fn the_interval_matches_the_normal_theory_for_many_rounds() {
        // Rates alternate 90, 110 in equal time over 100 rounds: mean 100, standard deviation 10,
        // so 1.96 standard errors are 1.96.
        let rounds: Vec<Ratio> =
            (0..100).map(|i| (if i % 2 == 0 { 90.0 } else { 110.0 }, 1.0)).collect();
        let interval = Bootstrap::ratio_of_sums(&rounds, 0).unwrap().estimate().interval.unwrap();
        assert!((interval.low - 98.04).abs() < 0.25, "{interval:?}");
        assert!((interval.high - 101.96).abs() < 0.25, "{interval:?}");
    }

    #[test]
    fn intervals_cover_the_truth_about_as_often_as_they_say() {
        // Nearly normal noise of 3 %: twelve uniform numbers have variance 1.
        let mut draws = Draws::new(99);
        let mut normal =
            || (0..12).map(|_| draws.below(1 << 30) as f64 / f64::from(1 << 30)).sum::<f64>() - 6.0;
        let covered = (0..600_u64)
            .filter(|&run| {
                let rounds: Vec<Ratio> = (0..8).map(|_| (1.0 + 0.03 * normal(), 1.0)).collect();
                Bootstrap::ratio_of_sums(&rounds, run)
                    .unwrap()
                    .estimate()
                    .interval
                    .unwrap()
                    .contains(1.0)
            })
            .count();
        // 95 % of 600 are 570, with a standard deviation of 5.3. The plain percentile interval
        // covers some 527.
        assert!((553..=586).contains(&covered), "{covered} of 600");
    }

    #[test]
    fn one_round_has_no_interval_and_none_has_no_value() {
        let one = Bootstrap::ratio_of_sums(&[(10.0, 4.0)], 0).unwrap().estimate();
        assert_eq!(one, Estimate { value: 2.5, interval: None });
        assert_eq!((one.low(), one.high()), (2.5, 2.5));
        assert_eq!(Bootstrap::ratio_of_sums(&[], 0), None);
        assert_eq!(Bootstrap::geometric_mean(&[]), None);
    }

    #[test]
    fn a_mean_over_games_varies_with_the_games() {
        let mean = |numbers: &[f64]| {
            let rows: Vec<_> = numbers.iter().map(|&n| vec![Some(n), Some(1.0)]).collect();
            Bootstrap::ratios_to_last(2, &rows, 0).unwrap()[0].estimate()
        };
        let even = mean(&[4.0, 4.0, 4.0]);
        close(even.value, 4.0);
        close(even.low(), even.high());
        let uneven = mean(&[1.0, 4.0, 16.0]);
        close(uneven.value, 4.0);
        assert!(uneven.low() < 2.0 && uneven.high() > 8.0, "{uneven:?}");
        assert_eq!(mean(&[3.0]).interval, None);
        assert_eq!(Bootstrap::ratios_to_last(2, &[], 0), None);
    }

    #[test]
    fn resamples_that_join_no_columns_are_left_out() {
        let rows = [vec![Some(8.0), Some(4.0), None], vec![None, Some(3.0), Some(1.0)]];
        let ratios = Bootstrap::ratios_to_last(3, &rows, 0).unwrap();
        close(ratios[0].estimate().value, 6.0);
        // Half of all pairs of rows are one row twice.
        assert!((900..1100).contains(&ratios[0].resamples.len()));
    }

    #[test]
    fn the_same_rows_give_the_same_bits_and_streams_differ() {
        let rounds = [(3.0, 1.0), (5.0, 1.1), (4.0, 0.9), (4.4, 1.0)];
        let once = Bootstrap::ratio_of_sums(&rounds, 1).unwrap();
        assert_eq!(once, Bootstrap::ratio_of_sums(&rounds, 1).unwrap());
        assert_ne!(once, Bootstrap::ratio_of_sums(&rounds, 2).unwrap());
    }

    #[test]
    fn what_slows_a_whole_round_cancels_in_a_paired_ratio() {
        // The machine is slower by 1, 2, 4 in the three rounds; one engine is always three times
        // the other.
        let base = [(80.0, 1.0), (40.0, 1.0), (20.0, 1.0)];
        let other = base.map(|(playouts, seconds)| (3.0 * playouts, seconds));
        let paired = Bootstrap::paired_ratio(&other, &base, 0).unwrap().estimate();
        close(paired.value, 3.0);
        close(paired.low(), 3.0);
        close(paired.high(), 3.0);
        // Taken as independent, the same rounds tell much less.
        let a = Bootstrap::ratio_of_sums(&other, 0).unwrap();
        let b = Bootstrap::ratio_of_sums(&base, 1).unwrap();
        let apart = a.over(&b).estimate();
        close(apart.value, 3.0);
        assert!(apart.low() < 2.0 && apart.high() > 4.0, "{apart:?}");
    }

    #[test]
    fn the_geometric_mean_of_2_and_8_is_4() {
        let two = Bootstrap::ratio_of_sums(&[(2.0, 1.0), (2.0, 1.0)], 0).unwrap();
        let eight = Bootstrap::ratio_of_sums(&[(8.0, 1.0)], 1).unwrap();
        let mean = Bootstrap::geometric_mean(&[&two, &eight]).unwrap().estimate();
        close(mean.value, 4.0);
        close(mean.low(), 4.0);
        close(mean.high(), 4.0);
    }

    #[test]
    fn quantiles_are_linear_between_order_statistics() {
        let sorted = [1.0, 2.0, 3.0, 4.0, 10.0];
        close(quantile(&sorted, 0.0), 1.0);
        close(quantile(&sorted, 0.5), 3.0);
        close(quantile(&sorted, 0.875), 7.0);
        close(quantile(&sorted, 1.0), 10.0);
    }

    #[test]
    fn draws_are_uniform() {
        let mut draws = Draws::new(7);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[draws.below(7)] += 1;
        }
        // 10,000 each with a standard deviation of 93: five of them.
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 465), "{counts:?}");
    }
}
