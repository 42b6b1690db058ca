//! [`Hierarchy`]: which types extend which, in linear time and memory.

/// The ancestors and the descendants of types.
#[derive(Debug)]
pub(crate) struct Hierarchy {
    parents: Vec<Option<usize>>,
    /// The nearest ancestor with fields, so that a long chain of types without fields costs one step.
    bearers: Vec<Option<usize>>,
    /// The place of each type in an order in which the descendants of a type follow it without a gap.
    places: Vec<usize>,
    descendants: Vec<usize>,
}

impl Hierarchy {
    /// The hierarchy of types with these parents. `has_fields` says which types have fields of their own.
    ///
    /// # Errors
    /// The first type that extends itself through its ancestors, or that extends such a type.
    pub(crate) fn new(parents: Vec<Option<usize>>, has_fields: impl Fn(usize) -> bool) -> Result<Self, usize> {
        let count = parents.len();
        let mut children = vec![Vec::new(); count];
        let (mut order, mut open) = (Vec::with_capacity(count), Vec::new());
        for (index, parent) in parents.iter().enumerate().rev() {
            match parent {
                Some(parent) => children[*parent].push(index),
                None => open.push(index),
            }
        }
        let (mut bearers, mut places) = (vec![None; count], vec![usize::MAX; count]);
        while let Some(index) = open.pop() {
            places[index] = order.len();
            order.push(index);
            let bearer = if has_fields(index) { Some(index) } else { bearers[index] };
            children[index].iter().for_each(|child| bearers[*child] = bearer);
            open.append(&mut children[index]);
        }
        if let Some(index) = places.iter().position(|place| *place == usize::MAX) {
            return Err(index);
        }
        let mut descendants = vec![0; count];
        for index in order.into_iter().rev() {
            if let Some(parent) = parents[index] {
                descendants[parent] += 1 + descendants[index];
            }
        }
        Ok(Hierarchy { parents, bearers, places, descendants })
    }

    /// The type that a type extends.
    pub(crate) fn parent(&self, index: usize) -> Option<usize> {
        self.parents[index]
    }

    /// The ancestors of a type, the nearest first.
    pub(crate) fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parents[index], |at| self.parents[*at])
    }

    /// The ancestors of a type with fields of their own, the nearest first.
    pub(crate) fn bearers(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.bearers[index], |at| self.bearers[*at])
    }

    /// The number of types that extend a type, directly or through others.
    pub(crate) fn descendants(&self, index: usize) -> usize {
        self.descendants[index]
    }

    /// Whether `index` is `base`, or extends it.
    pub(crate) fn is_within(&self, index: usize, base: usize) -> bool {
        (self.places[base]..=self.places[base] + self.descendants[base]).contains(&self.places[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_walks_over_the_parents() {
        // 2 and 4 extend 3; 0 extends 2; 5 and 1 stand alone.
        let parents = vec![Some(2), None, Some(3), None, Some(3), None];
        let types = Hierarchy::new(parents.clone(), |index| index != 2).expect("no circle");
        for index in 0..parents.len() {
            let ancestors: Vec<usize> = std::iter::successors(parents[index], |at| parents[*at]).collect();
            assert_eq!(types.ancestors(index).collect::<Vec<_>>(), ancestors);
            let bearers: Vec<usize> = ancestors.iter().copied().filter(|at| *at != 2).collect();
            assert_eq!(types.bearers(index).collect::<Vec<_>>(), bearers);
            let extends = |of: usize| std::iter::successors(parents[of], |at| parents[*at]).any(|at| at == index);
            assert_eq!(types.descendants(index), (0..parents.len()).filter(|of| extends(*of)).count());
            for of in 0..parents.len() {
                assert_eq!(types.is_within(of, index), of == index || extends(of), "{of} in {index}");
            }
        }
    }

    #[test]
    fn circles_are_errors() {
        let error = |parents: Vec<Option<usize>>| Hierarchy::new(parents, |_| true).err();
        assert_eq!(error(vec![None, Some(1)]), Some(1));
        assert_eq!(error(vec![Some(2), None, Some(3), Some(2)]), Some(0), "it extends a circle");
    }
}
