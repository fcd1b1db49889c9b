//! Neutral coordinates of boards: what squares are called in moves.

use play::{Language, NoChance, Rules};

use crate::engines::rbg::common::compiled;

const HEXAGON: &str = "hexagon(nw,ne,e,se,sw,w, [x,x] [x,x,x] [x,x])";
const TRIANGLE: &str = "hexagon(nw,ne,e,se,sw,w, [x] [x,x] [x,x,x])";
const RHOMBUS: &str = "hexagon(nw,ne,e,se,sw,w, [x] [x,x] [x,x,x] [x,x] [x])";
const LAYERS: &str = "cuboid(u,d,l,r,f,b, [[x,x] [x,x]] [[x,x] [x,]])";

/// Each way from the first square of a board, with what the square it leads to is called.
fn squares<'w>(board: &str, ways: &[&'w str]) -> Vec<(&'w str, String)> {
    let square = |&way: &&'w str| {
        let text = format!(
            "#players = me(1)
             #pieces = x
             #variables =
             #board = {board}
             #rules = ->me {way} ->me {{}}"
        );
        let rules = Rules::new(Language::Rbg, "board.rbg", text);
        (way, compiled(&rules).open(&mut NoChance).labels().join(" "))
    };
    ways.iter().map(square).collect()
}

fn check(board: &str, expected: &[(&str, &str)]) {
    let ways: Vec<&str> = expected.iter().map(|&(way, _)| way).collect();
    let expected: Vec<(&str, String)> =
        expected.iter().map(|&(way, square)| (way, square.to_owned())).collect();
    assert_eq!(squares(board, &ways), expected);
}

#[test]
fn ranks_of_a_hexagon_run_along_its_bottom_row() {
    check(
        HEXAGON,
        &[("e", "c3"), ("sw", "a2"), ("se", "b2"), ("e se", "c2"), ("sw se", "a1"), ("se^2", "b1")],
    );
    check(TRIANGLE, &[("sw", "b2"), ("se", "c2"), ("sw^2", "a1"), ("se^2", "c1")]);
}

#[test]
fn ranks_of_a_rhombus_run_along_its_lower_right_side() {
    check(RHOMBUS, &[("sw", "b3"), ("se", "c2"), ("sw^2", "a3"), ("se^2", "c1"), ("sw se", "b2")]);
    check(RHOMBUS, &[("sw^2 se", "a2"), ("sw se^2", "b1"), ("sw^2 se^2", "a1")]);
}

#[test]
fn squares_of_layers_tell_the_layer() {
    check(LAYERS, &[("r", "b2.1"), ("d", "a1.1"), ("f", "a2.2"), ("f d", "a1.2")]);
}
