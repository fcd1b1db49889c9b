use expect_test::{Expect, expect};
use play::picture::{Cell, Cover, Outline, Picture, Piece, Tray};
use play::{Player, Turn};

use crate::{Options, Theme, png, svg};

/// What is between the style and the end.
fn check(picture: &Picture, options: &Options<'_>, expected: Expect) {
    let drawn = svg(picture, options);
    let tree = resvg::usvg::roxmltree::Document::parse(&drawn).expect("it is XML");
    assert_eq!(tree.root_element().tag_name().name(), "svg");
    let at = drawn.find("</style>").expect("there is a style") + "</style>\n".len();
    expected.assert_eq(&drawn[at..]);
}

fn two_by_two() -> Picture {
    Picture::grid((2, 2), false, &|file, rank| if file == rank { 'x' } else { '.' })
}

#[test]
fn squares_have_coordinates_and_marks() {
    let legal = ["a1a2".to_owned(), "b2".to_owned(), "pass".to_owned()];
    let options = Options { legal: &legal, last: Some("b1"), ..Options::default() };
    let picture = Picture { turn: Some(Turn::Move(Player(1))), ..two_by_two() };
    check(&picture, &options, expect![[r#""#]]);
}

#[test]
fn what_lies_beside_the_board_is_drawn_and_covered() {
    let mut picture = Picture::default().with_notes("a pair & a < b");
    picture.trays = vec![
        Tray {
            title: "hand".to_owned(),
            owner: Some(Player(0)),
            pieces: vec![Piece::new(None, "card king")],
            cover: Cover::From(vec![Player(1)]),
            ..Tray::default()
        },
        Tray {
            title: "dice".to_owned(),
            pieces: vec![Piece::new(None, "die 2")],
            ..Tray::default()
        },
    ];
    let options = Options { viewer: Some(Player(1)), ..Options::default() };
    check(&picture, &options, expect![[r#""#]]);
    let open = svg(&picture, &Options::default());
    assert!(open.contains(">king</text>"), "without a viewer all is shown: {open}");
}

#[test]
fn other_boards_have_lines_and_names() {
    let mut picture = Picture::default();
    for (name, at) in [("in", [0.0, 0.0]), ("out", [2.0, 1.0])] {
        picture.cells.push(Cell::new(name, at, Outline::Vertex));
    }
    picture.cells[1].pieces.push(Piece::of(1, "shield").facing([90]).times(3));
    picture.links.push([0, 1]);
    check(&picture, &Options::default(), expect![[r#""#]]);
}

/// Text of rule files stands in pictures, and may be anything.
#[test]
fn hostile_text_is_escaped_and_bounded() {
    let nasty = "</style><script>\u{0}\u{7}&\"'".to_owned() + &"x".repeat(5000);
    let mut picture = two_by_two().with_notes(&(nasty.clone() + "\n").repeat(500));
    picture.cells[0].name.clone_from(&nasty);
    picture.cells[1].pieces =
        (0..50).map(|_| Piece::of(200, nasty.clone()).times(u32::MAX)).collect();
    (picture.cells[2].x, picture.cells[3].y) = (1e30, -1e30);
    picture.links.push([0, 99]);
    picture.trays.push(Tray {
        title: nasty.clone(),
        pieces: vec![Piece::new(None, nasty.clone()); 500],
        ..Tray::default()
    });
    let options = Options { title: &nasty, last: Some(&nasty), ..Options::default() };
    for number in [f32::NAN, f32::INFINITY, 1e30] {
        picture.cells[2].x = number;
        let drawn = svg(&picture, &options);
        resvg::usvg::roxmltree::Document::parse(&drawn).expect("it is XML");
        assert!(!drawn.contains("<script>"));
        assert!(drawn.len() < 600_000, "{}", drawn.len());
    }
}

#[test]
fn pictures_in_pixels_have_the_colours_of_their_owners() {
    let theme = Theme::Light;
    let drawn = svg(&two_by_two(), &Options { theme, notes: false, ..Options::default() });
    let pixels = crate::pixels(&drawn, 200).unwrap();
    let colours: std::collections::BTreeSet<&[u8]> = pixels.rgba.chunks(4).collect();
    // Paper, both grounds, and the discs of the first player.
    for colour in [[255, 255, 255], [0xec, 0xdf, 0xc3], [0xe0, 0xcf, 0xa9], [0xfd, 0xfb, 0xf4]] {
        let opaque = [&colour[..], &[255]].concat();
        assert!(colours.contains(&opaque[..]), "{colour:?}");
    }
    assert_eq!(pixels.rgba.len() as u32, 4 * pixels.width * pixels.height);
    assert_eq!(&png(&drawn, 50).unwrap()[1..4], b"PNG");
    assert!(png("<svg", 50).is_err());
}
