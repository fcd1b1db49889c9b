//! Start rules.

use crate::board::SiteType;
use crate::front::{Arg, Call, Label, Name, Value, Word};
use crate::ir::{Int, Ints, Place, Region, StartRule, StartSites};

use super::elements::{place_of, site_of};
use super::places::{
    component_named, coordinate, default_type, fixed_role, known_type, need, need_call,
    site_type_of,
};
use super::teams::{first_teams, inner_team};
use super::{Lower, Lowered, Problem, invalid, unsupported, unsupported_use};

impl<'c> Lower<'c> {
    /// Lowers the rules of the set-up.
    pub(super) fn start_rules(&mut self, rules: &'c Call) -> Vec<StartRule> {
        let start = rules.call(Label::Start);
        let mut lowered = Vec::new();
        for rule in start.iter().flat_map(|s| s.items(Label::Rules)).filter_map(Arg::as_call) {
            if super::attributes::gives_attribute(rule) {
                continue;
            }
            match self.start_rule(rule) {
                Ok(rule) => lowered.push(rule),
                Err(problem) => self.problems.push(problem),
            }
        }
        lowered
    }

    /// Rules for the state before the set-up: no money, teams, shuffled decks, all dominoes.
    pub(super) fn before_the_start(&mut self) -> Vec<StartRule> {
        let mut rules: Vec<StartRule> = self.no_money().collect();
        rules.extend(first_teams(&self.world));
        rules.extend(self.shuffled_decks());
        rules.extend(self.full_bag());
        rules
    }

    fn start_rule(&mut self, call: &'c Call) -> Lowered<StartRule> {
        use Name::*;
        let has = |label: Label| call.find(label).is_some();
        Ok(match call.name() {
            Place | PlaceStack => self.place_rule(call)?,
            PlaceRandom => self.place_random(call)?,
            SetTeam => StartRule::Nothing,
            DealCards | DealDominoes => StartRule::Deal(Box::new(self.deal(call)?)),
            SplitDeck => StartRule::Deal(Box::new(self.split(call)?)),
            SetAmount => self.start_amount(call)?,
            SetHidden => StartRule::Hide(Box::new(self.hide(call)?)),
            SetScore => {
                let arg = need(call, Label::Role)?;
                let value = self.int_at(call, Label::Value)?;
                let everybody = 1..=self.world.players as u8;
                let players = match arg.as_constant() {
                    Some(Word::Each | Word::All) => everybody.collect(),
                    Some(name) => {
                        let number =
                            fixed_role(&self.world, name).and_then(|n| u8::try_from(n).ok());
                        number.into_iter().collect()
                    }
                    None => return Err(unsupported(call)),
                };
                StartRule::SetScore { players, value }
            }
            Set if has(Label::Owner) => {
                known_type(&self.world, call)?;
                let role = need(call, Label::Owner)?;
                let owner = role.as_constant().and_then(|role| fixed_role(&self.world, role));
                // Players have the component with their number, other owners their first one.
                let player = usize::try_from(owner.unwrap_or(-1)).ok();
                let component =
                    match player.filter(|p| (1..=self.world.players).contains(p)) {
                        Some(player) => Some(player),
                        None => self.world.components.iter().enumerate().skip(1).find_map(
                            |(c, piece)| (Some(i32::from(piece.owner)) == owner).then_some(c),
                        ),
                    };
                let at = self.start_sites(call)?;
                match component.filter(|&c| c < self.world.components.len()) {
                    Some(c) => self.placed(call, vec![c as u16], at, Int::Const(1), false)?,
                    None => StartRule::Nothing,
                }
            }
            Set if super::puzzles::gives_values(call) => self.given_values(call)?,
            SetCount => {
                default_type(&self.world, call)?;
                // Always the last component of the game.
                let component = self.world.components.len() as u16 - 1;
                let count = self.int_at(call, Label::Value)?;
                let at = match (call.arg(Label::At), call.arg(Label::To)) {
                    (Some(site), _) => StartSites::List(Box::new([self.int(site)?])),
                    (_, Some(region)) => StartSites::Region(self.region(region)?),
                    _ => return Err(unsupported(call)),
                };
                StartRule::SetCount { component, count, at }
            }
            SetRememberValue => {
                let list = self.rules.names.list(call.text(Label::List));
                let values = self.place(need(call, Label::Value)?)?;
                let unique = call.flag(Label::Unique).unwrap_or(false);
                StartRule::Remember { list, values, unique }
            }
            ForEachSite => {
                let region = self.region(need(call, Label::Region)?)?;
                let condition = self.bool_opt(call, Label::If)?.unwrap_or_else(Self::always);
                let rule = Box::new(self.inner_rule(call)?);
                StartRule::ForEachSite { region, condition, rule }
            }
            ForEachValue => {
                let values = self.int_range(call)?;
                StartRule::ForEachValue { values, rule: Box::new(self.inner_rule(call)?) }
            }
            ForEachPlayer => {
                let players = (1..=self.world.players as i32).map(Int::Const).collect();
                let rule = Box::new(self.inner_rule(call)?);
                StartRule::ForEachPlayer { players: Ints::List(players), rule }
            }
            ForEachTeam => {
                StartRule::All(self.for_teams(call, |lower| lower.inner_rule(call))?.into())
            }
            ForEach if has(Label::Players) => {
                let players = self.ints(need(call, Label::Players)?)?;
                StartRule::ForEachPlayer { players, rule: Box::new(self.inner_rule(call)?) }
            }
            _ => return Err(unsupported(call)),
        })
    }

    fn inner_rule(&mut self, call: &'c Call) -> Lowered<StartRule> {
        let rule = need_call(call, Label::Rule)?;
        if rule.name() == Name::SetTeam {
            return inner_team(rule);
        }
        self.start_rule(rule)
    }

    fn place_rule(&mut self, call: &'c Call) -> Lowered<StartRule> {
        let has = |label: Label| call.find(label).is_some();
        known_type(&self.world, call)?;
        let stack = call.name() == Name::PlaceStack;
        let items: Vec<&Arg> = if stack && has(Label::Items) {
            call.items(Label::Items).iter().collect()
        } else {
            vec![need(call, Label::Item)?]
        };
        let container = call.find(Label::Container);
        if let Some(container) = container {
            return self.place_in_container(call, items[0], container);
        }
        let mut components = Vec::new();
        for item in items {
            components.push(component_named(&self.world, item)?);
        }
        let counts = call.find(Label::Counts).map_or(&[][..], Arg::items);
        let at = self.start_sites(call)?;
        let count = match counts {
            [] => self.int_or(call, Label::Count, Int::Const(1))?,
            // Only the first of several numbers counts, except in stacks.
            [first, ..] if !stack => self.int(first)?,
            counts => return self.stacks_of(call, &components, at, counts),
        };
        self.placed(call, components, at, count, stack)
    }

    /// A stack on each of some sites, as high as the number beside it.
    fn stacks_of(
        &mut self,
        call: &'c Call,
        components: &[u16],
        at: StartSites,
        counts: &'c [Arg],
    ) -> Lowered<StartRule> {
        let mut rules = Vec::new();
        let sites: Vec<Int> = match at {
            StartSites::List(list) => list.into(),
            StartSites::Region(Region::Static(set)) => {
                self.tables.sites(set).iter().map(|&s| Int::Const(i32::from(s))).collect()
            }
            _ => return Err(unsupported(call)),
        };
        if sites.len() != counts.len() {
            return Err(invalid(
                &counts[0],
                "uneven-counts",
                format!("{} numbers for {} sites", counts.len(), sites.len()),
            ));
        }
        for (site, count) in sites.into_iter().zip(counts) {
            let count = self.int(count)?;
            let at = StartSites::List(Box::new([site]));
            rules.push(self.placed(call, components.to_vec(), at, count, true)?);
        }
        Ok(StartRule::All(rules.into()))
    }

    fn placed(
        &mut self,
        call: &'c Call,
        components: Vec<u16>,
        at: StartSites,
        count: Int,
        stack: bool,
    ) -> Lowered<StartRule> {
        let mut layer = |label: Label| {
            let arg = call.find(label);
            arg.map(|a| self.int(a)).transpose()
        };
        let (state, rotation, value) =
            (layer(Label::State)?, layer(Label::Rotation)?, layer(Label::Value)?);
        Ok(StartRule::Place {
            components: components.into(),
            at,
            count,
            state,
            rotation,
            value,
            stack,
        })
    }

    fn start_sites(&mut self, call: &'c Call) -> Lowered<StartSites> {
        let arg = |label: Label| call.find(label);
        if let Some(coordinate) = arg(Label::Coord) {
            return Ok(StartSites::List(Box::new([self.coordinate_arg(call, coordinate)?])));
        }
        let Some(sites) = arg(Label::Sites).or(arg(Label::Site)) else {
            return Ok(StartSites::List(Box::new([])));
        };
        match &sites.value {
            Value::Array(items) => {
                let list = items.iter().map(|item| match item.as_text() {
                    Some(_) => self.coordinate_arg(call, item),
                    None => {
                        let number = self.int(item)?;
                        Ok(site_of(&self.world, call, number))
                    }
                });
                Ok(StartSites::List(list.collect::<Lowered<_>>()?))
            }
            _ => {
                let place = self.place(sites)?;
                Ok(match place_of(&self.world, call, place) {
                    Place::Site(site) => StartSites::List(Box::new([site])),
                    Place::Region(region) => StartSites::Region(region),
                })
            }
        }
    }

    /// Places pieces in a hand or elsewhere off the board.
    fn place_in_container(
        &mut self,
        call: &'c Call,
        item: &'c Arg,
        container: &'c Arg,
    ) -> Lowered<StartRule> {
        let name = container.as_text().unwrap_or_default();
        let count = self.int_or(call, Label::Count, Int::Const(1))?;
        let stack = call.name() == Name::PlaceStack;
        let piece = item.as_text().unwrap_or_default();
        let shared = self.world.component(piece).is_some();
        if name == "Hand" && !shared {
            let mut rules = Vec::new();
            for player in 1..=self.world.players as u8 {
                let Some(hand) = self.world.hand(player) else { continue };
                let sites = (hand.first..hand.first + hand.size).map(|s| s as u16).collect();
                let Some(component) = self.world.component(&format!("{piece}{player}")) else {
                    return Err(invalid(
                        item,
                        "unknown-piece",
                        format!("player {player} has no piece \"{piece}\""),
                    ));
                };
                let at = StartSites::FirstEmpty(Region::Static(self.tables.set(sites)));
                rules.push(self.placed(call, vec![component], at, count.clone(), stack)?);
            }
            return Ok(StartRule::All(rules.into()));
        }
        let found = self.world.containers.iter().position(|c| c.name == name);
        let Some(index) = found else {
            let names = self.world.containers.iter().map(|c| c.name.as_str());
            return Err(Problem::Invalid(
                container
                    .place
                    .error("unknown-container", format!("no container is called \"{name}\""))
                    .suggest(name, names),
            ));
        };
        let first = self.world.containers[index].first as i32;
        // In hands the component with the number of the container is placed, whatever component is
        // named.
        let (component, site) = if name.contains("Hand") {
            (index as u16, Int::Const(first))
        } else {
            let component = component_named(&self.world, item)?;
            let site = self.int_or(call, Label::Site, Int::Const(0))?;
            (component, Int::Fold(crate::ir::Fold::Sum, Box::new([Int::Const(first), site])))
        };
        if usize::from(component) >= self.world.components.len() {
            return Err(unsupported_use(item, "a piece in this container"));
        }
        let at = StartSites::List(Box::new([site]));
        self.placed(call, vec![component], at, count, stack)
    }

    fn place_random(&mut self, call: &'c Call) -> Lowered<StartRule> {
        let has = |label: Label| call.find(label).is_some();
        default_type(&self.world, call)?;
        if has(Label::Site) {
            return self.shuffle(call);
        }
        let mut components = Vec::new();
        for item in call.items(Label::Items) {
            components.push(component_named(&self.world, item)?);
        }
        let region = match call.arg(Label::Region) {
            Some(arg) => self.region(arg)?,
            None => self.board_region(),
        };
        let count = self.int_or(call, Label::Count, Int::Const(1))?;
        let mut layer = |label: Label| {
            let arg = call.find(label);
            arg.map(|a| self.int(a)).transpose()
        };
        let (state, value) = (layer(Label::State)?, layer(Label::Value)?);
        Ok(StartRule::PlaceRandom { components: components.into(), region, count, state, value })
    }

    /// Pieces on one site in an order drawn by lot.
    fn shuffle(&mut self, call: &'c Call) -> Lowered<StartRule> {
        let counts = call.find(Label::Count).map_or(&[][..], Arg::items);
        let mut pieces = Vec::new();
        for (number, item) in call.items(Label::Items).iter().enumerate() {
            // An item is a piece with its number, or the number is at the same place of a list.
            let counted = item.as_call().filter(|call| call.has(Label::Item));
            let (name, count) = match counted {
                Some(call) => (need(call, Label::Item)?, Some(need(call, Label::Number)?)),
                None => (item, counts.get(number)),
            };
            let count = count.map_or(Ok(Int::Const(1)), |count| self.int(count))?;
            pieces.push((component_named(&self.world, name)?, count));
        }
        let mut layer = |label: Label| {
            let arg = call.find(label);
            arg.map(|a| self.int(a)).transpose()
        };
        let (state, value) = (layer(Label::State)?, layer(Label::Value)?);
        let site = self.int_at(call, Label::Site)?;
        Ok(StartRule::Shuffle { pieces: pieces.into(), site, state, value })
    }

    fn coordinate_arg(&self, call: &Call, arg: &Arg) -> Lowered<Int> {
        let label = arg.as_text().unwrap_or_default();
        let site_type: SiteType = site_type_of(&self.world, call);
        match coordinate(&self.world, label, Some(site_type)) {
            Some(site) => Ok(site_of(&self.world, call, Int::Const(site as i32))),
            None => {
                let topology = &self.world.topology;
                let labels = (0..topology.count(site_type)).map(|s| topology.label(site_type, s));
                Err(Problem::Invalid(
                    arg.place
                        .error("unknown-coordinate", format!("no site is labelled \"{label}\""))
                        .suggest(label, labels),
                ))
            }
        }
    }
}
