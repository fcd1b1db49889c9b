//! The file format: what is written is read back, and what is wrong is named with its place.

use std::path::Path;

use expect_test::{Expect, expect, expect_file};
use reports::rows::{COLUMNS, OPTIONAL, read_file, read_text};
use reports::{Detects, Digest, Method, Payoff, Phase, Sample, SampleWriter, Verdict, Via};

/// A row with a value in every column, so that none can be lost unseen.
fn sample() -> Sample {
    Sample {
        game: "connect-4-6x7".to_owned(),
        title: "Connect 4, \"6x7\"".to_owned(),
        paper: vec!["table1/Connect 4 (6x7)".to_owned(), "table9/Four".to_owned()],
        family: "connect-4".to_owned(),
        size: Some(6),
        players: 2,
        engine: "propnet".to_owned(),
        language: "gdl".to_owned(),
        via: Via::Uct,
        method: Some(Method::Counted),
        control: true,
        verdict: Verdict::Ok,
        reason: "it is \"fine\"".to_owned(),
        detects: Some(Detects::of_shares(0.0041, 0.123, "rbg")),
        threads: 2,
        job: Some(64),
        simulations: Some(1_000),
        process: 4,
        round: 3,
        slot: 1,
        phase: Phase::Sample,
        seed: u64::MAX,
        first: 1_000,
        playouts: 500,
        plies: 10_650,
        plies_squared: Some(240_000),
        capped: 1,
        stuck: 2,
        payoffs: vec![Payoff { playouts: 497, sum: -3, squares: 900 }],
        wall_ns: 60_000_000,
        cpu_ns: 119_000_000,
        digest: Digest(0x12),
        compile_ns: Some(1_234),
        peak_bytes: Some(4_096),
        state_bytes: Some(16),
        tokens: Some(29),
        rules: "0123456789abcdef".to_owned(),
        options: vec!["Board/6x7".to_owned(), "Start/First".to_owned()],
        build: "fedcba9876543210".to_owned(),
        warnings: vec!["busy machine".to_owned(), "debug build".to_owned()],
        rng: "xoshiro256++".to_owned(),
        host: "node1".to_owned(),
    }
}

fn failure() -> Sample {
    Sample::failure(
        "chess",
        "bitboard",
        Verdict::Wrong,
        "after e2e4 \\ it has 19 moves, not 20:\r\n8 rnbqkbnr, \"b\"\n",
    )
}

#[test]
fn rows_round_trip_one_line_each() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("measurements.csv");
    let rows = [sample(), failure()];
    let mut writer = SampleWriter::create(&path).unwrap();
    for row in &rows {
        writer.write(row).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 3, "a header and a line for each row:\n{text}");
    let loaded = read_file(&path).unwrap();
    assert_eq!(loaded.samples, rows);
    assert_eq!(loaded.warnings, Vec::<String>::new());
    assert_eq!(text.lines().next().unwrap(), COLUMNS.join(","));
    expect_file!["snapshots/rows-a-line.csv"].assert_eq(text.lines().nth(1).unwrap());
}

#[test]
fn existing_rows_are_not_overwritten_and_a_torn_tail_is_cut_before_appending() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("measurements.csv");
    SampleWriter::create(&path).unwrap().write(&sample()).unwrap();
    assert!(SampleWriter::create(&path).is_err(), "creating over rows must fail");

    let mut text = std::fs::read_to_string(&path).unwrap();
    let whole = text.clone();
    text.push_str("connect-4-6x7,Connect 4,,2,propnet,gdl,fa");
    std::fs::write(&path, &text).unwrap();
    SampleWriter::append(&path).unwrap().write(&failure()).unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().starts_with(&whole));
    assert_eq!(read_file(&path).unwrap().samples, [sample(), failure()]);

    std::fs::write(&path, "game,engine\nx,y\n").unwrap();
    assert!(
        SampleWriter::append(&path)
            .unwrap_err()
            .to_string()
            .contains("columns are of another version")
    );
}

#[test]
fn a_file_cut_anywhere_is_read_up_to_the_cut_with_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("measurements.csv");
    let mut writer = SampleWriter::create(&path).unwrap();
    let mut odd = sample();
    odd.title = "Mū Tōrere".to_owned();
    odd.first += odd.playouts;
    writer.write(&sample()).unwrap();
    writer.write(&odd).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let ends: Vec<usize> = (1..=bytes.len()).filter(|&at| bytes[at - 1] == b'\n').collect();
    for cut in ends[0]..=bytes.len() {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let loaded = read_file(&path).unwrap();
        let whole = ends[1..].iter().filter(|&&end| end <= cut).count();
        assert_eq!(loaded.samples, [sample(), odd.clone()][..whole], "cut at {cut}");
        let torn = loaded.warnings.iter().filter(|warning| warning.contains("torn")).count();
        assert_eq!(torn, usize::from(!ends.contains(&cut)), "cut at {cut}");
        // The checksums tell of rows that are lost as a whole.
        let said = loaded.warnings.len() + loaded.faults.len();
        assert_eq!(said > 0, cut < bytes.len(), "cut at {cut}");
    }
    let message = read_text("game,ti", Path::new("m.csv")).unwrap_err().to_string();
    assert!(
        message.starts_with("m.csv:1: only a torn header; expected the columns game,"),
        "{message}"
    );
}

/// The fields of a row in some columns, by name; those without a line are empty.
fn plain_row(columns: &[&str], first: &str) -> Vec<String> {
    let known = [
        ("game", "g"),
        ("title", "G"),
        ("players", "2"),
        ("engine", "e"),
        ("language", "gdl"),
        ("via", "fast"),
        ("control", "false"),
        ("verdict", "ok"),
        ("threads", "1"),
        ("process", "0"),
        ("round", "0"),
        ("slot", "0"),
        ("phase", "sample"),
        ("seed", "7"),
        ("first", first),
        ("playouts", "10"),
        ("plies", "90"),
        ("capped", "0"),
        ("stuck", "0"),
        ("wall_ns", "100"),
        ("cpu_ns", "100"),
        ("digest", "00000000000000ff"),
        ("rng", "rng"),
    ];
    let value = |name: &&str| known.iter().find(|(known, _)| known == name).map_or("", |k| k.1);
    columns.iter().map(|name| value(name).to_owned()).collect()
}

fn check_fault(edit: impl Fn(&mut Vec<Vec<String>>), expected: &Expect) {
    let mut header: Vec<Vec<String>> = vec![COLUMNS.iter().map(ToString::to_string).collect()];
    header.extend(["0", "10"].map(|first| plain_row(&COLUMNS, first)));
    edit(&mut header);
    let text: String = header.iter().map(|fields| fields.join(",") + "\n").collect();
    let message = read_text(&text, Path::new("m.csv")).unwrap_err().to_string();
    let all = COLUMNS.len();
    expected.assert_eq(
        &message
            .replace(&COLUMNS.join(", "), "[columns]")
            .replace(&COLUMNS.join(","), "[columns]")
            .replace(&format!("{} fields", all - 1), "[fewer] fields")
            .replace(&format!("has {all}"), "has [all]"),
    );
}

fn column(name: &str) -> usize {
    COLUMNS.iter().position(|&column| column == name).unwrap()
}

#[test]
fn faults_name_file_line_and_column() {
    let set = |line: usize, name: &'static str, value: &'static str| {
        move |rows: &mut Vec<Vec<String>>| rows[line][column(name)] = value.to_owned()
    };
    check_fault(
        set(2, "threads", "two"),
        &expect![[r#"m.csv:3: column `threads`: "two" is no whole number in range"#]],
    );
    check_fault(
        set(1, "plies", "-3"),
        &expect![[r#"m.csv:2: column `plies`: "-3" is no whole number in range"#]],
    );
    check_fault(
        set(1, "verdict", "wrong"),
        &expect![["m.csv:2: \"wrong\" is no verdict; expected one of: ok, unchecked, capped, \
             unsupported, invalid, too large, timeout, crashed, disputed, WRONG"]],
    );
    check_fault(
        set(1, "digest", "0xff"),
        &expect![[r#"m.csv:2: "0xff" is no digest; expected 16 hexadecimal digits"#]],
    );
    check_fault(
        set(1, "cpu_ns", "0"),
        &expect!["m.csv:2: a `sample` row needs `playouts`, `wall_ns` and `cpu_ns` above zero"],
    );
    check_fault(
        set(1, "phase", "none"),
        &expect!["m.csv:2: a row without a measurement cannot be `ok`"],
    );
    check_fault(
        set(1, "verdict", "timeout"),
        &expect!["m.csv:2: verdict `timeout` needs a `reason`"],
    );
    check_fault(
        set(1, "capped", "11"),
        &expect!["m.csv:2: `capped` and `stuck` together exceed `playouts`"],
    );
    check_fault(
        set(1, "payoffs", "10:-5:2"),
        &expect!["m.csv:2: `payoffs` has sums that no payoffs of 32 bits have"],
    );
    check_fault(
        set(1, "payoffs", "10:-5"),
        &expect![[r#"m.csv:2: `payoffs` has "10:-5"; expected `playouts:sum:squares`"#]],
    );
    check_fault(
        set(1, "detects", "4100:rbg"),
        &expect![[r#"m.csv:2: `detects` has "4100:rbg"; expected `plies:payoffs:by`"#]],
    );
    check_fault(
        set(1, "reason", r"a\xb"),
        &expect![[r#"m.csv:2: `\x` is no escape; expected `\\`, `\n`, `\r`, `\t` or `\u{...}`"#]],
    );
    check_fault(
        set(0, "plies", "turns"),
        &expect![[r#"m.csv:1: unknown column "turns"; the columns are [columns]"#]],
    );
    check_fault(set(0, "plies", "capped"), &expect!["m.csv:1: column `capped` stands twice"]);
    check_fault(
        |rows| {
            rows[2].pop();
        },
        &expect!["m.csv:3: [fewer] fields where the header has [all]"],
    );
    check_fault(
        |rows| rows.iter_mut().for_each(|fields| drop(fields.remove(column("wall_ns")))),
        &expect!["m.csv:1: column `wall_ns` is missing"],
    );
    check_fault(
        set(1, "playouts", "18446744073709551615"),
        &expect!["m.csv:2: `playouts` is 18446744073709551615; no measurement passes 2^53"],
    );
    check_fault(
        set(1, "plies_squared", "809"),
        &expect!["m.csv:2: `plies_squared` is too small for 90 plies in 10 playouts"],
    );
    check_fault(
        set(1, "plies_squared", "8101"),
        &expect!["m.csv:2: `plies_squared` is too great for 90 plies in all"],
    );
    check_fault(
        set(2, "first", "0"),
        &expect!["m.csv:3: this row stands in line 2 already; it would count twice"],
    );
    check_fault(Vec::clear, &expect!["m.csv:1: an empty file; expected the columns [columns]"]);
}

#[test]
fn files_from_before_the_last_columns_were_added_are_read() {
    // Files without these are about; a newer column needs no line here.
    const NEW: [&str; 12] = [
        "family", "size", "job", "tokens", "host", "method", "control", "process", "rules",
        "options", "build", "payoffs",
    ];
    assert!(NEW.iter().all(|name| OPTIONAL.contains(name)), "{OPTIONAL:?}");
    let old: Vec<&str> = COLUMNS.into_iter().filter(|name| !OPTIONAL.contains(name)).collect();
    let text = format!("{}\n{}\n", old.join(","), plain_row(&old, "0").join(","));
    let loaded = read_text(&text, Path::new("m.csv")).unwrap();
    assert_eq!((&*loaded.samples[0].host, loaded.samples[0].tokens), ("", None));
}

#[test]
fn rows_that_contradict_themselves_are_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = SampleWriter::create(&dir.path().join("measurements.csv")).unwrap();
    let mut row = failure();
    row.reason.clear();
    expect!["verdict `WRONG` needs a `reason`"].assert_eq(&row.inconsistency().unwrap());
    assert!(writer.write(&row).is_err());
}
