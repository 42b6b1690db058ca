//! The functions of LLVM in scripts: a program has their numbers, and its script their names, such as `llvm.sqrt`.
//!
//! The numbers are the ones of the LLVM in TVM 0.25 (`data/llvm_intrinsics.txt.gz`); another version of LLVM has others.

use std::io;
use std::sync::OnceLock;

use flate2::read::GzDecoder;
use object_core::{DataType, ObjectHandle};
use object_ir::ir::{IntImm, IntImmNode, PrimExpr};
use object_ir::table::rows;
use rustc_hash::FxHashMap;

/// The data type of the number of a function in a call.
const NUMBER: DataType = DataType::uint(32);

/// The operators whose first argument is the number of a function.
pub(super) fn is_caller(op: &str) -> bool {
    matches!(op, "tirx.call_llvm_intrin" | "tirx.call_llvm_pure_intrin")
}

/// The names without `llvm.`, from number 1 on, and whether a suffix may follow. The text is unpacked at the first use,
/// because few programs call functions of LLVM.
fn table() -> &'static [(&'static str, bool)] {
    static TEXT: OnceLock<String> = OnceLock::new();
    static TABLE: OnceLock<Vec<(&'static str, bool)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let packed: &[u8] = include_bytes!("../data/llvm_intrinsics.txt.gz");
        let text = || io::read_to_string(GzDecoder::new(packed)).expect("the table is packed text");
        let rows = rows(TEXT.get_or_init(text));
        rows.map(|[name, suffixes]| (name, suffixes == "*")).collect()
    })
}

/// The name of the function that the first argument of a call is the number of. `None` for other arguments.
pub(super) fn name_of(number: &PrimExpr) -> Option<String> {
    let number = number.as_object().view().node::<IntImmNode>().filter(|number| number.dtype == NUMBER)?;
    let index = usize::try_from(number.value).ok()?.checked_sub(1)?;
    table().get(index).map(|(name, _)| format!("llvm.{name}"))
}

/// The number of the function with this name, as calls hold it. The name may go on with the types of an instance, as
/// in `llvm.sqrt.f32`; the longest function whose name begins so has the number, as in LLVM.
pub(super) fn number_of(name: &str) -> Option<IntImm> {
    static NUMBERS: OnceLock<FxHashMap<&'static str, i64>> = OnceLock::new();
    let numbers = NUMBERS.get_or_init(|| table().iter().map(|(name, _)| *name).zip(1..).collect());
    let whole = name.strip_prefix("llvm.")?;
    let mut starts = std::iter::successors(Some(whole), |name| Some(name.rsplit_once('.')?.0));
    let (start, number) = starts.find_map(|start| Some((start, *numbers.get(start)?)))?;
    let has_suffixes = table()[number as usize - 1].1;
    (start == whole || has_suffixes).then(|| IntImm::new(NUMBER, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded with TVM 0.25.0, `target.llvm_lookup_intrinsic_id`.
    const RECORDED: &[(&str, Option<i64>)] = &[
        ("llvm.sqrt", Some(348)),
        ("llvm.sqrt.f32", Some(348)),
        ("llvm.assume", Some(16)),
        ("llvm.assume.x", None),
        ("llvm.aarch64.neon.smull.v8i16", Some(702)),
        ("llvm.x86.avx512.pmaddw.d.512", Some(15224)),
        ("llvm.x86.avx512.pmaddw.d.512.v4", None),
        ("llvm.zzz", None),
        ("sqrt", None),
        ("llvm.", None),
        ("", None),
    ];

    #[test]
    fn names_have_the_numbers_of_llvm() {
        for (name, number) in RECORDED {
            assert_eq!(number_of(name).map(|it| it.value), *number, "{name}");
        }
    }

    #[test]
    fn each_name_has_its_own_number() {
        for (index, (name, _)) in table().iter().enumerate() {
            let number = number_of(&format!("llvm.{name}")).expect("the name is in the table");
            assert_eq!(number.value, index as i64 + 1, "{name}");
            assert_eq!(name_of(&number.into()).as_deref(), Some(&*format!("llvm.{name}")));
        }
    }

    #[test]
    fn other_numbers_have_no_name() {
        for (dtype, value) in [(NUMBER, 0), (NUMBER, -1), (NUMBER, 16124), (DataType::int(32), 348)] {
            assert_eq!(name_of(&IntImm::new(dtype, value).into()), None, "{value}");
        }
    }
}
