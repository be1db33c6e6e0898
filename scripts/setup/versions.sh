# Pinned versions, and the folders of our own copies of tools.

tool_cache=${XDG_CACHE_HOME:-$HOME/.cache}/loopgate
cargo_home=${CARGO_HOME:-$HOME/.cargo}

wasm_pack_version=0.15.1
geckodriver_version=0.37.1
cargo_fuzz_version=0.13.1
# Must equal the version of the crate.
wasm_bindgen_version=$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/[^0-9.]/, ""); print; exit }' "$root/Cargo.lock")
rust_version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml")
node_version=20.19.0
# Installed if the system has an older version.
node_package=node@22

# tool_root CRATE VERSION: the folder of our own copy.
tool_root() {
  printf '%s/%s-%s' "$tool_cache" "$1" "$2"
}

# tool_path: our own copies, then the PATH, then the folder of cargo.
tool_path() {
  printf '%s/bin:' \
    "$(tool_root wasm-bindgen-cli "$wasm_bindgen_version")" \
    "$(tool_root wasm-pack "$wasm_pack_version")" \
    "$(tool_root geckodriver "$geckodriver_version")" \
    "$(tool_root cargo-fuzz "$cargo_fuzz_version")"
  printf '%s/node_modules/.bin:%s:%s/bin\n' "$(tool_root node "$node_version")" "$PATH" "$cargo_home"
}
