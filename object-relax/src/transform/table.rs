//! [`TRANSFORMS`]: the transforms of modules by the names of TVM's passes.

use object_core::Tensor;
use object_core::prelude::*;
use object_ir::ir::IRModule;

use super::{
    ModuleCompiler, SharedTransform, SortDirection, SortOrder, bind_params, bind_symbolic_vars, canonicalize_bindings,
    convert_ssa, decompose_for_inference, eliminate_common_subexpressions, eliminate_dead_code, fold_constants,
    inline_private_functions, lift_transform_params, normalize_global_vars, remove_unused_params, topological_sort,
};

/// The arguments of transforms. A transform takes the ones that it needs.
#[derive(Clone, Copy, Debug, Default)]
pub struct TransformOptions<'a> {
    /// The names of functions that stay, besides the ones with a `global_symbol`.
    pub entries: &'a [&'a str],
    /// Sizes of symbolic dimensions by the names of their variables.
    pub sizes: &'a [(&'a str, i64)],
    /// The function whose parameters become constants; `main` without one.
    pub function: Option<&'a str>,
    /// Constants by the names of the parameters.
    pub params: &'a [(&'a str, Tensor)],
    /// The evaluator of calls on constants.
    pub compiler: Option<ModuleCompiler<'a>>,
    /// The functions that `LiftTransformParams` makes.
    pub shared_transform: SharedTransform<'a>,
    /// The order of bindings.
    pub order: SortOrder,
    /// The end from which the order begins.
    pub direction: SortDirection,
}

/// A transform of modules with its name.
#[derive(Clone, Copy, Debug)]
pub struct ModuleTransform {
    /// The name of TVM's pass.
    pub name: &'static str,
    /// The result in a few words.
    pub about: &'static str,
    run: fn(&IRModule, TransformOptions<'_>) -> Result<IRModule, Error>,
}

/// The transforms.
pub const TRANSFORMS: &[ModuleTransform] = &[
    ModuleTransform {
        name: "BindParams",
        about: "the constants that options name in place of parameters of a function",
        run: |module, options| bind_params(module, options.function.unwrap_or("main"), options.params),
    },
    ModuleTransform {
        name: "BindSymbolicVars",
        about: "the sizes that options name in place of shape variables",
        run: |module, options| bind_symbolic_vars(module, options.sizes),
    },
    ModuleTransform {
        name: "CanonicalizeBindings",
        about: "no second names of values",
        run: |module, _| canonicalize_bindings(module),
    },
    ModuleTransform {
        name: "ConvertSSA",
        about: "loop programs that define each variable once",
        run: |module, _| convert_ssa(module),
    },
    ModuleTransform {
        name: "DeadCodeElimination",
        about: "no functions that nothing can call, and no bindings that nothing needs",
        run: |module, options| eliminate_dead_code(module, options.entries),
    },
    ModuleTransform {
        name: "DecomposeOpsForInference",
        about: "arithmetic in place of operators of training",
        run: |module, _| decompose_for_inference(module),
    },
    ModuleTransform {
        name: "EliminateCommonSubexpr",
        about: "the variable of an earlier equal value in place of a value that is computed again",
        run: |module, _| eliminate_common_subexpressions(module),
    },
    ModuleTransform {
        name: "FoldConstant",
        about: "the results of operators on constants",
        run: |module, options| match options.compiler {
            Some(compiler) => fold_constants(module, compiler),
            None => Err(Error::new(ErrorKind::MissingField, "expected the option `compiler`, which evaluates calls")),
        },
    },
    ModuleTransform {
        name: "InlinePrivateFunctions",
        about: "the bodies of private functions in place of their calls",
        run: |module, _| inline_private_functions(module),
    },
    ModuleTransform {
        name: "LiftTransformParams",
        about: "the work on weights in functions of their own",
        run: |module, options| lift_transform_params(module, options.shared_transform),
    },
    ModuleTransform {
        name: "NormalizeGlobalVar",
        about: "functions under the names by which others call them",
        run: |module, _| normalize_global_vars(module),
    },
    ModuleTransform {
        name: "RemoveUnusedParameters",
        about: "private functions without parameters that they do not use",
        run: |module, _| remove_unused_params(module),
    },
    ModuleTransform {
        name: "TopologicalSort",
        about: "the bindings of dataflow blocks in the order that options name",
        run: |module, options| topological_sort(module, options.order, options.direction),
    },
];

impl ModuleTransform {
    /// The transform with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static ModuleTransform> {
        TRANSFORMS.iter().find(|it| it.name == name)
    }

    /// The module after the transform.
    ///
    /// # Errors
    /// As the function of the transform, with the name of the pass as context.
    ///
    /// ```
    /// use object_relax::transform::{ModuleTransform, TransformOptions};
    /// # fn optimized(module: &object_ir::ir::IRModule) -> Option<Result<object_ir::ir::IRModule, object_core::Error>> {
    /// let pass = ModuleTransform::find("CanonicalizeBindings")?;
    /// Some(pass.run(module, TransformOptions::default()))
    /// # }
    /// ```
    pub fn run(&self, module: &IRModule, options: TransformOptions<'_>) -> Result<IRModule, Error> {
        (self.run)(module, options).map_err(|error| error.context(self.name))
    }
}
