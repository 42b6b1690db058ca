//! A random sample of facts, the same on every machine for one seed.

/// Keeps `size` random `items`, in a random order.
pub(super) fn choose<T>(items: &mut Vec<T>, size: usize, seed: u64) {
    let mut state = seed;
    let chosen = size.min(items.len());
    for index in 0..chosen {
        let rest = (items.len() - index) as u64;
        let other = index + (next(&mut state) % rest) as usize;
        items.swap(index, other);
    }
    items.truncate(chosen);
}

/// The next number of the SplitMix64 sequence.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn the_seed_decides() {
        let sample = |seed| {
            let mut items: Vec<u32> = (0..100).collect();
            choose(&mut items, 10, seed);
            items
        };
        assert_eq!(sample(1), sample(1));
        assert_ne!(sample(1), sample(2));
        let mut distinct = sample(3);
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 10);
    }

    #[test]
    fn a_large_sample_is_everything() {
        let mut items = vec![1, 2, 3];
        choose(&mut items, 10, 0);
        items.sort_unstable();
        assert_eq!(items, [1, 2, 3]);
    }
}
