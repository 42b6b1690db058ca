//! [`FunctionHeader`]: a function without its body.

use object_core::prelude::*;
use object_ir::ir::{DictAttrs, StructInfo, Var};

/// The parameters of a function, and facts about it. A list of parameters is the header of a pure function whose result its
/// body determines.
///
/// ```
/// use object_relax::block_builder::FunctionHeader;
/// use object_ir::ir::{TensorStructInfo, Var};
///
/// let x = Var::of("x", TensorStructInfo::of([2], "float32")?);
/// let header = FunctionHeader::new([&x]).result(TensorStructInfo::of_rank(1, "float32")?).impure().private();
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FunctionHeader {
    pub(super) params: Vec<Var>,
    pub(super) result: Option<StructInfo>,
    pub(super) is_impure: bool,
    pub(super) is_private: bool,
    pub(super) attrs: Vec<(Str, Any)>,
}

impl FunctionHeader {
    /// The header of a pure function of these parameters.
    #[must_use]
    pub fn new<V: Into<Var>>(params: impl IntoIterator<Item = V>) -> Self {
        FunctionHeader { params: params.into_iter().map(Into::into).collect(), ..FunctionHeader::default() }
    }

    /// Annotates the result. Without an annotation, the result has the structural information of the body.
    #[must_use]
    pub fn result(mut self, result: impl Into<StructInfo>) -> Self {
        self.result = Some(result.into());
        self
    }

    /// The function has visible side effects.
    #[must_use]
    pub fn impure(mut self) -> Self {
        self.is_impure = true;
        self
    }

    /// Only functions of the module call the function: it has no `global_symbol`.
    #[must_use]
    pub fn private(mut self) -> Self {
        self.is_private = true;
        self
    }

    /// Adds an attribute.
    #[must_use]
    pub fn attr(mut self, name: impl Into<Str>, value: impl Into<Any>) -> Self {
        self.attrs.push((name.into(), value.into()));
        self
    }

    /// The attributes of the function, which is the global function `symbol` if it is public.
    pub(super) fn dict_attrs(&self, symbol: Option<&Str>) -> DictAttrs {
        let symbol =
            symbol.filter(|_| !self.is_private).map(|symbol| (Str::from("global_symbol"), Any::from(symbol.clone())));
        DictAttrs::new(Map::new(symbol.into_iter().chain(self.attrs.iter().cloned())))
    }
}

impl<V: Into<Var>, const N: usize> From<[V; N]> for FunctionHeader {
    fn from(params: [V; N]) -> Self {
        FunctionHeader::new(params)
    }
}

impl<V: Into<Var>> From<Vec<V>> for FunctionHeader {
    fn from(params: Vec<V>) -> Self {
        FunctionHeader::new(params)
    }
}

impl From<&[Var]> for FunctionHeader {
    fn from(params: &[Var]) -> Self {
        FunctionHeader::new(params.iter().cloned())
    }
}
