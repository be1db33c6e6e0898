# The versions that the project is built with, and where its own copies of the tools live.

tool_cache=${XDG_CACHE_HOME:-$HOME/.cache}/loopgate
cargo_home=${CARGO_HOME:-$HOME/.cargo}

wasm_pack_version=0.15.1
geckodriver_version=0.37.1
# Equal to the crate, or the glue does not fit the binary.
wasm_bindgen_version=$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/[^0-9.]/, ""); print; exit }' "$root/Cargo.lock")
rust_version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml")
node_version=20.19.0
# Installed where the system offers only an older one.
node_package=node@22

# tool_root CRATE VERSION: where our own copy goes when another version is already installed.
tool_root() {
  printf '%s/%s-%s' "$tool_cache" "$1" "$2"
}

# tool_path: our own copies first, then what was there, then where rustup puts cargo.
tool_path() {
  printf '%s/bin:' \
    "$(tool_root wasm-bindgen-cli "$wasm_bindgen_version")" \
    "$(tool_root wasm-pack "$wasm_pack_version")" \
    "$(tool_root geckodriver "$geckodriver_version")"
  printf '%s/node_modules/.bin:%s:%s/bin\n' "$(tool_root node "$node_version")" "$PATH" "$cargo_home"
}
