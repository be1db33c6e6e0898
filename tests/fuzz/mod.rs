//! A short run of the fuzz targets on stable Rust: the committed inputs, and some changes of each. `make fuzz` runs the
//! fuzzer itself.

use crate::targets;
use std::fs;
use std::path::Path;

/// Changes of each input.
const CHANGES: u64 = 40;

/// Xorshift: a seed gives the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).unwrap()
    }

    /// Bytes with one part replaced, removed, repeated or cut off.
    fn change(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut changed = bytes.to_vec();
        let start = self.below(bytes.len() + 1);
        let end = (start + 1 + self.below(8)).min(bytes.len()).max(start);
        match self.below(5) {
            0 => changed.truncate(start),
            1 => drop(changed.drain(start..end)),
            2 => drop(changed.splice(start..start, bytes[start..end].repeat(1 + self.0 as usize % 40))),
            3 => changed.insert(start, b"\0\xff\n/.\\{}[]\":-*"[self.below(14)]),
            _ => changed[start..end].iter_mut().for_each(|byte| *byte ^= 1 << (self.0 % 8)),
        }
        changed
    }
}

#[expect(clippy::disallowed_methods, reason = "the inputs are files of this repository")]
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

#[test]
fn what_each_target_states_holds_for_its_inputs_and_changes_of_them() {
    for (name, _) in targets::TARGETS {
        let files = seeds(name);
        assert!(!files.is_empty(), "{name} has inputs");
        for (path, bytes) in files {
            let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ bytes.len() as u64);
            targets::run(name, &bytes);
            for change in 0..CHANGES {
                let changed = random.change(&bytes);
                let outcome = std::panic::catch_unwind(|| targets::run(name, &changed));
                assert!(outcome.is_ok(), "{path}, change {change}: {:?}", String::from_utf8_lossy(&changed));
            }
        }
    }
}
