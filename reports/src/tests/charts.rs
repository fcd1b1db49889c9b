//! The pictures: complete, inside their frame, without overlaps, not blank, the same every time.
//! They are left in the target folder's `tmp/charts`, to be looked at.

use crate::tests::made;
use std::collections::BTreeSet;

use crate::tests::picture::{Drawing, Shape};
use reports::chart::{self, Data, Picture, RatedAgent, ratings_picture};
use reports::curves::{Over, curves};
use reports::{Method, Order, Sample, Table, Verdict, Via};

/// Checks what holds for any chart, and leaves its files to be looked at.
fn check(name: &str, picture: &Picture) {
    let dir = made::folder().join("charts");
    std::fs::create_dir_all(&dir).unwrap();
    let name = format!("{name}-{}", picture.name);
    std::fs::write(dir.join(format!("{name}.png")), &picture.png).unwrap();
    std::fs::write(dir.join(format!("{name}.svg")), &picture.svg).unwrap();
    let drawing = Drawing::read(&picture.svg);
    drawing.check_layout(&name);
    drawing.check_pixels(&name, &picture.png);
}

/// Draws all charts, checks what holds for any chart, and leaves the files to be looked at.
fn draw(name: &str, rows: &[Sample]) -> Vec<Picture> {
    draw_over(name, rows, None)
}

fn draw_over(name: &str, rows: &[Sample], baseline: Option<&str>) -> Vec<Picture> {
    let table = Table::new(rows, Order::Measured);
    let speedups = table.speedups(baseline).unwrap();
    let curves = curves(&table);
    let data = Data { table: &table, speedups: &speedups, curves: &curves };
    let pictures = chart::pictures(&data).unwrap();
    let names: BTreeSet<&str> = pictures.iter().map(|picture| picture.name.as_str()).collect();
    assert_eq!(names.len(), pictures.len(), "no picture takes another's place");
    pictures.iter().for_each(|picture| check(name, picture));
    pictures
}

fn find<'p>(pictures: &'p [Picture], name: &str) -> Option<&'p Picture> {
    pictures.iter().find(|picture| picture.name == name)
}

/// The picture of that name, as its elements.
fn drawing(pictures: &[Picture], name: &str) -> Drawing {
    Drawing::read(&find(pictures, name).unwrap_or_else(|| panic!("no {name}")).svg)
}

#[test]
fn fourteen_games_and_four_engines() {
    let rows = made::fourteen();
    let pictures = draw("fourteen", &rows);
    let names: Vec<&str> = pictures.iter().map(|picture| picture.name.as_str()).collect();
    assert_eq!(names, ["rates", "ratios", "profile", "compile", "tokens", "verdicts"]);
    for name in ["rates", "ratios", "verdicts"] {
        let drawing = drawing(&pictures, name);
        for game in &made::GAMES {
            assert!(drawing.says(game.1), "{name}: {} is missing", game.1);
        }
        let headings = ["For one player", "For two players or more"];
        assert!(headings.iter().all(|heading| drawing.says(heading)), "{name}");
        let failures = ["too large", "WRONG"].map(|word| drawing.says(word));
        assert_eq!(failures, [name != "ratios"; 2], "{name}");
    }
    assert_eq!(draw("fourteen", &rows), pictures, "drawn twice, they are the same");
}

#[test]
fn all_games_of_the_study_fit_a_page() {
    let pictures = draw("forty-three", &made::forty_three());
    let rates = drawing(&pictures, "rates");
    let all = reports::published::all();
    assert_eq!(all.iter().filter(|row| rates.says(&row.row)).count(), 43);
    // An A4 page of this width is 1414 high.
    assert!(rates.height < 1414.0, "{} high", rates.height);
}

#[test]
fn of_many_games_those_at_the_ends_are_named_and_each_engine_stands_once() {
    let mut rows = made::forty_three();
    let batch = rows.iter().filter(|row| row.engine == "bitboard").cloned();
    let batch: Vec<Sample> = batch.map(|row| Sample { via: Via::Batch, ..row }).collect();
    rows.extend(batch);
    let pictures = draw("many", &rows);
    for name in ["compile", "tokens"] {
        let drawing = drawing(&pictures, name);
        let games = reports::published::all().iter();
        let named: usize = games
            .map(|game| drawing.texts.iter().filter(|text| text.words == game.row).count())
            .sum();
        // Eight engines, each with an end to the left, the right, above and below.
        assert!((8..=32).contains(&named), "{name}: {named} names");
        assert!(drawing.says("bitboard") && !drawing.says("bitboard (batch)"), "{name}");
    }
    assert!(drawing(&pictures, "rates").says("bitboard (batch)"));
}

#[test]
fn the_map_cuts_no_name_and_a_game_is_either_tabled_or_played() {
    let mut rows = Vec::new();
    for number in 0..13 {
        let engine = format!("an-engine-of-the-number-{number:02}");
        rows.extend(made::samples(&made::GAMES[0], &engine, "lud", 1e6, 3, 0.01));
        let tabled = made::samples(&made::GAMES[1], &engine, "lud", 1e6, 3, 0.01).into_iter();
        rows.extend(tabled.map(|row| Sample { method: Some(Method::Tabled), ..row }));
    }
    let map = drawing(&draw("long-names", &rows), "verdicts");
    for number in 0..13 {
        assert!(map.says(&format!("an-engine-of-the-number-{number:02}")), "{number}");
    }
    let cut = map.texts.iter().find(|text| text.words.contains('…') || text.words == "–");
    assert!(cut.is_none(), "{:?}", cut.map(|text| &text.words));
    assert_eq!(map.texts.iter().filter(|text| text.words == "ok").count(), 26);
}

/// A colour that the style sheet for dark screens lacks would stay as it is on white paper.
#[test]
fn every_colour_has_its_counterpart_on_dark_screens() {
    for rows in [made::fourteen(), made::every_verdict(), made::forty_three()] {
        for picture in draw("colours", &rows) {
            let (head, body) = picture.svg.split_once("</style>").unwrap();
            assert!(head.contains("@media screen and (prefers-color-scheme: dark)"));
            for sign in ["fill=\"#", "stroke=\"#"] {
                for part in body.split(sign).skip(1) {
                    let rule = format!("[{sign}{}\"]", &part[..6]);
                    assert!(head.contains(&rule), "{}: {rule} has no rule", picture.name);
                }
            }
        }
    }
}

#[test]
fn every_verdict_is_named_in_its_row_and_on_the_map() {
    let pictures = draw("verdicts", &made::every_verdict());
    let (rates, map) = (drawing(&pictures, "rates"), drawing(&pictures, "verdicts"));
    for &verdict in Verdict::ALL {
        assert!(map.says(verdict.word()), "{verdict} is not on the map");
        // Where there is no room for all, the worst ones are told.
        if verdict >= Verdict::Crashed {
            assert!(rates.says(verdict.word()), "{verdict} is not told");
        }
    }
    let ratios = drawing(&pictures, "ratios");
    assert!(!ratios.says("WRONG") && !ratios.says("Chess"), "no ratio has two sides there");
}

#[test]
fn what_has_nothing_to_show_is_not_drawn() {
    let mut long = made::samples(&made::GAMES[0], "bitboard", "native", 1e6, 3, 0.01);
    for row in &mut long {
        row.title =
            "The game with a name that is much too long to stand beside its marks in any chart"
                .to_owned();
    }
    let pictures = draw("one", &long);
    assert!(find(&pictures, "ratios").is_none() && find(&pictures, "profile").is_none());
    let rates = drawing(&pictures, "rates");
    assert!(rates.texts.iter().any(|text| {
        text.words.starts_with("The game with a name") && text.words.ends_with('…')
    }));

    let failed = made::failed(&made::GAMES[0], "bitboard", "native", Verdict::Crashed, "signal 9");
    let pictures = draw("none", &[failed]);
    let names: Vec<&str> = pictures.iter().map(|picture| picture.name.as_str()).collect();
    assert_eq!(names, ["verdicts"]);
}

#[test]
fn rates_twelve_decades_apart_and_alike_to_the_last_digit() {
    let mut rows = made::samples(&made::GAMES[0], "slow", "lud", 1e-4, 2, 0.3);
    for engine in [
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "g",
        "h",
        "an engine of which the name is quite long (reference) ×16",
    ] {
        rows.extend(made::samples(&made::GAMES[0], engine, "lud", 1e8, 2, 0.0));
    }
    draw("wide", &rows);
    draw("equal", &rows.into_iter().filter(|row| row.engine != "slow").collect::<Vec<_>>());
}

#[test]
fn a_folder_of_thousands_of_games_has_pages_of_bounded_number_and_size() {
    let rows: Vec<Sample> = (0..3_000)
        .flat_map(|index| {
            let mut rows = made::samples(&made::GAMES[0], "base", "lud", 1e4, 1, 0.0);
            rows.extend(made::samples(&made::GAMES[0], "other", "lud", 2e4, 1, 0.0));
            for row in &mut rows {
                row.game = format!("game-{index}");
            }
            rows
        })
        .collect();
    let table = Table::new(&rows, Order::Measured);
    let speedups = table.speedups(None).unwrap();
    let data = Data { table: &table, speedups: &speedups, curves: &[] };
    let rates = chart::ALL.iter().find(|chart| chart.name == "rates").unwrap();
    let pages = rates.draw(&data).unwrap();
    assert_eq!(pages.len(), 8);
    assert_eq!((&*pages[0].name, &*pages[7].name), ("rates", "rates-8"));
    let games = |page: &Picture| {
        let drawing = Drawing::read(&page.svg);
        assert!(drawing.height < 1414.0 && drawing.contains("2,600"));
        drawing.texts.iter().filter(|text| text.words == made::GAMES[0].1).count()
    };
    assert_eq!(pages.iter().map(games).sum::<usize>(), 400);
}

#[test]
fn nothing_collides_whatever_the_spread_of_rates() {
    for step in 0..8 {
        let ratio = 10_f64.powf(f64::from(step) / 0.9 - 4.0);
        let rows = [
            made::samples(&made::GAMES[0], "base", "lud", 1e4, 2, 0.1),
            made::samples(&made::GAMES[0], "other", "lud", 1e4 * ratio, 2, 0.1),
            made::samples(&made::GAMES[1], "base", "lud", 3e3, 2, 0.1),
            made::samples(&made::GAMES[1], "other", "lud", 4e3, 2, 0.1),
        ];
        draw_over("spread", &rows.concat(), Some("base"));
    }
}

#[test]
fn marks_stand_at_the_logarithms_of_the_rates() {
    let rows: Vec<Sample> = [1e3, 1e4, 1e6]
        .into_iter()
        .zip(&made::GAMES)
        .flat_map(|(rate, game)| made::samples(game, "bitboard", "native", rate, 3, 0.0))
        .collect();
    let rates = drawing(&draw("decades", &rows), "rates");
    let places: Vec<f64> = rates
        .shapes
        .iter()
        .filter(|shape| shape.fill == "#000000")
        .skip(1) // the legend's
        .map(Shape::middle)
        .collect();
    let [a, b, c] = places[..] else { panic!("{places:?}") };
    assert!(b - a > 50.0 && ((c - b) - 2.0 * (b - a)).abs() <= 4.0, "{places:?}");
    // The axis goes from decade to decade.
    for text in ["1 k", "1 M"] {
        assert!(rates.says(text), "{text}");
    }
    assert!(!rates.says("100") && !rates.says("10 M"));
}

/// The mark before an engine's name in the legend: its colour, and the corners of all its pieces.
fn look(drawing: &Drawing, engine: &str) -> (String, Vec<(f64, f64)>) {
    let name = drawing.texts.iter().find(|text| text.words == engine).unwrap();
    let pieces: Vec<&Shape> = drawing
        .shapes
        .iter()
        .filter(|shape| (shape.points[0].1 - name.y).abs() < 20.0)
        .filter(|shape| (name.left - 35.0..name.left).contains(&shape.middle()))
        .collect();
    let corners = pieces.iter().flat_map(|piece| &piece.points);
    let corners = corners.map(|(x, y)| (x - name.left, y - name.y)).collect();
    (pieces[0].fill.clone(), corners)
}

/// True if two shapes are the same but for the rounding of their place.
fn is_same_shape(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    let near = |((ax, ay), (bx, by)): (&(f64, f64), &(f64, f64))| {
        (ax - bx).abs() <= 2.0 && (ay - by).abs() <= 2.0
    };
    a.len() == b.len() && a.iter().zip(b).all(near)
}

#[test]
fn colour_and_shape_go_with_the_name_of_the_engine() {
    let rows = |engines: &[&str]| -> Vec<Sample> {
        let rows = |engine| made::samples(&made::GAMES[0], engine, "lud", 1e4, 2, 0.0);
        engines.iter().flat_map(|engine| rows(engine)).collect()
    };
    let many = ["bitboard", "ludeme", "my-engine", "propnet", "propnet-batch", "prover", "rbg"];
    let all = drawing(&draw("looks", &rows(&many)), "rates");
    let few = drawing(&draw("looks-of-two", &rows(&["my-engine", "rbg"])), "rates");
    for engine in ["my-engine", "rbg"] {
        let (one, other) = (look(&all, engine), look(&few, engine));
        assert!(one.0 == other.0 && is_same_shape(&one.1, &other.1), "{one:?} {other:?}");
    }
    for (index, one) in many.iter().enumerate() {
        for other in &many[..index] {
            let (a, b) = (look(&all, one), look(&all, other));
            assert!(!is_same_shape(&a.1, &b.1), "{one} and {other} look alike in grey");
        }
    }
}

#[test]
fn printed_figures_stand_beside_ours() {
    let rows =
        |engine, language, rate| made::samples(&made::GAMES[2], engine, language, rate, 3, 0.0);
    let rows = [rows("ludeme", "lud", 1e5), rows("prover", "kif", 1e5 / 9.1)].concat();
    let pictures = draw_over("printed", &rows, Some("prover"));
    let rates = drawing(&pictures, "rates");
    assert!(rates.says("Ludii, printed") && rates.says("GGP-base, printed"));
    let ratios = drawing(&pictures, "ratios");
    assert!(ratios.says("Ludii over GGP-base, printed"));
    // The paper prints 9.10 for this game, which is ours to the pixel.
    let places = |fill: &str| -> Vec<f64> {
        let of = ratios.shapes.iter().filter(|shape| shape.fill == fill);
        of.map(Shape::middle).collect()
    };
    let (ours, printed) = (places("#D55E00")[1], places("#5B636E"));
    assert!(printed.iter().any(|place| (place - ours).abs() <= 1.0), "{ours} {printed:?}");
    // Over an engine that reads no language of the paper there is nothing to print.
    let ratios = drawing(&draw_over("unprinted", &made::fourteen(), Some("bitboard")), "ratios");
    assert!(!ratios.contains("printed"));
}

/// Two engines on two games: one the quickest twice, the other 4 and 100 times slower.
#[test]
fn profiles_rise_where_engines_come_as_close_as_that() {
    let exact = |game: usize, engine: &str, rate: f64| {
        made::samples(&made::GAMES[game], engine, "lud", rate, 3, 0.0)
    };
    let rows = [
        exact(0, "ludeme", 1e6),
        exact(0, "rbg", 1e4),
        exact(1, "ludeme", 4e5),
        exact(1, "rbg", 1e5),
        exact(2, "rbg", 1e5), // no comparison
    ];
    let profile = drawing(&draw("profiles", &rows.concat()), "profile");
    assert!(profile.contains("Share of 2 games"));
    let of = |fill: &str| -> Vec<&Shape> {
        profile.shapes.iter().filter(|shape| shape.fill == fill).skip(1).collect()
    };
    // The end of the curve, and two games.
    let (quick, slow) = (of("#D55E00"), of("#009E73"));
    assert_eq!((quick.len(), slow.len()), (3, 3));
    let origin = quick[1].middle();
    let [near, far] = [slow[1], slow[2]].map(|mark| mark.middle() - origin);
    let decade = far / 2.0;
    assert!(decade > 50.0 && (near - decade * 4_f64.log10()).abs() <= 4.0, "{near} {far}");
}

/// Rows of a family on two engines: the cost of a playout grows with the third and fourth power.
fn family(name: &str, noise: f64) -> Vec<Sample> {
    let mut rows = Vec::new();
    for n in [3_u64, 5, 7, 9, 11] {
        let (id, title) = (format!("{name}-{n}"), format!("Hex ({n}x{n})"));
        let game = made::Game(id.leak(), title.leak(), "", 2, (n * n) as f64 * 0.9);
        for (engine, language, power) in [("ludeme", "lud", 3), ("propnet", "kif", 4)] {
            let rate = 1e9 / (n.pow(power)) as f64;
            rows.extend(
                made::samples(&game, engine, language, rate, 8, noise)
                    .into_iter()
                    .map(|row| Sample { family: name.to_owned(), size: Some(n), ..row }),
            );
        }
    }
    rows
}

#[test]
fn growth_is_a_line_with_its_exponent() {
    let table = Table::new(&family("hex", 0.001), Order::Measured);
    let bundles = curves(&table);
    assert_eq!(bundles.len(), 1);
    assert_eq!(bundles[0].over, Over::Size("hex".to_owned()));
    for (curve, (power, of_ply)) in bundles[0].curves.iter().zip([(3.0, 1.0), (4.0, 2.0)]) {
        let exponent = curve.growth.unwrap().exponent;
        assert!((exponent.value - power).abs() < 0.01, "{curve:?}");
        assert!(exponent.interval.unwrap().high - exponent.value < 0.02, "{curve:?}");
        assert!((curve.growth_of_ply.unwrap().exponent.value - of_ply).abs() < 0.02, "{curve:?}");
    }
    let growth = drawing(&draw("family", &family("hex", 0.001)), "growth-hex");
    let legend = growth.texts.iter().find(|text| text.words.starts_with("propnet: n^")).unwrap();
    assert!(legend.words.contains("n^4.0") && legend.words.contains('–'), "{}", legend.words);
    for text in ["3", "11", "10 ns", "100 µs", "CPU time of a playout, logarithmic"] {
        assert!(growth.says(text), "{text}");
    }
}

/// The number of vertical lines in an engine's colour.
fn whiskers(picture: &Picture, colour: &str) -> usize {
    let vertical = |points: &str| {
        let x = |point: &str| point.split(',').next().map(str::to_owned);
        let mut points = points.split_whitespace();
        points.next().and_then(x) == points.next().and_then(x)
    };
    let lines = picture.svg.lines().filter(|line| line.starts_with("<polyline"));
    let lines = lines.filter(|line| line.contains(&format!("stroke=\"{colour}\"")));
    let points = lines.filter_map(|line| line.split("points=\"").nth(1));
    points.filter(|points| vertical(points.split('"').next().unwrap())).count()
}

#[test]
fn growth_has_intervals_where_they_can_be_seen() {
    let count = |name: &str, noise: f64| {
        let pictures = draw(name, &family("hex", noise));
        whiskers(find(&pictures, "growth-hex").unwrap(), "#0072B2")
    };
    assert_eq!((count("family", 0.001), count("family-noisy", 0.4)), (0, 5));
}

#[test]
fn a_family_leads_out_of_no_folder_and_takes_no_other_ones_place() {
    let rows = [family("../hex", 0.001), family("/..hex", 0.001)].concat();
    let pictures = draw("families", &rows);
    assert!(find(&pictures, "growth----hex").is_some());
    assert!(find(&pictures, "growth----hex-2").is_some());
}

#[test]
fn threads_and_jobs_are_shares_of_the_same_games() {
    let game = &made::GAMES[0];
    let mut rows = Vec::new();
    for (threads, job, rate, wall) in [
        (1, None, 1e6, 1.0),
        (2, None, 1e6, 0.5),
        (4, None, 0.9e6, 0.25),
        (1, Some(1), 0.1e6, 1.0),
        (1, Some(64), 0.5e6, 1.0),
        (1, Some(4096), 1e6, 1.0),
    ] {
        rows.extend(made::samples(game, "rbg", "rbg", rate, 8, 0.0).into_iter().map(|row| {
            let wall_ns = (row.cpu_ns as f64 * wall) as u64;
            Sample { threads, job, wall_ns, ..row }
        }));
    }
    // A game without figures on four threads takes no part in that curve.
    rows.extend(made::samples(&made::GAMES[1], "rbg", "rbg", 1e3, 8, 0.0));
    let table = Table::new(&rows, Order::Measured);
    let bundles = curves(&table);
    assert_eq!(
        bundles.iter().map(|b| b.over.clone()).collect::<Vec<_>>(),
        [Over::Threads, Over::Job]
    );
    let values = |bundle: usize| -> Vec<(u64, f64, usize)> {
        let points = &bundles[bundle].curves[0].points;
        points.iter().map(|p| (p.at, (p.value.value * 100.0).round() / 100.0, p.games)).collect()
    };
    assert_eq!(values(0), [(1, 1.0, 1), (2, 2.0, 1), (4, 3.6, 1)]);
    assert_eq!(values(1), [(1, 0.1, 1), (64, 0.5, 1), (4096, 1.0, 1)]);
    let pictures = draw("varied", &rows);
    assert!(drawing(&pictures, "threads").says("4"));
    assert!(drawing(&pictures, "jobs").says("4,096"));
    // What has a chart of its own does not fill the others.
    assert!(!drawing(&pictures, "rates").contains("jobs of"));
}

#[test]
fn ratings_stand_over_speeds_with_the_marks_of_engines() {
    let agent = |name: &str, engine: &str, per_second: f64, points: f64| RatedAgent {
        name: name.to_owned(),
        engine: engine.to_owned(),
        per_second,
        points,
        half_width: Some(40.0),
    };
    let mut agents = vec![
        agent("uct@ludeme", "ludeme", 40_000.0, -35.0),
        agent("uct@bitboard:c=0.7", "bitboard", 900_000.0, 142.0),
        agent("uct@rbg", "rbg", 120_000.0, 20.0),
        agent("flat", "bitboard", 1_100_000.0, -96.0),
        agent("random", "bitboard", 0.0, -31.0),
    ];
    // Where agents never met, nothing bounds a rating.
    agents[3].half_width = None;
    let picture = ratings_picture(&agents).unwrap().unwrap();
    check("match", &picture);
    let drawing = Drawing::read(&picture.svg);
    for name in ["uct@ludeme", "uct@bitboard:c=0.7", "on rbg", "+200", "-100"] {
        assert!(drawing.says(name), "{name} is missing");
    }
    assert!(!drawing.says("random"));
    // Agents beside which there is no room have no name, but all have a mark.
    let many = (0..60).map(|i| agent(&format!("agent {i}"), "rbg", 1e5, f64::from(i % 3)));
    check("match-of-many", &ratings_picture(&many.collect::<Vec<_>>()).unwrap().unwrap());
    let slow = [agent("random", "rbg", 0.0, 3.0), agent("odd", "rbg", f64::NAN, f64::NAN)];
    assert!(ratings_picture(&slow).unwrap().is_none());
}
