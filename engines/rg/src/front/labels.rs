//! The edges: nodes numbered, and the names and types of labels checked.

use rustc_hash::{FxHashMap, FxHashSet};
use text::{Diagnostic, MAX_DIAGNOSTICS, Span};

use super::check::{Checker, Declared, Slots};
use super::types::{Members, Ty};
use crate::automaton::{Edge, Expr, Label, Node, NodeId, PLAYER, Place, SetId, Slot, VISIBLE};
use crate::symbols::Symbol;
use crate::syntax::{self, Name};

impl Checker<'_> {
    /// Reads all edges. Returns the nodes, and the numbers of `begin` and `end`; nothing if there
    /// are no such nodes.
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
            let label = if self.full() { None } else { self.label(edge, &numbers) };
            let label = label.unwrap_or(Label::Skip);
            let to = numbers[&edge.to.symbol];
            nodes[numbers[&edge.from.symbol]].edges.push(Edge { to, label, span: edge.span });
        }
        let find = |symbol| numbers.get(&symbol).copied();
        let (begin, end) = (find(self.built_in.begin), find(self.built_in.end));
        self.check_end(&nodes, begin, end);
        Some((nodes, begin?, end?))
    }

    /// Reports if the end cannot be reached.
    fn check_end(&mut self, nodes: &[Node], begin: Option<NodeId>, end: Option<NodeId>) {
        if self.declarations.unread.contains(&None) {
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
        let (sought, message) = match (begin, end) {
            (None, _) => ("begin", "there is no node `begin`"),
            (_, None) => ("end", "there is no node `end`"),
            _ => ("", "node `end` cannot be reached from `begin`"),
        };
        let begin = self.built_in.begin;
        let first = self.declarations.edges.iter().find(|edge| edge.from.symbol == begin);
        let span = first.map_or(Span::at(0), |edge| edge.from.span);
        let diagnostic = Diagnostic::error("end-cut-off", span, message)
            .label("expected edges that lead from node `begin` to node `end`");
        let names = nodes.iter().filter(|_| !sought.is_empty());
        let names = names.map(|node| self.symbols.name(node.name));
        self.report(self.near(diagnostic, sought, names));
    }

    /// Reads the label of an edge; nothing if it is wrong, which is reported.
    fn label(&mut self, edge: &syntax::Edge, nodes: &FxHashMap<Symbol, NodeId>) -> Option<Label> {
        let tag = matches!(edge.label, syntax::Label::Tag(_) | syntax::Label::TagVariable(_));
        if tag && edge.from.symbol == edge.to.symbol {
            let message = "a tag on an edge from a node to itself makes endless moves";
            self.error("tag-loop", edge.span, message, "expected an edge to another node");
        }
        Some(match &edge.label {
            syntax::Label::Skip => Label::Skip,
            syntax::Label::Assign(target, value) => {
                let (span, target, value) = (value.span(), self.target(target), self.expr(value));
                let ((target, wanted), (value, found)) = (target?, value?);
                self.expect(span, &found, &wanted);
                self.warn_of_hidden(&value, span, &wanted);
                Label::Assign { target, value }
            }
            syntax::Label::AssignAny(target, ty) => {
                let (span, target, shape) = (target.span(), self.target(target), self.shape(ty));
                let (target, wanted) = target?;
                if target.slot == PLAYER {
                    let label = "expected an edge for each value, as in `player = white`";
                    self.error("player-any", span, "any value is assigned to `player`", label);
                }
                let set = self.any(&Ty::of(&shape?), &wanted, ty.span())?;
                Label::AssignAny { target, set }
            }
            syntax::Label::Compare { left, right, equal } => {
                let (left_span, right_span) = (left.span(), right.span());
                let (left, right) = (self.expr(left), self.expr(right));
                let ((left, left_ty), (right, right_ty)) = (left?, right?);
                // The members of a set say more than a symbol does.
                let swap = matches!(right_ty.values, Members::One(_));
                let (found, wanted) =
                    if swap { (&right_ty, &left_ty) } else { (&left_ty, &right_ty) };
                self.expect(edge.span, found, wanted);
                self.warn_of_hidden(&left, left_span, &right_ty);
                self.warn_of_hidden(&right, right_span, &left_ty);
                Label::Compare { left, right, equal: *equal }
            }
            syntax::Label::Test { from, to, negated } => {
                let (from, to) = (nodes[&from.symbol], nodes[&to.symbol]);
                Label::Test { from, to, negated: *negated }
            }
            syntax::Label::Tag(tag) => Label::Tag(self.value(*tag)),
            syntax::Label::TagVariable(name) => self.tag_variable(*name)?,
        })
    }

    /// Warns of a variable or constant that stands where a symbol of its name could be meant.
    fn warn_of_hidden(&mut self, found: &Expr, span: Span, wanted: &Ty) {
        let (declared, kind) = match found {
            Expr::Variable(place) if place.keys.is_empty() => {
                (self.variables.all[place.slot].name, "variable")
            }
            Expr::Constant(place) if place.keys.is_empty() => {
                (self.constants.all[place.slot].name, "constant")
            }
            _ => return,
        };
        let Members::Set(set) = wanted.values else { return };
        let text = self.name(declared);
        let symbol = self.values.get(text).filter(|symbol| self.sets[set].contains(*symbol));
        if symbol.is_none() || !wanted.keys.is_empty() || self.hiding.contains(&declared.symbol) {
            return;
        }
        let message = format!("`{text}` is the {kind} here, and hides the symbol of its name");
        let diagnostic = Diagnostic::warning("hidden-symbol", span, message)
            .label(format!("the value of the {kind}"))
            .note(declared.span, format!("the {kind}"))
            .help(format!("rename the {kind}, so that `{text}` means the symbol"));
        self.hiding.insert(declared.symbol);
        self.report(diagnostic);
    }

    /// Warns of variables that nothing reads. Maps whose cells are written are drawn.
    pub(super) fn warn_of_unread(&mut self, nodes: &[Node]) {
        let mut read = vec![false; self.variables.all.len()];
        for edge in nodes.iter().flat_map(|node| &node.edges) {
            edge.label.each_read(&mut |slot| read[slot] = true);
            if let Label::Assign { target, .. } | Label::AssignAny { target, .. } = &edge.label {
                read[target.slot] |= !target.keys.is_empty();
            }
        }
        let internal: FxHashSet<Symbol> = self.declarations.internal.iter().copied().collect();
        let all = self.variables.all.iter().map(|variable| variable.name).zip(read);
        let unread: Vec<Name> = all
            .skip(VISIBLE + 1)
            .filter(|(name, is_read)| !is_read && !internal.contains(&name.symbol))
            .map(|variable| variable.0)
            .collect();
        for name in unread {
            let message = format!("the variable `{}` is never read", self.name(name));
            let diagnostic = Diagnostic::warning("unread", name.span, message)
                .label("expected a condition, a value, a key or a tag that reads it")
                .help(
                    "delete it with its assignments, or add what was meant, such as `$$` for a tag",
                );
            self.report(diagnostic);
        }
    }

    /// Warns of tags that are named like a variable, and like no symbol of a set, if the variable
    /// holds what was chosen and no tag has its value.
    pub(super) fn warn_of_tags(&mut self, nodes: &[Node]) {
        let edges = || nodes.iter().flat_map(|node| &node.edges);
        let mut silent = vec![false; self.variables.all.len()];
        for edge in edges() {
            if let Label::AssignAny { target, .. } = &edge.label {
                silent[target.slot] |= target.keys.is_empty();
            }
        }
        for edge in edges() {
            if let Label::TagVariable(slot) = edge.label {
                silent[slot] = false;
            }
        }
        let named = |(variable, is_silent): (&Declared, bool)| {
            self.values.get(self.name(variable.name)).filter(|_| is_silent)
        };
        let all = self.variables.all.iter().zip(silent).filter_map(named).take(MAX_DIAGNOSTICS);
        let mut names: FxHashSet<Symbol> = all.collect();
        names.retain(|name| !self.sets.iter().any(|set| set.contains(*name)));
        for edge in edges() {
            let Label::Tag(tag) = edge.label else { continue };
            if !names.contains(&tag) {
                continue;
            }
            let text = self.values.name(tag).to_owned();
            let message = format!("this tag is the word `{text}`, whatever `{text}` holds");
            let diagnostic = Diagnostic::warning("tag-name", edge.span, message)
                .label("expected a word that is no variable")
                .help(format!("write `$$ {text}` for the value of the variable"));
            self.report(diagnostic);
        }
    }

    /// The set whose members are assigned, by its type; nothing if it is no set, which is reported.
    fn any(&mut self, found: &Ty, wanted: &Ty, span: Span) -> Option<SetId> {
        let Members::Set(set) = found.values else { return None };
        if !found.keys.is_empty() {
            let message = format!("{} is a type of maps", self.show(found));
            self.error("any-map", span, message, "expected a set type; assign cells one by one");
            return None;
        }
        let all = match wanted.values {
            Members::Set(all) if wanted.keys.is_empty() => all,
            _ => {
                self.expect(span, found, wanted);
                return None;
            }
        };
        let members = &self.sets[set].members;
        let foreign = members.iter().copied().find(|&member| !self.sets[all].contains(member));
        if let Some(member) = foreign {
            let member = self.values.name(member);
            let message = format!("`{member}` is no value of {}", self.show(wanted));
            let label = format!("expected a type without `{member}`, or the members in braces");
            self.error("any-too-large", span, message, label);
        }
        Some(set)
    }

    /// Reads the variable whose value is a tag.
    fn tag_variable(&mut self, name: Name) -> Option<Label> {
        let (found, ty) = self.expr(&syntax::Expr::Name(name))?;
        let text = self.symbols.name(name.symbol);
        let Expr::Variable(Place { slot, .. }) = found else {
            let message = format!("`{text}` is no variable");
            let diagnostic = Diagnostic::error("not-a-variable", name.span, message)
                .label(format!("expected a variable; `{text}` itself is the tag in `$ {text}`"));
            self.report(self.near(diagnostic, text, self.names(false)));
            return None;
        };
        if !ty.keys.is_empty() {
            let message = format!("`{text}` is a map, of type {}", self.show(&ty));
            let label = "expected a variable that holds a symbol; assign the cell to one";
            self.error("tag-map", name.span, message, label);
        }
        Some(Label::TagVariable(slot))
    }

    /// Reads the left side of an assignment.
    fn target(&mut self, expr: &syntax::Expr) -> Option<(Place, Ty)> {
        let (kind, text) = match self.expr(expr)? {
            (Expr::Variable(place), ty) => return Some((place, ty)),
            (Expr::Constant(Place { slot, .. }), _) => {
                ("a constant", self.name(self.constants.all[slot].name))
            }
            (Expr::Symbol(symbol), _) => ("no variable", self.values.name(symbol)),
        };
        let message = format!("`{text}` is {kind}");
        let diagnostic = Diagnostic::error("not-a-variable", expr.span(), message)
            .label("expected a variable, or a cell of one");
        self.report(self.near(diagnostic, text, self.names(false)));
        None
    }

    /// Reads an expression; nothing if its type is not known, which has been reported.
    fn expr(&mut self, expr: &syntax::Expr) -> Option<(Expr, Ty)> {
        match expr {
            syntax::Expr::Name(name) => {
                let ty = |slots: &Slots, slot: Slot| slots.all[slot].shape.as_ref().map(Ty::of);
                let place = |slot| Place { slot, keys: Vec::new() };
                if let Some(&slot) = self.constants.numbers.get(&name.symbol) {
                    Some((Expr::Constant(place(slot)), ty(&self.constants, slot)?))
                } else if let Some(&slot) = self.variables.numbers.get(&name.symbol) {
                    Some((Expr::Variable(place(slot)), ty(&self.variables, slot)?))
                } else {
                    let symbol = self.value(*name);
                    let read = !self.unread.contains(&name.symbol);
                    read.then_some((Expr::Symbol(symbol), Ty::one(symbol)))
                }
            }
            syntax::Expr::Cast(name, inner) => {
                let (span, wanted, value) = (inner.span(), self.named(*name), self.expr(inner));
                let (wanted, (value, found)) = (Ty::of(&wanted?), value?);
                self.expect(span, &found, &wanted);
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
            let mut diagnostic = Diagnostic::error("not-a-map", map_span, message)
                .label("expected a map before the key in brackets");
            if let Members::One(symbol) = ty.values {
                diagnostic = self.near(diagnostic, self.values.name(symbol), self.names(true));
            }
            self.report(diagnostic);
            return None;
        }
        let wanted = Ty::set(ty.keys.remove(0));
        let (key, found) = key?;
        self.expect(key_span, &found, &wanted);
        self.warn_of_hidden(&key, key_span, &wanted);
        if let Expr::Variable(place) | Expr::Constant(place) = &mut map {
            place.keys.push(key);
        }
        Some((map, ty))
    }
}
