//! Random values of a language, by reflection.

use object_core::object::{Choice, FieldChecks, FieldInfo, FieldRole, NumberRange, SEqHashKind, TypeInfo, TypeSchema};
use object_core::{Any, Array, Map, ObjectBuilder, Str, registry};

/// The names that variables get; few, so that many variables have the same one. Two of them need backquotes.
const NAMES: [&str; 6] = ["x", "y", "x_1", "let", "in out", "inf"];

/// A source of random values.
pub(crate) struct Random {
    state: u64,
    /// The variables in scope.
    scope: Vec<Any>,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, scope: Vec::new() }
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % count
    }

    /// A value of the type `schema`, at most about `depth` levels deep.
    pub(crate) fn value(&mut self, schema: &TypeSchema, depth: usize, defines: bool) -> Any {
        if let Some(it) = schema.enumeration {
            return Any::Int(it.variants[self.below(it.variants.len())].1);
        }
        match schema.name {
            "Any" => self.plain(),
            "bool" => Any::Bool(self.below(2) == 0),
            "int" => Any::Int(self.below(5) as i64 - 2),
            "float" => Any::Float([0.5, -1.0, 1e300, f64::INFINITY, f64::NEG_INFINITY, 2.0][self.below(6)]),
            "ffi.String" => Str::from(NAMES[self.below(NAMES.len())]).into(),
            "Optional" if self.below(2) == 0 => Any::None,
            "Optional" => self.value(&schema.args[0], depth, defines),
            "ffi.Array" => {
                let count = if depth == 0 { 0 } else { self.below(4) };
                Array::from_anys((0..count).map(|_| self.value(&schema.args[0], depth - 1, defines)).collect()).into()
            }
            "ffi.Map" => {
                let count = if depth == 0 { 0 } else { self.below(3) };
                let entries = (0..count).map(|index| {
                    let key = Str::from(NAMES[index]);
                    (Any::from(key), self.value(&schema.args[1], depth - 1, defines))
                });
                Map::<Any, Any>::new(entries.collect::<Vec<_>>()).into()
            }
            key => self.object(registry::type_info(key).unwrap(), depth, defines),
        }
    }

    /// A value of a field that its words allow.
    fn allowed_value(&mut self, field: &FieldInfo, depth: usize, defines: bool) -> Any {
        if let Some(&FieldChecks { range, one_of, .. }) = field.meta().checks {
            match range {
                Some(NumberRange::Int(range)) => return Any::Int(range.start.max(0) + self.below(5) as i64),
                _ if one_of.is_empty() => {}
                _ => match one_of[self.below(one_of.len())] {
                    Choice::Int(value) => return Any::Int(value),
                    Choice::Float(value) => return Any::Float(value),
                    Choice::Text(text) => return Str::from(text).into(),
                },
            }
        }
        // A list is long enough after some tries, if it may have elements.
        (0..)
            .map(|more| self.value(&field.schema(), depth + more, defines))
            .find(|it| field.check(it.view()).is_ok())
            .unwrap()
    }

    fn plain(&mut self) -> Any {
        match self.below(5) {
            0 => Any::Int(-3),
            1 => Any::Bool(true),
            2 => Array::from_anys(vec![Any::None, Any::Float(1.5)]).into(),
            3 => Str::from("a \"b\"\n").into(),
            _ => Any::DataType("int8".parse().unwrap()),
        }
    }

    fn object(&mut self, base: &'static TypeInfo, depth: usize, defines: bool) -> Any {
        let members = registry::types().unwrap();
        let members = members.into_iter().filter(|it| it.is_or_extends(base) && !it.is_abstract());
        let is_variable = |it: &&TypeInfo| it.kind() == SEqHashKind::FreeVar;
        let (variables, others): (Vec<_>, Vec<_>) = members.partition(is_variable);
        if let Some(variable) = variables.first() {
            if defines {
                let made = self.build(variable, depth);
                self.scope.push(made.clone());
                return made;
            }
            if !self.scope.is_empty() && (others.is_empty() || self.below(3) == 0) {
                let index = self.below(self.scope.len());
                return self.scope[index].clone();
            }
        }
        // Without a variable in scope, a place for variables alone cannot be filled.
        assert!(!others.is_empty(), "nothing is in scope for `{}`", base.type_key());
        let is_leaf = |it: &&&TypeInfo| {
            it.fields()
                .iter()
                .all(|field| !field.schema().to_string().contains('.') || field.schema().name == "ffi.String")
        };
        let leaves: Vec<_> = others.iter().filter(is_leaf).copied().collect();
        let among = if depth == 0 && !leaves.is_empty() { leaves } else { others };
        let info = among[self.below(among.len())];
        self.build(info, depth.saturating_sub(1))
    }

    fn build(&mut self, info: &'static TypeInfo, depth: usize) -> Any {
        let mark = self.scope.len();
        let mut builder = ObjectBuilder::new(info).unwrap();
        for field in info.fields() {
            let needs_variable = field.meta().role == FieldRole::Content
                && registry::type_info(field.schema().name).is_ok_and(|it| it.kind() == SEqHashKind::FreeVar);
            if needs_variable && self.scope.is_empty() {
                // Another type of the same place has no variable.
                let others = registry::types().unwrap();
                let other = others.into_iter().find(|it| {
                    it.parent().is_some_and(|parent| Some(parent.type_key()) == info.parent().map(TypeInfo::type_key))
                        && it.type_key() != info.type_key()
                        && it.type_key() != "hardware.Connect"
                        && it.kind() != SEqHashKind::FreeVar
                });
                return self.build(other.unwrap(), depth);
            }
            let defines = matches!(field.meta().role, FieldRole::Def | FieldRole::DefSimple);
            let value = self.allowed_value(field, depth, defines);
            builder.set(field.name(), value).unwrap();
        }
        for group in info.same_len() {
            let count = self.below(3);
            for field in group {
                let element = field.schema().args[0].clone();
                let elements = (0..count).map(|_| self.value(&element, depth, false)).collect();
                builder.set(field.name(), Array::<Any>::from_anys(elements)).unwrap();
            }
        }
        if info.is_scope() {
            self.scope.truncate(mark);
        }
        builder.build().unwrap().into()
    }
}
