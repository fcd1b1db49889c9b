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
    check(
        &picture,
        &options,
        expect![[r#"
        <rect class="paper" width="400" height="215"/>
        <g class="board">
        <g class="cell other from" data-site="a1"><title>a1 player 1 disc</title><path class="ground" d="M161.6 134L225.6 134L225.6 70L161.6 70Z"/><g class="piece p0" transform="translate(193.6 102) scale(0.589)"><circle r="38"/><circle class="bare" stroke-width="3" r="26"/></g>
        <circle class="origin" cx="193.6" cy="102" r="28.16"/></g>
        <g class="cell last" data-site="b1"><title>b1</title><path class="ground" d="M225.6 134L289.6 134L289.6 70L225.6 70Z"/></g>
        <g class="cell to" data-site="a2"><title>a2</title><path class="ground" d="M161.6 70L225.6 70L225.6 6L161.6 6Z"/><circle class="target" cx="193.6" cy="38" r="8.32"/></g>
        <g class="cell other to" data-site="b2"><title>b2 player 1 disc</title><path class="ground" d="M225.6 70L289.6 70L289.6 6L225.6 6Z"/><g class="piece p0" transform="translate(257.6 38) scale(0.589)"><circle r="38"/><circle class="bare" stroke-width="3" r="26"/></g>
        <circle class="target" cx="257.6" cy="38" r="8.32"/></g>
        <text class="coordinate" font-size="14" x="193.6" y="166">a</text>
        <text class="coordinate" font-size="14" x="257.6" y="166">b</text>
        <text class="coordinate" font-size="14" x="129.6" y="102">1</text>
        <text class="coordinate" font-size="14" x="129.6" y="38">2</text>
        </g>
        <text class="note" xml:space="preserve" x="6" y="204.2">player 2 to move</text>
        </svg>
    "#]],
    );
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
    check(
        &picture,
        &options,
        expect![[r#"
        <rect class="paper" width="400" height="145"/>
        <g class="tray"><text x="6" y="41.1">hand of 1</text>
        <g class="piece back" transform="translate(112 33) scale(0.54)"><rect x="-32" y="-46" width="64" height="92" rx="9"/></g>
        </g>
        <g class="tray"><text x="6" y="99.1">dice</text>
        <g class="piece card" transform="translate(112 91) scale(0.54)"><rect x="-40" y="-40" width="80" height="80" rx="14"/><circle class="full" cx="-20" cy="-20" r="9"/><circle class="full" cx="20" cy="20" r="9"/></g>
        </g>
        <text class="note" xml:space="preserve" x="6" y="135">a pair &amp; a &lt; b</text>
        </svg>
    "#]],
    );
    let open = svg(&picture, &Options::default());
    assert!(open.contains(">K</text>"), "without a viewer all is shown: {open}");
}

#[test]
fn what_labels_name_beside_the_board_can_be_clicked() {
    let rooks = vec![Piece::of(1, "rook").at("hand2.1"), Piece::of(1, "pawn")];
    let one = Tray { name: "hand1".to_owned(), ..Tray::default() };
    let mut picture =
        Picture::default().with_tray(one).with_tray(Tray { pieces: rooks, ..Tray::default() });
    picture.trays[0].pieces.push(Piece::of(0, "disc").times(9));
    let drawn = svg(&picture, &Options::default());
    let sites: Vec<&str> = drawn.split("class=\"cell\" data-site=\"").skip(1).collect();
    let names: Vec<&str> = sites.iter().filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(names, ["hand1", "hand2.1"], "{drawn}");
    assert_eq!(drawn.matches("class=\"hold\"").count(), 2, "each has a place: {drawn}");
    // A covered piece is not told apart.
    picture.trays[1].cover = Cover::Closed;
    assert!(!svg(&picture, &Options::default()).contains("hand2.1"));
}

/// A player must not learn from a picture what the rules hide.
#[test]
fn a_viewer_sees_no_notes_of_a_game_with_secrets() {
    let options = Options { viewer: Some(Player(0)), ..Options::default() };
    let mut picture = Picture { hidden: true, ..two_by_two().with_notes("a secret") };
    let drawn = svg(&picture, &options);
    assert!(!drawn.contains("secret") && !drawn.contains("data-site=\"a1\""), "{drawn}");
    picture.cells[0].cover = Cover::From(vec![Player(0)]);
    let drawn = svg(&picture, &options);
    assert!(!drawn.contains("secret") && drawn.contains("data-site=\"a1\""), "{drawn}");
    assert!(!drawn.contains("a1 player 1 disc") && drawn.contains("b2 player 1 disc"), "{drawn}");
    assert!(svg(&picture, &Options::default()).contains("a secret"));
}

#[test]
fn other_boards_have_lines_and_names() {
    let mut picture = Picture::default();
    for (name, at) in [("in", [0.0, 0.0]), ("out", [2.0, 1.0])] {
        picture.cells.push(Cell::new(name, at, Outline::Vertex));
    }
    picture.cells[1].pieces.push(Piece::of(1, "shield").facing([90]).times(3));
    picture.links.push([0, 1]);
    check(
        &picture,
        &Options::default(),
        expect![[r#"
        <rect class="paper" width="400" height="146"/>
        <g class="board">
        <path class="link" d="M136 102L264 38"/>
        <g class="cell vertex" data-site="in"><title>in</title><circle class="hit" cx="136" cy="102" r="26.88"/><circle class="ground" cx="136" cy="102" r="5.76"/><text class="name" font-size="11" x="152.64" y="123.76">in</text></g>
        <g class="cell vertex" data-site="out"><title>out player 2 3 shield</title><circle class="hit" cx="264" cy="38" r="26.88"/><circle class="ground" cx="264" cy="38" r="5.76"/><g class="piece p1" transform="translate(264 38) scale(0.538)"><circle r="40"/><text class="sign on" y="3" font-size="46">sh</text><path class="full" transform="rotate(90)" d="M-4 0V-34H-11L0-49 11-34H4V0Z"/><circle class="badge" cx="28" cy="28" r="21"/><text class="sign" x="28" y="29" font-size="26">3</text></g>
        <text class="name" font-size="11" x="294.72" y="71.28">out</text></g>
        </g>
        </svg>
    "#]],
    );
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
