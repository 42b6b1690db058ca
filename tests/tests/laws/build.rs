//! [`Builder`]: builds objects from a recipe, in one of many ways that must not change any result.

use std::collections::HashMap;

use object_core::Tensor;
use object_core::prelude::*;

use crate::recipe::{Make, Part, Recipe, WORLD};
use crate::rng::Rng;
use crate::typed::typed;
use crate::types::*;

/// Objects that all graphs of a trial share: variables, `dag` nodes and trees.
pub(crate) struct World {
    pub(crate) objects: Vec<Any>,
}

impl World {
    /// A world whose objects have addresses in a random order.
    pub(crate) fn new(rng: &mut Rng) -> Self {
        let mut world = World { objects: vec![Any::None; WORLD] };
        // Objects with an index of at least 9 contain earlier ones.
        for range in [0..9, 9..WORLD] {
            let mut places: Vec<usize> = range.collect();
            rng.shuffle(&mut places);
            for place in places {
                world.objects[place] = world.make(place);
            }
        }
        world
    }

    fn make(&self, place: usize) -> Any {
        let of = |place: usize| self.objects[place].clone();
        match place {
            0..3 => Var::new(format!("w{place}")).into(),
            3 => TypedVar::new("w3", Some(Imm::new(1).into())).into(),
            4 => TypedVar::new("w4", Some(Imm::new(2).into())).into(),
            5 | 6 => Dag::new(Any::Int(place as i64)).into(),
            7 => Imm::new(1).into(),
            8 => Add::new(Imm::new(1), Any::None, Imm::new(0)).into(),
            9 => Add::new(expr(of(0)), Any::None, Imm::new(1)).into(),
            10 => Dag::new(of(1)).into(),
            11 => BadConst::new(of(0)).into(),
            12 => BadConst::new(of(5)).into(),
            _ => Const::new([0, 1], []).into(),
        }
    }
}

/// Choices of how to build a graph. Structural equality must not depend on them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Manner {
    /// Builds parts depth first from the root, the last argument first, instead of in their order.
    pub(crate) from_root: bool,
    /// The percentage of further uses of a tree that build a new copy.
    pub(crate) split: usize,
    /// Builds equal trees as one object.
    pub(crate) merge: bool,
    /// Inserts the entries of maps in a random order.
    pub(crate) permute: bool,
    /// Allocates and releases other objects between the objects of the graph.
    pub(crate) garbage: bool,
    /// Builds two objects of each tree with an even or with an odd index, which are used in turn.
    pub(crate) twins: Option<Parity>,
}

/// Which of the parts a [`Manner`] concerns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parity {
    Even,
    Odd,
}

impl Manner {
    /// A random manner.
    pub(crate) fn draw(rng: &mut Rng) -> Self {
        Manner {
            from_root: rng.chance(50),
            split: if rng.chance(50) { 50 } else { 0 },
            merge: rng.chance(30),
            permute: rng.chance(70),
            garbage: rng.chance(50),
            twins: rng.pick(&[None, None, Some(Parity::Even), Some(Parity::Odd)]).flatten(),
        }
    }
}

pub(crate) struct Builder<'a> {
    recipe: &'a Recipe,
    world: &'a World,
    manner: Manner,
    rng: Rng,
    keys: Vec<bool>,
    built: Vec<Option<Any>>,
    /// The second objects of parts that have two.
    twins: Vec<Option<Any>>,
    merged: HashMap<(Make, u8, Vec<usize>), usize>,
    /// The object of each set of equal parts.
    same_as: Vec<usize>,
    garbage: Vec<Any>,
}

/// Builds the graph of a recipe.
pub(crate) fn build(recipe: &Recipe, world: &World, manner: Manner, rng: &mut Rng) -> Any {
    let rng = Rng(rng.next());
    let count = recipe.parts.len();
    let mut builder = Builder {
        recipe,
        world,
        manner,
        rng,
        keys: recipe.keys(),
        built: vec![None; count],
        twins: vec![None; count],
        merged: HashMap::new(),
        same_as: Vec::new(),
        garbage: Vec::new(),
    };
    builder.run()
}

pub(crate) fn expr(value: Any) -> Expr {
    match value.clone().cast::<Expr>() {
        Ok(expr) => expr,
        Err(_) => Box::new(value).into(),
    }
}

fn exprs(values: &[Any]) -> Array<Expr> {
    values.iter().cloned().map(expr).collect()
}

impl Builder<'_> {
    fn run(&mut self) -> Any {
        let Some(root) = self.recipe.parts.len().checked_sub(1) else { return Any::None };
        for (place, part) in self.recipe.parts.iter().enumerate() {
            let mut same = place;
            if self.manner.merge && part.make.is_shared_invisibly() && !self.keys[place] {
                let args = part.args.iter().map(|arg| self.same_as[*arg]).collect();
                same = *self.merged.entry((part.make, part.n, args)).or_insert(place);
            }
            self.same_as.push(same);
        }
        if !self.manner.from_root {
            for place in 0..root {
                self.build_part(place);
            }
        }
        self.build_part(root)
    }

    fn build_part(&mut self, place: usize) -> Any {
        let place = self.same_as[place];
        if let Some(built) = &self.built[place] {
            return built.clone();
        }
        let value = self.make_again(place);
        self.built[place] = Some(value.clone());
        value
    }

    /// The value of an argument: the part, or a copy that no operation distinguishes from it.
    fn use_part(&mut self, place: usize) -> Any {
        let splits = self.recipe.parts[place].make.is_shared_invisibly() && !self.keys[place];
        if splits && self.manner.split > 0 && self.rng.chance(self.manner.split) {
            return self.make_again(place);
        }
        let parity = if place.is_multiple_of(2) { Parity::Even } else { Parity::Odd };
        if splits && self.manner.twins == Some(parity) {
            let (this, other) = match self.twins[place].take() {
                Some(twin) => (twin, self.build_part(place)),
                None => (self.build_part(place), self.make_again(place)),
            };
            self.built[place] = Some(this.clone());
            self.twins[place] = Some(other);
            return this;
        }
        self.build_part(place)
    }

    fn make_again(&mut self, place: usize) -> Any {
        let recipe = self.recipe;
        let part = &recipe.parts[place];
        let mut args = vec![Any::None; part.args.len()];
        let mut order: Vec<usize> = (0..args.len()).collect();
        if self.manner.from_root {
            order.reverse();
        }
        for index in order {
            args[index] =
                if part.is_key(index) { self.build_part(part.args[index]) } else { self.use_part(part.args[index]) };
        }
        if self.manner.garbage && self.rng.chance(50) {
            for _ in 0..self.rng.below(4) {
                let length = self.rng.below(6);
                self.garbage.push(Array::from(vec![0; length]).into());
            }
            if self.rng.chance(30) {
                self.garbage.clear();
            }
        }
        self.make(part, &args)
    }

    fn entries(&mut self, args: &[Any]) -> Map<Any, Any> {
        let mut entries: Vec<(Any, Any)> = Vec::new();
        for pair in args.chunks_exact(2) {
            // The order of insertion does not decide which of two entries with one key a map keeps.
            if Map::<Any, Any>::new(entries.iter().cloned()).data().get(pair[0].view()).is_none() {
                entries.push((pair[0].clone(), pair[1].clone()));
            }
        }
        if self.manner.permute {
            self.rng.shuffle(&mut entries);
        }
        Map::new(entries)
    }

    fn make(&mut self, part: &Part, args: &[Any]) -> Any {
        let n = i64::from(part.n);
        let any = |index: usize| args.get(index).cloned().unwrap_or_default();
        let sub = |index: usize| expr(any(index));
        let name = || format!("v{n}");
        match part.make {
            Make::None => Any::None,
            Make::Bool => Any::Bool(n % 2 == 1),
            Make::Int => Any::Int(n),
            Make::Real => Any::Float(real(part.n)),
            Make::Str => if part.n == 5 { "long".repeat(100) } else { format!("s{n}") }.into(),
            Make::Bytes => Bytes::new(format!("s{n}").as_bytes()).into(),
            Make::Dtype => Any::DataType(DataType::int(8 * (part.n % 4) + 8)),
            Make::Device => Any::Device(Device::cpu(i32::from(part.n))),
            Make::Shape => Shape::from(vec![n, 2]).into(),
            Make::Tensor => tensor(part.n).into(),
            Make::World => self.world.objects[usize::from(part.n) % WORLD].clone(),
            Make::Imm => Imm::new(n).into(),
            Make::Fields => {
                let option = |index: usize| args.get(index).map(|value| expr(value.clone()));
                let option_at_1 = if part.n % 3 == 2 { None } else { option(1) };
                let (float, dtype) = (real(part.n / 2), DataType::float(16 << (part.n % 2)));
                Fields::new(n, float, n == 1, dtype, format!("f{}", n % 2), any(0), option_at_1, option(2)).into()
            }
            Make::Add => Add::new(sub(0), any(2), sub(1)).into(),
            Make::Tuple => Tuple::new(args.to_vec()).into(),
            Make::List => Array::<Any>::from(args.to_vec()).into(),
            Make::Box => Box::new(any(0)).into(),
            Make::Shaped => Shaped::new(n).into(),
            Make::Sized => Sized::new(n, any(0)).into(),
            Make::Slot => Slot::new(any(0).cast::<Shaped>().unwrap_or_else(|_| Shaped::new(n))).into(),
            Make::Const => {
                let inner: Vec<Const> = args.iter().filter_map(|arg| arg.clone().cast().ok()).collect();
                Const::new([n, 1], inner).into()
            }
            Make::BadConst => BadConst::new(any(0)).into(),
            Make::Var => Var::new(name()).into(),
            Make::TypedVar => TypedVar::new(name(), args.first().map(|ty| expr(ty.clone()))).into(),
            Make::BindVar => BindVar::new(any(0), any(1)).into(),
            Make::Op => Op::get(&format!("op{n}")).expect("the set is open").into(),
            Make::Lambda => Lambda::new(exprs(&args[..args.len() - 1]), any(args.len() - 1)).into(),
            Make::Late => Late::new(any(args.len() - 1), exprs(&args[..args.len() - 1])).into(),
            Make::Let => Let::new(sub(0), any(1), any(2)).into(),
            Make::Dag => Dag::new(any(0)).into(),
            Make::DagBind => DagBind::new(any(0), any(1)).into(),
            Make::Map => self.entries(args).into(),
            Make::Table => Table::new(self.entries(args)).into(),
            Make::DefTable => DefTable::new(self.entries(&args[1..]), any(0)).into(),
            Make::Hook => Hook::new(any(args.len() - 1), exprs(&args[..args.len() - 1]), Any::Int(n)).into(),
            Make::HookLet => HookLet::new(any(0), any(1)).into(),
            Make::HookDag => HookDag::new(any(0), Any::Int(n)).into(),
            Make::HookVar => HookVar::new(Any::Int(n), any(0)).into(),
            Make::Scope => Scope::new(exprs(&args[..args.len() - 1]), any(args.len() - 1)).into(),
            Make::ScopeLet => ScopeLet::new(any(0), sub(1), any(2)).into(),
            Make::ScopeHook => ScopeHook::new(any(args.len() - 1), exprs(&args[..args.len() - 1])).into(),
            Make::ScopeDag => ScopeDag::new(exprs(&args[..args.len() - 1]), any(args.len() - 1)).into(),
            Make::Project => Project::new(any(args.len() - 1), exprs(&args[..args.len() - 1])).into(),
            Make::With => With::new(sub(0), any(1), any(2)).into(),
            Make::ProjectDag => ProjectDag::new(exprs(&args[..args.len() - 1]), any(args.len() - 1)).into(),
            Make::HookDeep => {
                let inner = any(0).cast::<Dag>().unwrap_or_else(|_| Dag::new(any(0)));
                HookDeep::new(Holder::new(inner), any(1)).into()
            }
            Make::Opaque => Opaque::new(n).into(),
            Make::Typed => typed(part.n, &args.iter().cloned().map(expr).collect::<Vec<_>>()),
        }
    }
}

/// Floating-point numbers, with several NaNs and both zeros.
fn real(n: u8) -> f64 {
    [f64::NAN, f64::from_bits(0x7ff8_0000_0000_0001), 0.0, -0.0, 1.0, f64::from_bits(0xfff8_0000_0000_0000)]
        [usize::from(n) % 6]
}

/// Tensors that differ in type, shape or content, small and large.
fn tensor(n: u8) -> Tensor {
    let tensor = match n {
        0..3 => Tensor::new(DataType::uint(8), [2], vec![1, n]),
        3 => Tensor::new(DataType::int(8), [2], vec![1, 0]),
        4 => Tensor::new(DataType::uint(8), [2, 1], vec![1, 0]),
        _ => Tensor::new(DataType::uint(8), [300], vec![n; 300]),
    };
    tensor.expect("the content fits the shape")
}
