//! `rank`: the engines of a run in order.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use reports::rank::Place;
use reports::render::{contention, ranking_text};
use serde::Serialize;

use super::json::{self, ColumnId, Json, Range};
use super::{Outcome, rows};
use crate::output;

#[derive(Args, Clone, Debug)]
pub(super) struct RankArgs {
    /// Folder of a run
    dir: PathBuf,
    /// Engines to rank, separated by commas [default: all with figures]
    #[arg(long, value_delimiter = ',', value_name = "ENGINES")]
    engines: Vec<String>,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct RankingRecord<'a> {
    games: &'a [String],
    left_out: &'a [String],
}

#[derive(Serialize)]
struct PlaceRecord<'a> {
    place: usize,
    #[serde(flatten)]
    column: ColumnId<'a>,
    factor: Range,
    games: usize,
    wins: usize,
    contended: usize,
}

pub(super) fn rank(args: &RankArgs) -> Result<Outcome> {
    let run = rows::load(&args.dir)?;
    let table = run.table();
    if let Some(warning) = contention(&table) {
        errln!("warning: {warning}");
    }
    let ranking = reports::rank::rank(&table, &args.engines)?;
    if args.json.json {
        let (games, left_out) = (&ranking.games, &ranking.left_out);
        json::record("ranking", RankingRecord { games, left_out })?;
        for (place, of) in (1..).zip(&ranking.places) {
            let &Place { ref column, factor, games, wins, contended } = of;
            let (column, factor) = (column.into(), factor.into());
            json::record("place", PlaceRecord { place, column, factor, games, wins, contended })?;
        }
    } else {
        output::paragraph(ranking_text(&ranking).trim_end())?;
    }
    Ok(rows::outcome(&run))
}
