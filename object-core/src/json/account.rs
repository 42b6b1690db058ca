//! [`Account`]: the nodes and the memory of the graph that a reader makes.

use crate::error::Result;
use crate::json::options::JsonReader;
use crate::limits::{Budget, Limit};
use crate::meter::{Charge, Meter};

/// Counts the nodes of a graph, with the elements of its lists, and the bytes of its values, while a reader makes them.
pub(crate) struct Account {
    nodes: Budget,
    memory: Charge,
}

impl Account {
    /// The account of a graph that `reader` reads.
    pub(crate) fn new(reader: JsonReader<'_>) -> Self {
        let meter = reader.meter.cloned().unwrap_or_else(Meter::unlimited);
        Account { nodes: Budget::new(&reader.limits, Limit::Nodes), memory: meter.nothing() }
    }

    /// Counts nodes or elements of lists.
    ///
    /// # Errors
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded), with the limit of nodes.
    #[inline(always)]
    pub(crate) fn nodes(&mut self, count: usize) -> Result<()> {
        self.nodes.spend(count as u64)
    }

    /// Counts the memory of a value.
    ///
    /// # Errors
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded), with the limit of the meter.
    #[inline(always)]
    pub(crate) fn bytes(&mut self, count: usize) -> Result<()> {
        self.memory.grow(count as u64)
    }

    /// Counts memory that the reader needs until it ends.
    ///
    /// # Errors
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded), with the limit of the meter.
    pub(crate) fn reserve(&self, bytes: usize) -> Result<Charge> {
        self.memory.meter().reserve(bytes as u64)
    }

    /// The number of nodes, and the charge of the values.
    pub(crate) fn finish(self) -> (u64, Charge) {
        (self.nodes.spent(), self.memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::graph::graph_bytes;
    use crate::json::to_string;
    use crate::{Any, Array, ErrorKind, Map, Shape, Str};

    /// A graph of each kind of node that grows with its text.
    fn graph() -> Any {
        let texts: Array<Str> = (0..100).map(|number| Str::from(format!("text {number}"))).collect();
        let map = Map::<Str, Any>::new((0..100).map(|number| (Str::from(format!("key {number}")), Any::Int(number))));
        Any::from(Array::<Any>::new([texts.into(), map.into(), Shape::new(&[1; 1000]).into()]))
    }

    #[test]
    fn metadata_and_a_copy_of_the_text_count() {
        let metadata =
            format!(r#"{{"root_index":0,"nodes":[{{"type":"None"}}],"metadata":"{}"}}"#, "x".repeat(100_000));
        let odd = format!(r#"{{"root_index":0,"nodes":[{{"data":NaN,"type":"float"}}{}]}}"#, " ".repeat(100_000));
        for text in [metadata.clone(), format!(" {metadata}"), odd] {
            let read = |limit| JsonReader::new().meter(&Meter::with_limit(limit)).read(text.as_bytes()).map(drop);
            assert_eq!(read(50_000).expect_err("the limit is lower").kind(), ErrorKind::LimitExceeded);
            assert!(read(300_000).is_ok());
        }
    }

    #[test]
    fn a_graph_counts_until_its_end() {
        let graph = graph();
        let text = to_string(&graph).expect("a text");
        let meter = Meter::with_limit(1 << 20);
        // The second text makes the general reader read.
        for text in [text.clone(), format!(" {text}").replace("\"type\":", " \"type\" :")] {
            let read = JsonReader::new().meter(&meter).read(text.as_bytes()).expect("a graph");
            let counted = graph_bytes(&read.root);
            assert!((counted..3 * counted + (1 << 16)).contains(&meter.live()), "{} of {counted}", meter.live());
            drop(read);
            assert_eq!(meter.live(), 0);
            let small = Meter::with_limit(counted - 1);
            let error = JsonReader::new().meter(&small).read(text.as_bytes()).expect_err("the graph is larger");
            assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{error}");
            assert_eq!(small.live(), 0);
        }
    }
}
