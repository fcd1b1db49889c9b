//! Money: the bets of players and the pot, as variables that rules cannot name.

use crate::front::{Arg, Call, Label};
use crate::ir::{Bool, Compare, CompositeKind, Int, StartRule};
use crate::world::{AMOUNT, POT};

use super::places::{fixed_role, need, need_call};
use super::{Lower, Lowered};

impl<'c> Lower<'c> {
    /// The variable of the pot.
    pub(super) fn pot(&mut self) -> usize {
        self.rules.names.var(Some(POT))
    }

    /// The variables with the amounts of all players in order.
    fn amounts(&mut self) -> Box<[usize]> {
        let players = 1..=self.world.players;
        players.map(|player| self.rules.names.var(Some(&format!("{AMOUNT}{player}")))).collect()
    }

    /// The bet of a player; -1 of nobody.
    pub(super) fn amount(&mut self, who: &'c Arg) -> Lowered<Int> {
        let amounts = self.amounts();
        self.of_player(who, &amounts)
    }

    /// The variable of a player among those of all players; -1 of nobody.
    pub(super) fn of_player(&mut self, who: &'c Arg, vars: &[usize]) -> Lowered<Int> {
        let who = self.who(who)?;
        let chosen = who.constant().map(|who| usize::try_from(who.saturating_sub(1)));
        if let Some(index) = chosen {
            let var = index.ok().and_then(|index| vars.get(index));
            return Ok(var.map_or(Int::Const(-1), |&var| Int::Var(var)));
        }
        let among = vars.iter().zip(1..).fold(Int::Const(-1), |others, (&var, player)| {
            let it = Bool::Compare(Compare::Equal, Box::new((who.clone(), Int::Const(player))));
            Int::If(Box::new((it, Int::Var(var), others)))
        });
        Ok(among)
    }

    /// `(bet ..)`: a choice of an amount.
    pub(super) fn bet(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        let who = self.who(need(call, Label::Who)?)?;
        let range = self.range(need_call(call, Label::Range)?)?;
        Ok(CompositeKind::Bet { amounts: self.amounts(), who, range })
    }

    /// `(set Amount ..)` in the set-up; it sets everybody's amount if nobody is named.
    pub(super) fn start_amount(&mut self, call: &'c Call) -> Lowered<StartRule> {
        let value = self.int_at(call, Label::Value)?;
        let role = call.arg(Label::Role).and_then(Arg::as_constant);
        let number = role.and_then(|role| fixed_role(&self.world, role)).unwrap_or(0);
        let everybody = number == 0 || number > self.world.players as i32;
        let amounts = self.amounts();
        let theirs = amounts.iter().zip(1..).filter(|(_, player)| everybody || *player == number);
        let set = |(&var, _)| StartRule::SetVar { var, value: value.clone() };
        Ok(StartRule::All(theirs.map(set).collect()))
    }

    /// The rules of the set-up that make all amounts 0.
    pub(super) fn no_money(&self) -> impl Iterator<Item = StartRule> + '_ {
        let money = |name: &str| name == POT || name.starts_with(AMOUNT);
        let vars = self.rules.names.vars.iter().enumerate().filter(move |(_, name)| money(name));
        vars.map(|(var, _)| StartRule::SetVar { var, value: Int::Const(0) })
    }
}
