//! Drawings of positions.

use expect_test::expect_file;
use play::Rng;

use super::compiled;

/// The drawings of the first positions of games, each after the first legal action of the last.
#[test]
fn positions_are_drawn() {
    let answered = text::cases::answered(include_str!("drawings.txt"), |text| {
        let mut rng = Rng::stream(1, 0);
        let mut position = compiled("t.hrg", text).open(&mut rng);
        let mut drawings = vec![position.draw()];
        while drawings.len() < 4 && position.actions() > 0 {
            position.play(0, &mut rng).expect("a legal action");
            drawings.push(position.draw());
        }
        drawings.join("-\n")
    });
    expect_file!["drawings.txt"].assert_eq(&answered);
}
