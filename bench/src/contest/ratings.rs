//! Ratings of agents from their games with each other.

use super::Pairs;

/// Rounds of the iteration, far more than it needs.
const ROUNDS: u32 = 20_000;

/// Points of a rating by which odds change tenfold (Elo 1978).
const TENFOLD: f64 = 400.0;

/// The strength of an agent, in Elo points around the mean of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The points.
    pub points: f64,
    /// Half the width of its 95 % interval.
    pub half_width: f64,
}

/// Rates agents by the model of Bradley and Terry (1952): the odds of one against another are the
/// ratio of their strengths. Strengths are those of the greatest likelihood, found by minorisation
/// and maximisation (Hunter 2004); a draw is half a win for both. One drawn game is added for each
/// pair that met, without which an agent that won every game would be infinitely strong. Intervals
/// are by the Fisher information, of strengths whose logarithms sum to 0.
pub fn rate(pairs: &Pairs) -> Vec<Rating> {
    let agents = pairs.len();
    let met = |i: usize, j: usize| i != j && pairs.games(i, j) > 0.0;
    let games = |i, j| if met(i, j) { pairs.games(i, j) + 1.0 } else { 0.0 };
    let points = |i, j| if met(i, j) { pairs.points(i, j) + 0.5 } else { 0.0 };
    let mut strength = vec![1.0f64; agents];
    for _ in 0..ROUNDS {
        let mut moved: f64 = 0.0;
        for i in 0..agents {
            let won: f64 = (0..agents).map(|j| points(i, j)).sum();
            let share: f64 = (0..agents).map(|j| games(i, j) / (strength[i] + strength[j])).sum();
            if share > 0.0 {
                let new = won / share;
                moved = moved.max((new / strength[i]).ln().abs());
                strength[i] = new;
            }
        }
        let mean = strength.iter().map(|s| s.ln()).sum::<f64>() / agents as f64;
        strength.iter_mut().for_each(|s| *s /= mean.exp());
        if moved < 1e-12 {
            break;
        }
    }
    // The information matrix is a Laplacian; adding a constant makes it regular and, on strengths
    // that sum to 0, changes nothing.
    let constant = 1.0 / agents as f64;
    let mut information = vec![vec![constant; agents]; agents];
    for i in 0..agents {
        for j in 0..agents {
            let p = strength[i] / (strength[i] + strength[j]);
            let weight = games(i, j) * p * (1.0 - p);
            information[i][i] += weight;
            information[i][j] -= weight;
        }
    }
    let covariance = inverse(information);
    let scale = TENFOLD / std::f64::consts::LN_10;
    (0..agents)
        .map(|i| {
            let variance = covariance.as_ref().map_or(f64::INFINITY, |c| c[i][i] - constant);
            Rating {
                points: strength[i].ln() * scale,
                half_width: 1.96 * variance.max(0.0).sqrt() * scale,
            }
        })
        .collect()
}

/// The inverse of a matrix by Gauss and Jordan, with pivots; `None` if it is singular, which it is
/// where agents fall into groups that never met.
fn inverse(mut a: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = a.len();
    for (i, row) in a.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for column in 0..n {
        let pivot =
            (column..n).max_by(|&i, &j| a[i][column].abs().total_cmp(&a[j][column].abs()))?;
        if a[pivot][column].abs() < 1e-12 {
            return None;
        }
        a.swap(column, pivot);
        let factor = a[column][column];
        a[column].iter_mut().for_each(|x| *x /= factor);
        let row = a[column].clone();
        for (i, other) in a.iter_mut().enumerate() {
            if i != column {
                let factor = other[column];
                other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    Some(a.into_iter().map(|row| row[n..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_agents_have_the_odds_of_their_games() {
        let mut pairs = Pairs::new(2);
        // With the drawn game that is added: 15 points to 5.
        for _ in 0..14 {
            pairs.add(0, 1, 1.0);
        }
        for _ in 0..4 {
            pairs.add(0, 1, 0.0);
        }
        pairs.add(0, 1, 0.5);
        let ratings = rate(&pairs);
        let difference = ratings[0].points - ratings[1].points;
        assert!((difference - 400.0 * 3f64.log10()).abs() < 1e-6, "{difference}");
        // The variance of the difference of two logarithms is 1 / (n p q); each has half of it.
        let expected = 1.96 * (1.0 / (20.0 * 0.75 * 0.25) / 4.0f64).sqrt() * 400.0 / 10f64.ln();
        assert!((ratings[0].half_width - expected).abs() < 1e-6, "{ratings:?}");
    }

    #[test]
    fn whoever_wins_all_is_not_infinitely_strong() {
        let mut pairs = Pairs::new(3);
        for _ in 0..10 {
            pairs.add(0, 1, 1.0);
            pairs.add(1, 2, 1.0);
        }
        let ratings = rate(&pairs);
        assert!(ratings[0].points > ratings[1].points && ratings[1].points > ratings[2].points);
        assert!(ratings.iter().all(|r| r.points.is_finite() && r.half_width.is_finite()));
    }
}
