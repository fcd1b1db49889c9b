//! Named regions and maps, whose parts are written in the language of rules.

use crate::front::{Arg, Call, Label, Name, Value, Word};
use crate::world::{NamedMap, NamedRegion};

use super::places::{coordinate, fixed_role, need, owner};
use super::{Lower, Lowered, invalid, unsupported_use};

/// Lowers regions and maps, whose parts are written in the language of rules.
pub(super) fn regions_and_maps<'c>(lower: &mut Lower<'c>, root: &'c Call) -> Lowered<()> {
    let items = root.call(Label::Equipment).map_or(&[][..], |e| e.items(Label::Items));
    for item in items.iter().filter_map(Arg::as_call) {
        match item.name() {
            Name::Regions => regions(lower, item)?,
            Name::Map => map(lower, item)?,
            _ => {}
        }
    }
    Ok(())
}

fn regions<'c>(lower: &mut Lower<'c>, item: &'c Call) -> Lowered<()> {
    let role = item.constant(Label::Role);
    let owner = role.map_or(0, |r| owner(r, lower.world.players));
    let name = match item.text(Label::Name) {
        Some(name) => name.to_owned(),
        None => format!("Region{}", role.unwrap_or(Word::P1)),
    };
    let arg = need(item, Label::Regions)?;
    let mut parts = Vec::new();
    match &arg.value {
        Value::Array(list) if list.iter().all(|i| i.as_call().is_none()) => {
            for family in list.iter().filter(|item| item.as_int().is_none()) {
                parts.extend(lower.named_family(family)?);
            }
            let sites = list.iter().filter_map(Arg::as_int).filter_map(|s| u16::try_from(s).ok());
            let sites: Vec<u16> = sites.collect();
            if parts.is_empty() || !sites.is_empty() {
                parts.push(sites);
            }
        }
        Value::Array(list) => {
            for part in list {
                parts.push(lower.static_region(part)?);
            }
        }
        Value::Constant(_) => parts = lower.named_family(arg)?,
        _ => parts.push(lower.static_region(arg)?),
    }
    lower.keep_areas(&name, arg, &parts);
    for part in &mut parts {
        part.sort_unstable();
        part.dedup();
    }
    lower.world.regions.push(NamedRegion { name, owner, parts });
    Ok(())
}

fn map<'c>(lower: &mut Lower<'c>, item: &'c Call) -> Lowered<()> {
    let name = item.text(Label::Name).unwrap_or("Map").to_owned();
    let mut found: Vec<(i32, i32)> = Vec::new();
    let mut add = |key: i32, value: i32| {
        if key != -1 && value != -1 {
            match found.iter_mut().find(|(k, _)| *k == key) {
                Some(pair) => pair.1 = value,
                None => found.push((key, value)),
            }
        }
    };
    if item.has(Label::Pairs) {
        for pair in item.items(Label::Pairs).iter().filter_map(Arg::as_call) {
            let key = lower.map_number(need(pair, Label::Key)?)?;
            let value = lower.map_number(need(pair, Label::Value)?)?;
            key.zip(value).into_iter().for_each(|(key, value)| add(key, value));
        }
    } else {
        for (key, value) in item.items(Label::Keys).iter().zip(item.items(Label::Values)) {
            let key = lower.map_number(key)?;
            let value = lower.map_number(value)?;
            key.zip(value).into_iter().for_each(|(key, value)| add(key, value));
        }
    }
    found.sort_unstable();
    lower.world.maps.push(NamedMap { name, pairs: found });
    Ok(())
}

impl<'c> Lower<'c> {
    fn named_family(&self, arg: &Arg) -> Lowered<Vec<Vec<u16>>> {
        let family = arg.as_constant().and_then(|name| self.family(name));
        let of_puzzles = || {
            let areas = self.puzzle_family(arg.as_constant()?)?;
            Some(areas.into_iter().map(|area| area.0).collect())
        };
        family.or_else(of_puzzles).ok_or_else(|| unsupported_use(arg, "this family of regions"))
    }

    /// A number in a map: an integer, a player, a coordinate, a landmark or a piece; `None`, with a
    /// warning, for a name of nothing.
    fn map_number(&mut self, arg: &'c Arg) -> Lowered<Option<i32>> {
        match &arg.value {
            Value::Text(text) => {
                let site = coordinate(&self.world, text, None);
                let piece = self.world.component(text).map(i32::from);
                let number = site.map(|s| s as i32).or(piece);
                if number.is_none() {
                    let message = format!("\"{text}\" is no site and no piece");
                    let warning = arg.place.warning("unknown-name", message);
                    self.warnings.push(warning.label("the map is without this pair"));
                }
                Ok(number)
            }
            Value::Constant(constant) => match constant.word() {
                Word::FirstSite => Ok(Some(0)),
                Word::LastSite => Ok(Some(self.world.topology.extent() as i32 - 1)),
                name => match fixed_role(&self.world, name) {
                    Some(number) => Ok(Some(number)),
                    None => Err(unsupported_use(arg, &format!("`{name}` in a map"))),
                },
            },
            _ => {
                let number = self.int(arg)?;
                self.int_before(&number, None).map(Some).ok_or_else(|| {
                    invalid(arg, "not-constant", "a map is fixed: this must not depend on the game")
                })
            }
        }
    }
}
