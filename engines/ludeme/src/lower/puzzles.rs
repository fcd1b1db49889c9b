//! Deduction puzzles: values of variables, hints, and constraints.
//!
//! Constraints on every element of a kind are written out, one for each element, while they are
//! lowered. So the sites of each constraint are known, and fast playouts need no variables of the
//! rules.

use crate::board::{Direction, SiteType};
use crate::front::{Arg, Call, Label, Name, Value, Word};
use crate::ir::{
    Area, Arithmetic, AxesId, Bool, Compare, Constraint, Fold, Int, LeafKind, Line, LinePieces,
    Moves, Piece, Place, Puzzle, Region, StartRule, StartSites, component_of,
};
use crate::limits::{MAX_CONSTRAINTS, MAX_VALUE};
use crate::world::{Component, World};

use super::places::{all, default_type, fixed_flag, need, site_type_of};
use super::scope::Bound;
use super::{Lower, Lowered, Problem, invalid, unsupported, unsupported_use};

/// A hint of the equipment.
pub(crate) struct Hint {
    of: SiteType,
    /// The sites, in the order of the text.
    sites: Vec<u16>,
    value: i32,
}

/// An area of the regions of the equipment.
pub(crate) struct NamedArea {
    name: String,
    sites: Vec<u16>,
    lead: Option<u16>,
    /// Number of the family of regions that the area belongs to.
    family: u32,
    /// True if the region is computed, neither a list of sites nor a family.
    computed: bool,
}

/// The parts of a puzzle that are known before its constraints are lowered.
pub(crate) struct Setting<'c> {
    /// The least and the greatest value that a move gives.
    values: (i32, i32),
    hints: Vec<Hint>,
    areas: Vec<NamedArea>,
    /// Number of families of areas so far.
    families: u32,
    constraints: Vec<&'c Arg>,
    /// Number of constraints that have been written out.
    written_out: usize,
}

/// The `satisfy` of a description, if it is a deduction puzzle.
pub(super) fn satisfy(root: &Call) -> Option<&Call> {
    let moves = root.call(Label::Rules)?.call(Label::Play)?.call(Label::Moves)?;
    (moves.name() == Name::Satisfy).then_some(moves)
}

/// The range of values that the board gives to the variables, and the hints.
pub(super) fn setting<'c>(root: &'c Call, world: &mut World) -> Lowered<Option<Setting<'c>>> {
    let Some(satisfy) = satisfy(root) else { return Ok(None) };
    if world.players != 1 {
        return Err(Problem::Invalid(
            satisfy
                .place
                .error("puzzle-players", "a deduction puzzle has one player")
                .help("write `(players 1)`"),
        ));
    }
    let items = root.call(Label::Equipment).map_or(&[][..], |e| e.items(Label::Items));
    let items: Vec<&Call> = items.iter().filter_map(Arg::as_call).collect();
    let boards = items.iter().filter(|item| item.name() == Name::Board);
    let of_board = |call: &&Call| {
        call.constant(Label::Type).and_then(SiteType::named) == Some(world.site_type())
    };
    let declared = boards
        .flat_map(|board| board.args.iter().filter(|a| a.label == Label::Values))
        .flat_map(Arg::items)
        .filter_map(Arg::as_call)
        .find(of_board);
    let mut values = (0, 0);
    if let Some(range) = declared.and_then(|values| values.call(Label::Range)) {
        let number = |label: Label| range.find(label).map(Arg::as_int);
        let (least, greatest) = match range.name() {
            Name::Range => (number(Label::Min), number(Label::Max).or(number(Label::Min))),
            Name::Exact => (number(Label::Value), number(Label::Value)),
            _ => (None, None),
        };
        let (Some(Some(least)), Some(Some(greatest))) = (least, greatest) else {
            return Err(unsupported(range));
        };
        if least < 0 {
            return Err(unsupported(range));
        }
        if greatest > MAX_VALUE {
            return Err(Problem::TooLarge(format!(
                "values up to {greatest}; at most {MAX_VALUE} is supported"
            )));
        }
        values = (least, greatest);
    }
    // Pieces of the equipment do not belong to a puzzle.
    world.components.truncate(1);
    for value in 0..=values.1 {
        let name = value.to_string();
        world.components.push(Component { name, owner: 1, ..Component::default() });
    }
    let mut hints = Vec::new();
    for item in items.iter().filter(|item| item.name() == Name::Hints) {
        let site_type =
            item.constant(Label::Type).and_then(SiteType::named).unwrap_or(SiteType::Cell);
        for hint in item.items(Label::List).iter().filter_map(Arg::as_call) {
            let sites = need(hint, Label::Sites)?.items().iter();
            let sites = sites.filter_map(Arg::as_int).filter_map(|site| u16::try_from(site).ok());
            let value = hint.int(Label::Value).unwrap_or(0);
            hints.push(Hint { of: site_type, sites: sites.collect(), value });
        }
    }
    let constraints = all(satisfy, Label::Constraints).collect();
    Ok(Some(Setting { values, hints, areas: Vec::new(), families: 0, constraints, written_out: 0 }))
}

/// The value that a component stands for, 0 if there is no component.
fn value_of(component: Int) -> Int {
    let value = Int::Arithmetic(Arithmetic::Sub, Box::new((component, Int::Const(1))));
    Int::Fold(Fold::Max, Box::new([Int::Const(0), value]))
}

impl<'c> Lower<'c> {
    /// The regions of the families that only puzzles use, each with the site that leads it, if it
    /// has one.
    pub(super) fn puzzle_family(&self, family: Word) -> Option<Vec<(Vec<u16>, Option<u16>)>> {
        let (topology, site_type) = (&self.world.topology, self.world.site_type());
        let sites = topology.sites();
        let plain =
            |regions: Vec<Vec<u16>>| regions.into_iter().map(|sites| (sites, None)).collect();
        Some(match family {
            Word::SubGrids => {
                let side = (sites as f64).sqrt().sqrt() as usize;
                let block = |site: usize| {
                    let place = |place: Option<i32>| Some(usize::try_from(place?).ok()? / side);
                    place(topology.row(site_type, site))
                        .zip(place(topology.column(site_type, site)))
                };
                let blocks = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
                plain(
                    blocks
                        .map(|wanted| {
                            let inside = (0..sites).filter(|&site| block(site) == Some(wanted));
                            inside.map(|site| site as u16).collect()
                        })
                        .collect(),
                )
            }
            Word::AllDirections => (0..sites)
                .map(|site| {
                    let rays = topology.radials(site, Direction::All).iter();
                    let mut area = vec![site as u16];
                    area.extend(rays.flat_map(|ray| ray.path[1..].iter()));
                    (area, Some(site as u16))
                })
                .collect(),
            Word::Touching | Word::Regions | Word::Vertices => {
                let pairs = (0..sites).flat_map(|site| {
                    let near = topology.steps(site, Direction::Adjacent);
                    near.map(move |neighbour| vec![site as u16, neighbour])
                });
                plain(pairs.collect())
            }
            Word::Diagonals => Vec::new(),
            Word::HintRegions => {
                let hints = self.setting.as_ref().map_or(&[][..], |setting| &setting.hints);
                let of_type = |site_type| move |hint: &&Hint| hint.of == site_type;
                let first = [SiteType::Cell, SiteType::Vertex, SiteType::Edge]
                    .into_iter()
                    .find(|&site_type| hints.iter().any(|hint| hint.of == site_type));
                let found =
                    first.into_iter().flat_map(|site_type| hints.iter().filter(of_type(site_type)));
                plain(found.map(|hint| hint.sites.clone()).collect())
            }
            _ => return None,
        })
    }

    /// Keeps the regions of an item of the equipment for the constraints.
    pub(super) fn keep_areas(&mut self, name: &str, arg: &Arg, parts: &[Vec<u16>]) {
        let mut leads: Vec<(Option<u16>, u32)> = Vec::new();
        let first = self.setting.as_ref().map_or(0, |setting| setting.families);
        for (family, item) in (first..).zip(arg.items()) {
            let Some(name) = item.as_constant() else { continue };
            match self.puzzle_family(name) {
                Some(areas) => leads.extend(areas.into_iter().map(|area| (area.1, family))),
                None => {
                    let count = self.family(name).map_or(0, |regions| regions.len());
                    leads.extend(vec![(None, family); count]);
                }
            }
        }
        let computed = arg.items().iter().any(|item| item.as_call().is_some());
        let Some(setting) = &mut self.setting else { return };
        setting.families += arg.items().len() as u32;
        for (index, sites) in parts.iter().enumerate().filter(|(_, sites)| !sites.is_empty()) {
            let (lead, family) = leads.get(index).copied().unwrap_or((None, first));
            let sites = sites.clone();
            setting.areas.push(NamedArea { name: name.to_owned(), sites, lead, family, computed });
        }
    }

    /// Lowers the constraints, which `is Solved` reads as well.
    pub(super) fn puzzle(&mut self, root: &'c Call) -> Lowered<Option<Puzzle>> {
        let Some(setting) = &self.setting else { return Ok(None) };
        let (values, given) = (setting.values, setting.constraints.clone());
        let mut constraints = Vec::new();
        for arg in &given {
            // A constraint that cannot be lowered is reported like all other problems.
            match self.bool(arg) {
                Ok(constraint) => flatten(constraint, &mut constraints),
                Err(problem) => self.problems.push(problem),
            }
        }
        let variables = self.variables(&given)?;
        let fixed = fixed(root);
        let open = variables.iter().copied().filter(|site| !fixed.contains(site)).collect();
        Ok(Some(Puzzle {
            open,
            variables: variables.into(),
            values,
            constraints: constraints.into(),
        }))
    }

    /// The variables that occur in constraints.
    fn variables(&mut self, constraints: &[&'c Arg]) -> Lowered<Vec<u16>> {
        let calls = || constraints.iter().filter_map(|arg| arg.as_call());
        let mut sites = Vec::new();
        let is_general = |call: &Call| {
            use Name::{ForAllCell, ForAllEdge, ForAllHint, ForAllVertex};
            matches!(call.name(), ForAllCell | ForAllEdge | ForAllHint | ForAllVertex)
        };
        if calls().any(is_general) {
            sites = self.world.board();
        }
        for call in calls() {
            match call.name() {
                Name::AllDifferent | Name::IsCount | Name::IsSum | Name::IsUnique => {
                    match call.find(Label::Region) {
                        Some(region) => sites.extend(self.static_region(region)?),
                        None => {
                            let areas = self.setting.iter().flat_map(|setting| &setting.areas);
                            sites.extend(areas.flat_map(|area| &area.sites));
                        }
                    }
                }
                _ => {}
            }
        }
        if sites.is_empty() {
            sites = self.world.board();
        }
        let on_board = self.world.topology.sites();
        sites.retain(|&site| usize::from(site) < on_board);
        sites.sort_unstable();
        sites.dedup();
        Ok(sites)
    }

    /// `(satisfy ..)`: for every value the variables that can have it and have no value yet. The
    /// reference also offers other values for variables that have one, and notes of values that a
    /// variable can still have. Games are played without both, as in the random playouts that it
    /// recorded, which set variables as long as any has no value.
    pub(super) fn satisfy(&mut self, call: &'c Call) -> Lowered<Moves> {
        let Some(puzzle) = self.rules.puzzle.clone() else { return Err(unsupported(call)) };
        let open = Region::Empty(self.tables.set(puzzle.open.to_vec()));
        let mut leaves = Vec::new();
        for value in puzzle.values.0..=puzzle.values.1 {
            let kind = LeafKind::Add {
                pieces: Box::new([Piece::Fixed(component_of(value))]),
                state: None,
                to: Box::new(Place::Region(open.clone())),
                condition: None,
                count: Int::Const(1),
                apply: None,
                level: None,
            };
            leaves.push(self.leaf(kind)?);
        }
        let holds = Bool::And(puzzle.constraints.clone());
        Ok(Moves::IfAfterwards(Box::new((Moves::All(leaves.into()), holds))))
    }

    /// `(set {{site value} ..})` at the start.
    pub(super) fn given_values(&mut self, call: &'c Call) -> Lowered<StartRule> {
        default_type(&self.world, call)?;
        let Some(most) = self.setting.as_ref().map(|setting| setting.values.1) else {
            return Err(unsupported(call));
        };
        let mut rules = Vec::new();
        for pair in call.items(Label::Values) {
            let numbers: Vec<i32> = pair.items().iter().filter_map(Arg::as_int).collect();
            let &[site, value] = &numbers[..] else {
                return Err(invalid(pair, "not-a-pair", "a site and its value are wanted here"));
            };
            if !(0..=most).contains(&value) {
                let message =
                    format!("{value} is no value of a variable here: they are 0 to {most}");
                return Err(invalid(pair, "no-such-value", message));
            }
            if !(0..self.world.topology.sites() as i32).contains(&site) {
                return Err(invalid(pair, "no-such-site", format!("the board has no site {site}")));
            }
            rules.push(StartRule::Place {
                components: Box::new([component_of(value)]),
                at: StartSites::List(Box::new([Int::Const(site)])),
                count: Int::Const(1),
                state: None,
                rotation: None,
                value: None,
                stack: false,
            });
        }
        Ok(StartRule::All(rules.into()))
    }

    /// Lowers a constraint of a puzzle; `None` for other conditions.
    pub(super) fn constraint(&mut self, call: &'c Call) -> Lowered<Option<Bool>> {
        use Name::*;
        if self.setting.is_none() {
            return Ok(None);
        }
        let has = |label: Label| call.find(label).is_some();
        let constraint = match call.name() {
            AllDifferent if !has(Label::If) => {
                default_type(&self.world, call)?;
                let mut except = Vec::new();
                for item in [Label::Except, Label::Excepts].into_iter().flat_map(|l| all(call, l)) {
                    let number = self.int(item)?;
                    let number = number.constant();
                    except
                        .push(number.ok_or_else(|| unsupported_use(item, "a computed exception"))?);
                }
                let areas = self.areas(call)?;
                Constraint::Different { areas: areas.into(), except: except.into() }
            }
            IsUnique => {
                default_type(&self.world, call)?;
                let areas = self.areas(call)?;
                // A computed region is no family, so no areas are compared.
                let areas_of_equipment = self.setting.iter().flat_map(|setting| &setting.areas);
                let families: Vec<u32> = areas_of_equipment.map(|area| area.family).collect();
                Constraint::Unique(areas.into_iter().zip(families).collect())
            }
            IsCount => {
                default_type(&self.world, call)?;
                if !has(Label::Region) {
                    return Ok(Some(Bool::Const(false)));
                }
                let region = self.region(need(call, Label::Region)?)?;
                let slot = if has(Label::What) { Label::What } else { Label::Of };
                let of = self.int_or(call, slot, Int::Const(1))?;
                Constraint::Count { region, of, number: self.int_at(call, Label::Result)? }
            }
            IsSum => {
                default_type(&self.world, call)?;
                let areas = self.areas(call)?;
                let result = need(call, Label::Result)?;
                // For areas the hint with the same number counts.
                let by_area = !has(Label::Region)
                    && result
                        .as_call()
                        .is_some_and(|c| c.name() == Name::Hint && c.args.is_empty());
                let mut sums = Vec::new();
                for (number, area) in areas.into_iter().enumerate() {
                    let hints = self.setting.iter().flat_map(|setting| &setting.hints);
                    let hint = hints.map(|hint| hint.value).nth(number);
                    let sum = match hint.filter(|_| by_area) {
                        Some(hint) => Int::Const(hint),
                        None if by_area => break,
                        None => self.int(result)?,
                    };
                    sums.push((area, sum));
                }
                Constraint::Sum(sums.into())
            }
            IsSolved => return Ok(Some(Bool::IsSolved)),
            AllSites => return self.every_site(call),
            ForAllCell | ForAllVertex | ForAllEdge => {
                let site_type = call.name().selector().and_then(SiteType::named);
                let count = site_type.map_or(0, |site_type| self.world.topology.count(site_type));
                let each =
                    (0..count as i32).map(|n| Bound { from: Some(n), ..self.scope.bound.clone() });
                return self.for_each_bound(call, Label::Condition, each.collect()).map(Some);
            }
            ForAllHint => {
                let hints = self.setting.iter().flat_map(|setting| &setting.hints);
                let site =
                    |sites: &[u16], index: usize| sites.get(index).copied().map_or(-1, i32::from);
                let each = hints.map(|hint| Bound {
                    from: Some(site(&hint.sites, 0)),
                    to: Some(site(&hint.sites, 1)),
                    hint: Some(hint.value),
                    sites: Some(hint.sites.clone()),
                    ..self.scope.bound.clone()
                });
                let each = each.collect();
                return self.for_each_bound(call, Label::Condition, each).map(Some);
            }
            OpLt | OpLe | OpGt | OpGe => {
                let how = match call.name() {
                    OpLt => Compare::Less,
                    OpLe => Compare::LessEqual,
                    OpGt => Compare::Greater,
                    _ => Compare::GreaterEqual,
                };
                Constraint::Values(how, self.int_at(call, Label::A)?, self.int_at(call, Label::B)?)
            }
            _ => return Ok(None),
        };
        Ok(Some(Bool::Constraint(Box::new(constraint))))
    }

    /// The areas of a constraint: its region, or those of the equipment whose names contain the
    /// name that is given.
    fn areas(&mut self, call: &'c Call) -> Lowered<Vec<Area>> {
        if let Some(region) = call.find(Label::Region) {
            return Ok(vec![Area { region: self.region(region)?, lead: None }]);
        }
        let name = call.find(Label::Name).and_then(Arg::as_text);
        let areas = self.setting.iter().flat_map(|setting| &setting.areas);
        // Recorded puzzles show that sums leave out computed regions.
        let sums = call.name() == Name::IsSum;
        let wanted = areas.filter(|area| {
            area.name.contains(name.unwrap_or_default()) && !(sums && area.computed)
        });
        let tables = &mut self.tables;
        Ok(wanted
            .map(|area| Area {
                region: Region::Static(tables.set(area.sites.clone())),
                lead: area.lead,
            })
            .collect())
    }

    /// `(all Sites ..)` over a fixed region, written out.
    fn every_site(&mut self, call: &'c Call) -> Lowered<Option<Bool>> {
        let region = self.region(need(call, Label::Region)?)?;
        let Some(sites) = self.region_before(&region, None) else {
            let pair = (region, self.bool_at(call, Label::If)?);
            return Ok(Some(Bool::AllSites(Box::new(pair))));
        };
        let each = sites
            .into_iter()
            .map(|site| Bound { site: Some(i32::from(site)), ..self.scope.bound.clone() })
            .collect();
        self.for_each_bound(call, Label::If, each).map(Some)
    }

    /// A condition written out for each of some elements.
    fn for_each_bound(&mut self, call: &'c Call, label: Label, each: Vec<Bound>) -> Lowered<Bool> {
        let mut list = Vec::new();
        for bound in each {
            let Some(setting) = &mut self.setting else { return Err(unsupported(call)) };
            setting.written_out += 1;
            if setting.written_out > MAX_CONSTRAINTS {
                let text = format!("more than {MAX_CONSTRAINTS} constraints");
                return Err(Problem::TooLarge(text));
            }
            let outer = std::mem::replace(&mut self.scope.bound, bound);
            let condition = self.bool_at(call, label);
            self.scope.bound = outer;
            flatten(condition?, &mut list);
        }
        Ok(Bool::And(list.into()))
    }

    /// A line in a puzzle, which passes through a variable with a value, and counts values.
    pub(super) fn line_of_values(
        &mut self,
        call: &'c Call,
        axes: AxesId,
        through: Option<&Place>,
        what: Option<&LinePieces>,
    ) -> Lowered<Option<Bool>> {
        if self.setting.is_none() {
            return Ok(None);
        }
        let pivot = match through {
            None => Int::LastTo,
            Some(Place::Site(site)) => site.clone(),
            Some(Place::Region(_)) => return Err(unsupported(call)),
        };
        let component =
            |value: &Int| Int::Fold(Fold::Sum, Box::new([value.clone(), Int::Const(1)]));
        let what = match what {
            None => None,
            Some(LinePieces::Components(values)) => {
                Some(LinePieces::Components(values.iter().map(component).collect()))
            }
            Some(LinePieces::Owner(_)) => return Err(unsupported(call)),
        };
        let line = Line {
            axes,
            length: self.int_at(call, Label::Length)?,
            through: through.cloned(),
            what,
            exact: fixed_flag(call, Label::Exact, false)?,
            contiguous: fixed_flag(call, Label::Contiguous, true)?,
            condition: self.bool_opt(call, Label::If)?,
        };
        let has_value = Bool::IsOccupied(Box::new(pivot));
        Ok(Some(Bool::And(Box::new([has_value, Bool::IsLine(Box::new(line))]))))
    }

    /// Lowers a number that only puzzles have; `None` for others.
    pub(super) fn puzzle_number(&mut self, call: &'c Call) -> Lowered<Option<Int>> {
        if self.setting.is_none() {
            return Ok(None);
        }
        let bound = |number: Option<i32>| Ok(number.map(Int::Const));
        match call.name() {
            Name::From if call.args.is_empty() => bound(self.scope.bound.from),
            Name::To => bound(self.scope.bound.to),
            Name::Site => bound(self.scope.bound.site),
            Name::What => Ok(Some(value_of(self.layer(call)?))),
            Name::Hint => match call.find(Label::At) {
                None => match self.scope.bound.hint {
                    Some(value) => Ok(Some(Int::Const(value))),
                    None => Err(unsupported(call)),
                },
                Some(_) => {
                    let number = self.int_at(call, Label::At)?;
                    let site_type = site_type_of(&self.world, call);
                    let hints = self.setting.iter().flat_map(|setting| &setting.hints);
                    let mut table = vec![-1; self.world.topology.count(site_type)];
                    for hint in hints.filter(|hint| hint.of == site_type) {
                        let site = hint.sites.first().copied().map(usize::from);
                        if let Some(entry) = site.and_then(|site| table.get_mut(site)) {
                            *entry = hint.value;
                        }
                    }
                    Ok(Some(match number.constant() {
                        Some(index) => {
                            let index = usize::try_from(index).ok();
                            Int::Const(
                                index.and_then(|index| table.get(index)).copied().unwrap_or(-1),
                            )
                        }
                        None => Int::Table(Box::new((table.into(), number))),
                    }))
                }
            },
            _ => Ok(None),
        }
    }

    /// `(sites Hint)`: the sites of the hint that a constraint is written out for.
    pub(super) fn hint_sites(&mut self, call: &'c Call) -> Lowered<Region> {
        match self.scope.bound.sites.clone() {
            Some(sites) => Ok(Region::Static(self.tables.set(sites))),
            None => Err(unsupported(call)),
        }
    }

    /// The condition that sites of groups satisfy by default.
    pub(super) fn group_condition(&self, condition: Option<Box<Bool>>) -> Option<Box<Bool>> {
        if self.setting.is_none() || condition.is_some() {
            return condition;
        }
        // Groups are counted by pieces, and a site of value 0 has no piece.
        let at = Box::new(Int::Iter(crate::ir::Iter::To));
        let layer = crate::ir::Layer::What;
        let what = Int::At { layer, at, level: None, reach: crate::ir::Reach::All };
        Some(Box::new(Bool::Compare(Compare::Greater, Box::new((what, Int::Const(1))))))
    }
}

/// The variables that the first rule of the set-up gives values to.
fn fixed(root: &Call) -> Vec<u16> {
    let start = root.call(Label::Rules).and_then(|rules| rules.call(Label::Start));
    let first = start.and_then(|start| start.items(Label::Rules).first()).and_then(Arg::as_call);
    let values = first
        .filter(|rule| rule.name() == Name::Set)
        .map_or(&[][..], |rule| rule.items(Label::Values));
    let sites = values.iter().filter_map(|pair| pair.items().first().and_then(Arg::as_int));
    sites.filter_map(|site| u16::try_from(site).ok()).collect()
}

/// Adds the parts of a conjunction to a list, without those that always hold.
fn flatten(condition: Bool, list: &mut Vec<Bool>) {
    match condition {
        Bool::And(parts) => parts.into_iter().for_each(|part| flatten(part, list)),
        Bool::Const(true) => {}
        condition => list.push(condition),
    }
}

/// True if a value is an array of arrays, as the values that a puzzle gives are.
pub(super) fn gives_values(call: &Call) -> bool {
    call.name() == Name::Set
        && call.args.iter().any(|a| a.label == Label::Values && matches!(a.value, Value::Array(_)))
}
