//! The terms that can stand in facts, for drawings: worked out only if somebody draws.

use super::game::Prover;
use crate::datalog::shapes::Shape;
use crate::draw::Reach;
use crate::program::RelId;

impl Prover {
    /// The terms that can stand in facts, for drawings.
    pub(super) fn reach(&self) -> Reach {
        let mut reach = Reach::default();
        for id in self.base.flat.of(RelId::TRUE) {
            let flat = &self.base.flat.relations[id.index()];
            let Some(Shape::Compound(functor, args)) = flat.shapes.first() else { continue };
            let domains = self.base.domains.as_ref().map(|all| &all[id.index()]);
            let known = reach.relation(*functor, args.len());
            let mut column = 0;
            for (known, arg) in known.iter_mut().zip(args) {
                match arg {
                    Shape::Exactly(symbol) => {
                        known.insert(*symbol);
                    }
                    Shape::Constant(node) => {
                        let domain = domains.and_then(|all| all.get(column)?.as_ref());
                        match domain {
                            Some(domain) => known.extend(
                                domain.values().filter_map(|v| self.base.universe.symbol(v)),
                            ),
                            None => known.extend(self.base.flat.shapes.constants(*node).iter()),
                        }
                    }
                    Shape::Anything | Shape::Compound(..) => {}
                }
                column += arg.columns();
            }
        }
        reach
    }
}
