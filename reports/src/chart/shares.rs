//! The charts of the gain from more threads, and of the cost of asking for few playouts at once.

use super::axis::{self, Axis, extent};
use super::head::Head;
use super::plane::{Curve, Join, PlaneChart, Point};
use super::{Chart, Data, Picture};
use crate::Error;
use crate::curves::{self, Curves, Over};

pub(super) const THREADS: Chart = Chart {
    name: "threads",
    title: "Speed-up by threads",
    shows: "playouts a second of elapsed time over the number of threads",
    draw: |data| draw(data, &Over::Threads, threads),
};

pub(super) const JOBS: Chart = Chart {
    name: "jobs",
    title: "Rate by playouts in a job",
    shows: "playouts a CPU second over the number of playouts that are asked for at once",
    draw: |data| draw(data, &Over::Job, jobs),
};

fn draw(
    data: &Data<'_>,
    over: &Over,
    chart: fn(&Data<'_>, &Curves) -> Option<PlaneChart>,
) -> Result<Vec<Picture>, Error> {
    let bundle = data.curves.iter().find(|bundle| bundle.over == *over);
    let chart = bundle.and_then(|bundle| chart(data, bundle));
    chart.map_or_else(|| Ok(Vec::new()), |chart| Ok(vec![chart.picture()?]))
}

fn threads(data: &Data<'_>, bundle: &Curves) -> Option<PlaneChart> {
    let across = Axis::counts(places(bundle))?;
    let up = Axis::decades(values(bundle).chain([1.0]), axis::factor)?;
    let (first, last) = (places(bundle).min()?, places(bundle).max()?);
    let ideal = last as f64 / first as f64;
    let guide = if first > 0 && ideal <= up.ends().1 {
        vec![(first as f64, 1.0), (last as f64, ideal)]
    } else {
        Vec::new()
    };
    Some(PlaneChart {
        name: THREADS.name.to_owned(),
        head: Head {
            title: THREADS.title.to_owned(),
            remark: "Playouts a second of elapsed time against those on the fewest threads, \
                geometric mean over the games. The grey line: twice the threads, twice the \
                playouts. Lines through marks are 95 % intervals, where wide enough to be \
                seen."
                .to_owned(),
            legend: legend(data, bundle),
        },
        across: (across, "threads, logarithmic".to_owned()),
        up: (up, "times as many playouts a second, logarithmic".to_owned()),
        curves: curves(data, bundle),
        guide,
    })
}

fn jobs(data: &Data<'_>, bundle: &Curves) -> Option<PlaneChart> {
    Some(PlaneChart {
        name: JOBS.name.to_owned(),
        head: Head {
            title: JOBS.title.to_owned(),
            remark: "Playouts a CPU second against those in the largest jobs, geometric mean over \
                the games: what it costs to ask for few playouts at once. Lines through marks are \
                95 % intervals, where wide enough to be seen."
                .to_owned(),
            legend: legend(data, bundle),
        },
        across: (Axis::counts(places(bundle))?, "playouts in a job, logarithmic".to_owned()),
        up: (Axis::shares(values(bundle)), "share of the rate in the largest jobs".to_owned()),
        curves: curves(data, bundle),
        guide: Vec::new(),
    })
}

fn points(bundle: &Curves) -> impl Iterator<Item = &curves::Point> {
    bundle.curves.iter().flat_map(|curve| &curve.points)
}

fn places(bundle: &Curves) -> impl Iterator<Item = u64> {
    points(bundle).map(|point| point.at)
}

fn values(bundle: &Curves) -> impl Iterator<Item = f64> {
    points(bundle).flat_map(|point| extent(point.value.value, interval(point)))
}

fn interval(point: &curves::Point) -> Option<(f64, f64)> {
    point.value.interval.map(|interval| (interval.low, interval.high))
}

fn legend(data: &Data<'_>, bundle: &Curves) -> Vec<(super::mark::Mark, String)> {
    bundle.curves.iter().map(|curve| (data.mark(curve.column), curve.name.clone())).collect()
}

fn curves(data: &Data<'_>, bundle: &Curves) -> Vec<Curve> {
    let point = |point: &curves::Point| Point {
        at: (point.at as f64, point.value.value),
        interval: interval(point),
        name: String::new(),
    };
    let curve = |curve: &curves::Curve| Curve {
        mark: data.mark(curve.column),
        points: curve.points.iter().map(point).collect(),
        join: Join::Lines,
    };
    bundle.curves.iter().map(curve).collect()
}
