//! Random operations on hostile types. `HOSTILE_RUNS` is the number of runs, `HOSTILE_SEED` the first seed.

use super::hostile::run;

#[test]
fn hostile_code_sees_no_object_change() {
    let setting = |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (runs, first) = (setting("HOSTILE_RUNS", 60_u64), setting("HOSTILE_SEED", 1_u64));
    for seed in first..first + runs {
        run(Vec::new(), seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), 30);
    }
}
