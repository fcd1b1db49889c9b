//! Numbers as people read them.

/// Units of counts, from large to small.
const UNITS: [(f64, &str); 4] = [(1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")];

/// Three significant digits with a decimal prefix: `8.83 M`, `46.2 k`, `0.87`.
pub fn readable(value: f64) -> String {
    let scale = Scale::of(value);
    format!("{}{}", scale.digits(value), scale.unit)
}

/// A value and an interval in the same unit: `8.83 M (8.79–8.88)`.
pub fn readable_with_interval(value: f64, low: f64, high: f64) -> String {
    let scale = Scale::of(value);
    format!("{}{} ({}–{})", scale.digits(value), scale.unit, scale.digits(low), scale.digits(high))
}

/// A factor: `0.087×`, `12.3×`, `1,510×`.
pub fn factor(value: f64) -> String {
    format!("{}×", plain(value, 3))
}

/// Plain digits with thousands separated by commas, rounded to so many significant digits.
pub fn plain(value: f64, significant: i32) -> String {
    let rounded = round(value, significant);
    let decimals = decimals(rounded, significant);
    group(&format!("{rounded:.decimals$}"))
}

/// All digits of a number that somebody printed, thousands separated by commas: `1,075`, `0.06`.
pub fn as_printed(value: f64) -> String {
    group(&value.to_string())
}

/// A whole number with thousands separated by commas.
pub fn count(value: u64) -> String {
    group(&value.to_string())
}

/// Nanoseconds in a fitting unit: `1.23 s`, `45.6 ms`, `789 µs`.
pub fn duration(ns: u64) -> String {
    let ns = ns as f64;
    let (scale, unit) = if ns >= 0.9995e9 {
        (1e9, "s")
    } else if ns >= 0.9995e6 {
        (1e6, "ms")
    } else {
        (1e3, "µs")
    };
    format!("{} {unit}", plain(ns / scale, 3))
}

/// Bytes in binary units: `512 B`, `1.50 KiB`, `87.2 MiB`.
pub fn bytes(value: u64) -> String {
    let value = value as f64;
    let (scale, unit) = match value {
        v if v >= 1_073_741_824.0 => (1_073_741_824.0, "GiB"),
        v if v >= 1_048_576.0 => (1_048_576.0, "MiB"),
        v if v >= 1_024.0 => (1_024.0, "KiB"),
        _ => return format!("{value} B"),
    };
    format!("{} {unit}", plain(value / scale, 3))
}

/// Shortest decimal with six significant digits, for machines: no unit, no separators, `e` for
/// extreme exponents.
pub(crate) fn machine(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let rounded = round(value, 6);
    if (1e-4..1e15).contains(&rounded.abs()) { rounded.to_string() } else { format!("{rounded:e}") }
}

struct Scale {
    divisor: f64,
    unit: &'static str,
    decimals: usize,
}

impl Scale {
    fn of(value: f64) -> Self {
        // 999.6 is 1.00 k, so the unit is chosen after rounding to three digits.
        let rounded = round(value.abs(), 3);
        let (divisor, unit) =
            UNITS.into_iter().find(|(scale, _)| rounded >= *scale).unwrap_or((1.0, ""));
        Self { divisor, unit, decimals: decimals(rounded / divisor, 3) }
    }

    fn digits(&self, value: f64) -> String {
        format!("{:.*}", self.decimals, value / self.divisor)
    }
}

/// Decimals that show so many significant digits; zero and nonsense get none.
fn decimals(value: f64, significant: i32) -> usize {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    (significant - 1 - round(value.abs(), significant).log10().floor() as i32).clamp(0, 12) as usize
}

/// Rounds to so many significant digits. By way of the decimal text, which rounds correctly where
/// arithmetic with powers of ten does not.
fn round(value: f64, significant: i32) -> f64 {
    format!("{value:.*e}", (significant - 1).max(0) as usize).parse().unwrap_or(value)
}

fn group(digits: &str) -> String {
    let (whole, fraction) =
        digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        let left = whole.len() - index;
        if index > 0 && left.is_multiple_of(3) && !grouped.ends_with('-') {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    fraction.map_or(grouped.clone(), |fraction| format!("{grouped}.{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits_and_a_unit() {
        let table = [
            (8_834_000.0, "8.83 M"),
            (46_230.0, "46.2 k"),
            (0.87, "0.870"),
            (0.0534, "0.0534"),
            (999.4, "999"),
            (999.6, "1.00 k"),
            (999_600.0, "1.00 M"),
            (12.0, "12.0"),
            (357e6, "357 M"),
            (0.0, "0"),
        ];
        for (value, text) in table {
            assert_eq!(readable(value), text);
        }
        assert_eq!(
            readable_with_interval(8_834_000.0, 8_790_000.0, 8_880_000.0),
            "8.83 M (8.79–8.88)"
        );
        assert_eq!(readable_with_interval(1_000.0, 990.0, 1_020.0), "1.00 k (0.99–1.02)");
    }

    #[test]
    fn factors_times_and_sizes() {
        assert_eq!(factor(1514.4), "1,510×");
        assert_eq!(factor(0.0874), "0.0874×");
        assert_eq!(factor(9.996), "10.0×");
        assert_eq!(duration(1_234_000_000), "1.23 s");
        assert_eq!(duration(45_600_000), "45.6 ms");
        assert_eq!(duration(789_123), "789 µs");
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(91_435_827), "87.2 MiB");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(123), "123");
        assert_eq!(as_printed(124_349.0), "124,349");
        assert_eq!(as_printed(0.06), "0.06");
        assert_eq!(plain(-123_456.0, 3), "-123,000");
    }

    #[test]
    fn machine_numbers_are_short_and_read_back() {
        for (value, text) in
            [(8_834_123.4, "8834120"), (0.123_456_78, "0.123457"), (2.5e-7, "2.5e-7"), (3.0, "3")]
        {
            assert_eq!(machine(value), text);
            assert!((text.parse::<f64>().unwrap() - value).abs() <= 1e-5 * value);
        }
    }
}
