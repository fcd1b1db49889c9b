//! The edges: nodes numbered, and the names and types of labels checked.

use rustc_hash::FxHashMap;
use text::{Diagnostic, Span};

use super::check::Checker;
use super::types::{Members, Ty};
use crate::automaton::{Edge, Expr, Label, Node, NodeId, PLAYER, Place};
use crate::symbols::Symbol;
use crate::syntax::{self, Name};

/// Where expressions are read.
impl Checker<'_> {
    /// Reads all edges. Returns the nodes, and the numbers of the first and the last one; nothing if
    /// there are no such nodes.
    pub(super) fn read_edges(&mut self) -> Option<(Vec<Node>, NodeId, NodeId)> {
        let mut numbers: FxHashMap<Symbol, NodeId> = FxHashMap::default();
        let mut nodes: Vec<Node> = Vec::new();
        for edge in &self.declarations.edges {
            let tested = match &edge.label {
                syntax::Label::Test { from, to, .. } => [Some(from), Some(to)],
                _ => [None, None],
            };
            for name in [&edge.from, &edge.to].into_iter().chain(tested.into_iter().flatten()) {
                numbers.entry(name.symbol).or_insert_with(|| {
                    nodes.push(Node { name: name.symbol, edges: Vec::new() });
                    nodes.len() - 1
                });
            }
        }
        for edge in &self.declarations.edges {
            // A wrong label does not cut the graph.
            let label = if self.report.full() {
                Label::Skip
            } else {
                self.label(edge, &numbers).unwrap_or(Label::Skip)
            };
            let to = numbers[&edge.to.symbol];
            nodes[numbers[&edge.from.symbol]].edges.push(Edge { to, label, span: edge.span });
        }
        let find = |symbol| numbers.get(&symbol).copied();
        let (begin, end) = (find(self.known.begin), find(self.known.end));
        self.check_end(&nodes, begin, end);
        Some((nodes, begin?, end?))
    }

    /// Reports if the end cannot be reached.
    fn check_end(&mut self, nodes: &[Node], begin: Option<NodeId>, end: Option<NodeId>) {
        if !self.declarations.unread.is_empty() {
            return;
        }
        let mut seen = vec![false; nodes.len()];
        let mut stack = Vec::from_iter(begin);
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                stack.extend(nodes[node].edges.iter().map(|edge| edge.to));
            }
        }
        if end.is_some_and(|end| seen[end]) {
            return;
        }
        let (sought, message) = match begin {
            None => (self.known.begin, "no edge leaves node `begin`"),
            Some(_) if end.is_none() => (self.known.end, "no edge leads to node `end`"),
            Some(_) => (self.known.end, "node `end` cannot be reached from `begin`"),
        };
        let first = (self.declarations.edges.iter())
            .find(|edge| edge.from.symbol == self.known.begin)
            .map_or(Span::at(0), |edge| edge.from.span);
        let mut diagnostic = Diagnostic::error("end-cut-off", first, message)
            .label("expected edges from node `begin` to node `end`");
        let last = self.declarations.edges.iter().find(|edge| edge.to.symbol == self.known.end);
        if let Some(edge) = last.filter(|_| begin.is_some()) {
            diagnostic = diagnostic.note(edge.to.span, "the edge that leads to it");
        }
        let names = nodes.iter().map(|node| node.name);
        self.report.push_near(diagnostic, self.symbols, sought, names);
    }

    /// Reads the label of an edge; nothing if it is wrong, which is reported.
    fn label(&mut self, edge: &syntax::Edge, nodes: &FxHashMap<Symbol, NodeId>) -> Option<Label> {
        let tag = matches!(edge.label, syntax::Label::Tag(_) | syntax::Label::TagVariable(_));
        if tag && edge.from.symbol == edge.to.symbol {
            self.report.push(
                Diagnostic::error("tag-loop", edge.span, "a tag on an edge from a node to itself")
                    .label("this makes endless moves")
                    .help("let the edge lead to another node"),
            );
        }
        Some(match &edge.label {
            syntax::Label::Skip => Label::Skip,
            syntax::Label::Assign(target, value) => {
                let (target, wanted) = (self.target(target), self.expr(value));
                let ((target, wanted), (value, found), span) = (target?, wanted?, value.span());
                self.expect(span, "cannot assign", &found, &wanted);
                Label::Assign { target, value }
            }
            syntax::Label::AssignAny(target, ty) => {
                let (target_span, found) = (target.span(), self.target(target));
                let shape = self.shape(ty);
                let (target, wanted) = found?;
                self.assign_any(target, target_span, &wanted, &Ty::of(&shape?), ty.span())?
            }
            syntax::Label::Compare { left, right, equal } => {
                let (span, first, second) = (edge.span, self.expr(left), self.expr(right));
                let ((left, left_ty), (right, right_ty)) = (first?, second?);
                // The members of a set say more than a symbol does.
                if matches!(left_ty.values, Members::One(_)) {
                    self.expect(span, "cannot compare", &left_ty, &right_ty);
                } else {
                    self.expect(span, "cannot compare", &right_ty, &left_ty);
                }
                Label::Compare { left, right, equal: *equal }
            }
            syntax::Label::Test { from, to, negated } => {
                Label::Test { from: nodes[&from.symbol], to: nodes[&to.symbol], negated: *negated }
            }
            syntax::Label::Tag(tag) => Label::Tag(tag.symbol),
            syntax::Label::TagVariable(name) => self.tag_variable(*name)?,
        })
    }

    /// Reports if a value does not fit.
    fn expect(&mut self, span: Span, what: &str, found: &Ty, wanted: &Ty) {
        if !self.fits(found, wanted) {
            self.mismatch(span, what, found, wanted);
        }
    }

    /// Reads the assignment of any member of a set.
    fn assign_any(
        &mut self,
        target: Place,
        target_span: Span,
        wanted: &Ty,
        found: &Ty,
        span: Span,
    ) -> Option<Label> {
        if target.slot == PLAYER {
            self.report.push(
                Diagnostic::error("player-any", target_span, "any value is assigned to `player`")
                    .label("expected an edge for each value, as in `player = white`"),
            );
        }
        let Members::Set(set) = found.values else { return None };
        if !found.keys.is_empty() {
            let message = format!("any value of {}, which is a type of maps", self.show(found));
            self.report.push(
                Diagnostic::error("any-map", span, message)
                    .label("expected a set type")
                    .help("assign the cells of the map one by one"),
            );
            return None;
        }
        let Members::Set(all) = wanted.values else { return None };
        if !wanted.keys.is_empty() {
            self.mismatch(span, "cannot assign", found, wanted);
            return None;
        }
        let members = &self.sets[set].members;
        let foreign = members.iter().copied().find(|&member| !self.sets[all].contains(member));
        if let Some(member) = foreign.filter(|_| set != all) {
            let (found, wanted) = (self.show(found), self.show(wanted));
            let message = format!("not all values of {found} are values of {wanted}");
            let member = self.symbols.name(member);
            self.report.push(
                Diagnostic::error("any-too-large", span, message)
                    .label(format!("expected a type without `{member}`"))
                    .help(format!("write `{{..}}(*)` with the members that {wanted} has")),
            );
        }
        Some(Label::AssignAny { target, set })
    }

    /// Reads the variable whose value is a tag.
    fn tag_variable(&mut self, name: Name) -> Option<Label> {
        let text = self.symbols.name(name.symbol);
        let slot = self.variables.numbers.get(&name.symbol).copied();
        let constant = self.constants.numbers.contains_key(&name.symbol);
        let Some(slot) = slot.filter(|_| !constant) else {
            if constant || !self.unread.contains(&name.symbol) {
                let kind = if constant { "a constant" } else { "no variable" };
                let message = format!("`{text}` is {kind}");
                let diagnostic = Diagnostic::error("unknown-variable", name.span, message)
                    .label("expected a variable; a tag by its own name is `$ tag`");
                let names = self.variables.names.iter().map(|name| name.symbol);
                self.report.push_near(diagnostic, self.symbols, name.symbol, names);
            }
            return None;
        };
        let ty = Self::type_of(&self.variables, slot)?;
        if !ty.keys.is_empty() {
            let message = format!("`{text}` is a map, of type {}", self.show(&ty));
            self.report.push(
                Diagnostic::error("tag-map", name.span, message)
                    .label("expected a variable that holds a symbol")
                    .help("assign the cell of the map to such a variable first"),
            );
            return None;
        }
        Some(Label::TagVariable(slot))
    }

    /// Reads the left side of an assignment.
    fn target(&mut self, expr: &syntax::Expr) -> Option<(Place, Ty)> {
        let (kind, symbol) = match self.expr(expr)? {
            (Expr::Variable(place), ty) => return Some((place, ty)),
            (Expr::Constant(place), _) => ("a constant", self.constants.names[place.slot].symbol),
            (Expr::Symbol(symbol), _) => ("no variable", symbol),
        };
        let message = format!("`{}` is {kind}", self.symbols.name(symbol));
        let diagnostic = Diagnostic::error("not-assignable", expr.span(), message)
            .label("expected a variable, or a cell of one");
        let names = self.variables.names.iter().map(|name| name.symbol);
        self.report.push_near(diagnostic, self.symbols, symbol, names);
        None
    }

    /// Reads an expression; nothing if its type is not known, which has been reported.
    fn expr(&mut self, expr: &syntax::Expr) -> Option<(Expr, Ty)> {
        match expr {
            syntax::Expr::Name(name) => {
                let place = |slot| Place { slot, keys: Vec::new() };
                if let Some(&slot) = self.constants.numbers.get(&name.symbol) {
                    let ty = Self::type_of(&self.constants, slot)?;
                    return Some((Expr::Constant(place(slot)), ty));
                }
                if let Some(&slot) = self.variables.numbers.get(&name.symbol) {
                    let ty = Self::type_of(&self.variables, slot)?;
                    return Some((Expr::Variable(place(slot)), ty));
                }
                let symbol = name.symbol;
                let read = !self.unread.contains(&symbol);
                read.then(|| (Expr::Symbol(symbol), Ty::one(symbol)))
            }
            syntax::Expr::Cast(name, inner) => {
                let (span, wanted, value) = (inner.span(), self.named(*name), self.expr(inner));
                let (wanted, (value, found)) = (Ty::of(&wanted?), value?);
                self.expect(span, "cannot cast", &found, &wanted);
                Some((value, wanted))
            }
            syntax::Expr::Access(map, key) => self.access(map, key),
        }
    }

    /// Reads a part of a map.
    fn access(&mut self, map: &syntax::Expr, key: &syntax::Expr) -> Option<(Expr, Ty)> {
        let (map_span, key_span) = (map.span(), key.span());
        let (map, key) = (self.expr(map), self.expr(key));
        let (mut map, mut ty) = map?;
        if ty.keys.is_empty() {
            let message = format!("{} is no map", self.show(&ty));
            let diagnostic = Diagnostic::error("not-a-map", map_span, message)
                .label("expected a constant or variable that is a map");
            let found = match ty.values {
                Members::One(symbol) => symbol,
                Members::Set(_) => {
                    self.report.push(diagnostic.help("leave the key in brackets out"));
                    return None;
                }
            };
            let names = self.variables.names.iter().chain(&self.constants.names);
            let names = names.map(|name| name.symbol);
            self.report.push_near(diagnostic, self.symbols, found, names);
            return None;
        }
        let wanted = Ty::set(ty.keys.remove(0));
        let (key, found) = key?;
        self.expect(key_span, "cannot use the key", &found, &wanted);
        if let Expr::Variable(place) | Expr::Constant(place) = &mut map {
            place.keys.push(key);
        }
        Some((map, ty))
    }
}
