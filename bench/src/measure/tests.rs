use play::Scores;
use play::kit::Effort;

use super::*;
use crate::protocol::{KitFindings, View};

/// An engine with lanes: each pass over them takes as long, however many are used, and there is
/// one pass more than the playouts need.
struct Laned {
    lanes: u64,
    pass: Duration,
    /// Taken by the first job of several playouts.
    layout: Duration,
}

impl Subject for Laned {
    fn name(&self) -> &'static str {
        "laned"
    }

    fn players(&self) -> u8 {
        1
    }

    fn chance(&self) -> bool {
        false
    }

    fn lanes(&self) -> u64 {
        self.lanes
    }

    fn perft(&mut self, _: u32, _: u64) -> Result<Option<Vec<u64>>, Failure> {
        Ok(None)
    }

    fn fingerprint(&mut self, _: u32, _: u64) -> Result<Option<u64>, Failure> {
        Ok(None)
    }

    fn look_at(&mut self, _: &[usize], _: &[u64], _: u32, _: u64) -> Result<View, Failure> {
        Err(Failure::new(Verdict::Unsupported, "not looked at"))
    }

    fn run(&mut self, job: &Job, via: Via, _: u32) -> Result<Ran, Failure> {
        let lanes = if via == Via::Reference { 1 } else { self.lanes };
        let mut tally = play::Tally::default();
        (tally.playouts, tally.plies) = (job.count, job.count);
        tally.count(Scores::new([100]), job.count);
        let mut took = self.pass.as_nanos() as u64 * (job.count.div_ceil(lanes) + 1);
        if job.count > 20 {
            took += std::mem::take(&mut self.layout).as_nanos() as u64;
        }
        Ok(Ran::new(&tally, took, took, 0))
    }

    fn raw_perft(&mut self, _: u32, _: u64) -> Result<Option<Vec<u64>>, Failure> {
        Ok(None)
    }

    fn raw_run(&mut self, job: &Job) -> Result<Ran, Failure> {
        self.run(job, Via::Reference, 1)
    }

    fn kit(&mut self, _: &Effort) -> Result<Option<KitFindings>, Failure> {
        Ok(None)
    }
}

/// Playouts and seconds of the samples, without the warm-up.
fn samples(lanes: u64, pass: Duration, via: reports::Via) -> Vec<(u64, f64)> {
    samples_of(Laned { lanes, pass, layout: Duration::ZERO }, via)
}

fn samples_of(mut subject: Laned, via: reports::Via) -> Vec<(u64, f64)> {
    let row = Sample { via, ..Sample::failure("game", "laned", Verdict::Ok, "") };
    let way = if via == reports::Via::Reference { Via::Reference } else { Via::Fast };
    let mut column = Column::new(row, way, 10, Done::default());
    let mut samples = Vec::new();
    for process in 0..Protocol::QUICK.processes {
        let mut emit = |row: &Sample| {
            if row.phase == Phase::Sample {
                samples.push((row.playouts, row.wall_ns as f64 / 1e9));
            }
            assert_ne!(row.phase, Phase::None, "{}", row.reason);
        };
        let mut entrants = [Entrant::new(&mut subject, &mut column)];
        visit(&mut entrants, &Protocol::QUICK, process, &mut emit, &|| false);
    }
    samples
}

#[test]
fn lanes_are_filled_although_one_playout_is_long_enough_for_a_sample() {
    // One playout takes 0.12 s, and so do 512.
    let samples = samples(512, Duration::from_millis(60), reports::Via::Fast);
    assert!(samples.iter().all(|s| s.0 == filled(512)), "{samples:?}");
    assert_eq!(samples.len(), 10);
}

#[test]
fn lanes_are_filled_although_it_takes_long_to_lay_them_out() {
    let (pass, layout) = (Duration::from_millis(25), Duration::from_secs(2));
    let samples = samples_of(Laned { lanes: 512, pass, layout }, reports::Via::Fast);
    assert!(samples.iter().all(|s| s.0 >= filled(512)), "{samples:?}");
    assert_eq!(samples.len(), 10);
}

#[test]
fn as_many_lanes_are_filled_as_the_longest_sample_has_time_for() {
    let most = Protocol::QUICK.most().as_secs_f64();
    let samples = samples(512, Duration::from_millis(190), reports::Via::Fast);
    // Three passes and the one that is always there fit into 4 s / 5.
    assert!(samples.iter().all(|s| s.0 > 512 && s.1 <= most), "{samples:?}");
    assert!(samples.len() >= Protocol::QUICK.processes as usize);
}

#[test]
fn samples_without_lanes_are_as_long_as_the_protocol_says() {
    for (lanes, via) in [(1, reports::Via::Fast), (512, reports::Via::Reference)] {
        let samples = samples(lanes, Duration::from_millis(50), via);
        assert!(samples.iter().all(|s| s.0 <= 3 && s.1 <= 0.22), "{samples:?}");
    }
    // Samples that hold far more than the lanes are not shortened either.
    let samples = samples(64, Duration::from_micros(1), reports::Via::Fast);
    assert!(samples.iter().all(|s| s.0 > filled(64) && s.1 > 0.025), "{samples:?}");
}
