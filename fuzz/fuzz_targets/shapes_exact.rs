#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| carom_fuzz::shapes_exact(bytes));
