//! Hostile files that are not text: arrays of NumPy, archives, packed files.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

/// A file: its name, its class, and its content for about as many bytes.
pub(super) type File = (&'static str, &'static str, fn(usize) -> Vec<u8>);

/// The files.
pub(super) const FILES: &[File] = &[
    ("packed_zeros.json.gz", "graph", |size| gzip(&vec![0; size])),
    ("packed_chain.json.gz", "graph", |size| gzip(&chain(size))),
    ("packed_cut.json.gz", "graph", |size| halved(gzip(&chain(size)))),
    ("packed_many_parts.json.gz", "graph", |size| gzip(b"").repeat(size / gzip(b"").len())),
    ("packed_schema.json.gz", "schema", |size| gzip(&vec![b'['; size])),
    ("packed_declarations.py", "declarations", |size| gzip(&vec![b'('; size])),
    ("array_huge_shape.npy", "array", |_| npy("<f4", "9223372036854775807,")),
    ("array_shape_overflows.npy", "array", |_| npy("<f4", "4294967296, 4294967296, 4294967296")),
    ("array_shape_beyond.npy", "array", |_| npy("<f4", "99999999999999999999999999,")),
    ("array_negative_shape.npy", "array", |_| npy("<f4", "-1,")),
    ("array_empty_and_huge.npy", "array", |_| npy("<f4", "0, 9223372036854775807")),
    ("array_wide_type.npy", "array", |_| npy("<f99999999999", "4,")),
    ("array_no_type.npy", "array", |_| npy("", "4,")),
    ("array_many_dims.npy", "array", |size| npy("<f4", &"1,".repeat(size / 2))),
    ("array_brackets.npy", "array", |size| npy("<f4", &format!("{}4{}", "(".repeat(size / 2), ")".repeat(size / 2)))),
    ("array_long_type.npy", "array", |size| npy(&"x".repeat(size), "4,")),
    ("array_large.npy", "array", |size| [npy("<f4", &format!("{},", size / 4)), vec![0; size / 4 * 4]].concat()),
    ("array_too_short.npy", "array", |size| npy("<f4", &format!("{},", size / 4))),
    ("archive_zeros.npz", "archive", |size| npz(&[("a", zeros(size), None)])),
    ("archive_lies_about_size.npz", "archive", |size| npz(&[("a", zeros(size), Some(16))])),
    ("archive_claims_much.npz", "archive", |size| npz(&[("a", zeros(size), Some(u32::MAX))])),
    ("archive_cut.npz", "archive", |size| halved(npz(&[("a", zeros(size), None)]))),
    ("archive_many.npz", "archive", |size| npz(&vec![("a", npy("<f4", "0,"), None); (size / 200).min(60_000)])),
    ("archive_noise.npz", "archive", |size| vec![b'P'; size]),
    ("tensors_many.safetensors", "archive", |size| safetensors(&many_tensors(size), 0)),
    ("tensors_dims.safetensors", "archive", |size| safetensors(&[one_tensor(&"0,".repeat(size / 2), 0)], 0)),
    ("tensors_zeros.safetensors", "archive", |size| safetensors(&[one_tensor(&format!("{size},"), size)], size)),
    ("tensors_cut.safetensors", "archive", |size| halved(safetensors(&[one_tensor(&format!("{size},"), size)], size))),
    ("tensors_brackets.safetensors", "archive", |size| safetensors(&["[".repeat(size)], 0)),
    ("names_many.params", "archive", |size| {
        params((size / 9) as u64, &[1, 0, 0, 0, 0, 0, 0, 0, b'a'].repeat(size / 9))
    }),
    ("names_claimed.params", "archive", |_| params(u64::MAX, &[])),
    ("name_long.params", "archive", |size| params(1, &[&(size as u64).to_le_bytes()[..], &vec![b'a'; size]].concat())),
    ("name_claimed.params", "archive", |_| params(1, &u64::MAX.to_le_bytes())),
];

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}

fn halved(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() / 2);
    bytes
}

/// A graph in which each array has one element.
fn chain(size: usize) -> Vec<u8> {
    let count = size / 40;
    let nodes: String = (0..count).map(|index| format!(r#",{{"type":"ffi.Array","data":[{index}]}}"#)).collect();
    format!(r#"{{"root_index":{count},"nodes":[{{"type":"None"}}{nodes}]}}"#).into_bytes()
}

/// The head of a `.npy` file in the version 2 of the format.
fn npy(descr: &str, shape: &str) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}\n");
    let length = u32::try_from(header.len()).expect("a small header").to_le_bytes();
    [b"\x93NUMPY\x02\x00", &length[..], header.as_bytes()].concat()
}

fn zeros(size: usize) -> Vec<u8> {
    [npy("<f4", &format!("{},", size / 4)), vec![0; size / 4 * 4]].concat()
}

/// A file of safetensors with these entries of the header, and so many bytes of data.
fn safetensors(entries: &[String], data: usize) -> Vec<u8> {
    let header = format!("{{{}}}", entries.join(","));
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &vec![0; data]].concat()
}

/// The entry of a tensor in a file of safetensors; `extents` ends in a comma.
fn one_tensor(extents: &str, end: usize) -> String {
    let extents = extents.trim_end_matches(',');
    format!("\"a\":{{\"dtype\":\"U8\",\"shape\":[{extents}],\"data_offsets\":[0,{end}]}}")
}

/// Entries of tensors without elements.
fn many_tensors(size: usize) -> Vec<String> {
    (0..size / 60).map(|index| one_tensor("0,", 0).replacen("\"a\"", &format!("\"{index}\""), 1)).collect()
}

/// A file of TVM's parameters with this number of names.
fn params(count: u64, names: &[u8]) -> Vec<u8> {
    [&0xF7E5_8D4F_0504_9CB7_u64.to_le_bytes(), &[0; 8], &count.to_le_bytes(), names].concat()
}

/// A `.npz` file with packed entries; each may claim another size than its own.
fn npz(entries: &[(&str, Vec<u8>, Option<u32>)]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, content, claim) in entries {
        let name = format!("{name}.npy");
        let mut sum = flate2::Crc::new();
        sum.update(content);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(content).expect("memory takes everything");
        let packed = encoder.finish().expect("memory takes everything");
        let size = claim.unwrap_or_else(|| u32::try_from(content.len()).expect("a small file"));
        let mut facts = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
        facts.extend(sum.sum().to_le_bytes());
        facts.extend(u32::try_from(packed.len()).expect("a small file").to_le_bytes());
        facts.extend(size.to_le_bytes());
        facts.extend(u16::try_from(name.len()).expect("a short name").to_le_bytes());
        facts.extend([0, 0]);
        let start = u32::try_from(file.len()).expect("a small file");
        directory.extend([b"PK\x01\x02\x14\x00", &facts[..], &[0; 10], &start.to_le_bytes(), name.as_bytes()].concat());
        file.extend([b"PK\x03\x04", &facts[..], name.as_bytes(), &packed].concat());
    }
    let count = u16::try_from(entries.len()).expect("a few entries").to_le_bytes();
    let [size, start] = [directory.len(), file.len()].map(|it| u32::try_from(it).expect("a small file").to_le_bytes());
    let end = [b"PK\x05\x06\x00\x00\x00\x00", &count[..], &count, &size, &start, &[0, 0]].concat();
    [file, directory, end].concat()
}
