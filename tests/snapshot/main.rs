//! Snapshots over memory ports, natively and in browsers.

// `cfg(test)` is always on here; it tells clippy that helpers may unwrap as tests do.
#[cfg(test)]
mod branch;
#[cfg(test)]
mod branch_commit;
#[cfg(test)]
mod branch_crash;
#[cfg(test)]
mod branch_switch;
#[cfg(test)]
mod cost;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod inspect;
#[cfg(test)]
mod iterations;
#[cfg(test)]
mod list;
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod native;
#[cfg(test)]
mod packs;
#[cfg(test)]
mod paths;
#[cfg(test)]
mod project;
#[cfg(test)]
mod recovery;
#[cfg(test)]
mod refs;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod rollback;
#[cfg(test)]
mod save;

#[cfg(target_family = "wasm")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);
