//! [`size`]: how long an expression is.

use object_core::ObjectHandle;
use object_ir::ir::PrimExpr;
use rustc_hash::FxHashMap;

use super::super::normal::operation::Operation;

/// The number of operations, constants and variables in `expr`, counted at each occurrence. Takes time in the number
/// of objects.
pub(in crate::arith) fn size(expr: &PrimExpr) -> usize {
    let address = |expr: &PrimExpr| expr.as_object().view().address();
    let mut sizes: FxHashMap<usize, usize> = FxHashMap::default();
    let mut open = vec![(expr, false)];
    while let Some((expr, are_operands_known)) = open.pop() {
        if sizes.contains_key(&address(expr)) {
            continue;
        }
        let operands = Operation::of(expr).1;
        if are_operands_known || operands.is_empty() {
            let known = operands.iter().filter_map(|operand| sizes.get(&address(operand)));
            let size = known.fold(1, |sum: usize, size| sum.saturating_add(*size));
            sizes.insert(address(expr), size);
        } else {
            open.push((expr, true));
            open.extend(operands.into_iter().map(|operand| (operand, false)));
        }
    }
    sizes.get(&address(expr)).copied().unwrap_or(1)
}
