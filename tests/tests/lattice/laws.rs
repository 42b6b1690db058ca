//! Laws of the orders and bounds of types and of structural information, on the recorded pool and on random values.

use std::collections::BTreeSet;

use object_core::json;
use object_core::prelude::*;
use object_ir::ir::{StructInfo, Type};
use object_relax::arith::Analyzer;
use object_relax::struct_info::{
    BaseCheck, Compatibility, base_check, check_compatibility, erase_struct_info, is_at_least_as_specific, type_of,
    unify, wrap_type,
};
use object_relax::ty::{Conversion, conversion, find_glb, find_lub, is_subtype, without_purity};
use object_script::print::ScriptPrinter;
use object_tests::scalar_text::Scope;
use proptest::prelude::*;
use serde_json::Value;

use crate::common::{element, golden, list, report};
use crate::recorded::rows;
use crate::text::{parse, print};

/// Random structural information as text. The names of variables are few, so that shapes meet again.
fn info() -> impl Strategy<Value = String> {
    let dim = prop_oneof!["[nm]", "[nm] \\+ 1", "[nm] \\* 2", "[23]"];
    let dims = prop::collection::vec(dim, 0..3).prop_map(|dims| format!("({},)", dims.join(", ")).replace("(,)", "()"));
    let dtype = prop_oneof![Just(""), Just("float32"), Just("int32")];
    let shape = prop_oneof![dims.clone(), (0..3_u8).prop_map(|rank| format!("ndim={rank}")), Just(String::new())];
    let tensor = (shape, dtype).prop_map(|(shape, dtype)| {
        let parts: Vec<_> =
            [shape.as_str(), dtype].into_iter().filter(|part| !part.is_empty()).map(str::to_owned).collect();
        if parts.is_empty() { "Tensor".to_owned() } else { format!("Tensor({})", parts.join(", ")) }
    });
    let leaf = prop_oneof![
        4 => tensor,
        1 => dims.prop_map(|dims| format!("Shape({dims})")),
        1 => Just("Shape(ndim=1)".to_owned()),
        1 => Just("Shape".to_owned()),
        1 => Just("Object".to_owned()),
        1 => Just("Prim(int64)".to_owned()),
        1 => Just("Prim(=n)".to_owned()),
        1 => Just("Derive(a)".to_owned()),
        1 => Just("Derive!(b)".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let sign = prop_oneof![Just(""), Just("!")];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|fields| format!("Tuple({})", fields.join(", "))),
            (prop::collection::vec(inner.clone(), 0..3), inner.clone(), sign.clone())
                .prop_map(|(params, ret, sign)| format!("Fn{sign}({}; {ret})", params.join(", "))),
            (inner, sign).prop_map(|(ret, sign)| format!("Opaque{sign}({ret})")),
        ]
    })
}

/// The values with these texts, over the same variables.
fn read<const N: usize>(texts: [&String; N]) -> [StructInfo; N] {
    let mut scope = Scope::default();
    texts.map(|text| parse(&mut scope, text))
}

fn same_type(a: &Type, b: &Type) -> bool {
    is_subtype(a, b) && is_subtype(b, a)
}

fn check_types([a, b, c]: [&Type; 3]) -> Result<(), String> {
    let law = |holds: bool, name: &str| if holds { Ok(()) } else { Err(format!("{name}: {a}, {b}, {c}")) };
    law(is_subtype(a, a), "reflexive")?;
    law(!is_subtype(a, b) || !is_subtype(b, c) || is_subtype(a, c), "transitive")?;
    law(!same_type(a, b) || structural_equal(a, b), "antisymmetric")?;
    let lub = find_lub(a, b);
    law(is_subtype(a, &lub) && is_subtype(b, &lub), "the lub is an upper bound")?;
    law(!is_subtype(a, c) || !is_subtype(b, c) || is_subtype(&lub, c), "the lub is the least upper bound")?;
    law(structural_equal(&lub, &find_lub(b, a)), "the lub is commutative")?;
    law(structural_equal(&find_lub(&lub, c), &find_lub(a, &find_lub(b, c))), "the lub is associative")?;
    law(!is_subtype(a, b) || structural_equal(&lub, b), "the lub of comparable types is the greater one")?;
    let glb = find_glb(a, b);
    law(glb.is_some() == find_glb(b, a).is_some(), "the glb exists in both orders")?;
    let is_below_both = is_subtype(c, a) && is_subtype(c, b);
    match &glb {
        Some(glb) => {
            law(is_subtype(glb, a) && is_subtype(glb, b), "the glb is a lower bound")?;
            law(!is_below_both || is_subtype(c, glb), "the glb is the greatest lower bound")?;
            law(find_glb(b, a).is_some_and(|other| structural_equal(glb, &other)), "the glb is commutative")?;
            law(structural_equal(&find_lub(a, glb), a), "absorption of the glb")?;
        }
        None => law(!is_below_both, "the glb exists if there is a lower bound")?,
    }
    let left = glb.and_then(|glb| find_glb(&glb, c));
    let right = find_glb(b, c).and_then(|glb| find_glb(a, &glb));
    law(left.is_some() == right.is_some(), "the glb of three types exists in both orders")?;
    law(left.zip(right).is_none_or(|(left, right)| structural_equal(&left, &right)), "the glb is associative")?;
    law(find_glb(a, &lub).is_some_and(|glb| structural_equal(&glb, a)), "absorption of the lub")?;
    let expected = match (is_subtype(a, b), find_glb(a, b)) {
        (true, _) => Conversion::Implicit,
        (false, Some(_)) => Conversion::MatchCast,
        (false, None) => Conversion::Impossible,
    };
    law(conversion(a, b) == expected, "conversion")?;
    let wrapped = wrap_type(a).map_err(|error| error.to_string())?;
    law(structural_equal(&type_of(&wrapped), a), "a wrapped type has the type")?;
    law(structural_equal(&erase_struct_info(&wrapped), &without_purity(a)), "erasing loses purity only")
}

fn check_infos([a, b, c]: [&StructInfo; 3]) -> Result<(), String> {
    let analyzer = Analyzer::for_shapes();
    let law = |holds: bool, name: &str| {
        if holds { Ok(()) } else { Err(format!("{name}: {} | {} | {}", print(a), print(b), print(c))) }
    };
    let below = |a: &StructInfo, b: &StructInfo| is_at_least_as_specific(a, b, &analyzer);
    law(below(a, a), "reflexive")?;
    law(!below(a, b) || !below(b, c) || below(a, c), "transitive")?;
    law(!below(a, b) || is_subtype(&type_of(a), &type_of(b)), "the order of types follows")?;
    let verdict = check_compatibility(a, b, &analyzer);
    law(
        verdict == Compatibility::Incompatible || is_subtype(&type_of(a), &type_of(b)),
        "compatible structural information has types in order",
    )?;
    law((verdict == Compatibility::Compatible) == below(a, b), "compatible means more specific")?;
    let level = base_check(a, b, &analyzer);
    law(Compatibility::from(level) == verdict, "levels and verdicts agree")?;
    // The type of an opaque function says neither its result nor its purity.
    let is_opaque = [a, b].into_iter().map(print).any(|text| text.contains("Opaque") || text.contains("Derive"));
    law(
        is_opaque || level != BaseCheck::FailL1 || conversion(&type_of(a), &type_of(b)) == Conversion::MatchCast,
        "a cast is possible where the level says so",
    )?;
    let both = unify(a, b, &analyzer);
    law(below(a, &both) && below(b, &both), "the result of unify is an upper bound")?;
    let mirrored = unify(b, a, &analyzer);
    law(below(&both, &mirrored) && below(&mirrored, &both), "unify is commutative")?;
    law(structural_equal(&unify(a, a, &analyzer), a), "unify is idempotent")?;
    // Functions of different parameters unite to any object, even if they are comparable.
    let has_functions = [a, b].into_iter().any(|info| print(info).contains("Fn"));
    law(has_functions || !below(a, c) || !below(b, c) || below(&both, c), "the result is the least upper bound")?;
    let (left, right) = (unify(&both, c, &analyzer), unify(a, &unify(b, c, &analyzer), &analyzer));
    law(has_functions || (below(&left, &right) && below(&right, &left)), "unify is associative")
}

fn cases() -> ProptestConfig {
    let cases = object_tests::setting("LATTICE_CASES", 60);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn types_form_a_lattice(a in info(), b in info(), c in info()) {
        let [a, b, c] = read([&a, &b, &c]).map(|info| type_of(&info));
        prop_assert_eq!(check_types([&a, &b, &c]), Ok(()));
    }

    #[test]
    fn structural_information_is_ordered(a in info(), b in info(), c in info()) {
        let [a, b, c] = read([&a, &b, &c]);
        prop_assert_eq!(check_infos([&a, &b, &c]), Ok(()));
    }
}

/// The recorded pool: the laws hold for all triples, and the levels and joins are TVM's but for the listed kinds of pairs.
#[test]
fn group_laws() {
    let Some(file) = golden("relax_cases.json") else { return };
    let laws = &file["laws"];
    let root: Any = json::from_slice(laws["graph"].as_str().expect("a graph").as_bytes()).expect("the graph is read");
    let names: Vec<&str> = list(laws, "names").iter().filter_map(|name| name.as_str()).collect();
    let pool: Vec<StructInfo> =
        (0..names.len()).map(|i| element(&root, i).unwrap().cast().expect("structural information")).collect();
    let mut wrong: BTreeSet<String> = BTreeSet::new();
    for a in &pool {
        for b in &pool {
            for c in &pool {
                wrong.extend(check_infos([a, b, c]).err());
                wrong.extend(check_types([&type_of(a), &type_of(b), &type_of(c)]).err());
            }
        }
    }
    let deviations = rows("level_deviations.txt");
    let mut unused: BTreeSet<&String> = deviations.keys().collect();
    let analyzer = Analyzer::for_shapes();
    for (i, expected) in pool.iter().enumerate() {
        for (j, given) in pool.iter().enumerate() {
            let level = base_check(given, expected, &analyzer) as u64;
            let tvm = &laws["base_check_table(row=base,col=derived)"][names[i]][names[j]];
            let pair = format!("{} -> {}", names[j], names[i]);
            let is_listed = unused.remove(&pair);
            if (*tvm != level) != is_listed {
                wrong.insert(format!("{pair}: TVM has the level {tvm}, got {level}; listed: {is_listed}"));
            }
        }
    }
    wrong.extend(unused.into_iter().map(|pair| format!("{pair}: no such pair; remove the row")));
    wrong.extend(check_joins(laws, &names, &pool));
    report(&wrong.into_iter().collect::<Vec<_>>(), pool.len());
}

/// Compares the joins of all pairs of the recorded pool with TVM's, as scripts. Each difference has a row.
fn check_joins(laws: &Value, names: &[&str], pool: &[StructInfo]) -> Vec<String> {
    let deviations = rows("join_deviations.txt");
    let mut unused: BTreeSet<&String> = deviations.keys().collect();
    let (analyzer, printer) = (Analyzer::for_shapes(), ScriptPrinter::new());
    let mut wrong = Vec::new();
    for (a, first) in names.iter().zip(pool) {
        for (b, second) in names.iter().zip(pool) {
            let join = printer.print(&unify(first, second, &analyzer)).to_string();
            let tvm = laws["lca_table"][a][b].as_str().expect("a script");
            let pair = format!("{a} | {b}");
            match (join == tvm, unused.remove(&pair)) {
                (true, false) => {}
                (true, true) => wrong.push(format!("{pair}: TVM has the same join; remove the row")),
                (false, true) if deviations[&pair][0] == join => {}
                (false, _) => wrong.push(format!("{pair}: the join of TVM is {tvm}, got {join}")),
            }
        }
    }
    wrong.extend(unused.into_iter().map(|pair| format!("{pair}: no such pair; remove the row")));
    wrong
}
