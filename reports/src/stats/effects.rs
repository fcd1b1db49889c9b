//! The contribution of each column to a table that has gaps.

/// The effects of columns on numbers that are an effect of their row plus one of their column plus
/// noise, by least squares (Yates 1934, *The analysis of multiple classifications with unequal
/// numbers in the different classes*). The last column's effect is 0; without gaps the effects are
/// differences of column means. Rows with fewer than two numbers tell nothing.
///
/// `None` where gaps split the columns into groups that no row joins.
pub(super) fn column_effects<'r>(
    columns: usize,
    rows: impl Iterator<Item = &'r [Option<f64>]>,
) -> Option<Vec<f64>> {
    let free = columns.checked_sub(1)?;
    // The normal equations without the effects of rows; the right-hand side stands last.
    let mut equations = vec![vec![0.0; columns]; free];
    for row in rows {
        let present = || row.iter().enumerate().filter_map(|(i, n)| n.map(|n| (i, n)));
        let count = present().count() as f64;
        let mean = present().map(|(_, number)| number).sum::<f64>() / count;
        for (i, number) in present().filter(|&(i, _)| i < free) {
            equations[i][i] += 1.0;
            equations[i][free] += number - mean;
            for (j, _) in present().filter(|&(j, _)| j < free) {
                equations[i][j] -= 1.0 / count;
            }
        }
    }
    // They are symmetric, and positive definite where every column is joined to the last: Gauss's
    // elimination needs no exchange of rows.
    for pivot in 0..free {
        let (above, below) = equations.split_at_mut(pivot + 1);
        let first = &above[pivot];
        if first[pivot] < 1e-9 {
            return None;
        }
        for row in below {
            let factor = row[pivot] / first[pivot];
            row.iter_mut().zip(first).skip(pivot).for_each(|(to, from)| *to -= factor * from);
        }
    }
    let mut effects = vec![0.0; columns];
    for i in (0..free).rev() {
        let known: f64 = (i + 1..free).map(|j| equations[i][j] * effects[j]).sum();
        effects[i] = (equations[i][free] - known) / equations[i][i];
    }
    Some(effects)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effects(rows: &[[Option<f64>; 3]]) -> Option<Vec<f64>> {
        column_effects(3, rows.iter().map(|row| &row[..]))
    }

    fn close(found: Option<Vec<f64>>, wanted: [f64; 3]) {
        let found = found.expect("the columns are joined");
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn without_gaps_they_are_differences_of_means() {
        let rows = [[5.0, 3.0, 1.0], [9.0, 8.0, 5.0], [1.0, 1.0, 0.0]].map(|row| row.map(Some));
        close(effects(&rows), [3.0, 2.0, 0.0]);
    }

    #[test]
    fn gaps_are_bridged_by_what_rows_share() {
        // Column 0 is 2 above column 1, which is 3 above column 2; rows differ as they like.
        let rows = [[Some(7.0), Some(5.0), None], [None, Some(1.0), Some(-2.0)]];
        close(effects(&rows), [5.0, 3.0, 0.0]);
        let alone = [None, None, Some(100.0)];
        close(effects(&[rows[0], rows[1], alone]), [5.0, 3.0, 0.0]);
    }

    #[test]
    fn groups_that_no_row_joins_cannot_be_compared() {
        let rows = [[Some(7.0), Some(5.0), None], [None, None, Some(-2.0)]];
        assert_eq!(effects(&rows), None);
        assert_eq!(effects(&[]), None);
        assert_eq!(column_effects(1, std::iter::empty()), Some(vec![0.0]));
    }
}
