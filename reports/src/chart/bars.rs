//! Horizontal grouped bars on a logarithmic axis: a group a game, a bar an engine. Horizontal, because names of games are long and a table may have any number of them: the chart grows downwards and its type never shrinks.

use super::axis::LogAxis;
use super::frame::{MARGIN, SUBTITLE, TICK, WIDTH, head, swatch};
use super::scene::{Anchor, Scene, Type, Weight};
use super::theme::Paint;
use crate::stats::Estimate;

/// What is drawn.
pub(super) struct BarChart {
    pub(super) title: String,
    pub(super) subtitle: String,
    /// Name and colour of each engine in the legend.
    pub(super) legend: Vec<(String, Paint)>,
    pub(super) groups: Vec<Group>,
    /// Where bars start: at this value, with a strong line; or at the left edge.
    pub(super) origin: Option<f64>,
    /// How a value is written on the axis.
    pub(super) tick: fn(f64) -> String,
    /// What to say if there is no bar at all.
    pub(super) empty: String,
}

/// Bars under one name.
pub(super) struct Group {
    pub(super) label: String,
    /// A second line under the name.
    pub(super) remark: Option<&'static str>,
    /// Whether it sums up the others: set apart by a line, its name bold.
    pub(super) summary: bool,
    pub(super) bars: Vec<Bar>,
}

/// One bar, or the words that stand in its place.
pub(super) struct Bar {
    pub(super) fill: Paint,
    /// Whether to draw it hollow, for engines past the end of the palette.
    pub(super) hollow: bool,
    pub(super) value: Option<Estimate>,
    pub(super) label: String,
    /// Whether its words must not be overlooked.
    pub(super) alert: bool,
}

/// The most that groups may take: more than any table to be read has, and little enough to be held as pixels.
const HEIGHT: f64 = 12_000.0;
const PITCH: f64 = 15.0;
const BAR: f64 = 11.0;
const PADDING: f64 = 8.0;
/// The widest that names of games may be.
const NAMES: f64 = 260.0;
/// Room between an end of a bar and its label.
const GAP: f64 = 7.0;

/// Intervals narrower than this show as nothing but a blot, and are not drawn.
const WHISKER: f64 = 3.0;

const NAME: Type = Type::new(13.5, Weight::Regular, Paint::Ink);
const SUMMARY: Type = Type::new(13.5, Weight::Bold, Paint::Ink);
const REMARK: Type = Type::new(12.0, Weight::Regular, Paint::Muted);
const VALUE: Type = Type::new(11.0, Weight::Regular, Paint::Ink);
const WORDS: Type = Type::new(11.0, Weight::Regular, Paint::Muted);
const ALERT: Type = Type::new(11.0, Weight::Bold, Paint::Alert);

impl BarChart {
    /// Lays the chart out. Groups past the room of [`HEIGHT`] are left out, and their number is told.
    pub(super) fn scene(mut self) -> Scene {
        let left_out = self.shorten();
        let mut scene = Scene::new(WIDTH, &self.title);
        let below_head = head(&mut scene, &self.title, &self.subtitle, &self.legend);
        let Some(domain) = self.domain() else {
            scene.text((MARGIN, below_head + 24.0), Anchor::Start, SUBTITLE, &self.empty);
            scene.height = below_head + 24.0 + MARGIN;
            return scene;
        };
        let name_width = |group: &Group| name_type(group).width(&group.name());
        let widest = self.groups.iter().map(name_width).fold(0.0, f64::max);
        let left = (MARGIN + widest + 12.0).round();
        let right = WIDTH - MARGIN;
        let axis = self.axis(domain, left, right);
        let top = below_head + 22.0;
        let bottom = top + self.groups.iter().map(Group::height).sum::<f64>();

        let tops: Vec<f64> = self
            .groups
            .iter()
            .scan(top, |y, group| Some(std::mem::replace(y, *y + group.height())))
            .collect();
        for (group, &y) in self.groups.iter().zip(&tops).skip(1).step_by(2) {
            scene.rect(left, y, right - left, group.height(), Paint::Band);
        }
        self.grid(&mut scene, &axis, (left, right), (top, bottom));
        let start = self.origin.map_or(left, |origin| axis.place(origin));
        for (group, &y) in self.groups.iter().zip(&tops) {
            group.draw(&mut scene, &axis, (left, start), y);
        }
        if let Some(first) = self.groups.iter().position(|group| group.summary) {
            scene.line((MARGIN, tops[first]), (right, tops[first]), 1.0, Paint::Ink);
        }
        scene.line((start, top), (start, bottom), 1.5, Paint::Ink);
        scene.height = (bottom + 16.0 + MARGIN).ceil();
        if left_out > 0 {
            let text =
                format!("and {} more, which table.csv has", crate::format::count(left_out as u64));
            scene.text((MARGIN, scene.height), Anchor::Start, SUBTITLE, &text);
            scene.height += MARGIN;
        }
        scene
    }

    /// Drops the last groups, but for summaries, until the rest has room; returns how many.
    fn shorten(&mut self) -> usize {
        let before = self.groups.len();
        let (summaries, mut games): (Vec<Group>, Vec<Group>) =
            std::mem::take(&mut self.groups).into_iter().partition(|group| group.summary);
        let mut height = summaries.iter().map(Group::height).sum::<f64>();
        games.retain(|group| {
            height += group.height();
            height <= HEIGHT
        });
        self.groups = games.into_iter().chain(summaries).collect();
        before - self.groups.len()
    }

    /// Grid lines, with their values above and below, but for values that would run into a neighbour or out of the picture.
    fn grid(
        &self,
        scene: &mut Scene,
        axis: &LogAxis,
        (left, right): (f64, f64),
        (top, bottom): (f64, f64),
    ) {
        let mut free = 4.0;
        for tick in axis.ticks(left, right) {
            let x = axis.place(tick);
            scene.line((x, top), (x, bottom), 1.0, Paint::Grid);
            let text = (self.tick)(tick);
            let half = TICK.width(&text) / 2.0;
            if x - half < free || x + half > WIDTH - 4.0 {
                continue;
            }
            free = x + half + 8.0;
            for baseline in [top - 6.0, bottom + 16.0] {
                scene.text((x, baseline), Anchor::Middle, TICK, &text);
            }
        }
    }

    /// The axis on which every bar has room for the label past its end.
    fn axis(&self, domain: (f64, f64), left: f64, right: f64) -> LogAxis {
        let drawn = || {
            self.bars().filter_map(|bar| Some((bar.value?, VALUE.width(&bar.label) + GAP + 6.0)))
        };
        // Labels of bars that point left stand before them.
        let points_left = |value: &Estimate| self.origin.is_some_and(|origin| value.value < origin);
        let before = drawn()
            .filter(|(value, _)| points_left(value))
            .map(|(_, label)| label)
            .fold(0.0, f64::max);
        let span = domain.1.log10() - domain.0.log10();
        let fits = |(value, label): (Estimate, f64)| {
            let share = (value.high().log10() - domain.0.log10()) / span;
            (right - left - before - label) / share.max(1e-3)
        };
        let width = drawn()
            .filter(|(value, _)| !points_left(value))
            .map(fits)
            .fold(right - left - before - 12.0, f64::min);
        LogAxis::new(domain, (left + before, left + before + width))
    }

    fn bars(&self) -> impl Iterator<Item = &Bar> {
        self.groups.iter().flat_map(|group| &group.bars)
    }

    /// The least and the greatest value to show, never the same; `None` without bars.
    fn domain(&self) -> Option<(f64, f64)> {
        let values = || self.bars().filter_map(|bar| bar.value);
        let low = values().map(|value| value.low()).min_by(f64::total_cmp)?;
        let high = values().map(|value| value.high()).max_by(f64::total_cmp)?;
        Some(match self.origin {
            Some(origin) => {
                let (low, high) = (low.min(origin), high.max(origin));
                if high / low < 2.0 { (low / 2.2, high * 2.2) } else { (low, high) }
            }
            // The left edge is a power of ten, and far enough from the shortest bar for that to be seen as one.
            None => (10_f64.powf((low / 1.6).log10().floor()), high.max(low * 1.01)),
        })
    }
}

impl Group {
    /// The name as far as there is room for it.
    fn name(&self) -> String {
        name_type(self).fit(&self.label, NAMES)
    }

    /// Draws name and bars below `y`; the name ends at `left`, bars begin at `start`.
    fn draw(&self, scene: &mut Scene, axis: &LogAxis, (left, start): (f64, f64), y: f64) {
        let middle = y + self.height() / 2.0;
        let mut base = middle + 4.5;
        if let Some(remark) = self.remark {
            base -= 8.0;
            scene.text((left - 10.0, base + 16.0), Anchor::End, REMARK, remark);
        }
        scene.text((left - 10.0, base), Anchor::End, name_type(self), &self.name());
        let first = middle - self.bars.len() as f64 * PITCH / 2.0;
        for (slot, bar) in self.bars.iter().enumerate() {
            bar.draw(scene, axis, start, first + slot as f64 * PITCH);
        }
    }

    fn height(&self) -> f64 {
        let bars = self.bars.len() as f64 * PITCH;
        let name = if self.remark.is_some() { 36.0 } else { 18.0 };
        bars.max(name) + 2.0 * PADDING
    }
}

impl Bar {
    fn draw(&self, scene: &mut Scene, axis: &LogAxis, start: f64, y: f64) {
        let middle = y + PITCH / 2.0;
        let upper = y + (PITCH - BAR) / 2.0;
        let Some(value) = self.value else {
            swatch(scene, (start + GAP, middle - 4.0), 8.0, self.fill, true);
            let style = if self.alert { ALERT } else { WORDS };
            scene.text((start + GAP + 14.0, middle + 4.0), Anchor::Start, style, &self.label);
            return;
        };
        let end = axis.place(value.value);
        let (from, to) = (start.min(end), start.max(end));
        // A bar of no length still shows that it is there.
        scene.rect(from, upper, (to - from).max(1.5), BAR, self.fill);
        if self.hollow && to - from > 5.0 {
            scene.rect(from + 2.0, upper + 2.0, to - from - 4.0, BAR - 4.0, Paint::Paper);
        }
        let (low, high) = (axis.place(value.low()), axis.place(value.high()));
        if high - low > WHISKER {
            scene.line((low, middle), (high, middle), 1.2, Paint::Ink);
            for x in [low, high] {
                scene.line((x, middle - 3.5), (x, middle + 3.5), 1.2, Paint::Ink);
            }
        }
        let (x, anchor) = if end < start {
            (low.min(end) - GAP, Anchor::End)
        } else {
            (high.max(end) + GAP, Anchor::Start)
        };
        scene.text((x, middle + 4.0), anchor, VALUE, &self.label);
    }
}

fn name_type(group: &Group) -> Type {
    if group.summary { SUMMARY } else { NAME }
}
