//! The pictures: complete, inside their frame, without overlaps, not blank, the same every time. They are left in the target folder's `tmp/charts`, to be looked at.

mod made;

use std::path::PathBuf;

use reports::chart::{
    Extent, Item, Paint, Scene, Theme, compile_chart, curves_chart, playouts_chart, png,
    profile_chart, speedup_chart, svg, tokens_chart,
};
use reports::curves::{Over, curves};
use reports::{Order, Sample, Table, Verdict};

/// Draws all charts, checks what holds for any chart, and leaves the files to be looked at.
fn draw(name: &str, rows: &[Sample]) -> [Scene; 5] {
    let table = Table::new(rows, Order::Measured);
    let speedups = table.speedups(None).unwrap();
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("charts");
    std::fs::create_dir_all(&dir).unwrap();
    let scenes = [
        playouts_chart(&table),
        speedup_chart(&table, &speedups),
        profile_chart(&table),
        compile_chart(&table),
        tokens_chart(&table),
    ];
    let kinds = ["playouts", "speedup", "profile", "compile", "tokens"];
    for (kind, scene) in kinds.iter().zip(&scenes) {
        let bytes = png(scene, &Theme::LIGHT, 2.0).unwrap();
        assert_eq!(
            bytes,
            png(scene, &Theme::LIGHT, 2.0).unwrap(),
            "drawn twice, {name}-{kind} differs"
        );
        std::fs::write(dir.join(format!("{name}-{kind}.png")), &bytes).unwrap();
        std::fs::write(dir.join(format!("{name}-{kind}.svg")), svg(scene, &Theme::LIGHT)).unwrap();
        check_layout(&format!("{name}-{kind}"), scene);
        check_pixels(&format!("{name}-{kind}"), scene, &bytes);
    }
    scenes
}

/// Every mark lies inside the picture, and no text runs into another.
fn check_layout(name: &str, scene: &Scene) {
    let mut texts: Vec<(&str, Extent)> = Vec::new();
    for item in &scene.items {
        let extent = item.extent();
        let inside = extent.left >= 0.0
            && extent.upper >= 0.0
            && extent.right <= scene.width
            && extent.lower <= scene.height;
        assert!(
            inside,
            "{name}: {item:?} leaves the picture of {} by {}",
            scene.width, scene.height
        );
        if let Item::Text { text, .. } = item {
            texts.push((text, extent));
        }
    }
    assert!(texts.len() > 2, "{name} says next to nothing");
    for (index, (text, extent)) in texts.iter().enumerate() {
        for (other, covered) in &texts[..index] {
            assert!(!extent.overlaps(covered), "{name}: {text:?} and {other:?} overlap");
        }
    }
}

/// The image decodes, has the right size, and shows ink as well as paper and more than two colours.
fn check_pixels(name: &str, scene: &Scene, bytes: &[u8]) {
    let image = tiny_skia::Pixmap::decode_png(bytes).unwrap();
    let size = ((2.0 * scene.width) as u32, (2.0 * scene.height) as u32);
    assert_eq!((image.width(), image.height()), size, "{name}");
    let mut colours: Vec<(u8, u8, u8)> =
        image.pixels().iter().map(|pixel| (pixel.red(), pixel.green(), pixel.blue())).collect();
    let paper = colours.iter().filter(|&&colour| colour == (255, 255, 255)).count();
    assert!(paper > colours.len() / 10 && paper < colours.len(), "{name}: {paper} pixels of paper");
    // Runs first: most of the picture is paper.
    colours.dedup();
    colours.sort_unstable();
    colours.dedup();
    assert!(colours.len() > 20, "{name} has {} colours", colours.len());
}

fn texts(scene: &Scene) -> Vec<&str> {
    scene
        .items
        .iter()
        .filter_map(|item| if let Item::Text { text, .. } = item { Some(&**text) } else { None })
        .collect()
}

#[test]
fn fourteen_games_and_four_engines() {
    let [playouts, speedup, ..] = draw("fourteen", &made::fourteen());
    for game in &made::GAMES {
        assert!(texts(&playouts).contains(&game.1), "{} is missing", game.1);
        assert!(texts(&speedup).contains(&game.1), "{} is missing", game.1);
    }
    let words =
        texts(&playouts).iter().filter(|text| ["too large", "WRONG"].contains(text)).count();
    assert_eq!(words, 2);
}

#[test]
fn the_whole_study_of_43_games_and_eight_engines() {
    let [playouts, ..] = draw("forty-three", &made::forty_three());
    let names = reports::published::all()
        .iter()
        .filter(|row| texts(&playouts).contains(&&*row.row))
        .count();
    assert_eq!(names, 43);
}

#[test]
fn every_verdict_is_named_in_its_bars_place() {
    let [playouts, speedup, ..] = draw("verdicts", &made::every_verdict());
    for &verdict in Verdict::ALL.iter().filter(|verdict| !verdict.is_ranked()) {
        assert!(texts(&playouts).contains(&verdict.word()), "{verdict} is not shown");
        assert!(!texts(&speedup).contains(&verdict.word()), "{verdict} is among the ratios");
    }
}

#[test]
fn awkward_runs_have_charts_too() {
    let mut long = made::samples(&made::GAMES[0], "bitboard", "native", 1e6, 3, 0.01);
    for row in &mut long {
        row.title =
            "The game with a name that is much too long to stand beside its bars in any chart"
                .to_owned();
    }
    let [_, speedup, ..] = draw("one", &long);
    assert!(texts(&speedup).contains(&"No game has a figure for bitboard and for another engine."));

    let failed = made::failed(&made::GAMES[0], "bitboard", "native", Verdict::Crashed, "signal 9");
    let [playouts, ..] = draw("none", &[failed]);
    assert!(texts(&playouts).contains(&"No pair of game and engine has a figure."));

    // Twelve decades apart, alike to the last digit, and more engines than the palette has colours.
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
fn a_folder_of_thousands_of_games_has_a_chart_of_bounded_size() {
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
    let (playouts, speedup) =
        (playouts_chart(&table), speedup_chart(&table, &table.speedups(None).unwrap()));
    for scene in [&playouts, &speedup] {
        assert!(scene.height < 12_500.0, "{} units high", scene.height);
    }
    let shown = texts(&playouts).iter().filter(|text| **text == made::GAMES[0].1).count();
    let told =
        format!("and {} more, which table.csv has", reports::format::count(3_000 - shown as u64));
    assert!(shown > 100 && texts(&playouts).contains(&&*told), "{told}");
    assert!(texts(&speedup).contains(&"2.00× over 3000 games"), "the mean is over all of them");
}

#[test]
fn nothing_collides_whatever_the_spread_of_rates() {
    for step in 0..60 {
        let ratio = 10_f64.powf(f64::from(step) / 5.0 - 4.0);
        let rows = [
            made::samples(&made::GAMES[0], "base", "lud", 1e4, 2, 0.1),
            made::samples(&made::GAMES[0], "other", "lud", 1e4 * ratio, 2, 0.1),
            made::samples(&made::GAMES[1], "base", "lud", 3e3, 2, 0.1),
            made::samples(&made::GAMES[1], "other", "lud", 4e3, 2, 0.1),
        ];
        let table = Table::new(&rows.concat(), Order::Measured);
        check_layout(&format!("playouts at {ratio}"), &playouts_chart(&table));
        let speedups = table.speedups(Some("base")).unwrap();
        check_layout(&format!("speed-ups at {ratio}"), &speedup_chart(&table, &speedups));
    }
}

#[test]
fn bars_are_as_long_as_the_logarithms_of_the_rates() {
    let table = Table::new(&made::fourteen(), Order::Measured);
    let scene = playouts_chart(&table);
    // The first mark of an engine's colour is its swatch in the legend, the second its bar of the first game.
    let bar = |column: usize| {
        let mut marks = scene.items.iter().filter_map(|item| match item {
            Item::Rect { width, fill: Paint::Series(series), .. } if *series == column => {
                Some(*width)
            }
            _ => None,
        });
        marks.nth(1).unwrap()
    };
    let log = |column: usize| table.figures(0, column).unwrap().per_cpu_second.value.log10();
    let decade = (bar(0) - bar(3)) / (log(0) - log(3));
    assert!(decade > 50.0, "a power of ten is {decade} units long");
    for column in 0..4 {
        // The axis begins at 0.1.
        assert!(
            (bar(column) - decade * (log(column) + 1.0)).abs() < 1e-6,
            "bar {column} is {}",
            bar(column)
        );
    }
}

#[test]
fn the_svg_holds_what_the_png_shows() {
    let table = Table::new(&made::every_verdict(), Order::Measured);
    let scene = playouts_chart(&table);
    let text = svg(&scene, &Theme::LIGHT);
    assert_eq!(text.matches("<text ").count(), texts(&scene).len());
    assert!(text.contains(">Loops | and *stars*</text>"));
    assert!(text.contains(">25.3 M</text>"), "the label of the fastest bar");
}

/// Two engines on two games: one the quickest twice, the other 4 and 100 times slower.
#[test]
fn profiles_rise_where_engines_come_as_close_as_that() {
    let exact = |game: usize, engine: &str, rate: f64| {
        made::samples(&made::GAMES[game], engine, "lud", rate, 3, 0.0)
    };
    let rows = [
        exact(0, "quick", 1e6),
        exact(0, "slow", 1e4),
        exact(1, "quick", 4e5),
        exact(1, "slow", 1e5),
        exact(2, "slow", 1e5), // no comparison
    ];
    let table = Table::new(&rows.concat(), Order::Measured);
    let scene = profile_chart(&table);
    assert!(scene.items.iter().any(|item| {
        matches!(item, Item::Text { text, .. } if text.starts_with("Share of 2 games"))
    }));
    // The rises of the slow engine's curve: vertical lines in its colour.
    let rises: Vec<(f64, f64)> = scene
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Line { from, to, stroke: Paint::Series(1), .. } if from.1 > to.1 => {
                Some((from.0, from.1 - to.1))
            }
            _ => None,
        })
        .collect();
    let [(near, half), (far, other)] = rises[..] else { panic!("{rises:?}") };
    assert!((half - other).abs() < 1e-6 && half > 100.0, "each game is half of the height");
    // From 4 to 100 times slower is as far as from 1 to 25.
    let origin = scene.items.iter().find_map(|item| match item {
        Item::Line { from, to, stroke: Paint::Series(0), .. } if from.1 > to.1 => Some(from.0),
        _ => None,
    });
    let decade = (far - near) / 25_f64.log10();
    assert!((near - origin.unwrap() - decade * 4_f64.log10()).abs() < decade * 0.01);
}

/// Rows of a family on two engines: the cost of a playout grows with the third and fourth power.
fn family() -> Vec<Sample> {
    let mut rows = Vec::new();
    for n in [3_u64, 5, 7, 9, 11] {
        let (id, title) = (format!("hex-{n}"), format!("Hex ({n}x{n})"));
        let game = made::Game(id.leak(), title.leak(), "", 2, (n * n) as f64 * 0.9);
        for (engine, language, power) in [("ludeme", "lud", 3), ("propnet", "kif", 4)] {
            let rate = 1e9 / (n.pow(power)) as f64;
            rows.extend(
                made::samples(&game, engine, language, rate, 8, 0.001)
                    .into_iter()
                    .map(|row| Sample { family: "hex".to_owned(), size: Some(n), ..row }),
            );
        }
    }
    rows
}

#[test]
fn growth_is_a_line_with_its_exponent() {
    let table = Table::new(&family(), Order::Measured);
    let bundles = curves(&table);
    assert_eq!(bundles.len(), 1);
    assert_eq!(bundles[0].over, Over::Size("hex".to_owned()));
    for (curve, (power, of_ply)) in bundles[0].curves.iter().zip([(3.0, 1.0), (4.0, 2.0)]) {
        let exponent = curve.growth.unwrap().exponent;
        assert!((exponent.value - power).abs() < 0.01, "{curve:?}");
        assert!(exponent.interval.unwrap().high - exponent.value < 0.02, "{curve:?}");
        assert!((curve.growth_of_ply.unwrap().exponent.value - of_ply).abs() < 0.02, "{curve:?}");
    }
    let scene = curves_chart(&bundles[0]);
    leave("growth-hex", &scene);
    let texts = scene.items.iter().filter_map(|item| match item {
        Item::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let legend: Vec<&str> = texts.filter(|text| text.contains('(')).collect();
    assert!(legend.iter().any(|text| text.starts_with("propnet (4.0")), "{legend:?}");
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
    for bundle in &bundles {
        leave(bundle.over.name(), &curves_chart(bundle));
    }
}

/// Checks what holds for any chart, and leaves the picture to be looked at.
fn leave(name: &str, scene: &Scene) {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("charts");
    std::fs::create_dir_all(&dir).unwrap();
    let bytes = png(scene, &Theme::LIGHT, 2.0).unwrap();
    std::fs::write(dir.join(format!("{name}.png")), &bytes).unwrap();
    check_layout(name, scene);
    check_pixels(name, scene, &bytes);
}
