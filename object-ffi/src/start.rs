//! The function that the dynamic linker calls when it loads the library.
//!
//! The crate `inventory` collects the types by such functions as well, one for each type, so this one has to be the last.
//! The number in the name of its section makes it the last one under LLD, which Rust uses by default on x86-64 Linux. Other
//! linkers may put it elsewhere. Then the load registers nothing, and `setup()` of the module does.

use std::ffi::{c_int, c_void};
use std::panic::catch_unwind;

use crate::foreign::is_exported;
use crate::load::{is_peer_loaded, setup};

#[used]
#[unsafe(link_section = ".init_array.99999")]
static START: extern "C" fn() = start;

extern "C" fn start() {
    // An unwinding into the dynamic linker is undefined. The panic has printed its message.
    let _ = catch_unwind(|| {
        if is_exported()
            && is_peer_loaded()
            && is_last()
            && let Err(error) = setup()
        {
            eprintln!("object-ffi: {error}");
        }
    });
}

/// The initializers of the library with the address of [`START`].
#[derive(Default)]
struct Initializers {
    address: usize,
    len: usize,
}

/// Whether [`START`] is the last initializer of the library.
fn is_last() -> bool {
    let mut found = Initializers::default();
    // SAFETY: `dl_iterate_phdr` calls `visit` during this call, with the pointer to `found`.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut found).cast()) };
    let start = (&raw const START).addr();
    found.address + found.len == start + size_of::<usize>()
}

/// Stores the initializers, if the library has [`START`]; then the iteration ends.
///
/// # Safety
/// As `dl_iterate_phdr` calls it, with a pointer to `Initializers`.
unsafe extern "C" fn visit(library: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    let start = (&raw const START).addr();
    // SAFETY: by the contract, the library has `dlpi_phnum` program headers, and its dynamic section ends with `DT_NULL`.
    unsafe {
        let library = &*library;
        let base = library.dlpi_addr as usize;
        let headers = std::slice::from_raw_parts(library.dlpi_phdr, library.dlpi_phnum.into());
        let Some(dynamic) = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC) else { return 0 };
        let initializers = initializers(base, (base + dynamic.p_vaddr as usize) as *const Dynamic);
        if !(initializers.address..initializers.address + initializers.len).contains(&start) {
            return 0;
        }
        *found.cast::<Initializers>() = initializers;
        1
    }
}

/// `Elf64_Dyn`, and `Elf32_Dyn` on machines of 32 bits.
#[repr(C)]
struct Dynamic {
    tag: isize,
    value: usize,
}

const DT_NULL: isize = 0;
const DT_INIT_ARRAY: isize = 25;
const DT_INIT_ARRAYSZ: isize = 27;

/// # Safety
/// `dynamic` is a dynamic section, which ends with `DT_NULL`.
unsafe fn initializers(base: usize, mut dynamic: *const Dynamic) -> Initializers {
    let mut found = Initializers::default();
    loop {
        // SAFETY: by the contract, no entry before has been the last one.
        let entry = unsafe { &*dynamic };
        match entry.tag {
            DT_NULL => return found,
            DT_INIT_ARRAY => found.address = base + entry.value,
            DT_INIT_ARRAYSZ => found.len = entry.value,
            _ => {}
        }
        // SAFETY: as above.
        dynamic = unsafe { dynamic.add(1) };
    }
}
