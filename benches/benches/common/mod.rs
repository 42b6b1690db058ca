//! Shared parts of the benchmarks of graphs: [`CpuTime`] and a [`group`] for each workload.

use std::time::Duration;

use cpu_time::ThreadTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{Criterion, Throughput};
use object_benches::{self as workloads, Workload};

/// The CPU time of the thread, in the format of [`WallTime`].
pub(crate) struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = ThreadTime;
    type Value = Duration;

    fn start(&self) -> ThreadTime {
        ThreadTime::now()
    }

    fn end(&self, start: ThreadTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// Benchmarks of one workload.
pub(crate) type Group<'c> = criterion::BenchmarkGroup<'c, CpuTime>;

/// Measures an operation that does not change its arguments.
pub(crate) fn measure<R>(group: &mut Group<'_>, name: &str, mut work: impl FnMut() -> R) {
    group.bench_function(name, |bencher| bencher.iter(&mut work));
}

/// A group for a workload of `nodes` nodes.
pub(crate) fn group<'c>(criterion: &'c mut Criterion<CpuTime>, name: &str, nodes: usize) -> Group<'c> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(nodes as u64));
    group.sample_size(if nodes < 50_000 { 30 } else { 10 });
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    group
}

/// Benchmarks of trees of several sizes.
pub(crate) fn trees(criterion: &mut Criterion<CpuTime>, mut operations: impl FnMut(&mut Group<'_>, &Workload)) {
    for nodes in [1001, 10_001, 100_001, 1_000_001] {
        let workload = workloads::tree(nodes);
        operations(&mut group(criterion, &workload.name, nodes), &workload);
    }
}
