//! A whole ply as code: moves are gathered, one of them is drawn and made, the end rules are asked.

use kernel::ir::{Expr, Function, FunctionId, Stmt, Type};

use super::code::{FRAME, OF_MOVE, Service, Slot, add, int, service};
use super::tables::Tables;

/// Nothing has been made.
pub(super) const NOT_MADE: i32 = 0;

/// A move has been made, and no end rule holds.
pub(super) const GOES_ON: i32 = 1;

/// Writes the function of a ply: of what gathers the moves, what makes those of each source, and what says
/// whether an end rule holds. Without the last one they have to be asked.
pub(super) fn ply(
    tables: &mut Tables,
    gather: FunctionId,
    makes: &[Option<FunctionId>],
    ends: Option<FunctionId>,
) -> FunctionId {
    let source = kernel::ir::Local(0);
    let drawn = service(Service::Draw, Vec::new());
    let mut body = vec![
        Stmt::Eval(Expr::Call(gather, Vec::new())),
        Stmt::Set(source, drawn),
        Stmt::If(source.get().less(int(0)), vec![Stmt::Return(Some(int(NOT_MADE)))], Vec::new()),
    ];
    let makes: Vec<(i32, FunctionId)> =
        (0..).zip(makes).filter_map(|(source, make)| Some((source, (*make)?))).collect();
    body.extend(one_of(&source.get(), &makes));
    if tables.defers {
        body.push(Stmt::Eval(service(Service::Settle, Vec::new())));
    }
    let over = ends.map_or(int(1), |ends| Expr::Call(ends, Vec::new()));
    body.push(Stmt::Return(Some(add(over, int(GOES_ON)))));
    tables.function(Function {
        name: "ply".into(),
        locals: vec![Type::Int],
        params: 0,
        result: Some(Type::Int),
        body,
    })
}

/// Calls the function of a number, found by halves.
fn one_of(number: &Expr, makes: &[(i32, FunctionId)]) -> Option<Stmt> {
    match makes {
        [] => None,
        [(_, make)] => {
            let number = |i: usize| FRAME.at(int((Slot::Drawn as usize + i) as i32));
            Some(Stmt::Call(*make, (0..OF_MOVE).map(number).collect()))
        }
        _ => {
            let (low, high) = makes.split_at(makes.len() / 2);
            let is_low = number.clone().less(int(high[0].0));
            let [low, high] = [low, high].map(|half| one_of(number, half).into_iter().collect());
            Some(Stmt::If(is_low, low, high))
        }
    }
}
