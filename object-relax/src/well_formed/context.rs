//! [`Context`]: the state of a check that its rules read and change.

use object_core::{AnyView, FieldType, ObjectView};
use object_ir::ir::{FunctionNode, GlobalVarNode, IRModule, IRModuleNode, RelaxExpr};
use object_ir::tir::PrimFuncNode;
use object_ir::tvm::TvmVersion;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arith::Analyzer;
use crate::op::{InferContext, SharedResults};
use crate::well_formed::findings::{Draft, Findings, Settings};
use crate::well_formed::inferred::Inferred;
use crate::well_formed::memo::Memo;
use crate::well_formed::place::{Place, Places};
use crate::well_formed::rule::{Level, Rule};
use crate::well_formed::scopes::Scopes;

/// A use of a variable that was not in scope. The end of the walk knows whether a later place binds it.
pub(super) struct Unresolved<'a> {
    /// The moment of the use.
    pub(super) order: u64,
    /// The rule about the use.
    pub(super) rule: &'static Rule,
    /// The variable.
    pub(super) variable: ObjectView<'a>,
    /// The place of the use.
    pub(super) place: Place,
}

/// A call of a function of the module, or of a local function by its own variable.
pub(super) struct FunctionCall<'a> {
    /// The moment of the call.
    pub(super) order: u64,
    /// The call.
    pub(super) call: ObjectView<'a>,
    /// The place of the call.
    pub(super) place: Place,
    /// The index of the calling function in [`Context::functions`].
    pub(super) caller: usize,
    /// The address of the callee: a global variable, or the variable of a local function.
    pub(super) callee: usize,
    /// Whether the call is in a dataflow block.
    pub(super) is_in_dataflow: bool,
}

/// A function of the program.
pub(super) struct FunctionInfo<'a> {
    /// The function.
    pub(super) function: &'a FunctionNode,
    /// The function as an object.
    pub(super) object: ObjectView<'a>,
    /// Its place.
    pub(super) place: Place,
    /// The moment of the visit.
    pub(super) order: u64,
    /// The global variable or the variable of its binding, if it has one.
    pub(super) name: Option<ObjectView<'a>>,
    /// The index of the function around it.
    pub(super) outer: Option<usize>,
    /// The number of functions at the end of the function, so that the functions in it lie before this index.
    pub(super) end: usize,
    /// Whether no variable is missing in its parameters and in the annotation of its result.
    pub(super) has_known_signature: bool,
}

/// The state of a check.
pub(super) struct Context<'a> {
    /// The checked module; `None` for a single function or expression.
    pub(super) module: Option<&'a IRModuleNode>,
    /// The checked module, to keep and to share.
    pub(super) module_handle: Option<IRModule>,
    /// Compares dimensions.
    pub(super) analyzer: Analyzer,
    /// The inferred results of calls.
    results: SharedResults,
    /// The version of TVM whose rules of inference apply.
    version: Option<TvmVersion>,
    /// The places.
    pub(super) places: Places<'a>,
    /// The steps of the walk.
    pub(super) steps: u64,
    /// The scopes and the variables.
    pub(super) scopes: Scopes,
    /// The visited shared objects.
    pub(super) memo: Memo,
    /// The violations.
    pub(super) findings: Findings<'a>,
    /// All functions in the order of the walk.
    pub(super) functions: Vec<FunctionInfo<'a>>,
    /// The functions around the current place, as indices of `functions`.
    pub(super) open_functions: Vec<usize>,
    /// All calls by name.
    pub(super) calls: Vec<FunctionCall<'a>>,
    /// The uses of variables that were not in scope.
    pub(super) unresolved: Vec<Unresolved<'a>>,
    /// The global function that first uses each shape variable, as an index of `functions`.
    pub(super) users: FxHashMap<usize, usize>,
    /// The expressions whose structural information is wrong, so that nothing is compared with it.
    pub(super) contradicted: FxHashSet<usize>,
    /// The structural information that the program leaves out.
    pub(super) inferred: Inferred,
    /// The violations about a variable so far, so that each rule reports a variable once in each global function.
    reported: FxHashSet<(&'static str, Level, usize, usize)>,
}

impl<'a> Context<'a> {
    /// The state at the begin of a check.
    pub(super) fn new(root: ObjectView<'a>, settings: Settings) -> Self {
        Context {
            module: root.node(),
            module_handle: root.to_handle(),
            analyzer: Analyzer::for_shapes(),
            results: SharedResults::default(),
            version: settings.version,
            places: Places::new(),
            steps: 0,
            scopes: Scopes::new(),
            memo: Memo::new(),
            findings: Findings::new(settings),
            functions: Vec::new(),
            open_functions: Vec::new(),
            calls: Vec::new(),
            unresolved: Vec::new(),
            users: FxHashMap::default(),
            contradicted: FxHashSet::default(),
            inferred: Inferred::default(),
            reported: FxHashSet::default(),
        }
    }

    /// The facts for the inference of the structural information of a call.
    pub(super) fn infer_context(&self) -> InferContext<'_> {
        let context = InferContext::new(&self.analyzer).results(&self.results).version(self.version);
        self.module_handle.as_ref().map_or(context, |module| context.module(module))
    }

    /// Finds the structural information of a callee that states none.
    pub(super) fn look_up(&mut self, callee: &RelaxExpr) {
        self.inferred.look_up(callee, self.module, &self.analyzer);
    }

    /// Adds a violation of `rule` at `place`.
    pub(super) fn report(
        &mut self,
        rule: &'static Rule,
        place: Place,
        object: ObjectView<'a>,
        message: impl FnOnce() -> String,
        describe: impl FnOnce(Draft<'a>) -> Draft<'a>,
    ) {
        self.findings.add(rule, place, object, message, describe);
    }

    /// Whether this is the first violation of `rule` about `variable` in the current global function. Rules that are
    /// off have none.
    pub(super) fn is_first(&mut self, rule: &'static Rule, variable: ObjectView<'_>) -> bool {
        self.is_first_of(rule.name, rule, variable)
    }

    /// As [`is_first`](Self::is_first), for rules that share the key `family`: a violation of one is one of all of its level.
    pub(super) fn is_first_of(&mut self, family: &'static str, rule: &'static Rule, variable: ObjectView<'_>) -> bool {
        let function = self.open_functions.first().copied().unwrap_or(usize::MAX);
        let level = self.findings.level(rule);
        level != Level::Allow && self.reported.insert((family, level, variable.address(), function))
    }

    /// Whether a global variable is the name of a loop program of the module.
    pub(super) fn is_loop_program(&self, var: ObjectView<'_>) -> bool {
        let function = self.module.and_then(|module| module.functions.data().get(AnyView::Object(var)));
        function.and_then(AnyView::as_object).is_some_and(|function| function.node::<PrimFuncNode>().is_some())
    }

    /// Whether the module defines a global variable.
    pub(super) fn defines(&self, var: &'a GlobalVarNode, object: ObjectView<'a>) -> bool {
        let Some(module) = self.module else { return true };
        let listed = module.global_var_map.data().get(var.name_hint.view());
        listed.and_then(|listed| listed.as_object()).is_some_and(|listed| listed.ptr_eq(object))
    }
}
