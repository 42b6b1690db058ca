//! The quality of structural hashes. They have no more collisions than a random function, in all 64 bits and in each
//! half, and every bit of the input affects every bit of the hash.
//!
//! The environment variable `HASH_QUALITY` is a factor for the number of values. With 1, a family has about a million
//! values. The default is 1 in optimized builds and 0.1 in others. With `--nocapture` the tests print the counts.

use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_core::{FieldType, Tensor};
use object_ir::ir::{FloatImm, IntImm, PrimExpr, PrimType};
use object_ir::tir;

/// A node that compares by content and sharing.
#[derive(Object)]
#[object(type_key = "hash_quality.Shared")]
#[structural_eq(dag)]
pub struct SharedNode {}

/// The factor for the number of values.
fn factor() -> f64 {
    match std::env::var("HASH_QUALITY") {
        Ok(factor) => factor.parse().expect("HASH_QUALITY is a number"),
        Err(_) if cfg!(debug_assertions) => 0.1,
        Err(_) => 1.0,
    }
}

/// `count`, scaled by the factor.
fn scaled(count: usize) -> usize {
    (count as f64 * factor()) as usize
}

/// The side of a square with `count * count` values, scaled by the factor.
fn side(count: usize) -> i64 {
    scaled(count * count).isqrt() as i64
}

/// The first number for factors below 1, the last one for factors from 10 on, and the second one for all others.
fn by_factor([small, usual, large]: [usize; 3]) -> usize {
    match factor() {
        factor if factor < 1.0 => small,
        factor if factor < 10.0 => usual,
        _ => large,
    }
}

/// The hashes of values that all differ.
struct Family {
    name: &'static str,
    hashes: Vec<u64>,
}

impl Family {
    fn new(name: &'static str) -> Self {
        Family { name, hashes: Vec::new() }
    }

    fn add<T: FieldType>(&mut self, value: &T) {
        self.hashes.push(StructuralOptions::new().hash(value).expect("comparable"));
    }

    /// Fails if there are more collisions than chance allows.
    #[track_caller]
    fn check(self) {
        let Family { name, hashes } = self;
        let count = hashes.len();
        let whole = collisions(hashes.clone());
        let low = collisions(hashes.iter().map(|hash| *hash as u32).collect());
        let high = collisions(hashes.iter().map(|hash| (hash >> 32) as u32).collect());
        // The expected number of collisions of `count` hashes with `slots` possible values.
        let slots = 2f64.powi(32);
        let chance = count as f64 + slots * (-(count as f64) / slots).exp_m1();
        println!(
            "{name}: {count} values, collisions: {whole} in 64 bits, {low} low, {high} high, {chance:.1} by chance"
        );
        assert_eq!(whole, 0, "{name}: hashes of {count} values collide");
        let limit = 1.3 * chance + 6.0;
        for (half, found) in [("low", low), ("high", high)] {
            assert!(found as f64 <= limit, "{name}: {found} collisions in the {half} half, {chance:.1} by chance");
        }
    }
}

/// The number of hashes that repeat an earlier one.
fn collisions<T: Ord>(mut hashes: Vec<T>) -> usize {
    hashes.sort_unstable();
    hashes.windows(2).filter(|pair| pair[0] == pair[1]).count()
}

/// Numbers that look random: splitmix64 by Sebastiano Vigna, public domain.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

fn int(value: i64) -> IntImm {
    IntImm::new(DataType::int(64), value)
}

fn var(name: &str) -> tir::Var {
    tir::Var::new(DataType::int(64), name, PrimType::new(DataType::int(64)))
}

#[test]
fn pairs_of_integers() {
    let mut family = Family::new("[i, j]");
    let n = side(1000);
    for i in 0..n {
        for j in 0..n {
            family.add(&Array::from([i, j]));
        }
    }
    family.check();
}

#[test]
fn expressions() {
    let ty = DataType::int(64);
    let (x, y) = (var("x"), var("y"));
    let n = side(1000);
    let products: Vec<PrimExpr> = (0..n).map(|a| tir::Mul::new(ty, x.clone(), int(a)).into()).collect();
    let sums: Vec<PrimExpr> = (0..n).map(|b| tir::Add::new(ty, y.clone(), int(b)).into()).collect();
    let mut family = Family::new("x*a+(y+b)");
    for product in &products {
        for sum in &sums {
            family.add(&tir::Add::new(ty, product.clone(), sum.clone()));
        }
    }
    family.check();
}

#[test]
fn operators_over_sums() {
    let ty = DataType::int(64);
    let n = side(1000) / 40 * 40;
    let sums: Vec<PrimExpr> = (0..n).map(|i| tir::Add::new(ty, int(i % 40), int(i / 40)).into()).collect();
    let mut family = Family::new("(i+j) op (k+l)");
    for a in sums.iter().step_by(2) {
        for b in &sums {
            family.add(&tir::Sub::new(ty, a.clone(), b.clone()));
            family.add(&tir::Max::new(ty, a.clone(), b.clone()));
        }
    }
    family.check();
}

#[test]
fn strings() {
    let mut family = Family::new("strings");
    let mut add = |text: &str| family.add(&Str::from(text));
    for len in 0..=64 {
        add(&"\0".repeat(len));
    }
    // Texts of at least two bytes, so that none repeats one from above.
    for a in 1..128u8 {
        for b in 0..128u8 {
            add(str::from_utf8(&[a, b]).expect("ASCII"));
        }
    }
    let n = scaled(1_000_000) - 40_000;
    for i in 0..n / 2 {
        add(&format!("var{i}"));
    }
    for i in 0..n / 2 {
        add(&format!("a common prefix longer than any word of the hash, {i}"));
    }
    // One byte differs.
    let mut text = vec![b'.'; 180];
    for at in 0..text.len() {
        for byte in (0..128).filter(|byte| *byte != b'.') {
            text[at] = byte;
            add(str::from_utf8(&text).expect("ASCII"));
        }
        text[at] = b'.';
    }
    family.check();
}

#[test]
fn bytes() {
    let mut family = Family::new("bytes");
    for len in 0..=64 {
        family.add(&Bytes::from(vec![0; len]));
    }
    let mut random = Random(1);
    for i in 0..scaled(200_000) {
        let len = 9 + i % 40;
        let content: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
        family.add(&Bytes::from(content));
    }
    // One or two bits are set, at every place.
    let mut content = vec![0; 24];
    for a in 0..192 {
        for b in a..192 {
            content[a / 8] |= 1 << (a % 8);
            content[b / 8] |= 1 << (b % 8);
            family.add(&Bytes::from(content.clone()));
            content.fill(0);
        }
    }
    family.check();
}

#[test]
fn maps_with_string_keys() {
    let mut family = Family::new("maps with string keys");
    let n = side(700) as usize;
    let keys: Vec<Str> = (0..n).map(|i| Str::from(format!("key{i}"))).collect();
    for i in 0..n {
        for j in 0..n {
            family.add(&Map::from([(Str::from("a"), i as i64), (Str::from("b"), j as i64)]));
            family.add(&Map::from([(keys[i].clone(), j as i64)]));
            if i < j {
                family.add(&Map::from([(keys[i].clone(), 0), (keys[j].clone(), 1)]));
                family.add(&Map::from([(keys[i].clone(), 1), (keys[j].clone(), 0)]));
            }
        }
    }
    family.check();
}

#[test]
fn maps_with_object_keys() {
    let n = side(700);
    let keys: Vec<IntImm> = (0..n).map(int).collect();
    let n = keys.len();
    let (x, y) = (var("x"), var("y"));
    let bound = Array::from([x.clone(), y.clone()]);
    let mut family = Family::new("maps with object keys");
    for i in 0..n {
        for j in 0..n {
            family.add(&Map::from([(keys[i].clone(), j as i64)]));
            if i < j {
                family.add(&Map::from([(keys[i].clone(), 0), (keys[j].clone(), 1)]));
                family.add(&Map::from([(keys[i].clone(), 1), (keys[j].clone(), 0)]));
            }
            // The variables have numbers before the hash reaches the map.
            let map = Map::from([(x.clone(), i as i64), (y.clone(), j as i64)]);
            family.add(&Array::<ObjectRef>::from([bound.clone().into_object(), map.into_object()]));
        }
    }
    family.check();
}

#[test]
fn plain_values() {
    let mut family = Family::new("plain values");
    family.add(&Any::None);
    family.add(&false);
    family.add(&true);
    for code in 0..20 {
        for bits in 0..=128 {
            for raw_lanes in [0, 1, 2, 3, 4, 8, 16, 32, 64, 0xffff, 0xfffe, 0xfffc] {
                family.add(&DataType { code: TypeCode(code), bits, raw_lanes });
            }
        }
    }
    for device_type in 0..20 {
        for device_id in -8..300 {
            family.add(&Device { device_type, device_id });
        }
    }
    let n = scaled(1_000_000) as i64;
    for i in -n / 4..n / 4 {
        family.add(&i);
    }
    for shift in 24..55 {
        for odd in (1..200i64).step_by(2) {
            family.add(&(odd << shift));
        }
    }
    for i in (0..n / 2).filter(|i| *i != 0) {
        family.add(&(i as f64));
    }
    family.check();
}

#[test]
fn floats() {
    let mut values = vec![f64::NAN, f64::INFINITY, -f64::INFINITY, 0.0, -0.0, f64::EPSILON];
    let n = scaled(300_000);
    values.extend((1..n).map(|i| i as f64 / 10.0));
    values.extend((1..n).map(|i| -1.0 / i as f64));
    values.extend((1..n as u64).map(f64::from_bits));
    values.extend((-1021..1000).map(|exponent| 2f64.powi(exponent)));
    values.sort_by(f64::total_cmp);
    values.dedup_by_key(|value| value.to_bits());
    let mut family = Family::new("floats");
    for value in values {
        family.add(&FloatImm::new(DataType::float(64), value));
    }
    family.check();
}

/// All lists of items with `size` brackets and numbers, an item being a number or a list in brackets.
fn lists(size: usize, known: &mut Vec<Vec<Vec<Any>>>) {
    let mut found = Vec::new();
    if size == 0 {
        found.push(Vec::new());
    }
    for first in 1..=size {
        let items: Vec<Any> = known[first - 1].iter().map(|list| Array::new(list.clone()).into()).collect();
        let numbers = if first == 1 { &[Any::Int(1), Any::Int(2)][..] } else { &[] };
        for item in items.iter().chain(numbers) {
            for rest in &known[size - first] {
                found.push(std::iter::once(item.clone()).chain(rest.iter().cloned()).collect());
            }
        }
    }
    known.push(found);
}

#[test]
fn brackets() {
    let mut known = Vec::new();
    for size in 0..by_factor([7, 9, 10]) {
        lists(size, &mut known);
    }
    let mut family = Family::new("nested arrays");
    for list in known.into_iter().flatten() {
        family.add(&Array::new(list));
    }
    family.check();
}

/// The patterns of repetition in a sequence of up to `len` elements. Each new element gets the next number.
fn patterns(len: usize) -> Vec<Vec<usize>> {
    let (mut all, mut last) = (Vec::new(), vec![vec![]]);
    for _ in 0..len {
        let longer = last.iter().flat_map(|pattern: &Vec<usize>| {
            let known = pattern.iter().max().map_or(0, |max| max + 1);
            (0..=known).map(|next| pattern.iter().copied().chain([next]).collect())
        });
        last = longer.collect();
        all.extend_from_slice(&last);
    }
    all
}

#[test]
fn variables_and_sharing() {
    let vars: Vec<ObjectRef> = (0..11).map(|i| var(&format!("v{i}")).into_object()).collect();
    let shared: Vec<ObjectRef> = (0..11).map(|_| Shared::new().into_object()).collect();
    let mut family = Family::new("patterns of variables and of shared nodes");
    for pattern in patterns(by_factor([8, 10, 11])) {
        for objects in [&vars, &shared] {
            family.add(&Array::<ObjectRef>::new(pattern.iter().map(|i| objects[*i].clone())));
        }
    }
    family.check();
}

#[test]
fn shapes_and_tensors() {
    let mut family = Family::new("shapes and tensors");
    let n = side(400);
    for i in 0..n {
        for j in 0..n {
            family.add(&Shape::from([i, j]));
            let data = [i.to_le_bytes(), j.to_le_bytes()].concat();
            family.add(&Tensor::new(DataType::int(64), [2], data.clone()).expect("valid"));
            family.add(&Tensor::new(DataType::int(64), [1, 2], data.clone()).expect("valid"));
            family.add(&Tensor::new(DataType::uint(64), [2], data).expect("valid"));
        }
    }
    family.check();
}

/// Fails unless every bit of a random input flips every bit of the hash in about half of all cases.
#[track_caller]
fn avalanche(name: &str, hash: impl Fn(u64) -> u64) {
    // More samples reduce the bias by chance.
    let (samples, limit) = if factor() < 1.0 { (2048, 0.06) } else { (16_384, 0.02) };
    let mut random = Random(7);
    let mut moved = [[0u32; 64]; 64];
    for _ in 0..samples {
        let input = random.next();
        let before = hash(input);
        for (bit, moved) in moved.iter_mut().enumerate() {
            let mut difference = before ^ hash(input ^ 1 << bit);
            while difference != 0 {
                moved[difference.trailing_zeros() as usize] += 1;
                difference &= difference - 1;
            }
        }
    }
    let bias = |count: u32| (f64::from(count) / f64::from(samples) - 0.5).abs();
    let worst = moved.as_flattened().iter().copied().map(bias).fold(0.0, f64::max);
    println!("{name}: a bit moves another in 0.5 +- {worst:.4} of all cases");
    assert!(worst <= limit, "{name}: 0.5 +- {worst:.4}");
}

#[test]
fn every_bit_of_an_integer_node_moves_every_bit() {
    avalanche("a node with an integer", |bits| structural_hash(&int(bits.cast_signed())));
}

#[test]
fn every_bit_of_a_float_node_moves_every_bit() {
    // All NaNs are equal, so the test leaves the bits of the exponent alone.
    const EXPONENT: u64 = 0x7ff << 52;
    let hash = |bits: u64| {
        let value = f64::from_bits(bits & !EXPONENT | 1023 << 52);
        let rest = (bits & EXPONENT).cast_signed();
        structural_hash(&Array::<Any>::from([value.into(), rest.into()]))
    };
    avalanche("a float and an integer", hash);
}

#[test]
fn every_bit_of_an_element_moves_every_bit() {
    avalanche("the last element", |bits| structural_hash(&Array::from([1, bits.cast_signed()])));
    avalanche("the first element", |bits| structural_hash(&Array::from([bits.cast_signed(), 1])));
}

#[test]
fn every_bit_of_a_part_moves_every_bit() {
    avalanche("bytes in an array", |bits| structural_hash(&Array::from([Bytes::from(bits.to_le_bytes().to_vec())])));
    avalanche("a value in a map", |bits| structural_hash(&Map::from([(Str::from("a"), bits.cast_signed())])));
    avalanche("a key in a map", |bits| structural_hash(&Map::from([(bits.cast_signed(), true)])));
    avalanche("a key object in a map", |bits| structural_hash(&Map::from([(int(bits.cast_signed()), true)])));
}

#[test]
fn every_bit_of_a_leaf_moves_every_bit() {
    avalanche("an integer", |bits| structural_hash(&bits.cast_signed()));
    avalanche("bytes", |bits| structural_hash(&Bytes::from(bits.to_le_bytes().to_vec())));
    avalanche("the last extent of a shape", |bits| structural_hash(&Shape::from([1, bits.cast_signed()])));
}
