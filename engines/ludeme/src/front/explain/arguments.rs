//! Differences between the arguments of a call and its nearest reading.

use text::{Note, near_miss};

use super::reading::Reading;
use super::{Explainer, Role};
use crate::front::grammar::{Choice, Ludeme, Signature, Type, TypeId, one_of};
use crate::front::place::Replaced;
use crate::front::tree::{Name, NodeId};

impl Explainer<'_, '_, '_> {
    /// Reports the differences between a call and its nearest reading by a signature.
    pub(super) fn report(
        &mut self,
        id: NodeId,
        signature: &Signature,
        arguments: &[NodeId],
        reading: &Reading,
    ) {
        let tree = self.resolver.tree;
        let mut surplus = None;
        // Labels of slots whose arguments are present under a wrong name.
        let mut meant: Vec<&str> = Vec::new();
        for (index, (&argument, placed)) in arguments.iter().zip(&reading.placed).enumerate() {
            let node = tree.node(argument);
            if let Some((slot, choice)) = *placed {
                let choices = &signature.slots[slot].choices;
                if self.resolver.fits(argument, choices[choice].ty) {
                    continue;
                }
                let types: Vec<TypeId> = choices
                    .iter()
                    .filter(|choice| self.resolver.name_suits(argument, choice))
                    .map(|choice| choice.ty)
                    .collect();
                let which = match &node.name {
                    Some(name) => format!("`{}:`", name.text),
                    None => format!("argument {}", index + 1),
                };
                let role = Role { which, of: signature.name.as_str(), call: Some(id) };
                let before = self.found.len();
                self.value(argument, &types, &role);
                self.show_receiver(id, argument, before);
                if self.found.len() == before {
                    // No part is wrong by itself: the call as a whole does not fit, for an
                    // unforeseen reason.
                    let diagnostic = node
                        .place
                        .error("wrong-argument", format!("{} does not fit here", role.subject()))
                        .help(format!("it is written {}", signature.usage()));
                    self.push(diagnostic);
                }
                continue;
            }
            match &node.name {
                Some(_) => meant.extend(self.misplaced_name(argument, signature, reading)),
                None => surplus = surplus.or(Some((index, argument))),
            }
        }
        for (index, slot) in signature.slots.iter().enumerate() {
            let filled = reading.placed.iter().flatten().any(|&(s, _)| s == index);
            let is_meant = slot.choices.iter().any(|choice| meant.contains(&choice.label.as_str()));
            if !slot.optional && !filled && !is_meant {
                self.missing(id, signature, &slot.choices, surplus.take());
            }
        }
        if let Some((index, argument)) = surplus {
            let (most, found) = (signature.slots.len(), self.describe(argument));
            let message = if arguments.len() > most {
                format!("too many arguments for `{}`", signature.name)
            } else {
                format!("`{}` has no place for this argument", signature.name)
            };
            let label = match most {
                0 => "it takes no arguments".to_owned(),
                _ => format!("argument {} is {found}", index + 1),
            };
            let diagnostic = self
                .place(argument)
                .error("surplus-argument", message)
                .label(label)
                .note(self.place(id).span, "in this call")
                .help(format!("it is written {}", signature.usage()));
            self.push(diagnostic);
        }
    }

    /// Adds the call to the errors about an argument that came to it through a macro, because they
    /// are hard to understand without it.
    pub(super) fn show_receiver(&mut self, call: NodeId, argument: NodeId, from: usize) {
        let (call, argument) = (self.place(call).clone(), self.place(argument).clone());
        if argument.depth() >= call.depth() {
            return;
        }
        for diagnostic in &mut self.found[from..] {
            if diagnostic.span == argument.span {
                diagnostic.notes.push(Note {
                    span: call.span,
                    text: match call.via.as_deref() {
                        Some(via) if via.what == Replaced::LibraryMacro => {
                            format!("the library macro \"{}\" hands it on", via.name)
                        }
                        _ => "it is an argument of this".to_owned(),
                    },
                });
            }
        }
    }

    /// Reports a named argument without a slot in the reading. Returns the label of the slot that
    /// was probably meant.
    fn misplaced_name(
        &mut self,
        argument: NodeId,
        signature: &Signature,
        reading: &Reading,
    ) -> Option<&'static str> {
        let tree = self.resolver.tree;
        let name = tree.node(argument).name.as_ref()?;
        let is_its = |choice: &Choice| choice.named && choice.label.as_str() == &*name.text;
        let Some(slot) = signature.slots.iter().position(|slot| slot.choices.iter().any(is_its))
        else {
            return self.unknown_name(name, signature);
        };
        let text = &name.text;
        let taken = reading.placed.iter().flatten().any(|&(s, _)| s == slot);
        let labels = signature.slots[slot].choices.iter().map(|c| format!("`{}:`", c.label));
        let labels: Vec<String> = labels.collect();
        let diagnostic = if taken && labels.len() > 1 {
            name.place
                .error("excluded-argument", format!("`{text}:` is one too many"))
                .label(format!("only one of {} may be given", one_of(&labels)))
        } else if taken {
            name.place.error("excluded-argument", format!("`{text}:` is given twice"))
        } else {
            name.place
                .error("wrong-order", format!("`{text}:` stands in the wrong place"))
                .label("arguments must come in the order of the signature, named ones too")
                .help(format!("it is written {}", signature.usage()))
        };
        self.push(diagnostic);
        None
    }

    /// Reports a name that no argument has. Returns the same as [`Explainer::misplaced_name`].
    fn unknown_name(&mut self, name: &Name, signature: &Signature) -> Option<&'static str> {
        let text: &str = &name.text;
        let mut names: Vec<&'static str> = signature
            .choices()
            .filter(|choice| choice.named)
            .map(|choice| choice.label.as_str())
            .collect();
        names.dedup();
        let unnamed =
            signature.choices().find(|choice| !choice.named && choice.label.as_str() == text);
        let near = near_miss(text, names.iter().copied());
        let diagnostic = name
            .place
            .error("unknown-argument", format!("`{}` has no argument `{text}:`", signature.name));
        let diagnostic = match near {
            _ if unnamed.is_some() => diagnostic.help(format!("write it without `{text}:`")),
            Some(near) => diagnostic.help(format!("did you mean `{near}:`?")),
            None if names.is_empty() => diagnostic.help("it has no named arguments"),
            None => diagnostic.help(format!("its named arguments are {}", names.join(", "))),
        };
        self.push(diagnostic);
        unnamed.map(|choice| choice.label.as_str()).or(near)
    }

    /// Reports a slot that must be filled and is empty.
    pub(super) fn missing(
        &mut self,
        id: NodeId,
        signature: &Signature,
        choices: &[Choice],
        instead: Option<(usize, NodeId)>,
    ) {
        let grammar = self.resolver.grammar;
        let types: Vec<TypeId> = choices.iter().map(|choice| choice.ty).collect();
        // A part that is a ludeme of its own is recognised by its keyword.
        let part = choices.iter().find_map(|choice| match grammar.ty(choice.ty) {
            Type::Kind(kind) => {
                let mut keywords: Vec<&str> = grammar
                    .ludemes()
                    .map(Ludeme::signature)
                    .filter(|s| s.kind == *kind)
                    .map(|s| s.keyword)
                    .collect();
                keywords.dedup();
                match keywords.as_slice() {
                    [one] => Some(*one),
                    _ => None,
                }
            }
            _ => None,
        });
        let names: Vec<String> =
            choices.iter().filter(|c| c.named).map(|c| format!("`{}:`", c.label)).collect();
        let what = match (part, names.as_slice()) {
            (Some(part), _) => format!("`{part}`"),
            (None, []) => self.wanted(&types),
            (None, names) => {
                let mut names = names.to_vec();
                names.dedup();
                one_of(&names)
            }
        };
        let place = match instead {
            Some((_, argument)) => self.place(argument),
            None => self.place(id),
        };
        let mut diagnostic =
            place.error("missing-argument", format!("`{}` lacks {what}", signature.name));
        if instead.is_some() {
            diagnostic = diagnostic.label("this is something else");
        }
        diagnostic = match part {
            Some(_) => diagnostic.help(self.example(&types)),
            None => diagnostic.help(format!("it is written {}", signature.usage())),
        };
        self.push(diagnostic);
    }
}
