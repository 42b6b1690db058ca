//! The steps of the text of a type: fields, parts and lists.

use object_core::object::FieldRole;
use object_core::{AnyView, Result};
use object_format::{FieldForm, Gap, is_word};
use pretty::DocAllocator;

use super::absent::{is_absent, is_absent_step, is_default, no_text};
use super::{Element, Place, Printing, Shown};
use crate::comments::Around;
use crate::kind::{Kind, array_of, map_of};
use crate::layout::{Layout, Space, spread};
use crate::production::{List, Named, Slot, Step};

impl<'a, 'v> Printing<'a, 'v> {
    pub(super) fn steps(
        &mut self,
        steps: &'a [Step],
        shown: Shown<'a, 'v>,
        layout: &mut Layout<'a>,
        mut breaks: bool,
    ) -> Result<()> {
        let Shown { object, production, .. } = shown;
        let mut index = 0;
        while let Some(step) = steps.get(index) {
            index += 1;
            match step {
                // The space before a part that is absent belongs to the part, and so does the line break after its line.
                Step::Gap(gap) if steps.get(index).is_some_and(|next| is_absent_step(next, object, production)) => {
                    index += 1;
                    if let (Gap::Line(_), Some(Step::Gap(Gap::Line(_)))) = (gap, steps.get(index)) {
                        index += 1;
                    }
                }
                Step::Gap(Gap::Space) if std::mem::replace(&mut breaks, false) => self.space(layout, Space::Soft),
                Step::Gap(gap) => self.space(layout, (*gap).into()),
                Step::Literal(id) => {
                    let literal = self.literal(*id);
                    layout.piece(literal);
                }
                Step::Field(slot) => self.field(slot, shown, layout)?,
                Step::Named(named) => self.named(named, shown, layout)?,
                Step::Optional { steps, field, .. } => {
                    if !is_absent(&production.info.fields()[*field], object) {
                        self.steps(steps, shown, layout, false)?;
                    }
                }
                Step::List(list) => {
                    let is_sign = |step: Option<&Step>| matches!(step, Some(Step::Literal(id)) if !is_word(self.grammar.literals.text(*id)));
                    let in_brackets =
                        is_sign(index.checked_sub(2).and_then(|before| steps.get(before))) && is_sign(steps.get(index));
                    self.list(list, shown, layout, in_brackets)?;
                }
            }
        }
        Ok(())
    }

    /// The comments at the next element of `list`.
    fn around(&mut self, list: &List) -> Around {
        if !matches!(list.gap, Some(Gap::Line(_))) {
            return Around::default();
        }
        self.elements_before += 1;
        let elements = self.comments.as_mut().and_then(|comments| comments.elements.get_mut(self.elements_before - 1));
        elements.map(std::mem::take).unwrap_or_default()
    }

    fn comments_before(&mut self, around: &Around, index: usize, items: &mut Layout<'a>) {
        if around.is_apart && index > 0 {
            items.blank_line();
        }
        for comment in &around.before {
            items.piece(self.arena.text(comment.clone()));
            self.space(items, Space::Line(items.depth()));
        }
    }

    fn comments_after(&mut self, around: &Around, items: &mut Layout<'a>) {
        for comment in &around.beside {
            items.piece(self.arena.text(format!(" {comment}")));
        }
        for comment in &around.after {
            self.space(items, Space::Line(items.depth()));
            items.piece(self.arena.text(comment.clone()));
        }
    }

    fn field(&mut self, slot: &'a Slot, shown: Shown<'a, 'v>, layout: &mut Layout<'a>) -> Result<()> {
        let Shown { object, defines, path, .. } = shown;
        if slot.form == FieldForm::Flag {
            return Ok(());
        }
        let defines = match slot.role {
            FieldRole::Def | FieldRole::DefSimple => true,
            FieldRole::Content => defines,
            FieldRole::Ignore => false,
        };
        let place = Place { least: slot.least, is_left: slot.is_left, defines };
        let info = &object.type_info().fields()[slot.field];
        let is_name = self
            .grammar
            .production(object.type_info())
            .is_some_and(|it| it.is_variable() && it.name_field == Some(slot.field));
        let piece = match self.elements.last().copied() {
            _ if is_name => {
                let name = self.variable_name(object);
                self.name(&name).annotate(self.paths.field(path, info.name()))
            }
            Some(Element::Item(index, item)) if slot.is_element => {
                let array = self.paths.field(path, info.name());
                let path = self.paths.item(array, index);
                self.value(&slot.kind, item, place, path)?
            }
            Some(Element::Entry(key, value)) if slot.is_element => {
                let Kind::Entry(kinds) = &slot.kind else { return Err(no_text(value)) };
                let path = self.paths.field(path, info.name());
                self.entry(kinds, key, value, defines, path)?
            }
            _ => {
                let value = info.get(object).unwrap_or(AnyView::None);
                let path = self.paths.field(path, info.name());
                self.value(&slot.kind, value, place, path)?
            }
        };
        layout.piece(piece);
        Ok(())
    }

    fn named(&mut self, named: &'a Named, shown: Shown<'a, 'v>, layout: &mut Layout<'a>) -> Result<()> {
        let object = shown.object;
        let fields = object.type_info().fields();
        let given: Vec<_> =
            named.slots.iter().zip(&named.names).filter(|(slot, _)| !is_default(&fields[slot.field], object)).collect();
        if given.is_empty() && !named.is_required {
            return Ok(());
        }
        let open = self.literal(named.open);
        let unit = self.enter();
        let mut list = Layout::new(self.arena, 0, unit);
        for (index, (slot, name)) in given.into_iter().enumerate() {
            if index > 0 {
                let comma = self.literal(named.comma);
                list.piece(comma);
                self.space(&mut list, Space::Soft);
            }
            let name = self.literal(*name);
            list.piece(name);
            for piece in 0..2 {
                if named.is_spaced {
                    self.space(&mut list, Space::Hard);
                }
                if piece == 0 {
                    let equals = self.literal(named.equals);
                    list.piece(equals);
                }
            }
            self.field(slot, shown, &mut list)?;
        }
        let fields = spread(self.arena, list.finish(), unit);
        self.indent -= unit;
        layout.piece(open.append(fields).append(self.literal(named.close)).group());
        Ok(())
    }

    fn list(&mut self, list: &'a List, shown: Shown<'a, 'v>, layout: &mut Layout<'a>, in_brackets: bool) -> Result<()> {
        let Shown { object, production, .. } = shown;
        let value = production.info.fields()[list.field].get(object).unwrap_or(AnyView::None);
        let elements: Vec<Element<'v>> = match (array_of(value), map_of(value)) {
            (Some(items), _) => items.iter().enumerate().map(|(index, item)| Element::Item(index, item)).collect(),
            (_, Some(entries)) => entries.iter().map(|(key, value)| Element::Entry(key, value)).collect(),
            _ => Vec::new(),
        };
        if elements.is_empty() {
            return Ok(());
        }
        let base = match layout.pending_depth() {
            Some(depth) => depth,
            None => layout.depth(),
        };
        let unit = self.enter();
        let mut items = Layout::new(self.arena, base, unit);
        let count = elements.len();
        for (index, element) in elements.into_iter().enumerate() {
            if index > 0 {
                match list.gap {
                    Some(Gap::Space) => self.space(&mut items, Space::Soft),
                    Some(gap) => self.space(&mut items, gap.into()),
                    None => {}
                }
            }
            let around = self.around(list);
            self.comments_before(&around, index, &mut items);
            self.elements.push(element);
            let result = self.steps(&list.steps, shown, &mut items, false);
            self.elements.pop();
            result?;
            let is_last = index + 1 == count;
            // The separator belongs to the line of its element.
            if let Some(separator) = list.separator.filter(|_| !is_last) {
                let separator = self.literal(separator);
                items.piece(separator);
            }
            self.comments_after(&around, &mut items);
        }
        let items = items.finish();
        self.indent -= unit;
        let items = match list.gap {
            Some(Gap::Space) if in_brackets => spread(self.arena, items, unit).group(),
            Some(Gap::Space) => items.nest(unit).group(),
            _ => items,
        };
        layout.piece(items);
        Ok(())
    }
}
