//! Roles, sites and names, of which all other parts are made.

use crate::board::{Area, Relative, SiteType};
use crate::front::{Arg, Call, Kind, Label, Name, Value, Word};
use crate::ir::{Bool, Compare, Int, Iter, Owners, Pieces, Place, Reach, Region, Role};
use crate::world::{Elements, World};

use super::{Lower, Lowered, invalid, missing, unsupported_use};

/// The number of a role as the owner of an item.
pub(super) fn owner(role: Word, players: usize) -> u8 {
    match role {
        Word::Shared | Word::All => players as u8 + 1,
        _ => role_number(role).unwrap_or(0),
    }
}

/// The number in the name of a single player or team.
pub(super) fn role_number(role: Word) -> Option<u8> {
    let role = role.as_str();
    let number = role.strip_prefix("P").or_else(|| role.strip_prefix("Team"));
    number.and_then(|n| n.parse().ok())
}

/// The role of this name.
pub(super) fn role_named(word: Word) -> Option<Role> {
    let number =
        |prefix: &str| word.as_str().strip_prefix(prefix).and_then(|n| n.parse::<u8>().ok());
    Some(match word {
        Word::Neutral => Role::Neutral,
        Word::TeamMover => Role::TeamMover,
        Word::Shared => Role::Shared,
        Word::All => Role::All,
        Word::Each => Role::Each,
        Word::Player => Role::Iterated,
        Word::Mover => Role::Mover,
        Word::Next => Role::Next,
        Word::Prev => Role::Prev,
        Word::NonMover => Role::NonMover,
        Word::Enemy => Role::Enemy,
        Word::Friend => Role::Friend,
        Word::Ally => Role::Ally,
        _ => match (number("P"), number("Team")) {
            (Some(n), _) => Role::Player(n),
            (_, Some(n)) => Role::Team(n),
            _ => return None,
        },
    })
}

/// The relative direction of this name; those with doubled letters are the same as those without.
pub(super) fn relative_named(word: Word) -> Option<Relative> {
    Some(match word {
        Word::Forward => Relative::Forward,
        Word::Backward => Relative::Backward,
        Word::Rightward => Relative::Rightward,
        Word::Leftward => Relative::Leftward,
        Word::Forwards => Relative::Forwards,
        Word::Backwards => Relative::Backwards,
        Word::Rightwards => Relative::Rightwards,
        Word::Leftwards => Relative::Leftwards,
        Word::FL | Word::FLL | Word::FLLL => Relative::FL,
        Word::FR | Word::FRR | Word::FRRR => Relative::FR,
        Word::BL | Word::BLL | Word::BLLL => Relative::BL,
        Word::BR | Word::BRR | Word::BRRR => Relative::BR,
        Word::SameDirection => Relative::SameDirection,
        Word::OppositeDirection => Relative::OppositeDirection,
        _ => return None,
    })
}

/// The area that the word of a `(sites ..)` names, if it names one.
pub(super) fn area_named(name: Name) -> Option<Area> {
    Some(match name {
        Name::SitesBoard => Area::Board,
        Name::SitesCorners => Area::Corners,
        Name::SitesConvexCorners => Area::ConvexCorners,
        Name::SitesConcaveCorners => Area::ConcaveCorners,
        Name::SitesCentre => Area::Centre,
        Name::SitesPerimeter => Area::Perimeter,
        Name::SitesOuter => Area::Outer,
        Name::SitesInner => Area::Inner,
        Name::SitesTop => Area::Top,
        Name::SitesBottom => Area::Bottom,
        Name::SitesLeft => Area::Left,
        Name::SitesRight => Area::Right,
        Name::SitesMajor => Area::Major,
        Name::SitesMinor => Area::Minor,
        _ => return None,
    })
}

/// The argument of a slot that must be filled.
pub(super) fn need(call: &Call, label: Label) -> Lowered<&Arg> {
    call.arg(label).ok_or_else(|| missing(call, label))
}

/// The call of a slot that must be filled.
pub(super) fn need_call(call: &Call, label: Label) -> Lowered<&Call> {
    call.call(label).ok_or_else(|| missing(call, label))
}

/// All arguments of a slot that occurs several times or takes an array.
pub(super) fn all(call: &Call, label: Label) -> impl Iterator<Item = &Arg> {
    call.args.iter().filter(move |a| a.label == label).flat_map(Arg::items)
}

/// A truth value that must be written out.
pub(super) fn fixed_flag(call: &Call, label: Label, default: bool) -> Lowered<bool> {
    match call.find(label) {
        None => Ok(default),
        Some(arg) => {
            arg.as_bool().ok_or_else(|| unsupported_use(arg, &format!("a computed `{label}:`")))
        }
    }
}

/// A role, as a constant or in `(player ..)`.
pub(super) fn role(arg: &Arg) -> Lowered<Role> {
    let name = arg.as_constant();
    name.and_then(role_named).ok_or_else(|| invalid(arg, "unknown-role", "no such role"))
}

/// The number that a role stands for, if that does not depend on the state.
pub(super) fn fixed_role(world: &World, role: Word) -> Option<i32> {
    match role_named(role)? {
        Role::Neutral => Some(0),
        Role::Player(n) | Role::Team(n) => Some(i32::from(n)),
        Role::Shared | Role::All | Role::Each => Some(world.players as i32 + 1),
        _ => None,
    }
}

/// A role as a number.
pub(super) fn role_int(world: &World, role: Role) -> Int {
    match role {
        Role::Neutral => Int::Const(0),
        Role::Player(n) | Role::Team(n) => Int::Const(i32::from(n)),
        Role::Shared | Role::All | Role::Each => Int::Const(world.players as i32 + 1),
        Role::Mover => Int::Mover,
        Role::Next => Int::Next,
        Role::Prev => Int::Prev,
        Role::Iterated => Int::Iter(Iter::Player),
        Role::TeamMover if world.teams.is_some() => Int::TeamOf(Box::new(Int::Mover)),
        Role::TeamMover => Int::Mover,
        Role::NonMover | Role::Enemy | Role::Friend | Role::Ally => Int::Const(-1),
    }
}

/// Pieces of some owners whose full names contain a text.
pub(super) fn pieces_named(world: &World, owners: Owners, name: Option<&str>) -> Pieces {
    let components =
        name.map(|name| world.components.iter().map(|c| c.name.contains(name)).collect());
    Pieces { owners, components }
}

/// The containers whose sites a number means, for ludemes that tell board and hands apart.
pub(super) fn reach_of(world: &World, call: &Call) -> Lowered<Reach> {
    let board = world.site_type();
    let Some(arg) = call.arg(Label::Type) else {
        return Ok(if board == SiteType::Cell { Reach::All } else { Reach::Board });
    };
    if elements_of_type(world, Some(arg)).is_some() {
        return Ok(Reach::All);
    }
    match arg.as_constant().and_then(SiteType::named) {
        Some(SiteType::Cell) if board == SiteType::Cell => Ok(Reach::All),
        Some(SiteType::Cell) => Ok(Reach::Hands),
        Some(site) if site == board => Ok(Reach::Board),
        _ => Err(other_type(arg, board)),
    }
}

/// Accepts only the type of site that the board is played on.
pub(super) fn default_type(world: &World, call: &Call) -> Lowered<()> {
    let arg = call.find(Label::Type);
    default_type_arg(world, arg)
}

/// Accepts the type of site that the board is played on, and cells if only hands have cells.
pub(super) fn any_type(world: &World, call: &Call) -> Lowered<()> {
    let arg = call.find(Label::Type);
    let cell = arg.and_then(Arg::as_constant) == Some(Word::Cell);
    if cell && elements_of_type(world, arg).is_none() {
        Ok(())
    } else {
        default_type_arg(world, arg)
    }
}

/// Accepts any type whose elements have sites, which the caller looks up.
pub(super) fn known_type(world: &World, call: &Call) -> Lowered<()> {
    if elements_of(world, call).is_some() { Ok(()) } else { any_type(world, call) }
}

/// As [`Lower::default_type`], for one argument.
pub(super) fn default_type_arg(world: &World, arg: Option<&Arg>) -> Lowered<()> {
    let board = world.site_type();
    match arg {
        Some(arg) if arg.as_constant().and_then(SiteType::named) != Some(board) => {
            Err(other_type(arg, board))
        }
        _ => Ok(()),
    }
}

/// The site with a coordinate label.
pub(super) fn coordinate(world: &World, label: &str, site: Option<SiteType>) -> Option<usize> {
    let site = site.unwrap_or(world.site_type());
    world.topology.find(site, label)
}

/// The component with exactly this name; the error names similar names.
pub(super) fn component_named(world: &World, arg: &Arg) -> Lowered<u16> {
    let name = arg.as_text().unwrap_or_default();
    world.component(name).ok_or_else(|| {
        let names = world.components.iter().skip(1).map(|c| c.name.as_str());
        super::Problem::Invalid(
            arg.place
                .error("unknown-piece", format!("no piece is called \"{name}\""))
                .label("pieces carry the number of their owner")
                .suggest(name, names),
        )
    })
}

/// By owner, the first component with a name that contains this text; 0 if there is none.
pub(super) fn components_by_owner(world: &World, name: &str) -> Box<[u16]> {
    let owners = 0..=world.players as u8 + 1;
    owners.map(|o| world.component_of(name, o).unwrap_or(0)).collect()
}

/// The elements that the type in an argument means, if it is not that of the board.
pub(super) fn elements_of_type(world: &World, arg: Option<&Arg>) -> Option<Elements> {
    let site_type = arg.and_then(Arg::as_constant).and_then(SiteType::named)?;
    world.elements.iter().find(|elements| elements.of == site_type).copied()
}

/// The elements that the type of a ludeme means.
pub(super) fn elements_of(world: &World, call: &Call) -> Option<Elements> {
    elements_of_type(world, call.find(Label::Type))
}

/// The type named, or that of the board. Only areas can have sites of other types.
pub(super) fn site_type_of(world: &World, call: &Call) -> SiteType {
    let named = call.find(Label::Type).and_then(Arg::as_constant);
    named.and_then(SiteType::named).unwrap_or(world.site_type())
}

impl<'c> Lower<'c> {
    /// A single player, by role or by number.
    pub(super) fn who(&mut self, arg: &'c Arg) -> Lowered<Int> {
        match &arg.value {
            Value::Constant(_) => {
                let role = role(arg)?;
                Ok(role_int(&self.world, role))
            }
            // Without an argument it is the number of the player that is iterated over.
            Value::Call(call) if call.name() == Name::Player && !call.args.is_empty() => {
                self.int(need(call, Label::Which)?)
            }
            _ => self.int(arg),
        }
    }

    /// A set of owners, by role or by number.
    pub(super) fn owners(&mut self, arg: Option<&'c Arg>, default: Role) -> Lowered<Owners> {
        Ok(match arg {
            None => Owners::Role(default),
            Some(arg) if arg.as_constant().is_some() => Owners::Role(role(arg)?),
            Some(arg) => Owners::Number(Box::new(self.who(arg)?)),
        })
    }

    /// The sites of a destination, without those of the board if its type is not that of the board:
    /// there it would be another element, which no rule reads.
    pub(super) fn of_type(&mut self, to: Option<&Call>, place: Place) -> Place {
        let arg = to.and_then(|to| to.find(Label::Type));
        let site_type = arg.and_then(Arg::as_constant).and_then(SiteType::named);
        if site_type.is_none_or(|t| t == self.world.site_type())
            || elements_of_type(&self.world, arg).is_some()
        {
            return place;
        }
        match place {
            Place::Site(site) => {
                let sites = self.world.board().len() as i32;
                let on_board = Box::new((site.clone(), Int::Const(sites)));
                let on_board = Bool::Compare(Compare::Less, on_board);
                Place::Site(Int::If(Box::new((on_board, Int::Const(-1), site))))
            }
            Place::Region(region) => {
                Place::Region(Region::Difference(Box::new((region, self.board_region()))))
            }
        }
    }

    /// A site or a region.
    pub(super) fn place(&mut self, arg: &'c Arg) -> Lowered<Place> {
        match &arg.value {
            Value::Int(_) => Ok(Place::Site(self.int(arg)?)),
            Value::Array(items) => {
                let sites = items.iter().map(|i| self.int(i)).collect::<Lowered<Vec<Int>>>()?;
                Ok(Place::Region(self.list_region(sites)))
            }
            Value::Call(call) if call.ludeme.kind() == Kind::Region => {
                Ok(Place::Region(self.region(arg)?))
            }
            _ => Ok(Place::Site(self.int(arg)?)),
        }
    }
}

fn other_type(arg: &Arg, board: SiteType) -> super::Problem {
    unsupported_use(
        arg,
        &format!(
            "`{}` on a board that is played on elements of type {board:?}",
            arg.as_constant().map_or("", Word::as_str)
        ),
    )
}
